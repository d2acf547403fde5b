"""The files of a soul, read forgivingly and rewritten without losing a byte they did not mean."""

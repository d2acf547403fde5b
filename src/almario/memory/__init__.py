"""Remembering and recalling."""

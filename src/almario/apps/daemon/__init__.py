"""The daemon: one process for each home."""

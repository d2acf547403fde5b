"""The index, kept in SQLite."""

"""Sentences with secrets and without, and how many are found."""

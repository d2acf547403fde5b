"""Whole conversations with a real language model: `make e2e`."""

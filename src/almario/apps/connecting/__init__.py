"""Giving other programs an agent's memory, and taking it away again: what `almario connect` does."""

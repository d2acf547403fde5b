"""Agents in PostgreSQL, for whoever keeps many of them on many machines."""

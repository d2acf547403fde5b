"""Talking: what the agent is told before each reply."""

"""Commands about conversations."""

"""Commands about the home and its agents."""

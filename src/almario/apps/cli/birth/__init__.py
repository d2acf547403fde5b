"""Commands that make an agent."""

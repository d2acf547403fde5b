"""Commands about who the agent is."""

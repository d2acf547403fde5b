"""Who the agent is and what it wants."""

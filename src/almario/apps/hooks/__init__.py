"""The hooks of coding agents: memory without being asked."""

"""An agent for programs that speak MCP: over standard input and output, or over HTTP."""

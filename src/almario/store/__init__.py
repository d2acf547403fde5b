"""One agent's folder on disk: what is acknowledged stays, what the owner wrote stays."""

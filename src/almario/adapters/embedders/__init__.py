"""What turns text into vectors: the bundled model, or an OpenAI-compatible endpoint."""

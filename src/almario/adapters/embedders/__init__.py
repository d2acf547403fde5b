"""What turns text into vectors: the bundled model, an OpenAI-compatible endpoint, fastembed."""

"""Language models: Anthropic's, any that speaks OpenAI's protocol, and the `claude` program."""

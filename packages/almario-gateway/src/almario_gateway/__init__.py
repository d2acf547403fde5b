"""Other programs' chats with a soul: OpenAI's and Anthropic's interfaces, before the models behind them."""

"""The Telegram door: one bot, one agent; only paired people are its owner."""

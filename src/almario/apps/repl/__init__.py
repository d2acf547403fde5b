"""The chat at the terminal: what is typed, what is shown, and the commands between."""

"""The explorer, a plug-in of its own."""

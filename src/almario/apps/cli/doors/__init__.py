"""The commands by which other programs come in."""

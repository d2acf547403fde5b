"""The explorer: a plug-in that lets a reflection look for its open questions on the web; off by default."""

"""Commands that let programs in: the server and its tokens."""

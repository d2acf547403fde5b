"""Moving in: what other programs kept, read from their exports and taken in as what it is."""

"""What secrets look like: keys, labelled values, and numbers that identify a person."""

"""What an agent is and remembers goes out: in our own documented form, and in those of other programs."""

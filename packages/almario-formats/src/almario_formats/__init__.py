"""What other programs keep, read and written: a module for each program, both ways if there are two."""

"""Models on this machine: those in the box, which it fetches and runs, and the program claude."""

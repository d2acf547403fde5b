"""The long fault runs: writers killed at random points, and disks cut off under them."""

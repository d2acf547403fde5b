"""The rules of the house, which `make lint` checks: they read all source and try nothing."""

"""The model in the box: weights that are fetched once, and the process that runs them."""

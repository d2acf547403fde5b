"""Real programs and scripted models: `make clients`. They need npm, so they are no part of the suite."""

"""`python -m almario`."""

from almario.apps.cli import main

main()

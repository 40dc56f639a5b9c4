"""`python -m threespan` is the command `threespan`."""

from threespan.cli import main

main()

"""python -m singleout: the command line."""

from singleout.cli import main

main()

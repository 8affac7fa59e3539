"""``python -m companion`` is the command line."""

from companion.cli import main

main()

"""`python -m companion` is the `companion` command."""

import sys

from .cli import run

sys.exit(run())

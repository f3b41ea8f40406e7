"""`python -m forthvm` is the command `forthvm`."""

from __future__ import annotations

import sys

from forthvm.cli.app import main

if __name__ == "__main__":
    sys.exit(main())

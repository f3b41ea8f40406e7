"""`python -m forthvm` is the command `forthvm`."""

from __future__ import annotations

import os
import sys

if not sys.flags.safe_path and sys.path[:1] in ([""], [os.getcwd()]):  # noqa: PTH109 - as Python wrote it
    # `-m` puts the current folder in front of the standard library: a file `sqlite3.py` there
    # would be run.
    del sys.path[0]

from forthvm.cli.app import main

if __name__ == "__main__":
    sys.exit(main())

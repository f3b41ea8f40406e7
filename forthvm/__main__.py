"""`python -m forthvm` is the command `forthvm`."""

from __future__ import annotations

import os
import sys

if not sys.flags.safe_path and sys.path[:1] in ([""], [os.getcwd()]):  # noqa: PTH109 - a string
    # `-m` puts the current folder first in sys.path, so that a file `sqlite3.py` there would
    # replace the module of the standard library.
    del sys.path[0]

from forthvm.cli import main

if __name__ == "__main__":
    sys.exit(main())

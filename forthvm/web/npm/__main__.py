"""Writes the npm package: `python -m forthvm.web.npm FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from forthvm.web.npm.package import write_package, write_types

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"{__doc__}\nFOLDER is made; `npm pack FOLDER` then makes the archive.")
    write_package(Path(sys.argv[1]))
    write_types(Path(sys.argv[1]))

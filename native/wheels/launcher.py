"""The program of forthvm.exe, in the folder for Windows.

Owns what a double click and files that are dropped on it do.  It becomes the file __main__.py in an
archive at the end of forthvm.exe.
"""

from __future__ import annotations

import sys
from pathlib import Path

from forthvm.cli import main

SCRIPTS = (".4th", ".zrf")
SAVED_GAME = ".zsg"


def command(arguments: list[str]) -> list[str]:
    """Return the arguments of forthvm: those given, unless they are nothing or one file."""
    if not arguments:
        return ["board"]
    if len(arguments) == 1 and Path(arguments[0]).is_file():
        ending = Path(arguments[0]).suffix.lower()
        if ending in SCRIPTS:
            return ["board", arguments[0]]
        if ending == SAVED_GAME:
            return ["board", "--position", arguments[0]]
    return arguments


def run(arguments: list[str]) -> int:
    """Run forthvm; return its exit status.

    The window of a program that was started by a double click closes when the program ends, so an
    error waits for a key.
    """
    chosen = command(arguments)
    status = main(chosen)
    if status != 0 and chosen != arguments and sys.stdin.isatty():
        input("Press Enter to close this window.")
    return status


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))

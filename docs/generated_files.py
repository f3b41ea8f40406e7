"""Writes the generated files of the documentation, or checks that they are up to date.

Owns the option ``--check`` of the scripts ``make_*.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent


def write_or_check(
    files: Mapping[Path, str], arguments: Sequence[str], obsolete: Collection[Path] = ()
) -> int:
    """Writes files, or with ``--check`` compares them; returns the exit status, 1 if any differs.

    Args:
        files: The texts of the files by path.
        arguments: The arguments of the script.
        obsolete: Files that an earlier run has written, and that are to be deleted.
    """
    if "--check" not in arguments:
        for path, text in files.items():
            path.write_text(text, encoding="utf-8")
        for path in obsolete:
            path.unlink()
        return 0
    changed = {
        path
        for path, text in files.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    stale = sorted({*changed, *obsolete})
    for path in stale:
        script = Path(sys.argv[0]).name
        print(f"{path.relative_to(CHECKOUT)} is stale: python docs/{script}", file=sys.stderr)
    return int(bool(stale))

"""The session as a script that loads again to the same.

Owns the choice of lines.  It verifies them by running them again on the session's initial
memory, where the dictionary must come out equal bit for bit.  It must not write files.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.library import find_bundled
from forthvm.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from forthvm.repl.session import Line, Session

__all__ = ["Script", "write_script"]


class Script(Value):
    """A script, and whether loading it restores the same dictionary."""

    text: str
    texts: tuple[str, ...]
    exact: bool


def write_script(session: Session, path: Path) -> Script:
    """The script of a session, for a file.

    Args:
        session: The session; it is as before afterwards.
        path: Where the script will stand.  A game's own script below its folder is named
            relative to it; for one elsewhere, a comment names the folder to include.
    """
    lines: list[Line] = []
    exact = False
    for lines in _choices(session):
        if _same(session, lines):
            exact = True
            break
    else:
        lines = session.kept()
    texts = tuple(line.text for line in lines)
    body = "\n".join(text.strip("\n") for text in texts)
    return Script(f"{_head(session, path)}{body}\n", texts, exact)


def _choices(session: Session) -> Iterator[list[Line]]:
    """Candidates: the lines that define something, these with stack items, and all lines."""
    yield session.kept()
    wanted: list[Line] = []
    needed = False
    for line in reversed(session.lines):
        needed = needed or line.kept
        if needed:
            wanted.insert(0, line)
        if line.alone:
            needed = False
    yield wanted
    yield session.lines


def _same(session: Session, lines: list[Line]) -> bool:
    """Whether these lines alone make the same dictionary, tried in the VM's memory."""
    vm = session.vm
    start, here = session.base_here(), vm.native.here()
    now = vm.snapshot()
    own = now.read(start, here - start)
    try:
        again = session.replayed(lines)
        same = vm.native.here() == here and again.read(start, here - start) == own
    except ForthVMError:
        return False
    finally:
        vm.restore(now)
        session.settle()
    return same


def _head(session: Session, path: Path) -> str:
    game = session.game
    if game is None:
        return "\\ Definitions of a session of forthvm repl.\n\n"
    head = f"\\ Definitions of a session of forthvm repl with {game.name}.\n\n"
    name, folder = game.path.name, path.absolute().parent
    if game.path.is_relative_to(folder):
        name = os.path.relpath(game.path, folder)
    elif find_bundled(os.fsencode(name)) != game.path or (folder / name).exists():
        head += f"\\ The game is elsewhere: use it with --include {game.path.parent}\n\n"
    if len(name.split()) > 1:
        return f"{head}\\ LOAD the game first: its path has blanks, which LOAD cannot read.\n\n"
    return f"{head}LOAD {name}\n\n"

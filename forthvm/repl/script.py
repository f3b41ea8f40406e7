"""Makes a script that restores a session's definitions.

Owns choosing the lines of the session that the script needs.  A test run of the chosen lines in the
session's initial memory must make the same dictionary.  The module must not write files.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.library import find_bundled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from forthvm.repl.session import Line, Session

__all__ = ["Script", "make_script"]


@dataclass(frozen=True)
class Script:
    """A script that restores the definitions of a session.

    Attributes:
        text: The text of the script.
        session_lines: The lines that the user typed in the session and that the script contains.
        exact: Whether loading the script restores the same dictionary.
    """

    text: str
    session_lines: tuple[str, ...]
    exact: bool


def make_script(session: Session, path: Path) -> Script:
    """Return the script of a session.

    Args:
        session: The session.  Its VM runs the chosen lines as a test, and is then restored.
        path: The file in which the script will be stored.  If the game's script is below the
            file's folder, the script loads it by a relative path; otherwise a comment names the
            folder for --include.
    """
    exact_lines = next(
        (lines for lines in _selections(session) if _restores_dictionary(session, lines)), None
    )
    lines = session.defining_lines() if exact_lines is None else exact_lines
    session_lines = tuple(line.text for line in lines)
    body = "\n".join(text.strip("\n") for text in session_lines)
    text = f"{_header(session, path)}{body}\n"
    return Script(text, session_lines, exact=exact_lines is not None)


def _selections(session: Session) -> Iterator[list[Line]]:
    """Yield selections of lines to try, the shortest first.

    The first selection has the lines that define something.  The second also has the lines that put
    items on the stack for them.  The third has all lines.
    """
    yield session.defining_lines()
    selected: list[Line] = []
    is_needed = False
    for line in reversed(session.lines):
        is_needed = is_needed or line.defines
        if is_needed:
            selected.insert(0, line)
        if line.starts_with_empty_stack:
            is_needed = False
    yield selected
    yield session.lines


def _restores_dictionary(session: Session, lines: list[Line]) -> bool:
    """Whether running the lines makes the session's dictionary; the VM is restored afterwards."""
    vm = session.vm
    start, here = session.base_here(), vm.native.here()
    current = vm.snapshot()
    dictionary = current.read(start, here - start)
    try:
        result = session.run_on_initial_memory(lines)
        is_equal = vm.native.here() == here and result.read(start, here - start) == dictionary
    except ForthVMError:
        return False
    finally:
        vm.restore(current)
        session.load_position_memory()
    return is_equal


def _header(session: Session, path: Path) -> str:
    game = session.game
    if game is None:
        return "\\ Definitions of a session of forthvm repl.\n\n"
    header = f"\\ Definitions of a session of forthvm repl with {game.name}.\n\n"
    name, folder = game.path.name, path.absolute().parent
    if game.path.is_relative_to(folder):
        name = os.path.relpath(game.path, folder)
    elif find_bundled(os.fsencode(name)) != game.path or (folder / name).exists():
        header += f"\\ The game is elsewhere: use it with --include {game.path.parent}\n\n"
    if len(name.split()) > 1:
        return (
            f"{header}\\ LOAD this script in a session of the game: it does not load the game,\n"
            "\\ because the path has blanks, which LOAD cannot read.\n\n"
        )
    return f"{header}LOAD {name}\n\n"

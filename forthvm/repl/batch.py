"""A script from a pipe: obeyed like lines of a person, silent but for what it prints.

Owns the cut into commands and pieces of ForthScript.  Commands stand on lines of their own
where nothing is open; what lies between two of them is interpreted as one text, as a file
would be, so places in error messages are those of the pipe.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from forthvm.core.errors import ControlStructureError, ForthVMError, SectionError
from forthvm.repl import commands
from forthvm.repl.shell import LeaveError
from forthvm.syntax import read_structure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.repl.shell import Shell

__all__ = ["pieces", "run_script"]


def run_script(
    shell: Shell,
    text: str,
    name: str = "<stdin>",
    *,
    told: Callable[[str, ForthVMError], object],
) -> bool:
    """Obey a text until its end, or until it asks to leave.

    A command that fails leaves the session as it was, and the text goes on behind it.

    Args:
        shell: Who obeys.
        text: The text.
        name: What error messages call it.
        told: Gets the place and the error of each command that fails.

    Returns:
        Whether a command failed.

    Raises:
        ForthVMError: ForthScript in it failed; the rest was not looked at.
    """
    failed = False
    script = ""
    try:
        for number, piece in pieces(shell, text):
            is_command = shell.command_of(piece) is not None
            script = "" if is_command else piece
            try:
                shell.obey(piece, first_line=number, name=name)
            except ForthVMError as error:
                if not is_command:
                    raise
                failed = True
                told(f"{name}:{number}", error)
    except LeaveError:
        return failed
    _refuse_unfinished(shell, script)
    return failed


def pieces(shell: Shell, text: str) -> Iterator[tuple[int, str]]:
    """Commands and the texts between them, with the number of their first line.

    Whether a word of a command's name exists is asked when its line is reached.
    """
    lines = text.split("\n")
    candidates = [at for at, line in enumerate(lines) if _may_be_command(line)]
    opened = _opened(lines) if candidates else []
    begin = 0
    for at in candidates:
        if opened[at]:
            continue
        if any(line.strip() for line in lines[begin:at]):
            yield begin + 1, "\n".join([*lines[begin:at], ""])
            begin = at
        if shell.command_of(lines[at]) is not None:
            yield at + 1, lines[at]
            begin = at + 1
            if read_structure(lines[at]).opened:  # `help (`: what a command names opens nothing
                opened[begin:] = _opened(lines[begin:])
    if any(line.strip() for line in lines[begin:]):
        yield begin + 1, "\n".join(lines[begin:])


def _may_be_command(line: str) -> bool:
    word = line.split(None, 1)[:1]
    return bool(word) and commands.find(word[0].removeprefix("%")) is not None


def _opened(lines: list[str]) -> list[bool]:
    """For each line, whether something is open where it begins."""
    structure = dict(read_structure("\n".join(lines)).lines)
    starts = [0, *accumulate(len(line) + 1 for line in lines[:-1])]
    return [bool(structure.get(start)) for start in starts]


def _refuse_unfinished(shell: Shell, text: str) -> None:
    """The end of the text inside a definition or section is a mistake."""
    word = shell.session.compiling
    if word is not None:
        raise ControlStructureError(f"the definition of `{word}` is never finished by ;")
    opened = read_structure(text).opened
    if opened and opened[0].word.startswith("{"):
        section = opened[0].word
        raise SectionError(f"{section} is never closed by {section[1:]}}}")

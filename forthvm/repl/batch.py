"""Runs a script from a pipe like typed lines, and prints only the script's output.

Owns splitting the text into commands and ForthScript.  A command is a line outside of definitions
and sections.  The lines between two commands are interpreted as one text, so that error messages
have the line numbers of the pipe.
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

__all__ = ["run_script", "split_script"]


def run_script(
    shell: Shell,
    text: str,
    name: str = "<stdin>",
    *,
    on_failure: Callable[[str, ForthVMError], object],
) -> bool:
    """Run a text until it ends or a command leaves the REPL.

    A command that fails leaves the session unchanged, and the next line runs.

    Args:
        shell: Runs the lines.
        text: The text.
        name: Its name in error messages.
        on_failure: Called with the location and the error of each command that fails.

    Returns:
        Whether a command failed.

    Raises:
        ForthVMError: ForthScript in the text failed; the lines after it were not run.
    """
    failed = False
    script = ""
    try:
        for number, part in split_script(shell, text):
            is_command = shell.command_of(part) is not None
            script = "" if is_command else part
            try:
                shell.run(part, first_line=number, name=name)
            except ForthVMError as error:
                if not is_command:
                    raise
                failed = True
                on_failure(f"{name}:{number}", error)
    except LeaveError:
        return failed
    _refuse_unfinished(shell, script)
    return failed


def split_script(shell: Shell, text: str) -> Iterator[tuple[int, str]]:
    """Yield commands and the texts between them, with the number of their first line.

    A line that begins with the name of a command is ForthScript if a word of that name exists when
    the line is reached.
    """
    lines = text.split("\n")
    candidates = [at for at, line in enumerate(lines) if _may_be_command(line)]
    is_open = _open_lines(lines) if candidates else []
    begin = 0
    for at in candidates:
        if is_open[at]:
            continue
        if any(line.strip() for line in lines[begin:at]):
            yield begin + 1, "\n".join([*lines[begin:at], ""])
            begin = at
        if shell.command_of(lines[at]) is not None:
            yield at + 1, lines[at]
            begin = at + 1
            if read_structure(lines[at]).opened:  # such as `help (`, which opens no comment
                is_open[begin:] = _open_lines(lines[begin:])
    if any(line.strip() for line in lines[begin:]):
        yield begin + 1, "\n".join(lines[begin:])


def _may_be_command(line: str) -> bool:
    word = line.split(None, 1)[:1]
    return bool(word) and commands.find(word[0].removeprefix("%")) is not None


def _open_lines(lines: list[str]) -> list[bool]:
    """Return for each line whether a definition or section is open at its beginning."""
    structure = dict(read_structure("\n".join(lines)).lines)
    starts = [0, *accumulate(len(line) + 1 for line in lines[:-1])]
    return [bool(structure.get(start)) for start in starts]


def _refuse_unfinished(shell: Shell, text: str) -> None:
    """Raise an error if the text ends inside a definition or section."""
    word = shell.session.compiling
    if word is not None:
        raise ControlStructureError(f"the definition of `{word}` is never finished by ;")
    opened = read_structure(text).opened
    if opened and opened[0].word.startswith("{"):
        section = opened[0].word
        raise SectionError(f"{section} is never closed by {section[1:]}}}")

"""Runs a script from a pipe like typed lines, and prints only the script's output.

Owns splitting the text into commands of the REPL and Forth.  A command is a line outside of
definitions and sections.  The lines between two commands are interpreted as one text.
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

    from forthvm.core.standard.host import StandardHost
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
        name: The name of the text in error messages.
        on_failure: Called with the location and the error of each command that fails.

    Returns:
        Whether a command failed.

    Raises:
        ForthVMError: Forth in the text failed; the lines after it were not run.
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
    """Yield commands and the texts between them, each with the number of its first line.

    A line that begins with the name of a command is Forth if a word with this name exists when the
    line is reached.
    """
    if shell.session.vm.standard is not None:
        yield from _split_standard(shell, shell.session.vm.standard, text.split("\n"))
        return
    lines = text.split("\n")
    candidates = [at for at, line in enumerate(lines) if _may_be_command(line)]
    is_open = _open_lines(lines) if candidates else []
    start = 0
    for at in candidates:
        if is_open[at]:
            continue
        if any(line.strip() for line in lines[start:at]):
            yield start + 1, "\n".join([*lines[start:at], ""])
            start = at
        if shell.command_of(lines[at]) is not None:
            yield at + 1, lines[at]
            start = at + 1
            if read_structure(lines[at]).opened:  # the `(` of the command `help (` is no comment
                is_open[start:] = _open_lines(lines[start:])
    if any(line.strip() for line in lines[start:]):
        yield start + 1, "\n".join(lines[start:])


def _split_standard(
    shell: Shell, standard: StandardHost, lines: list[str]
) -> Iterator[tuple[int, str]]:
    """Yield the parts of a script in standard Forth, which may read lines of it as its input.

    Only the interpreter of standard Forth can find definitions and skipped text, so that each part
    must have run before the next one begins.  A part that ends between [IF] and [THEN] reads on.
    """
    end = 0  # of the lines that are in a part, or that the script has read

    def read_input() -> str | None:
        nonlocal end
        line = standard.take_line()
        if line is None and end < len(lines):
            line = lines[end]
            end += 1
        return line

    standard.read_input = read_input
    while end < len(lines):
        start = end
        end += 1
        is_command = shell.command_of(lines[start]) is not None
        while not is_command and end < len(lines) and not _may_be_command(lines[end]):
            end += 1
        continues_definition = shell.session.open_definition is not None
        yield start + 1, "\n".join([*lines[start:end], ""])
        if continues_definition and not is_command:
            shell.session.join_last_texts()


def _may_be_command(line: str) -> bool:
    word = line.split(None, 1)[:1]
    return bool(word) and commands.find(word[0].removeprefix("%")) is not None


def _open_lines(lines: list[str]) -> list[bool]:
    """Return for each line whether a definition or section is open at its beginning."""
    depths = {line.start: line.depth for line in read_structure("\n".join(lines)).lines}
    starts = [0, *accumulate(len(line) + 1 for line in lines[:-1])]
    return [depths.get(start, 0) > 0 for start in starts]


def _refuse_unfinished(shell: Shell, text: str) -> None:
    """Raise an error if the text ends inside a definition or section."""
    word = shell.session.open_definition
    if word == "]":
        raise ControlStructureError("`]` is never followed by `[`")
    if word is not None:
        raise ControlStructureError(f"the definition of `{word}` is never finished by ;")
    opened = read_structure(text).opened if shell.session.vm.standard is None else ()
    if opened and opened[0].word.startswith("{"):
        section = opened[0].word
        raise SectionError(f"{section} is never closed by {section[1:]}}}")

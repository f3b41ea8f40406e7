"""The error of an engine that is another program.

Owns the description of the program's failure.  It must not know processes.
"""

from __future__ import annotations

from forthvm.engines.errors import EngineError

__all__ = ["ProgramError", "shortened"]

_LINE = 200
_LINES = 10


class ProgramError(EngineError):
    """A program died, hung, or gave an unusable answer.

    The message is one line; `report()` adds the command line and the last lines sent and received.

    Attributes:
        program: Its name.
        command: Its command line.
        sent: The last lines that it was sent.
        received: The last lines that it wrote.
        errors: The end of its standard error.
        returncode: Its exit status, negative for a signal; None: it was still running, or was
            never started.
    """

    def __init__(  # noqa: PLR0913 - keyword-only fields, each of them documented
        self,
        problem: str,
        *,
        program: str,
        command: str,
        sent: tuple[str, ...] = (),
        received: tuple[str, ...] = (),
        errors: str = "",
        returncode: int | None = None,
    ) -> None:
        """`problem` follows the program's name in the message."""
        words = errors.rstrip().rpartition("\n")[2].strip()
        last = f"; its last words: {shortened(words)}" if words else ""
        after = f" after {shortened(sent[-1], 60)!r}" if sent else ""
        super().__init__(
            f"program {program!r} {problem}{after}{last}",
            hints=(
                f"command: {command}",
                *_listed("sent last", sent, "nothing"),
                *_listed("it said", received, "nothing"),
                *_listed("standard error", errors.splitlines()[-_LINES:], "empty"),
            ),
        )
        self.program = program
        self.command = command
        self.sent = sent
        self.received = received
        self.errors = errors
        self.returncode = returncode


def shortened(text: str, most: int = _LINE) -> str:
    """A text cut to fit into a line of a report; unprintable characters are escaped."""
    cut = text if len(text) <= most else f"{text[: most - 10]}...{text[-7:]}"
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in cut)


def _listed(what: str, lines: tuple[str, ...] | list[str], none: str) -> list[str]:
    if not lines:
        return [f"{what}: {none}"]
    if len(lines) == 1:
        return [f"{what}: {shortened(lines[0])}"]
    return [f"{what}:", *(f"  {shortened(line)}" for line in lines)]

"""The exception for a failure of an engine that is another program.

Owns the text of the exception.
"""

from __future__ import annotations

import re

from forthvm.engines.errors import EngineError

__all__ = ["ProgramError", "shortened"]

_MAX_LENGTH = 200
"""The maximum length of a quoted line in characters."""
_MAX_LINES = 10
"""The maximum number of quoted lines of standard error."""
_SIGNS = {
    "uci": re.compile("info depth |bestmove "),
    "xboard": re.compile(r"feature |Error \(unknown command\)"),
    "gtp": re.compile(r"\? unknown command"),
}
"""How lines begin that show a protocol.  USI, UCCI and UGI have the lines of UCI."""


class ProgramError(EngineError):
    """A program exited, hung, or sent an invalid answer.

    The message is one line; `report()` adds the command line and the last lines sent and received.

    Attributes:
        program: The name of the program.
        command: The command line of the program.
        sent: The last lines sent to the program.
        received: The last lines received from the program.
        errors: The end of the program's standard error.
        returncode: The exit status, negative for a signal; None if the program has not started or
            not ended.
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
        """Create an error; in the message, `problem` follows the name of the program."""
        last_line = errors.rstrip().rpartition("\n")[2].strip()
        last = f"; its last words: {shortened(last_line)}" if last_line else ""
        after = f" after {shortened(sent[-1], 60)!r}" if sent else ""
        super().__init__(
            f"program {program!r} {problem}{after}{last}",
            hints=(
                f"command: {command}",
                *_listed("sent last", sent, "nothing"),
                *_listed("received last", received, "nothing"),
                *_listed("standard error", errors.splitlines()[-_MAX_LINES:], "empty"),
            ),
        )
        self.program = program
        self.command = command
        self.sent = sent
        self.received = received
        self.errors = errors
        self.returncode = returncode

    def suggest_protocol(self, used: str) -> None:
        """Add a hint if the last lines of the program show another protocol than the one used."""
        for protocol, sign in _SIGNS.items():
            is_used = protocol == (used if used in _SIGNS else "uci")
            if not is_used and any(map(sign.match, self.received)):
                hint = f"the program seems to speak another protocol: use {protocol}:{self.program}"
                self.hints = (hint, *self.hints)


def shortened(text: str, max_length: int = _MAX_LENGTH) -> str:
    """Return a text cut to `max_length` characters, with unprintable characters escaped."""
    cut = text if len(text) <= max_length else f"{text[: max_length - 10]}...{text[-7:]}"
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in cut)


def _listed(label: str, lines: tuple[str, ...] | list[str], if_empty: str) -> list[str]:
    """Return the lines below a label; a single line, or `if_empty`, follows the label."""
    if not lines:
        return [f"{label}: {if_empty}"]
    if len(lines) == 1:
        return [f"{label}: {shortened(lines[0])}"]
    return [f"{label}:", *(f"  {shortened(line)}" for line in lines)]

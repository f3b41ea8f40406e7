"""Lines typed at the prompt of `forthvm run`, and the squares of the moves made."""

from __future__ import annotations

from collections.abc import Sequence

from forthvm.cli.play.line_input import Reader
from forthvm.game import Position

__all__ = ["LineReader", "squares"]


class LineReader(Reader):
    """A reader that returns the lines of a list, or raises its exceptions; then the input ends."""

    def __init__(self, *lines: str | BaseException) -> None:
        self.lines = list(lines)
        self.prompts: list[str] = []
        self.completions: list[list[str]] = []

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> str:
        self.prompts.append(prompt)
        self.completions.append(list(completions))
        if not self.lines:
            raise EOFError
        line = self.lines.pop(0)
        if isinstance(line, BaseException):
            raise line
        return line


def squares(position: Position) -> list[str]:
    return [played.text.split()[-1] for played in position.history]

"""Lines typed at the prompt of `forthvm run`, and the squares of the moves made."""

from __future__ import annotations

from collections.abc import Sequence

from forthvm.cli.play.line_input import Reader
from forthvm.game import Position

__all__ = ["Lines", "squares"]


class Lines(Reader):
    """Returns lines from a list; then the input ends."""

    def __init__(self, *answers: str | BaseException) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []
        self.completions: list[list[str]] = []

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> str:
        self.prompts.append(prompt)
        self.completions.append(list(completions))
        if not self.answers:
            raise EOFError
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer


def squares(position: Position) -> list[str]:
    return [played.text.split()[-1] for played in position.history]

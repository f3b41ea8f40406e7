"""Engines as people write them, good and bad, for the tests to name by module."""

from __future__ import annotations

import random

from forthvm.engines import Engine, Limits, Reporter, SearchResult
from forthvm.engines.options import integer, parse_options
from forthvm.game import Move, Position


class Last:
    """Plays the last move; answers with a Move."""

    def __init__(self, offset: object = 0) -> None:
        self.offset = int(str(offset))

    def play(self, position: Position, limits: Limits | None) -> Move:
        return position.legal_moves[-1 - self.offset]


class Texts:
    """Takes no limits; answers with a text."""

    name = "texts"

    def play(self, position: Position) -> str:
        return str(position.legal_moves[1])


class Illegal:
    """Answers with something that is no move."""

    def play(self, position: Position, limits: Limits | None) -> str:
        return "resign"


class Elsewhere:
    """Answers with a move that was legal before somebody moved."""

    def play(self, position: Position, limits: Limits | None) -> SearchResult:
        move = position.legal_moves[0]
        position.push(move)
        return SearchResult(move=position.legal_moves[0])


class Broken:
    """Fails."""

    def play(self, position: Position, limits: Limits | None) -> Move:
        raise ZeroDivisionError("in an evaluator")


class Untidy:
    """Pushes moves and forgets to take them back."""

    def play(self, position: Position, limits: Limits | None) -> Move:
        move = position.legal_moves[0]
        position.push(move)
        return move


FINISHED = Last()
NOT_AN_ENGINE = 7


class Answers(Engine):
    """A proper engine by its class, whose answers are whatever it was told."""

    name = "answers"

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        if isinstance(self.answer, Exception):
            raise self.answer
        if isinstance(self.answer, dict):
            return SearchResult(**{"move": position.legal_moves[0], **self.answer})
        return self.answer  # type: ignore[return-value]  # that is the point


class Nothing(Answers):
    """Forgets to answer; can be named on a command line."""

    def __init__(self) -> None:
        super().__init__(None)


class Drawn:
    """Draws a move by a seed of its own."""

    def __init__(self, seed: int | str | None = None, skip: object = 0) -> None:
        self.random = random.Random(None if seed is None else int(seed))

    def play(self, position: Position) -> Move:
        return self.random.choice(list(position.legal_moves))


class DrawnByOptions(Drawn):
    """The same, its options read as docs/guides/engines-in-python.md shows."""

    def __init__(self, **options: object) -> None:
        super().__init__(parse_options("drawn", options, {"seed": integer(0)}).get("seed"))


class Seedless(Drawn):
    """Takes options, but no seed."""

    def __init__(self, **options: object) -> None:
        parse_options("seedless", options, {"depth": integer(1)})
        super().__init__(5)

"""Correct and incorrect engines of other authors, which tests select as `module:Class`."""

from __future__ import annotations

import random

from forthvm.engines import Engine, Info, Limits, Reporter, Resignation, SearchResult
from forthvm.engines.options import integer, parse_options
from forthvm.game import Move, Position


class Last:
    """Plays the last move; returns a Move."""

    def __init__(self, offset: object = 0) -> None:
        self.offset = int(str(offset))

    def play(self, position: Position, limits: Limits | None) -> Move:
        return position.legal_moves[-1 - self.offset]


class ReturnsText:
    """Returns a move text; its `play` has no parameter `limits`."""

    name = "texts"

    def play(self, position: Position) -> str:
        return str(position.legal_moves[1])


class ReturnsIllegalText:
    """Returns a text that is not a move."""

    def play(self, position: Position, limits: Limits | None) -> str:
        return "resign"


class ReturnsForeignMove:
    """Returns a move of another position."""

    def play(self, position: Position, limits: Limits | None) -> SearchResult:
        move = position.legal_moves[0]
        position.push(move)
        return SearchResult(move=position.legal_moves[0])


class Raises:
    """Raises ZeroDivisionError."""

    def play(self, position: Position, limits: Limits | None) -> Move:
        raise ZeroDivisionError("in an evaluator")


class Resigns:
    """Resigns at its first move."""

    def play(self, position: Position, limits: Limits | None) -> Move:
        raise Resignation("enough")


class LeavesMovePushed:
    """Pushes a move without taking it back."""

    def play(self, position: Position, limits: Limits | None) -> Move:
        move = position.legal_moves[0]
        position.push(move)
        return move


ENGINE_OBJECT = Last()
"""An engine in place of a class of engines."""
NOT_AN_ENGINE = 7


class ReturnsValue(Engine):
    """An engine that returns a given value, or raises it if it is an exception."""

    name = "answers"

    def __init__(self, value: object) -> None:
        self.value = value

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        if isinstance(self.value, Exception):
            raise self.value
        if isinstance(self.value, dict):
            return SearchResult(**{"move": position.legal_moves[0], **self.value})
        return self.value  # type: ignore[return-value]  # invalid on purpose


class Reports(Engine):
    """Reports an Info with given fields, and plays the first move."""

    name = "Reports"

    def __init__(self, fields: dict[str, object]) -> None:
        self.fields = fields

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        if report is not None:
            report(Info(**self.fields))  # type: ignore[arg-type]  # some are invalid on purpose
        return SearchResult(move=position.legal_moves[0])


class ReturnsNone(ReturnsValue):
    """Returns None; a specification can select it, because it has no parameters."""

    def __init__(self) -> None:
        super().__init__(None)


class RandomMoves:
    """Plays random moves with its own seed."""

    def __init__(self, seed: int | str | None = None, skip: object = 0) -> None:
        self.random = random.Random(None if seed is None else int(seed))

    def play(self, position: Position) -> Move:
        return self.random.choice(list(position.legal_moves))


class RandomMovesByOptions(RandomMoves):
    """Plays random moves; the options are parsed as in docs/guides/engines-in-python.md."""

    def __init__(self, **options: object) -> None:
        super().__init__(parse_options("drawn", options, {"seed": integer(0)}).get("seed"))


class Seedless(RandomMoves):
    """Accepts options, but no seed."""

    def __init__(self, **options: object) -> None:
        parse_options("seedless", options, {"depth": integer(1)})
        super().__init__(5)

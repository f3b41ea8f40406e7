"""Engines as people write them, good and bad, for the tests to name by module."""

from __future__ import annotations

from forthvm.engines import Limits, SearchResult
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

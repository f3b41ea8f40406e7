"""The lines that an engine finds in a position, with a score for each player.

Owns the choice of the engine, the meaning of its reports, and their form for front ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.game.outcome import plies_to_end
from forthvm.render.short_texts import short_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.engines import Info
    from forthvm.game import Game, Position

__all__ = ["Line", "Lines", "can_be_analysed", "engine_for"]

SHOWN_MOVES = 12
"""The number of moves of a line that have short texts; the page shows no others."""
LINES = 3
"""The number of lines that are shown."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A principal variation.

    Attributes:
        scores: The score of each player who can win, as far as the engine knows it.
        moves: The texts of the moves.
        short: Their short texts, as far as they differ; set by `Lines.shorten`.
    """

    scores: Mapping[str, float]
    moves: tuple[str, ...]
    short: list[str] = field(default_factory=list)


def engine_for(game: Game) -> str:
    """Return the specification of the engine that analyses a game.

    With more than two players, an engine is needed that has a score for each of them.
    """
    name = "maxn" if len(game.contestants) > 2 else "negamax"
    return f"{name}:lines={LINES},tt=64"


def can_be_analysed(position: Position) -> bool:
    """Whether a player has a move to choose."""
    return position.result is None and not position.is_stuck and not position.is_chance


class Lines:
    """The lines of one position, from the reports of one search after another.

    Attributes:
        depth: The depth in plies to which the lines were searched.
        nodes: The number of positions that the search had visited then.
        seconds: The duration of that search until then.
    """

    def __init__(self, game: Game, mover: str) -> None:
        """Begin without lines; `mover` is the player to move."""
        self._game = game
        self._mover = mover
        self._lines: dict[int, Line] = {}
        self.depth = self.nodes = 0
        self.seconds = 0.0

    def add(self, info: Info) -> bool:
        """Add a report; return False if it has no line, or an earlier search was deeper."""
        depth = info.depth or 0
        if info.line is None or not info.pv or depth < self.depth:
            return False
        self.depth, self.nodes, self.seconds = depth, info.nodes or 0, info.time or 0.0
        self._lines[info.line] = Line(scores=self._scores(info), moves=info.pv)
        return True

    def shorten(self, position: Position) -> None:
        """Find the short texts of the moves that are shown, from the position of the lines."""
        for line in self._lines.values():
            if not line.short:
                line.short[:] = short_line(position, line.moves[:SHOWN_MOVES])

    def moves(self, rank: int, count: int) -> tuple[str, ...]:
        """Return the first moves of a line; () if there is no such line."""
        line = self._lines.get(rank)
        return line.moves[:count] if line else ()

    def as_json(self) -> dict[str, object]:
        """Return the lines, the best first, as JSON."""
        return {
            "depth": self.depth,
            "nodes": self.nodes,
            "speed": round(self.nodes / self.seconds) if self.seconds else 0,
            "lines": [self._line_json(line) for _, line in sorted(self._lines.items())],
        }

    def _scores(self, info: Info) -> Mapping[str, float]:
        if info.scores is not None:
            return info.scores
        if info.score is None:
            return {}
        others = [name for name in self._game.contestants if name != self._mover]
        scores = {self._mover: info.score}
        if len(others) == 1:  # the score of one player is the negative of the other's
            scores[others[0]] = -info.score
        return {name: scores[name] for name in self._game.contestants if name in scores}

    def _line_json(self, line: Line) -> dict[str, object]:
        return {
            "scores": [
                {"player": visible(name), "score": score, "decided": _decided(score)}
                for name, score in line.scores.items()
            ],
            "moves": [visible(text) for text in line.moves],
            "short": line.short,
            "squares": [visible(square) for square in self._squares(line.moves[0])],
        }

    def _squares(self, text: str) -> tuple[str, ...]:
        """Return the squares of the first part of a move that names squares."""
        return next((part.squares for part in self._game._loaded.parse(text) if part.squares), ())


def _decided(score: float) -> int | None:
    """Return the number of plies to a certain win, negative for a loss; None if not certain."""
    plies = plies_to_end(score)
    return plies if plies is None or score > 0 else -plies

"""Failures of engines: which entrant's engine ended a game, and which engines fail in most games.

Owns the reading of `GameRow.reason` for this purpose.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.autoplay.results.store import GameRow

__all__ = ["FailingEntrant", "FailureCounter", "has_forfeited"]

_OUT_OF_TIME = "out of time: "
"""The beginning of the text of a forfeit on time, which is not an error of the engine."""


@dataclass(frozen=True, kw_only=True)
class FailingEntrant:
    """An entrant whose engine failed with an error in more than half of its games.

    Attributes:
        name: The entrant.
        games: Number of its games, including void games.
        failed: Number of games that ended because its engine failed.
        error: The most frequent error.
    """

    name: str
    games: int
    failed: int
    error: str


class FailureCounter:
    """Counts the games in which engines fail."""

    def __init__(self) -> None:
        self._games: Counter[str] = Counter()
        self._errors: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def add(self, row: GameRow) -> None:
        """Count a game, which may be void."""
        self._games.update(set(row.seats.values()))
        for player, entrant in row.seats.items():
            for kind in ("forfeit", "void"):
                prefix = _prefix(row, player, kind)
                error = row.reason.removeprefix(prefix)
                if error != row.reason and not error.startswith(_OUT_OF_TIME):
                    self._errors[entrant][error] += 1

    @property
    def failing(self) -> tuple[FailingEntrant, ...]:
        """The entrants whose engines failed in more than half of their games."""
        return tuple(
            FailingEntrant(
                name=name,
                games=self._games[name],
                failed=errors.total(),
                error=errors.most_common(1)[0][0],
            )
            for name, errors in self._errors.items()
            if 2 * errors.total() > self._games[name]
        )


def has_forfeited(row: GameRow, player: str) -> bool:
    """Whether a player lost a game by forfeit."""
    return row.reason.startswith(_prefix(row, player, "forfeit"))


def _prefix(row: GameRow, player: str, kind: str) -> str:
    """Return the beginning of the reason that game.py writes if the player's engine fails."""
    return f"{kind}: {row.seats[player]} ({player}): "

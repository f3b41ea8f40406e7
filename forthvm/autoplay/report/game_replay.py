"""Recorded games as what a page needs to step through them: changes by ply.

Owns the replay of rows and the shape of that data.  It must not know pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from forthvm.autoplay.match.openings import starts_from_json
from forthvm.autoplay.match.settings import MatchError, Settings
from forthvm.autoplay.match.table import Disagreement, Start, Table
from forthvm.autoplay.results.foreign_code import refuse_changed_scripts
from forthvm.core.errors import ForthVMError
from forthvm.render.steps import Film

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.autoplay.results.store import GameRow
    from forthvm.game import Game
    from forthvm.render.steps import Step

__all__ = ["Recorder"]

_T = TypeVar("_T")


class Recorder:
    """Plays games of a match again and notes what changes.

    Numbers in the data are places in its lists, which hold each name, text and picture once.
    """

    def __init__(self, match: Mapping[str, object], *, trust: bool = False) -> None:
        """Loads what was played.

        Args:
            match: The table `match` of a file of results.
            trust: Load scripts that are not known to be those of the match.

        Raises:
            UntrustedError: there are such scripts, and `trust` is not given.
            MatchError: the rows do not describe a match.
            ForthVMError: its game cannot be loaded any more.
        """
        settings = Settings.from_match(match)
        if not trust:
            refuse_changed_scripts(settings, match)
        self._table = Table(settings)
        self._starts = tuple(starts_from_json(match.get("openings"))) or (Start(),)
        try:
            self.film = Film(self._table.begin(0).main)
        except Disagreement as error:
            raise MatchError(f"the game does not begin: {error}") from error
        self._texts: dict[str, int] = {}
        self._notes: dict[str, int] = {}
        self._players: dict[str, int] = {}
        self._boards: dict[tuple[int, ...], int] = {}
        self._games: list[dict[str, object]] = []

    @property
    def game(self) -> Game:
        """The game that is drawn, of two configurations the first."""
        return self._table.games[0]

    def add(self, row: GameRow) -> None:
        """Plays a game again; one that goes on otherwise than recorded ends there, and says so."""
        self.film.rewind()
        plies: list[list[int]] = []
        broken = ""
        board: list[int] = []
        note = _place(self._notes, "")
        try:
            start = self._starts[(row.pair - 1) % len(self._starts)]
            position = self._table.begin(row.seed, Start((), start.setup))
            first = self.film.look(position.main)
            board, note = _flat(first), _place(self._notes, first.note)
            for player, text in row.moves:
                position.push_known(player, text)
                plies.append(self._ply(player, text, self.film.look(position.main)))
        except (Disagreement, ForthVMError, ValueError) as error:
            broken = f"ply {len(plies) + 1} cannot be made again: {error}"
        self._games.append(
            {
                "id": row.id,
                "seats": list(row.seats.items()),
                "scores": [row.outcome.get(player) for player in row.seats],
                "end": row.reason,
                "faults": list(row.faults),
                "opening": len(row.opening),
                "board": _place(self._boards, tuple(board)),
                "note": note,
                "plies": plies,
                "broken": broken,
            }
        )

    def _ply(self, player: str, text: str, step: Step) -> list[int]:
        heads = (
            _place(self._players, player),
            _place(self._texts, text),
            _place(self._notes, step.note),
        )
        return [*heads, *_flat(step)]

    def data(self) -> dict[str, object]:
        """All that was added; plain lists, numbers and texts.

        - `places`: names; `corners`: where each is drawn, null if nowhere;
        - `shapes`: label, size of its letters, fill, ink, title;
        - `boards`: places and shapes in turns, of a whole position;
        - `games`: `plies` have player, text and note, then places and shapes that changed; -1
          is an empty place.
        """
        return {
            "places": list(self.film.places),
            "corners": self.film.corners(),
            "shapes": [
                [shape.label, shape.size, shape.fill, shape.ink, shape.title]
                for shape in self.film.shapes
            ],
            "texts": list(self._texts),
            "notes": list(self._notes),
            "players": list(self._players),
            "boards": list(self._boards),
            "games": self._games,
        }


def _place(known: dict[_T, int], value: _T) -> int:
    return known.setdefault(value, len(known))


def _flat(step: Step) -> list[int]:
    return [number for change in step.changes for number in change]

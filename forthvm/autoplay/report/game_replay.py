"""Recorded games as data for the script of a report page: the changes of the board in each ply.

Owns the replay of recorded games and the format of the data.  It must not know pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from forthvm.autoplay.match.openings import starts_from_json
from forthvm.autoplay.match.running_game import Disagreement, LoadedMatch, Start
from forthvm.autoplay.match.settings import MatchError, Settings
from forthvm.autoplay.results.foreign_code import refuse_changed_scripts
from forthvm.core.errors import ForthVMError
from forthvm.render.steps import Animation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.autoplay.results.store import GameRow
    from forthvm.game import Game
    from forthvm.render.steps import Step

__all__ = ["Recorder"]

_T = TypeVar("_T")


class Recorder:
    """Replays games of a match and records the changes of the board in each ply.

    The animation (forthvm/render/steps.py) lists the shapes of pieces, and the changes at each ply.
    """

    def __init__(self, match: Mapping[str, object], *, trust: bool = False) -> None:
        """Load the game of the match.

        Args:
            match: The table `match` of a results file.
            trust: Whether to load scripts that have changed, or have no digest in the file.

        Raises:
            UntrustedError: A script has changed or has no digest, and `trust` is False.
            MatchError: The table does not describe a match.
            ForthVMError: The game cannot be loaded.
        """
        settings = Settings.from_match(match)
        if not trust:
            refuse_changed_scripts(settings, match)
        self._loaded_match = LoadedMatch(settings)
        self._starts = tuple(starts_from_json(match.get("openings"))) or (Start(),)
        try:
            self.animation = Animation(self._loaded_match.begin(0).first_position)
        except Disagreement as error:
            raise MatchError(f"the game does not begin: {error}") from error
        self._texts: dict[str, int] = {}
        self._notes: dict[str, int] = {}
        self._players: dict[str, int] = {}
        self._boards: dict[tuple[int, ...], int] = {}
        self._games: list[dict[str, object]] = []

    @property
    def game(self) -> Game:
        """The game of the first configuration, which is drawn."""
        return self._loaded_match.games[0]

    def add(self, row: GameRow) -> None:
        """Replay a game, up to the first move that cannot be made as recorded."""
        self.animation.rewind()
        plies: list[list[int]] = []
        problem = ""
        first_board: list[int] = []
        note = _index(self._notes, "")
        try:
            start = self._starts[(row.pair - 1) % len(self._starts)]
            running_game = self._loaded_match.begin(row.seed, Start((), start.setup))
            first = self.animation.step(running_game.first_position)
            first_board, note = _flat(first), _index(self._notes, first.note)
            for player, text in row.moves:
                running_game.push_recorded(player, text)
                plies.append(
                    self._ply(player, text, self.animation.step(running_game.first_position))
                )
        except (Disagreement, ForthVMError, ValueError) as error:
            problem = f"ply {len(plies) + 1} cannot be replayed: {error}"
        self._games.append(
            {
                "id": row.id,
                "seats": list(row.seats.items()),
                "scores": [row.outcome.get(player) for player in row.seats],
                "end": row.reason,
                "faults": list(row.faults),
                "opening": len(row.opening),
                "board": _index(self._boards, tuple(first_board)),
                "note": note,
                "plies": plies,
                "broken": problem,
            }
        )

    def _ply(self, player: str, text: str, step: Step) -> list[int]:
        indices = (
            _index(self._players, player),
            _index(self._texts, text),
            _index(self._notes, step.note),
        )
        return [*indices, *_flat(step)]

    def data(self) -> dict[str, object]:
        """Return all games added so far as a JSON value.

        - `places`: names of board positions;
        - `corners`: the coordinates of each board position, null if it is not drawn;
        - `shapes`: label, font size, fill colour, text colour, title of each shape;
        - `texts`, `notes`, `players`: the texts of moves, the notes beside boards, and the names;
        - `boards`: complete boards, in which board positions and their shapes alternate;
        - `games`: each entry of `plies` has player, text and note, followed by each board position
          that changed and its new shape; -1 for empty.

        `boards` and `games` contain indices into the other lists.
        """
        return {
            "places": list(self.animation.names),
            "corners": self.animation.corners(),
            "shapes": [
                [shape.label, shape.size, shape.fill, shape.ink, shape.title]
                for shape in self.animation.shapes
            ],
            "texts": list(self._texts),
            "notes": list(self._notes),
            "players": list(self._players),
            "boards": list(self._boards),
            "games": self._games,
        }


def _index(indices: dict[_T, int], value: _T) -> int:
    """Return the index of a value, which is added if it is new."""
    return indices.setdefault(value, len(indices))


def _flat(step: Step) -> list[int]:
    """Return the changes of a step as a list in which board positions and shapes alternate."""
    return [number for change in step.changes for number in change]

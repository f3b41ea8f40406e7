"""Recorded games of a match, made again.

Owns the load of the match's game and the moves of its recorded games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.autoplay.match.openings import ListedOpenings
from forthvm.autoplay.match.running_game import Disagreement, LoadedMatch, Start
from forthvm.autoplay.match.settings import MatchError, Settings
from forthvm.autoplay.results.foreign_code import refuse_changed_scripts
from forthvm.core.errors import ForthVMError
from forthvm.render import scene

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from forthvm.autoplay.results.store import GameRow
    from forthvm.game import Game
    from forthvm.render.scene_types import Scene

__all__ = ["ReplayError", "Replays"]


class ReplayError(Exception):
    """A recorded move cannot be made; the text says which one and why."""


class Replays:
    """Makes the moves of recorded games of a match."""

    def __init__(self, match: Mapping[str, object], *, trust: bool = False) -> None:
        """Load the game of the match.

        Args:
            match: The table `match` of a results file.
            trust: Whether to load scripts that have changed, or have no digest in the file.

        Raises:
            UntrustedError: A script has changed or has no digest, and `trust` is False.
            MatchError: The table does not describe a match, or its game does not begin.
            ForthVMError: The game cannot be loaded.
        """
        settings = Settings.from_match(match)
        if not trust:
            refuse_changed_scripts(settings, match)
        self._loaded_match = LoadedMatch(settings)
        self._openings = ListedOpenings.of_match(match)
        try:
            self.first_scene = scene(self._loaded_match.begin(0).first_position)
        except Disagreement as error:
            raise MatchError(f"the game does not begin: {error}") from error

    @property
    def game(self) -> Game:
        """The game of the first configuration, which is drawn."""
        return self._loaded_match.games[0]

    def scenes(self, row: GameRow) -> Iterator[Scene]:
        """Yield the scenes of a recorded game: at the start, and after each ply.

        Raises:
            ReplayError: A move cannot be made as recorded.
        """
        ply = 0
        start = self._openings.of_pair(row.pair)
        try:
            running_game = self._loaded_match.begin(row.seed, Start((), start.setup))
            yield scene(running_game.first_position, effects=False)
            for ply, (player, text) in enumerate(row.moves, start=1):  # noqa: B007 - used below
                running_game.push_recorded(player, text)
                yield scene(running_game.first_position, effects=False)
        except (Disagreement, ForthVMError, ValueError) as error:
            raise ReplayError(f"ply {max(ply, 1)} cannot be replayed: {error}") from error

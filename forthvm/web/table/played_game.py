"""A game that is being played: its moves, clocks and end.

Owns what happens to the game.
"""

from __future__ import annotations

import secrets
import time
from operator import ne
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.web.table.clocks import Clocks
from forthvm.web.table.endings import TIME, ending_after
from forthvm.web.table.variations import Variations

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from forthvm.game import Game, Move, Position
    from forthvm.web.table.clocks import TimeControl
    from forthvm.web.table.endings import Ending

__all__ = ["PlayedGame", "alternating_players", "players_of", "with_random_dice"]


def players_of(game: Game) -> list[str]:
    """Return the players that choose moves, in the order of their turns."""
    chance = {player.name for player in game.player_details if player.chance}
    names = dict.fromkeys(turn.player for turn in game.turn_order)
    return [name for name in names if name not in chance]


def alternating_players(game: Game) -> list[str]:
    """Return the two players whose turns alternate, the first one first; [] in other games."""
    players, repeat = players_of(game), game.turn_repeat
    movers = [turn.player for turn in game.turn_order if turn.player in players]
    again = [turn.player for turn in game.turn_order[repeat:] if turn.player in players]
    alternates = len(players) == 2 and all(map(ne, movers, [*movers[1:], *again[:1]]))
    return players if alternates else []


def with_random_dice(position: Position) -> Position:
    """Give the dice of a new game a random seed, unless the user has chosen one."""
    if position.game._loaded.options.seed is None:
        position.seed(secrets.randbits(31))
    return position


class PlayedGame:
    """A game with its moves.

    Attributes:
        game: The game.
        tree: The moves of the game, with variations.
        clocks: The time of the players; None without clocks.
        departed: The reason for which each player has left the game before its end: RESIGNED or
            TIME.
        ending: The end of the game by resignation, time or agreement; None without such an end.
        now: Returns the time in seconds.
    """

    def __init__(self, game: Game, position: Position | None = None) -> None:
        """Begin a game, or continue from a position."""
        self.game = game
        self.tree = Variations(with_random_dice(game.start()) if position is None else position)
        self.clocks: Clocks | None = None
        self.departed: dict[str, str] = {}
        self.ending: Ending | None = None
        self.now = time.monotonic

    @property
    def position(self) -> Position:
        """The position of the game."""
        return self.tree.position

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or otherwise."""
        return self.ending is not None or self.position.result is not None

    def advance(self) -> bool:
        """Make a move of chance or the pass of a player without moves; return False without one."""
        if self.is_over:
            return False
        if self.position.is_stuck:
            self.make(None)
            return True
        if self.position.is_chance:
            from forthvm import engines

            self.make(engines.choose_move(engines.get("chance"), self.position).move)
            return True
        return False

    def make(self, move: Move | None) -> None:
        """Make a legal move, or the pass of a player without moves (None).

        Raises:
            ForthVMError: The script fails in the new position; the move is not made, since the game
                could not continue there.
        """
        player = self.position.turn
        self.tree.play(move)
        try:
            is_over = self.is_over
        except ForthVMError:
            self.tree.take_out()
            raise
        self.changed(turn_ended=self.position.turn != player or is_over)

    def take_back(self, players: Collection[str]) -> None:
        """Go back to the beginning of the last turn that one of the players has begun.

        If none of them has begun a turn, take back one move.
        """
        movers = [entry.player for node in self.tree.played.line() if (entry := node.entry)]
        turns = (
            at
            for at in range(len(movers) - 1, -1, -1)
            if movers[at] in players and (not at or movers[at - 1] != movers[at])
        )
        for _ in range(len(movers) - next(turns, len(movers) - 1)):
            self.go(self.tree.back)

    def go(self, change: Callable[[], None]) -> None:
        """Go to another node of the tree by `change`; an ended game continues there."""
        change()
        self.ending = None
        self.departed.clear()
        self.changed()

    def check_clock(self) -> bool:
        """Remove a player without time from the game; return False if all have time."""
        player = self.clocks.expired(self.now()) if self.clocks else None
        if player is not None:
            self.leave(player, TIME)
        return player is not None

    def leave(self, player: str, reason: str) -> None:
        """Remove a player from the game, which continues if at least two can still win."""
        self.departed[player] = reason
        ending = ending_after(self.departed, self.game.contestants)
        if ending is not None:
            self.end(ending)
        else:
            self.changed()

    def end(self, ending: Ending) -> None:
        """End the game by resignation, time or agreement."""
        self.ending = ending
        self.changed()

    def restart(self, control: TimeControl | None = None) -> None:
        """Begin a new game.

        Args:
            control: The time of each player; None for a game without clocks.
        """
        self.tree = Variations(with_random_dice(self.game.start())).after(self.tree)
        self.clocks = None if control is None else Clocks(control, players_of(self.game))
        self.ending = None
        self.departed.clear()
        self.changed()

    def changed(self, *, turn_ended: bool = False) -> None:
        """Start the clock of the player to move; before the first move of a game, no clock runs.

        Args:
            turn_ended: Whether a move has ended the turn of the player whose clock ran.
        """
        if self.clocks is not None:
            turn = self.position.turn
            stands = self.is_over or turn in self.departed or self.tree.played.parent is None
            self.clocks.run(None if stands else turn, self.now(), turn_ended=turn_ended)

"""Games of self-play: their moves, chosen by the visits of a search, and their records.

Searches and the arrays of evaluations are in selfplay.py.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings import Tree
from forthvm.game.notation import HOST_PASS

if TYPE_CHECKING:
    from forthvm.core.bindings import Snapshot
    from forthvm.game import Outcome, Position

__all__ = ["GameSettings", "PlayedGame", "RunningGame"]


@dataclass(frozen=True)
class PlayedGame:
    """A finished self-play game.

    Attributes:
        number: The number of the game, from 0.
        seed: The seed of the random streams of the first position.
        start: The index of the first position in `SelfPlay.starts`; 0 if `starts` is empty.
        moves: For each move, including moves of chance players, its index in the list of legal
            moves; -1 for a forced pass.
        movers: For each move, the number of the player who made it, from 1.
        boards: For each move, the board before it.
        visits: For each move, the number of visits of each legal move in the search; empty for
            chance players and passes.
        actions: For each move, the numbers in `game.actions` of the legal moves in that order, -1
            for a move without a number; empty where `visits` is empty, or if `space` was given.
        outcome: The outcome; None if the game reached `max_plies`.
    """

    number: int
    seed: int
    start: int
    moves: tuple[int, ...]
    movers: tuple[int, ...]
    boards: tuple[tuple[int, ...], ...]
    visits: tuple[tuple[int, ...], ...]
    actions: tuple[tuple[int, ...], ...]
    outcome: Outcome | None


@dataclass(frozen=True)
class GameSettings:
    """Settings of games.

    Attributes:
        playouts: Number of visits of the root that each move needs.
        sampled_plies: Number of plies, from the start of the game, in which moves are drawn.
        max_plies: Maximum length of a game.
        most_nodes: Maximum number of nodes of each tree.
        numbered: Whether records of games contain the numbers of actions.
    """

    playouts: int
    sampled_plies: int
    max_plies: int
    most_nodes: int
    numbered: bool


class RunningGame:
    """A game in progress.

    Attributes:
        position: The current position.
        tree: The tree of its search.
        searching: Whether the search needs more leaves.
    """

    def __init__(  # noqa: PLR0913 - keyword-only arguments, each of them documented
        self,
        settings: GameSettings,
        position: Position,
        *,
        number: int,
        start: int,
        seed: int,
        choices: random.Random,
    ) -> None:
        """Begin a game.

        Args:
            settings: Settings of all games.
            position: The first position; moves change this object.
            number: The number of the game.
            start: The index of the first position.
            seed: The seed of the position's random streams, which are seeded here.
            choices: Makes the random choices.
        """
        position.seed(seed)
        self.position = position
        self.number = number
        self.start = start
        self.seed = seed
        self.tree = Tree(settings.most_nodes)
        self.searching = False
        self._settings = settings
        self._random = choices
        self._moves: list[int] = []
        self._movers: list[int] = []
        self._boards: list[tuple[int, ...]] = []
        self._visits: list[tuple[int, ...]] = []
        self._actions: list[tuple[int, ...]] = []

    def advance(self) -> Snapshot | None:
        """Make moves until the next move needs more search.

        Returns:
            Memory of the position, with its list of moves; None if the game is over.
        """
        position = self.position
        while position.result is None and len(self._moves) < self._settings.max_plies:
            if position.is_stuck:
                self._make_move(HOST_PASS, ())
            elif position.is_chance:
                self._make_move(self._random.randrange(len(position.legal_moves)), ())
            else:
                root = self.tree.read(0, 1)[0]
                if root.visits < self._settings.playouts:
                    with position._in_memory() as native:
                        return native.snapshot_take()
                children = self.tree.read(root.first, root.count)
                visits = tuple(child.visits for child in children)
                priors = tuple(child.prior for child in children)
                self._make_move(self._choose(visits, priors), visits)
        return None

    def record(self) -> PlayedGame:
        """Return the game, which is over."""
        return PlayedGame(
            self.number,
            self.seed,
            self.start,
            tuple(self._moves),
            tuple(self._movers),
            tuple(self._boards),
            tuple(self._visits),
            tuple(self._actions),
            self.position.result,
        )

    def _choose(self, visits: tuple[int, ...], priors: tuple[float, ...]) -> int:
        """Return the index of the move to play, given the visits and priors of all moves."""
        if len(self._moves) < self._settings.sampled_plies:
            weights = visits if any(visits) else priors if any(priors) else None
            return self._random.choices(range(len(visits)), weights)[0]
        return max(range(len(visits)), key=lambda at: (visits[at], priors[at]))

    def _make_move(self, index: int, visits: tuple[int, ...]) -> None:
        """Record and make a move, and clear the tree."""
        position = self.position
        self._boards.append(position.cells)
        self._movers.append(position.player_index + 1)
        self._moves.append(index)
        self._visits.append(visits)
        numbered = visits and self._settings.numbered
        self._actions.append(tuple(position.legal_moves.actions) if numbered else ())
        if index == HOST_PASS:
            position.push_pass()
        else:
            position.push(position.legal_moves[index])
        self.tree.clear()

"""Self-play: many games by tree search, whose leaves the caller evaluates together.

Owns the procedure of self-play, and the division of the games among threads.  A *prior* is the
probability that the caller assigns to a move before the search.
"""

from __future__ import annotations

import os
import random
from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from forthvm.core.arguments import read_arguments
from forthvm.core.bindings import LeafRows, TreeOptions
from forthvm.core.bindings.layout import CELL
from forthvm.core.reading import integer, list_of, number, optional
from forthvm.engines.errors import EngineError, EngineOptionError
from forthvm.engines.position_arrays import MAX_PLIES, REWARDS_PER_ROW
from forthvm.engines.selfplay_arrays import EvaluationRows, cells_buffer
from forthvm.engines.selfplay_games import GameSettings, PlayedGame, RunningGame
from forthvm.game.loading import opened
from forthvm.game.position import check_position

if TYPE_CHECKING:
    from forthvm.core.bindings import ActionFinder
    from forthvm.engines.selfplay_arrays import Numbers
    from forthvm.game import Game, Position

__all__ = ["Leaves", "SelfPlay"]

_POSITIVE = integer(1, 2**31 - 1)
_ARGUMENTS = {
    **dict.fromkeys(("batch", "games", "playouts", "max_plies", "most_nodes"), _POSITIVE),
    **dict.fromkeys(("space", "threads"), optional(_POSITIVE)),
    "seed": integer(0, 2**32 - 1),
    "starts": list_of(lambda value: value),
    "exploration": number(),
    "sampled_plies": integer(),
}
_SPREAD = 2654435761
"""An odd factor, by which neighbouring seeds get very different values."""
_LEAST_GAMES = 8
"""The minimum number of games of a thread."""


@dataclass(frozen=True)
class Leaves:
    """Positions to evaluate: the leaves of search trees.  Later calls overwrite the arrays.

    Attributes:
        boards: The boards, one after the other, each with `SelfPlay.cells` 32-bit numbers.
        moves: The number of legal moves of each position.
        movers: The number of the player to move in each position, from 1 (not an index from 0).
        actions: For each position the numbers of its legal actions, in the order of the moves;
            copied when read.
        roots: For each position 1 if it is the root of a tree, the current position of a game;
            else 0.  To try all moves, add random numbers to the priors of roots.
    """

    boards: memoryview[int]
    moves: memoryview[int]
    movers: memoryview[int]
    actions: Sequence[Sequence[int]]
    roots: memoryview[int]


class _LeafActions(Sequence[Sequence[int]]):
    """For each leaf, the number of each legal move; -1: the move has no number."""

    def __init__(self, rows: LeafRows, count: int) -> None:
        self._rows = rows
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _LeafActions) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # the actions change

    @overload
    def __getitem__(self, index: int) -> Sequence[int]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Sequence[int]]: ...
    def __getitem__(self, index: int | slice) -> Sequence[int] | Sequence[Sequence[int]]:
        rows = range(self._count)[index]
        if isinstance(rows, range):
            return [self._rows.actions(row) for row in rows]
        return self._rows.actions(rows)


class SelfPlay:
    """Plays many games by tree search; the caller evaluates the leaves of the search trees.

    The caller repeats two calls: `leaves` returns one position of each game, and `submit` receives
    the rewards and priors of these positions.  A game depends only on the seed, the number of the
    game and the evaluations, not on the number of games played at the same time.

    >>> import forthvm
    >>> play = SelfPlay(forthvm.load("tictactoe"), batch=4, games=6, playouts=20)
    >>> play.space
    9
    >>> while (leaves := play.leaves()) is not None:
    ...     count = len(leaves.moves)
    ...     play.submit([[0.5] * 32] * count, [[1 / 9] * 9] * count)
    >>> sorted(game.number for game in play.finished)
    [0, 1, 2, 3, 4, 5]
    """

    def __init__(  # noqa: PLR0913 - keyword-only options, each of them documented
        self,
        game: Game | str | os.PathLike[str],
        *,
        batch: int,
        games: int,
        space: int | None = None,
        playouts: int = 100,
        seed: int = 0,
        threads: int | None = None,
        starts: Sequence[Position] = (),
        boards: object = None,
        exploration: float = 1.25,
        sampled_plies: int = 8,
        max_plies: int = MAX_PLIES,
        most_nodes: int = 1 << 16,
    ) -> None:
        """Prepare the first games.

        Args:
            game: The game to play, or its name or path.
            batch: Number of games played at the same time.
            games: Total number of games.
            space: None: actions have the numbers of `game.actions`.  A number: there are so many
                actions, the maximum number of legal moves, and action k is the legal move k.
            playouts: Number of evaluated leaves before a move is played.  The first leaf is the
                position itself, so with 1 the move depends only on the priors.
            seed: Seed of all random choices, 0 to 2^32 - 1.
            threads: Maximum number of threads; None: the number of processors.  Results do not
                depend on it.  Each thread but the first uses a copy of the game's VM.
            starts: First positions, which the games use in turn; empty for `game.start()`.
            boards: The caller's array for the boards of the leaves, with `batch` times
                `len(position.cells)` integers of type `numpy.int32`; None for a new array.
            exploration: Weight of the priors.
            sampled_plies: The number of plies, from the start of the game, in which the move is
                drawn with probabilities proportional to the visits.  Later the most visited move is
                played; of several such moves, the move with the highest prior.
            max_plies: Maximum length of a game.
            most_nodes: Maximum number of nodes of each tree, more than `space`.

        Raises:
            TypeError, ValueError: An argument has another type, or is out of range.
            EngineOptionError: A start is decided or of another game, or the array is unsuitable.
        """
        game = opened(game, "SelfPlay")
        read_arguments("SelfPlay", _ARGUMENTS, locals())
        if space is not None and most_nodes <= space:
            raise EngineOptionError(f"most_nodes must be more than the {space} actions")
        self.game = game
        self.space = len(game.actions) if space is None else space
        self.cells = game._loaded.tables.board_cells
        self.seed = seed
        self.starts = tuple(_start(game, position) for position in starts)
        self.finished: list[PlayedGame] = []
        self._settings = GameSettings(
            playouts, sampled_plies, max_plies, most_nodes, numbered=space is None
        )
        self._options = TreeOptions(
            chance=game._loaded.chance_bits,
            exploration=exploration,
            history=0.0,
            priors=1,
            playout_plies=0,
        )
        self._total = games
        self._begun = 0  # number of games
        self._boards = cells_buffer(boards, batch * self.cells)
        self._moves = memoryview(array("i", bytes(CELL * batch)))
        self._movers = memoryview(array("i", bytes(CELL * batch)))
        self._roots = memoryview(bytearray(batch))
        self._rows = LeafRows(batch, self._boards, self._moves, self._movers, self._roots)
        self._rewards = EvaluationRows("rewards", batch, REWARDS_PER_ROW)
        self._priors = EvaluationRows("priors", batch, self.space)
        count = min(threads or os.cpu_count() or 1, max(batch // _LEAST_GAMES, 1))
        self._games = [game, *(game.clone() for _ in range(count - 1))]
        self._finders: dict[Game, ActionFinder] = {}  # kept for the actions that they remember
        self._pool = ThreadPoolExecutor(count - 1, "forthvm self-play") if count > 1 else None
        self._running: list[RunningGame | None] = [None] * batch  # by row
        self._count = 0  # number of leaves

    def leaves(self) -> Leaves | None:
        """Return one position to evaluate of each game; None when all games are over.

        Until the next call of `submit`, further calls return equal positions.

        Raises:
            EngineError: A position has more moves than actions.
            ForthVMError: The script fails.
        """
        if self._count == 0:
            self._fill_rows()
        if self._count == 0:
            return None
        return Leaves(
            self._boards[: self._count * self.cells],
            self._moves[: self._count],
            self._movers[: self._count],
            _LeafActions(self._rows, self._count),
            self._roots[: self._count],
        )

    def submit(self, rewards: Numbers, priors: Numbers) -> None:
        """Submit evaluations of the positions that `leaves` returned.

        Both arguments may be arrays with the buffer protocol, such as numpy's, or lists of rows.
        Contiguous arrays of 32-bit floats are read without a copy.

        Args:
            rewards: For each position 32 numbers from 0 to 1: the expected reward of each
                player, by number.
            priors: For each position `space` numbers from 0 to 1: the prior of each action;
                numbers of other actions than the legal ones are ignored.

        Raises:
            EngineError: The number of rows differs from the number of positions, or a number is
                outside 0 to 1.  The games are not changed.
        """
        self._rewards.load(rewards, self._count)
        self._priors.load(priors, self._count)
        row = self._rows.submit(
            self._count,
            self._priors.numbers,
            self._priors.stride,
            self._rewards.numbers,
            self._rewards.stride,
        )
        if row >= 0:
            self._rewards.check(row, range(REWARDS_PER_ROW))
            actions = [action for action in self._rows.actions(row) if action >= 0]
            self._priors.check(row, actions)
        self._rewards.release()
        self._priors.release()
        for at in range(self._count):
            self._moves[at] = 0
        self._count = 0

    # --- the rows ----------------------------------------------------------------------

    def _fill_rows(self) -> None:
        """Select a leaf for each row; new games replace the games that end."""
        moves = self._moves
        while rows := [row for row in range(len(moves)) if self._needs_leaf(row)]:
            self._select(rows)
        most = max(moves)
        if not self._settings.numbered and most > self.space:
            raise EngineError(f"{most} legal moves do not fit into {self.space} actions")
        self._close_gaps()

    def _needs_leaf(self, row: int) -> bool:
        """Make the moves of a row's game that need no search; return whether it needs a leaf."""
        if self._moves[row] > 0:
            return False
        while (running := self._running[row]) is not None or self._begun < self._total:
            if running is None:
                running = self._running[row] = self._next_game(row)
            elif running.searching:
                return True
            listed = running.advance()
            if listed is not None:
                seed = (running.seed + 1) % 2**32
                self._rows.set_root(row, running.tree, listed, seed, self._settings.playouts)
                return True
            self.finished.append(running.record())
            self._running[row] = None
        return False

    def _next_game(self, row: int) -> RunningGame:
        number = self._begun
        self._begun += 1
        game = self._games[row % len(self._games)]
        start = number % len(self.starts) if self.starts else 0
        return RunningGame(
            self._settings,
            self.starts[start].copy(game=game) if self.starts else game.start(),
            number=number,
            start=start,
            seed=(number + self.seed * _SPREAD) % 2**31,
            choices=random.Random(self.seed << 32 | number),
        )

    def _select(self, rows: Sequence[int]) -> None:
        """Select leaves of some rows, in all threads."""
        running = {row: game for row in rows if (game := self._running[row]) is not None}
        shares: dict[Game, list[int]] = {}
        for row, game in running.items():
            game.searching = False  # if the search fails, it is set up again
            shares.setdefault(game.position.game, []).append(row)
        first, *others = ((game, self._finder(game), share) for game, share in shares.items())
        futures = [self._pool.submit(self._select_share, *share) for share in others if self._pool]
        try:
            self._select_share(*first)
        finally:
            wait(futures)
        for future in futures:
            future.result()
        for row, game in running.items():
            game.searching = self._moves[row] > 0

    def _finder(self, game: Game) -> ActionFinder | None:
        """Return the finder for the VM of a game; None if actions are indices of moves."""
        if self._settings.numbered and game not in self._finders:
            self._finders[game] = self.game.actions.finder()
        return self._finders.get(game)

    def _select_share(self, game: Game, finder: ActionFinder | None, rows: Sequence[int]) -> None:
        """Select leaves of the rows that use the VM of a game."""
        native = game._loaded.vm.native
        limited = native.run_limits is not None and any(native.run_limits)  # for each call
        game._loaded.states.release()
        try:
            for share in [[row] for row in rows] if limited else [rows]:
                self._rows.select(native, self._options, finder, share)
        finally:
            if finder is not None:
                self.game.actions.count_unnumbered(finder)

    def _close_gaps(self) -> None:
        """Move the rows with leaves to the beginning of the arrays."""
        self._count = 0
        for row, running in enumerate(self._running):
            if running is None:
                continue
            if row > self._count:
                self._rows.move_row(row, self._count)
                self._running[self._count], self._running[row] = running, None
                self._moves[row] = 0
            self._count += 1


def _start(game: Game, position: Position) -> Position:
    """Return a copy of a first position after checking it."""
    check_position(position, "starts")
    if position.game is not game:
        raise EngineOptionError(
            "a start belongs to another game (Position.copy(game=...) transfers it)"
        )
    if position.result is not None:
        raise EngineOptionError(f"a start is decided: {position.result}")
    return position.copy()

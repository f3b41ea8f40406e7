"""What learners need: boards as arrays, legal moves as a mask, playouts, games against oneself.

Owns the shapes of the arrays and the course of the games.  It must not know what learns.
"""

from __future__ import annotations

import random
from array import array
from typing import TYPE_CHECKING

from forthvm.core.bindings import Tree, TreeOptions
from forthvm.core.bindings.layout import CELL
from forthvm.core.value import Value
from forthvm.engines.arrays import Answers, room_for_cells
from forthvm.engines.errors import EngineError, EngineOptionError
from forthvm.game.arguments import check_game, check_position
from forthvm.game.history import HOST_PASS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.engines.arrays import Numbers
    from forthvm.game import Game, Outcome, Position

__all__ = ["Leaves", "PlayedGame", "SelfPlay", "board_array", "legal_mask", "random_playouts"]

NUMBERS = 32
"""Numbers that players can have; rewards are arrays of so many."""
MOST_PLIES = 2000
_SPREAD = 2654435761
"""Odd: seeds that follow each other start streams that are far apart."""


def board_array(position: Position) -> memoryview:
    """The board's cells, variables included, as 32-bit numbers.

    `numpy.asarray` takes it without a copy: `position.game.tables.board_cells` numbers.
    """
    check_position(position, "board_array")
    return memoryview(array("i", position.cells))


def legal_mask(position: Position, space: int) -> array[int]:
    """One for each action that is legal, of `space`: action k is legal move k of the list.

    In a decided position no action is.

    Raises:
        EngineError: there are more legal moves than actions.
        EngineOptionError: `space` is no number of actions.
    """
    check_position(position, "legal_mask")
    if space < 1:
        raise EngineOptionError(f"a space of {space} actions holds none")
    count = 0 if position.result is not None else len(position.legal_moves)
    if count > space:
        raise EngineError(f"{count} legal moves do not fit into {space} actions")
    return array("B", bytes([1]) * count + bytes(space - count))


def random_playouts(
    position: Position, count: int, *, seed: int = 0, plies: int = MOST_PLIES
) -> dict[str, float]:
    """Mean reward of each player, 0 to 1, over games at random from a position on.

    A game that lasts longer than `plies` is judged by OnEvaluate.

    Raises:
        EngineOptionError: there is nothing to play.
        ForthVMError: the script fails.
    """
    check_position(position, "random_playouts")
    if count < 1 or plies < 1:
        raise EngineOptionError(f"{count} playouts of {plies} plies are none")
    if position.result is not None:
        return _rewards_by_name(position.game, _final(position.game, position.result))
    with position.enter() as native:
        sums, report = native.playouts(
            TreeOptions(count, seed=seed, chance=position.game.chance_bits, playout_plies=plies)
        )
    return _rewards_by_name(position.game, [each / report.iterations for each in sums])


class PlayedGame(Value):
    """A game that was played against oneself.

    Attributes:
        number: From 0 up; with the seed of the SelfPlay it fixes everything drawn by lot.
        seed: What the random streams of its first position were started with.
        start: Index of that position among the `starts`, 0 if there were none.
        moves: Index of each move in the list of legal moves, lots included; -1 where the host
            passed for a player without moves.
        movers: Number of the player who made each move.
        boards: The board before each move.
        visits: How often the search tried each legal move then; empty for lots and passes.
        outcome: How it ended, None if it was broken off.
    """

    number: int
    seed: int
    start: int
    moves: tuple[int, ...]
    movers: tuple[int, ...]
    boards: tuple[tuple[int, ...], ...]
    visits: tuple[tuple[int, ...], ...]
    outcome: Outcome | None


class Leaves(Value):
    """Positions that wait to be judged, in arrays that are filled anew when they have been.

    Attributes:
        boards: Their boards, one after the other, `cells` 32-bit numbers each.
        moves: Legal moves of each.
        movers: Number of the player to move in each.
    """

    boards: memoryview[int]
    moves: memoryview[int]
    movers: memoryview[int]


class _Seat:
    """One of the games that are being played."""

    def __init__(self, play: SelfPlay, number: int) -> None:
        self.number = number
        self.random = random.Random(play.seed << 32 | number)
        self.seed = (number + play.seed * _SPREAD) % 2**31
        self.start = number % len(play.starts) if play.starts else 0
        self.position = play.starts[self.start].copy() if play.starts else play.game.start()
        self.position.seed(self.seed)
        self.tree = Tree(play.most_nodes)
        self.options = play.options.replace(seed=(self.seed + 1) % 2**32)
        self.moves: list[int] = []
        self.movers: list[int] = []
        self.boards: list[tuple[int, ...]] = []
        self.visits: list[tuple[int, ...]] = []
        self.over = False


class SelfPlay:
    """Plays many games against itself; somebody outside judges the leaves of its searches.

    Each step, `leaves` shows one position of each game, and `answer` takes rewards and priors
    for them.  What a game does depends on the seed, its number and the answers alone: with
    equal answers one seat and many play the same games.

    >>> import forthvm
    >>> play = SelfPlay(forthvm.load("tictactoe"), batch=4, games=6, playouts=20, space=9)
    >>> while (waiting := play.leaves()) is not None:
    ...     seats = len(waiting.moves)
    ...     play.answer([[0.5] * 32] * seats, [[1 / 9] * 9] * seats)
    >>> sorted(game.number for game in play.finished)
    [0, 1, 2, 3, 4, 5]
    """

    def __init__(  # noqa: PLR0913 - keyword-only options, each of them documented
        self,
        game: Game,
        *,
        batch: int,
        games: int,
        space: int,
        playouts: int = 100,
        seed: int = 0,
        starts: Sequence[Position] = (),
        boards: object = None,
        exploration: float = 1.25,
        warm_plies: int = 8,
        most_plies: int = MOST_PLIES,
        most_nodes: int = 1 << 16,
    ) -> None:
        """Sits down.

        Args:
            game: What to play.
            batch: Games side by side.
            games: Games in all.
            space: Actions; a position with more legal moves is an error.
            playouts: Ways down the tree before a move is played.  The first one judges the
                position itself, so a single one plays by the priors alone.
            seed: Of everything drawn by lot, 0 to 2^32 - 1.
            starts: Positions of the game to begin with, in turns; none: `game.start()`.
            boards: An array of the caller's for the leaves' boards, `batch` times
                `game.tables.board_cells` 32-bit numbers, as `numpy.int32`; None: one is made.
            exploration: Weight of the priors.
            warm_plies: Moves that are drawn by their visits; later the most visited is played,
                of several the one with the highest prior.
            most_plies: A longer game is broken off.
            most_nodes: Room of each tree, more than `space`.

        Raises:
            EngineOptionError: numbers with which nothing can be played, starts of another game
                or decided ones, or an array that cannot hold the boards.
        """
        check_game(game, "SelfPlay")
        counts = (batch, games, space, playouts, most_plies)
        if not all(isinstance(count, int) for count in counts) or min(counts) < 1:
            raise EngineOptionError(
                "batch, games, space, playouts and most_plies are whole numbers from 1 up"
            )
        if most_nodes <= space:
            raise EngineOptionError(f"most_nodes must be more than the {space} actions")
        if not 0 <= seed < 2**32:
            raise EngineOptionError(f"seed must be from 0 to {2**32 - 1}, not {seed}")
        self.game = game
        self.space = space
        self.cells = game.tables.board_cells
        self.seed = seed
        self.starts = tuple(_start(game, position) for position in starts)
        self.most_nodes = most_nodes
        self.options = TreeOptions(
            chance=game.chance_bits, exploration=exploration, history=0.0, priors=1, playout_plies=0
        )
        self.finished: list[PlayedGame] = []
        self._games = games
        self._begun = 0
        self._playouts = playouts
        self._warm = warm_plies
        self._most_plies = most_plies
        self._boards = room_for_cells(boards, batch * self.cells)
        self._moves = memoryview(array("i", bytes(CELL * batch)))
        self._movers = memoryview(array("i", bytes(CELL * batch)))
        self._rewards = Answers("rewards", batch, NUMBERS)
        self._priors = Answers("priors", batch, space)
        self._waiting: list[_Seat] = []
        self._seats: list[_Seat] = []
        for _ in range(min(batch, games)):
            self._seats.append(self._next_game())

    def leaves(self) -> Leaves | None:
        """One position of each game that waits to be judged; None when all games are over.

        The same ones again as long as they have not been answered.

        Raises:
            EngineError: a position has more moves than actions.
            ForthVMError: the script fails.
        """
        at = len(self._waiting)
        while at < len(self._seats):
            seat = self._seats[at]
            if self._descend(seat, at):
                self._waiting.append(seat)
                at += 1
            elif self._begun < self._games:
                self._seats[at] = self._next_game()
            else:
                del self._seats[at]
        if not self._waiting:
            return None
        count = len(self._waiting)
        return Leaves(self._boards[: count * self.cells], self._moves[:count], self._movers[:count])

    def answer(self, rewards: Numbers, priors: Numbers) -> None:
        """Judge what `leaves` has shown.

        Arrays are taken by the buffer protocol, as numpy's: those of 32-bit floats without
        gaps are read where they lie, others are converted.  A list of rows will do as well.

        Args:
            rewards: For each position 32 numbers from 0 to 1: what a player of that number
                may expect.
            priors: For each position `space` numbers from 0 to 1: how promising each action
                is; those beyond the legal moves do not matter.

        Raises:
            EngineError: not one answer for each position, or numbers that are none; nothing has
                been taken then.
        """
        waiting = self._waiting
        moves = self._moves[: len(waiting)].tolist()
        self._rewards.take(rewards, [NUMBERS] * len(waiting))
        self._priors.take(priors, moves)
        for at, seat in enumerate(waiting):
            seat.tree.answer(self._priors.row(at, moves[at]), self._rewards.row(at, NUMBERS))
        self._rewards.forget()
        self._priors.forget()
        self._waiting = []

    # --- the games ----------------------------------------------------------------------

    def _next_game(self) -> _Seat:
        seat = _Seat(self, self._begun)
        self._begun += 1
        return seat

    def _descend(self, seat: _Seat, place: int) -> bool:
        """A way down to a leaf, which is shown at that place; False: the game is over."""
        view = self._boards[place * self.cells : (place + 1) * self.cells]
        while True:
            self._play_on(seat)
            if seat.over:
                return False
            with seat.position.enter() as native:
                leaf = native.tree_leaf(seat.tree, seat.options, view)
            if leaf.moves > self.space:
                raise EngineError(f"{leaf.moves} legal moves do not fit into {self.space} actions")
            if not leaf.decided:
                self._moves[place], self._movers[place] = leaf.moves, leaf.mover
                return True

    def _play_on(self, seat: _Seat) -> None:
        """Plays lots, passes and moves that have been searched enough, to the end if it is near."""
        position = seat.position
        while position.result is None and len(seat.moves) < self._most_plies:
            if position.is_stuck:
                self._move(seat, HOST_PASS, ())
            elif position.is_chance:
                self._move(seat, seat.random.randrange(len(position.legal_moves)), ())
            else:
                root = seat.tree.read(0, 1)[0]
                if root.visits < self._playouts:
                    return
                children = seat.tree.read(root.first, root.count)
                visits = tuple(child.visits for child in children)
                priors = tuple(child.prior for child in children)
                self._move(seat, self._choose(seat, visits, priors), visits)
        seat.over = True
        self.finished.append(
            PlayedGame(
                seat.number,
                seat.seed,
                seat.start,
                tuple(seat.moves),
                tuple(seat.movers),
                tuple(seat.boards),
                tuple(seat.visits),
                position.result,
            )
        )

    def _choose(self, seat: _Seat, visits: tuple[int, ...], priors: tuple[float, ...]) -> int:
        if len(seat.moves) < self._warm:
            weights = visits if any(visits) else priors if any(priors) else None
            return seat.random.choices(range(len(visits)), weights)[0]
        return max(range(len(visits)), key=lambda at: (visits[at], priors[at]))

    def _move(self, seat: _Seat, index: int, visits: tuple[int, ...]) -> None:
        position = seat.position
        seat.boards.append(position.cells)
        seat.movers.append(position.player_index + 1)
        seat.moves.append(index)
        seat.visits.append(visits)
        if index == HOST_PASS:
            position.push_pass()
        else:
            position.push(position.legal_moves[index])
        seat.tree.clear()


def _start(game: Game, position: Position) -> Position:
    """A copy of a position to begin with."""
    check_position(position, "starts")
    if position.game is not game:
        raise EngineOptionError(
            "a start is of another game (Position.copy(game=...) brings it over)"
        )
    if position.result is not None:
        raise EngineOptionError(f"a start is decided: {position.result}")
    return position.copy()


def _final(game: Game, outcome: Outcome) -> list[float]:
    rewards = [0.0] * NUMBERS
    for player in game.player_details:
        won = player.name in outcome.winners
        rewards[player.number] = 0.5 if outcome.draw else float(won)
    return rewards


def _rewards_by_name(game: Game, rewards: Sequence[float]) -> dict[str, float]:
    return {
        player.name: rewards[player.number]
        for player in game.player_details
        if player.name in game.contestants
    }

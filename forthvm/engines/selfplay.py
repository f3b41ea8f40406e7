"""What learners need: boards as arrays, legal moves as a mask, playouts, games against oneself.

Owns the shapes of the arrays and the course of the games.  It must not know what learns.
"""

from __future__ import annotations

import random
from array import array
from typing import TYPE_CHECKING

from forthvm.core.border import Tree, TreeOptions
from forthvm.core.value import Value
from forthvm.engines.errors import EngineError, EngineOptionError
from forthvm.game.past import HOST_PASS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.game import Game, Outcome, Position

__all__ = ["Leaves", "PlayedGame", "SelfPlay", "board_array", "legal_mask", "random_playouts"]

NUMBERS = 32
"""Numbers that players can have; rewards are arrays of so many."""
MOST_PLIES = 2000


def board_array(position: Position) -> memoryview:
    """The board's cells, variables included, as 32-bit numbers.

    `numpy.asarray` takes it without a copy: `position.game.tables.board_cells` numbers.
    """
    return memoryview(array("i", position.cells))


def legal_mask(position: Position, space: int) -> array[int]:
    """One for each action that is legal, of `space`: action k is legal move k of the list.

    Raises:
        EngineError: there are more legal moves than actions.
    """
    count = len(position.legal_moves)
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
    if count < 1 or plies < 1:
        raise EngineOptionError(f"{count} playouts of {plies} plies are none")
    if position.result is not None:
        return _rewards_by_name(position.game, _final(position.game, position.result))
    with position._enter() as native:
        sums, report = native.playouts(
            TreeOptions(count, seed=seed, chance=_chance(position.game), playout_plies=plies)
        )
    return _rewards_by_name(position.game, [each / report.iterations for each in sums])


class PlayedGame(Value):
    """A game that was played against oneself.

    Attributes:
        number: From 0 up; it fixes everything that was drawn by lot.
        moves: Index of each move in the list of legal moves, lots included; -1 where the host
            passed for a player without moves.
        movers: Number of the player who made each move.
        boards: The board before each move.
        visits: How often the search tried each legal move then; empty for lots and passes.
        outcome: How it ended, None if it was broken off.
    """

    number: int
    moves: tuple[int, ...]
    movers: tuple[int, ...]
    boards: tuple[tuple[int, ...], ...]
    visits: tuple[tuple[int, ...], ...]
    outcome: Outcome | None


class Leaves(Value):
    """Positions that wait to be judged.

    Attributes:
        boards: Their boards, one after the other, `cells` numbers each; owned by the
            SelfPlay, and good until the next call.
        moves: Legal moves of each.
        movers: Number of the player to move in each.
    """

    boards: memoryview
    moves: tuple[int, ...]
    movers: tuple[int, ...]


class _Seat:
    """One of the games that are being played."""

    def __init__(self, game: Game, number: int, most_nodes: int) -> None:
        self.number = number
        self.random = random.Random(number)
        self.position = game.start()
        self.position.seed(number)
        self.tree = Tree(most_nodes)
        self.moves: list[int] = []
        self.movers: list[int] = []
        self.boards: list[tuple[int, ...]] = []
        self.visits: list[tuple[int, ...]] = []


class SelfPlay:
    """Plays many games against itself; somebody outside judges the leaves of its searches.

    Each step, `leaves` shows one position of each game, and `answer` takes rewards and priors
    for them.  What a game does depends on its number and the answers alone: with equal answers
    one seat and many play the same games.

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
            playouts: Ways down the tree before a move is played.
            exploration: Weight of the priors.
            warm_plies: Moves that are drawn by their visits; later the most visited is played.
            most_plies: A longer game is broken off.
            most_nodes: Room of each tree.

        Raises:
            EngineOptionError: numbers with which nothing can be played.
        """
        if min(batch, games, space, playouts, most_plies) < 1:
            raise EngineOptionError("batch, games, space, playouts and most_plies start at 1")
        self.game = game
        self.space = space
        self.cells = game.tables.board_cells
        self.finished: list[PlayedGame] = []
        self._games = games
        self._begun = 0
        self._playouts = playouts
        self._warm = warm_plies
        self._most_plies = most_plies
        self._most_nodes = most_nodes
        self._options = TreeOptions(
            chance=_chance(game), exploration=exploration, history=0.0, priors=1, playout_plies=0
        )
        self._boards = memoryview(array("i", bytes(4 * batch * self.cells)))
        self._priors = _floats(space)
        self._rewards = _floats(NUMBERS)
        self._seats: list[_Seat] = []
        self._waiting: list[_Seat] = []
        self._moves: list[int] = []
        for _ in range(min(batch, games)):
            self._sit_down()

    def leaves(self) -> Leaves | None:
        """One position of each game that waits to be judged; None when all games are over.

        Raises:
            EngineError: a position has more moves than actions.
            ForthVMError: the script fails.
        """
        movers: list[int] = []
        self._waiting, self._moves = [], []
        for seat in list(self._seats):
            while (leaf := self._descend(seat, len(self._waiting))) is None:
                if seat not in self._seats:
                    if not self._sit_down():
                        break
                    seat = self._seats[-1]  # noqa: PLW2901 - the next game in its place
            if leaf is not None:
                self._waiting.append(seat)
                self._moves.append(leaf[0])
                movers.append(leaf[1])
        if not self._waiting:
            return None
        boards = self._boards[: len(self._waiting) * self.cells]
        return Leaves(boards, tuple(self._moves), tuple(movers))

    def answer(self, rewards: Sequence[Sequence[float]], priors: Sequence[Sequence[float]]) -> None:
        """Judge what `leaves` has shown.

        Args:
            rewards: For each position 32 numbers from 0 to 1: what a player of that number
                may expect.
            priors: For each position `space` numbers from 0 to 1: how promising each action is.

        Raises:
            EngineError: not one answer for each position, or numbers that are none; nothing has
                been taken then.
        """
        if not len(rewards) == len(priors) == len(self._waiting):
            raise EngineError(
                f"{len(self._waiting)} positions wait; answered were {len(rewards)} "
                f"and {len(priors)}"
            )
        for moves, given, told in zip(self._moves, rewards, priors, strict=True):
            _check("rewards", given, NUMBERS)
            _check("priors", told, moves)
        for seat, moves, given, told in zip(
            self._waiting, self._moves, rewards, priors, strict=True
        ):
            for at in range(NUMBERS):
                self._rewards[at] = given[at]
            for at in range(moves):
                self._priors[at] = told[at]
            seat.tree.answer(self._priors[:moves], self._rewards)
        self._waiting = []

    # --- the games ----------------------------------------------------------------------

    def _sit_down(self) -> bool:
        if self._begun == self._games:
            return False
        self._seats.append(_Seat(self.game, self._begun, self._most_nodes))
        self._begun += 1
        return True

    def _descend(self, seat: _Seat, place: int) -> tuple[int, int] | None:
        """A way down to a leaf: its moves and mover.  None: the game is over."""
        view = self._boards[place * self.cells : (place + 1) * self.cells]
        while True:
            self._play_on(seat)
            if seat not in self._seats:
                return None
            with seat.position._enter() as native:
                leaf = native.tree_leaf(
                    seat.tree, self._options.replace(seed=seat.number + 1), view
                )
            if leaf.moves > self.space:
                raise EngineError(f"{leaf.moves} legal moves do not fit into {self.space} actions")
            if not leaf.decided:
                return leaf.moves, leaf.mover

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
                visits = tuple(one.visits for one in seat.tree.read(root.first, root.count))
                self._move(seat, self._choose(seat, visits), visits)
        self._seats.remove(seat)
        self.finished.append(
            PlayedGame(
                seat.number,
                tuple(seat.moves),
                tuple(seat.movers),
                tuple(seat.boards),
                tuple(seat.visits),
                position.result,
            )
        )

    def _choose(self, seat: _Seat, visits: tuple[int, ...]) -> int:
        if len(seat.moves) < self._warm and any(visits):
            return seat.random.choices(range(len(visits)), weights=visits)[0]
        return max(range(len(visits)), key=visits.__getitem__)

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


def _check(what: str, numbers: Sequence[float], count: int) -> None:
    """The first `count` are numbers from 0 to 1; written so that NaN fails, too."""
    if len(numbers) < count:
        raise EngineError(f"{count} {what} are wanted, not {len(numbers)}")
    for at in range(count):
        if not 0 <= numbers[at] <= 1:
            raise EngineError(f"{what} must be from 0 to 1, not {numbers[at]!r}")


def _floats(count: int) -> memoryview[float]:
    return memoryview(bytearray(4 * count)).cast("f")


def _chance(game: Game) -> int:
    return sum(1 << player.number for player in game.player_details if player.chance)


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

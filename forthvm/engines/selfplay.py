"""Data for machine learning: boards as arrays, legal moves as masks, playouts, self-play games.

Owns the shapes of the arrays and the procedure of self-play.  It must not know the learning
program.  A *reward* is the result of a game for a player, from 0 to 1.  A *prior* is the
probability that the caller assigns to a move before the search.
"""

from __future__ import annotations

import random
from array import array
from typing import TYPE_CHECKING

from forthvm.core.bindings import Tree, TreeOptions
from forthvm.core.bindings.layout import CELL
from forthvm.core.value import Value
from forthvm.engines.arrays import EvaluationRows, cells_buffer
from forthvm.engines.errors import EngineError, EngineOptionError
from forthvm.game.arguments import check_game
from forthvm.game.history import HOST_PASS
from forthvm.game.position import check_position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.engines.arrays import Numbers
    from forthvm.game import Game, Outcome, Position

__all__ = ["Leaves", "PlayedGame", "SelfPlay", "board_array", "legal_mask", "random_playouts"]

REWARDS_PER_ROW = 32
"""The length of a row of rewards, which is indexed by player numbers from 0 to 31."""
MAX_PLIES = 2000
"""The default maximum length of a game in plies."""
_SPREAD = 2654435761
"""An odd factor, by which neighbouring seeds get very different values."""


def board_array(position: Position) -> memoryview:
    """Return the cells of the board and its variables: `game.tables.board_cells` 32-bit integers.

    `numpy.asarray` of the result shares the memory.
    """
    check_position(position, "board_array")
    return memoryview(array("i", position.cells))


def legal_mask(position: Position, space: int | None = None) -> array[int]:
    """Return an array of numbers: 1 for each legal action, else 0.

    In a decided position no action is legal.  `Position.action_mask` writes to the caller's array.

    Args:
        position: The position.
        space: None: the actions are those of `game.actions`.  A number: there are so many actions,
            and action k is move k in the list of legal moves.

    Raises:
        ActionError: A move has no number in `game.actions`.
        EngineError: There are more legal moves than actions.
        EngineOptionError: `space` is not positive.
    """
    check_position(position, "legal_mask")
    if space is None:
        mask = array("B", bytes(len(position.game.actions)))
        position.action_mask(mask)
        return mask
    if space < 1:
        raise EngineOptionError(f"space must be a positive integer, not {space}")
    count = 0 if position.result is not None else len(position.legal_moves)
    if count > space:
        raise EngineError(f"{count} legal moves do not fit into {space} actions")
    return array("B", bytes([1]) * count + bytes(space - count))


def random_playouts(
    position: Position, count: int, *, seed: int = 0, plies: int = MAX_PLIES
) -> dict[str, float]:
    """Return the mean reward of each player in `count` random games from a position.

    A game that is longer than `plies` is scored by OnEvaluate.

    Raises:
        EngineOptionError: `count` or `plies` is not positive.
        ForthVMError: The script fails.
    """
    check_position(position, "random_playouts")
    if count < 1 or plies < 1:
        raise EngineOptionError(f"count and plies must be positive, not {count} and {plies}")
    if position.result is not None:
        return _rewards_by_name(position.game, _outcome_rewards(position.game, position.result))
    with position.enter() as native:
        sums, report = native.playouts(
            TreeOptions(count, seed=seed, chance=position.game.chance_bits, playout_plies=plies)
        )
    return _rewards_by_name(position.game, [reward / report.iterations for reward in sums])


class PlayedGame(Value):
    """A finished self-play game.

    Attributes:
        number: The number of the game, from 0.
        seed: The seed of the random streams of the first position.
        start: The index of the first position in `SelfPlay.starts`; 0 if `starts` is empty.
        moves: For each move, including moves of chance players, its index in the list of legal
            moves; -1 for a forced pass.
        movers: For each move, the number of the player who made it.
        boards: For each move, the board before it.
        visits: For each move, the number of visits of each legal move in the search; empty for
            chance players and passes.
        actions: For each move, the numbers in `game.actions` of the legal moves in that order;
            empty where `visits` is empty, or if `space` was given.
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


class Leaves(Value):
    """Positions to evaluate: the leaves of search trees.  Later calls overwrite the arrays.

    Attributes:
        boards: The boards, one after the other, each with `SelfPlay.cells` 32-bit numbers.
        moves: The number of legal moves of each position.
        movers: The number of the player to move in each position.
        actions: For each position the numbers of its legal actions, in the order of the moves.
        roots: For each position 1 if it is the root of a tree, the current position of a game;
            else 0.  To try all moves, add random numbers to the priors of roots.
    """

    boards: memoryview[int]
    moves: memoryview[int]
    movers: memoryview[int]
    actions: tuple[Sequence[int], ...]
    roots: bytes


class _RunningGame:
    """A game in progress."""

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
        self.actions: list[tuple[int, ...]] = []
        self.leaf_actions: Sequence[int] = ()
        self.playouts = 0  # in the tree of the current position
        self.over = False


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
        game: Game,
        *,
        batch: int,
        games: int,
        space: int | None = None,
        playouts: int = 100,
        seed: int = 0,
        starts: Sequence[Position] = (),
        boards: object = None,
        exploration: float = 1.25,
        sampled_plies: int = 8,
        max_plies: int = MAX_PLIES,
        most_nodes: int = 1 << 16,
    ) -> None:
        """Prepare the first games.

        Args:
            game: The game to play.
            batch: Number of games played at the same time.
            games: Total number of games.
            space: None: actions have the numbers of `game.actions`.  A number: there are so many
                actions, the maximum number of legal moves, and action k is the legal move k.
            playouts: Number of evaluated leaves before a move is played.  The first leaf is the
                position itself, so with 1 the move depends only on the priors.
            seed: Seed of all random choices, 0 to 2^32 - 1.
            starts: First positions, which the games use in turn; empty for `game.start()`.
            boards: The caller's array for the boards of the leaves, with `batch` times
                `game.tables.board_cells` integers of type `numpy.int32`; None for a new array.
            exploration: Weight of the priors.
            sampled_plies: The number of plies, from the start of the game, in which the move is
                drawn with probabilities proportional to the visits.  Later the most visited move is
                played; of several such moves, the move with the highest prior.
            max_plies: Maximum length of a game.
            most_nodes: Maximum number of nodes of each tree, more than `space`.

        Raises:
            ActionError: The game has too many actions.
            EngineOptionError: A number is out of range, a start is decided or of another game, or
                the array is unsuitable.
        """
        check_game(game, "SelfPlay")
        counts = (batch, games, 1 if space is None else space, playouts, max_plies)
        if not all(isinstance(count, int) for count in counts) or min(counts) < 1:
            raise EngineOptionError(
                "batch, games, space, playouts and max_plies must be positive integers"
            )
        if space is not None and most_nodes <= space:
            raise EngineOptionError(f"most_nodes must be more than the {space} actions")
        if not 0 <= seed < 2**32:
            raise EngineOptionError(f"seed must be from 0 to {2**32 - 1}, not {seed}")
        self.game = game
        self.space = len(game.actions) if space is None else space
        self._numbered = space is None
        self.cells = game.tables.board_cells
        self.seed = seed
        self.starts = tuple(_start(game, position) for position in starts)
        self.most_nodes = most_nodes
        self.options = TreeOptions(
            chance=game.chance_bits,
            exploration=exploration,
            history=0.0,
            priors=1,
            playout_plies=0,
            detail=game.actions.detail_number if self._numbered else 0,
        )
        self.finished: list[PlayedGame] = []
        self._games = games
        self._begun = 0
        self._playouts = playouts
        self._sampled_plies = sampled_plies
        self._max_plies = max_plies
        self._boards = cells_buffer(boards, batch * self.cells)
        self._moves = memoryview(array("i", bytes(CELL * batch)))
        self._movers = memoryview(array("i", bytes(CELL * batch)))
        self._rewards = EvaluationRows("rewards", batch, REWARDS_PER_ROW)
        self._priors = EvaluationRows("priors", batch, self.space)
        self._waiting: list[_RunningGame] = []
        self._running_games: list[_RunningGame] = []
        for _ in range(min(batch, games)):
            self._running_games.append(self._next_game())

    def leaves(self) -> Leaves | None:
        """Return one position to evaluate of each game; None when all games are over.

        Until the next call of `submit`, further calls return equal positions.

        Raises:
            EngineError: A position has more moves than actions.
            ActionError: A move has no number in `game.actions`.
            ForthVMError: The script fails.
        """
        at = len(self._waiting)
        while at < len(self._running_games):
            running = self._running_games[at]
            if self._descend(running, at):
                self._waiting.append(running)
                at += 1
            elif self._begun < self._games:
                self._running_games[at] = self._next_game()
            else:
                del self._running_games[at]
        if not self._waiting:
            return None
        count = len(self._waiting)
        return Leaves(
            self._boards[: count * self.cells],
            self._moves[:count],
            self._movers[:count],
            tuple(running.leaf_actions for running in self._waiting),
            bytes(running.playouts == 0 for running in self._waiting),
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
        waiting = self._waiting
        self._rewards.load(rewards, [REWARDS_PER_ROW] * len(waiting))
        widths = [max(running.leaf_actions, default=-1) + 1 for running in waiting]
        self._priors.load(priors, widths, check=False)
        of_moves = [
            self._priors.columns(at, running.leaf_actions) for at, running in enumerate(waiting)
        ]
        for at, running in enumerate(waiting):
            running.tree.backpropagate(of_moves[at], self._rewards.row(at, REWARDS_PER_ROW))
            running.playouts += 1
        self._rewards.release()
        self._priors.release()
        self._waiting = []

    # --- the games ----------------------------------------------------------------------

    def _next_game(self) -> _RunningGame:
        running = _RunningGame(self, self._begun)
        self._begun += 1
        return running

    def _descend(self, running: _RunningGame, index: int) -> bool:
        """Search to the next leaf, and store it in the arrays at an index.

        Returns:
            False if the game is over.
        """
        view = self._boards[index * self.cells : (index + 1) * self.cells]
        while True:
            if not 0 < running.playouts < self._playouts:
                self._play_moves(running)
            if running.over:
                return False
            with running.position.enter() as native:
                leaf = native.tree_select_leaf(running.tree, running.options, view)
            if leaf.decided:
                running.playouts += 1
                continue
            running.leaf_actions = self._actions_of_leaf(running.tree, leaf.moves)
            self._moves[index], self._movers[index] = leaf.moves, leaf.mover
            return True

    def _actions_of_leaf(self, tree: Tree, moves: int) -> Sequence[int]:
        """Return the action of each move of the selected leaf."""
        if self._numbered:
            return self.game.actions.of_leaf(tree)
        if moves > self.space:
            raise EngineError(f"{moves} legal moves do not fit into {self.space} actions")
        return range(moves)

    def _play_moves(self, running: _RunningGame) -> None:
        """Play moves until the next move needs more search, or to the end of the game."""
        position = running.position
        while position.result is None and len(running.moves) < self._max_plies:
            if position.is_stuck:
                self._make_move(running, HOST_PASS, ())
            elif position.is_chance:
                self._make_move(running, running.random.randrange(len(position.legal_moves)), ())
            else:
                if running.playouts < self._playouts:
                    return
                root = running.tree.read(0, 1)[0]
                children = running.tree.read(root.first, root.count)
                visits = tuple(child.visits for child in children)
                priors = tuple(child.prior for child in children)
                self._make_move(running, self._choose(running, visits, priors), visits)
        running.over = True
        self.finished.append(
            PlayedGame(
                running.number,
                running.seed,
                running.start,
                tuple(running.moves),
                tuple(running.movers),
                tuple(running.boards),
                tuple(running.visits),
                tuple(running.actions),
                position.result,
            )
        )

    def _choose(
        self, running: _RunningGame, visits: tuple[int, ...], priors: tuple[float, ...]
    ) -> int:
        """Return the index of the move to play, given the visits and priors of all moves."""
        if len(running.moves) < self._sampled_plies:
            weights = visits if any(visits) else priors if any(priors) else None
            return running.random.choices(range(len(visits)), weights)[0]
        return max(range(len(visits)), key=lambda at: (visits[at], priors[at]))

    def _make_move(self, running: _RunningGame, index: int, visits: tuple[int, ...]) -> None:
        """Record and make a move, and clear the tree."""
        position = running.position
        running.boards.append(position.cells)
        running.movers.append(position.player_index + 1)
        running.moves.append(index)
        running.visits.append(visits)
        running.actions.append(tuple(position.legal_actions) if visits and self._numbered else ())
        if index == HOST_PASS:
            position.push_pass()
        else:
            position.push(position.legal_moves[index])
        running.tree.clear()
        running.playouts = 0


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


def _outcome_rewards(game: Game, outcome: Outcome) -> list[float]:
    rewards = [0.0] * REWARDS_PER_ROW
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

"""Many positions of a game, stepped together by an array of actions.

Owns the arrays, the division of rows among threads, and errors of rows.  native/vector/ makes the
moves.  numpy is imported when a vector is created; no other file of the folder imports it.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from forthvm.core.arguments import check, read_arguments
from forthvm.core.bindings.vector import EndlessError
from forthvm.core.errors import ActionError, ForthVMError
from forthvm.core.reading import integer, list_of, optional, satisfying
from forthvm.engines.position_arrays import MAX_PLIES
from forthvm.game import Game
from forthvm.game.loading import opened
from forthvm.game.notation import HOST_PASS
from forthvm.game.position import check_position
from forthvm.learn.observations import Observer
from forthvm.system.interrupts import wait_for_end

from .rows_of_game import reward_names, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from forthvm.core.bindings import ActionFinder
    from forthvm.core.bindings.vector import Rows
    from forthvm.game import Position

    Work = Callable[["_Block"], None]

__all__ = ["Vector", "numpy_module", "vector"]

_LEAST_ROWS = 16
"""A thread with fewer rows takes longer to start than to step them."""
_INTERRUPT_INTERVAL = 0.05
"""Seconds between interrupts of runs that must end."""
_POSITIVE = integer(1, 2**31 - 1)
_SEED = integer()
_ARGUMENTS = {
    "n": _POSITIVE,
    "seed": _SEED,
    "threads": optional(_POSITIVE),
    "max_plies": _POSITIVE,
    "starts": list_of(lambda value: value),
    "observer": optional(
        satisfying(
            lambda value: isinstance(value, Observer), "an observer, the result of forthvm.observer"
        )
    ),
}
_SEEDED = {"seed": optional(_SEED)}
_PLAYOUTS = {"count": _POSITIVE, "plies": _POSITIVE, "seed": _SEED}


class _Block:
    """Successive rows, which one VM steps."""

    def __init__(self, rows: Rows, finder: ActionFinder, game: Game, part: slice) -> None:
        self.rows = rows
        self.finder = finder
        self.game = game
        self.part = part


class Vector:
    """Positions of one game, each with a game of its own; `forthvm.vector` creates it.

    A *row* is one of the positions.  In every row a player can choose a move: the moves of chance
    players and the passes of players without moves are made by `step`, and a game that is over is
    replaced by a new one in the same step.  The position of a row depends only on the seed, the
    number of the row, and its actions.

    After a step that ends or truncates a game, `observations` are those of the new game; the last
    observation of the old one is not kept.

    All arrays are allocated once.  `reset` and `step` overwrite them, so copy what you keep.  One
    method runs at a time; other threads wait for it.

    Attributes:
        game: The game.
        contestants: The players with rewards, the columns of `rewards`.
        masks: uint8[n, actions]: 1 for each legal action, else 0.
        movers: int32[n]: index in `game.players` of the player to move; the columns of `rewards`
            are `contestants`, which leave out chance players and neutral ones.
        legal_counts: int32[n]: number of legal moves; moves that do the same are all counted.
        plies: int32[n]: number of moves made in the game, including passes and chance.
        rewards: float32[n, contestants]: `Outcome.returns()` of the game that ended in this step
            by its rules, else 0.
        done: uint8[n]: 1 if the game ended by its rules in this step.
        truncated: uint8[n]: 1 if the game reached `max_plies` in this step.
        observations: float32[n, *observer.spec.shape] of the player to move, None without an
            observer.

    >>> import forthvm
    >>> envs = forthvm.vector("tictactoe", 3, seed=1)
    >>> envs.masks.shape, envs.rewards.shape
    ((3, 9), (3, 2))
    >>> envs.step([0, 4, 8])
    >>> envs.masks.sum(axis=1).tolist(), envs.plies.tolist()
    ([8, 8, 8], [1, 1, 1])
    """

    def __init__(  # noqa: PLR0913 - keyword-only options, each of them documented
        self,
        game: Game,
        n: int,
        *,
        seed: int = 0,
        threads: int | None = None,
        max_plies: int = MAX_PLIES,
        starts: Sequence[Position] = (),
        observer: Observer | None = None,
    ) -> None:
        """Begin `n` games; `vector` documents the arguments."""
        check(game, Game, "Vector", "a game, such as forthvm.load(...) returns")
        n, seed, threads, max_plies, *_ = read_arguments("vector", _ARGUMENTS, locals()).values()
        threads = threads or os.cpu_count() or 1
        if observer is not None and observer.game is not game:
            raise ValueError(
                f"the observer is of another Game object: load {game.name} once, and give it to "
                "both, as in vector(game, n, observer=forthvm.observer(game))"
            )
        numpy = numpy_module()
        self.game = game
        self.contestants = reward_names(game)
        self._starts = tuple(_checked_start(game, start) for start in starts)
        shapes = {
            "masks": ("uint8", (n, len(game.actions))),
            "movers": ("int32", (n,)),
            "counts": ("int32", (n,)),
            "plies": ("int32", (n,)),
            "rewards": ("float32", (n, len(self.contestants))),
            "done": ("uint8", (n,)),
            "truncated": ("uint8", (n,)),
        }
        arrays = {name: numpy.zeros(shape, kind) for name, (kind, shape) in shapes.items()}
        self.masks: NDArray[np.uint8] = arrays["masks"]
        self.movers: NDArray[np.int32] = arrays["movers"]
        self.legal_counts: NDArray[np.int32] = arrays["counts"]
        self.plies: NDArray[np.int32] = arrays["plies"]
        self.rewards: NDArray[np.float32] = arrays["rewards"]
        self.done: NDArray[np.uint8] = arrays["done"]
        self.truncated: NDArray[np.uint8] = arrays["truncated"]
        self.observations: NDArray[np.float32] | None = None
        if observer is not None:
            arrays["observations"] = numpy.zeros((n, *observer.spec.shape), "float32")
            self.observations = arrays["observations"]
        self._numpy = numpy
        self._actions = numpy.zeros(n, "int32")
        count = max(1, min(threads, n // _LEAST_ROWS))
        self._pool = ThreadPoolExecutor(count - 1, "forthvm vector") if count > 1 else None
        first_positions = self._starts or (game.start(),)
        self._blocks = []
        for number in range(count):
            part = slice(n * number // count, n * (number + 1) // count)
            clone, finder = game.clone(), game.actions.finder()
            rows = rows_of(
                clone,
                first_row=part.start,
                count=part.stop - part.start,
                max_plies=max_plies,
                starts=first_positions,
                finder=finder,
                plans=() if observer is None else observer.plans,
                arrays={name: array[part] for name, array in arrays.items()},
            )
            self._blocks.append(_Block(rows, finder, clone, part))
        self._lock = threading.RLock()
        self.seed = seed
        self.reset()

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.movers)

    # --- steps -----------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> None:
        """Begin a new game in each row.

        Args:
            seed: Seed of all random numbers; None: the one of the last `reset`.

        Raises:
            ForthVMError: The script fails, and nothing has changed.
        """
        read_arguments("reset", _SEEDED, locals())
        with self._opened():
            seed = self.seed if seed is None else seed
            self._change(lambda block: block.rows.reset(seed), self._blocks)
            self.seed = seed

    def step(self, actions: ArrayLike) -> None:
        """Make a move in each row, and update the arrays.

        Args:
            actions: int32[n]: a legal action of each row, as a number of `game.actions`.

        Raises:
            ActionError: An action is illegal.
            ValueError: There is not one integer for each row.
            ForthVMError: The script fails.  After any error, all rows are as before; rewards and
                ends are 0.
        """
        given = self._numpy.asarray(actions)
        if given.shape != self._actions.shape or given.dtype.kind not in "iu":
            raise ValueError(
                f"step needs {len(self)} integers, not an array of {given.dtype}{list(given.shape)}"
            )
        with self._opened():
            self._actions[:] = -1
            known = (given >= 0) & (given < self.masks.shape[1])  # others may not fit into 32 bits
            self._actions[known] = given[known]
            for block in self._blocks:
                local = block.rows.illegal(self._actions[block.part])
                if local >= 0:
                    for ends in (self.rewards, self.done, self.truncated):
                        ends[:] = 0
                    row = block.part.start + local
                    raise self._illegal(row, int(given[row]))
            self._change(
                lambda block: block.rows.step(self._actions[block.part]), self._blocks, step=True
            )

    def restart(self, row: int) -> None:
        """Begin the next game of one row, for example after an error of the script.

        Raises:
            IndexError: There is no such row.
            ForthVMError: The script fails, and nothing has changed.
        """
        with self._opened():
            block, local = self._find(row)
            self._change(lambda other: other.rows.restart(local), [block])

    def sample(self, seed: int | None = None) -> NDArray[np.int32]:
        """Return a random legal action of each row: int32[n].

        Args:
            seed: Seed of the random choices; None: the next numbers of streams that `reset` seeds.
        """
        read_arguments("sample", _SEEDED, locals())
        actions = self._numpy.zeros(len(self), "int32")
        with self._opened():
            for block in self._blocks:
                block.rows.sample(seed, actions[block.part])
        return actions  # type: ignore[no-any-return]

    # --- batches ---------------------------------------------------------------------

    def playouts(self, count: int, *, seed: int = 0, plies: int = MAX_PLIES) -> NDArray[np.float32]:
        """Return the mean returns of random games from each row: float32[n, contestants].

        The returns are those of `random_playouts`, scaled from 0 to 1 to -1 to 1.  The rows do not
        change.

        Args:
            count: Number of games from each row.
            seed: Seed of the random moves; row i depends on the seed and i only.
            plies: Maximum length of a game; a longer one is scored by OnEvaluate.

        Raises:
            TypeError, ValueError: An argument has another type, or is out of range.
            ForthVMError: The script fails.
        """
        count, plies, seed = read_arguments("playouts", _PLAYOUTS, locals()).values()
        returns = self._numpy.zeros(self.rewards.shape, "float32")
        with self._opened():
            self._run(
                lambda block: block.rows.playouts(count, plies, seed, returns[block.part]),
                self._blocks,
            )
        return returns  # type: ignore[no-any-return]

    def evaluate(self) -> NDArray[np.int32]:
        """Return the results of OnEvaluate from each contestant's view: int32[n, contestants].

        They are 0 if the script has no OnEvaluate.

        Raises:
            ForthVMError: The script fails.
        """
        values = self._numpy.zeros(self.rewards.shape, "int32")
        with self._opened():
            self._run(lambda block: block.rows.evaluate(values[block.part]), self._blocks)
        return values  # type: ignore[no-any-return]

    # --- single rows -----------------------------------------------------------------

    def position(self, row: int) -> Position:
        """Return a copy of a row's position, with its history.

        Raises:
            IndexError: There is no such row.
        """
        with self._opened():
            block, local = self._find(row)
            moves, start, seed = block.rows.history(local)
        position = self._starts[start].copy() if self._starts else self.game.start()
        position.seed(seed)
        for index in moves:
            if index == HOST_PASS:
                position.push_pass()
            else:
                position.push(position.legal_moves[index])
        return position

    def close(self) -> None:
        """End the threads; the vector cannot be used afterwards."""
        if self._pool is not None:
            self._pool.shutdown()
        self._blocks = []

    def __enter__(self) -> Vector:
        """Return the vector; leaving the block closes it."""
        return self

    def __exit__(self, *_failure: object) -> None:
        """Close the vector."""
        self.close()

    def __repr__(self) -> str:
        return f"<Vector of {len(self)} positions of {self.game.name}>"

    # --- internal --------------------------------------------------------------------

    def _opened(self) -> threading.RLock:
        """Return the lock of all methods.

        Raises:
            ValueError: The vector is closed.
        """
        if not self._blocks:
            raise ValueError("the vector is closed")
        return self._lock

    def _find(self, row: int) -> tuple[_Block, int]:
        for block in self._blocks:
            if block.part.start <= row < block.part.stop:
                return block, row - block.part.start
        raise IndexError(f"there is no row {row}; the rows are 0 to {len(self) - 1}")

    def _change(self, work: Work, blocks: Sequence[_Block], *, step: bool = False) -> None:
        """Run work that changes rows; if it fails, undo it in all blocks and raise."""
        for block in blocks:
            block.rows.begin()
        try:
            self._run(work, blocks, step=step)
        except BaseException:
            for block in blocks:
                block.rows.undo()
            raise
        for block in blocks:
            self.game.actions.count_unnumbered(block.finder)

    def _run(self, work: Work, blocks: Sequence[_Block], *, step: bool = False) -> None:
        """Run work for each block, in parallel; raise the error of the first row that failed."""
        first, *others = blocks
        futures = [self._pool.submit(work, block) for block in others] if self._pool else []
        failure = _failure(work, first)
        interrupted = isinstance(failure, KeyboardInterrupt)
        interruption: BaseException | None = failure if interrupted else None
        failures = [failure]
        for future in futures:
            failure, interruption = _wait_for(future, others, interruption)
            failures.append(failure)
        if interruption is not None:
            raise interruption
        for block, failed in zip(blocks, failures, strict=True):
            if failed is not None:
                raise self._explained(block, failed, step=step)

    def _explained(self, block: _Block, failure: BaseException, *, step: bool) -> BaseException:
        """Return an error with the row that failed."""
        if not isinstance(failure, ForthVMError | EndlessError):
            return failure
        row = block.part.start + block.rows.problem[1]
        action = f", after the action {self._action_text(row)}" if step else ""
        error = failure
        if isinstance(failure, EndlessError):
            error = ForthVMError(f"{self.game.name}: no player ever has a choice between moves")
        error.add_note(f"in row {row} of {self!r}{action}")
        return error

    def _illegal(self, row: int, action: int) -> ActionError:
        mover = self.game.players[self.movers[row]]
        count = self.legal_counts[row]
        return ActionError(
            f"row {row}: the action {self._action_text(row)} is not one of the {count} legal moves "
            f"of {mover}"
            if 0 <= action < len(self.masks[row])
            else f"row {row}: there is no action {action}; the numbers are 0 to "
            f"{len(self.masks[row]) - 1}"
        )

    def _action_text(self, row: int) -> str:
        action = int(self._actions[row])
        return f"{action} ({self.game.actions.text(action)})"


def _failure(work: Work, block: _Block) -> BaseException | None:
    """Run work in this thread, and return its error."""
    try:
        work(block)
    except BaseException as failure:  # the caller raises it when all threads have ended
        return failure
    return None


def _wait_for(
    future: Future[None], blocks: Sequence[_Block], interruption: BaseException | None
) -> tuple[BaseException | None, BaseException | None]:
    """Wait for the work of a block; return its error, and the interruption of this thread.

    After an interruption, such as Ctrl-C, all runs in the blocks are interrupted until they end.
    """
    while True:
        try:
            if interruption is None:
                return wait_for_end(future), None
            for block in blocks:
                block.game._loaded.vm.native.interrupt()
            return future.exception(_INTERRUPT_INTERVAL), interruption
        except TimeoutError:
            continue  # the run had not begun when it was interrupted
        except BaseException as raised:  # perhaps another Ctrl-C
            interruption = raised


def _checked_start(game: Game, position: Position) -> Position:
    check_position(position, "starts")
    if position.game is not game:
        raise ValueError("a start belongs to another game (Position.copy(game=...) transfers it)")
    if position.result is not None:
        raise ValueError(f"a start is decided: {position.result}")
    return position.copy()


def vector(  # noqa: PLR0913 - keyword-only options, each of them documented
    game: Game | str | os.PathLike[str],
    n: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    max_plies: int = MAX_PLIES,
    starts: Sequence[Position] = (),
    observer: Observer | None = None,
) -> Vector:
    """Begin `n` games that are stepped together.

    Args:
        game: A game, or a name or path for `forthvm.load`.  Its actions must not change while the
            vector is used.
        n: Number of rows.
        seed: Seed of all random numbers: of chance players, of `Vector.sample`, and of the script's
            random streams in each game.
        threads: Maximum number of threads; None: the number of processors.  Results do not depend
            on it.
        max_plies: Length at which a game is truncated.
        starts: First positions of the games, in rotation; empty for `game.start()`.
        observer: Describes `Vector.observations`; a result of `forthvm.observer` for the same
            `Game` object, not its name.  It sees no boards before the starts.

    Raises:
        TypeError, ValueError: An argument has another type or is out of range, a start is decided,
            or a start or the observer is of another `Game` object.
        ForthVMError: numpy is not installed, or the script fails.
    """
    return Vector(
        opened(game, "vector"),
        n,
        seed=seed,
        threads=threads,
        max_plies=max_plies,
        starts=starts,
        observer=observer,
    )


def numpy_module() -> Any:  # noqa: ANN401 - the types of a module cannot be declared
    """Import numpy.

    Raises:
        ForthVMError: numpy is not installed.
    """
    try:
        import numpy
    except ImportError as error:
        raise ForthVMError(
            f"forthvm.vector needs the package numpy: {error}",
            hints=("install it: pip install 'forthvm[learn]'",),
        ) from error
    return numpy

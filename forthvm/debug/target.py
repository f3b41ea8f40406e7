"""What a debugger runs: a word, a line, the questions and moves of a game, a search.

Owns how each begins and which operations it consists of.  Every target does the same again
from the same state, which is what going backwards rests on.  It must not know how it is
stopped.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from forthvm.core.border import SearchLimits
from forthvm.core.errors import ForthVMError
from forthvm.core.source import Text
from forthvm.game.arguments import check_position, check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from forthvm.core.border import NativeVM
    from forthvm.core.vm import VM
    from forthvm.game import Game, Position

__all__ = ["Target", "line_target", "moves_target", "play_target", "search_target", "word_target"]

#: Nodes of a search that nobody limits: a debugger is not to think for ever.
SEARCH_NODES = 100_000


class Target:
    """Something that can be run again and again.

    Attributes:
        vm: The VM it runs in.
        game: The game it belongs to, None for a bare VM.
        position: The position it starts from, None for a bare VM.
        label: What people are told it is.
        spec: The same as JSON, for recordings.
        operations: What is done, in order; between them the state is a snapshot's.
    """

    def __init__(  # noqa: PLR0913 - a record
        self,
        vm: VM,
        label: str,
        spec: dict[str, object],
        operations: Sequence[Callable[[], object]],
        *,
        position: Position | None = None,
        listed: bool = False,
    ) -> None:
        self.vm = vm
        self.label = label
        self.spec = spec
        self.operations = tuple(operations)
        self.position = position
        self.game: Game | None = position.game if position is not None else None
        self._listed = listed

    def borrow(self) -> AbstractContextManager[object]:
        """Bring the memory that it starts from, which nobody else uses in the meantime."""
        if self.position is None:
            return nullcontext()
        return self.position.game.states.borrowed(self.position._state, listed=self._listed)


def word_target(vm: VM, word: str, *args: int, position: Position | None = None) -> Target:
    """A word, run with some cells on the stack, in a position of a game if one is given.

    Raises:
        UndefinedWord: There is no such word.
    """
    token = vm.token(word)

    def run() -> tuple[int, ...]:
        base = vm.native.depth()
        vm.push(*args)
        vm.native.execute(token)
        return vm._take(min(base, vm.native.depth()))

    label = " ".join([*map(str, args), word])
    spec: dict[str, object] = {"kind": "word", "word": word, "args": list(args)}
    if position is not None:
        spec = _spec("word", position) | spec
    return Target(vm, label, spec, [run], position=position, listed=True)


def line_target(vm: VM, text: str, *, position: Position | None = None) -> Target:
    """A text, as if it were typed, in a position of a game if one is given."""
    native = vm.native
    data = native.codec.encode(text)
    base = native.source_add(len(data))
    vm._loader.table.add(Text("<line>", data, base, native.codec.encoding))

    def run() -> tuple[int, ...]:
        depth = native.depth()
        native.interpret(data, base)
        return tuple(native.pick(n) for n in range(native.depth() - depth - 1, -1, -1))

    spec: dict[str, object] = {"kind": "line", "text": text}
    if position is not None:
        spec = _spec("line", position) | spec
    return Target(vm, text.strip(), spec, [run], position=position, listed=True)


def moves_target(position: Position) -> Target:
    """The moves of a position, generated."""
    check_position(position, "moves_target")
    native = position.game.vm.native

    def run() -> tuple[str, ...]:
        native.game_generate()
        return tuple(native.move_text(move) for move in native.move_list())

    spec = _spec("moves", position)
    return Target(position.game.vm, "moves", spec, [run], position=position)


def play_target(position: Position, *moves: str) -> Target:
    """Moves played one after the other, with the questions that the host puts after each.

    Raises:
        MoveError: The first move is not legal there; of later ones the operation fails.
    """
    check_position(position, "play_target")
    for move in moves:
        check_text(move, "play_target")
    if not moves:
        raise ForthVMError("no move to be played was named")
    native = position.game.vm.native
    first = position._find(moves[0])
    operations: list[Callable[[], object]] = []
    for at, text in enumerate(moves):
        operations += [_make(position, native, text, first if at == 0 else None), *_ask(native)]
    spec = _spec("play", position) | {"play": list(moves)}
    label = f"play {'; '.join(moves)}"
    return Target(position.game.vm, label, spec, operations, position=position, listed=True)


def _make(
    position: Position, native: NativeVM, text: str, index: int | None
) -> Callable[[], object]:
    def run() -> object:
        moves = native.move_list()
        at = index
        if at is None:
            texts = [native.move_text(move) for move in moves]
            if text not in texts:
                raise ForthVMError(f"{text!r} is not a legal move there")
            at = texts.index(text)
        partial = native.game_make(moves[at])
        native.game_free_lists()
        return "goes on" if partial else "made"

    return run


def _ask(native: NativeVM) -> list[Callable[[], object]]:
    """What a host does on arrival: it generates, asks whether the game is over, generates."""

    def generate() -> tuple[str, ...]:
        native.game_generate()
        return tuple(native.move_text(move) for move in native.move_list())

    return [generate, native.game_over, generate]


def search_target(
    position: Position, *, engine: str = "axiom", depth: int = 3, nodes: int = SEARCH_NODES
) -> Target:
    """A search for a move.

    Args:
        position: Where.
        engine: `axiom`, the original's alpha-beta, or `script`, the engine that the script
            names for the player to move.
        depth: Plies.
        nodes: Positions at most, 0: no limit.  There is none of time, which is never the same.

    Raises:
        ForthVMError: There is no such engine.
    """
    check_position(position, "search_target")
    native = position.game.vm.native
    limits = SearchLimits(depth, 0, nodes, 0.0)

    def axiom() -> object:
        result = native.search_axiom(limits)
        best = native.move_text(result.best) if result.best else ""
        return f"{best or 'no move'}, score {result.score}, {result.nodes} positions"

    def script() -> object:
        result = native.engine_run(limits)
        if result.failure is not None:
            raise result.failure
        return f"{result.best or 'no move'}, score {result.score}, {result.nodes} positions"

    runs: dict[str, Callable[[], object]] = {"axiom": axiom, "script": script}
    if engine not in runs:
        raise ForthVMError(f"a debugger knows the engines axiom and script, not {engine!r}")
    spec = _spec("search", position) | {"engine": engine, "depth": depth, "nodes": nodes}
    label = f"search {engine}, depth {depth}"
    return Target(position.game.vm, label, spec, [runs[engine]], position=position, listed=True)


def _spec(kind: str, position: Position) -> dict[str, object]:
    """A target as JSON: where the position comes from, by the moves that led to it."""
    game = position.game
    return {
        "kind": kind,
        "game": game.name,
        "digest": game.digest,
        "moves": [played.text for played in position.history],
    }


@contextmanager
def clock_stopped(vm: VM) -> Iterator[None]:
    """While a target is run more than once, SYSTEM-TIME answers the same, and nothing is timed."""
    import time

    from forthvm.core.records import Option

    native = vm.native
    fixed, clock = native.get_option(Option.FIXED_CLOCK), native.get_option(Option.CLOCK)
    limits = native.run_limits
    if not fixed:
        native.set_option(Option.CLOCK, int(time.time()))
        native.set_option(Option.FIXED_CLOCK, 1)
    native.run_limits = (limits[0] if limits else 0, 0.0)
    try:
        yield
    finally:
        native.set_option(Option.FIXED_CLOCK, fixed)
        native.set_option(Option.CLOCK, clock)
        native.run_limits = limits

"""Targets of the debugger: a word, a line, the moves of a position, a game, a search.

Owns the initial state of each target and its operations.  A target is the code that a session
debugs.  It is deterministic, because reverse execution runs it again.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from forthvm.core.arguments import check_text
from forthvm.core.bindings import SearchLimits
from forthvm.core.errors import ForthVMError, Interrupted
from forthvm.core.loading.source import Text
from forthvm.game.matching import find_move
from forthvm.game.position import check_position

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from forthvm.core.bindings import NativeVM
    from forthvm.core.vm import VM
    from forthvm.game import Game, Position

__all__ = [
    "Target",
    "engine_target",
    "line_target",
    "moves_target",
    "new_game_target",
    "play_target",
    "search_target",
    "word_target",
]

#: The default limit of a search, in nodes.
SEARCH_NODES = 100_000


class Target:
    """A deterministic sequence of operations on a VM.

    Attributes:
        vm: The VM.
        game: The game; None for a VM without a game.
        position: The position in which the target starts; None without a game or before the game
            begins.
        label: A description for the user.
        spec: A description as JSON, for recordings.
        operations: The operations, in order; a snapshot can be taken between them.
        has_several_runs: Whether an operation starts several runs of the VM, as engines do.
        interprets: Whether the operations interpret texts.
        loads: Whether these texts are files, which are loaded.
    """

    def __init__(  # noqa: PLR0913 - a record
        self,
        vm: VM,
        label: str,
        spec: dict[str, object],
        operations: Sequence[Callable[[], object]],
        *,
        position: Position | None = None,
        game: Game | None = None,
        needs_move_list: bool = False,
        has_several_runs: bool = False,
        interprets: bool = False,
        loads: bool = False,
    ) -> None:
        self.vm = vm
        self.label = label
        self.spec = spec
        self.operations = tuple(operations)
        self.position = position
        self.game: Game | None = position.game if position is not None else game
        self.has_several_runs = has_several_runs
        self.interprets = interprets or loads
        self.loads = loads
        self._needs_move_list = needs_move_list

    def prepared(self) -> AbstractContextManager[object]:
        """Lock the VM and restore the memory with which the target starts, for a `with` block."""
        if self.position is None:
            return nullcontext() if self.game is None else _after_loading(self.game)
        states = self.position._loaded.states
        return states.in_memory(self.position._state, listed=self._needs_move_list)


@contextmanager
def _after_loading(game: Game) -> Iterator[NativeVM]:
    """Provide the game's VM with the memory after loading."""
    with game._loaded.states.lock:
        yield game._loaded.states.restore_base(game._loaded.base)


def word_target(vm: VM, word: str, *args: int, position: Position | None = None) -> Target:
    """Return the target that runs a word.

    Args:
        vm: The VM.
        word: The name of the word.
        args: The items pushed before the word runs.
        position: The position in which the word runs; None for the VM's current state.

    Raises:
        UndefinedWord: The word is not defined.
    """
    xt = vm.token(word)

    def run() -> tuple[int, ...]:
        depth_before = vm.native.depth()
        vm.push(*args)
        vm.native.execute(xt)
        return vm.pop_above(min(depth_before, vm.native.depth()))

    label = " ".join([*map(str, args), word])
    spec: dict[str, object] = {"kind": "word", "word": word, "args": list(args)}
    if position is not None:
        spec = _spec("word", position) | spec
    needs_move_list = _needs_move_list(position)
    return Target(vm, label, spec, [run], position=position, needs_move_list=needs_move_list)


def line_target(vm: VM, text: str, *, position: Position | None = None) -> Target:
    """Return the target that interprets a line of Forth, in `position` if it is given."""
    native = vm.native
    source = native.codec.encode(text)
    source_position = native.source_add(len(source))
    line = Text("<line>", source, source_position, native.codec.encoding)
    vm.sources.add(line)

    def run() -> tuple[int, ...]:
        depth_before = native.depth()
        if vm.standard is not None:
            vm.standard.run(line)
        else:
            native.interpret(source, source_position)
        return tuple(native.pick(n) for n in range(native.depth() - depth_before - 1, -1, -1))

    spec: dict[str, object] = {"kind": "line", "text": text}
    if position is not None:
        spec = _spec("line", position) | spec
    return Target(
        vm,
        text.strip(),
        spec,
        [run],
        position=position,
        interprets=True,
        needs_move_list=_needs_move_list(position),
    )


def moves_target(position: Position) -> Target:
    """Return the target that generates the moves of a position."""
    check_position(position, "moves_target")
    native = position._loaded.vm.native

    def run() -> tuple[str, ...]:
        native.game_generate()
        return native.list_texts()

    spec = _spec("moves", position)
    return Target(position._loaded.vm, "moves", spec, [run], position=position)


def new_game_target(game: Game) -> Target:
    """Return the target that starts a game: OnNewGame, the set-up, and the host's first queries."""
    native = game._loaded.vm.native
    operations = [native.game_new, native.game_setup, *_host_queries(native)]
    spec: dict[str, object] = {"kind": "new-game", "game": game.name, "digest": game.digest}
    return Target(game._loaded.vm, "new game", spec, operations, game=game)


def play_target(position: Position, *moves: str) -> Target:
    """Return the target that plays moves in order, with the host's queries after each move.

    `Position.parse` describes the texts of moves.  If the script fails while it generates the moves
    of the position, the target begins with the host's queries.

    Raises:
        MoveError: The first move is not legal.  An illegal later move fails when it is played.
    """
    check_position(position, "play_target")
    for move in moves:
        check_text(move, "play_target")
    if not moves:
        raise ForthVMError("no move to play was given")
    vm = position._loaded.vm
    native = vm.native
    operations: list[Callable[[], object]] = []
    can_list = _can_list(position)
    if not can_list:
        operations += _host_queries(native)
    else:
        position._move_of_text(moves[0])
    for text in moves:
        operations += [_make_move(position, native, text), *_host_queries(native)]
    spec = _spec("play", position) | {"play": list(moves)}
    label = f"play {'; '.join(moves)}"
    return Target(vm, label, spec, operations, position=position, needs_move_list=can_list)


def _needs_move_list(position: Position | None) -> bool:
    """Whether the move list should be in memory when the target starts."""
    return position is not None and _can_list(position)


def _can_list(position: Position) -> bool:
    """Whether the result and the moves of a position can be computed without an error."""
    try:
        _ = position.result, position.legal_moves
    except Interrupted:
        raise
    except ForthVMError:
        return False
    return True


def _is_pass(text: str) -> bool:
    return text.strip().casefold() == "pass"


def _make_move(position: Position, native: NativeVM, text: str) -> Callable[[], object]:
    """Return the operation that makes the move with a text."""
    game = position.game

    def run() -> object:
        moves = native.move_list()
        if not moves and _is_pass(text):  # a player without moves must pass
            native.game_end_turn()
            native.game_free_lists()
            return "passed"
        index = find_move(
            text,
            native.list_texts(),
            squares=game._loaded.position_index.keys(),
            names=game._loaded.names,
            player=_player_to_move(native),
        )
        is_partial = native.game_make(moves[index])
        native.game_free_lists()
        return "goes on" if is_partial else "made"

    return run


def _player_to_move(native: NativeVM) -> str:
    name = native.variable("$playerName")
    return native.read_string(name) if name else "the player to move"


def _host_queries(native: NativeVM) -> list[Callable[[], object]]:
    """Return the host's queries for a new position: moves, OnIsGameOver, and moves again."""

    def generate() -> tuple[str, ...]:
        native.game_generate()
        return native.list_texts()

    return [generate, native.game_over, generate]


def search_target(
    position: Position, *, engine: str = "axiom", depth: int = 3, nodes: int = SEARCH_NODES
) -> Target:
    """Return the target that searches for a move.

    Args:
        position: The root.
        engine: `axiom` for the original's alpha-beta search, or `script` for the engine that the
            script names for the player to move.
        depth: The limit in plies.
        nodes: The limit in positions; 0 for no limit.  A time limit would not be deterministic.

    Raises:
        ForthVMError: The engine is unknown.
    """
    check_position(position, "search_target")
    vm = position._loaded.vm
    native = vm.native
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

    searches: dict[str, Callable[[], object]] = {"axiom": axiom, "script": script}
    if engine not in searches:
        raise ForthVMError(f"the debugger runs the engines axiom and script, not {engine!r}")
    spec = _spec("search", position) | {"engine": engine, "depth": depth, "nodes": nodes}
    label = f"search {engine}, depth {depth}"
    can_list = _can_list(position)
    search = searches[engine]
    operations = [search] if can_list else [*_host_queries(native), search]
    return Target(vm, label, spec, operations, position=position, needs_move_list=can_list)


def engine_target(
    position: Position, name: str, choose_move: Callable[[Position], object]
) -> Target:
    """Return the target in which an engine chooses a move.

    Args:
        position: The root.
        name: The name of the engine.
        choose_move: The function that runs the engine.  Its argument is a copy of the position,
            because the target may run several times.
    """
    spec = _spec("engine", position) | {"engine": name}
    label = f"engine {name}"

    def run() -> object:
        return choose_move(position.copy())

    return Target(position._loaded.vm, label, spec, [run], position=position, has_several_runs=True)


def _spec(kind: str, position: Position) -> dict[str, object]:
    """Return the JSON description of a target, with the moves that led to its position."""
    game = position.game
    return {
        "kind": kind,
        "game": game.name,
        "digest": game.digest,
        "moves": [played.text for played in position.history],
    }


@contextmanager
def clock_stopped(vm: VM) -> Iterator[None]:
    """Fix SYSTEM-TIME and remove time limits in the block, so that targets are deterministic."""
    import time

    from forthvm.core.records import Option

    native = vm.native
    was_fixed, clock = native.get_option(Option.FIXED_CLOCK), native.get_option(Option.CLOCK)
    limits = native.run_limits
    if not was_fixed:
        native.set_option(Option.CLOCK, int(time.time()))
        native.set_option(Option.FIXED_CLOCK, 1)
    max_steps = limits[0] if limits else 0
    native.run_limits = (max_steps, 0.0)
    try:
        yield
    finally:
        native.set_option(Option.FIXED_CLOCK, was_fixed)
        native.set_option(Option.CLOCK, clock)
        native.run_limits = limits

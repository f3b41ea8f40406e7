"""Checks that every game must pass, bundled or recorded.

Owns the list of games and the checks of one position, which hold in every game.
"""

from __future__ import annotations

import math
import os
import pickle
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import forthvm
from forthvm.core.bindings import NativeVM, Snapshot
from forthvm.core.errors import AmbiguousMoveError
from tests.golden_runner.host import CLOCK
from tests.golden_runner.records import GAMES
from tests.kit.every_game import BUNDLED

__all__ = [
    "CASES",
    "PLAYOUTS",
    "PLIES",
    "Case",
    "Playout",
    "check_board_undo",
    "check_copies",
    "check_copies_in_a_game",
    "check_hash",
    "check_moves_of_some_positions",
    "check_notation",
    "check_push_pop",
    "check_undo",
    "duplicates",
    "playout",
]

PLIES = 1500  # limit of a random game; a longer one is counted as not ended
PLAYOUTS = int(os.environ.get("FORTHVM_PLAYOUTS", "0"))  # for all games together; 0: a few for each

duplicates: Counter[str] = Counter()  # positions with equal move texts, by game


@dataclass(frozen=True)
class Case:
    """A game to be tested; a bundled one must have perft counts and a transcript."""

    name: str
    path: Path
    bundled: bool
    axiom: int

    def __str__(self) -> str:
        return self.name if self.bundled else f"golden-{self.name}-{self.axiom}"

    @cache  # noqa: B019 - games stay loaded for the whole session
    def game(self) -> forthvm.Game:
        """The loaded game."""
        return forthvm.load(self.path, axiom=self.axiom, clock=CLOCK, output=lambda text: None)

    def start(self) -> forthvm.Position:
        """Its first position."""
        return self.game().start()


def _cases() -> list[Case]:
    found = [Case(entry.name, entry.path, True, 150) for entry in BUNDLED]
    for path in sorted(GAMES.glob("*.4th")):
        found += [Case(path.stem, path, False, axiom) for axiom in (140, 150)]
    return found


CASES = _cases()


# --- one position ------------------------------------------------------------------------


def memory_snapshot(position: forthvm.Position) -> Snapshot:
    """A snapshot of the VM with the position and its move list in memory."""
    with position._in_memory() as native:
        return native.snapshot_take()


def visible_state(position: forthvm.Position) -> tuple[object, ...]:
    """Everything that a host can read of a position."""
    return (
        position.turn,
        position.ply,
        position.turn_number,
        position.is_partial,
        position.cells,
        position.key,
        position._code,
        tuple(str(move) for move in position.legal_moves),
        position.random_state,
    )


def check_push_pop(position: forthvm.Position, index: int) -> None:
    """Check that making and unmaking a move restores the position exactly."""
    before, twin = visible_state(position), position.copy()
    check_undo(position, index)
    assert position == twin
    assert visible_state(position) == before
    check_derived(position)


def check_undo(position: forthvm.Position, index: int) -> None:
    """Check that making and unmaking a move restores memory and stack."""
    before, ply = memory_snapshot(position), position.ply
    position.push(position.legal_moves[index])
    assert position.ply == ply + 1
    position.pop()
    assert position.ply == ply
    assert memory_snapshot(position).equal(before)


def check_derived(position: forthvm.Position) -> None:
    """Check that memory derived again from the position's stored state is unchanged."""
    before, state = memory_snapshot(position), position._state
    if state.engine_ran:  # an engine ran here: its changes cannot be derived
        return
    state.listed = state.moves = state.texts = None
    position.game._loaded.states.release()
    assert memory_snapshot(position).equal(before)


def check_board_undo(position: forthvm.Position) -> None:
    """Check that applying moves to a cloned board, as searches do, leaves the board unchanged."""
    vm = position.game._loaded.vm
    with position._in_memory() as native:
        # A partial move sets these two variables outside the board; the caller restores them.
        variables = [vm.call(name)[0] for name in ("$partial", "$ofType")]
        before = [native.read(address, 4) for address in variables]
        board, here = _board(native), native.here()
        position_hash, depth = native.position_hash(), native.depth()
        for move in native.move_list():
            vm.call("$CloneBoard")
            (token,) = vm.call(".moveCFA", move)
            vm.call("EXECUTE", token)
            vm.call("$DeallocateBoard")
            for address, cell in zip(variables, before, strict=True):
                native.write(address, cell)
            assert (_board(native), native.here()) == (board, here)
            assert native.position_hash() == position_hash
            assert native.depth() == depth


def _board(native: NativeVM) -> bytes:
    address, size = native.variable("$board"), native.variable("$boardSize")
    assert address is not None
    assert size is not None
    return native.read(address, size)


def check_hash(position: forthvm.Position) -> None:
    """Check that the hash depends on the position only, and that each move changes it."""
    read_back = forthvm.Position.from_json(position.game, position.to_json())
    assert read_back.key == position.key
    before, cells = position.key, position.cells
    for move in position.legal_moves if position.result is None else ():
        position.push(move)
        assert position.cells == cells or position.key != before, str(move)
        position.pop()
        assert position.key == before


def check_notation(case: Case, position: forthvm.Position) -> None:
    """Check that parsing a move's text gives the move; count positions with equal texts."""
    texts = [str(move) for move in position.legal_moves]
    doubled = {text for text, times in Counter(texts).items() if times > 1}
    duplicates[case.name] += bool(doubled)
    for move, text in zip(position.legal_moves, texts, strict=True):
        if not text:
            continue
        try:
            parsed = position.parse(text)
        except AmbiguousMoveError:
            assert text in doubled, text
            continue
        assert str(parsed) == text
        assert text in doubled or parsed.index == move.index


def check_copies(position: forthvm.Position) -> None:
    """Check that copies by `copy`, pickle and document are equal and continue equally."""
    twins = {
        "copy": position.copy(),
        "pickle": pickle.loads(pickle.dumps(position)),
        "document": forthvm.Position.from_json(position.game, position.to_json()),
    }
    for how, twin in twins.items():
        assert twin == position, how
        assert visible_state(twin) == visible_state(position), how
        assert twin.history == position.history, how
    if position.result is None and position.legal_moves:
        onward = position.copy()
        onward.push(onward.legal_moves[-1])
        for how, twin in twins.items():
            twin.push(twin.legal_moves[-1])
            assert twin == onward, how
            assert visible_state(twin) == visible_state(onward), how


# --- random games --------------------------------------------------------------------------


@dataclass
class Playout:
    """A random game: its seed, the indices and texts of its moves, and whether it ended."""

    seed: int
    indices: list[int]
    texts: list[str]
    ended: bool


def steps(position: forthvm.Position, seed: int, plies: int = PLIES) -> Iterator[int]:
    """Play a random game; yield the index of each move before it is made, -1 for a pass."""
    chooser = random.Random(seed)
    for _ in range(plies):
        if position.result is not None:
            return
        count = len(position.legal_moves)
        if count == 0:
            yield -1
            position.push_pass()
            continue
        index = chooser.randrange(count)
        yield index
        position.push(position.legal_moves[index])


def playout(position: forthvm.Position, seed: int, plies: int = PLIES) -> Playout:
    """Play a random game without checks."""
    indices = list(steps(position, seed, plies))
    texts = [str(played) for played in position.history]
    return Playout(seed, indices, texts, position.result is not None)


# --- checks along a random game --------------------------------------------------------------


def check_moves_of_some_positions(case: Case, most: int) -> None:
    """Check moves that a random game does not play, in some positions of a game, `most` in each."""
    position = case.start()
    for index in steps(position, seed=11, plies=24):
        if position.ply % 6 == 0 and index >= 0:
            check_board_undo(position)
            moves = len(position.legal_moves)
            for tested in range(0, moves, max(1, math.ceil(moves / most))):
                check_push_pop(position, tested)
        check_notation(case, position)


def check_copies_in_a_game(case: Case) -> None:
    """Check copies in some positions of a random game, and after partial moves."""
    position, checked = case.start(), 0
    check_copies(position)
    for _ in steps(position, seed=5, plies=60):
        if position.is_partial or position.ply % 15 == 0:
            check_copies(position)
            checked += 1
            if checked >= 8:
                break

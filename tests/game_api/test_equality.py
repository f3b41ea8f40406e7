"""Equality of positions: `==` and `key`.

The expected equality is computed from board, turn and earlier occurrences of the position.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import forthvm
from forthvm.core.bindings.layout import REPETITIONS
from forthvm.game import Position
from tests.kit.every_game import BUNDLED, every_game
from tests.kit.games import load_text, loaded
from tests.kit.processes import output_of
from tests.kit.random_games import push_random_move, random_game

GAMES = [game.name for game in BUNDLED]
TRANSPOSITIONS = 6
"""Number of transpositions to find in each game."""


class Description(NamedTuple):
    """The visible parts of a position, and the number of earlier occurrences."""

    cells: tuple[int, ...]
    turn: int
    player: str
    partial: bool
    earlier_occurrences: int


def visible_state(position: Position) -> tuple[object, ...]:
    return position.cells, position._turn_index, position.turn, position.is_partial


def describe(position: Position, path: list[tuple[object, ...]]) -> Description:
    return Description(*visible_state(position), path.count(visible_state(position)))  # type: ignore[arg-type]


def play_randomly(position: Position, plies: int, rng: random.Random) -> list[tuple[object, ...]]:
    """Make random moves; return the visible states before each move."""
    path = []
    for _ in range(plies):
        path.append(visible_state(position))
        if not push_random_move(position, rng):
            break
    return path


def line_from(
    position: Position, plies: int, rng: random.Random
) -> tuple[Position, list[tuple[str, str]], list[tuple[object, ...]]]:
    """Return a random line: its last position, its moves with players, and its visible states."""
    end = position.copy()
    moves, path = [], []
    for _ in range(plies):
        if end.result is not None or end.is_stuck:
            break
        move = end.legal_moves[rng.randrange(len(end.legal_moves))]
        moves.append((end.turn, str(move)))
        path.append(visible_state(end))
        end.push(move)
    return end, moves, path


def follow(
    position: Position, moves: list[tuple[str, str]]
) -> tuple[Position, list[tuple[object, ...]]] | None:
    """Make the same moves from another position; return None if one is not legal."""
    end = position.copy()
    path = []
    for player, text in moves:
        if end.result is not None or end.turn != player or text not in end.legal_moves.texts:
            return None
        path.append(visible_state(end))
        end.push(end.legal_moves[end.legal_moves.texts.index(text)])
    return end, path


def other_order(moves: list[tuple[str, str]], rng: random.Random) -> list[tuple[str, str]] | None:
    """Return the moves with two moves of one player exchanged, None if that is impossible."""
    pairs = [
        (first, second)
        for first in range(len(moves))
        for second in range(first + 1, len(moves))
        if moves[first][0] == moves[second][0] and moves[first] != moves[second]
    ]
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    other = list(moves)
    other[first], other[second] = other[second], other[first]
    return other


def transpositions(name: str, number: int, *, attempts: int) -> list[tuple[Position, Position]]:
    """Find pairs of positions reached by two orders of moves, without `==` and `key`."""
    game, rng, found = forthvm.load(name), random.Random(14), []
    turns = len(game.turn_order)
    for _ in range(attempts):
        root = game.start()
        before = play_randomly(root, rng.randrange(24), rng)
        for _ in range(8):
            plies = rng.choice((3, turns + 1, 2 * turns + 1))
            end, moves, path = line_from(root, plies, rng)
            exchanged = other_order(moves, rng)
            line = follow(root, exchanged) if exchanged else None
            if line is None:
                continue
            other_end, other_path = line
            if describe(end, before + path) == describe(other_end, before + other_path):
                found.append((end, other_end))
        if len(found) >= number:
            break
    return found


@every_game()
def test_transpositions_are_equal(name: str) -> None:
    found = transpositions(name, TRANSPOSITIONS, attempts=400)
    assert found, "no two orders of moves led to the same position"
    for first, second in found:
        assert first == second
        assert first.key == second.key


@every_game()
def test_equal_keys_mean_equal_play(name: str) -> None:
    """Positions with the same key have the same visible state, moves and result."""
    game, rng = forthvm.load(name), random.Random(15)
    known: dict[int, tuple[object, ...]] = {}
    for _ in range(4):
        position = game.start()
        while position.ply < 30:
            unread = position.copy()  # reading a position must not change it
            play = (visible_state(position), position.legal_moves.texts, position.result)
            assert known.setdefault(position.key, play) == play
            assert unread == position
            assert unread.key == position.key
            if not push_random_move(position, rng):
                break
    assert len({play[0] for play in known.values()}) > 20


@every_game()
def test_scratch_memory_does_not_influence_play(name: str) -> None:
    """A game continues equally after scratch memory was cleared."""
    game, rng = forthvm.load(name), random.Random(16)
    for plies in (0, 7, 16, 25):
        position = game.start()
        play_randomly(position, plies, rng)
        assert position.key is not None
        without_scratch = position._state.normalized
        assert without_scratch is not None
        passes = position._state.skipped
        state = game._loaded.states.from_memory(
            without_scratch[0], skipped=passes, engine_memory=None
        )
        cleared = Position(game, state)
        for _ in range(6):
            assert cleared.legal_moves.texts == position.legal_moves.texts
            assert cleared.result == position.result
            if position.result is not None or position.is_stuck:
                break
            index = rng.randrange(len(position.legal_moves))
            cleared.push(cleared.legal_moves[index])
            position.push(position.legal_moves[index])


PRINT_KEYS = """
import json, sys
from tests.game_api.test_equality import keys_along
print(json.dumps({name: keys_along(name) for name in sys.argv[1:]}))
"""


def keys_along(name: str) -> list[int]:
    """Return the keys of some positions of a game."""
    reached = random_game(forthvm.load(name).start(), 6, random.Random(17))
    return [position.key for position in reached]


@pytest.mark.slow
@pytest.mark.parametrize(
    "names", [["tictactoe", "chess", "ur"], pytest.param(GAMES, marks=pytest.mark.slow)]
)
def test_keys_are_the_same_in_every_process(names: list[str]) -> None:
    checkout = Path(__file__).resolve().parents[2]
    environment = {"PYTHONHASHSEED": "14", "PYTHONPATH": str(checkout)}
    keys = json.loads(output_of(sys.executable, "-c", PRINT_KEYS, *names, **environment))
    assert keys == {name: keys_along(name) for name in names}
    assert all(0 <= key < 2**64 for keys_of_game in keys.values() for key in keys_of_game)


# --- memory that belongs to a position -----------------------------------------------


BOARD = """
{{board 1 4 {{grid}} board}}
{{players {{player}} A {{player}} B players}}
{{turn-order {{turn}} A {{turn}} B turn-order}}
{words}
{{moves put-moves {{move}} put moves}}
{{pieces {{piece}} stone {{drops}} put-moves pieces}}
{hooks}
"""
PUT = ": put empty? verify create add-move ;"


def position_of(folder: Path, words: str, hooks: str = "") -> Position:
    return load_text(folder, BOARD.format(words=words, hooks=hooks)).start()


def two_orders(start: Position) -> tuple[Position, Position]:
    """Return two ends of a game with the same drops.

    A drops on the first and the third square in either order; in between, B drops on the second.
    """
    ends = []
    for order in ((0, 1, 2), (2, 1, 0)):
        end = start.copy()
        for square in order:
            name = start.game._loaded.square(square)
            text = next(text for text in end.legal_moves.texts if text.endswith(name))
            end.push(text)
        ends.append(end)
    return ends[0], ends[1]


def are_equal(first: Position, second: Position) -> bool:
    """Return whether two positions with equal boards are equal; check keys."""
    assert (first == second) == (first.key == second.key)
    return first == second


# Scripts with memory on which no position depends: the words before the sections, and the hooks.
SCRATCH = {
    "no variables": (PUT, ""),
    "written before it is read": (
        "VARIABLE last : put empty? verify here last ! create last @ DROP add-move ;",
        "",
    ),
    "written by OnGenerateMoves for move words": (
        "VARIABLE mine : put empty? verify mine @ DROP create here mine ! add-move ;",
        ": OnGenerateMoves 7 mine ! ;",
    ),
    "written by a word that is called": (
        "VARIABLE last : write-last here last ! ; : read-last last @ ;"
        " : put empty? verify write-last read-last DROP create add-move ;",
        "",
    ),
    "never read": ("VARIABLE last : put empty? verify here last ! create add-move ;", ""),
    "an array that OnForget clears": (
        "4 [] marks : put empty? verify here 0 marks ! create 0 marks @ DROP add-move ;",
        ": OnForget 0 marks 4 CELLS ERASE ;",
    ),
    "memory beyond HERE": (": put empty? verify here HERE 4000 + ! create add-move ;", ""),
}
WRITES_LAST = (
    "VARIABLE last : noted ( pos -- ) last ! ;"
    " : put empty? verify here COMPILE-LITERAL COMPILE noted create add-move ;"
)
"""Each move, when it is made, stores its board position in the variable `last`."""
# Scripts whose positions depend on the variable `last`.
STATE = {
    "read by OnIsGameOver": (
        WRITES_LAST,
        ": OnIsGameOver last @ 99 = IF #WinScore ELSE #UnknownScore ENDIF ;",
    ),
    "read by a move word": (WRITES_LAST.replace("create add", "last @ DROP create add"), ""),
    "read by OnEvaluate": (WRITES_LAST, ": OnEvaluate last @ ;"),
    "read by OnNextTurn": (WRITES_LAST, ": OnNextTurn last @ DROP OnNextTurn ;"),
    "read by a word that is run by its token": (
        WRITES_LAST,
        ": read-last last @ ; : OnEvaluate ['] read-last EXECUTE ;",
    ),
    "read through a DEFER": (
        WRITES_LAST + " : read-last last @ ; DEFER reader ' read-last IS reader",
        ": OnEvaluate reader ;",
    ),
    "not written on every path before it is read": (
        WRITES_LAST,
        ": OnEvaluate turn-number 9 > IF 0 last ! ENDIF last @ ;",
    ),
    "read by its address": (WRITES_LAST + " : address last ;", ": OnEvaluate address @ ;"),
    "read while the address of another variable is on the stack": (
        "VARIABLE other " + WRITES_LAST,
        ": OnEvaluate other last @ SWAP ! other @ ;",
    ),
    "read by a called word while the address of another variable is on the stack": (
        "VARIABLE other " + WRITES_LAST + " : read-last last @ ;",
        ": OnEvaluate other read-last SWAP DROP ;",
    ),
    "its address at an unaligned address of a table": (
        WRITES_LAST + " CREATE table 1 C, last ,",
        ": OnEvaluate table 1 + @ @ ;",
    ),
    "its address on the stack": (WRITES_LAST + " last", ": OnEvaluate DUP @ ;"),
    "the token of its reader on the stack": (
        WRITES_LAST + " : read-last last @ ; ' read-last",
        ": OnEvaluate DUP EXECUTE ;",
    ),
    "its address in a variable of the library": (
        WRITES_LAST + " last $scanPositions !",
        ": OnEvaluate $scanPositions @ @ ;",
    ),
    "it has the name of a variable of the library": (
        WRITES_LAST.replace("last", "$pos"),
        ": OnEvaluate $pos @ ;",
    ),
    "an array": (
        "4 [] marks : noted ( pos -- ) 0 marks ! ;"
        " : put empty? verify here COMPILE-LITERAL COMPILE noted create add-move ;",
        "",
    ),
}


@pytest.mark.parametrize("case", SCRATCH)
def test_scratch_memory_does_not_affect_equality(case: str, tmp_path: Path) -> None:
    assert are_equal(*two_orders(position_of(tmp_path, *SCRATCH[case])))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("case", STATE)
def test_memory_that_may_be_read_affects_equality(case: str, tmp_path: Path) -> None:
    assert not are_equal(*two_orders(position_of(tmp_path, *STATE[case])))


def test_variables_of_unanalysable_scripts_affect_equality(tmp_path: Path) -> None:
    """After SP@, a definition may read any variable."""
    words = WRITES_LAST + " : deep SP@ DROP ;"
    assert not are_equal(*two_orders(position_of(tmp_path, words, ": OnEvaluate deep 0 ;")))


def test_a_count_of_lists_affects_equality(tmp_path: Path) -> None:
    """Positions differ if the script stores different numbers of generated lists."""
    hooks = "VARIABLE lists : OnGenerateMoves lists ++ ; : OnEvaluate lists @ ;"
    first = position_of(tmp_path, PUT, hooks)
    second = first.game.start(variables={"lists": 7})
    assert first.cells == second.cells
    assert first != second
    assert first.key != second.key


def test_random_streams_affect_equality() -> None:
    first = loaded("tictactoe").start()
    second = first.copy()
    second.seed(14)
    assert first != second
    assert first.key != second.key


def test_stored_repetition_keys_do_not_affect_equality() -> None:
    """Thud stores a key of every position; equality depends only on the number of repetitions."""
    first, second = transpositions("thud", 1, attempts=100)[0]
    keys = [position._state.arrived.read(REPETITIONS, 4096) for position in (first, second)]
    assert keys[0] != keys[1]
    assert first == second


def test_positions_have_no_python_hash() -> None:
    with pytest.raises(TypeError):
        hash(loaded("tictactoe").start())


def test_positions_of_clones_can_be_compared() -> None:
    game = forthvm.load("chess")
    twin = game.clone()
    first, second = game.start(), twin.start()
    assert first == second
    assert first.key == second.key
    first.push(first.legal_moves.texts[0])
    assert first != second

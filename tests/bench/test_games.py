"""Tests of benchmarks/games: the games, their models in Python, their results in both tiers.

The counts of perft in benchmarks/games/expected.py are compared with the models, which know the
rules but not forthvm, and with forthvm.  Scores are compared with plain minimax.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.games import FOLDER, GAMES
from benchmarks.games.__main__ import QUICK, check_counts, check_result, main
from benchmarks.games.expected import EXPECTED
from benchmarks.games.models import MODELS, State, perft
from benchmarks.games.runs import KINDS, PLAIN, first_choice, start
from benchmarks.games.shares import PARTS, part_of, read
from benchmarks.tiers import TIERS
from forthvm import engines
from forthvm.check import check_files
from forthvm.game import Position
from tests.engines.reference import Budget, Node, Rules, TooBigError, TwoSides
from tests.kit.cases import each_case

CHECKOUT = Path(__file__).resolve().parents[2]
MODEL_LIMIT = 150_000  # the largest count of a model
TREE = 1000  # positions of a tree that plain minimax searches
LARGE_TREE = 10_000  # the same at depth 1, where a ply may be several partial moves
MAX_PLIES = 400
PLIES_BETWEEN = 9  # two full comparisons of the moves of a random game


def test_every_game_has_sizes_results_and_a_model() -> None:
    files = {path.stem for path in FOLDER.glob("*.4th")}
    assert files == set(GAMES) == set(EXPECTED) == set(MODELS)
    assert len(files) >= 15
    for name, sizes in GAMES.items():
        assert len(EXPECTED[name].perft) == sizes.perft, name


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", GAMES)
def test_scripts_are_short_explained_and_without_findings(name: str) -> None:
    path = FOLDER / f"{name}.4th"
    text = path.read_text(encoding="utf-8")
    assert text.startswith("\\ ")
    assert "\\ Stands for " in text
    assert len(text.splitlines()) <= 150
    # I408: the games do not seed the random numbers, so that their results repeat.
    assert [each.code for each in check_files([path]).findings if each.code != "I408"] == []


@each_case("tier", TIERS)
@each_case("name", GAMES)
def test_small_counts_of_scripts(name: str, tier: str) -> None:
    check_counts(name, tier, limit=1000)


@each_case("name", GAMES)
def test_small_counts_of_models(name: str) -> None:
    check_model(name, limit=QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_large_counts_of_models(name: str) -> None:
    check_model(name, limit=MODEL_LIMIT)


def check_model(name: str, limit: int) -> None:
    model = MODELS[name]()
    for depth, count in enumerate(EXPECTED[name].perft, start=1):
        if count <= limit:
            assert perft(model, depth) == count, depth


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_runs_have_the_expected_results_in_all_tiers(name: str) -> None:
    positions = [start(name, tier) for tier in TIERS]
    for kind, prepare in KINDS.items():
        results = [prepare(position, name)() for position in positions]
        check_result(name, kind, results[0])
        assert results[0] == results[1], kind


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_scores_are_those_of_plain_minimax(name: str) -> None:
    """Compare at the greatest depth whose tree is small, after some random moves."""
    position = first_choice(start(name, "interpreter"))
    choices = random.Random(name)
    while position.turn_number < 12 or position.is_chance or position.is_partial:
        position.push(choices.choice(position.legal_moves))
    for depth, size in ((3, TREE), (2, TREE), (1, LARGE_TREE)):
        root = Node(position, Budget(size))
        try:
            values = TwoSides(root, Rules()).move_values(depth)
        except TooBigError:
            continue
        result = engines.get(f"negamax:depth={depth},{PLAIN}").play(position)
        assert result.score == max(values)
        return
    pytest.fail("the tree of depth 1 is too big")


# --- random games of scripts and models ------------------------------------------------------

# Games in which a board shows the whole state, or enough of it to find the same state again.
VISIBLE = (
    "arrows-8x8", "crowd-12x20", "empire-15x16", "hands-20x20", "influence-12x12",
    "liberty-13x13", "mosaic-16x16", "partners-14x14", "pits-2x6", "rows-19x19", "sums-8x16",
    "warden-9x9",
)  # fmt: skip


def script_board(name: str, position: Position) -> tuple[object, ...]:
    """Return owner and kind of the pieces on the board, in the form of `model_board`."""
    types = position.game.piece_types

    def seen(cell: int) -> object:
        kind, player = types[(cell & 1023) - 1].name.lower(), (cell >> 11) - 1
        if name in {"mosaic-16x16", "pits-2x6"}:
            return kind if name == "pits-2x6" else str(cell & 1023)
        if name == "sums-8x16":
            return player, kind.lstrip("rst")
        return player, "0" if kind in {"stone", "man"} and name in ONE_KIND else kind

    cells = position.cells[: len(position.game.positions)]
    return tuple(seen(cell) if cell else None for cell in cells)


ONE_KIND = {"crowd-12x20", "liberty-13x13", "rows-19x19"}


def model_board(name: str, state: State) -> tuple[object, ...]:
    """Return owner and kind of the pieces of a model's state, as text."""

    def seen(piece: object) -> object:
        if isinstance(piece, tuple):
            return piece[0], str(piece[1])
        return f"p{piece}" if name == "pits-2x6" else str(piece)

    return tuple(None if piece is None else seen(piece) for piece in state.board)


def check_random_game(
    name: str, follow: Callable[[Position, list[State], int, random.Random], State]
) -> None:
    """Play a random game by the script and by the model; both have as many moves and one end.

    Args:
        name: The game.
        follow: Makes a random move of the position, and returns the state of the model after it;
            called with the position, the states after all moves, the ply, and random numbers.
    """
    model = MODELS[name]()
    position, state = start(name, "native"), model.start
    choices = random.Random(name)
    for ply in range(MAX_PLIES):
        states = list(model.after(state))
        assert (position.result is not None) == model.decided(state, states), ply
        if position.result is not None:
            return
        assert len(position.legal_moves) == len(states), ply
        state = follow(position, states, ply, choices)
    pytest.fail("the game has no end")


@pytest.mark.slow
@pytest.mark.parametrize("name", VISIBLE)
def test_moves_of_random_games_are_those_of_the_model(name: str) -> None:
    """Compare the number of moves at each ply, and the boards after all moves at some plies."""

    def follow(position: Position, states: list[State], ply: int, choices: random.Random) -> State:
        models = [model_board(name, each) for each in states]
        if ply % PLIES_BETWEEN == 0:
            assert Counter(boards_after(name, position)) == Counter(models), ply
        position.push(choices.choice(position.legal_moves))
        return states[models.index(script_board(name, position))]

    check_random_game(name, follow)


def boards_after(name: str, position: Position) -> Iterator[tuple[object, ...]]:
    """Yield the board after each move."""
    for move in position.legal_moves:
        position.push(move)
        yield script_board(name, position)
        position.pop()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cloud-5x5", "fields-4x8", "road-1x20", "towers-7x7"])
def test_random_games_of_models_in_the_order_of_the_script(name: str) -> None:
    """These models yield the states in the order of the script's moves."""

    def follow(position: Position, states: list[State], _ply: int, choices: random.Random) -> State:
        index = choices.randrange(len(states))
        position.push(position.legal_moves[index])
        return states[index]

    check_random_game(name, follow)


# --- the command -------------------------------------------------------------------------------


def test_check_prints_a_line_for_each_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check", "--tiers", "interpreter", "pits*", "gates*"]) == 0
    assert capsys.readouterr().out.split() == ["gates-5x8", "ok", "pits-2x6", "ok"]


def test_wrong_counts_are_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = EXPECTED["pits-2x6"]._replace(perft=(7,))
    monkeypatch.setitem(EXPECTED, "pits-2x6", wrong)
    assert main(["--check", "--tiers", "interpreter", "pits-2x6"]) == 1
    assert "expected 7, got 6" in capsys.readouterr().out


def test_unknown_games_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--check", "chess"])
    assert "unknown game: chess" in capsys.readouterr().err


@pytest.mark.slow
def test_rates_are_printed_as_markdown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.games.__main__.SAMPLE", 0.0)
    assert main(["--kinds", "axiom", "--rounds", "1", "pits-2x6"]) == 0
    head, _, row = [line for line in capsys.readouterr().out.splitlines() if line[:1] == "|"]
    assert head == "| game | interpreter | native | native : interpreter |"
    assert row.startswith("| pits-2x6 | ")


# --- shares ----------------------------------------------------------------------------------

CALLGRIND = """\
events: Ir
ob=/site-packages/forthvm/_native.abi3.so
fl=/build/native/game/board_scan.c
fn=scan
10 100
fi=/build/native/vm/vm.h
12 20
fe=/build/native/game/board_scan.c
cob=???
cfi=???
cfn=0x1000
calls=5 0
14 400
cob=/lib/libc.so.6
cfi=???
cfn=memcpy
calls=2 0
15 30

ob=???
fl=???
fn=0x1000
0 300
cob=/site-packages/forthvm/_native.abi3.so
cfi=/build/native/game/move_list.c
cfn=finish
calls=1 0
0 100

ob=/site-packages/forthvm/_native.abi3.so
fl=/build/native/vm/vm.h
fn=piece_value
3 2
fn=finish
3 40
fe=/build/native/game/move_list.c
7 60

ob=/lib/libc.so.6
fl=???
fn=memcpy
0 30
"""


def test_instructions_are_divided_among_the_parts() -> None:
    """Inlined code counts for its function, and libc's function for the scan, which calls it."""
    found = read(CALLGRIND.splitlines(keepends=True))
    assert found.parts == {"host": 150 + 2, "script": 300, "move list": 100}
    assert found.share("script") == pytest.approx(300 / 552)
    assert found.functions["finish", "native/game/move_list.c"] == 100
    assert found.functions["piece_value", "native/vm/vm.h"] == 2
    assert found.functions["scan", "native/game/board_scan.c"] == 150


def test_parts_name_existing_files() -> None:
    for files in PARTS.values():
        for file in files:
            assert (CHECKOUT / file).exists() or file == "native/generated/", file
    assert part_of("native/search/search_stack.c") == "restore"
    assert part_of("native/search/alpha_beta.c") == "search"
    assert part_of("native/game/board_scan.c") == "host"

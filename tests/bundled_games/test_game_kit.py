"""The checks of kit.py for all games: load, perft, undo, notation, copies, random games.

FORTHVM_PLAYOUTS=10000 plays 10,000 random games in all and checks every position.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm.game.perft import perft_divide
from tests.bundled_games import kit
from tests.bundled_games.kit import CASES, PLAYOUTS, Case

PERFT_LEAVES = int(os.environ.get("FORTHVM_PERFT", "20000"))
HASH_EVERY = 20  # plies; the check is slow: it reads a document and makes every move
BUNDLED = [case for case in CASES if case.bundled]
RECORDED = [case for case in CASES if not case.bundled]
cases = pytest.mark.parametrize("case", [*BUNDLED, *RECORDED], ids=str)


def perft_table(case: Case) -> list[tuple[int, int, str]]:
    """Return depth, count and source of each row of <game>.perft, beside the script."""
    rows = []
    text = case.path.with_suffix(".perft").read_text(encoding="utf-8")
    for row in text.splitlines():
        if row and not row.startswith("#"):
            depth, count, source = row.split(maxsplit=2)
            rows.append((int(depth), int(count), source))
    return rows


@pytest.mark.parametrize("case", BUNDLED, ids=str)
def test_bundled_game_has_its_data(case: Case) -> None:
    rows = perft_table(case)
    assert [depth for depth, _, _ in rows] == list(range(1, len(rows) + 1))
    assert all(len(source) > 5 for _, _, source in rows)
    assert (case.path.parent / "README.md").is_file()


@pytest.mark.sampled(13)
@cases
def test_loads_cleanly(case: Case) -> None:
    printed: list[str] = []
    game = forthvm.load(case.path, axiom=case.axiom, clock=kit.CLOCK, output=printed.append)
    assert "".join(printed).strip() == ""
    assert list(map(str, game._loaded.vm.warnings)) == []
    assert game.start() == game.start()


@pytest.mark.sampled(11)
@pytest.mark.parametrize("case", BUNDLED, ids=str)
def test_perft(case: Case) -> None:
    position = case.start()
    for depth, count, _ in perft_table(case):
        if count > PERFT_LEAVES:
            break
        found = forthvm.perft(position, depth)
        if found != count:
            divided = "\n".join(f"{move}: {n}" for move, n in perft_divide(position, depth))
            pytest.fail(f"perft {depth}: expected {count}, got {found}\n{divided}")


@pytest.mark.sampled(11)
@cases
def test_perft_equals_the_count_of_pushes(case: Case) -> None:
    position = case.start()
    assert forthvm.perft(position, 1) == len(position.legal_moves)
    assert forthvm.perft(position, 2) == leaves_by_push(position)
    kit.playout(position, seed=3, plies=12)
    assert forthvm.perft(position, 2) == leaves_by_push(position)


def leaves_by_push(position: forthvm.Position) -> int:
    """Return the number of positions after two plies, counted with `push`."""
    if position.result is not None:
        return 0
    leaves = 0
    for move in position.legal_moves:
        position.push(move)
        leaves += 0 if position.result is not None else len(position.legal_moves)
        position.pop()
    return leaves


@pytest.mark.sampled(81)
@cases
@pytest.mark.parametrize("most", [6, pytest.param(30, marks=pytest.mark.slow)])
def test_moves_of_some_positions(case: Case, most: int) -> None:
    kit.check_moves_of_some_positions(case, most)


@pytest.mark.sampled(53)
@cases
def test_copies(case: Case) -> None:
    kit.check_copies_in_a_game(case)


def seeds(case: Case) -> Iterator[int]:
    """Yield the seeds of a case's random games, fewer for a variant, which shares most code."""
    variant = case.bundled and case.name != case.path.parent.name
    default = 1 if variant else 2
    number = math.ceil(PLAYOUTS / len(CASES)) if PLAYOUTS else default
    yield from range(100, 100 + number)


@pytest.mark.sampled(41)
@cases
@pytest.mark.parametrize("plies", [100, pytest.param(kit.PLIES, marks=pytest.mark.slow)])
def test_random_games(case: Case, plies: int, record_property: pytest.RecordProperty) -> None:
    """Check undo in every position of random games of at most `plies` plies."""
    unfinished = 0
    for seed in seeds(case):
        position = case.start()
        for index in kit.steps(position, seed, plies):
            if index >= 0:
                kit.check_undo(position, index)
            if position.ply % HASH_EVERY == 0:
                kit.check_hash(position)
        unfinished += position.result is None
    record_property("games cut short", unfinished)


@pytest.mark.sampled(23)
@cases
def test_random_games_repeat(case: Case) -> None:
    first, second = case.start(), case.start()
    assert kit.playout(first, seed=42, plies=80) == kit.playout(second, seed=42, plies=80)
    assert first == second


def test_cases_contain_recorded_and_bundled_games() -> None:
    assert {case.name for case in CASES if not case.bundled} >= {"Noughts", "Chains", "Order"}
    assert Path(CASES[0].path).is_file()

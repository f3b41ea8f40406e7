"""The games in which a missing piece was captured, and the pieces at the start."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.render.material import starting_material
from tests.kit.cases import each_case

ZRF_GAMES = Path(__file__).parents[1] / "zrf" / "games"


def counts_of(name: str) -> dict[tuple[int, str], int]:
    material = starting_material(forthvm.load(name).start())
    return {(int(str(one["player"])), str(one["type"])): int(str(one["count"])) for one in material}


def test_chess() -> None:
    counts = counts_of("chess")
    assert counts[0, "pawn"] == counts[1, "pawn"] == 8
    assert counts[0, "queen"] == counts[1, "king"] == 1
    assert sum(counts.values()) == 32


def test_types_that_pieces_become_have_the_number_0() -> None:
    counts = counts_of("draughts")
    assert counts[0, "king"] == counts[1, "king"] == 0


def test_values_are_in_units_near_that_of_the_most_frequent_piece() -> None:
    material = starting_material(forthvm.load("chess").start())
    values = {str(one["type"]): one["value"] for one in material}
    assert values == {"pawn": 1, "knight": 3.2, "bishop": 3.3, "rook": 5, "queen": 9.5, "king": 0}


@pytest.mark.slow
def test_a_king_without_a_value_does_not_set_the_unit() -> None:
    """Types that a rule file protects from capture have no value, which counts as 1 in a script."""
    material = starting_material(forthvm.load(ZRF_GAMES / "chess.zrf").start())
    values = {str(one["type"]): float(str(one["value"])) for one in material}
    assert values["Pawn"] == 1
    assert 2 < values["Knight"] < values["Queen"] < 10
    assert values["King"] < 0.1


@pytest.mark.slow
@each_case("name", ["tictactoe", "splut", "yonin-shogi", "ur"])
def test_no_material(name: str) -> None:
    """Drops, four players, pieces in hand, and dice."""
    assert starting_material(forthvm.load(name).start()) == []

"""Compare the model of Ur with the perft counts and positions of the rules page, section 7."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.kit.cases import each_case
from tests.models import ur
from tests.models.ur import BLACK, PASS, WHITE, Move, Options, Piece

EACH = Options(reserve_moves="each")
FINKEL = Options(rules="finkel")
COUNTS = [
    (EACH, [7, 196, 4312, 88690]),
    (Options(), [1, 4, 28, 190, 1445]),
    (FINKEL, [5, 28, 192, 1492, 12469]),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("options", "counts"), COUNTS)
def test_perft_counts_of_the_rules_page(options: Options, counts: list[int]) -> None:
    depths = range(1, len(counts) + 1)
    assert [ur.perft(ur.start(options), depth, options) for depth in depths] == counts


def test_paths() -> None:
    """Check that the steps of all paths are adjacent, and the lengths of the paths."""
    for (rules, player), path in ur.PATHS.items():
        assert len(path) == (23 if rules == "skiriuk" else 14), player
        for square, following in pairwise(path):
            gap = abs(ord(square[0]) - ord(following[0])) + abs(int(square[1]) - int(following[1]))
            assert gap == 1, (square, following)
    rosettes = [n for n, name in enumerate(ur.PATHS["finkel", BLACK], 1) if name in ur.ROSETTES]
    assert rosettes == [4, 8, 14]


# The positions of the rules page: board, throw, player to move, legal moves.  `k3:B,W` is a stack,
# from the bottom up; `+` marks a promoted piece.
SKIRIUK = [
    ("o2:W", 1, WHITE, {("o2", "p2")}),
    ("o2:W", 2, WHITE, {("o2", "p3")}),
    ("o2:W", 4, WHITE, {("o2", "o4")}),
    ("p2:W p3:B+", 1, WHITE, {("p2", "p3")}),
    ("n3:W o3:B", 1, WHITE, set()),
    ("n3:W o3:W", 1, WHITE, {("n3", "o3"), ("o3", "o2")}),
    ("n3:W o3:W,W,W", 1, WHITE, {("n3", "o3"), ("o3", "o2")}),
    ("n3:W o3:W,W,W,W", 1, WHITE, {("o3", "o2")}),
    ("j3:W+ i3:W", 1, WHITE, set()),
    ("i2:W i3:B", 1, WHITE, {("i2", "i3")}),
    ("i2:W i3:B+", 1, WHITE, set()),
    ("j3:W+ i3:B+", 1, WHITE, set()),
    ("k3:B,W l3:B", 1, WHITE, {("k3", "l3")}),
    ("l2:W,W", 3, WHITE, {("l2", "i2")}),
    ("k3:B+,W+", 3, WHITE, {("k3", "")}),
    ("k3:B+,W+", 4, WHITE, set()),
]


@each_case(("board", "steps", "mover", "expected"), SKIRIUK)
def test_positions_of_the_rules_page(
    board: str, steps: int, mover: str, expected: set[tuple[str, str]]
) -> None:
    found = ur.moves(ur.position(board, steps, mover), Options())
    assert found == [PASS] if not expected else {tuple(move) for move in found} == expected


def test_promotion() -> None:
    first = ur.position("o2:W", 1)
    assert ur.play(first, Move("o2", "p2"), Options()).board == {"p2": (Piece(WHITE),)}
    after = ur.play(ur.thrown(first, 2), Move("o2", "p3"), Options())
    assert after.board == {"p3": (Piece(WHITE, True),)}
    after = ur.play(ur.thrown(first, 4), Move("o2", "o4"), Options())
    assert after.right == WHITE


def test_captures() -> None:
    after = ur.play(ur.position("p2:W p3:B+", 1), Move("p2", "p3"), Options())
    assert (after.board, after.reserve) == ({"p3": (Piece(WHITE, True),)}, (0, 1))
    after = ur.play(ur.position("k3:B,W l3:B", 1), Move("k3", "l3"), Options())
    assert after.board == {"k3": (Piece(BLACK),), "l3": (Piece(WHITE),)}
    assert (after.right, after.reserve) == (WHITE, (0, 1))


def test_right_to_the_next_turn() -> None:
    """Test position 7 of the rules page, and the right to a turn of a player that cannot move."""
    after = ur.play(ur.position("l2:W,W i4:B", 3), Move("l2", "i2"), Options())
    assert after.right == WHITE
    assert ur.moves(ur.thrown(after, 1), Options()) == [
        PASS
    ]  # Black must pass, although a piece could move
    back = ur.play(ur.thrown(after, 1), PASS, Options())
    assert (back.mover, back.right) == (WHITE, WHITE)
    assert set(ur.moves(ur.thrown(back, 2), Options())) == {Move("l2", "j2"), Move("i2", "j3")}
    for setting, expected in (("lapses", None), ("kept", WHITE)):
        options = Options(right=setting)
        stuck = ur.position("k3:W+", 4, right=WHITE)
        assert ur.moves(stuck, options) == [PASS]
        assert ur.play(stuck, PASS, options).right == expected


def test_finkels_rules() -> None:
    safe = ur.position("k3:W l3:B", 1)
    assert ur.moves(safe, FINKEL) == [PASS]
    assert ur.moves(safe, Options()) == [Move("k3", "l3")]
    assert ur.moves(ur.position("o2:W", 1), FINKEL) == [Move("o2", "")]
    assert ur.moves(ur.position("o2:W", 2), FINKEL) == [PASS]
    assert ur.moves(ur.position("o2:W", 0), FINKEL) == [PASS]
    on_rosette = ur.play(ur.position("p3:W", 2), Move("p3", "o2"), FINKEL)
    assert (on_rosette.mover, on_rosette.right) == (WHITE, None)


def test_ends() -> None:
    last = ur.State({"i3": (Piece(WHITE, True),)}, (0, 7), (6, 0), WHITE, 1)
    assert ur.end(last, Options()) is None
    assert ur.end(ur.play(last, Move("i3", ""), Options()), Options()) == WHITE
    after_passes = ur.State({}, passes=50)
    assert ur.end(after_passes, Options()) == ""
    assert ur.end(after_passes, Options(double_pass=51)) is None

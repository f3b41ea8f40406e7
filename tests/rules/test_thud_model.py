"""Compare the model of Thud with the perft counts and positions of its rules page, section 8."""

from __future__ import annotations

import os

import pytest

from tests.kit.cases import each_case
from tests.models import thud
from tests.models.thud import DWARFS, NAMES, TROLLS, Options

DEEP = bool(int(os.environ.get("FORTHVM_MODEL_DEEP", "0")))  # counts to greater depths

COUNTS = [("all", [656, 21736, 13584144]), ("choice", [656, 22624, 14142624])]

# Dwarfs, trolls, player to move; numbers of moves and of captures, each for `all` and `choice`.
POSITIONS = [
    ("e5 e4 e3", "e8", DWARFS, (75, 1), (75, 1)),
    ("e5 e4", "e8", DWARFS, (53, 0), (53, 0)),
    ("e5", "f6", DWARFS, (34, 1), (34, 1)),
    ("h10 h11 h12", "h7", DWARFS, (90, 0), (90, 0)),
    ("g6 f7", "e5", TROLLS, (8, 3), (13, 5)),
    ("h6 g4", "e5 d5", TROLLS, (15, 3), (19, 5)),
]


def takes(state: thud.State, options: Options) -> set[str]:
    """Return the captures as texts such as `e5-g5 g4 h6`."""
    return {
        f"{NAMES[move.source]}-{NAMES[move.target]} "
        + " ".join(sorted(NAMES[square] for square in move.taken))
        for move in thud.moves(state, options)
        if move.taken
    }


def test_board_and_setup() -> None:
    start = thud.start()
    rows = [sum(square // 15 == row for square in thud.PLAYABLE) for row in range(15)]
    assert rows == [5, 7, 9, 11, 13, 15, 15, 14, 15, 15, 13, 11, 9, 7, 5]
    rim = (
        "f1 g1 i1 j1 e2 k2 d3 l3 c4 m4 b5 n5 a6 o6 a7 o7 a9 o9 a10 o10 b11 n11 c12 m12 "
        "d13 l13 e14 k14 f15 g15 i15 j15"
    )
    assert {NAMES[square] for square in start.dwarfs} == set(rim.split())
    ring = "g7 h7 i7 g8 i8 g9 h9 i9"
    assert {NAMES[square] for square in start.trolls} == set(ring.split())
    assert thud.score(start) == (32, 32)


@pytest.mark.parametrize(("capture", "counts"), COUNTS)
def test_perft_counts(capture: thud.Capture, counts: list[int]) -> None:
    options = Options(troll_capture=capture)
    depths = range(1, 4 if DEEP else 3)
    assert [thud.perft(thud.start(), depth, options) for depth in depths] == counts[: len(depths)]


def test_first_moves() -> None:
    """Compare the moves of each dwarf, and those of the trolls if they were to move."""
    found: dict[str, int] = {}
    for move in thud.moves(thud.start(), Options()):
        found[NAMES[move.source]] = found.get(NAMES[move.source], 0) + 1
    # The squares of the dwarfs by number of moves.
    expected = {
        24: "b5 b11 e2 e14 k2 k14 n5 n11",
        21: "a6 a10 f1 f15 j1 j15 o6 o10",
        19: "c4 c12 d3 d13 l3 l13 m4 m12",
        18: "a7 a9 g1 g15 i1 i15 o7 o9",
    }
    assert found == {name: count for count, names in expected.items() for name in names.split()}
    start = thud.start()
    trolls_to_move = thud.State(start.dwarfs, start.trolls, TROLLS)
    assert len(thud.moves(trolls_to_move, Options())) == 32


@each_case(("dwarfs", "trolls", "mover", "counts_all", "counts_choice"), POSITIONS)
def test_positions_of_the_rules_page(
    dwarfs: str,
    trolls: str,
    mover: str,
    counts_all: tuple[int, int],
    counts_choice: tuple[int, int],
) -> None:
    state = thud.position(dwarfs.split(), trolls.split(), mover)
    for options, counts in (
        (Options(), counts_all),
        (Options(troll_capture="choice"), counts_choice),
    ):
        found = thud.moves(state, options)
        assert (len(found), sum(bool(move.taken) for move in found)) == counts


def test_captures_of_positions() -> None:
    assert takes(thud.position(["e5", "e4", "e3"], ["e8"]), Options()) == {"e5-e8 e8"}
    assert takes(thud.position(["e5"], ["f6"]), Options()) == {"e5-f6 f6"}
    fifth = thud.position(["g6", "f7"], ["e5"], TROLLS)
    assert takes(fifth, Options()) == {"e5-e6 f7", "e5-f5 g6", "e5-f6 f7 g6"}
    sixth = thud.position(["h6", "g4"], ["e5", "d5"], TROLLS)
    assert takes(sixth, Options()) == {"e5-f4 g4", "e5-f5 g4", "e5-g5 g4 h6"}


def test_ends() -> None:
    """Test section 5: no legal move, third occurrence, moves without a capture."""
    # Dwarfs can capture any adjacent troll, so only trolls can be blocked: the troll on f1 by
    # dwarfs on its four neighbouring squares.
    blocked = thud.position(["e2", "f2", "g2", "g1"], ["f1"], TROLLS)
    assert thud.end(blocked, Options()) == DWARFS
    assert thud.end(blocked, Options(stalemate="score")) == ""
    no_dwarfs = thud.position([], ["h2"])
    assert thud.end(no_dwarfs, Options()) == TROLLS
    assert thud.end(no_dwarfs, Options(stalemate="score")) == TROLLS
    no_trolls = thud.position(["h2"], [], TROLLS)
    assert thud.end(no_trolls, Options()) == DWARFS

    state = thud.position(["a6", "a7", "o10"], ["h2"])
    cycles = [("a6", "b6"), ("h2", "h3"), ("b6", "a6"), ("h3", "h2")] * 2
    for number, (source, target) in enumerate(cycles):
        assert thud.end(state, Options()) is None, number
        state = thud.play(state, thud.Move(thud.number(source), thud.number(target)))
    assert thud.end(state, Options()) == ""
    assert thud.end(state, Options(repetition="none")) is None
    assert thud.end(state, Options(repetition="score")) == TROLLS
    assert thud.end(state, Options(repetition="none", end_after=8)) == TROLLS
    assert thud.end(state, Options(repetition="none", end_after=9)) is None


def test_match() -> None:
    """Test section 6: 10 + 8 points against 12 + 7, with exchanged sides."""
    first = thud.position(TEN, ["h2", "h3", "h4"])
    second = thud.position(TEN[:7], ["h2", "h3"], TROLLS)
    assert (thud.score(first), thud.score(second)) == ((10, 12), (7, 8))
    match = thud.Match(first)
    assert (match.margin(), match.first_moves()) == (-2, True)
    after = match.next_round()
    assert (after.margin(), after.first_moves()) == (-2, False)
    assert (after.state, after.first) == (thud.start(), first)
    assert thud.Match(second, first).margin() == -1


TEN = ["a6", "a7", "a8", "a9", "a10", "o6", "o7", "o8", "o9", "o10"]

"""Compare the models with the numbers and positions published on the rules pages.

These tests do not use forthvm: only a model that passes them can show errors of a script.
"""

from __future__ import annotations

import pytest

from tests.kit.cases import each_case
from tests.models import breakthrough, draughts, rithmomachia, splut, tictactoe
from tests.models.rithmomachia_positions import POSITIONS, read_position
from tests.models.splut_positions import FIRST, FOURTH, SECOND, THIRD

# `rules/splut.md`, section 14.  Depths 5 to 7 of `duel official` are omitted: the page's text
# gives 5597 sequences of five steps, its table 5600.  All other numbers of the table, and all
# positions, agree with the text.
SPLUT_COUNTS = [
    (splut.SPLUT, "article", [3, 9, 69, 207, 1581, 11610, 34692]),
    (splut.SPLUT, "official", [3, 9, 70, 210, 1653, 12358]),
    (splut.DUEL, "article", [3, 9, 78, 78, 707, 5917, 57552]),
    (splut.DUEL, "official", [3, 9, 79, 691]),
    (splut.DUEL, "script", [3, 9, 78, 78, 672, 5455, 51667]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("teams", "preset", "counts"), SPLUT_COUNTS)
def test_splut_counts(teams: tuple[str, ...], preset: splut.Preset, counts: list[int]) -> None:
    begin = splut.start(teams, preset)
    counts = counts[:6]
    assert [splut.perft(begin, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("teams", "preset", "counts"), [row for row in SPLUT_COUNTS if len(row[-1]) > 6]
)
def test_splut_counts_at_depth_7(
    teams: tuple[str, ...], preset: splut.Preset, counts: list[int]
) -> None:
    assert splut.perft(splut.start(teams, preset), 7) == counts[6]


# South's moves in the four positions of section 14, each written as the squares that change and
# the letter of their new content; `-` means empty.
MOVES_1 = [
    "b4- b5D",
    "b4- c4D",
    "d5- c5T",
    "d5- d4T",
    "d5- d6T",
    "d5X e5- c5T",
    "d5- e5T h5X",
    "d5- e5T e6X",
    "d5- e5T e4X",
    "d5- e5T a5X",
    "c3- c4W",
    "c3- d3W",
    "c3- c4W e3- e4Y",
    "c3- c4W e5- e6X",
    "c3- d3W e3- f3Y",
    "c3- d3W e5- f5X",
]
MOVES_2 = [
    "e5- d5T",
    "e5- e4T",
    "e5- e6T",
    "e5X f5- d5T",
    "e5- f5T i5X",
    "e5- f5T f8X",
    "e5- f5T f2X",
    "e5- f5- a5X",
    "a5- b5W",
    "a5- b5W f5- g5X",
]
MOVES_3 = [
    "c5- b5D",
    "c5- c4D",
    "c5- d5D e5t f5X g5w",
    "e1- e2W",
    "e1- e2W e5- e6X",
]
MOVES_4 = [
    "e5- d5W",
    "e5- f5W",
    "e5- d5W c5- b5N",
    "e5- d5W e4- d4Y",
    "e5- d5W e6- d6X",
    "e5- d5W i5- h5E",
    "e5- f5W c5- d5N",
    "e5- f5W e4- f4Y",
    "e5- f5W e6- f6X",
    "e5- e6W e7X",
    "e5- e4W e3Y",
]
LETTERS = {
    "D": "South dwarf",
    "T": "South troll",
    "W": "South wizard",
    "X": "sstone",
    "Y": "wstone",
    "N": "nstone",
    "E": "estone",
    "t": "North troll",
    "w": "West wizard",
}


def changed(squares: dict[str, str], change: str) -> dict[str, str]:
    """Return the squares after a change, which is written as in MOVES_1."""
    after = dict(squares)
    for part in change.split():
        square, letter = part[:2], part[2]
        after.pop(square, None)
        if letter != "-":
            after[square] = LETTERS[letter]
    return after


@each_case(
    ("squares", "moves"),
    [(FIRST, MOVES_1), (SECOND, MOVES_2), (THIRD, MOVES_3), (FOURTH, MOVES_4)],
)
def test_moves_in_published_positions_of_splut(squares: dict[str, str], moves: list[str]) -> None:
    # After ten steps, the last of them the cleaner's, South begins its second turn.
    state = splut.position(squares, slot=10)
    assert state.team == "South"
    found = [after.squares() for after in splut.successors(state)]
    assert len(found) == len(moves)
    for change in moves:
        assert changed(squares, change) in found, change


def test_splut_first_moves() -> None:
    found = [after.squares() for after in splut.successors(splut.start())]
    for change in ("d2- d3W", "e2- e3D", "f2- f3T"):
        assert changed(splut.SPLUT_SETUP, change) in found
    assert len(found) == 3


@pytest.mark.slow
def test_counts_of_noughts_and_crosses() -> None:
    # There are 9!/(9-n)! sequences for n up to 5; from ply 6 on, some games have ended before.
    assert [tictactoe.perft(tictactoe.start(), n) for n in range(1, 7)] == [
        9,
        72,
        504,
        3024,
        15120,
        54720,
    ]


def test_counts_of_breakthrough() -> None:
    # On 8x8 squares the first player has 8 straight and 14 diagonal moves.  The players do not meet
    # before ply 3.
    assert [breakthrough.perft(breakthrough.start(), n) for n in (1, 2)] == [22, 22 * 22]


def test_breakthrough_ends_on_the_far_row() -> None:
    state = breakthrough.State(3, 2, (0, 0, 1, 0, 0, 2), mover=1)
    assert breakthrough.over(state)
    assert breakthrough.successors(state) == []
    state = breakthrough.State(4, 2, (0, 0, 2, 0, 0, 1, 0, 0), mover=1)
    reached = {after.squares for after in breakthrough.successors(state)}
    assert reached == {(0, 0, 2, 1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0, 0, 0)}


# Numbers and positions of `rules/rithmomachia.md`, section 12.


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "counts"), [("article", [71, 4904]), ("script", [71, 4900])])
def test_rithmomachia_counts(preset: rithmomachia.Preset, counts: list[int]) -> None:
    found = [rithmomachia.perft(rithmomachia.START, "W", n, preset) for n in (1, 2)]
    assert found == counts
    assert len(rithmomachia.legal(rithmomachia.START, "B")) == 69


def test_sums_of_values_in_rithmomachia() -> None:
    def total(side: str) -> int:
        return sum(
            int(piece[3:])
            for square, piece in rithmomachia.START.items()
            if piece.startswith(side) and square[0] not in "al"  # columns of the pyramids' parts
        )

    assert (total("W"), total("B")) == (1312, 1752)


FIRST_CAPTURES = {"c3-d6": "d14", "c4-d7": "d12", "e4-d6": "d14", "i4-j7": "j13"}
ONLY_ARTICLE = {"d4-e7": "e11", "d4-g3": "g11", "i5-i7": "i12"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "expected"),
    [("article", {**FIRST_CAPTURES, **ONLY_ARTICLE}), ("script", FIRST_CAPTURES)],
)
def test_rithmomachia_first_captures(preset: rithmomachia.Preset, expected: dict[str, str]) -> None:
    found = {}
    for move in rithmomachia.legal(rithmomachia.START, "W"):
        if captured := rithmomachia.captures(rithmomachia.START, move, preset):
            found["-".join(move)] = " ".join(sorted(captured))
    assert found == expected


@each_case("case", POSITIONS, ids=lambda case: case.split(":")[0])
def test_captures_in_published_positions_of_rithmomachia(case: str) -> None:
    board, move, article, script = read_position(case)
    assert move in rithmomachia.legal(board, board[move[0]][0])
    assert rithmomachia.captures(board, move, "article") == article
    assert rithmomachia.captures(board, move, "script") == script


@pytest.mark.slow
def test_counts_of_draughts() -> None:
    # Published counts treat a chain of jumps as one move, the bundled game each jump.  Both counts
    # are equal up to depth 6; the game's README gives 179255 for depth 7.
    begin = draughts.start()
    assert [draughts.chains(begin, n) for n in range(1, 7)] == [7, 49, 302, 1469, 7361, 36768]
    assert [draughts.perft(begin, n) for n in range(1, 7)] == [7, 49, 302, 1469, 7361, 36768]


def test_draughts_crowning_ends_a_chain() -> None:
    # f6 captures e7 and is crowned on d8.  A king could then capture c7; a newly crowned man
    # may not.
    men = {(5, 5): "B", (4, 6): "W", (2, 6): "W"}
    (after,) = draughts.successors(draughts.State(men, {}))
    assert after.kings == {(3, 7): "B"}
    assert after.chain is None
    assert after.mover == "W"


def test_draughts_is_drawn_at_the_limit_of_quiet_turns() -> None:
    kings = {(0, 0): "B", (7, 7): "W"}
    state = draughts.State({}, kings, quiet=draughts.QUIET_LIMIT - 1)
    (after,) = draughts.successors(state)
    assert draughts.drawn(after)
    assert draughts.successors(after) == []

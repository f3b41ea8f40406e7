"""Thud: moves, throws and captures, in positions built for each rule.

A line of dwarfs throws its first dwarf onto a troll, at most as far as the line is long; a line of
trolls throws its first troll next to dwarfs, which it captures.  test_thud_ends.py tests the
ends of a round and the match.
"""

from __future__ import annotations

import pytest

import forthvm
from tests.kit.cases import each_case
from tests.kit.games import loaded, loaded_with

DWARFS = "Dwarfs"
TROLLS = "Trolls"


def begin(dwarfs: str, trolls: str, turn: str = DWARFS, **settings: str) -> forthvm.Position:
    """Start the game with these pieces and the rock."""
    pieces = [("Nobody", "rock", "h8")]
    pieces += [(DWARFS, "dwarf", square) for square in dwarfs.split()]
    pieces += [(TROLLS, "troll", square) for square in trolls.split()]
    return loaded_with("thud", **settings).start(setup=pieces, turn=turn)


def after(position: forthvm.Position, move: forthvm.Move) -> dict[str, str]:
    """Return the pieces after a move, without the rock."""
    position.push(move)
    found = {square: piece.type for square, piece in position.board.occupied()}
    position.pop()
    assert found.pop("h8") == "rock"
    return found


def moves(position: forthvm.Position) -> list[tuple[str, str, frozenset[str]]]:
    """Return start, goal and captures of each move, computed from the boards before and after."""
    before = {square: piece.type for square, piece in position.board.occupied()}
    mine, theirs = ("dwarf", "troll") if position.turn == DWARFS else ("troll", "dwarf")
    found = []
    for move in position.legal_moves:
        now = after(position, move)
        (source,) = (square for square in before if before[square] == mine and square not in now)
        (target,) = (square for square in now if now[square] == mine and before.get(square) != mine)
        taken = (
            square for square in before if before[square] == theirs and now.get(square) != theirs
        )
        found.append((source, target, frozenset(taken)))
    return found


def goals(position: forthvm.Position, source: str) -> set[str]:
    """Return the goals of the piece on a square."""
    return {target for start, target, _ in moves(position) if start == source}


def captures(position: forthvm.Position) -> set[str]:
    """Return the captures as texts such as `e5-g5 g4 h6`."""
    return {
        f"{source}-{target} {' '.join(sorted(taken))}"
        for source, target, taken in moves(position)
        if taken
    }


# --- positions of the project's rules page of Thud -------------------------------------------

# Dwarfs, trolls, player to move, number of moves, captures.
PAGE_POSITIONS = [
    ("e5 e4 e3", "e8", DWARFS, 75, {"e5-e8 e8"}),
    ("e5 e4", "e8", DWARFS, 53, set()),
    ("e5", "f6", DWARFS, 34, {"e5-f6 f6"}),
    ("h10 h11 h12", "h7", DWARFS, 90, set()),
    ("g6 f7", "e5", TROLLS, 8, {"e5-e6 f7", "e5-f5 g6", "e5-f6 f7 g6"}),
    ("h6 g4", "e5 d5", TROLLS, 15, {"e5-f4 g4", "e5-f5 g4", "e5-g5 g4 h6"}),
]


@each_case(("dwarfs", "trolls", "turn", "count", "taken"), PAGE_POSITIONS)
def test_positions_of_the_page(
    dwarfs: str, trolls: str, turn: str, count: int, taken: set[str]
) -> None:
    position = begin(dwarfs, trolls, turn)
    assert len(position.legal_moves) == count
    assert captures(position) == taken


def test_position_of_the_page_with_choice() -> None:
    fifth = begin("g6 f7", "e5", TROLLS, troll_capture="choice")
    assert len(fifth.legal_moves) == 13
    assert captures(fifth) == {"e5-e6 f7", "e5-f5 g6", "e5-f6 f7", "e5-f6 g6", "e5-f6 f7 g6"}
    # The troll can also move to each of the eight squares without a capture.
    assert len([taken for _, _, taken in moves(fifth) if not taken]) == 8
    sixth = begin("h6 g4", "e5 d5", TROLLS, troll_capture="choice")
    assert len(sixth.legal_moves) == 19
    # A throw must capture at least one dwarf.
    assert {text for text in captures(sixth) if text.startswith("e5-g5")} == {
        "e5-g5 g4",
        "e5-g5 h6",
        "e5-g5 g4 h6",
    }
    assert all(taken for _, target, taken in moves(sixth) if target == "g5")


@pytest.mark.parametrize("capture", ["all", "choice"])
def test_perft_counts_of_the_page(capture: str) -> None:
    position = forthvm.load("thud", settings={"troll-capture": capture}).start()
    assert position.turn == DWARFS
    assert forthvm.perft(position, 1) == 656
    assert forthvm.perft(position, 2) == {"all": 21736, "choice": 22624}[capture]


def test_trolls_in_the_initial_position() -> None:
    pieces = loaded("thud").start().board.occupied()
    setup = [(piece.player or "", piece.type, square) for square, piece in pieces]
    assert len(setup) == 32 + 8 + 1
    position = forthvm.load("thud").start(setup=setup, turn=TROLLS)
    assert len(position.legal_moves) == 32


# --- board ---------------------------------------------------------------------------------


def test_corners_are_not_part_of_the_board() -> None:
    """The squares west, south and south-west of b5 are not part of the board."""
    # The numbers of goals: east (to n5), north (to b11), north-east (to k14), north-west (a6),
    # south-east (to f1).
    assert len(goals(begin("b5", "o10"), "b5")) == 12 + 6 + 9 + 1 + 4
    assert goals(begin("", "a6 o10", TROLLS), "a6") == {"a7", "b5", "b6", "b7"}
    assert goals(begin("o8", "f1", TROLLS), "f1") == {"e2", "f2", "g1", "g2"}


def test_lines_do_not_run_over_the_edge() -> None:
    """In memory, each row is followed by the row below it: a7 is next to o8 only there."""
    assert not goals(begin("o8", "a7"), "o8") & {"a7", "a8", "a9"}
    assert captures(begin("o8", "a7 a8 a9")) == set()
    assert captures(begin("o8 o7 o9", "a7 a8 a9", TROLLS)) == set()
    assert goals(begin("h3", "o8", TROLLS), "o8") == {"o7", "o9", "n7", "n8", "n9"}


def test_the_rock_blocks_all_pieces() -> None:
    assert "h8" not in goals(begin("h7", "a6"), "h7")
    assert not goals(begin("h7", "a6"), "h7") & {"h9", "h10", "h15"}
    assert not goals(begin("g7", "o10"), "g7") & {"h8", "i9", "m13"}
    assert goals(begin("a6", "h7", TROLLS), "h7") == {"g6", "h6", "i6", "g7", "i7", "g8", "i8"}


# --- dwarfs --------------------------------------------------------------------------------


def test_dwarf_moves_as_a_queen() -> None:
    found = goals(begin("e5", "o10"), "e5")
    west, east = {"b5", "c5", "d5"}, {f"{column}5" for column in "fghijklmn"}
    south, north = {"e2", "e3", "e4"}, {f"e{row}" for row in range(6, 15)}
    rising = {"d4", "f6", "g7"}  # up to the corner and the rock
    falling = {"a9", "b8", "c7", "d6", "f4", "g3", "h2", "i1"}
    assert found == west | east | south | north | rising | falling


def test_pieces_block_a_dwarf() -> None:
    found = goals(begin("e5 e8", "h5"), "e5")
    assert {"e6", "e7", "f5", "g5"} <= found
    assert not found & {"e8", "e9", "h5", "i5"}


LINES = [
    # A line of one dwarf captures only an adjacent troll.
    ("e5", "e6", {"e5-e6 e6"}),
    ("e5", "e7", set()),
    ("e5 e4", "e7", {"e5-e7 e7"}),
    ("e5 e4", "e8", set()),
    # The line is longer than the throw needs.
    ("e5 e4 e3 e2", "e7", {"e5-e7 e7"}),
    # A gap ends the line; a dwarf in front of it does not count.
    ("e5 e3 e2", "e7", set()),
    # Dwarfs beside the thrown dwarf do not count.
    ("e5 d5 f5", "e7", set()),
    # Diagonal lines in both directions, and a line straight down to the edge.
    ("e5 d4", "g7", {"e5-g7 g7"}),
    ("f6 g7", "d4", {"f6-d4 d4"}),
    ("f6", "d4", set()),
    ("e4 e5", "e2", {"e4-e2 e2"}),
    ("c4 d4", "m4", set()),
    # Only the first dwarf of a line is thrown.
    ("e5 e6", "e8", {"e6-e8 e8"}),
    # Several captures of one troll, and captures of several trolls.
    ("e5 e4 g7 h7", "e7", {"e5-e7 e7", "g7-e7 e7"}),
    ("e5 e4", "e7 e6", {"e5-e6 e6"}),
    ("f6 f5", "f8 g7 e6", {"f6-f8 f8", "f6-g7 g7", "f6-e6 e6", "f5-e6 e6"}),
]


@each_case(("dwarfs", "trolls", "taken"), LINES)
def test_dwarf_throws(dwarfs: str, trolls: str, taken: set[str]) -> None:
    assert captures(begin(dwarfs, trolls)) == taken


def test_dwarfs_are_not_thrown_over_a_piece() -> None:
    # The line is e5, e4, e3.  The dwarf on e7, next to the troll, captures it as a line of one.
    assert captures(begin("e5 e4 e3 e7", "e8")) == {"e7-e8 e8"}
    # The nearer troll, on e7, is captured.
    assert captures(begin("e5 e4 e3 e2", "e7 e8")) == {"e5-e7 e7"}


def test_the_rock_between_prevents_a_throw() -> None:
    assert captures(begin("h10 h11 h12", "h7")) == set()
    assert captures(begin("g7 f6 e5", "i9")) == set()


def test_the_rock_breaks_a_line() -> None:
    assert captures(begin("h9 h7 h6", "h11")) == set()
    assert captures(begin("g7 i9 j10", "e5")) == set()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("limit", ["none", "7"])
def test_longest_throws(limit: str) -> None:
    """A limit of seven has no effect: a throw of eight needs 16 squares in a line; 15 exist."""
    column = "f1 f2 f3 f4 f5 f6 f7"
    assert captures(begin(column, "f14", max_line=limit)) == {"f7-f14 f14"}
    assert captures(begin(column, "f15", max_line=limit)) == set()
    assert captures(begin(f"{column} f8", "f15", max_line=limit)) == {"f8-f15 f15"}
    row = "a7 b7 c7 d7 e7 f7 g7"
    assert captures(begin(row, "n7", max_line=limit)) == {"g7-n7 n7"}
    assert captures(begin(row, "o7", max_line=limit)) == set()


def test_capturing_is_not_compulsory() -> None:
    position = begin("e5", "e6")
    assert len(position.legal_moves) > 1
    assert {target for _, target, taken in moves(position) if not taken}


def test_a_thrown_dwarf_captures_only_one_troll() -> None:
    position = begin("e5 e4", "e7 d7 f7 e8")
    (move,) = (legal for legal in position.legal_moves if legal.to_square == "e7")
    assert after(position, move) == {
        "e7": "dwarf",
        "e4": "dwarf",
        "d7": "troll",
        "f7": "troll",
        "e8": "troll",
    }


def test_dwarf_moves_capture_nothing() -> None:
    """A dwarf that moves next to trolls does not capture them."""
    position = begin("e5 m9", "g7 g8")
    (move,) = (
        legal
        for legal in position.legal_moves
        if (legal.from_square, legal.to_square) == ("e5", "f6")
    )
    assert after(position, move) == {"f6": "dwarf", "m9": "dwarf", "g7": "troll", "g8": "troll"}


# --- trolls --------------------------------------------------------------------------------


def test_troll_moves_one_square() -> None:
    assert goals(begin("o10", "e5", TROLLS), "e5") == {
        "d4",
        "d5",
        "d6",
        "e4",
        "e6",
        "f4",
        "f5",
        "f6",
    }


def test_troll_does_not_enter_a_dwarf() -> None:
    found = goals(begin("f5 f6", "e5 e4", TROLLS), "e5")
    assert not found & {"f5", "f6", "e4"}


def test_troll_captures_all_dwarfs_around_its_goal() -> None:
    """A troll captures at most seven dwarfs; a dwarf adjacent only to its start is safe."""
    position = begin("f4 f6 g4 g6 h4 h5 h6 e5", "f5", TROLLS)
    assert "f5-g5 f4 f6 g4 g6 h4 h5 h6" in captures(position)


def test_choice_among_seven_dwarfs() -> None:
    """Each of the 128 subsets of seven dwarfs is a move, including the empty one."""
    ring = {"f4", "f6", "g4", "g6", "h4", "h5", "h6"}
    position = begin(" ".join(ring), "f5", TROLLS, troll_capture="choice")
    subsets = [taken for _, target, taken in moves(position) if target == "g5"]
    assert len(subsets) == len(set(subsets)) == 128
    assert frozenset(ring) in subsets
    assert frozenset() in subsets
    assert all(taken <= ring for taken in subsets)


def test_only_the_moved_troll_captures() -> None:
    """The dwarf on b9 is safe if the troll on m8 moves, or if the troll on a8 moves away."""
    assert captures(begin("b9", "a8 m8", TROLLS)) == {"a8-a9 b9", "a8-b8 b9"}


def test_a_dwarf_beside_a_troll_is_safe_until_it_moves() -> None:
    position = begin("e5", "e6 k10", TROLLS)
    (move,) = (
        legal
        for legal in position.legal_moves
        if (legal.from_square, legal.to_square) == ("k10", "k11")
    )
    assert after(position, move)["e5"] == "dwarf"


THROWS = [
    # Two trolls in line throw up to two squares, next to a dwarf.
    ("h6", "e5 d5", {"e5-g5 h6"}),
    ("h5", "e5 d5", {"e5-g5 h5"}),
    ("i6", "e5 d5", set()),
    ("o10", "e5 d5", set()),
    # Three trolls throw two or three squares.
    ("h6 i6", "e5 d5 c5", {"e5-g5 h6", "e5-h5 h6 i6"}),
    ("i6", "e5 d5 c5", {"e5-h5 i6"}),
    # A single troll is not thrown, and a gap ends the line.
    ("h6", "e5", set()),
    ("h6", "e5 c5", set()),
    # The goal and the squares between must be empty.
    ("g5", "e5 d5", {"e5-f4 g5", "e5-f5 g5", "e5-f6 g5"}),
    (
        "h6 f5",
        "e5 d5",
        {"e5-e4 f5", "e5-e6 f5", "e5-f4 f5", "e5-f6 f5", "d5-e4 f5", "d5-e6 f5"},
    ),
    # Diagonal lines.
    ("c8", "e5 f4", {"e5-c7 c8"}),
    # The rock blocks the throw or interrupts the line.
    ("i10", "g7 f6", set()),
    ("h12", "h9 h7 h6", set()),
]


@each_case(("dwarfs", "trolls", "taken"), THROWS)
def test_troll_throws(dwarfs: str, trolls: str, taken: set[str]) -> None:
    assert captures(begin(dwarfs, trolls, TROLLS)) == taken


def test_no_throw_without_a_capture() -> None:
    """Each of two adjacent trolls has only the seven moves to its neighbouring squares."""
    assert len(begin("o10", "e5 d5", TROLLS).legal_moves) == 7 + 7


def test_a_throw_captures_nothing_around_its_start() -> None:
    assert "e5-g5 h6" in captures(begin("h6 e6 d6", "e5 d5", TROLLS))


def test_dwarfs_beside_the_path_of_a_throw_are_safe() -> None:
    """The troll passes f6 and f4 and lands on h5, where only h6 is adjacent."""
    found = captures(begin("f6 f4 h6", "e5 d5 c5", TROLLS))
    assert "e5-h5 h6" in found
    assert "e5-g5 f4 f6 h6" in found

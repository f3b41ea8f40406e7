"""Turned discs, passes and ends of Reversi, in positions built for each rule."""

from __future__ import annotations

import pytest

import forthvm
from tests.kit.cases import each_case
from tests.kit.games import loaded

BLACK = "Black"
WHITE = "White"


def begin(black: str, white: str, turn: str = BLACK, name: str = "reversi") -> forthvm.Position:
    """Start a game with discs on these squares."""
    setup = [(BLACK, "disc", square) for square in black.split()]
    setup += [(WHITE, "disc", square) for square in white.split()]
    return forthvm.load(name).start(setup=setup, turn=turn)


def goals(position: forthvm.Position) -> set[str | None]:
    """Return the squares on which the player to move may put a disc."""
    return {move.to_square for move in position.legal_moves if not move.is_pass}


def turned(position: forthvm.Position, goal: str) -> set[str]:
    """Return the squares of the discs turned over by a move to `goal`."""
    mover = position.turn
    before = position.board
    (move,) = (move for move in position.legal_moves if move.to_square == goal)
    position.push(move)
    after = position.board
    position.pop()
    gained = {square for square, piece in after.occupied() if piece.player == mover}
    lost = {square for square, piece in before.occupied() if piece.player == mover} - gained
    assert not lost
    return {square for square in gained if before[square] is not None} - {
        square for square, piece in before.occupied() if piece.player == mover
    }


def test_start() -> None:
    position = loaded("reversi").start()
    assert position.turn == BLACK
    assert {square: piece.player for square, piece in position.board.occupied()} == {
        "d4": WHITE,
        "e5": WHITE,
        "e4": BLACK,
        "d5": BLACK,
    }
    # The four first moves.
    assert goals(position) == {"d3", "c4", "f5", "e6"}
    assert len(position.legal_moves) == 4


def test_all_eight_directions_at_once() -> None:
    between = "c3 c4 c5 d3 d5 e3 e4 e5"
    position = begin("b2 b4 b6 d2 d6 f2 f4 f6", between)
    assert turned(position, "d4") == set(between.split())


def test_long_line_from_edge_to_edge() -> None:
    assert turned(begin("a1", "b1 c1 d1 e1 f1 g1"), "h1") == {"b1", "c1", "d1", "e1", "f1", "g1"}
    assert turned(begin("a1", "b2 c3 d4 e5 f6 g7"), "h8") == {"b2", "c3", "d4", "e5", "f6", "g7"}


def test_a_disc_must_turn_another() -> None:
    # A move next to an own disc, or to an enemy disc without an own disc behind it, is illegal.
    position = begin("a1 d4", "b1 e6")
    assert goals(position) == {"c1"}


def test_a_gap_ends_the_line() -> None:
    # b1 and c1 are white, d1 is empty, e1 is white: the line from a1 ends at d1.
    position = begin("a1", "b1 c1 e1")
    assert goals(position) == {"d1"}
    assert turned(position, "d1") == {"b1", "c1"}


def test_lines_are_turned_up_to_the_nearest_own_disc() -> None:
    # c1 and d1, between e1 and b1, are turned; a1 behind b1 stays white.
    assert turned(begin("b1", "a1 c1 d1"), "e1") == {"c1", "d1"}


def test_turned_discs_do_not_turn_others() -> None:
    # d1 turns c1; c2 stays white, although it is now between the black discs c1 and c3.
    assert turned(begin("b1 c3", "c1 c2"), "d1") == {"c1"}


def test_lines_do_not_run_over_the_edge() -> None:
    # h4 and a5 are adjacent in memory but not on the board.
    assert goals(begin("g4", "h4")) == set()
    assert goals(begin("b5", "a5")) == set()
    assert goals(begin("h1", "a2")) == set()
    assert goals(begin("e7", "e8")) == set()


def test_occupied_squares_are_illegal() -> None:
    assert goals(begin("a1", "b1 c1 d1 e1 f1 g1 h1")) == set()


def test_pass_only_without_a_move() -> None:
    position = begin("a1", "b1", WHITE)
    assert position.result is None
    assert [move.is_pass for move in position.legal_moves] == [True]
    position.push(position.legal_moves[0])
    assert position.turn == BLACK
    assert [move.to_square for move in position.legal_moves] == ["c1"]
    position.push(position.legal_moves[0])
    assert position.result.winners == (BLACK,)


def test_no_pass_with_a_move() -> None:
    assert not any(move.is_pass for move in loaded("reversi").start().legal_moves)


# Squares of Black and White, and the winner; None is a draw.
ENDS = [
    ("a1 a2", "h8", BLACK),
    ("a1", "h8 h7", WHITE),
    ("a1", "h8", None),
    ("", "h8", WHITE),
    ("a1", "", BLACK),
]


@each_case("turn", [BLACK, WHITE])
@each_case(("black", "white", "winner"), ENDS)
def test_end_when_neither_can_move(black: str, white: str, winner: str | None, turn: str) -> None:
    """Check that the winner depends neither on the player to move nor on empty squares."""
    result = begin(black, white, turn).result
    assert result.winners == ((winner,) if winner else ())
    assert result.draw == (winner is None)


def test_full_board() -> None:
    names = [column + row for column in "abcdefgh" for row in "12345678"]
    result = begin(" ".join(names[:31]), " ".join(names[31:])).result
    assert result.winners == (WHITE,)


@pytest.mark.slow
def test_published_perft_counts() -> None:
    position = loaded("reversi").start()
    counts = [4, 12, 56, 244, 1396, 8200, 55092]
    assert [forthvm.perft(position, depth) for depth in range(1, 8)] == counts

"""The end of a game of chess: mate, stalemate, fifty moves, repetition, insufficient material."""

from __future__ import annotations

import pytest

import forthvm
from tests.kit.cases import each_case
from tests.kit.games import play, winner
from tests.models import chess
from tests.models.chess_setup import start

UNDECIDED = None  # the game continues
DRAW = ""


def cause(position: forthvm.Position) -> str:
    """Return the cause of the end that the script states."""
    return position.result.cause


# --- mate and stalemate ------------------------------------------------------------------------

MATES = [
    ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -", "Black"),  # fool's mate
    ("6rk/5Npp/8/8/8/8/8/K7 b - -", "White"),  # smothered
    ("R5k1/5ppp/8/8/8/8/8/K7 b - -", "White"),
    ("R5k1/5p1p/8/8/8/8/8/K7 b - -", UNDECIDED),
    ("7k/6Q1/6K1/8/8/8/8/8 b - -", "White"),
    ("7k/6Q1/8/8/8/8/8/K7 b - -", UNDECIDED),  # the queen is not protected
    # The end of Morphy's opera game: castling is illegal in check.
    ("1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k -", "White"),
    # A bishop can be moved between.
    ("R3b1k1/5ppp/8/8/8/8/8/K7 b - -", UNDECIDED),
    # En passant is the only legal move.
    ("8/8/8/8/1Pk5/2p5/PP6/K7 b - -", UNDECIDED),
]


@each_case(("fen", "expected_winner"), MATES)
def test_mate(fen: str, expected_winner: str | None) -> None:
    assert winner(start(fen)) == expected_winner


STALEMATES = [
    ("7k/5Q2/6K1/8/8/8/8/8 b - -", DRAW),
    ("7k/5Q2/6K1/8/8/8/8/8 w - -", UNDECIDED),
    ("7k/5Q2/6K1/8/8/8/p7/8 b - -", UNDECIDED),  # the pawn moves
    ("k7/P7/K7/8/8/8/8/8 b - -", DRAW),
    ("8/8/8/8/8/5k2/5p2/5K2 w - -", DRAW),
    # A pinned piece without legal moves.
    ("kb5R/8/K7/8/8/8/8/8 b - -", DRAW),
    ("kr5R/8/K7/8/8/8/8/8 b - -", UNDECIDED),
    # Blocked pawns.
    ("8/8/8/6p1/5pPk/5P1P/6K1/8 b - -", DRAW),
    ("7k/8/7K/p7/P7/8/8/5R2 b - -", UNDECIDED),
    ("7k/8/7K/p7/P7/8/8/6R1 b - -", DRAW),
]


@each_case(("fen", "expected_winner"), STALEMATES)
def test_stalemate(fen: str, expected_winner: str | None) -> None:
    position = start(fen)
    assert winner(position) == expected_winner
    assert expected_winner == UNDECIDED or cause(position) == "stalemate"


def test_mate_by_a_move() -> None:
    position = play(start(chess.START), "f2f3", "e7e5", "g2g4")
    assert winner(position) == UNDECIDED
    play(position, "d8h4")
    assert winner(position) == "Black"
    assert not position.legal_moves
    position.pop()
    assert winner(position) == UNDECIDED


def test_mate_by_castling() -> None:
    """The rook on f1 mates; the rook on a7 and the bishops attack the squares around the king."""
    position = start("5k2/R7/8/1B6/2B5/8/8/4K2R w K -")
    assert winner(position) == UNDECIDED
    assert winner(play(position, "e1g1")) == "White"


# --- fifty moves -------------------------------------------------------------------------------


def test_fifty_moves() -> None:
    position = start("7k/8/8/8/8/8/R7/K7 w - - 98")
    assert winner(play(position, "a2a3")) == UNDECIDED
    assert winner(play(position, "h8g8")) == DRAW
    assert cause(position) == "fifty moves without a capture or a pawn move"


@pytest.mark.parametrize(
    ("fen", "move", "expected_winner"),
    [
        ("6k1/8/8/8/8/8/R3P2n/K7 w - - 99", "a2b2", DRAW),
        ("6k1/8/8/8/8/8/R3P2n/K7 w - - 99", "e2e3", UNDECIDED),
        ("6k1/8/8/8/8/8/R6n/K7 w - - 99", "a2h2", UNDECIDED),
    ],
)
def test_pawn_moves_and_captures_reset_the_clock(
    fen: str, move: str, expected_winner: str | None
) -> None:
    position = play(start(fen), move)
    assert winner(position) == expected_winner
    assert position.variables["clock"] == (100 if expected_winner == DRAW else 0)


def test_castling_does_not_reset_the_clock() -> None:
    position = play(start("4k3/8/8/8/8/8/8/4K2R w K - 99"), "e1g1")
    assert winner(position) == DRAW


def test_mate_takes_precedence_over_fifty_moves() -> None:
    position = play(start("6k1/5ppp/8/8/8/8/R7/K7 w - - 99"), "a2a8")
    assert winner(position) == "White"
    assert cause(position) == "checkmate"


# --- third occurrence --------------------------------------------------------------------------

KNIGHTS = ("g1f3", "g8f6", "f3g1", "f6g8")


def test_third_occurrence() -> None:
    position = play(start(chess.START), *KNIGHTS, *KNIGHTS[:3])
    assert winner(position) == UNDECIDED
    assert winner(play(position, KNIGHTS[3])) == DRAW
    assert cause(position) == "the position has occurred three times"


def test_undone_occurrences_do_not_count() -> None:
    position = play(start(chess.START), *KNIGHTS, *KNIGHTS)
    for _ in range(8):
        position.pop()
    play(position, *KNIGHTS)
    assert winner(position) == UNDECIDED
    play(position, *KNIGHTS)
    assert winner(position) == DRAW


def test_copies_count_occurrences_separately() -> None:
    """Occurrences in one copy of a position do not count in the other."""
    position = play(start(chess.START), *KNIGHTS)
    other = position.copy()
    play(position, *KNIGHTS[:2])
    play(other, *KNIGHTS[:3])
    play(position, KNIGHTS[2])
    assert winner(position) == UNDECIDED
    assert winner(other) == UNDECIDED
    assert winner(play(other, KNIGHTS[3])) == DRAW
    assert winner(position) == UNDECIDED


# Four moves of the kings that restore the board.
CYCLE = ("e1e2", "e8e7", "e2e1", "e7e8")


def test_positions_with_different_castling_rights_differ() -> None:
    """After two rounds the board occurs for the third time, but for the second without rights."""
    position = play(start("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"), *CYCLE, *CYCLE)
    assert winner(position) == UNDECIDED
    # At the first occurrence Black still had castling rights, so this is the second.
    assert winner(play(position, "e1e2")) == UNDECIDED
    assert winner(play(position, "e8e7")) == DRAW


def test_positions_with_different_en_passant_rights_differ() -> None:
    """The capture e5xd6 is legal immediately after d7-d5 only, not in the two later positions."""
    position = play(start("4k3/3p4/8/4P3/8/8/8/4K3 b - -"), "d7d5", *CYCLE, *CYCLE)
    assert winner(position) == UNDECIDED
    assert winner(play(position, "e1e2")) == DRAW


def test_impossible_en_passant_is_ignored_in_repetitions() -> None:
    position = play(start("4k3/3p4/8/8/8/8/P7/4K3 b - -"), "d7d5", *CYCLE, *CYCLE)
    assert winner(position) == DRAW
    # The capturing pawn is pinned; only legal captures make positions different.
    king_moves = ("a5a4", "e8e7", "a4a5", "e7e8")
    position = play(start("4k3/3p4/8/K3P2r/8/8/8/8 b - -"), "d7d5", *king_moves, *king_moves)
    assert winner(position) == DRAW


def test_positions_with_different_players_to_move_differ() -> None:
    """White loses a move by triangulation, so the same board occurs with Black to move."""
    position = start("7k/p7/8/8/8/8/P7/K7 w - -")
    play(position, "a1b1", "h8g8", "b1b2", "g8h8", "b2a1")  # first occurrence with Black to move
    play(position, "h8g8", "a1b1", "g8h8", "b1a1")  # second occurrence
    assert winner(position) == UNDECIDED
    play(position, "h8g8", "a1b1", "g8h8", "b1a1")
    assert winner(position) == DRAW


# --- material ----------------------------------------------------------------------------------

MATERIAL = [
    ("7k/8/6K1/8/8/8/8/8 w - -", DRAW),
    ("7k/8/8/8/8/8/8/K5N1 w - -", DRAW),
    ("7k/8/8/8/8/8/8/K5n1 w - -", DRAW),
    ("7k/8/8/8/8/8/8/K5B1 w - -", DRAW),
    ("5b1k/8/8/8/8/8/8/KB6 w - -", UNDECIDED),  # f8 is dark, b1 light
    ("4b2k/8/8/8/8/8/8/KB6 w - -", DRAW),  # both light
    ("7k/8/8/8/8/8/8/KB1B1B2 w - -", DRAW),
    ("7k/8/8/8/8/8/8/KBB5 w - -", UNDECIDED),
    ("7k/8/8/8/8/8/8/K4NN1 w - -", UNDECIDED),
    ("n6k/8/8/8/8/8/8/K5N1 w - -", UNDECIDED),
    ("n6k/8/8/8/8/8/8/K5B1 w - -", UNDECIDED),
    ("7k/8/8/8/8/8/P7/K7 w - -", UNDECIDED),
    ("7k/8/8/8/8/8/R7/K7 w - -", UNDECIDED),
    ("7k/8/8/8/8/8/Q7/K7 w - -", UNDECIDED),
    # Los Alamos has no bishops.
    ("5k/6/6/6/6/K4N w - -", DRAW),
    ("5k/6/6/6/6/K3NN w - -", UNDECIDED),
]


@each_case(("fen", "expected_winner"), MATERIAL)
def test_material(fen: str, expected_winner: str | None) -> None:
    assert winner(start(fen)) == expected_winner


def test_capture_of_the_last_pawn() -> None:
    assert winner(play(start("7k/8/8/8/8/8/1p6/K7 w - -"), "a1b2")) == DRAW

"""The legal moves of chess, in positions built for each rule."""

from __future__ import annotations

import pytest

import forthvm
from tests.kit.cases import each_case
from tests.kit.games import play
from tests.models import chess
from tests.models.chess_setup import KINDS, start

LETTERS = {kind: letter for letter, kind in KINDS.items()}


def legal(position: forthvm.Position) -> list[str]:
    """Return all moves in UCI notation: `e2e4`, `e1g1` for castling, `b7a8n`."""
    found = []
    for move in position.legal_moves:
        source, target = move.from_square or "", move.to_square or ""
        before = position.board[source]
        position.push(move)
        after = position.board[target]
        position.pop()
        assert before is not None
        promoted = LETTERS[after.type] if after.type != before.type else ""
        found.append(source + target + promoted)
    assert len(found) == len(set(found))
    return sorted(found)


def goals(fen: str, source: str) -> set[str]:
    """Return the goals of the piece on a square, with the letter of a promotion."""
    return {move[2:] for move in legal(start(fen)) if move.startswith(source)}


def board(position: forthvm.Position) -> dict[str, str]:
    """Return the pieces by square."""
    return {
        square: str(piece) for square, piece in position.board.occupied() if piece.type != "mark"
    }


# --- published counts ----------------------------------------------------------------------

COUNTS = [
    (chess.START, 3, 8902),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 3, 97862),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 4, 43238),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", 3, 9467),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", 3, 62379),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -", 3, 89890),
]


@pytest.mark.parametrize(("fen", "depth", "count"), COUNTS)
def test_published_perft_counts(fen: str, depth: int, count: int) -> None:
    assert forthvm.perft(start(fen), depth) == count


# --- pieces ----------------------------------------------------------------------------------

PIECES = [
    # The FEN, a square, and the goals of the piece on it.  A queen among own and enemy pieces.
    (
        "7k/8/8/2p1P3/3Q4/8/3P4/K7 w - -",
        "d4",
        "c5 d5 d6 d7 d8 e4 f4 g4 h4 e3 f2 g1 d3 c3 b2 c4 b4 a4",
    ),
    # Corners and edges: no move wraps around the board.
    ("7k/p7/8/8/8/8/8/N6K w - -", "a1", "b3 c2"),
    ("7k/p7/8/7N/8/8/8/K7 w - -", "h5", "f4 f6 g3 g7"),
    ("6k1/8/8/8/7R/8/8/K7 w - -", "h4", "h1 h2 h3 h5 h6 h7 h8 a4 b4 c4 d4 e4 f4 g4"),
    ("8/p7/8/8/8/k7/8/7K w - -", "h1", "g1 g2 h2"),
    # A knight jumps.
    ("7k/8/8/8/8/2PPP3/2PNP3/2PPPK2 w - -", "d2", "b1 b3 c4 e4 f3"),
    # Pawns: one or two squares, not over or onto a piece; captures only diagonally.
    ("7k/8/8/8/8/8/P7/7K w - -", "a2", "a3 a4"),
    ("7k/8/8/8/8/P7/8/7K w - -", "a3", "a4"),
    ("7k/8/8/8/p7/8/P7/7K w - -", "a2", "a3"),
    ("7k/8/8/8/8/p7/P7/7K w - -", "a2", ""),
    ("7k/8/8/8/8/ppp5/1P6/7K w - -", "b2", "a3 c3"),
    ("7k/1p6/8/8/8/8/8/7K b - -", "b7", "b5 b6"),
    ("7k/8/8/8/1p6/PPP5/8/7K b - -", "b4", "a3 c3"),
    # Pawn captures do not wrap around the edge, from h3 to a4 or a5.
    ("7k/8/8/p7/p7/7P/8/7K w - -", "h3", "h4"),
]


@each_case(("fen", "source", "targets"), PIECES)
def test_pieces(fen: str, source: str, targets: str) -> None:
    assert goals(fen, source) == set(targets.split())


# --- check and pins ----------------------------------------------------------------------------

PINS = [
    # A pinned piece moves only along the line of the pin.
    ("4k3/8/8/4r3/8/8/4R3/4K3 w - -", "e2", "e3 e4 e5"),
    ("4k3/8/8/4r3/8/8/4N3/4K3 w - -", "e2", ""),
    ("4k3/8/8/4r3/8/8/4B3/4K3 w - -", "e2", ""),
    ("4k3/p7/8/8/7b/8/5B2/4K3 w - -", "f2", "g3 h4"),
    ("4k3/8/8/8/7b/8/5Q2/4K3 w - -", "f2", "g3 h4"),
    ("4k3/8/8/8/7q/6P1/8/4K3 w - -", "g3", "h4"),
    ("4k3/8/8/8/7q/8/5P2/4K3 w - -", "f2", ""),
    # A pawn pinned on its file may advance, but not capture.
    ("4k3/8/8/4r3/8/3p4/4P3/4K3 w - -", "e2", "e3 e4"),
    # Two pieces between are not pinned.
    ("4k3/8/8/4r3/4p3/8/4N3/4K3 w - -", "e2", "c1 c3 d4 f4 g1 g3"),
    # Two pins: each pinned piece moves on its own line.
    ("4k3/8/8/8/r1NKN2r/8/8/8 w - -", "c4", ""),
    ("4k3/8/8/8/r1NKN2r/8/8/8 w - -", "e4", ""),
    ("4k3/8/8/8/r1RKR2r/8/8/8 w - -", "c4", "a4 b4"),
    ("4k3/8/8/8/r1RKR2r/8/8/8 w - -", "e4", "f4 g4 h4"),
    ("3rk3/8/3B4/8/3K4/3B4/8/3r4 w - -", "d6", ""),
    ("3rk3/8/3R4/8/3K4/3R4/8/3r4 w - -", "d3", "d2 d1"),
]


@each_case(("fen", "source", "targets"), PINS)
def test_pins(fen: str, source: str, targets: str) -> None:
    assert goals(fen, source) == set(targets.split())


CHECKS = [
    # One attacker: move the king, capture the attacker, or move a piece between.
    ("4k3/8/8/8/4r3/8/3P1P2/R2QKB2 w - -", "d1e2 f1e2"),
    ("4k3/8/8/8/8/5n2/8/R3K2R w - -", "e1d1 e1e2 e1f1 e1f2"),
    ("4k3/8/8/8/8/5n2/6P1/R3K2R w - -", "e1d1 e1e2 e1f1 e1f2 g2f3"),
    # Two attackers: only the king can move, although each alone could be captured or blocked.
    ("4k3/8/4r3/8/8/5n2/3B1PP1/3QK3 w - -", "e1f1"),
    ("4k3/8/8/4r3/7b/8/3R4/2R1K3 w - -", "e1d1 e1f1"),
    # The king may not move away along the line of the check.
    ("4k3/8/8/8/r3K3/8/8/8 w - -", "e4d3 e4e3 e4f3 e4d5 e4e5 e4f5"),
    # The king may not move next to the other king or capture a protected piece; it may capture an
    # unprotected piece.
    ("8/p7/8/3k4/8/3K4/8/8 w - -", "d3c2 d3c3 d3d2 d3e2 d3e3"),
    ("7k/8/8/8/8/6p1/5q2/7K w - -", ""),
    ("7k/8/8/8/8/8/6q1/7K w - -", "h1g2"),
    ("7k/8/8/8/8/5p2/6q1/7K w - -", ""),
    # A pinned piece may capture the checking piece only along the line of the pin.
    ("4k3/8/8/8/1b6/2P5/8/4K2r w - -", "e1d2 e1e2 e1f2"),
    # A pawn attacks diagonally, not ahead.
    ("7k/8/8/8/3p4/8/3K4/8 w - -", "d2c1 d2d1 d2e1 d2c2 d2e2 d2d3"),
]


@each_case(("fen", "expected"), CHECKS)
def test_checks(fen: str, expected: str) -> None:
    assert legal(start(fen)) == sorted(expected.split())


# --- castling ----------------------------------------------------------------------------------

CASTLING_POSITION = "r3k2r/8/8/8/8/8/8/R3K2R {} KQkq -"
CASTLINGS = [
    (CASTLING_POSITION.format("w"), "e1", "g1 c1"),
    (CASTLING_POSITION.format("b"), "e8", "g8 c8"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w Kq -", "e1", "g1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w Qk -", "e1", "c1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w kq -", "e1", ""),
    # Pieces between king and rook, including b1.
    ("4k3/8/8/8/8/8/8/RN2K1NR w KQ -", "e1", ""),
    ("4k3/8/8/8/8/8/8/R2QKB1R w KQ -", "e1", ""),
    ("4k3/8/8/8/8/8/8/R1b1K2R w KQ -", "e1", "g1"),
    ("1n2k3/8/8/8/8/8/8/Rn2K2R w KQ -", "e1", "g1"),
    # Illegal: castling out of check, across an attacked square, into check.
    ("4k3/8/8/8/4r3/8/8/R3K2R w KQ -", "e1", ""),
    ("4k3/8/8/8/5r2/8/8/R3K2R w KQ -", "e1", "c1"),
    ("4k3/8/8/8/6r1/8/8/R3K2R w KQ -", "e1", "c1"),
    ("4k3/8/8/8/3r4/8/8/R3K2R w KQ -", "e1", "g1"),
    ("4k3/8/8/8/2r5/8/8/R3K2R w KQ -", "e1", "g1"),
    ("4k3/8/8/8/8/7n/8/R3K2R w KQ -", "e1", "c1"),
    ("4k3/8/8/8/8/8/6p1/R3K2R w KQ -", "e1", "c1"),
    ("4k3/8/8/8/8/8/7p/R3K2R w KQ -", "e1", "c1"),
    ("8/8/8/8/8/8/1k6/R3K2R w KQ -", "e1", "g1"),
    # Legal: the rook is attacked, or crosses an attacked square.
    ("4k3/8/8/8/1r6/8/8/R3K2R w KQ -", "e1", "g1 c1"),
    ("4k3/8/8/8/r6r/8/8/R3K2R w KQ -", "e1", "g1 c1"),
]


@each_case(("fen", "source", "targets"), CASTLINGS)
def test_castling(fen: str, source: str, targets: str) -> None:
    # A castling king moves two files from e.
    found = {goal for goal in goals(fen, source) if abs(ord(goal[0]) - ord("e")) == 2}
    assert found == set(targets.split())


@each_case(
    ("side", "move", "king", "rook"),
    [
        ("w", "e1g1", "g1", "f1"),
        ("w", "e1c1", "c1", "d1"),
        ("b", "e8g8", "g8", "f8"),
        ("b", "e8c8", "c8", "d8"),
    ],
)
def test_castling_moves_king_and_rook(side: str, move: str, king: str, rook: str) -> None:
    position = start(CASTLING_POSITION.format(side))
    before = board(position)
    player = "White" if side == "w" else "Black"
    play(position, move)
    after = board(position)
    assert (after.pop(king), after.pop(rook)) == (f"{player} king", f"{player} rook")
    other = "h" if king[0] == "g" else "a"
    for square in (move[:2], other + move[1]):
        del before[square]
    assert after == before


LOST_RIGHTS = [
    # Lines in which pieces move and return, with the castlings that White still has.
    (CASTLING_POSITION.format("w"), "h1h2 a8b8 h2h1 b8a8", {"c1"}),
    (CASTLING_POSITION.format("w"), "a1a2 h8h7 a2a1 h7h8", {"g1"}),
    (CASTLING_POSITION.format("w"), "e1e2 a8b8 e2e1 b8a8", set()),
    # A rook is captured on its initial square, and another rook moves there.
    ("r3k2r/8/8/3b4/8/8/8/R3K1RR b KQkq -", "d5h1 g1h1 e8e7", {"c1"}),
    # A rook that captures a rook ends rights of both players.
    (CASTLING_POSITION.format("w"), "h1h8 e8e7 h8h1 e7e8", {"c1"}),
    (CASTLING_POSITION.format("b"), "a8a1 e1e2 a1a8 e2e1 e8e7", set()),
]


@each_case(("fen", "line", "remaining"), LOST_RIGHTS)
def test_castling_rights_are_lost_by_moves_and_captures(
    fen: str, line: str, remaining: set[str]
) -> None:
    position = play(start(fen), *line.split())
    assert position.turn == "White"
    found = {move[2:] for move in legal(position) if move[:2] == "e1" and move[2] in "cg"}
    assert found == remaining


def test_capture_of_a_rook_ends_blacks_castling_right() -> None:
    """After the capture of the rook on h8, Black cannot castle with another rook on h8."""
    position = play(start("r3k2r/8/8/8/8/8/7R/R3K3 w Qkq -"), "h2h8")
    assert "e8g8" not in legal(position)
    position = play(start("r3k1rr/8/8/8/3B4/8/8/R3K3 w Qkq -"), "d4h8", "g8h8", "e1e2")
    found = legal(position)
    assert "e8g8" not in found
    assert "e8c8" in found


# --- en passant --------------------------------------------------------------------------------


def test_en_passant() -> None:
    position = play(start("4k3/3p4/8/4P3/8/8/8/4K3 b - -"), "d7d5")
    assert "e5d6" in legal(position)
    play(position, "e5d6")
    assert board(position) == {"e8": "Black king", "d6": "White pawn", "e1": "White king"}


def test_en_passant_from_both_sides_and_for_black() -> None:
    position = play(start("4k3/8/8/8/2p1p3/8/3P4/4K3 w - -"), "d2d4")
    assert {"c4d3", "e4d3"} <= set(legal(position))
    play(position, "c4d3")
    assert "d4" not in board(position)
    assert board(position)["d3"] == "Black pawn"


def test_en_passant_is_legal_immediately_only() -> None:
    position = play(start("4k3/3p4/8/4P3/8/8/8/4K3 b - -"), "d7d5", "e1e2", "e8e7")
    assert "e5d6" not in legal(position)
    position = play(start("4k3/3p4/8/4P3/8/8/8/4K3 b - -"), "d7d6", "e1e2", "d6d5")
    assert "e5d6" not in legal(position)


def test_en_passant_does_not_wrap_around_the_edge() -> None:
    position = play(start("4k3/7p/8/P7/8/8/8/4K3 b - -"), "h7h5")
    assert {move for move in legal(position) if move[:2] == "a5"} == {"a5a6"}
    position = play(start("4k3/p7/8/7P/8/8/8/4K3 b - -"), "a7a5")
    assert {move for move in legal(position) if move[:2] == "h5"} == {"h5h6"}


def test_only_pawns_capture_en_passant() -> None:
    position = play(start("4k3/3p4/8/Q7/8/B7/8/4K3 b - -"), "d7d5")
    play(position, "a3d6")
    assert board(position)["d5"] == "Black pawn"


EN_PASSANT = [
    # The capture would remove both pawns between king and rook on a rank.
    ("4k3/3p4/8/K3P2r/8/8/8/8 b - -", "d7d5", "e5d6", False),
    ("4k3/8/8/8/r3p2K/8/3P4/8 w - -", "d2d4", "e4d3", True),
    ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3", "", "e4d3", False),
    # It is legal with another piece between.
    ("4k3/3p4/8/K1N1P2r/8/8/8/8 b - -", "d7d5", "e5d6", True),
    # The capturing or the captured pawn opens a diagonal to the king.
    ("7b/3p4/8/4P3/3K4/8/8/4k3 b - -", "d7d5", "e5d6", False),
    ("b3k3/3p4/8/4P3/8/5K2/8/8 b - -", "d7d5", "e5d6", False),
    # A pawn pinned on the file.
    ("4r1k1/3p4/8/4P3/8/8/8/4K3 b - -", "d7d5", "e5d6", False),
    # A pawn pinned along the diagonal of its capture.
    ("4k3/2bp4/8/4P3/5K2/8/8/8 b - -", "d7d5", "e5d6", True),
    # The capture of the checking pawn is legal; it does not end another check.
    ("4k3/3p4/8/4P3/4K3/8/8/8 b - -", "d7d5", "e5d6", True),
    ("4k3/3p4/8/4P3/K3r3/8/8/8 b - -", "d7d5", "e5d6", False),
    # The pawn moves between: on d6 it blocks the line from b8 to the king.
    ("1b2k3/3p4/8/4P3/8/6K1/8/8 b - -", "d7d5", "e5d6", True),
]


@each_case(("fen", "line", "move", "allowed"), EN_PASSANT)
def test_en_passant_and_check(fen: str, line: str, move: str, allowed: bool) -> None:
    position = play(start(fen), *line.split())
    assert (move in legal(position)) == allowed


# --- promotion ---------------------------------------------------------------------------------


def test_promotion() -> None:
    fen = "1r2k3/P7/8/8/8/8/7p/4K1R1 {} - -"
    assert {move for move in legal(start(fen.format("w"))) if move[0] == "a"} == {
        "a7a8q",
        "a7a8r",
        "a7a8b",
        "a7a8n",
        "a7b8q",
        "a7b8r",
        "a7b8b",
        "a7b8n",
    }
    assert {move for move in legal(start(fen.format("b"))) if move[0] == "h"} == {
        "h2h1q",
        "h2h1r",
        "h2h1b",
        "h2h1n",
        "h2g1q",
        "h2g1r",
        "h2g1b",
        "h2g1n",
    }


def test_promoted_piece_moves_by_its_new_type() -> None:
    position = play(start("1r2k3/P7/8/8/8/8/7P/4K3 w - -"), "a7b8n", "e8f8")
    assert {move for move in legal(position) if move[:2] == "b8"} == {"b8a6", "b8c6", "b8d7"}
    assert board(position)["b8"] == "White knight"


def test_promotion_of_a_pinned_pawn() -> None:
    """A pinned pawn may capture the pinning piece and promote, but not advance."""
    found = legal(start("4k2b/6P1/8/4K3/8/8/8/8 w - -"))
    assert {move for move in found if move[:2] == "g7"} == {"g7h8q", "g7h8r", "g7h8b", "g7h8n"}


# --- Los Alamos --------------------------------------------------------------------------------


def test_los_alamos() -> None:
    position = start(chess.LOS_ALAMOS)
    first = "a2a3 b2b3 c2c3 d2d3 e2e3 f2f3 b1a3 b1c3 e1d3 e1f3"
    assert set(legal(position)) == set(first.split())
    assert board(position)["d1"] == "White king"
    found = legal(start("1r2k1/P5/6/6/6/3K2 w - -"))
    assert {move for move in found if move[0] == "a"} == {
        "a5a6q",
        "a5a6r",
        "a5a6n",
        "a5b6q",
        "a5b6r",
        "a5b6n",
    }

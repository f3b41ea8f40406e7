"""The positions of `rules/rithmomachia.md`, section 12, and a function to read them.

The tests of the models and of the article use them.
"""

from __future__ import annotations

from typing import Final

from tests.models.rithmomachia import BLACK_PARTS, START, WHITE_PARTS

__all__ = ["POSITIONS", "read_position"]

# Format: name: pieces; move; captured under `article`; captured under `script`.  `BP f9` is an
# intact pyramid with all its parts.  `all` stands for the pyramid's square and all its parts.
POSITIONS: Final = (
    "1 siege: WR4 e8, WR64 f9, WT9 f7, WT25 i8, BS361 f8; i8-g8; f8; f8",
    "2 siege in a corner: WR4 e14, BS361 c16; e14-d15; c16; c16",
    "3 equality: WR16 e5, BT16 g7; e5-f6; g7; g7",
    "3 equality is one way: WR16 f6, BT16 g5; g5-g7; ; ",
    "4 ambush, sum: WR16 e6, WR4 h9, BT20 f7; h9-g8; f7; f7",
    "4 ambush, product: WR2 d5, WT6 h7, BT12 f7; d5-e6; f7; f7",
    "5 eruption over a piece: WR4 e3, BS28 d10, WT9 d7; e3-d4; d10; d10",
    "6 eruption, quotient: WT42 e3, WR4 g5, BR7 g8; e3-g3; g8; ",
    "7 eruption at 4 over a piece: WR9 c4, WT20 d7, BS36 d8; c4-d5; d8; ",
    "8 part of a pyramid: WS64 d3, WR1 j1, BP f9; d3-e6; a16; a16",
    "9 pyramid by ambush: WT72 d10, WS118 e12, WR9 c1, BP f9; c1-d2; all; all",
    "10 pyramid by siege: WR4 e9, WR6 f10, WR8 g9, WR2 g7, BP f9; g7-f8; all; all",
    "11 pyramid strikes with a part: WP i4, BR9 g8; i4-i7; g8; g8",
    "12 run just freed: WT30 d5, WR2 e5, BT30 f5; e5-f6; f5; ",
    "12 run just blocked: WT30 d5, WR2 d4, BT30 f5; d4-e5; ; f5",
)

_TOTALS: Final = {"W": "W P91", "B": "B P190"}


def read_position(
    case: str,
) -> tuple[dict[str, str], tuple[str, str], set[str], set[str]]:
    """Return the board, the move, and the captured squares under `article` and `script`."""
    pieces, move, article, script = (part.strip() for part in case.split(":")[1].split(";"))
    board: dict[str, str] = {}
    for text in pieces.split(", "):
        piece, square = text.split()
        if piece[1:] == "P":
            board[square] = _TOTALS[piece[0]]
            for part in WHITE_PARTS if piece[0] == "W" else BLACK_PARTS:
                board[part] = START[part]
        else:
            board[square] = f"{piece[0]} {piece[1:]}"
    pyramid = {name for name, piece in board.items() if piece[:3] == "B P"} | set(BLACK_PARTS)
    captured = [pyramid if text == "all" else set(text.split()) for text in (article, script)]
    start, goal = move.split("-")
    return board, (start, goal), captured[0], captured[1]

"""The words of KIF: pieces, boards, starts and headers of games of shogi and minishogi."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = [
    "ANY_NAME",
    "ANY_PLAYER",
    "BOARDS",
    "COLON",
    "DATE",
    "EVEN",
    "FIRST_PLAYERS",
    "HAND",
    "HANDICAP",
    "HANDICAPS",
    "HANDICAP_PLAYERS",
    "HANDICAP_REST",
    "LETTERS",
    "LINE_END",
    "NAMES",
    "OTHER_NAMES",
    "OTHER_START",
    "PIECES",
    "PLAYERS",
    "RANKS",
    "SECOND_PLAYERS",
    "TAGS",
    "TIME",
    "TIMES",
    "Board",
    "Square",
]

PIECES = {
    "歩": ("P", "pawn"),
    "香": ("L", "lance"),
    "桂": ("N", "knight"),
    "銀": ("S", "silver"),
    "金": ("G", "gold"),
    "角": ("B", "bishop"),
    "飛": ("R", "rook"),
    "玉": ("K", "king"),
    "と": ("+P", "tokin"),
    "成香": ("+L", "+lance"),
    "成桂": ("+N", "+knight"),
    "成銀": ("+S", "+silver"),
    "馬": ("+B", "horse"),
    "龍": ("+R", "dragon"),
}
"""Letter and type of a piece by its name."""
OTHER_NAMES = {"王": "玉", "杏": "成香", "圭": "成桂", "全": "成銀", "竜": "龍"}
LETTERS = {name: PIECES[OTHER_NAMES.get(name, name)][0] for name in [*PIECES, *OTHER_NAMES]}
"""The letter of a piece by each of its names."""
NAMES = {kind: name for name, (_, kind) in PIECES.items()}
ANY_NAME = "|".join(sorted(LETTERS, key=len, reverse=True))
"""A name of a piece, as a regular expression."""
RANKS = "一二三四五六七八九"


class Board(NamedTuple):
    """A board.

    Attributes:
        name: The name of its start.
        size: The number of its ranks.
        zone: The number of the ranks where pieces promote.
        fen: The start.
    """

    name: str
    size: int
    zone: int
    fen: str


BOARDS = {
    "shogi": Board("平手", 9, 3, "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
    "shogi-mini": Board("5五将棋", 5, 1, "rbsgk/4p/5/P4/KGSBR b - 1"),
}
"""The boards by the names of their games."""
EVEN = {board.name: game for game, board in BOARDS.items()}
HANDICAPS = {
    "香落ち": "lnsgkgsn1/1r5b1",
    "右香落ち": "1nsgkgsnl/1r5b1",
    "角落ち": "lnsgkgsnl/1r7",
    "飛車落ち": "lnsgkgsnl/7b1",
    "飛香落ち": "lnsgkgsn1/7b1",
    "二枚落ち": "lnsgkgsnl/9",
    "三枚落ち": "lnsgkgsn1/9",
    "四枚落ち": "1nsgkgsn1/9",
    "五枚落ち": "2sgkgsn1/9",
    "左五枚落ち": "1nsgkgs2/9",
    "六枚落ち": "2sgkgs2/9",
    "左七枚落ち": "2sgkg3/9",
    "右七枚落ち": "3gkgs2/9",
    "八枚落ち": "3gkg3/9",
    "十枚落ち": "4k4/9",
}
"""The first two ranks of the player who gives a handicap, and who moves first.

Left and right are those of this player, who sits at the first rank.
"""
HANDICAP_REST = "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"

# --- headers and lines ---------------------------------------------------------------------------

PLAYERS = ("先手", "後手")
"""The first and the second player."""
HANDICAP_PLAYERS = ("下手", "上手")
"""The same after a handicap, which the second player gives."""
FIRST_PLAYERS, SECOND_PLAYERS = zip(PLAYERS, HANDICAP_PLAYERS, strict=True)
ANY_PLAYER = "|".join(PLAYERS + HANDICAP_PLAYERS)
"""A player, as a regular expression."""
HAND = rf"(?P<player>{ANY_PLAYER})の?持ち?駒"
"""The header of the pieces in hand, as a regular expression."""
TAGS = {
    **dict.fromkeys(FIRST_PLAYERS, "White"),
    **dict.fromkeys(SECOND_PLAYERS, "Black"),
    "棋戦": "Event",
    "場所": "Site",
    "開始日時": "Date",
    "終了日時": "EndDate",
    "持ち時間": "TimeControl",
    "戦型": "Opening",
}
TIMES = {"Date": "Time", "EndDate": "EndTime"}
"""The tags for the time of day."""
DATE = re.compile(
    r"(\d{4}|\?{4})[/.-](\d\d?|\?\?)[/.-](\d\d?|\?\?)(?:\(.\))?(?: (?P<time>\d\d?:\d\d(?::\d\d)?))?"
)
HANDICAP = "手合割"
OTHER_START = "その他"
"""The start of games that begin from a diagram."""
COLON = "\uff1a"
"""The colon of Japanese text."""
TIME = r"\s*+\+?\s*+(\([^)]*+\))?\s*+\+?\s*+"
"""The time of a move, and a sign that variations follow, as a regular expression."""
LINE_END = re.compile(r"\r\n?|\n")
Square = tuple[int, int]
"""File and rank, from 1."""

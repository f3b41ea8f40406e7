"""Positions of Rithmomachia with a move and the captures of that move.

Owns the positions for captures, worked out by hand from `rules/rithmomachia.md`, sections 4
to 6, 9 and 12.  They test the model and the bundled game.

`WR4 e8` is White's round (R) 4 on e8; T is a triangle, S a square and P a pyramid.  `BP f9` is an
intact pyramid, `BP=S64+R16 f9` one with only these parts.  A piece is captured by siege, equality,
ambush (two attackers) or eruption (at a distance along row or column).

Captures are written as squares, parts of a pyramid by class and value.  A pyramid that is captured
as a whole is written as its square.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

__all__ = ["BY_OPTION", "CAPTURES", "PUBLISHED", "Case", "read"]

Choice = Mapping[str, object]


@dataclass(frozen=True)
class Case:
    """A position, a move, and its captures (`takes`) under these options."""

    name: str
    pieces: str
    move: str
    takes: str
    options: Choice = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name

    @property
    def pair(self) -> tuple[str, str]:
        """Start and goal of the move."""
        start, goal = self.move.split("-")
        return start, goal


def read(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the pieces by square, and by side the parts of the pyramids that are not intact."""
    pieces, parts = {}, {}
    for item in text.split(", "):
        piece, square = item.split()
        if "=" in piece:
            piece, remaining = piece.split("=")
            parts[piece[0]] = remaining.replace("+", " ")
        pieces[square] = piece
    return pieces, parts


# The positions of section 12; positions 3, 4 and 12 have two cases each.
PUBLISHED: Final = (
    Case("1 siege", "WR4 e8, WR64 f9, WT9 f7, WT25 i8, BS361 f8", "i8-g8", "f8"),
    Case("2 siege in a corner", "WR4 e14, BS361 c16", "e14-d15", "c16"),
    Case("3 equality", "WR16 e5, BT16 g7", "e5-f6", "g7"),
    Case("3 equality is one way", "WR16 f6, BT16 g5", "g5-g7", ""),
    Case("4 ambush, sum", "WR16 e6, WR4 h9, BT20 f7", "h9-g8", "f7"),
    Case("4 ambush, product", "WR2 d5, WT6 h7, BT12 f7", "d5-e6", "f7"),
    Case("5 eruption over a piece", "WR4 e3, BS28 d10, WT9 d7", "e3-d4", "d10"),
    Case("6 eruption, quotient", "WT42 e3, WR4 g5, BR7 g8", "e3-g3", "g8"),
    Case("7 eruption at 4 over a piece", "WR9 c4, WT20 d7, BS36 d8", "c4-d5", "d8"),
    Case("8 part of a pyramid", "WS64 d3, WR1 j1, BP f9", "d3-e6", "S64"),
    Case("9 pyramid by ambush", "WT72 d10, WS118 e12, WR9 c1, BP f9", "c1-d2", "f9"),
    Case("10 pyramid by siege", "WR4 e9, WR6 f10, WR8 g9, WR2 g7, BP f9", "g7-f8", "f9"),
    Case("11 pyramid strikes with a part", "WP i4, BR9 g8", "i4-i7", "g8"),
    Case("12 run just freed", "WT30 d5, WR2 e5, BT30 f5", "e5-f6", "f5"),
    Case("12 run just blocked", "WT30 d5, WR2 d4, BT30 f5", "d4-e5", ""),
)

_SIEGE: Final = (
    Case("siege at the edge", "WT9 e16, WT25 g16, WR4 e14, BS361 f16", "e14-f15", "f16"),
    Case("diagonal siege at the edge", "WR8 g15, WR4 d14, BS361 f16", "d14-e15", "f16"),
    Case("siege at the left edge", "WT9 c9, WT25 c7, WR4 e7, BS361 c8", "e7-d8", "c8"),
    Case("siege at the right edge", "WT9 j9, WT25 j7, WR4 h7, BS361 j8", "h7-i8", "j8"),
    Case("orthogonal siege in a corner", "WT9 j2, WR4 h2, BS361 j1", "h2-i1", "j1"),
    Case(
        "a piece of the victim's side prevents a siege",
        "WT9 e16, WR4 e14, BS361 f16, BS225 g16",
        "e14-f15",
        "",
    ),
    Case(
        "an empty square prevents a siege",
        "WR4 e8, WR64 f9, WT9 f7, WT25 j8, BS361 f8",
        "j8-h8",
        "",
    ),
    Case(
        "three orthogonal and one diagonal are no siege",
        "WR4 e8, WR64 f9, WT9 f7, WR8 h10, BS361 f8",
        "h10-g9",
        "",
    ),
    Case(
        "a move into a siege does not lose the piece",
        "WT25 f6, BS361 e9, BS225 g9, BS121 e7, BS120 g7",
        "f6-f8",
        "",
    ),
    Case(
        "a besieged piece is captured by the next enemy move",
        "WT25 f8, BS361 e9, BS225 g9, BS121 e7, BS120 g7, BT56 j16",
        "j16-j14",
        "f8",
    ),
)

_EQUALITY: Final = (
    Case("round to a diagonal", "WR9 d6, BR9 f8", "d6-e7", "f8"),
    Case("round not straight", "WR9 e7, BR9 f9", "e7-f8", ""),
    Case("triangle by a run", "WT25 f4, BT25 f8", "f4-f6", "f8"),
    Case("triangle, run blocked", "WT25 f4, BT25 f8, BS361 f7", "f4-f6", ""),
    Case("triangle not at one square", "WT25 f5, BT25 f8", "f5-f7", ""),
    Case("triangle by a leap", "WT25 e4, BT25 f8", "e4-e6", "f8"),
    Case("leaps pass over pieces", "WT25 e4, BT25 f8, BS361 e7, BS225 f7", "e4-e6", "f8"),
    Case("square by a run", "WS25 f2, BT25 f8", "f2-f5", "f8"),
    Case("square, run blocked near it", "WS25 f2, BT25 f8, BS361 f6", "f2-f5", ""),
    Case("square, run blocked far from it", "WS25 f2, BT25 f8, BS361 f7", "f2-f5", ""),
    Case("square by a leap", "WS25 d3, BT25 e9", "d3-d6", "e9"),
    Case("square by the other leap", "WS25 d3, BT25 g7", "d3-d6", "g7"),
    Case("along the edge", "WS25 c3, BT25 c9", "c3-c6", "c9"),
    Case("pieces that did not move capture", "WT25 e6, WR2 j1, BT25 f8", "j1-i2", "f8"),
    Case("another number does not capture", "WT25 e6, WR2 j1, BT36 f8", "j1-i2", ""),
    Case("Black captures by the same rules", "BT25 e8, BR3 j16, WT25 f6", "j16-i15", "f6"),
)

_AMBUSH: Final = (
    Case("ambush, difference", "WT25 d7, WR16 d6, BR9 f8", "d6-e7", "f8"),
    Case("ambush, quotient", "WT72 d7, WR8 d6, BR9 f8", "d6-e7", "f8"),
    Case(
        "ambush by two pieces that did not move", "WT72 d7, WR8 e7, WR2 j1, BR9 f8", "j1-i2", "f8"
    ),
    Case("one piece does not count twice", "WR4 d6, BR8 f8", "d6-e7", ""),
    Case("two pieces with equal numbers", "WR4 d6, WR4 g7, BR8 f8", "d6-e7", "f8"),
    Case("three pieces are no ambush", "WR16 d6, WR8 g7, WR4 g9, BS28 f8", "d6-e7", ""),
    Case("ambush, run of one piece is free", "WT25 f6, WR16 d6, BR9 f8", "d6-e7", "f8"),
    Case("ambush, run of one piece is blocked", "WT25 f6, WR16 d6, BR9 f8, BS361 f7", "d6-e7", ""),
    Case("only one piece could move there", "WT72 d8, WR8 d6, BR9 f9", "d6-e7", ""),
    Case("ambush in a corner", "WT9 h15, WT25 g13, BT16 j16", "g13-i14", "j16"),
)

_ERUPTION: Final = (
    Case("side by side counts 2", "WR8 e6, BT16 f8", "e6-f7", "f8"),
    Case("a whole row counts 8", "WR8 d7, BT64 j8", "d7-c8", "j8"),
    Case("a whole column counts 16", "WR4 i2, BT64 j16", "i2-j1", "j16"),
    Case("a count of 15 is not 16", "WR4 i2, BT64 j15", "i2-j1", ""),
    Case("quotient at 15", "WS45 j4, BR3 j15", "j4-j1", "j15"),
    Case("no eruption along diagonals", "WR4 c3, BT16 g7", "c3-d4", ""),
    Case("eruption over several pieces", "WR8 d7, BT64 j8, BS361 e8, WS153 g8", "d7-c8", "j8"),
    Case("eruption backwards", "WR8 d9, BT16 c7", "d9-c8", "c7"),
    Case("eruption by Black", "BR3 d9, WR6 e9", "d9-e10", "e9"),
)

_TOGETHER: Final = (
    Case(
        "three kinds at once",
        "WR16 e5, WS153 h6, WS169 f4, WS289 h4, BT16 g7, BT64 f9, BS121 g5",
        "e5-f6",
        "g7 f9 g5",
    ),
    Case("a capture frees no run", "WT25 f6, WR9 d5, BR9 f7, BT25 f8", "d5-e6", "f7"),
    Case(
        "a capture completes no siege",
        "WS153 e16, WR4 e14, WR9 h15, BS361 f16, BR9 g16",
        "e14-f15",
        "g16",
    ),
    Case(
        "two reasons capture a piece once",
        "WT25 e6, WT25 d7, WR2 j1, BT25 f8",
        "j1-i2",
        "f8",
    ),
)

_VICTIM: Final = (
    Case("intact pyramid, 90 + 100", "WT90 d10, WT100 e11, WR9 c1, BP f9", "c1-d2", "f9"),
    Case("two parts by equality", "WR16 e8, WT25 d6, BP f9", "d6-d8", "T25 R16"),
    Case("part by ambush", "WT30 d10, WT6 e11, WR2 c1, BP f9", "c1-d2", "T36"),
    Case("parts by equality and ambush", "WT16 d10, WT9 e11, WR2 c1, BP f9", "c1-d2", "T25 R16"),
    Case("part by eruption", "WR8 e1, BP f9", "e1-f2", "S64"),
    Case("a part that is gone already", "WR8 e1, BP=S49+T25 f9", "e1-f2", ""),
    Case("total of two parts by eruption", "WT20 f6, WR2 c1, BP=S64+R16 f9", "c1-d2", "f9"),
    Case("the same number, another total", "WT20 f6, WR2 c1, BP=S64+T25 f9", "c1-d2", ""),
    Case("total of two parts by equality", "WT100 d10, WR2 c1, BP=S64+T36 f9", "c1-d2", "f9"),
    Case("the last part", "WR16 d7, BP=R16 f9", "d7-e8", "f9"),
    Case("the last two parts one by one", "WR16 d7, WR8 f2, BP=S64+R16 f9", "d7-e8", "f9"),
    Case(
        "pyramid by diagonal siege",
        "WS153 e8, WS169 g8, WS289 e10, WT72 h12, BP f9",
        "h12-g10",
        "f9",
    ),
    Case("pyramid by siege in a corner", "WR2 h14, BP j16", "h14-i15", "j16"),
    Case("White's pyramid, one part", "BR9 g6, WP i4", "g6-h5", "T9"),
)

_ATTACKER: Final = (
    Case("not with a part of a class that does not move there", "WP f5, BR9 h7", "f5-g6", ""),
    Case("with a part of a class that moves there", "WP f5, BR4 h7", "f5-g6", "h7"),
    Case("equality by the total", "WP=S36+T9 i4, BS45 j9", "i4-j6", "j9"),
    Case("the total needs a part that moves there", "WP=S36+T9 i4, BS45 i7", "i4-j6", ""),
    Case("ambush with a part", "WP=S36+T16 d7, WR4 d6, BT12 f8", "d6-e7", "f8"),
    Case("ambush with a part of another class", "WP=S36+T16 d7, WR4 d6, BR9 f8", "d6-e7", ""),
    Case("ambush with the total", "WP=S36+T9 d7, WR4 d6, BT49 f8", "d6-e7", "f8"),
    Case("two parts are no ambush", "WP=T16+T9+R1 i4, BR25 g7", "i4-i6", ""),
    Case("eruption by any part", "WP i4, BS28 j13", "i4-j7", "j13"),
    Case("eruption by the total", "WP=S36+T9 i4, BS225 j10", "i4-j6", "j10"),
)

CAPTURES: Final = (
    *_SIEGE,
    *_EQUALITY,
    *_AMBUSH,
    *_ERUPTION,
    *_TOGETHER,
    *_VICTIM,
    *_ATTACKER,
)


def _cases_by_value(
    option: str, name: str, pieces: str, move: str, **more: str
) -> tuple[Case, ...]:
    """Return one case for each value of an option; the keyword arguments map values to captures.

    The keyword argument `siege` is instead the value of that option in all cases.
    """
    fixed_options = {"siege": more.pop("siege")} if "siege" in more else {}
    return tuple(
        Case(f"{name}, {option}={value}", pieces, move, takes, {option: value, **fixed_options})
        for value, takes in more.items()
    )


# Every option of section 9 that affects captures, with each of its values.
_MOVES: Final = (
    *_cases_by_value("moves", "diagonal", "WT25 f3, BT25 h7", "f3-f5", leaps="", straight="h7"),
    *_cases_by_value("moves", "leap", "WT25 f3, BT25 g7", "f3-f5", leaps="g7", straight=""),
    *_cases_by_value("moves", "round", "WR9 e7, WR2 j1, BR9 e8", "j1-i2", leaps="", straight="e8"),
    *_cases_by_value(
        "moves", "square, diagonal", "WS81 f2, BR81 i8", "f2-f5", leaps="", straight="i8"
    ),
    *_cases_by_value(
        "moves", "blocked", "WS81 f2, BR81 i8, BS361 h7", "f2-f5", leaps="", straight=""
    ),
    *_cases_by_value(
        "moves", "ambush", "WT25 d6, WR16 f9, BR9 f8", "d6-d8", leaps="", straight="f8"
    ),
    *_cases_by_value(
        "moves", "pyramid", "WP=S36+R4 f5, WR2 j1, BS36 i8", "j1-i2", leaps="", straight="i8"
    ),
)

_PYRAMID_DIAGONAL: Final = (
    *_cases_by_value("pyramid_diagonal", "part", "WP f5, WR2 j1, BR9 i8", "j1-i2", off="", on="i8"),
    *_cases_by_value(
        "pyramid_diagonal", "total", "WP f5, WT42 g5, BS49 i8", "g5-g7", off="", on="i8"
    ),
    *_cases_by_value(
        "pyramid_diagonal", "after the move", "WP f4, BR9 j9", "f4-g6", off="", on="j9"
    ),
    *_cases_by_value(
        "pyramid_diagonal", "blocked", "WP f5, WR2 j1, BS361 h7, BR9 i8", "j1-i2", off="", on=""
    ),
    *_cases_by_value(
        "pyramid_diagonal",
        "not intact",
        "WP=S36+S25+T16+T9+R4 f5, WR2 j1, BR9 i8",
        "j1-i2",
        off="",
        on="",
    ),
)

_WALLS: Final = "WS153 f11, WS169 d9, WS289 f7, WR64 g8"

_SIEGE_RULE: Final = (
    *_cases_by_value(
        "siege", "triangle", f"{_WALLS}, BT100 f9", "g8-h9", adjacent="", natural="f9"
    ),
    *_cases_by_value("siege", "round", f"{_WALLS}, BR3 f9", "g8-h9", adjacent="", natural=""),
    *_cases_by_value("siege", "square", f"{_WALLS}, BS361 f9", "g8-h9", adjacent="", natural="f9"),
    *_cases_by_value(
        "siege",
        "square at full reach",
        "WS153 f12, WS169 c9, WS289 i9, WR64 g7, BS361 f9",
        "g7-f6",
        adjacent="",
        natural="f9",
    ),
    *_cases_by_value(
        "siege",
        "triangle beyond reach",
        "WS153 f12, WS169 d9, WS289 f7, WR64 g8, BT100 f9",
        "g8-h9",
        adjacent="",
        natural="",
    ),
    *_cases_by_value(
        "siege",
        "piece of the victim's side first",
        f"{_WALLS}, BT100 f9, BS361 f10",
        "g8-h9",
        adjacent="",
        natural="",
    ),
    *_cases_by_value(
        "siege",
        "edge within reach",
        "WS153 d15, WS169 f13, WR64 g14, BT100 f15",
        "g14-h15",
        adjacent="",
        natural="f15",
    ),
    *_cases_by_value(
        "siege",
        "edge beyond reach",
        "WS153 d14, WS169 f12, WR64 g13, BT100 f14",
        "g13-h14",
        adjacent="",
        natural="",
    ),
    *_cases_by_value(
        "siege",
        "round, orthogonal",
        "WS153 f10, WS169 e9, WS289 f8, WR64 h10, BR3 f9",
        "h10-g9",
        adjacent="f9",
        natural="",
    ),
    *_cases_by_value(
        "siege",
        "round, diagonal",
        "WS153 e8, WS169 g8, WS289 e10, WT72 h12, BR3 f9",
        "h12-g10",
        adjacent="f9",
        natural="f9",
    ),
    *_cases_by_value(
        "siege",
        "triangle, diagonal",
        "WS153 e8, WS169 g8, WS289 e10, WT72 h12, BT56 f9",
        "h12-g10",
        adjacent="f9",
        natural="",
    ),
    *_cases_by_value(
        "siege",
        "pyramid, orthogonal",
        "WR4 e9, WR6 f10, WR36 g9, WR2 g7, BP f9",
        "g7-f8",
        adjacent="f9",
        natural="S64 S49 T36 T25",
    ),
    *_cases_by_value(
        "siege",
        "pyramid, diagonal",
        "WS153 e8, WS169 g8, WS289 e10, WT72 h12, BP f9",
        "h12-g10",
        adjacent="f9",
        natural="R16",
    ),
    *_cases_by_value(
        "siege",
        "pyramid's last parts",
        "WR4 e9, WR6 f10, WR36 g9, WR2 g7, BP=S49+T36 f9",
        "g7-f8",
        adjacent="f9",
        natural="f9",
    ),
)

_SANDWICH: Final = (
    *_cases_by_value("ambush", "sum", "WR16 f6, WR4 e9, BT20 f7", "e9-f8", reach="", sandwich="f7"),
    *_cases_by_value(
        "ambush", "difference", "WR16 e7, WR4 f8, BT12 f7", "f8-g7", reach="", sandwich="f7"
    ),
    *_cases_by_value(
        "ambush", "product", "WT9 f6, WR4 e9, BS36 f7", "e9-f8", reach="", sandwich="f7"
    ),
    *_cases_by_value(
        "ambush", "quotient", "WT72 f6, WR8 e9, BR9 f7", "e9-f8", reach="", sandwich="f7"
    ),
    *_cases_by_value(
        "ambush", "diagonal", "WR16 e6, WR4 h9, BT20 f7", "h9-g8", reach="f7", sandwich="f7"
    ),
    *_cases_by_value(
        "ambush", "falling diagonal", "WT16 e8, WR4 h7, BT20 f7", "h7-g6", reach="", sandwich="f7"
    ),
    *_cases_by_value(
        "ambush", "not opposite", "WR16 e6, WR4 h7, BT20 f7", "h7-g6", reach="f7", sandwich=""
    ),
    *_cases_by_value(
        "ambush", "at a distance", "WR2 d5, WT6 h7, BT12 f7", "d5-e6", reach="f7", sandwich=""
    ),
    *_cases_by_value(
        "ambush", "at the edge", "WR16 c6, WR4 d9, BT20 c7", "d9-c8", reach="", sandwich="c7"
    ),
    *_cases_by_value(
        "ambush", "across the edge", "WR16 d7, WR4 j6, BT20 c7", "d7-c6", reach="", sandwich=""
    ),
    *_cases_by_value(
        "ambush", "any part", "WP f6, WR4 e9, BT20 f7", "e9-f8", reach="", sandwich="f7"
    ),
    *_cases_by_value(
        "ambush", "total", "WP=S36+T9 f6, WR4 e9, BS49 f7", "e9-f8", reach="", sandwich="f7"
    ),
    *_cases_by_value(
        "ambush", "pyramid part", "WT30 f10, WR6 e7, BP f9", "e7-f8", reach="", sandwich="T36"
    ),
)

_NUMBERS: Final = (
    *_cases_by_value(
        "eruption", "quotient", "WT42 e3, WR4 g5, BR7 g8", "e3-g3", both="g8", product=""
    ),
    *_cases_by_value("eruption", "product", "WR4 i2, BT64 j16", "i2-j1", both="j16", product="j16"),
    *_cases_by_value("eruption", "pyramid's part", "WP i4, BR9 j8", "i4-j5", both="j8", product=""),
    *_cases_by_value(
        "pyramid_total",
        "victim",
        "WT20 f6, WR2 c1, BP=S64+R16 f9",
        "c1-d2",
        always="f9",
        intact="",
    ),
    *_cases_by_value(
        "pyramid_total",
        "intact victim",
        "WT90 d10, WT100 e11, WR9 c1, BP f9",
        "c1-d2",
        always="f9",
        intact="f9",
    ),
    *_cases_by_value(
        "pyramid_total", "last part", "WR16 d7, BP=R16 f9", "d7-e8", always="f9", intact="f9"
    ),
    *_cases_by_value(
        "pyramid_total", "equality", "WP=S36+T9 i4, BS45 j9", "i4-j6", always="j9", intact=""
    ),
    *_cases_by_value(
        "pyramid_total",
        "ambush",
        "WP=S36+T9 d7, WR4 d6, BT49 f8",
        "d6-e7",
        always="f8",
        intact="",
    ),
    *_cases_by_value(
        "pyramid_total", "eruption", "WP=S36+T9 i4, BS225 j10", "i4-j6", always="j10", intact=""
    ),
    *_cases_by_value(
        "pyramid_total",
        "intact attacker",
        "WP j2, WR2 c1, BR7 j14",
        "c1-d2",
        always="j14",
        intact="j14",
    ),
    # A siege is not a match: with `siege = natural`, parts are captured one by one.
    *_cases_by_value(
        "pyramid_dies",
        "natural siege",
        "WS153 e8, WS169 g8, WS289 e10, WT72 h12, BP f9",
        "h12-g10",
        parts="R16",
        whole="R16",
        siege="natural",
    ),
    *_cases_by_value(
        "pyramid_dies", "equality", "WS64 d3, WR1 j1, BP f9", "d3-e6", parts="S64", whole="f9"
    ),
    *_cases_by_value("pyramid_dies", "eruption", "WR8 e1, BP f9", "e1-f2", parts="S64", whole="f9"),
    *_cases_by_value("pyramid_dies", "no match", "WR6 e1, BP f9", "e1-f2", parts="", whole=""),
)

BY_OPTION: Final = (*_MOVES, *_PYRAMID_DIAGONAL, *_SIEGE_RULE, *_SANDWICH, *_NUMBERS)

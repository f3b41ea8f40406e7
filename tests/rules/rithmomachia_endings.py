"""Positions of Rithmomachia with a move and the result after that move.

Owns the positions for sections 7 to 9 of the project's rules page, `rules/rithmomachia.md`: for
each victory some positions in which the move just reaches it and some in which the move just
misses it.  A common victory requires a number, a value or a number of digits of captured pieces.
A glorious victory (Magna, Major, Excellentissima) requires numbers in progression in the enemy's
half.

Pieces and moves are written as in rithmomachia_positions.py.  The positions test the model and the
bundled game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

__all__ = ["COMMON", "GLORIOUS", "STALEMATES", "End"]


@dataclass(frozen=True)
class End:
    """A position, a move, and the result: W, B, `draw`, or `on` while the game continues.

    `victory_name` is the name of the victory on the rules page.
    """

    name: str
    pieces: str
    move: str
    winner: str
    victory_name: str = ""
    options: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name

    @property
    def pair(self) -> tuple[str, str]:
        """Start and goal of the move."""
        start, goal = self.move.split("-")
        return start, goal


def _end_cases(
    name: str, pieces: str, move: str, outcomes: str, **options: object
) -> tuple[End, ...]:
    """Return one case for each outcome, which belongs to some values of options.

    An outcome is written `value ... = winner` or `value ... = winner by victory`.  The values are
    those of the options listed in the keyword argument `vary`, in that order.
    """
    vary = str(options.pop("vary")).split()
    found = []
    for outcome in outcomes.split(", "):
        values, result = outcome.split(" = ")
        winner, _, victory_name = result.partition(" by ")
        chosen = {
            option: int(value) if value.isdigit() else value
            for option, value in zip(vary, values.split(), strict=True)
        }
        found.append(
            End(f"{name}, {values}", pieces, move, winner, victory_name, {**options, **chosen})
        )
    return tuple(found)


# --- common victories -------------------------------------------------------------------------

# The move captures T16, T64 and S121: three pieces worth 201 with seven digits.
_THREE_PIECES: Final = (
    "WR16 e5, WS153 h6, WS169 f4, WS289 h4, BT16 g7, BT64 f9, BS121 g5, BT56 c14",
    "e5-f6",
)
# The move captures an intact pyramid by siege: five parts worth 190 with ten digits.
_WHOLE_PYRAMID: Final = ("WS153 e8, WS169 g8, WS289 e10, WT72 h12, BP f9, BT56 c14", "h12-g10")
# The move captures the last two parts, 64 and 16, separately: the whole pyramid, worth 80.
_TWO_PARTS: Final = ("WR16 d7, WR8 f2, BP=S64+R16 f9, BT56 c14", "d7-e8")
# The move captures the last part, 16.
_LAST_PART: Final = ("WR16 d7, BP=R16 f9, BT56 c14", "d7-e8")

_COUNT_CASES: Final = (
    *_end_cases("pieces", *_THREE_PIECES, "3 = W by De Corpore, 4 = on, 0 = on", vary="n_pieces"),
    *_end_cases(
        "pieces of a pyramid",
        *_WHOLE_PYRAMID,
        "parts 5 = W by De Corpore, parts 6 = on, one 1 = W by De Corpore, one 2 = on,"
        " script 6 = W by De Corpore, script 7 = on",
        vary="pyramid_count n_pieces",
    ),
    *_end_cases(
        "parts one by one",
        *_TWO_PARTS,
        "parts 2 = W by De Corpore, parts 3 = on, one 1 = W by De Corpore, one 2 = on,"
        " script 3 = W by De Corpore, script 4 = on",
        vary="pyramid_count n_pieces",
    ),
    *_end_cases(
        "the last part",
        *_LAST_PART,
        "parts 1 = W by De Corpore, parts 2 = on, one 1 = W by De Corpore, one 2 = on,"
        " script 2 = W by De Corpore, script 3 = on",
        vary="pyramid_count n_pieces",
    ),
    *_end_cases(
        "pyramid-win",
        *_WHOLE_PYRAMID,
        "off = on, on = W by pyramid",
        vary="pyramid_win",
    ),
    *_end_cases(
        "pyramid-win by parts", *_TWO_PARTS, "off = on, on = W by pyramid", vary="pyramid_win"
    ),
    *_end_cases(
        "pyramid-win, parts left",
        "WS64 d3, WR1 j1, BP f9",
        "d3-e6",
        "off = on, on = on",
        vary="pyramid_win",
    ),
)


def _value_case(
    name: str,
    position: tuple[str, str],
    value: int,
    winner: str,
    victory_name: str = "",
    **more: object,
) -> End:
    """Return a case in which both sides need the given value."""
    options = {"n_pieces": 0, "value": (value, value), **more}
    return End(name, *position, winner, victory_name, options)


COMMON: Final = (
    *_COUNT_CASES,
    _value_case("value reached", _THREE_PIECES, 201, "W", "De Bonis"),
    _value_case("value missed", _THREE_PIECES, 202, "on"),
    _value_case("value off", _THREE_PIECES, 0, "on"),
    _value_case("value of a pyramid", _WHOLE_PYRAMID, 190, "W", "De Bonis"),
    _value_case("value of a pyramid missed", _WHOLE_PYRAMID, 191, "on"),
    _value_case(
        "value of a pyramid's total", _WHOLE_PYRAMID, 190, "W", "De Bonis", pyramid_count="one"
    ),
    _value_case(
        "value of a pyramid's total missed", _WHOLE_PYRAMID, 191, "on", pyramid_count="one"
    ),
    _value_case("parts and total", _WHOLE_PYRAMID, 380, "W", "De Bonis", pyramid_count="script"),
    _value_case("parts and total missed", _WHOLE_PYRAMID, 381, "on", pyramid_count="script"),
    _value_case("digits", _THREE_PIECES, 201, "W", "De Lite", n_digits=(7, 7)),
    _value_case("digits too many", _THREE_PIECES, 201, "W", "De Bonis", n_digits=(6, 6)),
    _value_case("digits, value missed", _THREE_PIECES, 202, "on", n_digits=(7, 7)),
    _value_case("digits of parts", _WHOLE_PYRAMID, 190, "W", "De Lite", n_digits=(10, 10)),
    _value_case("digits of parts too many", _WHOLE_PYRAMID, 190, "W", "De Bonis", n_digits=(9, 9)),
    _value_case("few pieces", _THREE_PIECES, 201, "W", "De Honore", n_max=(3, 3)),
    _value_case("too many pieces", _THREE_PIECES, 201, "W", "De Bonis", n_max=(2, 2)),
    _value_case("few pieces, value missed", _THREE_PIECES, 202, "on", n_max=(3, 3)),
    _value_case(
        "few pieces and few digits",
        _THREE_PIECES,
        201,
        "W",
        "De Honore Liteque",
        n_max=(3, 3),
        n_digits=(7, 7),
    ),
    _value_case(
        "few digits, too many pieces",
        _THREE_PIECES,
        201,
        "W",
        "De Lite",
        n_max=(2, 2),
        n_digits=(7, 7),
    ),
    _value_case(
        "few pieces, too many digits",
        _THREE_PIECES,
        201,
        "W",
        "De Honore",
        n_max=(3, 3),
        n_digits=(6, 6),
    ),
    _value_case(
        "both limits missed", _THREE_PIECES, 201, "W", "De Bonis", n_max=(2, 2), n_digits=(6, 6)
    ),
    # De Bonis switched off; the limits proposed by the rules page: 34 digits, 13 pieces.
    _value_case("value alone off", _THREE_PIECES, 201, "on", de_bonis="off"),
    _value_case(
        "digits, value alone off",
        _THREE_PIECES,
        201,
        "W",
        "De Lite",
        de_bonis="off",
        n_digits=(7, 7),
    ),
    _value_case(
        "too many, value alone off", _THREE_PIECES, 201, "on", de_bonis="off", n_digits=(6, 6)
    ),
    _value_case("proposed digits", _THREE_PIECES, 201, "W", "De Lite", de_lite="on"),
    _value_case("proposed number", _THREE_PIECES, 201, "W", "De Honore", de_honore="on"),
    _value_case(
        "both proposed", _THREE_PIECES, 201, "W", "De Honore Liteque", de_honore_liteque="on"
    ),
    _value_case("De Bonis precedes De Corpore", _THREE_PIECES, 201, "W", "De Bonis", n_pieces=3),
)

# --- glorious victories -------------------------------------------------------------------------

_MAGNA: Final = "W by Victoria Magna"


def _magna(name: str, pieces: str, move: str, winner: str, **options: object) -> End:
    """Return a case with `glory=magna`, in which any victory is a Victoria Magna."""
    victory_name = "Victoria Magna" if winner != "on" else ""
    return End(name, pieces, move, winner, victory_name, {"glory": "magna", **options})


# 16 36 56 is arithmetic, 4 12 36 geometric, 3 4 6 harmonic.
_LINE: Final = ("WR16 d12, WR36 e11, BT56 h12, BT100 c2", "e11-f12")
_GEOMETRIC: Final = ("WR4 c12, WR36 e11, BT12 i12, BT100 c2", "e11-f12")
_HARMONIC: Final = ("WR4 c12, WR6 e11, BR3 i12, BT100 c2", "e11-f12")
_CORNER: Final = ("WR16 d12, WR36 e11, BT56 d10, BT100 c2", "e11-f12")
_NOT_ARRANGED: Final = ("WR16 d12, WR36 e11, BT56 j15, BT100 c2", "e11-f12")
_GLORY_AND_ARRANGEMENT: Final = "glory arrangement"

_MAGNA_CASES: Final = (
    *_end_cases(
        "line",
        *_LINE,
        f"off free = on, magna line = {_MAGNA}, magna line-or-corner = {_MAGNA},"
        f" magna free = {_MAGNA}, all line = {_MAGNA}",
        vary=_GLORY_AND_ARRANGEMENT,
    ),
    *_end_cases(
        "corner",
        *_CORNER,
        f"off free = on, magna line = on, magna line-or-corner = {_MAGNA}, magna free = {_MAGNA},"
        f" all line-or-corner = {_MAGNA}",
        vary=_GLORY_AND_ARRANGEMENT,
    ),
    *_end_cases(
        "not arranged",
        *_NOT_ARRANGED,
        f"off free = on, magna line = on, magna line-or-corner = on, magna free = {_MAGNA}",
        vary=_GLORY_AND_ARRANGEMENT,
    ),
    *_end_cases(
        "geometric", *_GEOMETRIC, f"arithmetic = on, any = {_MAGNA}", vary="magna", glory="magna"
    ),
    *_end_cases(
        "harmonic", *_HARMONIC, f"arithmetic = on, any = {_MAGNA}", vary="magna", glory="magna"
    ),
    *_end_cases(
        "arithmetic",
        *_LINE,
        f"arithmetic = {_MAGNA}, any = {_MAGNA}",
        vary="magna",
        glory="all",
    ),
    _magna("any order on the line", "WR36 d12, WR16 e11, BT56 h12, BT100 c2", "e11-f12", "W"),
    _magna("not in the middle", "WR16 d12, WR36 f11, BT56 h12, BT100 c2", "f11-g12", "on"),
    _magna("pieces between", _LINE[0] + ", BS361 e12, BS225 g12", "e11-f12", "W"),
    _magna("column", "WR16 d9, WR36 e11, BT56 d15, BT100 c2", "e11-d12", "W"),
    _magna("diagonal", "WR16 d9, WR36 e10, BT56 h13, BT100 c2", "e10-f11", "W"),
    _magna("falling diagonal", "WR16 d13, WR36 e10, BT56 h9, BT100 c2", "e10-f11", "W"),
    _magna("slope 1 to 2", "WR16 d10, WR36 e10, BT56 h12, BT100 c2", "e10-f11", "W"),
    _magna("corner top right", "WR16 e11, WR36 d12, BT56 f10, BT100 c2", "e11-f12", "W"),
    _magna("corner bottom left", "WR16 e11, WR36 d12, BT56 f10, BT100 c2", "e11-d10", "W"),
    _magna("corner bottom right", "WR16 e11, WR36 f12, BT56 d10, BT100 c2", "e11-f10", "W"),
    _magna("corner, unequal legs", "WR16 d12, WR36 e11, BT56 d9, BT100 c2", "e11-f12", "on"),
    _magna("row 9 is inside", "WR16 d9, WR36 e10, BT56 h9, BT100 c2", "e10-f9", "W"),
    _magna("row 8 is outside", "WR16 d8, WR36 e9, BT56 h8, BT100 c2", "e9-f8", "on"),
    _magna("one square outside", "WR16 d8, WR36 e11, BT56 h12, BT100 c2", "e11-f10", "on"),
    _magna("Black in White's half", "BT56 d8, BT36 f10, WR16 h8, WT42 j16", "f10-f8", "B"),
    _magna("Black, row 9 is outside", "BT56 d9, BT36 f11, WR16 h9, WT42 j16", "f11-f9", "on"),
    _magna("all own", "WR16 d12, WR36 e11, WT56 h12, BT100 c2", "e11-f12", "W"),
    _magna("equal numbers", "WR36 d12, WR36 e11, BT36 h12, BT100 c2", "e11-f12", "on"),
    *_end_cases(
        "one own",
        "BT16 d12, WR36 e11, BT56 h12, BT100 c2",
        "e11-f12",
        f"1 = {_MAGNA}, 2 = on, 3 = on",
        vary="glory_own",
        glory="magna",
    ),
    *_end_cases(
        "two own",
        *_LINE,
        f"1 = {_MAGNA}, 2 = {_MAGNA}, 3 = on",
        vary="glory_own",
        glory="magna",
    ),
    *_end_cases(
        "no own piece",
        "BT16 d12, BT36 f12, BT56 h12, WR2 c2, BT100 j1",
        "c2-d3",
        "1 = on",
        vary="glory_own",
        glory="magna",
    ),
    # A pyramid contributes its total or one part: here 16 of the own, 36 of the enemy pyramid.
    _magna("own pyramid by a part", "WP d12, WR36 e11, BT56 h12, BT100 c2", "e11-f12", "W"),
    _magna("enemy pyramid by a part", "WR16 e11, BP d12, BT56 h12, BT100 c2", "e11-f12", "W"),
    _magna("a lost part", "WR16 e11, BP=S64+S49 d12, BT56 h12, BT100 c2", "e11-f12", "on"),
    _magna(
        "pyramid by its total", "WR16 d12, WR36 e11, WP=S36+T16+R4 h12, BT100 c2", "e11-f12", "W"
    ),
    _magna("no number of the pyramid fits", "WR6 e11, WP d12, BT56 h12, BT100 c2", "e11-f12", "on"),
    _magna("two numbers of one pyramid", "WP d12, WR2 e11, BT56 h12, BT100 c2", "e11-f10", "on"),
    *_end_cases(
        "enemy pyramid stands",
        _LINE[0] + ", BP c1",
        "e11-f12",
        f"off = {_MAGNA}, on = on",
        vary="glory_needs_pyramid",
        glory="magna",
    ),
    *_end_cases(
        "enemy pyramid just taken",
        "WR36 c11, WT56 e11, WR16 h10, BP=R16 f10, BT100 c2",
        "h10-g11",
        f"off = {_MAGNA}, on = {_MAGNA}",
        vary="glory_needs_pyramid",
        glory="magna",
    ),
    *_end_cases(
        "enemy pyramid not whole",
        "WR36 c11, WT56 e11, WR16 h10, BP=S64+R16 f10, BT100 c2",
        "h10-g11",
        f"off = {_MAGNA}, on = on",
        vary="glory_needs_pyramid",
        glory="magna",
    ),
    # Black's move completes White's progression; White wins with the next own move that keeps it.
    _magna("not for the side that has not moved", "WR16 d12, WR36 f12, BT56 h10", "h10-h12", "on"),
    _magna("with the next own move", _LINE[0].replace("e11", "f12") + ", WR2 j1", "j1-i2", "W"),
    _magna("not if the move ends the progression", _LINE[0].replace("e11", "f12"), "f12-e11", "on"),
)

# 4 6 12 36 is a Major (4 12 36, 4 6 12), 4 6 9 12 an Excellentissima.  In these positions no
# arithmetic progression of three is in line.
_MAJOR: Final = "W by Victoria Major"
_BEST: Final = "W by Victoria Excellentissima"  # the most famous victory
_FOUR_IN_LINE: Final = ("WR6 e12, WR4 g12, WR36 h11, BT12 c12, BT100 c2", "h11-i12")
_FOUR_CORNERS: Final = ("WR6 g12, WR4 d9, WR36 f10, BT12 d12, BT100 c2", "f10-g9")
_FOUR_NOT_ARRANGED: Final = ("WR6 g13, WR4 d9, WR36 f10, BT12 d12, BT100 c2", "f10-g9")
_EXCELLENT: Final = ("WR6 c12, WT9 d12, WR4 d11, BT12 f12, BT100 c2", "d11-e12")
_EXCELLENT_CORNERS: Final = ("WR6 d12, WT9 g12, WR4 c10, BT12 g9, BT100 c2", "c10-d9")

_FOUR_NUMBER_CASES: Final = (
    *_end_cases(
        "four in line",
        *_FOUR_IN_LINE,
        f"off line = on, magna line = on, all line = {_MAJOR}, all line-or-corner = {_MAJOR},"
        f" all free = {_MAJOR}",
        vary=_GLORY_AND_ARRANGEMENT,
    ),
    *_end_cases(
        "four corners",
        *_FOUR_CORNERS,
        f"off free = on, magna line-or-corner = on, all line = on, all line-or-corner = {_MAJOR},"
        f" all free = {_MAJOR}",
        vary=_GLORY_AND_ARRANGEMENT,
    ),
    *_end_cases(
        "four not arranged",
        *_FOUR_NOT_ARRANGED,
        f"magna free = on, all line = on, all line-or-corner = on, all free = {_MAJOR}",
        vary=_GLORY_AND_ARRANGEMENT,
    ),
    *_end_cases(
        "Excellentissima in line",
        *_EXCELLENT,
        f"off line = on, magna line = on, all line = {_BEST}, all line-or-corner = {_BEST}",
        vary=_GLORY_AND_ARRANGEMENT,
    ),
    *_end_cases(
        "Excellentissima at corners",
        *_EXCELLENT_CORNERS,
        f"all line = on, all line-or-corner = {_BEST}, all free = {_BEST}",
        vary=_GLORY_AND_ARRANGEMENT,
        glory_own=3,
    ),
    *_end_cases(
        "own pieces of four",
        *_FOUR_IN_LINE,
        f"1 = {_MAJOR}, 2 = {_MAJOR}, 3 = {_MAJOR}, 4 = on",
        vary="glory_own",
        glory="all",
    ),
    *_end_cases(
        "a tilted square",
        "WR6 f13, WR4 d11, WR36 g10, BT12 h11, BT100 c2",
        "g10-f9",
        "line-or-corner = on, free = " + _MAJOR,
        vary="arrangement",
        glory="all",
    ),
    *_end_cases(
        "four at unequal distances",
        "WR6 e12, WR4 g12, WR36 i11, BT12 c12, BT100 c2",
        "i11-j12",
        "line-or-corner = on, free = " + _MAJOR,
        vary="arrangement",
        glory="all",
    ),
)

GLORIOUS: Final = (*_MAGNA_CASES, *_FOUR_NUMBER_CASES)

# --- the opponent has no moves after the move -------------------------------------------------

STALEMATES: Final = (
    *_end_cases(
        "walled in",
        "WS153 c14, WS169 e16, WS289 d14, WR64 f14, BT56 c16",
        "f14-e15",
        "draw = draw by stalemate, loss = W by stalemate, pass = on",
        vary="stalemate",
    ),
    *_end_cases(
        "no piece left",
        "WR4 e8, WR64 f9, WT9 f7, WT25 i8, BS361 f8",
        "i8-g8",
        "draw = draw by stalemate, loss = W by stalemate",
        vary="stalemate",
    ),
    *_end_cases(
        "no piece left, and a victory",
        "WR4 e8, WR64 f9, WT9 f7, WT25 i8, BS361 f8",
        "i8-g8",
        "draw = W by De Corpore, pass = W by De Corpore",
        vary="stalemate",
        n_pieces=1,
    ),
)

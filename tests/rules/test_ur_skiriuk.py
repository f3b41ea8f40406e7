"""Moves, stacks, captures and rosettes of Ur by Skiriuk's rules, in positions built for each rule.

ur_table.py defines the notation: `k3:B,W+` is a stack from the bottom up, `+` marks a promoted
piece, `-l2` is a move from the reserve and `k3-` one off the board.  The positions come from the
project's rules page of Ur.
"""

from __future__ import annotations

from tests.kit.cases import each_case
from tests.models.ur import BLACK, WHITE, Options
from tests.rules.ur_table import Table

PATH = "l2 k2 j2 i2 i3 j3 k3 l3 m3 n3 o3 o2 p2 p3 p4 o4 o3 n3 m3 l3 k3 j3 i3"
PATH_SQUARES = PATH.split()


def mirrored(text: str) -> str:
    """Return a position or move for the other player, with colours and outer rows exchanged."""
    return text.translate(str.maketrans("24WB", "42BW"))


@each_case("mover", [WHITE, BLACK])
@each_case("steps", [1, 2, 3, 4])
def test_path(steps: int, mover: str) -> None:
    """Move a single piece from each step of the path; beyond step 13 it is promoted."""
    for at, square in enumerate(PATH_SQUARES, 1):
        piece = "W+" if at > 13 else "W"
        goal = at + steps
        if goal > 24:
            expected, after = "pass", f"{square}:{piece}"
        elif goal == 24:
            expected, after = f"{square}-", ""
        else:
            expected = f"{square}-{PATH_SQUARES[goal - 1]}"
            after = f"{PATH_SQUARES[goal - 1]}:{'W+' if goal > 13 else 'W'}"
        texts = [f"{square}:{piece}", expected, after]
        if mover == BLACK:
            texts = [mirrored(text) for text in texts]
        table = Table(texts[0], steps, mover)
        assert table.moves == [texts[1]], at
        assert table.play(texts[1]).board == texts[2], at


@each_case(("steps", "square"), [(1, "l2"), (2, "k2"), (3, "j2"), (4, "i2")])
def test_entering(steps: int, square: str) -> None:
    table = Table("", steps, reserve=(3, 0))
    assert table.moves == [f"-{square}"]
    table.play(f"-{square}")
    assert (table.board, table.reserve) == (f"{square}:W", (2, 0))
    black = Table("", steps, BLACK, reserve=(0, 7)).play(f"-{mirrored(square)}")
    assert (black.board, black.reserve) == (f"{mirrored(square)}:B", (0, 6))


def test_reserve_pieces_may_be_separate_moves() -> None:
    options = Options(reserve_moves="each")
    assert Table("k3:W", 3, reserve=(4, 1), options=options).moves.count("-j2") == 4
    assert Table("k3:W", 3, reserve=(4, 1)).moves.count("-j2") == 1


def test_no_piece_enters_without_a_reserve() -> None:
    assert Table("p2:W", 1, off=(6, 0)).moves == ["p2-p3"]


def test_pieces_between_do_not_block() -> None:
    assert Table("i3:W j3:B k3:W l3:B", 4).moves == ["i3-m3", "k3-o3"]


# --- positions of the rules page -----------------------------------------------------------

PAGE_POSITIONS = [
    ("o2:W", 1, ["o2-p2"]),
    ("o2:W", 2, ["o2-p3"]),
    ("o2:W", 4, ["o2-o4"]),
    ("p2:W p3:B+", 1, ["p2-p3"]),
    ("n3:W o3:B", 1, ["pass"]),
    ("n3:W o3:W", 1, ["n3-o3", "o3-o2"]),
    ("n3:W o3:W,W", 1, ["n3-o3", "o3-o2"]),
    ("n3:W o3:W,W,W", 1, ["n3-o3", "o3-o2"]),
    ("n3:W o3:W,W,W,W", 1, ["o3-o2"]),
    ("j3:W+ i3:W", 1, ["pass"]),
    ("i2:W i3:B", 1, ["i2-i3"]),
    ("i2:W i3:B+", 1, ["pass"]),
    ("j3:W+ i3:B+", 1, ["pass"]),
    ("k3:B,W l3:B", 1, ["k3-l3"]),
    ("l2:W,W", 3, ["l2-i2"]),
    ("k3:B+,W+", 3, ["k3-"]),
    ("k3:B+,W+", 4, ["pass"]),
]


@each_case("mover", [WHITE, BLACK])
@each_case(("board", "steps", "expected"), PAGE_POSITIONS)
def test_positions_of_the_rules_page(
    board: str, steps: int, expected: list[str], mover: str
) -> None:
    if mover == BLACK:
        board, expected = mirrored(board), [mirrored(move) for move in expected]
    assert sorted(Table(board, steps, mover).moves) == sorted(expected)


def test_effects_of_moves_of_the_rules_page() -> None:
    assert Table("o2:W", 1).play("o2-p2").board == "p2:W"
    assert Table("o2:W", 2).play("o2-p3").board == "p3:W+"
    table = Table("o2:W", 4).play("o2-o4")
    assert (table.board, table.right) == ("o4:W+", WHITE)
    table = Table("p2:W p3:B+", 1).play("p2-p3")
    assert (table.board, table.reserve) == ("p3:W+", (0, 1))
    table = Table("i2:W i3:B", 1).play("i2-i3")
    assert (table.board, table.reserve) == ("i3:W", (0, 1))
    table = Table("k3:B,W l3:B", 1).play("k3-l3")
    assert (table.board, table.reserve, table.right) == ("k3:B l3:W", (0, 1), WHITE)
    table = Table("k3:B+,W+", 3).play("k3-")
    assert (table.board, table.off) == ("k3:B+", (1, 0))


# --- stacks --------------------------------------------------------------------------------

STACKS = [
    # Pieces below may be own or enemy, plain or promoted.
    ("j3:W k3:B", 1, "j3-k3", "k3:B,W"),
    ("j3:W k3:W+", 1, "j3-k3", "k3:W+,W"),
    ("j3:W k3:B+,W,B", 1, "j3-k3", "k3:B+,W,B,W"),
    ("l3:W+ k3:B,B+", 1, "l3-k3", "k3:B,B+,W+"),
    ("m3:W n3:B", 1, "m3-n3", "n3:B,W"),
    ("o3:W+ n3:W,W+,B", 1, "o3-n3", "n3:W,W+,B,W+"),
    ("l2:W j2:W", 2, "l2-j2", "j2:W,W"),
    ("n3:W o3:W+", 1, "n3-o3", "o3:W+,W"),
    ("o4:W+ o3:W,W,W", 1, "o4-o3", "o3:W,W,W,W+"),
    # On o3, only an enemy on top prevents stacking.
    ("n3:W o3:B,W", 1, "n3-o3", "o3:B,W,W"),
]


@each_case("mover", [WHITE, BLACK])
@each_case(("board", "steps", "move", "after"), STACKS)
def test_stacking(board: str, steps: int, move: str, after: str, mover: str) -> None:
    texts = [board, move, after]
    if mover == BLACK:
        texts = [mirrored(text) for text in texts]
    table = Table(texts[0], steps, mover).play(texts[1])
    assert (table.board, table.reserve) == (texts[2], (0, 0))


@each_case(
    ("board", "steps"),
    [
        ("j3:W k3:B,B,B,B", 1),
        ("m3:W n3:W,B,W,B", 1),
        ("o3:W+ n3:B,B,B,B", 1),
        # o3 with an enemy on top.
        ("n3:W o3:W,B", 1),
        ("n3:W o3:B+", 1),
        ("o4:W+ o3:B", 1),
        ("o4:W+ o3:W,W+,B+", 1),
    ],
)
def test_moves_to_full_or_protected_squares_are_illegal(board: str, steps: int) -> None:
    """A stack has at most four pieces; o3 with an enemy on top cannot be entered."""
    source = board[:2]
    for mover, texts in ((WHITE, (board, source)), (BLACK, (mirrored(board), mirrored(source)))):
        found = Table(texts[0], steps, mover).moves
        assert not [move for move in found if move.startswith(texts[1])]


def test_no_piece_enters_a_full_square() -> None:
    """No piece enters with 1 when l2 has four pieces."""
    assert Table("l2:W,W,W,W", 1, reserve=(3, 0)).moves == ["l2-k2"]
    assert sorted(Table("l2:W,W,W", 1, reserve=(4, 0)).moves) == ["-l2", "l2-k2"]


def test_only_the_top_piece_moves() -> None:
    assert Table("k3:W,B", 1).moves == ["pass"]
    assert Table("k3:W,W,B", 1).moves == ["pass"]
    assert Table("k3:B,W", 1).moves == ["k3-l3"]
    # Two equal pieces on one square give one move, that of the top piece.
    assert Table("k3:W,W+", 1).moves == ["k3-j3"]
    assert Table("k3:W+,W", 1).moves == ["k3-l3"]


def test_a_stack_is_dissolved_piece_by_piece() -> None:
    table = Table("k3:W,B+,W+,W", 2)
    table.play("k3-m3")
    assert table.board == "k3:W,B+,W+ m3:W"
    table.throw(4)
    assert table.moves == ["pass"]  # Black's piece is still covered
    table.play("pass").throw(1)
    assert sorted(table.moves) == ["k3-j3", "m3-n3"]
    table.play("k3-j3").throw(1)
    assert table.moves == ["k3-j3"]
    table.play("k3-j3")  # a promoted piece captures a promoted piece
    assert (table.board, table.reserve) == ("j3:B+ k3:W m3:W", (1, 0))


def test_a_full_stack_can_be_left_and_refilled() -> None:
    table = Table("k3:B,B,B,W j3:B", 3).play("k3-n3").throw(1)
    assert "j3-k3" in table.moves
    assert table.play("j3-k3").board == "k3:B,B,B,B n3:W"


# --- captures ------------------------------------------------------------------------------

CAPTURES = [
    # (board, steps, move or None, board after)
    ("j3:W m3:B", 3, "j3-m3", "m3:W"),
    ("j3:W m3:B+", 3, None, ""),
    ("j3:W m3:W", 3, None, ""),
    ("j3:W m3:W+", 3, None, ""),
    ("o3:W+ m3:B+", 2, "o3-m3", "m3:W+"),
    ("o3:W+ m3:B", 2, None, ""),
    # Rosettes do not protect pieces.
    ("k3:W l3:B", 1, "k3-l3", "l3:W"),
    ("m3:W+ l3:B+", 1, "m3-l3", "l3:W+"),
    ("o3:W o2:B+", 1, None, ""),  # Black's step 16: promoted
    ("p4:W+ o4:B", 1, None, ""),  # Black's step 12: plain
    # A piece promoted by the move counts as promoted: o2 to p3, p2 to p3, p2 to p4.
    ("o2:W p3:B+", 2, "o2-p3", "p3:W+"),
    ("p2:W p4:B", 2, None, ""),
    # A piece that stays plain does not: p2 is step 13.
    ("o2:W p2:B+", 1, None, ""),
    # On i3 plain pieces can be captured, promoted pieces cannot.
    ("j2:W i3:B", 2, "j2-i3", "i3:W"),
    ("j2:W i3:B+", 2, None, ""),
    ("l3:W+ i3:B+", 3, None, ""),
    ("l3:W+ i3:B", 3, None, ""),
    ("l3:W+ i3:W+", 3, None, ""),
]


@each_case("mover", [WHITE, BLACK])
@each_case(("board", "steps", "move", "after"), CAPTURES)
def test_captures(board: str, steps: int, move: str | None, after: str, mover: str) -> None:
    taken = (0, 1) if mover == WHITE else (1, 0)
    if mover == BLACK:
        board, move, after = mirrored(board), move and mirrored(move), mirrored(after)
    table = Table(board, steps, mover)
    if move is None:
        assert not [text for text in table.moves if text.startswith(board[:2])]
        return
    table.play(move)
    assert (table.board, table.reserve) == (after, taken)


def test_captured_pieces_return_to_the_reserve_plain() -> None:
    """A captured piece goes to the first empty reserve square and can enter again."""
    table = Table("p2:W p3:B+", 1, reserve=(0, 2)).play("p2-p3")
    assert table.reserve == (0, 3)
    assert str(table.position.board["k5"]) == "Black plain"
    assert table.throw(2).moves == ["-k4"]
    table = Table("k3:B l3:W", 1, BLACK, reserve=(3, 0)).play("k3-l3")
    assert str(table.position.board["l1"]) == "White plain"


def test_a_stack_is_never_captured() -> None:
    table = Table("j3:W k3:B,B,B", 1).play("j3-k3")
    assert (table.board, table.reserve) == ("k3:B,B,B,W", (0, 0))

"""Dice, rosettes, the right to the next turn, passes and ends of Ur; and Finkel's rules.

ur_table.py defines the notation: `k3:B,W+` is a stack from the bottom up, `+` marks a promoted
piece, `-l2` is a move from the reserve and `k3-` one off the board.  The tests follow the project's
rules page of Ur.
"""

from __future__ import annotations

from collections import Counter

import forthvm
from tests.kit.cases import each_case
from tests.kit.games import loaded
from tests.models.ur import BLACK, WHITE, Options
from tests.rules.ur_table import Table

FINKEL = Options(rules="finkel")


# --- dice ------------------------------------------------------------------------------------


def test_first_throw() -> None:
    """By default White's first throw is 1; with `thrown` the dice move first."""
    fixed = loaded("ur").start()
    assert fixed.turn == WHITE
    assert [move.to_square for move in fixed.legal_moves] == ["l2"]
    thrown = forthvm.load("ur", settings={"first-throw": "thrown"}).start()
    order = []
    while thrown.turn == "?Dice":
        order.append(len(thrown.legal_moves))
        thrown.push(thrown.legal_moves[0])
    assert thrown.turn == WHITE
    assert order[-3:] == [18, 12, 6]


def throws(table: Table) -> Counter[int]:
    """Return the frequency of each number over all outcomes of the dice."""
    if table.position.turn != "?Dice":
        return Counter([table.reader.steps(table.position)])
    found: Counter[int] = Counter()
    for move in table.position.legal_moves:
        table.position.push(move)
        found += throws(table)
        table.position.pop()
    return found


def test_chances_by_skiriuk() -> None:
    """Of 18 * 12 * 6 outcomes, three eighths each give 1 and 2, one eighth each 3 and 4."""
    found = throws(Table("m3:W", 1).play("m3-n3"))
    assert found == {1: 486, 2: 486, 3: 162, 4: 162}


def test_chances_by_finkel() -> None:
    found = throws(Table("m3:W", 1, options=FINKEL).play("m3-n3"))
    assert found == {0: 1, 1: 4, 2: 6, 3: 4, 4: 1}


def test_dice_are_thrown_before_each_turn() -> None:
    table = Table("i2:W i4:B", 2).play("i2-j3")
    for steps, move in ((4, "i4-l3"), (1, "pass"), (3, "l3-o3")):
        table.throw(steps).play(move)
        assert table.position.turn == "?Dice"


# --- the right to the next turn ----------------------------------------------------------------


@each_case(
    ("board", "steps", "move"),
    [
        ("l2:W", 3, "l2-i2"),
        ("m3:W+", 1, "m3-l3"),
        ("k3:W", 1, "k3-l3"),
        ("m3:W", 3, "m3-o2"),
        ("o2:W", 4, "o2-o4"),
    ],
)
def test_rosettes(board: str, steps: int, move: str) -> None:
    """Every rosette gives the right to the next turn, for both players."""
    assert Table(board, steps).play(move).right == WHITE
    swap = str.maketrans("24WB", "42BW")
    black = Table(board.translate(swap), steps, BLACK).play(move.translate(swap))
    assert black.right == BLACK


def test_opponent_must_pass_before_the_next_turn() -> None:
    table = Table("l2:W k4:B", 3, reserve=(0, 2)).play("l2-i2").throw(2)
    assert table.position.turn == BLACK
    assert table.moves == ["pass"]  # although three pieces could move
    table.play("pass")
    assert table.right == WHITE
    table.throw(1)
    assert table.position.turn == WHITE
    assert table.moves == ["i2-i3"]
    table.play("i2-i3")
    assert table.right is None  # no rosette
    assert table.throw(3).moves == ["-j4", "k4-i3"]


def test_each_rosette_renews_the_right() -> None:
    table = Table("l2:W i4:B", 3).play("l2-i2").throw(1).play("pass").throw(4)
    table.play("i2-l3")
    assert table.right == WHITE
    table.throw(1).play("pass").throw(4).play("l3-o2")
    assert table.right == WHITE
    table.throw(1).play("pass").throw(4).play("o2-o4")
    assert table.right == WHITE
    table.throw(1).play("pass").throw(2).play("o4-n3")
    assert table.right is None
    assert table.throw(1).moves == ["i4-i3"]


def test_another_piece_may_move_with_the_right() -> None:
    """In position 7 of the rules page, the piece that stays on l2 may move."""
    table = Table("l2:W,W j4:B", 3).play("l2-i2").throw(1).play("pass").throw(2)
    assert sorted(table.moves) == ["i2-j3", "l2-j2"]
    assert table.play("l2-j2").right is None


def test_leaving_a_rosette_gives_no_right() -> None:
    assert Table("l3:W i4:B", 1).play("l3-m3").right is None
    assert Table("j3:W+ i4:B", 2).play("j3-").right is None


def test_the_right_of_a_player_that_cannot_move() -> None:
    """The promoted piece on k3 cannot move four squares."""
    for right, expected in (("lapses", None), ("kept", WHITE)):
        options = Options(right=right)
        table = Table("k3:W+ m3:B", 4, right=WHITE, options=options)
        assert table.moves == ["pass"]
        table.play("pass")
        assert table.right == expected
        table.throw(1)
        assert table.position.turn == BLACK
        assert table.moves == (["m3-n3"] if expected is None else ["pass"])


def test_a_pass_of_the_opponent_keeps_the_right() -> None:
    """Black passes, for lack of moves and because of White's right."""
    for right in ("lapses", "kept"):
        table = Table("l2:W", 3, options=Options(right=right)).play("l2-i2").throw(1)
        assert table.play("pass").right == WHITE


# --- passing -------------------------------------------------------------------------------------


def test_pass_with_legal_moves_is_illegal() -> None:
    assert Table("i2:W k3:B", 1).moves == ["i2-i3"]
    assert "pass" not in Table("i2:W j2:W", 2, reserve=(3, 0)).moves


def test_player_without_moves_passes() -> None:
    table = Table("i3:W+ m3:B", 2)
    assert table.moves == ["pass"]
    table.play("pass").throw(1)
    assert table.position.turn == BLACK
    assert table.moves == ["m3-n3"]


@each_case(
    ("limit", "passes", "expected_winner"),
    [
        (50, 48, None),
        (50, 49, ""),
        (3, 1, None),
        (3, 2, ""),
        (1, 0, ""),
        (0, 200, None),
    ],
)
def test_double_pass(limit: int, passes: int, expected_winner: str | None) -> None:
    options = Options(double_pass=limit)
    table = Table("k3:W+ i3:B+", 4, passes=passes, options=options).play("pass")
    assert table.winner == expected_winner


def test_passes_of_both_count_until_a_move() -> None:
    options = Options(double_pass=3)
    table = Table("k3:W+ i3:B+", 4, options=options)
    table.play("pass").throw(4).play("pass")
    assert table.winner is None
    table.throw(1).play("k3-j3").throw(4).play("pass").throw(4).play("pass")
    assert table.winner is None
    table.throw(4).play("pass")
    assert table.winner == ""


def test_a_locked_game_ends() -> None:
    """With kept rights, White cannot move and Black may not move until the draw."""
    options = Options(right="kept", double_pass=6)
    table = Table("n3:W o3:B,B,B,B", 1, right=WHITE, options=options)
    for number in range(6):
        assert table.winner is None, number
        table.play("pass")
        if number < 5:
            table.throw(1)
    assert table.winner == ""


# --- winning -------------------------------------------------------------------------------------


@each_case("mover", [WHITE, BLACK])
@each_case(("square", "steps"), [("i3", 1), ("j3", 2), ("k3", 3), ("l3", 4)])
def test_the_seventh_piece_wins(square: str, steps: int, mover: str) -> None:
    piece, off = ("W+", (6, 3)) if mover == WHITE else ("B+", (3, 6))
    table = Table(f"{square}:{piece}", steps, mover, off=off, reserve=(1, 1))
    table.play(f"{square}-")
    assert table.winner == mover


def test_six_pieces_off_the_board_do_not_win() -> None:
    table = Table("i3:W+ j3:W+", 1, off=(5, 6)).play("i3-")
    assert table.off == (6, 6)
    assert table.winner is None


def test_the_game_ends_before_the_next_throw() -> None:
    table = Table("i3:W+", 1, off=(6, 0), reserve=(0, 7)).play("i3-")
    assert table.position.turn == "?Dice"
    assert table.winner == WHITE


# --- Finkel's rules --------------------------------------------------------------------------

FINKELS_PATH = "l2 k2 j2 i2 i3 j3 k3 l3 m3 n3 o3 p3 p2 o2"


@each_case("mover", [WHITE, BLACK])
@each_case("steps", [0, 1, 2, 3, 4])
def test_finkels_path(steps: int, mover: str) -> None:
    path = FINKELS_PATH if mover == WHITE else FINKELS_PATH.replace("2", "4")
    squares, piece = path.split(), mover[0]
    for at, square in enumerate(squares, 1):
        goal = at + steps
        if steps == 0 or goal > 15:
            expected, after = "pass", f"{square}:{piece}"
        elif goal == 15:
            expected, after = f"{square}-", ""
        else:
            expected, after = f"{square}-{squares[goal - 1]}", f"{squares[goal - 1]}:{piece}"
        table = Table(f"{square}:{piece}", steps, mover, options=FINKEL)
        assert table.moves == [expected], at
        assert table.play(expected).board == after, at


FINKELS_MOVES = [
    # Own pieces block every square; there are no stacks.
    ("j3:W k3:W", 1, ["k3-l3"]),
    ("l2:W k2:W", 1, ["k2-j2"]),
    # Enemy pieces are captured except on l3.
    ("j3:W k3:B", 1, ["j3-k3"]),
    ("n3:W o3:B", 1, ["n3-o3"]),
    ("o3:W p3:B", 1, ["o3-p3"]),
    ("i2:W i3:B", 1, ["i2-i3"]),
    ("k3:W l3:B", 1, ["pass"]),
    ("k3:W l3:W", 1, ["l3-m3"]),
]


@each_case(("board", "steps", "expected"), FINKELS_MOVES)
def test_finkels_moves(board: str, steps: int, expected: list[str]) -> None:
    assert Table(board, steps, options=FINKEL).moves == expected


def test_finkels_captures() -> None:
    table = Table("j3:W k3:B", 1, reserve=(2, 3), options=FINKEL).play("j3-k3")
    assert (table.board, table.reserve) == ("k3:W", (2, 4))


def test_finkels_own_rows_are_private() -> None:
    """White cannot reach Black's pieces on o4 and p4; p3 is shared."""
    table = Table("n3:W p4:B o4:B", 2, options=FINKEL)
    assert table.moves == ["n3-p3"]
    assert table.play("n3-p3").board == "o4:B p3:W p4:B"


@each_case(
    ("board", "steps", "move", "mover"),
    [
        ("l2:W", 3, "l2-i2", WHITE),
        ("k3:W", 1, "k3-l3", WHITE),
        ("p3:W", 2, "p3-o2", WHITE),
        ("l4:B", 3, "l4-i4", BLACK),
        ("k3:B", 1, "k3-l3", BLACK),
        ("p3:B", 2, "p3-o4", BLACK),
        ("", 4, "-i2", WHITE),
    ],
)
def test_rosette_gives_another_throw(board: str, steps: int, move: str, mover: str) -> None:
    reserve = (1, 0) if not board else (0, 0)
    table = Table(board, steps, mover, reserve=reserve, options=FINKEL).play(move)
    table.throw(1)
    assert table.position.turn == mover
    assert table.right is None


def test_second_throw_without_moves_ends_the_turn() -> None:
    table = Table("l2:W k4:B", 3, options=FINKEL).play("l2-i2").throw(0)
    assert table.position.turn == WHITE
    assert table.moves == ["pass"]
    table.play("pass").throw(1)
    assert table.position.turn == BLACK
    assert table.moves == ["k4-j4"]


def test_consecutive_rosettes() -> None:
    table = Table("i2:W k4:B", 4, options=FINKEL).play("i2-l3").throw(4)
    assert table.play("l3-p3").throw(1).position.turn == BLACK


def test_other_squares_give_no_second_throw() -> None:
    """White's path has no other rosettes; o4 and i4 are on Black's path only."""
    for square, after in (("m3", "n3"), ("i2", "i3"), ("o3", "p3"), ("p3", "p2")):
        table = Table(f"{square}:W", 1, options=FINKEL).play(f"{square}-{after}")
        assert table.throw(1).position.turn == BLACK


def test_finkels_first_throw_is_thrown() -> None:
    position = loaded("ur-finkel").start()
    assert position.turn == "?Dice"
    for _ in range(4):
        assert len(position.legal_moves) == 2
        position.push(position.legal_moves[0])
    assert position.turn == WHITE


def test_finkels_win() -> None:
    table = Table("o2:W", 1, off=(6, 6), options=FINKEL).play("o2-")
    assert table.winner == WHITE
    assert Table("o2:W", 1, off=(5, 6), options=FINKEL).play("o2-").winner is None

"""Tests what blocks can touch, whatever stands on the board."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import forthvm
from forthvm.zrf.compiler.geometry import Geometry
from forthvm.zrf.compiler.names import Names
from forthvm.zrf.compiler.prefixes import alike_together
from forthvm.zrf.compiler.reach import BlockReach, Reach
from forthvm.zrf.compiler.reach_tables import write_attackers
from forthvm.zrf.compiler.script import Writer
from forthvm.zrf.rule_file import parse_rule_text, read_rule_file

GAMES = Path(__file__).parent / "games"
FILES, RANKS = "abcdefgh", "12345678"
CHESS = [file + rank for rank in RANKS for file in FILES]


def touched(piece: str, player: str, start: str) -> list[tuple[set[str], bool]]:
    """Return for each block the positions that it can touch, and whether it reads more."""
    rules = read_rule_file(GAMES / "chess.zrf").rules()
    reach = Reach(rules, CHESS)
    blocks = next(one for one in rules.pieces if one.name == piece).moves
    found = [reach.of(block, player) for block in blocks]
    return [
        ({at for n, at in enumerate(CHESS) if block.rows[CHESS.index(start)] >> n & 1}, more)
        for block, more in ((block, block.reads_more) for block in found)
    ]


def test_slides_touch_the_line_to_the_edge() -> None:
    north, east, south, west = touched("Rook", "White", "c3")
    assert north == ({"c3", "c4", "c5", "c6", "c7", "c8"}, False)
    assert east == ({"c3", "d3", "e3", "f3", "g3", "h3"}, False)
    assert south == ({"c3", "c2", "c1"}, False)
    assert west == ({"c3", "b3", "a3"}, False)


def test_symmetries_turn_the_reach_of_a_player() -> None:
    assert touched("Rook", "Black", "c3")[0] == ({"c3", "c2", "c1"}, False)


def test_a_leap_touches_the_squares_on_its_way() -> None:
    assert touched("Knight", "White", "b1")[0] == ({"b1", "b2", "c3"}, False)


def test_a_block_off_the_board_touches_its_start_only() -> None:
    assert touched("Knight", "White", "h8")[0] == ({"h8"}, False)


def test_conditions_on_the_last_move_read_more_than_pieces() -> None:
    pawn = touched("Pawn", "White", "e5")
    assert [more for _, more in pawn] == [False, False, False, False, True, True]
    assert {"e5", "f5", "f6", "f7"} == pawn[4][0]


BOARD = """
(define step ($1 (verify not-friend?) (add $2)))
(game (title "Reach") (players White Black)
  (board (dummy a b c d) (links next (a b) (b c) (c d)) (links last (d c) (c b) (b a))
    (symmetry Black (next last) (last next))
    (zone (name home) (players White) (positions a b))
    (zone (name home) (players Black) (positions d)))
  (piece (name Man) (moves BLOCKS)))
"""


def reach_of(blocks: str, player: str = "White") -> list[BlockReach]:
    """Return the reach of blocks on a line of four positions, a to d."""
    rules = parse_rule_text(BOARD.replace("BLOCKS", blocks)).rules()
    reach = Reach(rules, "abcd")
    return [reach.of(block, player) for block in rules.pieces[0].moves]


def rows(text: str) -> tuple[int, ...]:
    """Return the rows of words like `ab`, the positions that are touched from a, b, c, d."""
    return tuple(sum(1 << "abcd".index(name) for name in word) for word in text.split())


def test_a_zone_ends_a_block_on_the_other_positions() -> None:
    blocks = "((verify (in-zone? home)) next add) ((verify (not-in-zone? home)) next add)"
    assert [block.rows for block in reach_of(blocks)] == [rows("ab bc c d"), rows("a b cd d")]
    assert [block.rows for block in reach_of(blocks, "Black")] == [
        rows("a b c dc"),
        rows("a ba cb d"),
    ]


def test_branches_and_loops_go_on_where_their_condition_allows_it() -> None:
    blocks = """((if (in-zone? home) next else last) add)
        ((while (in-zone? home) next) add)
        (next (if (position? c) (verify false)) next add)
        ((while (and empty? (not (position? c))) next) next add)"""
    assert [block.rows for block in reach_of(blocks)] == [
        rows("ab bc cb dc"),
        rows("abc bc c d"),
        rows("abc bc cd d"),
        rows("abcd bcd cd d"),
    ]


def test_marks_are_followed_through_loops() -> None:
    [block] = reach_of("((while empty? mark next) back last add)")
    assert block.rows == rows("abcd abcd bcd cd")


def test_promotions_and_symmetries_do_not_multiply_the_tables() -> None:
    white = reach_of("(step next Man) (step last) (next (verify empty?) capture add)")
    black = reach_of("(step last Man)", "Black")
    assert white[0].rows == white[2].rows == black[0].rows != white[1].rows


def test_the_last_blocks_of_large_games_can_touch_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("forthvm.zrf.compiler.reach._MOST_STEPS", 20)
    first, last = reach_of("(next add) ((while empty? next) (while empty? next) add)")
    assert first.rows == rows("ab bc cd d")
    assert last.rows == rows("abcd abcd abcd abcd")


def tables_of(blocks: str) -> tuple[int, list[str]]:
    """Return the number of tables of a script, and the words of the lists of White and Black."""
    rules = parse_rule_text(BOARD.replace("BLOCKS", blocks)).rules()
    out, names = Writer(), Names()
    names.add_all("player", rules.players)
    names.add_all("piece", [piece.name for piece in rules.pieces])
    names.add_all("position", "abcd")
    names.add_all("direction", rules.board.directions)
    words = {
        piece.name: [(f"block-{number}", "") for number, _ in enumerate(piece.moves, 1)]
        for piece in rules.pieces
        if piece.moves
    }
    write_attackers(out, rules, names, "abcd", words)
    text = out.finish().text.decode()
    lists = re.findall(r"CREATE z-list-\d\n((?:    .*\n)*)", text)
    return text.count("z-table z-table"), [" ".join(found.split()) for found in lists]


def lists_of(whole: int, first: int, second: int) -> str:
    """Return the words of the list of two blocks with these tables."""
    tables = (f"z-table-{table} , FALSE , ' block-" for table in (first, second))
    return f"z-table-{whole} , 2 , {next(tables)}1 , 0 , {next(tables)}2 , 0 ,"


def test_without_room_one_table_stands_for_all_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = "(next add) (next (verify empty?) next add)"
    assert tables_of(blocks) == (
        4,  # for each player the second block covers the first one
        [
            lists_of(1, 3, 1),
            lists_of(2, 4, 2),
        ],
    )
    monkeypatch.setattr("forthvm.zrf.compiler.reach_tables._MOST_CELLS", 2 * 4)
    assert tables_of(blocks) == (
        2,
        [
            lists_of(1, 1, 1),
            lists_of(2, 2, 2),
        ],
    )
    monkeypatch.setattr("forthvm.zrf.compiler.reach_tables._MOST_CELLS", 0)
    assert tables_of("(next add)") == (0, ["0 , 1 , 0 , FALSE , ' block-1 , 0 ,"] * 2)


def test_boards_of_very_many_positions_have_no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forthvm.zrf.compiler.reach_tables._MOST_POSITIONS", 3)
    assert tables_of("(next add)") == (0, ["0 , 1 , 0 , FALSE , ' block-1 , 0 ,"] * 2)


LARGE = """
(game (title "Large") (players White Black) (turn-order White Black)
   (board
      (grid (dimensions ("a/b/c/d/e/f/g/h" (1 0)) ("5/4/3/2/1" (0 1)))
         (directions (e 1 0) (n 0 -1)))
      (links around (a1 b1) (b1 c1) (c1 a1) (c3 d5) (d5 c3))
      (symmetry Black (n e) (e n))
      (zone (name home) (players White Black) (positions a1 b1 h5))
   )
   (piece (name Man) (moves
      (n e (verify empty?) add)
      (n (while empty? e) add)
      ((while empty? around) add)
      ((verify (in-zone? home)) n add)
      (a1 add)
      ((while empty? n) e add)
      (n mark (while empty? n) back e add)))
   (board-setup (White (Man a1)) (Black (Man h5)))
   (loss-condition (White Black) (checkmated Man))
)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess.zrf", "large.zrf"])
def test_the_script_fills_the_tables_with_these_positions(name: str, tmp_path: Path) -> None:
    """On boards with circles, steps to nowhere, zones, and more positions than a cell has bits."""
    path = GAMES / name
    if not path.exists():
        path = tmp_path / name
        path.write_text(LARGE)
    printed: list[str] = []
    rules, game = read_rule_file(path).rules(), forthvm.load(path, output=printed.append)
    order = Geometry(rules, Names()).order
    reach = Reach(rules, order)
    positions = len(order)
    for player in rules.players:
        for piece in rules.pieces:
            rows = [reach.of(block, player).rows for block in alike_together(piece.moves)]
            words = f"{player} {piece.name} OR z-lists[] @ @"
            together = [
                sum({1 << n for row in at for n in range(positions) if row >> n & 1})
                for at in zip(*rows, strict=True)
            ]
            assert table_at(game, printed, words, positions) == together
            for number, row in enumerate(rows):
                words = f"{player} {piece.name} OR z-lists[] @ z-blocks-of DROP"
                assert table_at(game, printed, f"{words} {number} 4 * CELLS + @", positions) == [
                    *row
                ]


def table_at(game: forthvm.Game, printed: list[str], words: str, positions: int) -> list[int]:
    """Return the rows of the table whose address some words compute."""
    words = f": rows {words} z-rows ! $positions @ 0 DO $positions @ 0 DO"
    loop = (
        " J #z-row * I z-bit-cell + z-rows @ + @ I z-bit AND IF 1 ELSE 0 ENDIF . LOOP LOOP ; rows"
    )
    printed.clear()
    game._loaded.vm.interpret(words + loop)
    bits = "".join(printed).split()
    rows = [bits[at : at + positions] for at in range(0, len(bits), positions)]
    return [sum(1 << n for n, bit in enumerate(row) if bit == "1") for row in rows]

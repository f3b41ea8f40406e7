"""Boards: contract, section 3, items 24 to 34, and rectangles, items 96 to 101."""

from __future__ import annotations

from forthvm.zrf.code import Constant, Go, Named, Neighbor, Verify
from forthvm.zrf.rules import Board, Zone
from forthvm.zrf.source import RuleFileError
from tests.kit.cases import each_case
from tests.kit.messages import raises
from tests.zrf.texts import rules

GRID = """(grid (start-rectangle 5 6 15 26)
  (dimensions ("a/b/c" (10 0)) ("2/1" (0 20)))
  (directions (n 0 -1) (e 1 0) (w -1 0) (jump 2 -1)))"""


def board(text: str) -> Board:
    return rules(board=f"(board {text})").board


def names(found: Board) -> list[str]:
    return [position.name for position in found.positions]


def messages(text: str) -> list[str]:
    return [warning.message for warning in rules(board=f"(board {text})").warnings]


def test_a_board_may_have_several_grids() -> None:
    found = board(
        GRID + '(grid (start-rectangle 0 0 1 1) (dimensions ("d1/d2" (5 0))) (directions (e 1)))'
    )
    assert names(found)[-3:] == ["c1", "d1", "d2"]
    assert found.links["e"] == {
        "a1": "b1", "a2": "b2", "b1": "c1", "b2": "c2", "d1": "d2",
    }  # fmt: skip


def test_the_forms_act_in_the_order_of_the_file() -> None:
    assert board(GRID + "(unlink a1) (links n (a1 c2))").links["n"]["a1"] == "c2"
    assert "a1" not in board(GRID + "(links n (a1 c2)) (unlink a1)").links["n"]


def test_links_to_positions_that_do_not_exist_yet_are_dropped_with_a_note() -> None:
    text = GRID + "(links n (c2 x)) (dummy x)"
    assert "c2" not in board(text).links["n"]
    assert "no position `x`" in messages(text)[0]


def test_names_are_joined_in_the_order_of_the_dimensions() -> None:
    assert names(board(GRID)) == ["a2", "a1", "b2", "b1", "c2", "c1"]
    text = '(grid (dimensions ("top-/low-" (0 9)) ("left/right" (9 0))))'
    assert names(board(text)) == ["top-left", "top-right", "low-left", "low-right"]


def test_five_dimensions_are_the_limit() -> None:
    five = '("1/2" (1 0))' * 5
    assert len(names(board(f"(grid (dimensions {five}))"))) == 2**5
    with raises(RuleFileError, "geometry.too-many-dimensions"):
        board(f'(grid (dimensions {five} ("1/2" (1 0))))')


def test_directions_link_positions_of_the_grid() -> None:
    links = board(GRID).links
    assert links["n"] == {"a1": "a2", "b1": "b2", "c1": "c2"}
    assert links["w"] == {"b1": "a1", "c1": "b1", "b2": "a2", "c2": "b2"}
    assert links["jump"] == {"a1": "c2"}


def test_single_positions_and_dummies_join_the_board() -> None:
    found = board("(positions (a 1 2 3 4) (b -9 -9 -5 -5)) (dummy x y) (links n (x a) (a y))")
    assert names(found) == ["a", "b", "x", "y"]
    assert [position.dummy for position in found.positions] == [False, False, True, True]
    assert found.positions[1].rectangle == (-9, -9, -5, -5)
    assert found.links["n"] == {"x": "a", "a": "y"}


def test_positions_without_an_inside_are_not_drawn() -> None:
    found = board(
        """(positions (shown 0 0 20 20) (left -30 0 -10 20) (point 60 60 60 60) (pixel 66 66 67 67))
           (dummy unseen)"""
    )
    assert found.rectangles == {"shown": (0, 0, 20, 20)}


def test_links_accumulate_and_replace() -> None:
    found = board(GRID + "(links n (a2 c1) (a1 b1)) (links up (a1 b2)) (links up (b2 c1))")
    assert found.links["n"] == {"a1": "b1", "b1": "b2", "c1": "c2", "a2": "c1"}
    assert found.links["up"] == {"a1": "b2", "b2": "c1"}
    assert found.directions == ("n", "e", "w", "jump", "up")


def test_unlink_a_pair_cuts_one_way() -> None:
    links = board(GRID + "(links x (a1 b1)) (unlink (a1 b1))").links
    assert "a1" not in links["e"]
    assert "a1" not in links["x"]
    assert links["w"]["b1"] == "a1"


def test_unlink_a_position_and_a_direction() -> None:
    links = board(GRID + "(unlink (a1 e))").links
    assert "a1" not in links["e"]
    assert links["n"]["a1"] == "a2"


def test_unlink_a_position_cuts_both_ways() -> None:
    links = board(GRID + "(unlink b1)").links
    assert not any("b1" in (*targets, *targets.values()) for targets in links.values())
    assert links["n"]["a1"] == "a2"


def test_killed_positions_cease_to_exist() -> None:
    found = board(GRID + "(kill-positions b1 b2)")
    assert names(found) == ["a2", "a1", "c2", "c1"]
    assert found.links["e"] == {}
    assert found.links["jump"] == {"a1": "c2"}


def test_a_killed_position_is_no_square_in_code() -> None:
    killed = rules(
        board=f"(board {GRID} (kill-positions b1))",
        moves="(b1 add) ((verify (empty? b1)) add) ((capture b1) add)",
        extra="(board-setup (White (Man a1 b1)))",
    )
    first, second, third = (block.code.instructions for block in killed.pieces[0].moves)
    assert first[0] == Verify(Constant(False))
    assert second[0] == Verify(Constant(False))
    assert len(third) == 1
    assert [placement.position for placement in killed.placements] == ["a1"]
    assert len(killed.warnings) == 4


def test_a_zone_belongs_to_its_players() -> None:
    text = (
        GRID
        + """(dummy x)
    (zone (name z) (players White Black) (positions a1 x none))
    (zone (name z) (players Black) (positions b1)) (zone (name all) (positions a1 a1))"""
    )
    assert board(text).zones == (
        Zone("z", ("White", "Black"), ("a1", "x")),
        Zone("z", ("Black",), ("b1",)),
        Zone("all", (), ("a1",)),
    )
    assert messages(text) == ["there is no position `none`; it is left out of the zone `z`"]


def test_a_zone_of_unknown_players_is_not_a_zone_of_all_players() -> None:
    text = GRID + "(zone (name z) (players Red) (positions a1))"
    assert board(text).zones == ()
    assert messages(text) == ["there is no player `Red`"]


def test_a_symmetry_without_a_player_is_ignored() -> None:
    found = rules(board=f"(board {GRID} (symmetry (n e) (e n)))")
    assert found.board.symmetries == {}
    assert [str(w.message) for w in found.warnings][:1] == [
        "`symmetry` without a player is ignored"
    ]


def test_symmetries_are_one_way_and_the_first_pair_counts() -> None:
    text = GRID + "(symmetry Black (e w) (w e) (e n)) (symmetry Black (n up)) (links up (a1 b2))"
    assert board(text).symmetries == {"Black": {"e": "w", "w": "e", "n": "up"}}


def test_the_opposite_of_a_grid_direction_has_the_negated_steps() -> None:
    text = f"(board {GRID} (links n (a2 c1)))"
    [block] = rules(board=text, moves="((opposite e) (mark (opposite w)) add)").pieces[0].moves
    assert block.code.instructions[0] == Go(Neighbor("w"))


def test_the_opposite_of_links_leads_back() -> None:
    text = f"(board {GRID} (links next (a1 b2) (b2 c1)) (links back-one (b2 a1) (c1 b2)))"
    [block] = rules(board=text, moves="((opposite next) add)").pieces[0].moves
    assert block.code.instructions[0] == Go(Neighbor("back-one"))


def test_without_an_opposite_the_block_ends() -> None:
    text = f"(board {GRID})"
    [block] = rules(board=text, moves="((opposite jump) add)").pieces[0].moves
    assert block.code.instructions[0] == Verify(Constant(False))


def test_of_two_positions_with_one_name_the_first_keeps_its_rectangle() -> None:
    found = board(GRID + "(positions (a1 90 90 99 99))")
    assert len(found.positions) == 6
    assert found.positions[1].rectangle == (5, 26, 15, 46)


def test_a_board_may_have_several_images() -> None:
    assert board('(image "a.bmp" "b\\c.bmp")').images == ("a.bmp", "b\\c.bmp")


def test_rectangles_move_by_the_steps_of_all_dimensions() -> None:
    rectangles = {position.name: position.rectangle for position in board(GRID).positions}
    assert rectangles["a2"] == (5, 6, 15, 26)
    assert rectangles["c1"] == (25, 26, 35, 46)
    skew = '(grid (start-rectangle 0 0 4 4) (dimensions ("a/b" (10 5)) ("1/2" (-5 10))))'
    assert [position.rectangle for position in board(skew).positions] == [
        (0, 0, 4, 4),
        (-5, 10, -1, 14),
        (10, 5, 14, 9),
        (5, 15, 9, 19),
    ]


def test_a_grid_without_a_start_rectangle_is_drawn_by_its_steps() -> None:
    found = board('(grid (dimensions ("a/b" (30 4)) ("2/1" (-5 20))))')
    assert {position.name: position.rectangle for position in found.positions} == {
        "a2": (0, 0, 30, 20),
        "a1": (-5, 20, 25, 40),
        "b2": (30, 4, 60, 24),
        "b1": (25, 24, 55, 44),
    }


def test_a_position_is_found_before_a_cursor_and_after_a_direction() -> None:
    text = '(board (grid (dimensions ("a/n" (1 0))) (directions (n 1))) (dummy mark))'
    moves = "(n add) ((capture n) add) ((capture mark) add) ((capture a) add)"
    found = [block.code.instructions[0] for block in rules(board=text, moves=moves).pieces[0].moves]
    assert [getattr(instruction, "square", None) for instruction in found] == [
        Neighbor("n"),
        Neighbor("n"),
        Named("mark"),
        Named("a"),
    ]


def test_a_product_of_dimensions_is_limited() -> None:
    hundred = "/".join(map(str, range(100)))
    text = f'(grid (dimensions ("{hundred}" (1 0)) ("{hundred}" (1 0)) ("{hundred}" (1 0))))'
    with raises(RuleFileError, "geometry.too-many-positions"):
        board(text)


def test_the_number_of_directions_is_limited() -> None:
    links = "".join(f"(links d{i})" for i in range(129))
    with raises(RuleFileError, "geometry.too-many-directions"):
        board(links)


def test_unknown_forms_are_ignored_with_their_places() -> None:
    found = rules(board="(board\n (boardd) (dummy a))").warnings
    assert [str(warning) for warning in found][:1] == [
        "game.zrf:3:2: unknown in `board`, ignored: `boardd`"
    ]


@each_case(
    ("text", "message"),
    [
        ("(grid)", "geometry.a-grid-without-dimensions"),
        ('(grid (dimensions ("" (1 0))))', "geometry.a-dimension-without-names"),
        ("(positions (a 1 2 x 4))", "geometry.a-number-is-expected-not-x"),
        ("(positions (a 1 2 9999999999 4))", "geometry.too-large"),
    ],
)
def test_broken_boards(text: str, message: str) -> None:
    with raises(RuleFileError, message):
        board(text)

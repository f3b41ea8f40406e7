"""The model's board (section 3 of the contract)."""

from __future__ import annotations

from tests.models.zrf.board import Board
from tests.models.zrf.reader import parse

ROW = '(grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0))) (directions (e 1) (w -1)))'


def board(text: str) -> Board:
    return Board(parse(text))


def walk(geometry: Board, start: str, direction: str, player: str = "White") -> list[str]:
    """The positions from a start along a direction."""
    found: list[str] = []
    place: str | None = start
    while place is not None and place not in found:
        found.append(place)
        place = geometry.neighbor(place, direction, player)
    return found


def test_forms_act_in_file_order() -> None:
    text = "(positions (x 0 0 1 1) (y 0 0 1 1)) {} {}"
    unlink, link = "(unlink x)", "(links to (x y))"
    assert board(text.format(unlink, link)).links == {("to", "x"): "y"}
    assert board(text.format(link, unlink)).links == {}


def test_link_to_a_position_that_does_not_exist_is_dropped() -> None:
    assert board("(positions (x 0 0 1 1)) (links to (x y) (y x)) (dummy y)").links == {}


def test_names_follow_the_order_of_the_dimensions() -> None:
    text = '(grid (dimensions ("a/b" (1 0)) ("2/1" (0 1))))'
    assert board(text).positions == ["a2", "a1", "b2", "b1"]
    assert board('(grid (dimensions ("top-/low-" (0 9)) ("l/r" (9 0))))').positions == [
        "top-l",
        "top-r",
        "low-l",
        "low-r",
    ]


def test_links_stay_inside_the_grid() -> None:
    text = '(grid (dimensions ("a/b/c" (1 0)) ("3/2/1" (0 1))) (directions (jump 2 -1)))'
    assert board(text).links == {("jump", "a2"): "c3", ("jump", "a1"): "c2"}


def test_single_positions_and_dummies_join_the_board() -> None:
    geometry = board("(positions (x 0 0 1 1)) (dummy y z)")
    assert (geometry.positions, geometry.dummies) == (["x", "y", "z"], {"y", "z"})


def test_links_extend_grid_directions_and_replace_links() -> None:
    geometry = board(ROW + "(links e (d a) (b d)) (links up (a c))")
    assert walk(geometry, "a", "e") == ["a", "b", "d"]
    assert geometry.neighbor("d", "e", "White") == "a"
    assert geometry.neighbor("a", "up", "White") == "c"


def test_unlink_cuts_a_pair_a_direction_or_a_position() -> None:
    assert walk(board(ROW + "(unlink (b c))"), "a", "e") == ["a", "b"]
    assert walk(board(ROW + "(unlink (b c))"), "d", "w") == ["d", "c", "b", "a"]
    assert walk(board(ROW + "(unlink (b e))"), "a", "e") == ["a", "b"]
    geometry = board(ROW + "(unlink b)")
    assert walk(geometry, "a", "e") == ["a"]
    assert walk(geometry, "d", "w") == ["d", "c"]
    assert walk(geometry, "b", "e") == ["b"]


def test_killed_positions_are_gone() -> None:
    geometry = board(ROW + "(zone (name z) (positions b c)) (kill-positions b)")
    assert geometry.positions == ["a", "c", "d"]
    assert walk(geometry, "a", "e") == ["a"]
    assert geometry.zone("z", "White") == ["c"]


def test_a_zone_belongs_to_its_players() -> None:
    geometry = board(
        ROW
        + """(zone (name z) (players White Black) (positions a))
        (zone (name z) (players Red) (positions b nowhere)) (zone (name all) (positions c))"""
    )
    zones = [geometry.zone("z", player) for player in ("White", "Black", "Red", "Blue")]
    assert zones == [["a"], ["a"], ["b"], []]
    assert geometry.zone("all", "Blue") == ["c"]


def test_symmetry_is_one_way_and_the_first_pair_counts() -> None:
    geometry = board(ROW + "(links up (a d)) (symmetry Black (e w) (e e) (up e))")
    assert walk(geometry, "c", "e", "Black") == ["c", "b", "a"]
    assert walk(geometry, "c", "w", "Black") == ["c", "b", "a"]
    assert walk(geometry, "c", "e", "White") == ["c", "d"]
    assert walk(geometry, "a", "up", "Black") == ["a", "b", "c", "d"]


def test_the_opposite_of_a_grid_direction_has_the_negated_steps() -> None:
    geometry = board(ROW + "(symmetry Black (w e))")
    assert geometry.opposite("b", "e", "White") == "a"
    assert geometry.opposite("a", "e", "White") is None
    assert geometry.opposite("b", "e", "Black") == "c"  # w is found, Black's w is e


def test_the_opposite_of_links_leads_back() -> None:
    geometry = board("(dummy x y z) (links on (x y) (y z)) (links back (y x) (z y))")
    assert geometry.opposite("y", "on", "White") == "x"


def test_without_an_opposite_the_cursor_leaves_the_board() -> None:
    text = '(grid (dimensions ("a/b/c" (9 0))) (directions (e 1) (w2 -2)))'
    assert board(text).opposite("c", "e", "White") is None

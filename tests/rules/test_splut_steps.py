"""Single steps of Splut!, in positions built for each rule.

The expected steps follow from sections 4 to 8 and 14 of the project's rules page of Splut!.
splut_kit.py defines the notation: a step is the list of its changes, such as `c5-d5 d5-e5`, and
`h5x` removes the piece on h5.  Trolls throw and pull stones, dwarfs push rows, wizards levitate.
"""

from __future__ import annotations

import pytest

from tests.kit.cases import each_case
from tests.models.splut_positions import FIRST, FOURTH, SECOND, THIRD
from tests.rules.splut_kit import Play


def steps(text: str) -> set[str]:
    """Return the steps of a text that separates them by commas."""
    return {step.strip() for step in text.split(",")}


# --- section 14: the first step, and the four published positions ------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", ["splut", "splut-three", "splut-duel", "splut-partial"])
@pytest.mark.parametrize("preset", ["article", "official"])
def test_first_step(game: str, preset: str) -> None:
    assert Play(game=game, preset=preset).steps == steps("d2-d3, e2-e3, f2-f3")


FIRST_STEPS = """b4-b5, b4-c4, d5-c5, d5-d4, d5-d6, d5-c5 e5-d5, d5-e5 e5-h5 h5x, d5-e5 e5-e6,
    d5-e5 e5-e4, d5-e5 e5-a5, c3-c4, c3-d3, c3-c4 e3-e4, c3-c4 e5-e6, c3-d3 e3-f3, c3-d3 e5-f5"""
SECOND_STEPS = """e5-d5, e5-e4, e5-e6, e5-d5 f5-e5, e5-f5 f5-i5 i5x, e5-f5 f5-f8, e5-f5 f5-f2,
    a5x e5x f5-a5, a5-b5, a5-b5 f5-g5"""
THIRD_STEPS = "c5-b5, c5-c4, c5-d5 d5-e5 e5-f5 f5-g5, e1-e2, e1-e2 e5-e6"
FOURTH_STEPS = """e5-d5, e5-f5, c5-b5 e5-d5, e4-d4 e5-d5, e5-d5 e6-d6, e5-d5 i5-h5, c5-d5 e5-f5,
    e4-f4 e5-f5, e5-f5 e6-f6, e5-e6 e6-e7, e4-e3 e5-e4"""


@each_case("throw", ["whole", "partial"])
@each_case("lock", ["round", "previous-turn", "each-opponent"])
@each_case(
    ("pieces", "expected", "count"),
    [
        (FIRST, FIRST_STEPS, 16),
        (SECOND, SECOND_STEPS, 10),
        (THIRD, THIRD_STEPS, 5),
        (FOURTH, FOURTH_STEPS, 11),
    ],
    ids=["1", "2", "3", "4"],
)
def test_published_positions(
    pieces: dict[str, str], expected: str, count: int, lock: str, throw: str
) -> None:
    found = Play(pieces, "South", lock=lock, throw=throw).steps
    assert found == steps(expected)
    assert len(found) == count


# --- section 5: throws -------------------------------------------------------------------------

SOUTH = {"c4": "South troll", "c5": "sstone", "e1": "South wizard"}
NORTH = {"e9": "North wizard"}


def throws(pieces: dict[str, str], **settings: str) -> set[str]:
    """Return the landing squares of the stone on c5, thrown by the troll from c4, and removals."""
    play = Play({**SOUTH, **NORTH, **pieces}, "South", **settings)
    found = set()
    for step in play.of("c4"):
        parts = step.split()
        if "c4-c5" in parts:
            parts.remove("c4-c5")
            found.add(" ".join(parts).replace("c5-", ""))
    return found


def test_throw_to_the_edges_and_back() -> None:
    # Southwards the stone flies over the troll's former square to the end of column c.
    assert throws({}) == {"i5", "a5", "c7", "c3"}


def test_stone_flies_over_dwarfs_to_a_wizard() -> None:
    flight = {"d5": "South dwarf", "e5": "North dwarf", "g5": "West dwarf", "h5": "East wizard"}
    assert "h5 h5x" in throws(flight)


def test_whole_team_is_removed_and_the_stone_lands() -> None:
    pieces = {"h5": "East wizard", "e3": "East dwarf", "e8": "East troll", "i5": "estone"}
    play = Play({**SOUTH, **NORTH, **pieces}, "South").play("c4-c5 c5-h5 e3x e8x h5x")
    assert play.board == {
        "c5": "South troll",
        "h5": "sstone",
        "e1": "South wizard",
        "e9": "North wizard",
        "i5": "estone",
    }


def test_throw_can_hit_the_own_wizard() -> None:
    pieces = {**SOUTH, **NORTH, "h5": "South wizard", "b5": "South dwarf", "b4": "West wizard"}
    del pieces["e1"]
    # The whole team is removed, including the troll that threw the stone.
    play = Play(pieces, "South").play("b5x c4x c5-h5 h5x")
    assert play.board == {"h5": "sstone", "e9": "North wizard", "b4": "West wizard"}


@each_case(
    ("behind", "hit"),
    [
        ("", False),  # the stone continues to the edge
        ("North troll", True),
        ("nstone", True),
        ("West dwarf", False),
    ],
)
def test_dwarf_is_hit_in_front_of_an_obstacle(behind: str, hit: bool) -> None:
    pieces = {"f5": "North dwarf"} | ({"g5": behind} if behind else {})
    assert ("f5 f5x" in throws(pieces)) == hit
    assert ("i5" in throws(pieces)) != hit


def test_dwarf_at_the_edge_is_hit() -> None:
    assert "i5 i5x" in throws({"i5": "West dwarf"})
    assert "c7 c7x" in throws({"c7": "South dwarf"})  # an own dwarf too


def test_dwarf_in_front_of_a_wizard_is_not_hit() -> None:
    pieces = {"f5": "North dwarf", "g5": "West wizard", "h5": "East troll"}
    assert "g5 g5x" in throws(pieces)


def test_second_of_two_dwarfs_is_hit() -> None:
    assert "g5 g5x" in throws({"f5": "North dwarf", "g5": "West dwarf", "h5": "East troll"})


def test_trolls_and_stones_stop_the_stone() -> None:
    assert throws({"g5": "North troll", "c7": "nstone"}) == {"f5", "a5", "c6", "c3"}


def test_throw_without_flight_is_illegal() -> None:
    # The stone at the edge can fly only eastwards, over the troll's former square.
    pieces = {"a5": "sstone", "b5": "South troll", "e1": "South wizard", **NORTH}
    assert {
        step for step in Play(pieces, "South").of("b5") if "a5-" in step and "b5-a5" in step
    } == {"a5-i5 b5-a5"}
    assert throws({"d5": "North troll", "c6": "nstone", "b5": "wstone"}) == {"c3"}
    # An adjacent dwarf is not an obstacle: the stone lands on it if it cannot continue.
    assert "d5 d5x" in throws({"d5": "North dwarf", "e5": "nstone"})


def test_troll_enters_occupied_squares_of_stones_only() -> None:
    pieces = {**SOUTH, **NORTH, "b4": "North dwarf", "d4": "West wizard", "c3": "North troll"}
    found = Play(pieces, "South").of("c4")
    assert all("c4-c5" in step.split() for step in found)


def test_throw_ends_the_turn() -> None:
    play = Play({**SOUTH, **NORTH, "b4": "West wizard"}, "South").play("c4-c5 c5-c7")
    assert play.play_forced() == ["South", "South"]
    assert play.turn == "West"


# --- section 5: pulls --------------------------------------------------------------------------


def test_a_troll_may_pull_the_stone_behind_it() -> None:
    pieces = {**NORTH, "e1": "South wizard", "e5": "South troll", "d5": "sstone", "e4": "nstone"}
    found = Play(pieces, "South").of("e5")
    # A step east may pull the stone on d5, a step north the stone on e4.
    assert {step for step in found if "e5-f5" in step} == steps("e5-f5, d5-e5 e5-f5")
    assert {step for step in found if "e5-e6" in step} == steps("e5-e6, e4-e5 e5-e6")
    # A step onto a stone is a throw, not a pull.
    assert not {step for step in found if "e5-d5" in step and "d5-" not in step}


def test_only_stones_can_be_pulled() -> None:
    pieces = {**NORTH, "e1": "South wizard", "e5": "South troll", "d5": "North dwarf"}
    assert Play(pieces, "South").of("e5") == steps("e5-f5, e5-e6, e5-e4")


# --- section 6: pushes -------------------------------------------------------------------------


def test_push_of_a_long_row_of_all_kinds() -> None:
    pieces = {
        "a5": "South dwarf",
        "b5": "sstone",
        "c5": "North wizard",
        "d5": "South wizard",
        "e5": "West dwarf",
        "f5": "wstone",
        "g5": "East troll",
        "h5": "South troll",
    }
    row = "abcdefghi"
    push = " ".join(f"{row[i]}5-{row[i + 1]}5" for i in range(8))
    assert push in Play(pieces, "South").steps
    # A row that reaches the edge cannot be pushed.
    assert "a5-b5" not in " ".join(Play({**pieces, "i5": "estone"}, "South").steps)


def test_push_to_the_edge_but_not_beyond() -> None:
    pieces = {**NORTH, "e1": "South wizard", "d7": "South dwarf", "c7": "sstone"}
    # b7 is not a square of the arena.
    assert not {step for step in Play(pieces, "South").of("d7") if "d7-c7" in step}
    pieces = {**NORTH, "e1": "South wizard", "d6": "South dwarf", "c6": "sstone"}
    assert "c6-b6 d6-c6" in Play(pieces, "South").of("d6")


def test_push_removes_no_piece() -> None:
    pieces = {**NORTH, "e1": "South wizard", "d5": "South dwarf", "e5": "sstone"}
    play = Play({**pieces, "f5": "West wizard"}, "South").play("d5-e5 e5-f5 f5-g5")
    assert play.board["g5"] == "West wizard"


# --- section 7: levitation ---------------------------------------------------------------------


def test_levitated_stone_moves_in_the_wizards_direction() -> None:
    pieces = {"e5": "South wizard", "c3": "sstone", "g7": "nstone", "e9": "North wizard"}
    assert Play(pieces, "South").of("e5") == steps(
        """e5-e6, e5-e4, e5-d5, e5-f5, c3-c4 e5-e6, c3-d3 e5-f5, e5-e4 g7-g6, e5-d5 g7-f7"""
    )


def test_adjacent_stone_can_be_levitated() -> None:
    pieces = {"e5": "South wizard", "d5": "sstone", "e9": "North wizard"}
    found = Play(pieces, "South").of("e5")
    assert "d5-e5 e5-f5" in found
    assert "d5-d6 e5-e6" in found
    # A step towards the stone pushes it, if the square behind it is empty.
    assert "d5-c5 e5-d5" in found
    assert "e5-d5" not in found


def test_wizard_pushes_one_stone_only() -> None:
    pieces = {"e5": "South wizard", "d5": "sstone", "c5": "nstone", "e9": "North wizard"}
    assert not {step for step in Play(pieces, "South").of("e5") if "e5-d5" in step}
    pieces["c5"] = "North dwarf"
    assert not {step for step in Play(pieces, "South").of("e5") if "e5-d5" in step}


def test_levitated_stone_needs_an_empty_goal() -> None:
    pieces = {
        "e5": "South wizard",
        "c5": "sstone",
        "d5": "North dwarf",
        "g3": "nstone",
        "e9": "North wizard",
    }
    found = {step for step in Play(pieces, "South").of("e5") if "e5-f5" in step}
    # d5 is occupied, and g3 is at the eastern edge.
    assert found == {"e5-f5"}


# --- section 9: a team that cannot make a step -------------------------------------------------


def test_team_without_legal_steps_passes() -> None:
    # South has only the wizard on a5, blocked by a troll.
    pieces = {"a5": "South wizard", "b5": "West troll", "e5": "West wizard"}
    play = Play(pieces, "South")
    assert play.play_forced() == ["South"] * 3
    assert play.turn == "West"

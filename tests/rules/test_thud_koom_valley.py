"""The rules of Koom Valley, section 9 of the project's rules page of Thud, tested by positions.

Dwarfs capture a troll between two dwarfs, trolls capture dwarfs by jumping over them.  The dwarfs
win when the rock reaches row 15, the trolls when three of them are next to the rock.
"""

from __future__ import annotations

import forthvm
from tests.kit.cases import each_case
from tests.kit.games import loaded, winner

DWARFS = "Dwarfs"
TROLLS = "Trolls"


def begin(dwarfs: str, trolls: str, rock: str, turn: str = DWARFS) -> forthvm.Position:
    """Start the game with these pieces."""
    pieces = [(DWARFS, "rock", rock)]
    pieces += [(DWARFS, "dwarf", square) for square in dwarfs.split()]
    pieces += [(TROLLS, "troll", square) for square in trolls.split()]
    return loaded("thud-koom-valley").start(setup=pieces, turn=turn)


def goals(position: forthvm.Position, source: str) -> set[str | None]:
    """Return the goals of the piece on a square."""
    return {move.to_square for move in position.legal_moves if move.from_square == source}


def taken(position: forthvm.Position, text: str) -> set[str]:
    """Return the captures of a move written as `e5-e7`."""
    return set(position.parse(text).captures)


def test_set_up() -> None:
    """Check the initial pieces; h8 is an ordinary square after the rock has left it."""
    position = loaded("thud-koom-valley").start()
    pieces = {square: str(piece) for square, piece in position.board.occupied()}
    assert position.turn == DWARFS
    assert pieces["h8"] == "Dwarfs rock"
    kinds = list(pieces.values())
    assert (kinds.count("Dwarfs dwarf"), kinds.count("Trolls troll")) == (16, 8)
    assert {"h8", "h9", "h15"} <= goals(begin("h3", "a6", "o10"), "h3")


def test_dwarf_takes_between_two_dwarfs() -> None:
    position = begin("e5 f8 h6", "f7 g6 d6", "o10")
    # From f6 the dwarf captures f7 before f8 and g6 before h6; d6 is not adjacent to f6.
    assert taken(position, "e5-f6") == {"f7", "g6"}
    # From e6 there is no dwarf behind d6.
    assert taken(position, "e5-e6") == set()


def test_capture_needs_another_dwarf_in_line_behind_the_troll() -> None:
    position = begin("e5 g8", "f7", "o10")
    assert taken(position, "e5-f6") == set()
    # There is no other dwarf behind the troll on f5.
    assert taken(begin("e6 h6", "f5", "o10"), "e6-e5") == set()
    assert taken(begin("f6 h6", "f5", "o10"), "f6-g6") == set()


def test_the_rock_does_not_count_as_a_dwarf() -> None:
    assert taken(begin("e5", "f7", "f8"), "e5-f6") == set()


def test_only_the_moved_dwarf_captures() -> None:
    position = begin("e5 e7 k5", "e6", "o10")
    assert taken(position, "k5-l5") == set()
    assert goals(position, "e5").isdisjoint({"e6", "e7"})


def test_dwarfs_cannot_be_thrown() -> None:
    """Koom Valley has no throws, and a dwarf cannot move to a troll's square."""
    assert "e6" not in goals(begin("e5 e4", "e6", "o10"), "e5")


def test_the_rock_needs_a_dwarf_beside_start_and_goal() -> None:
    assert goals(begin("h7", "a6", "h8"), "h8") == {"g7", "g8", "i7", "i8"}
    assert goals(begin("h6", "a6", "h8"), "h8") == set()
    assert goals(begin("g9 h9 i9 g8 i8 g7 i7", "h7", "h8"), "h8") == set()


def test_the_rock_may_move_next_to_three_trolls() -> None:
    position = begin("h7 g8", "g10 h10 i10", "h8")
    position.push("h8-h9")
    assert winner(position) is None


@each_case("goal", ["f15", "g15", "h15", "i15", "j15"])
def test_dwarfs_win_at_the_opposite_edge(goal: str) -> None:
    source = f"{goal[0]}14"
    behind = "h13" if goal[0] in "ghi" else f"{goal[0]}13"
    # One dwarf is adjacent to both squares.
    adjacent_to_both = chr(ord(goal[0]) + (1 if goal[0] < "j" else -1)) + "14"
    position = begin(f"{adjacent_to_both} {behind}", "a6", source)
    position.push(f"{source}-{goal}")
    assert winner(position) == DWARFS


def test_troll_moves_up_to_three() -> None:
    found = goals(begin("o10", "e5", "o6", TROLLS), "e5")
    assert {"e6", "e7", "e8", "h8", "h5", "b8", "h2"} <= found
    assert "e9" not in found
    assert len(found) == 7 * 3 + 1  # only one square to the south-west: d4
    blocked = goals(begin("e8", "e5 g5", "o6", TROLLS), "e5")
    assert {"e6", "e7", "f5"} <= blocked
    assert blocked.isdisjoint({"e8", "g5", "h5"})


def test_troll_jumps_again() -> None:
    position = begin("f5 g6 o10", "e5", "o6", TROLLS)
    assert taken(position, "e5-g5") == {"f5"}
    position.push("e5-g5")
    assert position.turn == TROLLS
    assert sorted(str(move) for move in position.legal_moves if move.is_pass) == ["Pass"]
    assert goals(position, "g5") == {"g7"}
    position.push("g5-g7")
    assert position.turn == DWARFS
    assert {square for square, piece in position.board.occupied() if piece.type == "dwarf"} == {
        "o10"
    }


def test_second_jump_is_optional() -> None:
    position = begin("f5 g6 o10", "e5", "o6", TROLLS)
    position.push("e5-g5")
    (no_jump,) = (move for move in position.legal_moves if move.is_pass)
    position.push(no_jump)
    assert position.turn == DWARFS
    assert str(position.board["g6"]) == "Dwarfs dwarf"


def test_troll_jumps_over_one_adjacent_dwarf_only() -> None:
    assert not goals(begin("f5 g5", "e5", "o6", TROLLS), "e5") & {"g5", "h5"}
    position = begin("g5", "e5", "o6", TROLLS)
    assert goals(position, "e5").isdisjoint({"h5"})
    # The rock, a troll and the edge prevent a jump.
    assert "g5" not in goals(begin("o10", "e5", "f5", TROLLS), "e5")
    assert "g5" not in goals(begin("o10", "e5 f5", "o6", TROLLS), "e5")
    assert goals(begin("n8", "m8", "a6", TROLLS), "m8") >= {"o8"}
    assert not [
        move
        for move in begin("o8", "n8", "a6", TROLLS).legal_moves
        if move.from_square == "n8" and move.captures
    ]


def test_three_trolls_capture_the_rock() -> None:
    position = begin("h6 a6", "g9 h9 i12", "h8", TROLLS)
    position.push("i12-i9")
    assert winner(position) == TROLLS


def test_two_trolls_do_not_capture_the_rock() -> None:
    position = begin("h6 a6", "g9 i12", "h8", TROLLS)
    position.push("i12-i9")
    assert winner(position) is None


def test_any_troll_move_may_capture_the_rock() -> None:
    """Three trolls beside the rock capture it after a move of any troll."""
    position = begin("h6 a6", "g9 h9 i9 d4", "h8", TROLLS)
    position.push("d4-d5")
    assert winner(position) == TROLLS


def test_a_player_without_moves_draws() -> None:
    assert winner(begin("", "a6", "h8")) == ""
    assert winner(begin("h7", "", "h8", TROLLS)) == ""


def test_third_occurrence_is_a_draw() -> None:
    position = begin("a6 o10", "h2", "o9")
    for text in ("a6-a7", "h2-h3", "a7-a6", "h3-h2") * 2:
        assert winner(position) is None
        position.push(text)
    assert winner(position) == ""

"""Moves, captures, promotions and drops of Yonin Shogi, and the first moves of a game.

The expected moves follow from sections 2 to 5 and 9 of the project's rules page of Yonin Shogi.
"""

from __future__ import annotations

import pytest

from tests.kit.cases import each_case
from tests.models.yonin_shogi import SETUP, SQUARES
from tests.rules.yonin_shogi_kit import CORNERS, Play, words

# --- section 9: first moves and four positions ---------------------------------------------------

# Kings in the middle of their edges.
EDGE_KINGS = {"5i": "South king", "9e": "West king", "5a": "North king", "1e": "East king"}


@each_case("player", ["South", "West", "North", "East"])
def test_each_player_has_nine_first_moves(player: str) -> None:
    assert len(Play(SETUP, player).moves) == 9


def test_first_moves_of_south() -> None:
    assert Play(SETUP).moves == words("4h-4g 5g-5f 6h-6g 3i-2h 3i-3h 7i-7h 7i-8h 4i-3h 6i-7h")


def test_first_position_of_the_rules_page() -> None:
    play = Play({**EDGE_KINGS, "4h": "South rook"})
    assert len(play.moves) == 23
    assert "4h-5h" in play.moves


def test_second_position_of_the_rules_page() -> None:
    pieces = {**EDGE_KINGS, "4h": "South rook"}
    assert len(Play(pieces, hands={"South": "pawn"}).moves) == 91
    assert len(Play({**pieces, "7g": "South pawn"}, hands={"South": "pawn"}).moves) == 84


def test_third_position_of_the_rules_page() -> None:
    play = Play({**EDGE_KINGS, "4h": "South rook", "3d": "South silver"})
    assert play.of("3d") == words("4c 4c+ 3c 3c+ 2c 2c+ 4e 2e")


def test_fourth_position_of_the_rules_page() -> None:
    pieces = {**EDGE_KINGS, "4h": "South rook", "6d": "West pawn", "2c": "West pawn"}
    play = Play(pieces, "West")
    assert play.of("6d") == {"5d"}
    assert play.of("2c") == {"1c+"}


# --- section 3: moves --------------------------------------------------------------------------

NEIGHBOURS = "4d 5d 6d 4e 6e 4f 5f 6f"
ROOK = "5d 5c+ 5c 5b+ 5b 5a+ 5a 5f 5g 5h 5i 6e 7e 8e 9e 4e 3e 2e 1e"
GOALS = [
    ("South", "king", NEIGHBOURS),
    ("South", "gold", "5d 4d 6d 4e 6e 5f"),
    ("West", "gold", "4e 4d 4f 5d 5f 6e"),
    ("North", "gold", "5f 4f 6f 4e 6e 5d"),
    ("East", "gold", "6e 6d 6f 5d 5f 4e"),
    ("South", "silver", "5d 4d 6d 4f 6f"),
    ("West", "silver", "4e 4d 4f 6d 6f"),
    ("North", "silver", "5f 4f 6f 4d 6d"),
    ("East", "silver", "6e 6d 6f 4d 4f"),
    ("South", "pawn", "5d"),
    ("West", "pawn", "4e"),
    ("North", "pawn", "5f"),
    ("East", "pawn", "6e"),
    ("South", "tokin", "5d 4d 6d 4e 6e 5f"),
    ("East", "promoted silver", "6e 6d 6f 5d 5f 4e"),
    ("South", "rook", ROOK),
    ("South", "dragon", ROOK.replace("+", "") + " 4d 6d 4f 6f"),
]


@each_case(("player", "kind", "goals"), GOALS)
def test_goals_of_each_piece(player: str, kind: str, goals: str) -> None:
    kings = {square: king for square, king in CORNERS.items() if king != f"{player} {kind}"}
    assert Play({**kings, "5e": f"{player} {kind}"}, player).of("5e") == words(goals)


def test_rook_stops_before_own_pieces_and_on_enemy_pieces() -> None:
    pieces = {
        **CORNERS,
        "5e": "South rook",
        "5g": "South gold",
        "3e": "West gold",
        "2e": "West pawn",
    }
    assert Play(pieces).of("5e") == words("5d 5c 5c+ 5b 5b+ 5a 5a+ 5f 6e 7e 8e 9e 4e 3e")


def test_captured_piece_goes_unpromoted_to_the_captor() -> None:
    pieces = {**CORNERS, "5e": "South gold", "5d": "West tokin", "1h": "East pawn"}
    play = Play(pieces).play("5e-5d")
    assert play.hand("South") == {"pawn": 1}
    assert play.board["5d"] == "South gold facing South"


# --- section 4: promotion ----------------------------------------------------------------------

PAWNS = [
    # Into the zone, within it, and onto the last line, where promotion is compulsory.
    ("South", "5d", "5c 5c+"),
    ("South", "5c", "5b 5b+"),
    ("South", "5b", "5a+"),
    ("West", "4e", "3e 3e+"),
    ("West", "3e", "2e 2e+"),
    ("West", "2e", "1e+"),
    ("North", "5f", "5g 5g+"),
    ("North", "5g", "5h 5h+"),
    ("North", "5h", "5i+"),
    ("East", "6e", "7e 7e+"),
    ("East", "7e", "8e 8e+"),
    ("East", "8e", "9e+"),
    # Pawns do not promote in the zones of other players.
    ("South", "2e", "2d"),
    ("West", "7b", "6b"),
    ("North", "8e", "8f"),
    ("East", "5h", "6h"),
    # A pawn taken over keeps its direction, its zone and its last line.
    ("South pawn facing North", "5f", "5g 5g+"),
    ("South pawn facing West", "2e", "1e+"),
    ("North pawn facing East", "6b", "7b 7b+"),
    ("East pawn facing South", "5b", "5a+"),
]


@each_case(("pawn", "square", "goals"), PAWNS)
def test_pawns_promote(pawn: str, square: str, goals: str) -> None:
    player = pawn.split(maxsplit=1)[0]
    piece = pawn if " " in pawn else f"{pawn} pawn"
    assert Play({**CORNERS, square: piece}, player).of(square) == words(goals)


SILVERS = [
    ("South", "5d", "5c 5c+ 4c 4c+ 6c 6c+ 4e 6e"),
    ("South", "5c", "5b 5b+ 4b 4b+ 6b 6b+ 4d 4d+ 6d 6d+"),
    ("West", "3e", "2e 2e+ 2d 2d+ 2f 2f+ 4d 4d+ 4f 4f+"),
    ("North", "5f", "5g 5g+ 4g 4g+ 6g 6g+ 4e 6e"),
    ("East", "7e", "8e 8e+ 8d 8d+ 8f 8f+ 6d 6d+ 6f 6f+"),
    ("South", "2e", "2d 1d 3d 1f 3f"),
]


@each_case(("player", "square", "goals"), SILVERS)
def test_silvers_promote_into_and_out_of_the_zone(player: str, square: str, goals: str) -> None:
    assert Play({**CORNERS, square: f"{player} silver"}, player).of(square) == words(goals)


def test_rook_promotes_where_its_move_starts_or_ends_in_the_zone() -> None:
    inside = Play({**CORNERS, "5c": "South rook", "5e": "South gold", "7c": "West gold"})
    assert inside.of("5c") == {
        goal + mark for goal in words("5b 5a 5d 4c 3c 2c 1c 6c 7c") for mark in ("", "+")
    }
    outside = Play({**CORNERS, "4e": "West rook", "4c": "West gold", "4g": "West gold"}, "West")
    assert outside.of("4e") == words("4d 4f 5e 6e 7e 8e 9e 3e 3e+ 2e 2e+ 1e 1e+")


@each_case("kind", ["gold", "tokin", "promoted silver", "dragon"])
def test_no_second_promotion(kind: str) -> None:
    assert not any("+" in goal for goal in Play({**CORNERS, "5c": f"South {kind}"}).of("5c"))


def test_promoted_piece_stays_promoted() -> None:
    play = Play({**CORNERS, "5d": "South pawn", "1h": "East pawn"}).play("5d-5c+")
    assert play.board["5c"] == "South tokin facing South"
    play.play("9a-9b", "1a-1b", "1i-2i")
    assert play.of("5c") == words("5b 4b 6b 4c 6c 5d")


# --- section 5: drops --------------------------------------------------------------------------

LAST_LINE = {"South": "a", "West": "1", "North": "i", "East": "9"}
SAFE_PAWNS = {"South": "5g", "West": "7e", "North": "5c", "East": "3e"}


def line_of(player: str, square: str) -> str:
    """Return the file or rank along which a player's pawn on a square moves."""
    return square[0] if player in ("South", "North") else square[1]


@each_case("player", LAST_LINE)
def test_pawn_drops(player: str) -> None:
    empty = set(SQUARES) - set(CORNERS)
    allowed = {square for square in empty if LAST_LINE[player] not in square}
    play = Play(CORNERS, player, {player: "pawn"})
    assert play.drops("pawn") == allowed
    assert len(allowed) == 70
    own_pawn = SAFE_PAWNS[player]
    line = line_of(player, own_pawn)
    play = Play({**CORNERS, own_pawn: f"{player} pawn"}, player, {player: "pawn"})
    assert play.drops("pawn") == {square for square in allowed if line_of(player, square) != line}


@each_case(
    "other",
    [
        "South tokin",
        "South pawn facing North",
        "South pawn facing West",
        "North pawn",
        "South gold",
    ],
)
def test_other_pieces_do_not_prevent_a_pawn_drop_on_their_file(other: str) -> None:
    # Only an own pawn that faces its owner's direction prevents drops.  5e is outside the zones of
    # North and West, and a pawn there attacks no king.
    play = Play({**CORNERS, "5e": other}, hands={"South": "pawn"})
    assert words("5b 5c 5d 5f 5g 5h 5i") <= play.drops("pawn")
    assert "5a" not in play.drops("pawn")


@pytest.mark.parametrize("kind", ["silver", "gold", "rook"])
def test_pieces_except_pawns_can_be_dropped_on_every_empty_square(kind: str) -> None:
    play = Play(CORNERS, hands={"South": kind})
    # Drops that give check are legal.
    assert play.drops(kind) == set(SQUARES) - set(CORNERS)


def test_two_pieces_of_a_kind_give_one_drop_per_square() -> None:
    one = Play(CORNERS, hands={"South": "silver"})
    two = Play(CORNERS, hands={"South": "silver silver"})
    assert one.moves == two.moves
    assert two.play("silver*5e").hand("South") == {"silver": 1}


def test_drop_faces_its_owner_and_does_not_promote() -> None:
    play = Play({**CORNERS, "5d": "East silver", "6e": "West gold"}, "West", {"West": "silver"})
    play.play("silver*2e")
    assert play.board["2e"] == "West silver facing West"
    assert play.hand("West") == {}


def test_no_drop_on_an_occupied_square() -> None:
    play = Play({**CORNERS, "5e": "East gold", "5f": "South gold"}, hands={"South": "gold"})
    assert not {"5e", "5f"} & play.drops("gold")

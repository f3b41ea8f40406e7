"""Options of Yonin Shogi: mating pawn drops, mated armies, partners, the rule set `capture`.

The expected results follow from sections 5, 7 and 8 of the project's rules page of Yonin Shogi.
"""

from __future__ import annotations

import pytest

import forthvm
from tests.models.yonin_shogi import SQUARES
from tests.rules.yonin_shogi_kit import CORNERS, Play, words

# Kings in the middle of their edges, on different lines of attack.
EDGE_KINGS = {"5i": "South king", "9e": "West king", "5a": "North king", "1e": "East king"}


# --- pawn-mate ---------------------------------------------------------------------------------

# South's gold attacks 4b, 5b and 6b; North's own pawns block 4a and 6a.
CONTACT = {**EDGE_KINGS, "5c": "South gold", "4a": "North pawn", "6a": "North pawn"}


def test_pawn_drop_may_not_mate() -> None:
    play = Play(CONTACT, hands={"South": "pawn silver"})
    assert "pawn*5b" not in play.moves
    assert "silver*5b" in play.moves
    assert "pawn*5d" in play.moves


def test_pawn_drop_may_give_check() -> None:
    unprotected = {square: piece for square, piece in CONTACT.items() if square != "5c"}
    play = Play(unprotected, hands={"South": "pawn"}).play("pawn*5b")
    assert play.turn == "North"
    # North's king may capture the pawn or move beside it.
    assert play.moves == words("5a-5b 5a-4b 5a-6b")


def test_pawn_move_may_mate() -> None:
    pieces = {**CONTACT, "5c": "South pawn", "4c": "South gold", "6c": "South gold"}
    play = Play(pieces).play("5c-5b")
    assert play.living == ("South", "West", "East")


def test_pawn_mate_allowed() -> None:
    play = Play(CONTACT, hands={"South": "pawn"}, pawn_mate="allowed").play("pawn*5b")
    assert play.living == ("South", "West", "East")


def test_pawn_drop_of_west_may_not_mate() -> None:
    # East's king is on 1e; West's gold on 3e attacks 2d, 2e and 2f.
    pieces = {**EDGE_KINGS, "3e": "West gold", "1d": "East pawn", "1f": "East pawn"}
    play = Play(pieces, "West", hands={"West": "pawn"})
    assert "pawn*2e" not in play.moves
    assert "pawn*2d" in play.moves


# --- mated-army --------------------------------------------------------------------------------

BACK_LINE = {
    **EDGE_KINGS,
    "8h": "South rook",
    "5c": "South gold",
    "2c": "North silver",
    "2d": "East pawn",
    "3g": "West gold",
}


def test_inert_army() -> None:
    hands = {"North": "pawn"}
    # North cannot drop the pawn between, because both files have a pawn of North.
    pieces = {**BACK_LINE, "7h": "North pawn", "6h": "North pawn"}
    play = Play(pieces, hands=hands, mated_army="inert").play("8h-8a")
    assert play.living == ("South", "West", "East")
    assert play.board["2c"] == "inert silver"
    assert play.board["5a"] == "fallen"
    assert play.hand("South") == {"pawn": 1}
    assert play.turn == "East"
    play.play("1e-1d", "8a-7a", "3g-3f", "1d-1c")
    # East's king is safe next to the inert silver and may capture it.
    play.play("7a-6a", "3f-3e", "1c-2c")
    assert play.hand("East") == {"silver": 1}
    assert "5a" not in play.of("6a")


def test_removed_army() -> None:
    pieces = {**BACK_LINE, "7h": "North pawn", "6h": "North pawn"}
    play = Play(pieces, hands={"North": "pawn"}, mated_army="removed").play("8h-8a")
    removed = words("5a 2c 7h 6h")
    assert not removed & set(play.board)
    assert play.hand("South") == {"pawn": 1}
    play.play("1e-1f")
    assert {"5a", "4a", "1a"} <= play.of("8a")  # no longer blocked


def test_removed_army_uncovers_check() -> None:
    # The removal of North's silver on 1c exposes East's king to South's rook on 1b.
    pieces = {**BACK_LINE, "1c": "North silver", "1b": "South rook"}
    play = Play(pieces, mated_army="removed").play("8h-8a")
    assert play.turn == "East"
    assert not {"1e-1d", "1e-1f"} & play.moves
    assert "1e-2e" in play.moves


def test_check_uncovered_by_removal_shifts_the_turn() -> None:
    # The removal of North's pawn on 9c exposes West's king to South's rook on 9b.
    pieces = {**EDGE_KINGS, "7h": "South rook", "5c": "South gold", "9c": "North pawn"}
    pieces["9b"] = "South rook"
    play = Play(pieces, mated_army="removed").play("7h-7a")
    assert play.living == ("South", "West", "East")
    assert play.turn == "West"  # instead of East, which follows North in the turn order


# --- partners ----------------------------------------------------------------------------------


def test_partner_may_not_be_checked() -> None:
    pieces = {**EDGE_KINGS, "4h": "South rook"}
    assert words("4h-5h 4h-4a 4h-4b 4h-4b+") <= Play(pieces).moves
    play = Play(pieces, partners="on")
    assert not words("4h-5h 4h-4a 4h-4a+ 4h-4b+") & play.moves
    assert words("4h-4b 4h-4e") <= play.moves  # 4e gives check to both opponents
    drops = Play(pieces, hands={"South": "rook"}, partners="on").drops("rook")
    assert not words("5b 5h 4a 9a 1a") & drops
    assert words("6b 4b 9d 1d") <= drops


def test_move_may_not_expose_the_partner_to_check() -> None:
    # South's silver stands between West's rook and North's king.
    pieces = {**EDGE_KINGS, "5d": "South silver", "5g": "West rook", "3i": "South king"}
    del pieces["5i"]
    assert Play(pieces).of("5d") == words("5c 5c+ 4c 4c+ 6c 6c+ 4e 6e")
    assert Play(pieces, partners="on").of("5d") == words("5c 5c+")


def test_partners_pieces_may_be_captured() -> None:
    pieces = {**EDGE_KINGS, "4h": "South rook", "4f": "North silver"}
    play = Play(pieces, partners="on").play("4h-4f")
    assert play.hand("South") == {"silver": 1}


@pytest.mark.parametrize("partners", ["on", "off"])
def test_mating_an_opponent_wins_for_the_pair(partners: str) -> None:
    # The gold attacks 2d and 2e, the silver 2f, the rook on 1h all of file 1.
    pieces = {**EDGE_KINGS, "3e": "South gold", "3g": "South silver", "8h": "South rook"}
    play = Play(pieces, partners=partners).play("8h-1h")
    if partners == "on":
        # The script names one winner, which may be either partner.
        assert set(play.winners) <= {"South", "North"}
        assert play.winners
    else:
        assert play.living == ("South", "West", "North")
        assert play.turn == "South"


# --- the first player (section 1) --------------------------------------------------------------


def test_first_player_by_chance() -> None:
    position = forthvm.load("yonin-shogi", settings={"first": "draw"}).start()
    assert position.is_chance
    next_players = {}
    for move in list(position.legal_moves):
        position.push(move)
        first, count = position.turn, len(position.legal_moves)
        assert count == 9
        position.push(position.legal_moves[0])
        next_players[first] = position.turn
        position.pop()
        position.pop()
    assert next_players == {"South": "West", "West": "North", "North": "East", "East": "South"}


# --- the rule set `capture` (section 7) --------------------------------------------------------


def capture(pieces: dict[str, str], turn: str = "South", **arguments: dict[str, str]) -> Play:
    """Start a game with the rule set `capture`; `arguments` are `hands` and `out` of Play."""
    return Play(pieces, turn, arguments.get("hands"), arguments.get("out"), rules="capture")


def test_check_does_not_restrict_moves() -> None:
    pieces = {**CORNERS, "5i": "South king", "5e": "East rook", "3d": "South gold"}
    del pieces["9i"]
    play = capture(pieces)
    assert words("3d-3c 5i-5h 5i-4i") <= play.moves
    play.play("3d-3c")
    assert play.turn == "West"
    play = capture({**EDGE_KINGS, "4h": "South rook"}).play("4h-5h")
    assert play.turn == "West"  # strict order


def test_king_is_captured_and_dropped() -> None:
    play = capture({**EDGE_KINGS, "5h": "South rook"}, hands={"North": "silver pawn"})
    assert {"5a", "5a+"} <= play.of("5h")
    play.play("5h-5a")
    assert play.living == ("South", "West", "East")  # North has lost its last king
    assert play.hand("South") == {"king": 1, "silver": 1, "pawn": 1}
    assert play.hand("North") == {}
    play.play("9e-9d")
    assert play.turn == "East"  # North is skipped
    play.play("1e-1d")
    empty = set(SQUARES) - set(play.board)
    assert play.drops("king") == empty
    play.play("king*5e")
    assert play.board["5e"] == "South king"
    play.play("9d-9c", "1d-1c")
    assert play.of("5e") == words("4d 5d 6d 4e 6e 4f 5f 6f")
    assert play.of("5i")  # a player may have several kings


def test_inert_pieces_can_be_captured() -> None:
    pieces = {**EDGE_KINGS, "5h": "South rook", "9d": "North gold", "2e": "North tokin"}
    play = capture(pieces).play("5h-5a")
    assert play.board["9d"] == "inert gold"
    assert "9d" in play.of("9e")
    play.play("9e-9d")
    assert play.hand("West") == {"gold": 1}
    play.play("1e-2e")
    assert play.hand("East") == {"pawn": 1}


def test_player_with_a_second_king_is_not_eliminated() -> None:
    pieces = {**EDGE_KINGS, "5h": "South rook", "4a": "North king"}
    play = capture(pieces, hands={"North": "pawn"}).play("5h-5a")
    assert play.living == ("South", "West", "North", "East")
    assert play.hand("South") == {"king": 1}
    assert play.hand("North") == {"pawn": 1}


def test_king_in_hand_must_be_dropped_without_king_on_the_board() -> None:
    pieces = {**EDGE_KINGS, "5h": "South rook", "6b": "North gold", "5d": "North rook"}
    del pieces["5a"]
    play = capture(pieces, "North", hands={"North": "king pawn silver"})
    empty = set(SQUARES) - set(pieces)
    assert play.moves == {f"king*{square}" for square in empty}
    play.play("king*9a", "1e-1d", "5i-4i", "9e-9f")
    assert {"6b-6c", "silver*4e", "9a-8a"} <= play.moves


def test_player_with_a_king_in_hand_is_not_eliminated() -> None:
    pieces = {**EDGE_KINGS, "5h": "South rook"}
    play = capture(pieces, hands={"North": "king"}).play("5h-5a")
    assert play.living == ("South", "West", "North", "East")


def test_four_kings_win() -> None:
    pieces = {"5i": "South king", "9a": "South king", "5h": "South rook", "5a": "North king"}
    play = capture({**pieces, "1e": "East king"}, out={"West": "South"})
    assert play.position.result is None
    assert play.play("5h-5a").turn == "East"
    with_hand = capture(
        {"5i": "South king", "5h": "South rook", "5a": "North king"},
        hands={"South": "king king"},
        out={"West": "South", "East": "South"},
    )
    assert with_hand.play("5h-5a").winners == ("South",)


def test_pawn_drops_may_mate_under_capture_rules() -> None:
    play = capture(CONTACT, hands={"South": "pawn"})
    assert "pawn*5b" in play.moves
    assert "pawn*6b" in play.moves
    assert not {move for move in play.moves if move.startswith("pawn") and move.endswith("a")}


def test_one_own_pawn_per_file_under_capture_rules() -> None:
    play = capture({**CORNERS, "5g": "South pawn"}, hands={"South": "pawn"})
    assert not {square for square in play.drops("pawn") if square[0] == "5"}
    assert "4e" in play.drops("pawn")


def test_own_kings_block_moves() -> None:
    play = capture({**CORNERS, "5e": "South rook", "5c": "South king"})
    assert not {"5c", "5b", "5c+"} & play.of("5e")
    assert "5d" in play.of("5e")

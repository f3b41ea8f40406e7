"""Check, turn order, mate, captured armies and the end of Yonin Shogi under rule set `mate`.

The expected results follow from section 6 of the project's rules page of Yonin Shogi.  File 9 is at
the left, rank a at the top; South moves up, West to the right, North down, East to the left.
"""

from __future__ import annotations

import pytest

from tests.kit.cases import each_case
from tests.rules.yonin_shogi_kit import CORNERS, Play, words

# Kings in the middle of their edges.
EDGE_KINGS = {"5i": "South king", "9e": "West king", "5a": "North king", "1e": "East king"}


# --- 6.1: no move leaves the own king in check -------------------------------------------------


def test_pinned_piece_may_not_capture() -> None:
    # North's rook pins the gold to its file, so the gold may not capture West's rook beside it.
    pieces = {**EDGE_KINGS, "5g": "South gold", "5c": "North rook", "6g": "West rook"}
    assert Play(pieces).of("5g") == {"5f", "5h"}
    del pieces["5c"]
    assert "6g" in Play(pieces).of("5g")


def test_king_may_not_capture_a_piece_protected_by_another_enemy() -> None:
    # North's rook protects West's gold, which gives check.
    pieces = {**EDGE_KINGS, "5h": "West gold", "5c": "North rook"}
    play = Play(pieces)
    assert "5i-5h" not in play.moves
    del pieces["5c"]
    assert "5i-5h" in Play(pieces).moves


def test_inert_pieces_do_not_protect() -> None:
    pieces = {**EDGE_KINGS, "5h": "West gold", "5c": "North rook"}
    out = {"North": "East"}  # East has mated North
    # A rook that East has taken over from North protects.  With mated_army="inert", North's rook
    # stays North's and does not.
    pieces["5c"] = "East rook facing North"
    assert "5i-5h" not in Play(pieces, out=out).moves
    pieces["5c"] = "North rook"
    assert "5i-5h" in Play(pieces, out=out, mated_army="inert").moves


def test_king_may_not_move_into_check_or_next_to_a_king() -> None:
    pieces = {**CORNERS, "5g": "South king", "5e": "East king", "7h": "West rook"}
    del pieces["9i"], pieces["1i"]
    # West's rook attacks rank h, East's king the squares of rank f.
    assert Play(pieces).of("5g") == words("4g 6g")


# --- 6.4: check must be answered ---------------------------------------------------------------


def test_answers_to_check() -> None:
    # East's rook on 5e gives check along the file.  South may capture it, move the king, or move or
    # drop a piece between.
    pieces = {**CORNERS, "5i": "South king", "5e": "East rook", "4d": "South silver"}
    del pieces["9i"]
    pieces["3g"] = "South gold"
    play = Play(pieces, hands={"South": "pawn"})
    king = words("5i-4i 5i-6i 5i-4h 5i-6h")
    drops = words("pawn*5f pawn*5g pawn*5h")
    assert play.moves == king | drops | {"4d-5e"}
    pieces["4g"] = "South gold"
    assert Play(pieces, hands={"South": "pawn"}).moves == play.moves | {"4g-5g", "4g-5f"}


def test_pawn_drop_between_needs_a_file_without_own_pawn() -> None:
    pieces = {**CORNERS, "5i": "South king", "5e": "East rook", "5d": "South pawn"}
    del pieces["9i"]
    play = Play(pieces, hands={"South": "pawn silver"})
    assert not play.drops("pawn")
    assert play.drops("silver") == words("5f 5g 5h")


# --- 6.3: check shifts the turn ----------------------------------------------------------------


def test_one_checked_player_moves_next() -> None:
    play = Play({**EDGE_KINGS, "4h": "South rook"}).play("4h-5h")
    assert play.turn == "North"
    assert play.moves == words("5a-4a 5a-6a 5a-4b 5a-6b")
    play.play("5a-4a")
    assert play.turn == "East"
    play.play("1e-1f")
    assert play.turn == "South"
    play.play("5i-4i")
    assert play.turn == "West"


def test_two_checked_players_answer_in_order() -> None:
    play = Play({**EDGE_KINGS, "4h": "South rook"}).play("4h-4e")
    assert play.turn == "West"
    assert play.moves == words("9e-9d 9e-9f 9e-8d 9e-8f")
    play.play("9e-9d")
    assert play.turn == "East"  # East is still in check and moves before North
    assert play.moves == words("1e-1d 1e-1f 1e-2d 1e-2f")
    play.play("1e-1d")
    assert play.turn == "South"


def test_one_move_may_end_both_checks() -> None:
    pieces = {**EDGE_KINGS, "4h": "South rook", "5d": "West gold"}
    play = Play(pieces).play("4h-4e", "5d-4e")
    assert play.turn == "North"  # East is no longer in check; the order continues after West


def test_next_checked_player_in_turn_order_moves_first() -> None:
    # North checks South and East; East follows North in the turn order.
    pieces = {"5i": "South king", "9e": "West king", "9a": "North king", "1c": "East king"}
    play = Play({**pieces, "5b": "North rook"}, "North").play("5b-5c")
    assert play.turn == "East"
    play.play("1c-1b")
    assert play.turn == "South"


def test_discovered_check_shifts_the_turn() -> None:
    # South's gold leaves the file of South's rook.
    pieces = {**EDGE_KINGS, "5h": "South rook", "5d": "South gold"}
    assert Play(pieces).play("5d-4d").turn == "North"


def test_turn_order_ignores_checks_without_check_shift() -> None:
    play = Play({**EDGE_KINGS, "4h": "South rook"}, check_shift="off").play("4h-5h")
    assert play.turn == "West"
    play.play("9e-9d")
    assert play.turn == "North"
    assert play.moves == words("5a-4a 5a-6a 5a-4b 5a-6b")


def test_kings_cannot_be_captured() -> None:
    # In strict order, West and South may be to move while their pieces attack North's king.
    pieces = {**EDGE_KINGS, "5h": "South rook", "6b": "West gold"}
    play = Play(pieces, "West", check_shift="off")
    assert play.of("6b") == words("5b 5c 6a 6c 7b")
    play = Play(pieces, check_shift="off")
    assert "5b" in play.of("5h")
    assert not {"5a", "5a+"} & play.of("5h")


# --- 6.4 and 6.5: mate -------------------------------------------------------------------------

# The tests below move South's rook to rank a, which mates North: South's gold on 5c attacks 4b,
# 5b and 6b.
BACK_LINE = {**EDGE_KINGS, "8h": "South rook", "5c": "South gold", "2c": "North pawn"}


def test_mate_eliminates_and_takes_the_army() -> None:
    play = Play(BACK_LINE).play("8h-8a")
    assert play.living == ("South", "West", "East")
    assert play.board["5a"] == "fallen"
    assert play.board["2c"] == "South pawn facing North"
    assert play.turn == "East"  # the player after North, which is out
    play.play("1e-1f")
    assert play.turn == "South"
    assert play.of("2c") == {"2d"}
    play.play("2c-2d")
    assert play.turn == "West"
    play.play("9e-9f")
    assert play.turn == "East"  # North is skipped


def test_check_with_a_legal_reply_is_not_mate() -> None:
    without_gold = {square: piece for square, piece in BACK_LINE.items() if square != "5c"}
    play = Play(without_gold).play("8h-8a")
    assert play.living == ("South", "West", "North", "East")
    assert play.turn == "North"
    assert play.moves == words("5a-5b 5a-4b 5a-6b")
    blocked = Play({**BACK_LINE, "7b": "North gold"}).play("8h-8a")
    # North's gold faces down and cannot capture on 8a, but it can move back to 7a, between the rook
    # and the king.
    assert blocked.turn == "North"
    assert blocked.moves == {"7b-7a"}


def test_drop_between_prevents_mate() -> None:
    play = Play(BACK_LINE, hands={"North": "silver"}).play("8h-8a")
    assert play.turn == "North"
    assert play.moves == words("silver*7a silver*6a")


# North's pawns block 4a and 6a; a gold dropped on 5b, protected by the gold on 5c, mates.
CONTACT = {**EDGE_KINGS, "5c": "South gold", "4a": "North pawn", "6a": "North pawn"}


def test_mating_player_gets_the_hand() -> None:
    # The gold is adjacent to the king, so no piece can be dropped between.
    hands = {"South": "gold gold", "North": "rook pawn pawn"}
    play = Play(CONTACT, hands=hands).play("gold*5b")
    assert play.living == ("South", "West", "East")
    assert play.hand("South") == {"gold": 1, "rook": 1, "pawn": 2}
    assert play.hand("North") == {}
    assert play.board["4a"] == play.board["6a"] == "South pawn facing North"


def test_pieces_taken_over_in_hand_are_dropped_facing_as_their_new_owner() -> None:
    play = Play(CONTACT, hands={"South": "gold", "North": "silver"}).play("gold*5b", "1e-1f")
    play.play("silver*5e")
    assert play.board["5e"] == "South silver facing South"


def test_last_mover_counts_as_the_mating_player() -> None:
    # The rook dropped on 8a checks West down the file and North along the rank.
    pieces = {**EDGE_KINGS, "8e": "West king", "5c": "South gold", "2c": "North pawn"}
    del pieces["9e"]
    play = Play(pieces, hands={"South": "rook"}).play("rook*8a")
    assert play.turn == "West"
    assert play.living == ("South", "West", "North", "East")  # mate of North is decided in its turn
    play.play("8e-9e")
    assert play.living == ("South", "West", "East")
    assert play.board["2c"] == "West pawn facing North"
    assert play.turn == "East"


def test_reply_of_one_player_may_prevent_mate_of_another() -> None:
    pieces = {**EDGE_KINGS, "8e": "West king", "5c": "South gold", "9b": "West silver"}
    del pieces["9e"]
    play = Play(pieces, hands={"South": "rook"}).play("rook*8a", "9b-8a")
    assert play.living == ("South", "West", "North", "East")
    assert play.turn == "North"


def test_two_mates_by_one_move() -> None:
    # The rook dropped on 9a checks West down the file and North along the rank.
    pieces = {
        "1i": "South king",
        "9e": "West king",
        "5a": "North king",
        "1e": "East king",
        "5c": "South gold",  # attacks 4b, 5b, 6b
        "7e": "South gold",  # attacks 8d, 8e
        "7g": "South silver",  # attacks 8f
    }
    hands = {"South": "rook"}
    assert Play(pieces, hands=hands).play("rook*9a").winners == ("South",)
    play = Play(pieces, hands=hands, win="last").play("rook*9a")
    assert play.living == ("South", "East")
    assert play.turn == "East"


# --- kings of eliminated players, and pieces taken over ----------------------------------------


def test_fallen_king_is_an_obstacle() -> None:
    pieces = {
        **CORNERS,
        "5e": "North king",
        "9e": "South rook",
        "5g": "South gold",
        "5f": "South pawn",
    }
    del pieces["1a"]
    play = Play(pieces, out={"North": "South"})
    assert play.board["5e"] == "fallen"
    assert play.of("9e") == words("8e 7e 6e 9b 9c 9d 9f 9g 9h 9b+ 9c+")
    assert play.of("5f") == set()


def test_fallen_king_attacks_nothing_and_blocks_lines() -> None:
    pieces = {**CORNERS, "5e": "North king", "5g": "South king", "5c": "East rook"}
    del pieces["1a"], pieces["9i"]
    play = Play(pieces, out={"North": "South"})
    # The squares 5f, 4f and 6f next to the fallen king are safe; the rook behind it is blocked.
    assert play.of("5g") == words("5f 4f 6f 4g 6g 4h 5h 6h")


def test_own_pieces_of_different_facing_do_not_capture_each_other() -> None:
    pieces = {**CORNERS, "5e": "South gold facing North", "5f": "South pawn", "5g": "South rook"}
    play = Play(pieces, out={"North": "South"})
    assert play.of("5e") == words("4e 6e 4f 6f 5d")
    assert play.of("5f") == set()


def test_taken_pieces_give_check_for_their_owner() -> None:
    # A silver of South that faces as North's pieces do gives check downwards.  East, which is in
    # check, moves before West.
    pieces = {**CORNERS, "5h": "East king", "5f": "South silver facing North"}
    del pieces["1i"]
    play = Play(pieces, out={"North": "South"}).play("5f-5g")
    assert play.turn == "East"


def test_pieces_are_taken_over_twice() -> None:
    # South mates West and takes over West's pieces.  One of them faces North: North's pieces may
    # change owners more than once.
    pieces = {
        "5i": "South king",
        "5a": "West king",
        "9i": "North king",
        "1e": "East king",
        "5c": "South gold",
        "8h": "South rook",
        "2c": "West pawn facing North",
        "2g": "West silver",
    }
    play = Play(pieces, out={"North": "East"}, win="last").play("8h-8a")
    assert play.living == ("South", "East")
    assert play.board["2c"] == "South pawn facing North"
    assert play.board["2g"] == "South silver facing West"
    assert play.turn == "East"


# --- 6.7: the end ------------------------------------------------------------------------------


@each_case(
    ("out", "winners"),
    [
        ({"West": "South"}, ("South",)),  # South's second mate
        ({"West": "North"}, ("South",)),  # South mates North, which has mated a player
        ({"East": "North"}, ("South",)),
        ({"West": "East"}, None),  # neither South nor North has mated before
        ({}, None),
        ({"West": "East", "East": "North"}, ("South",)),  # South is the last player
    ],
)
def test_two_mates_win(out: dict[str, str], winners: tuple[str, ...] | None) -> None:
    play = Play(BACK_LINE, out=out).play("8h-8a")
    if winners is None:
        assert play.turn in ("East", "South")
    else:
        assert play.winners == winners


@pytest.mark.parametrize("out", [{"West": "South"}, {"West": "North"}, {"East": "North"}])
def test_two_players_left_play_on_if_the_last_player_wins(out: dict[str, str]) -> None:
    play = Play(BACK_LINE, out=out, win="last").play("8h-8a")
    assert len(play.living) == 2
    assert play.turn == ("South" if "East" in out else "East")


def test_last_player_wins() -> None:
    out = {"West": "North", "East": "North"}
    assert Play(BACK_LINE, out=out, win="last").play("8h-8a").winners == ("South",)


# --- 6.8 and 6.9: stalemate and repetition -----------------------------------------------------

# North's king on 1a is not attacked; the silver attacks 2a, the gold 1b and 2b.
STALEMATE = {
    "9i": "South king",
    "9a": "West king",
    "1a": "North king",
    "1i": "East king",
    "3b": "South silver",
    "2c": "South gold",
    "5e": "West pawn",
}


def test_stalemated_player_is_skipped() -> None:
    play = Play(STALEMATE, "West").play("5e-4e")
    assert play.living == ("South", "West", "North", "East")
    assert play.turn == "East"


def test_stalemate_as_mate() -> None:
    play = Play(STALEMATE, "West", stalemate="mated").play("5e-4e")
    assert play.living == ("South", "West", "East")
    assert play.board["1a"] == "fallen"
    assert play.turn == "East"


def test_player_with_a_movable_piece_is_not_stalemated() -> None:
    play = Play({**STALEMATE, "8e": "North pawn"}, "West", stalemate="mated").play("5e-4e")
    assert play.turn == "North"
    assert play.moves == {"8e-8f"}


# Eight moves that restore the position.
CYCLE = ("9i-9h", "9a-9b", "1a-1b", "1i-1h", "9h-9i", "9b-9a", "1b-1a", "1h-1i")


def test_fourth_occurrence_is_a_draw() -> None:
    play = Play(CORNERS).play(*CYCLE, *CYCLE, *CYCLE[:-1])
    assert play.turn == "East"
    play.play(CYCLE[-1])
    assert play.position.result.draw
    assert play.winners == ()


def test_positions_with_different_hands_do_not_repeat() -> None:
    # The board occurs for the fourth time, but a pawn was dropped and captured meanwhile.
    play = Play({**CORNERS, "5e": "South gold"}, hands={"West": "pawn"}).play(*CYCLE, *CYCLE)
    play.play("5e-5f", "pawn*4e", "1a-1b", "1i-1h")
    play.play("5f-4e", "9a-9b", "1b-2a", "1h-2i")
    play.play("4e-5e", "9b-9a", "2a-1a", "2i-1i")
    assert play.board == Play({**CORNERS, "5e": "South gold"}).board
    assert play.turn == "South"

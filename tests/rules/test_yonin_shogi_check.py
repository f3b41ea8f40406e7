"""Yonin Shogi, rule set `mate`: check, whose turn it is, mate, armies taken over, the end.

Every position is worked out from the rules page, section 6.  Squares: file 9 is at the left,
rank a at the top; South moves up, West to the right, North down, East to the left.
"""

from __future__ import annotations

import pytest

from tests.rules.yonin_shogi_kit import CORNERS, Play

APART = {"5i": "South king", "9e": "West king", "5a": "North king", "1e": "East king"}


def squares(text: str) -> set[str]:
    return set(text.split())


# --- 6.1: no move leaves the own king attacked -------------------------------------------------


def test_pinned_between_two_enemies() -> None:
    # North pins the gold to its file; West stands beside it to be taken, and may not be.
    pieces = {**APART, "5g": "South gold", "5c": "North rook", "6g": "West rook"}
    assert Play(pieces).of("5g") == {"5f", "5h"}
    del pieces["5c"]
    assert "6g" in Play(pieces).of("5g")


def test_king_between_two_enemies() -> None:
    # The gold that gives check is protected by another enemy's rook.
    pieces = {**APART, "5h": "West gold", "5c": "North rook"}
    play = Play(pieces)
    assert "5i-5h" not in play.moves
    del pieces["5c"]
    assert "5i-5h" in Play(pieces).moves


def test_who_is_out_protects_nothing() -> None:
    pieces = {**APART, "5h": "West gold", "5c": "North rook"}
    out = {"North": "East"}
    # North's army as East has taken it over protects; as a heap of obstacles it does not.
    pieces["5c"] = "East rook facing North"
    assert "5i-5h" not in Play(pieces, out=out).moves
    pieces["5c"] = "North rook"
    assert "5i-5h" in Play(pieces, out=out, mated_army="inert").moves


def test_king_may_not_step_into_check_nor_beside_a_king() -> None:
    pieces = {**CORNERS, "5g": "South king", "5e": "East king", "7h": "West rook"}
    del pieces["9i"], pieces["1i"]
    # Rank h is West's, rank f East's king's.
    assert Play(pieces).of("5g") == squares("4g 6g")


# --- 6.4: check must be answered ---------------------------------------------------------------


def test_answers_to_check() -> None:
    # East's rook on 5e checks along the file: capture it, go away, step or drop between.
    pieces = {**CORNERS, "5i": "South king", "5e": "East rook", "4d": "South silver"}
    del pieces["9i"]
    pieces["3g"] = "South gold"
    play = Play(pieces, hands={"South": "pawn"})
    king = squares("5i-4i 5i-6i 5i-4h 5i-6h")
    drops = squares("pawn*5f pawn*5g pawn*5h")
    assert play.moves == king | drops | {"4d-5e"}
    pieces["4g"] = "South gold"
    assert Play(pieces, hands={"South": "pawn"}).moves == play.moves | {"4g-5g", "4g-5f"}


def test_pawn_drop_between_needs_a_free_file() -> None:
    pieces = {**CORNERS, "5i": "South king", "5e": "East rook", "5d": "South pawn"}
    del pieces["9i"]
    play = Play(pieces, hands={"South": "pawn silver"})
    assert not play.drops("pawn")
    assert play.drops("silver") == squares("5f 5g 5h")


# --- 6.3: check shifts the turn ----------------------------------------------------------------


def test_one_checked_player_moves_next() -> None:
    play = Play({**APART, "4h": "South rook"}).play("4h-5h")
    assert play.turn == "North"
    assert play.moves == squares("5a-4a 5a-6a 5a-4b 5a-6b")
    play.play("5a-4a")
    assert play.turn == "East"
    play.play("1e-1f")
    assert play.turn == "South"
    play.play("5i-4i")
    assert play.turn == "West"


def test_two_checked_players_answer_in_order() -> None:
    play = Play({**APART, "4h": "South rook"}).play("4h-4e")
    assert play.turn == "West"
    assert play.moves == squares("9e-9d 9e-9f 9e-8d 9e-8f")
    play.play("9e-9d")
    assert play.turn == "East"  # still in check: North loses his turn
    assert play.moves == squares("1e-1d 1e-1f 1e-2d 1e-2f")
    play.play("1e-1d")
    assert play.turn == "South"


def test_an_answer_may_free_the_second_too() -> None:
    pieces = {**APART, "4h": "South rook", "5d": "West gold"}
    play = Play(pieces).play("4h-4e", "5d-4e")
    assert play.turn == "North"  # East is free again, so the order goes on behind West


def test_the_first_in_the_order_after_the_mover() -> None:
    # North checks South and East at once: East comes first after North.
    pieces = {"5i": "South king", "9e": "West king", "9a": "North king", "1c": "East king"}
    play = Play({**pieces, "5b": "North rook"}, "North").play("5b-5c")
    assert play.turn == "East"
    play.play("1c-1b")
    assert play.turn == "South"


def test_check_uncovered_counts_for_its_piece() -> None:
    # South's gold steps out of the line of his own rook.
    pieces = {**APART, "5h": "South rook", "5d": "South gold"}
    assert Play(pieces).play("5d-4d").turn == "North"


def test_strict_order() -> None:
    play = Play({**APART, "4h": "South rook"}, check_shift="off").play("4h-5h")
    assert play.turn == "West"
    play.play("9e-9d")
    assert play.turn == "North"
    assert play.moves == squares("5a-4a 5a-6a 5a-4b 5a-6b")


def test_kings_cannot_be_captured() -> None:
    # Strict order: West and South are to move while they attack North's king.
    pieces = {**APART, "5h": "South rook", "6b": "West gold"}
    play = Play(pieces, "West", check_shift="off")
    assert play.of("6b") == squares("5b 5c 6a 6c 7b")
    play = Play(pieces, check_shift="off")
    assert "5b" in play.of("5h")
    assert not {"5a", "5a+"} & play.of("5h")


# --- 6.4 and 6.5: mate -------------------------------------------------------------------------

# South's rook comes to rank a; his gold on 5c keeps 4b, 5b and 6b.
BACK_LINE = {**APART, "8h": "South rook", "5c": "South gold", "2c": "North pawn"}


def test_mate_puts_out_and_takes_over() -> None:
    play = Play(BACK_LINE).play("8h-8a")
    assert play.living == ("South", "West", "East")
    assert play.board["5a"] == "fallen"
    assert play.board["2c"] == "South pawn facing North"
    assert play.turn == "East"  # the player after who is out
    play.play("1e-1f")
    assert play.turn == "South"
    assert play.of("2c") == {"2d"}
    play.play("2c-2d")
    assert play.turn == "West"
    play.play("9e-9f")
    assert play.turn == "East"  # North is passed over


def test_check_that_can_be_answered_is_no_mate() -> None:
    flight = {square: one for square, one in BACK_LINE.items() if square != "5c"}
    play = Play(flight).play("8h-8a")
    assert play.living == ("South", "West", "North", "East")
    assert play.turn == "North"
    assert play.moves == squares("5a-5b 5a-4b 5a-6b")
    taken = Play({**BACK_LINE, "7b": "North gold"}).play("8h-8a")
    # It faces down: back is up.  Beside and slantwise forward it does not reach 8a, but 7a.
    assert taken.turn == "North"
    assert taken.moves == {"7b-7a"}


def test_drop_between_saves() -> None:
    play = Play(BACK_LINE, hands={"North": "silver"}).play("8h-8a")
    assert play.turn == "North"
    assert play.moves == squares("silver*7a silver*6a")


CONTACT = {**APART, "5c": "South gold", "4a": "North pawn", "6a": "North pawn"}


def test_hand_is_taken_over() -> None:
    # A gold next to the king: nothing can be put between.
    hands = {"South": "gold gold", "North": "rook pawn pawn"}
    play = Play(CONTACT, hands=hands).play("gold*5b")
    assert play.living == ("South", "West", "East")
    assert play.hand("South") == {"gold": 1, "rook": 1, "pawn": 2}
    assert play.hand("North") == {}
    assert play.board["4a"] == play.board["6a"] == "South pawn facing North"


def test_pieces_dropped_later_face_their_owner() -> None:
    play = Play(CONTACT, hands={"South": "gold", "North": "silver"}).play("gold*5b", "1e-1f")
    play.play("silver*5e")
    assert play.board["5e"] == "South silver facing South"


def test_who_moved_last_has_mated() -> None:
    # The rook dropped on 8a checks West down the file and North along the rank.
    pieces = {**APART, "8e": "West king", "5c": "South gold", "2c": "North pawn"}
    del pieces["9e"]
    play = Play(pieces, hands={"South": "rook"}).play("rook*8a")
    assert play.turn == "West"
    assert play.living == ("South", "West", "North", "East")  # North's turn has not come
    play.play("8e-9e")
    assert play.living == ("South", "West", "East")
    assert play.board["2c"] == "West pawn facing North"
    assert play.turn == "East"


def test_an_answer_may_save_the_second() -> None:
    pieces = {**APART, "8e": "West king", "5c": "South gold", "9b": "West silver"}
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
        "5c": "South gold",  # keeps 4b, 5b, 6b
        "7e": "South gold",  # keeps 8d, 8e
        "7g": "South silver",  # keeps 8f
    }
    hands = {"South": "rook"}
    assert Play(pieces, hands=hands).play("rook*9a").winners == ("South",)
    play = Play(pieces, hands=hands, win="last").play("rook*9a")
    assert play.living == ("South", "East")
    assert play.turn == "East"


# --- the turned king and the two orientations --------------------------------------------------


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
    assert play.of("9e") == squares("8e 7e 6e 9b 9c 9d 9f 9g 9h 9b+ 9c+")
    assert play.of("5f") == set()


def test_fallen_king_attacks_nothing_and_shields() -> None:
    pieces = {**CORNERS, "5e": "North king", "5g": "South king", "5c": "East rook"}
    del pieces["1a"], pieces["9i"]
    play = Play(pieces, out={"North": "South"})
    # 5f, 4f and 6f touch the fallen king; the rook behind it gives no check.
    assert play.of("5g") == squares("5f 4f 6f 4g 6g 4h 5h 6h")


def test_own_pieces_of_either_orientation_do_not_capture_each_other() -> None:
    pieces = {**CORNERS, "5e": "South gold facing North", "5f": "South pawn", "5g": "South rook"}
    play = Play(pieces, out={"North": "South"})
    assert play.of("5e") == squares("4e 6e 4f 6f 5d")
    assert play.of("5f") == set()


def test_taken_pieces_give_check_for_their_owner() -> None:
    # A silver that faces North's way checks downwards; East is to answer before West.
    pieces = {**CORNERS, "5h": "East king", "5f": "South silver facing North"}
    del pieces["1i"]
    play = Play(pieces, out={"North": "South"}).play("5f-5g")
    assert play.turn == "East"


def test_taken_over_twice() -> None:
    # What West had from North goes on to South, and still faces as North's did.
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


@pytest.mark.parametrize(
    ("out", "winners"),
    [
        ({"West": "South"}, ("South",)),  # his second mate
        ({"West": "North"}, ("South",)),  # he mates who has mated
        ({"East": "North"}, ("South",)),
        ({"West": "East"}, None),  # East's mate is none of theirs
        ({}, None),
        ({"West": "East", "East": "North"}, ("South",)),  # alone
    ],
)
def test_two_mates_win(out: dict[str, str], winners: tuple[str, ...] | None) -> None:
    play = Play(BACK_LINE, out=out).play("8h-8a")
    if winners is None:
        assert play.turn in ("East", "South")
    else:
        assert play.winners == winners


@pytest.mark.parametrize("out", [{"West": "South"}, {"West": "North"}, {"East": "North"}])
def test_last_wins(out: dict[str, str]) -> None:
    play = Play(BACK_LINE, out=out, win="last").play("8h-8a")
    assert len(play.living) == 2
    assert play.turn == ("South" if "East" in out else "East")


def test_last_player_wins() -> None:
    out = {"West": "North", "East": "North"}
    assert Play(BACK_LINE, out=out, win="last").play("8h-8a").winners == ("South",)


# --- 6.8 and 6.9 -------------------------------------------------------------------------------

# North's king on 1a is not attacked; 2a is the silver's, 1b and 2b are the gold's.
STUCK = {
    "9i": "South king",
    "9a": "West king",
    "1a": "North king",
    "1i": "East king",
    "3b": "South silver",
    "2c": "South gold",
    "5e": "West pawn",
}


def test_stalemate_is_passed_over() -> None:
    play = Play(STUCK, "West").play("5e-4e")
    assert play.living == ("South", "West", "North", "East")
    assert play.turn == "East"


def test_stalemate_as_mate() -> None:
    play = Play(STUCK, "West", stalemate="mated").play("5e-4e")
    assert play.living == ("South", "West", "East")
    assert play.board["1a"] == "fallen"
    assert play.turn == "East"


def test_a_piece_that_can_move_is_no_stalemate() -> None:
    play = Play({**STUCK, "8e": "North pawn"}, "West", stalemate="mated").play("5e-4e")
    assert play.turn == "North"
    assert play.moves == {"8e-8f"}


ROUND = ("9i-9h", "9a-9b", "1a-1b", "1i-1h", "9h-9i", "9b-9a", "1b-1a", "1h-1i")


def test_fourth_occurrence_is_a_draw() -> None:
    play = Play(CORNERS).play(*ROUND, *ROUND, *ROUND[:-1])
    assert play.turn == "East"
    play.play(ROUND[-1])
    assert play.position.result is not None
    assert play.position.result.draw
    assert play.winners == ()


def test_other_hands_are_another_position() -> None:
    # The same squares for the fourth time, but meanwhile a pawn was dropped and taken.
    play = Play({**CORNERS, "5e": "South gold"}, hands={"West": "pawn"}).play(*ROUND, *ROUND)
    play.play("5e-5f", "pawn*4e", "1a-1b", "1i-1h")
    play.play("5f-4e", "9a-9b", "1b-2a", "1h-2i")
    play.play("4e-5e", "9b-9a", "2a-1a", "2i-1i")
    assert play.board == Play({**CORNERS, "5e": "South gold"}).board
    assert play.turn == "South"

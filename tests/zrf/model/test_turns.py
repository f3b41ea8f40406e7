"""Partial moves, legality, options, types of moves, random players (6.6, 6.7, 7, 9, 10)."""

from __future__ import annotations

from tests.kit.cases import each_case
from tests.models import zrf
from tests.zrf.model.small_games import after, game, man, squares, texts

# --- Partial moves ------------------------------------------------------------------------

JUMPER = man("""(move-type jump)
    (n (verify enemy?) capture n (verify empty?) (add-partial jump))
    (e (verify enemy?) capture e (verify empty?) (add-partial jump))""")
VICTIM = "(piece (name Foe))"


def jumps(goals: str = "") -> zrf.Position:
    """A white man who can jump over b1 and then over c2."""
    return game(
        JUMPER + VICTIM, "(White (Man a1 d4)) (Black (Foe b1 c2 a3))", turns="White", goals=goals
    )


def test_the_same_piece_goes_on_as_long_as_it_can() -> None:
    start = jumps()
    assert texts(start) == ["partial 1 Man a1 - c1 x b1"]
    first = start.play("partial 1 Man a1 - c1 x b1")
    assert (first.player, first.turn_number, first.going_on) == ("White", 1, ("c1", "jump"))
    assert squares(first) == "Black Foe a3, White Man c1, Black Foe c2, White Man d4"  # 62
    assert texts(first) == ["partial 1 Man c1 - c3 x c2"]
    second = first.play("partial 1 Man c1 - c3 x c2")
    assert (second.turn_number, second.going_on) == (2, None)


def test_a_continuation_type_without_blocks_ends_the_turn() -> None:
    start = game(man("(n (add-partial none))"), "(White (Man a1)) (Black (Man d1))")
    assert texts(start) == ["partial 1 Man a1 - a2"]
    assert start.play("partial 1 Man a1 - a2").player == "Black"


def test_without_a_type_any_block_continues() -> None:
    start = game(man("(n add-partial) (move-type t) (e add)"), "(White (Man a1)) (Black (Man d1))")
    assert texts(start.play(texts(start)[0])) == ["partial 0 Man a2 - a3", "Man a2 - b2"]


def test_a_promoted_piece_continues_with_its_new_moves() -> None:
    king = "(piece (name King) (moves (move-type t) (e add)))"
    start = game(man("(n (add-partial King t))") + king, "(White (Man a1)) (Black (Man d1))")
    first = start.play("partial 1 Man a1 - a2 = King")
    assert texts(first) == ["King a2 - b2"]


def test_pass_partial_allows_stopping_a_series() -> None:
    first = jumps('(option "pass partial" true)').play("partial 1 Man a1 - c1 x b1")
    assert texts(first) == ["partial 1 Man c1 - c3 x c2", "Pass"]
    assert first.play("Pass").turn_number == 2


def test_types_of_the_entry_and_priorities_do_not_apply_to_a_continuation() -> None:
    pieces = man("(move-type a) (n (add-partial b)) (move-type b) (e add)")
    setup = "(White (Man a1)) (Black (Man d4))"
    for sections in ({"turns": "(White a) Black"}, {"goals": "(move-priorities a)"}):
        start = game(pieces, setup, **sections)
        [move] = texts(start)
        assert texts(start.play(move)) == ["Man a2 - b2"]


# --- Legality -----------------------------------------------------------------------------

CHECK = "(loss-condition (White Black) (checkmated King))"


def chess(setup: str, goals: str = CHECK) -> zrf.Position:
    king = "(piece (name King) (moves (n add) (e add)))"
    rook = """(piece (name Rook) (moves
        ((while (on-board? n) n (if not-empty? (verify not-friend?) add (verify false)) add))
        ((while (on-board? w) w (if not-empty? (verify not-friend?) add (verify false)) add))))"""
    return game(king + rook, setup, goals=goals)


def test_a_royal_piece_must_be_safe_after_the_move() -> None:
    setup = "(White (King a1) (Rook b1)) (Black (Rook b2 d1) (King d4))"
    assert "King a1 - a2" not in texts(chess(setup))
    assert "King a1 - a2" in texts(chess(setup, ""))
    assert [text for text in texts(chess(setup)) if text.startswith("Rook")] == []


def test_only_players_of_the_goal_must_keep_royal_pieces_safe() -> None:
    goal = "(loss-condition (Black) (checkmated King))"
    setup = "(White (King a1) (Rook b1)) (Black (Rook b2 d1) (King d4))"
    assert "King a1 - a2" in texts(chess(setup, goal))


def test_attributes_are_numbered_from_the_last_to_the_first() -> None:
    pieces = (
        "(piece (name A) (attribute x true) (attribute y true) (moves"
        " ((set-attribute x false) (set-attribute y false) (set-attribute z false) add)))"
        "(piece (name B) (attribute y true) (attribute z true))"
    )
    assert texts(game(pieces, "(White (A a1))")) == ["@ a1 2 0 @ a1 1 0 @ a1 0 0"]


# --- Options ------------------------------------------------------------------------------


@each_case(
    ("value", "with_move", "without"),
    [
        ("true", ["Man a1 - a2", "Pass"], ["Pass"]),
        ("forced", ["Man a1 - a2"], ["Pass"]),
        ("2", ["Man a1 - a2"], ["Pass"]),
        ("false", ["Man a1 - a2"], []),
    ],
)
def test_pass_turn(value: str, with_move: list[str], without: list[str]) -> None:
    option = f'(option "pass turn" {value})'
    assert texts(game(man("(n add)"), "(White (Man a1))", goals=option)) == with_move
    assert texts(game(man("(n add)"), "(White (Man a4))", goals=option)) == without


CHOICE = """(piece (name Man) (moves (move-type jump)
    (n (verify enemy?) capture n (verify empty?) (add-partial jump))
    (e (verify enemy?) capture e (verify empty?) (add-partial jump))
    (w add)))"""


def test_maximal_captures_counts_whole_series() -> None:
    setup = "(White (Man b1)) (Black (Foe b2 c1 d2))"
    free = game(CHOICE + VICTIM, setup)
    assert len(texts(free)) == 3
    most = game(CHOICE + VICTIM, setup, goals='(option "maximal captures" true)')
    assert texts(most) == ["partial 1 Man b1 - d1 x c1"]
    assert texts(most.play(texts(most)[0])) == ["partial 1 Man d1 - d3 x d2"]


def test_maximal_captures_counts_a_partial_move_without_capture_as_one() -> None:
    pieces = man("(n (add-partial t)) (e capture w n n add) (move-type t) (e (add-partial t))")
    position = game(
        pieces + VICTIM,
        "(White (Man b1)) (Black (Foe c1))",
        goals='(option "maximal captures" true)',
    )
    # North and twice east: three parts; one capture in the other.
    assert texts(position) == ["partial 1 Man b1 - b2"]


def test_maximal_captures_2_prefers_kings() -> None:
    pieces = (
        man("(n capture n add) (e capture e add)", "")
        + "(piece (name Foe) (moves (s (add King)))) (piece (name King))"
    )
    setup = "(White (Man a1)) (Black (Foe a2) (King b1))"
    assert len(texts(game(pieces, setup, goals='(option "maximal captures" true)'))) == 2
    assert texts(game(pieces, setup, goals='(option "maximal captures" 2)')) == ["Man a1 - c1 x b1"]


def test_recycle_captures() -> None:
    pieces = (
        man("(e add) (e (change-type Man) capture w n add) (e (create Man) w n n add)") + VICTIM
    )
    position = game(
        pieces, "(White (Man a1)) (Black (Foe b1))", goals='(option "recycle captures" true)'
    )
    displaced, retyped, replaced = position.moves()
    assert position.play(displaced).reserves == {("Black", "Foe"): 1}
    assert position.play(retyped).reserves == {("Black", "Man"): 1}  # undecided 3
    assert position.play(replaced).reserves == {("Black", "Foe"): 1}


def test_recycle_promotions() -> None:
    pieces = man("(n (add King Man))") + "(piece (name King))"
    option = '(option "recycle promotions" true)'
    assert texts(game(pieces, "(White (Man a1))", goals=option)) == []
    position = game(pieces, "(White (Man a1) (King off 1))", goals=option)
    assert texts(position) == ["Man a1 - a2 = King"]
    assert position.play("Man a1 - a2 = King").reserves == {("White", "King"): 0}


def test_discard_cascades() -> None:
    pieces = man("(n cascade b1 from n add n add)") + VICTIM
    setup = "(White (Man a1)) (Black (Foe b1))"
    option = '(option "discard cascades" true)'
    assert texts(game(pieces, setup, goals=option)) == [
        "Man a1 - a2 Foe b1 - b2",
        "Foe b1 - b3",
    ]


# --- Move types ---------------------------------------------------------------------------

TYPED = man("(n add) (move-type a) (e add) (move-type b) (s add)")


@each_case(
    ("sections", "expected"),
    [
        ({}, ["n", "e", "s"]),
        ({"turns": "(White a) Black"}, ["e"]),
        ({"turns": "(White c) Black"}, []),
        ({"goals": "(move-priorities a b)"}, ["e"]),
        ({"goals": "(move-priorities b a)"}, ["s"]),
        ({"goals": "(move-priorities c b)"}, ["s"]),
        ({"goals": "(move-priorities c)"}, ["n"]),
        ({"goals": "(move-priorities b)", "turns": "(White a) Black"}, ["e"]),
    ],
)
def test_entries_and_priorities_select_what_may_start_a_turn(
    sections: dict[str, str], expected: list[str]
) -> None:
    targets = {"n": "Man b2 - b3", "e": "Man b2 - c2", "s": "Man b2 - b1"}
    position = game(TYPED, "(White (Man b2))", **sections)
    assert texts(position) == [targets[name] for name in expected]


def test_priorities_come_after_the_safety_of_royal_pieces() -> None:
    king = "(piece (name King) (moves (move-type high) (n add) (move-type low) (e add)))"
    foe = "(piece (name Foe) (moves (w add) (s add)))"
    position = game(
        king + foe, "(White (King a1)) (Black (Foe b2))", goals=CHECK + "(move-priorities high low)"
    )
    assert texts(position) == []  # a2 and b1 are attacked
    position = game(
        king + foe,
        "(White (King a1)) (Black (Foe b3 a4))",
        goals=CHECK + "(move-priorities high low)",
    )
    assert texts(position) == ["King a1 - a2"]
    position = game(
        king + foe, "(White (King a1)) (Black (Foe a3))", goals=CHECK + "(move-priorities high low)"
    )
    assert texts(position) == ["King a1 - b1"]


# --- Random players -----------------------------------------------------------------------


def test_a_random_player_moves_pieces_of_another() -> None:
    position = game(
        man("(move-type roll) (n add) (move-type walk) (e add)"),
        "(White (Man a1))",
        players="White ?Dice",
        turns="(?Dice White roll) (White walk)",
    )
    assert (position.player, position.side) == ("?Dice", "White")
    assert texts(position) == ["Man a1 - a2"]
    assert texts(position.play("Man a1 - a2")) == ["Man a2 - b2"]


def test_a_random_player_without_a_move_is_skipped() -> None:
    position = game(man("(n add)"), "(White (Man a1))", players="White ?Dice")
    position = position.play("Man a1 - a2")
    assert (position.player, position.turn_number) == ("White", 2)


def test_without_a_move_two_players_draw_and_three_skip() -> None:
    setup = "(White (Man a1))"
    assert game(man("(n add)"), setup).play("Man a1 - a2").result == {
        "White": "draw",
        "Black": "draw",
    }
    three = game(man("(n add)"), setup, players="White Black Red").play("Man a1 - a2")
    assert (three.player, three.turn_number, three.result) == ("White", 2, None)
    stuck = after(three, "Man a2 - a3", "Man a3 - a4")
    assert stuck.result == {"White": "draw", "Black": "draw", "Red": "draw"}

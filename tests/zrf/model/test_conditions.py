"""Conditions, control, attack tests (sections 6.3 and 6.8 of the contract)."""

from __future__ import annotations

import pytest

from tests.kit.cases import each_case
from tests.models.zrf import Position
from tests.zrf.model.small_games import game, man, texts

BOARD = """(dummy hidden) (zone (name camp) (players White) (positions a1 b1 c1 d1))
    (zone (name camp) (players Black) (positions a4)) (links to (b2 hidden))"""
PIECES = "(piece (name Wall) (attribute tall true) (attribute low false)) (piece (name Rock))"


def position(block: str, setup: str = "") -> Position:
    """White's man on b2, Wall on b3; Black's Wall on c2; a neutral Rock on b1."""
    return game(
        man(block) + PIECES,
        f"(White (Man b2) (Wall b3)) (Black (Wall c2)) (Neutral (Rock b1)) {setup}",
        board=BOARD,
        players="White Black Neutral",
        turns="White Black",
        goals="(win-condition (White) (absolute-config Man (d4 camp)))",
    )


def holds(condition: str) -> bool:
    """Whether a condition holds for White's man on b2."""
    return texts(position(f"((verify {condition}) d4 add)")) == ["Man b2 - d4"]


TRUE = """true (not false) (and) (and true true) (or false true) friend? not-empty? (empty? w)
    (friend? n) (enemy? e) (not-enemy? n) (neutral? s) (enemy? s) (piece? Man) (piece? Wall e)
    (not-piece? Man e) (in-zone? camp s) (in-zone? camp a1) (not-in-zone? camp) (on-board? n)
    on-board? (on-board? to) (not-on-board? up) (position? b2) (position? c2 e) (not-position? c2)
    marked? (not-marked? n) (tall e) (not (low e)) (not tall) adjacent-to-enemy?
    (not-adjacent-to-enemy? a4) (goal-position? d4) (goal-position? a1) (not-goal-position? a4)
    (empty? hidden) (empty? (opposite e))"""
FALSE = """false (not true) (and true false) (or) (or false false) empty? (friend? e) (enemy? w)
    (neutral? e) (piece? Man a1) (in-zone? camp a4) (in-zone? nowhere) (on-board? up) (low e)
    (tall w) (not (tall n)) (piece?) (flag? f) (position-flag? f) last-from? last-to?"""


def conditions(text: str) -> list[str]:
    """The conditions in a text: atoms and lists."""
    found: list[str] = []
    depth = 0
    for word in text.split():
        if depth:
            found[-1] += f" {word}"
        else:
            found.append(word)
        depth += word.count("(") - word.count(")")
    return found


@each_case("condition", conditions(TRUE))
def test_true(condition: str) -> None:
    assert holds(condition)
    assert not holds(f"(not {condition})")


@each_case("condition", conditions(FALSE))
def test_false(condition: str) -> None:
    assert not holds(condition)
    assert holds(f"(not {condition})")


KEYWORDS = """empty? friend? enemy? neutral? (piece? Man) (in-zone? camp) on-board? last-from?
    last-to? marked? attacked? defended? adjacent-to-enemy? goal-position? (position-flag? f)"""


@each_case("condition", conditions(KEYWORDS))
def test_conditions_off_the_board_are_false_and_their_negations_true(condition: str) -> None:
    name, *rest = condition.strip("()").split()
    assert not holds(f"({' '.join([name, *rest, 'up'])})")
    assert holds(f"(not-{' '.join([name, *rest, 'up'])})")


def test_attribute_off_the_board_is_false() -> None:
    assert not holds("(tall up)")


def test_last_from_and_last_to_after_moves_and_passes() -> None:
    spy = "((verify (last-from? a1)) (verify (last-to? a2)) n add)"
    pieces = man("(n add)") + f"(piece (name Spy) (moves {spy}))"
    start = game(pieces, "(White (Man a1 b1)) (Black (Spy d1))", goals='(option "pass turn" true)')
    assert texts(start.play("Man a1 - a2")) == ["Spy d1 - d2", "Pass"]
    assert texts(start.play("Man b1 - b2")) == ["Pass"]
    assert texts(start.play("Pass")) == ["Pass"]


# --- control ------------------------------------------------------------------------------


@each_case(
    ("block", "expected"),
    [
        ("((if (enemy? e) n) n add)", ["Man b2 - b4"]),
        ("((if (enemy? w) n else w) add)", ["Man b2 - a2"]),
        ("((if (enemy? e) n else w) add)", ["Man b2 x b3"]),
        ("((if true) n add)", ["Man b2 x b3"]),
        ("(w (while empty? add n))", ["Man b2 - a2", "Man b2 - a3", "Man b2 - a4"]),
        ("(w (while (on-board? n) n) add)", ["Man b2 - a4"]),
        ("(n (while enemy? n) add)", ["Man b2 x b3"]),
        ("((verify) n add)", []),
    ],
)
def test_control(block: str, expected: list[str]) -> None:
    assert texts(position(block)) == expected


def test_endless_loop_ends_the_block() -> None:
    assert texts(position("(n add (while true (if true e w)) n add)")) == ["Man b2 x b3"]


# --- Attack tests -------------------------------------------------------------------------


def attacks(test: str, black: str, moves: str, move_type: str = "") -> bool:
    """Whether a test of White's king on b2 holds, with black men who move like this."""
    pieces = (
        f"(piece (name King) (moves ((verify {test}) a1 add)))"
        f"(piece (name Foe) (attribute x true) (moves {move_type} {moves}))"
    )
    return bool(texts(game(pieces, f"(White (King b2)) (Black (Foe {black}))")))


@each_case(
    ("moves", "expected"),
    [
        ("(w add)", True),
        ("(w (verify enemy?) add)", True),
        ("(w (verify not-friend?) add)", True),
        ("(w (verify empty?) add)", False),
        ("(n capture s w capture n add)", True),
        ("(w capture e n add)", True),
        ("((capture b2) n add)", True),
        ("((create w) n add)", False),
        ("(n cascade w w s from add)", False),
        ("(n cascade w from a1 from w add)", False),
        ("(w (verify (piece? King)) add)", True),
        ("(w (add Foe King))", True),
        ("(w (add-partial more))", True),
        ("(w (verify attacked?) add)", False),
        ("(w (verify (not-attacked?)) add)", True),
        ("(w (verify x) add)", False),
        ("((verify x) w add)", True),
        ("(e add)", False),
    ],
)
def test_a_square_is_attacked_if_a_block_can_capture_on_it(moves: str, expected: bool) -> None:
    assert attacks("attacked?", "c2", moves) == expected
    assert attacks("not-attacked?", "c2", moves) != expected


def test_attacked_position_that_is_empty_or_held_by_an_enemy() -> None:
    assert attacks("(attacked? n)", "c3", "(w (verify enemy?) add)")
    assert not attacks("(attacked? n)", "c3", "(w (verify empty?) add)")
    # The foe on c2 is no attacker of c2 itself; the one on d2 could retake there.
    assert attacks("(attacked? e)", "c2 d2", "(w (verify enemy?) add)")
    assert not attacks("(attacked? e)", "c2", "((capture c2) w (verify enemy?) add)")


def test_attack_tests_may_be_limited_to_one_move_type() -> None:
    assert attacks("(attacked? fast)", "c2", "(w add)", "(move-type fast)")
    assert not attacks("(attacked? slow)", "c2", "(w add)", "(move-type fast)")
    assert attacks("(attacked? fast n)", "c3", "(w add)", "(move-type fast)")


def test_drops_do_not_attack() -> None:
    pieces = (
        "(piece (name King) (moves ((verify attacked?) n add))) (piece (name Foe) (drops (add)))"
    )
    assert texts(game(pieces, "(White (King b2)) (Black (Foe off 1))")) == []


@pytest.mark.parametrize("there", ["(White (Wall c2))", "(Black (Wall c2))", ""])
def test_a_square_is_defended_if_a_block_could_retake_on_it(there: str) -> None:
    pieces = man("((verify (defended? c2)) n add)") + "(piece (name Wall))"
    guard = "(piece (name Guard) (moves (n (verify enemy?) add)))"
    alone = game(pieces + guard, f"(White (Man b2)) {there}")
    assert texts(alone) == []
    guarded = game(pieces + guard, f"(White (Man b2) (Guard c1)) {there}")
    assert "Man b2 - b3" in texts(guarded)
    by_enemy = game(pieces + guard, f"(White (Man b2)) (Black (Guard c1)) {there}")
    assert texts(by_enemy) == []

"""Splut!: turns, locks and levitation through turns, elimination, the end; each option.

Every expectation is worked out from the rules page, sections 3, 7 to 10.
"""

from __future__ import annotations

import itertools

import pytest

from tests.rules.splut_kit import Play

ALL = {"sstone", "wstone", "nstone", "estone"}

# --- section 3 ---------------------------------------------------------------------------------


def turns(play: Play, count: int) -> str:
    """Whose that many slots are, by first letters; `?` is the cleaner."""
    found = ""
    while len(found) < count:
        found += play.turn[0]
        plain = [one for one in play.steps if len(one.split()) <= 1]
        play.play(min(plain))
    return found


@pytest.mark.parametrize(
    ("game", "preset", "order"),
    [
        ("splut", "article", "SWWNNNEEE?SSSWWWNNNEEE?SSS"),
        ("splut", "official", "SWWNNNEEESSSWWWNNNEEESSS"),
        ("splut-three", "article", "SWWNNN?SSSWWWNNN?SSS"),
        ("splut-three", "official", "SWWNNNSSSWWWNNNSSS"),
        ("splut-duel", "article", "SNN?SSSNNN?SSS"),
        ("splut-duel", "official", "SNNSSSNNNSSS"),
    ],
)
def test_order_of_turns(game: str, preset: str, order: str) -> None:
    assert turns(Play(game=game, preset=preset), len(order)) == order


def test_three_teams_and_four_stones() -> None:
    board = Play(game="splut-three").board
    assert len(board) == 13
    assert set(board.values()) >= ALL
    assert not {one for one in board.values() if one.startswith("East")}


# --- section 7: one stone, without a break -----------------------------------------------------

# Only wizards and stones; each stone can be moved along with some step of each wizard.
WIZARDS = {
    "e2": "South wizard",
    "b5": "West wizard",
    "e8": "North wizard",
    "c5": "sstone",
    "g5": "wstone",
    "e5": "nstone",
    "i5": "estone",
}


def begin(turn: str = "South", **settings: str) -> Play:
    return Play(WIZARDS, turn, "splut-three", **settings)


@pytest.mark.parametrize("preset", ["article", "official"])
def test_one_stone_a_turn(preset: str) -> None:
    play = begin(preset=preset)
    assert play.flights == ALL
    play.play("c5-c6 e2-e3")
    assert play.flights == {"sstone"}
    play.play("c6-d6 e3-f3")  # it may go another way
    assert play.flights == {"sstone"}


@pytest.mark.parametrize("preset", ["article", "official"])
def test_levitation_may_begin_on_any_step(preset: str) -> None:
    play = begin(preset=preset).play("e2-e3", "e3-e4")
    assert play.flights == ALL


@pytest.mark.parametrize("preset", ["article", "official"])
def test_a_step_between_ends_it(preset: str) -> None:
    assert begin(preset=preset).play("c5-c6 e2-e3", "e3-e4").flights == set()


# A troll above a stone, a dwarf beside one: steps, a pull, a push.
HELPERS = {**WIZARDS, "g6": "South troll", "d5": "South dwarf"}


@pytest.mark.parametrize("between", ["g6-h6", "g5-g6 g6-g7", "d5-d4", "d5-e5 e5-f5"])
def test_any_other_piece_ends_it(between: str) -> None:
    play = Play(HELPERS, "South", "splut-three").play("c5-c6 e2-e3", between)
    assert play.flights == set()


def test_pushing_a_stone_is_levitation() -> None:
    pieces = {**WIZARDS, "e3": "estone"}
    del pieces["i5"]
    play = Play(pieces, "South", "splut-three").play("e2-e3 e3-e4")
    assert play.flights == {"estone"}


@pytest.mark.parametrize("lock", ["round", "previous-turn", "each-opponent"])
@pytest.mark.parametrize("before", ["g5-g6 g6-g7", "d5-e5 e5-f5"])
def test_stone_pulled_or_pushed_in_this_turn_may_fly(lock: str, before: str) -> None:
    assert Play(HELPERS, "South", "splut-three", lock=lock).play(before).flights == ALL


# --- section 10: lock --------------------------------------------------------------------------


def south_then_west(lock: str) -> Play:
    """South has levitated sstone; West has made no step yet."""
    return begin(lock=lock).play("c5-c6 e2-e3", "e3-e4", "e4-e3")


def west_then_north(lock: str) -> Play:
    """South has levitated sstone, then West wstone."""
    return south_then_west(lock).play("b5-b6 g5-g6", "b6-b5", "b5-b6")


def north_then_south(lock: str) -> Play:
    """A round is over: South sstone, West wstone, North nstone."""
    play = west_then_north(lock).play("e5-e4 e8-e7", "e7-e8", "e8-e7")
    assert play.forced() == (["?Cleaner"] if lock == "round" else [])
    assert play.turn == "South"
    return play


@pytest.mark.parametrize("lock", ["round", "previous-turn", "each-opponent"])
def test_locked_for_the_next_player(lock: str) -> None:
    assert south_then_west(lock).flights == ALL - {"sstone"}


@pytest.mark.parametrize(
    ("lock", "locked"),
    [
        ("round", {"sstone", "wstone"}),
        ("previous-turn", {"wstone"}),
        ("each-opponent", {"sstone", "wstone"}),
    ],
)
def test_locked_for_the_one_after(lock: str, locked: set[str]) -> None:
    assert west_then_north(lock).flights == ALL - locked


@pytest.mark.parametrize(
    ("lock", "locked"),
    [
        ("round", set()),  # wiped
        ("previous-turn", {"nstone"}),
        ("each-opponent", {"wstone", "nstone"}),
    ],
)
def test_locked_when_the_round_is_over(lock: str, locked: set[str]) -> None:
    assert north_then_south(lock).flights == ALL - locked


@pytest.mark.parametrize(
    ("lock", "free"),
    # Only the memory of `round` changes its owner.
    [("round", True), ("previous-turn", False), ("each-opponent", False)],
)
def test_push_of_a_locked_stone(lock: str, free: bool) -> None:
    pieces = {**WIZARDS, "d6": "West dwarf"}
    play = Play(pieces, "South", "splut-three", lock=lock)
    play.play("c5-c6 e2-e3", "e3-e4", "e4-e3", "c6-b6 d6-c6")
    assert ("sstone" in play.flights) == free


@pytest.mark.parametrize("lock", ["round", "previous-turn", "each-opponent"])
def test_thrown_and_pulled_stones_are_locked(lock: str) -> None:
    pieces = {**WIZARDS, "d5": "South troll"}
    del pieces["e5"]
    pieces["e4"] = "nstone"
    thrown = Play(pieces, "South", "splut-three", lock=lock, after_throw="skip")
    assert thrown.play("c5-c7 d5-c5").flights == ALL - {"sstone"}
    pulled = Play(pieces, "South", "splut-three", lock=lock)
    pulled.play("c5-d5 d5-e5", "e5-f5", "f5-f6")
    assert pulled.flights == ALL - {"sstone"}


# --- section 10: home-locks --------------------------------------------------------------------


@pytest.mark.parametrize(("home_locks", "possible"), [("on", False), ("off", True)])
def test_home_lock_of_another_team(home_locks: str, possible: bool) -> None:
    play = Play(game="splut-duel", home_locks=home_locks).play("e2-e3", "f8-f7")
    assert ("e1-e2 f7-f8" in play.steps) == possible


@pytest.mark.parametrize("home_locks", ["on", "off"])
def test_own_stone_and_those_without_a_team_are_free(home_locks: str) -> None:
    play = Play(game="splut-duel", home_locks=home_locks).play("e2-e3", "e8-e7")
    assert {"e9-e8 f8-f7", "f8-e8 i5-h5"} <= play.steps


def test_first_cleaning_ends_home_locks() -> None:
    play = Play(game="splut-duel").play("e2-e3", "e8-e7", "e7-e6")
    assert play.forced() == ["?Cleaner"]
    assert "d3-d2 e9-e8" in play.play("d2-d3").steps  # North's stone


# --- section 9: passing ------------------------------------------------------------------------

# The troll on d5 goes onto e5 and throws east: West's wizard on h5 is hit.
KILL = {
    "a5": "South wizard",
    "d5": "South troll",
    "e5": "sstone",
    "h5": "West wizard",
    "e9": "North wizard",
    "b4": "North troll",
}
HIT = "d5-e5 e5-h5 h5x"


@pytest.mark.parametrize(
    ("after_throw", "dead_teams", "forced"),
    [
        ("pass", "pass", ["South"] * 2 + ["West"] * 3),
        ("skip", "pass", ["West"] * 3),
        ("pass", "skip", ["South"] * 2),
        ("skip", "skip", []),
    ],
)
def test_passes(after_throw: str, dead_teams: str, forced: list[str]) -> None:
    chosen = {"after_throw": after_throw, "dead_teams": dead_teams}
    play = Play(KILL, "South", "splut-three", **chosen).play(HIT)
    assert play.forced() == forced
    assert play.turn == "North"


@pytest.mark.parametrize("throw", ["whole", "partial"])
def test_throw_on_the_last_step_leaves_nothing_to_pass(throw: str) -> None:
    play = Play(KILL, "South", "splut-three", throw=throw)
    play.play("a5-b5", "b5-a5", HIT)
    assert play.turn == "West"
    assert play.forced() == ["West"] * 3


def test_skipped_for_good() -> None:
    play = Play(KILL, "South", "splut-three", preset="official").play(HIT)
    assert turns(play, 9) == "NNNSSSNNN"


def test_passes_for_good() -> None:
    play = Play(KILL, "South", "splut-three").play(HIT)
    assert play.forced() == ["South"] * 2 + ["West"] * 3
    assert turns(play, 3) == "NNN"
    assert play.forced() == ["?Cleaner"]
    assert turns(play, 3) == "SSS"
    assert play.forced() == ["West"] * 3


def test_cleaner_stays_when_south_is_out() -> None:
    pieces = {**KILL, "a5": "West wizard", "h5": "South wizard", "d5": "West troll"}
    play = Play(pieces, "West", "splut-three", dead_teams="skip", after_throw="skip").play(HIT)
    assert turns(play, 3) == "NNN"
    assert play.forced() == ["?Cleaner"]
    assert play.turn == "West"


@pytest.mark.parametrize("lock", ["previous-turn", "each-opponent"])
def test_eliminated_teams_lock_nothing(lock: str) -> None:
    pieces = {
        "a5": "South wizard",
        "d4": "South troll",
        "h4": "West wizard",
        "f2": "West dwarf",
        "e8": "North wizard",
        "d5": "sstone",
        "c6": "wstone",
        "f4": "nstone",
        "e3": "estone",
    }
    chosen = {"lock": lock, "dead_teams": "skip", "after_throw": "skip"}
    play = Play(pieces, "West", "splut-three", **chosen)
    play.play("e3-e4 h4-h5", "f2-f3", "f3-f2", "e8-e7", "e7-e8", "e8-e7")
    play.play("d4-d5 d5-h5 f2x h5x")
    # Only what South threw: that West moved estone does not count any more.
    assert play.turn == "North"
    assert play.flights == ALL - {"sstone"}


@pytest.mark.parametrize("lock", ["previous-turn", "each-opponent"])
def test_who_killed_his_own_wizard_locks_nothing(lock: str) -> None:
    """A reading: the player just before West is then North."""
    pieces = {
        "h5": "South wizard",
        "d4": "South troll",
        "a5": "West wizard",
        "e8": "North wizard",
        "d5": "sstone",
        "c6": "wstone",
        "f4": "nstone",
        "e2": "estone",
    }
    chosen = {"lock": lock, "dead_teams": "skip", "after_throw": "skip"}
    play = Play(pieces, "North", "splut-three", **chosen)
    play.play("e8-e7 f4-f3", "e7-e8", "e8-e7", "d4x d5-h5 h5x")
    assert play.turn == "West"
    assert play.flights == ALL - {"nstone"}


# --- section 8: the end ------------------------------------------------------------------------

DUEL = {
    "a5": "South wizard",
    "d5": "South troll",
    "e5": "sstone",
    "h5": "North wizard",
    "g7": "North troll",
    "g3": "North dwarf",
}
DECIDING = "d5-e5 e5-h5 g3x g7x h5x"


def test_won_at_once() -> None:
    play = Play(DUEL, "South", "splut-duel", win_test="at-once").play(DECIDING)
    assert play.winner == "South"


def test_won_on_the_own_move() -> None:
    play = Play(DUEL, "South", "splut-duel").play(DECIDING)
    assert play.position.result is None
    assert play.forced() == ["South"] * 2 + ["North"] * 3 + ["?Cleaner"]
    assert play.winner == "South"


def test_own_move_without_passes() -> None:
    chosen = {"lock": "previous-turn", "dead_teams": "skip", "after_throw": "skip"}
    play = Play(DUEL, "South", "splut-duel", **chosen).play(DECIDING)
    assert play.winner == "South"


SUICIDE = {**DUEL, "h5": "South wizard", "a5": "North wizard"}
OWN_HIT = "d5x e5-h5 h5x"


@pytest.mark.parametrize("preset", ["official", "article"])
def test_own_wizard_of_the_last_two(preset: str) -> None:
    play = Play(SUICIDE, "South", "splut-duel", preset=preset).play(OWN_HIT)
    assert play.forced() == ([] if preset == "official" else ["South"] * 2)
    assert play.winner == "North"


def test_the_page_s_counts_of_the_duel() -> None:
    """The only decided game of four steps: nothing follows it (see the model's test)."""
    play = Play(game="splut-duel", preset="official")
    play.play("e2-e3", "f8-f7", "e1-e2 f7-f8", "d2x e2-d2 e3x f2x")
    assert play.winner == "North"


def test_dwarf_ends_nothing() -> None:
    pieces = {**DUEL, "h5": "North dwarf", "g3": "North wizard", "i5": "estone"}
    play = Play(pieces, "South", "splut-duel", preset="official").play("d5-e5 e5-h5 h5x")
    assert play.turn == "North"


# --- section 10: max-turns ---------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "order"), [(1, "SSS"), (2, "SSSNNN"), (3, "SSSNNNSSS")])
def test_max_turns(limit: int, order: str) -> None:
    chosen = {"lock": "previous-turn", "max_turns": limit}
    play = Play(DUEL, "South", "splut-duel", **chosen)
    assert turns(play, len(order)) == order
    assert play.winner == ""


def test_no_max_turns() -> None:
    play = Play(DUEL, "South", "splut-duel", preset="official", max_turns=0)
    assert len(turns(play, 30)) == 30


def test_elimination_begins_the_count_anew() -> None:
    chosen = {"preset": "official", "max_turns": 2}
    play = Play(KILL, "South", "splut-three", **chosen).play(HIT)
    assert turns(play, 6) == "NNNSSS"
    assert play.winner == ""


def test_dwarf_does_not() -> None:
    pieces = {**KILL, "h5": "West dwarf", "b6": "West wizard", "i5": "estone"}
    chosen = {"preset": "official", "max_turns": 2}
    play = Play(pieces, "South", "splut-three", **chosen).play("d5-e5 e5-h5 h5x")
    assert turns(play, 3) == "WWW"
    assert play.winner == ""


# --- section 10: throw -------------------------------------------------------------------------


def test_half_a_throw_must_be_finished() -> None:
    play = Play(KILL, "South", "splut-three", throw="partial")
    position = play.position
    halves = []
    for move in list(position.legal_moves):
        position.push(move)
        if position.is_partial:
            halves.append(move)
            assert position.turn == "South"
            # East, west, north and south: no other piece may move now.
            assert len(position.legal_moves) == 4
        position.pop()
    assert len(halves) == 1


@pytest.mark.parametrize("game", ["splut", "splut-three", "splut-duel"])
def test_variants_of_the_throw_are_one_game(game: str) -> None:
    pieces = {**DUEL, "e4": "wstone", "e6": "nstone", "i5": "estone"}
    for turn, lock in itertools.product(("South", "North"), ("round", "previous-turn")):
        whole = Play(pieces, turn, game, lock=lock)
        partial = Play(pieces, turn, game, lock=lock, throw="partial")
        assert whole.steps == partial.steps

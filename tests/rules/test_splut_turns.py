"""Turns, locks, levitation, elimination and the end of Splut!, with each setting.

The expected results follow from sections 3 and 7 to 10 of the project's rules page of Splut!.
splut_kit.py defines the notation of steps, such as `c5-c6 e2-e3`.  A locked stone may not be
levitated by a wizard.  The cleaner is a player without pieces that clears the locks once a round.
"""

from __future__ import annotations

import itertools

import pytest

from tests.kit.cases import each_case
from tests.rules.splut_kit import Play

ALL_STONES = {"sstone", "wstone", "nstone", "estone"}

# --- section 3: the order of turns -------------------------------------------------------------


def teams_of_steps(play: Play, count: int) -> str:
    """Play `count` steps; return the first letter of each step's team, `?` for the cleaner."""
    found = ""
    while len(found) < count:
        found += play.turn[0]
        single_changes = [step for step in play.steps if len(step.split()) <= 1]
        play.play(min(single_changes))
    return found


@pytest.mark.sampled(3)
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
    assert teams_of_steps(Play(game=game, preset=preset), len(order)) == order


def test_three_teams_have_four_stones() -> None:
    board = Play(game="splut-three").board
    assert len(board) == 13
    assert set(board.values()) >= ALL_STONES
    assert not {piece for piece in board.values() if piece.startswith("East")}


# --- section 7: one stone, in consecutive steps ------------------------------------------------

# Only wizards and stones; every wizard has a step that levitates each of the stones.
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
    """Start a game of three teams from `WIZARDS`."""
    return Play(WIZARDS, turn, "splut-three", **settings)


@pytest.mark.parametrize("preset", ["article", "official"])
def test_one_stone_per_turn(preset: str) -> None:
    play = begin(preset=preset)
    assert play.levitable_stones == ALL_STONES
    play.play("c5-c6 e2-e3")
    assert play.levitable_stones == {"sstone"}
    play.play("c6-d6 e3-f3")  # in another direction
    assert play.levitable_stones == {"sstone"}


@pytest.mark.parametrize("preset", ["article", "official"])
def test_levitation_may_begin_on_any_step(preset: str) -> None:
    play = begin(preset=preset).play("e2-e3", "e3-e4")
    assert play.levitable_stones == ALL_STONES


@pytest.mark.parametrize("preset", ["article", "official"])
def test_step_without_levitation_ends_levitation(preset: str) -> None:
    assert begin(preset=preset).play("c5-c6 e2-e3", "e3-e4").levitable_stones == set()


# With a troll above a stone and a dwarf beside a stone: steps, a pull and a push.
WITH_TROLL_AND_DWARF = {**WIZARDS, "g6": "South troll", "d5": "South dwarf"}


@each_case("between", ["g6-h6", "g5-g6 g6-g7", "d5-d4", "d5-e5 e5-f5"])
def test_step_of_another_piece_ends_levitation(between: str) -> None:
    play = Play(WITH_TROLL_AND_DWARF, "South", "splut-three").play("c5-c6 e2-e3", between)
    assert play.levitable_stones == set()


def test_pushing_a_stone_is_levitation() -> None:
    pieces = {**WIZARDS, "e3": "estone"}
    del pieces["i5"]
    play = Play(pieces, "South", "splut-three").play("e2-e3 e3-e4")
    assert play.levitable_stones == {"estone"}


@pytest.mark.parametrize("lock", ["round", "previous-turn", "each-opponent"])
@pytest.mark.parametrize("before", ["g5-g6 g6-g7", "d5-e5 e5-f5"])
def test_stone_pulled_or_pushed_in_this_turn_can_be_levitated(lock: str, before: str) -> None:
    assert (
        Play(WITH_TROLL_AND_DWARF, "South", "splut-three", lock=lock).play(before).levitable_stones
        == ALL_STONES
    )


# --- section 10: lock --------------------------------------------------------------------------


def south_then_west(lock: str) -> Play:
    """Return the game after South has levitated sstone, at the start of West's turn."""
    return begin(lock=lock).play("c5-c6 e2-e3", "e3-e4", "e4-e3")


def west_then_north(lock: str) -> Play:
    """Return the game after South has levitated sstone and West wstone."""
    return south_then_west(lock).play("b5-b6 g5-g6", "b6-b5", "b5-b6")


def north_then_south(lock: str) -> Play:
    """Return the game after a round: South has levitated sstone, West wstone, North nstone."""
    play = west_then_north(lock).play("e5-e4 e8-e7", "e7-e8", "e8-e7")
    assert play.play_forced() == (["?Cleaner"] if lock == "round" else [])
    assert play.turn == "South"
    return play


@pytest.mark.parametrize("lock", ["round", "previous-turn", "each-opponent"])
def test_locks_for_the_next_team(lock: str) -> None:
    assert south_then_west(lock).levitable_stones == ALL_STONES - {"sstone"}


@pytest.mark.parametrize(
    ("lock", "locked"),
    [
        ("round", {"sstone", "wstone"}),
        ("previous-turn", {"wstone"}),
        ("each-opponent", {"sstone", "wstone"}),
    ],
)
def test_locks_for_the_team_after_next(lock: str, locked: set[str]) -> None:
    assert west_then_north(lock).levitable_stones == ALL_STONES - locked


@pytest.mark.parametrize(
    ("lock", "locked"),
    [
        ("round", set()),  # cleared by the cleaner
        ("previous-turn", {"nstone"}),
        ("each-opponent", {"wstone", "nstone"}),
    ],
)
def test_locks_after_a_round(lock: str, locked: set[str]) -> None:
    assert north_then_south(lock).levitable_stones == ALL_STONES - locked


@pytest.mark.parametrize(
    ("lock", "unlocked"),
    # The push makes West the last mover of the stone, which only `round` considers.
    [("round", True), ("previous-turn", False), ("each-opponent", False)],
)
def test_push_of_a_locked_stone(lock: str, unlocked: bool) -> None:
    pieces = {**WIZARDS, "d6": "West dwarf"}
    play = Play(pieces, "South", "splut-three", lock=lock)
    play.play("c5-c6 e2-e3", "e3-e4", "e4-e3", "c6-b6 d6-c6")
    assert ("sstone" in play.levitable_stones) == unlocked


@pytest.mark.sampled(2)
@pytest.mark.parametrize("lock", ["round", "previous-turn", "each-opponent"])
def test_thrown_and_pulled_stones_are_locked(lock: str) -> None:
    pieces = {**WIZARDS, "d5": "South troll"}
    del pieces["e5"]
    pieces["e4"] = "nstone"
    thrown = Play(pieces, "South", "splut-three", lock=lock, after_throw="skip")
    assert thrown.play("c5-c7 d5-c5").levitable_stones == ALL_STONES - {"sstone"}
    pulled = Play(pieces, "South", "splut-three", lock=lock)
    pulled.play("c5-d5 d5-e5", "e5-f5", "f5-f6")
    assert pulled.levitable_stones == ALL_STONES - {"sstone"}


# --- section 10: home-locks --------------------------------------------------------------------


@pytest.mark.parametrize(("home_locks", "possible"), [("on", False), ("off", True)])
def test_home_lock_of_another_team(home_locks: str, possible: bool) -> None:
    play = Play(game="splut-duel", home_locks=home_locks).play("e2-e3", "f8-f7")
    assert ("e1-e2 f7-f8" in play.steps) == possible


@pytest.mark.parametrize("home_locks", ["on", "off"])
def test_home_locks_exclude_own_stones_and_stones_without_team(home_locks: str) -> None:
    play = Play(game="splut-duel", home_locks=home_locks).play("e2-e3", "e8-e7")
    assert {"e9-e8 f8-f7", "f8-e8 i5-h5"} <= play.steps


def test_first_cleaning_ends_home_locks() -> None:
    play = Play(game="splut-duel").play("e2-e3", "e8-e7", "e7-e6")
    assert play.play_forced() == ["?Cleaner"]
    assert "d3-d2 e9-e8" in play.play("d2-d3").steps  # North's stone


# --- section 9: passing ------------------------------------------------------------------------

# The troll steps from d5 to e5 and throws the stone east, onto West's wizard on h5.
BEFORE_THE_THROW = {
    "a5": "South wizard",
    "d5": "South troll",
    "e5": "sstone",
    "h5": "West wizard",
    "e9": "North wizard",
    "b4": "North troll",
}
THROW_AT_WIZARD = "d5-e5 e5-h5 h5x"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("after_throw", "dead_teams", "forced"),
    [
        ("pass", "pass", ["South"] * 2 + ["West"] * 3),
        ("skip", "pass", ["West"] * 3),
        ("pass", "skip", ["South"] * 2),
        ("skip", "skip", []),
    ],
)
def test_forced_passes_after_a_throw(after_throw: str, dead_teams: str, forced: list[str]) -> None:
    chosen = {"after_throw": after_throw, "dead_teams": dead_teams}
    play = Play(BEFORE_THE_THROW, "South", "splut-three", **chosen).play(THROW_AT_WIZARD)
    assert play.play_forced() == forced
    assert play.turn == "North"


@pytest.mark.parametrize("throw", ["whole", "partial"])
def test_throw_on_the_last_step_forces_no_own_pass(throw: str) -> None:
    play = Play(BEFORE_THE_THROW, "South", "splut-three", throw=throw)
    play.play("a5-b5", "b5-a5", THROW_AT_WIZARD)
    assert play.turn == "West"
    assert play.play_forced() == ["West"] * 3


def test_eliminated_team_is_skipped_in_all_rounds() -> None:
    play = Play(BEFORE_THE_THROW, "South", "splut-three", preset="official").play(THROW_AT_WIZARD)
    assert teams_of_steps(play, 9) == "NNNSSSNNN"


def test_eliminated_team_passes_in_all_rounds() -> None:
    play = Play(BEFORE_THE_THROW, "South", "splut-three").play(THROW_AT_WIZARD)
    assert play.play_forced() == ["South"] * 2 + ["West"] * 3
    assert teams_of_steps(play, 3) == "NNN"
    assert play.play_forced() == ["?Cleaner"]
    assert teams_of_steps(play, 3) == "SSS"
    assert play.play_forced() == ["West"] * 3


def test_cleaner_plays_after_the_elimination_of_south() -> None:
    pieces = {**BEFORE_THE_THROW, "a5": "West wizard", "h5": "South wizard", "d5": "West troll"}
    play = Play(pieces, "West", "splut-three", dead_teams="skip", after_throw="skip").play(
        THROW_AT_WIZARD
    )
    assert teams_of_steps(play, 3) == "NNN"
    assert play.play_forced() == ["?Cleaner"]
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
    # Only the stone that South threw is locked; West's move of estone no longer counts.
    assert play.turn == "North"
    assert play.levitable_stones == ALL_STONES - {"sstone"}


@pytest.mark.parametrize("lock", ["previous-turn", "each-opponent"])
def test_team_that_eliminated_itself_locks_nothing(lock: str) -> None:
    """South, which eliminated itself, is ignored: North counts as the team before West."""
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
    assert play.levitable_stones == ALL_STONES - {"nstone"}


# --- section 8: the end ------------------------------------------------------------------------

DUEL = {
    "a5": "South wizard",
    "d5": "South troll",
    "e5": "sstone",
    "h5": "North wizard",
    "g7": "North troll",
    "g3": "North dwarf",
}
DECIDING_THROW = "d5-e5 e5-h5 g3x g7x h5x"


def test_win_at_once() -> None:
    play = Play(DUEL, "South", "splut-duel", win_test="at-once").play(DECIDING_THROW)
    assert play.winner == "South"


def test_win_on_the_own_move() -> None:
    play = Play(DUEL, "South", "splut-duel").play(DECIDING_THROW)
    assert play.position.result is None
    assert play.play_forced() == ["South"] * 2 + ["North"] * 3 + ["?Cleaner"]
    assert play.winner == "South"


def test_win_on_the_own_move_without_passes() -> None:
    chosen = {"lock": "previous-turn", "dead_teams": "skip", "after_throw": "skip"}
    play = Play(DUEL, "South", "splut-duel", **chosen).play(DECIDING_THROW)
    assert play.winner == "South"


OWN_WIZARD_IN_LINE = {**DUEL, "h5": "South wizard", "a5": "North wizard"}
HIT_ON_OWN_WIZARD = "d5x e5-h5 h5x"


@pytest.mark.parametrize("preset", ["official", "article"])
def test_last_opponent_wins_when_a_team_eliminates_itself(preset: str) -> None:
    play = Play(OWN_WIZARD_IN_LINE, "South", "splut-duel", preset=preset).play(HIT_ON_OWN_WIZARD)
    assert play.play_forced() == ([] if preset == "official" else ["South"] * 2)
    assert play.winner == "North"


def test_decided_game_of_four_steps() -> None:
    """Test the only duel decided after four steps (see test_splut_against_model.py)."""
    play = Play(game="splut-duel", preset="official")
    play.play("e2-e3", "f8-f7", "e1-e2 f7-f8", "d2x e2-d2 e3x f2x")
    assert play.winner == "North"


def test_removal_of_a_dwarf_does_not_end_the_game() -> None:
    pieces = {**DUEL, "h5": "North dwarf", "g3": "North wizard", "i5": "estone"}
    play = Play(pieces, "South", "splut-duel", preset="official").play("d5-e5 e5-h5 h5x")
    assert play.turn == "North"


# --- section 10: max-turns ---------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("limit", "order"), [(1, "SSS"), (2, "SSSNNN"), (3, "SSSNNNSSS")])
def test_max_turns(limit: int, order: str) -> None:
    chosen = {"lock": "previous-turn", "max_turns": limit}
    play = Play(DUEL, "South", "splut-duel", **chosen)
    assert teams_of_steps(play, len(order)) == order
    assert play.winner == ""


@pytest.mark.slow
def test_no_max_turns() -> None:
    play = Play(DUEL, "South", "splut-duel", preset="official", max_turns=0)
    assert len(teams_of_steps(play, 30)) == 30


def test_elimination_resets_the_count_of_turns() -> None:
    chosen = {"preset": "official", "max_turns": 2}
    play = Play(BEFORE_THE_THROW, "South", "splut-three", **chosen).play(THROW_AT_WIZARD)
    assert teams_of_steps(play, 6) == "NNNSSS"
    assert play.winner == ""


def test_removal_of_a_dwarf_does_not_reset_the_count_of_turns() -> None:
    pieces = {**BEFORE_THE_THROW, "h5": "West dwarf", "b6": "West wizard", "i5": "estone"}
    chosen = {"preset": "official", "max_turns": 2}
    play = Play(pieces, "South", "splut-three", **chosen).play("d5-e5 e5-h5 h5x")
    assert teams_of_steps(play, 3) == "WWW"
    assert play.winner == ""


# --- section 10: throw -------------------------------------------------------------------------


def test_partial_throw_must_be_completed() -> None:
    play = Play(BEFORE_THE_THROW, "South", "splut-three", throw="partial")
    position = play.position
    partial_moves = []
    for move in list(position.legal_moves):
        position.push(move)
        if position.is_partial:
            partial_moves.append(move)
            assert position.turn == "South"
            # Only the four directions of the throw are legal.
            assert len(position.legal_moves) == 4
        position.pop()
    assert len(partial_moves) == 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", ["splut", "splut-three", "splut-duel"])
def test_whole_and_partial_throws_give_the_same_steps(game: str) -> None:
    pieces = {**DUEL, "e4": "wstone", "e6": "nstone", "i5": "estone"}
    for turn, lock in itertools.product(("South", "North"), ("round", "previous-turn")):
        whole = Play(pieces, turn, game, lock=lock)
        partial = Play(pieces, turn, game, lock=lock, throw="partial")
        assert whole.steps == partial.steps

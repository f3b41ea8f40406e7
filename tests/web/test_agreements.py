"""Taking back, draws, rematches and resignation, with people in different places."""

from __future__ import annotations

import pytest

import forthvm
from forthvm.web.serving.errors import RequestError
from forthvm.web.table.clocks import Clocks, TimeControl
from forthvm.web.table.messages import TableMessages
from forthvm.web.table.seats import Viewer
from forthvm.web.table.table import Table
from tests.kit.messages import raises

OWNER = Viewer(is_owner=True, players=("White",))
GUEST = Viewer(is_owner=False, players=("Black",))
HERE = Viewer(is_owner=True, players=("White", "Black"))
SOUTH = Viewer(is_owner=True, players=("South",))
OTHERS = Viewer(is_owner=False, players=("West",))


def play(table: Table, plies: int = 1) -> None:
    """Make the first legal moves of the players to move."""
    for _ in range(plies):
        if not table.advance():
            viewer = Viewer(is_owner=False, players=(table.position.turn,))
            table.play(viewer, table.tree.played.number, 0)


@pytest.fixture
def table() -> Table:
    """Breakthrough: White for the owner, Black for a guest."""
    return Table(forthvm.load("breakthrough"), persons=("White",), guests=("Black",))


@pytest.fixture
def four() -> Table:
    """Splut!: South for the owner, West for a guest, North and East for engines."""
    return Table(forthvm.load("splut"), persons=("South",), guests=("West",), engine="random")


def test_taking_back_needs_the_agreement_of_the_other(table: Table) -> None:
    play(table, 2)
    table.undo(OWNER)
    assert table.position.ply == 2
    offer = TableMessages(table).state(GUEST)["offer"]
    assert offer == {"kind": "undo", "by": ["White"], "mine": False, "asks_me": True}
    table.answer_offer(GUEST, agrees=True)
    assert table.position.ply == 0
    assert table.offer is None


def test_a_guest_takes_back_only_own_moves(table: Table) -> None:
    play(table, 2)
    table.undo(GUEST)
    table.answer_offer(OWNER, agrees=True)
    assert table.position.ply == 1


def test_offers_can_be_refused_and_withdrawn(table: Table) -> None:
    play(table)
    for viewer in (GUEST, OWNER):
        table.undo(OWNER)
        table.answer_offer(viewer, agrees=False)
        assert table.offer is None
    assert table.position.ply == 1


def test_only_those_who_are_asked_answer(table: Table) -> None:
    play(table)
    with raises(RequestError, "agreements.no-offer"):
        table.answer_offer(GUEST, agrees=True)
    table.undo(OWNER)
    with raises(RequestError, "agreements.no-offer"):
        table.answer_offer(OWNER, agrees=True)
    with raises(RequestError, "agreements.no-offer"):
        table.answer_offer(Viewer(is_owner=False, players=()), agrees=False)


def test_a_move_ends_offers(table: Table) -> None:
    play(table)
    table.undo(OWNER)
    play(table)
    assert table.offer is None


def test_without_people_elsewhere_an_offer_takes_effect_at_once() -> None:
    table = Table(forthvm.load("breakthrough"))
    play(table, 3)
    table.undo(HERE)
    assert table.position.ply == 2


def test_a_draw_by_agreement(table: Table) -> None:
    table.make_offer(GUEST, "draw")
    table.answer_offer(OWNER, agrees=True)
    assert TableMessages(table).state(OWNER)["result"] == {
        "code": "agreed-draw",
        "values": {},
        "text": "The players have agreed to a draw",
    }
    with raises(RequestError, "agreements.not-your-turn"):
        table.play(OWNER, table.tree.played.number, 0)


def test_engines_do_not_agree_to_draws(four: Table) -> None:
    duel = Table(forthvm.load("breakthrough"), persons=("White",), engine="random")
    for table, viewer in ((duel, OWNER), (four, SOUTH)):
        with raises(RequestError, "agreements.between-two-people"):
            table.make_offer(viewer, "draw")


def test_resigning_a_game_of_two(table: Table) -> None:
    table.resign(GUEST, "Black")
    assert table.ending.text == "Black has resigned, White has won"
    assert table.engine_to_move() is None
    with pytest.raises(RequestError):
        table.resign(OWNER, "White")


def test_people_resign_for_themselves_only(table: Table) -> None:
    with raises(RequestError, "agreements.not-your-player"):
        table.resign(GUEST, "White")
    assert not table.is_over


def test_the_others_continue_a_game_of_four(four: Table) -> None:
    four.resign(OTHERS, "West")
    assert not four.is_over
    while four.position.turn != "West":
        play(four)
    assert four.engine_to_move() is not None
    assert not four.may_move(OTHERS)
    four.resign(SOUTH, "South")
    assert not four.is_over  # the engines of North and East


def test_the_last_of_four_wins() -> None:
    table = Table(forthvm.load("splut"))
    everyone = Viewer(is_owner=True, players=("South", "West", "North", "East"))
    for player in ("East", "South", "North"):
        assert not table.is_over
        table.resign(everyone, player)
    assert table.ending.text == "North has resigned, West has won"


def test_a_rematch_exchanges_the_seats(table: Table) -> None:
    with raises(RequestError, "agreements.not-over"):
        table.make_offer(OWNER, "rematch")
    table.resign(GUEST, "Black")
    table.make_offer(OWNER, "rematch")
    table.answer_offer(GUEST, agrees=True)
    assert (table.seats["White"].by, table.seats["Black"].by) == ("guest", "person")
    assert table.ending is None
    assert table.position.ply == 0


def test_a_step_of_an_unfinished_turn_is_taken_back_alone(four: Table) -> None:
    """In Splut! a turn has three steps; South's first turn has one, West's two."""
    play(four, 2)  # South; West's first step
    assert four.position.turn == "West"
    assert not four.may_step_back(SOUTH)
    four.step_back(OTHERS)
    assert four.position.ply == 1
    with raises(RequestError, "agreements.no-move-to-take"):
        four.step_back(OTHERS)


def test_an_unfinished_turn_is_taken_back_without_agreement(four: Table) -> None:
    while not (four.position.turn == "South" and four.position.ply > 1):
        play(four)
    begin = four.position.ply
    play(four, 2)
    assert four.position.turn == "South"
    four.undo(SOUTH)
    assert four.position.ply == begin
    assert four.offer is None


def test_taking_back_a_finished_turn_goes_to_its_beginning(four: Table) -> None:
    play(four, 3)  # South; both steps of West
    assert four.position.turn == "North"
    four.undo(OTHERS)
    four.answer_offer(SOUTH, agrees=True)
    assert four.position.ply == 1


def test_a_player_without_time_has_lost(table: Table) -> None:
    clock = [0.0]
    table.now = lambda: clock[0]
    table.clocks = Clocks(TimeControl(60.0), table.seats)
    clock[0] = 1000.0
    assert not table.check_clock()  # the first move starts the clocks
    play(table)
    clock[0] = 1059.9
    assert not table.check_clock()
    clock[0] = 1060.1
    assert table.check_clock()
    assert table.ending.text == "Black has no time left, White has won"
    assert table.clocks.running is None


def test_time_is_added_when_a_turn_ends() -> None:
    table = Table(forthvm.load("splut"), persons=("South", "West", "North", "East"))
    clock = [0.0]
    table.now = lambda: clock[0]
    table.clocks = Clocks(TimeControl(60.0, 5.0), table.seats)
    play(table)  # South
    clock[0] = 10.0
    play(table)  # West's first step of two
    assert table.clocks.running == "West"
    assert table.clocks.remaining("West", clock[0]) == 50.0
    play(table)
    assert table.clocks.running == "North"
    assert table.clocks.remaining("West", clock[0]) == 55.0


def test_a_new_game_has_full_clocks(table: Table) -> None:
    table.restart(TimeControl(60.0))
    play(table, 2)
    table.resign(OWNER, "White")
    table.make_offer(OWNER, "rematch")
    table.answer_offer(GUEST, agrees=True)
    assert table.clocks.all_remaining(table.now()) == {"White": 60.0, "Black": 60.0}


def test_taking_back_after_the_end_continues_the_game() -> None:
    table = Table(forthvm.load("breakthrough"))
    play(table, 2)
    table.resign(HERE, "White")
    table.undo(HERE)
    assert not table.is_over
    assert not table.departed


def test_the_game_of_people_elsewhere_is_not_changed_without_agreement(table: Table) -> None:
    play(table, 2)
    for change in (table.redo, lambda viewer: table.play_from(viewer, 0)):
        with raises(RequestError, "agreements.the-game-of-people-elsewhere"):
            change(OWNER)


# --- the engine ----------------------------------------------------------------------------------


def test_no_engine_in_a_game_with_clocks_against_a_guest(table: Table) -> None:
    assert table.allows_analysis
    table.restart(TimeControl(60, 0))
    assert not table.allows_analysis
    table.make_offer(OWNER, "analysis")
    assert not table.allows_analysis
    table.answer_offer(GUEST, agrees=True)
    assert table.allows_analysis
    table.restart(TimeControl(60, 0))
    assert not table.allows_analysis
    table.resign(GUEST, "Black")
    assert table.allows_analysis


def test_the_engine_may_be_asked_without_guests() -> None:
    table = Table(forthvm.load("breakthrough"), persons=("White",), engine="random")
    table.restart(TimeControl(60, 0))
    assert table.allows_analysis


def test_a_new_guest_has_not_agreed(table: Table) -> None:
    table.restart(TimeControl(60, 0))
    table.make_offer(OWNER, "analysis")
    table.answer_offer(GUEST, agrees=True)
    table.give_seat("Black", "person")
    with pytest.raises(RequestError, match="without an offer"):
        table.make_offer(HERE, "analysis")
    table.give_seat("Black", "guest")
    assert not table.allows_analysis

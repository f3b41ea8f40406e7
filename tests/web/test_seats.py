"""Seats of a table: who may have them, and their keys."""

from __future__ import annotations

import pytest

from forthvm.web.serving.errors import RequestError
from forthvm.web.table.seats import GUEST, PERSON, Seats, Viewer
from tests.kit.messages import raises

OWNER = Viewer(is_owner=True, players=("White",))
WATCHER = Viewer(is_owner=False, players=())


@pytest.fixture
def seats() -> Seats:
    """White for the owner, Black for a guest."""
    return Seats({"White": PERSON, "Black": GUEST}, ("random",))


def test_each_key_has_its_rights(seats: Seats) -> None:
    assert seats.viewer_of(seats.owner_key) == OWNER
    assert seats.viewer_of(seats["Black"].key) == Viewer(is_owner=False, players=("Black",))
    assert seats.viewer_of(seats.watch_key) == WATCHER


def test_the_link_of_a_seat_that_is_not_given_away_only_watches(seats: Seats) -> None:
    assert seats.viewer_of(seats["White"].key) == WATCHER
    seats.give("Black", "random")
    assert seats.viewer_of(seats["Black"].key) == WATCHER


@pytest.mark.parametrize("guess", ["", "guess", "\udcff", "é" * 1000])
def test_other_keys_have_none(seats: Seats, guess: str) -> None:
    assert seats.viewer_of(guess) is None
    assert seats.viewer_of(seats.owner_key[:-1]) is None
    assert seats.viewer_of(seats.owner_key + "A") is None


def test_a_renewed_key_replaces_the_old_one(seats: Seats) -> None:
    old = seats["Black"].key
    seats.renew_key("Black")
    assert seats.viewer_of(old) is None
    assert seats.viewer_of(seats["Black"].key) is not None


def test_keys_stay_with_the_people_when_seats_are_exchanged(seats: Seats) -> None:
    guest = seats["Black"].key
    seats.exchange()
    assert seats.viewer_of(guest) == Viewer(is_owner=False, players=("White",))
    assert seats.viewer_of(seats.owner_key) == Viewer(is_owner=True, players=("Black",))


def test_three_players_pass_their_seats_on() -> None:
    seats = Seats({"South": PERSON, "West": GUEST, "North": "random"}, ())
    seats.exchange()
    assert [seats[player].by for player in seats] == ["random", PERSON, GUEST]


@pytest.mark.parametrize("spec", ["ugi:/bin/sh", "os:system", "negamax:depth=99", ""])
def test_a_page_cannot_name_other_engines(seats: Seats, spec: str) -> None:
    with raises(RequestError, "web-seats.does-not-offer") as caught:
        seats.give("White", spec)
    assert caught.value.code == "no-engine"
    assert seats["White"].by == PERSON


def test_an_offered_engine_may_play(seats: Seats) -> None:
    seats.give("White", "random")
    assert seats.engine_of("White") == "random"
    assert seats.engine_of("Black") is None


@pytest.mark.parametrize("player", ["Red", "?Dice", ""])
def test_no_such_seat(seats: Seats, player: str) -> None:
    with raises(RequestError, "web-seats.no-such-seat"):
        seats.give(player, PERSON)
    assert seats.engine_of(player) is None

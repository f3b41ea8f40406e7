"""A table: seats, requests, and the state for front ends."""

from __future__ import annotations

import json

import pytest

import forthvm
from forthvm.web.errors import RequestError
from forthvm.web.table import PERSON, Table, TableError


def index_of(table: Table, text: str) -> int:
    return table.position.find_move(text)


@pytest.fixture
def table() -> Table:
    """Breakthrough between two people."""
    return Table(forthvm.load("breakthrough"))


def test_a_move(table: Table) -> None:
    table.play(0, index_of(table, "pawn a2 - a3"))
    assert table.position.turn == "Black"


def test_a_late_request_changes_nothing(table: Table) -> None:
    table.play(0, 0)
    with pytest.raises(TableError, match="position has changed"):
        table.play(0, 0)
    assert table.position.ply == 1


@pytest.mark.parametrize("index", [-1, 22, 10**9])
def test_no_such_move(table: Table, index: int) -> None:
    with pytest.raises(TableError, match="not a legal move"):
        table.play(0, index)


def test_a_person_cannot_move_for_an_engine() -> None:
    table = Table(forthvm.load("breakthrough"), persons=("Black",), engine="random")
    with pytest.raises(TableError, match="not your turn"):
        table.play(0, 0)


def test_take_back_and_again(table: Table) -> None:
    first = index_of(table, "pawn a2 - a3")
    table.play(0, first)
    table.undo()
    assert table.position.ply == 0
    table.redo()
    assert [entry.text for entry in table.position.history] == ["pawn a2 - a3"]


def test_take_back_reaches_the_persons_last_move() -> None:
    table = Table(forthvm.load("breakthrough"), persons=("White",), engine="random")
    table.play(0, 0)
    table.play_for_engine(0)
    table.undo()
    assert table.position.ply == 0


@pytest.mark.parametrize("request_name", ["undo", "redo"])
def test_nothing_to_take_back(table: Table, request_name: str) -> None:
    with pytest.raises(RequestError, match="There is no move to"):
        getattr(table, request_name)()


def test_a_new_game(table: Table) -> None:
    table.play(0, 0)
    table.restart()
    assert table.position.ply == 0
    assert not table.state()["may_redo"]


def test_seats(table: Table) -> None:
    assert table.seats == {"White": PERSON, "Black": PERSON}
    table.seat("White", "random")
    assert table.engine_to_move() == "random"


@pytest.mark.parametrize("spec", ["ugi:/bin/sh", "os:system", "negamax:depth=99"])
def test_a_page_cannot_name_other_engines(table: Table, spec: str) -> None:
    with pytest.raises(TableError, match="does not offer"):
        table.seat("White", spec)


def test_no_such_seat(table: Table) -> None:
    with pytest.raises(TableError, match="no seat of Red"):
        table.seat("Red", PERSON)


def test_chance_moves_by_itself() -> None:
    table = Table(forthvm.load("ur"))
    assert table.seats.keys() == {"White", "Black"}
    while not table.position.is_chance:
        table.play(table.position.ply, 0)
    ply = table.position.ply
    assert table.advance()
    assert table.position.ply == ply + 1


def test_the_state_is_json(table: Table) -> None:
    game, _, state = json.loads(json.dumps(table.opening_messages()))
    assert state["title"] == "Breakthrough"
    assert len(game["board"]["squares"]) == 64
    assert "board" not in {**state, **state["scene"]}
    assert len(state["scene"]["pieces"]) == 32
    from_a2 = next(click for click in state["gestures"]["clicks"] if click[1] == "a2")
    assert sorted(click[1] for click in from_a2[3]["clicks"]) == ["a3", "b3"]


def test_no_gestures_while_an_engine_is_to_move() -> None:
    assert (
        Table(forthvm.load("breakthrough"), persons=("Black",), engine="random").state()["gestures"]
        is None
    )


def test_a_table_can_begin_in_a_saved_position() -> None:
    position = forthvm.load("breakthrough").start()
    position.push_text("pawn a2 - a3")
    table = Table(position.game, position=position)
    assert table.position.turn == "Black"
    table.restart()
    assert table.position.ply == 0

"""A table: seats, requests, and the state for front ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import forthvm
from forthvm.core.errors import ForthVMError
from forthvm.web.serving.errors import RequestError
from forthvm.web.table.messages import TableMessages
from forthvm.web.table.played_game import alternating_players
from forthvm.web.table.seats import Viewer
from forthvm.web.table.table import Table
from tests.kit.boards import grid
from tests.kit.cases import each_case
from tests.kit.games import load_text, loaded, play
from tests.kit.messages import raises

BOTH = Viewer(is_owner=True, players=("White", "Black"))
WHITE = Viewer(is_owner=True, players=("White",))

FAILING = grid(1, 4, "e")
FAILING += """\
: step e verify empty? verify from here move 1 2 turn-number - / DROP add-move ;
{moves steps {move} step moves}
{pieces {piece} Man {moves} steps pieces}
{board-setup {setup} White Man a1 {setup} Black Man c1 board-setup}
"""


def index_of(table: Table, text: str) -> int:
    return table.position.parse(text).index


@pytest.fixture
def table() -> Table:
    """Breakthrough between two people."""
    return Table(forthvm.load("breakthrough"))


def test_a_move(table: Table) -> None:
    table.play(BOTH, 0, index_of(table, "pawn a2 - a3"))
    assert table.position.turn == "Black"


def test_a_late_request_changes_nothing(table: Table) -> None:
    table.play(BOTH, 0, 0)
    with raises(RequestError, "table.position-has-changed"):
        table.play(BOTH, 0, 0)
    assert table.position.ply == 1


@pytest.mark.parametrize("index", [-1, 22, 10**9])
def test_no_such_move(table: Table, index: int) -> None:
    with raises(RequestError, "table.not-a-legal-move"):
        table.play(BOTH, 0, index)


def test_only_people_who_play_a_player_make_its_moves() -> None:
    table = Table(forthvm.load("breakthrough"), guests=("White",))
    for viewer in (Viewer(is_owner=True, players=("Black",)), Viewer(is_owner=False, players=())):
        with raises(RequestError, "table.not-your-turn"):
            table.play(viewer, 0, 0)
        assert TableMessages(table).state(viewer)["gestures"] is None
    table.play(Viewer(is_owner=False, players=("White",)), 0, 0)
    assert table.position.ply == 1


def test_take_back_and_again(table: Table) -> None:
    first = index_of(table, "pawn a2 - a3")
    table.play(BOTH, 0, first)
    table.undo(BOTH)
    assert table.position.ply == 0
    table.redo(BOTH)
    assert [entry.text for entry in table.position.history] == ["pawn a2 - a3"]


def test_take_back_reaches_the_persons_last_move() -> None:
    table = Table(forthvm.load("breakthrough"), persons=("White",), engine="random")
    table.play(WHITE, 0, 0)
    table.play_for_engine(0)
    table.undo(WHITE)
    assert table.position.ply == 0


@pytest.mark.parametrize("request_name", ["undo", "redo"])
def test_nothing_to_take_back(table: Table, request_name: str) -> None:
    with raises(RequestError, "table.there-is-no-move"):
        getattr(table, request_name)(BOTH)


def test_a_new_game(table: Table) -> None:
    table.play(BOTH, 0, 0)
    table.restart()
    assert table.position.ply == 0
    assert not TableMessages(table).state(BOTH)["may_redo"]


def test_a_move_after_which_the_script_fails_is_not_made(tmp_path: Path) -> None:
    """The list of the second turn divides by zero."""
    table = Table(load_text(tmp_path, FAILING))
    with pytest.raises(ForthVMError):
        table.play(BOTH, 0, 0)
    assert table.position.ply == 0
    assert not table.tree.root.children
    assert len(TableMessages(table).opening(BOTH)) == 3


def test_chance_moves_by_itself() -> None:
    table = Table(forthvm.load("ur"))
    assert list(table.seats) == ["White", "Black"]
    while not table.position.is_chance:
        table.play(BOTH, table.tree.played.number, 0)
    ply = table.position.ply
    assert table.advance()
    assert table.position.ply == ply + 1


def test_the_state_is_json(table: Table) -> None:
    game, _, state = json.loads(json.dumps(TableMessages(table).opening(BOTH)))
    assert state["title"] == "Breakthrough"
    assert len(game["board"]["squares"]) == 64
    assert state["board"] is None
    assert "board" not in state["scene"]
    assert len(state["scene"]["pieces"]) == 32
    from_a2 = next(click for click in state["gestures"]["clicks"] if click[1] == "a2")
    assert sorted(click[1] for click in from_a2[3]["clicks"]) == ["a3", "b3"]


def test_only_the_owner_gets_keys(table: Table) -> None:
    seats = table.seats
    keys = {seats.owner_key, seats.watch_key, *(seats[player].key for player in seats)}
    assert len(keys) == 4
    other = json.dumps(TableMessages(table).state(Viewer(is_owner=False, players=("White",))))
    assert not [key for key in keys if key in other]


def test_a_table_can_begin_in_a_saved_position() -> None:
    position = play(loaded("breakthrough").start(), "pawn a2 - a3")
    table = Table(position.game, position=position)
    assert table.position.turn == "Black"
    table.restart()
    assert table.position.ply == 0


def test_a_typed_move(table: Table) -> None:
    table.play_typed(BOTH, 0, "a2-a3")
    assert str(table.position.history[0]) == "pawn a2 - a3"
    with raises(RequestError, "table.position-has-changed"):
        table.play_typed(BOTH, 0, "a2-a3")
    with raises(RequestError, "table.not-your-turn"):
        table.play_typed(WHITE, 1, "h7-h6")


def test_a_typed_chain_of_partial_moves() -> None:
    game = forthvm.load("draughts")
    start = game.start(
        setup=[("White", "man", "g7"), ("Black", "man", "f6"), ("Black", "man", "d4")], turn="White"
    )
    table = Table(game, position=start)
    table.play_typed(BOTH, table.tree.played.number, "g7-e5-c3")
    assert [entry.player for entry in table.position.history] == ["White", "White"]
    assert table.position.board["c3"] is not None


@pytest.mark.parametrize(("typed", "code"), [("a2-a5", "no-move"), ("xyzzy", "not-a-move")])
def test_no_such_typed_move(table: Table, typed: str, code: str) -> None:
    with pytest.raises(RequestError) as caught:
        table.play_typed(BOTH, 0, typed)
    assert caught.value.code == code
    assert bool(caught.value.values["moves"]) == (code == "no-move")
    assert "White can play" in str(caught.value)
    assert table.position.ply == 0


def test_dice_fall_differently_in_each_game() -> None:
    """Without a seed, a new game draws other random numbers; with one, the same."""
    for seed, number_of_starts in ((None, 3), (7, 1)):
        table = Table(forthvm.load("ur", seed=seed))
        starts = {table.position.random_state}
        for _ in range(2):
            table.restart()
            starts.add(table.position.random_state)
        assert len(starts) == number_of_starts


@each_case(
    ("name", "players"),
    [
        ("draughts", ["Black", "White"]),
        ("ur", ["White", "Black"]),  # with dice between their turns
        ("splut-duel", []),  # three moves a turn
        ("yonin-shogi", []),  # four players
    ],
)
def test_players_whose_turns_alternate(name: str, players: list[str]) -> None:
    assert alternating_players(forthvm.load(name)) == players


@each_case(
    ("hidden", "has_secrets"),
    [("", False), ("~pawn", True), ("?pawn", True)],
)
def test_the_page_knows_whether_pieces_are_hidden(hidden: str, *, has_secrets: bool) -> None:
    """Also if the message is made when the game is over and everything is shown."""
    table = Table(forthvm.load("breakthrough", settings={"OnShow": hidden} if hidden else {}))
    while table.position.result is None:
        table.play_for_engine(0)
    assert TableMessages(table).game()["has_secrets"] is has_secrets

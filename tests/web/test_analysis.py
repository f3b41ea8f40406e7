"""Lines of the engine for windows, with values that follow from the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

import forthvm
from forthvm.engines import Info
from forthvm.game import Game
from forthvm.web.play.server import TableServer
from forthvm.web.study.analysis_lines import Lines, can_be_analysed, engine_for
from forthvm.web.table.clocks import TimeControl
from forthvm.web.table.table import Table
from tests.kit.games import loaded, play
from tests.web.test_tree_requests import HOST, ORIGIN, Window, connected

BIG = 2_130_000_000  # the score of a won position


@pytest.fixture
def game() -> Game:
    return forthvm.load("tictactoe")


def table_after(game: Game, *squares: str) -> Table:
    position = game.start()
    play(position, *squares)
    return Table(game, position=position)


@pytest.fixture
def table(game: Game) -> Table:
    """X has a1 and a2, O has b1 and b2; X wins at once by a3, else O wins by b3."""
    return table_after(game, "a1", "b1", "a2", "b2")


@pytest.fixture
def window(table: Table) -> Iterator[Window]:
    with connected(TableServer(table)) as window:
        window.next("state")
        yield window


def last_lines(window: Window, node: int) -> dict[str, Any]:
    """Return the message of the complete analysis of a node."""
    while True:
        message: dict[str, Any] = window.socket.receive_json()
        assert message["is"] in ("lines", "tree", "state", "view"), message
        if message["is"] == "lines" and message["node"] == node and not message["running"]:
            return message


# --- the meaning of reports -------------------------------------------------------------------


def test_what_one_player_wins_the_other_loses(game: Game) -> None:
    lines = Lines(game, "O")
    assert lines.add(Info(line=0, depth=3, score=40, nodes=90, time=0.5, pv=("O mark c1",)))
    (line,) = lines.as_json()["lines"]  # type: ignore[misc]
    assert line["scores"] == [
        {"player": "X", "score": -40, "decided": None},
        {"player": "O", "score": 40, "decided": None},
    ]
    assert line["squares"] == ["c1"]
    assert lines.as_json()["speed"] == 180


def test_a_win_says_in_how_many_plies(game: Game) -> None:
    lines = Lines(game, "X")
    lines.add(Info(line=0, depth=5, score=BIG - 5, pv=("X mark a3",)))
    lines.add(Info(line=1, depth=5, score=-(BIG - 2), pv=("X mark c1",)))
    first, second = lines.as_json()["lines"]  # type: ignore[misc]
    assert [score["decided"] for score in first["scores"]] == [5, -5]
    assert [score["decided"] for score in second["scores"]] == [-2, 2]


def test_a_shallower_report_of_a_new_search_is_ignored(game: Game) -> None:
    lines = Lines(game, "X")
    assert lines.add(Info(line=0, depth=6, score=1, pv=("X mark a3",)))
    assert not lines.add(Info(line=0, depth=1, score=0, pv=("X mark b2",)))
    assert not lines.add(Info(current="X mark c1"))
    assert lines.moves(0, 9) == ("X mark a3",)
    assert lines.moves(1, 9) == ()


def test_more_players_need_an_engine_with_a_score_for_each() -> None:
    assert engine_for(forthvm.load("yonin-shogi")).startswith("maxn:")
    assert engine_for(forthvm.load("ur")).startswith("negamax:")


def test_scores_of_more_players() -> None:
    game = forthvm.load("yonin-shogi")
    lines = Lines(game, game.contestants[0])
    scores = dict(zip(game.contestants, (5, -3, 0, -2), strict=True))
    lines.add(Info(line=0, depth=1, score=5, scores=scores, pv=("x",)))
    (line,) = lines.as_json()["lines"]  # type: ignore[misc]
    assert [(score["player"], score["score"]) for score in line["scores"]] == list(scores.items())


def test_without_a_choice_nothing_is_analysed(game: Game) -> None:
    assert can_be_analysed(game.start())
    assert not can_be_analysed(table_after(game, "a1", "b1", "a2", "b2", "a3").position)
    dice = loaded("ur").start()
    while not dice.is_chance:
        dice.push(dice.legal_moves[0])
    assert not can_be_analysed(dice)


# --- windows ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_window_gets_lines(window: Window, table: Table) -> None:
    node = table.tree.played.number
    window.send("analyse", node=node)
    message = last_lines(window, node)
    best = message["lines"][0]
    assert best["moves"] == ["X mark a3"]
    assert best["scores"] == [
        {"player": "X", "score": BIG - 1, "decided": 1},
        {"player": "O", "score": -(BIG - 1), "decided": -1},
    ]
    blocked = next(line for line in message["lines"][1:] if line["moves"][0] == "X mark b3")
    assert blocked["scores"][0]["decided"] is None or blocked["scores"][0]["decided"] > 0


def test_known_lines_are_sent_at_once(window: Window, table: Table) -> None:
    node = table.tree.played.number
    window.send("analyse", node=node)
    first = last_lines(window, node)
    window.send("analyse", node=node)
    assert last_lines(window, node)["lines"] == first["lines"]


def test_a_finished_game_has_no_lines(game: Game) -> None:
    table = table_after(game, "a1", "b1", "a2", "b2", "a3")
    with connected(TableServer(table)) as window:
        window.next("state")
        window.send("analyse", node=5)
        assert last_lines(window, 5)["lines"] == []


def test_following_a_line_adds_a_variation(window: Window, table: Table) -> None:
    node = table.tree.played.number
    window.send("analyse", node=node)
    last_lines(window, node)
    window.send("follow", node=node, line=0, moves=1)
    assert window.next("tree")["rows"][-1][1:4] == [node, "X", "X mark a3"]
    assert window.next("view")["scene"]["result"]
    assert table.position.ply == 4


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "fields", [{"node": 99}, {"node": "0"}, {}, {"node": 0, "line": 0, "moves": 1}]
)
def test_refused_requests(window: Window, fields: dict[str, object]) -> None:
    window.send("follow" if "line" in fields else "analyse", **fields)
    message = window.socket.receive_json()
    assert message["is"] == "error" or message["error"]


@pytest.mark.slow
def test_the_newest_request_wins() -> None:
    """A search that would take minutes makes way, and goes on when the other one is complete."""
    table = Table(forthvm.load("breakthrough"))
    server = TableServer(table)
    with TestClient(server.application(), base_url=ORIGIN) as client:
        address, headers = f"/ws?key={table.seats.owner_key}", {"host": HOST, "origin": ORIGIN}
        with (
            client.websocket_connect(address, headers=headers) as first_socket,
            client.websocket_connect(address, headers=headers) as second_socket,
        ):
            first, second = Window(first_socket), Window(second_socket)
            first.next("state"), second.next("state")
            first.send("analyse", node=0)
            while not first.socket.receive_json().get("lines"):
                pass
            second.send("vary", node=0, move=0)
            second.next("view")
            second.send("analyse", node=1)
            while (message := second.socket.receive_json())["is"] != "lines" or (
                not message["lines"]
            ):
                pass
            assert message["node"] == 1
            second.send("stop analysis")
            while not (message := first.socket.receive_json()).get("running"):
                pass
            assert message["node"] == 0


@pytest.mark.slow
def test_a_review_has_lines_for_each_position(game: Game) -> None:
    table = table_after(game, "a1", "b1", "a2", "b2", "a3")
    with connected(TableServer(table)) as window:
        window.next("state")
        window.send("review")
        found: set[int] = set()
        while found != {0, 1, 2, 3, 4, 5}:
            message = window.next("lines")
            if not message["running"]:
                found.add(message["node"])
                assert bool(message["lines"]) == (message["node"] != 5)


def test_no_analysis_of_a_game_with_clocks_against_a_guest(game: Game) -> None:
    table = Table(game, persons=("X",), guests=("O",))
    table.restart(TimeControl(60, 0))
    with connected(TableServer(table)) as window:
        window.next("state")
        for request in ("analyse", "review"):
            window.send(request, node=0)
            assert window.next("error")["code"] == "fair-play"

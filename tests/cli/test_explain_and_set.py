"""Settings on the command line, descriptions of games, and remarks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forthvm.game import load

GAME_TESTS = Path(__file__).resolve().parent.parent / "game_api"
STICKS, REMARKS = GAME_TESTS / "settings.4th", GAME_TESTS / "remarks.4th"


def test_set(cli: Callable[..., Any]) -> None:
    """Every command that loads a game accepts several --set options."""
    assert cli("moves", STICKS).out.count("\n") == 3
    assert cli("moves", STICKS, "--set", "most=1").out.count("\n") == 1
    assert cli("perft", STICKS, 2, "--set", "most=2").out.strip() == "4"
    played = cli("run", STICKS, "--auto", "--set", "most=1", "--set", "last=loses", "--json")
    result = json.loads(played.out)["result"]
    assert result["winners"] == ["Second"]


@pytest.mark.parametrize(
    ("option", "status", "message"),
    [
        ("most", 2, "'most' is not NAME=VALUE"),
        ("=3", 2, "'=3' is not NAME=VALUE"),
        ("mots=3", 2, "no setting `mots`: did you mean `most`?"),
        ("last=draws", 2, "last is one of wins, loses, not 'draws'"),
        ("most=x", 2, "most takes an integer, not 'x'"),
    ],
)
def test_wrong_settings(cli: Callable[..., Any], option: str, status: int, message: str) -> None:
    done = cli("moves", STICKS, "--set", option)
    assert (done.status, done.out) == (status, "")
    assert message in done.err


def test_games_lists_players_and_board_size(cli: Callable[..., Any]) -> None:
    """Each line of the list has the number of players and the size of the board."""
    lines = {line.split()[0]: line for line in cli("games").out.splitlines() if line.strip()}
    for name in ("tictactoe", "splut", "breakthrough"):
        game = load(name)
        assert f" {len(game.contestants)}" in lines[name]
        assert f"{game.columns} x {game.rows}" in lines[name]
    assert "4 + chance" in lines["splut"]
    documents = json.loads(cli("games", "--json").out)
    splut = next(one for one in documents if one["name"] == "splut-duel")
    assert splut["players"] == ["South", "North"]
    assert (splut["columns"], splut["rows"], splut["variant_of"]) == (9, 9, "splut")


def test_details_of_one_game(cli: Callable[..., Any]) -> None:
    """The description of a game has players, pieces, and settings with their help."""
    out = cli("games", STICKS).out
    assert "First, Second" in out
    assert "most=N      sticks to take at most; 3" in out
    assert "last=loses  who takes it loses" in out
    about = json.loads(cli("games", STICKS, "--json").out)
    assert [one["name"] for one in about["settings"]] == ["most", "last", "pass"]
    assert about["settings"][1]["values"][1] == {"value": "loses", "help": "who takes it loses"}
    assert "Settings" not in cli("games", "tictactoe").out
    assert cli("games", "tictactoes").status == 2


def test_explain(cli: Callable[..., Any]) -> None:
    """The board with marks, then general remarks, remarks about squares and about moves."""
    done = cli("moves", REMARKS, "--explain")
    assert done.status == 0
    board, rest = done.out.split("\n\n")
    assert "< White | Black >" in board
    assert rest.splitlines() == [
        "Man b1 - c1: is no move",
        "There are 2 moves, asked 1",
        "b1  threatened: by c1",
        "c1  likewise",
        "man b1 x c1  takes",
        "man b1 - a1  goes back",
    ]
    document = json.loads(cli("moves", REMARKS, "--explain", "--json").out)
    assert document["remarks"][1] == {"text": "likewise", "square": "c1", "move": None}
    assert document["remarks"][2] == {"text": "takes", "square": None, "move": 0}


def test_explain_reports_missing_remarks(
    cli: Callable[..., Any], script: Callable[..., Path]
) -> None:
    """A game without `OnExplain`, and a position without remarks."""
    assert "this game makes no remarks" in cli("moves", "tictactoe", "--explain").err
    silent = script(end=": OnExplain ( -- ) ;")
    done = cli("moves", silent, "--explain")
    assert (done.status, done.out) == (0, "")
    assert "no remarks about this position" in done.err

"""Settings on the command line, descriptions of games, and remarks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from forthvm.game import load
from tests.kit.commands import Cli

GAME_TESTS = Path(__file__).resolve().parent.parent / "game_api"
STICKS_GAME, REMARKS_GAME = GAME_TESTS / "settings.4th", GAME_TESTS / "remarks.4th"


def test_set_options_change_the_rules(cli: Cli) -> None:
    """Every command that loads a game accepts several --set options."""
    assert cli("moves", STICKS_GAME).out.count("\n") == 3
    assert cli("moves", STICKS_GAME, "--set", "most=1").out.count("\n") == 1
    assert cli("perft", STICKS_GAME, 2, "--set", "most=2").out.strip() == "4"
    played = cli("run", STICKS_GAME, "--auto", "--set", "most=1", "--set", "last=loses", "--json")
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
def test_wrong_settings_are_refused(cli: Cli, option: str, status: int, message: str) -> None:
    result = cli("moves", STICKS_GAME, "--set", option)
    assert (result.status, result.out) == (status, "")
    assert message in result.err


@pytest.mark.slow
def test_games_lists_players_and_board_size(cli: Cli) -> None:
    """Each line of the list has the number of players and the size of the board."""
    lines = {line.split()[0]: line for line in cli("games").out.splitlines() if line.strip()}
    for name in ("tictactoe", "splut", "breakthrough"):
        game = load(name)
        assert f" {len(game.contestants)}" in lines[name]
        assert f"{game.grid.columns} x {game.grid.rows}" in lines[name]
    assert "4 + chance" in lines["splut"]
    documents = json.loads(cli("games", "--json").out)
    splut = next(entry for entry in documents if entry["name"] == "splut-duel")
    assert splut["players"] == ["South", "North"]
    assert (splut["columns"], splut["rows"], splut["variant_of"]) == (9, 9, "splut")


@pytest.mark.slow
def test_details_of_one_game(cli: Cli) -> None:
    """The description of a game has players, pieces, and settings with their help."""
    out = cli("games", STICKS_GAME).out
    assert "First, Second" in out
    assert "most=N      largest number of sticks in a move (default 3)" in out
    assert "last=loses  who takes it loses" in out
    description = json.loads(cli("games", STICKS_GAME, "--json").out)
    assert [entry["name"] for entry in description["settings"]] == ["most", "last", "pass"]
    assert description["settings"][1]["values"][1] == {
        "value": "loses",
        "help": "who takes it loses",
    }
    assert "Settings" not in cli("games", "tictactoe").out
    assert cli("games", "tictactoes").status == 2


def test_explain_prints_board_and_remarks(cli: Cli) -> None:
    """The output is the board with marks, then general remarks, then those on squares and moves."""
    board, remarks = cli.out("moves", REMARKS_GAME, "--explain").split("\n\n")
    assert "< White | Black >" in board
    assert remarks.splitlines() == [
        "Man b1 - c1: is no move",
        "There are 2 moves, call 1",
        "b1  threatened: by c1",
        "c1  likewise",
        "man b1 x c1  takes",
        "man b1 - a1  goes back",
    ]
    document = json.loads(cli("moves", REMARKS_GAME, "--explain", "--json").out)
    assert document["remarks"][1] == {"text": "likewise", "square": "c1", "move": None}
    assert document["remarks"][2] == {"text": "takes", "square": None, "move": 0}


def test_explain_reports_missing_remarks(cli: Cli, script: Callable[..., Path]) -> None:
    """The output differs for a game without `OnExplain` and a position without remarks."""
    assert "this game makes no remarks" in cli("moves", "tictactoe", "--explain").err
    silent = script(end=": OnExplain ( -- ) ;")
    result = cli("moves", silent, "--explain")
    assert (result.status, result.out) == (0, "")
    assert "no remarks about this position" in result.err

"""Choosing another game, variant or settings at a table."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.core.errors import ForthVMError
from forthvm.web.serving.errors import RequestError
from forthvm.web.table.game_choice import GameChoice, options_of
from forthvm.web.table.table import Table
from tests.kit.games import load_text
from tests.kit.messages import raises

RULES = """(game (title "One") (players Red Blue) (turn-order Red Blue)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0))) (directions (e 1))))
  (board-setup (Red (Stone off 2)) (Blue (Stone off 1)))
  (piece (name Stone) (drops ((verify empty?) add))))
(variant (title "Two") (board-setup (Red (Stone off 1)) (Blue (Stone off 1))))"""


@pytest.fixture
def rule_file(tmp_path: Path) -> forthvm.Game:
    """A game with a variant."""
    return load_text(tmp_path, RULES, name="stones.zrf")


def test_the_bundled_games_are_offered() -> None:
    choice = GameChoice(forthvm.load("chess"))
    names = [game["name"] for game in choice.titles()]
    assert {"chess", "splut", "ur-finkel"} <= set(names)
    assert "" not in names
    assert choice.name_of(choice.load("splut", None, {})) == "splut"


@pytest.mark.slow
def test_a_given_file_is_offered_with_its_variants(rule_file: forthvm.Game) -> None:
    choice = GameChoice(rule_file)
    assert choice.titles()[0] == {"name": "", "title": "One"}
    assert choice.name_of(rule_file) == ""
    two = choice.load("", "Two", {})
    assert options_of(two)["variants"] == ["One", "Two"]
    assert options_of(two)["variant"] == "Two"


def test_a_variant_is_offered_with_its_board(rule_file: forthvm.Game) -> None:
    picture = options_of(GameChoice(rule_file).load("", "Two", {}))["picture"]
    assert isinstance(picture, str)
    assert picture.startswith("<svg")
    assert "Two" in picture


def test_settings_have_values_and_meanings() -> None:
    game = GameChoice(forthvm.load("chess")).load("splut", None, {"dead-teams": "skip"})
    settings = {one["name"]: one for one in options_of(game)["settings"]}  # type: ignore[attr-defined]
    dead_teams = settings["dead-teams"]
    assert dead_teams["value"] == "skip"
    assert [choice["value"] for choice in dead_teams["choices"]] == ["pass", "skip"]
    assert all(choice["help"] for choice in dead_teams["choices"])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["", "/etc/passwd", "../chess", "./chess.4th", "no-such-game"])
def test_a_page_cannot_name_files(name: str) -> None:
    with raises(RequestError, "game-choice.no-such-game"):
        GameChoice(forthvm.load("chess")).load(name, None, {})


@pytest.mark.slow
def test_unknown_variants_and_settings(rule_file: forthvm.Game) -> None:
    choice = GameChoice(rule_file)
    for name, variant, settings in (("", "Three", {}), ("splut", None, {"lock": "never"})):
        with pytest.raises(ForthVMError):
            choice.load(name, variant, settings)


def test_the_people_stay_at_the_table() -> None:
    table = Table(forthvm.load("chess"), persons=("White",), guests=("Black",))
    key = table.seats["Black"].key
    table.change_game(forthvm.load("splut"))
    assert [table.seats[player].by for player in table.seats] == [
        "person",
        "guest",
        "person",
        "person",
    ]
    assert table.seats["West"].key == key
    table.change_game(forthvm.load("tictactoe"))
    assert [table.seats[player].key for player in table.seats][1] == key
    assert table.position.turn == "X"


def test_engines_of_the_new_game_take_the_seats() -> None:
    table = Table(forthvm.load("chess"), persons=("White",), engine="negamax:depth=9")
    table.change_game(forthvm.load("splut"))
    assert table.seats.engine_of("East") in table.seats.engines

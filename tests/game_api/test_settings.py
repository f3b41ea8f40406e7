"""Settings of a game, and set-ups.

settings.4th is a game of five sticks in a row.  A player takes up to three; the player that takes
the last stick wins.
"""

from __future__ import annotations

import pickle
import re

import pytest

import forthvm
from forthvm.core.errors import SettingError
from forthvm.game import Choice, Position, PositionDigestError, Setting, Setup
from tests.game_api.conftest import Loader
from tests.kit.messages import raises


def test_settings_of_a_script(load: Loader) -> None:
    """Settings are words with one `=`.

    Operators such as `<=` are not settings, nor is a name defined both as `name=` and as
    `name=value`.
    """
    game = load("settings")
    assert dict(game.settings) == {
        "most": Setting("most", (), "largest number of sticks in a move (default 3)"),
        "last": Setting(
            "last",
            (
                Choice("wins", "who takes the last stick wins (default)"),
                Choice("loses", "who takes it loses"),
            ),
            "",
        ),
        "pass": Setting("pass", (Choice("off", ""), Choice("on", "")), ""),
    }
    assert dict(load("chain").settings) == {}


def test_settings_are_applied_before_the_game_starts(load: Loader) -> None:
    """The list of moves and the winner depend on the settings."""
    assert len(load("settings").start().legal_moves) == 3
    assert len(load("settings", settings={"most": 1}).start().legal_moves) == 1
    assert len(load("settings", settings={"most": "4"}).start().legal_moves) == 4
    for settings, winner in (({}, "First"), ({"last": "loses", "pass": True}, "Second")):
        position = load("settings", settings=settings).start(setup=[("First", "stick", "a1")])
        position.push(position.legal_moves[0])
        assert position.result.winners == (winner,)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"mots": 3}, "no setting `mots`: did you mean `most`?"),
        ({"x": 3}, "no setting `x`: there are most, last, pass"),
        ({"last": "draws"}, "last is one of wins, loses, not 'draws'"),
        ({"most": "many"}, "most takes an integer, not 'many'"),
        ({"most": 2**31}, "most does not take 2147483648: it does not fit into a cell"),
        ({"both": 1}, "no setting `both`"),
    ],
)
def test_wrong_settings_raise(load: Loader, settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError) as caught:
        load("settings", settings=settings)
    assert message in str(caught.value)


def test_settings_of_a_game_without_settings_raise(load: Loader) -> None:
    with raises(SettingError, "game-api-settings.this-game"):
        load("chain", settings={"siege": "natural"})


def test_settings_are_part_of_the_game(load: Loader) -> None:
    """Digests differ, documents are refused, and clones and pickles keep the settings."""
    plain, changed = load("settings"), load("settings", settings={"most": 1})
    assert plain.digest != changed.digest
    assert plain.start() != changed.start()
    assert len(changed.clone().start().legal_moves) == 1
    assert len(pickle.loads(pickle.dumps(changed.start())).legal_moves) == 1
    with pytest.raises(PositionDigestError):
        Position.from_json(plain, changed.start().to_json())


def test_a_setup_can_set_turn_and_variables(load: Loader) -> None:
    """A saved position and `pop` preserve turn and variables."""
    game = load("settings")
    position = game.start(
        setup=[("First", "stick", "a1"), ("First", "stick", "b1")],
        turn="Second",
        variables={"turns": 7, "seen[3]": -5, "small[1]": 255, "most": 2},
    )
    assert position.turn == "Second"
    assert position.variables["turns"] == 7
    assert position.variables.array("seen", 4) == (0, 0, 0, -5)
    assert position.variables.bytes("small", 3) == (0, -1, 0)
    assert len(position.legal_moves) == 2
    assert position._setup == Setup(
        (("First", "stick", "a1"), ("First", "stick", "b1")),
        1,
        (("turns", 7), ("seen[3]", -5), ("small[1]", 255), ("most", 2)),
    )
    begin = position.copy()
    position.push(position.legal_moves[1])
    assert position.variables["turns"] == 8
    read_back = Position.from_json(game, position.to_json())
    assert read_back.pop().player == "Second"
    assert read_back == begin
    assert game.start(turn=1).turn == "Second"
    assert game.start(turn=0) == game.start()


def test_a_setup_is_read_into_a_game_that_has_not_begun(load: Loader) -> None:
    """Variables are found by running the script, which is impossible while a game begins."""
    game = load("settings")
    position = game.start(variables={"turns": 7})
    begin = position.copy()
    position.push(position.legal_moves[0])
    with forthvm.load(game.path) as other:
        read_back = Position.from_json(other, position.to_json())
        read_back.pop()
        assert read_back.to_json() == begin.to_json()


def test_a_setup_can_set_attributes(load: Loader) -> None:
    """Attributes belong to the pieces, and saved positions and `pop` preserve them."""
    game = load("settings")
    position = game.start(attributes={"b1": 513})
    assert position.board["a1"].attribute == 0
    assert position.board["b1"].attribute == 513
    assert position.board["b1"].type == "stick"
    begin = position.copy()
    position.push(position.legal_moves[0])
    read_back = Position.from_json(game, position.to_json())
    read_back.pop()
    assert read_back == begin != game.start()
    assert game.start(attributes={"b1": 0}) == game.start()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"attributes": {"z9": 1}}, "settings has no position `z9`"),
        ({"attributes": {"a1": 1}, "setup": []}, "there is no piece on `a1` for an attribute"),
        ({"attributes": {"a1": 65536}}, "65536 for `a1` is not from 0 to 65535"),
        ({"attributes": {"a1": True}}, "True for `a1` is not from 0"),
        ({"turn": "Third"}, "`Third` has no turn in settings"),
        ({"turn": 2}, "settings has turns 0 to 1, not 2"),
        ({"turn": True}, "settings has turns 0 to 1, not True"),
        ({"variables": {"tuns": 1}}, "settings has no variable `tuns`"),
        ({"variables": {"turns[0]": 1}}, "`turns` is one cell, without"),
        ({"variables": {"seen": 1}}, "`seen` is an array: name an entry, as `name"),
        ({"variables": {"seen[99999999999]": 1}}, "settings has no variable `seen"),
        ({"variables": {"turns": 2**32}}, "4294967296 for `turns` does not fit into a cell"),
        ({"variables": {"turns": True}}, "True for `turns` does not fit"),
        ({"variables": {"turn-number": 0}}, "`turn-number` is at least 1, not 0"),
        ({"variables": {"turn-number": 2**32 - 1}}, "`turn-number` is at least 1"),
    ],
)
def test_wrong_setups_raise(load: Loader, options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        load("settings").start(**options)

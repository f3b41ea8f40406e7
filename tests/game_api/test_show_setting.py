"""The setting OnShow: who sees which pieces of a game whose script or rule file does not say it."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from forthvm import render
from forthvm.core.errors import SettingError
from forthvm.game import Game, Position, PositionDigestError
from forthvm.game.shown import Shown, shown_of_game
from tests.kit.boards import STORES, drops, grid
from tests.kit.games import load_text
from tests.kit.messages import raises

SCRIPT = grid(
    2, 2, more="1 {variable} score {position} hand {dummy-positions} {position} mark"
) + drops("spy", "scout")


def load(folder: Path, setting: str = "", *, printed: str = "") -> Game:
    """Return the game of SCRIPT with the setting, or with an OnShow that prints names."""
    return load_text(
        folder,
        SCRIPT + (f': OnShow ." {printed} " ;\n' if printed else ""),
        name="hidden.4th",
        settings={"OnShow": setting} if setting else {},
    )


def load_rules(folder: Path, setting: str) -> Game:
    setup = "(White (Man a1) (Tent off 2)) (Black (Man b1) (Man off 1))"
    return load_text(folder, STORES % setup, name="hidden.zrf", settings={"OnShow": setting})


def shown(game: Game) -> Shown:
    start = game.start()
    return shown_of_game(start._loaded, start._state)


@pytest.mark.parametrize(
    "names",
    ["~spy", "?spy ?scout", "-hand", "~a1 ~hand", "score attributes points", "mark", "~mark"],
)
def test_the_setting_means_what_the_script_would_print(tmp_path: Path, names: str) -> None:
    assert shown(load(tmp_path, names)) == shown(load(tmp_path, printed=names))


def test_the_setting_replaces_what_the_script_says(tmp_path: Path) -> None:
    found = shown(load(tmp_path, "~spy score", printed="-spy ?scout -hand"))
    assert found == shown(load(tmp_path, printed="~spy ?scout -hand score"))
    assert not shown(load(tmp_path, "spy", printed="~spy")).has_secrets


def test_a_star_stands_for_characters(tmp_path: Path) -> None:
    """A pattern matches types and positions, but none that players do not see."""
    assert shown(load(tmp_path, "?s*")).secret == {"spy", "scout"}
    assert shown(load(tmp_path, "~*2")).private == {"a2", "b2"}
    every = shown(load(tmp_path, "~*"))
    assert every.private == {"a1", "b1", "a2", "b2", "hand", "spy", "scout"}
    assert every.hidden == {"mark"}


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("~spy ?sct", "OnShow: no position or piece type `sct` in hidden: did you mean `scout`?"),
        ("~score", "no position or piece type `score`"),
        ("skore", "no name `skore` in hidden: did you mean `score`?"),
        ("~z*", "no position or piece type `z*`"),
        ("~", "no position or piece type ``"),
        ("~stores", "no position or piece type `stores`"),
        ("on", "no name `on`"),
    ],
)
def test_unknown_names_are_refused(tmp_path: Path, names: str, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        load(tmp_path, names)
    assert message in str(caught.value)


def test_the_setting_is_part_of_the_game(tmp_path: Path) -> None:
    plain, hidden = load(tmp_path), load(tmp_path, "~spy")
    assert plain.digest != hidden.digest
    assert shown(hidden.clone()) == shown(hidden)
    assert shown(pickle.loads(pickle.dumps(hidden))) == shown(hidden)
    document = hidden.start().to_json()
    assert Position.from_json(hidden, document) == hidden.start()
    with raises(PositionDigestError, "show-setting.other-view"):
        Position.from_json(plain, document)


def test_pieces_of_a_rule_file_can_be_hidden(tmp_path: Path) -> None:
    position = load_rules(tmp_path, "~Man").start()
    assert [piece.square for piece in render.scene(position, for_player="White").pieces] == ["a1"]
    assert [piece.square for piece in render.scene(position, for_player="Black").pieces] == ["b1"]
    position.push("Man a1 x b1")
    assert render.scene(position, for_player="Black").events[-1].move == "…"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("setting", "white_sees", "black_sees"),
    [
        ("?Man", {"White": "Tent"}, {"White": "Tent", "Black": "Man"}),
        ("~stores", {"White": "Tent"}, {"Black": "Man"}),
        ("-stores", {}, {}),
        ("-Tent", {"Black": "Man"}, {"Black": "Man"}),
    ],
)
def test_stores_can_be_hidden(
    tmp_path: Path, setting: str, white_sees: dict[str, str], black_sees: dict[str, str]
) -> None:
    position = load_rules(tmp_path, setting).start()
    for viewer, expected in (("White", white_sees), ("Black", black_sees)):
        players = render.scene(position, for_player=viewer).players
        assert {one.name: one.store[0].type for one in players if one.store} == expected

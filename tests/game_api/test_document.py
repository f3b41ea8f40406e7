"""Saved positions are equal after reading, with their history and the changes by engines."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm.core.errors import PositionError
from forthvm.game import Game, Position
from forthvm.game.document import schema
from forthvm.game.document.reading import read_about
from tests.game_api.conftest import FOLDER, Loader
from tests.game_api.documents import saved, validate
from tests.game_api.test_moves import texts
from tests.game_api.test_position import FIRST, SECOND
from tests.kit.games import load_text, play
from tests.kit.messages import raises
from tests.kit.processes import run


def check_same(first: Position, second: Position) -> None:
    """Check that two positions are equal, with equal moves, results and documents."""
    assert first == second
    assert first.history == second.history
    assert texts(first) == texts(second)
    assert first.result == second.result
    assert first.random_state == second.random_state
    assert first.key == second.key
    assert first.to_json() == second.to_json()


GAMES = ["chain", "dice", "effects", "three", "Flips", "Jumps", "Sow", "Teams", "Chains"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", GAMES)
def test_positions_are_equal_after_reading_at_every_ply(load: Loader, name: str) -> None:
    """Every position, including partial ones, is equal after JSON, and play continues equally."""
    game, other = load(name, axiom=140), load(name, axiom=140)
    position = game.start()
    for ply in range(16):
        text = position.to_json()
        validate(json.loads(text), schema())
        read_back = Position.from_json(game, text)
        check_same(read_back, position)
        check_same(Position.from_json(other, text), position)
        moves = position.legal_moves
        if position.result is not None or not moves:
            break
        index = 7 * ply % len(moves)
        read_back.push(read_back.legal_moves[index])
        position.push(moves[index])
        check_same(read_back, position)
    assert position.ply > 1


def test_a_document_inside_a_partial_sequence(chain: Game) -> None:
    """The document has `partial`, and the sequence can be continued after reading."""
    position = play(chain.start(), FIRST)
    document = saved(position)
    assert document["partial"] is True
    assert document["player"] == "Red"
    assert document["history"] == [{"player": "Red", "move": FIRST, "index": 0}]
    read_back = play(Position.from_json(chain, position.to_json(indent=2)), SECOND)
    assert (read_back.turn, read_back.is_partial) == ("Blue", False)


def test_a_document_contains_only_changed_cells(chain: Game) -> None:
    """The document contains the cells that differ from memory after loading."""
    position = play(chain.start(), FIRST)
    cells = sum(len(run) for _, run in saved(position)["memory"])
    assert cells < 200


def test_pop_reconstructs_earlier_positions(chain: Game) -> None:
    """Earlier positions are reconstructed by replay."""
    position = chain.start()
    past = [position.copy()]
    for text in (FIRST, SECOND):
        position.push(text)
        past.append(position.copy())
    read_back = Position.from_json(chain, position.to_json())
    read_back.push(read_back.legal_moves[0])
    read_back.pop()
    while past:
        assert read_back == past.pop()
        if past:
            read_back.pop()
    assert read_back.ply == 0


def test_pop_reconstructs_the_start_from_a_setup(chain: Game) -> None:
    """The replay begins with the pieces of the set-up."""
    position = chain.start(setup=[("Red", "Man", "c1"), ("Blue", "Man", "e1")], turn="Blue")
    start = position.copy()
    position.push("e1d1")
    document = position.to_json()
    validate(json.loads(document), schema())
    read_back = Position.from_json(chain, document)
    assert read_back._setup == position._setup
    read_back.pop()
    assert read_back == start


def test_pop_raises_if_the_replay_differs(effects: Game) -> None:
    """If the replay leads to another position, `pop` raises and changes nothing."""
    position = effects.start()
    position.push(position.legal_moves[0])
    position.seed(5)
    read_back = Position.from_json(effects, position.to_json())
    before = read_back.copy()
    with raises(PositionError, "document.cannot-reconstruct-earlier"):
        read_back.pop()
    assert read_back == before
    assert read_back.ply == 1
    document = saved(position)
    document["history"][0]["move"] = "Red stone c1"
    read_back = forthvm.Position.from_json(effects, json.dumps(document))
    with raises(PositionError, "document.is-not-legal"):
        read_back.pop()


def test_changes_by_an_engine_are_saved(effects: Game) -> None:
    """Changes by an engine of the script are part of the position and of the document."""
    position = effects.start()
    with position._in_memory() as native:
        native.execute(effects._loaded.vm.token("random-engine"))
        position._adopt()
    assert position.variables["engine-runs"] == 1
    assert position.variables["game-over-calls"] == 1
    assert saved(position)["played"] is not None
    read_back = Position.from_json(effects, position.to_json())
    check_same(read_back, position)
    position.push(position.legal_moves[2])
    read_back.push(read_back.legal_moves[2])
    check_same(read_back, position)
    assert read_back.variables["engine-runs"] == 1
    position.pop()
    assert position.variables["engine-runs"] == 1


def test_pickled_positions_belong_to_the_same_game(effects: Game) -> None:
    """In the same process, unpickling does not load the game again."""
    position = effects.start()
    position.push(position.legal_moves[3])
    read_back = pickle.loads(pickle.dumps(position))
    assert read_back == position
    assert read_back.history == position.history
    assert read_back.pop().entry == position.history[0]
    first, second = pickle.loads(pickle.dumps((position, position.copy())))
    assert first == second
    assert first.game is second.game


@pytest.mark.slow
def test_another_process_can_unpickle_a_position(tmp_path: Path) -> None:
    """This also works for scripts that read the clock while they are loaded."""
    game = load_text(
        tmp_path,
        "RANDOMIZE VARIABLE when SYSTEM-TIME when !\n" + (FOLDER / "effects.4th").read_text(),
        name="clock.4th",
        output=lambda _text: None,
    )
    position = game.start()
    position.push(position.legal_moves[0])
    (tmp_path / "position").write_bytes(pickle.dumps(position))
    (tmp_path / "position.json").write_text(position.to_json())
    program = (
        "import forthvm, pickle, pathlib, time, sys\n"
        "time.sleep(1.1)\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "game = forthvm.load(folder / 'clock.4th', output=lambda text: None)\n"
        "first = forthvm.Position.from_json(game, (folder / 'position.json').read_text())\n"
        "second = pickle.loads((folder / 'position').read_bytes())\n"
        "assert first == second\n"
        "for position in (first, second):\n"
        "    position.push(position.legal_moves[5])\n"
        "print(first.variables['drawn'], second.variables['drawn'], first.variables['when'])\n"
    )
    completed = run(sys.executable, "-c", program, tmp_path)
    assert completed.stderr == ""
    position.push(position.legal_moves[5])
    drawn = position.variables["drawn"]
    assert completed.stdout.split() == [str(drawn), str(drawn), str(position.variables["when"])]


def test_options_of_the_game_can_be_read_from_a_document(load: Loader) -> None:
    """The options can be read without the game; paths are only in full documents."""
    script = FOLDER / "settings.4th"
    game = forthvm.load(script, settings={"most": 7}, seed=3, axiom=140)
    about = read_about(game.start().to_json())
    assert (about.game, about.seed, about.clock, about.axiom) == ("settings", 3, None, "140")
    assert about.settings == {"most": "7"}
    assert (about.script, about.library) == (None, None)
    assert read_about(game.start()._document(full=True)).script == str(script)
    bundled = forthvm.load("tictactoe").start()._document(full=True)
    assert read_about(bundled).script is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["splut-duel", "ur"])
def test_moves_before_engine_runs_can_be_taken_back(name: str) -> None:
    """A full document contains changes to memory by engines and dice at earlier plies."""
    game = forthvm.load(name, output=lambda _text: None)
    position = game.start()
    for _ in range(8):
        spec = "chance" if position.is_chance else "script:depth=1"
        result = forthvm.engines.get(spec).play(position)
        position.push(result.move)
    text = position._document(full=True)
    validate(json.loads(text), schema())
    other = forthvm.load(name, output=lambda _text: None)
    read_back = Position.from_json(other, text)
    assert read_back._document(full=True) == text
    assert read_back.to_json() == position.to_json()
    for _ in range(8):
        assert str(read_back.pop()) == str(position.pop())
        check_same(read_back, position)
    with raises(PositionError, "document.cannot-reconstruct-earlier"):
        Position.from_json(game, json.dumps(without_engine_changes(text))).pop()


def without_engine_changes(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    for entry in document["history"]:
        entry.pop("left", None)
    return document


def test_documents_of_version_1_can_be_read(load: Loader) -> None:
    """Documents of version 1 contain no settings and paths."""
    game = load("effects")
    document = saved(game.start())
    for key in ("settings", "script", "script_digest", "library"):
        del document[key]
    document["version"] = 1
    assert Position.from_json(game, json.dumps(document)) == game.start()
    assert read_about(json.dumps(document)).settings is None


def test_a_moved_script_is_the_same_game(load: Loader, tmp_path: Path) -> None:
    """The digest depends on contents, not on paths."""
    position = load("effects").start()
    script = tmp_path / "renamed.4th"
    script.write_bytes((FOLDER / "effects.4th").read_bytes())
    assert Position.from_json(forthvm.load(script), position.to_json()) == position

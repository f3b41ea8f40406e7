"""Saved positions: equal after reading; invalid documents are refused."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm.core.errors import PositionDigestError, PositionError
from forthvm.game import Game, Position
from forthvm.game.document.position_json import read_about, schema, write_document
from tests.game_api.conftest import HERE, Loader
from tests.game_api.test_moves import texts
from tests.game_api.test_position import FIRST, SECOND


def saved(position: Position) -> dict[str, Any]:
    """Return the document as Python values."""
    document: dict[str, Any] = json.loads(position.to_json())
    return document


def check_same(one: Position, two: Position) -> None:
    """Check that two positions are equal, with equal moves, results and documents."""
    assert one == two
    assert one.history == two.history
    assert texts(one) == texts(two)
    assert one.result == two.result
    assert one.random_state == two.random_state
    assert one.hash == two.hash
    assert one.to_json() == two.to_json()


GAMES = ["chain", "dice", "effects", "three", "Flips", "Jumps", "Sow", "Teams", "Chains"]


@pytest.mark.parametrize("name", GAMES)
def test_round_trip_at_every_ply(load: Loader, name: str) -> None:
    """Every position, including partial ones, is equal after JSON, and play continues equally."""
    game, other = load(name, axiom=140), load(name, axiom=140)
    position = game.start()
    for ply in range(16):
        text = position.to_json()
        validate(json.loads(text), schema())
        again = Position.from_json(game, text)
        check_same(again, position)
        check_same(Position.from_json(other, text), position)
        moves = position.legal_moves
        if position.result is not None or not moves:
            break
        index = 7 * ply % len(moves)
        again.push(again.legal_moves[index])
        position.push(moves[index])
        check_same(again, position)
    assert position.ply > 1


def test_a_document_inside_a_partial_sequence(chain: Game) -> None:
    """The document has `partial`, and the sequence can be continued after reading."""
    position = chain.start()
    position.push_text(FIRST)
    document = saved(position)
    assert document["partial"] is True
    assert document["player"] == "Red"
    assert document["history"] == [{"player": "Red", "move": FIRST, "index": 0}]
    again = Position.from_json(chain, position.to_json(indent=2))
    again.push_text(SECOND)
    assert (again.turn, again.is_partial) == ("Blue", False)


def test_a_document_contains_only_changed_cells(chain: Game) -> None:
    """It contains the cells that differ from memory after loading."""
    position = chain.start()
    position.push_text(FIRST)
    cells = sum(len(run) for _, run in saved(position)["memory"])
    assert cells < 200


def test_pop_after_reading(chain: Game) -> None:
    """Earlier positions are reconstructed by replay."""
    position = chain.start()
    past = [position.copy()]
    for text in (FIRST, SECOND):
        position.push_text(text)
        past.append(position.copy())
    again = Position.from_json(chain, position.to_json())
    again.push(again.legal_moves[0])
    again.pop()
    while past:
        assert again == past.pop()
        if past:
            again.pop()
    assert again.ply == 0


def test_pop_after_reading_with_a_setup(chain: Game) -> None:
    """The replay begins with the pieces of the set-up."""
    position = chain.start(setup=[("Red", "Man", "c1"), ("Blue", "Man", "e1")], turn="Blue")
    start = position.copy()
    position.push_text("e1d1")
    document = position.to_json()
    validate(json.loads(document), schema())
    again = Position.from_json(chain, document)
    assert again.setup == position.setup
    again.pop()
    assert again == start


def test_pop_raises_if_the_replay_differs(effects: Game) -> None:
    """If the replay leads to another position, `pop` raises and changes nothing."""
    position = effects.start()
    position.push(position.legal_moves[0])
    position.seed(5)
    again = Position.from_json(effects, position.to_json())
    before = again.copy()
    with pytest.raises(PositionError, match="cannot reconstruct earlier positions"):
        again.pop()
    assert again == before
    assert again.ply == 1
    document = saved(position)
    document["history"][0]["move"] = "Red stone c1"
    again = forthvm.Position.from_json(effects, json.dumps(document))
    with pytest.raises(PositionError, match="is not legal"):
        again.pop()


def test_memory_left_by_an_engine_is_saved(effects: Game) -> None:
    """Changes by an engine of the script are part of the position and of the document."""
    position = effects.start()
    with position.enter() as native:
        native.execute(effects.vm.token("think"))
        position.adopt()
    assert position.variables["thoughts"] == 1
    assert position.variables["asked"] == 1
    assert saved(position)["played"] is not None
    again = Position.from_json(effects, position.to_json())
    check_same(again, position)
    position.push(position.legal_moves[2])
    again.push(again.legal_moves[2])
    check_same(again, position)
    assert again.variables["thoughts"] == 1
    position.pop()
    assert position.variables["thoughts"] == 1


def test_pickled_positions_belong_to_the_same_game(effects: Game) -> None:
    """In the same process, unpickling does not load the game again."""
    position = effects.start()
    position.push(position.legal_moves[3])
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert again.history == position.history
    assert again.pop() == position.history[0]
    one, two = pickle.loads(pickle.dumps((position, position.copy())))
    assert one == two
    assert one.game is two.game


def test_another_process_can_unpickle_a_position(tmp_path: Path) -> None:
    """This also works for scripts that read the clock while they are loaded."""
    script = tmp_path / "clock.4th"
    script.write_text(
        "RANDOMIZE VARIABLE when SYSTEM-TIME when !\n" + (HERE / "effects.4th").read_text()
    )
    game = forthvm.load(script, output=lambda _text: None)
    position = game.start()
    position.push(position.legal_moves[0])
    (tmp_path / "position").write_bytes(pickle.dumps(position))
    (tmp_path / "position.json").write_text(position.to_json())
    program = (
        "import forthvm, pickle, pathlib, time, sys\n"
        "time.sleep(1.1)\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "game = forthvm.load(folder / 'clock.4th', output=lambda text: None)\n"
        "one = forthvm.Position.from_json(game, (folder / 'position.json').read_text())\n"
        "two = pickle.loads((folder / 'position').read_bytes())\n"
        "assert one == two\n"
        "for position in (one, two):\n"
        "    position.push(position.legal_moves[5])\n"
        "print(one.variables['drawn'], two.variables['drawn'], one.variables['when'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    position.push(position.legal_moves[5])
    drawn = position.variables["drawn"]
    assert done.stdout.split() == [str(drawn), str(drawn), str(position.variables["when"])]


# --- invalid documents ---------------------------------------------------------------


def test_positions_of_other_sources_or_options_are_refused(load: Loader, tmp_path: Path) -> None:
    """The message names the difference."""
    game = load("effects")
    text = game.start().to_json()
    script = tmp_path / "effects.4th"
    script.write_text((HERE / "effects.4th").read_text() + "\n\\ changed\n")
    with pytest.raises(PositionDigestError, match="other sources"):
        Position.from_json(forthvm.load(script), text)
    with pytest.raises(PositionDigestError, match="axiom=150"):
        Position.from_json(load("effects", axiom=140), text)
    with pytest.raises(PositionDigestError, match=r"without seed; .* with seed=4"):
        Position.from_json(load("effects", seed=4), text)
    with pytest.raises(PositionDigestError, match=r"without clock; .* with clock=4"):
        Position.from_json(load("effects", clock=4), text)


def test_positions_of_another_game_are_refused(load: Loader) -> None:
    """The message names both games."""
    text = load("effects").start().to_json()
    with pytest.raises(PositionDigestError, match="in the game effects; this game is chain"):
        Position.from_json(load("chain"), text)


@pytest.mark.parametrize(
    ("saved", "now", "message"),
    [
        ({"last": "wins"}, {"last": "loses"}, "with last=wins; .* with last=loses"),
        ({"last": "wins"}, {}, "with last=wins; .* without last"),
        ({}, {"most": 7}, "without most; .* with most=7"),
        (
            {"most": 7, "last": "wins"},
            {"last": "wins", "most": 7},
            "order most, last; .* with last, most",
        ),
    ],
)
def test_positions_with_other_settings_are_refused(
    saved: dict[str, Any], now: dict[str, Any], message: str
) -> None:
    """The message names the setting and both values."""
    script = HERE / "settings.4th"
    text = forthvm.load(script, settings=saved).start().to_json()
    with pytest.raises(PositionDigestError, match=message):
        Position.from_json(forthvm.load(script, settings=now), text)


def test_facts_about_the_game_in_a_document(load: Loader) -> None:
    """The options can be read without the game; paths are only in full documents."""
    script = HERE / "settings.4th"
    game = forthvm.load(script, settings={"most": 7}, seed=3, axiom=140)
    about = read_about(game.start().to_json())
    assert (about.game, about.seed, about.clock, about.axiom) == ("settings", 3, None, "140")
    assert about.settings == {"most": "7"}
    assert (about.script, about.library) == (None, None)
    assert read_about(write_document(game.start(), full=True)).script == str(script)
    bundled = write_document(forthvm.load("tictactoe").start(), full=True)
    assert read_about(bundled).script is None


@pytest.mark.parametrize("name", ["splut-duel", "ur"])
def test_moves_before_engine_runs_can_be_taken_back(name: str) -> None:
    """A full document contains the memory that engines and dice left at earlier plies."""
    game = forthvm.load(name, output=lambda _text: None)
    position = game.start()
    for _ in range(8):
        spec = "chance" if position.is_chance else "script:depth=1"
        found = forthvm.engines.get(spec).play(position)
        position.push(found.move)
    text = write_document(position, full=True)
    validate(json.loads(text), schema())
    other = forthvm.load(name, output=lambda _text: None)
    again = Position.from_json(other, text)
    assert write_document(again, full=True) == text
    assert again.to_json() == position.to_json()
    for _ in range(8):
        assert str(again.pop()) == str(position.pop())
        check_same(again, position)
    with pytest.raises(PositionError, match="cannot reconstruct earlier positions"):
        Position.from_json(game, json.dumps(without_left(text))).pop()


def without_left(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    for entry in document["history"]:
        entry.pop("left", None)
    return document


@pytest.mark.parametrize(
    "left", [None, {}, {"memory": []}, {"memory": 1, "stack": []}, {"memory": [], "stack": [""]}]
)
def test_invalid_memory_of_engines_is_refused(chain: Game, left: Any) -> None:  # noqa: ANN401
    """Memory left by engines is checked like other memory."""
    position = chain.start()
    position.push_text(FIRST)
    document = saved(position)
    document["history"][0]["left"] = left
    with pytest.raises(PositionError):
        Position.from_json(chain, json.dumps(document))


def test_wrong_memory_of_engines_affects_only_earlier_positions(chain: Game) -> None:
    """The position itself is valid."""
    position = chain.start()
    position.push_text(FIRST)
    document = saved(position)
    document["history"][0]["left"] = {"memory": [[2**31, [1]]], "stack": []}
    assert Position.from_json(chain, json.dumps(document)) == position
    document["history"][0]["left"] = {"memory": [[1024, [7] * 5000]], "stack": [1]}
    assert Position.from_json(chain, json.dumps(document)) == position


def test_documents_of_version_1_can_be_read(load: Loader) -> None:
    """They contain no settings and paths."""
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
    script.write_bytes((HERE / "effects.4th").read_bytes())
    assert Position.from_json(forthvm.load(script), position.to_json()) == position


def drop(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda document: document.pop(key)


def put(value: Any, *path: Any) -> Callable[[dict[str, Any]], None]:  # noqa: ANN401
    def change(document: Any) -> None:  # noqa: ANN401
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] = value

    return change


SETUP: dict[str, Any] = {"pieces": None, "turn": None, "variables": []}

WRONG = [
    *[drop(key) for key in schema()["required"]],
    put(1, "surprise"),
    put("other", "format"),
    put(3, "version"),
    put(1, "version"),  # it contains fields of version 2
    put(True, "version"),
    put("1", "version"),
    put("abc", "digest"),
    put("0" * 64, "digest"),
    put("F" * 64, "digest"),
    put("0" * 64, "base"),
    put(None, "base"),
    put(7, "game"),
    put(150, "axiom"),
    put("160", "axiom"),
    put("now", "clock"),
    put(1.5, "seed"),
    put(2**70, "load_clock"),
    put(None, "settings"),
    put({"variant": 1}, "settings"),
    put([["variant", "plain"]], "settings"),
    put(1, "script"),
    put([], "library"),
    put({}, "setup"),
    put([["Red", "Man", "a1"]], "setup"),
    put({**SETUP, "pieces": {}}, "setup"),
    put({**SETUP, "pieces": [["Red", "Man"]]}, "setup"),
    put({**SETUP, "pieces": [["Red", "Man", 1]]}, "setup"),
    put({**SETUP, "pieces": [["Red", "Man", "a1"]] * 10000}, "setup"),
    put({**SETUP, "turn": 99}, "setup"),
    put({**SETUP, "turn": "Red"}, "setup"),
    put({**SETUP, "variables": {"n": 1}}, "setup"),
    put({**SETUP, "variables": [["n"]]}, "setup"),
    put({**SETUP, "variables": [["n", 2**40]]}, "setup"),
    put({}, "history"),
    put(["Man a1 - c1 x b1"], "history"),
    put([], "history"),
    put(-2, "history", 0, "index"),
    put(2**40, "history", 0, "index"),
    put(0.0, "history", 0, "index"),
    put("Green", "history", 0, "player"),
    put(["Red"], "history", 0, "player"),
    put(1, "history", 0, "move"),
    put(0, "history", 0, "more"),
    put(0, "ply"),
    put(True, "ply"),
    put(10**9, "ply"),
    put("Blue", "player"),
    put(None, "player"),
    put(2, "turn_number"),
    put(False, "partial"),
    put(1, "partial"),
    put(-1, "skipped"),
    put(True, "skipped"),
    put(10**9, "skipped"),
    put([], "board"),
    put("board", "board"),
    put(0, "board", 2),
    put(2049.0, "board", 2),
    put(False, "board", 0),
    put({}, "memory"),
    put([], "memory"),
    put([1], "memory"),
    put([[64]], "memory"),
    put([[64, []]], "memory"),
    put([[64, 1]], "memory"),
    put([[66, [1]]], "memory"),
    put([[-4, [1]]], "memory"),
    put([[0, [1]]], "memory"),
    put([["64", [1]]], "memory"),
    put([[64.0, [1]]], "memory"),
    put([[2**32 - 4, [1]]], "memory"),
    put([[2**32 - 8, [1, 1]]], "memory"),
    put([[2**40, [1]]], "memory"),
    put([[2**31, [1]]], "memory"),
    put([[1024, [1, 2]], [1028, [1]]], "memory"),
    put([[1028, [1]], [1024, [1]]], "memory"),
    put([[1024, [2**31]]], "memory"),
    put([[1024, [None]]], "memory"),
    put([[1024, [True]]], "memory"),
    put([[1024, [1], 1]], "memory"),
    put(0, "stack"),
    put([2**31], "stack"),
    put(["1"], "stack"),
    put([0] * 6145, "stack"),
    put([], "played"),
    put({"memory": []}, "played"),
    put({"memory": [], "stack": [], "more": 1}, "played"),
    put({"memory": 1, "stack": []}, "played"),
    put({"memory": [], "stack": [[]]}, "played"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_damaged_documents_are_refused(chain: Game, number: int) -> None:
    """Each kind of damage raises PositionError, and the game remains usable."""
    position = chain.start()
    position.push_text(FIRST)
    document = saved(position)
    WRONG[number](document)
    with pytest.raises(PositionError):
        Position.from_json(chain, json.dumps(document))
    assert texts(position) == [SECOND]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        "3",
        '"forthvm-position"',
        "{",
        "\0",
        "[" * 100_000,
        '{"format": NaN}',
        "9" * 10_000,
        b"\xff\xfe\xfd",
        b"",
        '{"format": "forthvm-position"}',
    ],
    ids=range(14),
)
def test_invalid_documents_are_refused(chain: Game, text: str | bytes) -> None:
    """Texts that are not documents raise PositionError."""
    with pytest.raises(PositionError):
        Position.from_json(chain, text)


def test_documents_must_be_text(chain: Game) -> None:
    """Other types raise TypeError."""
    with pytest.raises(TypeError, match="not from dict"):
        Position.from_json(chain, {})  # type: ignore[arg-type]


def test_damaged_memory_never_crashes(chain: Game) -> None:
    """Documents with random memory are refused, or raise errors when they are used."""
    position = chain.start()
    position.push_text(FIRST)
    document = saved(position)
    rng = random.Random(20)
    game = chain.clone()
    limit = game.base.size
    refused = 0
    for _ in range(150):
        bad = json.loads(json.dumps(document))
        runs = {address: cells for address, cells in bad["memory"]}
        for _ in range(rng.randrange(1, 4)):
            cells = rng.choice(list(runs.values()))
            cells[rng.randrange(len(cells))] = rng.choice(
                [0, -1, 4, limit, 2**31 - 1, -(2**31), rng.randrange(limit)]
            )
        if rng.random() < 0.3:
            address = rng.randrange(64, limit) & ~3
            if not any(start <= address < start + 4 * len(c) for start, c in runs.items()):
                runs[address] = [rng.randrange(-(2**31), 2**31)]
        bad["memory"] = [[address, runs[address]] for address in sorted(runs)]
        try:
            again = Position.from_json(game, json.dumps(bad))
            with_moves = list(again.legal_moves.texts)
            if again.result is None and with_moves:
                again.push(again.legal_moves[0])
        except forthvm.ForthVMError:
            refused += 1
    assert refused > 0
    assert texts(game.start()) == [FIRST]


def test_documents_with_random_changes_never_crash(chain: Game) -> None:
    """Reading such a document returns a position or raises PositionError."""
    position = chain.start()
    position.push_text(FIRST)
    text = position.to_json()
    rng = random.Random(3)
    for _ in range(400):
        at = rng.randrange(len(text))
        bad = text[:at] + rng.choice('0123456789-,[]{}"truefalsn ') + text[at + 1 :]
        try:
            forthvm.Position.from_json(chain, bad)
        except PositionError:
            continue
        except forthvm.ForthVMError:
            pytest.fail("reading raised another error")


# --- the schema ------------------------------------------------------------------------


def validate(  # noqa: C901, PLR0912 - a keyword of the schema each
    value: Any,  # noqa: ANN401
    rule: dict[str, Any],
    root: dict[str, Any] | None = None,
) -> None:
    """Validate a value with the keywords of JSON schema that our schema uses."""
    root = root or rule
    if "$ref" in rule:
        validate(value, root["$defs"][rule["$ref"].rsplit("/", 1)[1]], root)
    if "oneOf" in rule:
        fits = 0
        for one in rule["oneOf"]:
            try:
                validate(value, one, root)
            except AssertionError:
                continue
            fits += 1
        assert fits == 1
    kinds = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "boolean": bool,
        "null": type(None),
    }
    if "type" in rule:
        names = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
        assert any(
            isinstance(value, kinds[name]) and (name == "boolean") == isinstance(value, bool)
            for name in names
        ), (value, names)
    if "const" in rule:
        assert value == rule["const"]
    if "enum" in rule:
        assert value in rule["enum"]
    if "pattern" in rule:
        import re

        assert re.search(rule["pattern"], value)
    if isinstance(value, int):
        assert rule.get("minimum", value) <= value <= rule.get("maximum", value)
        assert value % rule.get("multipleOf", 1) == 0
    if isinstance(value, dict):
        assert set(rule.get("required", [])) <= value.keys()
        known = rule.get("properties", {})
        if rule.get("additionalProperties") is False:
            assert value.keys() <= known.keys()
        for key, inner in value.items():
            validate(inner, known.get(key, {}), root)
    if isinstance(value, list):
        assert rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value))
        prefix = rule.get("prefixItems", [])
        for inner, inner_rule in zip(value, prefix, strict=False):
            validate(inner, inner_rule, root)
        for inner in value[len(prefix) :]:
            validate(inner, rule.get("items", {}), root)


def test_the_schema_refuses_damaged_documents(chain: Game) -> None:
    """`validate` and the schema detect wrong types and missing fields."""
    position = chain.start()
    position.push_text(FIRST)
    for damage in (
        put(1, "surprise"),
        drop("stack"),
        put([[66, [1]]], "memory"),
        put(1, "partial"),
    ):
        document = saved(position)
        damage(document)
        with pytest.raises(AssertionError):
            validate(document, schema())

"""Saved positions are refused if they belong to other games or options, or are damaged."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm.core.errors import PositionDigestError, PositionError
from forthvm.game import Game, Position
from forthvm.game.document import schema
from tests.game_api.conftest import FOLDER, Loader
from tests.game_api.documents import saved, validate
from tests.game_api.test_moves import texts
from tests.game_api.test_position import FIRST, SECOND
from tests.kit.cases import each_case
from tests.kit.games import play
from tests.kit.messages import raises


def test_positions_of_other_sources_or_options_are_refused(load: Loader, tmp_path: Path) -> None:
    """The message names the difference."""
    game = load("effects")
    text = game.start().to_json()
    script = tmp_path / "effects.4th"
    script.write_text((FOLDER / "effects.4th").read_text() + "\n\\ changed\n")
    with raises(PositionDigestError, "invalid-documents.other-sources"):
        Position.from_json(forthvm.load(script), text)
    with raises(PositionDigestError, "invalid-documents.other-version"):
        Position.from_json(load("effects", axiom=140), text)
    with raises(PositionDigestError, "invalid-documents.other-seed"):
        Position.from_json(load("effects", seed=4), text)
    with raises(PositionDigestError, "invalid-documents.other-clock"):
        Position.from_json(load("effects", clock=4), text)


def test_positions_of_another_game_are_refused(load: Loader) -> None:
    """The message names both games."""
    text = load("effects").start().to_json()
    with raises(PositionDigestError, "invalid-documents.other-game"):
        Position.from_json(load("chain"), text)


@each_case(
    ("saved", "current", "message"),
    [
        ({"last": "wins"}, {"last": "loses"}, "invalid-documents.with-last-wins-with-last-loses"),
        ({"last": "wins"}, {}, "invalid-documents.with-last-wins-without-last"),
        ({}, {"most": 7}, "invalid-documents.without-most-with-most"),
        (
            {"most": 7, "last": "wins"},
            {"last": "wins", "most": 7},
            "invalid-documents.order-most-last-with-last-most",
        ),
    ],
)
def test_positions_with_other_settings_are_refused(
    saved: dict[str, Any], current: dict[str, Any], message: str
) -> None:
    """The message names the setting and both values."""
    script = FOLDER / "settings.4th"
    text = forthvm.load(script, settings=saved).start().to_json()
    with raises(PositionDigestError, message):
        Position.from_json(forthvm.load(script, settings=current), text)


@pytest.mark.parametrize(
    "left", [None, {}, {"memory": []}, {"memory": 1, "stack": []}, {"memory": [], "stack": [""]}]
)
def test_invalid_memory_of_engines_is_refused(chain: Game, left: Any) -> None:  # noqa: ANN401
    """The field `left` (the changes to memory that engines left) is checked like other memory."""
    position = play(chain.start(), FIRST)
    document = saved(position)
    document["history"][0]["left"] = left
    with pytest.raises(PositionError):
        Position.from_json(chain, json.dumps(document))


def test_wrong_memory_of_engines_affects_only_earlier_positions(chain: Game) -> None:
    """A wrong field `left` prevents only the reconstruction of earlier positions."""
    position = play(chain.start(), FIRST)
    document = saved(position)
    document["history"][0]["left"] = {"memory": [[2**31, [1]]], "stack": []}
    assert Position.from_json(chain, json.dumps(document)) == position
    document["history"][0]["left"] = {"memory": [[1024, [7] * 5000]], "stack": [1]}
    assert Position.from_json(chain, json.dumps(document)) == position


def drop(key: str) -> Callable[[dict[str, Any]], None]:
    """Return a function that removes a field from a document."""
    return lambda document: document.pop(key)


def put(value: Any, *path: Any) -> Callable[[dict[str, Any]], None]:  # noqa: ANN401
    """Return a function that stores a value in a document under a path of keys and indices."""

    def change(document: Any) -> None:  # noqa: ANN401
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] = value

    return change


SETUP: dict[str, Any] = {"pieces": None, "turn": None, "variables": []}

DAMAGES = [
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
    put({**SETUP, "attributes": {"a1": 1}}, "setup"),
    put({**SETUP, "attributes": [["a1", 65536]]}, "setup"),
    put({**SETUP, "attributes": [["z9", 1]]}, "setup"),
    put({**SETUP, "variables": [["nothing", 1]]}, "setup"),
    put({**SETUP, "pieces": [["Red", "Man", "z9"]]}, "setup"),
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


@pytest.mark.sampled(8)
@pytest.mark.parametrize("number", range(len(DAMAGES)))
def test_damaged_documents_are_refused(chain: Game, number: int) -> None:
    """Each kind of damage raises PositionError, and the game remains usable."""
    position = play(chain.start(), FIRST)
    document = saved(position)
    DAMAGES[number](document)
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
    with raises(TypeError, "invalid-documents.not-from-dict"):
        Position.from_json(chain, {})  # type: ignore[arg-type]


def test_damaged_memory_never_crashes(chain: Game) -> None:
    """Documents with random memory are refused, or raise errors when they are used."""
    position = play(chain.start(), FIRST)
    document = saved(position)
    rng = random.Random(20)
    game = chain.clone()
    limit = game._loaded.base.size
    refused = 0
    for _ in range(150):
        damaged = json.loads(json.dumps(document))
        runs = {address: cells for address, cells in damaged["memory"]}
        for _ in range(rng.randrange(1, 4)):
            cells = rng.choice(list(runs.values()))
            cells[rng.randrange(len(cells))] = rng.choice(
                [0, -1, 4, limit, 2**31 - 1, -(2**31), rng.randrange(limit)]
            )
        if rng.random() < 0.3:
            address = rng.randrange(64, limit) & ~3
            if not any(start <= address < start + 4 * len(c) for start, c in runs.items()):
                runs[address] = [rng.randrange(-(2**31), 2**31)]
        damaged["memory"] = [[address, runs[address]] for address in sorted(runs)]
        try:
            position_read = Position.from_json(game, json.dumps(damaged))
            moves = list(position_read.legal_moves.texts)
            if position_read.result is None and moves:
                position_read.push(position_read.legal_moves[0])
        except forthvm.ForthVMError:
            refused += 1
    assert refused > 0
    assert texts(game.start()) == [FIRST]


def test_documents_with_random_changes_never_crash(chain: Game) -> None:
    """Reading a changed document returns a position or raises PositionError."""
    position = play(chain.start(), FIRST)
    text = position.to_json()
    rng = random.Random(3)
    for _ in range(400):
        at = rng.randrange(len(text))
        changed = text[:at] + rng.choice('0123456789-,[]{}"truefalsn ') + text[at + 1 :]
        try:
            forthvm.Position.from_json(chain, changed)
        except PositionError:
            continue
        except forthvm.ForthVMError:
            pytest.fail("reading raised another error")


def test_the_schema_refuses_damaged_documents(chain: Game) -> None:
    """`validate` and the schema detect wrong types and missing fields."""
    position = play(chain.start(), FIRST)
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

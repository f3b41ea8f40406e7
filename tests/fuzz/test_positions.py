"""Fuzz tests of damaged saved positions."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

import forthvm
from tests.fuzz.harness import number_from_environment, run, seed

CASES = number_from_environment("FORTHVM_FUZZ_POSITIONS", 50)
GAMES = ("tictactoe", "breakthrough", "draughts", "ur")
COMMANDS = (
    ["moves"],
    ["moves", "--json"],
    ["moves", "--explain"],
    ["show"],
    ["show", "--svg", "-"],
    ["perft", "1"],
    ["run", "--auto", "--max-plies", "3", "--engine", "random"],
    ["run", "--max-plies", "2"],
    ["think", "--engine", "negamax:depth=1"],
    ["explain", "x"],
)
UNEXPECTED_VALUES: tuple[object, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2**31 - 1,
    -(2**31),
    2**31,
    2**63,
    10**400,
    1.5,
    float("nan"),
    float("inf"),
    1e308,
    "",
    "\x1b[2J\u202e",
    "\ud800",
    "x" * 5000,
    [],
    {},
    [[]],
    [0, [0]],
)


def saved_positions() -> dict[str, str]:
    """Return a position of each game after a few moves, as JSON."""
    texts = {}
    for name in GAMES:
        position = forthvm.load(name, output=lambda _text: None).start()
        for _ in range(3):
            position.push(position.legal_moves[0])
        texts[name] = position.to_json()
    return texts


def value_paths(node: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value in a document."""
    found = [path] if path else []
    items: Any = ()
    if isinstance(node, dict):
        items = node.items()
    elif isinstance(node, list):
        items = enumerate(node)
    for key, value in items:
        found += value_paths(value, (*path, key))
    return found


def edited(text: str, random: Random) -> str:
    """Return the document with some values replaced, removed, repeated or changed slightly."""
    document = json.loads(text)
    for _ in range(random.choice((1, 1, 2, 5))):
        paths = value_paths(document)
        if not paths:
            break
        top_level = random.choice([path for path in paths if len(path) == 1])
        *parents, last = random.choice((top_level, random.choice(paths)))
        container = document
        for key in parents:
            container = container[key]
        value = container[last]
        kind = random.randrange(5)
        if kind == 0:
            del container[last]
        elif kind == 1 and isinstance(container, list):
            container.insert(last, value)
        elif kind == 2 and isinstance(value, int):
            container[last] = value + random.choice((-1, 1, 4, -4, 2**16))
        elif kind == 3 and isinstance(value, str):
            container[last] = value + random.choice(("\x1b", " ", "\ud800", "a"))
        else:
            container[last] = deepcopy(random.choice(UNEXPECTED_VALUES))  # a later edit changes it
    return json.dumps(document)


def with_changed_memory(text: str, random: Random) -> str:
    """Return the document with changed memory cells; the result still has a valid format."""
    document = json.loads(text)
    # "played": the memory after engines of the script ran in the position, None if none ran.
    state = document if document["played"] is None or random.random() < 0.5 else document["played"]
    for _ in range(random.choice((1, 3, 20))):
        if not state["memory"]:
            break
        cells = random.choice(state["memory"])[1]
        at = random.randrange(len(cells))
        values = (0, -1, 1, -5, 2**31 - 1, -(2**31), cells[at] + 4, cells[at] ^ 0x10000)
        cells[at] = max(-(2**31), min(random.choice(values), 2**31 - 1))
    return json.dumps(document)


def scrambled(text: str, random: Random) -> str:
    """Return the text truncated, nested deeply, with another character or with a long number."""
    kind = random.randrange(4)
    at = random.randrange(len(text))
    if kind == 0:
        return text[:at]
    if kind == 1:
        return "[" * 100_000 + text
    if kind == 2:
        return text[:at] + random.choice('{}[],:"0\\\x00é\x1b') + text[at + 1 :]
    return text[:at] + "9" * 5000 + text[at:]


@pytest.mark.slow
def test_damaged_positions_give_an_error_message(tmp_path: Path) -> None:
    random = Random(seed())
    texts = saved_positions()
    path = tmp_path / "position.json"
    for case in range(CASES):
        name = random.choice(GAMES)
        damage = random.choice(
            (edited, edited, with_changed_memory, with_changed_memory, scrambled)
        )
        path.write_text(damage(texts[name], random), encoding="utf-8", errors="surrogatepass")
        command, *more = random.choice(COMMANDS)
        try:
            options = ("--position", str(path), "--max-steps", "200000")
            run(command, name, *more, *options, text="undo\nundo\nmoves\nquit\n")
        except BaseException as error:
            error.add_note(f"case {case}: {command} {name} {more}, {damage.__name__}")
            raise

"""The worker that loads games in the playground, in node: its tables equal those of forthvm."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm.cli import main
from forthvm.core.errors import ForthVMError
from forthvm.web.modules import join_modules
from forthvm.web.offline.export import CORE
from forthvm.web.playground import static_page
from tests.kit.every_game import BUNDLED
from tests.kit.games import load_text
from tests.web.exported import needs_core, needs_node, run_in_node

pytestmark = [needs_core, needs_node]

RULE_FILES = Path(__file__).parents[1] / "zrf" / "games"
LOADER = Path(static_page.__file__).with_name("loader.js")
PRELUDE = "globalThis.self = { postMessage: (message) => console.log(JSON.stringify(message)) };\n"
RUN = """
{
const fs = require("node:fs");
const [wasm, data, requests] = process.argv.slice(2);
const { library, looks, engines } = JSON.parse(fs.readFileSync(data, "utf8"));
const module = new WebAssembly.Module(fs.readFileSync(wasm));
const begin = { do: "begin", wasm: module, texts: library, looks, engines };
[begin, ...JSON.parse(fs.readFileSync(requests, "utf8"))]
  .forEach((request, id) => self.onmessage({ data: { id, ...request } }));
}
"""
UNCOMPUTED = {"countsTurns"}  # Python analyses the script; the page assumes the safe value


def answers(folder: Path, requests: Iterable[dict[str, object]]) -> list[dict[str, Any]]:
    """Send requests to the worker; return its answers."""
    script, data, sent = folder / "loader.js", folder / "data.json", folder / "requests.json"
    script.write_text(PRELUDE + join_modules(LOADER) + RUN, encoding="utf-8")
    data.write_text(json.dumps(static_page._data({})), encoding="utf-8")
    sent.write_text(json.dumps(list(requests)), encoding="utf-8")
    found = run_in_node(script, CORE, data, sent)[1:]
    assert not [answer["error"] for answer in found if "error" in answer]
    return [answer["value"] for answer in found]


def load(text: str, other: str = "", example: object = None) -> dict[str, object]:
    """Return the request to load game.4th, with another file beside it."""
    files = [{"name": "game.4th", "text": text}, {"name": "other.4th", "text": other}]
    return {"do": "load", "files": files, "main": "game.4th", "example": example}


def line(text: str, moves: Sequence[str] = ()) -> dict[str, object]:
    """Return the request to interpret a line after the first legal moves, given by their texts."""
    made = [{"player": "", "text": one, "index": 0, "drawn": False} for one in moves]
    return {"do": "line", "text": text, "seed": 1, "moves": made}


@pytest.mark.sampled(19)
@pytest.mark.parametrize("part", range(19))
def test_the_tables_of_every_game(tmp_path: Path, part: int) -> None:
    examples = [static_page._example(game) for game in BUNDLED[part::19]]
    requests = [
        {"do": "load", "files": one["files"], "main": one["main"], "example": one}
        for one in examples
    ]
    for example, answer in zip(examples, answers(tmp_path, requests), strict=True):
        place = example["name"]
        assert answer["problem"] is None, place
        expected = json.loads(json.dumps({"tables": example["tables"], "game": example["game"]}))
        tables, message = answer["game"]["tables"], answer["game"]["message"]
        assert tables.keys() == expected["tables"].keys()
        for key in tables.keys() - UNCOMPUTED:
            assert tables[key] == expected["tables"][key], f"{key} of {place}"
        for key, value in expected["game"].items():
            assert message[key] == value, f"{key} of {place}"
        assert answer["game"]["engines"] == example["engines"], place


FAILING = [
    ("1 2 +\n  no-such-word", ""),
    (": f ( -- ) DROP DROP ;\n\n: g ( -- ) f ;\ng", ""),
    (": f ( n -- ) 0 / ;\n1 f", ""),
    ("{board\n3 3 {grid}\n", ""),
    ("\\ été\nLOAD Other.4th", "\\ comment\n\n  ABORT"),
    ("LOAD other.4th\nquarter", ": half ( -- ) 1 0 MOD ;\n: quarter ( -- ) half ;"),
    ("LOAD missing.4th", ""),
]
"""The texts of game.4th and other.4th."""


def test_errors_have_the_places_that_forthvm_reports(tmp_path: Path) -> None:
    game = tmp_path / "game.4th"
    requests = [load(text, other) for text, other in FAILING]
    for (text, other), answer in zip(FAILING, answers(tmp_path, requests), strict=True):
        game.write_text(text, encoding="utf-8")
        game.with_name("other.4th").write_text(other, encoding="utf-8")
        with pytest.raises(ForthVMError) as raised:
            forthvm.load(game)
        assert answer["game"] is None
        location, place = raised.value.location, answer["problem"]["place"]
        if location is None:
            assert place is None, text
            continue
        assert place["file"] == Path(location.file).name
        source = {"game.4th": text, "other.4th": other}[place["file"]]
        before = source[: place["from"]]
        assert before.count("\n") + 1 == location.line, text
        assert len(before) - (before.rfind("\n") + 1) + 1 == location.column, text
        assert place["to"] - place["from"] == location.length, text


def test_the_console_keeps_the_stack_and_limits_output(tmp_path: Path) -> None:
    lines = ["1 2 3", "+ .", "nonsense", ': many 9999 0 DO ." abc" LOOP ; many', "DROP DROP"]
    found = answers(tmp_path, [load(": double DUP + ;"), *map(line, lines)])
    assert found[0]["game"] is None  # words without a board are no game, and no error
    assert found[0]["problem"] is None
    assert found[1]["stack"] == {"depth": 3, "cells": [1, 2, 3]}
    assert (found[2]["output"].strip(), found[2]["stack"]["cells"]) == ("5", [1])
    assert found[3]["problem"]["text"] == "undefined word: nonsense"
    assert found[3]["stack"]["cells"] == [1]
    assert len(found[4]["output"]) == 20_001
    assert found[5]["problem"] is not None


def test_too_much_memory_is_refused(tmp_path: Path) -> None:
    text = "1000000000 ALLOT"
    found = answers(tmp_path, [load(text), load(": seven 7 ;"), line(text)])
    assert "memory" in found[0]["problem"]["text"]
    assert found[1]["problem"] is None
    assert "memory" in found[2]["problem"]["text"]


def test_the_console_begins_at_the_start_of_the_game(tmp_path: Path) -> None:
    text = "a1 piece-at 0= . turn-number ."
    found = answers(tmp_path, [load(board_game("3 2 {grid}")), line(text)])
    assert found[0]["stack"] == {"depth": 0, "cells": []}
    assert found[1]["problem"] is None
    assert found[1]["output"].split() == ["-1", "1"]


def test_an_unfinished_definition_is_dropped(tmp_path: Path) -> None:
    found = answers(tmp_path, [load(""), line(": f 1"), line("2"), line("{board 1 1")])
    assert [answer["problem"] is None for answer in found] == [True, True, True, False]
    assert found[2]["stack"]["cells"] == [2]


def test_lines_beyond_a_limit_cannot_be_undone(tmp_path: Path) -> None:
    many = [line(f": word{at} {at} ;") for at in range(300)]
    large = [line("50000000 ALLOT 1 HERE 4 - !"), line("1"), line("2")]
    calls = [line("word0 word299"), *large, {"do": "undo"}, line("word0", ["first"])]
    found = answers(tmp_path, [load(board_game("2 2 {grid}")), *many, *calls])
    assert found[300]["undoable"] == 200
    assert found[301]["stack"]["cells"] == [0, 299]
    assert len(found[301]["definitions"]) == 300
    assert found[304]["undoable"] == 4  # each could need 64 MB
    assert found[305]["undone"] == "2"
    assert found[306]["ply"] == 1
    assert found[306]["stack"]["cells"] == [0]


def board_game(board: str) -> str:
    """Return a game on a board, in which stones are put on squares."""
    return f"""
{{board {board} board}}
{{players {{player}} White {{player}} Black players}}
{{turn-order {{turn}} White {{turn}} Black turn-order}}
: put ( -- ) empty? verify drop add-move ;
{{moves puts {{move}} put moves}}
{{pieces {{piece}} Knight {{drops}} puts {{piece}} Oddity {{drops}} puts pieces}}
"""


def test_boards_without_a_drawing(tmp_path: Path) -> None:
    named = " ".join(f"{{position}} {name}" for name in ("b2", "a1", "a2", "b1", "home"))
    grid, other = answers(tmp_path, [load(board_game("2 3 {grid}")), load(board_game(named))])
    squares = grid["game"]["message"]["board"]["squares"]
    assert [square["name"] for square in squares] == ["a2", "b2", "c2", "a1", "b1", "c1"]
    assert [square["centre"] for square in squares[::3]] == [[1, 1], [1, 2]]
    labels = [label["text"] for label in grid["game"]["message"]["board"]["labels"]]
    assert labels == ["2", "1", "a", "b", "c"]
    places = {one["name"]: one for one in other["game"]["message"]["board"]["squares"]}
    assert places["b2"]["centre"] == [2, 1]
    assert places["a1"]["centre"] == [1, 2]
    assert places["home"]["beside"]
    assert grid["game"]["engines"]["level:9"] == "mixed:engine=mcts,playouts=1000"
    assert len(grid["game"]["message"]["levels"]) == 9
    looks = grid["game"]["tables"]["looks"]["White"]
    assert looks["Knight"]["symbol"] == "chess/knight"
    assert looks["Oddity"] == {"label": "Oddity", "symbol": None}
    assert {"chess/knight", "base/circle"} <= grid["game"]["message"]["symbols"].keys()


PATTERNS = ["-Kn*t", "~*", "?Kn*ghty -a*", "-*1* b1", "-a**2", "~Odd*y*", "-$x* -.*", "-K*t*t"]


def test_patterns_in_on_show(tmp_path: Path) -> None:
    texts = [board_game("2 2 {grid}") + f': OnShow ." {printed}" ;' for printed in PATTERNS]
    for text, answer in zip(texts, answers(tmp_path, map(load, texts)), strict=True):
        shown = load_text(tmp_path, text).start()._shown()
        tables = answer["game"]["tables"]
        assert tables["hidden"] == sorted(shown.hidden), text
        assert tables["hiddenTypes"] == sorted(shown.hidden_types), text
        assert tables["private"] == sorted(shown.private), text
        assert tables["secret"] == sorted(shown.secret), text


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["breakthrough", "chess", "english-draughts"])
def test_converted_rule_files(tmp_path: Path, name: str) -> None:
    rules, script = RULE_FILES / f"{name}.zrf", tmp_path / "game.4th"
    assert main(["convert", str(rules), "-o", str(script)]) == 0
    (answer,) = answers(tmp_path, [load(script.read_text(encoding="utf-8"))])
    assert answer["problem"] is None
    tables, game = answer["game"]["tables"], forthvm.load(script)
    assert tables["names"] == list(game.positions)
    assert tables["hidden"] == sorted(game.start()._shown().hidden)


def test_names_of_properties_are_names(tmp_path: Path) -> None:
    text = board_game("1 2 {grid}").replace("Oddity", "constructor").replace("Black", "__proto__")
    (answer,) = answers(tmp_path, [load(text)])
    assert answer["problem"] is None
    tables = answer["game"]["tables"]
    assert [owner["name"] for owner in tables["owners"]] == ["White", "__proto__"]
    assert tables["looks"]["__proto__"]["constructor"] == {"label": "constructor", "symbol": None}


def test_a_changed_example_keeps_the_drawings_that_fit(tmp_path: Path) -> None:
    (chess,) = (static_page._example(game) for game in BUNDLED if game.name == "chess")
    files = [{**file, "text": file["text"].replace("pawn", "footman")} for file in chess["files"]]
    request = {"do": "load", "files": files, "main": chess["main"], "example": chess}
    (answer,) = answers(tmp_path, [request])
    message, tables = answer["game"]["message"], answer["game"]["tables"]
    assert message["board"] == json.loads(json.dumps(chess["game"]["board"]))
    assert message["material"] == []
    assert tables["looks"]["White"]["king"] == chess["tables"]["looks"]["White"]["king"]
    assert tables["looks"]["White"]["footman"]["label"] == "footman"

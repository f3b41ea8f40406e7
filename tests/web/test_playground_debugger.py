"""The debugger of the playground, in node: it stops where the debugger of forthvm stops."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm import debug
from forthvm.core.location import Location
from forthvm.debug.generation.move_code import unfinished_move_code
from forthvm.debug.source_map.code_map import CodeMap
from forthvm.web.modules import join_modules
from forthvm.web.offline.export import CORE
from forthvm.web.playground import static_page
from tests.web.exported import needs_core, needs_node, run_in_node
from tests.web.test_playground_loader import PRELUDE, answers

pytestmark = [needs_core, needs_node]

DEBUGGER = Path(static_page.__file__).with_name("debugger.js")
RUN = """
{
const fs = require("node:fs");
const [wasm, loading, requests] = process.argv.slice(2);
const load = JSON.parse(fs.readFileSync(loading, "utf8"));
const module = new WebAssembly.Module(fs.readFileSync(wasm));
[{ do: "load", wasm: module, ...load }, ...JSON.parse(fs.readFileSync(requests, "utf8"))]
  .forEach((request, id) => self.onmessage({ data: { id, ...request } }));
}
"""
UNDER_CONSTRUCTION = 0x60
"""The address of the cell with the address of the move under construction (FVM_K_BUILD)."""
START: dict[str, object] = {"do": "begin", "seed": None, "moves": [], "breakpoints": []}
STEPS = 150
"""How many steps are compared in each game."""


class Page:
    """A game in the playground, as the worker that loads games describes it."""

    def __init__(self, folder: Path, example: dict[str, Any]) -> None:
        request = {"do": "load", **{key: example[key] for key in ("files", "main")}}
        (self.loaded,) = answers(folder, [{**request, "example": example.get("example")}])
        self.folder = folder

    def debug(self, requests: Sequence[dict[str, object]]) -> list[dict[str, Any]]:
        """Send requests to the debugger; return its answers."""
        script, loading, sent = (self.folder / name for name in ("debugger.js", "load.json", "r"))
        script.write_text(PRELUDE + join_modules(DEBUGGER) + RUN, encoding="utf-8")
        game = self.loaded["game"] or {}
        load = {"program": game["program"], "tables": game.get("tables")}
        loading.write_text(json.dumps(load), encoding="utf-8")
        sent.write_text(json.dumps(requests), encoding="utf-8")
        found = run_in_node(script, CORE, loading, sent)
        assert not [answer["error"] for answer in found if "error" in answer]
        return [answer["value"] for answer in found[1:]]


def bundled(name: str) -> dict[str, Any]:
    """Return the files of a bundled game."""
    entry = next(game for game in static_page.list_games() if game.name == name)
    example = static_page._example(entry)
    return {**example, "example": example}


def going(how: str, *, by_line: bool = False, times: int = 1) -> list[dict[str, object]]:
    """Return requests to continue."""
    return [{"do": "continue", "how": how, "byLine": by_line}] * times


def place_of(location: Location | None) -> tuple[str, int, int] | None:
    """Return file, line and length of a token."""
    if location is None:
        return None
    return Path(location.file).name, location.line, location.length


def native(session: debug.Session) -> dict[str, object]:
    """Return what both debuggers show, from the state of a session.

    The board of the page does not have the board positions that players do not see.
    """
    state, board = session.state, session.board()
    generation = state.generation_state
    assert generation is not None
    assert board is not None
    hidden = session.target.position._shown().hidden
    shown = 32  # items of the stack
    game, vm = session.target.position.game, session.target.vm.native
    code = session.call(lambda: unfinished_move_code(game, vm, vm.read_cell(UNDER_CONSTRUCTION)))
    return {
        "step": state.step,
        "place": place_of(state.location),
        "token": state.token,
        "word": state.word,
        "stack": [state.depth, state.stack[-shown:], state.names[-shown:]],
        "callers": [(caller.word, place_of(caller.location)) for caller in state.callers],
        "generation": vars(generation),
        "move": code,
        "pieces": sorted(
            (one.square, one.type, one.player) for one in board.pieces if one.square not in hidden
        ),
    }


def in_page(view: dict[str, Any]) -> dict[str, object]:
    """Return the same from an answer of the page's debugger."""
    state, scene = view["state"], view["scene"]

    def place(found: dict[str, Any] | None) -> tuple[str, int, int] | None:
        return found and (found["file"], found["line"], found["to"] - found["from"])

    stack, generation = state["stack"], dict(state["generation"])
    generation["origin"] = generation.pop("from")
    return {
        "step": state["step"],
        "place": place(state["place"]),
        "token": state["token"],
        "word": state["word"],
        "stack": [stack["depth"], tuple(stack["cells"]), tuple(stack["names"])],
        "callers": [(caller["word"], place(caller["place"])) for caller in state["callers"]],
        "generation": generation,
        "move": (state["move"]["code"], tuple(state["move"]["changed"])),
        "pieces": sorted((one["square"], one["type"], one["player"]) for one in scene["pieces"]),
    }


@pytest.mark.sampled(13)
@pytest.mark.parametrize("name", ["tictactoe", "chess", "splut", "rithmomachia"])
@pytest.mark.parametrize("how", ["step", "over"])
@pytest.mark.parametrize("by_line", [False, True])
def test_steps_forward_and_back(tmp_path: Path, name: str, how: str, by_line: bool) -> None:
    back = {"step": "back", "over": "back over"}[how]
    page = Page(tmp_path, bundled(name))
    forward = going(how, by_line=by_line, times=STEPS)
    begun, *views = page.debug([START, *forward, *going(back, by_line=by_line, times=STEPS // 3)])
    unit = "line" if by_line else "token"
    with debug.Session(debug.moves_target(forthvm.load(name).start()), record=False) as session:
        session.step()
        assert in_page(begun) == native(session)
        for at, view in enumerate(views):
            if at >= STEPS:
                session.back(unit=unit, over=how == "over")
            else:
                (session.step if how == "step" else session.over)(unit=unit)
            assert in_page(view) == native(session), at


def lines_of(example: dict[str, Any], name: str) -> list[dict[str, object]]:
    """Return the first lines of a file, and those after them in long distances."""
    (text,) = (file["text"] for file in example["files"] if file["name"] == name)
    return [{"file": name, "line": line} for line in range(1, text.count("\n") + 1)]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("tictactoe", "tictactoe.4th"),
        ("chess", "moves.4th"),
        ("chess", "check.4th"),
        ("splut", "splut.4th"),
        ("rithmomachia", "rithmomachia.4th"),
    ],
)
def test_lines_with_code(tmp_path: Path, name: str, file: str) -> None:
    example = bundled(name)
    lines = lines_of(example, file)
    page = Page(tmp_path, example)
    (begun,) = page.debug([{**START, "breakpoints": lines}])
    found = {point["line"]: point["problem"] for point in begun["unreachable"]}
    expected = {"": "", "runs only": "only-loading", "has no code": "no-code"}
    code = CodeMap(forthvm.load(name)._loaded.vm)
    source = code.file_named(file)
    for line in range(1, len(lines) + 1):
        problem = code.find_code(source, line, loads=False).problem
        (wanted,) = (
            value for key, value in expected.items() if (key in problem if key else not problem)
        )
        assert found.get(line, "") == wanted, line


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("name", "file", "every"),
    [
        ("tictactoe", "tictactoe.4th", 1),
        ("chess", "moves.4th", 3),
        ("chess", "check.4th", 7),
        ("splut", "splut.4th", 5),
        ("rithmomachia", "rithmomachia.4th", 9),
    ],
)
def test_breakpoints_on_lines(tmp_path: Path, name: str, file: str, every: int) -> None:
    example = bundled(name)
    lines = lines_of(example, file)[::every]
    page = Page(tmp_path, example)
    stops = 40
    requests = [*going("go", times=stops), *going("back go", times=stops // 2)]
    _, *views = page.debug([{**START, "breakpoints": lines}, *requests])
    with debug.Session(debug.moves_target(forthvm.load(name).start()), record=False) as session:
        session.step()
        for point in lines:
            session.add_line_breakpoint(file, int(str(point["line"])))
        for at, view in enumerate(views):
            (session.continue_ if at < stops else session.reverse_continue)()
            assert view["state"]["reason"] == session.state.reason, at
            assert in_page(view)["step"] == session.state.step, at
            assert in_page(view)["place"] == place_of(session.state.location), at


REFUSED = {
    "tictactoe": (["b2"], [["b2"]]),
    "chess": (
        [],
        [["a1", "a4"], ["g1", "e2"], ["e1", "e3"], ["d1", "d5"], ["e2", "e5"], ["b1", "b3"]],
    ),
    "breakthrough": ([], [["a1", "a2"], ["a2", "a4"], ["b2", "c4"]]),
    "rithmomachia": ([], []),
}
"""Moves to make in games, and squares whose moves are refused then."""


@pytest.mark.parametrize(
    "name",
    [
        name if name == "breakthrough" else pytest.param(name, marks=pytest.mark.slow)
        for name in REFUSED
    ],
)
def test_refused_moves(tmp_path: Path, name: str) -> None:
    made, refused = REFUSED[name]
    page = Page(tmp_path, bundled(name))
    position = forthvm.load(name).start()
    moves = []
    for text in made:
        (index,) = (at for at, move in enumerate(position.legal_moves.texts) if text in move)
        moves.append({"text": "", "player": "", "index": index, "drawn": False})
        position.push(position.legal_moves[index])
    if name == "rithmomachia":
        squares = [square for square, piece in position.board.items() if piece][:6]
        refused = [[one, other] for one in squares[:3] for other in squares[3:]]
    request = {"do": "why not", "seed": None, "moves": moves}
    found = page.debug([{**request, "squares": squares} for squares in refused])
    for squares, answer in zip(refused, found, strict=True):
        result = forthvm.why_not(position, " ".join(squares), seconds=0)
        assert (answer["kind"] == "refused") == (result.kind == "refused"), (squares, result)
        if result.kind != "refused":
            continue
        expected = [
            (
                one.word,
                one.move,
                [(r.kind, r.condition, r.word, r.here, place_of(r.location)) for r in one.refusals],
            )
            for one in result.answers
        ]
        keys = ("kind", "condition", "word", "here")
        got = [
            (
                one["word"],
                one["move"],
                [
                    (
                        *(r[key] for key in keys),
                        (place := r["place"])
                        and (place["file"], place["line"], place["to"] - place["from"]),
                    )
                    for r in one["refusals"]
                ],
            )
            for one in answer["answers"]
        ]
        assert got == expected, squares

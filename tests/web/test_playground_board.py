"""The boards of scripts in the playground: they are drawn as forthvm draws them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm.game import Game
from forthvm.render.board import board_of
from forthvm.render.places import layout_of
from forthvm.web.offline.game_texts import main_and_texts
from forthvm.zrf.loading import compile_file
from tests.kit.every_game import BUNDLED, OTHER_GAMES
from tests.kit.games import load_text
from tests.web.exported import needs_core, needs_node
from tests.web.test_playground_loader import answers

pytestmark = [needs_core, needs_node]

GAME = """
{{board {board} board}}
{{directions {directions} directions}}
{{players {{player}} White {{player}} Black players}}
{{turn-order {{turn}} White {{turn}} Black turn-order}}
: put ( -- ) empty? verify drop add-move ;
{{moves puts {{move}} put moves}}
{{pieces {{piece}} stone {kind} puts pieces}}
{setup}
"""
STRAIGHT = "-1 0 {direction} n 1 0 {direction} s 0 1 {direction} e 0 -1 {direction} w"
SIX = f"{STRAIGHT} -1 1 {{direction}} ne 1 -1 {{direction}} sw"


def named(names: str) -> str:
    return " ".join(f"{{position}} {name}" for name in names.split())


def linked(pairs: str) -> str:
    """Return the links between pairs of positions such as `a1-a4`, both ways."""
    both = [pair.split("-") for pair in pairs.split()]
    return " ".join(f"{{link}} yonder {one} {to} {{link}} hither {to} {one}" for one, to in both)


MILL = "a1 a4 a7 b2 b4 b6 c3 c4 c5 d1 d2 d3 d5 d6 d7 e3 e4 e5 f2 f4 f6 g1 g4 g7"
MILL_LINES = """
a1-a4 a4-a7 b2-b4 b4-b6 c3-c4 c4-c5 e3-e4 e4-e5 f2-f4 f4-f6 g1-g4 g4-g7
d1-d2 d2-d3 d5-d6 d6-d7 a1-d1 d1-g1 b2-d2 d2-f2 c3-d3 d3-e3 a4-b4 b4-c4
e4-f4 f4-g4 c5-d5 d5-e5 b6-d6 d6-f6 a7-d7 d7-g7
"""
DARK = " ".join(f"{'abcdefgh'[x]}{y}" for y in range(1, 9) for x in range(8) if (x + y) % 2)
ALQUERQUE = " ".join(
    f"{{link}} {name} {'abcde'[x]}{y + 1} {'abcde'[x + right]}{y + up + 1}"
    for name, right, up in (("ne", 1, 1), ("nw", -1, 1), ("se", 1, -1), ("sw", -1, -1))
    for x in range(5)
    for y in range(5)
    if (x + y) % 2 == 0 and 0 <= x + right < 5 and 0 <= y + up < 5
)
BOARDS = {
    "names that say nothing": (named("hill farm mill"), ""),
    "words that are shared": (named("red-1 red-2 blue-1 blue-2 pool"), ""),
    "hands of players": ("3 3 {grid} " + named("White-hand BlackHand pool market-1 market-2"), ""),
    "many places": (named(" ".join(f"place{at}" for at in range(40))), ""),
    "one position": (named("here"), ""),
    "named squares": (named("b2 a1 a2 b1 home"), ""),
    "capital letters": (named("A1 A2 B1 B2"), STRAIGHT),
    "rows from the top": ("$flipGrid ON " + named("a1 a2 b1 b2 c2"), ""),
    "few names of squares": (named("a1 h8 north south"), ""),
    "letters and numbers twice": (named("a1 A1 a2 b2"), ""),
    "a mill": (named(MILL), linked(MILL_LINES)),
    "dark squares": (named(DARK), ""),
    "hexagons": ("5 5 {grid}", SIX),
    "hexagons of the other slant": (
        "5 5 {grid}",
        SIX.replace("-1 1", "-1 -1").replace("1 -1 {", "1 1 {"),
    ),
    "few hexagons": ("2 3 {grid}", SIX),
    "a grid with diagonals": ("5 5 {grid}", f"{STRAIGHT} {ALQUERQUE}"),
    "a wide grid": ("2 30 {grid}", STRAIGHT),
    "go": ("9 9 {grid}", STRAIGHT),
    "pairs far apart": (named("a1 c1 e1 a3 c3 e3"), linked("a1-c1 c1-e1 a3-c3 c3-e3 a1-a3")),
    "a part of a grid": (
        "6 6 {grid}",
        linked("b2-b3 b3-b4 b4-c4 c4-d4 d4-d3 d3-d2 d2-c2 c2-b2 c2-c3 c3-c4 b3-c3 c3-d3 d3-e3"),
    ),
}


def native_board(game: Game) -> dict[str, Any]:
    """Return the board that forthvm draws, with all places beside it."""
    hidden = game.start()._shown().hidden
    coordinates = layout_of(game).coordinates
    beside = {
        name
        for name, at in game._loaded.position_index.items()
        if not coordinates[at] and name not in {"??", *hidden}
    }
    pieces = {name for name, _ in game.start().board.occupied() if name not in hidden}
    board = board_of(
        game, hidden=hidden, needed=beside | pieces, points=game.start()._shown().points
    )
    without = ("rows", "columns", "types")
    return {key: value for key, value in board.as_json().items() if key not in without}


def same_lines(board: dict[str, Any]) -> dict[str, Any]:
    """Return a board whose lines have an order, and no decorations, which the page lacks."""
    lines = sorted(sorted(map(list, line)) for line in board["lines"])
    squares = [{**square, "decoration": None} for square in board["squares"]]
    return {**board, "lines": lines, "squares": squares}


def check_boards(folder: Path, games: dict[str, Game]) -> None:
    requests = []
    for game in games.values():
        name, files = main_and_texts(game)
        requests.append({"do": "load", "files": files, "main": name, "example": None})
    for (place, game), answer in zip(games.items(), answers(folder, requests), strict=True):
        assert answer["problem"] is None, place
        found = same_lines(answer["game"]["message"]["board"])
        expected = same_lines(json.loads(json.dumps(native_board(game))))
        for key in expected:
            assert found[key] == expected[key], f"{key} of {place}"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", ["{drops}", "{moves}"])
def test_boards_of_small_scripts(tmp_path: Path, kind: str) -> None:
    games = {}
    for number, (place, (board, directions)) in enumerate(BOARDS.items()):
        first = board.replace("{position}", "").replace("$flipGrid ON", "").split()[0]
        square = "a1" if "grid" in board else first
        setup = f"{{board-setup {{setup}} White stone {square} board-setup}}"
        text = GAME.format(board=board, directions=directions, kind=kind, setup=setup)
        games[place] = load_text(tmp_path, text, name=f"{number}.4th")
    check_boards(tmp_path, games)


@pytest.mark.sampled(26)
@pytest.mark.parametrize("part", range(26))
def test_boards_of_scripts(tmp_path: Path, part: int) -> None:
    scripts = [path for path in OTHER_GAMES if path.suffix == ".4th"]
    names = [*[entry.name for entry in BUNDLED], *map(str, scripts)][part::26]
    check_boards(tmp_path, {name: forthvm.load(name) for name in names})


@pytest.mark.sampled(16)
@pytest.mark.parametrize("part", range(16))
def test_boards_of_scripts_made_of_rule_files(tmp_path: Path, part: int) -> None:
    games = {}
    for path in [path for path in OTHER_GAMES if path.suffix == ".zrf"][part::16]:
        if compiled := compile_file(path).script:
            script = tmp_path / f"{path.stem}.4th"
            script.write_bytes(compiled.text)
            games[path.name] = forthvm.load(script)
    check_boards(tmp_path, games)


def test_scripts_say_whether_pieces_stand_on_points(tmp_path: Path) -> None:
    games = {}
    for name in ("points", "-points"):
        show = f': OnShow ( -- ) ." {name}" ;'
        text = GAME.format(board="9 9 {grid}", directions=STRAIGHT, kind="{drops}", setup=show)
        games[name] = load_text(tmp_path, text, name=f"{name}.4th")
    check_boards(tmp_path, games)

"""Moves whose texts are longer than the buffers of scripts: engines choose them, and no others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forthvm.engines import analyse, choose_move, get
from forthvm.game import Game
from forthvm.web.modules import join_modules
from forthvm.web.offline.export import CORE
from forthvm.web.offline.offline_game import offline_game
from forthvm.web.table.table import Table
from tests.kit.commands import Cli
from tests.kit.games import load_text, texts
from tests.web.exported import needs_core, needs_node, run_in_node

GAME = """
: think ( -- ) $FirstMove $NextMove $MoveString BestMove! ;
: OnMakeAMove ( -- ) $moveString @ DUP BEGIN DUP C@ WHILE 1 + REPEAT SWAP - . ;
{{board 12 16 {{grid}} board}}
{{players {{player}} Sun {{search-engine}} think {{player}} ?Rain {{random}} players}}
{{turn-order {{turn}} Sun {{turn}} ?Rain turn-order}}
: rain ( last -- ) 1 + {first} DO create I to LOOP add-move ;
: little 188 rain ;
: more 189 rain ;
: most 190 rain ;
{{moves drops {{move}} little {{move}} more {{move}} most moves}}
{{pieces {{piece}} cloud {{moves}} drops pieces}}
{{board-setup {{setup}} Sun cloud a12 {{setup}} ?Rain cloud b12 board-setup}}
"""
"""The engine chooses the second of three moves, which differ at their ends.  OnMakeAMove prints the
length of the text of a move."""
LONGEST_OF_SCRIPTS = 1023
first_squares = pytest.mark.parametrize("first", [180, 112, 20])
"""Short texts; texts around the longest one that fits a script's buffer; longer ones."""


def game(folder: Path, first: int) -> Game:
    return load_text(folder, GAME.format(first=first))


@first_squares
def test_engines_choose_moves_with_long_texts(tmp_path: Path, first: int) -> None:
    position = game(tmp_path, first).start()
    assert choose_move(get("script"), position).move.index == 1
    position.push(position.legal_moves[1])
    assert choose_move(get("chance"), position).move in position.legal_moves
    for spec in ("axiom:depth=2", "negamax:depth=2", "mcts:playouts=9"):
        assert choose_move(get(spec), position).move in position.legal_moves


def test_the_texts_straddle_the_buffer(tmp_path: Path) -> None:
    lengths = [len(text) for text in texts(game(tmp_path, 112).start())]
    assert lengths[0] < LONGEST_OF_SCRIPTS < lengths[-1]


@first_squares
def test_reports_have_whole_texts(tmp_path: Path, first: int) -> None:
    position = game(tmp_path, first).start()
    for info in analyse(get("negamax:depth=3"), position):
        assert set(info.pv[:1]) <= set(texts(position))


def test_scripts_read_the_whole_text_of_a_move_that_is_made(tmp_path: Path) -> None:
    printed: list[str] = []
    position = load_text(tmp_path, GAME.format(first=20), output=printed.append).start()
    move = position.legal_moves[1]
    position.push(move)
    assert "".join(printed).split() == [str(len(str(move)))]


def test_games_with_long_moves_go_on(tmp_path: Path, cli: Cli) -> None:
    game(tmp_path, 20)
    arguments = ("--auto", "--seed", 1, "--max-plies", 6)
    assert "Stopped after 6 plies" in cli.out("run", tmp_path / "game.4th", *arguments)


@needs_core
@needs_node
@first_squares
def test_exported_games_have_long_moves(tmp_path: Path, first: int) -> None:
    exported = game(tmp_path, first)
    data, driver = tmp_path / "data.json", tmp_path / "driver.js"
    data.write_text(json.dumps(offline_game(Table(exported))), encoding="utf-8")
    engines = Path(__file__).parents[1] / "web" / "offline_engines.js"
    driver.write_text(join_modules(engines), encoding="utf-8")
    found = run_in_node(driver, data, CORE, "[]", '["script"]')
    assert [each["move"] for each in found] == [str(exported.start().legal_moves[1])]

"""Exported games in a browser: single files that are played without a server."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import forthvm
from forthvm import engines
from forthvm.game import Click
from forthvm.web.offline.export import exported_page
from forthvm.web.table.table import Table, players_of
from tests.golden_runner.records import Ply, game_names, recording
from tests.kit.every_game import BUNDLED
from tests.kit.games import load_text
from tests.learn.network.models import random_network
from tests.web.browsing import Browser, clicks_of
from tests.web.exported import needs_core

if TYPE_CHECKING:
    from selenium import webdriver

    from forthvm.core.bindings import Network
    from forthvm.game import Game, Move

pytestmark = [needs_core, pytest.mark.slow]

SCRIPT = """
{{board 3 1 {{grid}} board}}
{{players {{player}} <img/src=x/onerror=hacked()> {{player}} B players}}
{{turn-order {{turn}} <img/src=x/onerror=hacked()> {{turn}} B turn-order}}
: put ( -- ) empty? IF drop add-move ENDIF ;
{{moves puts {{move}} put moves}}
{{pieces {{piece}} </script><script>hacked()</script> {{drops}} puts pieces}}
{extra}
"""

RECORDED = """
const done = arguments[arguments.length - 1], indices = arguments[0];
const embedded = (key) => JSON.parse(document.getElementById(key).textContent);
const { program, tables } = embedded("offline-game");
const wasm = Uint8Array.from(atob(embedded("offline-core")), (one) => one.charCodeAt(0));
const blob = new Blob([embedded("offline-worker")], { type: "text/javascript" });
const worker = new Worker(URL.createObjectURL(blob));
const found = [];
const moves = [];
worker.onmessage = ({ data: { value, error } }) => {
  if (error) return done(error);
  if (!value) return worker.postMessage({ id: 1, do: "show", seed: null, moves });
  found.push({ player: value.player, moves: value.moves });
  if (moves.length === indices.length) return done(found);
  moves.push({ player: value.player, text: "", index: indices[moves.length], drawn: false });
  worker.postMessage({ id: 1, do: "show", seed: null, moves });
};
worker.postMessage({ id: 0, do: "load", wasm, program, tables });
"""


MOVE_MADE = "return document.querySelectorAll('#history li')[arguments[0]].dataset.move;"
"""A script that returns the text of a move; the page may draw its list again at any time."""


class OfflinePage(Browser):
    """An exported page, and the same game in forthvm."""

    def play_both(self, move: Move) -> None:
        """Make a move by clicks on the page, and in forthvm."""
        for click in clicks_of(self.table.position, move):
            self.click(click)
        self.table.tree.play(move)
        self.wait(lambda: self.shown_ply() >= self.table.position.ply)  # chance may have moved, too


Open = Callable[..., OfflinePage]


@pytest.fixture
def opened(driver: webdriver.Chrome, tmp_path: Path) -> Iterator[Open]:
    """Export a game and open the file; fail if the page logs an error or uses the network."""

    def opened(
        game: Game,
        *,
        persons: tuple[str, ...] = (),
        engine: str = "",
        network: Network | None = None,
    ) -> OfflinePage:
        table = Table(game, persons=persons, engine=engine)
        file = tmp_path / "game.html"
        file.write_text(exported_page(table, network), encoding="utf-8")
        driver.get(file.as_uri())
        page = OfflinePage(driver, table)
        page.wait(lambda: driver.find_elements("css selector", "[data-square]"))
        page.wait(lambda: page.find("#status").text)
        return page

    driver.get("about:blank")  # an earlier page may still try to reach its server
    driver.get_log("browser")
    yield opened
    assert driver.execute_script("return typeof hacked") == "undefined"
    assert driver.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert not [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]


def test_a_game_by_clicks(opened: Open) -> None:
    page = opened(forthvm.load("tictactoe"))
    for text in ("X mark b2", "O mark a1", "X mark a2", "O mark a3", "X mark c2"):
        page.play_both(page.table.position.parse(text))
    result = page.table.position.result
    assert result.winners == ("X",)
    page.wait(lambda: page.find("#status").text == result.reason)


@pytest.mark.parametrize("name", [game.name for game in BUNDLED if game.variant_of is None])
def test_every_game(opened: Open, name: str) -> None:
    page = opened(forthvm.load(name))
    numbers, table = random.Random(5), page.table
    while table.position.result is None and table.position.ply < 24:
        if table.position.is_chance:  # the page draws the move
            page.wait(lambda: page.shown_ply() > table.position.ply)
            played = page.driver.execute_script(MOVE_MADE, table.position.ply)
            table.tree.play(table.position.parse(played))
        elif table.position.is_stuck:
            table.tree.play(None)
        else:
            page.play_both(numbers.choice(table.position.legal_moves))
    assert page.table.position.ply


@pytest.mark.parametrize("name", game_names())
def test_recorded_games(opened: Open, name: str) -> None:
    plies = [step for step in recording(name).steps if isinstance(step, Ply)]
    page = opened(forthvm.load(recording(name).path, axiom=140))
    found = page.driver.execute_async_script(RECORDED, [ply.played for ply in plies[:-1]])
    assert found == [{"player": ply.player, "moves": list(ply.moves)} for ply in plies]


def test_an_engine_answers_and_moves_are_taken_back(opened: Open) -> None:
    game = forthvm.load("breakthrough")
    first = players_of(game)[0]
    page = opened(game, persons=(first,), engine="negamax:depth=2")
    page.play_both(page.table.position.legal_moves[0])
    page.wait_for_ply(2)
    page.find("#undo").click()
    page.wait_for_ply(0)
    page.find("#redo").click()
    page.wait_for_ply(2)
    page.find("#new").click()
    page.wait_for_ply(0)


def test_an_engine_and_a_hint_with_a_network(opened: Open) -> None:
    game = forthvm.load("breakthrough")
    first, network = players_of(game)[0], random_network(game)
    engine = "negamax:depth=3"
    page = opened(game, persons=(first,), engine=engine, network=network.network)
    page.find("#hint").click()
    page.wait(lambda: page.find("#message").text.startswith("Hint: "))
    page.play_both(page.table.position.legal_moves[0])
    page.wait_for_ply(2)
    answer = engines.get(engine, net=network).play(page.table.position.copy()).move
    assert page.driver.execute_script(MOVE_MADE, 1) == str(answer)


def test_a_move_is_taken_back_while_the_engine_searches(opened: Open) -> None:
    game = forthvm.load("chess")
    page = opened(game, persons=(players_of(game)[0],), engine="negamax:depth=30")
    page.play_both(page.table.position.parse("pawn e2 - e4"))
    page.find("#undo").click()
    page.wait_for_ply(0)


def test_names_are_not_markup(opened: Open, tmp_path: Path) -> None:
    page = opened(load_text(tmp_path, SCRIPT.format(extra=""), name="names.4th"))
    page.play_both(page.table.position.legal_moves[0])
    assert "<img/src=x/onerror=hacked()>" in page.find("body").text
    assert not page.driver.find_elements("css selector", "img[src=x]")


def test_an_endless_loop_does_not_stop_the_page(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forthvm.web.offline.offline_game._MILLISECONDS", 300)
    loop = ": OnIsGameOver ( -- n ) turn-number 1 > IF BEGIN 0 UNTIL ENDIF #UnknownScore ;"
    page = opened(load_text(tmp_path, SCRIPT.format(extra=loop), name="loop.4th"))
    for click in page.table.position.legal_moves[0].gesture():
        page.click(click)
    page.wait(lambda: "time" in page.find("#message").text)
    assert page.shown_ply() == 0
    page.find("#new").click()
    page.wait(lambda: page.find("#status").text)


def test_the_file_is_small() -> None:
    for game in BUNDLED:
        page = exported_page(Table(forthvm.load(game.name)))
        assert len(page.encode()) < 3_000_000, game.name


def test_the_engine_of_a_script_moves(opened: Open) -> None:
    game = forthvm.load("splut-duel")
    page = opened(game, persons=(players_of(game)[0],), engine="script")
    page.play_both(page.table.position.legal_moves[0])
    page.wait(lambda: page.shown_ply() > page.table.position.ply)


def test_a_hint_is_an_arrow_and_a_message(opened: Open) -> None:
    page = opened(forthvm.load("breakthrough"))
    page.find("#hint").click()
    page.wait(lambda: page.find("#message").text.startswith("Hint: "))
    assert page.find(".arrow.engine")


def test_resignation_and_rematch(opened: Open) -> None:
    game = forthvm.load("tictactoe")
    page = opened(game, persons=("X",), engine="negamax:depth=2")
    page.find("#resign").click()
    page.answer("yes")
    page.wait(lambda: "resigned" in page.find("#status").text)
    page.find("#rematch").click()
    page.wait_for_ply(1)  # the seats are exchanged, so the engine begins


def test_a_move_is_planned_while_the_engine_thinks(opened: Open) -> None:
    page = opened(forthvm.load("chess"), persons=("White",), engine="negamax:time=600")
    for square in ("e2", "e4"):
        page.click(Click("square", square))
    page.wait(lambda: page.find("#move-now").is_displayed())
    for square in ("d2", "d4"):
        page.click(Click("square", square))
    page.find("#move-now").click()
    page.wait_for_ply(3)
    assert page.driver.execute_script(MOVE_MADE, 2) == "pawn d2 - d4"


def test_look_at_an_earlier_position_and_try_a_move(opened: Open) -> None:
    page = opened(forthvm.load("tictactoe"))
    for text in ("X mark b2", "O mark a1"):
        page.play_both(page.table.position.parse(text))
    page.find("body").send_keys("\ue012")  # the left arrow key
    page.wait(lambda: page.find("#elsewhere").is_displayed())
    page.click(page.table.position.parse("X mark c3").gesture()[-1])
    page.wait(lambda: len(page.driver.find_elements("css selector", "#history button")) == 3)
    assert page.shown_ply() == 2  # the game is as before
    page.wait(lambda: page.find("#elsewhere-label").text == "After O: O mark c3")

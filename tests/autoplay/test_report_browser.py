"""The report page in a real browser: Debian's chromium, headless."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from forthvm.autoplay.results.store import GameRow, Store
from forthvm.game import load
from forthvm.web.report.static_page import html_report
from tests.autoplay.results import write_random_match
from tests.kit.processes import run

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
EVIL = "<script>document.title='caught'</script>"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is absent")


def browse(page: Path, *options: str, fragment: str = "") -> str:
    """Load a page; return the document after its scripts ran, or the output of `options`."""
    assert CHROMIUM is not None
    profile = page.parent / "profile"
    process = run(
        *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
        *("--enable-logging=stderr", f"--user-data-dir={profile}", "--virtual-time-budget=3000"),
        *(options or ("--dump-dom",)),
        f"file://{page}{fragment}",
    )
    assert process.returncode == 0, process.stderr
    # The browser logs errors of the page's script and refused resources as CONSOLE messages.
    assert "CONSOLE" not in process.stderr, process.stderr
    return process.stdout


def write_page(path: Path, script: str = "") -> tuple[Path, list[GameRow]]:
    """Write the page of a results file, with an additional script at its end."""
    page = path.with_suffix(".html")
    with Store.open(path) as store:
        text = html_report(store)
        rows = list(store.games())
    if script:  # the policy of the page forbids other scripts than its own
        text = re.sub(r"script-src [^;]*;", "script-src 'unsafe-inline';", text)
        text = text.replace("</body>", f"<script>{script}</script></body>")
    page.write_text(text, encoding="utf-8")
    return page, rows


def pieces(document: str) -> int:
    """Return the number of pieces on the board."""
    return document.count('class="piece')


@pytest.mark.slow
def test_position_is_drawn(tmp_path: Path) -> None:
    """The page shows the position that its address names: game 2 after five plies."""
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", ("A", EVIL), games=3)
    page, rows = write_page(path)
    document = browse(page, fragment="#game=2&ply=5")
    assert pieces(document) == 5  # every ply of tic-tac-toe adds a mark
    assert f"5. {rows[1].moves[4][0]}: {rows[1].moves[4][1]}</p>" in document
    assert document.count("plies · ") == 3
    assert "<title>caught" not in document
    assert "&lt;script&gt;document.title" in document


STEPS = """
addEventListener("load", () => setTimeout(() => {
  const find = id => document.getElementById(id), states = [];
  const open = at => document.querySelectorAll("ol.games button")[at].click();
  const record = action => states.push(action + " " + find("ply").value + " " +
    find("board").querySelectorAll(".piece").length);
  open(0); record("begin");
  find("next").click(); record("next");
  find("last").click(); record("last");
  find("back").click(); record("back");
  find("moves").children[1].firstChild.click(); record("list");
  find("ply").value = 3; find("ply").dispatchEvent(new Event("input")); record("slider");
  scrollTo(0, document.body.scrollHeight);
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
  record("key");
  find("first").click(); record("first");
  open(1); record("game 2");
  document.body.dataset.states = states.join(", ");
}, 500));
"""
"""A script that uses each control, and records its name, the ply and the number of pieces."""


@pytest.mark.slow
def test_buttons_step_through_the_game(tmp_path: Path) -> None:
    """Every ply of tic-tac-toe adds a mark."""
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", games=2)
    page, rows = write_page(path, STEPS)
    document = browse(page)
    states = re.search(r'data-states="([^"]*)"', document)
    assert states is not None
    last = rows[0].plies
    assert states[1].split(", ") == [
        "begin 0 0",
        "next 1 1",
        f"last {last} {last}",
        f"back {last - 1} {last - 1}",
        "list 2 2",
        "slider 3 3",
        "key 4 4",
        "first 0 0",
        "game 2 0 0",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["splut", "ur"])
def test_larger_games_run_without_errors(name: str, tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    names = ("A", "B", "C", "D")[: len(load(name).contestants)]
    write_random_match(path, name, names, games=2, max_plies=60)
    page, rows = write_page(path)
    document = browse(page, fragment=f"#game=1&ply={rows[0].plies}")
    assert f"{rows[0].plies}. " in document
    assert pieces(document)


@pytest.mark.slow
def test_screenshot_of_the_page_is_not_empty(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    write_random_match(path, "breakthrough", games=2)
    page, _ = write_page(path)
    picture = tmp_path / "page.png"
    browse(page, f"--screenshot={picture}", "--window-size=900,1200")
    png = picture.read_bytes()
    assert png.startswith(b"\x89PNG")
    assert len(png) > 20_000  # the picture of an empty page of this size has a few kB

"""The report page in a real browser: Debian's chromium, headless."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from forthvm.autoplay.report.page import html_report
from forthvm.autoplay.results.store import GameRow, Store
from forthvm.game import load
from tests.autoplay.results import write_random_match

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
EVIL = "<script>document.title='caught'</script>"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is absent")


def browse(page: Path, *options: str, fragment: str = "") -> str:
    """Load a page; return the document after its scripts ran, or the output of `options`."""
    assert CHROMIUM is not None
    profile = page.parent / "profile"
    done = subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--enable-logging=stderr",
            f"--user-data-dir={profile}",
            "--virtual-time-budget=3000",
            *(options or ("--dump-dom",)),
            f"file://{page}{fragment}",
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    # Errors of the page's script, and refused resources.
    assert "CONSOLE" not in done.stderr, done.stderr
    return done.stdout


def written(path: Path, script: str = "") -> tuple[Path, list[GameRow]]:
    """Write the page of a results file, with an additional script at its end."""
    page = path.with_suffix(".html")
    with Store.open(path) as store:
        text = html_report(store)
        rows = list(store.games())
    page.write_text(text.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    return page, rows


def board(document: str) -> str:
    """Return the pieces on the viewer's board."""
    found = re.search(r'<g id="pieces">(.*?)</g></svg>', document, re.DOTALL)
    assert found is not None
    return found[1]


def test_position_is_drawn(tmp_path: Path) -> None:
    """Game 2 after five plies, as in the address."""
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", ("A", EVIL), games=3)
    page, rows = written(path)
    document = browse(page, fragment="#game=2&ply=5")
    position = load("tictactoe").start()
    for _, text in rows[1].moves[:5]:
        position.push(text)
    pieces = [piece for square in position.board if (piece := position.board[square])]
    assert len(re.findall("<circle", board(document))) == len(pieces) == 5
    titles = re.findall(r"<title>(\w+) mark</title>", board(document))
    assert sorted(titles) == sorted(str(piece.player) for piece in pieces)
    assert f"5. {rows[1].moves[4][0]}: {rows[1].moves[4][1]}</p>" in document
    assert document.count("<option") == 3
    assert "<title>caught" not in document
    assert "&lt;script&gt;document.title" in document


STEPS = """
addEventListener("load", () => {
  const find = id => document.getElementById(id), seen = [];
  const look = what => seen.push(what + " " + find("ply").value + " " +
    find("pieces").querySelectorAll("circle").length);
  look("begin");
  find("next").click(); look("next");
  find("last").click(); look("last");
  find("back").click(); look("back");
  find("moves").children[1].click(); look("list");
  find("ply").value = 3; find("ply").dispatchEvent(new Event("input")); look("slider");
  scrollTo(0, document.body.scrollHeight);
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
  look("key");
  find("first").click(); look("first");
  find("game").value = 2; find("game").dispatchEvent(new Event("change")); look("game 2");
  document.body.dataset.seen = seen.join(", ");
});
"""


def test_buttons_step_through_the_game(tmp_path: Path) -> None:
    """Every ply of tic-tac-toe adds a mark."""
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", games=2)
    page, rows = written(path, STEPS)
    document = browse(page)
    seen = re.search(r'data-seen="([^"]*)"', document)
    assert seen is not None
    last = rows[0].plies
    assert seen[1].split(", ") == [
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
    page, rows = written(path)
    document = browse(page, fragment=f"#game=1&ply={rows[0].plies}")
    assert f"{rows[0].plies}. " in document
    assert "<circle" in board(document)


@pytest.mark.slow
def test_page_is_visible(tmp_path: Path) -> None:
    """A screenshot of the page has several colours."""
    path = tmp_path / "results.db"
    write_random_match(path, "breakthrough", games=2)
    page, _ = written(path)
    picture = tmp_path / "page.png"
    browse(page, f"--screenshot={picture}", "--window-size=900,1200")
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) > 20_000  # an empty page of this size has a few kB

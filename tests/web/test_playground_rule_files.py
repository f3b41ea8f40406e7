"""Rule files in the playground: compiled by Python in the browser, and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from forthvm.web.playground.static_page import EDITOR, PYODIDE
from forthvm.zrf.loading import compile_file
from tests.web.browsing import CSS
from tests.web.exported import needs_core
from tests.web.test_playground import Playground, address, page

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["address", "page"]

pytestmark = [
    needs_core,
    pytest.mark.slow,
    pytest.mark.skipif(not EDITOR.exists(), reason="no editor.js: editors/playground makes it"),
    pytest.mark.skipif(not PYODIDE.exists(), reason="no Pyodide: editors/playground copies it"),
]

RULE_FILES = Path(__file__).parents[1] / "zrf"
SECONDS = 60
"""The time that Python may take to load on a busy machine."""


def open_files(page: Playground, *paths: Path) -> None:
    """Open files by the button, in place of the example that is shown."""
    page.open()
    page.driver.find_element(CSS, "#open-files").send_keys("\n".join(map(str, paths)))


def wait_longer(page: Playground, condition: Callable[[], object]) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(page.driver, SECONDS).until(lambda _: condition())


GAMES = (
    "games/breakthrough",
    "games/brazilian-draughts",
    "games/chess",
    "games/mini-shogi",
    "games/four-player-race",
    "games/thud",
    "games/ur",
    "idioms/cards",
    "idioms/morris",
    "shapes/hexagons",
    "statements/texts-and-sounds",
)
COMPILE = """
const [base, jobs, done] = arguments, values = [];
fetch('page/rule-worker.js').then((answer) => answer.text()).then((script) => {
  const url = URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));
  const worker = new Worker(url, {type: 'module'});
  worker.onmessage = ({data}) => {
    if (data.id) values.push(data.value);
    if (!data.error && values.length < jobs.length) return;
    worker.terminate();
    done(data.error ?? values);
  };
  worker.postMessage({id: 0, do: 'begin', base});
  jobs.forEach((job, at) => worker.postMessage({...job, id: at + 1, do: 'compile', variant: null}));
});
"""
"""Compiles rule files in the worker of the page."""


def test_the_scripts_are_those_of_python(page: Playground) -> None:
    page.driver.set_script_timeout(SECONDS)
    paths = [(RULE_FILES / name).with_suffix(".zrf") for name in GAMES]
    answers = page.driver.execute_async_script(
        COMPILE,
        page.driver.current_url,
        [{"main": path.name, "files": texts(path)} for path in paths],
    )
    for path, answer in zip(paths, answers, strict=True):
        script = compile_file(path).script
        assert script is not None
        assert answer["script"].encode() == script.text, path.name


def texts(path: Path) -> list[dict[str, str]]:
    """Return a rule file with those beside it that it may include."""
    found = [path, *path.parent.glob("include/*.zrf")]
    return [
        {"name": one.relative_to(path.parent).as_posix(), "text": one.read_text("utf-8")}
        for one in found
    ]


def test_a_rule_file_is_played(page: Playground) -> None:
    open_files(page, RULE_FILES / "games" / "breakthrough.zrf")
    wait_longer(page, lambda: page.find("#problem").text == "")
    page.board()
    wait_longer(page, lambda: page.squares() == 64)
    page.cell("a2").find_element(CSS, "polygon").click()
    page.cell("a3").find_element(CSS, "polygon").click()
    page.wait_for_ply(1)

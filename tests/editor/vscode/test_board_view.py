"""The page of the board view, in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

import forthvm
from tests.kit.processes import output_of

if TYPE_CHECKING:
    from selenium import webdriver

THEMES = {
    "light": {
        "--vscode-foreground": "#3b3b3b",
        "--vscode-editor-background": "#ffffff",
        "--vscode-descriptionForeground": "#3b3b3b",
        "--vscode-inputValidation-errorBackground": "#f2dede",
        "--vscode-inputValidation-errorBorder": "#be1100",
    },
    "dark": {
        "--vscode-foreground": "#cccccc",
        "--vscode-editor-background": "#1f1f1f",
        "--vscode-descriptionForeground": "#9d9d9d",
        "--vscode-inputValidation-errorBackground": "#5a1d1d",
        "--vscode-inputValidation-errorBorder": "#be1100",
    },
}
SIZES = ((320, 480), (600, 800), (1000, 500))
HOST = """
    window.posted = []; window.refused = [];
    window.acquireVsCodeApi = () => ({ postMessage: (message) => window.posted.push(message) });
    addEventListener("securitypolicyviolation", (event) => window.refused.push(event.blockedURI));
"""


@pytest.fixture(scope="module")
def address(
    driver: webdriver.Chrome, extension: Path, tmp_path_factory: pytest.TempPathFactory
) -> str:
    """The address of the page as the extension makes it, with a stand-in for VS Code."""
    script = "process.stdout.write(require('./out/test/boardPage.js').boardPage('abc'))"
    printed = output_of("node", "-e", script, folder=extension)
    file = tmp_path_factory.mktemp("page") / "board.html"
    file.write_text(printed, encoding="utf-8")
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": HOST})
    return file.as_uri()


@pytest.fixture
def page(driver: webdriver.Chrome, address: str) -> webdriver.Chrome:
    driver.get(address)
    return driver


def board(name: str) -> dict[str, str]:
    position = forthvm.load(name, seed=0, output=lambda _text: None).start()
    return {
        "title": position.game.title,
        "svg": forthvm.render.svg(position),
        "text": forthvm.render.text(position),
        "error": "",
        "source": f"{name}.4th",
    }


def show(page: webdriver.Chrome, message: dict[str, str]) -> None:
    page.execute_async_script(
        """const [message, done] = arguments;
        addEventListener("message", () => {
            const image = document.getElementById("board");
            image.decode().then(done, done);
        }, { once: true });
        postMessage(message, "*");""",
        message,
    )


def theme(page: webdriver.Chrome, name: str) -> None:
    page.execute_script(
        """for (const [name, value] of Object.entries(arguments[0]))
            document.documentElement.style.setProperty(name, value);""",
        THEMES[name],
    )


def size(page: webdriver.Chrome, width: int, height: int) -> None:
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def value(page: webdriver.Chrome, expression: str) -> object:
    return page.execute_script(f"return {expression}")


@pytest.mark.slow
def test_the_page_announces_itself(page: webdriver.Chrome) -> None:
    assert value(page, "posted") == ["ready"]


def test_a_board_and_then_an_error(page: webdriver.Chrome) -> None:
    message = board("tictactoe")
    show(page, message)
    image = "document.getElementById('board')"
    assert unquote(str(value(page, f"{image}.src"))).endswith(message["svg"])
    assert value(page, f"{image}.naturalWidth") == 328
    assert value(page, f"{image}.alt") == message["text"]
    assert value(page, "document.getElementById('title').textContent") == message["title"]
    assert value(page, "document.getElementById('hint').hidden")
    error = {"title": "", "svg": "", "text": "", "error": "no <b>word</b>"}
    show(page, {**error, "source": message["source"]})
    assert value(page, "document.getElementById('error').innerText") == "no <b>word</b>"
    assert value(page, f"{image}.hidden") is False  # the last board that could be drawn
    assert value(page, f"{image}.className") == "old"
    left = "document.getElementById('{}').getBoundingClientRect().left"
    assert value(page, left.format("source")) == value(page, left.format("error"))
    show(page, {**error, "source": "another.4th"})
    assert value(page, f"{image}.hidden")
    show(page, message)
    assert value(page, f"{image}.className") == ""
    assert value(page, "document.getElementById('error').hidden")


def test_a_game_cannot_run_scripts(page: webdriver.Chrome) -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9" '
        'onload="window.run = 1"><script>window.run = 1</script></svg>'
    )
    title = "<img src=x onerror='window.run = 1'>"
    show(page, {"title": title, "svg": svg, "text": "", "error": "", "source": ""})
    assert value(page, "document.getElementById('title').textContent") == title
    page.execute_script(
        """const script = document.createElement("script");
        script.textContent = "window.run = 1";
        document.body.append(script);
        const image = document.createElement("img");
        image.src = "http://127.0.0.1:9/x.png";
        document.body.append(image);"""
    )
    assert value(page, "window.run") is None
    assert value(page, "refused.length")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tictactoe", "rithmomachia"])
def test_the_board_fits(page: webdriver.Chrome, game: str, tmp_path: Path) -> None:
    show(page, board(game))
    for width, height in SIZES:
        size(page, width, height)
        for name in THEMES:
            theme(page, name)
            page.save_screenshot(str(tmp_path / f"{game}-{width}-{name}.png"))
            root = "document.documentElement"
            assert value(page, f"[{root}.scrollWidth, {root}.scrollHeight]") == [width, height]
            box = "document.getElementById('board').getBoundingClientRect()"
            shown = value(page, f"[{box}.width, {box}.height]")
            assert isinstance(shown, list)
            assert min(shown) > 100

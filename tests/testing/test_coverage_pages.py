"""The pages that show the coverage of tests: their contents, and how a browser shows them."""

from __future__ import annotations

import base64
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from forthvm.cli.app import main
from tests.kit.commands import Cli
from tests.kit.files import write_files
from tests.testing.test_coverage import GAME
from tests.web.conftest import driver

if TYPE_CHECKING:
    from selenium import webdriver

__all__ = ["driver"]

LONG = "aVeryLongNameOfAWordThatNoBrowserBreaksAtAHyphenOrAtASlash?"
# The contrast of the text in each cell with its background.
CONTRASTS = """
const context = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
function painted(...colours) {
    for (const colour of colours) {
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
    }
    return [...context.getImageData(0, 0, 1, 1).data];
}
function luminance([red, green, blue]) {
    const [r, g, b] = [red, green, blue].map((part) => part / 255).map(
        (part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const page = document.createElement("div");
page.style.backgroundColor = "Canvas";
document.body.append(page);
const canvas = getComputedStyle(page).backgroundColor;
return [...document.querySelectorAll("td, td a")].map((cell) => {
    const back = painted(canvas, getComputedStyle(cell.closest("tr")).backgroundColor);
    const [high, low] = [back, painted(getComputedStyle(cell).color)].map(luminance).sort(
        (one, other) => other - one);
    return (high + 0.05) / (low + 0.05);
});
"""


def test_pages(in_folder: Path) -> None:
    script = GAME.replace("never", "<script>").replace("add-move ;\n{m", "add-move ; \\ <i>\n{m")
    write_files(Path(), {"game.4th": script, "game.test": "test t\n\tmoves 3\n"})
    assert main(["test", "--coverage", "pages"]) == 0
    index = Path("pages/index.html").read_text()
    assert "Move words: 1 of 1 ran" in index
    assert "&lt;script&gt;" in index
    source = Path("pages/file-1.html").read_text()
    rows = re.findall(r'<tr id="(\d+)"( class="\w+")?>', source)
    assert [number for number, kind in rows if "missed" in kind] == ["11", "15"]
    assert [number for number, kind in rows if "run" in kind] == ["5", "6", "8", "9"]
    assert "4 of 6 lines with code ran (66 %)" in source
    assert "<i>" not in source + index
    assert main(["test", "--coverage", "pages"]) == 0  # replaces the earlier pages


def test_narrow_pages_break_paths_between_folders_and_no_short_names(in_folder: Path) -> None:
    for folder in ("one", "two"):
        Path(folder).mkdir()
        Path(folder, "game.4th").write_text(GAME.replace("never", LONG))
        Path(folder, "game.test").write_text("test t\n\tmoves 3\n")
    assert main(["test", "one", "--coverage", "pages"]) == 0
    index = Path("pages/index.html").read_text()
    assert '<td class="name">go-on</td>' in index
    assert f"<td>{LONG}</td>" in index
    assert ">game.4th<wbr>:4</a>" in index
    assert f"<h1>one{os.sep}<wbr>game.4th</h1>" in Path("pages/file-1.html").read_text()
    assert main(["test", "--coverage", "pages"]) == 0
    assert f">two{os.sep}<wbr>game.4th<wbr>:4</a>" in Path("pages/index.html").read_text()


def test_other_folders_are_not_overwritten(in_folder: Path, cli: Cli) -> None:
    write_files(Path(), {"game.4th": GAME, "game.test": "test t\n\tmoves 3\n"})
    Path("mine").mkdir()
    page = Path("mine/index.html")
    page.write_text("<p>my page</p>")
    assert "contains other files" in cli.err("test", "--coverage", "mine", status=2)
    assert page.read_text() == "<p>my page</p>"
    assert cli("test", "--coverage", "game.4th").status == 2


def test_a_page_without_position_tests_says_so(tmp_path: Path) -> None:
    write_files(tmp_path, {"game.4th": GAME, "game.perft": "1 3 by hand\n"})
    assert main(["test", "--coverage", "pages"]) == 0
    index = (tmp_path / "pages" / "index.html").read_text()
    assert "No position test ran." in index
    assert "<table" not in index


@pytest.fixture
def pages(tmp_path: Path) -> list[str]:
    """The addresses of the pages of a game with lines and words that ran and that did not."""
    (tmp_path / "game.4th").write_text(GAME.replace("never", LONG).replace("go-on", LONG[1:]))
    (tmp_path / "game.test").write_text("test t\n\tmoves 3\n")
    assert main(["test", "--coverage", "pages"]) == 0
    return [(tmp_path / "pages" / name).as_uri() for name in ("index.html", "file-1.html")]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
def test_pages_are_readable(
    driver: webdriver.Chrome, pages: list[str], width: int, scheme: str
) -> None:
    size = {"width": width, "height": 700, "deviceScaleFactor": 1, "mobile": width < 500}
    feature = {"name": "prefers-color-scheme", "value": scheme}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    for page in pages:
        driver.get(page)
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width
        assert min(driver.execute_script(CONTRASTS)) > 4.5  # WCAG 2.2 AA
        text = driver.execute_script("return getComputedStyle(document.body).color")
        assert text == {"light": "rgb(0, 0, 0)", "dark": "rgb(255, 255, 255)"}[scheme]


@pytest.mark.slow
def test_missed_lines_are_marked_on_paper(
    driver: webdriver.Chrome, pages: list[str], tmp_path: Path
) -> None:
    """Browsers print no backgrounds; without the marks of missed lines a page looks different."""
    for page in pages:
        driver.get(page)
        marked = printed(driver)
        driver.execute_script(
            "document.querySelectorAll('.missed').forEach((row) => row.className = 'run')"
        )
        assert printed(driver) != marked


def printed(driver: webdriver.Chrome) -> bytes:
    """Return the printed page, except for its dates and names."""
    data = base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
    return re.sub(rb"/(CreationDate|ModDate|ID) *[(\[].*?[)\]]", b"", data, flags=re.DOTALL)

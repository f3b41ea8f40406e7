"""Rule files in the playground: compiled by Python in the browser, and drawn."""

from __future__ import annotations

import zipfile
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from benchmarks.static_site import static_site
from forthvm.web.playground import static_page
from forthvm.web.playground.static_page import EDITOR, PYODIDE
from forthvm.zrf.loading import compile_file
from tests.web.browsing import CSS
from tests.web.exported import needs_core
from tests.web.test_accessibility import RUN, TAGS, axe
from tests.web.test_playground import Playground, address, page

if TYPE_CHECKING:
    from collections.abc import Callable

    from selenium import webdriver

__all__ = ["address", "axe", "page"]

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
const compile = {do: 'compile', variant: null, pictures: []};
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
  jobs.forEach((job, at) => worker.postMessage({...job, ...compile, id: at + 1}));
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


def picture(colour: tuple[int, int, int], kind: str) -> bytes:
    """A picture of 40 by 40 pixels with a green frame, which is transparent."""
    image = Image.new("RGB", (40, 40), (0, 255, 0))
    image.paste(colour, (5, 5, 35, 35))
    out = BytesIO()
    image.save(out, kind)
    return out.getvalue()


def game_with_pictures(path: Path) -> Path:
    """Write an archive with a rule file, a file that it includes, and pictures."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Rules/Step.zrf", RULES)
        archive.writestr("Rules/moves.zrf", "(define step ($1 (verify empty?) add))")
        archive.writestr("Images/white.bmp", picture((250, 250, 200), "BMP"))
        archive.writestr("Images/black.gif", picture((10, 20, 30), "GIF"))
        archive.writestr("Images/board.png", picture((200, 100, 50), "PNG"))
        archive.writestr("Images/damaged.bmp", b"BM" + bytes(40))
    return path


RULES = r"""
(include "moves.zrf")
(game (title "Step") (players White Black) (turn-order White Black)
  (board (image "images\board.png")
    (grid (start-rectangle 0 0 20 20) (dimensions ("a/b" (20 0)) ("2/1" (0 20)))
      (directions (n 0 -1) (s 0 1))))
  (board-setup (White (Man a1)) (Black (Man b2) (King b1)))
  (piece (name Man) (image White "images\white.bmp" Black "images\black.gif")
    (moves (step n) (step s)))
  (piece (name King) (image Black "images\damaged.bmp") (moves (step s)))
)
(variant (title "Step back") (turn-order Black White))
"""


def test_an_archive_with_pictures(page: Playground, tmp_path: Path) -> None:
    open_files(page, game_with_pictures(tmp_path / "step.zip"))
    page.board()
    wait_longer(page, lambda: page.squares() == 4)
    page.leave_board()
    assert page.find("#problem").text == ""
    assert page.find("#output").text.startswith("damaged.bmp is not a picture")
    page.board()
    images = page.driver.find_elements(CSS, "#board image")
    pictures = [decoded(one.get_attribute("href")) for one in images]
    assert sorted(pictures) == sorted(
        [((250, 250, 200), 0), ((10, 20, 30), 0), ((200, 100, 50), 0)]
    )
    page.cell("a1").find_element(CSS, "polygon").click()
    page.cell("a2").find_element(CSS, "polygon").click()
    page.wait_for_ply(1)


def test_missing_files_are_named(page: Playground, tmp_path: Path) -> None:
    path = tmp_path / "step.zrf"
    path.write_text(RULES, "utf-8")
    open_files(page, path)
    wait_longer(page, lambda: "line 2" in page.find("#problem").text)
    advice = "open the files together: their folder, or a zip archive"
    missing = f"step.zrf, line 2: the included file `moves.zrf` does not exist; {advice}"
    assert page.find("#problem").text == missing
    (tmp_path / "moves.zrf").write_text("(define step ($1 (verify empty?) add))", "utf-8")
    page.find("#open-files").send_keys(f"{path}\n{tmp_path / 'moves.zrf'}")
    page.board()
    wait_longer(page, lambda: page.squares() == 4)
    page.leave_board()
    missing = r"images\board.png, images\white.bmp, images\black.gif, images\damaged.bmp"
    note = f"step.zrf, line 4: pictures are missing: {missing}; {advice}"
    page.wait_for_output(note)
    page.append(" ; a comment")
    page.line("1 2 + .")
    page.wait_for_output("3")
    assert page.find("#output").text.count("pictures are missing") == 1


def test_a_game_of_several_is_chosen(page: Playground, tmp_path: Path) -> None:
    open_files(page, game_with_pictures(tmp_path / "step.zip"))
    wait_longer(page, lambda: page.driver.find_elements(CSS, "#variants option"))
    assert [one.text for one in page.driver.find_elements(CSS, "#variants option")] == [
        "Step",
        "Step back",
    ]
    page.find("#variants option[value='1']").click()
    page.board()
    wait_longer(page, lambda: page.find("#title").text == "Step back")
    page.leave_board()
    page.driver.refresh()  # files, pictures and choice are remembered
    page.board()
    wait_longer(page, lambda: page.find("#title").text == "Step back")
    assert len(page.driver.find_elements(CSS, "#board image")) == 3


def test_an_error_of_a_rule_file_is_marked_and_mended(page: Playground, tmp_path: Path) -> None:
    path = tmp_path / "a game.zrf"
    path.write_text(RULES.replace('(include "moves.zrf")', "").replace("step", "n add"), "utf-8")
    broken = tmp_path / "broken.zrf"
    broken.write_text(path.read_text("utf-8").replace("(Man a1)", "(Man a9)"), "utf-8")
    open_files(page, broken)
    wait_longer(page, lambda: "broken.zrf, line 7" in page.find("#problem").text)
    assert "a9" in page.find("#problem").text
    page.wait(lambda: page.editor(".cm-lintRange-error"))
    script = """const [line] = [...document.querySelector('#editor').shadowRoot
        .querySelectorAll('.cm-line')].filter((one) => one.textContent.includes('board-setup'));
        return [...line.querySelectorAll('span')].map((one) => one.textContent);"""
    assert "board-setup" in page.driver.execute_script(script)  # highlighted as a keyword
    open_files(page, path)
    page.board()
    wait_longer(page, lambda: page.find("#title").text == "Step")


def decoded(address: str) -> tuple[tuple[int, ...], int]:
    """Return the colour in the middle of a picture, and the opacity of its frame."""
    with Image.open(BytesIO(b64decode(address.partition(",")[2]))) as image:
        assert image.size == (40, 40)
        rgba = image.convert("RGBA")
        middle, frame = rgba.getpixel((20, 20)), rgba.getpixel((0, 0))
    assert isinstance(middle, tuple)
    assert isinstance(frame, tuple)
    return middle[:3], int(frame[3])


def test_the_check_marks_lines(page: Playground, tmp_path: Path) -> None:
    path = tmp_path / "ghost.zrf"
    text = RULES.replace('(include "moves.zrf")', "").replace("step", "n add")
    path.write_text(text.replace("(King b1)", ""), "utf-8")
    open_files(page, path)
    page.board()
    wait_longer(page, lambda: page.find("#title").text == "Step")
    page.leave_board()
    page.find("#check").click()
    page.wait_for_output("ghost.zrf, line 10: W805: the piece `King` never appears")
    page.wait(lambda: page.editor(".cm-lintRange-warning"))
    page.append(" ; a change")
    page.wait(lambda: not page.editor(".cm-lintRange-warning"))


def test_stores_are_beside_the_board(page: Playground) -> None:
    open_files(page, RULE_FILES / "games" / "recycle-chess.zrf")
    page.board()
    wait_longer(page, lambda: page.squares() == 25)
    assert not page.driver.find_elements(CSS, '[aria-label$="in store"]')
    for ply, squares in enumerate((("a2", "a3"), ("b4", "a3")), 1):
        for square in squares:
            page.cell(square).find_element(CSS, "polygon").click()
        page.wait_for_ply(ply)
    page.wait(lambda: page.driver.find_elements(CSS, '[aria-label="Pawn, 1 in store"]'))


def test_the_debugger_marks_the_rule_file(page: Playground) -> None:
    open_files(page, RULE_FILES / "games" / "breakthrough.zrf")
    wait_longer(page, lambda: "breakthrough" in page.find("#names").text)
    wait_longer(page, lambda: page.find("#debug").is_enabled() and not page.find("#problem").text)
    page.board()
    wait_longer(page, lambda: page.squares() == 64)
    page.leave_board()
    wait_longer(page, lambda: page.find("#debug").is_enabled())
    page.find("#debug").click()
    step = page.driver.find_element(CSS, "[data-how='step']")
    wait_longer(page, lambda: step.is_displayed() and step.is_enabled())
    wait_longer(page, lambda: step.click() or page.editor(".cm-stop-token"))
    lines = (RULE_FILES / "games" / "breakthrough.zrf").read_text("utf-8").splitlines()
    assert any(page.editor(".cm-stop-line").text.strip() in line for line in lines)


def test_an_example_is_chosen_while_python_loads(page: Playground) -> None:
    open_files(page, RULE_FILES / "games" / "breakthrough.zrf")
    page.wait(lambda: "Loading Python" in page.find("#problem").text)
    page.find("#examples option[value='chess']").click()
    page.wait(lambda: page.find("#names").text.startswith("chess.4th"))
    page.board()
    wait_longer(page, lambda: page.find("#title").text == "Chess")
    page.leave_board()
    open_files(page, RULE_FILES / "games" / "breakthrough.zrf")
    page.board()
    wait_longer(page, lambda: page.find("#title").text == "Breakthrough")


def test_loading_is_stopped(page: Playground) -> None:
    open_files(page, RULE_FILES / "games" / "breakthrough.zrf")
    page.wait(lambda: "Loading Python" in page.find("#problem").text)
    page.find("#stop").click()
    page.wait_for_output("Stopped")
    page.line("1 2 + .")  # loads the rule file again
    wait_longer(page, lambda: "3" in page.find("#output").text)


def test_a_folder_is_dropped(page: Playground, tmp_path: Path) -> None:
    page.open()
    folder = tmp_path / "a folder"
    with zipfile.ZipFile(game_with_pictures(tmp_path / "step.zip")) as archive:
        archive.extractall(folder)
    page.drop(folder)  # on the editor
    page.board()
    wait_longer(page, lambda: page.squares() == 4)
    assert len(page.driver.find_elements(CSS, "#board image")) == 3


@pytest.mark.parametrize("x", [300, 900])
def test_a_file_is_dropped_on_editor_or_board(page: Playground, x: int) -> None:
    page.open()
    page.board()
    page.leave_board()
    path = RULE_FILES / "games" / "breakthrough.zrf"
    page.drop(path, x, 300)
    page.board()
    wait_longer(page, lambda: page.squares() == 64)
    page.leave_board()
    script = "return JSON.parse(localStorage['forthvm.playground']).files"
    text = path.read_text("utf-8")
    assert page.driver.execute_script(script) == [{"name": path.name, "text": text}]


def test_files_without_a_game_are_refused(page: Playground, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no game", "utf-8")
    open_files(page, path)
    page.wait(lambda: "no rule file" in page.find("#message").text)
    damaged = tmp_path / "damaged.zip"
    damaged.write_bytes(game_with_pictures(tmp_path / "whole.zip").read_bytes()[:200])
    page.driver.find_element(CSS, "#open-files").send_keys(str(damaged))
    page.wait(lambda: "damaged" in page.find("#message").text)
    assert "tictactoe.4th" in page.find("#names").text


@pytest.mark.parametrize("width", [320, 1280])
def test_accessibility(page: Playground, axe: str, tmp_path: Path, width: int) -> None:
    open_files(page, game_with_pictures(tmp_path / "step.zip"))
    wait_longer(page, lambda: page.find("#variants-row").is_displayed())
    page.emulate(width, "dark" if width == 320 else "light")
    page.driver.execute_script(axe)
    violations = page.driver.execute_async_script(RUN, TAGS)
    assert not violations, "\n\n".join("\n".join(one) for one in violations)
    wide = "return document.documentElement.scrollWidth > innerWidth"
    assert not page.driver.execute_script(wide)


def test_without_python_rule_files_are_refused(
    driver: webdriver.Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static_page, "PYODIDE", tmp_path / "missing")
    site = tmp_path / "site"
    static_page.write_playground(site)
    assert not (site / "pyodide").exists()
    with static_site(site) as address:
        driver.get(address)
        page = Playground(driver)
        page.wait_until_loaded()
        open_files(page, RULE_FILES / "games" / "breakthrough.zrf")
        page.wait(lambda: "without Python" in page.find("#problem").text)
        driver.execute_script("localStorage.clear()")
        driver.get("about:blank")

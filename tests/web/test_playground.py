"""The playground in a browser: a static page on which games are written and played."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import forthvm
from benchmarks.static_site import static_site
from forthvm.engines.levels import levels_of
from forthvm.syntax.format import format_source
from forthvm.web.offline.export import exported_page
from forthvm.web.playground.static_page import EDITOR, Lesson, write_playground
from forthvm.web.table.table import Table
from tests.kit.files import write
from tests.web.browsing import CSS, Page
from tests.web.exported import needs_core
from tests.web.test_accessibility import RUN, TAGS, axe

if TYPE_CHECKING:
    from selenium import webdriver

__all__ = ["axe"]

pytestmark = [
    needs_core,
    pytest.mark.slow,
    pytest.mark.skipif(not EDITOR.exists(), reason="no editor.js: editors/playground makes it"),
]

GAME = """
{{board {board} {{grid}} board}}
{{players {{player}} White {{player}} Black players}}
{{turn-order {{turn}} White {{turn}} Black turn-order}}
: put ( -- ) empty? verify drop add-move ;
{{moves puts {{move}} put moves}}
{{pieces {{piece}} stone {{drops}} puts pieces}}
{more}
"""
PASTE = """
const content = document.querySelector("#editor").shadowRoot.querySelector(".cm-content");
content.focus();
const clipboardData = new DataTransfer();
clipboardData.setData("text/plain", arguments[0]);
const options = { clipboardData, bubbles: true, cancelable: true };
content.dispatchEvent(new ClipboardEvent("paste", options));
"""
IN_SHADOW = "return document.querySelector('#editor').shadowRoot.querySelector(arguments[0]);"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a static server with the page."""
    folder = tmp_path_factory.mktemp("site")
    lesson = Lesson("The first step", "game.4th", {"game.4th": GAME.format(board="3 4", more="")})
    write_playground(folder, [lesson])
    with static_site(folder) as address:
        yield address


class Playground(Page):
    """The page."""

    def open(self, sources: dict[str, object] | None = None) -> None:
        """Reload the page, with sources that the browser has remembered."""
        self.driver.execute_script("localStorage.clear()")
        if sources:
            script = "localStorage['forthvm.playground'] = arguments[0]"
            self.driver.execute_script(script, json.dumps(sources))
        self.driver.refresh()
        self.wait_until_loaded()

    def open_game(self, board: str = "3 3", more: str = "", **others: str) -> None:
        """Open the page with a small game, and further files."""
        files = {"game.4th": GAME.format(board=board, more=more)}
        files |= {f"{name}.4th": text for name, text in others.items()}
        named = [{"name": name, "text": text} for name, text in files.items()]
        self.open({"files": named, "main": "game.4th"})

    def wait_until_loaded(self) -> None:
        self.wait(lambda: self.driver.find_elements(CSS, "#stack") and self.find("#stack").text)

    def wait_for_output(self, text: str) -> None:
        self.wait(lambda: text in self.find("#output").text)

    def wait_for_stack(self, cells: str) -> None:
        self.wait(lambda: self.find("#stack").text.partition(": ")[2] == cells)

    def editor(self, selector: str) -> Any:  # noqa: ANN401 - an element of the shadow tree
        return self.driver.execute_script(IN_SHADOW, selector)

    def append(self, text: str) -> None:
        """Type at the end of the file that is shown."""
        self.editor(".cm-content").click()
        actions = self.actions().key_down("\ue009").send_keys("\ue010").key_up("\ue009")
        actions.send_keys(text, "\ue00c").perform()  # Escape closes completions

    def paste(self, text: str) -> None:
        """Paste a text in place of the selection."""
        self.driver.execute_script(PASTE, text)

    def replace(self, text: str) -> None:
        """Replace the file that is shown."""
        self.paste("")  # the editor has the focus
        self.actions().key_down("\ue009").send_keys("a").key_up("\ue009").perform()
        self.paste(text)

    def line(self, text: str) -> None:
        """Enter a line in the console."""
        self.wait(lambda: not self.find("#stop").is_enabled())
        self.find("#line").send_keys(text, "\ue007")

    def board(self) -> Page:
        """Go to the frame of the board."""
        self.driver.switch_to.default_content()
        self.driver.switch_to.frame("frame")
        self.wait(lambda: self.driver.find_elements(CSS, "[data-square]"))
        return self

    def variations(self) -> list[str]:
        script = """return [...document.querySelectorAll("#history .variation [data-move]")]
            .map((move) => move.dataset.move);"""
        return [str(move) for move in self.driver.execute_script(script)]

    def remarks(self) -> list[str]:
        script = """return [...document.querySelectorAll("#history .variation .remark")]
            .map((remark) => remark.textContent);"""
        return [str(remark) for remark in self.driver.execute_script(script)]

    def leave_board(self) -> None:
        self.driver.switch_to.default_content()

    def squares(self) -> int:
        return len(self.driver.find_elements(CSS, "[data-square]"))

    def wait(self, condition: Any) -> None:  # noqa: ANN401 - a function without arguments
        super().wait(condition)


@pytest.fixture
def page(driver: webdriver.Chrome, address: str) -> Iterator[Playground]:
    """The page; fail if it logs an error or reaches another host."""
    driver.get(address)
    driver.get_log("browser")
    page = Playground(driver)
    page.wait_until_loaded()
    yield page
    driver.switch_to.default_content()
    hosts = "return performance.getEntriesByType('resource').map((one) => new URL(one.name).origin)"
    found = set(driver.execute_script(hosts))
    assert found <= {address.rstrip("/"), "null"}
    assert driver.execute_script("return typeof hacked") == "undefined"
    driver.execute_script("localStorage.clear()")
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert not [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    driver.get("about:blank")


def test_a_change_shows_the_same_moves_on_another_board(page: Playground) -> None:
    page.open_game("3 3")
    page.board()
    for square in ("b2", "c3"):
        page.wait(lambda: page.find("#status").text)
        page.cell(square).find_element(CSS, "polygon").click()
        page.wait(lambda square=square: page.shown_ply() == (1 if square == "b2" else 2))
    page.leave_board()
    page.find("#files")
    page.append("\n\\ a comment")
    page.line("1 2 + .")  # answered after the files are loaded again
    page.wait_for_output("3")
    page.board()
    page.wait_for_ply(2)
    assert page.squares() == 9


def test_moves_that_are_not_legal_any_more_end_the_line(page: Playground) -> None:
    page.open_game("3 3", more="VARIABLE changed")
    page.board()
    for ply, square in enumerate(("a1", "c3", "b1"), 1):
        page.cell(square).find_element(CSS, "polygon").click()
        page.wait_for_ply(ply)
    page.leave_board()
    page.append(" : OnIsGameOver turn-number 2 > IF #DrawScore ELSE #UnknownScore ENDIF ;")
    page.board()
    page.wait_for_ply(2)


def test_variations_are_kept_as_far_as_they_are_legal(page: Playground) -> None:
    page.open_game("3 3", more="VARIABLE changed")
    page.board()
    for ply, square in enumerate(("a1", "c3"), 1):
        page.cell(square).find_element(CSS, "polygon").click()
        page.wait_for_ply(ply)
    page.find("body").send_keys("\ue011")  # Home: the start of the game
    page.wait(lambda: page.find("#elsewhere-label").text == "The start of the game")
    for square, move in (("a2", "White stone a2"), ("b2", "Black stone b2")):
        page.cell(square).find_element(CSS, "polygon").click()
        page.wait(lambda move=move: move in page.find("#elsewhere-label").text)
    words = page.find("#tree-tools textarea")
    words.send_keys("<b>better</b>")
    page.driver.execute_script("arguments[0].blur()", words)
    page.wait(lambda: page.remarks() == ["<b>better</b>"])
    page.leave_board()
    page.append("\n\\ the same game\n")
    page.line("1 .")
    page.wait_for_output("1")
    page.board()
    page.wait(lambda: page.remarks() == ["<b>better</b>"])
    assert page.variations() == ["White stone a2", "Black stone b2"]
    assert page.shown_ply() == 2
    page.leave_board()
    page.append(" : OnIsGameOver turn-number 1 > IF #DrawScore ELSE #UnknownScore ENDIF ;")
    page.board()
    page.wait_for_ply(1)
    page.wait(lambda: page.variations() == ["White stone a2"])


def test_an_error_is_marked_at_its_line(page: Playground) -> None:
    page.open_game(more=": f ( -- ) DUP unknown-word ;")
    page.wait(lambda: page.find("#problem").text)
    assert "game.4th, line 8" in page.find("#problem").text
    assert "unknown-word" in page.find("#problem").text
    page.wait(lambda: page.editor(".cm-lintRange-error"))
    assert page.editor(".cm-lintRange-error").text == "unknown-word"
    page.find("#problem button").click()
    focused = "return document.querySelector('#editor').shadowRoot.activeElement?.className"
    assert "cm-content" in page.driver.execute_script(focused)


def test_load_finds_other_files(page: Playground) -> None:
    page.open_game(
        more="LOAD Words.4th\n: OnEvaluate ( -- n ) seven ;", words=": seven ( -- n ) 7 ;"
    )
    assert page.find("#problem").text == ""
    page.line("seven 6 * .")
    page.wait_for_output("42")
    page.find("#names li:nth-child(2) button").click()
    page.append(" nonsense")
    page.wait(lambda: "words.4th, line 1" in page.find("#problem").text)


def test_the_console_shows_the_stack_and_errors(page: Playground) -> None:
    page.open_game()
    assert page.find("#stack").text == "Stack: empty"
    page.line("1 2 3")
    page.wait(lambda: page.find("#stack").text == "Stack (3): 1 2 3")
    page.line("+ +")
    page.wait(lambda: page.find("#stack").text == "Stack (1): 6")
    page.line("no-such-word")
    page.wait_for_output("no-such-word")
    page.line("IF")
    page.wait_for_output("IF")
    page.find("#line").send_keys("\ue013\ue013")  # two lines back
    assert page.find("#line").get_property("value") == "no-such-word"


def test_an_endless_loop_is_stopped(page: Playground) -> None:
    page.open_game()
    page.line(": forever BEGIN 0 UNTIL ; forever")
    page.wait(lambda: page.find("#stop").is_enabled())
    page.find("#stop").click()
    page.wait_for_output("Stopped")
    page.line("2 3 * .")
    page.wait_for_output("6")


def test_lines_are_undone(page: Playground) -> None:
    page.open_game(more="VARIABLE counter")
    page.line(": twice ( n -- 2n ) 2 * ;")
    page.line("5 counter ! 7")
    page.wait_for_stack("7")
    page.line("twice counter @")
    page.wait_for_stack("14 5")
    page.line("no-such-word")
    page.wait_for_output("no-such-word")
    assert page.find("#stack").text == "Stack (2): 14 5"
    for expected in ("14 5", "7"):
        page.find("#undo-line").click()
        page.wait_for_stack(expected)
    page.find("#line").send_keys("\ue009z")  # Ctrl+Z in the empty field
    page.wait(lambda: page.find("#stack").text == "Stack: empty")
    page.line("counter @")
    page.wait_for_stack("0")
    page.line("undo")
    page.line("UNDO")
    page.wait(lambda: not page.find("#undo-line").is_enabled())
    page.line("3 twice")
    page.wait_for_output("twice")
    page.line("%help twice")
    page.wait_for_output("There is no word twice.")


def test_the_console_works_in_the_position_of_the_board(page: Playground) -> None:
    page.open_game("3 3")
    assert page.find("#place").text == "At the start"
    page.line(": stones ( -- n ) 0 9 0 DO I empty-at? 0= IF 1+ ENDIF LOOP ;")
    page.line("stones")
    page.wait_for_stack("0")
    page.line("play White stone b2")
    page.wait(lambda: page.find("#place").text == "After 1 move")
    page.line("stones")  # the definition is there in each position
    page.wait_for_stack("1")
    page.line("moves stone c")
    page.wait_for_output("Black stone c2\nBlack stone c1")
    page.line("play 1")
    page.wait(lambda: page.find("#place").text == "After 2 moves")
    page.line("stones turn-offset")
    page.wait_for_stack("2 0")
    page.board()
    page.wait_for_ply(2)
    page.leave_board()
    page.line("takeback")
    page.wait(lambda: page.find("#place").text == "After 1 move")
    page.line("stones")
    page.wait_for_stack("1")
    page.line("new")
    page.wait(lambda: page.find("#place").text == "At the start")
    page.line("play z9")
    page.wait_for_output("no single legal move z9")


def test_engines_play_at_levels_and_give_hints(page: Playground) -> None:
    page.open_game("3 3")
    page.board()
    page.find("#hint").click()
    page.wait(lambda: page.find("#message").text.startswith("Hint: White stone"))
    page.find("#seats optgroup option[value='level:3']").click()
    page.wait_for_ply(1)
    page.leave_board()
    page.wait(lambda: page.find("#place").text == "After 1 move")


def test_definitions_of_the_console_survive_a_stop(page: Playground) -> None:
    page.open_game()
    page.line(": twice ( n -- 2n ) 2 * ;")
    page.line(": forever BEGIN 0 UNTIL ; forever")
    page.wait(lambda: page.find("#stop").is_enabled())
    page.actions().key_down("\ue009").send_keys("c").key_up("\ue009").perform()
    page.wait_for_output("Stopped")
    page.line("21 twice")
    page.wait_for_stack("42")


def test_words_are_described_in_the_console(page: Playground) -> None:
    page.open_game()
    page.line("help add-move")
    page.wait_for_output("add-move  ( -- )")
    page.line("see put")
    page.wait_for_output(": put ( -- ) empty? verify drop add-move ;")
    page.line("words empty-a*")
    page.wait(lambda: page.find("#output").text.endswith("empty-at?  ( pos -- ? )"))
    page.line("help no-such-word")
    page.wait_for_output("There is no word no-such-word.")


def test_the_console_completes_words(page: Playground) -> None:
    page.open_game(more=": my-own-word 42 . ;")
    page.find("#line").send_keys("my-o\ue004")
    assert page.find("#line").get_property("value") == "my-own-word"
    page.find("#line").send_keys("\ue007")
    page.wait_for_output("42")
    page.find("#line").send_keys("empt\ue004")
    page.wait_for_output("empty-at?")
    assert page.find("#line").get_property("value") == "empty"
    page.find("#line").send_keys("\ue004")  # a second Tab leaves the field
    focused = "return document.activeElement.textContent"
    assert page.driver.execute_script(focused) == "Run"


def test_definitions_of_several_lines(page: Playground) -> None:
    page.open_game()
    page.find("#line").send_keys(": seven\ue0073 4 +\ue007;\ue007")
    page.wait_for_output(": seven\n  3 4 +\n  ;")
    page.line("seven")
    page.wait_for_stack("7")


@pytest.mark.parametrize(
    "more",
    [
        ": forever ( -- ) BEGIN 0 UNTIL ; forever",
        ": OnShow ( -- ) BEGIN 0 UNTIL ;",
        ": OnIsGameOver ( -- ) BEGIN 0 UNTIL ;",
        "1000000000 ALLOT 1 HERE 4 - !",
    ],
)
def test_a_text_that_does_not_end_is_replaced(page: Playground, more: str) -> None:
    page.open_game()
    page.append(f"\n{more}")
    page.wait(lambda: page.find("#stop").is_enabled() or page.find("#problem").text)
    page.replace(GAME.format(board="4 4", more=": answer ( -- n ) 42 ;"))
    page.line("answer .")
    page.wait_for_output("42")
    page.board()
    page.wait(lambda: page.squares() == 16)
    page.cell("b2").find_element(CSS, "polygon").click()
    page.wait_for_ply(1)


def test_an_endless_loop_on_the_board_leaves_the_page_usable(page: Playground) -> None:
    loops = ": OnIsGameOver ( -- n ) BEGIN turn-number 1 = UNTIL #UnknownScore ;"
    page.open_game(more=loops)
    page.board()
    page.cell("b2").find_element(CSS, "polygon").click()  # the next position does not end
    page.leave_board()
    page.line("6 7 * .")
    page.wait_for_output("42")
    page.replace(GAME.format(board="4 4", more=""))
    page.board()
    page.wait(lambda: page.squares() == 16)
    page.cell("a1").find_element(CSS, "polygon").click()
    page.wait_for_ply(1)


def test_a_million_lines_of_output(page: Playground) -> None:
    page.open_game(more=': many ( -- ) 1000000 0 DO ." line" CR LOOP ; many')
    page.wait_for_output("…")
    assert len(page.find("#output").text) < 30_000
    page.line("6 7 * .")
    page.wait_for_output("42")


def test_a_source_of_five_megabytes(page: Playground) -> None:
    page.open_game()
    page.paste(": some-word ( -- n ) 1 2 + DUP * ; ( a comment )\n" * 100_000)
    page.wait(lambda: "too long" in page.find("#message").text)
    page.line("some-word .")
    page.wait_for_output("9")
    page.append("\n: other-word ( -- n ) 6 ;")
    page.line("other-word some-word * .")
    page.wait_for_output("54")


VIOLATIONS = """
const done = arguments[arguments.length - 1], found = [];
addEventListener("securitypolicyviolation", (event) => found.push(event.effectiveDirective));
setTimeout(() => { try { new Function("hacked = 1")(); } catch { /* as it should be */ } });
const script = document.createElement("script");
script.textContent = "hacked = 2";
document.body.append(script);
const picture = "<img src='https://example.org/x.png' onerror='hacked = 3'>";
document.body.insertAdjacentHTML("beforeend", picture);
fetch("https://example.org/").catch(() => {});
setTimeout(() => {
  performance.clearResourceTimings();
  done([...new Set(found)].sort());
}, 500);
"""
"""Tries what the policy forbids.  The result: the directives that were violated."""


@pytest.mark.parametrize("name", ["index.html", "board.html"])
def test_the_security_policy(page: Playground, address: str, name: str) -> None:
    page.driver.get(address + name)
    found = page.driver.execute_async_script(VIOLATIONS)
    expected = ["connect-src", "img-src", "script-src", "script-src-attr", "script-src-elem"]
    assert found == expected
    assert page.driver.execute_script("return typeof hacked") == "undefined"
    page.driver.get_log("browser")  # the violations


def test_changes_leave_nothing_behind(page: Playground) -> None:
    page.open_game()

    def counts() -> tuple[object, ...]:
        page.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        targets = page.driver.execute_cdp_cmd("Target.getTargets", {})["targetInfos"]
        counters = page.driver.execute_cdp_cmd("Memory.getDOMCounters", {})
        workers = [target for target in targets if target["type"] == "worker"]
        return len(workers), counters["documents"], counters["jsEventListeners"]

    def change(times: int) -> None:
        for _ in range(times):
            page.paste(" ")
            page.line("41 1+ .")
            page.wait_for_output("42")
            page.driver.execute_script("document.querySelector('#output').replaceChildren()")

    change(5)
    before = counts()
    change(15)
    assert counts() == before


def test_output_is_limited(page: Playground) -> None:
    page.open_game()
    page.line(': many 100000 0 DO ." abcdefgh" LOOP ; many')
    page.wait_for_output("…")
    assert len(page.find("#output").text) < 30_000


def test_examples_are_chosen_and_remembered(page: Playground) -> None:
    page.open()
    page.find("#examples option[value='chess']").click()
    page.board()
    page.wait(lambda: page.squares() == 64)
    page.leave_board()
    assert len(page.driver.find_elements(CSS, "#names li")) > 3
    page.append("\n\\ mine")
    page.driver.refresh()
    page.wait_until_loaded()
    assert page.find("#examples").get_property("value") == "chess"
    script = "return JSON.parse(localStorage['forthvm.playground']).files[0].text"
    assert page.driver.execute_script(script).endswith("\\ mine")


def test_lessons_are_examples(page: Playground) -> None:
    page.open()
    option = page.find("#examples option[value='lesson-1']")
    assert option.text == "The first step"
    option.click()
    page.board()
    page.wait(lambda: page.squares() == 12)
    page.leave_board()


def test_a_link_holds_the_sources(page: Playground, address: str) -> None:
    page.open_game("5 2", more=": answer ( -- n ) 42 ;")
    page.find("#share").click()
    page.wait(lambda: page.driver.current_url.startswith(f"{address}#1."))
    link = page.driver.current_url
    page.driver.execute_script("localStorage.clear()")
    page.driver.get("about:blank")
    page.driver.get(link)
    page.wait_until_loaded()
    page.line("answer .")
    page.wait_for_output("42")
    page.board()
    assert page.squares() == 10


def download(page: Playground, folder: Path) -> Path:
    """Download the game, and return the file."""
    behaviour = {"behavior": "allow", "downloadPath": str(folder)}
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", behaviour)
    page.find("#download").click()
    page.wait(lambda: list(folder.glob("*.html")))
    (file,) = folder.glob("*.html")
    return file


def blocks(document: str) -> dict[str, Any]:
    """Return the data in an exported document, by key, and the rest of it."""
    found = dict(re.findall(r'<script type="application/json" id="([^"]+)">(.*?)<', document))
    rest = re.sub(r'(<script type="application/json" id="[^"]+">).*?<', r"\1<", document)
    return {key: json.loads(value) for key, value in found.items()} | {"": rest}


@pytest.mark.parametrize("name", ["tictactoe", "chess"])
def test_the_download_of_an_example_is_its_export(
    page: Playground, tmp_path: Path, name: str
) -> None:
    page.open()
    page.find(f"#examples option[value='{name}']").click()
    page.board()
    page.wait(lambda: page.squares() == (64 if name == "chess" else 9))
    page.leave_board()
    file = download(page, tmp_path)
    assert file.name == f"{name}.html"
    game = forthvm.load(name)
    level = f"level:{(len(levels_of(game)) + 1) // 2}"
    expected = blocks(exported_page(Table(game, persons=game.players[:1], engine=level)))
    found = blocks(file.read_text(encoding="utf-8"))
    for one in (found, expected):
        one["offline-game"]["tables"].pop("countsTurns")  # the page assumes the safe value
    assert found == expected


def test_a_downloaded_game_is_played(page: Playground, tmp_path: Path) -> None:
    text = GAME.format(board="3 3", more='." $& </script><script>hacked()</script>"')
    page.open({"files": [{"name": "$&.4th", "text": text}], "main": "$&.4th"})
    file = download(page, tmp_path)
    page.driver.get(file.as_uri())
    page.wait(lambda: page.driver.find_elements(CSS, "[data-square]") and page.find("#status").text)
    assert page.driver.title.startswith("$&.4th")
    page.cell("b2").find_element(CSS, "polygon").click()
    page.wait_for_ply(2)  # the engine has answered
    assert page.driver.execute_script("return typeof hacked") == "undefined"


def test_a_text_with_an_error_is_not_downloaded(page: Playground) -> None:
    page.open_game(more="no-such-word")
    page.find("#download").click()
    page.wait(lambda: "no game without errors" in page.find("#message").text)


@pytest.mark.parametrize(
    "fragment", ["#1.", "#1.AAAA", "#1.!", "#2.q1YqSy0qzszPU7JSMlTSUSpILC4BAA"]
)
def test_damaged_links_are_ignored(page: Playground, address: str, fragment: str) -> None:
    page.driver.get("about:blank")
    page.driver.get(address + fragment)
    page.wait_until_loaded()
    assert page.find("#names li").text.startswith("tictactoe.4th")


def test_names_are_not_markup(page: Playground) -> None:
    name = "<img/src=x/onerror=hacked()>"
    more = f"{{piece}} {name} {{drops}} puts"
    text = GAME.format(board="2 2", more="").replace("pieces}", f"{more} pieces}}") + f' ." {name}"'
    page.open({"files": [{"name": "game.4th", "text": text}], "main": "game.4th"})
    page.wait_for_output(name)
    page.board()
    assert not page.driver.find_elements(CSS, "[onerror]")
    page.leave_board()
    assert not page.driver.find_elements(CSS, "img")


def test_files_are_added_renamed_and_deleted(page: Playground) -> None:
    page.open_game()
    page.find("#new-file").click()
    page.find("#name").clear()
    page.find("#name").send_keys("more.4th\ue007")
    page.wait(lambda: len(page.driver.find_elements(CSS, "#names li")) == 2)
    page.find("#rename").click()
    page.find("#name").clear()
    page.find("#name").send_keys("game.4th\ue007")
    page.wait(lambda: page.find("#message").text)  # the name is taken
    page.find("#delete").click()
    page.answer("yes")
    page.wait(lambda: len(page.driver.find_elements(CSS, "#names li")) == 1)


def test_words_are_completed_and_explained(page: Playground) -> None:
    page.open_game()
    page.append("\n\\ \n")
    page.actions().send_keys("add-mov").perform()
    page.wait(lambda: page.editor(".cm-tooltip-autocomplete [aria-selected]"))
    assert "add-move" in page.editor(".cm-tooltip-autocomplete [aria-selected]").text


FOCUSED = """
const root = document.activeElement.shadowRoot;
return root?.activeElement?.className.split(" ")[0] || document.activeElement.id;
"""


def test_the_page_by_keyboard(page: Playground) -> None:
    page.open_game()
    page.driver.execute_script("document.activeElement.blur()")
    found = []
    while "frame" not in found:
        page.press("\ue004")  # Tab
        found.append(page.driver.execute_script(FOCUSED))
        assert len(found) < 40
    expected = ["examples", "download", "share", "new-file", "rename", "debug", "cm-content"]
    places = [found.index(name) for name in [*expected, "output", "line"]]
    assert places == sorted(places)


def test_lines_are_indented_as_they_are_typed(page: Playground) -> None:
    page.open({"files": [{"name": "game.4th", "text": ""}], "main": "game.4th"})
    typed = (": sign ( n -- n )", "DUP IF", "0< IF", "-1", "ELSE", "1", "ENDIF", "ENDIF ;", "2 .")
    for line in typed:
        page.editor(".cm-content").send_keys(line, "\ue00c\ue007")  # Escape closes completions
    script = "return JSON.parse(localStorage['forthvm.playground']).files[0].text"
    text = page.driver.execute_script(script)
    indented = [": sign ( n -- n )", "\tDUP IF", "\t\t0< IF", "\t\t\t-1", "\t\tELSE", "\t\t\t1"]
    assert text.split("\n") == [*indented, "\t\tENDIF", "\tENDIF ;", "2 .", ""]
    assert format_source(text) == text


def test_on_phones_the_buttons_are_in_menus(page: Playground, axe: str) -> None:
    page.open_game("3 3")
    page.emulate(320)
    assert page.find("header").rect["height"] < 60
    assert not page.find("#share").is_displayed()
    for menu, item in (("page-menu", "share"), ("file-menu", "new-file")):
        button = page.find(f"[popovertarget={menu}]")
        button.send_keys("\ue007")  # Enter
        assert page.find(f"#{item}").is_displayed()
        box = page.find(f"#{menu}").rect
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320
        page.driver.execute_script(axe)
        assert not page.driver.execute_async_script(RUN, TAGS)
        page.press("\ue00c")  # Escape
        assert not page.find(f"#{item}").is_displayed()
    button.click()
    page.find("#new-file").click()
    page.wait(lambda: page.find("#name").is_displayed())
    assert not page.find("#new-file").is_displayed()
    page.find("#name-yes").click()
    page.wait(lambda: "new.4th" in page.find("#names").text)


def test_the_board_waits_for_a_game(page: Playground, tmp_path: Path) -> None:
    page.wait(lambda: not page.find("#no-board").is_displayed())
    path = write(tmp_path / "words.4th", "")
    page.find("#open-files").send_keys(str(path))
    page.wait(lambda: page.find("#no-board").is_displayed())
    assert not page.find("#frame").is_displayed()
    page.replace(GAME.format(board="2 2", more=""))
    page.wait(lambda: page.find("#frame").is_displayed())
    page.replace("{board")  # an error in the text leaves the last board
    page.wait(lambda: page.find("#problem").text)
    assert page.find("#frame").is_displayed()


def test_several_games_in_one_archive(page: Playground, tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("one.4th", "LOAD words.4th\n" + GAME.format(board="2 2", more=""))
        archive.writestr("words.4th", ": word ( -- ) ;")
        archive.writestr("two/game.4th", GAME.format(board="3 3", more=""))
    page.find("#open-files").send_keys(str(path))
    page.wait_for_output("There are several games; one.4th is loaded.")
    page.find("#names li:nth-child(3) button").click()
    page.find("#set-main").click()
    page.board()
    page.wait(lambda: page.squares() == 9)
    page.leave_board()
    assert page.find("#problem").text == ""


def test_a_missing_file_is_named(page: Playground, tmp_path: Path) -> None:
    path = write(tmp_path / "Моя игра.4TH", "\\ игра\r\nLOAD words/moves.4th\r\n".encode("cp1251"))
    page.find("#open-files").send_keys(str(path))
    page.wait(lambda: page.find("#problem").text)
    said = "Моя игра.4TH, line 2: file not found: words/moves.4th; open the files together"
    assert page.find("#problem").text.startswith(said)
    page.wait(lambda: page.editor(".cm-lintRange-error").text == "words/moves.4th")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_accessibility(page: Playground, axe: str, width: int, scheme: str) -> None:
    page.open_game(more="1 . unknown")
    page.line("1 2")
    page.emulate(width, scheme)
    page.driver.execute_script(axe)
    violations = page.driver.execute_async_script(RUN, TAGS)
    assert not violations, "\n\n".join("\n".join(one) for one in violations)


def test_the_page_in_russian(page: Playground) -> None:
    page.open()
    page.driver.execute_script("localStorage['forthvm.language'] = 'ru'")
    page.driver.refresh()
    page.wait(lambda: page.find("h1").text == "Песочница")


def test_files_are_small(address: str, tmp_path: Path) -> None:
    import gzip

    write_playground(tmp_path)
    at_once = [
        path
        for path in tmp_path.rglob("*")
        if path.is_file() and path.parent.name not in ("games", "pyodide")
    ]
    assert sum(len(gzip.compress(path.read_bytes())) for path in at_once) < 1_500_000

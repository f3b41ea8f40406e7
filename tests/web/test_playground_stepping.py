"""The debugger of the playground in a browser: stepping, breakpoints and refused moves."""

from __future__ import annotations

import pytest

from tests.web.browsing import CSS
from tests.web.test_accessibility import RUN, TAGS, axe
from tests.web.test_playground import GAME, Playground, address, page
from tests.web.test_playground import pytestmark as of_playground

__all__ = ["address", "axe", "page"]

pytestmark = of_playground

POINTS = """return [...document.querySelector("#editor").shadowRoot.querySelectorAll(
    ".cm-breakpoints .cm-gutterElement .cm-breakpoint")].filter((one) => one.checkVisibility({
    visibilityProperty: true }))"""


def debug(page: Playground) -> None:
    """Begin to debug the moves of the position on the board."""
    page.wait(lambda: page.find("#debug").is_enabled())
    page.find("#debug").click()
    page.wait(lambda: page.find("#stop-place").text)


def press(page: Playground, how: str, before: str = "") -> str:
    """Press a button of the debugger; return where the run stops."""
    before = page.find("#stop-place").text
    page.find(f'#step-buttons [data-how="{how}"]').click()
    page.wait(lambda: page.find("#stop-place").text != before)
    return page.find("#stop-place").text


def marks(page: Playground) -> set[str]:
    """Return the kinds of the marks on the board."""
    page.board()
    found = {one.get_attribute("class") for one in page.driver.find_elements(CSS, ".mark")}
    page.leave_board()
    return {kind.removeprefix("mark ") for kind in found}


def test_stepping_forward_and_back(page: Playground) -> None:
    page.open_game("3 3")
    page.board()
    page.leave_board()
    debug(page)
    assert page.find("#stop-place").text == "empty? in put: game.4th, line 5"
    assert page.editor(".cm-stop-token").text == "empty?"
    assert page.editor(".cm-stop-line").text.startswith(": put ( -- )")
    assert "here" in marks(page)
    assert press(page, "step") == "verify in put: game.4th, line 5"
    assert page.find("#stop-facts dd").text == "-1"
    assert page.editor(".cm-stop-token").text == "verify"
    assert press(page, "step").startswith("drop in put")
    assert press(page, "back").startswith("verify in put")
    assert press(page, "go") == "The end: 9 moves have been generated."
    assert not page.editor(".cm-stop-token")
    assert press(page, "restart").endswith("This is the beginning.")
    page.find("#step-close").click()
    assert not page.find("#stepping").is_displayed()
    page.wait(lambda: "here" not in marks(page))


def test_stepping_by_keys_in_the_position_on_the_board(page: Playground) -> None:
    page.open_game("2 1")
    page.board()
    page.cell("a2").find_element(CSS, "polygon").click()
    page.wait_for_ply(1)
    page.leave_board()
    debug(page)
    page.actions().send_keys("\ue03b").perform()  # F11: Step
    page.wait(lambda: page.find("#stop-place").text.startswith("verify"))
    assert page.find("#stop-facts dd").text == "0"  # a2 is occupied
    page.actions().send_keys("\ue037").perform()  # F7: Back
    page.wait(lambda: page.find("#stop-place").text.startswith("empty?"))
    page.find("#runs").send_keys("a1")
    page.wait(lambda: "a1" in page.find("#stop-facts").text)
    page.actions().send_keys("\ue035").perform()  # F5: Go on
    page.wait(lambda: page.find("#stop-place").text == "The end: 1 moves have been generated.")


def test_a_change_of_the_text_ends_the_debugger(page: Playground) -> None:
    page.open_game("2 1")
    debug(page)
    page.append("\n\\ a comment")
    page.wait(lambda: not page.find("#stepping").is_displayed())
    assert not page.editor(".cm-stop-token")


@pytest.mark.parametrize(
    ("body", "expected"),
    [("BEGIN 0 UNTIL", "20,000,000"), ("1 0 /", "zero")],
)
def test_failing_move_words(page: Playground, body: str, expected: str) -> None:
    text = GAME.format(board="2 1", more="").replace("empty? verify drop add-move", body)
    page.open({"files": [{"name": "game.4th", "text": text}], "main": "game.4th"})
    debug(page)
    assert expected in press(page, "go")
    assert press(page, "back")
    page.line("1 2 + .")
    page.wait_for_output("3")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_accessibility(page: Playground, axe: str, width: int, scheme: str) -> None:
    page.open_game("2 1")
    debug(page)
    page.emulate(width, scheme)
    page.driver.execute_script(axe)
    violations = page.driver.execute_async_script(RUN, TAGS)
    assert not violations, "\n\n".join("\n".join(one) for one in violations)
    overflow = "return document.documentElement.scrollWidth - innerWidth"
    assert page.driver.execute_script(overflow) <= 0


TWO_LINES = """: put ( -- )
    empty? verify
    drop add-move
;"""


def open_lines(page: Playground) -> None:
    """Open a game whose move word has several lines, the first of them line 5."""
    text = GAME.format(board="2 1", more="")
    text = text.replace(": put ( -- ) empty? verify drop add-move ;", TWO_LINES)
    page.open({"files": [{"name": "game.4th", "text": text}], "main": "game.4th"})


def test_breakpoints_by_mouse(page: Playground) -> None:
    open_lines(page)
    gutter = "return [...document.querySelector('#editor').shadowRoot"
    gutter += ".querySelectorAll('.cm-breakpoints .cm-gutterElement')]"
    elements = page.driver.execute_script(gutter)
    elements[7].click()  # the first one is the spacer
    page.wait(lambda: len(page.driver.execute_script(POINTS)) == 1)
    debug(page)
    assert press(page, "go").startswith("drop in put: game.4th, line 7 A breakpoint.")
    first = page.find("#stop-facts").text
    page.find('[data-how="go"]').click()
    page.wait(lambda: page.find("#stop-facts").text != first)  # of another square
    page.find('[data-how="back go"]').click()
    page.wait(lambda: page.find("#stop-facts").text == first)
    page.driver.execute_script(gutter)[7].click()
    page.wait(lambda: not page.driver.execute_script(POINTS))
    assert press(page, "go").startswith("The end")


def test_breakpoints_by_keyboard(page: Playground) -> None:
    open_lines(page)
    debug(page)
    page.editor(".cm-content").click()
    down = "\ue015"
    page.actions().key_down("\ue009").send_keys("\ue011").key_up("\ue009").perform()
    page.actions().send_keys("\ue039").perform()  # F9, on line 1, which is empty
    page.wait(lambda: "only while" in page.find("#unreachable").text)
    page.actions().send_keys("\ue039", *(down * 6), "\ue039").perform()
    page.wait(lambda: not page.find("#unreachable").text)
    page.actions().send_keys("\ue035").perform()  # F5: Go on
    page.wait(lambda: "line 7 A breakpoint." in page.find("#stop-place").text)


def test_a_refused_click_names_the_decision(page: Playground) -> None:
    open_lines(page)
    page.board()
    page.cell("a2").find_element(CSS, "polygon").click()
    page.wait_for_ply(1)
    page.cell("a2").find_element(CSS, "polygon").click()  # occupied
    reason = "`empty? verify` in `put` refuses it on a2 (game.4th, line 6)"
    page.wait(lambda: page.find("#message").text == reason)
    page.leave_board()
    button = page.find("#refusal button")
    assert button.text == reason
    button.click()
    page.wait(lambda: page.find("#stop-place").text == "verify in put: game.4th, line 6")
    assert page.editor(".cm-stop-token").text == "verify"
    assert page.find("#stop-facts dd").text == "0"
    assert press(page, "back").startswith("empty? in put")
    page.append("\n")
    page.wait(lambda: not page.find("#refusal").is_displayed())


def test_a_refused_click_by_keyboard(page: Playground) -> None:
    page.open()
    page.find("#examples option[value='chess']").click()
    page.board()
    page.wait(lambda: page.squares() == 64)
    page.driver.execute_script("document.querySelector('[data-square][tabindex=\"0\"]').focus()")
    left, up, right, down, enter = "\ue012", "\ue013", "\ue014", "\ue015", "\ue007"
    to_e2 = [*right * 4, down]  # from a3
    page.actions().send_keys(*to_e2, enter, left, up, enter).perform()  # e2, d3
    page.leave_board()
    page.wait(lambda: page.driver.find_elements(CSS, "#refusal button"))
    assert "`enemy? verify` in `take`" in page.find("#refusal button").text
    page.driver.execute_script("arguments[0].focus()", page.find("#refusal button"))
    page.actions().send_keys("\ue007").perform()
    page.wait(lambda: page.find("#stop-place").text.startswith("verify in take: moves.4th"))
    assert page.find('#names [aria-current="true"]').text == "moves.4th"


def test_breakpoints_are_remembered(page: Playground) -> None:
    page.open_game("3 3", more="LOAD other.4th", other=": other ( -- ) ;")
    for file in (1, 2):
        page.find(f"#names li:nth-child({file}) button").click()
        page.editor(".cm-content").click()
        page.press("\ue039")  # F9
        page.wait(lambda: len(page.driver.execute_script(POINTS)) == 1)
    for _ in range(2):
        page.driver.refresh()
        page.wait_until_loaded()
        page.wait(lambda: len(page.driver.execute_script(POINTS)) == 1)
        page.append(" ")  # remembers all files, of which one has not been shown since
    page.find("#names li:nth-child(2) button").click()
    page.wait(lambda: len(page.driver.execute_script(POINTS)) == 1)
    page.open_game("3 3")
    assert not page.driver.execute_script(POINTS)

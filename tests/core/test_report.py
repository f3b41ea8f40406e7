"""The layout of reports and the suggestion of names, tested without a VM."""

from __future__ import annotations

from forthvm.core.errors import DivisionError, ForthVMError, Phase, StackUnderflow
from forthvm.core.errors.report import suggest
from forthvm.core.location import Frame, GameContext, Location
from tests.kit.cases import each_case


def at(line: int, column: int, text: str = "", length: int = 1, file: str = "s.4th") -> Location:
    return Location(file, line, column, text, length)


def test_a_report_shows_message_line_callers_and_activity() -> None:
    error = StackUnderflow(
        word="capture-at",
        location=at(214, 17, " " * 16 + "capture-at", 10),
        trace=[Frame(0, "drag", at(209, 3)), Frame(0, "drag-to-north", at(221, 5))],
        phase=Phase.GENERATE,
        game_context=GameContext("South", "troll", "f2"),
    )
    assert error.report().splitlines() == [
        "s.4th:214:17: stack underflow in `capture-at`",
        "    214 |                 capture-at",
        "        |                 ^~~~~~~~~~",
        "  called from drag          s.4th:209:3",
        "  called from drag-to-north s.4th:221:5",
        "  while generating moves of South (troll on f2)",
    ]


@each_case(
    ("game_context", "line"),
    [
        (None, "  while generating moves"),
        (GameContext("South"), "  while generating moves of South"),
        (GameContext("South", None, "f2"), "  while generating moves of South (on f2)"),
        (GameContext("South", "troll"), "  while generating moves of South (troll)"),
    ],
)
def test_unknown_fields_are_omitted(game_context: GameContext | None, line: str) -> None:
    error = DivisionError(phase=Phase.GENERATE, game_context=game_context)
    assert error.report().splitlines()[1:] == [line]


@each_case("phase", list(Phase))
def test_phases_of_games_are_reported(phase: Phase) -> None:
    lines = DivisionError(phase=phase, game_context=GameContext("South")).report().splitlines()
    if phase in (Phase.INTERPRET, Phase.CALL):
        assert len(lines) == 1
    else:
        assert "while" in lines[1]
        assert "South" in lines[1]


def test_the_middle_of_many_calls_is_left_out() -> None:
    trace = [Frame(n, f"w{n}", at(n, 1)) for n in range(40)]
    lines = ForthVMError("deep", trace=trace).report().splitlines()
    assert lines[1] == "  called from w0  s.4th:0:1"
    assert lines[7] == "  … 28 more calls"
    assert lines[-1] == "  called from w39 s.4th:39:1"
    assert len(lines) == 1 + 6 + 1 + 6


@each_case("columns", [40, 60, 80, 100, 200])
@each_case("column", [1, 30, 55, 75, 95, 120, 196])
def test_a_source_line_is_cut_to_the_terminal(columns: int, column: int) -> None:
    """If the terminal wrapped the line, the caret would be below another character."""
    text = "".join(f"{number:05}" for number in range(40))
    error = DivisionError(location=at(3, column, text, 5))
    _, line, caret = error.report(columns).splitlines()
    assert max(len(line), len(caret)) <= columns
    start = caret.index("^")
    assert line[start] == text[column - 1]


def test_a_long_line_is_cut_around_the_caret() -> None:
    text = "a " * 200 + "wrong " + "b " * 200
    error = ForthVMError("x", location=at(1, 401, text, 5))
    _, line, caret = error.report().splitlines()
    assert len(line) < 125
    start = caret.index("^")
    assert line[start : start + 5] == "wrong"
    assert caret.endswith("^~~~~")


def test_a_location_without_text_shows_no_source_line() -> None:
    assert ForthVMError("x", location=at(3, 1)).report() == "s.4th:3:1: x"


def test_loads_come_after_the_callers() -> None:
    error = ForthVMError("x", loads=[at(2, 1), at(9, 4, file="top.4th")], hints=["do this"])
    assert error.report().splitlines()[1:] == [
        "  loaded from s.4th:2:1",
        "  loaded from top.4th:9:4",
        "  do this",
    ]


@each_case(
    ("name", "words", "suggestion"),
    [
        ("dup", ["DUP", "dump"], "did you mean `DUP` or `dump`?"),
        ("DUP", ["drop", "2DUP", "dup"], "did you mean `dup` or `2DUP`?"),
        ("capturre", ["capture", "SWAP"], "did you mean `capture`?"),
        ("xyzzy", ["DUP", "SWAP"], ""),
        ("x", [], ""),
        ("move", ["Move", "MOVE", "move!", "remove"], "did you mean `Move`, `MOVE` or `move!`?"),
    ],
)
def test_similar_names_are_suggested(name: str, words: list[str], suggestion: str) -> None:
    assert suggest(name, words) == suggestion

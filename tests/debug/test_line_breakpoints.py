"""Breakpoints on lines of files, by path: definitions, library files, lines without code."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm import debug
from forthvm.game import find_game
from tests.kit.files import write

RULES = Path(__file__).parents[1] / "zrf" / "idioms" / "jumps.zrf"
SCRIPT = """\
\\ A comment.
VARIABLE total

: sq ( n -- m )
    DUP * ;

: sums ( -- )
    3 0 DO
        I sq
        total +!
    LOOP ;
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Return a script whose path contains a blank and the word `if`."""
    folder = tmp_path / "a if b"
    folder.mkdir()
    return write(folder / "sums up.4th", SCRIPT)


def session_of(script: Path) -> debug.Session:
    vm = forthvm.VM(library="core", output=lambda _text: None)
    vm.load(script)
    return debug.Session(debug.word_target(vm, "sums"))


def test_lines_are_found_by_path(script: Path) -> None:
    with session_of(script) as session:
        point = session.add_line_breakpoint(script, 9, condition="total @ 0>")
        assert point.verified
        assert (point.line, point.file and point.file.path) == (9, script)
        state = session.continue_()
        assert state.breakpoints == (point.number,)
        assert state.location.line == 9
        assert session.code.path_of(state.location.file) == script
        assert session.evaluate("total @")[0] == (1,)


def test_lines_without_code_move_down(script: Path) -> None:
    with session_of(script) as session:
        point = session.add_line_breakpoint(script, 6)
        assert point.verified
        assert point.line == 8
        state = session.continue_()
        assert state.location.line == 8


@pytest.mark.parametrize(("line", "message"), [(12, "no code"), (0, "lines"), (99, "12 lines")])
def test_lines_without_code_below_are_not_verified(script: Path, line: int, message: str) -> None:
    with session_of(script) as session:
        point = session.add_line_breakpoint(script, line)
        assert not point.verified
        assert message in point.problem
        assert session.continue_().ended


def test_files_that_are_not_loaded_are_not_verified(script: Path, tmp_path: Path) -> None:
    with session_of(script) as session:
        point = session.add_line_breakpoint(tmp_path / "other.4th", 1)
        assert "is not loaded" in point.problem
        session.delete(point.number)


def test_lines_of_the_library_stop_runs() -> None:
    position = forthvm.load("breakthrough").start()
    word = position.game._loaded.vm.locate("verify")
    assert word.file.startswith("<library>")
    with debug.Session(debug.moves_target(position)) as session:
        path = session.code.path_of(word.file)
        assert path is not None
        point = session.add_line_breakpoint(path, word.line)
        assert point.verified
        state = session.continue_()
        assert state.breakpoints == (point.number,)
        assert (state.location.file, state.location.line) == (word.file, point.line)


def test_recordings_contain_breakpoints_on_lines(script: Path) -> None:
    with session_of(script) as session:
        session.add_line_breakpoint(script, 9)
        session.continue_()
        recording = session.recording.to_json()
    with session_of(script) as session:
        assert debug.replay(recording, session) == []


def test_lines_of_rule_files_stop_runs() -> None:
    position = forthvm.load(RULES).start()
    with debug.Session(debug.moves_target(position)) as session:
        lines = RULES.read_text().splitlines()
        line = next(number for number, text in enumerate(lines, 1) if "in-zone?" in text)
        point = session.add_line_breakpoint(RULES, line)
        assert (point.verified, point.line) == (True, line)
        state = session.continue_()
        assert state.location.line == line
        assert session.code.path_of(state.location.file) == RULES
        callers = [caller.location for caller in state.callers[:-1]]
        assert all(place is not None and place.file.endswith(".zrf") for place in callers)


def test_the_end_of_a_section_is_no_code() -> None:
    game = forthvm.load("tictactoe")
    _, script = find_game("tictactoe")
    line = script.read_text().splitlines().index("board}") + 1
    with debug.Session(debug.moves_target(game.start())) as session:
        assert not session.add_line_breakpoint(script, line).verified

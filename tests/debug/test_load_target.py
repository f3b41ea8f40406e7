"""Debugging the loading of scripts and rule files: top-level lines, definitions, other files."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import forthvm
from forthvm import debug
from tests.kit.files import write
from tests.kit.messages import raises

RULES = Path(__file__).parents[1] / "zrf" / "idioms" / "jumps.zrf"
MAIN = """\
\\ The main file.
VARIABLE total

: add ( n -- )
    total +! ;

LOAD part.4th
7 add 8 add
total @ twice
DROP
: last ( -- ) ;
"""
PART = """\
: twice ( n -- m )
    2 * ;
3 twice add
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "part.4th").write_text(PART)
    return write(tmp_path / "main.4th", MAIN)


def place(state: debug.State) -> tuple[str, int]:
    assert state.location is not None, state
    return Path(state.location.file).name, state.location.line


def stops(session: debug.Session) -> list[tuple[str, int]]:
    """Continue to the end; return the places of the stops."""
    found = []
    while not session.continue_().ended:
        found.append(place(session.state))
    assert session.state.error is None
    return found


def test_a_session_begins_at_the_first_token(script: Path) -> None:
    with debug.Session(debug.load_target(script)) as session:
        assert place(session.state) == ("main.4th", 2)
        lines = []
        while not session.step(unit="line").ended:
            lines.append(place(session.state))
        assert [line for name, line in lines if name == "part.4th"] == [1, 3, 2, 3, 2]
        assert ("main.4th", 8) in lines
        assert session.state.stack[-1:] == ()


def test_lines_stop_once_wherever_they_are(script: Path) -> None:
    with debug.Session(debug.load_target(script)) as session:
        changed: list[int] = []
        session.on_breakpoint = lambda point: changed.append(point.number)
        top = session.add_line_breakpoint(script, 8)
        inside = session.add_line_breakpoint(script, 4)
        part = session.add_line_breakpoint(script.parent / "part.4th", 3)
        body = session.add_line_breakpoint(script.parent / "part.4th", 2)
        assert (top.verified, top.line) == (True, 8)
        assert (inside.verified, inside.line) == (True, 5)
        assert not part.verified
        expected = [
            ("part.4th", 3),
            ("part.4th", 2),
            ("main.4th", 5),
            ("main.4th", 8),
            ("main.4th", 5),
            ("main.4th", 5),
            ("part.4th", 2),
        ]
        assert stops(session) == expected
        assert part.verified
        assert body.verified
        assert sorted(changed) == [part.number, body.number]
        back = []
        while session.reverse_continue().reason == "breakpoint":
            back.append(place(session.state))
        assert back == expected[::-1]
        assert stops(session) == expected


def test_words_can_be_marked_before_they_are_defined(script: Path) -> None:
    with debug.Session(debug.load_target(script)) as session:
        point = session.add_breakpoint("twice")
        assert not point.verified
        assert place(session.continue_()) == ("part.4th", 3)
        assert point.verified
        assert place(session.continue_()) == ("main.4th", 9)


def test_lines_without_words_are_not_verified(script: Path) -> None:
    with debug.Session(debug.load_target(script)) as session:
        point = session.add_line_breakpoint(script, 12)
        assert "no code" in point.problem
    vm = forthvm.VM()
    vm.load(script)
    with debug.Session(debug.word_target(vm, "last")) as session:
        point = session.add_line_breakpoint(script, 8)
        assert "only while the file is loaded" in point.problem


def test_going_back_reads_no_file_again(script: Path) -> None:
    with debug.Session(debug.load_target(script)) as session:
        session.add_watch("BASE")
        assert session.continue_().ended
        texts = list(session.target.vm.sources.texts)
        script.write_text("garbage\n")
        (script.parent / "part.4th").write_text("garbage\n")
        assert place(session.back(unit="line")) == ("main.4th", 11)
        assert place(session.restart()) == ("main.4th", 2)
        assert session.continue_().error is None
        assert session.target.vm.sources.texts == texts


def test_failures_stop_at_their_tokens(tmp_path: Path) -> None:
    path = write(tmp_path / "fails.4th", ": fail ( -- ) 1 0 / ;\nfail\n")
    with debug.Session(debug.load_target(path)) as session:
        state = session.continue_()
        assert (state.reason, place(state)) == ("failure", ("fails.4th", 1))
        assert session.continue_().error is not None
    path.write_text("1 DROP\n2 nonsense\n")
    with debug.Session(debug.load_target(path)) as session:
        state = session.continue_()
        assert (state.reason, place(state)) == ("failure", ("fails.4th", 2))
        assert state.stack == (2,)
        assert "nonsense" in str(state.error)
        assert session.continue_().ended
        assert "nonsense" in str(session.state.error)
    path.write_text("1 DROP\nDROP\n")
    with debug.Session(debug.load_target(path)) as session:
        state = session.continue_()
        assert (state.reason, place(state), state.depth) == ("failure", ("fails.4th", 2), -1)
        assert place(session.back(over=True)) == ("fails.4th", 2)
        assert session.state.depth == 0
        assert place(session.back(over=True)) == ("fails.4th", 1)


def test_loading_of_endless_scripts_can_be_paused(tmp_path: Path) -> None:
    path = write(tmp_path / "endless.4th", ": endless ( -- ) BEGIN 0 UNTIL ;\nendless\n")
    with debug.Session(debug.load_target(path)) as session:
        threading.Timer(0.05, session.request_pause).start()
        assert session.continue_().reason == "pause"
        assert place(session.state) == ("endless.4th", 1)


def test_rule_files_are_loaded_by_their_lines() -> None:
    with debug.Session(debug.load_target(RULES)) as session:
        point = session.add_line_breakpoint(RULES, 3)
        assert point.verified
        end = session.continue_()
        assert end.error is None
    with raises(forthvm.ForthVMError, "sessions.unknown-variant"):
        debug.load_target(RULES, variant="nothing")
    with raises(forthvm.ForthVMError, "wrong-arguments.variant-of-a-script", name="chess"):
        debug.load_target("chess.4th", variant=1)


def test_going_back_over_calls_stays_in_the_text(tmp_path: Path) -> None:
    path = write(tmp_path / "lines.4th", ": sq DUP * ;\n: f 3 sq DROP ;\nf\nf\n5 DROP\n")
    with debug.Session(debug.load_target(path)) as session:
        session.add_line_breakpoint(path, 5)
        session.continue_()
        lines = []
        for _ in range(4):
            location = session.back(over=True).location
            lines.append(location and location.line)
        assert lines == [4, 3, 2, 1]

"""Debugging rule files by their own lines: steps, frames, breakpoints, going back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm import debug
from tests.kit.files import write

RULES = """\
(define slide
   (while empty?
      add
      $1)
)
(game
   (title "Slides")
   (players White Black)
   (turn-order White Black)
   (board
      (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9)))
         (directions (e 1 0) (w -1 0))))
   (board-setup (White (man a1)) (Black (man c2)))
   (piece (name man)
      (moves
         (e
          (slide e))
         (w (verify empty?) add)))
   (loss-condition (White Black) stalemated))
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    return write(tmp_path / "slides.zrf", RULES)


@pytest.fixture
def session(rules: Path) -> Iterator[debug.Session]:
    with debug.Session(debug.moves_target(forthvm.load(rules).start())) as made:
        yield made


def line(state: debug.State) -> int:
    assert state.location.file.endswith("slides.zrf")
    return state.location.line


def test_steps_follow_the_lines_of_the_rule_file(session: debug.Session) -> None:
    lines = []
    while not session.step(unit="line").ended:
        lines.append(line(session.state))
    assert lines[:2] == [16, 17] or lines[:2] == [16, 2], lines
    assert {2, 3, 4, 16, 18} <= set(lines)
    back = []
    while session.back(unit="line").reason != "start":
        back.append(line(session.state))
    assert back[0] == lines[-1]
    assert set(back) == set(lines)


def test_frames_have_lines_of_the_rule_file(session: debug.Session, rules: Path) -> None:
    point = session.add_line_breakpoint(rules, 3)
    assert (point.verified, point.line) == (True, 3)
    state = session.continue_()
    assert line(state) == 3
    places = [state.location, *(caller.location for caller in state.callers[:-1])]
    assert all(place is not None and place.file.endswith(".zrf") for place in places)
    assert [place.line for place in places if place is not None][-1] in (16, 17)
    assert session.continue_().breakpoints == (point.number,)
    assert line(session.reverse_continue()) == 3


def test_lines_that_the_host_runs_again_are_separate_steps(tmp_path: Path) -> None:
    vm = forthvm.VM(library="core", output=lambda _text: None)
    vm.interpret("VARIABLE n : count ( -- ) 1 n +! ;", name="count.4th")
    word = vm.token("count")
    operations = [lambda: vm.native.execute(word)] * 3
    with debug.Session(debug.Target(vm, "count", {}, operations)) as session:
        counts = []
        while not session.step(unit="line").ended:
            counts.append(session.evaluate("n @")[0][0])
        assert counts == [0, 1, 2]
        back = []
        while session.back(unit="line").reason != "start":
            back.append(session.evaluate("n @")[0][0])
        assert back == [2, 1, 0]


def test_loading_begins_at_the_first_rule(rules: Path) -> None:
    with debug.Session(debug.load_target(rules)) as session:
        assert line(session.state) > 0
        assert session.continue_().error is None

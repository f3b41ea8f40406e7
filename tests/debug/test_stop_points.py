"""Hit conditions, log messages, and conditions of breakpoints and watchpoints, on the time line."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import forthvm
from forthvm import debug
from tests.kit.messages import raises

SCRIPT = """\
VARIABLE total
: note ( n -- ) total +! ;
: sums ( -- ) 10 0 DO I note LOOP ;
"""


@pytest.fixture
def session() -> Iterator[debug.Session]:
    vm = forthvm.VM(library="core", output=lambda _text: None)
    vm.interpret(SCRIPT, name="sums.4th")
    with debug.Session(debug.word_target(vm, "sums")) as made:
        yield made


def tops(session: debug.Session) -> list[int]:
    """Continue to the end; return the top of the stack at each breakpoint."""
    found = []
    while not session.continue_().ended:
        found.append(session.state.stack[-1])
    return found


@pytest.mark.parametrize(
    ("hits", "expected"),
    [
        ("", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("3", [2]),
        ("= 3", [2]),
        ("== 3", [2]),
        (">=9", [8, 9]),
        ("> 8", [8, 9]),
        ("<= 2", [0, 1]),
        ("< 2", [0]),
        ("% 4", [3, 7]),
    ],
)
def test_hit_conditions_select_hits(session: debug.Session, hits: str, expected: list[int]) -> None:
    session.add_breakpoint("note", hits=hits)
    assert tops(session) == expected


@pytest.mark.parametrize("hits", ["x", "% 0", "3 4", "-1", "=> 2"])
def test_invalid_hit_conditions_raise(session: debug.Session, hits: str) -> None:
    with raises(forthvm.ForthVMError, "sessions.negative-hits"):
        session.add_breakpoint("note", hits=hits)
    with raises(forthvm.ForthVMError, "sessions.negative-hits"):
        session.add_watch("total", hits=hits)
    assert not session.breakpoints
    assert not session.watches


def test_hits_with_a_false_condition_do_not_count(session: debug.Session) -> None:
    session.add_breakpoint("note", condition="DUP 1 AND", hits="2")
    assert tops(session) == [3]


def test_going_back_takes_hits_back(session: debug.Session) -> None:
    point = session.add_breakpoint("note", hits="% 4")
    first = session.continue_()
    assert point.hits == 4
    assert session.continue_().stack[-1] == 7
    assert point.hits == 8
    assert session.run_to(first.step).stack[-1] == 3
    assert point.hits == 4
    assert session.continue_().stack[-1] == 7
    assert session.reverse_continue().step == first.step
    assert point.hits == 4
    session.restart()
    assert point.hits == 0
    assert tops(session) == [3, 7]
    assert point.hits == 10


def test_log_messages_are_evaluated_and_logged_once(session: debug.Session) -> None:
    logged: list[str] = []
    session.on_log = lambda text, place: logged.append(f"{place and place.line} {text}")
    point = session.add_breakpoint(
        "note", condition="DUP 7 >", log="I = {DUP}, total = {total @ .} {99 total !}{nonsense}"
    )
    assert session.continue_().ended
    assert logged[0].startswith("3 I = 8, total = 28 (")
    assert "nonsense" in logged[0]
    assert len(logged) == point.hits == 2
    assert session.evaluate("total @")[0] == (45,)
    session.restart()
    assert session.continue_().ended
    session.reverse_continue()
    assert session.state.reason == "start"
    assert len(logged) == 2


def test_output_comes_before_a_later_log_message() -> None:
    vm = forthvm.VM(library="core")
    vm.interpret("VARIABLE total")
    vm.interpret(': chat ." one" total @ DROP ." two" total @ DROP ;')
    shown: list[str] = []
    with debug.Session(debug.word_target(vm, "chat"), output=shown.append) as session:
        session.on_log = lambda text, _place: shown.append(text)
        session.add_breakpoint("@", log="log")
        assert session.continue_().ended
    assert shown == ["one", "log", "two", "log"]


def test_watchpoints_have_conditions_too(session: debug.Session) -> None:
    logged: list[str] = []
    session.on_log = lambda text, _place: logged.append(text)
    session.add_watch("total", log="total {total @}", hits="")
    watch = session.add_watch("total", condition="total @ 10 >", hits="2")
    state = session.continue_()
    assert [change.new for change in state.changes] == ["21"]
    assert watch.hits == 2
    assert logged == [f"total {n}" for n in (1, 3, 6, 10, 15, 21)]
    assert session.continue_().ended
    back = session.reverse_continue()
    assert back.reason == "watch"
    assert session.evaluate("total @")[0] == (15,)


def test_squares_of_a_board_are_watched_with_conditions() -> None:
    position = forthvm.load("breakthrough").start()
    move = str(position.legal_moves[0])
    square = move.rsplit(" ", 1)[1]
    with debug.Session(debug.play_target(position, move)) as session:
        session.add_watch(f"on {square}", condition="TRUE", hits="1")
        assert session.continue_().changes[0].name == f"on {square}"


def test_ignored_hits_come_back_when_the_run_goes_back(session: debug.Session) -> None:
    point = session.add_breakpoint("note")
    session.ignore(point.number, 3)
    assert session.continue_().stack[-1] == 3
    session.restart()
    assert session.continue_().stack[-1] == 3


def test_conditions_are_recorded(session: debug.Session) -> None:
    session.add_breakpoint("note", condition="DUP 2 >", hits="2")
    session.add_watch("total", hits="9", log="x")
    assert session.continue_().stack[-1] == 4
    recording = session.recording.to_json()
    vm = session.target.vm
    session.close()
    with debug.Session(debug.word_target(vm, "sums")) as again:
        assert debug.replay(recording, again) == []

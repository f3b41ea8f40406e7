"""Requests to a session whose target is running: pauses, breakpoints, evaluations."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

import forthvm
from forthvm import debug

ENDLESS = """\
VARIABLE rounds
VARIABLE limit
: round ( -- ) 1 rounds +! ;
: rounds-go-on ( -- ) BEGIN round rounds @ limit @ = UNTIL ;
"""
SECONDS = 60.0


@pytest.fixture
def session() -> Iterator[debug.Session]:
    vm = forthvm.VM(library="core", output=lambda _text: None)
    vm.interpret("-1 CONSTANT never " + ENDLESS, name="rounds.4th")
    vm.interpret("never limit !")
    with debug.Session(debug.word_target(vm, "rounds-go-on")) as made:
        yield made


def test_points_are_set_and_deleted_while_the_target_runs(session: debug.Session) -> None:
    session.resume()
    assert session.evaluate("rounds @")[0] <= session.evaluate("rounds @")[0]
    assert session.running
    point = session.add_breakpoint("round")
    state = session.wait(SECONDS)
    assert state.breakpoints == (point.number,)
    session.resume()
    session.wait(SECONDS)
    session.delete(point.number)
    session.resume()
    watch = session.add_watch("rounds")
    assert session.wait(SECONDS).changes[0].number == watch.number


def test_a_step_goes_on_after_an_evaluation() -> None:
    vm = forthvm.VM(library="core", output=lambda _text: None)
    vm.interpret(ENDLESS + ": start rounds-go-on ;", name="rounds.4th")
    vm.interpret("100000 limit !")
    with debug.Session(debug.word_target(vm, "start")) as session:
        session.step()
        values: list[int] = []

        def evaluate() -> None:
            while not session.running:
                time.sleep(0.001)
            values.extend(session.evaluate("rounds @ 7 rounds !")[0])

        thread = threading.Thread(target=evaluate)
        thread.start()
        assert session.over().token == ";"
        thread.join(SECONDS)
        assert values
        assert session.evaluate("rounds @")[0] == (100_000,)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["back", "reverse_continue"])
def test_requests_do_not_slow_down_going_back(session: debug.Session, way: str) -> None:
    step = session.run_to(30_000_000).step
    if way == "reverse_continue":
        session.add_watch("limit")  # compared at each token from the first request on
    ended = threading.Event()

    def ask() -> None:
        while not ended.wait(0.05):
            session.evaluate("rounds @")

    thread = threading.Thread(target=ask)
    thread.start()
    if way == "back":
        assert session.back().step < step
    else:
        assert session.reverse_continue().step == 1
    ended.set()
    thread.join(SECONDS)


@pytest.mark.parametrize("way", ["back", "reverse_continue"])
def test_going_back_can_be_paused(session: debug.Session, way: str) -> None:
    session.run_to(3_000_000)
    session.add_breakpoint("round if rounds @ 0<")  # evaluated very often, never true
    states: list[debug.State] = []

    def go_back() -> None:
        states.append(
            session.reverse_continue() if way == "reverse_continue" else session.back(2_000_000)
        )

    thread = threading.Thread(target=go_back)
    thread.start()
    while not session.running:
        time.sleep(0.001)
    time.sleep(0.2)
    session.request_pause()
    thread.join(SECONDS)
    assert not thread.is_alive()
    state = states[0]
    assert state.reason == "pause"
    assert state.step < 3_000_000
    assert session.step().step == state.step + 1
    assert session.restart().step == 1


def test_a_pause_that_comes_too_late_is_forgotten(session: debug.Session) -> None:
    session.add_breakpoint("round")
    session.resume()
    time.sleep(0.05)
    session.request_pause()
    assert session.wait(SECONDS).reason in ("breakpoint", "pause")
    assert session.continue_().reason == "breakpoint"
    assert session.continue_().reason == "breakpoint"

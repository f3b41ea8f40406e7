"""Tests of Ctrl-C, and of Ctrl-Break on Windows: interruption, and waiting that they interrupt.

The signals are raised in this process, since Wine cannot send Ctrl-Break to another one.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from queue import SimpleQueue

import pytest

from forthvm.system import interrupts
from forthvm.system.console import interrupt_by_break
from forthvm.system.interrupts import ignore_interrupts, next_item, wait_for_end, wait_for_thread

if sys.platform == "win32":
    SIGNALS = [signal.SIGINT, signal.SIGBREAK]
else:
    SIGNALS = [signal.SIGINT]


@pytest.fixture(autouse=True)
def short_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "_INTERVAL", 0.001)


@pytest.fixture(params=SIGNALS)
def number(request: pytest.FixtureRequest) -> Iterator[signal.Signals]:
    """A signal of Ctrl-C or Ctrl-Break; the handlers of all are restored after the test."""
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    number: signal.Signals = request.param
    yield number
    for each, handler in handlers.items():
        signal.signal(each, handler)


def test_ctrl_c_and_ctrl_break_interrupt(number: signal.Signals) -> None:
    interrupt_by_break()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)


def test_interrupts_that_are_ignored(number: signal.Signals) -> None:
    ignore_interrupts()
    signal.raise_signal(number)


def test_waiting_lasts_longer_than_an_interval() -> None:
    queue: SimpleQueue[int] = SimpleQueue()
    done: Future[None] = Future()
    failed: Future[None] = Future()
    error = TimeoutError("of the work")

    def work() -> None:
        queue.put(3)
        done.set_result(None)
        failed.set_exception(error)

    thread = threading.Timer(0.01, work)
    thread.start()
    assert next_item(queue) == 3
    assert wait_for_end(done) is None
    assert wait_for_end(failed) is error
    wait_for_thread(thread)
    assert not thread.is_alive()

"""Tests of waiting so that Ctrl-C interrupts it on all systems."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from queue import SimpleQueue

import pytest

from forthvm.system import interrupts
from forthvm.system.interrupts import next_item, wait_for_end, wait_for_thread


@pytest.fixture(autouse=True)
def short_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "_INTERVAL", 0.001)


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

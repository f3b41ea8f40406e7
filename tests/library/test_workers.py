"""Processes that run functions: their limits, and what happens when they end."""

from __future__ import annotations

import os
import sys
import time

import pytest

from forthvm.autoplay.match import worker_process
from forthvm.autoplay.match.worker_process import WorkerStartError
from forthvm.library import workers
from forthvm.library.workers import KilledError, Workers
from forthvm.system.limits import CAN_LIMIT_MEMORY
from tests.systems import KILLED, is_running, kill_this_process


@pytest.mark.slow
def test_one_process_runs_function_after_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MAX_TASKS", 3)
    with Workers(1) as group:
        numbers = [group.submit(10, os.getpid).result() for _ in range(6)]
    assert len(set(numbers[:3])) == len(set(numbers[3:])) == 1
    assert numbers[0] != numbers[3]  # it was replaced
    assert os.getpid() not in numbers


@pytest.mark.slow
def test_errors_of_functions_do_not_end_the_process() -> None:
    with Workers(1) as group:
        number = group.submit(10, os.getpid).result()
        with pytest.raises(ZeroDivisionError):
            group.submit(10, divmod, 1, 0).result()
        assert group.submit(10, os.getpid).result() == number


@pytest.mark.slow
def test_late_and_dead_processes_are_replaced() -> None:
    with Workers(1) as group:
        with pytest.raises(KilledError, match=r"longer than 0\.5 s"):
            group.submit(0.5, time.sleep, 60).result()
        with pytest.raises(KilledError, match=KILLED):
            group.submit(10, kill_this_process).result()
        assert group.submit(10, abs, -1).result() == 1


@pytest.mark.slow
def test_process_that_does_not_start_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    with Workers(1) as group:
        with monkeypatch.context() as patch:
            patch.setattr(worker_process, "_command", lambda _: [sys.executable, "-c", "pass"])
            with pytest.raises(WorkerStartError):
                group.submit(10, abs, -1).result()
        assert group.submit(10, abs, -1).result() == 1


@pytest.mark.slow
@pytest.mark.skipif(not CAN_LIMIT_MEMORY, reason="this system cannot limit memory")
def test_memory_is_limited() -> None:
    with Workers(1) as group:
        with pytest.raises(MemoryError):
            group.submit(10, bytearray, 2 * workers.MAX_BYTES).result()
        assert group.submit(10, abs, -1).result() == 1


@pytest.mark.slow
def test_end_kills_processes_at_work() -> None:
    with Workers(1) as group:
        number = group.submit(10, os.getpid).result()
        slow = group.submit(60, time.sleep, 60)
        time.sleep(0.2)
    with pytest.raises(KilledError, match="stopped"):
        slow.result()
    assert not is_running(number)

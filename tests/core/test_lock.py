"""The lock of a VM: threading.RLock, or the extension's, which does the same."""

from __future__ import annotations

import signal
import sys
import time
from threading import Barrier, RLock, Thread, main_thread
from typing import TYPE_CHECKING

import pytest

from forthvm._loop import Lock

if TYPE_CHECKING:
    from collections.abc import Callable

locks = pytest.mark.parametrize("make", [Lock, RLock])


@locks
def test_its_owner_takes_it_again(make: Callable[[], Lock]) -> None:
    lock = make()
    with lock, lock:
        assert lock.acquire()
        lock.release()
    with pytest.raises(RuntimeError):
        lock.release()


@locks
def test_others_wait_or_are_told(make: Callable[[], Lock]) -> None:
    lock = make()
    seen = []

    def other() -> None:
        seen.append(lock.acquire(False))
        seen.append(lock.acquire(blocking=False))
        with pytest.raises(RuntimeError):
            lock.release()
        with lock:
            seen.append(True)

    with lock:
        thread = Thread(target=other)
        thread.start()
        until = time.monotonic() + 60
        while len(seen) < 2 and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.05)
        assert seen == [False, False]
    thread.join()
    assert seen == [False, False, True]


@locks
def test_an_exception_lets_it_go(make: Callable[[], Lock]) -> None:
    lock = make()
    with pytest.raises(ZeroDivisionError), lock:
        1 / 0  # noqa: B018 - it raises
    thread = Thread(target=lambda: took.append(lock.acquire(False)))
    took: list[bool] = []
    thread.start()
    thread.join()
    assert took == [True]


@locks
def test_many_threads_take_turns(make: Callable[[], Lock]) -> None:
    lock, count = make(), [0]
    start = Barrier(6)

    def work() -> None:
        start.wait()
        for at in range(2000):
            with lock:
                before = count[0]
                if at % 200 == 0:
                    time.sleep(0)  # others run, and must not come in
                count[0] = before + 1

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    finally:
        sys.setswitchinterval(interval)
    assert count == [12_000]


@locks
def test_ctrl_c_ends_waiting(make: Callable[[], Lock]) -> None:
    lock = make()
    ready = Barrier(2)
    done = []

    def hold() -> None:
        with lock:
            ready.wait()
            time.sleep(0.05)
            signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
            while not done:
                time.sleep(0.01)

    def wait() -> None:
        ready.wait()
        lock.acquire()

    thread = Thread(target=hold)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        wait()
    done.append(True)
    thread.join()
    with lock:  # it is free again
        pass

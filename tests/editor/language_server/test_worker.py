"""The thread that runs analyses."""

from __future__ import annotations

import queue
from pathlib import Path

import pytest

from forthvm.editor.language_server.worker import Worker


def test_requests_in_a_pause_are_one_request() -> None:
    done: queue.Queue[Path] = queue.Queue()
    worker = Worker(done.put, 0.1)
    for _ in range(5):
        worker.request(Path("a"))
    worker.request(Path("b"))
    assert [done.get(timeout=30), done.get(timeout=30)] == [Path("b"), Path("a")]
    with pytest.raises(queue.Empty):
        done.get(timeout=0.3)


def test_a_failure_does_not_end_the_thread() -> None:
    done: queue.Queue[Path] = queue.Queue()

    def work(path: Path) -> None:
        if path.name == "bad":
            raise ValueError(path)
        done.put(path)

    worker = Worker(work, 0.0)
    worker.request(Path("bad"))
    worker.request(Path("good"))
    assert done.get(timeout=30) == Path("good")
    worker.request(Path("bad"))
    worker.request(Path("good"))
    assert done.get(timeout=30) == Path("good")

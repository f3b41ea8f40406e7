"""Tests of pipes that are read with a time limit."""

from __future__ import annotations

import os
import threading
from typing import IO

import pytest

from forthvm.system.pipes import PipeReader, PipeWriter

MANY = 5 << 20
"""More bytes than a pipe and a reader hold together."""


@pytest.fixture
def pipe() -> tuple[IO[bytes], IO[bytes]]:
    """The reading and the writing end of a pipe, without buffers."""
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb", 0), os.fdopen(writing, "wb", 0)


def test_data_time_limit_and_end(pipe: tuple[IO[bytes], IO[bytes]]) -> None:
    reader = PipeReader(pipe[0])
    assert reader.read(0.0) is None
    assert reader.read(0.01) is None
    pipe[1].write(b"data")
    assert reader.read() == b"data"
    pipe[1].close()
    assert reader.read() == b""
    assert reader.read() == b""
    reader.join(10)
    assert pipe[0].closed


def test_waking_ends_one_wait(pipe: tuple[IO[bytes], IO[bytes]]) -> None:
    reader = PipeReader(pipe[0])
    reader.wake()
    assert reader.read() is None
    timer = threading.Timer(0.01, reader.wake)
    timer.start()
    assert reader.read() is None
    timer.join()
    pipe[1].write(b"data")
    assert reader.read() == b"data"
    pipe[1].close()


def test_only_the_last_bytes_are_kept(pipe: tuple[IO[bytes], IO[bytes]]) -> None:
    reader = PipeReader(pipe[0], only_last=3)
    pipe[1].write(b"x" * (1 << 18))
    pipe[1].write(b"abcde")
    pipe[1].close()
    reader.join(10)
    assert reader.read() == b"cde"
    assert reader.read() == b""


def test_many_bytes_in_both_directions(pipe: tuple[IO[bytes], IO[bytes]]) -> None:
    writer = PipeWriter(pipe[1])
    writer.write(b"x" * MANY)  # does not wait for a reader
    writer.write(b"end")
    writer.close()
    reader = PipeReader(pipe[0])
    received = bytearray()
    while data := reader.read():
        assert len(data) < MANY / 2  # the others wait in the pipe
        received += data
    assert len(received) == MANY + 3
    assert received.endswith(b"xend")
    writer.join(10)
    assert pipe[1].closed


def test_discarded_data_need_no_reader(pipe: tuple[IO[bytes], IO[bytes]]) -> None:
    writer, reader = PipeWriter(pipe[1]), PipeReader(pipe[0])
    writer.write(b"x" * MANY)
    writer.close()
    reader.discard()
    writer.join(10)
    reader.join(10)
    assert pipe[0].closed


def test_writing_without_a_reader_is_no_error(pipe: tuple[IO[bytes], IO[bytes]]) -> None:
    pipe[0].close()
    writer = PipeWriter(pipe[1])
    writer.write(b"data")
    writer.join(10)
    writer.write(b"more")
    writer.close()
    assert pipe[1].closed

"""Tests of the streams of a command."""

from __future__ import annotations

import errno

import pytest

from forthvm.system.console import raise_if_reader_left


def test_the_reader_of_a_pipe_has_exited() -> None:
    error = OSError(errno.EINVAL, "Invalid argument")
    raise_if_reader_left(error, system="linux")
    raise_if_reader_left(OSError(errno.ENOSPC, "No space left"), system="win32")
    with pytest.raises(BrokenPipeError):
        raise_if_reader_left(error, system="win32")

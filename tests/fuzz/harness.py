"""Runs a command line in this process, within limits, and judges how it ended.

Owns the judgement that all fuzzers share: the exit status is 0, 1 or 2, no exception escapes or
is reported as an internal error, and no control character is printed.  It must not know what was
damaged.
"""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass

from forthvm.cli import main

SECONDS = 20
"""Far more than a case takes under its step limit, on a slow machine."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class TooSlowError(BaseException):
    """A case did not end in time; a BaseException, so that no handler of errors takes it."""


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str


def count(variable: str, default: int) -> int:
    """How many cases to try: the default, or what an environment variable says."""
    return int(os.environ.get(variable, default))


def seed() -> int:
    """Which cases: CI gives another number with each commit."""
    return count("FORTHVM_FUZZ_SEED", 13)


def run(*argv: str, text: str = "") -> Ended:
    """Runs a command line with `text` on standard input, and checks how it ends."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.stdin = sys.stdin, io.StringIO(text)
    try:
        with redirect_stdout(out), redirect_stderr(err), _time_limit():
            status = main(argv)
    finally:
        sys.stdin = before
    ended = Ended(status, out.getvalue(), err.getvalue())
    printed = ended.out + ended.err
    assert status in (0, 1, 2), ended
    assert "internal error" not in ended.err, ended.err
    assert "Traceback" not in printed, printed
    assert not _CONTROL.search(printed), repr(printed)
    return ended


@contextmanager
def _time_limit() -> Iterator[None]:
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

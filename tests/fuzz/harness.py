"""Runs a command line in this process, with a time limit, and checks how it ends.

Owns the checks of all fuzzers: the exit status is 0, 1 or 2, no exception escapes or is reported as
an internal error, and no control character is printed.  It must not know the damaged input.
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
"""Time limit of a case; its step limit ends it much earlier, even on a slow machine."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class TooSlowError(BaseException):
    """A case exceeded the time limit; not an Exception, so that error handlers do not catch it."""


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str


def count(variable: str, default: int) -> int:
    """Return the number in an environment variable, or the default."""
    return int(os.environ.get(variable, default))


def seed() -> int:
    """Return the seed of the random cases; CI sets a different one for each commit."""
    return count("FORTHVM_FUZZ_SEED", 13)


def run(*argv: str, text: str = "") -> Ended:
    """Run a command line with `text` on standard input, and check how it ends."""
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

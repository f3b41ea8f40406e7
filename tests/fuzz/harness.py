"""Runs a command line in this process, with a time limit, and checks its result.

Owns the checks of all fuzzers: the exit status is 0, 1 or 2, no exception escapes or is reported as
an internal error, and the output contains no control characters.
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
"""Time limit of a case.  The step limit ends a case much earlier, even on a slow machine."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class TooSlowError(BaseException):
    """A case exceeded the time limit.

    It is not an Exception, so that the error handlers of the program do not catch it.
    """


@dataclass(frozen=True)
class Result:
    """The exit status and the output of a command."""

    status: int
    out: str
    err: str


def number_from_environment(variable: str, default: int) -> int:
    """Return the number in an environment variable; the default if the variable is not set."""
    return int(os.environ.get(variable, default))


def seed() -> int:
    """Return the seed of the random cases; CI sets a different one for each commit."""
    return number_from_environment("FORTHVM_FUZZ_SEED", 13)


def run(*argv: str, text: str = "") -> Result:
    """Run a command line with `text` on standard input; check and return its result."""
    out, err = io.StringIO(), io.StringIO()
    original_stdin, sys.stdin = sys.stdin, io.StringIO(text)
    try:
        with redirect_stdout(out), redirect_stderr(err), time_limit():
            status = main(argv)
    finally:
        sys.stdin = original_stdin
    result = Result(status, out.getvalue(), err.getvalue())
    printed = result.out + result.err
    assert status in (0, 1, 2), result
    assert "internal error" not in result.err, result.err
    assert "Traceback" not in printed, printed
    assert not _CONTROL.search(printed), repr(printed)
    return result


@contextmanager
def time_limit() -> Iterator[None]:
    """Raise TooSlowError if the block takes longer than the time limit of a case."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise TooSlowError

    original_handler = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, original_handler)

"""The limits of a VM: their fields and defaults.  The C core counts and enforces them."""

from __future__ import annotations

from math import ulp

from .arguments import read_arguments
from .reading import MAX_NUMBER, integer, number, optional
from .record import Record

__all__ = ["DEFAULT_MEMORY", "DEFAULT_SECONDS", "MOST_MEMORY", "Budget", "script_budget"]

#: Bytes that the image may grow to by default.
DEFAULT_MEMORY = 64 * 1024 * 1024

#: Limit of the image in bytes if the caller of `script_budget` requests no limit.
MOST_MEMORY = 1 << 30

#: The command line's default for `call_seconds`.
DEFAULT_SECONDS = 10.0

_COUNT = optional(integer(1, MAX_NUMBER))
_SECONDS = optional(number(ulp(0.0), MAX_NUMBER, expected="a positive number of seconds"))
_LIMITS = {
    "memory": optional(integer(1, 2**32 - 1)),
    **dict.fromkeys(("steps", "depth", "output"), _COUNT),
    **dict.fromkeys(("seconds", "call_seconds"), _SECONDS),
}


class Budget(Record, kw_only=True):
    """Limits of a VM; None means no limit (for `memory`: the default).

    Attributes:
        memory: Maximum size of the image in bytes.
        steps: Steps of each run.  A step is a call, a backward jump, or 64 bytes processed by a
            long primitive.
        depth: Cells of the return stack, at most 4096; this limits how deep calls nest.
        seconds: Wall-clock time of each run, that is each use of the VM by the host: interpreting
            a text, running a word, generating a list of moves, searching.
        call_seconds: Wall-clock time of each call of the script within a run, such as generating a
            list of moves or evaluating a position.  A search is one run that makes many calls;
            most other runs are one call.
        output: Bytes that scripts may print before `VM.restart_output` resets the count.
    """

    memory: int | None = None
    steps: int | None = None
    depth: int | None = None
    seconds: float | None = None
    call_seconds: float | None = None
    output: int | None = None

    def __post_init__(self) -> None:
        read_arguments("Budget", _LIMITS, vars(self))


def script_budget(
    *,
    call_seconds: float = DEFAULT_SECONDS,
    mebibytes: int = DEFAULT_MEMORY >> 20,
    steps: int = 0,
    seconds: float = 0.0,
    output: int = 0,
) -> Budget:
    """Return the limits for an untrusted script; 0 means no limit (of memory: MOST_MEMORY)."""
    return Budget(
        memory=mebibytes << 20 if mebibytes else MOST_MEMORY,
        steps=steps or None,
        seconds=seconds or None,
        call_seconds=call_seconds or None,
        output=output or None,
    )

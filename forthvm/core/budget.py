"""The limits of a VM.  Owns the fields and their defaults.  The VM does the counting."""

from __future__ import annotations

from .value import Value

__all__ = ["DEFAULT_MEMORY", "DEFAULT_SECONDS", "MOST_MEMORY", "Budget", "script_budget"]

#: Bytes that the image may grow to by default.
DEFAULT_MEMORY = 64 * 1024 * 1024

#: Bytes that the image can have at most; the meaning of "no limit" for memory.
MOST_MEMORY = 1 << 30

#: The command line's default for `question_seconds`.
DEFAULT_SECONDS = 10.0


class Budget(Value, kw_only=True):
    """Limits of a VM; None means no limit (memory: the default).

    Attributes:
        memory: Bytes of the image.
        steps: Steps of each run: calls of words, jumps back, 64 bytes of a long primitive.
        depth: Cells of return stack, at most 4096: how deep calls nest.
        seconds: Wall-clock time of each run.
        question_seconds: Wall-clock time of each question to the script: interpreting a text,
            running a word, generating a list of moves, evaluating a position.  A run such as a
            search asks many questions; the limit applies to each of them.
        output: Bytes that scripts may print until `VM.restart_output` is called.
    """

    memory: int | None = None
    steps: int | None = None
    depth: int | None = None
    seconds: float | None = None
    question_seconds: float | None = None
    output: int | None = None

    def __post_init__(self) -> None:
        for name in self._fields:
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ValueError(f"Budget.{name} must be positive, not {value}")


def script_budget(
    *,
    question_seconds: float = DEFAULT_SECONDS,
    mebibytes: int = DEFAULT_MEMORY >> 20,
    steps: int = 0,
    seconds: float = 0.0,
    output: int = 0,
) -> Budget:
    """The limits for a script of unknown origin; 0: no limit."""
    return Budget(
        memory=mebibytes << 20 if mebibytes else MOST_MEMORY,
        steps=steps or None,
        seconds=seconds or None,
        question_seconds=question_seconds or None,
        output=output or None,
    )

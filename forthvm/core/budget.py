"""What a VM may use.  This file owns the shape and the defaults, not the counting."""

from __future__ import annotations

from .value import Value

__all__ = ["DEFAULT_MEMORY", "Budget"]

#: Bytes that the image may grow to unless the host says otherwise.
DEFAULT_MEMORY = 64 * 1024 * 1024


class Budget(Value, kw_only=True):
    """Limits of a VM; None means no limit (memory: the default).

    Attributes:
        memory: Bytes of the image.
        steps: Steps of each run: calls of words, jumps back, 64 bytes of a long primitive.
        depth: Cells of return stack, at most 4096: how deep calls nest.
        seconds: Wall-clock time of each run.
        output: Bytes that scripts may print until `VM.restart_output` is called; unlimited by
            default, as only the host knows where the text goes.
    """

    memory: int | None = None
    steps: int | None = None
    depth: int | None = None
    seconds: float | None = None
    output: int | None = None

    def __post_init__(self) -> None:
        for name in ("memory", "steps", "depth", "seconds", "output"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ValueError(f"Budget.{name} must be positive, not {value}")

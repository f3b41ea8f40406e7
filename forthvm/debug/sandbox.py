"""Sandboxed evaluation: running Forth in a stopped VM and restoring everything it changed.

Owns the restoring of memory, stacks and budget.  It must not know why a text is run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.loading.source import Text
from forthvm.core.output import redirected

from .time_limit import TimeLimit

if TYPE_CHECKING:
    from forthvm.core.bindings import Trace
    from forthvm.core.vm import VM

__all__ = ["CONDITION", "Sandbox"]

#: The source name of all texts that are run in the sandbox.
CONDITION = "<condition>"

_STEPS = 20_000_000
_SECONDS = 5.0
"""The limits of each evaluation."""


class Sandbox:
    """Runs Forth in a stopped VM and restores the VM.  Only the thread that owns the VM may use it.

    Attributes:
        busy: Whether a text is running while no run of the target is in progress.  The session then
            ignores the stops of the trace.
        printed: The output of the last text.
    """

    def __init__(self, vm: VM, trace: Trace) -> None:
        self.busy = False
        self.printed = ""
        self._vm = vm
        self._native = vm.native
        self._trace = trace
        self._texts: dict[str, tuple[bytes, int]] = {}
        # The target may have stopped while compiling, or with another number base.
        self._prefix = "[ DECIMAL " if vm.find("[") and vm.find("DECIMAL") else ""

    def run(self, text: str, *, in_run: bool) -> tuple[int, ...]:
        """Run a text and return the items that it leaves on the stack.

        Args:
            text: Forth source; it may contain definitions.
            in_run: Whether the target has stopped inside a run.

        Raises:
            ForthVMError: The text fails.
        """
        data, base = self._register(text)
        if in_run:
            with self._trace.sandbox():
                self._native.budget(_STEPS, _SECONDS)
                return self._interpret(data, base)
        snapshot = self._native.snapshot_take()
        self.busy = True
        try:
            with TimeLimit(_SECONDS).applied(self._native):
                return self._interpret(data, base)
        finally:
            self.busy = False
            self._native.snapshot_restore(snapshot)

    def _register(self, text: str) -> tuple[bytes, int]:
        """Return the bytes of a text and its first source position; add the text if needed."""
        registered = self._texts.get(text)
        if registered is None:
            native = self._native
            data = native.codec.encode(f"{self._prefix}{text} ")
            registered = self._texts[text] = data, native.source_add(len(data))
            table = self._vm.sources
            table.add(Text(CONDITION, data, registered[1], native.codec.encoding))
        return registered

    def _interpret(self, data: bytes, base: int) -> tuple[int, ...]:
        native = self._native
        depth = native.depth()
        printed: list[str] = []
        try:
            with redirected(self._vm, printed.append):
                native.interpret(data, base)
                native.flush()
        finally:
            self.printed = "".join(printed)
        return tuple(native.pick(n) for n in range(native.depth() - depth - 1, -1, -1))

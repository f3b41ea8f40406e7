"""Forth that is run to find something out, and leaves no trace.

Owns running a text where a target has stopped, with memory, stack and budget as before
afterwards.  It must not know what the answer is wanted for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.loading.source import Text
from forthvm.core.output import redirected

from .time_limit import TimeLimit

if TYPE_CHECKING:
    from forthvm.core.bindings import Trace
    from forthvm.core.vm import VM

__all__ = ["CONDITION", "Aside"]

#: Name of the texts that are run aside.
CONDITION = "<condition>"

_STEPS = 20_000_000
_SECONDS = 5.0


class Aside:
    """Runs Forth on the side, in the thread that holds the VM.

    Attributes:
        busy: It is at work, between runs of the target: its tokens are nobody's business.
        printed: What the last text printed.
    """

    def __init__(self, vm: VM, trace: Trace) -> None:
        self.busy = False
        self.printed = ""
        self._vm = vm
        self._native = vm.native
        self._trace = trace
        self._texts: dict[str, tuple[bytes, int]] = {}
        # A run may have stopped while something is compiled, or with another base.
        self._prefix = "[ DECIMAL " if vm.find("[") and vm.find("DECIMAL") else ""

    def run(self, text: str, *, in_hook: bool) -> tuple[int, ...]:
        """Run a text; gives what it left on the stack.

        Args:
            text: Forth, definitions and all.
            in_hook: A run has stopped; else this is between runs.

        Raises:
            ForthVMError: It failed.
        """
        data, base = self._registered(text)
        if in_hook:
            with self._trace.aside():
                self._native.budget(_STEPS, _SECONDS)
                return self._leaves(data, base)
        before = self._native.snapshot_take()
        self.busy = True
        try:
            with TimeLimit(_SECONDS).holds(self._native):
                return self._leaves(data, base)
        finally:
            self.busy = False
            self._native.snapshot_restore(before)

    def _registered(self, text: str) -> tuple[bytes, int]:
        """A text as bytes, known to the VM under one place however often it is run."""
        known = self._texts.get(text)
        if known is None:
            native = self._native
            data = native.codec.encode(f"{self._prefix}{text} ")
            known = self._texts[text] = data, native.source_add(len(data))
            table = self._vm.sources
            table.add(Text(CONDITION, data, known[1], native.codec.encoding))
        return known

    def _leaves(self, data: bytes, base: int) -> tuple[int, ...]:
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

"""Sandboxed evaluation: running Forth in a stopped VM and restoring everything it changed.

Owns the restoring of memory, stacks and budget.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.source import Text
from forthvm.core.output import redirected
from forthvm.debug.source_map.code_map import CONDITION

if TYPE_CHECKING:
    from forthvm.core.bindings import Trace
    from forthvm.core.vm import VM

__all__ = ["Sandbox"]

_STEPS = 20_000_000
_SECONDS = 5.0
"""The limits of each evaluation."""

_RETURN_STACK_WORDS = {"I", "J", "K", "R@", "2R@"}
_RETURN_CELLS = 16
"""The cells of the stopped run's return stack that a text can read: enough for K."""

_ADDED_WORDS = ("DECIMAL", "$text")
"""Words that the sandbox adds to a text."""

_SOURCE_LENGTH = 4096  # source positions reserved at first


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
        # The source positions reserved for the texts, which use them one after the other.
        self._base = 0
        self._length = 0
        # The target may have stopped while compiling, or with another number base.
        self._prefix = "[ DECIMAL " if vm.find("[") and vm.find("DECIMAL") else ""

    def run(self, text: str, *, in_run: bool, compiled: bool = False) -> tuple[int, ...]:
        """Run a text and return the items that it leaves on the stack.

        A text with I, J, K or R@ is compiled, and finds the return stack of the stopped run.

        Args:
            text: Forth source; it may contain definitions unless it is compiled.
            in_run: Whether the target has stopped inside a run.
            compiled: Whether to run the text as a definition, so that it may contain IF.

        Raises:
            ForthVMError: The text fails.
        """
        words = set(text.upper().split())
        reads_return_stack = in_run and not words.isdisjoint(_RETURN_STACK_WORDS)
        if compiled or (reads_return_stack and ":" not in words):
            cells = self._trace.return_stack()[:_RETURN_CELLS] if reads_return_stack else ()
            copy = "".join(f"{cell} >R " for cell in reversed(cells))
            text = f": $text {copy}{text} {'R> DROP ' * len(cells)}; $text"
        data = self._native.codec.encode(f"{self._prefix}{text} ")
        if len(data) > self._length:
            self._length = max(2 * len(data), _SOURCE_LENGTH)
            self._base = self._native.source_add(self._length)
        source = Text(CONDITION, data, self._base, self._native.codec.encoding)
        with self._vm.sources.temporarily(source):
            try:
                return self._run(source, in_run=in_run)
            except ForthVMError as error:
                if error.word in _ADDED_WORDS:  # not part of the user's text
                    error.word = None
                raise

    def _run(self, source: Text, *, in_run: bool) -> tuple[int, ...]:
        if in_run:
            with self._trace.sandbox():
                self._native.budget(_STEPS, _SECONDS)
                return self._interpret(source)
        snapshot = self._native.snapshot_take()
        self.busy = True
        try:
            with self._native.deadline(perf_counter() + _SECONDS):
                return self._interpret(source)
        finally:
            self.busy = False
            self._native.snapshot_restore(snapshot)

    def _interpret(self, source: Text) -> tuple[int, ...]:
        native = self._native
        while native.depth() < 0:  # the target has taken more items than there were
            native.push(0)
        depth = native.depth()
        printed: list[str] = []
        try:
            with redirected(self._vm, printed.append):
                try:
                    if self._vm.standard is not None:
                        self._vm.standard.evaluate(source)
                    else:
                        native.interpret(source.data, source.base)
                finally:  # what a failing text has printed is not output of the target
                    native.flush()
        finally:
            self.printed = "".join(printed)
        return tuple(native.pick(n) for n in range(native.depth() - depth - 1, -1, -1))

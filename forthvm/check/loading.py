"""Loads a script for analysis, and continues after errors.

This file owns the repeated attempts to load a script.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from forthvm.core.budget import script_budget
from forthvm.core.errors import ForthVMError, ScriptFileError
from forthvm.core.loading.loader import Loader
from forthvm.core.output import discard
from forthvm.core.vm import VM

from .damage import text_of
from .definitions_elsewhere import explain_unknown
from .finding import Finding
from .loaded_script import PLACEHOLDERS, LoadedScript
from .retry import prepare_retry
from .text.lexer import lex
from .text.missing import open_at_end

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from forthvm.core.budget import Budget
    from forthvm.core.loading.source import Text

__all__ = ["LoadedScript", "load"]

#: The limit of steps of one attempt, far more than a script needs that computes tables.
STEPS = 50_000_000
#: The maximum number of attempts to load a script.
ATTEMPTS = 60


class _RepairingLoader(Loader):
    """A loader that applies the recorded repairs to the texts that it loads."""

    def __init__(self, loaded: LoadedScript) -> None:
        original = loaded.vm.loader
        super().__init__(loaded.vm.native, original.include)
        self.table, self.library_folder = original.table, original.library_folder
        self.bundled = original.bundled
        self._loaded = loaded

    def _source_of(self, text: Text, *, main: bool) -> bytes:
        return self._loaded.repaired_bytes(text, main=main)


def load(  # noqa: PLR0913 - keyword-only options, each of them documented
    path: Path,
    *,
    library: str | Path | None = "axiom",
    include: Sequence[str | Path] = (),
    axiom: int | str | None = None,
    steps: int = STEPS,
    attempts: int = ATTEMPTS,
    limits: Budget | None = None,
) -> LoadedScript:
    """Load a script for analysis; after an error, repair the script and load it again.

    Args:
        path: The main script.
        library: As for `VM`.
        include: As for `VM`.
        axiom: As for `VM`.
        steps: Limit of steps for each attempt.
        attempts: Limit of attempts.
        limits: Time and memory of each attempt; None for the limits of `script_budget`.

    Raises:
        ScriptFileError: The main script cannot be read.
        ForthVMError: The library cannot be loaded.
    """
    budget = replace(limits or script_budget(), steps=steps)
    vm = VM(library=library, axiom=axiom, include=include, output=discard, budget=budget, clock=0)
    loaded = LoadedScript(vm)
    start = vm.snapshot()
    library_text_count = len(loaded.table.texts)
    earlier_warning_count = 0
    deadline = time.monotonic() + (budget.call_seconds or float("inf"))
    for _ in range(attempts):
        vm.restore(start)
        earlier_warning_count = len(vm.warnings)
        vm.native.clear_stack()
        del loaded.table.texts[library_text_count:]
        for name in loaded.unknown_names:
            vm.interpret(f": {name} ;", name=PLACEHOLDERS)
        loaded.placeholder_xts = tuple(vm.token(name) for name in loaded.unknown_names)
        loader = _RepairingLoader(loaded)
        vm.native.host.load = loader.on_load
        try:
            loader.load(path)
        except ForthVMError as error:
            if isinstance(error, ScriptFileError) and error.location is None:
                raise
            if not loaded.failed:
                loaded.failed = True
                if loaded.has_faults():
                    loaded.forget_faults()
                    continue  # the error is probably a consequence
            if not prepare_retry(loaded, error) or time.monotonic() > deadline:
                break
        else:
            loaded.complete = not loaded.findings
            break
    explain_unknown(loaded)
    loaded.merge_unknown_in_lines()
    _note_emptied(loaded)
    _note_warnings(loaded, earlier_warning_count)
    return loaded


def _note_emptied(loaded: LoadedScript) -> None:
    """Treat definitions that a repair emptied as placeholders: their effects are unknown."""
    for text in loaded.script_texts:
        for definition in lex(text.data).unfinished:
            if loaded.is_emptied(text, definition, main=text is loaded.script_texts[0]):
                loaded.complete = False
                loaded.emptied_definitions.add(text.decode(definition.name.text))
    native = loaded.vm.native
    defined = [name for name in sorted(loaded.emptied_definitions) if native.find(name)]
    loaded.placeholder_xts += tuple(loaded.vm.token(name) for name in defined)


def _note_warnings(loaded: LoadedScript, first: int) -> None:
    """Record findings for the warnings of the VM, from index `first` on."""
    for warning in loaded.vm.warnings[first:]:
        finding = None
        if "never finished" in warning.text:
            text = text_of(loaded, warning.location)
            finding = open_at_end(text, loaded.table) if text is not None else None
            finding = finding or Finding("W310", warning.text, warning.location)
        finding = finding or Finding("W305", warning.text, warning.location)
        if finding not in loaded.findings:
            loaded.findings.append(finding)

"""Loads a script for analysis; after an error, chooses the guess that gets furthest past it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from forthvm.core.budget import script_budget
from forthvm.core.errors import ForthVMError, ScriptFileError, SectionError
from forthvm.core.errors.explainer import Explainer
from forthvm.core.loading.loader import Loader
from forthvm.core.output import discard
from forthvm.core.vm import VM

from .definitions_elsewhere import explain_unknown
from .finding import Finding
from .guesses import finding_of, guesses, interpreted_location
from .loaded_script import PLACEHOLDERS, LoadedScript
from .text.damage import suspects
from .text.repair import RepairedText

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from forthvm.core.budget import Budget
    from forthvm.core.loading.source import Text

    from .loaded_script import Guess

__all__ = ["LoadedScript", "load"]

#: The limit of steps of one attempt, far more than a script needs that computes tables.
STEPS = 50_000_000
#: The maximum number of errors of a script, and of guesses that are tried after each of them.
_MAX_ERRORS, _MAX_GUESSES = 60, 24
_MAX_TRIALS = 200  # attempts after which only one guess at each further error is tried
_ROOM = 1 << 16  # source positions that are reserved for the repairs of a text
_PLAIN = ("E101", "E102")
"""The codes of the findings about an error for which no repair is found."""

_Place = tuple[float, ...]
"""How far an attempt got: the offsets of the LOADs that led to a text, and the offset in it."""
_END: _Place = (float("inf"),)
_Attempt = tuple[LoadedScript, ForthVMError | None, _Place]
"""An attempt: the script with its repairs, the error, and how far the attempt got."""


class _RepairingLoader(Loader):
    """A loader that repairs the texts of the script."""

    def __init__(self, loaded: LoadedScript) -> None:
        original = loaded.vm.loader
        super().__init__(loaded.vm.native, original.include)
        self.table, self.library_folder = original.table, original.library_folder
        self.bundled = original.bundled
        self._loaded = loaded

    def _register(
        self,
        name: str,
        data: bytes,
        encoding: str,
        path: Path | None = None,
        load_position: int = 0,
    ) -> Text:
        text = super()._register(name, data, encoding, path, load_position)
        self._native.source_add(_ROOM)
        return self._loaded.repaired(text)


class _Attempts:
    """The attempts to load a script into one VM."""

    def __init__(self, vm: VM, path: Path, seconds: float) -> None:
        self._vm = vm
        self._path = path
        self._start = vm.snapshot()
        self._library_texts = len(vm.sources.texts)
        self._deadline = time.monotonic() + seconds
        self._last: LoadedScript | None = None  # the script of the last attempt
        self._count = 0  # the number of attempts
        self.first_warning = 0  # the index of the first warning of the last attempt

    def run(self, loaded: LoadedScript) -> LoadedScript:
        """Load a script, with a finding for each error; return what was loaded last."""
        error, place = self._attempt(loaded)
        seen = {(place, str(error))}
        while error is not None:
            loaded, error, place = self._best(loaded, error, place)
            if loaded is not self._last:
                self._attempt(loaded)
            late = len(seen) > _MAX_ERRORS or time.monotonic() > self._deadline
            if late or (place, str(error)) in seen:
                break
            seen.add((place, str(error)))
        loaded.complete = error is None and not loaded.findings
        return loaded

    def _best(self, loaded: LoadedScript, error: ForthVMError, reached: _Place) -> _Attempt:
        """Return the first attempt with one of the guesses that gets furthest past an error.

        If none gets past it, a guess without a repair of damaged text is taken.
        """
        best: _Attempt | None = None
        plain: _Attempt = (loaded, error, reached)
        found = guesses(loaded, error)[:_MAX_GUESSES]
        if self._count > _MAX_TRIALS:
            found = [guess for guess in found if _is_plain(guess)][:1]
        for guess in found:
            other = loaded.copy()
            other.accept(guess)
            next_error, place = self._attempt(other)
            attempt = (other, next_error, place)
            if plain[0] is loaded and _is_plain(guess):
                plain = attempt
            if place > reached:
                best, reached = attempt, place
            if place == _END or time.monotonic() > self._deadline:
                break
        return best or plain

    def _attempt(self, loaded: LoadedScript) -> tuple[ForthVMError | None, _Place]:
        """Load a script with its repairs and placeholders; return the error and its place."""
        vm, self._last = self._vm, loaded
        self._count += 1
        vm.restore(self._start)
        self.first_warning = len(vm.warnings)
        vm.native.clear_stack()
        del vm.sources.texts[self._library_texts :]
        for name in loaded.unknown_names:
            vm.interpret(f": {name} ;", name=PLACEHOLDERS)
        loaded.placeholder_xts = tuple(map(vm.token, loaded.unknown_names))
        loader = _RepairingLoader(loaded)
        vm.native.host.load = loader.on_load
        try:
            loader.load(self._path)
        except ForthVMError as error:
            if isinstance(error, ScriptFileError) and error.location is None:
                raise
            return error, _place_of(loaded, error)
        return None, _END


def _is_plain(guess: Guess) -> bool:
    """Whether a guess leaves out what fails, or defines an unknown name."""
    return guess.finding is None or guess.finding.code in _PLAIN


def _place_of(loaded: LoadedScript, error: ForthVMError) -> _Place:
    """Return the place of the interpreted token that led to an error."""
    location = interpreted_location(loaded, error)
    text = loaded.text_of(location)
    if text is None or location is None:
        return ()
    at_end = isinstance(error, SectionError) and "never closed" in error.message
    place: _Place = (len(text.source.data) if at_end else text.source_offset(location),)
    while text.load_position:
        position = text.load_position
        parent = loaded.table.text_at(position)
        if not isinstance(parent, RepairedText):
            break
        text = parent
        place = (text.offsets[position - text.base], *place)
    return place


def load(  # noqa: PLR0913 - keyword-only options, each of them documented
    path: Path,
    *,
    library: str | Path | None = "axiom",
    include: Sequence[str | Path] = (),
    axiom: int | str | None = None,
    steps: int = STEPS,
    limits: Budget | None = None,
) -> LoadedScript:
    """Load a script for analysis; after an error, repair the script and load it again.

    Args:
        path: The main script.
        library: As for `VM`.
        include: As for `VM`.
        axiom: As for `VM`.
        steps: Limit of steps for each attempt.
        limits: Time and memory of each attempt; None for the limits of `script_budget`.

    Raises:
        ScriptFileError: The main script cannot be read.
        ForthVMError: The library cannot be loaded.
    """
    budget = (limits or script_budget()).replace(steps=steps)
    vm = VM(library=library, axiom=axiom, include=include, output=discard, budget=budget, clock=0)
    attempts = _Attempts(vm, path, budget.call_seconds or float("inf"))
    explain = vm.native.on_error
    vm.native.on_error = Explainer(vm.native, vm.sources, tuple).explain  # without similar names
    try:
        loaded = attempts.run(LoadedScript(vm))
    finally:
        vm.native.on_error = explain
    explain_unknown(loaded)
    opaque = [name for name in sorted(loaded.opaque) if vm.native.find(name)]
    loaded.placeholder_xts += tuple(map(vm.token, opaque))
    _note_warnings(loaded, attempts.first_warning)
    return loaded


def _note_warnings(loaded: LoadedScript, first: int) -> None:
    """Record findings for the warnings of the VM, from index `first` on."""
    for warning in loaded.vm.warnings[first:]:
        finding = Finding("W305", warning.text, warning.location)
        if "never finished" in warning.text:
            text = loaded.text_of(warning.location)
            places = suspects(text.data, main=False) if text is not None else ()
            is_open = next((place for place in places if place.code == "E312"), None)
            if text is not None and is_open is not None:
                finding = finding_of(text, is_open)
            finding = replace(finding, code="W310")
        if finding not in loaded.findings:
            loaded.findings.append(finding)

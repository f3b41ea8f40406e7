"""Host words: Python functions that scripts call.

This file owns the table of host words, and converts between cells and Python values.  The
bindings add the words to the dictionary.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from .errors import AddressError, HostWordError, StackUnderflow
from .status import Status
from .words.stack_effect import Effect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .bindings import NativeVM

__all__ = ["HostWords"]


class HostWords:
    """The host words of one VM; the dictionary refers to each host word by its number."""

    def __init__(self, native: NativeVM) -> None:
        self._native = native
        self._words: list[tuple[str, Effect, Callable[..., object]]] = []
        self._preloaded = 0

    def define(self, name: str, effect: str, function: Callable[..., object]) -> None:
        """Define a word that calls a function."""
        parsed = Effect.parse(effect)
        self._native.define_host_word(name, len(self._words))
        self._words.append((name, parsed, function))

    def preload(self, words: Iterable[tuple[str, Effect, Callable[..., object]]]) -> None:
        """Set the functions of the first host words, which the library defines."""
        preloaded = tuple(words)
        self._words[:0] = preloaded
        self._preloaded = len(preloaded)

    @contextmanager
    def temporary(self, name: str, effect: str, function: Callable[..., object]) -> Iterator[None]:
        """Define a host word for the duration of a block.

        The word stays in the dictionary until the caller restores the memory.
        """
        count = len(self._words)
        self.define(name, effect, function)
        try:
            yield
        finally:
            del self._words[count:]

    def effects(self) -> dict[str, str]:
        """Return the stack effect of each host word by name; the newest definition counts."""
        return {name: str(effect) for name, effect, _ in self._words}

    def run(self, number: int) -> int:
        """Run a host word: pop its arguments, push its results.

        Returns:
            0, or, if the script is at fault, the negative status of the failure, whose detail is on
            the stack.
        """
        if not 0 <= number < len(self._words):  # scripts can change the number in the dictionary
            raise HostWordError(f"there is no host word number {number}")
        name, effect, function = self._words[number]
        native = self._native
        try:
            arguments = [native.pop() for _ in effect.takes]
        except StackUnderflow:
            native.push(0)
            return -Status.STACK_UNDERFLOW
        try:
            results = _cells(name, function(*reversed(arguments)))
        except AddressError as error:
            if number >= self._preloaded:
                raise  # perhaps the error of another run, with a place of its own
            native.push(error.value)
            return -Status.ADDRESS
        if len(results) != len(effect.leaves):
            raise HostWordError(
                f"host word `{name}` {effect} returned {len(results)} cells instead of "
                f"{len(effect.leaves)}",
                word=name,
            )
        for cell in results:
            native.push(cell)
        return 0


def _cells(name: str, result: object) -> list[int]:
    """Convert the result of a host word's function to cells."""
    if result is None:
        return []
    values: Iterable[object] = result if isinstance(result, tuple | list) else (result,)
    cells = []
    for value in values:
        if isinstance(value, bool):
            cells.append(-1 if value else 0)
        elif isinstance(value, int):
            cells.append(value)
        else:
            raise HostWordError(f"host word `{name}` returned {value!r}, not a cell", word=name)
    return cells

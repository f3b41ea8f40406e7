"""The names of the items on the stack of a stopped program.

Owns the choice of the definition; the analysis of the checks follows the names of its stack comment
to the place.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from forthvm.check import WordAnalysis
from forthvm.check.analysis.stacks import stacks_of
from forthvm.core.bindings.layout import COLON

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.location import Location
    from forthvm.core.vm import VM
    from forthvm.debug import Session, State

__all__ = ["stack_names"]


def stack_names(session: Session, state: State) -> tuple[str, ...]:
    """Return the names of the shown items, the top last; "" where the name is not known.

    Of items with the same name, only the topmost one has it.
    """
    unknown = ("",) * len(state.stack)
    place = state.location
    if place is None or not state.callers or place.file.lower().endswith(".zrf"):
        return unknown
    vm, word = session.target.vm, state.callers[0].word
    names = session.call(lambda: _names_at(vm, word, place))
    if len(names) > len(unknown):
        return unknown  # a stack comment is wrong
    above = {name: at for at, name in enumerate(names) if not _is_number(name)}
    unique = tuple(name if above.get(name) == at else "" for at, name in enumerate(names))
    return (*unknown[len(names) :], *unique)


def _names_at(vm: VM, name: str, place: Location) -> Sequence[str]:
    """Return the names before the token at a place runs; none if they are not known."""
    words = _analysis(vm, vm.native.here())
    word = words.image.find(name)
    if word is not None and word.does:
        word = words.image.find(words.image.defining_word(word))
    if word is None or word.kind != COLON:
        return ()
    for code in stacks_of(words, word):
        if vm.sources.locate(code.position) == place:
            return code.before or ()
    return ()


@lru_cache(maxsize=1)
def _analysis(vm: VM, _here: int) -> WordAnalysis:
    """Return the analysis of the words of a VM; cached while no code is compiled."""
    return WordAnalysis(vm)


def _is_number(name: str) -> bool:
    return name.lstrip("+-").isdecimal()

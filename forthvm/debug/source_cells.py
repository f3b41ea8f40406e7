"""The source tokens of compiled cells.

Owns the mapping from a cell to its token, its word and the text of a condition.  Results are
cached, since traces contain the same cells many times.  It must not know moves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, HEADER
from forthvm.core.value import Value
from forthvm.core.words.code import word_name

if TYPE_CHECKING:
    from forthvm.core.loading.source import SourceTable, Text
    from forthvm.core.location import Location
    from forthvm.core.vm import VM

__all__ = ["Cell", "Places", "location_json"]

_MOST_TOKENS = 12
_LOOK_BACK = 2000
_COMMENTS = re.compile(r"(?<!\S)\\(?=\s|$)[^\n]*|(?<!\S)\((?=\s)[^)]*\)")
# The words at which the text of a condition begins at the latest.
_LOOPS = ("DO", "LOOP", "+LOOP", "LEAVE", "BEGIN", "WHILE", "REPEAT", "UNTIL")
_BOUNDS = frozenset({*_LOOPS, "IF", "ELSE", "ENDIF", "THEN", "verify", "add-move", ";"})


class Cell(Value):
    """One compiled cell.

    Attributes:
        address: Its address.
        token: Its value: the execution token of the word that it calls.
        calls: The name of this word; None if the value is not an execution token.
        word: The name of the word that contains the cell; None outside all words.
        place: The source position of the token that was compiled; None for other cells.
        written: This token, for example `IF` for a `0BRANCH`.
        library: Whether the cell belongs to the library and not to the script.
    """

    address: int
    token: int
    calls: str | None
    word: str | None
    place: Location | None
    written: str
    library: bool


class Places:
    """The cells of one VM."""

    def __init__(self, vm: VM) -> None:
        """The VM's dictionary must not change while this object is used."""
        self._vm = vm
        self._native = vm.native
        self._cells: dict[int, Cell] = {}
        self._conditions: dict[int, str] = {}

    @property
    def table(self) -> SourceTable:
        """The texts that were loaded."""
        return self._vm.sources

    def cell(self, address: int) -> Cell:
        """Return the facts about a cell."""
        cell = self._cells.get(address)
        if cell is None:
            cell = self._cells[address] = self._read(address)
        return cell

    def word_place(self, token: int) -> Location | None:
        """Return the source position at which a word was defined."""
        for address in (token, token - HEADER, token + CELL):
            place = self._vm.location_of(address)
            if place is not None:
                return place
        return None

    def name(self, token: int) -> str:
        """Return the name of a word, or its number if it has none."""
        return word_name(self._native, token) or str(token)

    def condition(self, address: int) -> str:
        """Return the source of the condition of a cell such as `verify` or IF, without comments.

        It begins after the last control word before the token: that of `empty? verify` is
        `empty?`.
        """
        text = self._conditions.get(address)
        if text is None:
            text = self._conditions[address] = self._condition(address)
        return text

    def _read(self, address: int) -> Cell:
        native = self._native
        token = native.read_cell(address)
        position = native.source_at(address)
        place = self.table.locate(position)
        source = self.table.text_at(position) if position else None
        holder = native.word_at(address)
        return Cell(
            address,
            token,
            word_name(native, token),
            native.name(holder) if holder and place is not None else None,
            place,
            _token(place) if place is not None else "",
            source is not None and source.library,
        )

    def _condition(self, address: int) -> str:
        position = self._native.source_at(address)
        source = self.table.text_at(position) if position else None
        if source is None:
            return ""
        return condition_before(source, position - source.base)


def condition_before(source: Text, offset: int) -> str:
    """Return the text between the last control word before an offset and the offset."""
    before = source.decode(source.data[max(offset - _LOOK_BACK, 0) : offset])
    before = _COMMENTS.sub(" ", before)
    line = before.rpartition("\n")[2]
    tokens = (line if line.strip() else before).split()
    found: list[str] = []
    while tokens and len(found) <= _MOST_TOKENS:
        token = tokens.pop()
        if token in _BOUNDS:
            break
        if tokens and tokens[-1] == ":":  # the name of the definition
            break
        found.append(token)
    found.reverse()
    if len(found) > _MOST_TOKENS:
        found[0] = "…"
    return " ".join(found)


def _token(place: Location) -> str:
    start = place.column - 1
    return place.text[start : start + place.length]


def location_json(place: Location | None) -> dict[str, object] | None:
    """Return a source position as a JSON object: file, line, column and the source line."""
    if place is None:
        return None
    return {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "source": place.text.strip(),
    }

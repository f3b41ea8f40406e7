"""The source tokens of compiled cells.

Owns the mapping from a cell to its source token, to the word that contains the cell, and to the
source text of a condition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, HEADER
from forthvm.core.words.code import word_name

if TYPE_CHECKING:
    from forthvm.core.loading.source import SourceTable, Text
    from forthvm.core.location import Location
    from forthvm.core.vm import VM

__all__ = ["Cell", "SourceCells", "fields_json"]

_JSON_KEYS = {"location": "place", "word_location": "word_place"}
"""The JSON keys of the fields that are source positions."""
_MAX_TOKENS = 12  # of a condition; the character `…` replaces earlier tokens
_MAX_CONDITION_BYTES = 2000
_COMMENTS = re.compile(r"(?<!\S)\\(?=\s|$)[^\n]*|(?<!\S)\((?=\s)[^)]*\)")
_LOOPS = ("DO", "LOOP", "+LOOP", "LEAVE", "BEGIN", "WHILE", "REPEAT", "UNTIL")
# A condition contains none of these words: its text begins after the last of them.
_CONTROL_WORDS = frozenset({*_LOOPS, "IF", "ELSE", "ENDIF", "THEN", "verify", "add-move", ";"})


@dataclass(frozen=True)
class Cell:
    """One compiled cell.

    Attributes:
        address: The address of the cell.
        value: The value of the cell: usually the execution token of the word that it calls.
        called_word: The name of the called word; None if the value is not an execution token.
        word: The name of the word that contains the cell; None outside all words.
        location: The source position of the token from which the cell was compiled; None for
            other cells.
        source_token: The text of the token, for example `IF` for a `0BRANCH`.
        library: Whether the cell belongs to the library and not to the script; the code that a
            compiler adds to an author's rules counts as library.
    """

    address: int
    value: int
    called_word: str | None
    word: str | None
    location: Location | None
    source_token: str
    library: bool


class SourceCells:
    """The compiled cells of one VM, with their source tokens."""

    def __init__(self, vm: VM) -> None:
        """Read a VM; its dictionary must not change while this object is used."""
        self._vm = vm
        self._native = vm.native
        self._cells: dict[int, Cell] = {}
        self._conditions: dict[int, str] = {}

    @property
    def table(self) -> SourceTable:
        """The source table of the VM: all loaded texts."""
        return self._vm.sources

    def cell(self, address: int) -> Cell:
        """Return the description of the cell at an address."""
        cell = self._cells.get(address)
        if cell is None:
            cell = self._cells[address] = self._read(address)
        return cell

    def word_location(self, xt: int) -> Location | None:
        """Return the source position at which the word with an execution token was defined."""
        # One of these cells has a source position: code field, header, first cell of the body.
        for address in (xt, xt - HEADER, xt + CELL):
            location = self._vm.location_of(address)
            if location is not None:
                return location
        return None

    def name(self, xt: int) -> str:
        """Return the name of the word with an execution token, or the number if it has no name."""
        return word_name(self._native, xt) or str(xt)

    def condition(self, address: int) -> str:
        """Return the source of the condition of a cell such as `verify` or IF, without comments.

        The condition begins after the last control word before the token.  For `empty? verify`, it
        is `empty?`.
        """
        text = self._conditions.get(address)
        if text is None:
            text = self._conditions[address] = self._condition(address)
        return text

    def _read(self, address: int) -> Cell:
        native = self._native
        value = native.read_cell(address)
        position = native.source_at(address)
        location = self.table.locate(position)
        source = self.table.text_at(position) if position else None
        token = _token(location) if location is not None else ""
        if source is not None and source.original is not None:
            token = token.removeprefix("(")  # a form of a rule file, such as `(while`
        nfa = native.word_at(address)
        return Cell(
            address,
            value,
            word_name(native, value),
            native.name(nfa) if nfa and location is not None else None,
            location,
            token,
            source is not None and (source.library or _is_generated(source, location)),
        )

    def _condition(self, address: int) -> str:
        position = self._native.source_at(address)
        source = self.table.text_at(position) if position else None
        if source is None:
            return ""
        return condition_before(source, position - source.base)


def _is_generated(source: Text, location: Location | None) -> bool:
    """Whether code of a compiled text has no place in the files that it was compiled from."""
    return source.original is not None and location is not None and location.file == source.name


def condition_before(source: Text, offset: int) -> str:
    """Return the tokens before an offset, back to the last control word.

    Earlier lines are read only if the line of the offset has no token before it.
    """
    text_before = source.decode(source.data[max(offset - _MAX_CONDITION_BYTES, 0) : offset])
    text_before = _COMMENTS.sub(" ", text_before)
    line = text_before.rpartition("\n")[2]
    tokens = (line if line.strip() else text_before).split()
    condition: list[str] = []
    while tokens and len(condition) <= _MAX_TOKENS:
        token = tokens.pop()
        if token in _CONTROL_WORDS:
            break
        if tokens and tokens[-1] == ":":  # `token` is the name of the definition
            break
        condition.append(token)
    condition.reverse()
    if len(condition) > _MAX_TOKENS:
        condition[0] = "…"
    return " ".join(condition)


def _token(location: Location) -> str:
    start = location.column - 1
    return location.text[start : start + location.length]


def fields_json(record: object) -> dict[str, object]:
    """Return the fields of a record as JSON; source positions have the keys of `_JSON_KEYS`."""
    return {
        _JSON_KEYS.get(name, name): _location_json(value) if name in _JSON_KEYS else value
        for name, value in vars(record).items()
    }


def _location_json(location: Location | None) -> dict[str, object] | None:
    """Return a source position as a JSON object: file, line, column and the source line."""
    if location is None:
        return None
    return {
        "file": location.file,
        "line": location.line,
        "column": location.column,
        "source": location.text.strip(),
    }

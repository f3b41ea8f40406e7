"""The names in a rule file of Zillions: lists, definitions and their kinds.

Owns a reader that also reads unfinished texts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Definition", "Name", "RuleList", "RuleNames", "rule_names"]

_TOKEN = re.compile(
    r'(?P<comment>;[^\n]*)|(?P<string>"[^"]*"?)|(?P<name>[^\s\x00();"]+)|(?P<bracket>[()])'
)
_MAX_POSITIONS = 2_000  # of a grid


@dataclass(frozen=True, slots=True)
class Name:
    """A name, string or comment in the text.

    Attributes:
        text: The text; of a string without the quotes.
        start: The offset of the start.
        end: The offset of the end.
        kind: `name`, `string` or `comment`.
        first: Whether it is the first item of a list.
    """

    text: str
    start: int
    end: int
    kind: str
    first: bool = False


class RuleList:
    """A list; a list without an end ends with the text.

    Attributes:
        start: The offset of the bracket.
        end: The offset after the closing bracket.
        parent: The list that contains this one; None on the top level.
        names: The names and strings directly in the list.
        lists: The lists directly in the list.
    """

    def __init__(self, start: int, parent: RuleList | None) -> None:
        self.start = start
        self.end = start
        self.parent = parent
        self.names: list[Name] = []
        self.lists: list[RuleList] = []

    @property
    def head(self) -> str:
        """The first name; "" if the list begins with another list."""
        return self.names[0].text if self.names and self.names[0].first else ""

    def child(self, head: str) -> RuleList | None:
        """Return the first list in this one with a head."""
        return next((one for one in self.lists if one.head == head), None)


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition of a name.

    Attributes:
        kind: What the name means: `macro`, `piece`, `zone`, `player`, `direction`, `position`,
            `attribute` or `move type`.
        name: The name where it is defined; for the squares of a grid, the names of a dimension.
        list: The list that defines it.
    """

    kind: str
    name: Name
    list: RuleList


class RuleNames:
    """The contents of a rule file.

    Attributes:
        tokens: The names, strings and comments in order.
        lists: All lists, in the order of their starts.
        definitions: The definitions by name, in order.
    """

    def __init__(self, text: str) -> None:
        self.tokens: list[Name] = []
        self.lists: list[RuleList] = []
        self._read(text)
        self.definitions: dict[str, list[Definition]] = {}
        for definition, name in self._find():
            if "$" not in name:
                self.definitions.setdefault(name, []).append(definition)

    def _read(self, text: str) -> None:
        current: RuleList | None = None
        for match in _TOKEN.finditer(text):
            kind = match.lastgroup or ""
            if match[0] == "(":
                inner = RuleList(match.start(), current)
                self.lists.append(inner)
                if current is not None:
                    current.lists.append(inner)
                current = inner
            elif match[0] == ")":
                if current is not None:
                    current.end = match.end()
                    current = current.parent
            else:
                first = current is not None and not current.names and not current.lists
                shown = match[0].strip('"') if kind == "string" else match[0]
                name = Name(shown, match.start(), match.end(), kind, first)
                self.tokens.append(name)
                if current is not None and kind != "comment":
                    current.names.append(name)
        while current is not None:
            current.end = len(text)
            current = current.parent

    def _find(self) -> Iterator[tuple[Definition, str]]:
        for one in self.lists:
            for kind, name, whole in _defined_in(one):
                yield Definition(kind, name, whole), name.text
            if one.head == "dimensions":
                yield from _grid_positions(one)

    @property
    def names(self) -> Iterator[Name]:
        """The names that are no strings or comments."""
        return (token for token in self.tokens if token.kind == "name")

    def at(self, offset: int) -> Name | None:
        """Return the name or string at an offset, or ending there."""
        return next(
            (t for t in self.tokens if t.start <= offset <= t.end and t.kind != "comment"), None
        )

    def occurrences(self, name: str) -> list[Name]:
        """Return the names with a text."""
        return [found for found in self.names if found.text == name]

    def enclosing(self, offset: int) -> list[RuleList]:
        """Return the lists around an offset, the innermost first."""
        return [one for one in reversed(self.lists) if one.start < offset < one.end]


def _defined_in(one: RuleList) -> Iterator[tuple[str, Name, RuleList]]:
    """Yield kind, name and list of the names that a list defines."""
    arguments = [name for name in one.names if not name.first and name.kind == "name"]
    head, parent = one.head, one.parent
    if head in ("piece", "zone"):
        title = one.child("name")
        if title is not None and len(title.names) > 1:
            yield head, title.names[1], one
    elif head == "players" and parent is not None and parent.head not in ("zone", ""):
        yield from (("player", name, one) for name in arguments)
    elif head in ("directions", "positions"):
        items = (inner for inner in one.lists if inner.head)
        yield from ((head[:-1], inner.names[0], inner) for inner in items)
    elif arguments and head in _FIRST_ARGUMENTS:
        yield _FIRST_ARGUMENTS[head], arguments[0], one


_FIRST_ARGUMENTS = {
    "define": "macro",
    "links": "direction",
    "dummy": "position",
    "attribute": "attribute",
    "move-type": "move type",
}


def _grid_positions(one: RuleList) -> Iterator[tuple[Definition, str]]:
    """Yield the squares that the dimensions of a grid name."""
    dimensions = [inner.names[0] for inner in one.lists if inner.head]
    parts = [dimension.text.split("/") for dimension in dimensions]
    count = 1
    for names in parts:
        count *= len(names)
    if dimensions and count <= _MAX_POSITIONS:
        definition = Definition("position", dimensions[0], one)
        yield from ((definition, "".join(names)) for names in product(*parts))


@lru_cache(maxsize=32)
def rule_names(text: str) -> RuleNames:
    """Return the contents of a rule file; cached, since requests share the text."""
    return RuleNames(text)

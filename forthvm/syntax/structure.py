"""The nesting of a text: open structures, and groups of matching words such as IF, ELSE, ENDIF.

Owns the rules by which words of definitions, control structures, sections, comments and strings
match.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .tokens import CLOSERS, SECTIONS, Kind, Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = [
    "CLOSING_WORDS",
    "OPENING_WORDS",
    "Line",
    "Opened",
    "Structure",
    "definition_at",
    "read_structure",
]

_CLOSES = {  # for each control word, the words that it closes or continues
    "ELSE": ("IF",),
    "ENDIF": ("IF", "ELSE"),
    "THEN": ("IF", "ELSE"),
    "UNTIL": ("BEGIN",),
    "WHILE": ("BEGIN",),
    "REPEAT": ("WHILE",),
    "LOOP": ("DO",),
    "+LOOP": ("DO",),
}
CLOSING_WORDS: Mapping[str, str] = {
    "IF": "ENDIF or THEN",
    "ELSE": "ENDIF or THEN",
    "BEGIN": "UNTIL or REPEAT",
    "WHILE": "REPEAT",
    "DO": "LOOP or +LOOP",
}
"""The words that close each control structure, for messages."""
OPENING_WORDS = frozenset({"IF", "BEGIN", "DO"})
"""The words that open a control structure."""
_CONTINUES = frozenset({"ELSE", "WHILE"})
_SECTIONS = frozenset(f"{{{name}" for name in SECTIONS)


class Opened:
    """A structure that a text opens: a definition, control structure, section, comment or string.

    Attributes:
        word: The opening word, such as `:`, `IF` or `{pieces`.
        name: The name of a definition or list of moves; "" for other structures.
        start: The offset of the opening word.
        end: The offset of the word that closes or continues it; None if it is open at the end.
        outer: The structure around it; None if there is none.
        group: The words of its group that have been read: (start, end) of each.
    """

    __slots__ = ("end", "group", "name", "outer", "start", "word")

    def __init__(self, word: str, start: int, end: int, outer: Opened | None) -> None:
        self.word = word
        self.name = ""
        self.start = start
        self.end: int | None = None
        self.outer = outer
        self.group = [(start, end)]

    def __str__(self) -> str:
        return f"{self.word} {self.name}" if self.name else self.word


@dataclass(frozen=True, slots=True)
class Line:
    """A line, with the structures that are open at its start.

    Attributes:
        start: The offset of its start.
        depth: The number of open structures.
        outermost: The outermost of them; None if there is none.
        innermost: The innermost of them; None if there is none.
    """

    start: int
    depth: int = 0
    outermost: Opened | None = None
    innermost: Opened | None = None

    def opened(self) -> Iterator[Opened]:
        """Yield the structures that are open at its start, the innermost first."""
        structure = self.innermost
        while structure is not None:
            # A section may end before a structure inside it.
            if structure.end is None or structure.end >= self.start:
                yield structure
            structure = structure.outer


@dataclass(frozen=True, slots=True)
class Structure:
    """The nesting of a text.

    Attributes:
        opened: The structures that are open at the end of the text, the outermost first.
        structures: All structures except comments and strings within the text, in order.
        groups: Groups of matching words, such as IF, ELSE and ENDIF: (start, end) of each word.
        strays: Closing words without an opening word.
        lines: The lines.
    """

    opened: tuple[Opened, ...]
    structures: tuple[Opened, ...]
    groups: tuple[tuple[tuple[int, int], ...], ...]
    strays: tuple[Token, ...]
    lines: tuple[Line, ...]

    @property
    def complete(self) -> bool:
        """Whether no structure is open at the end."""
        return not self.opened

    def partners(self, index: int) -> tuple[tuple[int, int], ...]:
        """Return the group of the word at an index or directly before it, or ()."""
        for group in self.groups:
            if any(start <= index <= end for start, end in group):
                return group
        return ()


class _Reader:
    """The structures found so far.

    Each operation takes constant time on average, so that deeply nested texts can be read.
    """

    def __init__(self) -> None:
        self.structures: list[Opened] = []
        self.strays: list[Token] = []
        self.lines = [Line(0)]
        self._depth = 0
        self._first_open = 0  # no structure before this index is open
        self._innermost: Opened | None = None
        self._by_word: dict[str, list[Opened]] = {}  # by opening word

    def begin_line(self, start: int, text: Token | None = None) -> None:
        """Record a line, which may begin inside the comment or string `text`."""
        outermost, innermost, depth = self._outermost(), self.innermost(), self._depth
        if text is not None:
            word = '"' if text.kind is Kind.STRING else text.text.split(None, 1)[0]
            innermost = Opened(word, text.start, text.end, innermost)
            outermost, depth = outermost or innermost, depth + 1
        self.lines.append(Line(start, depth, outermost, innermost))

    def open(self, word: str, token: Token) -> Opened:
        """Open a structure and begin its group."""
        structure = Opened(word, token.start, token.end, self.innermost())
        self.structures.append(structure)
        self._innermost = structure
        self._depth += 1
        self._by_word.setdefault(word, []).append(structure)
        return structure

    def close(self, token: Token, words: Sequence[str]) -> None:
        """Close the innermost structure; its opening word must be one of `words`."""
        innermost = self.innermost()
        if innermost is not None and innermost.word in words:
            self._close(innermost, token)
            innermost.group.append((token.start, token.end))
        else:
            self.strays.append(token)

    def close_definition(self, token: Token) -> None:
        """End a definition and the structures open in it, as `;` does in the VM."""
        definition = self._last_open(":")
        if definition is None:
            return  # outside of a definition, `;` has no effect
        definition.group.append((token.start, token.end))
        while definition.end is None and (innermost := self.innermost()) is not None:
            self._close(innermost, token)

    def close_section(self, token: Token) -> None:
        """Close a section and keep the structures that are open in it."""
        section = self._last_open(f"{{{CLOSERS[token.text]}")
        if section is None:
            self.strays.append(token)
            return
        self._close(section, token)
        section.group.append((token.start, token.end))

    def continue_(self, token: Token, words: Sequence[str]) -> None:
        """Continue the innermost structure, as ELSE continues IF; `words` are its opening words."""
        innermost = self.innermost()
        if innermost is not None and innermost.word in words:
            self._close(innermost, token)
            innermost.group.append((token.start, token.end))
            self.open(token.text, token).group = innermost.group
        else:
            self.strays.append(token)

    def set_name(self, name: str) -> None:
        """Set the name of the definition or list of moves that was opened last."""
        innermost = self.innermost()
        if innermost is not None and innermost.word in (":", "{moves") and not innermost.name:
            innermost.name = name

    def innermost(self) -> Opened | None:
        """Return the innermost open structure, None if there is none."""
        while self._innermost is not None and self._innermost.end is not None:
            self._innermost = self._innermost.outer
        return self._innermost

    def _outermost(self) -> Opened | None:
        """Return the outermost open structure, None if there is none."""
        while self._first_open < len(self.structures):
            structure = self.structures[self._first_open]
            if structure.end is None:
                return structure
            self._first_open += 1
        return None

    def _close(self, structure: Opened, token: Token) -> None:
        structure.end = token.start
        self._depth -= 1

    def _last_open(self, word: str) -> Opened | None:
        """Return the innermost open structure of an opening word, None if there is none."""
        structures = self._by_word.get(word, [])
        while structures and structures[-1].end is not None:
            structures.pop()
        return structures[-1] if structures else None

    def structure(self, unfinished: Token | None) -> Structure:
        """Return the nesting of the text, which may end with an unfinished token."""
        opened = tuple(structure for structure in self.structures if structure.end is None)
        innermost = self.innermost()
        if unfinished is not None and (innermost is None or innermost.word != unfinished.text):
            word = {Kind.STRING: '"', Kind.COMMENT: unfinished.text[:1]}.get(
                unfinished.kind, unfinished.text
            )
            opened += (Opened(word, unfinished.start, unfinished.end, innermost),)
        # The words that continue a structure share its group.
        groups = {id(one.group): one.group for one in self.structures if len(one.group) > 1}
        return Structure(
            opened,
            tuple(self.structures),
            tuple(map(tuple, groups.values())),
            tuple(self.strays),
            tuple(self.lines),
        )


def read_structure(text: str) -> Structure:
    """Read the nesting of a text, in time proportional to its length.

    >>> structure = read_structure(": f ( n -- ) IF 1")
    >>> [str(opened) for opened in structure.opened]
    [': f', 'IF']
    """
    reader = _Reader()
    line_end = text.find("\n")
    unfinished: Token | None = None
    for token in tokenize(text):
        while 0 <= line_end < token.start:
            reader.begin_line(line_end + 1)
            line_end = text.find("\n", line_end + 1)
        _read_token(reader, token)
        while 0 <= line_end < token.end:  # lines inside a comment or string
            reader.begin_line(line_end + 1, token)
            line_end = text.find("\n", line_end + 1)
        unfinished = None if token.complete else token
    while line_end >= 0:
        reader.begin_line(line_end + 1)
        line_end = text.find("\n", line_end + 1)
    return reader.structure(unfinished)


def _read_token(reader: _Reader, token: Token) -> None:
    """Update the open structures for a token."""
    word = token.text
    if token.kind is Kind.NAME:
        reader.set_name(word)
    elif token.kind is Kind.SECTION:
        if word in _SECTIONS:
            reader.open(word, token)
        else:
            reader.close_section(token)
    elif token.kind is Kind.DEFINING:
        if word == ":" and not token.compiling:
            reader.open(word, token)
        elif word == ";":
            reader.close_definition(token)
    elif token.kind is Kind.CONTROL and token.compiling:
        _control(reader, token)


def _control(reader: _Reader, token: Token) -> None:
    """Update the open structures for a control word inside a definition."""
    word = token.text
    if word in OPENING_WORDS:
        reader.open(word, token)
    elif word in _CONTINUES:
        reader.continue_(token, _CLOSES[word])
    elif word in _CLOSES:
        reader.close(token, _CLOSES[word])


def definition_at(text: str, index: int) -> tuple[int, int]:
    r"""Return start and end of the definition or section that contains an index, else of the line.

    IMMEDIATE and a comment after a definition, on its last line, belong to the definition.

    >>> text = "1 CONSTANT one\n: sq ( n -- n )\n  DUP * ;\n"
    >>> text[slice(*definition_at(text, 17))]
    ': sq ( n -- n )\n  DUP * ;'
    """
    start, end = _line(text, index)
    for group in read_structure(text).groups:
        first_start, first_end = group[0]
        last_end = group[-1][1]
        word = text[first_start:first_end]
        if (word == ":" or word in _SECTIONS) and first_start <= index < last_end:
            start, _ = _line(text, first_start)
            if text[start:first_start].strip():  # the definition is not the first on its line
                start = first_start
            _, end = _line(text, last_end - 1)
            following = text[last_end:end].split()
            if not following or following[0] not in ("IMMEDIATE", "\\", "("):
                end = last_end
            break
    return start, end


def _line(text: str, index: int) -> tuple[int, int]:
    """Return start and end of the line that contains an index."""
    end = text.find("\n", index)
    return text.rfind("\n", 0, index) + 1, end if end >= 0 else len(text)

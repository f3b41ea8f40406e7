"""The nesting of a text: open structures, and groups of matching words such as IF, ELSE, ENDIF.

Owns the rules by which words of definitions, control structures, sections, comments and strings
match.  It must not know a VM.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .tokens import CLOSERS, SECTIONS, Kind, Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Opened", "Structure", "definition_at", "read_structure"]

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
_OPENS = frozenset({"IF", "BEGIN", "DO"})
_CONTINUES = frozenset({"ELSE", "WHILE"})
_SECTIONS = frozenset(f"{{{name}" for name in SECTIONS)


class Opened(NamedTuple):
    """An open structure: opening word (`:`, `IF`, `{pieces`), name or "", and offset."""

    word: str
    name: str
    start: int

    def __str__(self) -> str:
        return f"{self.word} {self.name}" if self.name else self.word


class Structure(NamedTuple):
    """The nesting of a text.

    Attributes:
        opened: The structures that are open at the end of the text, the outermost first.
        groups: Groups of matching words, such as IF, ELSE and ENDIF: (start, end) of each word.
        strays: Closing words without an opening word.
        lines: For every line, the offset of its start, and the structures open at its start.
    """

    opened: tuple[Opened, ...]
    groups: tuple[tuple[tuple[int, int], ...], ...]
    strays: tuple[Token, ...]
    lines: tuple[tuple[int, tuple[Opened, ...]], ...]

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


class _Open(NamedTuple):
    """An open structure, and the words of its group that have been read: (start, end) of each."""

    structure: Opened
    group: list[tuple[int, int]]


class _Reader:
    """The stack of open structures, and the groups found so far."""

    def __init__(self, opened: Sequence[Opened]) -> None:
        self.opened = [_Open(structure, []) for structure in opened]
        self.groups: list[list[tuple[int, int]]] = []
        self.strays: list[Token] = []

    def open(self, word: str, token: Token) -> None:
        """Open a structure and begin its group."""
        group = [(token.start, token.end)]
        self.groups.append(group)
        self.opened.append(_Open(Opened(word, "", token.start), group))

    def close(self, token: Token, words: Sequence[str]) -> None:
        """Close the innermost structure; its opening word must be one of `words`."""
        if self.innermost_word() in words:
            self.opened.pop().group.append((token.start, token.end))
        else:
            self.strays.append(token)

    def close_definition(self, token: Token) -> None:
        """End a definition and the control structures open in it, as `;` does in the VM."""
        index = self._index_of(":")
        if index is None:
            return  # outside of a definition, `;` has no effect
        self.opened[index].group.append((token.start, token.end))
        del self.opened[index:]

    def close_section(self, token: Token) -> None:
        """Close a section and keep the structures that are open in it."""
        index = self._index_of(f"{{{CLOSERS[token.text]}")
        if index is None:
            self.strays.append(token)
            return
        self.opened.pop(index).group.append((token.start, token.end))

    def continue_(self, token: Token, words: Sequence[str]) -> None:
        """Continue the innermost structure, as ELSE continues IF; `words` are its opening words."""
        if self.innermost_word() in words:
            group = self.opened.pop().group
            group.append((token.start, token.end))
            self.opened.append(_Open(Opened(token.text, "", token.start), group))
        else:
            self.strays.append(token)

    def set_name(self, name: str) -> None:
        """Set the name of the definition or list of moves that was opened last."""
        if self.innermost_word() in (":", "{moves"):
            structure, group = self.opened[-1]
            if not structure.name:
                self.opened[-1] = _Open(structure._replace(name=name), group)

    def innermost_word(self) -> str | None:
        """Return the opening word of the innermost structure, None if there is none."""
        return self.opened[-1].structure.word if self.opened else None

    def open_structures(self) -> tuple[Opened, ...]:
        """Return the open structures, the outermost first."""
        return tuple(structure for structure, _ in self.opened)

    def _index_of(self, word: str) -> int | None:
        """Return the index of the innermost structure that a word opened, None if there is none."""
        for index in range(len(self.opened) - 1, -1, -1):
            if self.opened[index].structure.word == word:
                return index
        return None


def read_structure(text: str, opened: Sequence[Opened] = ()) -> Structure:
    """Read the nesting of a text.

    Args:
        text: The source.
        opened: The structures that earlier texts left open.

    >>> structure = read_structure(": f ( n -- ) IF 1")
    >>> [str(opened) for opened in structure.opened]
    [': f', 'IF']
    """
    reader = _Reader(opened)
    lines = [(0, reader.open_structures())]
    line_end = text.find("\n")
    unfinished: Token | None = None
    compiling = any(structure.word == ":" for structure in opened)
    for token in tokenize(text, compiling=compiling):
        while 0 <= line_end < token.start:
            lines.append((line_end + 1, reader.open_structures()))
            line_end = text.find("\n", line_end + 1)
        _read_token(reader, token)
        while 0 <= line_end < token.end:  # lines inside a comment or string
            open_token = Opened(token.text.split(None, 1)[0], "", token.start)
            if token.kind is Kind.STRING:
                open_token = Opened('"', "", token.start)
            lines.append((line_end + 1, (*reader.open_structures(), open_token)))
            line_end = text.find("\n", line_end + 1)
        unfinished = None if token.complete else token
    while line_end >= 0:
        lines.append((line_end + 1, reader.open_structures()))
        line_end = text.find("\n", line_end + 1)
    if unfinished is not None and reader.innermost_word() != unfinished.text:
        word = {Kind.STRING: '"', Kind.COMMENT: unfinished.text[:1]}.get(
            unfinished.kind, unfinished.text
        )
        reader.opened.append(_Open(Opened(word, "", unfinished.start), []))
    groups = tuple(tuple(group) for group in reader.groups if len(group) > 1)
    return Structure(reader.open_structures(), groups, tuple(reader.strays), tuple(lines))


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
    if word in _OPENS:
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

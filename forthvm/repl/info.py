"""Information about a word: stack effect, help, kind and location.

Owns collecting this information from the glossary, from the comments in a script, and from the
game's tables.  It must not know commands.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import (
    CELL,
    COLON,
    CONTEXT,
    DOES,
    FLAGS,
    HEADER,
    HEADERS_MADE,
    IMMEDIATE,
    VARIABLE,
)
from forthvm.core.loading.library import EXACT_140
from forthvm.core.value import Value
from forthvm.core.words import glossary

if TYPE_CHECKING:
    from forthvm.core.loading.source import Text
    from forthvm.core.location import Location
    from forthvm.core.vm import VM
    from forthvm.game import Game
    from forthvm.repl.session import Session

__all__ = ["WordInfo", "Words"]

_GLOSSARY_VERSIONS = {EXACT_140: 140}
"""For each library version that is not a number, the version that the glossary uses for it."""
_ARRAY_DEFINER = "[]"
_MAX_SEARCHED_BYTES = 400  # of a definition, for its name and comments
_EFFECT = re.compile(r"\s*(\(\s[^)]*?--[^)]*\))")
_COMMENT = re.compile(r"\\\s+(\S.*)")
_COMMENT_LINE = re.compile(r"\s*\\ (.*)")


class WordInfo(Value):
    """Information about a word.

    Attributes:
        name: The name of the word.
        effect: The stack effect declared in the word's comment; "" without a comment.
        text: A description of one line; "" without a description.
        kind: `word`, `constant 8`, `variable`, `position 3`, `player`, `piece type`, …
        immediate: Whether the word is immediate.
        file: The name of the text that defines the word; "" for primitives.
        position: The source position of the definition (see `Words.locate`); 0 without source.
        xt: The execution token.
    """

    name: str
    effect: str
    text: str
    kind: str
    immediate: bool
    file: str
    position: int
    xt: int


class Words:
    """The words of a session, cached until the dictionary changes."""

    def __init__(self, session: Session) -> None:
        """Describe the words of the session's current VM; the session may change its VM."""
        self._session = session
        self._vm: VM | None = None
        self._infos: dict[tuple[str, int], WordInfo] = {}  # the information about words of `_vm`
        self._names: tuple[str, ...] = ()
        self._dictionary_key: tuple[int, ...] = ()  # identifies the dictionary of `_names`

    def names(self) -> tuple[str, ...]:
        """Return the names of all visible words, sorted."""
        native = self._session.vm.native
        key = (native.latest(), native.read_cell(HEADERS_MADE), native.read_cell(CONTEXT))
        self._forget_another_vm()
        if key != self._dictionary_key:
            self._names = tuple(sorted(set(native.words()), key=lambda name: (name.lower(), name)))
            self._dictionary_key = key
        return self._names

    def __getitem__(self, name: str) -> WordInfo:
        """Return information about a word.

        Raises:
            UndefinedWord: there is no such word.
        """
        xt = self._session.vm.token(name)
        self._forget_another_vm()
        info = self._infos.get((name, xt))
        if info is None:
            info = self._infos[name, xt] = _describe(self._session, name, xt)
        return info

    def _forget_another_vm(self) -> None:
        """Clear the caches if the session has another VM than before."""
        if self._vm is not self._session.vm:
            self._vm, self._dictionary_key = self._session.vm, ()
            self._infos.clear()

    def locate(self, info: WordInfo) -> Location | None:
        """Return the location of a word's definition; None for primitives."""
        return self._session.vm.sources.locate(info.position)


@cache
def _glossary(version: int) -> dict[str, glossary.Entry]:
    return glossary.words(version)


def _describe(session: Session, name: str, xt: int) -> WordInfo:
    vm = session.vm
    native = vm.native
    text, position = _definition(vm, xt)
    effect = sentence = ""
    if text is None or text.library:
        version = _GLOSSARY_VERSIONS.get(vm.version, vm.version)
        entry = _glossary(version).get(name)
        if entry is not None:
            effect, sentence = entry.effect, entry.text
    else:
        effect, sentence = _comments(text, position - text.base, name)
    if not effect:
        effect = vm.host_words.effects().get(name, "")
    kind, kind_effect = _kind(session, name, xt)
    immediate = bool(native.read_cell(xt - HEADER + FLAGS) & IMMEDIATE)
    return WordInfo(
        name,
        effect or kind_effect,
        sentence,
        kind,
        immediate,
        text.name if text else "",
        position,
        xt,
    )


def _definition(vm: VM, xt: int) -> tuple[Text | None, int]:
    """Return the text that defines a word, and the source position; None and 0 if unknown."""
    # One of these cells has a source position: code field, header, first cell of the body.
    for address in (xt, xt - HEADER, xt + CELL):
        position = vm.native.source_at(address)
        text = vm.sources.text_at(position)
        if text is not None:
            return text, position
    return None, 0


def _comments(text: Text, offset: int, name: str) -> tuple[str, str]:
    """Return stack effect and description from the comments in or directly above a definition."""
    line_start = text.data.rfind(b"\n", 0, offset) + 1
    source = text.decode(text.data[line_start : offset + _MAX_SEARCHED_BYTES])
    at = source.find(name, len(text.decode(text.data[line_start:offset])))
    after_name = source[at + len(name) :] if at >= 0 else ""
    effect = _EFFECT.match(after_name)
    rest_of_line = after_name[effect.end() if effect else 0 :].split("\n", 1)[0]
    comment = _COMMENT.search(rest_of_line)
    sentence = comment[1].strip() if comment else _comment_above(text, line_start)
    return " ".join(effect[1].split()) if effect else "", sentence


def _comment_above(text: Text, start: int) -> str:
    """Return the first sentence of the comment lines directly above a line.

    Args:
        text: The text.
        start: The offset of the line.
    """
    lines: list[str] = []
    while start > 0:
        previous_start = text.data.rfind(b"\n", 0, start - 1) + 1
        comment = _COMMENT_LINE.fullmatch(text.decode(text.data[previous_start : start - 1]))
        if comment is None:
            break
        lines.insert(0, comment[1].strip())
        start = previous_start
    return re.split(r"(?<=[.;:])\s", " ".join(lines), maxsplit=1)[0]


def _kind(session: Session, name: str, xt: int) -> tuple[str, str]:
    """Return the kind of a word, and its stack effect if the kind determines it."""
    native = session.vm.native
    role = _role(session.game, name) if session.game is not None else ("", "")
    if role[0]:
        return role
    code = native.primitive(xt)
    if code == VARIABLE:
        return "variable", "( -- addr )"
    if code == DOES:
        header = native.word_at(max(native.read_cell(xt + CELL), 0))
        definer = native.name(header) if header else ""
        if definer in ("CONSTANT", "FCONSTANT", "$MakeConstant"):
            return f"constant {native.read_cell(native.body(xt))}", "( -- n )"
        if definer:
            return f"made by {definer}", {_ARRAY_DEFINER: "( i -- addr )"}.get(definer, "")
    # Primitives, which users know as words of the kernel, have numbers below COLON.
    return "kernel word" if code < COLON else "word", ""


def _role(game: Game, name: str) -> tuple[str, str]:
    """Return kind and stack effect of a name that the game defines, else two empty strings."""
    if name in game.position_index:
        return f"position {game.position_index[name]}", "( -- pos )"
    if name in game.players:
        return "player", "( -- player )"
    if any(kind.name == name for kind in game.piece_types):
        return "piece type", "( -- type )"
    if any(direction.name == name for direction in game.directions):
        return "direction", "( -- ? )"
    return "", ""

"""Information about a word: stack effect, help, kind and location.

Owns collecting this information from the glossary and from the comments in a script.  Callers
provide the role of a word in a game, such as `piece type`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON, DOES, FLAGS, HEADER, IMMEDIATE, VARIABLE
from forthvm.core.loading.library import EXACT_140

from . import glossary

if TYPE_CHECKING:
    from forthvm.core.loading.source import Text
    from forthvm.core.vm import VM

__all__ = ["WordInfo", "describe", "matching_names"]

_GLOSSARY_VERSIONS = {EXACT_140: 140}
"""For each library version that is not a number, the version that the glossary uses for it."""
_ARRAY_DEFINER = "[]"
_MAX_SEARCHED_BYTES = 400  # of a definition, for its name and comments
_EFFECT = re.compile(r"\s*(\(\s[^)]*?--[^)]*\))")
_COMMENT = re.compile(r"\\\s+(\S.*)")
_COMMENT_LINE = re.compile(r"\s*\\ (.*)")


@dataclass(frozen=True)
class WordInfo:
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


@cache
def _glossary(version: int) -> dict[str, glossary.Entry]:
    return glossary.words(version)


def describe(vm: VM, name: str, xt: int, role: tuple[str, str] = ("", "")) -> WordInfo:
    """Return information about the word with an execution token.

    Args:
        vm: The VM.
        name: The name by which the word was found.
        xt: The execution token.
        role: What the game defines under the name (such as `player`), and the stack effect; two
            empty strings for other words.
    """
    native = vm.native
    text, position = _definition(vm, xt)
    effect = sentence = ""
    if vm.standard is not None:
        effect, sentence = _standard_comments(vm, name, xt)
    elif text is None or text.library:
        version = _GLOSSARY_VERSIONS.get(vm.version, vm.version)
        entry = _glossary(version).get(name)
        if entry is not None:
            effect, sentence = entry.effect, entry.text
    else:
        effect, sentence = _comments(text, position - text.base, name)
    if not effect:
        effect = vm.host_words.effects().get(name, "")
    kind, kind_effect = role if role[0] else _kind(vm, xt)
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


def _standard_comments(vm: VM, name: str, xt: int) -> tuple[str, str]:
    """Return stack effect and description of a word of standard Forth."""
    native = vm.native
    defined = native.name(native.word_at(xt)) or name  # letter case may differ from `name`
    if native.primitive(xt) < COLON and (entry := _glossary(150).get(defined)) is not None:
        return entry.effect, entry.text
    text, position = _definition(vm, xt)
    return _comments(text, position - text.base, defined) if text is not None else ("", "")


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


def _kind(vm: VM, xt: int) -> tuple[str, str]:
    """Return the kind of a word, and its stack effect if the kind determines it."""
    native = vm.native
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


# --- completion --------------------------------------------------------------------


def matching_names(names: tuple[str, ...], typed: str, limit: int) -> list[str]:
    """Return the names with a typed prefix, then the names that contain it elsewhere.

    Names with the same letter case come first.

    Args:
        names: All names, sorted by their lower-case forms.
        typed: The typed text.
        limit: The maximum number of names.
    """
    lower = typed.casefold()
    with_prefix = _with_prefix(names, lower)
    matching = [name for name in with_prefix if name.startswith(typed)]
    matching += [name for name in with_prefix if not name.startswith(typed)]
    if len(typed) > 1 and len(matching) < limit:
        found = set(with_prefix)
        matching += [name for name in names if lower in name.casefold()[1:] and name not in found]
    return matching[:limit]


def _with_prefix(names: tuple[str, ...], prefix: str) -> list[str]:
    """Return the names with a prefix, ignoring case.

    The names are sorted by their lower-case form, and the prefix is in lower case.
    """
    start = bisect_left(names, prefix, key=str.lower)
    end = start
    while end < len(names) and names[end].lower().startswith(prefix):
        end += 1
    return list(names[start:end])

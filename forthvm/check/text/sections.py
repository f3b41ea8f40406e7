"""Finds sections without their begin or end, and boards without positions.

Of the words that are defined, it knows only those of game sections.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.core.loading.source import line_number
from forthvm.core.text.wording import close_names
from forthvm.syntax.tokens import SECTIONS

from .fault import Fault
from .items import READ_BY_ITEMS
from .repairs import blank_out
from .strays import doubled_word
from .words import COMMENT, DEFINERS, FILE, NAME, STRING, WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .words import Token

__all__ = ["section_faults", "unclosed_sections"]

_OPENERS = {b"{" + name.encode(): name for name in SECTIONS}
_CLOSERS = {name.encode() + b"}": name for name in SECTIONS}
#: The items of each section that need data of the word that opens the section.
_ITEMS = {
    item: section
    for section, items in {
        "directions": b"{direction}",
        "players": b"{player} {neutral} {search-engine} {random} {first} {UCT}",
        "moves": b"{move} {move-type}",
        "move-priorities": b"{move-priority}",
        "turn-order": b"{turn} {for-player} {of-type} {repeat}",
        "pieces": b"{piece} {moves} {drops} {value} {dummy-pieces}",
    }.items()
    for item in items.split()
}
_MAKES_POSITIONS = re.compile(rb"\{grid|grid\}|\{position|position\}|LOAD")
#: From this similarity on, the last word of a section is taken for its misspelt end.
_MIN_SIMILARITY = 0.75
_DEFINES = DEFINERS | {b":", b"LOAD"}


def unclosed_sections(
    data: bytes, tokens: Sequence[Token], *, failed: bool = False
) -> Iterator[Fault]:
    """Yield the faults of sections that are not closed before the next one.

    A section may end in another file that it loads.  If the script did not load (`failed`), a line
    that begins with LOAD without indentation is assumed to follow the section.
    """
    for index, token in _interpreted(tokens):
        if token.text not in _OPENERS:
            continue
        section, end = _OPENERS[token.text], _end_of_section(tokens, index)
        if failed:
            end_of_part = _end_of_part(data, tokens, index)
            loads = any(other.kind == FILE for other in tokens[index:end_of_part])
        else:
            loads = any(other.kind == FILE for other in tokens[index:end])
        if end < len(tokens) and _CLOSERS.get(tokens[end].text) == section:
            continue
        after = _end_of_section(tokens, end)
        is_next = end < len(tokens) and _OPENERS.get(tokens[end].text) == section
        if is_next and end == index + 1:
            yield doubled_word(data, token)
        elif is_next:
            yield _not_closed(data, tokens, index, section)
        elif after < len(tokens) and _CLOSERS.get(tokens[after].text) == section:
            yield _inside(data, tokens[end], section)
        elif not loads:
            yield _not_closed(data, tokens, index, section)


def section_faults(data: bytes, tokens: Sequence[Token]) -> Iterator[Fault]:
    """Yield the faults of sections that are not opened, and of boards without positions."""
    opened = ""
    for index, token in _interpreted(tokens):
        if token.text in _OPENERS:
            opened = _OPENERS[token.text]
            end = _end_of_section(tokens, index)
            is_closed = end < len(tokens) and tokens[end].text == b"board}"
            words = b" ".join(other.text for other in tokens[index:end])
            if opened == "board" and is_closed and not _MAKES_POSITIONS.search(words):
                yield _board_without_positions(data, tokens, index, end)
        elif token.text in _CLOSERS:
            if opened != _CLOSERS[token.text]:
                yield _not_opened(data, tokens, index, _CLOSERS[token.text])
            opened = ""
        elif not opened and token.text in _ITEMS:
            yield _not_opened(data, tokens, index, _ITEMS[token.text])


def _interpreted(tokens: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    """Yield the words outside definitions, with their indices."""
    for index, token in enumerate(tokens):
        if token.kind == WORD and not token.in_definition:
            yield index, token


def _end_of_section(tokens: Sequence[Token], index: int) -> int:
    """Return the index of the next word that opens or closes a section."""
    for end, token in _interpreted(tokens):
        if end > index and (token.text in _OPENERS or token.text in _CLOSERS):
            return end
    return len(tokens)


def _not_closed(data: bytes, tokens: Sequence[Token], index: int, section: str) -> Fault:
    token = tokens[index]
    end = _end_of_part(data, tokens, index)
    if end < len(tokens) and tokens[end].text in _CLOSERS:
        end += 1
    last = next(n for n in range(end - 1, index - 1, -1) if tokens[n].kind != COMMENT)
    stop = tokens[end].start if end < len(tokens) else len(data)
    if end == len(tokens):
        before = "the end of the file"
    else:
        word = tokens[end].text.decode("utf-8", "replace")
        before = f"line {line_number(data, stop)}, where `{word}` begins"
    at_end = end == len(tokens)  # nothing follows that the open section can damage
    return Fault(
        token.start,
        f"the section `{{{section}` has no `{section}}}` before {before}",
        _how_to_close(data, tokens[max(last - 1, index) : last + 1], f"{section}}}"),
        blank_out(data, token.start, token.start if at_end else stop),
        frozenset() if at_end else _words(tokens[index:end]),
        makes_squares=section == "board" and not at_end,
    )


def _how_to_close(data: bytes, pair: Sequence[Token], closer: str) -> str:
    """Advise how to close a section, whose last two tokens are a pair."""
    before, last = pair[0], pair[-1]
    text = "" if last.kind == STRING else last.text.decode("utf-8", "replace")
    where = f"in line {line_number(data, last.start)}"
    glued = text.removesuffix(closer)
    if glued not in (text, "{"):
        return f"write `{glued} {closer}` in place of `{text}`, {where}"
    is_read = last.kind != WORD or before.text in READ_BY_ITEMS or last.text in _OPENERS
    if not is_read and close_names(text, [closer], cutoff=_MIN_SIMILARITY):
        return f"write `{closer}` in place of `{text}`, {where}"
    return f"its last word is `{text}`, {where}: write `{closer}` after it"


def _inside(data: bytes, token: Token, section: str) -> Fault:
    """Return the fault of a word that opens or closes another section inside a section."""
    word = token.text.decode("latin-1")
    return Fault(
        token.start,
        f"`{word}` is inside of the section `{{{section} ... {section}}}`",
        f"delete `{word}`",
        blank_out(data, token.start, token.end),
    )


def _end_of_part(data: bytes, tokens: Sequence[Token], index: int) -> int:
    """Return the index of the token at which the text of a section probably ends."""
    end = index + 1
    while end < len(tokens) and not _begins_other_part(data, tokens, end):
        end += 1
    return end


def _begins_other_part(data: bytes, tokens: Sequence[Token], index: int) -> bool:
    """Whether a token begins a line with a definition, or opens or closes a section."""
    token = tokens[index]
    if token.kind == WORD and (token.text in _OPENERS or token.text in _CLOSERS):
        return True
    line_start = data.rfind(b"\n", 0, token.start) + 1
    before = data[line_start : token.start]
    is_first = not before.strip() and (not before or token.text != b"LOAD")
    return is_first and token.text in _DEFINES and not token.text.startswith(b"{")


def _not_opened(data: bytes, tokens: Sequence[Token], index: int, section: str) -> Fault:
    """Return the fault of a section without its begin, from its first item or its end."""
    start = index
    while start and _may_precede(tokens, start - 1, section):
        start -= 1
    end = index
    if tokens[index].text not in _CLOSERS:
        end = _end_of_part(data, tokens, index)
    is_closed = end < len(tokens) and _CLOSERS.get(tokens[end].text) == section
    end += is_closed
    stop = tokens[end - 1].end
    word = tokens[index].text.decode("utf-8", "replace")
    first = tokens[start].text.decode("utf-8", "replace")
    return Fault(
        tokens[index].start,
        f"`{word}` is outside of a section `{{{section} ... {section}}}`",
        f"write `{{{section}` before `{first}`, in line {line_number(data, tokens[start].start)}"
        if is_closed
        else f"write it between `{{{section}` and `{section}}}`",
        blank_out(data, tokens[start].start, stop),
        _words(tokens[start:end]),
        makes_squares=section == "board",
    )


def _may_precede(tokens: Sequence[Token], index: int, section: str) -> bool:
    """Whether a token before the first item probably belongs to the section, or is its begin."""
    token = tokens[index]
    if token.in_definition or token.kind == FILE or token.text in _CLOSERS or token.text == b";":
        return False
    if token.kind == NAME:
        return index > 0 and _ITEMS.get(tokens[index - 1].text) == section
    return token.text not in _OPENERS


def _board_without_positions(data: bytes, tokens: Sequence[Token], index: int, end: int) -> Fault:
    return Fault(
        tokens[index].start,
        "the board has no positions",
        "write `8 8 {grid}`, for 8 rows and 8 columns, or `{position}` and a name",
        blank_out(data, tokens[index].start, tokens[end].end),
        _words(tokens[index:end]),
        makes_squares=True,
    )


def _words(tokens: Sequence[Token]) -> frozenset[bytes]:
    words = {token.text for token in tokens if token.kind in (WORD, NAME)}
    return frozenset(words | {word.removeprefix(b"{moves") for word in words})

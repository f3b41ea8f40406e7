"""The first place at which a text is damaged: a part, comment or text without its begin or end.

Only the text counts here, not which words are defined.  A correct text may have such a place, too;
therefore it is searched only after an error, and only before the error.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from forthvm.core._primitives import PRIMITIVES
from forthvm.core.loading.source import line_number
from forthvm.syntax.tokens import SECTIONS, STRINGS

from .lexer import COMMENT, DEFINERS, FILE, NAME, QUOTING, STRING, WORD, lex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .lexer import Token

__all__ = ["Damage", "first_damage"]

_ENDS = {f"{{{name}".encode(): f"{name}}}".encode() for name in SECTIONS} | {b":": b";"}
"""The words that open sections and definitions, each with the word that closes it."""
_BEGINS = {end: begin for begin, end in _ENDS.items()}
_READS = {
    item: count
    for count, items in {
        1: b"{move} {moves} {drops} {move-priority} {turn} {for-player} {of-type} {move-type} "
        b"{search-engine} : LOAD " + b" ".join(DEFINERS),
        2: b"{symmetry} {asymmetry} {unlink}",
        3: b"{setup} {link}",
    }.items()
    for item in items.split()
}
"""The words that read names, and the number of names that they read."""
_BEGIN_OF_PART = re.compile(
    rb"^([ \t]*)(?::\s|LOAD\s|\{[a-z-]+\s"
    rb"|(?:\S+[ \t]+)?(?:CONSTANT|VARIABLE|FVARIABLE|FCONSTANT|CREATE|DEFER)\s)",
    re.MULTILINE,
)
"""A line that begins a definition or section."""
_COMMENT_INSIDE = re.compile(rb"\s\(\s")
_DEFINITION = re.compile(rb"\s*:\s")
_ITEM = re.compile(rb"\{[a-z-]+\}?|[a-z-]+\}")
_OPENER = re.compile(rb"\{[a-z-]+")
_NUMBER = re.compile(rb"[+-]?\d+")
_KERNEL = frozenset(name.encode() for name, *_ in PRIMITIVES)
_STRINGS = frozenset(name.encode() for name in STRINGS)


class Damage(NamedTuple):
    """A damaged place.

    Attributes:
        at: Offset of the token to report.
        found: Offset of the token from which on loading may fail because of it.
        message: What is wrong.
        hint: What to do.
        code: The code of the finding.
        word: The definition that the finding is about; empty if it is about no definition.
    """

    at: int
    found: int
    message: str
    hint: str
    code: str = "E106"
    word: bytes = b""


def first_damage(data: bytes, limit: int) -> Damage | None:
    """Return the first damaged place that can be the reason of an error at an offset."""
    tokens = lex(data).tokens
    found = (*_parts(data, tokens), *_texts(data, tokens), *_readers(data, tokens))
    return min((damage for damage in found if damage.found <= limit), default=None)


def _shown(token: Token) -> str:
    return token.text.decode("utf-8", "replace")


# --- definitions and sections ------------------------------------------------------------------


def _parts(data: bytes, tokens: tuple[Token, ...]) -> Iterator[Damage]:
    """Yield definitions and sections without their begin or end."""
    opener = -1  # the index of the word that opens the part; -1 outside of parts
    after = 0  # the index after the last part
    for index, token in enumerate(tokens):
        if token.kind != WORD or (index and tokens[index - 1].text in QUOTING):
            continue
        begin = tokens[opener] if opener >= 0 else None
        if token.text in _ENDS:
            if begin is not None:
                yield _without_end(data, tokens, opener, index)
            opener = index
        elif token.text in _BEGINS:
            if begin is None:
                yield from _without_begin(data, tokens, after, index)
            elif _ENDS[begin.text] != token.text:
                is_definition = begin.text == b":"
                part = _without_end(data, tokens, opener, index)
                yield part if is_definition else _wrong_end(begin, token)
            opener, after = -1, index + 1
    if opener >= 0:
        yield _without_end(data, tokens, opener, len(tokens))


def _without_end(data: bytes, tokens: tuple[Token, ...], opener: int, limit: int) -> Damage:
    """Return a part without its end, which reaches at most to the index `limit`."""
    begin, end = tokens[opener], limit
    column = begin.start - data.rfind(b"\n", 0, begin.start) - 1
    last_offset = tokens[limit].start if limit < len(tokens) else len(data)
    for found in _BEGIN_OF_PART.finditer(data, begin.end, last_offset):
        index = lex(data).index_by_offset.get(found.end(1), -1)
        if len(found[1]) <= column and index >= 0:
            end = index
            break
    before, found_at = "the end of the file", len(data)
    if end < len(tokens):
        found_at = tokens[end].start
        before = f"line {line_number(data, found_at)}, where `{_shown(tokens[end])}` begins"
    last = next(token for token in reversed(tokens[opener:end]) if token.kind != COMMENT)
    closer, line = _ENDS[begin.text].decode(), line_number(data, last.start)
    at, code, name, part = begin.start, "E106", b"", f"the section `{_shown(begin)}`"
    if begin.text == b":" and opener + 1 < len(tokens):
        at, code, name = tokens[opener + 1].start, "E312", tokens[opener + 1].text
        part = f"the definition of `{_shown(tokens[opener + 1])}`"
    message = f"{part} has no `{closer}` before {before}"
    hint = f"its last word is `{_shown(last)}`, in line {line}: write `{closer}` after it"
    return Damage(at, found_at, message, hint, code, name)


def _wrong_end(begin: Token, end: Token) -> Damage:
    """Return a word that ends another section than the open one."""
    message = f"`{_shown(end)}` does not end the section `{_shown(begin)}`"
    hint = f"write `{_ENDS[begin.text].decode()}` in its place"
    return Damage(end.start, end.start, message, hint)


def _without_begin(
    data: bytes, tokens: tuple[Token, ...], after: int, index: int
) -> Iterator[Damage]:
    """Yield a part without its begin, which ends with the token at `index`.

    The part before it ends at the index `after`.
    """
    end, start = tokens[index], after
    opener = _BEGINS[end.text].decode()
    for n in range(after, index):
        is_item = _ITEM.fullmatch(tokens[n - 1].text) is not None
        if tokens[n].kind == FILE or (tokens[n].kind == NAME and not is_item):
            start = n + 1
        elif opener == ":" and tokens[n + 1].opener == b"(":
            start = n  # a name before a stack comment
    first = next(token for token in tokens[start : index + 1] if token.kind != COMMENT)
    message = f"`{_shown(end)}` is outside of a section `{opener} ... {_shown(end)}`"
    if opener == ":":
        if first.kind != WORD or first.text in _KERNEL or _NUMBER.fullmatch(first.text):
            return
        message = f"`{_shown(first)}` probably begins a definition that has no `:`"
    elif any(_OPENER.fullmatch(token.text) for token in tokens[start:index]):
        return  # a misspelt opener
    hint = f"write `{opener}` before `{_shown(first)}`, in line {line_number(data, first.start)}"
    yield Damage(first.start, first.start, message, hint)


# --- comments and strings ----------------------------------------------------------------------


def _texts(data: bytes, tokens: tuple[Token, ...]) -> Iterator[Damage]:
    """Yield comments and strings that hide code, and `]` and `)` without their begin."""
    has_bracket = any(token.text == b"[" for token in tokens)
    name = None  # the last name of a definition
    for token in tokens:
        if token.kind == NAME:
            name = token
        elif token.kind == WORD and token.text == b"]" and not has_bracket:
            message = "`]` has no `[` before it: the text after it is compiled, not run"
            yield Damage(token.start, token.start, message, "delete `]`")
        elif token.kind == WORD and token.text == b")":
            if name is not None and data.rfind(b"\n", name.start, token.start) < 0:
                message, hint = "`)` ends no comment", "a comment begins with `(` and a blank"
                yield Damage(token.start, name.start, message, hint)
        elif _hides_code(token):
            closer, part = '"', f"text after `{token.opener.decode()}`"
            if token.kind == COMMENT:
                closer, part = ")", "comment"
            message = f"the {part} has no `{closer}` on its line and hides code"
            hint = f"write `{closer}` in its line, or delete `{token.opener.decode()}`"
            yield Damage(token.start, token.start, message, hint)


def _hides_code(token: Token) -> bool:
    """Whether a comment or string ends where another one begins, and hides code before that."""
    if b"\n" not in token.text and not _DEFINITION.match(token.text):
        return False
    if token.kind == STRING:
        last_word = token.text.rsplit(None, 1)[-1:]
        return not token.closed or (b"".join(last_word) + b'"') in _STRINGS
    is_open = not token.closed or _COMMENT_INSIDE.search(token.text) is not None
    return token.opener == b"(" and is_open


# --- names -------------------------------------------------------------------------------------


def _readers(data: bytes, tokens: tuple[Token, ...]) -> Iterator[Damage]:
    """Yield words that read a name and find none, or that stand twice."""
    for index, token in enumerate(tokens):
        names = tokens[index + 1 : index + 1 + _READS.get(token.text, 1)]
        if not names or token.kind != WORD or token.in_definition:
            continue
        word = _shown(token)
        found = tokens[max(index - 1, 0)].start  # the name may precede the word
        if token.text == names[0].text and b"\n" not in data[token.end : names[0].start]:
            if token.text in _READS or token.text in _ENDS:
                message = f"`{word}` stands here twice"
                yield Damage(token.start, found, message, f"delete one `{word}`")
        elif token.text in _READS and any(_is_no_name(token, name) for name in names):
            message = f"a name after `{word}` is missing"
            yield Damage(token.start, found, message, f"write a name after `{word}`")


def _is_no_name(reader: Token, token: Token) -> bool:
    if token.kind == COMMENT or token.text in (b"(", b"\\") or token.text in _ENDS | _BEGINS:
        return True
    pattern = _NUMBER if reader.text == b":" else _ITEM
    return pattern.fullmatch(token.text) is not None

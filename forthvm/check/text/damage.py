"""The places at which a text is out of balance, each with a repair.

Definitions, sections, comments and strings may lack their begin or end, and words that read a name
may find none.  Only the text counts here, not which words are defined: whether a repair helps is
decided by loading the repaired text.  Therefore a correct text may have such places, too.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from forthvm.core._primitives import PRIMITIVES
from forthvm.core.loading.source import line_number
from forthvm.syntax.tokens import SECTIONS

from .lexer import COMMENT, DEFINERS, FILE, NAME, QUOTING, STRING, WORD, lex, line_end
from .repair import Repair, Suspect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .lexer import Lexed, Token

__all__ = ["CLOSERS", "OPENERS", "READ_BY_ITEMS", "doubled", "is_doubled", "suspects"]

OPENERS = {f"{{{name}".encode(): f"{name}}}".encode() for name in SECTIONS}
"""The words that open sections, each with the word that closes it."""
CLOSERS = {closer: opener for opener, closer in OPENERS.items()}
_ENDS = {**OPENERS, b":": b";"}
_BEGINS = {**CLOSERS, b";": b":"}
READ_BY_ITEMS = {
    item: count
    for count, items in {
        1: b"{move} {moves} {drops} {move-priority} {turn} {for-player} {of-type} {move-type} "
        b"{search-engine}",
        2: b"{symmetry} {asymmetry} {unlink}",
        3: b"{setup} {link}",
    }.items()
    for item in items.split()
}
"""Items, and the number of names that they read."""
_DEFINES = DEFINERS | {b":"}
_READS = READ_BY_ITEMS | dict.fromkeys([*_DEFINES, b"LOAD"], 1)
_SECTIONS_OF_ITEMS = {
    item: section
    for section, items in {
        b"{directions": b"{direction}",
        b"{players": b"{player} {neutral} {search-engine} {random} {first} {UCT}",
        b"{moves": b"{move} {move-type}",
        b"{move-priorities": b"{move-priority}",
        b"{turn-order": b"{turn} {for-player} {of-type} {repeat}",
        b"{pieces": b"{piece} {moves} {drops} {value} {dummy-pieces}",
    }.items()
    for item in items.split()
}
"""The items that need data of the word that opens their section."""
_BEGIN_OF_PART = re.compile(
    rb"^([ \t]*)(?::\s|LOAD\s|\{[a-z-]+\s"
    rb"|(?:\S+[ \t]+)?(?:CONSTANT|VARIABLE|FVARIABLE|FCONSTANT|CREATE|DEFER)\s)",
    re.MULTILINE,
)
"""A line that begins a definition or section."""
_DEFINITION = re.compile(rb"\s*:\s+\S+\s+\(\s")
_LAST_SEMICOLON = re.compile(rb"\s+;[ \t\r]*$")
_NO_NAME = re.compile(rb"[(\\;:]|\{[a-z-]+\}?|[a-z-]+\}")
_NUMBER = re.compile(rb"[+-]?\d+")
_KERNEL = frozenset(name.encode() for name, *_ in PRIMITIVES)


@lru_cache(maxsize=64)
def suspects(data: bytes, *, main: bool) -> tuple[Suspect, ...]:
    """Return all places that may be damaged.

    A definition may be open at the end of the main text (`main`).
    """
    lexed = lex(data)
    return (
        *_parts(data, lexed, main=main),
        *_texts(data, lexed.tokens),
        *_readers(data, lexed.tokens),
        *_brackets(lexed.tokens),
    )


def is_doubled(data: bytes, token: Token, after: Token) -> bool:
    """Whether a token stands twice in a line."""
    return token.text == after.text and b"\n" not in data[token.end : after.start]


def doubled(token: Token) -> Suspect:
    """Return the place of a token that stands twice."""
    word = _shown(token)
    return _without(token, f"`{word}` stands here twice", f"delete one `{word}`")


def _without(token: Token, message: str, hint: str) -> Suspect:
    """Return the place of a token that should be deleted."""
    return Suspect(token.start, message, hint, Repair(token.start, token.end))


def _shown(token: Token) -> str:
    return token.text.decode("utf-8", "replace")


# --- definitions and sections ------------------------------------------------------------------


def _parts(data: bytes, lexed: Lexed, *, main: bool) -> Iterator[Suspect]:
    """Yield definitions and sections without their begin or end."""
    tokens = lexed.tokens
    opener = -1  # the index of the word that opens the part; -1 outside of parts
    after = 0  # the index after the last part
    for index, token in enumerate(tokens):
        if token.kind != WORD or (index and tokens[index - 1].text in QUOTING):
            continue
        is_open = opener >= 0
        if token.text in _ENDS:
            if is_open:
                yield from _without_end(data, lexed, opener, index)
            opener = index
        elif token.text in _BEGINS:
            if not is_open or _ENDS[tokens[opener].text] != token.text:
                if is_open:
                    yield from _without_end(data, lexed, opener, index)
                yield from _without_begin(data, tokens, after, index, _BEGINS[token.text])
            opener, after = -1, index + 1
        elif not is_open and token.text in _SECTIONS_OF_ITEMS:
            yield from _without_begin(data, tokens, after, index, _SECTIONS_OF_ITEMS[token.text])
    if opener >= 0 and not (main and tokens[opener].text == b":"):
        yield from _without_end(data, lexed, opener, len(tokens))


def _without_end(data: bytes, lexed: Lexed, opener: int, limit: int) -> Iterator[Suspect]:
    """Yield the repairs of a part without its end, which reaches at most to the index `limit`."""
    tokens, begin = lexed.tokens, lexed.tokens[opener]
    closer, end = _ENDS[begin.text], limit
    column = begin.start - data.rfind(b"\n", 0, begin.start) - 1
    last_offset = tokens[limit].start if limit < len(tokens) else len(data)
    for found in _BEGIN_OF_PART.finditer(data, begin.end, last_offset):
        if len(found[1]) <= column and found.end(1) in lexed.index_by_offset:
            end = lexed.index_by_offset[found.end(1)]
            break
    before, line_of_end = "the end of the file", 0
    if end < len(tokens):
        line_of_end = line_number(data, tokens[end].start)
        before = f"line {line_of_end}, where `{_shown(tokens[end])}` begins"
    last = next(token for token in reversed(tokens[opener:end]) if token.kind != COMMENT)
    shown, line = _shown(last) if last.kind != STRING else "", line_number(data, last.start)
    at, code, name, part = begin.start, "E106", b"", f"the section `{_shown(begin)}`"
    if begin.text == b":" and opener + 1 < len(tokens):
        at, code, name = tokens[opener + 1].start, "E312", tokens[opener + 1].text
        part = f"the definition of `{_shown(tokens[opener + 1])}`"
    message = f"{part} has no `{closer.decode()}` before {before}"
    new, write = b" " + closer, f"write `{closer.decode()}`"
    edits: dict[str, Repair] = {}
    if last is not begin:
        hint = f"its last word is `{shown}`, in line {line}: {write} after it"
        edits[hint] = Repair(last.end, last.end, new, name)
    if begin.text == b":":
        hint = f"{write} in place of `{shown}`, in line {line}"
        edits[hint] = Repair(last.start, last.end, new, name)
    else:
        edits[f"delete `{_shown(begin)}`"] = Repair(begin.start, begin.end)
    if end < len(tokens) and tokens[end].text in CLOSERS:
        hint = f"{write} in place of `{_shown(tokens[end])}`, in line {line_of_end}"
        edits[hint] = Repair(tokens[end].start, tokens[end].end, new)
    for hint, edit in edits.items():
        yield Suspect(at, message, hint, edit, code, name)


def _without_begin(
    data: bytes, tokens: tuple[Token, ...], after: int, index: int, opener: bytes
) -> Iterator[Suspect]:
    """Yield the repairs of a part without its `opener`, of which the token at `index` is known.

    The part before it ends at the index `after`.
    """
    start = after
    for n in range(after, index):
        is_item = _SECTIONS_OF_ITEMS.get(tokens[n - 1].text) == opener
        if tokens[n].kind == FILE or (tokens[n].kind == NAME and not is_item):
            start = n + 1
        elif opener == b":" and tokens[n + 1].opener == b"(":
            start = n  # a name before a stack comment
    token, word = tokens[index], opener.decode()
    first = next(one for one in tokens[start : index + 1] if one.kind != COMMENT)
    message = f"`{_shown(token)}` is outside of a section `{word} ... {_ENDS[opener].decode()}`"
    if opener == b":":
        if first.kind != WORD or first.text in _KERNEL or _NUMBER.fullmatch(first.text):
            return
        token, message = first, f"`{_shown(first)}` probably begins a definition that has no `:`"
    hint = f"write `{word}` before `{_shown(first)}`, in line {line_number(data, first.start)}"
    yield Suspect(token.start, message, hint, Repair(first.start, first.start, opener + b" "))
    if token.text in CLOSERS:
        yield _without(token, message, f"delete `{_shown(token)}`")


# --- comments, strings and brackets ------------------------------------------------------------


def _texts(data: bytes, tokens: tuple[Token, ...]) -> Iterator[Suspect]:
    """Yield comments and strings that probably hide code, and `)` without `(`."""
    for index, token in enumerate(tokens):
        if token.kind == WORD and token.text == b")":
            yield from _without_bracket(data, tokens, index)
        elif token.kind == STRING or (token.kind == COMMENT and token.opener == b"("):
            opener = token.opener.decode()
            closer, kind = '"', f"text after `{opener}`"
            if token.kind == COMMENT:
                closer, kind = ")", "comment"
            if b"\n" in token.text:
                message = f"the {kind} has no `{closer}` on its line and hides the next lines"
            elif _DEFINITION.match(token.text):
                message = f"the {kind} hides the begin of a definition"
            else:
                continue
            hint = f"write `{closer}` in its line, or delete `{opener}`"
            end = line_end(data, token.start)
            semicolon = _LAST_SEMICOLON.search(data, token.start, end)
            if semicolon is not None and token.in_definition:
                end = semicolon.start()
            close = Repair(end, end, f" {closer}".encode())
            for edit in (close, Repair(token.start, token.start + len(token.opener))):
                yield Suspect(token.start, message, hint, edit)


def _without_bracket(data: bytes, tokens: tuple[Token, ...], index: int) -> Iterator[Suspect]:
    """Yield the repair of a `)` that ends no comment: `(` belongs after the name in its line."""
    line_start = data.rfind(b"\n", 0, tokens[index].start) + 1
    for token in reversed(tokens[:index]):
        if token.end <= line_start:
            break
        if token.kind == NAME:
            is_glued = token.text.endswith(b"(")  # `: name( -- )`
            at, new = (token.end - 1, b" ") if is_glued else (token.end, b" ( ")
            hint = "a comment begins with `(` and a blank"
            message = "`)` ends no comment"
            yield Suspect(tokens[index].start, message, hint, Repair(at, at, new))
            break


def _brackets(tokens: tuple[Token, ...]) -> Iterator[Suspect]:
    """Yield `]` without `[`, and `[` in definitions without `]`."""
    opened: Token | None = None
    for index, token in enumerate(tokens):
        is_word = token.kind == WORD and (not index or tokens[index - 1].text not in QUOTING)
        if opened is not None and (token.kind == NAME or token.text == b"["):
            message = "`[` has no `]` in its definition: the words after it are not compiled"
            yield _without(opened, message, "write `]` before the words to compile, or delete `[`")
            opened = None
        if is_word and token.text == b"[" and token.in_definition:
            opened = token
        elif is_word and token.text == b"]":
            if opened is None:
                message = "`]` has no `[` before it: the text after it is compiled and does not run"
                yield _without(token, message, "delete `]`")
            opened = None


# --- names -------------------------------------------------------------------------------------


def _readers(data: bytes, tokens: tuple[Token, ...]) -> Iterator[Suspect]:
    """Yield words that read a name and find none, or that stand twice."""
    for index, token in enumerate(tokens):
        names = tokens[index + 1 : index + 1 + _READS.get(token.text, 0)]
        if not names or token.kind != WORD or token.in_definition:
            continue
        if is_doubled(data, token, names[0]):
            yield doubled(token)
            continue
        wrong = next((n for n, name in enumerate(names) if _is_no_name(token, name)), None)
        if wrong is not None:
            word, end = _shown(token), names[wrong - 1].end if wrong else token.end
            message, hint = f"a name after `{word}` is missing", f"write a name after `{word}`"
            missing = Repair(token.start, end, hides_names=True)
            if token.text in _DEFINES:
                missing = Repair(end, end, b" <nameless>", hides_names=True)
            for edit in (missing, Repair(names[wrong].start, names[wrong].end)):
                yield Suspect(token.start, message, hint, edit)


def _is_no_name(reader: Token, token: Token) -> bool:
    is_number = reader.text == b":" and _NUMBER.fullmatch(token.text) is not None
    return is_number or token.kind == COMMENT or _NO_NAME.fullmatch(token.text) is not None

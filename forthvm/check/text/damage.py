"""The places at which a text is out of balance, each with a repair.

A definition, section, comment or string may lack its begin or end, an item its name, and a word may
be broken or doubled.  Only the text counts here, not which words are defined: whether a repair
helps is decided by loading the repaired text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from forthvm.core._primitives import PRIMITIVES
from forthvm.core.loading.source import line_number
from forthvm.syntax.tokens import DEFINING, NAME_READERS, SECTIONS

from .lexer import COMMENT, DEFINERS, FILE, NAME, QUOTING, STRING, WORD, lex, line_end
from .repair import Repair, Suspect
from .unfinished import ends_of, next_unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .lexer import Token

__all__ = [
    "CLOSERS",
    "OPENERS",
    "READ_BY_ITEMS",
    "doubled",
    "is_doubled",
    "joined",
    "suspects",
]

OPENERS = {b"{" + name.encode(): name for name in SECTIONS}
CLOSERS = {name.encode() + b"}": name for name in SECTIONS}
_SECTION_WORDS = frozenset(
    word
    for word in (
        *OPENERS,
        *CLOSERS,
        *(name.encode() for name in (*DEFINING, *NAME_READERS)),
        *b"{grid} {setup} {symmetry} {asymmetry} {link} {unlink} {value} {repeat} {random}".split(),
    )
    if b"{" in word or b"}" in word
)
"""The words with braces that have a meaning in sections."""
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
"""The items of each section that need data of the word that opens the section."""
_DEFINES = DEFINERS | {b":", b"LOAD"}
_MAKES_POSITIONS = re.compile(rb"\{grid|grid\}|\{position|position\}|LOAD")
_CODE = re.compile(
    rb"\n[ \t]*(?::\s|\{[a-z-]+[\s}]|[a-z-]+\}\s"
    rb"|(?:\S+[ \t]+)?(?:CONSTANT|VARIABLE|FVARIABLE|FCONSTANT|CREATE|DEFER|LOAD)[ \t]+\S)"
    rb"|;[ \t\r]*\n"
)
"""The begin of a line that is probably no part of a comment or string, or the end of one."""
_DEFINITION = re.compile(rb"\s*:\s+\S+\s+\(\s")
_LAST_SEMICOLON = re.compile(rb"\s+;[ \t\r]*$")
_NO_NAME = re.compile(rb"\(|\\|;|:|\{[a-z-]+\}?|[a-z-]+\}")
_OWN_WORD = re.compile(rb"\{[a-z-]+\}?|[a-z-]+\}")
_KERNEL = frozenset(name.encode() for name, *_ in PRIMITIVES)
_NUMBER = re.compile(rb"[+-]?\d+$")


@lru_cache(maxsize=64)
def suspects(data: bytes, *, main: bool) -> tuple[Suspect, ...]:
    """Return all places that may be damaged; a correct text may have some, too.

    A definition may be open at the end of the main text (`main`).
    """
    tokens = lex(data).tokens
    unfinished = next_unfinished(data)
    is_open = unfinished is not None and (unfinished.next_words or not main)
    return (
        *(ends_of(data, unfinished) if unfinished is not None and is_open else ()),
        *_hidden_code(data, tokens),
        *_ends_of_comments(data, tokens),
        *_definitions_and_items(data, tokens),
        *_stray_words(data, tokens),
        *_open_sections(data, tokens),
        *_sections_without_begin(data, tokens),
    )


def _without(token: Token, message: str, hint: str) -> Suspect:
    """Return the place of a token that should be deleted."""
    return Suspect(token.start, message, hint, Repair(token.start, token.end))


# --- comments and strings ----------------------------------------------------------------------


def _hidden_code(data: bytes, tokens: Sequence[Token]) -> Iterator[Suspect]:
    """Yield the comments and strings without their ends, which hide code."""
    for token in tokens:
        is_comment = token.kind == COMMENT and token.opener == b"("
        if is_comment and _DEFINITION.match(token.text):
            end = token.start + 1
            message = "the comment hides the begin of a definition"
            yield Suspect(token.start, message, "delete `(`", Repair(token.start, end))
        elif is_comment and _hides_code(data, token):
            at = _end_of_text(data, token)
            message = "the comment has no `)` on its line, and it hides the definitions up to the"
            hint = "write ` )` after the comment, or delete `(`"
            names = tuple(data[token.start : at].split())
            for repair in (
                Repair(at, at, b" )", names=names),
                Repair(token.start, token.start + 1),
            ):
                yield Suspect(token.start, f"{message} next `)`", hint, repair)
        elif token.kind == STRING and _hides_code(data, token):
            at = _end_of_text(data, token)
            opener = token.opener.decode()
            message = f'the text after `{opener}` has no `"` on its line, and it hides the code'
            hint = 'write `"` after the text'
            for repair in (
                Repair(at, at, b'"'),
                Repair(token.start, token.start + len(token.opener)),
            ):
                yield Suspect(token.start, f"{message} after it", hint, repair)


def _hides_code(data: bytes, token: Token) -> bool:
    """Whether a comment or string extends over lines that are probably code."""
    return _CODE.search(data, token.start, token.end) is not None


def _end_of_text(data: bytes, token: Token) -> int:
    """Return the probable end of a comment or string: before the `;` at the end of its line."""
    end = line_end(data, token.start)
    semicolon = _LAST_SEMICOLON.search(data, token.start, end)
    return semicolon.start() if semicolon is not None and token.in_definition else end


def _ends_of_comments(data: bytes, tokens: Sequence[Token]) -> Iterator[Suspect]:
    """Yield `)` in definitions: the comment probably begins after the name."""
    for index, token in enumerate(tokens):
        line_start = data.rfind(b"\n", 0, token.start) + 1
        if token.kind != WORD or token.text != b")":
            continue
        for before in reversed(tokens[:index]):
            if before.end <= line_start or (before.kind == WORD and before.text.startswith(b"(")):
                break  # of `(n -- n )`, only a blank is missing
            if before.kind in (NAME, COMMENT):
                is_glued = before.kind == NAME and before.text.endswith(b"(")  # `: name( -- )`
                at, new = (before.end - 1, b" ") if is_glued else (before.end, b" ( ")
                hint = "a comment begins with `(` and a blank"
                yield Suspect(token.start, "`)` ends no comment", hint, Repair(at, at, new))
                break


# --- definitions and items ---------------------------------------------------------------------


def _definitions_and_items(data: bytes, tokens: Sequence[Token]) -> Iterator[Suspect]:
    for index, token in enumerate(tokens):
        if token.kind in (NAME, FILE):
            yield from _new_name(data, tokens, index)
        elif token.text in READ_BY_ITEMS and not token.in_definition:
            names = tokens[index + 1 : index + 1 + READ_BY_ITEMS[token.text]]
            if names and is_doubled(data, token, names[0]):
                yield doubled(token)
            elif any(map(_is_no_name, names)):
                yield _without_name(tokens, index)
        elif token.text == b";" and token.kind == WORD and not token.in_definition:
            yield from _without_begin(data, tokens, index)


def _new_name(data: bytes, tokens: Sequence[Token], index: int) -> Iterator[Suspect]:
    """Yield a token that is read as a new name, or as the name of a file."""
    token, reader = tokens[index], tokens[index - 1]
    is_no_name = _is_no_name(token)
    if reader.text == b":":
        is_own_word = _OWN_WORD.fullmatch(token.text) and token.text not in _SECTION_WORDS
        is_no_name &= not is_own_word  # scripts define words such as `{hand}` for their sections
        is_no_name |= _NUMBER.match(token.text) is not None
    line = data[token.end : line_end(data, token.end)]
    if is_doubled(data, reader, token):
        yield doubled(reader)
    elif token.text == b"(" and b")" not in line:
        hint = "write ` )` after the comment, or delete `(`"
        yield _without(token, "the comment has no `)` on its line", hint)
    elif is_no_name:
        suspect = _without_name(tokens, index - 1)
        yield suspect
        if token.text in _SECTION_WORDS:  # it may stand before the name
            yield suspect._replace(repair=Repair(token.start, token.end))


def _is_no_name(token: Token) -> bool:
    return token.kind == COMMENT or _NO_NAME.fullmatch(token.text) is not None


def is_doubled(data: bytes, token: Token, after: Token) -> bool:
    """Whether a token stands twice in a line."""
    return token.text == after.text and b"\n" not in data[token.end : after.start]


def doubled(token: Token) -> Suspect:
    """Return the place of a token that stands twice."""
    word = token.text.decode("latin-1")
    return _without(token, f"`{word}` stands here twice", f"delete one `{word}`")


def _without_name(tokens: Sequence[Token], index: int) -> Suspect:
    """Return a word that reads too few names: the item or definition is left out."""
    reader = tokens[index]
    end = reader.end
    if reader.text in (b":", b"{moves"):
        closer = b";" if reader.text == b":" else b"moves}"
        rest = (token for token in tokens[index + 1 :] if token.text == closer)
        end = next((token.end for token in rest), end)
    else:
        for token in tokens[index + 1 : index + 1 + READ_BY_ITEMS.get(reader.text, 0)]:
            if _is_no_name(token):
                if token.kind == WORD and token.text not in _SECTION_WORDS:
                    end = token.end  # part of the damage
                break
            end = token.end
    word = reader.text.decode("latin-1")
    message, hint = f"a name after `{word}` is missing", f"write a name after `{word}`"
    nameless = reader.text in DEFINERS or reader.text == b":"
    is_load = reader.text == b"LOAD"
    repair = Repair(reader.start, end, nameless=nameless, hides_names=is_load)
    return Suspect(reader.start, message, hint, repair)


def _without_begin(data: bytes, tokens: Sequence[Token], index: int) -> Iterator[Suspect]:
    """Yield a `;` that ends no definition: `:` is missing before the name."""
    first = index
    while first and not _ends_other_part(tokens, first - 1):
        first -= 1
        line_start = data.rfind(b"\n", 0, tokens[first].start) + 1
        begins_line = not data[line_start : tokens[first].start].strip()
        if begins_line and any(after.opener == b"(" for after in tokens[first + 1 : first + 3]):
            break  # the token, or the next one, has a stack comment
    name = next(token for token in tokens[first : index + 1] if token.kind != COMMENT)
    if name.kind == WORD and name.text not in _KERNEL and not _NUMBER.match(name.text):
        word = name.text.decode("utf-8", "replace")
        message = f"`{word}` probably begins a definition that has no `:`"
        at = name.start
        yield Suspect(at, message, f"write `:` before `{word}`", Repair(at, at, b": ", name.text))


def _ends_other_part(tokens: Sequence[Token], index: int) -> bool:
    """Whether a token belongs to what precedes a definition."""
    token = tokens[index]
    is_brace = token.text.startswith(b"{") or token.text.endswith(b"}")
    is_read = index > 0 and tokens[index - 1].text in DEFINERS
    is_end = is_brace or is_read or token.text == b";" or token.kind in (NAME, FILE)
    return token.in_definition or (token.kind != COMMENT and is_end)


# --- stray words -------------------------------------------------------------------------------


def _stray_words(data: bytes, tokens: Sequence[Token]) -> Iterator[Suspect]:
    bracket = False  # whether a `[` in the definition has no `]` yet
    for index, (token, after) in enumerate(pairwise(tokens)):
        if token.kind == NAME:
            bracket = False
        if token.text + after.text in _SECTION_WORDS:
            yield from joined(data, token, after)
        elif token.kind != WORD or (index and tokens[index - 1].text in QUOTING):
            continue
        elif token.text == b"]":
            if not bracket:
                message = "`]` has no `[` before it: the text after it is compiled and does not run"
                yield _without(token, message, "delete `]`")
            bracket = False
        elif token.text == b"[" and token.in_definition:
            bracket = True
            message = (
                "`[` has no `]` in its definition: the words after it run and are not compiled"
            )
            yield _without(token, message, "write `]` before the words to compile, or delete `[`")


def joined(data: bytes, token: Token, after: Token) -> Iterator[Suspect]:
    """Yield a word that a line end or a blank may break in two parts."""
    between = data[token.end : after.start]
    is_text = COMMENT in (token.kind, after.kind) or STRING in (token.kind, after.kind)
    if is_text or between.strip() or (between != b" " and between.count(b"\n") != 1):
        return
    first, rest = (part.text.decode("utf-8", "replace") for part in (token, after))
    breaker, where = ("line end", " in one line") if b"\n" in between else ("blank", "")
    message = f"a {breaker} breaks `{first}{rest}` in two parts, `{first}` and `{rest}`"
    hint = f"write `{first}{rest}`{where}"
    yield Suspect(token.start, message, hint, Repair(token.end, after.start))


# --- sections ----------------------------------------------------------------------------------


def _open_sections(data: bytes, tokens: Sequence[Token]) -> Iterator[Suspect]:
    """Yield sections that are not closed before the next one."""
    for index, token in _interpreted(tokens):
        if token.text not in OPENERS:
            continue
        section, end = OPENERS[token.text], _end_of_section(tokens, index)
        after = _end_of_section(tokens, end)
        if end < len(tokens) and CLOSERS.get(tokens[end].text) == section:
            continue
        if end == index + 1 < len(tokens) and tokens[end].text == token.text:
            yield doubled(token)
        elif after < len(tokens) and CLOSERS.get(tokens[after].text) == section:
            word = tokens[end].text.decode("latin-1")
            message = f"`{word}` is inside of the section `{{{section} ... {section}}}`"
            yield _without(tokens[end], message, f"delete `{word}`")
        yield _not_closed(data, tokens, index, section)


def _interpreted(tokens: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    """Yield the words outside definitions, with their indices."""
    for index, token in enumerate(tokens):
        if token.kind == WORD and not token.in_definition:
            yield index, token


def _end_of_section(tokens: Sequence[Token], index: int) -> int:
    """Return the index of the next word that opens or closes a section."""
    for end, token in _interpreted(tokens):
        if end > index and (token.text in OPENERS or token.text in CLOSERS):
            return end
    return len(tokens)


def _end_of_part(data: bytes, tokens: Sequence[Token], index: int) -> int:
    """Return the index of the token at which the text of a section probably ends."""
    for end in range(index + 1, len(tokens)):
        token = tokens[end]
        if token.kind == WORD and (token.text in OPENERS or token.text in CLOSERS):
            return end
        before = data[data.rfind(b"\n", 0, token.start) + 1 : token.start]
        is_first = not before.strip() and (not before or token.text != b"LOAD")
        if is_first and token.text in _DEFINES and not token.text.startswith(b"{"):
            return end
    return len(tokens)


def _not_closed(data: bytes, tokens: Sequence[Token], index: int, section: str) -> Suspect:
    """Return a section without its end, or with that of another section."""
    end = _end_of_part(data, tokens, index)
    closes_other = end < len(tokens) and tokens[end].text in CLOSERS
    following = tokens[end + closes_other : end + closes_other + 1]
    before = "the end of the file"
    if following:
        word = following[0].text.decode("utf-8", "replace")
        before = f"line {line_number(data, following[0].start)}, where `{word}` begins"
    last = next(t for t in reversed(tokens[index : end + closes_other]) if t.kind != COMMENT)
    text = "" if last.kind == STRING else last.text.decode("utf-8", "replace")
    line = line_number(data, last.start)
    message = f"the section `{{{section}` has no `{section}}}` before {before}"
    hint = f"its last word is `{text}`, in line {line}: write `{section}}}` after it"
    start, new = last.start if closes_other else last.end, f" {section}}}".encode()
    return Suspect(tokens[index].start, message, hint, Repair(start, last.end, new))


def _sections_without_begin(data: bytes, tokens: Sequence[Token]) -> Iterator[Suspect]:
    """Yield sections that are not opened, and boards without positions."""
    opened = ""
    for index, token in _interpreted(tokens):
        if token.text in OPENERS:
            opened = OPENERS[token.text]
            end = _end_of_section(tokens, index)
            is_closed = end < len(tokens) and tokens[end].text == b"board}"
            words = b" ".join(other.text for other in tokens[index:end])
            if opened == "board" and is_closed and not _MAKES_POSITIONS.search(words):
                hint = "write `8 8 {grid}`, for 8 rows and 8 columns, or `{position}` and a name"
                at = tokens[end].start
                message = "the board has no positions"
                yield Suspect(token.start, message, hint, Repair(at, at, b"8 8 {grid} "))
        elif token.text in CLOSERS:
            if opened != CLOSERS[token.text]:
                suspect = _not_opened(data, tokens, index, CLOSERS[token.text])
                yield suspect
                yield suspect._replace(repair=Repair(token.start, token.end))
            opened = ""
        elif not opened and token.text in _ITEMS:
            yield _not_opened(data, tokens, index, _ITEMS[token.text])


def _not_opened(data: bytes, tokens: Sequence[Token], index: int, section: str) -> Suspect:
    """Return a section without its begin, from its first item or its end."""
    start = index
    while start and _may_precede(tokens, start - 1, section):
        start -= 1
    end = _end_of_part(data, tokens, index - 1)
    is_closed = end < len(tokens) and CLOSERS.get(tokens[end].text) == section
    word, first = (tokens[n].text.decode("utf-8", "replace") for n in (index, start))
    hint = f"write it between `{{{section}` and `{section}}}`"
    if is_closed:
        line = line_number(data, tokens[start].start)
        hint = f"write `{{{section}` before `{first}`, in line {line}"
    at = tokens[start].start
    message = f"`{word}` is outside of a section `{{{section} ... {section}}}`"
    repair = Repair(at, at, f"{{{section} ".encode())
    return Suspect(tokens[index].start, message, hint, repair)


def _may_precede(tokens: Sequence[Token], index: int, section: str) -> bool:
    """Whether a token before the first item probably belongs to the section, or is its begin."""
    token = tokens[index]
    if token.in_definition or token.kind == FILE or token.text in CLOSERS or token.text == b";":
        return False
    if token.kind == NAME:
        return index > 0 and _ITEMS.get(tokens[index - 1].text) == section
    return token.text not in OPENERS

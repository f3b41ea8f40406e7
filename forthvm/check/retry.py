"""Prepares another attempt to load a script after an error.

The next attempt loads the script with the unknown name defined as an empty word (a placeholder), or
with the failing text repaired or replaced by blanks.  This file must not know how an attempt is
made.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.core.errors import (
    BudgetExceeded,
    EndOfSource,
    ForthVMError,
    ScriptFileError,
    UndefinedWord,
)
from forthvm.core.errors.report import suggest
from forthvm.core.loading.source import line_number

from .finding import Finding
from .loaded_script import MANY_UNKNOWN, NUMBER
from .text.lexer import FILE, NAME, WORD, lex
from .text.missing import missing_blank
from .text.repairs import blank_out, insert_blank, split_glued_name
from .text.unknown import advice
from .text.words import DEFINERS, QUOTING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.loading.source import Text
    from forthvm.core.location import Location

    from .loaded_script import LoadedScript

__all__ = ["prepare_retry", "text_of"]

_DEFINERS = frozenset(word.decode() for word in DEFINERS)
_SQUARE = re.compile(r"[a-z]\d{1,2}$")


def prepare_retry(loaded: LoadedScript, error: ForthVMError) -> bool:
    """Record an error and prepare another attempt; return False if no attempt can succeed."""
    location = _script_location(error, loaded)
    if isinstance(error, UndefinedWord):
        return _prepare_unknown(loaded, error.detail, location)
    if isinstance(error, BudgetExceeded):
        text = f"loading was stopped here: {error.short_message()}"
        loaded.findings.append(Finding("W103", text, location, error.word or "", error.hints))
        return False
    file_unreadable = isinstance(error, ScriptFileError)
    unknown = _unknown_name_before(loaded, location)
    if any(f.code == "E106" and f.location == location for f in loaded.findings):
        return False  # the last section is not closed, and the whole text has been loaded
    if unknown is not None and not file_unreadable:
        cause = loaded.findings[unknown].location
        if cause is None or location is None or cause.line != location.line:
            loaded.add_consequence(_describe_line(loaded, location, unknown), unknown)
    elif (cause_at := _cause_before(loaded, location)) is not None and not file_unreadable:
        loaded.add_consequence(_describe_line(loaded, location, cause_at), cause_at)
    else:
        message = _message(loaded, error, location)
        finding = Finding("E102", message, location, error.word or "", error.hints)
        loaded.note_cause(finding)
        loaded.names_may_be_missing |= file_unreadable
    location = _interpreted_location(error, loaded) or location
    return location is not None and _blank_out_failure(loaded, location)


def _prepare_unknown(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Record an unknown name, and prepare an attempt in which the name is defined or repaired."""
    if name in loaded.unknown_names or name in loaded.built_in_names:
        return False  # the script has damaged the memory
    if _define_names_of_part(loaded, name) or _define_squares(loaded, name, location):
        return True
    cause_at = _cause_before(loaded, location)
    if loaded.findings and _is_out_of_sync(loaded, name, location):
        return False
    if _blank_out_comment(loaded, name, location) or _leave_out_item(loaded, name, location):
        return True
    if parts := split_glued_name(name, loaded.is_known, loaded.built_in_names):
        if _insert_blank(loaded, name, parts, location):
            return True
    elif cause_at is not None and (
        loaded.names_may_be_missing
        or _is_before_cause(loaded, location)
        or _is_defined_before(loaded, name, location)
    ):
        loaded.add_consequence(f"`{name}`", cause_at)
    else:
        later_uses = tuple(_later_uses(loaded, name, location))
        advice = tuple(_hints(name, loaded))
        finding = Finding("E101", f"unknown name `{name}`", location, "", advice, later_uses)
        loaded.findings.append(finding)
    if not _blank_out_prose(loaded, location):
        loaded.unknown_names.append(name)
    return True


def _leave_out_item(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Leave out the rest of a definition whose first word is unknown, such as `{piec} pawn`.

    The numbers before the word, and the name after it, are left out, too.
    """
    text = text_of(loaded, location)
    if text is None or location is None:
        return False
    lexed = loaded.tokens_of(text)
    index = lexed.index_by_offset.get(_offset(text, location))
    if index is None or index + 1 >= len(lexed.tokens) or lexed.tokens[index].in_definition:
        return False
    token, after = lexed.tokens[index : index + 2]
    new_name = text.decode(after.text)
    similar = re.search(r"`(\S+)`", suggest(name, sorted(_DEFINERS)) or "")
    is_item = similar is not None and similar[1] in _DEFINERS
    if not is_item or after.kind != WORD or loaded.is_known(new_name):
        return False
    line_start = text.data.rfind(b"\n", 0, token.start) + 1
    start = token.start
    while index and lexed.tokens[index - 1].start >= line_start:
        index -= 1
        if not NUMBER.match(text.decode(lexed.tokens[index].text)):
            break
        start = lexed.tokens[index].start
    finding = Finding("E101", f"unknown name `{name}`", location, "", tuple(_hints(name, loaded)))
    loaded.part_names.setdefault(new_name, len(loaded.findings))
    loaded.findings.append(finding)
    return loaded.record_repair(text, blank_out(text.data, start, after.end))


def _blank_out_prose(loaded: LoadedScript, location: Location | None) -> bool:
    """Replace an interpreted line with many unknown names by blanks, from the first of them on."""
    text = text_of(loaded, location)
    if text is None or location is None:
        return False
    unknown = loaded.unknown_in_line(location)
    start = _offset(text, location)
    lexed = loaded.tokens_of(text)
    index = lexed.index_by_offset.get(start)
    if len(unknown) < MANY_UNKNOWN or index is None or lexed.tokens[index].in_definition:
        return False
    first = unknown[0].location or location
    end = text.data.find(b"\n", start)
    end = end if end >= 0 else len(text.data)
    return loaded.record_repair(text, blank_out(text.data, _offset(text, first), end))


def _define_names_of_part(loaded: LoadedScript, name: str) -> bool:
    """Define all names that a damaged part may define, if `name` is one of them."""
    index = loaded.part_names.get(name)
    if index is None:
        return False
    used = {word for text in loaded.script_texts for word in loaded.words_of(text)}
    for other, part in loaded.part_names.items():
        if part == index and other in used and not loaded.is_known(other):
            loaded.add_consequence(f"`{other}`", index)
            loaded.unknown_names.append(other)
    return name in loaded.unknown_names


def _define_squares(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Define the names of all squares of a grid, if the board could not be made."""
    if not _SQUARE.match(name) or loaded.is_known("a1") or not loaded.findings:
        return False
    index = loaded.squares_index
    if index is None:
        index = _cause_before(loaded, location)
    index = len(loaded.findings) - 1 if index is None else index
    used = {word for text in loaded.script_texts for word in loaded.words_of(text)}
    squares = sorted(word for word in used if _SQUARE.match(word) and not loaded.is_known(word))
    loaded.add_consequence("the squares of the board", index)
    loaded.unknown_names += squares
    return name in squares


def _blank_out_comment(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Record a comment such as `(n -- n )`, which lacks a blank; replace it by blanks."""
    text = text_of(loaded, location)
    if len(name) < 2 or name[0] != "(" or text is None or location is None:  # noqa: PLR2004 - "(n"
        return False
    start = _offset(text, location)
    line = text.data[start:].split(b"\n", 1)[0]
    end = line.find(b" )")
    if end < 0 or b"(" in line[1:end]:
        return False
    loaded.findings.append(missing_blank(name, ("(", name[1:]), location))
    return loaded.record_repair(text, blank_out(text.data, start, start + end + 2))


def _insert_blank(
    loaded: LoadedScript, name: str, parts: tuple[str, ...], location: Location | None
) -> bool:
    """Record a name that lacks a blank; insert the blank if no other text has to move."""
    finding = missing_blank(name, parts, location)
    loaded.glued_names[name] = parts
    text = text_of(loaded, location)
    repair = None
    if text is not None and location is not None:
        token, *encoded = (part.encode(text.encoding, "replace") for part in (name, *parts))
        repair = insert_blank(text.data, _offset(text, location), token, tuple(encoded))
    if text is None or repair is None:
        loaded.note_cause(finding)
        loaded.names_may_be_missing |= any(brace in name for brace in "{}")
        return False
    if parts[0] == ":":
        loaded.emptied_definitions.add(parts[1])
        loaded.note_cause(finding)
    else:
        loaded.findings.append(finding)
    return loaded.record_repair(text, repair)


def _unknown_name_before(loaded: LoadedScript, location: Location | None) -> int | None:
    """Return the index of the finding of an unknown name that probably led to an error.

    It is the last one that the line of the error runs, directly or in definitions: without the
    effect of the name, the stack is wrong there.
    """
    text = text_of(loaded, location)
    if text is None or location is None:
        return None
    offset = _offset(text, location)
    line_start = text.data.rfind(b"\n", 0, offset) + 1
    needed = _names_that_need_unknown_ones(loaded)
    for token in reversed(lex(text.data).tokens):
        name = text.decode(token.text)
        if line_start <= token.start <= offset and not token.in_definition and name in needed:
            message = f"unknown name `{needed[name]}`"
            return next((n for n, f in enumerate(loaded.findings) if f.message == message), None)
    return None


def _names_that_need_unknown_ones(loaded: LoadedScript) -> dict[str, str]:
    """Map the unknown names, and definitions that call them, to an unknown name."""
    needed = {name: name for name in loaded.unknown_names}
    for text in loaded.script_texts if needed else ():
        defined = ""
        for token in lex(text.data).tokens:
            name = text.decode(token.text)
            if token.kind == NAME:
                defined = name
            elif token.kind == WORD and token.in_definition and name in needed:
                needed.setdefault(defined, needed[name])
    return needed


def _describe_line(loaded: LoadedScript, location: Location | None, cause_index: int) -> str:
    """Describe the line of a consequence; add the file if the cause is in another file."""
    cause = loaded.findings[cause_index].location
    if location is None or (cause is not None and cause.file == location.file):
        return f"line {location.line}" if location is not None else "the text after it"
    return f"{location.file}:{location.line}"


def _later_uses(loaded: LoadedScript, name: str, location: Location | None) -> Iterator[str]:
    """Yield the lines after `location` that use an unknown name, up to its definition."""
    text = text_of(loaded, location)
    if text is None or location is None:
        return
    offset = _offset(text, location)
    for token in loaded.tokens_of(text).tokens:
        if token.start <= offset or text.decode(token.text) != name:
            continue
        if token.kind == NAME:
            break
        if token.kind == WORD:
            yield f"line {line_number(text.data, token.start)}"


def _cause_before(loaded: LoadedScript, location: Location | None) -> int | None:
    """Return the index of the last cause; if there is none, of a damaged part before a location."""
    if loaded.cause_index >= 0:
        return loaded.cause_index
    for index in reversed(loaded.parts_left_out):
        part = loaded.findings[index].location
        if part is None or location is None:
            continue
        if part.file != location.file or part.line <= location.line:
            return index
    return None


def _is_before_cause(loaded: LoadedScript, location: Location | None) -> bool:
    """Whether an earlier attempt got past a location: the name was known before a repair."""
    if loaded.cause_index < 0:
        return False
    cause = loaded.findings[loaded.cause_index].location
    if cause is None or location is None or cause.file != location.file:
        return False
    return (location.line, location.column) < (cause.line, cause.column)


def _is_out_of_sync(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Whether the name that the interpreter reports as unknown is no word of the text.

    An error in a section leaves the search order of the section, in which `:` and `(` are unknown.
    Then the interpreter reads comments and numbers as names.
    """
    text = text_of(loaded, location)
    if text is None or location is None:
        return False
    lexed = loaded.tokens_of(text)
    index = lexed.index_by_offset.get(_offset(text, location))
    return index is None or lexed.tokens[index].kind != WORD or NUMBER.match(name) is not None


def _is_defined_before(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Whether the original texts define a name, so that a repair has removed the definition."""
    own_text = text_of(loaded, location)
    for text in loaded.script_texts:
        before = len(text.data)
        if text is own_text and location is not None:
            before = _offset(text, location)
        for token in lex(text.data).tokens:
            if token.kind == NAME and token.start < before and text.decode(token.text) == name:
                return True
    return False


def _interpreted_location(error: ForthVMError, loaded: LoadedScript) -> Location | None:
    """Return the location of the interpreted token that led to an error."""
    for frame in error.trace:
        if frame.word is None and text_of(loaded, frame.location) is not None:
            return frame.location
    return None


def _hints(name: str, loaded: LoadedScript) -> list[str]:
    similar = suggest(name, loaded.vm.native.words())
    return [hint for hint in (advice(name), similar) if hint]


def _message(loaded: LoadedScript, error: ForthVMError, location: Location | None) -> str:
    """Return the message of an error, with the word of the script for one that only it calls.

    For example, `{piece}` calls `<BUILDS`, which reads the name.
    """
    message = error.short_message()
    text = text_of(loaded, location)
    inner = error.detail if isinstance(error, EndOfSource) else error.word
    if text is None or location is None or not inner:
        return message
    lexed = loaded.tokens_of(text)
    index = lexed.index_by_offset.get(_reader_offset(text.data, _offset(text, location)))
    if index is None or any(inner in loaded.words_of(one) for one in loaded.script_texts):
        return message
    return message.replace(f"`{inner}`", f"`{text.decode(lexed.tokens[index].text)}`")


def _script_location(error: ForthVMError, loaded: LoadedScript) -> Location | None:
    """Return the innermost location of an error that is in the script, not in the library."""
    for location in (error.location, *(frame.location for frame in error.trace)):
        if location is not None and any(text.name == location.file for text in loaded.script_texts):
            return location
    return error.location


def text_of(loaded: LoadedScript, location: Location | None) -> Text | None:
    """Return the text of the script that contains a location."""
    file = location.file if location is not None else None
    return next((text for text in loaded.script_texts if text.name == file), None)


def _offset(text: Text, location: Location) -> int:
    """Return the offset of a location in its text, in bytes."""
    lines = text.data.split(b"\n")
    before = sum(len(line) + 1 for line in lines[: location.line - 1])
    return before + len(location.text[: location.column - 1].encode(text.encoding, "replace"))


def _blank_out_failure(loaded: LoadedScript, location: Location) -> bool:
    """Replace a failing token, or the section that it opens, by blanks.

    Returns:
        False if no new repair is possible.
    """
    text = text_of(loaded, location)
    if text is None:
        return False
    offset = _offset(text, location)
    token = location.text[location.column - 1 :][: location.length]
    length = len(token.encode(text.encoding, "replace"))
    if not text.data[offset : offset + length].strip():
        return False
    start = _reader_offset(text.data, offset)
    end = max(_section_end(text.data, offset, offset + length), _argument_end(text.data, offset))
    return loaded.record_repair(text, blank_out(text.data, start, end))


def _section_end(data: bytes, start: int, end: int) -> int:
    """Return the end of the section that a token opens; `end` if the token opens no section.

    The other words of a section need data that its first word creates.
    """
    opener = data[start:end]
    if not opener.startswith(b"{") or opener.endswith(b"}"):
        return end
    for token in lex(data).tokens:
        if token.start > start and token.kind == WORD:
            if token.text == opener[1:] + b"}":
                return token.end
            if token.text.startswith(b"{") and not token.text.endswith(b"}"):
                break
    return end


def _argument_end(data: bytes, offset: int) -> int:
    """Return the end of the file name or new name that a word reads; 0 if it reads no name."""
    lexed = lex(data)
    after = lexed.tokens[lexed.index_by_offset.get(offset, 0) + 1 :][:1]
    return after[0].end if after and after[0].kind in (FILE, NAME) else 0


def _reader_offset(data: bytes, offset: int) -> int:
    """Return the offset of the word that reads the token at `offset`; else `offset`."""
    lexed = lex(data)
    index = lexed.index_by_offset.get(offset, 0)
    token, before = lexed.tokens[index], lexed.tokens[max(index - 1, 0)]
    is_section_item = before.text.startswith(b"{") and before.text.endswith(b"}")
    reads = token.kind in (FILE, NAME) or before.text in QUOTING or is_section_item
    return before.start if reads and token.start == offset else offset

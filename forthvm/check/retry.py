"""Prepares another attempt to load a script after an error.

The next attempt loads the script with the unknown name defined as an empty word (a placeholder), or
with the failing text repaired or replaced by blanks.
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
from forthvm.core.loading.source import line_number

from .damage import (
    blank_out_comment,
    blank_out_prose,
    hints_for,
    join_broken_word,
    leave_out_bracket,
    leave_out_definition,
    leave_out_glued_item,
    leave_out_item,
    load_file,
    offset_of,
    text_of,
)
from .finding import Finding
from .links import leave_out_links, links_that_read
from .loaded_script import NUMBER
from .text.lexer import FILE, NAME, WORD, definitions, lex
from .text.missing import missing_blank
from .text.repairs import blank_out, insert_blank, split_glued_name
from .text.strays import CLOSERS, OPENERS
from .text.words import QUOTING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.location import Location

    from .loaded_script import LoadedScript

__all__ = ["prepare_retry"]

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
    elif (cause_at := _cause_of_error(loaded, location)) is not None and not file_unreadable:
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
    repairs = (leave_out_bracket, join_broken_word, load_file, leave_out_definition)
    if any(repair(loaded, location) for repair in repairs):
        return True
    cause_at = _cause_before(loaded, location)
    if loaded.findings and _is_out_of_sync(loaded, name, location):
        return False
    is_repaired = (
        blank_out_comment(loaded, name, location)
        or leave_out_glued_item(loaded, name, location)
        or leave_out_item(loaded, name, location)
        or _record_unknown(loaded, name, location, cause_at)
        or leave_out_links(loaded, location)
        or blank_out_prose(loaded, location)
    )
    if not is_repaired:
        loaded.unknown_names.append(name)
    return True


def _record_unknown(
    loaded: LoadedScript, name: str, location: Location | None, cause_at: int | None
) -> bool:
    """Record an unknown name; return whether the text is repaired, so that it is not looked up."""
    if parts := split_glued_name(name, loaded.is_known, loaded.built_in_names):
        return _insert_blank(loaded, name, parts, location)
    if cause_at is not None and (
        loaded.names_may_be_missing
        or _is_before_cause(loaded, location)
        or _is_defined_before(loaded, name, location)
    ):
        loaded.add_consequence(f"`{name}`", cause_at)
    elif loaded.parts_without_name:
        loaded.add_consequence(f"`{name}`", loaded.parts_without_name.pop(0))
    else:
        later_uses = tuple(_later_uses(loaded, name, location))
        advice = tuple(hints_for(name, loaded, location))
        finding = Finding("E101", f"unknown name `{name}`", location, "", advice, later_uses)
        loaded.findings.append(finding)
    return False


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
        repair = insert_blank(text.data, offset_of(text, location), token, tuple(encoded))
    if text is None or repair is None:
        loaded.note_cause(finding)
        loaded.names_may_be_missing |= any(brace in name for brace in "{}")
        return False
    if parts[0] == ":":
        loaded.emptied_definitions.add(parts[1])
        loaded.note_cause(finding)
    elif not loaded.is_recorded(finding):  # the definition may lack its `;`, too
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
    offset = offset_of(text, location)
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
    offset = offset_of(text, location)
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


def _cause_of_error(loaded: LoadedScript, location: Location | None) -> int | None:
    """Return the index of the finding that probably led to an error.

    An error in a section may be a consequence of an earlier one in the section.
    """
    text = text_of(loaded, location)
    if text is not None and location is not None:
        offset = offset_of(text, location)
        start, end = _section_around(loaded.data_of(text), offset, offset + location.length)
        for index, finding in enumerate(loaded.findings):
            place = finding.location
            is_here = place is not None and place.file == location.file
            if place is not None and is_here and start <= offset_of(text, place) < end:
                return index
    return _cause_before(loaded, location)


def _section_around(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return the section that a token opens, or its section up to the token."""
    opener = start
    for token in lex(data).tokens:
        if token.start >= start:
            break
        if token.kind == WORD and token.text in OPENERS:
            opener = token.start
        elif token.kind == WORD and token.text in CLOSERS:
            opener = start
    return opener, max(end, _section_end(data, start, end))


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
    index = lexed.index_by_offset.get(offset_of(text, location))
    if index is None or lexed.tokens[index].kind != WORD:
        return True
    return NUMBER.match(name) is not None and not links_that_read(lexed.tokens, index)


def _is_defined_before(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Whether the original texts define a name, so that a repair has removed the definition."""
    own_text = text_of(loaded, location)
    for text in loaded.script_texts:
        before = len(text.data)
        if text is own_text and location is not None:
            before = offset_of(text, location)
        for token in definitions(lex(text.data).tokens):
            if token.start < before and text.decode(token.text) == name:
                return True
    return False


def _interpreted_location(error: ForthVMError, loaded: LoadedScript) -> Location | None:
    """Return the location of the interpreted token that led to an error."""
    for frame in error.trace:
        if frame.word is None and text_of(loaded, frame.location) is not None:
            return frame.location
    return None


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
    index = lexed.index_by_offset.get(
        _reader_offset(loaded.data_of(text), offset_of(text, location))
    )
    if index is None or any(inner in loaded.words_of(one) for one in loaded.script_texts):
        return message
    return message.replace(f"`{inner}`", f"`{text.decode(lexed.tokens[index].text)}`")


def _script_location(error: ForthVMError, loaded: LoadedScript) -> Location | None:
    """Return the innermost location of an error that is in the script, not in the library."""
    for location in (error.location, *(frame.location for frame in error.trace)):
        if location is not None and any(text.name == location.file for text in loaded.script_texts):
            return location
    return error.location


def _blank_out_failure(loaded: LoadedScript, location: Location) -> bool:
    """Replace a failing token, or the section that it opens, by blanks.

    Returns:
        False if no new repair is possible.
    """
    text = text_of(loaded, location)
    if text is None:
        return False
    offset = offset_of(text, location)
    token = location.text[location.column - 1 :][: location.length]
    length = len(token.encode(text.encoding, "replace"))
    if not text.data[offset : offset + length].strip():
        return False
    data = loaded.data_of(text)
    start = _reader_offset(data, offset)
    end = max(_section_end(data, offset, offset + length), _argument_end(data, offset))
    return loaded.record_repair(text, blank_out(text.data, start, end))


def _section_end(data: bytes, start: int, end: int) -> int:
    """Return the end of the section that a token opens; `end` if the token opens no section.

    The other words of a section need data that its first word creates.
    """
    opener = data[start:end]
    if opener not in OPENERS:
        return end
    for token in lex(data).tokens:
        if token.start > start and token.kind == WORD:
            if token.text == opener[1:] + b"}":
                return token.end
            if token.text in OPENERS:
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

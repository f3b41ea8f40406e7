"""Recognises damage at an unknown name, and repairs it for the next attempt to load a script.

Each function records a finding and a repair, and returns False if the name is not damage of its
kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors.report import similar_names, suggestion_of

from .finding import Finding
from .loaded_script import MANY_UNKNOWN, NUMBER
from .similar import similar_in_script
from .text.lexer import FILE, NAME, WORD
from .text.missing import missing_blank
from .text.repairs import Repair, blank_out, empty_definition, split_glued_name
from .text.strays import bracket_fault, broken_word, is_broken
from .text.unknown import advice
from .text.words import DEFINERS, QUOTING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.loading.source import Text
    from forthvm.core.location import Location

    from .loaded_script import LoadedScript
    from .text.lexer import Token

__all__ = [
    "blank_out_comment",
    "blank_out_prose",
    "hints_for",
    "join_broken_word",
    "leave_out_bracket",
    "leave_out_definition",
    "leave_out_glued_item",
    "leave_out_item",
    "load_file",
    "offset_of",
    "text_of",
]

_DEFINERS = frozenset(word.decode() for word in DEFINERS)


def leave_out_bracket(loaded: LoadedScript, location: Location | None) -> bool:
    """Leave out a `]` in a definition that ran, if the new name after `:` was looked up."""
    text = text_of(loaded, location)
    if text is None or location is None:
        return False
    lexed = loaded.tokens_of(text)
    index = lexed.index_by_offset.get(offset_of(text, location))
    if index is None or lexed.tokens[index].kind not in (NAME, FILE):
        return False
    texts = loaded.script_texts
    for other in [text, *(other for other in reversed(texts) if other is not text)]:
        tokens = loaded.tokens_of(other).tokens
        end = index if other is text else len(tokens)
        for n in range(end - 1, -1, -1):
            if tokens[n].text == b"]" and tokens[n].kind == WORD and _is_stray(tokens, n):
                return loaded.leave_out(other, bracket_fault(other.data, tokens[n]))
    return False


def _is_stray(tokens: Sequence[Token], index: int) -> bool:
    """Whether no `[` stands before a `]` in the same definition."""
    for token in reversed(tokens[:index]):
        if token.text == b"[":
            return False
        if token.kind == NAME or not token.in_definition:
            break
    return tokens[index - 1].text not in QUOTING


def join_broken_word(loaded: LoadedScript, location: Location | None) -> bool:
    """Join an unknown name to the word beside it if a line end has broken a known name."""
    text = text_of(loaded, location)
    if text is None or location is None:
        return False
    lexed = loaded.tokens_of(text)
    index = lexed.index_by_offset.get(offset_of(text, location))
    if index is None:
        return False
    for first in (index, index - 1):
        pair = lexed.tokens[first : first + 2] if first >= 0 else ()
        if len(pair) == 2 and is_broken(text.data, *pair):
            name = text.decode(pair[0].text + pair[1].text)
            if loaded.is_known(name) and not NUMBER.match(name):
                return loaded.leave_out(text, broken_word(text.data, *pair))
    return False


def load_file(loaded: LoadedScript, location: Location | None) -> bool:
    """Load the file that an unknown name is, or before which an unknown name is for `LOAD`."""
    text = text_of(loaded, location)
    if text is None or location is None:
        return False
    lexed = loaded.tokens_of(text)
    index = lexed.index_by_offset.get(offset_of(text, location))
    if index is None or lexed.tokens[index].in_definition:
        return False
    token, *after = lexed.tokens[index : index + 2]
    data = loaded.data_of(text)
    if after and b"\n" in data[token.end : after[0].start]:
        after = []
    file = after[0] if after and not _is_file_name(token) else token
    if not _is_file_name(file):
        return False
    start, end = token.start, file.end
    if file is token and after and after[0].text == b"LOAD":
        end = after[0].end
    while start and data[start - 1 : start] in (b" ", b"\t"):
        start -= 1
    while data[end : end + 1] in (b" ", b"\t"):
        end += 1
    load = b"LOAD " + file.text
    start += data[max(start - 1, 0) : start].strip() != b""  # a blank remains after a word
    end -= data[end : end + 1].strip() != b""
    name = text.decode(token.text)
    hint = f"write `LOAD {text.decode(file.text)}`"
    finding = Finding("E101", f"unknown name `{name}`", location, hints=(hint,))
    if len(load) <= end - start:
        loaded.findings.append(finding)
        return loaded.record_repair(text, Repair(start, load + b" " * (end - start - len(load))))
    loaded.note_cause(finding)
    loaded.names_may_be_missing = True
    return loaded.record_repair(text, blank_out(data, token.start, file.end))


def _is_file_name(token: Token) -> bool:
    return token.kind == WORD and token.text.lower().endswith(b".4th")


def leave_out_definition(loaded: LoadedScript, location: Location | None) -> bool:
    """Leave out a definition that continues with the next one, whose `:` and name are damaged.

    The next one begins with an unknown name and a stack comment.
    """
    text = text_of(loaded, location)
    if text is None or location is None:
        return False
    lexed = loaded.tokens_of(text)
    index = lexed.index_by_offset.get(offset_of(text, location))
    if index is None or index + 1 >= len(lexed.tokens) or not lexed.tokens[index].in_definition:
        return False
    token, comment = lexed.tokens[index : index + 2]
    if comment.opener != b"(" or b"--" not in comment.text or token.kind != WORD:
        return False
    start = next((n for n in range(index, 0, -1) if lexed.tokens[n].kind == NAME), 0)
    end = next((t.end for t in lexed.tokens[index:] if t.text == b";" and t.kind == WORD), 0)
    if not start or not end:
        return False
    name, previous = text.decode(token.text), text.decode(lexed.tokens[start].text)
    repair = empty_definition(
        loaded.data_of(text), lexed.tokens[start - 1].start, end, lexed.tokens[start].text
    )
    if not loaded.record_repair(text, repair):
        return False
    hint = f"end the definition of `{previous}` with `;`, and write `:` before the next name"
    finding = Finding("E101", f"unknown name `{name}`", location, "", (hint,))
    loaded.parts_without_name.append(len(loaded.findings))
    loaded.emptied_definitions.add(previous)
    loaded.findings.append(finding)
    return True


def leave_out_item(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Leave out a definition whose first word is unknown, such as `{piec} pawn`.

    The numbers before the word, and the name after it, are left out, too.
    """
    text = text_of(loaded, location)
    if text is None or location is None:
        return False
    lexed = loaded.tokens_of(text)
    index = lexed.index_by_offset.get(offset_of(text, location))
    if index is None or lexed.tokens[index].in_definition:
        return False
    token, *after = lexed.tokens[index : index + 2]
    start = _first_number(loaded, text, index)
    if not similar_names(name, sorted(_DEFINERS)) or not after:
        return False
    hints = tuple(hints_for(name, loaded, location))
    finding = Finding("E101", f"unknown name `{name}`", location, "", hints)
    new_name = text.decode(after[0].text)
    is_glued = split_glued_name(name, loaded.is_known, loaded.built_in_names)
    if b"\n" in text.data[token.end : after[0].start] and not is_glued:  # the name is missing
        loaded.parts_without_name.append(len(loaded.findings))
        return _leave_out(loaded, text, finding, blank_out(text.data, start, token.end))
    if after[0].kind != WORD or loaded.is_known(new_name):
        return False
    return _leave_out(loaded, text, finding, blank_out(text.data, start, after[0].end), new_name)


def leave_out_glued_item(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Leave out a definition whose first word lacks the blank after it, such as `CONSTANTtwo`."""
    text = text_of(loaded, location)
    if text is None or location is None:
        return False
    index = loaded.tokens_of(text).index_by_offset.get(offset_of(text, location))
    definer, glued = _split_definer(loaded, name)
    if index is None or not definer or loaded.tokens_of(text).tokens[index].in_definition:
        return False
    start, end = _first_number(loaded, text, index), loaded.tokens_of(text).tokens[index].end
    finding = missing_blank(name, (definer, glued), location)
    return _leave_out(loaded, text, finding, blank_out(text.data, start, end), glued)


def _first_number(loaded: LoadedScript, text: Text, index: int) -> int:
    """Return the offset of the first of the numbers before a token, in its line."""
    tokens = loaded.tokens_of(text).tokens
    line_start = text.data.rfind(b"\n", 0, tokens[index].start) + 1
    while index and tokens[index - 1].start >= line_start:
        if not NUMBER.match(text.decode(tokens[index - 1].text)):
            break
        index -= 1
    return tokens[index].start


def _split_definer(loaded: LoadedScript, name: str) -> tuple[str, str]:
    """Split a name into a defining word and a name that the script uses; empty if it is neither."""
    for definer in sorted(_DEFINERS):
        if "{" in definer or not name.startswith(definer):
            continue
        rest = name.removeprefix(definer)
        if rest and not loaded.is_known(rest) and _uses(loaded, rest):
            return definer, rest
    return "", ""


def _uses(loaded: LoadedScript, name: str) -> bool:
    """Return whether a text of the script contains a word."""
    return any(name in loaded.words_of(text) for text in loaded.script_texts)


def _leave_out(
    loaded: LoadedScript, text: Text, finding: Finding, repair: Repair, defined: str = ""
) -> bool:
    """Record the finding about a part of a text, its repair, and the name that it defines."""
    if defined:
        loaded.part_names.setdefault(defined, len(loaded.findings))
    loaded.parts_left_out.append(len(loaded.findings))
    loaded.findings.append(finding)
    return loaded.record_repair(text, repair)


def blank_out_comment(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Record a comment such as `(n -- n )`, which lacks a blank; replace it by blanks."""
    text = text_of(loaded, location)
    if len(name) < 2 or name[0] != "(" or text is None or location is None:  # "(n"
        return False
    start = offset_of(text, location)
    line = text.data[start:].split(b"\n", 1)[0]
    end = line.find(b" )")
    if end < 0 or b"(" in line[1:end]:
        return False
    loaded.findings.append(missing_blank(name, ("(", name[1:]), location))
    return loaded.record_repair(text, blank_out(text.data, start, start + end + 2))


def blank_out_prose(loaded: LoadedScript, location: Location | None) -> bool:
    """Replace an interpreted line with many unknown names by blanks, from the first of them on."""
    text = text_of(loaded, location)
    if text is None or location is None:
        return False
    unknown = loaded.unknown_in_line(location)
    start = offset_of(text, location)
    lexed = loaded.tokens_of(text)
    index = lexed.index_by_offset.get(start)
    if len(unknown) < MANY_UNKNOWN or index is None or lexed.tokens[index].in_definition:
        return False
    first = unknown[0].location or location
    end = text.data.find(b"\n", start)
    end = end if end >= 0 else len(text.data)
    for word in text.decode(text.data[start:end]).split():  # the line may define it
        loaded.part_names.setdefault(word, loaded.findings.index(unknown[0]))
    return loaded.record_repair(text, blank_out(text.data, offset_of(text, first), end))


def hints_for(name: str, loaded: LoadedScript, location: Location | None) -> list[str]:
    """Return advice about an unknown name, and similar names."""
    text = text_of(loaded, location)
    tokens: Sequence[Token] = ()
    if text is not None and location is not None:
        lexed = loaded.tokens_of(text)
        index = lexed.index_by_offset.get(offset_of(text, location), -1)
        tokens = lexed.tokens[: index + 1]
    similar = suggestion_of(similar_in_script(loaded, name, tokens))
    return [hint for hint in (advice(name), similar) if hint]


def text_of(loaded: LoadedScript, location: Location | None) -> Text | None:
    """Return the text of the script that contains a location."""
    file = location.file if location is not None else None
    return next((text for text in loaded.script_texts if text.name == file), None)


def offset_of(text: Text, location: Location) -> int:
    """Return the offset of a location in its text, in bytes."""
    lines = text.data.split(b"\n")
    before = sum(len(line) + 1 for line in lines[: location.line - 1])
    return before + len(location.text[: location.column - 1].encode(text.encoding, "replace"))

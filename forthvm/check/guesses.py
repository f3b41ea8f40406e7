"""Guesses at the cause of an error of loading, the most specific first.

A guess is a finding with a repair of the text.  Loading tries them: the one that gets furthest past
the error is right.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from forthvm.core.errors import BudgetExceeded, EndOfSource, ScriptFileError, UndefinedWord
from forthvm.core.errors.report import similar_names, suggestion_of
from forthvm.syntax.tokens import STRINGS

from .finding import Finding
from .loaded_script import NUMBER, Guess
from .similar import similar_in_script
from .text.damage import CLOSERS, OPENERS, READ_BY_ITEMS, doubled, is_doubled, joined, suspects
from .text.lexer import DEFINERS, FILE, NAME, QUOTING, WORD, definitions, lex, line_end
from .text.repair import Repair
from .text.unknown import advice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.core.errors import ForthVMError
    from forthvm.core.location import Location

    from .loaded_script import LoadedScript
    from .text.lexer import Token
    from .text.repair import RepairedText, Suspect

__all__ = ["guesses", "interpreted_location"]

_MANY_UNKNOWN = 3
"""The number of unknown names in a line from which on the line is probably a comment."""
_MAX_SUSPECTS = 12
_SQUARE = re.compile(r"[a-z]\d{1,2}$")
_GLUED_TO_BRACES = (
    re.compile(r"(\{[^{}\s]+\}|\{[a-z-]+(?=\{)|[a-z-]+\})(.+)$"),
    re.compile(r"(.+?)(\{[^{}\s]+\}?)$"),
)
_DEFINERS = sorted(word.decode() for word in DEFINERS)
_MIN_GLUED_LENGTH = 4  # the minimum length of two built-in words for which a blank may be missing


def guesses(loaded: LoadedScript, error: ForthVMError) -> list[Guess]:
    """Return the guesses at the cause of an error; none if loading cannot go on."""
    location = _script_location(loaded, error)
    if isinstance(error, BudgetExceeded):
        message = f"loading was stopped here: {error.short_message()}"
        loaded.findings.append(Finding("W103", message, location, error.word or "", error.hints))
        return []
    text = loaded.text_of(location)
    if text is None or location is None:
        if not isinstance(error, UndefinedWord):
            loaded.findings.append(_failure_finding(loaded, error, location))
        return []
    place = _Place(loaded, text, location)
    found: Iterable[Guess]
    if isinstance(error, UndefinedWord):
        found = place.unknown(error.detail)
    else:
        found = place.failure(error)
    return list(found)


def interpreted_location(loaded: LoadedScript, error: ForthVMError) -> Location | None:
    """Return the location of the interpreted token that led to an error."""
    for frame in error.trace:
        if frame.word is None and loaded.text_of(frame.location) is not None:
            return frame.location
    return _script_location(loaded, error)


def _script_location(loaded: LoadedScript, error: ForthVMError) -> Location | None:
    """Return the innermost location of an error that is in the script, not in the library."""
    for location in (error.location, *(frame.location for frame in error.trace)):
        if loaded.text_of(location) is not None:
            return location
    return error.location


def _guess(text: RepairedText, suspect: Suspect) -> Guess:
    """Return the guess that a suspect place of a text is damaged."""
    location, word = text.locate(suspect.at), text.decode(suspect.word)
    finding = Finding(suspect.code, suspect.message, location, word, (suspect.hint,))
    return Guess(finding, text, suspect.repair)


class _Place:
    """The token of a text at which an error occurred."""

    def __init__(self, loaded: LoadedScript, text: RepairedText, location: Location) -> None:
        self._loaded = loaded
        self._text = text
        self._location = location
        self._data = text.data
        lexed = lex(text.data)
        self._tokens = lexed.tokens
        self._offset = text.offset_of(location)
        self._index = lexed.index_by_offset.get(self._offset, -1)

    def _suspects(self) -> Iterator[Guess]:
        """Yield the repairs of damaged places, those of this text that are nearest first."""
        texts = sorted(self._loaded.script_texts[::-1], key=lambda text: text is not self._text)
        nearest = ((text, one) for text in texts for one in self._nearest_suspects(text))
        for text, suspect in islice(nearest, _MAX_SUSPECTS):
            offsets = (suspect.at, suspect.repair.start)
            first, last = (text.locate(offset).line for offset in offsets)
            places = [one.location for one in self._loaded.findings if one.code != "E101"]
            in_file = [one.line for one in places if one is not None and one.file == text.name]
            if not any(first <= line <= last for line in in_file):
                yield _guess(text, suspect)

    def _nearest_suspects(self, text: RepairedText) -> list[Suspect]:
        """Return the suspects of a text, in the text of the error the nearest first."""
        found = suspects(text.data, main=not text.load_position)
        return sorted(found, key=lambda one: abs(min(one.at, one.repair.start) - self._offset))

    # --- unknown names ---------------------------------------------------------------

    def unknown(self, name: str) -> Iterator[Guess]:
        """Yield the guesses at an unknown name."""
        loaded = self._loaded
        if name in loaded.unknown_names or name in loaded.built_in_names:
            return  # the script has damaged the memory
        consequence = self._consequence(name)
        if consequence is not None:
            yield consequence
            return
        in_text = self._index >= 0 and self._tokens[self._index].kind == WORD
        if in_text:
            yield from self._broken(name)
        for guess in self._suspects():
            yield guess._replace(rank=1)
            repair = guess.repair
            may_explain = repair and (repair.nameless or name.encode() in repair.names)
            if may_explain and guess.finding is not None:
                finding = replace(guess.finding, consequences=(f"`{name}`",))
                yield guess._replace(finding=finding, placeholders=(name,), rank=1)
        if not in_text:
            return  # an error in a section has left its search order: comments are read as names
        if loaded.nameless or loaded.hiding >= 0:
            cause = loaded.nameless[0] if loaded.nameless else loaded.hiding
            yield Guess(placeholders=(name,), cause=cause, consequences=(f"`{name}`",), rank=1)
            if loaded.hiding >= 0:
                return
        for guess in (*self._next_definition(name), *self._misspelt(name)):
            yield guess._replace(rank=1)

    def _consequence(self, name: str) -> Guess | None:
        """Return the guess that an earlier finding explains the name; None if none does."""
        loaded = self._loaded
        cause = loaded.hidden_names.get(name)
        if cause is not None:
            used = loaded.words()
            names = [
                other
                for other, index in loaded.hidden_names.items()
                if index == cause and other in used and not loaded.is_known(other)
            ]
            shown = tuple(f"`{other}`" for other in names)
            if loaded.findings[cause].message.startswith(f"unknown name `{name}`"):
                shown = ()  # its later uses are consequences already
            return Guess(placeholders=(*names,), cause=cause, consequences=shown)
        if _SQUARE.match(name) and loaded.findings and not loaded.is_known("a1"):
            words = filter(_SQUARE.match, loaded.words())
            squares = sorted(word for word in words if not loaded.is_known(word))
            cause = loaded.hidden_names.get("board}", len(loaded.findings) - 1)
            shown = ("the squares of the board",)
            return Guess(placeholders=(*squares,), cause=cause, consequences=shown)
        return None

    def _broken(self, name: str) -> Iterator[Guess]:
        """Yield the guesses that a blank is missing in the name, or is one too many."""
        loaded, text, token = self._loaded, self._text, self._tokens[self._index]
        before = self._tokens[max(self._index - 1, 0)]
        if before is not token and is_doubled(self._data, before, token):
            yield _guess(text, doubled(token))
        for first in dict.fromkeys([self._index, max(self._index - 1, 0)]):
            for one, other in pairwise(self._tokens[first : first + 2]):
                whole = text.decode(one.text + other.text)
                if loaded.is_known(whole) and not NUMBER.match(whole):
                    yield from (_guess(text, found) for found in joined(self._data, one, other))
        for parts in self._split(name):
            message = f"a blank is missing in `{name}`: it is read as one name"
            hint = f"write `{' '.join(parts)}`"
            finding = Finding("E105", message, self._location, hints=(hint,))
            new = " ".join(parts).encode(text.encoding, "replace")
            repair = Repair(token.start, token.end, new)
            if parts[1:] == (";",) and not loaded.is_known(parts[0]):
                repair = repair._replace(opaque=self._definition())
                yield Guess(finding, text, repair, placeholders=parts[:1])
            else:
                yield Guess(finding, text, repair)
        yield from self._load(name)

    def _split(self, name: str) -> Iterator[tuple[str, ...]]:
        """Yield the words of which a name may consist.

        Names are split at `;`, `:`, `(` and the braces of section words (`jump;`, `:jump`,
        `{move}jump`, `a1{setup}`), after a defining word (`CONSTANTtwo`) or LOAD, before `."`, and
        between two built-in words (`empty?verify`).
        """
        loaded = self._loaded
        line = self._data[self._offset : line_end(self._data, self._offset)]
        if self._definition() and ";" in name:
            yield tuple(part for part in re.split(r"(;)(:)?", name) if part)
        for first in ":(":
            if name.startswith(first) and len(name) > 1 and (first == ":" or b" )" in line):
                yield first, name[1:]
        for pattern in _GLUED_TO_BRACES:
            parts = match.groups() if (match := pattern.match(name)) else ()
            if any("{" in part[:1] or "}" in part[-1:] for part in filter(loaded.is_known, parts)):
                yield parts
        for at in range(1, len(name)):
            if self._are_words(name[:at], name[at:]):
                yield name[:at], name[at:]

    def _are_words(self, first: str, rest: str) -> bool:
        """Whether a blank may be missing between two words."""
        loaded = self._loaded
        if first == "LOAD":
            return rest.lower().endswith(".4th")
        if rest in STRINGS:
            return loaded.is_known(first)
        if first.encode() in DEFINERS:
            return rest in loaded.words() and not loaded.is_known(rest)
        is_long = min(len(first), len(rest)) >= _MIN_GLUED_LENGTH
        return is_long and first in loaded.built_in_names and rest in loaded.built_in_names

    def _load(self, name: str) -> Iterator[Guess]:
        """Yield the guess that LOAD is missing before a file name, stands after it, or is wrong."""
        token, *after = self._tokens[self._index : self._index + 2]
        on_line = after and b"\n" not in self._data[token.end : after[0].start]
        file, end = token, token.end
        if on_line and (after[0].text == b"LOAD" or _is_file_name(after[0])):
            file, end = token if _is_file_name(token) else after[0], after[0].end
        if _is_file_name(file) and not token.in_definition:
            load = b"LOAD " + file.text
            hint = f"write `{self._text.decode(load)}`"
            finding = Finding("E101", f"unknown name `{name}`", self._location, hints=(hint,))
            yield Guess(finding, self._text, Repair(token.start, end, load))

    def _next_definition(self, name: str) -> Iterator[Guess]:
        """Yield the guess that the end of a definition is missing, and the `:` of the next one.

        The next one begins with an unknown name and a stack comment.
        """
        token, *after = self._tokens[self._index : self._index + 2]
        previous = self._definition()
        if after and previous and after[0].opener == b"(" and b"--" in after[0].text:
            shown = self._text.decode(previous)
            hint = f"end the definition of `{shown}` with `;`, and write `:` before the next name"
            finding = Finding("E101", f"unknown name `{name}`", self._location, hints=(hint,))
            repair = Repair(token.start, token.start, b"; : ", previous, nameless=True)
            yield Guess(finding, self._text, repair)

    def _definition(self) -> bytes:
        """Return the name of the definition that contains the token; empty outside of one."""
        if not self._tokens[self._index].in_definition:
            return b""
        names = (token for token in self._tokens[self._index :: -1] if token.kind == NAME)
        return next(names).text

    def _misspelt(self, name: str) -> Iterator[Guess]:
        """Yield the guesses that a name is misspelt, is part of a comment, or is not defined."""
        token, text = self._tokens[self._index], self._text
        similar = similar_in_script(self._loaded, name, self._tokens[: self._index + 1])
        hints = tuple(hint for hint in (advice(name), suggestion_of(similar)) if hint)
        later = tuple(self._later_uses(token.text))
        finding = Finding("E101", f"unknown name `{name}`", self._location, "", hints, later)
        unknown = self._unknown_in_line()
        if len(unknown) >= _MANY_UNKNOWN and not token.in_definition and not advice(name):
            merged = replace(
                finding,
                message=f"{finding.message}, and {len(unknown) - 1} more in this line",
                hints=("if the line is a comment, write `\\` and a blank before it",),
                consequences=tuple(f"`{other}`" for other in unknown if other != name),
            )
            yield Guess(merged, text, Repair(token.start, line_end(self._data, token.start)))
        others = [*similar, *self._closer(name), *(sorted(STRINGS) if '"' in name else ())]
        edits = [
            Repair(token.start, token.end, other.encode(text.encoding, "replace"))
            for other in others
            if not self._is_defined(token.text)
        ]
        if similar_names(name, _DEFINERS) and not token.in_definition:
            yield from (Guess(finding, text, edit) for edit in edits if edit.new in DEFINERS)
            yield Guess(finding, text, self._without_item())
        yield Guess(finding, placeholders=(name,))
        yield from (Guess(finding, text, edit) for edit in edits)
        before = self._tokens[max(self._index - 3, 0) : self._index]
        for distance, reader in enumerate(reversed(before), 1):
            count = READ_BY_ITEMS.get(reader.text, 0)
            if count >= distance:  # the item reads the name
                last = min(self._index - distance + count, len(self._tokens) - 1)
                yield Guess(finding, text, Repair(reader.start, self._tokens[last].end))

    def _closer(self, name: str) -> list[str]:
        """Return the end of the section that contains the token, if a name is similar to it."""
        start, _ = self._section()
        opener = self._tokens[lex(self._data).index_by_offset.get(start, self._index)]
        return similar_names(name, [f"{OPENERS[opener.text]}}}"] if opener.text in OPENERS else [])

    def _without_item(self) -> Repair:
        """Return the repair that leaves out a misspelt defining word, with numbers and name."""
        start = self._index
        token, *after = self._tokens[start : start + 2]
        while start and NUMBER.match(self._text.decode(self._tokens[start - 1].text)):
            start -= 1
        is_named = after and b"\n" not in self._data[token.end : after[0].start]
        end = after[0].end if is_named else token.end
        return Repair(self._tokens[start].start, end, nameless=not is_named)

    def _unknown_in_line(self) -> list[str]:
        """Return the unknown names from the token to the end of its line."""
        end = line_end(self._data, self._offset)
        tokens = (token for token in self._tokens[self._index :] if token.start < end)
        words = [
            token for token in tokens if token.kind == WORD and not self._is_defined(token.text)
        ]
        names = dict.fromkeys(self._text.decode(token.text) for token in words)
        return [name for name in names if not self._loaded.is_known(name)]

    def _is_defined(self, name: bytes) -> bool:
        """Whether a text of the script defines a name somewhere."""
        texts = self._loaded.script_texts
        return any(
            token.text == name for text in texts for token in definitions(lex(text.data).tokens)
        )

    def _later_uses(self, name: bytes) -> Iterator[str]:
        """Yield the lines after the token that use its name, up to its definition."""
        for token in self._tokens[self._index + 1 :]:
            if token.text == name and token.kind == NAME:
                break
            if token.text == name and token.kind == WORD:
                yield f"line {self._text.locate(token.start).line}"

    # --- other errors ----------------------------------------------------------------

    def failure(self, error: ForthVMError) -> Iterator[Guess]:
        """Yield the guesses at an error that is no unknown name."""
        loaded, location = self._loaded, self._location
        unreadable = isinstance(error, ScriptFileError)
        cause = None if unreadable else self._cause()
        if cause is None:
            yield from self._suspects()
        if any(one.code == "E106" and one.location == location for one in loaded.findings):
            return  # the last section is not closed, and the whole text has been loaded
        if cause is None and not unreadable:
            failures = [n for n, one in enumerate(loaded.findings) if one.code == "E102"]
            cause = next(iter(failures), loaded.hiding if loaded.hiding >= 0 else None)
        at = interpreted_location(loaded, error) or location
        text = loaded.text_of(at)
        where = _Place(loaded, text, at) if text is not None else self
        finding = _failure_finding(loaded, error, location)
        consequences: tuple[str, ...] = ()
        if cause is not None:
            earlier = loaded.findings[cause].location
            same_file = earlier is None or earlier.file == location.file
            if not same_file:
                consequences = (f"{location.file}:{location.line}",)
            elif earlier is None or earlier.line != location.line:
                consequences = (f"line {location.line}",)
        for start, end in (where._failing_part(), where._section()):
            repair = Repair(start, end, hides_names=unreadable)
            guess = Guess(finding, where._text, repair, rank=1)
            if cause is not None:
                guess = guess._replace(finding=None, cause=cause, consequences=consequences)
            yield guess

    def _section(self) -> tuple[int, int]:
        """Return begin and end of the section that contains the token."""
        opener: Token | None = None
        for token in self._tokens:
            if token.kind != WORD:
                continue
            if token.text in OPENERS and token.start <= self._offset:
                opener = token
            elif token.text in CLOSERS:
                if opener is not None and token.start >= self._offset:
                    is_end = token.text == opener.text[1:] + b"}"
                    return opener.start, token.end if is_end else opener.start
                opener = None
        return self._offset, self._offset

    def _failing_part(self) -> tuple[int, int]:
        """Return begin and end of the token, with the word that reads it and what it reads."""
        tokens, index = self._tokens, self._index
        if index < 0:
            return self._offset, self._offset
        token, before = tokens[index], tokens[max(index - 1, 0)]
        is_item = before.text.startswith(b"{") and before.text.endswith(b"}")
        is_read = token.kind in (FILE, NAME) or before.text in QUOTING or is_item
        start, end = before.start if is_read else token.start, token.end
        after = tokens[index + 1 : index + 2]
        return start, after[0].end if after and after[0].kind in (FILE, NAME) else end

    def _cause(self) -> int | None:
        """Return the index of the finding that probably led to an error, if there is one.

        It is about an unknown name that the line of the error runs, directly or in definitions, or
        about the section of the error.
        """
        loaded = self._loaded
        needed = _names_that_need_unknown_ones(loaded)
        source, offset = self._text.source.data, self._text.source_offset(self._location)
        line_start = source.rfind(b"\n", 0, offset) + 1
        for token in reversed(lex(source).tokens):
            name = needed.get(self._text.decode(token.text))
            if name and line_start <= token.start <= offset and not token.in_definition:
                return loaded.unknown_names[name]
        start, _ = self._section()
        for index, finding in enumerate(loaded.findings):
            place = finding.location
            is_here = place is not None and place.file == self._location.file
            if (
                place is not None
                and is_here
                and start <= self._text.offset_of(place) < self._offset
            ):
                return index
        return None


def _is_file_name(token: Token) -> bool:
    return token.kind in (WORD, FILE) and token.text.lower().endswith(b".4th")


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


def _failure_finding(
    loaded: LoadedScript, error: ForthVMError, location: Location | None
) -> Finding:
    """Return the finding about an error, with the word of the script for one that only it calls.

    For example, `{piece}` calls `<BUILDS`, which reads the name.
    """
    message = error.short_message()
    text = loaded.text_of(location)
    inner = error.detail if isinstance(error, EndOfSource) else error.word
    if text is not None and location is not None and inner and inner not in loaded.words():
        place = _Place(loaded, text, location)
        start, _ = place._failing_part()
        index = lex(text.data).index_by_offset.get(start)
        if index is not None:
            word = text.decode(lex(text.data).tokens[index].text)
            message = message.replace(f"`{inner}`", f"`{word}`")
    return Finding("E102", message, location, error.word or "", error.hints)

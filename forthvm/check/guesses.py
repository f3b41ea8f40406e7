"""Guesses at the cause of an error of loading, the most specific first.

A guess is a finding with a repair of the text.  Loading tries them: the one that gets furthest past
the error is right.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice, pairwise, takewhile
from typing import TYPE_CHECKING

from forthvm.core.errors import BudgetExceeded, EndOfSource, ScriptFileError, UndefinedWord
from forthvm.core.errors.report import MAX_SIMILAR, similar_names, suggestion_of
from forthvm.syntax.tokens import CONTROL, STRINGS

from .finding import Finding
from .loaded_script import NUMBER, Guess
from .text.damage import CLOSERS, OPENERS, READ_BY_ITEMS, doubled, is_doubled, suspects
from .text.lexer import DEFINERS, FILE, NAME, QUOTING, WORD, definitions, lex, line_end
from .text.repair import Repair, Suspect
from .text.unknown import advice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.errors import ForthVMError
    from forthvm.core.location import Location

    from .loaded_script import LoadedScript
    from .text.lexer import Token
    from .text.repair import RepairedText

__all__ = ["finding_of", "guesses", "interpreted_location"]

_MANY_UNKNOWN = 3
"""The number of unknown names in a line from which on the line is probably a comment."""
_MAX_SUSPECTS = 12
_SQUARE = re.compile(r"[a-z]\d{1,2}$")
_FILE_NAME = re.compile(rb"\S+\.4th(?=\s|$)", re.IGNORECASE)
_MIN_GLUED_LENGTH = 4  # the minimum length of two words between which a blank may be missing


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
            message = error.short_message()
            loaded.findings.append(
                Finding("E102", message, location, error.word or "", error.hints)
            )
        return []
    place = _Place(loaded, text, location)
    is_unknown = isinstance(error, UndefinedWord)
    return [*(place.unknown(error.detail) if is_unknown else place.failure(error))]


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


def finding_of(text: RepairedText, suspect: Suspect) -> Finding:
    """Return the finding that a place of a text is damaged."""
    location, word = text.locate(suspect.at), text.decode(suspect.word)
    return Finding(suspect.code, suspect.message, location, word, (suspect.hint,))


def _guess(text: RepairedText, suspect: Suspect) -> Guess:
    return Guess(finding_of(text, suspect), text, suspect.repair)


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
            yield guess
            if guess.finding is not None and guess.repair is not None and guess.repair.hides_names:
                finding = replace(guess.finding, consequences=(f"`{name}`",))
                yield replace(guess, finding=finding, placeholders=(name,))
        if not in_text:
            return  # an error in a section has left its search order: comments are read as names
        if loaded.hiding >= 0:
            yield Guess(placeholders=(name,), cause=loaded.hiding, consequences=(f"`{name}`",))
            return
        yield from self._misspelt(name)

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
        pairs = pairwise(self._tokens[max(self._index - 1, 0) : self._index + 2])
        for one, other in pairs:
            first, rest = text.decode(one.text), text.decode(other.text)
            if loaded.is_known(first + rest) and not NUMBER.match(first + rest):
                yield self._joined(one, other, first, rest)
        for parts in self._split(name):
            message = f"a blank is missing in `{name}`: it is read as one name"
            shown = " ".join(parts)
            finding = Finding("E105", message, self._location, hints=(f"write `{shown}`",))
            new = shown.encode(text.encoding, "replace")
            repair = Repair(token.start, token.end, new)
            if parts[1] == ";" and not loaded.is_known(parts[0]):
                names = (one.text for one in self._tokens[self._index :: -1] if one.kind == NAME)
                repair = replace(repair, opaque=next(names))
                yield Guess(finding, text, repair, placeholders=parts[:1])
            else:
                yield Guess(finding, text, repair)
        yield from self._load(name)

    def _joined(self, one: Token, other: Token, first: str, rest: str) -> Guess:
        """Return the guess that a line end or a blank breaks a word in two parts."""
        is_line_end = b"\n" in self._data[one.end : other.start]
        breaker, where = ("line end", " in one line") if is_line_end else ("blank", "")
        message = f"a {breaker} breaks `{first}{rest}` in two parts, `{first}` and `{rest}`"
        hint = f"write `{first}{rest}`{where}"
        return _guess(self._text, Suspect(one.start, message, hint, Repair(one.end, other.start)))

    def _split(self, name: str) -> Iterator[tuple[str, ...]]:
        """Yield the words of which a name may consist."""
        if ";" in name and self._tokens[self._index].in_definition:
            yield tuple(part for part in re.split(r"(;)(:)?", name) if part)
        for at in range(1, len(name)):
            if self._may_be_glued(name[:at], name[at:]):
                yield name[:at], name[at:]

    def _may_be_glued(self, first: str, rest: str) -> bool:
        """Whether a blank may be missing between two words."""
        loaded = self._loaded
        if first == "(":
            return b" )" in self._data[self._offset : line_end(self._data, self._offset)]
        if first == "LOAD":
            return _FILE_NAME.fullmatch(rest.encode()) is not None
        if first == ":" or first.encode() in DEFINERS:
            return rest in loaded.words()
        are_known = loaded.is_known(first), loaded.is_known(rest)
        if first.endswith("}") or rest.startswith("{"):
            is_brace = "{" in first[:1] or "}" in first[-1:], "{" in rest[:1] or "}" in rest[-1:]
            return any(map(all, zip(are_known, is_brace, strict=True)))
        return all(are_known) and (
            rest in STRINGS or min(len(first), len(rest)) >= _MIN_GLUED_LENGTH
        )

    def _load(self, name: str) -> Iterator[Guess]:
        """Yield the guess that the line should be LOAD and a file name."""
        token, end = self._tokens[self._index], line_end(self._data, self._offset)
        file = _FILE_NAME.search(self._data, token.start, end)
        if file is not None and not token.in_definition:
            load = b"LOAD " + file[0]
            hint = f"write `{self._text.decode(load)}`"
            finding = Finding("E101", f"unknown name `{name}`", self._location, hints=(hint,))
            yield Guess(finding, self._text, Repair(token.start, end, load))

    def _misspelt(self, name: str) -> Iterator[Guess]:
        """Yield the guesses that a name is misspelt, is part of a comment, or is not defined."""
        token, text, start = self._tokens[self._index], self._text, self._index
        reader = self._reader()
        similar = self._similar(name, is_read=reader is not None)
        hints = tuple(hint for hint in (advice(name), suggestion_of(similar)) if hint)
        later = tuple(self._later_uses(token.text))
        finding = Finding("E101", f"unknown name `{name}`", self._location, "", hints, later)
        end = line_end(self._data, self._offset)
        in_line = takewhile(lambda other: other.start < end, self._tokens[start:])
        unknown = [
            other for one in in_line if self._is_unknown(one, other := text.decode(one.text))
        ]
        if len({*unknown}) >= _MANY_UNKNOWN and not token.in_definition and not advice(name):
            merged = replace(
                finding,
                message=f"{finding.message}, and {len({*unknown}) - 1} more in this line",
                hints=("if the line is a comment, write `\\` and a blank before it",),
                consequences=tuple(dict.fromkeys(f"`{one}`" for one in unknown if one != name)),
            )
            yield Guess(merged, text, Repair(token.start, end))
        if not NUMBER.match(name):
            yield Guess(finding, placeholders=(name,))
        if self._is_unknown(token, name):
            for other in (*similar, *(sorted(STRINGS) if '"' in name else ())):
                new = other.encode(text.encoding, "replace")
                yield Guess(finding, text, Repair(token.start, token.end, new))
        if reader is not None:
            last = self._tokens[: reader + 1 + READ_BY_ITEMS[self._tokens[reader].text]][-1]
            yield Guess(finding, text, Repair(self._tokens[reader].start, last.end))

    def _similar(self, name: str, *, is_read: bool) -> list[str]:
        """Return names that are similar to an unknown one, those of the script before others.

        Built-in names are none if an item such as `{turn}` reads the name (`is_read`).
        """
        loaded, is_compiled = self._loaded, self._tokens[self._index].in_definition
        is_one_case = name in (name.upper(), name.lower())

        def fits(word: str) -> bool:
            """Whether a built-in word can be meant; `White` is not meant as `WHILE`."""
            is_same = name.casefold() == word.casefold()
            return word not in CONTROL or (is_compiled and (is_one_case or is_same))

        words = [word for word in loaded.vm.native.words() if word not in loaded.unknown_names]
        near = similar_names(name, (word for word in words if word not in loaded.built_in_names))
        if not is_read:
            built_in = (word for word in words if word in loaded.built_in_names and fits(word))
            near += similar_names(name, built_in)
        near.sort(key=lambda word: word.casefold() != name.casefold())  # other letter case first
        return near[:MAX_SIMILAR]

    def _reader(self) -> int | None:
        """Return the index of the item that reads the token, such as `{turn}`; None without one."""
        for distance in range(1, min(max(READ_BY_ITEMS.values()), self._index) + 1):
            item = self._tokens[self._index - distance].text
            if READ_BY_ITEMS.get(item, 0) >= distance:
                return self._index - distance
        return None

    def _is_unknown(self, token: Token, name: str) -> bool:
        """Whether a token is a word that is not known yet and not defined in the script."""
        if token.kind != WORD or self._loaded.is_known(name):
            return False
        texts = self._loaded.script_texts
        return not any(
            token.text == one.text for text in texts for one in definitions(lex(text.data).tokens)
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
        """Yield the guesses at an error that is no unknown name.

        It may be a consequence of an unknown name or of another error before it, because their
        effects on the stack and on the data are unknown.
        """
        loaded, location = self._loaded, self._location
        unreadable = isinstance(error, ScriptFileError)
        causes = [n for n, one in enumerate(loaded.findings) if one.code in ("E101", "E102")]
        cause = causes[-1] if causes and not unreadable else loaded.hiding
        yield from self._suspects()
        if any(one.code == "E106" and one.location == location for one in loaded.findings):
            return  # the last section is not closed, and the whole text has been loaded
        at = interpreted_location(loaded, error) or location
        text = loaded.text_of(at)
        where = _Place(loaded, text, at) if text is not None else self
        finding = self._failure_finding(error)
        for start, end in (where._failing_part(), where._section()):
            repair = Repair(start, end, hides_names=unreadable)
            guess = Guess(finding, where._text, repair)
            if cause >= 0 and not unreadable:
                shown = _line_beside(location, loaded.findings[cause].location)
                guess = replace(guess, finding=None, cause=cause, consequences=shown)
            yield guess

    def _failure_finding(self, error: ForthVMError) -> Finding:
        """Return the finding about an error, about the word of the script that led to it.

        For example, `{piece}` calls `<BUILDS`, which reads the name.
        """
        message = error.short_message()
        inner = error.detail if isinstance(error, EndOfSource) else error.word
        if inner and inner not in self._loaded.words():
            start, _ = self._failing_part()
            index = lex(self._data).index_by_offset.get(start)
            if index is not None:
                word = self._text.decode(self._tokens[index].text)
                message = message.replace(f"`{inner}`", f"`{word}`")
        return Finding("E102", message, self._location, error.word or "", error.hints)

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

    def _section(self) -> tuple[int, int]:
        """Return begin and end of the section that contains the token."""
        before = (
            t for t in reversed(self._tokens) if t.text in OPENERS and t.start <= self._offset
        )
        opener = next(before, None)
        after = (t for t in self._tokens if t.text in CLOSERS and t.start >= self._offset)
        closer = next(after, None)
        if opener is None or closer is None or OPENERS[opener.text] != closer.text:
            return self._offset, self._offset
        return opener.start, closer.end


def _line_beside(location: Location, other: Location | None) -> tuple[str, ...]:
    """Return the line of a location as text, if it is not the line of another one."""
    if other is None or other.file != location.file:
        return (f"{location.file}:{location.line}",)
    return (f"line {location.line}",) if other.line != location.line else ()

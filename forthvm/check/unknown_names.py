"""The finding about an unknown name, with one suggestion."""

from __future__ import annotations

import os
import re
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.errors.report import similar_names, suggestion_of
from forthvm.core.loading.library import GAME_PARTS, library_folder
from forthvm.core.loading.source import line_number, read_script
from forthvm.syntax.tokens import CONTROL, STRINGS

from .finding import Finding
from .text.lexer import DEFINERS, FILE, NAME, WORD, definitions, lex, line_end
from .text.unknown import advice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.loading.source import Text
    from forthvm.core.location import Location

    from .loaded_script import LoadedScript

__all__ = ["UnknownName"]

_MANY_UNKNOWN = 3
"""The number of unknown names in a line from which on the line is probably a comment."""
_MAX_FILES = 100
_FILE_NAME = re.compile(rb"\S+\.4th(?=\s|$)", re.IGNORECASE)
_MIN_GLUED_LENGTH = 4  # the minimum length of two words between which a blank may be missing


class UnknownName:
    """An unknown name in a text of a script.

    Args:
        loaded: The script.
        text: The text.
        index: The index of the token in the text.
        location: The location of the token.
    """

    def __init__(self, loaded: LoadedScript, text: Text, index: int, location: Location) -> None:
        self._loaded = loaded
        self._text = text
        self._tokens = lex(text.data).tokens[index:]
        self._token = self._tokens[0]
        self._name = text.decode(self._token.text)
        self._location = location

    @property
    def is_independent(self) -> bool:
        """Whether the names after it are probably read as they were meant.

        They are not outside of definitions, after the misspelt begin of a comment or text, and if
        the name is one of many in a file that is not loaded.
        """
        is_begin = {*self._name} & {*'("'}
        return self._token.in_definition and not is_begin and not self._other_file

    # --- blanks ----------------------------------------------------------------------

    def wrong_blank(self) -> Finding | None:
        """Return the finding that a blank is missing in the name, or breaks a known name."""
        name, location = self._name, self._location
        for parts in self._split():
            message = f"a blank is missing in `{name}`: it is read as one name"
            return Finding("E105", message, location, hints=(f"write `{' '.join(parts)}`",))
        for other in self._tokens[1:2]:
            rest = self._text.decode(other.text)
            whole = name + rest
            if not self._loaded.is_known(rest) and self._loaded.vm.native.find(whole):
                between = self._text.data[self._token.end : other.start]
                breaker = "line end" if b"\n" in between else "blank"
                message = f"a {breaker} breaks `{whole}` in two parts, `{name}` and `{rest}`"
                return Finding("E106", message, location, hints=(f"write `{whole}` as one word",))
        return None

    def _split(self) -> Iterator[tuple[str, ...]]:
        """Yield the words of which the name may consist."""
        name = self._name
        if ";" in name and self._token.in_definition:
            yield tuple(part for part in re.split(r"(;)(:)?", name) if part)
        for at in range(1, len(name)):
            if self._may_be_glued(name[:at], name[at:]):
                yield name[:at], name[at:]

    def _may_be_glued(self, first: str, rest: str) -> bool:
        """Whether a blank may be missing between two words."""
        if first in (":", "LOAD") or first.encode() in DEFINERS:
            return rest in self._loaded.words() or _FILE_NAME.fullmatch(rest.encode()) is not None
        if not self._loaded.is_known(first):
            return False
        is_long = min(len(first), len(rest)) >= _MIN_GLUED_LENGTH or rest.startswith("{")
        is_separate = is_long or rest in STRINGS
        return first.endswith("}") or (is_separate and self._loaded.is_known(rest))

    # --- other names -----------------------------------------------------------------

    def finding(self) -> Finding:
        """Return the finding that the name is unknown."""
        hint = advice(self._name) or self._load() or self._definition() or self._comment()
        hint = hint or self._similar()
        hints = (hint,) if hint else ()
        return Finding("E101", f"unknown name `{self._name}`", self._location, hints=hints)

    def _similar(self) -> str:
        """Return the advice to write the most similar name."""
        left_out = {*self._loaded.unknown_names, *(() if self._token.in_definition else CONTROL)}
        words = (word for word in self._loaded.vm.words() if word not in left_out)
        return suggestion_of(similar_names(self._name, words)[:1])

    def _load(self) -> str:
        """Return the advice to load the file that the line names."""
        token, data = self._token, self._text.data
        file = _FILE_NAME.search(data, token.start, line_end(data, token.start))
        if file is None or token.in_definition:
            return ""
        return f"write `LOAD {self._text.decode(file[0])}`"

    def _definition(self) -> str:
        """Return where the name is defined: later, or in another file."""
        for token in definitions(lex(self._text.data).tokens):
            if token.text == self._token.text and token.start > self._token.start:
                line = line_number(self._text.data, token.start)
                return f"`{self._name}` is defined later, in line {line}"
        before = [one for one in lex(self._text.data).tokens if one.start < self._token.start]
        names = [one.text for one in before if one.kind == NAME]
        if self._token.in_definition and names[-1:] == [self._token.text]:
            return "in its own definition, a word is called by RECURSE"
        return f"`{self._name}` is defined in {self._other_file}" if self._other_file else ""

    @cached_property
    def _other_file(self) -> str:
        """The file that defines the name and is loaded later or not at all; "" without one."""
        own = {text.path for text in self._loaded.script_texts if text.path is not None}
        beside = [path for folder in {path.parent for path in own} for path in folder.glob("*.4th")]
        parts = [library_folder() / os.fsdecode(name) for name in GAME_PARTS]
        for path in (*parts, *sorted(beside)[:_MAX_FILES]):
            try:
                data = read_script(path)[0] if path not in own else b""
            except (ForthVMError, OSError):
                continue
            defined = definitions(lex(data).tokens if self._token.text in data else ())
            if any(token.text == self._token.text for token in defined):
                loads = (one for one in self._tokens if one.kind == FILE)
                later = any(one.text == path.name.encode() for one in loads)
                return f"{path.name}, which is {'loaded later' if later else 'not loaded'}"
        return ""

    def _comment(self) -> str:
        """Return the advice to begin a comment, in a line of unknown names."""
        end = line_end(self._text.data, self._token.start)
        in_line = [*takewhile(lambda token: token.start < end, self._tokens)]
        names = {self._text.decode(token.text) for token in in_line if token.kind == WORD}
        unknown = [name for name in names if not self._loaded.is_known(name)]
        has_name = any(token.kind == NAME for token in in_line)
        if len(unknown) < _MANY_UNKNOWN or has_name or self._token.in_definition:
            return ""
        return "if the line is a comment, write `\\` and a blank before it"

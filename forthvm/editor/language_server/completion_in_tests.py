"""Completion in files with tests: keywords, names of the game, and the legal moves of a test.

Owns what can stand at a position in such a file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.catalogue.options import ON_SHOW
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import replaced_contents
from forthvm.game.memory.variables import variables_of
from forthvm.testing.checks import UNCLEAR
from forthvm.testing.reader import CHECKS, FILE_KEYWORDS, SETUP, read_text
from forthvm.testing.setup import first_position

from .files_with_tests import KEYWORDS
from .games import game_of_tests
from .names_in_tests import MOVES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from forthvm.game import Game
    from forthvm.testing.reader import Case, Statement, Suite

    from .documents import Document

__all__ = ["complete_test"]

_EXPECTED = ("turn", "empty", "board", "variable", "win", "loss", "draw", "no end")
_COUNTS = ("variant:", "series:")
_SERIES = ("joined", "single", "joined, equal results once")
_MAX_ITEMS = 300
_LINE_OF_COUNTS = re.compile(r"(variant:|series:)\s+(.*)")


def complete_test(
    document: Document, position: lsp.Position, contents: Mapping[Path, bytes]
) -> lsp.CompletionList:
    """Return what can stand at a position in a file with tests.

    Args:
        document: The file.
        position: The position.
        contents: Unsaved contents of files by path.
    """
    offset = document.offset(position)
    line = document.text[document.text.rfind("\n", 0, offset) + 1 : offset]
    items: list[lsp.CompletionItem] = []
    if not line.lstrip().startswith("#"):
        try:
            with replaced_contents(contents):
                typed, found = _Place(document, offset, line).candidates()
        except (ForthVMError, OSError, ValueError, RecursionError):
            typed, found = "", ()  # the game has an error, of which there are diagnostics
        replaced = document.range(offset - len(typed), offset)
        texts = [*dict.fromkeys(found)][:_MAX_ITEMS]
        items = [_item(text, number, replaced) for number, text in enumerate(texts)]
    return lsp.CompletionList(is_incomplete=False, items=items)


def _item(text: str, number: int, replaced: lsp.Range) -> lsp.CompletionItem:
    form, meaning = KEYWORDS.get(text, ("", ""))
    kind = lsp.CompletionItemKind.Keyword if form else lsp.CompletionItemKind.Value
    return lsp.CompletionItem(
        label=text,
        kind=kind,
        detail=form or None,
        documentation=meaning or None,
        filter_text=text,
        sort_text=f"{number:04}",
        text_edit=lsp.TextEdit(replaced, text),
    )


class _Place:
    """A position in a file with tests."""

    def __init__(self, document: Document, offset: int, line: str) -> None:
        self._document = document
        self._offset = offset
        self._line = line
        self._number = document.text.count("\n", 0, offset) + 1
        self._suite: Suite = read_text(document.path, document.text, lambda _error: None)

    def candidates(self) -> tuple[str, Iterable[str]]:
        """Return the typed text that is replaced, and the texts that fit, the best first."""
        stripped = self._line.strip()
        is_first = len(stripped.split()) <= 1 and not self._line[-1:].isspace()
        if self._document.path.suffix.lower() == ".perft":
            return self._in_counts(stripped, is_first=is_first)
        indented = self._line[:1].isspace()
        if not indented and (is_first or not stripped):
            return stripped, FILE_KEYWORDS
        if not indented:
            return self._in_header(stripped)
        case = self._suite.case_at(self._number)
        statement = _statement_at(case, self._number)
        continues = statement is not None and statement.location.line < self._number
        if continues and statement is not None and not _is_deeper(self._line, statement):
            continues = False
        if not continues and (is_first or not stripped):
            return stripped, (*SETUP, *CHECKS)
        if case is None or statement is None:
            return "", ()
        before = self._line if continues else self._line.split(statement.keyword, 1)[-1]
        item = before.rpartition(";")[2].lstrip()
        return self._in_statement(case, statement, item)

    def _in_counts(self, stripped: str, *, is_first: bool) -> tuple[str, Iterable[str]]:
        found = _LINE_OF_COUNTS.match(self._line)
        if found is None:
            return (stripped, _COUNTS) if is_first or not stripped else ("", ())
        if found[1] == "series:":
            return found[2], _SERIES
        return found[2], self._game().variants

    def _in_header(self, stripped: str) -> tuple[str, Iterable[str]]:
        keyword, _, value = stripped.partition(" ")
        if keyword == "variant":
            return value, self._game().variants
        if keyword == "setting":
            return value, [f"{name}=" for name in (*self._game().settings, ON_SHOW)]
        return "", ()

    def _in_statement(
        self, case: Case, statement: Statement, item: str
    ) -> tuple[str, Iterable[str]]:
        keyword = statement.keyword
        *before, typed = item.split(" ") if item else [""]
        before = [word for word in before if word]
        if keyword in MOVES:
            if keyword == "refused" and "because" in before:
                return typed, sorted(UNCLEAR)
            return item, self._legal_moves(case)
        if keyword == "expect" and not before:
            return typed, (*_EXPECTED, *self._game().players)
        if keyword == "expect" and before[0] in _EXPECTED:
            keyword, before = before[0], before[1:]
        return typed, self._names(keyword, len(before))

    def _names(self, keyword: str, index: int) -> Sequence[str]:
        """Return the names that fit as the word of a statement with an index."""
        game = self._game()
        if keyword == "empty":
            return game.positions
        if keyword == "variable":
            return [*variables_of(game._loaded)] if not index else ()
        if keyword in ("turn", "win", "loss"):
            return game.players if not index else ()
        if keyword not in ("pieces", "expect"):
            return ()
        types = [one.name for one in game.piece_types]
        return [game.players, types, game.positions][min(index, 2)]

    def _game(self, variant: str | None = None) -> Game:
        return game_of_tests(self._suite, variant)

    def _legal_moves(self, case: Case) -> Sequence[str]:
        """Return the legal moves after the moves that a test plays before the position."""
        position = first_position(self._game(case.variant), case)
        for statement in case.statements:
            for item in statement.located_items if statement.keyword == "play" else ():
                place = item.location
                end = self._document.offset_in_line(
                    place.line - 1, place.column - 1 + len(item.text)
                )
                if (end < self._offset and ";" in self._document.text[end : self._offset]) or (
                    place.line < self._number
                ):
                    position.push(item.text)
        return position.legal_moves.texts if position.result is None else ()


def _statement_at(case: Case | None, line: int) -> Statement | None:
    """Return the last statement of a test that begins on a line or before it."""
    found = [one for one in case.statements if one.location.line <= line] if case else []
    return found[-1] if found else None


def _is_deeper(line: str, statement: Statement) -> bool:
    """Whether a line is indented deeper than a statement, which it then continues."""
    indent = len(line.expandtabs()) - len(line.expandtabs().lstrip())
    first = statement.location.text.expandtabs()
    return indent > len(first) - len(first.lstrip())

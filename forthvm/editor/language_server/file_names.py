"""Completion of file names after `LOAD`, in `include` of rule files, and after `game` of tests.

Owns finding the name that is typed.  Only its line counts, so that damage elsewhere, such as a text
without its last quote, has no effect.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from pathlib import Path

    from .documents import Document

__all__ = ["complete_file_name"]

_SCRIPT_SUFFIXES = (".4th", ".fs", ".fth")
_RULE_FILE_SUFFIXES = (".zrf",)
_GAME_SUFFIXES = (".4th", ".zrf")
_LOAD = re.compile(r"^\s*(?:(?!\\\s|\(\s|\S*\"\s)\S+\s+)*LOAD\s+(\S*)$")
_GAME = re.compile(r"^game[ \t]+(\S*)$")
_INCLUDE = re.compile(r"^[^;]*\(\s*include\s+\"([^\"]*)$")


def complete_file_name(document: Document, position: lsp.Position) -> lsp.CompletionList | None:
    """Return the scripts, rule files and folders that can follow; None if no file name can."""
    offset = document.offset(position)
    line = document.text[document.starts[document.position(offset).line] : offset]
    pattern, suffixes = _format(document)
    match = pattern.match(line)
    if match is None:
        return None
    replaced = document.range(offset - len(match[1]), offset)
    items = _items(document.path.parent, match[1], suffixes, replaced)
    return lsp.CompletionList(is_incomplete=False, items=items)


def _format(document: Document) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Return the pattern of a line before a file name, and the suffixes of the files."""
    if document.is_test_file:
        return _GAME, _GAME_SUFFIXES
    if document.is_rule_file:
        return _INCLUDE, _RULE_FILE_SUFFIXES
    return _LOAD, _SCRIPT_SUFFIXES


def _items(
    folder: Path, typed: str, suffixes: tuple[str, ...], replaced: lsp.Range
) -> list[lsp.CompletionItem]:
    """Return the files and folders whose names begin with the typed text."""
    subfolder, slash, prefix = typed.rpartition("/")
    if ".." in subfolder.split("/") or typed.startswith("/"):
        return []
    try:
        with os.scandir(folder / subfolder) as entries:
            found = sorted((entry.name, entry.is_dir()) for entry in entries)
    except (OSError, ValueError):
        return []
    items = []
    for name, is_folder in found:
        if name.startswith(".") or not name.casefold().startswith(prefix.casefold()):
            continue
        if is_folder or name.casefold().endswith(suffixes):
            text = f"{subfolder}{slash}{name}{'/' if is_folder else ''}"
            kind = lsp.CompletionItemKind.Folder if is_folder else lsp.CompletionItemKind.File
            edit = lsp.TextEdit(replaced, text)
            items.append(lsp.CompletionItem(label=text, kind=kind, text_edit=edit))
    return items

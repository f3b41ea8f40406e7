"""Completion of file names after `LOAD`, and in `include` of rule files.

Owns finding the name that is typed.  Only its line counts, so that damage elsewhere, such as a text
without its last quote, has no effect.  It must not know the words of scripts.
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
_LOAD = re.compile(r"^\s*(?:(?!\\\s|\(\s|\S*\"\s)\S+\s+)*LOAD\s+(\S*)$")
_INCLUDE = re.compile(r"^[^;]*\(\s*include\s+\"([^\"]*)$")


def complete_file_name(document: Document, position: lsp.Position) -> lsp.CompletionList | None:
    """Return the scripts, rule files and folders that can follow; None if no file name can."""
    offset = document.offset(position)
    line = document.text[document.starts[document.position(offset).line] : offset]
    match = (_INCLUDE if document.is_rule_file else _LOAD).match(line)
    if match is None:
        return None
    suffixes = _RULE_FILE_SUFFIXES if document.is_rule_file else _SCRIPT_SUFFIXES
    replaced = document.range(offset - len(match[1]), offset)
    items = _items(document.path.parent, match[1], suffixes, replaced)
    return lsp.CompletionList(is_incomplete=False, items=items)


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

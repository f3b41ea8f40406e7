"""Explains unknown names that the script defines later, or that a file which it can load defines.

Such names are spelled correctly: a definition, or the `LOAD` of a file, is in the wrong place or is
missing.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.library import GAME_PARTS, library_folder
from forthvm.core.loading.source import line_number, read_script

from .text.lexer import NAME, definitions, lex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.location import Location

    from .loaded_script import LoadedScript
    from .text.repair import RepairedText

__all__ = ["explain_unknown"]

_MANY = 3
"""The number of unknown names from which on files beside the script are read, and merged."""
_MAX_FILES = 100
_UNKNOWN = "unknown name `"


def explain_unknown(loaded: LoadedScript) -> None:
    """Say where unknown names are defined; merge the findings about many names of one file."""
    unknown = {
        index: finding.message.removeprefix(_UNKNOWN).removesuffix("`")
        for index, finding in enumerate(loaded.findings)
        if finding.code == "E101" and finding.message.startswith(_UNKNOWN)
    }
    defined = _definitions(loaded) if unknown else {}
    beside = _names_of_missing_file(loaded, {*unknown.values()} - defined.keys())
    by_file: dict[str, list[int]] = {}
    for index, name in unknown.items():
        finding, file = loaded.findings[index], ""
        location = finding.location
        if name in defined and location is not None:
            text, offset = defined[name]
            where = f"line {line_number(text.data, offset)}"
            if text.name != location.file:
                file, where = text.name, f"{PurePath(text.name).name}, {where}"
            hint = f"`{name}` is defined later, in {where}"
            if not file and _is_in_definition(text, name, location):
                hint = "in its own definition, a word is called by RECURSE"
        elif name in beside:
            file = beside[name]
            hint = f"`{name}` is defined in {file}, which is not loaded"
        else:
            continue
        others = (other for other in finding.hints if not other.startswith("did you mean"))
        loaded.findings[index] = replace(finding, hints=(hint, *others))
        by_file.setdefault(file, []).append(index)
    left_out: set[int] = set()
    for file, (first, *more) in by_file.items():
        if file and len(more) + 1 >= _MANY:
            for index in more:
                loaded.add_consequence(f"`{unknown[index]}`", first)
            left_out.update(more)
    loaded.findings = [f for index, f in enumerate(loaded.findings) if index not in left_out]


def _is_in_definition(text: RepairedText, name: str, location: Location) -> bool:
    """Whether a location is in the definition of a name."""
    defined, offset = b"", text.offset_of(location)
    for token in lex(text.data).tokens:
        if token.start >= offset:
            return token.in_definition and text.decode(defined) == name
        if token.kind == NAME:
            defined = token.text
    return False


def _definitions(loaded: LoadedScript) -> dict[str, tuple[RepairedText, int]]:
    """Return the text and the offset of the first definition of each name in the script."""
    found: dict[str, tuple[RepairedText, int]] = {}
    for text in loaded.script_texts:
        for token in definitions(lex(text.data).tokens):
            found.setdefault(text.decode(token.text), (text, token.start))
    return found


def _names_of_missing_file(loaded: LoadedScript, unknown: set[str]) -> dict[str, str]:
    """Return the unknown names that files which the script can load define, each with its file.

    Files that define few of them are left out: they are probably parts of other games.
    """
    if len(unknown) < _MANY:
        return {}
    found = {name: file for name, file in _defined_beside(loaded) if name in unknown}
    counts = Counter(found.values())
    return {name: file for name, file in found.items() if counts[file] >= _MANY}


def _defined_beside(loaded: LoadedScript) -> Iterator[tuple[str, str]]:
    """Yield the names that other scripts in its folders, and parts of the library, define."""
    own = {text.path.resolve() for text in loaded.script_texts if text.path is not None}
    beside = [path for folder in {path.parent for path in own} for path in folder.glob("*.4th")]
    parts = [library_folder() / os.fsdecode(name) for name in GAME_PARTS]
    for path in (*sorted(beside)[:_MAX_FILES], *parts):
        if path.resolve() in own:
            continue
        try:
            data, encoding = read_script(path)
        except (ForthVMError, OSError):
            continue
        for token in definitions(lex(data).tokens):
            yield token.text.decode(encoding, "replace"), path.name

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

from .text.lexer import definitions, lex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .loaded_script import LoadedScript
    from .text.repair import RepairedText

    _Place = tuple[RepairedText, int]  # a text, and an offset in it

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
        place = defined.get(name)
        text = loaded.text_of(loaded.findings[index].location)
        if place is None and name in beside:
            _explain(loaded, index, f"`{name}` is defined in {beside[name]}, which is not loaded")
            by_file.setdefault(beside[name], []).append(index)
        elif place is None or text is None:
            continue
        elif _is_in_own_definition(loaded, place, index):
            _explain(loaded, index, "in its own definition, a word is called by RECURSE")
        else:
            where = f"line {line_number(place[0].data, place[1])}"
            if place[0] is not text:
                by_file.setdefault(place[0].name, []).append(index)
                where = f"{PurePath(place[0].name).name}, {where}"
            _explain(loaded, index, f"`{name}` is defined later, in {where}")
    left_out: set[int] = set()
    for indices in by_file.values():
        if len(indices) >= _MANY:
            _merge(loaded, indices, unknown)
            left_out.update(indices[1:])
    loaded.findings = [f for index, f in enumerate(loaded.findings) if index not in left_out]


def _explain(loaded: LoadedScript, index: int, hint: str) -> None:
    """Add a hint to a finding, in place of similar names."""
    finding = loaded.findings[index]
    others = (other for other in finding.hints if not other.startswith("did you mean"))
    loaded.findings[index] = replace(finding, hints=(hint, *others))


def _is_in_own_definition(loaded: LoadedScript, place: _Place, index: int) -> bool:
    """Whether a name is used between its definition and the `;` that ends the definition."""
    text, location = place[0], loaded.findings[index].location
    if location is None or location.file != text.name:
        return False
    use = text.offset_of(location)
    between = [t for t in lex(text.data).tokens if place[1] < t.start <= use]
    return bool(between) and all(t.in_definition and t.text != b";" for t in between)


def _merge(loaded: LoadedScript, indices: list[int], names: dict[int, str]) -> None:
    """Add the names of further findings to the consequences of the first one."""
    first = loaded.findings[indices[0]]
    others = [f"`{names[index]}`" for index in indices[1:]]
    consequences = tuple(dict.fromkeys([*first.consequences, *others]))
    loaded.findings[indices[0]] = replace(first, consequences=consequences)


def _definitions(loaded: LoadedScript) -> dict[str, _Place]:
    """Return the place of the first definition of each name in the script."""
    found: dict[str, _Place] = {}
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
    for path in _scripts_beside(own):
        try:
            data, encoding = read_script(path)
        except (ForthVMError, OSError):
            continue
        for token in definitions(lex(data).tokens):
            yield token.text.decode(encoding, "replace"), path.name


def _scripts_beside(own: set[Path]) -> list[Path]:
    found: list[Path] = []
    for folder in {path.parent for path in own}:
        try:
            found += sorted(folder.glob("*.4th"))
        except OSError:
            continue
    parts = [library_folder() / os.fsdecode(name) for name in GAME_PARTS]
    return [path for path in [*found[:_MAX_FILES], *parts] if path.resolve() not in own]

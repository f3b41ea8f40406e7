"""The analysis of a script as an editor needs it, and the choice of the script to analyse.

Owns the limits for code that runs while a script loads in the editor.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from copy import copy
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.catalogue.contents import Scripts
from forthvm.check.api import IN_ALL_SCRIPTS, check_script
from forthvm.core.budget import script_budget
from forthvm.core.errors import ForthVMError, ScriptFileError
from forthvm.core.words.info import WordInfo, describe

from .scopes import outermost

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from forthvm.check import Finding
    from forthvm.check.program import Program
    from forthvm.core.words.dictionary import Word

__all__ = ["ScriptAnalysis", "ScriptChoice", "analyse", "choose_script", "script_games"]

_LIMITS = script_budget(call_seconds=2.0, mebibytes=256)
_STEPS = 10_000_000
"""The limits of loading; code that needs more gets the finding W103."""
_MAX_SCRIPTS = 500
"""The maximum number of scripts in a folder among which the main script is searched."""
_MARKS = re.compile(rb"(?:LOAD\s+\S+|\{[a-z-]+)")
"""The parts of a text that decide what it loads and whether it is a game."""
_ROLES = {
    "{player}": ("player", "( -- player )"),
    "{neutral}": ("player", "( -- player )"),
    "{piece}": ("piece type", "( -- type )"),
    "{direction}": ("direction", "( -- ? )"),
    "{position}": ("position", "( -- pos )"),
    "{moves": ("list of moves", ""),
    "{move-type}": ("move type", ""),
}


class ScriptChoice:
    """The script to analyse for a file.

    Attributes:
        main: The main script: the file itself, or a script that loads it.
        others: Whether further scripts load the file.
        library: Whether the file is a copy of the library, which is not checked.
        files: The files of all scripts that load the file, and of the main script.
    """

    def __init__(self, main: Path, loaders: Sequence[Path], files: Sequence[Path]) -> None:
        self.main = main
        self.others = len(loaders) > 1
        self.files = tuple(files)
        self.library = False


def choose_script(
    path: Path, contents: Mapping[Path, bytes] | None = None, folders: Sequence[Path] = ()
) -> ScriptChoice:
    """Choose the script to analyse for a file: the script of a game that loads it, if any.

    Among several games, the one whose file is named as the folder comes first.

    Args:
        path: The file.
        contents: The contents that replace those of files; they decide whether a choice is old.
        folders: The folders with scripts that may load the file; by default, its own and the one
            above.
    """
    return _choose(path, _states(path, contents or {}, folders or path.parents[:2]))


def script_games(
    path: Path, contents: Mapping[Path, bytes], folders: Sequence[Path]
) -> tuple[tuple[Path, ...], ...]:
    """Return the files of each game that contains a file, without the library.

    Args:
        path: The file.
        contents: As for `choose_script`.
        folders: As for `choose_script`.
    """
    return _games(path, _states(path, contents, folders))


def _states(
    path: Path, contents: Mapping[Path, bytes], folders: Sequence[Path]
) -> tuple[tuple[Path, object], ...]:
    """Return a file and the scripts that may load it, each with a value that changes with it."""
    candidates = [path]
    for folder in folders:
        candidates += _scripts_in(folder)
    return tuple(_state(file, contents) for file in candidates[:_MAX_SCRIPTS])


def _state(file: Path, contents: Mapping[Path, bytes]) -> tuple[Path, object]:
    """Return a file with a value that changes when other scripts may load it, or be loaded."""
    replaced = contents.get(file)
    if replaced is not None:
        return file, tuple(_MARKS.findall(replaced))
    try:
        status = file.stat()
    except OSError:
        return file, None
    return file, (status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=32)
def _choose(path: Path, states: tuple[tuple[Path, object], ...]) -> ScriptChoice:
    """Choose a script; cached, because it reads all scripts in the folder."""
    candidates = [file for file, _ in states]
    scripts = Scripts(candidates)
    loaders = _main_loaders(scripts, path)
    mains = sorted(
        loaders, key=lambda main: (main.stem.casefold() != main.parent.name.casefold(), str(main))
    )
    main = mains[0] if mains else path
    files = dict.fromkeys(
        file
        for script in [main, *mains]
        for file in scripts.with_loaded(script)
        if file is not None and not scripts.is_library(file)
    )
    choice = ScriptChoice(main, mains, [*files])
    choice.library = scripts.is_library(path)
    return choice


@lru_cache(maxsize=32)
def _games(path: Path, states: tuple[tuple[Path, object], ...]) -> tuple[tuple[Path, ...], ...]:
    """Return the files of the games; cached, because it reads all scripts in the folders."""
    scripts = Scripts(file for file, _ in states)
    loaders = scripts.loaders()
    return tuple(
        tuple(
            file
            for file in scripts.with_loaded(main)
            if file is not None and (file == path or not scripts.is_library(file))
        )
        for main in outermost(path, lambda file: loaders.get(file, ()))
    )


def _scripts_in(folder: Path) -> list[Path]:
    try:
        return sorted(file.resolve() for file in folder.iterdir() if file.suffix.lower() == ".4th")
    except OSError:
        return []


def _main_loaders(scripts: Scripts, path: Path) -> list[Path]:
    """Return the scripts that load a file, also indirectly, and that no other script loads."""
    loaders = scripts.loaders()
    if scripts.is_game(path):
        return []
    found: list[Path] = []
    seen = {path}
    pending = [path]
    while pending:
        for loader in loaders.get(pending.pop(), ()):
            if loader in seen:
                continue
            seen.add(loader)
            if loader not in loaders or scripts.is_game(loader):
                found.append(loader)
            else:
                pending.append(loader)
    return found


class ScriptAnalysis:
    """A checked script.

    Attributes:
        choice: How the script was chosen.
        program: The loaded script; its dictionary answers questions about words.
        findings: All findings.
        began: When the analysis began, in seconds.
    """

    def __init__(
        self, choice: ScriptChoice, program: Program, findings: list[Finding], began: float
    ) -> None:
        self.began = began
        self.choice = choice
        self.program = program
        self.findings = findings
        self.paths = {
            text.name: text.path.resolve()
            for text in program.loaded.script_texts
            if text.path is not None
        }
        self._infos: dict[str, WordInfo | None] = {}
        self._definers = {d.name: d.defining_word for d in program.definitions}

    def with_choice(self, choice: ScriptChoice) -> ScriptAnalysis:
        """Return the same analysis for another file of the script."""
        other = copy(self)
        other.choice = choice
        return other

    def findings_in(self, path: Path) -> list[Finding]:
        """Return the findings in a file."""
        names = {name for name, file in self.paths.items() if file == path}
        return [
            finding
            for finding in self.findings
            if finding.location is not None
            and finding.location.file in names
            and not (self.choice.others and finding.code in IN_ALL_SCRIPTS)
        ]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all words, sorted by their lower-case forms."""
        unknown = set(self.program.loaded.unknown_names)
        names = {word.name for word in self.program.image.words} - unknown - {""}
        return tuple(sorted(names, key=lambda name: (name.lower(), name)))

    @cached_property
    def effects(self) -> dict[str, str]:
        """The stack effects of the script's words without stack comments, from their code."""
        analysis, own = self.program.analysis, self.program.own_words
        effects: dict[str, str] = {}
        for word in own:
            if word.name in self.program.loaded.unknown_names:
                continue
            effect = analysis.effect(word)
            if not effect.unknown and not analysis.comments.of(word):
                effects[word.name] = str(effect)
        return effects

    @cached_property
    def squares(self) -> frozenset[str]:
        """The names of the squares of grids, which are defined together at the end of the board."""
        own = self.program.own_words
        ends = Counter(self.program.image.source(word.cfa) for word in own)
        defined = {definition.name for definition in self.program.definitions}
        return frozenset(
            word.name
            for word in own
            if word.name not in defined and ends[self.program.image.source(word.cfa)] > 1
        )

    @property
    def definers(self) -> Mapping[str, str]:
        """The defining word of each name that is defined in the script."""
        return self._definers

    def find(self, name: str) -> Word | None:
        """Return the word that a name finds at the end of the script."""
        if name in self.program.loaded.unknown_names:
            return None
        return self.program.image.find(name)

    def info(self, name: str) -> WordInfo | None:
        """Return stack effect and help of a word."""
        if name not in self._infos:
            self._infos[name] = self._describe(name)
        return self._infos[name]

    def _describe(self, name: str) -> WordInfo | None:
        word = self.find(name)
        if word is None:
            return None
        role = _ROLES.get(self._definers.get(name, ""), ("", ""))
        try:
            info = describe(self.program.loaded.vm, name, word.cfa, role)
        except ForthVMError:
            return None
        if not info.effect and name in self.effects:
            info = replace(info, effect=self.effects[name])
        return info


def analyse(choice: ScriptChoice) -> ScriptAnalysis | None:
    """Check the chosen script; None if it cannot be read, for instance because it is empty."""
    if choice.library:
        return None
    began = time.monotonic()
    try:
        program, findings = check_script(choice.main, limits=_LIMITS, steps=_STEPS)
    except ScriptFileError:
        return None
    return ScriptAnalysis(choice, program, findings, began)

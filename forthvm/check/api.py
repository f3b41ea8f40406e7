"""Checking files: which of them are scripts of their own, all rules, suppression, selection.

This file owns what a call of `check_files` does; the rules know nothing of each other.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.files import Roots, user_path
from forthvm.core.source import line_number, read_script
from forthvm.core.value import Value
from forthvm.core.wording import counted

from .finding import Finding
from .image import COLON
from .lexer import COMMENT, FILE, lex
from .loading import ATTEMPTS, STEPS, load
from .program import Program
from .rules_game import game_rules
from .rules_names import name_rules
from .rules_stack import stack_rules
from .rules_text import text_rules, unset_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.core.budget import Budget

__all__ = ["Report", "Statistics", "Told", "check_files"]

_RULES = (stack_rules, text_rules, unset_rules, name_rules, game_rules)
_IGNORE = re.compile(
    r"check:\s*ignore(?P<file>-file)?(?P<codes>(?:[\s,]+[EWI]\d*)*)", re.IGNORECASE
)
#: A word is unused only if it is so in all scripts that load its file.
_BY_ALL = frozenset({"W501", "W402", "W409", "W307", "I208"})


class Statistics(Value):
    """How many definitions the scripts have, and of how many the effect is known.

    Attributes:
        definitions: Colon definitions.
        exact: Of these, worked out from the code alone.
        assumed: Worked out, trusting stack comments, or as far as a reach into the stack allows.
        several: Worked out, with several ways out that leave different depths.
        unknown: The others.
        reasons: Why, with how often.
    """

    definitions: int
    exact: int
    assumed: int
    unknown: int
    reasons: dict[str, int]
    several: int = 0


class Told(Value):
    """A definition: its name and place, its effect, and on what that rests."""

    name: str
    place: str
    effect: str
    exact: bool
    assumed: bool
    unknown: str
    several: bool = False

    @property
    def note(self) -> str:
        """Where it is, and whether comments were trusted."""
        return f"{self.place}, trusting comments" if self.assumed else self.place


class Report(Value):
    """What the checks found.

    Attributes:
        findings: By file and line.
        files: The files looked at, those that they load included.
        statistics: Of the stack effects.
        effects: Of every definition, in the order of the texts.
    """

    findings: tuple[Finding, ...]
    files: tuple[str, ...]
    statistics: Statistics
    effects: tuple[Told, ...] = ()

    def count(self, severity: str) -> int:
        """How many findings are of a severity: error, warning or info."""
        return sum(finding.severity == severity for finding in self.findings)

    def __str__(self) -> str:
        """Every finding with its source line, and how many there are."""
        return "\n".join([*(finding.report() for finding in self.findings), self.summary])

    @property
    def summary(self) -> str:
        """How many files, and how many findings of each severity."""
        files = counted(len(self.files), "file")
        counts = [
            counted(self.count(severity), name)
            for severity, name in (("error", "error"), ("warning", "warning"), ("info", "note"))
            if self.count(severity)
        ]
        if counts:
            return f"{files}: {', '.join(counts)}"
        definitions = counted(self.statistics.definitions, "definition")
        return f"{files}, {definitions}: nothing found"

    @property
    def clean(self) -> bool:
        """No errors and no warnings."""
        return not self.count("error") and not self.count("warning")


def check_files(  # noqa: PLR0913 - keyword-only options, each of them documented
    paths: Iterable[str | Path],
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    library: str | Path = "axiom",
    include: Sequence[str | Path] = (),
    axiom: int | str | None = None,
    steps: int = STEPS,
    limits: Budget | None = None,
) -> Report:
    """Check scripts without running their games; what they do while they load does run.

    Args:
        paths: Scripts, or folders, whose scripts are checked.  A file that does not load by
            itself and that another of them loads is checked as a part of that one.
        select: Codes, or beginnings of codes, to report; none: all.
        ignore: Codes, or beginnings, not to report.
        library: As for `VM`.
        include: As for `VM`.
        axiom: As for `VM`.
        steps: Of each load.
        limits: Time and memory of each load; None: those of `script_budget`.

    Raises:
        ScriptFileError: A path cannot be read as a script.
        ForthVMError: The library cannot be loaded.
    """
    files = [file for path in paths for file in _files(user_path(path))]
    named = _loaded_by_others(files)
    programs: list[Program] = []

    def add(file: Path, attempts: int) -> None:
        loaded = load(
            file,
            library=library,
            include=include,
            axiom=axiom,
            steps=steps,
            attempts=attempts,
            limits=limits,
        )
        if loaded.complete or attempts > 1:
            programs.append(Program(loaded))

    for file in files:
        if file.resolve() not in named:
            add(file, ATTEMPTS)
    for file in files:  # parts of others, of which some are games themselves
        if file.resolve() in named:
            add(file, 1 if file.resolve() in _covered(programs) else ATTEMPTS)
    found = _gather(programs)
    kept = [f for f in found if _wanted(f.code, select, ignore)]
    told = _told(programs)
    names = dict.fromkeys(text.name for p in programs for text in p.loaded.scripts)
    return Report(
        tuple(sorted(kept, key=lambda finding: finding.order)),
        tuple(names),
        _statistics(told),
        tuple(told),
    )


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        scripts = (p for p in path.rglob("*") if p.suffix.lower() == ".4th" and p.is_file())
        return sorted(filter(Roots([path]).allow, scripts))  # links out: the user named none
    return [path]


def _loaded_by_others(files: list[Path]) -> set[Path]:
    """Those of the files that another one names behind LOAD."""
    named: set[str] = set()
    for file in files:
        try:
            data, _ = read_script(file)
        except ForthVMError:
            continue
        for token in lex(data).tokens:
            if token.kind == FILE:
                name = token.text.decode("utf-8", "replace").replace("\\", "/")
                named.add(name.rpartition("/")[2].casefold())
    return {file.resolve() for file in files if file.name.casefold() in named}


def _covered(programs: list[Program]) -> set[Path]:
    texts = (text for program in programs for text in program.loaded.scripts)
    return {text.path.resolve() for text in texts if text.path}


# --- findings ----------------------------------------------------------------------------------


def _gather(programs: list[Program]) -> list[Finding]:
    """All findings, once each, without those that the texts suppress."""
    found: dict[tuple[object, ...], Finding] = {}
    times: dict[tuple[object, ...], int] = {}
    loaded: dict[str, int] = {}
    for program in programs:
        ignored = _Ignored(program)
        for text in {text.name for text in program.loaded.scripts}:
            loaded[text] = loaded.get(text, 0) + 1
        for finding in {f: None for f in _of(program)}:
            if not ignored.hides(finding):
                key = (*finding.order[:4], finding.word or finding.message)
                times[key] = times.get(key, 0) + 1
                found.setdefault(key, finding)
    return [f for key, f in found.items() if not _elsewhere(f, times[key], loaded)]


def _elsewhere(finding: Finding, times: int, loaded: dict[str, int]) -> bool:
    """Whether another script that loads the file has no such finding, so that it is none."""
    if finding.code not in _BY_ALL or finding.location is None:
        return False
    return times < loaded.get(finding.location.file, 1)


def _of(program: Program) -> Iterable[Finding]:
    yield from program.loaded.findings
    for rule in _RULES:
        yield from rule(program)


def _wanted(code: str, select: Sequence[str], ignore: Sequence[str]) -> bool:
    chosen = not select or any(code.startswith(start) for start in select)
    return chosen and not any(code.startswith(start) for start in ignore)


class _Ignored:
    r"""Comments `\ check: ignore W201` of a program: on the line, or on a line of their own."""

    def __init__(self, program: Program) -> None:
        self._lines: dict[tuple[str, int], list[str]] = {}
        self._files: dict[str, list[str]] = {}
        for script in program.scripts:
            for token in script.all:
                match = _IGNORE.search(script.text.decode(token.text))
                if token.kind == COMMENT and match:
                    codes = match["codes"].upper().replace(",", " ").split() or [""]
                    self._add(script.text.name, script.text.data, token.start, codes, match["file"])

    def _add(self, name: str, data: bytes, at: int, codes: list[str], file: str | None) -> None:
        if file:
            self._files.setdefault(name, []).extend(codes)
            return
        line = line_number(data, at)
        alone = not data[data.rfind(b"\n", 0, at) + 1 : at].strip()
        for number in (line, line + 1) if alone else (line,):
            self._lines.setdefault((name, number), []).extend(codes)

    def hides(self, finding: Finding) -> bool:
        """Whether the finding is not wanted."""
        place = finding.location
        if place is None:
            return False
        codes = self._files.get(place.file, []) + self._lines.get((place.file, place.line), [])
        return any(finding.code.startswith(code) for code in codes)


# --- statistics --------------------------------------------------------------------------------


def _told(programs: list[Program]) -> list[Told]:
    """Every definition once; of several programs the last one's view."""
    told: dict[tuple[str, str], Told] = {}
    for program in programs:
        for word in program.own:
            if word.kind == COLON:
                effect = program.words.effect(word)
                place = str(program.place(program.image.source(word.cfa)))
                told[(place, word.name)] = Told(
                    word.name,
                    place,
                    str(effect),
                    effect.exact,
                    effect.assumed,
                    effect.unknown,
                    len(effect.leaves) > 1,
                )
    return list(told.values())


def _statistics(told: list[Told]) -> Statistics:
    reasons: dict[str, int] = {}
    for word in told:
        if word.unknown:
            reason = re.sub(r"`.*`", "a word", word.unknown)
            reasons[reason] = reasons.get(reason, 0) + 1
    return Statistics(
        definitions=len(told),
        exact=sum(word.exact for word in told),
        assumed=sum(not (word.unknown or word.exact or word.several) for word in told),
        unknown=sum(bool(word.unknown) for word in told),
        reasons=dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0]))),
        several=sum(word.several for word in told),
    )

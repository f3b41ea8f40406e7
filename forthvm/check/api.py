"""Checking files: which of them are scripts of their own, all rules, suppression, selection.

This file owns what a call of `check_files` does; the rules know nothing of each other.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import COLON
from forthvm.core.errors import ScriptFileError
from forthvm.core.loading.files import shown_name
from forthvm.core.loading.source import line_number
from forthvm.core.value import Value
from forthvm.core.wording import counted

from .choice import Choice
from .finding import Finding
from .loading import STEPS, load
from .program import Program
from .rules.game import game_rules
from .rules.names import name_rules
from .rules.play import play_rules
from .rules.stack import stack_rules
from .rules.text import text_rules, unset_rules
from .text.lexer import COMMENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from forthvm.core.budget import Budget

    from .loading import Loaded

__all__ = ["Report", "Statistics", "Told", "check_files"]

_RULES = (stack_rules, text_rules, unset_rules, name_rules, game_rules, play_rules)
_IGNORE = re.compile(
    r"check:\s*ignore(?P<file>-file)?(?P<codes>(?:[\s,]+[EWI]\d*)*)", re.IGNORECASE
)
#: A word is unused only if it is so in all scripts that load its file.
_BY_ALL = frozenset({"W501", "W402", "W409", "W307", "I208"})
_OF_WHOLE_GAMES = frozenset({"W401", "W403"})


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
        library: Copies of the library in the folders, which were left out.
    """

    findings: tuple[Finding, ...]
    files: tuple[str, ...]
    statistics: Statistics
    effects: tuple[Told, ...] = ()
    library: tuple[str, ...] = ()

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
        if self.library:
            files += f" ({counted(len(self.library), 'file')} of the library left out)"
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
    progress: Callable[[str], None] | None = None,
) -> Report:
    """Check scripts without running their games; what they do while they load does run.

    Args:
        paths: Scripts, or folders, whose scripts are checked.  A file that another of them loads
            and that is not a game is checked as a part of those that load it.  Copies of the
            library in folders are left out.
        select: Codes, or beginnings of codes, to report; none: all.
        ignore: Codes, or beginnings, not to report.
        library: As for `VM`.
        include: As for `VM`.
        axiom: As for `VM`.
        steps: Of each load.
        limits: Time and memory of each load; None: those of `script_budget`.
        progress: Called with a line about each step, such as `loading 3 of 40: game.4th`.

    Raises:
        ScriptFileError: A path cannot be read as a script, or a folder is too large
            (`MOST_SCRIPTS`); a file in a folder that cannot be read is a finding.
        ForthVMError: The library cannot be loaded.
    """
    tell = progress or (lambda _line: None)
    tell("looking for scripts")
    choice = Choice(paths, include)
    total = len(choice.mains) + len(choice.parts)
    programs: list[Program] = []
    unread: list[Finding] = []

    def add(file: Path) -> None:
        try:
            loaded = load(
                file,
                library=library,
                include=include,
                axiom=axiom,
                steps=steps,
                limits=limits,
            )
        except ScriptFileError as error:
            if choice.is_named(file):
                raise
            unread.append(Finding("E102", error.message, None, hints=error.hints))
            return
        if choice.is_stray(file):
            _gather_unknown(loaded)
        programs.append(Program(loaded))

    for number, file in enumerate(choice.mains, 1):
        tell(f"loading {number} of {total}: {file.name}")
        add(file)
    covered = _covered(programs)
    for file in choice.parts:
        if file.resolve() not in covered and not _failed(programs, choice.loaders(file)):
            add(file)
    found = [*unread, *_gather(programs, tell)]
    kept = [f for f in found if _wanted(f.code, select, ignore)]
    told = _told(programs)
    names = dict.fromkeys(text.name for p in programs for text in p.loaded.scripts)
    return Report(
        tuple(sorted(kept, key=lambda finding: finding.order)),
        tuple(names),
        _statistics(told),
        tuple(told),
        tuple(shown_name(file) for file in choice.library),
    )


def _covered(programs: list[Program]) -> set[Path]:
    texts = (text for program in programs for text in program.loaded.scripts)
    return {text.path.resolve() for text in texts if text.path}


def _failed(programs: list[Program], files: list[Path]) -> bool:
    """Whether a script among the files failed, so that it may not have come to what it loads."""
    wanted = set(files)
    return any(
        text.path.resolve() in wanted
        for program in programs
        if not program.loaded.complete
        for text in program.loaded.scripts[:1]
        if text.path
    )


def _gather_unknown(loaded: Loaded) -> None:
    """Let the unknown names of a file that no game loads follow from the first of them."""
    unknown = [finding for finding in loaded.findings if finding.code == "E101"]
    if not unknown:
        return
    loaded.blind = True
    first = unknown[0]
    names = [finding.message.removeprefix("unknown name ") for finding in unknown[1:]]
    hints = (*first.hints, "no game of the folder loads this file, and alone it does not load")
    loaded.findings = [finding for finding in loaded.findings if finding not in unknown]
    loaded.findings.append(first.replace(hints=hints, follows=(*first.follows, *names)))


# --- findings ----------------------------------------------------------------------------------


def _gather(programs: list[Program], tell: Callable[[str], None]) -> list[Finding]:
    """All findings, once each, without those that the texts suppress."""
    found: dict[tuple[object, ...], Finding] = {}
    times: dict[tuple[object, ...], int] = {}
    loaded: dict[str, int] = {}
    for number, program in enumerate(programs, 1):
        tell(f"checking {number} of {len(programs)}")
        ignored = _Ignored(program)
        for text in {text.name for text in program.loaded.scripts}:
            loaded[text] = loaded.get(text, 0) + 1
        for finding in {f: None for f in _of(program)}:
            if not (ignored.hides(finding) or _needs_all(finding, program)):
                key = (*finding.order[:4], finding.word or finding.message)
                times[key] = times.get(key, 0) + 1
                known = found.setdefault(key, finding)
                if len(finding.follows) > len(known.follows):
                    found[key] = finding
    return [f for key, f in found.items() if not _elsewhere(f, times[key], loaded)]


def _needs_all(finding: Finding, program: Program) -> bool:
    """Whether a finding says that something is not there, where not everything could be read."""
    return program.loaded.blind and finding.code in _BY_ALL | _OF_WHOLE_GAMES


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

"""`check_files`: loads scripts, runs all rules on them, and filters and merges the findings.

This file owns the report.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.arguments import read_arguments
from forthvm.core.bindings.layout import COLON
from forthvm.core.errors import ScriptFileError
from forthvm.core.loading.files import shown_name
from forthvm.core.loading.source import line_number
from forthvm.core.reading import as_type, integer, satisfying
from forthvm.core.text.wording import counted
from forthvm.core.vm import VM_ARGUMENTS

from .files_to_check import FilesToCheck
from .finding import Finding
from .loading import STEPS, load
from .program import Program
from .rule_files import check_rule_file
from .rules.added import added_rules
from .rules.directions import direction_rules
from .rules.game import game_rules
from .rules.lists import list_rules
from .rules.moves import move_rules
from .rules.names import name_rules
from .rules.play import play_rules
from .rules.stack import stack_rules
from .rules.steps import step_rules
from .rules.text import text_rules, unset_rules
from .text.lexer import COMMENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from forthvm.core.budget import Budget

    from .loaded_script import LoadedScript
    from .program import ScriptFile

__all__ = [
    "IN_ALL_SCRIPTS",
    "DefinitionEffect",
    "Report",
    "Statistics",
    "check_files",
    "check_script",
]

_CODES = as_type(tuple[str, ...])
_ARGUMENTS = {
    **{name: VM_ARGUMENTS[name] for name in ("library", "include", "axiom")},
    "paths": satisfying(lambda value: not isinstance(value, str | Path), "a list of paths"),
    "select": _CODES,
    "ignore": _CODES,
    "steps": integer(1),
    "limits": VM_ARGUMENTS["budget"],
}
_RULES = (
    *(stack_rules, text_rules, unset_rules, name_rules, game_rules),
    *(list_rules, move_rules, added_rules, step_rules, direction_rules, play_rules),
)
_IGNORE = re.compile(
    r"check:\s*ignore(?P<file>-file)?(?P<codes>(?:[\s,]+[EWI]\d*)*)", re.IGNORECASE
)
#: Codes of findings, such as an unused word, in a file that several scripts may load.  A finding is
#: reported only if the checks of all these scripts find it.
IN_ALL_SCRIPTS = frozenset({"W501", "W402", "W409", "W307", "I208"})
#: Codes of further findings that are reported only if all files of the script could be read.
_NEED_ALL_TEXTS = frozenset({"W401", "W403"})


@dataclass(frozen=True)
class Statistics:
    """Numbers of colon definitions, by the way in which their stack effects were found.

    Attributes:
        definitions: All colon definitions.
        exact: Definitions with effects derived from the code alone.
        assumed: Definitions with effects that rely on stack comments, or that access the stack at
            an unknown depth, such as PICK with an unknown argument.
        unknown: Definitions without a known effect.
        reasons: For each reason why an effect is unknown, the number of definitions.
        several: Definitions that return with several different depths of the stack.
    """

    definitions: int
    exact: int
    assumed: int
    unknown: int
    reasons: dict[str, int]
    several: int = 0


@dataclass(frozen=True)
class DefinitionEffect:
    """The stack effect of a definition, as text.

    Attributes:
        name: Name of the definition.
        location: Its location, as text.
        effect: Its effect, such as `( a -- x )`.
        exact: Whether the effect was derived from the code alone.
        assumed: Whether the effect relies on stack comments.
        unknown: The reason why the effect is unknown; "" if it is known.
        several: Whether the definition returns with several different depths of the stack.
    """

    name: str
    location: str
    effect: str
    exact: bool
    assumed: bool
    unknown: str
    several: bool = False

    @property
    def note(self) -> str:
        """The location, and whether the effect depends on stack comments."""
        return f"{self.location}, trusting comments" if self.assumed else self.location


@dataclass(frozen=True)
class Report:
    """The result of the checks.

    Attributes:
        findings: The findings, sorted by file and line.
        files: The checked files, including those that they load.
        statistics: Statistics of the stack effects.
        effects: The effect of every definition, in the order of the texts.
        library_copies: Copies of the library in the folders, which were not checked.
    """

    findings: tuple[Finding, ...]
    files: tuple[str, ...]
    statistics: Statistics
    effects: tuple[DefinitionEffect, ...] = ()
    library_copies: tuple[str, ...] = ()

    def count(self, severity: str) -> int:
        """Return the number of findings of a severity: error, warning or info."""
        return sum(finding.severity == severity for finding in self.findings)

    def __str__(self) -> str:
        """Return every finding with its source line, and the summary."""
        return "\n".join([*(finding.report() for finding in self.findings), self.summary])

    @property
    def summary(self) -> str:
        """The number of files, and of findings of each severity."""
        files = counted(len(self.files), "file")
        if self.library_copies:
            files += f" ({counted(len(self.library_copies), 'file')} of the library left out)"
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
        """Whether there are no errors and no warnings."""
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
    """Check scripts without running their games; interpreted code runs while they load.

    Args:
        paths: Scripts, rule files of Zillions, and folders of both.  A script that is not a game is
            checked only together with the scripts that load it.  Copies of the library in folders
            are not checked.
        select: Codes, or prefixes of codes, to report; empty for all.
        ignore: Codes, or prefixes of codes, not to report.
        library: As for `VM`.
        include: As for `VM`.
        axiom: As for `VM`.
        steps: Limit of steps for each load.
        limits: Time and memory of each load; None for the limits of `script_budget`.
        progress: Called with a line about each step, such as `loading 3 of 40: game.4th`.

    Raises:
        TypeError, ValueError: An argument has another type, or is out of range.
        ScriptFileError: A path cannot be read as a script, or a folder is too large
            (`MAX_SCRIPTS`).  An unreadable file in a folder is reported as a finding instead.
        ForthVMError: The library cannot be loaded.
    """
    read_arguments("check_files", _ARGUMENTS, locals())
    report_progress = progress or (lambda _line: None)
    report_progress("looking for scripts")
    files_to_check = FilesToCheck(paths, include)
    total = len(files_to_check.main_scripts) + len(files_to_check.parts)
    programs: list[Program] = []
    unreadable: list[Finding] = []

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
            if files_to_check.is_named(file):
                raise
            unreadable.append(Finding("E102", error.message, None, hints=error.hints))
            return
        if files_to_check.is_unused_file(file):
            _merge_unknown(loaded)
        programs.append(Program(loaded))

    for number, file in enumerate(files_to_check.main_scripts, 1):
        report_progress(f"loading {number} of {total}: {file.name}")
        add(file)
    loaded_paths = _loaded_paths(programs)
    for file in files_to_check.parts:
        if file.resolve() not in loaded_paths and not _any_failed(
            programs, files_to_check.loaders(file)
        ):
            add(file)
    unreadable += _rule_file_findings(files_to_check, include, report_progress)
    findings = [*unreadable, *_findings(programs, report_progress)]
    selected = [f for f in findings if _is_selected(f.code, select, ignore)]
    effects = _effects(programs)
    names = dict.fromkeys(text.name for p in programs for text in p.loaded.script_texts)
    names |= dict.fromkeys(map(shown_name, files_to_check.rule_files))
    return Report(
        tuple(sorted(selected, key=lambda finding: finding.order)),
        tuple(names),
        _statistics(effects),
        tuple(effects),
        tuple(shown_name(file) for file in files_to_check.library_copies),
    )


def check_script(
    path: Path,
    *,
    include: Sequence[str | Path] = (),
    limits: Budget | None = None,
    steps: int = STEPS,
) -> tuple[Program, list[Finding]]:
    """Check one main script, with the files that it loads; return all data, for editors.

    Args:
        path: The main script.
        include: As for `VM`.
        limits: As for `check_files`.
        steps: As for `check_files`.

    Returns:
        The loaded script, and the findings in the order of files and lines.

    Raises:
        ScriptFileError: The main script cannot be read.
        ForthVMError: The library cannot be loaded.
    """
    loaded = load(path, include=include, steps=steps, limits=limits)
    program = Program(loaded)
    findings = _findings([program], lambda _line: None)
    return program, sorted(findings, key=lambda finding: finding.order)


def _rule_file_findings(
    files_to_check: FilesToCheck, include: Sequence[str | Path], progress: Callable[[str], None]
) -> list[Finding]:
    """Return the findings about rule files of Zillions."""
    findings: list[Finding] = []
    for file in files_to_check.rule_files:
        progress(f"checking {file.name}")
        try:
            findings += check_rule_file(file, include)
        except ScriptFileError as error:
            if files_to_check.is_named(file):
                raise
            findings.append(Finding("E102", error.message, None, hints=error.hints))
    return findings


def _loaded_paths(programs: list[Program]) -> set[Path]:
    """Return the files that the programs have loaded."""
    texts = (text for program in programs for text in program.loaded.script_texts)
    return {text.path.resolve() for text in texts if text.path}


def _any_failed(programs: list[Program], files: list[Path]) -> bool:
    """Whether the loading of a program whose main file is in `files` failed."""
    resolved = set(files)
    return any(
        text.path.resolve() in resolved
        for program in programs
        if not program.loaded.complete
        for text in program.loaded.script_texts[:1]
        if text.path
    )


def _merge_unknown(loaded: LoadedScript) -> None:
    """Keep only the first finding about an unknown name in a file that no game loads."""
    unknown = [finding for finding in loaded.findings if finding.code == "E101"]
    if not unknown:
        return
    hint = "no game of the folder loads this file, and alone it does not load"
    loaded.findings = [finding for finding in loaded.findings if finding not in unknown]
    loaded.findings.append(replace(unknown[0], hints=(hint,)))


# --- findings ----------------------------------------------------------------------------------


def _findings(programs: list[Program], progress: Callable[[str], None]) -> list[Finding]:
    """Return all findings without duplicates and without those that comments suppress."""
    unique: dict[tuple[object, ...], Finding] = {}
    times_found: dict[tuple[object, ...], int] = {}
    times_loaded: dict[str, int] = {}
    for number, program in enumerate(programs, 1):
        progress(f"checking {number} of {len(programs)}")
        suppressed = _Suppressed(program)
        for text in {text.name for text in program.loaded.script_texts}:
            times_loaded[text] = times_loaded.get(text, 0) + 1
        for finding in {f: None for f in _all_findings(program)}:
            if not (suppressed.hides(finding) or _is_doubtful(finding, program.loaded)):
                key = (*finding.order[:4], finding.word or finding.message)
                times_found[key] = times_found.get(key, 0) + 1
                earlier = unique.setdefault(key, finding)
                if len(finding.consequences) > len(earlier.consequences):
                    unique[key] = finding
    return [f for key, f in unique.items() if not _is_refuted(f, times_found[key], times_loaded)]


def _is_doubtful(finding: Finding, loaded: LoadedScript) -> bool:
    """Whether a finding may be wrong because a part of the script was not loaded."""
    if finding in loaded.findings:
        return False
    needs_all = finding.code in IN_ALL_SCRIPTS | _NEED_ALL_TEXTS
    return (needs_all and not loaded.complete) or loaded.is_after_stop(finding.location)


def _is_refuted(finding: Finding, times_found: int, times_loaded: dict[str, int]) -> bool:
    """Whether the finding in a file was not found in all scripts that load the file."""
    if finding.code not in IN_ALL_SCRIPTS or finding.location is None:
        return False
    return times_found < times_loaded.get(finding.location.file, 1)


def _all_findings(program: Program) -> Iterable[Finding]:
    yield from program.loaded.findings
    for rule in _RULES:
        yield from rule(program)


def _is_selected(code: str, select: Sequence[str], ignore: Sequence[str]) -> bool:
    selected = not select or any(code.startswith(start) for start in select)
    return selected and not any(code.startswith(start) for start in ignore)


class _Suppressed:
    r"""The codes that comments `\ check: ignore W201` suppress, by line and by file.

    A comment applies to its own line.  A comment alone on a line also applies to the next line.
    """

    def __init__(self, program: Program) -> None:
        self._lines: dict[tuple[str, int], list[str]] = {}
        self._files: dict[str, list[str]] = {}
        for file in program.files:
            for token in file.all_tokens:
                match = _IGNORE.search(file.text.decode(token.text))
                if token.kind == COMMENT and match:
                    codes = match["codes"].upper().replace(",", " ").split() or [""]
                    self._add(file, token.start, codes, whole_file=match["file"] is not None)

    def _add(self, file: ScriptFile, start: int, codes: list[str], *, whole_file: bool) -> None:
        """Add the codes in the comment at the offset `start`."""
        name, data = file.text.name, file.text.data
        if whole_file:
            self._files.setdefault(name, []).extend(codes)
            return
        line = line_number(data, start)
        alone_on_line = not data[data.rfind(b"\n", 0, start) + 1 : start].strip()
        for number in (line, line + 1) if alone_on_line else (line,):
            self._lines.setdefault((name, number), []).extend(codes)

    def hides(self, finding: Finding) -> bool:
        """Whether a comment suppresses a finding."""
        location = finding.location
        if location is None:
            return False
        codes = [
            *self._files.get(location.file, []),
            *self._lines.get((location.file, location.line), []),
        ]
        return any(finding.code.startswith(code) for code in codes)


# --- statistics --------------------------------------------------------------------------------


def _effects(programs: list[Program]) -> list[DefinitionEffect]:
    """Return the effect of each definition; if programs share a definition, of the last program."""
    effects: dict[tuple[str, str], DefinitionEffect] = {}
    for program in programs:
        for word in program.own_words:
            if word.kind == COLON:
                effect = program.analysis.effect(word)
                location = str(program.locate(program.image.source(word.cfa)))
                effects[(location, word.name)] = DefinitionEffect(
                    word.name,
                    location,
                    str(effect),
                    effect.exact,
                    effect.assumed,
                    effect.unknown,
                    len(effect.leaves) > 1,
                )
    return list(effects.values())


def _statistics(effects: list[DefinitionEffect]) -> Statistics:
    reasons: dict[str, int] = {}
    for word in effects:
        if word.unknown:
            reason = re.sub(r"`.*`", "a word", word.unknown)
            reasons[reason] = reasons.get(reason, 0) + 1
    return Statistics(
        definitions=len(effects),
        exact=sum(word.exact for word in effects),
        assumed=sum(not (word.unknown or word.exact or word.several) for word in effects),
        unknown=sum(bool(word.unknown) for word in effects),
        reasons=dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0]))),
        several=sum(word.several for word in effects),
    )

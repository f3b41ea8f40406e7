"""`forthvm test`: runs the tests beside games.

Owns the options and the output; the package forthvm.testing runs the tests.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.files import file_errors, path_or_bundled
from forthvm.cli.options import Option, integer, seconds
from forthvm.cli.status import FAILED, OK, UsageError
from forthvm.cli.terminal import Screen, StatusLine
from forthvm.core.loading.files import shown_name
from forthvm.core.text.visible import visible
from forthvm.core.text.wording import counted, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from forthvm.testing import Case, Result, Suite
    from forthvm.testing.coverage import Coverage

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Runs the tests of games: position tests in `.test` files, and counts of move sequences in `.perft`
files.  PATH is such a file, one of its tests (FILE:LINE), a script or rule file with tests beside
it, or a folder.  A test that takes longer than --seconds ends the tests of its file.  Ctrl-C ends
the command.

Exit status: 0; 1 if a test fails or cannot be run."""
EPILOG = """\
examples:
  forthvm test
  forthvm test my-game.4th
  forthvm test my-game.test:12
  forthvm test games -k capture --junit results.xml"""

OUTCOMES = {"passed": "32", "failed": "31", "error": "31", "skipped": "33"}
"""The outcomes of tests, and their colours."""
_LABELS = {"error": "could not be run"}
_HANGS = ("W313", "W413")
"""Findings about loops that never end, and about steps that fail for ever at the edge."""

OPTIONS = (
    Option("[PATH ...]", default=["."], help="a file or a folder (default: the current folder)"),
    Option("-k TEXT", default="", help="only tests with TEXT in their names"),
    Option("--list", help="only list the tests"),
    Option("--json", help="print a JSON object per line"),
    Option("--junit FILE", Path, help="also write JUnit XML to FILE"),
    Option("--coverage FOLDER", Path,
        help="write pages in HTML about the lines and words that position tests run to FOLDER"),
    Option("--seconds N", seconds, 20.0,
        help="time limit of each test (default 20; 0: none); the first test that reaches it ends "
        "the tests of its file"),
    Option("--max-count N", integer(0), 1_000_000,
        help="skip larger counts in .perft files (default 1,000,000)"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Runs the tests."""
    from forthvm.testing import run_cases
    from forthvm.testing.coverage import Coverage

    coverage = Coverage() if args.coverage and not args.list else None
    output = _JsonOutput() if args.json else _TextOutput()
    results: list[Result] = []
    possible_hangs = cache(_possible_hangs)
    run_tests = partial(
        run_cases, seconds=args.seconds, max_count=args.max_count, coverage=coverage
    )

    def report(result: Result) -> None:
        results.append(result)
        output.result(result)

    number = total = 0
    files = _files(args.paths)
    for file, lines in files.items():
        suite = _read(file, output.list if args.json else lambda _: None, report)
        cases = _chosen(suite, lines, args.k) if suite else []
        number += len(cases)
        total += len(suite.cases) if suite else 0
        if args.list or args.json:
            output.list(cases)
        if suite and cases and not args.list:
            warnings = possible_hangs(suite.program)
            output.warnings(suite.path, warnings)
            for result in run_tests(suite, output.announced(cases, args.seconds)):
                _add_hints(result, warnings)
                report(result)
    if not number and not results:
        raise UsageError(_reason_of_no_tests(files, has_tests=total > 0))
    counts = {name: sum(one.outcome == name for one in results) for name in OUTCOMES}
    if not args.list:
        output.end(counts)
    if args.junit is not None:
        _write_junit(args.junit, results)
    if coverage is not None:
        _write_coverage(args.coverage, coverage)
    return FAILED if counts["failed"] or counts["error"] else OK


def _files(paths: Iterable[str]) -> dict[Path, set[int | None]]:
    """Returns the files with tests, each with the lines that the arguments name (None: all)."""
    from forthvm.core.errors import ScriptFileError
    from forthvm.testing.files import files_with_tests, split_line

    files: dict[Path, set[int | None]] = {}
    names: dict[Path, Path] = {}  # two arguments may name a file in two ways
    for text in paths:
        path, line = split_line(text)
        try:
            found = files_with_tests(path_or_bundled(path))
        except ScriptFileError as error:
            raise UsageError(error.short_message()) from error
        if line is not None and found != [path]:
            raise UsageError(f"{text}: only a .test or .perft file has tests at lines")
        for file in found:
            files.setdefault(names.setdefault(file.resolve(), file), set()).add(line)
    return files


def _read(
    file: Path, announce: Callable[[Sequence[Case]], None], report: Callable[[Result], None]
) -> Suite | None:
    """Reads a file; a file that cannot be read counts as a test that cannot be run."""
    from forthvm.core.failure import ForthVMError
    from forthvm.testing import Case, Result, read_suite

    try:
        return read_suite(file)
    except ForthVMError as error:
        line = error.location.line if error.location else 1
        error.hints = (*error.hints, f"no test of {file.name} runs until this is corrected")
        case = Case(file, line, f"reading {file.name}", "file", ())
        announce([case])
        report(Result(case, "error", error))
        return None


def _possible_hangs(program: Path) -> list[str]:
    """Returns what `forthvm check` finds in a script that may keep a test running."""
    from forthvm.check import check_files
    from forthvm.check.files_to_check import is_rule_file
    from forthvm.core.errors import ForthVMError

    if is_rule_file(program):  # the check finds no such mistakes in rule files
        return []
    with suppress(ForthVMError, OSError):  # it cannot be read: the errors of the tests say so
        return [str(finding) for finding in check_files([program], select=_HANGS).findings]
    return []


def _add_hints(result: Result, warnings: Sequence[str]) -> None:
    """Adds warnings to the error of a test that has reached the time limit."""
    from forthvm.core.errors import TimeLimitExceeded

    if isinstance(result.error, TimeLimitExceeded):
        result.error.hints = (*warnings, *result.error.hints)


def _chosen(suite: Suite, lines: set[int | None], text: str) -> list[Case]:
    """Returns the tests at some lines (None: all) that have a text in their names."""
    cases = [case for case in suite.cases if text.lower() in case.name.lower()]
    if None in lines:
        return cases
    named = [suite.case_at(line) for line in lines if line is not None]
    return [case for case in cases if case in named]


def _reason_of_no_tests(files: Iterable[Path], *, has_tests: bool) -> str:
    if has_tests:
        return "no test of these files is chosen: --list shows the tests"
    names = [str(file) for file in files]
    if not names:
        return "there are no tests, that is files .test or .perft"
    return f"{joined(names)} {'contains' if len(names) == 1 else 'contain'} no tests"


def _write_junit(path: Path, results: Sequence[Result]) -> None:
    from forthvm.testing import junit_xml

    with file_errors("write", path):
        path.write_bytes(junit_xml(results))


def _write_coverage(folder: Path, coverage: Coverage) -> None:
    from forthvm.testing.coverage_pages import CoverageFolderError, write_pages

    try:
        with file_errors("write", folder):
            write_pages(coverage.files(), folder)
    except CoverageFolderError as error:
        raise UsageError(str(error)) from error


# --- output ----------------------------------------------------------------------------


class _TextOutput:
    """Prints results for people: the tests of each file below its name."""

    def __init__(self) -> None:
        self._screen = Screen()
        self._status = StatusLine()
        self._path: Path | None = None
        self._last_report: list[str] = []
        self._last_warnings: Sequence[str] = []

    def list(self, cases: Sequence[Case]) -> None:
        for case in cases:
            print(f"{case.id}: {case.name}")

    def announced(self, cases: Iterable[Case], seconds: float) -> Iterator[Case]:
        """Yields tests; a terminal shows which test is running."""
        limit = f" (at most {seconds:g} s)" if seconds else ""
        for case in cases:
            self._show_file(case.path)
            self._status(f"  running  {case.name}{limit}; Ctrl-C ends")
            yield case

    def warnings(self, path: Path, warnings: Sequence[str]) -> None:
        """Shows what may keep the tests of a file running, once for several files of a game."""
        if warnings and warnings != self._last_warnings:
            self._last_warnings = warnings
            self._show_file(path)
            self._screen.print_lines(self._screen.fitted(warnings, "  "))
            sys.stdout.flush()

    def _show_file(self, path: Path) -> None:
        if path != self._path:
            self._path, self._last_report = path, []
            print(path, flush=True)

    def result(self, result: Result) -> None:
        case = result.case
        self._show_file(case.path)
        self._status.clear()
        label = f"{result.outcome:7}"
        reason = f" ({result.reason})" if result.reason else ""
        name = f"{visible(case.name)}{visible(reason)}"
        first, *others = self._screen.fitted([name], " " * len(f"  {label}  "))
        if self._screen.colour:
            label = f"\x1b[{OUTCOMES[result.outcome]}m{label}\x1b[0m"
        self._screen.print_styled("\n".join([f"  {label}  {first.lstrip()}", *others]))
        if result.error:
            report = self._screen.report(result.error, "    ")
            # A game that cannot be loaded fails all its tests.
            self._screen.print_lines(report if report != self._last_report else ["    as above"])
            self._last_report = report
        sys.stdout.flush()

    def end(self, counts: Mapping[str, int]) -> None:
        parts = [f"{count} {_LABELS.get(name, name)}" for name, count in counts.items() if count]
        print(f"{counted(sum(counts.values()), 'test')}: {', '.join(parts)}")


class _JsonOutput:
    """Prints a JSON object per line, for programs."""

    def list(self, cases: Sequence[Case]) -> None:
        for case in cases:
            self._print(
                event="test",
                id=case.id,
                name=case.name,
                file=str(case.path.resolve()),
                line=case.line,
                kind=case.kind,
            )

    def warnings(self, path: Path, warnings: Sequence[str]) -> None:
        """Prints nothing: the result of a test that does not end has the warnings."""

    def announced(self, cases: Iterable[Case], seconds: float) -> Iterable[Case]:
        return cases

    def result(self, result: Result) -> None:
        place = result.error.location if result.error else None
        own_file = shown_name(result.case.path)
        self._print(
            event="result",
            id=result.case.id,
            outcome=result.outcome,
            message=result.message,
            seconds=round(result.seconds, 3),
            **({"location": str(place)} if place else {}),
            **({"failedLine": place.line} if place and place.file == own_file else {}),
        )

    def end(self, counts: Mapping[str, int]) -> None:
        self._print(
            event="end",
            passed=counts["passed"],
            failed=counts["failed"],
            errors=counts["error"],
            skipped=counts["skipped"],
        )

    def _print(self, **fields: object) -> None:
        print(json.dumps(fields), flush=True)

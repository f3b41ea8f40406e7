"""`forthvm watch`: checks games again when one of their files is saved.

Owns the polling of files, and the order of the runs.  Delegates the analysis of scripts to
forthvm.check.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.options import Option, seconds
from forthvm.cli.status import OK, UsageError
from forthvm.cli.terminal import Screen, StatusLine
from forthvm.core.text.visible import visible
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from forthvm.testing import Case, Result

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "Watcher", "run"]

DESCRIPTION = """\
Checks games, and runs their tests, whenever a file is saved.  The files of a game are its script,
the files that it loads, in any folder, and its tests: the files .test and .perft of the same name.
Only games whose files have changed run again.  A test that takes longer than
--seconds ends the tests of its file.  Ctrl-C ends the command."""
EPILOG = """\
examples:
  forthvm watch
  forthvm watch game.4th
  forthvm watch games other/game.zrf"""

INTERVAL = 0.4  # seconds between two looks at the files
SETTLE = 0.1  # an editor may write a file in several steps: the files must not change for this time
SHARE = 10  # looking at the files takes at most a tenth of the time
_INDENT = 4  # of the reports of failed tests
SECONDS = 5.0  # the default time limit of each test
MAX_PERFT = 50_000  # larger counts take too long to be repeated after each change

Stamps = dict[Path, tuple[int, int, int] | None]

OPTIONS = (
    Option("[PATH ...]", Path, [Path()],
        help="a script, a rule file (.zrf), or a folder of them (default: the current folder)"),
    Option("--seconds N", seconds, SECONDS,
        help=f"time limit of each test (default {SECONDS:g}; 0: none)"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Watches the files until Ctrl-C."""
    for path in args.paths:
        if not path.exists():
            raise UsageError(f"there is no file or folder {path}")
    watcher = Watcher(args.paths, args.seconds)
    try:
        while True:
            began = time.monotonic()
            watcher.run_changed()
            time.sleep(max(INTERVAL, SHARE * watcher.scan_seconds - (time.monotonic() - began)))
    except KeyboardInterrupt:
        print()
        return OK


class Watcher:
    """The games below paths, with the state of their files when they ran last.

    Attributes:
        scan_seconds: Time that the last look at the files took.
    """

    def __init__(self, paths: Iterable[Path], seconds: float = SECONDS) -> None:
        """Begins to watch paths; `seconds` is the time limit of each test."""
        self._paths = list(paths)
        self._seconds = seconds
        self._games: dict[Path, Stamps] = {}
        self._failed: dict[Path, list[str]] = {}  # what the last run of each game printed
        self._last: Stamps | None = None
        self.scan_seconds = 0.0

    def run_changed(self) -> list[Path]:
        """Runs the games whose files have changed since they ran; returns their scripts."""
        now = self._look()
        if now == self._last:
            return []
        while True:
            time.sleep(SETTLE)
            later = self._look()
            if later == now:
                break
            now = later
        # A new or deleted file may end or cause the error of any game that could not be loaded.
        same_files = self._last is not None and _existing(now) == _existing(self._last)
        scripts = self._scripts()
        count = len(self._games)
        self._games = {path: self._games[path] for path in scripts if path in self._games}
        changed = [
            path
            for path in scripts
            if path not in self._games
            or any(now.get(file, _stamp(file)) != old for file, old in self._games[path].items())
        ]
        ran = [
            path for path in scripts if path in changed or (path in self._failed and not same_files)
        ]
        has_printed = [self._run(path, is_retry=path not in changed) for path in ran]
        if any(has_printed) or self._last is None or len(scripts) != count:
            print(f"watching {counted(len(scripts), 'game')}; Ctrl-C ends", flush=True)
        # The stamps from before the runs: a file that changed since then causes another run.
        seen = {
            file: stamp for files in self._games.values() for file, stamp in files.items()
        } | now
        self._last = {file: seen.get(file) for file in self._look()}
        return ran

    def _look(self) -> Stamps:
        """Returns the stamps of all files that matter."""
        from forthvm.check.files_to_check import scripts_in

        began = time.monotonic()
        files = {file for files in self._games.values() for file in files}
        for path in self._paths:
            files.update(scripts_in(path) if path.is_dir() else [path])
        stamps = {file: _stamp(file) for file in files}
        self.scan_seconds = time.monotonic() - began
        return stamps

    def _scripts(self) -> list[Path]:
        from forthvm.check.files_to_check import FilesToCheck

        files = FilesToCheck([path for path in self._paths if path.exists()], ())
        return [*files.main_scripts, *files.rule_files]

    def _run(self, script: Path, *, is_retry: bool) -> bool:
        """Checks a game and runs its tests if there are no errors; returns whether it printed.

        Args:
            script: The game.
            is_retry: Whether no file of the game has changed, so that the same errors as before
                are not printed.
        """
        tests = [script.with_suffix(suffix) for suffix in (".test", ".perft")]
        # Taken before the run, so that a file that changes during it causes another.
        stamps = {file: _stamp(file) for file in {script, *tests, *self._games.get(script, ())}}
        title = f"{time.strftime('%H:%M:%S')} {script}"
        if not is_retry:
            print(title, flush=True)
        screen = Screen()
        shown: list[str] = []  # before a retry ends it is not known whether anything is printed

        def show(lines: Sequence[str]) -> None:
            shown.extend(lines)
            if not is_retry:
                screen.print_lines(screen.fitted(lines, "  "))
                sys.stdout.flush()

        files, ok = _check(script, show)
        if ok:
            ok = _test([file for file in tests if file.is_file()], self._seconds, show)
        for file in files:
            stamps.setdefault(file, _stamp(file))
        self._games[script] = stamps
        if is_retry and shown == self._failed[script]:
            return False
        if is_retry:
            print(title)
            screen.print_lines(screen.fitted(shown, "  "))
        self._failed.pop(script, None)
        if not ok:
            self._failed[script] = shown
        return True


def _existing(stamps: Stamps) -> set[Path]:
    return {file for file, stamp in stamps.items() if stamp is not None}


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Returns what changes when a file is saved; the inode changes if an editor replaces it."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _check(script: Path, show: Callable[[Sequence[str]], None]) -> tuple[list[Path], bool]:
    """Shows the findings of a game; returns its files, and whether there is no error."""
    from forthvm.check import check_files
    from forthvm.core.errors import ForthVMError

    try:
        report = check_files([script], ignore=["I"])
    except (ForthVMError, OSError) as error:
        show(_report(error))
        return [], False
    findings = [line for finding in report.findings for line in finding.report().splitlines()]
    show([*findings, report.summary])
    return [Path(file) for file in report.files], not report.count("error")


def _test(files: Sequence[Path], seconds: float, show: Callable[[Sequence[str]], None]) -> bool:
    """Shows the tests of a game that fail; returns whether none fails."""
    from forthvm.core.errors import ForthVMError
    from forthvm.testing import NOT_RUN, read_suite, run_cases

    if not files:
        return True

    def announced(cases: Iterable[Case]) -> Iterator[Case]:
        for case in cases:
            status(f"  running {case.path.name}: {case.name}")
            yield case

    results: list[Result] = []
    status = StatusLine()
    try:
        for suite in [read_suite(file) for file in files]:
            results += run_cases(
                suite,
                announced(suite.cases),
                seconds=seconds,
                max_count=MAX_PERFT,
            )
    except (ForthVMError, OSError) as error:
        show(_report(error))
        return False
    finally:
        status.clear()
    failures = [result for result in results if result.error]
    lines: list[str] = []
    last: list[str] = []
    for result in failures:
        report = _report(result.error)
        lines.append(f"{result.outcome}: {visible(result.case.name)}")
        # A game that cannot be loaded fails all its tests.
        lines += [f"  {line}" for line in (report if report != last else ["as above"])]
        last = report
    passed = sum(result.outcome == "passed" for result in results)
    not_run = sum(result.reason == NOT_RUN for result in results)
    lines.append(
        f"{counted(passed, 'test')} passed"
        + f", {len(failures)} failed" * bool(failures)
        + f", {not_run} not run, since a test took longer than {seconds:g} s" * bool(not_run)
    )
    show(lines)
    return not failures


def _report(error: Exception | None) -> list[str]:
    from forthvm.core.errors import ForthVMError

    if not isinstance(error, ForthVMError):
        return str(error).splitlines()
    width = Screen().terminal_width
    return error.report(None if width is None else width - _INDENT).splitlines()

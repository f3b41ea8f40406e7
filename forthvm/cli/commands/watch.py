"""`forthvm watch`: checks games again when one of their files is saved.

Owns the polling of files, and the order of the runs.  The package forthvm.check analyses scripts;
this file must not know how.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.status import OK, UsageError
from forthvm.cli.terminal import Screen
from forthvm.core.text.visible import visible
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["DESCRIPTION", "EPILOG", "Watcher", "configure", "run"]

DESCRIPTION = """\
Checks games, and runs their tests, whenever a file is saved.  The files of a game are its script,
the files that it loads, in any folder, and its tests: the files .test and .perft of the same name.
Only games whose files have changed run again.  Ctrl-C ends the command."""
EPILOG = """\
examples:
  forthvm watch
  forthvm watch game.4th
  forthvm watch games other/game.zrf"""

INTERVAL = 0.4  # seconds between two looks at the files
SETTLE = 0.1  # an editor may write a file in several steps: the files must not change for this time
SHARE = 10  # looking at the files takes at most a tenth of the time
_INDENT = 4  # of the reports of failed tests
MAX_PERFT = 50_000  # larger counts take too long to be repeated after each change

Stamps = dict[Path, tuple[int, int, int] | None]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        type=Path,
        default=[Path()],
        help="a script, a rule file (.zrf), or a folder of them (default: the current folder)",
    )


def run(args: argparse.Namespace) -> int:
    """Watches the files until Ctrl-C."""
    for path in args.paths:
        if not path.exists():
            raise UsageError(f"there is no file or folder {path}")
    watcher = Watcher(args.paths)
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

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths = list(paths)
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
        lines, files, ok = _check(script, [file for file in tests if file.is_file()])
        for file in files:
            stamps.setdefault(file, _stamp(file))
        self._games[script] = stamps
        if is_retry and lines == self._failed[script]:
            return False
        if is_retry:
            print(title)
        screen = Screen()
        screen.print_lines(screen.fitted(lines, "  "))
        self._failed.pop(script, None)
        if not ok:
            self._failed[script] = lines
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


def _check(script: Path, tests: Sequence[Path]) -> tuple[list[str], list[Path], bool]:
    """Returns the findings and failed tests of a game, its files, and whether it is in order."""
    from forthvm.check import check_files
    from forthvm.core.errors import ForthVMError

    lines: list[str] = []
    files: list[Path] = []
    try:
        report = check_files([script], ignore=["I"])
        files += map(Path, report.files)
        for finding in report.findings:
            lines += finding.report().splitlines()
        lines.append(report.summary)
        is_in_order = not report.count("error")
        if is_in_order and tests:
            lines_of_tests, is_in_order = _test(tests)
            lines += lines_of_tests
    except (ForthVMError, OSError) as error:
        return [*lines, *_report(error)], files, False
    return lines, files, is_in_order


def _test(files: Iterable[Path]) -> tuple[list[str], bool]:
    """Returns the tests of a game that fail, and whether none fails."""
    from forthvm.testing import read_suite, run_cases

    suites = [read_suite(file) for file in files]
    results = [
        result for suite in suites for result in run_cases(suite, suite.cases, max_count=MAX_PERFT)
    ]
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
    lines.append(f"{counted(passed, 'test')} passed" + f", {len(failures)} failed" * bool(failures))
    return lines, not failures


def _report(error: Exception | None) -> list[str]:
    from forthvm.core.errors import ForthVMError

    if not isinstance(error, ForthVMError):
        return str(error).splitlines()
    width = Screen().terminal_width
    return error.report(None if width is None else width - _INDENT).splitlines()

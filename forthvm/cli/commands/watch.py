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
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

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
        self._failed: set[Path] = set()
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
        self._games = {path: self._games[path] for path in scripts if path in self._games}
        ran = [
            path
            for path in scripts
            if path not in self._games
            or any(now.get(file, _stamp(file)) != old for file, old in self._games[path].items())
            or (path in self._failed and not same_files)
        ]
        for path in ran:
            self._run(path)
        if ran or self._last is None:
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

    def _run(self, script: Path) -> None:
        """Checks a game and prints the findings; its tests run if there are no errors."""
        from forthvm.check import check_files
        from forthvm.core.errors import ForthVMError

        tests = [script.with_suffix(suffix) for suffix in (".test", ".perft")]
        # Taken before the run, so that a file that changes during it causes another.
        stamps = {file: _stamp(file) for file in {script, *tests, *self._games.get(script, ())}}
        print(f"{time.strftime('%H:%M:%S')} {script}", flush=True)
        ok = False
        try:
            report = check_files([script], ignore=["I"])
            for file in map(Path, report.files):
                stamps.setdefault(file, _stamp(file))
            for finding in report.findings:
                print(f"  {finding}")
            print(f"  {report.summary}")
            ok = not report.count("error")
            if ok and any(file.is_file() for file in tests):
                ok = _test([file for file in tests if file.is_file()])
        except (ForthVMError, OSError) as error:
            print(f"  {error}")
        self._games[script] = stamps
        (self._failed.discard if ok else self._failed.add)(script)


def _existing(stamps: Stamps) -> set[Path]:
    return {file for file, stamp in stamps.items() if stamp is not None}


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Returns what changes when a file is saved; the inode changes if an editor replaces it."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _test(files: Iterable[Path]) -> bool:
    """Runs the tests of a game and prints those that fail; returns whether none fails."""
    from forthvm.testing import read_suite, run_cases

    suites = [read_suite(file) for file in files]
    results = [
        result for suite in suites for result in run_cases(suite, suite.cases, max_count=MAX_PERFT)
    ]
    failures = [result for result in results if result.error]
    for result in failures:
        print(f"  {result.outcome}: {result.case.name}: {result.message}")
    passed = sum(result.outcome == "passed" for result in results)
    print(f"  {counted(passed, 'test')} passed" + f", {len(failures)} failed" * bool(failures))
    return not failures

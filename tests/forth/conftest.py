"""Collects the .4th files of this folder: each file is a test, run once in one VM."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forth.tline import FileRun, Step

FOLDER = Path(__file__).resolve().parent


class ForthFile(pytest.File):
    """A file of test lines (`T{` or `expect`) and of other lines, which must load silently."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield one item."""
        yield ForthItem.from_parent(self, name="lines", run=FileRun(self.path))


class ForthItem(pytest.Item):
    """The lines of a file."""

    def __init__(self, *, run: FileRun, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.run = run

    def runtest(self) -> None:
        """Fail if the result of a line differs from the expected one."""
        results = ((step, self.run.result(step.number)) for step in self.run.steps)
        if failures := [self._described(step, found) for step, found in results if found]:
            raise AssertionError("\n".join(failures))

    def _described(self, step: Step, message: str) -> str:
        """Return file, line, source and the difference."""
        source = step.source.splitlines()[-1].strip()
        expected = "" if step.expected is None else f" -> {step.expected} }}T"
        return f"{self.path.name}:{step.number}: {source}{expected}\n    {message}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:  # type: ignore[override]
        """Return the message, without the traceback through this file."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the location of the file."""
        return self.path, 0, self.path.name


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ForthFile | None:
    """Collect the .4th files directly in this folder."""
    if file_path.suffix == ".4th" and file_path.parent == FOLDER:
        return ForthFile.from_parent(parent, path=file_path)
    return None

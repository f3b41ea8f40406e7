"""Collects the .4th files of this folder: each line with `T{` or `expect` is a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forth.tline import FileRun, Step

FOLDER = Path(__file__).resolve().parent


class ForthFile(pytest.File):
    """A file of tests, run once in one VM."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for each test line, and one item for all other lines."""
        run = FileRun(self.path)
        yield SourceItem.from_parent(self, name="source", run=run)
        for step in run.steps:
            if step.is_test:
                yield LineItem.from_parent(self, name=f"line{step.number}", run=run, step=step)


class LineItem(pytest.Item):
    """A test line."""

    def __init__(self, *, run: FileRun, step: Step, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.run = run
        self.step = step

    def runtest(self) -> None:
        """Fail if the result of the line differs from the expected one."""
        message = self.run.result(self.step.number)
        if message is not None:
            raise AssertionError(message)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:  # type: ignore[override]
        """Return file, line, source and the difference."""
        source = self.step.source.splitlines()[-1].strip()
        expected = "" if self.step.expected is None else f" -> {self.step.expected} }}T"
        return f"{self.path.name}:{self.step.number}: {source}{expected}\n    {excinfo.value}"

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the location of the line."""
        return self.path, self.step.number - 1, f"{self.path.name}:{self.step.number}"


class SourceItem(pytest.Item):
    """The source lines that are not tests: they must load without errors and print nothing."""

    def __init__(self, *, run: FileRun, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.run = run

    def runtest(self) -> None:
        """Fail with the first source line that has an error."""
        for step in self.run.steps:
            if not step.is_test and (message := self.run.result(step.number)):
                raise AssertionError(f"{self.path.name}:{step.number}: {message}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:  # type: ignore[override]
        """Return the message."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the location of the file."""
        return self.path, 0, self.path.name


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ForthFile | None:
    """Collect the .4th files directly in this folder."""
    if file_path.suffix == ".4th" and file_path.parent == FOLDER:
        return ForthFile.from_parent(parent, path=file_path)
    return None

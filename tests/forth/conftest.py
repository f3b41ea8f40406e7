"""Collects every .4th file here: one pytest item for each `T{` line and each `expect` line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forth.tline import FileRun, Line

HERE = Path(__file__).resolve().parent


class ForthFile(pytest.File):
    """A file of tests, run once in one VM."""

    def collect(self) -> Iterator[pytest.Item]:
        """Items for the lines that state something; source without a claim has none.

        A broken source line makes the whole file fail through its first item.
        """
        run = FileRun(self.path)
        yield SourceItem.from_parent(self, name="source", run=run)
        for step in run.steps:
            if step.is_test:
                yield LineItem.from_parent(self, name=f"line{step.number}", run=run, step=step)


class LineItem(pytest.Item):
    """One line."""

    def __init__(self, *, run: FileRun, step: Line, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]
        self.run = run
        self.step = step

    def runtest(self) -> None:
        """Fails with the line and what differed."""
        message = self.run.result(self.step.number)
        if message is not None:
            raise AssertionError(message)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:  # type: ignore[override]
        """File, line, source and the difference."""
        source = self.step.source.splitlines()[-1].strip()
        want = "" if self.step.want is None else f" -> {self.step.want} }}T"
        return f"{self.path.name}:{self.step.number}: {source}{want}\n    {excinfo.value}"

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the line is."""
        return self.path, self.step.number - 1, f"{self.path.name}:{self.step.number}"


class SourceItem(pytest.Item):
    """The lines without a claim must load without an error and print nothing."""

    def __init__(self, *, run: FileRun, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]
        self.run = run

    def runtest(self) -> None:
        """Fails with the first broken source line."""
        for step in self.run.steps:
            if not step.is_test and (message := self.run.result(step.number)):
                raise AssertionError(f"{self.path.name}:{step.number}: {message}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:  # type: ignore[override]
        """The message alone."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The file."""
        return self.path, 0, self.path.name


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ForthFile | None:
    """The .4th files directly in this folder."""
    if file_path.suffix == ".4th" and file_path.parent == HERE:
        return ForthFile.from_parent(parent, path=file_path)
    return None

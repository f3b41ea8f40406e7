"""The fixture `check`, which checks a text as a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from forthvm.check import Report, check_files

Checker = Callable[..., Report]


@pytest.fixture
def check(tmp_path: Path) -> Checker:
    """Return a function that writes a script and returns the report on it."""

    def run(text: str, **options: object) -> Report:
        path = tmp_path / ("rules.zrf" if text.startswith("(game") else "script.4th")
        (tmp_path / "board.bmp").write_bytes(b"")  # a picture for rule files
        path.write_text(text + "\n", encoding="utf-8")
        return check_files([path], **options)  # type: ignore[arg-type]

    return run

"""`forthvm repl --std 2012`: standard Forth at the prompt and in pipes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest


def test_files(cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        'S" a.fth" W/O CREATE-FILE THROW S" 1 2 + ." 2 PICK WRITE-LINE THROW CLOSE-FILE THROW',
        "INCLUDE a.fth",
        'S" ../b.fth" W/O CREATE-FILE . DROP',
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    result = cli("repl", "--std", "2012", "--files", tmp_path)
    assert (result.status, result.out.split(), result.err) == (0, ["3", "-63"], "")
    assert (tmp_path / "a.fth").read_text(encoding="utf-8") == "1 2 + .\n"


def test_files_are_for_standard_forth(cli: Callable[..., Any], tmp_path: Path) -> None:
    result = cli("repl", "--files", tmp_path)
    assert result.status == 2
    assert "--std" in result.err

"""Tests of LOAD: inside a line, with names in any case, both separators and special characters."""

from __future__ import annotations

from pathlib import Path

from forthvm.core.vm import VM

LOADED = Path(__file__).resolve().parent / "loaded"


def test_load_finds_files_of_all_names() -> None:
    printed: list[str] = []
    vm = VM(output=printed.append)
    vm.load(LOADED / "main.4th")
    assert "".join(printed) == "5 6 1 7 "

"""Files that tests write, and the fixture `in_folder`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

__all__ = ["in_folder", "write", "write_files"]


def write(path: Path, content: str | bytes) -> Path:
    """Write a text as UTF-8, or bytes, to a file whose folders are created; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files, given by their names, which may name folders; return the folder."""
    for name, content in files.items():
        write(folder / name, content)
    return folder


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the temporary folder the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path

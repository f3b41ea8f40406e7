"""The remembered folders of a library."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.failure import ForthVMError
from forthvm.library.folders import LibraryFolders


def test_folders_are_remembered_in_the_order_of_adding(tmp_path: Path) -> None:
    file = tmp_path / "settings" / "library.json"
    folders = LibraryFolders(file)
    assert folders.all() == ()
    one, two = tmp_path / "one", tmp_path / "two \udcff"
    for folder in (two, one, two):
        folders.add(folder)
    assert LibraryFolders(file).all() == (two, one)
    assert folders.remove(two)
    assert not folders.remove(two)
    assert LibraryFolders(file).all() == (one,)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"folders": 1}', '{"folders": [1]}', "{}", "\xff", "[" * 100_000]
)
def test_damaged_file_is_reported_and_kept(tmp_path: Path, text: str) -> None:
    file = tmp_path / "library.json"
    file.write_bytes(text.encode("latin-1"))
    folders = LibraryFolders(file)
    with pytest.raises(ForthVMError, match=r"library\.json"):
        folders.add(tmp_path)
    assert file.read_bytes() == text.encode("latin-1")

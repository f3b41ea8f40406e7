"""The limit of all unpacked archives."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from forthvm.library import unpacked
from forthvm.library.unpacked import UnpackedArchives

BLOCK = 4096


@pytest.fixture(autouse=True)
def _limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacked, "MOST_BYTES", 3 * BLOCK)


def put(archives: UnpackedArchives, name: str, *, blocks: int = 1, used: int = 0) -> Path:
    """Put files into the folder of an archive that was last used at a time."""
    folder = archives.folder_of(Path(name), "state")
    folder.mkdir(parents=True)
    for at in range(blocks):
        (folder / f"{at}.zrf").write_text("rules")
    os.utime(folder, (used, used))
    return folder


def test_what_was_used_least_recently_is_removed(tmp_path: Path) -> None:
    earlier = UnpackedArchives(tmp_path)
    first, second, third = (put(earlier, name, used=at) for at, name in enumerate("abc"))
    archives = UnpackedArchives(tmp_path)
    assert archives.folder_of(Path("a"), "state") == first
    new = put(archives, "d")
    assert archives.keep(new)
    assert [folder.is_dir() for folder in (first, second, third, new)] == [True, False, True, True]


def test_an_archive_is_not_kept_if_all_others_are_used(tmp_path: Path) -> None:
    archives = UnpackedArchives(tmp_path)
    first, second = put(archives, "a", blocks=2), put(archives, "b", blocks=2)
    assert archives.keep(first)
    assert not archives.keep(second)
    assert (first.is_dir(), second.exists()) == (True, False)
    third = put(archives, "c")
    assert archives.keep(third)


def test_small_files_count_as_blocks(tmp_path: Path) -> None:
    archives = UnpackedArchives(tmp_path)
    assert archives.keep(put(archives, "a", blocks=3))
    archives = UnpackedArchives(tmp_path / "other")
    assert not archives.keep(put(archives, "a", blocks=4))

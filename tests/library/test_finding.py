"""Which files below a folder may belong to a library."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from forthvm.library import finding
from forthvm.library.entry import Entry
from forthvm.library.finding import files_below
from tests.systems import needs_links, needs_pipes


def names(folder: Path) -> list[str]:
    found = [each for each in files_below(folder) if isinstance(each, Path)]
    return [path.relative_to(folder).as_posix() for path in found]


def problems(folder: Path) -> list[Entry]:
    return [each for each in files_below(folder) if isinstance(each, Entry)]


def test_files_are_found_by_their_names_in_alphabetical_order(tmp_path: Path) -> None:
    for name in ("b/Two.ZRF", "b/deep/er/one.zsg", "a/x.4th", "x.json", "x.db", "all.zip"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for name in ("notes.txt", ".hidden.zrf", "b/picture.bmp"):
        (tmp_path / name).touch()
    (tmp_path / "folder.zrf").mkdir()
    assert names(tmp_path) == [
        "all.zip",
        "x.db",
        "x.json",
        "a/x.4th",
        "b/Two.ZRF",
        "b/deep/er/one.zsg",
    ]
    assert not problems(tmp_path)


@needs_links
def test_links_do_not_lead_out_of_the_folder_or_in_circles(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (tmp_path / "secret.zrf").touch()
    (folder / "real.zrf").touch()
    (folder / "inside.zrf").symlink_to(folder / "real.zrf")
    (folder / "outside.zrf").symlink_to(tmp_path / "secret.zrf")
    (folder / "circle").symlink_to(folder)
    assert names(folder) == ["inside.zrf", "real.zrf"]


@needs_pipes
def test_pipes_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.zrf")
    assert not names(tmp_path)


def test_unreadable_folders_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "locked").mkdir()
    (tmp_path / "z.zrf").touch()
    scandir = os.scandir

    def refuse(path: Path) -> object:  # the user of the tests may be allowed to read any folder
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    (problem,) = problems(tmp_path)
    assert (problem.kind, problem.title, problem.reason) == (
        "folder",
        "locked",
        "Permission denied",
    )
    assert names(tmp_path) == ["z.zrf"]


def test_missing_folder_is_reported(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path / "gone")
    assert problem.reason


def test_number_and_depth_of_files_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.zrf", "b.zrf", "c.zrf"):
        (tmp_path / name).touch()
    monkeypatch.setattr(finding, "MAX_FILES", 2)
    assert names(tmp_path) == ["a.zrf", "b.zrf"]
    (problem,) = problems(tmp_path)
    assert "2 files" in problem.reason

    deep = tmp_path / "deep"
    (deep / "1" / "2").mkdir(parents=True)
    (deep / "1" / "2" / "x.zrf").touch()
    monkeypatch.setattr(finding, "MAX_DEPTH", 1)
    assert not names(deep)
    (problem,) = problems(deep)
    assert problem.title == "1"

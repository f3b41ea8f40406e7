"""Tests of opening files without following links, and of replacing files as a whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from forthvm.system import files
from forthvm.system.files import (
    failure_reason,
    long_path,
    open_below,
    open_file,
    remove,
    remove_folder,
    rename,
    replace_file,
    short_path,
)
from tests.kit.cases import each_case
from tests.kit.files import write
from tests.systems import needs_links

IS_LINK = "links|directory"  # the texts of ELOOP and ENOTDIR
ACCESS_DENIED, SHARING_VIOLATION = 5, 32


def held(winerror: int) -> PermissionError:
    """Returns the error of Windows for a file that another program has open."""
    error = PermissionError("held")
    error.winerror = winerror  # type: ignore[attr-defined]
    return error


def failing(
    monkeypatch: pytest.MonkeyPatch, name: str, errors: list[PermissionError]
) -> list[float]:
    """Makes the first calls of a function of `os` fail; returns the list of the pauses made."""
    real: Callable[..., None] = getattr(os, name)
    pauses: list[float] = []

    def call(*arguments: object) -> None:
        if errors:
            raise errors.pop(0)
        real(*arguments)

    monkeypatch.setattr(os, name, call)
    monkeypatch.setattr(files.time, "sleep", pauses.append)
    return pauses


@pytest.mark.parametrize("winerror", [ACCESS_DENIED, SHARING_VIOLATION])
def test_a_file_held_by_another_program_is_replaced_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, winerror: int
) -> None:
    path = write(tmp_path / "file", b"old")
    pauses = failing(monkeypatch, "replace", [held(winerror), held(winerror)])
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    assert len(pauses) == 2


def test_a_file_held_by_another_program_is_removed_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.touch()
    pauses = failing(monkeypatch, "unlink", [held(SHARING_VIOLATION)])
    remove(path)
    remove(path)
    assert not path.exists()
    assert len(pauses) == 1


def test_a_file_held_for_too_long_is_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "file", b"old")
    pauses = failing(monkeypatch, "replace", [held(ACCESS_DENIED) for _ in range(100)])
    with pytest.raises(PermissionError):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    assert 1 < sum(pauses) < 5


def test_other_errors_are_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses = failing(monkeypatch, "replace", [PermissionError("read-only folder")])
    with pytest.raises(PermissionError, match="read-only"):
        rename(tmp_path / "a", tmp_path / "b")
    assert pauses == []


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "file", b"old")

    def no_space(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"new", sync=True)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_folder_as_a_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"directory|denied") as caught:
        tmp_path.open()
    assert failure_reason(caught.value) == "Is a directory"
    for name, reason in ((tmp_path, "Is a directory"), (tmp_path / "file", "Permission denied")):
        error = PermissionError(13, "Permission denied", name)
        assert failure_reason(error, system="win32") == reason
        assert failure_reason(error, system="linux") == "Permission denied"
    assert failure_reason(held(ACCESS_DENIED), system="win32") == "held"
    assert failure_reason(ValueError("a NUL byte")) == "a NUL byte"


@each_case(
    ("path", "expected"),
    [
        (r"C:\Games\a.4th", r"C:\Games\a.4th"),
        (r"C:\Games" + r"\folder" * 40, "\\\\?\\" + r"C:\Games" + r"\folder" * 40),
        ("C:/Мои игры" + "/folder" * 40, "\\\\?\\" + r"C:\Мои игры" + r"\folder" * 40),
        (r"\\server\share" + r"\a" * 150, "\\\\?\\UNC" + r"\server\share" + r"\a" * 150),
        ("\\\\?\\" + r"C:\Games" + r"\folder" * 40, "\\\\?\\" + r"C:\Games" + r"\folder" * 40),
    ],
)
def test_long_paths_of_windows(path: str, expected: str) -> None:
    converted = long_path(path, system="win32")
    assert converted == expected
    plain = path.removeprefix("\\\\?\\").replace("/", "\\")
    assert short_path(converted).replace("/", "\\") == plain
    assert long_path(path, system="linux") == path


@pytest.mark.skipif(os.name == "nt", reason="Windows has no permissions of this kind")
def test_permissions(tmp_path: Path) -> None:
    private, usual, new = tmp_path / "private", tmp_path / "usual", tmp_path / "new"
    replace_file(private, b"", mode=0o640)
    replace_file(usual, b"")
    new.touch()
    assert private.stat().st_mode & 0o777 == 0o640
    assert usual.stat().st_mode == new.stat().st_mode


@needs_links
def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    secret = write(tmp_path / "outside" / "secret", b"secret")
    root = tmp_path / "root"
    (root / "inner").mkdir(parents=True)
    (root / "inner" / "file").write_bytes(b"text\r\n")
    (root / "link").symlink_to(secret)
    (root / "folder").symlink_to(tmp_path / "outside", target_is_directory=True)
    real = Path(os.path.realpath(root))
    with os.fdopen(open_below(real, ["inner", "file"]), "rb") as file:
        assert file.read() == b"text\r\n"
    for names in (["link"], ["folder", "secret"]):
        with pytest.raises(OSError, match=IS_LINK):
            open_below(real, names)
    for flags in (os.O_RDONLY, os.O_WRONLY | os.O_CREAT | os.O_TRUNC):
        with pytest.raises(OSError, match=IS_LINK):
            open_file(root / "link", flags, follow=False)
    assert secret.read_bytes() == b"secret"
    with os.fdopen(open_file(root / "link", os.O_RDONLY), "rb") as file:
        assert file.read() == b"secret"


def test_truncation_without_links(tmp_path: Path) -> None:
    path = write(tmp_path / "file", b"old")
    descriptor = open_file(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, follow=False)
    os.write(descriptor, b"a\n")
    os.close(descriptor)
    assert path.read_bytes() == b"a\n"


def test_folder_whose_removal_is_interrupted_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill() -> None:
        (tmp_path / "games").mkdir()
        (tmp_path / "games" / "one").write_text("1")

    def interrupt(_: Path, *, ignore_errors: bool = False) -> None:
        if not ignore_errors:
            raise PermissionError("a file is open")

    fill()
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", interrupt)
        with pytest.raises(PermissionError):
            remove_folder(tmp_path / "games")
    assert [path.name for path in tmp_path.iterdir()] == [".games"]
    fill()
    remove_folder(tmp_path / "games")
    assert not list(tmp_path.iterdir())

"""Unpacking zip archives: complete, and nothing outside of the folder."""

from __future__ import annotations

import os
import shutil
import stat
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from forthvm.library import archives
from forthvm.library.archives import ArchiveError, unpack


def packed(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo("x")
            info.filename = name  # the constructor would replace some characters
            archive.writestr(info, data, method)
    return path


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_files_are_unpacked_with_their_folders(tmp_path: Path) -> None:
    members = {"Rules/x.zrf": b"rules", "./Images\\a.bmp": b"picture", "empty/": b""}
    target = tmp_path / "cache" / "new"
    unpack(packed(tmp_path / "a.zip", members), target)
    assert files(target) == {"Rules/x.zrf": b"rules", "Images/a.bmp": b"picture"}


@pytest.mark.parametrize(
    "name",
    [
        "../x.zrf",
        "a/../../x.zrf",
        "..\\x.zrf",
        "/etc/x.zrf",
        "\\x.zrf",
        "C:/x.zrf",
        "C:x.zrf",
        "x.zrf:stream",
        "aux.zrf",
        "con/x.zrf",
        "NUL .txt",
        "com\u00b9.zrf",
        "x.zrf.",
        "x.zrf ",
        "Rules./x.zrf",
        "Rules /x.zrf",
        "...",
        "a" * 1001,
    ],
)
def test_paths_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    archive = packed(tmp_path / "a.zip", {"good.zrf": b"1", name: b"2"})
    target = tmp_path / "cache" / "new"
    with pytest.raises(ArchiveError):
        unpack(archive, target)
    assert files(tmp_path).keys() == {"a.zip"}
    assert not target.exists()


def test_links_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("link.zrf")
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(ArchiveError, match="link"):
        unpack(path, tmp_path / "cache" / "new")


def test_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "FREE_BYTES", 1 << 16)
    monkeypatch.setattr(archives, "MAX_BYTES", 1 << 20)
    target = tmp_path / "cache" / "new"
    dense = packed(tmp_path / "dense.zip", {"x": bytes(1 << 19)})
    with pytest.raises(ArchiveError, match="100 times"):
        unpack(dense, target)
    large = packed(tmp_path / "large.zip", {f"{at}": os.urandom(1 << 19) for at in range(3)})
    with pytest.raises(ArchiveError, match="1 MiB"):
        unpack(large, target)
    monkeypatch.setattr(archives, "MAX_MEMBERS", 2)
    with pytest.raises(ArchiveError, match="2 files"):
        unpack(packed(tmp_path / "many.zip", dict.fromkeys("abc", b"")), target)
    assert not target.exists()


def test_some_space_of_the_disk_stays_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = packed(tmp_path / "a.zip", {"x.zrf": bytes(100_000)})
    target, free = tmp_path / "cache" / "new", archives.RESERVED_BYTES + 50_000
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    with pytest.raises(OSError, match="No space left"):
        unpack(archive, target)
    assert files(tmp_path).keys() == {"a.zip"}


def test_sizes_in_the_directory_of_an_archive_are_not_believed(tmp_path: Path) -> None:
    archive = packed(tmp_path / "a.zip", {"x.zrf": bytes(100_000)})
    data = archive.read_bytes()
    archive.write_bytes(data.replace((100_000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    with pytest.raises(ArchiveError):
        unpack(archive, tmp_path / "cache" / "new")
    assert files(tmp_path).keys() == {"a.zip"}


@pytest.mark.parametrize("kept", [0, 1, 20, -30, -1])
def test_damaged_archives_are_refused(tmp_path: Path, kept: int) -> None:
    archive = packed(tmp_path / "a.zip", {"x.zrf": b"rules " * 100})
    archive.write_bytes(archive.read_bytes()[:kept])
    with pytest.raises(ArchiveError):
        unpack(archive, tmp_path / "cache" / "new")


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_damaged_data_are_refused(tmp_path: Path, method: int) -> None:
    archive = packed(tmp_path / "a.zip", {"x.zrf": b"rules " * 1000}, method)
    data = bytearray(archive.read_bytes())
    for at in range(44, 60):  # behind the header of the file
        data[at] ^= 0x5A
    archive.write_bytes(data)
    with pytest.raises(ArchiveError):
        unpack(archive, tmp_path / "cache" / "new")


@pytest.mark.parametrize("name", ["./x.zrf", "x.zrf/y.zrf"])
def test_two_files_with_one_path_are_refused(tmp_path: Path, name: str) -> None:
    archive = packed(tmp_path / "a.zip", {"x.zrf": b"1", name: b"2"})
    with pytest.raises(ArchiveError):
        unpack(archive, tmp_path / "cache" / "new")


def test_earlier_states_and_old_drafts_are_removed(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for name in ("earlier", ".old", ".recent"):
        (cache / name).mkdir(parents=True)
    days_ago = time.time() - 2 * 86400
    os.utime(cache / ".old", (days_ago, days_ago))
    unpack(packed(tmp_path / "a.zip", {"x.zrf": b""}), cache / "new")
    assert {path.name for path in cache.iterdir()} == {".recent", "new"}


def test_another_process_may_unpack_the_same_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = packed(tmp_path / "a.zip", {"x.zrf": b"rules"})
    target = tmp_path / "cache" / "new"
    clean_up = archives._clean_up

    def as_two(folder: Path) -> None:
        clean_up(folder)
        target.mkdir()
        (target / "x.zrf").write_bytes(b"rules")

    monkeypatch.setattr(archives, "_clean_up", as_two)
    unpack(archive, target)
    assert files(target.parent) == {"new/x.zrf": b"rules"}

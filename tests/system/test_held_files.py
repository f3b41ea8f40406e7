"""Files that another program has open without sharing, as a virus scanner may, and read-only files.

Only Windows refuses to open or replace such files.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from threading import Timer

import pytest

from forthvm.autoplay import Match, Store
from forthvm.cli import main
from forthvm.system.files import remove, replace_file
from tests.autoplay.matches import settings_of
from tests.kit.commands import Cli
from tests.kit.files import write

if os.name != "nt":
    pytest.skip("other systems open and replace such files", allow_module_level=True)

GENERIC_READ, NO_SHARING, OPEN_EXISTING = 0x80000000, 0, 3
UNFORMATTED = b": f   ;\n"
Obstacle = Callable[[Path], AbstractContextManager[None]]


@contextmanager
def held(path: Path, seconds: float | None = None) -> Iterator[None]:
    """Have a file open without sharing, for some seconds or for the whole block."""
    kernel = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined]  # only on Windows
    kernel.CloseHandle.argtypes = (ctypes.c_void_p,)
    kernel.CreateFileW.restype = ctypes.c_void_p
    handle = kernel.CreateFileW(str(path), GENERIC_READ, NO_SHARING, None, OPEN_EXISTING, 0, None)
    assert handle != ctypes.c_void_p(-1).value
    timer = Timer(seconds or 0, kernel.CloseHandle, [handle])
    if seconds is not None:
        timer.start()
    try:
        yield
    finally:
        if seconds is None:
            kernel.CloseHandle(handle)
        else:
            timer.join()


def test_a_scanner_delays_the_replacement_of_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "file", b"old")
    with held(path, seconds=1.0):
        replace_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["file"]  # noqa: PTH208


def test_a_scanner_delays_the_removal_of_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "file", b"old")
    with held(path, seconds=1.0):
        remove(path)
    assert not path.exists()


def test_a_file_that_stays_held_is_unchanged(tmp_path: Path) -> None:
    path = write(tmp_path / "file", b"old")
    with held(path), pytest.raises(PermissionError):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]  # noqa: PTH208


@contextmanager
def read_only(path: Path) -> Iterator[None]:
    """Have a file that cannot be written."""
    path.chmod(stat.S_IREAD)
    try:
        with suppress(PermissionError), path.open("ab"):
            pytest.skip("root may write everywhere")  # in wine
        yield
    finally:
        path.chmod(stat.S_IWRITE)


OBSTACLES = pytest.mark.parametrize("obstacle", [held, read_only])


@OBSTACLES
def test_a_command_names_the_file_that_it_cannot_use(
    tmp_path: Path, cli: Cli, obstacle: Obstacle
) -> None:
    path = write(tmp_path / "script.4th", UNFORMATTED)
    with obstacle(path):
        (error,) = cli.err("fmt", path, status=1).splitlines()
    assert str(path) in error
    assert path.read_bytes() == UNFORMATTED


@OBSTACLES
def test_games_of_a_results_file_that_cannot_be_used_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], obstacle: Obstacle
) -> None:
    path = tmp_path / "a.db"
    with Match.create(settings_of("first", "random", games=2), path) as match:
        match.run(workers="threads")
    resume = ["autoplay", "--resume", str(path), "-n", "4", "--workers", "threads", "--quiet"]
    with obstacle(path):
        assert main(resume) == 1
    (error,) = capsys.readouterr().err.splitlines()
    assert str(path) in error
    with Store.open(path) as store:
        assert store.numbers() == {1, 2}
    assert main(resume) == 0
    with Store.open(path) as store:
        assert store.numbers() == {1, 2, 3, 4}


def test_a_scanner_delays_the_opening_of_a_results_file(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Match.create(settings_of("first", "random", games=2), path) as match:
        match.run(workers="threads")
    with held(path, seconds=1.0), Store.open(path) as store:
        assert store.numbers() == {1, 2}

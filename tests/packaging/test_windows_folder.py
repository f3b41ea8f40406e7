"""Runs forthvm.exe of the folder for Windows, on Windows or under wine.

Owns how the folder is unpacked and started.  FORTHVM_WINDOWS_ZIP names forthvm-windows.zip, which
`python native/wheels --windows-folder` makes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import forthvm

ARCHIVE = os.environ.get("FORTHVM_WINDOWS_ZIP", "")
# Debian's package wine64 installs a program that is not on the path.
WINE = shutil.which("wine64") or "/usr/lib/wine/wine64"
GAMES = Path(__file__).resolve().parents[1] / "zrf" / "games"

pytestmark = [
    pytest.mark.skipif(not ARCHIVE, reason="FORTHVM_WINDOWS_ZIP is not set"),
    pytest.mark.skipif(
        os.name != "nt" and shutil.which(WINE) is None, reason="wine is not installed"
    ),
]


def wine(*command: str) -> list[str]:
    return list(command) if os.name == "nt" else [WINE, *command]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder, with a blank and Cyrillic letters in its path, that cannot be written to."""
    place = tmp_path_factory.mktemp("windows") / "Мои игры"
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(place)
    with pytest.MonkeyPatch.context() as patch:
        # The page is opened by this command instead of a browser.
        patch.setenv("BROWSER", "cmd.exe /c exit %s")
        if os.name != "nt":
            prepare_wine(patch, place.parent / "wine")
            # Wine lacks a function that it needs.
            (place / "forthvm" / "python" / "DLLs" / "_wmi.pyd").unlink()
        for path in (place, *place.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        yield place / "forthvm"
        for path in (place, *place.rglob("*")):
            path.chmod(0o755)
        if os.name != "nt":
            subprocess.run(wine("wineboot", "--kill"), check=False)


def prepare_wine(patch: pytest.MonkeyPatch, prefix: Path) -> None:
    """Prepare wine, which says that it is Windows 10: Python refuses older ones."""
    patch.setenv("WINEPREFIX", str(prefix))
    patch.setenv("WINEDEBUG", "-all")
    patch.setenv("WINEDLLOVERRIDES", "mscoree,mshtml,winemenubuilder.exe=")
    key = ("reg", "add", r"HKCU\Software\Wine", "/v", "Version", "/d", "win10", "/f")
    for command in (("wineboot", "--init"), key):
        subprocess.run(
            wine(*command), stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=300
        )


def run(folder: Path, *arguments: str | Path) -> str:
    done = subprocess.run(
        wine(str(folder / "forthvm.exe"), *map(str, arguments)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@contextmanager
def board(folder: Path, *arguments: str | Path) -> Iterator[tuple[str, str]]:
    """Start forthvm.exe, which serves a board; yield what it prints and the text of the page."""
    command = wine(str(folder / "forthvm.exe"), *map(str, arguments))
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        printed, found = "", None
        while found is None and (line := process.stdout.readline()):
            printed += line
            found = re.search(r"http://127\.0\.0\.1:\d+/\?key=\S+", line)
        try:
            assert found is not None, printed
            with urllib.request.urlopen(found[0], timeout=60) as page:
                yield printed, page.read().decode()
        finally:
            process.terminate()


def test_it_runs_commands(folder: Path) -> None:
    assert forthvm.__version__ in run(folder, "--version")
    assert run(folder, "perft", "tictactoe", "2").strip().endswith("72")


def test_a_double_click_opens_the_board_with_all_games(folder: Path) -> None:
    with board(folder) as (printed, page):
        assert "`New game` offers the other bundled games" in printed
        assert "<title>forthvm</title>" in page


@pytest.mark.parametrize("name", ["box-puzzle.zrf", "box-puzzle.zsg"])
def test_a_dropped_file_opens_that_game(folder: Path, tmp_path: Path, name: str) -> None:
    games = tmp_path / "Скачанные игры"
    shutil.copytree(GAMES, games)
    with board(folder, games / name) as (printed, page):
        assert "breakthrough" not in printed
        assert "<title>forthvm</title>" in page


def test_licences_of_everything_are_listed(folder: Path) -> None:
    text = (folder / "LICENSES.txt").read_text(encoding="utf-8")
    site = folder / "python" / "Lib" / "site-packages"
    packages = [path.name.partition("-")[0] for path in site.glob("*.dist-info")]
    assert {"forthvm", "cffi", "prompt_toolkit", "starlette", "uvicorn"} <= set(packages)
    for path in re.findall(r": (python\\.*)$", text, re.M):
        assert (folder / path.strip().replace("\\", "/")).exists(), path
    for package in packages:
        assert f"site-packages\\{package}-" in text

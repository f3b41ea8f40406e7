"""`forthvm board` without GAME: the library, and the pages that it opens."""

from __future__ import annotations

import errno
import re
import signal
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from forthvm.cli.play import library_page
from forthvm.cli.play.library_page import OpenedPages
from forthvm.core.failure import ForthVMError
from forthvm.library.entry import Entry
from forthvm.system.processes import ChildProgram
from tests.kit.commands import Cli
from tests.kit.files import write
from tests.kit.processes import FORTHVM, start
from tests.library.games import HEAPS
from tests.systems import needs_signals

pytest.importorskip("uvicorn")


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "APPDATA", "LOCALAPPDATA", "FORTHVM_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / "user"))


def opened_pages() -> OpenedPages:
    return OpenedPages({"/games/ttt.4th": "tictactoe"}, {"tictactoe"})


@pytest.fixture
def pages() -> Iterator[OpenedPages]:
    with closing(opened_pages()) as pages:
        yield pages


def game(path: Path | str) -> Entry:
    return Entry(path=str(path), kind="game", title="game")


def page(address: str) -> str:
    with urllib.request.urlopen(address, timeout=20) as answer:
        text: str = answer.read().decode()
        return text


@pytest.mark.slow
def test_game_has_one_page(pages: OpenedPages, tmp_path: Path) -> None:
    path = write(tmp_path / "heaps.4th", HEAPS)
    assert not pages.can_be_continued(game(path))
    address = pages.open(game(path), False)
    assert "app.js" in page(address)
    assert pages.can_be_continued(game(path))
    assert pages.open(game(path), True) == address
    pages.close()
    with pytest.raises(OSError, match=r"."):
        page(address)
    with closing(opened_pages()) as others:
        assert "app.js" in page(others.open(game(path), True))


@pytest.mark.slow
def test_two_requests_open_one_page(pages: OpenedPages, tmp_path: Path) -> None:
    path = write(tmp_path / "heaps.4th", HEAPS)
    with ThreadPoolExecutor(2) as threads:
        one, two = threads.map(lambda _: pages.open(game(path), False), range(2))
    assert one == two


@pytest.mark.slow
def test_page_that_starts_while_the_library_closes_is_ended(
    pages: OpenedPages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "heaps.4th", HEAPS)
    starting = Event()

    def start(argv: list[str], *, last_errors: int) -> ChildProgram:
        starting.set()
        return ChildProgram(argv, last_errors=last_errors)

    monkeypatch.setattr(library_page, "ChildProgram", start)
    with ThreadPoolExecutor(1) as threads:
        address = threads.submit(pages.open, game(path), False)
        starting.wait()
        pages.close()
    with pytest.raises(OSError, match=r"."):
        page(address.result())
    with pytest.raises(ForthVMError, match="closed"):
        pages.open(game(path), False)


def test_failure_of_the_system_is_reported(
    pages: OpenedPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(argv: list[str], *, last_errors: int) -> ChildProgram:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(library_page, "ChildProgram", refuse)
    with pytest.raises(ForthVMError, match="temporarily unavailable"):
        pages.open(game("/games/ttt.4th"), False)


@pytest.mark.slow
def test_bundled_games_are_known_by_name(pages: OpenedPages) -> None:
    assert pages.can_be_continued(game("/games/ttt.4th"))
    assert "app.js" in page(pages.open(game("/games/ttt.4th"), False))


@pytest.mark.slow
def test_reason_of_a_failure_is_reported(pages: OpenedPages, tmp_path: Path) -> None:
    path = write(tmp_path / "broken.4th", HEAPS.replace("verify", "verfy"))
    with pytest.raises(ForthVMError, match="verfy"):
        pages.open(game(path), False)
    with pytest.raises(ForthVMError, match=r"gone\.4th"):
        pages.open(game(tmp_path / "gone.4th"), False)


def test_file_that_cannot_be_loaded_starts_no_process(
    pages: OpenedPages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A saved game names a rule file that is absent, by a text that would be an option."""
    monkeypatch.setattr("forthvm.cli.play.library_page._started", pytest.fail)
    path = str(tmp_path / "game.zsg")
    entry = Entry(path=path, kind="saved game", title="", rules="--host=0.0.0.0", reason="no rules")
    with pytest.raises(ForthVMError, match="no rules"):
        pages.open(entry, False)


def test_library_and_a_game_exclude_each_other(cli: Cli, tmp_path: Path) -> None:
    for words in (("tictactoe",), ("--side", "X"), ("--seed", "5"), ("--max-seconds", "9")):
        err = cli.err("board", *words, "--library", tmp_path, "--no-browser", status=2)
        assert "--library" in err


@pytest.mark.slow
@needs_signals
def test_board_without_a_game_serves_the_library_until_it_is_interrupted(tmp_path: Path) -> None:
    command = (*FORTHVM, "board", "--no-browser", "--library", ".")
    with start(*command, folder=tmp_path, PYTHONUNBUFFERED="1") as process:
        address = re.search(r"http\S+", process.stdout.readline())
        assert "library.js" in page(address[0])
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0

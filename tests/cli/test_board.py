"""`forthvm board`: its options, and what it prints."""

from __future__ import annotations

import re
import signal
import socket
import sys
import urllib.request

import pytest

from forthvm.cli.play import library_page
from tests.kit.commands import Cli
from tests.kit.processes import FORTHVM, start
from tests.systems import needs_signals


def test_without_the_packages(monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    monkeypatch.setitem(sys.modules, "forthvm.web.play.server", None)  # importing it fails
    assert "pip install 'forthvm[web]'" in cli.err("board", "tictactoe", status=2)


def test_no_such_player(cli: Cli) -> None:
    assert "X, O" in cli.err("board", "tictactoe", "--side", "White", status=2)


def test_no_such_engine(cli: Cli) -> None:
    assert "negamax" in cli.err("board", "tictactoe", "--engine", "negamx", status=2)


def test_a_player_with_two_people(cli: Cli) -> None:
    err = cli.err("board", "tictactoe", "--side", "X", "--guest", "X", status=2)
    assert "X is named by both --side and --guest" in err


def test_all_players_are_guests(cli: Cli) -> None:
    err = cli.err("board", "tictactoe", "--guest", "all", "--side", "O", status=2)
    assert "O is named by both --side and --guest" in err


def test_no_such_port(cli: Cli) -> None:
    err = cli.err("board", "tictactoe", "--port", "65536", status=2)
    assert "expected an integer from 0 to 65535, not 65536" in err


def test_a_port_in_use(cli: Cli) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        err = cli.err("board", "tictactoe", "--no-browser", "--port", port, status=2)
    assert f"port {port} is in use at 127.0.0.1" in err


def test_an_address_of_another_computer(cli: Cli) -> None:
    err = cli.err("board", "tictactoe", "--no-browser", "--host", "192.0.2.1", status=2)
    assert "192.0.2.1 is not an address of this computer" in err


def test_without_a_game_it_begins_with_a_bundled_one(cli: Cli) -> None:
    captured = cli("board", "--no-browser", "--side", "Nobody")
    assert captured.status == 2
    assert "`New game` offers the other bundled games" in captured.out
    assert "White, Black" in captured.err


@pytest.mark.parametrize(
    "option", ["--seed=5", "--variant=1", "--axiom=140", "--checked", "--max-steps=9"]
)
def test_options_for_loading_concern_a_game(
    option: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_page, "run", lambda args, _: pytest.fail("it is the library"))
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = cli("board", "--no-browser", "--port", port, option)
    assert result.status
    assert "`New game` offers the other bundled games" in result.out


@pytest.mark.slow
@needs_signals
def test_it_serves_until_ctrl_c() -> None:
    with start(*FORTHVM, "board", "tictactoe", "--no-browser") as process:
        address = re.search(r"http://127\.0\.0\.1:\d+/\?key=\S+", process.stdout.readline())
        with urllib.request.urlopen(address[0], timeout=20) as page:
            assert b"<title>forthvm</title>" in page.read()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 0
    assert errors == ""

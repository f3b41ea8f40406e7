"""`forthvm games` on a terminal and in a pipe."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.kit.every_game import BUNDLED

if sys.platform == "win32":
    pytest.skip("needs pseudo-terminals", allow_module_level=True)

import fcntl
import pty
import struct
import termios

from tests.kit.processes import FORTHVM, output_of


def on_terminal(columns: int, *args: str) -> list[str]:
    """Returns the lines that a command prints on a terminal with a number of columns."""
    pid, screen = pty.fork()
    if not pid:
        os.environ.pop("COLUMNS", None)
        os.environ["PYTHONUTF8"] = "1"
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execv(FORTHVM[0], [*FORTHVM, *args])
    output = b""
    while True:
        try:
            chunk = os.read(screen, 65536)
        except OSError:  # Linux reports the end of the output in this way
            break
        if not chunk:
            break
        output += chunk
    os.waitpid(pid, 0)
    return output.decode().replace("\r\n", "\n").rstrip("\n").split("\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "columns", [60, *(pytest.param(width, marks=pytest.mark.slow) for width in (80, 100))]
)
def test_variants_follow_their_game_and_are_not_cut(columns: int) -> None:
    lines = on_terminal(columns, "games")
    assert max(map(len, lines)) <= columns
    # The heading, a line for each main game, and the footer; other lines are indented.
    heads = [line.split()[0] for line in lines if line[0] != " "]
    main = [game.name for game in BUNDLED if game.variant_of is None]
    assert heads == ["game", *main, "forthvm"]
    output = {word.strip(",") for line in lines for word in line.split()}
    assert {game.name for game in BUNDLED} <= output


@pytest.mark.slow
def test_summaries_are_readable_at_60_columns() -> None:
    lines = on_terminal(60, "games")
    (row,) = (line for line in lines if line.startswith("breakthrough"))
    assert row.startswith("breakthrough  2 ")
    assert "the first pawn" in row


@pytest.mark.slow
def test_pipe_gets_one_complete_line_per_game(tmp_path: Path) -> None:
    lines = output_of(*FORTHVM, "games", folder=tmp_path, COLUMNS="40").splitlines()
    assert [line.split()[0] for line in lines] == [game.name for game in BUNDLED]
    for line, game in zip(lines, BUNDLED, strict=True):
        assert line.endswith(game.summary)


@pytest.mark.slow
def test_description_of_a_game_lists_its_variants() -> None:
    lines = on_terminal(80, "games", "ur")
    (row,) = (line for line in lines if line.startswith("variants"))
    assert row.split(maxsplit=1)[1] == "ur-aggressive, ur-finkel, ur-script"

"""Without --seed the clock of a script shows 0 in every command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kit.boards import grid
from tests.kit.commands import Cli

SCRIPT = grid(3, 3)
SCRIPT += """\
: drop-it ( -- ) empty? verify create add-move ;
{moves drops {move} drop-it moves}
{pieces {piece} man {drops} drops pieces}
: OnIsGameOver ( -- result ) #UnknownScore ;
." <" SYSTEM-TIME . ." >"
: OnNewGame RANDOMIZE ." <" SYSTEM-TIME . ." >" ;
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "command",
    [
        ["moves"],
        ["show"],
        ["perft", "2"],
        ["run", "--auto", "--engine", "first", "--max-plies", "4"],
        ["think", "--depth", "2"],
        ["why-not", "man a1"],
        ["explain", "man a1"],
        ["profile", "--perft", "1"],
        ["debug", "--new-game"],
        ["autoplay", "--engine", "A=first", "--engine", "B=first", "-n", "2", "--max-plies", "4"],
        ["export"],
    ],
    ids=lambda command: command[0],
)
def test_the_clock_is_0(in_folder: Path, command: list[str], cli: Cli) -> None:
    Path("clock.4th").write_text(SCRIPT, encoding="utf-8")
    result = cli(command[0], "clock.4th", *command[1:], stdin="")
    times = re.findall(r"<(-?\d+) *>", result.out + result.err)
    assert set(times) <= {"0"}

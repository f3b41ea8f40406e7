"""The command `forthvm dap` as a process: its streams, and its end."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.kit.processes import FORTHVM

from .client import SECONDS, Client

SCRIPT = """\
." loading"
{players {player} A players}
{turn-order {turn} A turn-order}
{board 2 2 {grid} board}
: put empty? verify ." dropping" CR drop add-move ;
{moves puts {move} put moves}
{pieces {piece} stone {drops} puts pieces}
"""


def start(*options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*FORTHVM, "dap", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.slow
def test_output_of_scripts_does_not_mix_with_messages(tmp_path: Path) -> None:
    script = tmp_path / "game.4th"
    script.write_text(SCRIPT)
    with start() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        client = Client(process.stdout, process.stdin)
        client.launch(script, target="moves")
        client.request("configurationDone")
        client.event("terminated")
        assert client.output().startswith("loadingdropping\ndropping\n")
        client.request("disconnect")
        assert process.wait(SECONDS) == 0
        assert process.stderr.read() == b""


@pytest.mark.slow
def test_process_ends_when_the_client_is_gone() -> None:
    with start() as process:
        process.stdin.close()
        assert process.wait(SECONDS) == 0

"""why-not and explain on scripts that damage the VM."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import forthvm
from tests.kit.commands import Cli


@pytest.mark.parametrize("command", ["explain", "why-not"])
def test_a_script_that_overwrites_the_list_of_words(tmp_path: Path, cli: Cli, command: str) -> None:
    """ALLOT takes the address of a text as a number, and moves HERE far away."""
    shutil.copytree(forthvm.load("splut-duel").path.parent, tmp_path / "splut")
    script = tmp_path / "splut" / "splut-duel.4th"
    text = script.read_text(encoding="utf-8")
    line = "{setup} Nobody sstone e1"
    assert line in text
    script.write_text(text.replace(line, line.replace("{setup}", "ALLOT")), encoding="utf-8")
    assert "has overwritten the list of words" in cli.err(command, script, "x", status=1)

"""docs/reference/ugi.md: its session is correct, and its tables are complete."""

from __future__ import annotations

import re
from pathlib import Path

import forthvm
from forthvm.engines.ugi.engine import UgiEngine
from forthvm.engines.ugi.server import Server

PAGE = Path(__file__).parents[2].joinpath("docs", "reference", "ugi.md").read_text(encoding="utf-8")


def test_the_conversation() -> None:
    (block,) = re.findall(r"^```ugi\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    heard: list[str] = []
    server = Server(forthvm.load("tictactoe"), heard.append)
    said: list[str] = []
    for line in block.splitlines():
        if not line.startswith("> "):
            continue
        said.append(line)
        server._execute(line[2:])
        while server._search is not None:
            server._step()
        said += [re.sub(r"\btime \d+", "time 0", each) for each in heard]
        heard.clear()
    server._end()
    name = f"id name forthvm {forthvm.__version__} "
    assert said == [re.sub(r"^id name forthvm \S+ ", name, line) for line in block.splitlines()]


def test_every_option_is_in_the_table() -> None:
    names = set(re.findall(r"^\| ((?:`[^`]+`(?:, )?)+) \|", PAGE, re.MULTILINE))
    listed = {word.partition("=")[0] for cell in names for word in re.findall(r"`([^`]+)`", cell)}
    assert {*UgiEngine._readers, "cmd", "option.NAME"} <= listed

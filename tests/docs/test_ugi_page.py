"""Tests that the session in docs/reference/ugi.md is correct and that its tables are complete."""

from __future__ import annotations

import re
from pathlib import Path

import forthvm
from forthvm.engines.protocols.uci.engine import UgiEngine
from forthvm.engines.protocols.uci.server import DialectServer

PAGE = Path(__file__).parents[2].joinpath("docs", "reference", "ugi.md").read_text(encoding="utf-8")


def test_example_session_is_correct() -> None:
    (block,) = re.findall(r"^```ugi\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    responses: list[str] = []
    server = DialectServer(forthvm.load("tictactoe"), responses.append)
    session: list[str] = []
    for line in block.splitlines():
        if not line.startswith("> "):
            continue
        session.append(line)
        server._execute(line[2:])
        while server._search is not None:
            server._step()
        session += [re.sub(r"\btime \d+", "time 0", response) for response in responses]
        responses.clear()
    server._end()
    name = f"id name forthvm {forthvm.__version__} "
    assert session == [re.sub(r"^id name forthvm \S+ ", name, line) for line in block.splitlines()]


def test_every_option_is_in_the_table() -> None:
    names = set(re.findall(r"^\| ((?:`[^`]+`(?:, )?)+) \|", PAGE, re.MULTILINE))
    listed = {word.partition("=")[0] for cell in names for word in re.findall(r"`([^`]+)`", cell)}
    assert {*UgiEngine._readers, "cmd", "option.NAME"} <= listed

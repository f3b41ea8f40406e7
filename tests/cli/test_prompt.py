"""Reading a line on a terminal: keys that discard the line, and keys that leave."""

from __future__ import annotations

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from forthvm.cli.play.line_input import make_reader


def line_read_from(keys: str) -> str:
    """Returns the line that the reader returns after these keys."""
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(keys)
        return make_reader(at_terminal=True).ask("> ", ["pawn a2 - a3", "undo"])


def test_enter_returns_the_line() -> None:
    assert line_read_from("a2a3\r") == "a2a3"


def test_ctrl_c_discards_a_line() -> None:
    assert line_read_from("a2\x03b2b3\r") == "b2b3"


def test_ctrl_c_on_an_empty_line_leaves() -> None:
    with pytest.raises(KeyboardInterrupt):
        line_read_from("a\x03\x03")


def test_ctrl_d_on_an_empty_line_leaves() -> None:
    with pytest.raises(EOFError):
        line_read_from("\x04")

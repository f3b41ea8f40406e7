"""Conversion between offsets and positions of the protocol."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from forthvm.core.location import Location
from forthvm.editor.language_server.diagnostics import location_range
from forthvm.editor.language_server.documents import Document, token_at
from forthvm.editor.language_server.workspace import Workspace

LINES = "a\U0001f600b\n\x0c\u2028x\n\u0433"


def document(text: str, encoding: str = "utf-16") -> Document:
    return Document("file:///game.4th", Path("/game.4th"), text, 1, encoding)


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 5), ("utf-16", 3), ("utf-32", 2)])
def test_columns_count_units_of_the_encoding(encoding: str, column: int) -> None:
    text = document(LINES, encoding)
    assert text.position(LINES.index("b")) == lsp.Position(0, column)
    assert text.offset(lsp.Position(0, column)) == LINES.index("b")


def test_only_line_ends_of_the_protocol_end_lines() -> None:
    assert document(LINES).position(LINES.index("x")) == lsp.Position(1, 2)
    assert document("a\r\nb").position(2) == lsp.Position(1, 0)


def test_a_lone_carriage_return_ends_a_line_of_the_editor_but_not_of_the_script() -> None:
    one = document("a b\rc\r\nd")
    assert one.position(one.text.index("c")) == lsp.Position(1, 0)
    assert one.position(one.text.index("d")) == lsp.Position(2, 0)
    location = Location("game.4th", 1, 5, "a b\rc", 1)
    assert location_range(one, location) == lsp.Range(lsp.Position(1, 0), lsp.Position(1, 1))
    location = Location("game.4th", 2, 1, "d", 1)
    assert location_range(one, location) == lsp.Range(lsp.Position(2, 0), lsp.Position(2, 1))


@given(st.text(alphabet="ab \n\r\U0001f600\u00e9"), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_every_offset_converts_to_a_position_and_back(text: str, encoding: str) -> None:
    one = document(text, encoding)
    for offset in range(len(one.text) + 1):
        assert one.offset(one.position(offset)) == offset


def test_positions_outside_the_text_are_moved_into_it() -> None:
    one = document("ab\ncd")
    assert one.offset(lsp.Position(0, 99)) == 2
    assert one.offset(lsp.Position(99, 0)) == 5


def test_there_is_no_name_in_comments_and_strings() -> None:
    text = ': f ( n -- ) ." DUP" DROP ;'
    one = document(text)
    assert token_at(one, text.index("n --")) is None
    assert token_at(one, text.index("DUP")) is None
    found = token_at(one, text.index("DROP") + 4)
    assert found.text == "DROP"


def test_the_language_of_a_text_without_a_suffix_counts() -> None:
    workspace = Workspace()
    assert workspace.put("untitled:Untitled-1", "", 1, "zrf").is_rule_file
    assert workspace.put("untitled:Untitled-1", "(game)", 2).is_rule_file  # a change names none
    assert workspace.put("untitled:Untitled-2", "", 1, "forthvm-test").is_test_file
    assert not workspace.put("file:///game.4th", "", 1, "zrf").is_rule_file

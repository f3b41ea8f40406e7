"""Links that contain a position: their text, and what is refused when one is read."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64encode

import pytest

import forthvm
from forthvm.core.errors import PositionError
from forthvm.game import Position
from forthvm.web.table.position_link import (
    MOST_BYTES,
    MOST_CHARACTERS,
    SIGN,
    document_in,
    is_link,
    link_text,
)
from tests.kit.every_game import every_game
from tests.kit.games import loaded
from tests.kit.messages import raises

DOCUMENT = loaded("tictactoe").start().to_json()


def in_link(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


@every_game()
def test_a_position_is_read_back(name: str) -> None:
    position = forthvm.load(name).start()
    for _ in range(3):
        position.push(position.legal_moves[-1])
    text = link_text(position.to_json())
    assert re.fullmatch(r"[\w-]+", text, re.ASCII)
    read = Position.from_json(position.game, document_in(f"http://127.0.0.1:8000/{SIGN}{text}"))
    assert read == position
    assert read.history == position.history


def test_links_are_not_names_of_files() -> None:
    assert is_link(f"{SIGN}abc")
    assert not is_link("position.json")


def test_line_breaks_are_ignored() -> None:
    text = link_text(DOCUMENT)
    assert document_in(f"{SIGN}{text[:50]}\r\n{text[50:]}\n") == DOCUMENT.encode()


def test_other_characters_are_named() -> None:
    with raises(PositionError, "position-link.other-characters-are-named"):
        document_in(f"http://127.0.0.1/{SIGN}abc%20")


def test_incomplete_links() -> None:
    text = link_text(DOCUMENT)
    for length in range(len(text) - 2):  # the last letters may contain only the sum of all bytes
        with pytest.raises(PositionError):
            document_in(text[:length])


def test_a_changed_letter_is_noticed() -> None:
    text = link_text(DOCUMENT)
    for at in range(0, len(text) - 1, 5):
        other = "A" if text[at] != "A" else "B"
        with pytest.raises(PositionError):
            document_in(text[:at] + other + text[at + 1 :])


def test_a_short_link_does_not_fill_memory() -> None:
    bomb = in_link(zlib.compress(bytes(MOST_BYTES + 1)))
    assert len(bomb) < 20_000
    with raises(PositionError, "position-link.a-short-link-does-not-fill"):
        document_in(bomb)
    assert len(document_in(in_link(zlib.compress(bytes(MOST_BYTES))))) == MOST_BYTES


def test_long_links() -> None:
    with raises(PositionError, "position-link.long-links"):
        document_in("a" * (MOST_CHARACTERS + 1))
    with raises(PositionError, "position-link.long-links-too-long"):
        link_text("x" * (MOST_BYTES + 1))

"""Tests that the list of fragments is complete and that each fragment equals the article's text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.articles.fragments import ARTICLES, assemble, blocks, fragments

# Headings of blocks that are printed like code but are not Forth: C, and recorded output.
OTHER_CODE = {
    "splut-axiom.txt": ["Alpha-Beta bounce-off clipping", "Result"],
    "rithmomachia-axiom.txt": [],
}
# The possible beginnings of a line of ForthScript after its indentation.
FORTH = re.compile(
    rb"\s*(?:: \S|;\s|\{[a-z-]+\}?\s|[a-z-]+\}\s|'\s\S+\s+IS\s|VARIABLE\s|DEFER\s|LOAD\s"
    rb"|\S+\s+(?:\[\]|CONSTANT)\s|\$gameLog\s|(?:BEGIN|IF|ELSE|ENDIF|UNTIL|LOOP)\s)"
)


@pytest.mark.parametrize("name", ARTICLES)
def test_fragments_of_all_listed_headings_are_found_in_order(shared: Path, name: str) -> None:
    found = fragments(shared / "articles" / name)
    assert [fragment.title for fragment in found] == list(ARTICLES[name])


@pytest.mark.parametrize("name", ARTICLES)
def test_no_forth_outside_the_fragments(shared: Path, name: str) -> None:
    path = shared / "articles" / name
    text = path.read_bytes()
    found = fragments(path)
    for fragment in reversed(found):
        text = text[: fragment.start] + text[fragment.start + len(fragment.data) :]
    assert [line for line in text.splitlines(keepends=True) if FORTH.match(line)] == []
    for fragment in found:
        assert FORTH.match(fragment.data), fragment.title


@pytest.mark.parametrize("name", ARTICLES)
def test_every_block_of_lines_is_classified(shared: Path, name: str) -> None:
    """A block of several lines is a fragment, other code, or prose."""
    article = (shared / "articles" / name).read_bytes()
    known = {*ARTICLES[name], *OTHER_CODE[name]}
    prose = [block for block in blocks(article) if block.lines[1:] and block.heading not in known]
    for block in prose:
        # The articles indent code by tabs; prose has neither tabs nor ends of definitions.
        assert not any(b"\t" in line or line.strip() == b";" for line in block.lines)


@pytest.mark.parametrize("name", ARTICLES)
def test_fragments_equal_the_article(shared: Path, tmp_path: Path, name: str) -> None:
    text = (shared / "articles" / name).read_bytes()
    assemble(shared, tmp_path)
    for fragment in fragments(shared / "articles" / name):
        written = (tmp_path / fragment.file_name).read_bytes()
        assert written == text[fragment.start : fragment.start + len(written)]
        # The fragment begins directly after its heading and ends before a blank line.
        before = text[: fragment.start].rstrip(b"\n").rsplit(b"\n", 1)[-1]
        assert before.strip().decode() == fragment.title
        assert text[: fragment.start].endswith(b"\n")
        assert not text[fragment.start + len(written) :].split(b"\n", 1)[0].strip()


def test_fragment_files_have_different_names(shared: Path) -> None:
    names = [
        fragment.file_name
        for article in ARTICLES
        for fragment in fragments(shared / "articles" / article)
    ]
    assert len(names) == len(set(names)) == 20

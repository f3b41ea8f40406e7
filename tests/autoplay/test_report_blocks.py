"""The blocks of a report: their forms as HTML and JSON."""

from __future__ import annotations

import json
import re
from html import escape

from forthvm.autoplay.report.blocks import (
    Cell,
    Facts,
    Heading,
    Listing,
    Note,
    Picture,
    Table,
    html_of,
    json_of,
)
from forthvm.autoplay.report.summary_blocks import match_blocks
from forthvm.autoplay.statistics.summary import summarise
from tests.autoplay.results import duel

EVIL = "<script>\"'&</script>"


def test_every_text_is_escaped() -> None:
    """A text with markup occurs in HTML only in escaped form."""
    blocks = [
        Heading(EVIL),
        Note(EVIL),
        Facts(((EVIL, EVIL),)),
        Listing(EVIL, EVIL),
        Table.of([EVIL, EVIL], [[EVIL, EVIL]]),
        Table((Cell(EVIL, EVIL),), ((Cell(EVIL, EVIL, 0.5),),)),
        Picture("<svg></svg>", EVIL, EVIL),
    ]
    html = html_of(blocks)
    assert "<script" not in html
    assert html.count(escape(EVIL)) == 1 + 1 + 2 + 2 + 5 + 4 + 1


def test_colours_of_cells() -> None:
    """Red is hue 0, green is hue 120; a cell without tint has no style."""
    html = html_of([Table((), ((Cell("a", tint=-0.25), Cell("b", tint=0.5), Cell("c")),))])
    styles = re.findall(r"<td( style=\"background:hsl\((\d+) [^\"]*)?", html)
    assert [hue for _, hue in styles] == ["0", "120", ""]


def test_json_has_the_fields_of_each_block() -> None:
    blocks = [Heading("Result"), Table.of(["a", "b"], [["x", "1"]]), Facts((("n", "t"),))]
    assert json.loads(json.dumps(json_of(blocks))) == [
        {"is": "heading", "text": "Result", "level": 2},
        {
            "is": "table",
            "head": [{"text": text, "title": "", "tint": 0} for text in "ab"],
            "rows": [
                [{"text": "x", "title": "x", "tint": 0}, {"text": "1", "title": "", "tint": 0}]
            ],
        },
        {"is": "facts", "pairs": [["n", "t"]]},
    ]


def test_blocks_of_a_match() -> None:
    """The title counts the games, and the first table has a row for each entrant."""
    summary = summarise([duel(1, 1), duel(2, 0), duel(3, 1)], planned=10)
    blocks = list(match_blocks({"seed": 7}, summary))
    assert blocks[0] == Heading("made-up: 3 games", 1)
    assert blocks[1] == Note("3 of 10 games played so far, seed 7", "about")
    table = next(block for block in blocks if isinstance(block, Table))
    assert [(row[0].text, row[-1].text) for row in table.rows] == [("A", "2"), ("B", "1")]

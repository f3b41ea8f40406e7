"""Tests of custodial.4th: the captures of a piece that leaps to a position.

Brandubh and tablut are compared with a model in tests/models.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from tests.kit.boards import grid

OWN_LIBRARY = str(Path(__file__).parent / "v151")
SCRIPT = grid(4, 4, "n s e w")
SCRIPT += """\
LOAD custodial.4th
: leap ( -- ) e verify e verify empty? verify from here move capture-enclosed add-move ;
{moves leaps {move} leap moves}
{pieces {piece} man {moves} leaps pieces}
"""
HOSTILE_CORNER = """
: corner? ( -- ? ) here d4 = ;
' corner? IS hostile?
"""
SURROUNDED = """
: by-four ( 'dir -- ? ) DROP surrounded? ;
' by-four IS captured?
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("library", [None, OWN_LIBRARY], ids=["bundled", "own"])
@pytest.mark.parametrize(
    ("more", "men", "captured"),
    [
        ("", "a2 c4 d2; c3", {"c3"}),
        ("", "a2 c4 a1 c1; c3", {"c3"}),
        ("", "a2 b1; c3 c1 b2", set()),
        ("", "a4 d4; c3", set()),
        ("", "a2; b2", set()),  # the man itself leaves the position behind the enemy
        ("", "a2 c4; c3 d2", {"c3"}),  # an edge captures nothing
        ("", "b4; c4", set()),
        (HOSTILE_CORNER, "b2; d3", {"d3"}),
        (HOSTILE_CORNER, "b3; d2", set()),
        (SURROUNDED, "a2 c4 d3; c3", set()),
        (SURROUNDED, "a2 b3 c4 d3; c3", {"c3"}),
    ],
)
def test_captures(
    tmp_path: Path, more: str, men: str, captured: set[str], library: str | None
) -> None:
    """The first of White's men moves, which are named before Black's men."""
    path = tmp_path / "leaps.4th"
    path.write_text(SCRIPT + more, encoding="utf-8")
    game = forthvm.load(path, library=library) if library else forthvm.load(path)
    white, black = (names.split() for names in men.split(";"))
    setup = [("White", "man", name) for name in white] + [("Black", "man", name) for name in black]
    position = game.start(setup=setup, turn="White")
    position.push(next(move for move in position.legal_moves if move.from_square == white[0]))
    left = {name for name, piece in position.board.occupied() if piece.player == "Black"}
    assert set(black) - left == captured

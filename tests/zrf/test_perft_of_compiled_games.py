"""Compiled rule files give the counts of their perft files.

Small counts run by default, larger ones are marked slow; FORTHVM_PERFT sets the largest count of
all.  The article's Thud is compiled, too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import forthvm
from tests.kit.games import load_text, play
from tests.zrf import article_thud
from tests.zrf.perft_tables import Row, game_files, read_perft

QUICK = 3000
LIMIT = int(os.environ.get("FORTHVM_PERFT", "200000"))
ONCE_LIMIT = 5000  # of counts in which equal results count once: those are counted in Python


def _rows() -> Iterator[object]:
    for path in game_files():
        for row in read_perft(path.with_suffix(".perft")):
            if row.count <= (ONCE_LIMIT if row.once else LIMIT):
                marks = [pytest.mark.slow] if row.count > (100 if row.once else QUICK) else []
                name = f"{path.stem}: {row.variant or 'game'} {row.depth}{' joined' * row.joined}"
                yield pytest.param(path, row, id=name, marks=marks)


def _ends_of_turns(position: forthvm.Position) -> Iterator[forthvm.Position]:
    """The positions after each series of partial moves, and after each other move."""
    for move in position.legal_moves:
        after = play(position.copy(), move)
        if after.is_partial:
            yield from _ends_of_turns(after)
        else:
            yield after


def distinct_perft(position: forthvm.Position, depth: int) -> int:
    """Count sequences of turns; series that end in the same position are one."""
    if position.result is not None:
        return 0
    ends = {after.cells: after for after in _ends_of_turns(position)}.values()
    return len(ends) if depth == 1 else sum(distinct_perft(end, depth - 1) for end in ends)


@cache  # rows of a game follow each other
def _game(path: Path, variant: str | None) -> forthvm.Game:
    return forthvm.load(path, variant=variant)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "row"), list(_rows()))
def test_perft(path: Path, row: Row) -> None:
    position = _game(path, row.variant).start()
    if row.once:
        assert distinct_perft(position, row.depth) == row.count, row.source
    else:
        found = forthvm.perft(position, row.depth, joined=row.joined)
        assert found == row.count, row.source


PAGE = article_thud.article()


@pytest.mark.slow
@pytest.mark.skipif(PAGE is None, reason="FORTHVM_SHARED does not name a folder with the article")
def test_thud_of_the_article(tmp_path: Path) -> None:
    """The printed fragments, character for character, with the macros that the page lacks."""
    assert PAGE is not None
    position = load_text(tmp_path, article_thud.rule_file(PAGE), name="thud.zrf").start()
    assert [forthvm.perft(position, depth) for depth in (1, 2, 3)] == [656, 21736, 13584144]

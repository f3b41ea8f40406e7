"""Play the rule files of whole games on the model: counts, the solution of the puzzle, endings.

The model is slow, so only counts of a few thousand sequences run by default; larger ones are marked
slow, and those beyond `FORTHVM_ZRF_MODEL_LIMIT` sequences (5,000) are left to the compiled games.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.cases import each_case
from tests.models import zrf
from tests.zrf import article_thud
from tests.zrf.perft_tables import GAMES, Row, game_files, read_perft

QUICK = 300
LIMIT = int(os.environ.get("FORTHVM_ZRF_MODEL_LIMIT", "5000"))
FILES = game_files()
# Games that take the model more than a quarter of a second in a random game.
LARGE = {
    "brazilian-draughts",
    "chess",
    "international-draughts",
    "los-alamos-chess",
    "mini-shogi",
    "recycle-chess",
    "reversi",
    "thud",
    "yonin-shogi",
}

PLIES = 60  # of a random game


def _variants() -> Iterator[object]:
    for path in FILES:
        for index, title in enumerate(zrf.titles(path)):
            marks = [pytest.mark.slow] if index or path.stem in LARGE else []
            yield pytest.param(path, title, id=f"{path.stem}: {title}", marks=marks)


def _rows() -> Iterator[object]:
    for path in FILES:
        for row in read_perft(path.with_suffix(".perft")):
            if row.count <= LIMIT:
                marks = [pytest.mark.slow] if row.count > QUICK else []
                name = f"{path.stem}: {row.variant or 'game'} {row.depth}{' joined' * row.joined}"
                yield pytest.param(path, row, id=name, marks=marks)


@each_case("path", FILES, ids=lambda path: path.stem)
def test_perft_files_name_variants_of_their_game(path: Path) -> None:
    rows = list(read_perft(path.with_suffix(".perft")))
    assert {row.variant for row in rows} - {None} <= set(zrf.titles(path))
    assert rows
    for row in rows:
        assert row.depth > 0
        assert len(row.source) > 10, f"depth {row.depth}: the source of the number is missing"


@pytest.mark.sampled(42)
@pytest.mark.parametrize(("path", "row"), list(_rows()))
def test_perft(path: Path, row: Row) -> None:
    position = zrf.load(path, row.variant).start()
    count = zrf.perft(position, row.depth, joined=row.joined, distinct=row.once)
    assert count == row.count, row.source


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("path", "title"), list(_variants()))
def test_random_games_end_or_go_on_without_errors(path: Path, title: str) -> None:
    chooser = random.Random(f"{path.stem} {title}")
    position = zrf.load(path, title).start()
    for _ in range(PLIES):
        moves = position.moves()
        if position.result is not None:
            assert not moves
            return
        assert moves, "a game without a result has a move"
        assert len({move.text for move in moves}) == len(moves), "texts tell moves apart"
        position = position.play(chooser.choice(moves))


def test_solution_solves_the_first_level_of_the_puzzle() -> None:
    header, rules, variant, *lines = (GAMES / "box-puzzle.zsg").read_text().splitlines()
    assert header.endswith(" H")  # one human player
    assert rules == "RulesFile=box-puzzle.zrf"
    position = zrf.load(GAMES / "box-puzzle.zrf", variant.removeprefix("VariantName=")).start()
    for line in lines:
        number, _, text = line.partition(". ")
        assert position.result is None
        assert position.turn_number == int(number)
        alike = {move.text.replace(" x ", " - "): move for move in position.moves()}  # 88
        position = position.play(alike[text])
    assert position.result == {"Player": "win"}


# --- the article's Thud -------------------------------------------------------------------------

PAGE = article_thud.article()


@pytest.mark.slow
@pytest.mark.skipif(PAGE is None, reason="FORTHVM_SHARED does not name a folder with the article")
def test_thud_of_the_article_has_the_counts_of_the_rules_page(tmp_path: Path) -> None:
    assert PAGE is not None
    path = tmp_path / "thud.zrf"
    path.write_text(article_thud.rule_file(PAGE), encoding="utf-8")
    for fragment in article_thud.fragments(PAGE).values():
        assert fragment in PAGE
        assert fragment in path.read_text(encoding="utf-8")
    position = zrf.load(path).start()
    assert zrf.perft(position, 1) == 656
    assert zrf.perft(position, 2) == 21736

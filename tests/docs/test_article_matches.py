"""Tests the matches and the report of benchmarks/article_matches.py.

The matches of Rithmomachia end by De Corpore (15 captured pieces, victory 1) or by De Bonis
(captured pieces of a sufficient total value, the target; victory 2).
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

import forthvm
from benchmarks import article_matches
from forthvm.autoplay.statistics.formulas import GAME_SCORES, PAIR_SCORES, Sample, mean_interval

CHECKOUT = Path(__file__).resolve().parents[2]
BENCHMARKS = CHECKOUT / "benchmarks"


@pytest.fixture(scope="module")
def matches() -> ModuleType:
    return article_matches


def rows_of(text: str) -> list[list[str]]:
    """Returns the cells of the tables' rows, without the heads."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("| ")
    ]
    return [row for row in rows if row[0] not in {"match", "---"}]


def check_part(matches: ModuleType, name: str, text: str) -> list[list[str]]:
    """Checks and returns the rows of a part: one for the article and one for each match."""
    part = matches.PARTS[name]
    rows = rows_of(text)
    assert [row[0] for row in rows] == [
        part.article[0],
        *(contest.label for contest in part.contests),
    ]
    for _, games, won, drawn, lost, score, interval, *_ in rows:
        assert int(won) + int(drawn) + int(lost) == int(games)
        points = 100 * (int(won) + int(drawn) / 2) / int(games)
        assert float(score.removesuffix(" %")) == pytest.approx(points, abs=0.05)
        number, _, by = interval.partition(" % by ")
        assert by in {"games", "pairs"}
        low, high = map(float, number.split(" to "))
        assert low <= points + 0.05
        assert high >= points - 0.05
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("name", ["duel", "eval", "plain"])
def test_report_has_a_row_for_each_match(matches: ModuleType, name: str, tmp_path: Path) -> None:
    target = tmp_path / "results.md"
    plies = [] if name == "duel" else ["--plies", "3"]
    assert matches.main([name, "--games", "2", *plies, "--output", str(target)]) == 0
    page = target.read_text(encoding="utf-8")
    assert page.startswith("# The articles' matches\n\nWritten by ")
    assert page.count("\n## ") == 1
    rows = check_part(matches, name, page)
    assert {row[1] for row in rows[1:]} == {"2"}
    if name != "duel":  # three plies are too few for a victory: all games are draws of this length
        drawn, plies_per_game = 3, 7  # columns
        assert {row[drawn] for row in rows[1:]} == {"2"}
        assert {row[plies_per_game] for row in rows[1:]} == {"3 (3 to 3)"}


def test_intervals_equal_wilson_intervals(matches: ModuleType) -> None:
    """The expected intervals of 13 of 100, 13 of 13, 1 of 22 and 0 of 11 pairs are independent."""
    counts = [(GAME_SCORES, (87, 0, 13)), (GAME_SCORES, (0, 0, 13)), (GAME_SCORES, (21, 0, 1))]
    found = [matches.interval_text(mean_interval(Sample(*each)), paired=False) for each in counts]
    assert found == ["7.8 to 21.0 % by games", "77.2 to 100.0 % by games", "0.8 to 21.8 % by games"]
    pairs = mean_interval(Sample(PAIR_SCORES, (11, 0, 0, 0, 0)))
    assert matches.interval_text(pairs, paired=True) == "0.0 to 25.9 % by pairs"


def balance_of(position: forthvm.Position) -> int:
    """Returns the sum of White's piece values minus Black's; a piece's name ends with its value."""
    pieces = [piece for piece in position.board.values() if piece is not None]
    return sum(
        int(str(piece.type)[1:]) * (1 if piece.player == "White" else -1) for piece in pieces
    )


def load_program(name: str) -> forthvm.Game:
    scripts = BENCHMARKS.parent / "scripts"
    return forthvm.load(BENCHMARKS / "programs" / f"{name}.4th", include=[scripts])


def test_evaluation_equals_material_balance() -> None:
    """White's best first move captures the piece S225, whose value is 225.

    The engine searches one ply.  The evaluation of `rithmomachia-plain` is always 0.
    """
    best = {}
    for name in ("rithmomachia-eval", "rithmomachia-plain"):
        position = load_program(name).start()
        best[name] = forthvm.engines.get("axiom:depth=1").play(position).score
    # The original's unit is 1/64 point, and a balance of 0 counts as 1 for the other side.
    expected = 64 * (balance_of(position) + 225)
    assert best == {"rithmomachia-eval": expected, "rithmomachia-plain": -1}


@pytest.mark.parametrize(("row", "victory"), [(1, 2), (2, 0)])
def test_targets_are_exchanged(matches: ModuleType, row: int, victory: int) -> None:
    """In the script as printed, White's and Black's targets for De Bonis are exchanged.

    So White wins with captures of 984 in contest 1.  With the intended targets of contest 2, White
    needs 1315.
    """
    configuration = matches.PARTS["eval"].contests[row].first.configuration
    game = forthvm.load(
        configuration.game,
        settings=dict(configuration.settings),
        include=configuration.include,
    )
    position = game.start(variables={"value-taken[0]": 984 - 225})
    position.push("S25 c3 - d6 x d14")
    assert position.variables["value-taken"] == 984
    assert position.variables["victory"] == victory

"""The statistics of games, and their text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import math
from xml.etree import ElementTree

import pytest

from forthvm.autoplay.report.summary_text import article_lines, tables
from forthvm.autoplay.results.export import document, write_csv
from forthvm.autoplay.results.store import GameRow
from forthvm.autoplay.statistics.formulas import GAME_SCORES, PAIR_SCORES, wilson_interval
from forthvm.autoplay.statistics.sprt import H1, SprtSettings
from forthvm.autoplay.statistics.summary import Summary, summarise, summarise_store
from tests.autoplay.results import duel, row


def standings(summary: Summary) -> dict[str, tuple[int, int, int, int, int, float]]:
    """Return by entrant: games, wins, shared wins, draws, losses and points."""
    return {
        each.name: (each.played, each.won, each.shared, each.drawn, each.lost, each.points)
        for each in summary.standings
    }


def test_summary_of_two_entrants() -> None:
    """A wins as X and as O, draws, loses: 2.5 of 4 points."""
    rows = [duel(1, 1), duel(2, 1, swapped=True), duel(3, 0.5), duel(4, 0, swapped=True)]
    summary = summarise(rows, entrants=["A", "B"])
    assert standings(summary) == {"A": (4, 2, 0, 1, 1, 2.5), "B": (4, 1, 0, 1, 2, 1.5)}
    assert [(seat.name, seat.points, seat.won) for seat in summary.seats] == [
        ("X", 2.5, 2),
        ("O", 1.5, 1),
    ]
    assert summary.drawn == 1
    assert summary.draw_rate == wilson_interval(1, 4)
    assert list(summary.duel.games.counts) == [1, 1, 2]
    assert summary.duel.pairs is None
    assert summary.ratings is None
    cell = summary.cross["B", "A"]
    assert (cell.played, cell.won, cell.drawn, cell.lost, cell.points) == (4, 1, 1, 2, 1.5)


@pytest.mark.parametrize("entrants", [2, 3])
def test_notebooks_show_tables_with_escaped_names(entrants: int) -> None:
    """Names come from files; they must not become elements, attributes or scripts."""
    names = ['<script>alert("x")</script>', "\" onload='y' <b>&", "C</td>"][:entrants]
    rows = [
        row(
            at,
            {"<X>": names[at % entrants], "O&": names[(at + 1) % entrants]},
            (1, 0),
            "a b",
            game="<game>",
            reason="<i>",
        )
        for at in range(1, 7)
    ]
    summary = summarise(rows, entrants=names)
    shown = summary._repr_html_()
    root = ElementTree.fromstring(f"<div>{shown}</div>")
    elements = {each.tag.rpartition("}")[2] for each in root.iter()}
    assert not elements & {"script", "b", "i", "X", "game"}
    assert not any(name.startswith("on") for each in root.iter() for name in each.attrib)
    cells = {each.text for each in root.iter("td")}
    assert set(names) <= cells
    assert {"<X>", "O&"} <= cells
    assert "<game>" in (root.findtext("h1") or "")


def test_results_of_pairs() -> None:
    """In four pairs, A has 2, 1 (a win and a loss), 1 (two draws) and 1/2 points.

    The fifth pair is incomplete: it has one game.
    """
    scores = [(1, 1), (1, 0), (0.5, 0.5), (0, 0.5)]
    rows = []
    for pair, (first, second) in enumerate(scores, start=1):
        rows.append(duel(2 * pair - 1, first, pair=pair))
        rows.append(duel(2 * pair, second, swapped=True, pair=pair))
    summary = summarise([*rows, duel(9, 1, pair=5)])
    with_incomplete_pair = summary.duel
    assert with_incomplete_pair.pairs.values == PAIR_SCORES
    assert list(with_incomplete_pair.pairs.counts) == [0, 1, 2, 0, 1]
    # Intervals by pairs need 90 % of the games in complete pairs; 8 of 9 games are only 89 %.
    assert (with_incomplete_pair.by_pairs, summary.standings[0].paired) == (False, False)
    complete = summarise(rows).duel
    assert complete.by_pairs
    assert complete.elo.elo == pytest.approx(400 * math.log10(4.5 / 3.5))


def test_paired_results_narrow_the_interval() -> None:
    """X always wins, so the mean of every pair is exactly 1/2, without variance."""
    rows = [duel(at, float(at % 2), swapped=at % 2 == 0, pair=(at + 1) // 2) for at in range(1, 81)]
    by_pairs, by_games = summarise(rows), summarise([duel(each.id, each.id % 2) for each in rows])
    narrow, wide = by_pairs.standings[0].interval, by_games.standings[0].interval
    assert narrow.high - narrow.low < (wide.high - wide.low) / 2
    assert by_pairs.first_seat.score == 1.0


def test_four_players_and_shared_wins() -> None:
    seats = {"S": "A", "W": "B", "N": "C", "E": "D"}
    rows = [
        row(1, seats, (1, 0, 0, 0)),
        row(2, seats, (0.5, 0, 0.5, 0)),
        row(3, seats, (0.25, 0.25, 0.25, 0.25)),
    ]
    summary = summarise(rows)
    assert standings(summary) == {
        "A": (3, 1, 1, 1, 0, 1.75),
        "B": (3, 0, 0, 1, 2, 0.25),
        "C": (3, 0, 1, 1, 1, 0.75),
        "D": (3, 0, 0, 1, 2, 0.25),
    }
    assert summary.duel is None
    # All entrants play in all games, so their strengths are proportional to their points.
    elo, _ = summary.ratings.difference("A", "C")
    assert elo == pytest.approx(400 * math.log10(1.75 / 0.75))
    assert summary.cross["A", "C"].points == 2  # higher score once, equal score twice
    assert article_lines(summary)[1:6] == [
        'Player 1 "A", wins = 1.5.',
        'Player 2 "B", wins = 0.',
        'Player 3 "C", wins = 0.5.',
        'Player 4 "D", wins = 0.',
        "Draws = 1",
    ]


def test_entrant_with_two_seats() -> None:
    """The entrant has the results of both seats, and is not counted as its own opponent."""
    rows = [row(1, {"S": "A", "W": "B", "N": "A"}, (0, 0, 1))]
    summary = summarise(rows)
    assert standings(summary)["A"] == (2, 1, 0, 0, 1, 1.0)
    assert set(summary.cross) == {("A", "B"), ("B", "A")}
    assert summary.cross["A", "B"].points == 1.5


def test_void_games_are_not_counted() -> None:
    lost = duel(2, 0, void=True, reason="void: the game failed")
    summary = summarise([duel(1, 1), lost], planned=4)
    assert (summary.counted, summary.void, summary.planned) == (1, 1, 4)
    assert standings(summary)["A"] == (1, 1, 0, 0, 0, 1)
    assert dict(summary.reasons) == {"OnIsGameOver: it is over": 1, "void: the game failed": 1}
    assert "1 game that does not count" in "\n".join(tables(summary))


def test_moves_time_and_nodes() -> None:
    """Moves are those chosen by engines, without the opening's ply."""
    game = duel(
        1,
        1,
        moves="a b c d e",
        opening=(("X", "a"),),
        nodes={"X": 300, "O": 0},
        thinking={"X": 1.5, "O": 0.25},
        branching=12.5,
        faults=("A printed rubbish",),
    )
    summary = summarise([game])
    first, second = summary.standings
    assert (first.moves, second.moves) == (2, 2)
    assert first.seconds_per_move == pytest.approx(0.75)
    assert first.nodes_per_second == pytest.approx(200)
    assert second.nodes_per_second is None
    assert summary.faults == 1
    assert summary.branching.mean == 12.5
    assert summary.length.greatest == 5


def test_forfeits_are_counted_for_the_failing_entrant() -> None:
    rows = [
        duel(1, 0, reason="forfeit: A (X): out of time: 2.1 s used, 2.0 s left"),
        duel(2, 1, swapped=True, reason="forfeit: B (X): ValueError: no"),
        duel(3, 0, reason="OnIsGameOver: X has lost"),
    ]
    assert [each.forfeits for each in summarise(rows).standings] == [1, 1]


def test_engines_that_fail_in_most_games_are_named_first() -> None:
    rows = [
        duel(1, 0, reason="forfeit: A (X): ValueError: no"),
        duel(2, 1, swapped=True, reason="forfeit: A (O): ValueError: no"),
        duel(3, 0, reason="void: A (X): ended", void=True),
        duel(4, 0, swapped=True, reason="forfeit: B (X): out of time: 2 s used, 1 s left"),
        duel(5, 1, reason="forfeit: B (O): out of time: 2 s used, 1 s left"),
    ]
    summary = summarise(rows)
    (failing,) = summary.failing
    assert (failing.name, failing.games, failing.failed) == ("A", 5, 3)
    text = " ".join(tables(summary, 80))
    assert text.startswith("Error: the engine of A failed in 3 of 5 games")
    assert text.index("ValueError: no") < text.index("Elo")
    assert not summarise([*rows, duel(6, 1, swapped=True)]).failing  # half of the games


def test_forfeits_before_the_first_move_are_counted() -> None:
    rows = [duel(1, 0, reason="forfeit: A (X): it ended")]
    summary = summarise(rows)
    lines = [line.split() for line in tables(summary, 80)]
    assert ["A", "0", "-", "-", "1"] in lines
    assert not any(line[:2] == ["B", "0"] for line in lines)
    page = summary._repr_html_()
    assert ">A</td><td>0</td><td>-</td><td>-</td><td>1</td>" in page


def test_repeated_games_are_counted() -> None:
    rows = [duel(at, 1, moves=moves) for at, moves in enumerate(["a b", "a c", "a b", "a b"], 1)]
    summary = summarise([*rows, duel(5, 1), duel(6, 1)])  # their moves are unknown
    assert summary.repeats.count == 2
    assert "2 games like another game" in "\n".join(tables(summary))


def test_sequential_test_by_games() -> None:
    rows = [duel(at, 1) for at in range(1, 31)]
    match = {
        "entrants": [{"name": "A"}, {"name": "B"}],
        "games": 100,
        "options": {"sprt": ["elo0=0", "elo1=100"]},
    }
    summary = summarise_store({**match, "schedule": "fixed"}, rows)
    test = summary.duel.sprt
    assert test.decision == H1
    # Each win adds ln(0.64 / 0.5) to the LLR, which exceeds 2.94 after 12 wins.
    assert list(test.sample.counts) == [0, 0, 12]
    text = "\n".join(tables(summary))
    assert "30 of 100 games" in text
    assert "SPRT LLR +2.96 by games, bounds -2.94 and +2.94, elo0=0, elo1=100: H1" in text
    assert article_lines(summary)[0] == "Final results:"


def test_sequential_test_by_pairs() -> None:
    """Incomplete pairs are not counted; only the fixed schedule counts single games."""
    rows = [duel(at, 1, swapped=at % 2 == 0, pair=(at + 1) // 2) for at in range(1, 8)]
    summary = summarise(rows, sprt=SprtSettings(elo0=0, elo1=100))
    assert list(summary.duel.sprt.sample.counts) == [0, 0, 0, 0, 3]


def test_summary_without_games() -> None:
    summary = summarise([], entrants=["A", "B"], planned=10)
    assert summary.counted == 0
    assert tables(summary)[0] == "no game yet: 0 of 10 games"
    assert article_lines(summary) == [
        "Cumulative results following game 0 of 10:",
        'Player 1 "A", wins = 0.',
        'Player 2 "B", wins = 0.',
        "Draws = 0",
    ]
    json.dumps(document(summary), allow_nan=False)


def test_article_lines_of_a_match() -> None:
    """The article on Splut! and Axiom prints results in this format."""
    rows = [
        row(at, {"South": "Random", "North": "Duel"}, (float(at <= 13), float(at > 13)))
        for at in range(1, 101)
    ]
    summary = summarise(rows, entrants=["Random", "Duel"], planned=100)
    assert article_lines(summary) == [
        "Final results:",
        'Player 1 "Random", wins = 13.',
        'Player 2 "Duel", wins = 87.',
        "Draws = 0",
        "100 game(s) played",
    ]
    unfinished = summarise(rows[:22], entrants=["Random", "Duel"], planned=100)
    assert article_lines(unfinished)[0] == "Cumulative results following game 22 of 100:"


def test_self_play_is_reported_by_seats() -> None:
    """The article on Rithmomachia prints a match of the engine Eval against itself this way."""
    rows = [row(at, {"White": "Eval", "Black": "Eval"}, (1, 0)) for at in range(1, 14)]
    summary = summarise(rows, entrants=["Eval"])
    assert article_lines(summary)[1:4] == [
        'Player 1 "Eval", wins = 13.',
        'Player 2 "Eval", wins = 0.',
        "Draws = 0",
    ]
    assert summary.duel is None
    assert summary.ratings is None


def games_of_four_entrants() -> list[GameRow]:
    names = ["A rather long name of an engine", "mcts:time=0.1,playouts=100000", "C\x1b[31m", "D"]
    rows = []
    for at in range(1, 61):
        one, other = names[at % 4], names[(at // 4 + at + 1) % 4]
        if one != other:
            score = (at % 3) / 2
            seats = {"South": one, "North": other}
            rows.append(row(at, seats, (score, 1 - score), thinking={"South": 1.0}, moves="a b"))
    return rows


@pytest.mark.parametrize("width", [60, 80, 120])
def test_tables_fit_the_width(width: int) -> None:
    lines = tables(summarise(games_of_four_entrants()), width)
    assert max(map(len, lines)) <= width
    assert not any(char in line for line in lines for char in "\x1b\t\n")


def test_tables_of_many_entrants_fit() -> None:
    """A cross table of twelve entrants does not fit; the text refers to the HTML report."""
    rows = [row(at, {"S": f"E{at % 12}", "N": f"E{(at + 1) % 12}"}, (1, 0)) for at in range(1, 25)]
    lines = tables(summarise(rows), 60)
    assert max(map(len, lines)) <= 60
    assert any("--html" in line for line in lines)


def test_json_document() -> None:
    """Infinite Elo is null, since JSON has no infinity."""
    exported = document(summarise([duel(at, 1) for at in range(1, 11)]))
    text = json.dumps(exported, allow_nan=False)
    assert json.loads(text) == exported
    assert isinstance(exported["duel"], dict)
    assert exported["duel"]["elo"] is None
    assert exported["duel"]["elo_interval"] == [pytest.approx(166.2, abs=0.1), None]
    assert exported["duel"]["losses_draws_wins"] == [0, 0, 10]


def test_json_of_several_entrants() -> None:
    exported = document(summarise(games_of_four_entrants()))
    json.dumps(exported, allow_nan=False)
    assert isinstance(exported["ratings"], dict)
    assert len(exported["ratings"]["entrants"]) == 4


def test_csv_lines() -> None:
    file = io.StringIO(newline="")
    rows = [duel(1, 1, moves="a,1 b"), duel(2, 0.5, swapped=True, void=True)]
    assert write_csv(file, rows) == 2
    file.seek(0)
    first, second = csv.DictReader(file)
    assert (first["id"], first["X_entrant"], first["X_score"]) == ("1", "A", "1")
    assert (first["moves"], first["plies"], first["void"]) == ("a,1; b", "2", "0")
    assert (second["X_entrant"], second["O_score"], second["void"]) == ("B", "0.5", "1")


def test_scores_are_rounded_in_samples() -> None:
    """1/3 and 0.333333333333 are one value of the sample."""
    seats = {"S": "A", "W": "B", "N": "C"}
    rows = [row(1, seats, (1 / 3, 1 / 3, 1 / 3)), row(2, seats, (0.333333333333, 0.3333333333, 0))]
    assert len(set(summarise(rows).standings[0].scores)) == 2  # these scores are not rounded
    low, high = vars(summarise(rows).standings[0].interval).values()
    assert 0 < low < 1 / 3 < high < 1
    assert summarise([duel(1, 0.5)]).duel.games.values == GAME_SCORES  # type: ignore[union-attr]


def test_score_history() -> None:
    """The history of eight games in four points ends with the interval of the standing."""
    standing = summarise([duel(at, float(at <= 4)) for at in range(1, 9)]).standings[0]
    history = standing.score_history(4)
    assert [(end, round(mean, 3)) for end, mean, _ in history] == [
        (2, 1.0),
        (4, 1.0),
        (6, 0.667),
        (8, 0.5),
    ]
    assert history[-1][2] == standing.interval
    assert len(standing.score_history(100)) == 8


def test_swiss_tournament_has_complete_rounds() -> None:
    """A round of six entrants has six games: of 20 requested games, 18 are played."""
    match = {
        "games": 20,
        "schedule": "swiss",
        "entrants": [{"name": name} for name in "ABCDEF"],
        "seats": ["X", "O"],
    }
    assert summarise_store(match, []).planned == 18

"""The cost of a search per root move: counting and statistics."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import forthvm
from forthvm.engines.statistics import (
    MoveStatistics,
    RootMove,
    ScriptCounter,
    chart,
    measure,
    measure_game,
    write_csv,
    write_jsonl,
)
from tests.kit.games import load_text, loaded, play
from tests.kit.messages import raises

# White has three root moves: b1-c1, b1-a1 and d1-c1.  The engine CountsNodes spends 5, 2 and 9
# nodes on them, times the factor of the iteration.  The tests replace {report} by words that report
# the nodes, and {further} by further iterations.
GAME = """
{board 1 6 {grid} board}
{directions 0 1 {direction} e 0 -1 {direction} w directions}
: step ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: go-e ['] e step ; : go-w ['] w step ;
{moves man-moves {move} go-e {move} go-w moves}
{pieces {piece} man {moves} man-moves pieces}

VARIABLE spent                  \\ nodes of the current iteration and those before it
VARIABLE spent-on-move          \\ nodes of the current root move
3 [] costs[]  5 0 costs[] ! 2 1 costs[] ! 9 2 costs[] !
VARIABLE root-move              \\ the index of the current root move
: spend ( n -- ) DUP spent +! spent-on-move +! ;
: iteration ( factor -- )
    root-move OFF $FirstMove
    BEGIN
        DUP $MoveString CurrentMove!
        spent-on-move OFF
        OVER root-move @ costs[] @ * spend
        {report}
        root-move ++ $NextMove DUP 0=
    UNTIL 2DROP
;
: CountsNodes ( -- )
    spent OFF
    $FirstMove $MoveString BestMove! 0 Score! 1 Nodes! 0 Depth!
    1 iteration {further}
;
{players
    {player} White {search-engine} CountsNodes {player} Black {search-engine} CountsNodes
players}
{turn-order {turn} White {turn} Black turn-order}
{board-setup {setup} White man b1 {setup} White man d1 {setup} Black man e1 board-setup}
"""
MOVES = ("man b1 - c1", "man b1 - a1", "man d1 - c1")


def game(folder: Path, report: str = "spent @ Nodes!", further: str = "") -> forthvm.Game:
    text = GAME.replace("{report}", report).replace("{further}", further)
    return load_text(folder, text)


def roots(*counts: int) -> tuple[RootMove, ...]:
    return tuple(RootMove(move, count) for move, count in zip(MOVES, counts, strict=True))


def statistics(*counts: int, ply: int = 0) -> MoveStatistics:
    return MoveStatistics(
        ply=ply,
        player="White",
        played="a",
        depth=1,
        score=0,
        seconds=0.5,
        root_moves=tuple(RootMove(f"move {at}", count) for at, count in enumerate(counts)),
    )


def test_statistics_of_the_article() -> None:
    """The second group of the example in the article on Splut!, with figures computed by hand."""
    example = statistics(3749, 22, 1, 22, 22, 22, 22, 1, 1)
    assert (example.minimum, example.maximum, example.total) == (1, 3749, 3862)
    assert example.mean == pytest.approx(429.111, abs=0.001)
    # A violation is a count above that of the move before: here only the first 22, after a 1.
    assert example.violations == 1
    empty = statistics()
    assert (empty.minimum, empty.mean, empty.maximum, empty.violations) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("report", "further", "counter", "counts"),
    [
        ("spent @ Nodes!", "", None, (5, 2, 9)),
        ("spent @ Nodes!", "2 iteration", None, (10, 4, 18)),
        ("", "", ScriptCounter("spent"), (5, 2, 9)),
        ("", "2 iteration", ScriptCounter("spent"), (10, 4, 18)),
        ("", "", ScriptCounter("spent-on-move", resets=True), (5, 2, 9)),
        ("", "2 iteration", ScriptCounter("spent-on-move", resets=True), (10, 4, 18)),
    ],
)
def test_counts_of_an_engine_in_forth(
    tmp_path: Path,
    report: str,
    further: str,
    counter: ScriptCounter | None,
    counts: tuple[int, ...],
) -> None:
    """Counts come from Nodes!, a running total, or a counter that is reset for each root move.

    They are those of the last iteration.
    """
    position = game(tmp_path, report, further).start()
    measured = measure(forthvm.engines.get("script"), position, counter=counter)
    assert measured.root_moves == roots(*counts)
    assert (measured.ply, measured.player, measured.played) == (0, "White", "man b1 - c1")


def test_interrupted_iteration_is_ignored(tmp_path: Path) -> None:
    """A second iteration with only one root move is not counted."""
    incomplete = "$FirstMove $MoveString CurrentMove! 100 spend spent @ Nodes!"
    position = game(tmp_path, further=incomplete).start()
    assert measure(forthvm.engines.get("script"), position).root_moves == roots(5, 2, 9)


def test_invalid_counters_are_refused(tmp_path: Path) -> None:
    position = game(tmp_path).start()
    script = forthvm.engines.get("script")
    for name in ("costs[]", "nothing", "CountsNodes"):
        with raises(forthvm.engines.EngineOptionError, "engines-statistics.no-such-variable"):
            measure(script, position, counter=ScriptCounter(name))
    with raises(forthvm.engines.EngineOptionError, "engines-statistics.engine-in-python"):
        measure(forthvm.engines.get("axiom"), position, counter=ScriptCounter("spent"))
    with raises(forthvm.engines.EngineOptionError, "engines-statistics.no-depth"):
        measure(forthvm.engines.get("first"), position)


def test_counts_of_other_engines_are_those_of_subtrees() -> None:
    """At depth two without pruning, each root move costs the number of its replies."""
    position = play(loaded("tictactoe").start(), "a1")
    engine = forthvm.engines.get("negamax:tt=0,pvs=no,quiescence=no,repetition=no,depth=2")
    before = position.copy()
    measured = measure(engine, position)
    assert position == before
    assert tuple(root.move for root in measured.root_moves) == position.legal_moves.texts
    assert measured.counts == (7,) * 8
    assert measure(engine, position, forthvm.Limits(depth=1)).counts == (1,) * 8


def test_counts_of_tree_search_are_visits() -> None:
    """A hundred playouts visit a root move each; the most visited move is played."""
    position = loaded("tictactoe").start()
    measured = measure(forthvm.engines.get("mcts:playouts=100,seed=1"), position)
    assert tuple(root.move for root in measured.root_moves) == position.legal_moves.texts
    assert 98 <= measured.total <= 100  # the first playouts may end at the root
    played_counts = [root.count for root in measured.root_moves if root.move == measured.played]
    assert measured.maximum == max(played_counts)


def test_partial_moves_cost_no_depth() -> None:
    """A partial move does not reduce the depth.

    At depth 1, the moves that complete a partial move are therefore searched and counted.  A move
    that ends the turn counts 1.
    """
    position = loaded("draughts").start()
    engine = forthvm.engines.get("negamax:depth=1,tt=0,quiescence=no")
    while not any(move.is_partial for move in position.legal_moves):
        position.push(position.legal_moves[0])
    measured = measure(engine, position)
    assert any(move.is_partial for move in position.legal_moves)
    for move, count in zip(position.legal_moves, measured.counts, strict=True):
        after = play(position.copy(), move)
        assert count == (len(after.legal_moves) if move.is_partial and after.is_partial else 1)


def test_measure_game_skips_forced_moves(tmp_path: Path) -> None:
    """The moves of a game are measured one by one; the position is advanced."""
    position = game(tmp_path).start()
    script = forthvm.engines.get("script")
    first, second = measure_game(position, script, plies=3)
    # Black's e1-f1 is the only move, and not measured.  Then White has two moves, from c1 to b1
    # and from d1 to e1, for which the engine reports 5 and 2.
    assert (first.ply, first.played, first.counts) == (0, "man b1 - c1", (5, 2, 9))
    assert position.history[1].text == "man e1 - f1"
    assert (second.ply, second.played, second.counts) == (2, "man c1 - b1", (5, 2))
    assert position.ply == 3


def test_measure_game_skips_chance_moves() -> None:
    """Chance players have no engine: the game's random numbers choose, and nothing is measured."""
    position = forthvm.load("ur", seed=4).start()
    engine = forthvm.engines.get("negamax:depth=1,samples=1")
    measured = list(measure_game(position, engine, plies=12))
    assert position.ply == 12
    chance = {player.name for player in position.game.player_details if player.chance}
    assert chance
    assert chance.isdisjoint(entry.player for entry in measured)
    assert any(played.player in chance for played in position.history)


def test_csv_and_json_lines() -> None:
    entries = [statistics(4, 1, 7), statistics(3, 3, ply=1)]
    table = io.StringIO(newline="")
    write_csv(table, entries)
    first, second = csv.DictReader(io.StringIO(table.getvalue()))
    assert (first["ply"], first["mean"], first["violations"]) == ("0", "4.0", "1")
    assert (first["minimum"], first["maximum"], first["counts"]) == ("1", "7", "4 1 7")
    assert (second["ply"], second["violations"], second["moves"]) == ("1", "0", "2")
    lines = io.StringIO()
    write_jsonl(lines, entries)
    documents = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert documents[0]["counts"] == [["move 0", 4], ["move 1", 1], ["move 2", 7]]
    assert [document["total"] for document in documents] == [12, 6]


def test_chart_has_dots_for_measured_moves() -> None:
    """The chart has five lines, with a dot for each move of the game that has counts."""
    text = chart([statistics(4, 1, 7), statistics(), statistics(3, 9, ply=2)], title="<costs>")
    root = ElementTree.fromstring(text)
    dots = [element for element in root.iter() if element.tag.endswith("circle")]
    assert len(dots) == 2 * 5
    assert "&lt;costs&gt;" in text
    ElementTree.fromstring(chart([], title="nothing"))

"""Stop requests before a search has entered its VM, and limits by clocks."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from forthvm import engines, load
from forthvm.engines import Limits, SearchResult
from tests.kit.games import load_text

LONG = Limits(time=25.0)
"""Limits under which a search lasts longer than the tests wait, unless it is stopped."""
ENGINE = """
{board 3 3 {grid} board}
{directions 0 1 {direction} right directions}
: think $FirstMove $MoveString BestMove! BEGIN SearchStatus@ UNTIL ;
{players {player} One {search-engine} think {player} Two {search-engine} think players}
{turn-order {turn} One {turn} Two turn-order}
: hop right verify empty? verify from here move add-move ;
{moves hops {move} hop moves}
{pieces {piece} man {moves} hops pieces}
{board-setup {setup} One man a1 {setup} Two man a3 board-setup}
"""


def play_in_thread(
    engine: engines.Engine, position: object
) -> tuple[threading.Thread, list[SearchResult]]:
    """Start a search in another thread; return the thread, and a list for the result."""
    results: list[SearchResult] = []

    def play() -> None:
        results.append(engine.play(position, LONG))  # type: ignore[arg-type]

    thread = threading.Thread(target=play)
    thread.start()
    return thread, results


@pytest.mark.sampled(3)
@pytest.mark.parametrize("spec", ["negamax", "mcts", "axiom", "brs", "maxn"])
def test_stop_while_the_vm_is_in_use_ends_the_later_search(spec: str) -> None:
    game = load("breakthrough")
    engine = engines.get(spec)
    with game.start()._in_memory():  # this thread uses the VM
        thread, results = play_in_thread(engine, game.start())
        time.sleep(0.2)  # the engine now waits for the VM
        engine.stop()
    thread.join(20)
    assert not thread.is_alive()
    assert results[0].info.get("stopped", True)
    assert results[0].nodes < 100_000


def test_stop_while_the_vm_is_in_use_reaches_a_script(tmp_path: Path) -> None:
    game = load_text(tmp_path, ENGINE, name="waits.4th")
    engine = engines.get("script")
    with game.start()._in_memory():
        thread, results = play_in_thread(engine, game.start())
        time.sleep(0.2)
        engine.stop()
    thread.join(20)
    assert not thread.is_alive()
    assert results[0].info["stopped"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "spec", ["negamax", "mcts", "axiom", "negamax:threads=2", "mcts:threads=2"]
)
def test_no_stop_is_lost_at_any_moment(spec: str) -> None:
    """Stops are requested at different times after `play` was called."""
    game = load("tictactoe")
    engine = engines.get(spec)
    for delay in range(12):
        position = game.start()
        thread, results = play_in_thread(engine, position)
        time.sleep(delay * 0.0005)
        # If `play` has not begun, the request has no effect, and is repeated.
        while thread.is_alive():
            engine.stop()
            thread.join(0.5)
        assert results[0].move in position.legal_moves


def test_stop_before_the_search_has_no_effect() -> None:
    position = load("breakthrough").start()
    for spec in ("negamax:depth=3", "mcts:playouts=50", "axiom:depth=2"):
        engine = engines.get(spec)
        engine.stop()
        assert engine.play(position).nodes >= 50


# --- threads and lines of mcts -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["breakthrough", "yonin-shogi", "ur"])
def test_threads_of_mcts_grow_one_tree(name: str) -> None:
    """No visit is lost, and none remains from the virtual loss of an unfinished playout."""
    position = load(name, seed=1).start()
    engine = engines.get("mcts:threads=2,seed=3,depth=20,keep=yes")
    played = 0
    for _ in range(2):  # the second search continues in the tree of the first
        result = engine.play(position, Limits(nodes=300))
        played += result.nodes
        tree = engine.tree  # type: ignore[attr-defined]
        # One thread ends the search; the other may be stopped in its last playout.
        assert 299 <= result.nodes <= 300
        assert tree.root.visits == played
        nodes = tree.nodes(0, len(tree))
        for node in nodes:
            visits = sum(child.visits for child in nodes[node.first : node.first + node.count])
            assert visits == played if node is nodes[0] else visits <= node.visits
            assert 0 <= node.sum <= node.visits
        assert result.move in position.legal_moves


def test_mcts_with_threads_finds_a_win_in_one() -> None:
    position = load("tictactoe").start()
    for square in ("a1", "a2", "b1", "b2"):
        position.push(square)
    result = engines.get("mcts:threads=2").play(position)
    assert str(result.move).endswith("c1")
    assert result.info["proof"] == "X"


def test_mcts_reports_lines_best_first() -> None:
    position = load("breakthrough").start()
    engine = engines.get("mcts:lines=3,seed=1")
    result = engine.play(position, Limits(nodes=500))
    lines = result.info["lines"]
    assert isinstance(lines, list)
    assert len(lines) == 3
    assert lines[0] == (result.score, result.pv)
    first_moves = [pv[0] for _, pv in lines]
    assert len(set(first_moves)) == 3
    visits = [
        engine.tree.root.children[position.legal_moves.index(move)].visits  # type: ignore[attr-defined]
        for move in first_moves
    ]
    assert visits == sorted(visits, reverse=True)


# --- clocks and chance ---------------------------------------------------------------------------


def test_clock_is_divided_among_the_moves() -> None:
    """A move has a thirtieth of the clock plus four fifths of the increment.

    It has at most nine tenths of the clock.
    """
    assert Limits(clock=60.0).seconds == 2.0
    assert Limits(clock=60.0, increment=1.0).seconds == pytest.approx(2.8)
    assert Limits(clock=1.0, increment=5.0).seconds == pytest.approx(0.9)
    assert Limits(clock=60.0, time=0.5).seconds == 0.5
    assert Limits(clock=60.0, moves=5).seconds == 10.0  # one share is kept in reserve
    assert Limits(time=0.5, increment=3.0).seconds == 0.5
    assert Limits(increment=3.0).unlimited
    assert not Limits(clock=3.0).unlimited


@pytest.mark.sampled(2)
@pytest.mark.parametrize("spec", ["negamax", "mcts", "axiom", "script"])
def test_engines_respect_a_clock(spec: str) -> None:
    position = load("splut-duel").start()
    result = engines.get(spec).play(position, Limits(clock=1.5))  # 0.05 s for the move
    assert result.time < 10  # the limits contain no depth


@pytest.mark.parametrize("name", ["ur", "ur-finkel", "ur-script"])
def test_search_with_few_nodes_samples_chance_outcomes(name: str) -> None:
    """A single ply has thousands of chance outcomes, of which the search tries only some."""
    position = load(name, seed=5).start()
    chance = engines.get("chance")
    while position.ply < 12 or position.is_chance or len(position.legal_moves) < 2:
        if position.is_chance:
            position.push(chance.play(position).move)
        elif position.is_stuck:
            position.push_pass()
        else:
            position.push(position.legal_moves[0])
    assert engines.get("negamax").play(position, Limits(nodes=1500)).depth >= 1

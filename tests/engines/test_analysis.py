"""Analysis: an engine's reports as an iterator, from another thread."""

from __future__ import annotations

import threading
import time

import pytest

from forthvm import engines
from forthvm.engines import EngineError, Limits, analyse
from tests.engines.samples import Raises
from tests.kit.games import loaded, play
from tests.kit.messages import raises


def test_analysis_reports_each_depth_and_ends() -> None:
    position = loaded("breakthrough").start()
    before = position.copy()
    with analyse(engines.get("negamax:depth=3"), position) as analysis:
        infos = list(analysis)
    assert [info.depth for info in infos] == [1, 2, 3]
    assert infos[-1].best == str(analysis.result.move)
    assert infos[-1].pv == tuple(str(move) for move in analysis.result.pv)
    assert infos[-1].score == analysis.result.score
    assert position == before
    assert list(analysis) == []  # iteration after the end yields nothing


def test_each_depth_has_a_report_for_each_line() -> None:
    position = loaded("breakthrough").start()
    infos = list(analyse(engines.get("negamax:depth=2,lines=3"), position))
    assert [info.line for info in infos] == [0, 1, 2, 0, 1, 2]
    assert len({info.best for info in infos[3:]}) == 3


def test_position_can_be_changed_during_the_analysis() -> None:
    position = loaded("breakthrough").start()
    with analyse(engines.get("negamax"), position, Limits(time=60)) as analysis:
        next(analysis)
        position.push(position.legal_moves[0])
        assert engines.get("negamax:depth=1").play(position).move in position.legal_moves
        result = analysis.stop()
    position.pop()
    assert str(result.move) in position.legal_moves.texts


@pytest.mark.sampled(2)
@pytest.mark.parametrize("engine", ["negamax", "mcts", "maxn", "brs", "negamax:threads=2"])
def test_leaving_the_block_stops_the_engine(engine: str) -> None:
    position = loaded("breakthrough").start()
    start = time.perf_counter()
    alive = threading.active_count()
    with analyse(engines.get(engine), position, Limits(time=60)) as analysis:
        time.sleep(0.05)
    assert time.perf_counter() - start < 20
    assert threading.active_count() == alive
    assert str(analysis.result.move) in position.legal_moves.texts


@pytest.mark.slow
def test_stop_immediately_after_the_start_returns_a_move() -> None:
    position = loaded("breakthrough").start()
    for _ in range(10):
        analysis = analyse(engines.get("negamax"), position, Limits(time=60))
        assert str(analysis.stop().move) in position.legal_moves.texts
        assert analysis.stop() is analysis.result


def test_leaving_the_loop_early_keeps_the_result() -> None:
    position = loaded("breakthrough").start()
    with analyse(engines.get("negamax"), position, Limits(time=60)) as analysis:
        for info in analysis:
            if (info.depth or 0) >= 2:
                break
    assert analysis.result.depth >= 2


def test_failing_engine_raises() -> None:
    position = loaded("breakthrough").start()
    analysis = analyse(engines.get(Raises()), position)
    with raises((ZeroDivisionError, EngineError), "engines-analysis.in-an-evaluator"):
        list(analysis)
    with pytest.raises((ZeroDivisionError, EngineError)):
        _ = analysis.result
    with pytest.raises((ZeroDivisionError, EngineError)):
        analysis.stop()


def test_decided_position_raises() -> None:
    position = loaded("tictactoe").start()
    play(position, "a1", "a2", "b1", "b2", "c1")
    with raises(EngineError, "engines-analysis.decided-position"):
        list(analyse(engines.get("negamax"), position))

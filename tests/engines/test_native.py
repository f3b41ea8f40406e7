"""The engines inside the VM: best moves, limits, stopping, reports, script engines."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from forthvm import engines
from forthvm.core.errors import ForthVMError, StepLimitExceeded
from forthvm.engines import EngineError, Info, Limits
from forthvm.game import Position, load
from tests.kit.games import load_text, play
from tests.kit.messages import raises
from tests.repeated_calls import called_repeatedly

WIN = 2130000000
"""The score of a won position; a win after n plies has the score WIN - n."""


def minimax(position: Position, depth: int) -> int:
    """Return 1 if the player to move can force a win within `depth`, -1 for a loss, else 0."""
    result = position.result
    if result is not None:
        if result.draw:
            return 0
        return 1 if position.turn in result.winners else -1
    if depth == 0:
        return 0
    best = -2
    for move in list(position.legal_moves):
        position.push(move)
        best = max(best, -minimax(position, depth - 1))
        position.pop()
    return best


def test_axiom_chooses_a_win_in_one() -> None:
    position = load("tictactoe").start()
    play(position, "a1", "a2", "b1", "b2")
    result = engines.get("axiom:depth=3").play(position)
    assert str(result.move).endswith("c1")
    assert result.score == WIN - 1
    assert result.nodes > 0
    assert result.depth >= 1


def test_axiom_prevents_a_loss() -> None:
    position = load("tictactoe").start()
    play(position, "a1", "b2", "b1")
    assert str(engines.get("axiom:depth=3").play(position).move).endswith("c1")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("opening", ["", "b2", "a1", "b1", "a1 b2 c3", "b1 a1 a2", "b2 b1 a1"])
def test_axiom_agrees_with_minimax(opening: str) -> None:
    position = load("tictactoe").start()
    play(position, *opening.split())
    # With fewer than two moves made, minimax would take long; the value is known to be a draw.
    value = minimax(position, 9) if position.ply > 1 else 0
    score = engines.get("axiom:depth=9").play(position).score
    assert score is not None
    sign = (score > WIN - 100) - (score < 100 - WIN)
    assert sign == value


def test_search_does_not_change_the_position() -> None:
    position = load("breakthrough").start()
    before = position.copy()
    key = position.key
    for _ in range(3):
        engines.get("axiom:depth=3").play(position)
    assert position == before
    assert position.key == key
    assert [str(move) for move in position.legal_moves] == [
        str(move) for move in before.legal_moves
    ]


def test_default_depth_is_three() -> None:
    assert engines.get("axiom").play(load("breakthrough").start()).depth == 3


def test_limits_take_precedence_over_options() -> None:
    engine = engines.get("axiom:depth=3")
    assert engine.play(load("breakthrough").start(), Limits(depth=1)).depth == 1


def test_node_limit_ends_a_search() -> None:
    result = engines.get("axiom").play(load("breakthrough").start(), Limits(nodes=2000))
    assert 0 < result.nodes <= 2500
    assert result.depth > 1


def test_time_limit_ends_a_search_with_a_move() -> None:
    position = load("breakthrough").start()
    start = time.perf_counter()
    result = engines.get("axiom:time=0.2").play(position)
    assert time.perf_counter() - start < 20  # without a limit it would search deeper forever
    assert result.move in position.legal_moves
    assert engines.get("axiom").play(position, Limits(time=0)).move in position.legal_moves


def test_stop_from_another_thread() -> None:
    position = load("breakthrough").start()
    engine = engines.get("axiom")
    with called_repeatedly(engine.stop):
        result = engine.play(position, Limits(time=3600))
    assert result.move in position.legal_moves


def test_reports_during_a_search() -> None:
    reports: list[Info] = []
    position = load("breakthrough").start()
    result = engines.get("axiom:depth=2").play(position, report=reports.append)
    assert [info.best for info in reports if info.best is not None][-1] == str(result.move)
    assert [info.score for info in reports if info.score is not None][-1] == result.score


# --- engines in the script -----------------------------------------------------------------------

GAME = """
{{board 1 5 {{grid}} board}}
{{directions 0 1 {{direction}} e 0 -1 {{direction}} w directions}}
: step ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: go-e ['] e step ;
: go-w ['] w step ;
{engine}
{{players {{player}} Left {{search-engine}} think {{player}} Right {{random}} players}}
{{turn-order {{turn}} Left {{turn}} Right turn-order}}
{{moves man-moves {{move}} go-e {{move}} go-w moves}}
{{pieces {{piece}} man {{moves}} man-moves pieces}}
{{board-setup {{setup}} Left man b1 {{setup}} Right man d1 board-setup}}
: OnIsGameOver #UnknownScore ;
"""


def script_position(folder: Path, engine: str) -> Position:
    """Return a position of a script with the engine word `think`, defined by `engine`."""
    return load_text(folder, GAME.format(engine=engine), name="thinker.4th", seed=5).start()


def test_engine_named_by_the_script(tmp_path: Path) -> None:
    position = script_position(
        tmp_path,
        ": think $FirstMove $NextMove $MoveString BestMove! 42 Score! 7 Nodes! 2 Depth! ;",
    )
    result = engines.get("script").play(position)
    assert result.move == position.legal_moves[1]
    assert (result.score, result.nodes, result.depth) == (42, 7, 2)


def test_limits_are_passed_to_the_script(tmp_path: Path) -> None:
    position = script_position(
        tmp_path, ": think $FirstMove $MoveString BestMove! $depthLimit @ Score! ;"
    )
    assert engines.get("script:depth=5").play(position).score == 5
    assert engines.get("script").play(position, Limits(depth=2)).score == 2


def test_engine_that_chooses_no_move_raises(tmp_path: Path) -> None:
    position = script_position(tmp_path, ": think 1 Score! ;")
    with raises(EngineError, "native.engine-that-chooses-no-move"):
        engines.get("script").play(position)
    assert position.turn == "Left"
    assert len(position.legal_moves) == 2


def test_engine_that_chooses_an_illegal_move_raises(tmp_path: Path) -> None:
    position = script_position(tmp_path, ': think S" man a1 - e1" BestMove! ;')
    with raises(EngineError, "native.illegal-move"):
        engines.get("script").play(position)


def test_failing_engine_keeps_the_position(tmp_path: Path) -> None:
    position = script_position(tmp_path, ": think 1 0 / ;")
    before = position.copy()
    with raises(ForthVMError, "native.failing-engine-keeps"):
        engines.get("script").play(position)
    assert position == before
    position.push(position.legal_moves[0])


def test_endless_engine_is_stopped_by_the_budget(tmp_path: Path) -> None:
    from forthvm import Budget

    position = load_text(
        tmp_path,
        GAME.format(engine=": think BEGIN FALSE UNTIL ;"),
        name="thinker.4th",
        budget=Budget(steps=200000),
    ).start()
    with pytest.raises(StepLimitExceeded):
        engines.get("script").play(position)
    assert len(position.legal_moves) == 2


def test_random_engine_of_a_script_advances_the_random_state(tmp_path: Path) -> None:
    position = script_position(tmp_path, ": think $FirstMove $MoveString BestMove! ;")
    position.push(position.legal_moves[0])
    engine = engines.get("script")
    before = position.random_state
    moves = [str(engine.play(position).move) for _ in range(20)]
    assert position.random_state != before
    assert set(moves) == {str(move) for move in position.legal_moves}
    assert position.ply == 1

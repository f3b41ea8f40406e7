"""Reverse execution is exact: k steps back restores the recorded state bit for bit.

The tests compare memory up to HERE, the parameter stack and the return stack.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import forthvm
from forthvm import debug
from forthvm.core.bindings import Trace, Until
from tests.debug.random_programs import program
from tests.kit.cases import each_case
from tests.kit.random_games import push_random_moves

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "games"
BATCHES = 40
PROGRAMS = 200


def check_round_trips(session: debug.Session, random: Random, steps: list[int]) -> None:
    """Record the states at `steps`, then return to these steps in random order and compare."""
    recorded = {}
    for step in steps:
        state = session.run_to(step)
        recorded[state.step] = (session.digest(), state.stack, state.callers, state.location)
    end = session.continue_()
    final = (session.digest(), end.stack)
    order = list(recorded)
    random.shuffle(order)
    for step in order:
        state = session.run_to(step)
        assert state.step == step
        assert (session.digest(), state.stack, state.callers, state.location) == recorded[step]
    assert session.continue_().ended
    assert (session.digest(), session.state.stack) == final


@pytest.mark.sampled(40)
@pytest.mark.parametrize(
    "batch",
    range(BATCHES),
)
def test_random_programs_step_back_to_recorded_states(batch: int) -> None:
    for seed in range(batch, PROGRAMS, BATCHES):
        random = Random(seed)
        vm = forthvm.VM(library="core", output=lambda _text: None)
        vm.interpret(program(seed), name="random.4th")
        before = vm.snapshot()
        with debug.Session(debug.word_target(vm, "main"), library=True) as session:
            recorded: list[tuple[int, str, tuple[int, ...]]] = []
            while not session.state.ended and len(recorded) < 60:
                recorded.append((session.state.step, session.digest(), session.state.stack))
                session.step()
            for _ in range(4):
                index = len(recorded) - 1
                while index > 0:
                    session.run_to(recorded[index][0])
                    k = random.randint(1, index)
                    state = session.back(k)
                    index -= k
                    assert (state.step, session.digest(), state.stack) == recorded[index], seed
            last = session.continue_()
            assert last.ended
            assert last.error is None
        assert vm.snapshot().equal(before)


GAMES = [
    *((path.stem, str(path)) for path in sorted(GOLDEN.glob("*.4th"))),
    *((name, name) for name in ("tictactoe", "breakthrough", "reversi", "ur")),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("number", range(20))
def test_game_runs_step_back_to_recorded_states(number: int) -> None:
    random = Random(number)
    start = forthvm.load(GAMES[number % len(GAMES)][1], seed=1).start()
    position = push_random_moves(start, random.randint(0, 6), random)
    moves = [str(move) for move in position.legal_moves]
    if position.result is None and moves and number % 3 != 0:
        target = debug.play_target(position, random.choice(moves))
    elif position.result is None and moves:
        target = debug.search_target(position, depth=2, nodes=40)
    else:
        target = debug.moves_target(position)
    with debug.Session(target) as session:
        end = session.continue_()
        assert end.ended
        if end.error is not None:  # golden games contain searches that fail
            return
        session.restart()
        steps = sorted(random.sample(range(2, end.step), min(8, end.step - 2)))
        check_round_trips(session, random, steps)
    assert [str(move) for move in position.legal_moves] == moves


def test_stepping_back_over_100_000_steps_is_exact() -> None:
    position = forthvm.load("breakthrough").start()
    with debug.Session(debug.search_target(position, depth=3)) as session:
        session.add_breakpoint("OnEvaluate")
        session.ignore(1, 300)
        stopped = session.continue_()
        assert stopped.reason == "breakpoint"
        assert stopped.step > 100_000
        digest, stack = session.digest(), stopped.stack
        back = session.back()
        assert back.step < stopped.step
        repeated = session.run_to(stopped.step)
        assert (session.digest(), repeated.stack, repeated.callers) == (
            digest,
            stack,
            stopped.callers,
        )
        session.ignore(1, 0)
        earlier = session.reverse_continue()
        assert earlier.reason == "breakpoint"
        assert earlier.step < back.step
        assert earlier.location == stopped.location


@pytest.mark.slow
@each_case("name", [name for name, _ in GAMES])
def test_traced_game_equals_an_untraced_one_bit_for_bit(name: str) -> None:
    path = dict(GAMES)[name]
    states = []
    for traced in (False, True):
        random = Random(5)
        position = forthvm.load(path, seed=3, output=lambda _text: None).start()
        native = position.game._loaded.vm.native
        trace = Trace(native, lambda _stop: False) if traced else None
        if trace is not None and name == "tictactoe":
            trace.go_until(Until())  # a stop at every token changes nothing
        push_random_moves(position, 8, random)
        if trace is not None:
            assert trace.point().step > 0
            trace.close()
        states.append((position._state.arrived, [played.text for played in position.history]))
    (untraced_memory, moves), (traced_memory, traced_moves) = states
    assert moves == traced_moves
    assert untraced_memory.size == traced_memory.size
    assert untraced_memory.read(0, untraced_memory.size) == traced_memory.read(
        0, traced_memory.size
    )
    assert untraced_memory.stack() == traced_memory.stack()

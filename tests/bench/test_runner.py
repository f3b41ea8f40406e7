"""How benches are run: turns, answers, samples, ratios and means, tiers in other processes."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest

from benchmarks import (
    Bench,
    Effort,
    Figure,
    Peers,
    Tier,
    WrongAnswerError,
    all_benches,
    geometric_means,
    measure,
)
from benchmarks import play as play_benches
from benchmarks.runner import check, seconds_of
from benchmarks.tiers import serve

TINY = Effort(tiny=True)


def bench(run: Callable[[Effort], float], **options: object) -> Bench:
    return Bench(**{"name": "b", "group": "g", "unit": "ms", "summary": "", "run": run, **options})


def figure(unit: str = "ms", group: str = "g", **values: tuple[float, ...]) -> Figure:
    return Figure(bench=bench(lambda _: 1.0, unit=unit, group=group), values=values, wrong={})


@pytest.mark.parametrize("name", [each.name for each in all_benches().values() if not each.slow])
def test_every_bench_comes_to_the_right_answer(name: str) -> None:
    with Peers() as peers:  # those that are here
        done = measure(all_benches()[name], 1, effort=TINY, peers=peers)
    assert done.wrong == {}
    assert set(done.values) == {"forthvm"} | {
        peer for peer in all_benches()[name].peers if peer not in peers.absent
    }
    assert all(len(values) == 1 for values in done.values.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", [each.name for each in all_benches().values() if each.slow])
def test_slow_benches_come_to_the_right_answer(name: str) -> None:
    assert measure(all_benches()[name], 1, effort=TINY).wrong == {}


def test_selected_benches_are_reported() -> None:
    names = set(all_benches())
    games = ("tictactoe", "breakthrough", "splut", "rithmomachia", "chess")
    kinds = ("generate", "make", "loop", "perft", "playouts", "negamax", "mcts")
    assert {f"{kind}-{game}" for kind in kinds for game in games} <= names
    assert {"fib", "sieve", "bubble", "matmul", "defer", "scan"} <= names
    assert {"bt-perft", "bt-negamax", "bt-playouts"} <= names
    assert {"load", "start-moves", "start-repl", "duel", "memory-splut", "threads-scan"} <= names


# --- right and wrong --------------------------------------------------------------------


def test_a_wrong_answer_is_reported_and_measuring_stops() -> None:
    runs = []

    def run(_effort: Effort) -> float:
        runs.append(1)
        check("two and two", 5, 4)
        return 1.0

    done = measure(bench(run), 3)
    assert done.values == {}
    assert done.wrong == {"forthvm": "two and two: expected 4, got 5"}
    assert runs == [1]


def test_a_wrong_peer_spoils_nothing_else() -> None:
    def wrong(_peers: Peers, _effort: Effort) -> float:
        raise WrongAnswerError("no idea")

    with Peers(["CPython", "C"]) as peers:
        peers._ready = {"CPython": "", "C": ""}
        both = {"CPython": wrong, "C": lambda _peers, _effort: 2.0}
        done = measure(bench(lambda _: 1.0, peers=both), 2, peers=peers)
    assert done.values == {"forthvm": (1.0, 1.0), "C": (2.0, 2.0)}
    assert done.wrong == {"CPython": "no idea"}


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("fib", "interpreter.right_answer"),
        ("bt-negamax", "interpreter.right_answer"),
        ("threads-scan", "threads.right_answer"),
    ],
)
def test_programs_are_held_against_right_answers(
    name: str, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"benchmarks.{broken}", lambda _program, _size: -7)
    assert "-7" in measure(all_benches()[name], 1, effort=TINY).wrong["forthvm"]


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("perft-chess", "_known_count"),
        ("loop-splut", "_known_count"),
        ("playouts-breakthrough", "_rewards"),
        ("negamax-rithmomachia", "_score"),
    ],
)
def test_games_are_held_against_what_is_known(
    name: str, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_benches, broken, lambda *_: -7)
    assert "-7" in measure(all_benches()[name], 1, effort=TINY).wrong["forthvm"]


def test_impossible_win_shares_are_rejected() -> None:
    case = play_benches._BREAKTHROUGH
    play_benches._check_share(case, 0.5, 100)
    play_benches._check_share(case, 1.0, 2)  # of two games nothing follows
    with pytest.raises(WrongAnswerError, match="share"):
        play_benches._check_share(case, 0.95, 100)


# --- samples ----------------------------------------------------------------------------


def test_every_participant_is_measured_in_each_round() -> None:
    turns: list[str] = []

    def ours(_effort: Effort) -> float:
        turns.append("forthvm")
        return 1.0

    def peer(_peers: Peers, _effort: Effort) -> float:
        turns.append("CPython")
        return 1.0

    with Peers(["CPython"]) as peers:
        measure(bench(ours, peers={"CPython": peer}), 3, peers=peers)
    assert turns == ["forthvm", "CPython"] * 3


def test_samples_are_as_long_as_asked_for() -> None:
    runs: list[int] = []
    seconds, last = seconds_of(lambda: runs.append(len(runs)) or len(runs), Effort(seconds=0.01))
    assert last == len(runs) > 1
    assert seconds > 0
    runs.clear()
    seconds_of(lambda: runs.append(0), TINY)
    assert runs == [0]


def test_the_median_is_taken() -> None:
    values = iter([3.0, 1.0, 2.0])
    done = measure(bench(lambda _: next(values), repeats=3))
    assert (done.median(), done.best()) == (2.0, 1.0)
    assert done.values == {"forthvm": (3.0, 1.0, 2.0)}


# --- ratios -----------------------------------------------------------------------------


def test_ratios_are_times_against_the_peers() -> None:
    times = figure(forthvm=(30.0, 20.0, 10.0), C=(5.0, 5.0, 2.0))
    assert times.ratios("forthvm") == {"C": 4.0}
    assert times.ratios("forthvm", best=True) == {"C": 5.0}


def test_ratios_of_rates_are_inverted() -> None:
    rates = figure("nodes/s", forthvm=(10.0, 20.0, 30.0), C=(40.0, 40.0, 60.0))
    assert rates.ratios("forthvm") == {"C": 2.0}
    assert rates.best("C") == 60.0
    assert figure("x", forthvm=(2.0,), C=(1.0,)).ratios("forthvm") == {"C": 0.5}


def test_means_are_geometric_and_of_whole_groups() -> None:
    figures = [
        figure(forthvm=(8.0,), C=(1.0,), LuaJIT=(4.0,)),
        figure(forthvm=(2.0,), C=(1.0,)),
        figure(group="other", forthvm=(2.0,), C=(1.0,)),  # of one there is no mean
    ]
    means = geometric_means(figures)
    assert means["g"]["forthvm"] == {"C": pytest.approx(4.0)}
    assert means["other"]["forthvm"] == {}


# --- tiers ------------------------------------------------------------------------------


def test_tiers_are_measured_in_processes_of_their_own() -> None:
    with Tier("interpreter") as interpreter, Tier("native") as native:
        tiers = {"interpreter": interpreter, "native": native}
        done = measure(all_benches()["fib"], 2, effort=TINY, tiers=tiers)
    assert done.wrong == {}
    assert done.ours == ("interpreter", "native")
    assert [len(done.values[name]) for name in done.ours] == [2, 2]


def test_a_tier_is_told_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORTHVM_TIER", "native")
    environments: list[dict[str, str]] = []
    monkeypatch.setattr(
        "subprocess.Popen", lambda *_args, env, **_options: environments.append(env)
    )
    Tier("interpreter")
    assert environments[0]["FORTHVM_TIER"] == "interpreter"


def test_a_tier_that_ends_is_wrong() -> None:
    with Tier("interpreter") as tier:
        tier._child.kill()
        done = measure(all_benches()["fib"], 1, effort=TINY, tiers={"interpreter": tier})
    assert done.wrong == {"interpreter": "the process of tier interpreter ended"}


def test_the_other_process_answers_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(effort: Effort) -> float:
        check("the sample's length", effort.seconds, 0.25)
        return 2.5

    monkeypatch.setattr("benchmarks.tiers.all_benches", lambda: {"b": bench(run)})
    orders = [{"bench": "b", "seconds": 0.25, "tiny": True}, {"bench": "b", "seconds": 1.0}]
    answers = io.StringIO()
    serve(io.StringIO("".join(json.dumps(order) + "\n" for order in orders)), answers)
    first, second = map(json.loads, answers.getvalue().splitlines())
    assert first == {"value": 2.5}
    assert "expected 0.25, got 1.0" in second["wrong"]

"""Tests of how benchmarks run: checks, measurements, ratios, means, tiers in child processes."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator

import pytest

from benchmarks import (
    Benchmark,
    Effort,
    Figure,
    Peers,
    Tier,
    WrongResultError,
    all_benchmarks,
    geometric_means,
    measure,
)
from benchmarks import play as play_benchmarks
from benchmarks.runner import check, seconds_of
from benchmarks.tiers import serve
from tests.kit.messages import raises

TINY = Effort(tiny=True)


def make_benchmark(run: Callable[[Effort], float], **options: object) -> Benchmark:
    return Benchmark(
        **{"name": "b", "group": "g", "unit": "ms", "summary": "", "run": run, **options}
    )


def make_figure(unit: str = "ms", group: str = "g", **values: tuple[float, ...]) -> Figure:
    return Figure(
        benchmark=make_benchmark(lambda _: 1.0, unit=unit, group=group), values=values, wrong={}
    )


@pytest.fixture(scope="module")
def peers() -> Iterator[Peers]:
    """The installed peers, compiled once."""
    with Peers() as found:
        yield found


@pytest.mark.sampled(43)
@pytest.mark.parametrize("name", [each.name for each in all_benchmarks().values() if not each.slow])
def test_each_benchmark_gives_the_expected_result(name: str, peers: Peers) -> None:
    done = measure(all_benchmarks()[name], 1, effort=TINY, peers=peers)
    assert done.wrong == {}
    assert set(done.values) == {"forthvm"} | {
        peer for peer in all_benchmarks()[name].peers if peer not in peers.absent
    }
    assert all(len(values) == 1 for values in done.values.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", [each.name for each in all_benchmarks().values() if each.slow])
def test_slow_benchmarks_give_the_expected_result(name: str) -> None:
    assert measure(all_benchmarks()[name], 1, effort=TINY).wrong == {}


def test_list_contains_the_main_benchmarks() -> None:
    names = set(all_benchmarks())
    games = ("tictactoe", "breakthrough", "splut", "rithmomachia", "chess")
    kinds = ("generate", "make", "loop", "perft", "playouts", "negamax", "mcts")
    assert {f"{kind}-{game}" for kind in kinds for game in games} <= names
    assert {"fib", "sieve", "bubble", "matmul", "defer", "scan"} <= names
    assert {"bt-perft", "bt-negamax", "bt-playouts"} <= names
    assert {"load", "start-moves", "start-repl", "duel", "memory-splut", "threads-scan"} <= names


# --- checks ----------------------------------------------------------------------------


def test_wrong_result_is_reported_and_not_measured_again() -> None:
    runs = []

    def run(_effort: Effort) -> float:
        runs.append(1)
        check("two and two", 5, 4)
        return 1.0

    done = measure(make_benchmark(run), 3)
    assert done.values == {}
    assert done.wrong == {"forthvm": "two and two: expected 4, got 5"}
    assert runs == [1]


def test_wrong_peer_does_not_affect_other_systems() -> None:
    def wrong(_peers: Peers, _effort: Effort) -> float:
        raise WrongResultError("no idea")

    with Peers(["CPython", "C"]) as peers:
        peers._versions = {"CPython": "", "C": ""}
        measures = {"CPython": wrong, "C": lambda _peers, _effort: 2.0}
        done = measure(make_benchmark(lambda _: 1.0, peers=measures), 2, peers=peers)
    assert done.values == {"forthvm": (1.0, 1.0), "C": (2.0, 2.0)}
    assert done.wrong == {"CPython": "no idea"}


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("fib", "interpreter.expected_result"),
        ("bt-negamax", "interpreter.expected_result"),
        ("threads-scan", "threads.expected_result"),
    ],
)
def test_results_of_programs_are_checked(
    name: str, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"benchmarks.{broken}", lambda _program, _size: -7)
    assert "-7" in measure(all_benchmarks()[name], 1, effort=TINY).wrong["forthvm"]


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("perft-chess", "_known_count"),
        ("loop-splut", "_known_count"),
        ("playouts-breakthrough", "_rewards"),
        ("negamax-rithmomachia", "_score"),
    ],
)
def test_results_of_games_are_checked(
    name: str, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_benchmarks, broken, lambda *_: -7)
    assert "-7" in measure(all_benchmarks()[name], 1, effort=TINY).wrong["forthvm"]


def test_impossible_win_shares_are_rejected() -> None:
    case = play_benchmarks._BREAKTHROUGH
    play_benchmarks._check_share(case, 0.5, 100)
    play_benchmarks._check_share(case, 1.0, 2)  # two games are too few to check the share
    with raises(WrongResultError, "bench-runner.impossible-win-shares"):
        play_benchmarks._check_share(case, 0.95, 100)


# --- measurements -----------------------------------------------------------------------


def test_each_system_is_measured_in_each_round() -> None:
    order: list[str] = []

    def ours(_effort: Effort) -> float:
        order.append("forthvm")
        return 1.0

    def peer(_peers: Peers, _effort: Effort) -> float:
        order.append("CPython")
        return 1.0

    with Peers(["CPython"]) as peers:
        measure(make_benchmark(ours, peers={"CPython": peer}), 3, peers=peers)
    assert order == ["forthvm", "CPython"] * 3


def test_work_is_repeated_for_the_requested_seconds() -> None:
    runs: list[int] = []
    seconds, last = seconds_of(lambda: runs.append(len(runs)) or len(runs), Effort(seconds=0.01))
    assert last == len(runs) > 1
    assert seconds > 0
    runs.clear()
    seconds_of(lambda: runs.append(0), TINY)
    assert runs == [0]  # in tiny runs the work is not repeated


def test_figure_has_the_median() -> None:
    values = iter([3.0, 1.0, 2.0])
    done = measure(make_benchmark(lambda _: next(values), repeats=3))
    assert (done.median(), done.best()) == (2.0, 1.0)
    assert done.values == {"forthvm": (3.0, 1.0, 2.0)}


# --- ratios -----------------------------------------------------------------------------


def test_ratios_are_times_against_the_peers() -> None:
    times = make_figure(forthvm=(30.0, 20.0, 10.0), C=(5.0, 5.0, 2.0))
    assert times.ratios("forthvm") == {"C": 4.0}
    assert times.ratios("forthvm", best=True) == {"C": 5.0}


def test_ratios_of_rates_are_inverted() -> None:
    rates = make_figure("nodes/s", forthvm=(10.0, 20.0, 30.0), C=(40.0, 40.0, 60.0))
    assert rates.ratios("forthvm") == {"C": 2.0}
    assert rates.best("C") == 60.0
    assert make_figure("x", forthvm=(2.0,), C=(1.0,)).ratios("forthvm") == {"C": 0.5}


def test_means_are_geometric_and_cover_complete_groups() -> None:
    figures = [
        make_figure(forthvm=(8.0,), C=(1.0,), LuaJIT=(4.0,)),
        make_figure(forthvm=(2.0,), C=(1.0,)),
        make_figure(group="other", forthvm=(2.0,), C=(1.0,)),  # one ratio: no mean is shown
    ]
    means = geometric_means(figures)
    assert means["g"]["forthvm"] == {"C": pytest.approx(4.0)}
    assert means["other"]["forthvm"] == {}


# --- tiers ------------------------------------------------------------------------------


@pytest.mark.slow
def test_tiers_are_measured_in_child_processes() -> None:
    with Tier("interpreter") as interpreter, Tier("native") as native:
        tiers = {"interpreter": interpreter, "native": native}
        done = measure(all_benchmarks()["fib"], 2, effort=TINY, tiers=tiers)
    assert done.wrong == {}
    assert done.ours == ("interpreter", "native")
    assert [len(done.values[name]) for name in done.ours] == [2, 2]


def test_tier_is_selected_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORTHVM_TIER", "native")
    environments: list[dict[str, str]] = []
    monkeypatch.setattr(
        "subprocess.Popen", lambda *_args, env, **_options: environments.append(env)
    )
    Tier("interpreter")
    assert environments[0]["FORTHVM_TIER"] == "interpreter"


def test_child_that_ends_is_reported() -> None:
    with Tier("interpreter") as tier:
        tier._child.kill()
        done = measure(all_benchmarks()["fib"], 1, effort=TINY, tiers={"interpreter": tier})
    assert done.wrong == {"interpreter": "the process of tier interpreter ended"}


def test_child_responds_to_each_request(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(effort: Effort) -> float:
        check("seconds of the request", effort.seconds, 0.25)
        return 2.5

    monkeypatch.setattr("benchmarks.tiers.all_benchmarks", lambda: {"b": make_benchmark(run)})
    requests = [{"bench": "b", "seconds": 0.25, "tiny": True}, {"bench": "b", "seconds": 1.0}]
    responses = io.StringIO()
    serve(io.StringIO("".join(json.dumps(request) + "\n" for request in requests)), responses)
    first, second = map(json.loads, responses.getvalue().splitlines())
    assert first == {"value": 2.5}
    assert "expected 0.25, got 1.0" in second["wrong"]

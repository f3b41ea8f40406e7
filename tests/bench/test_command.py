"""Tests of `python -m benchmarks`: tables, JSON, Markdown, names, patterns, errors, Ctrl-C."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks import Benchmark, Effort, all_benchmarks
from benchmarks.__main__ import main
from benchmarks.runner import check

CHECKOUT = Path(__file__).resolve().parents[2]
Command = Callable[..., "CommandResult"]


class CommandResult(NamedTuple):
    """The exit status and output of a command line."""

    status: int
    out: str
    err: str


@pytest.fixture
def benchmark(capsys: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs a command line."""

    def run(*args: object) -> CommandResult:
        capsys.readouterr()
        try:
            status = main([str(arg) for arg in args])
        except SystemExit as ended:  # argparse rejects the options
            status = int(str(ended.code))
        out, err = capsys.readouterr()
        return CommandResult(status, out, err)

    return run


def words(text: str) -> list[list[str]]:
    """Return the words of each line."""
    return [line.split() for line in text.splitlines()]


def replace_benchmarks(monkeypatch: pytest.MonkeyPatch, *benchmarks: Benchmark) -> None:
    """Make the command know these benchmarks only."""
    monkeypatch.setattr(
        "benchmarks.__main__.all_benchmarks", lambda: {each.name: each for each in benchmarks}
    )


def make_benchmark(
    name: str, run: Callable[[Effort], float], group: str = "g", **options: object
) -> Benchmark:
    return Benchmark(name=name, group=group, unit="ms", summary="", run=run, repeats=1, **options)


def report_wrong(_effort: Effort) -> float:
    check("two and two", 5, 4)
    return 1.0


def raise_keyboard_interrupt(_effort: Effort) -> float:
    raise KeyboardInterrupt


def test_figures_are_printed_as_a_table(benchmark: Command) -> None:
    done = benchmark("fib", "scan", "--check", "--peers", "CPython")
    assert done.status == 0
    head, fib, scan, mean = words(done.out)
    assert head == ["interpreter", "CPython"]
    assert (fib[0], fib[2], len(fib)) == ("fib", "ms", 4)
    assert (scan[0], scan[2], len(scan)) == ("scan", "ms", 4)
    assert mean[:2] == ["geometric", "mean"]


def test_table_without_peers_has_no_ratios(benchmark: Command) -> None:
    done = benchmark("fib", "--check", "--peers", "none")
    assert [len(line) for line in words(done.out)] == [1, 3]


def test_narrow_table_has_ratios_on_separate_lines(
    benchmark: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    fib = all_benchmarks()["fib"]
    names = ("gforth", "gforth-fast", "C", "CPython", "LuaJIT")
    replace_benchmarks(
        monkeypatch,
        make_benchmark(
            "narrow", lambda _: 4.0, peers={name: lambda _peers, _effort: 8.0 for name in names}
        ),
        make_benchmark("fib", fib.run, group="other"),
    )
    monkeypatch.setattr("benchmarks.peers.Peers.has", lambda _self, _name: True)
    monkeypatch.setenv("COLUMNS", "60")
    done = benchmark("--check")
    assert max(map(len, done.out.splitlines())) <= 60
    assert "\n    gforth 0.50, gforth-fast 0.50, C 0.50, CPython 0.50,\n" in done.out
    monkeypatch.setenv("COLUMNS", "100")
    row = benchmark("narrow", "--check").out.splitlines()[1]
    assert row.split() == ["narrow", "4", "ms", *["0.50"] * 5]


@pytest.mark.slow
def test_figures_are_printed_as_json(benchmark: Command) -> None:
    done = benchmark("fib", "--repeats", 2, "--json", "--peers", "CPython")
    data = json.loads(done.out)
    (figure,) = data["figures"]
    assert (figure["name"], figure["group"], figure["unit"]) == ("fib", "interpreter", "ms")
    assert len(figure["values"]) == 2
    assert figure["median"] == pytest.approx(sum(figure["values"]) / 2)
    measured = figure["measured"]
    assert figure["ratios"]["forthvm"]["CPython"] == pytest.approx(
        measured["forthvm"]["median"] / measured["CPython"]["median"]
    )
    assert {"forthvm", "python", "machine", "cpu", "cores", "tier", "date"} <= set(data)
    assert set(data["peers"]) == {"CPython"}
    assert data["absent"] == {}


def test_figures_are_printed_as_markdown(benchmark: Command) -> None:
    out = benchmark("fib", "sieve", "--check", "--markdown", "--peers", "CPython").out
    table = [line for line in out.splitlines() if line.startswith("|")]
    assert table[:2] == ["| benchmark | unit | forthvm | CPython |", "|---|---|---:|---:|"]
    assert [row.split(" | ")[0] for row in table[2:]] == ["| fib", "| sieve", "| *geometric mean*"]
    assert all(row.count("|") == 5 for row in table)
    assert "CPython (" in out


@pytest.mark.slow
def test_tiers_are_measured_and_compared(benchmark: Command) -> None:
    options = ["--check", "--tiers", "interpreter,native", "--peers", "none"]
    rows = words(benchmark("fib", *options).out)
    assert [row[:2] for row in rows[1:]] == [["fib", "interpreter"], ["fib", "native"]]
    (figure,) = json.loads(benchmark("fib", *options, "--json").out)["figures"]
    assert set(figure["measured"]) == {"interpreter", "native"}


# --- choice of benchmarks ------------------------------------------------------------------


def test_list_contains_all_benchmarks_by_group(benchmark: Command) -> None:
    out = benchmark("--list", *all_benchmarks()).out
    assert all(name in out for name in all_benchmarks())
    assert "only if named" in out
    heads = [line for line in out.splitlines() if line and " " not in line]
    groups = dict.fromkeys(each.group for each in all_benchmarks().values())
    assert [head for head in heads if head in groups] == list(groups)


def test_groups_and_patterns_select_benchmarks(benchmark: Command) -> None:
    assert [row[0] for row in words(benchmark("--list", "memory").out)] == [
        "memory",
        "memory-splut",
        "memory-more",
    ]
    rows = benchmark("--list", "perft-*", "fib").out.splitlines()
    named = [row.split()[0] for row in rows if row and not row.startswith(" ")]
    games = [name for name in all_benchmarks() if name.startswith("perft-")]
    assert named == ["interpreter", "fib", "game", *games]


def test_slow_benchmarks_run_only_if_named(benchmark: Command) -> None:
    assert "duel-10" not in benchmark("--list").out
    assert "duel-10" not in benchmark("--list", "program", "duel*").out
    assert "duel-10" in benchmark("--list", "duel-10").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fibb"], "did you mean 'fib'?"),
        (["interpretr"], "did you mean 'interpreter'?"),
        (["zz*"], "no benchmark 'zz*'"),
        (["fib", "--peers", "fortran"], "no peer 'fortran'"),
        (["fib", "--tiers", "slow"], "no tier 'slow'"),
    ],
)
def test_unknown_names_are_rejected(benchmark: Command, arguments: list[str], message: str) -> None:
    done = benchmark(*arguments)
    assert done.status == 2
    assert message in done.err


# --- errors -----------------------------------------------------------------------------


def test_wrong_results_are_reported_and_set_the_exit_status(
    benchmark: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_benchmarks(
        monkeypatch,
        make_benchmark("bad", report_wrong),
        make_benchmark("good", lambda _: 2.0),
    )
    done = benchmark()
    assert done.status == 1
    assert "wrong: bad by forthvm: two and two: expected 4, got 5" in done.out
    assert ["good", "2", "ms"] in words(done.out)
    document = json.loads(benchmark("--json").out)
    assert document["figures"][0]["wrong"] == {"forthvm": "two and two: expected 4, got 5"}
    assert document["figures"][0]["median"] is None
    assert benchmark("--markdown").status == 1


def test_missing_peers_are_listed(benchmark: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    done = benchmark("fib", "--check", "--peers", "gforth,LuaJIT,CPython")
    assert done.status == 0
    assert done.out.splitlines()[-2:] == [
        "skipped: gforth (gforth is not installed)",
        "skipped: LuaJIT (luajit is not installed)",
    ]
    assert words(done.out)[0] == ["interpreter", "CPython"]


@pytest.mark.parametrize("options", [[], ["--json"], ["--markdown"]])
def test_ctrl_c_prints_the_results_so_far(
    benchmark: Command, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    replace_benchmarks(
        monkeypatch,
        make_benchmark("first", lambda _: 2.0),
        make_benchmark("second", raise_keyboard_interrupt),
        make_benchmark("third", lambda _: 3.0),
    )
    done = benchmark(*options)
    assert done.status == 130
    assert "first" in done.out
    assert "third" not in done.out
    assert "interrupted" in done.err
    if options == ["--json"]:
        assert [each["name"] for each in json.loads(done.out)["figures"]] == ["first"]


@pytest.mark.slow
def test_commands_in_the_documentation_work(benchmark: Command) -> None:
    page = (CHECKOUT / "docs" / "explanation" / "benchmarks.md").read_text(encoding="utf-8")
    prefix = "python -m benchmarks "
    lines = page.partition("```sh\n")[2].partition("```")[0].splitlines()
    commands = [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]
    assert commands
    for command in commands:
        assert benchmark(*shlex.split(command)).out.strip()

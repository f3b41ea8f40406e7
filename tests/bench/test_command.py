"""python -m benchmarks: tables, JSON, Markdown; names and patterns; wrong answers; Ctrl-C."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks import Bench, Effort, all_benches
from benchmarks.__main__ import main
from benchmarks.runner import check

CHECKOUT = Path(__file__).resolve().parents[2]
Command = Callable[..., "Done"]


class Done(NamedTuple):
    """How a command line ended."""

    status: int
    out: str
    err: str


@pytest.fixture
def bench(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command line."""

    def run(*args: object) -> Done:
        capsys.readouterr()
        try:
            status = main([str(arg) for arg in args])
        except SystemExit as ended:  # argparse refuses the options
            status = int(str(ended.code))
        out, err = capsys.readouterr()
        return Done(status, out, err)

    return run


def words(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def replaced(monkeypatch: pytest.MonkeyPatch, *benches: Bench) -> None:
    monkeypatch.setattr(
        "benchmarks.__main__.all_benches", lambda: {each.name: each for each in benches}
    )


def made(name: str, run: Callable[[Effort], float], group: str = "g", **options: object) -> Bench:
    return Bench(name=name, group=group, unit="ms", summary="", run=run, repeats=1, **options)


def wrong(_effort: Effort) -> float:
    check("two and two", 5, 4)
    return 1.0


def stopped(_effort: Effort) -> float:
    raise KeyboardInterrupt


def test_figures_as_a_table(bench: Command) -> None:
    done = bench("fib", "scan", "--check", "--peers", "CPython")
    assert done.status == 0
    head, fib, scan, mean = words(done.out)
    assert head == ["interpreter", "CPython"]
    assert (fib[0], fib[2], len(fib)) == ("fib", "ms", 4)
    assert (scan[0], scan[2], len(scan)) == ("scan", "ms", 4)
    assert mean[:2] == ["geometric", "mean"]


def test_no_peers(bench: Command) -> None:
    done = bench("fib", "--check", "--peers", "none")
    assert [len(line) for line in words(done.out)] == [1, 3]


def test_a_narrow_table_has_ratios_on_lines_of_their_own(
    bench: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    fib = all_benches()["fib"]
    names = ("gforth", "gforth-fast", "C", "CPython", "LuaJIT")
    replaced(
        monkeypatch,
        made("narrow", lambda _: 4.0, peers={name: lambda _peers, _effort: 8.0 for name in names}),
        made("fib", fib.run, group="other"),
    )
    monkeypatch.setattr("benchmarks.peers.Peers.has", lambda _self, _name: True)
    monkeypatch.setenv("COLUMNS", "60")
    done = bench("--check")
    assert max(map(len, done.out.splitlines())) <= 60
    assert "\n    gforth 0.50, gforth-fast 0.50, C 0.50, CPython 0.50,\n" in done.out
    monkeypatch.setenv("COLUMNS", "100")
    row = bench("narrow", "--check").out.splitlines()[1]
    assert row.split() == ["narrow", "4", "ms", *["0.50"] * 5]


def test_figures_as_json(bench: Command) -> None:
    done = bench("fib", "--repeats", 2, "--json", "--peers", "CPython")
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


def test_figures_as_markdown(bench: Command) -> None:
    out = bench("fib", "sieve", "--check", "--markdown", "--peers", "CPython").out
    table = [line for line in out.splitlines() if line.startswith("|")]
    assert table[:2] == ["| bench | unit | forthvm | CPython |", "|---|---|---:|---:|"]
    assert [row.split(" | ")[0] for row in table[2:]] == ["| fib", "| sieve", "| *geometric mean*"]
    assert all(row.count("|") == 5 for row in table)
    assert "CPython (" in out


def test_tiers_side_by_side(bench: Command) -> None:
    options = ["--check", "--tiers", "interpreter,native", "--peers", "none"]
    rows = words(bench("fib", *options).out)
    assert [row[:2] for row in rows[1:]] == [["fib", "interpreter"], ["fib", "native"]]
    (figure,) = json.loads(bench("fib", *options, "--json").out)["figures"]
    assert set(figure["measured"]) == {"interpreter", "native"}


# --- what is chosen ---------------------------------------------------------------------


def test_the_list_names_all_benches_group_by_group(bench: Command) -> None:
    out = bench("--list", *all_benches()).out
    assert all(name in out for name in all_benches())
    assert "only when named" in out
    heads = [line for line in out.splitlines() if line and " " not in line]
    groups = dict.fromkeys(each.group for each in all_benches().values())
    assert [head for head in heads if head in groups] == list(groups)


def test_groups_and_patterns(bench: Command) -> None:
    assert [row[0] for row in words(bench("--list", "memory").out)] == [
        "memory",
        "memory-splut",
        "memory-more",
    ]
    rows = bench("--list", "perft-*", "fib").out.splitlines()
    named = [row.split()[0] for row in rows if row and not row.startswith(" ")]
    games = [name for name in all_benches() if name.startswith("perft-")]
    assert named == ["interpreter", "fib", "game", *games]


def test_slow_benches_are_run_only_when_they_are_named(bench: Command) -> None:
    assert "duel-10" not in bench("--list").out
    assert "duel-10" not in bench("--list", "program", "duel*").out
    assert "duel-10" in bench("--list", "duel-10").out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["fibb"], "did you mean 'fib'?"),
        (["interpretr"], "did you mean 'interpreter'?"),
        (["zz*"], "no bench 'zz*'"),
        (["fib", "--peers", "fortran"], "no peer 'fortran'"),
        (["fib", "--tiers", "slow"], "no tier 'slow'"),
    ],
)
def test_unknown_names_are_refused(bench: Command, arguments: list[str], told: str) -> None:
    done = bench(*arguments)
    assert done.status == 2
    assert told in done.err


# --- what goes wrong --------------------------------------------------------------------


def test_wrong_answers_are_told_and_make_the_status(
    bench: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced(monkeypatch, made("bad", wrong), made("good", lambda _: 2.0))
    done = bench()
    assert done.status == 1
    assert "wrong: bad by forthvm: two and two: expected 4, got 5" in done.out
    assert ["good", "2", "ms"] in words(done.out)
    document = json.loads(bench("--json").out)
    assert document["figures"][0]["wrong"] == {"forthvm": "two and two: expected 4, got 5"}
    assert document["figures"][0]["median"] is None
    assert bench("--markdown").status == 1


def test_who_is_absent_is_named(bench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    done = bench("fib", "--check", "--peers", "gforth,LuaJIT,CPython")
    assert done.status == 0
    assert done.out.splitlines()[-2:] == [
        "skipped: gforth (gforth is not installed)",
        "skipped: LuaJIT (luajit is not installed)",
    ]
    assert words(done.out)[0] == ["interpreter", "CPython"]


@pytest.mark.parametrize("shape", [[], ["--json"], ["--markdown"]])
def test_ctrl_c_prints_what_was_done(
    bench: Command, monkeypatch: pytest.MonkeyPatch, shape: list[str]
) -> None:
    replaced(
        monkeypatch,
        made("first", lambda _: 2.0),
        made("second", stopped),
        made("third", lambda _: 3.0),
    )
    done = bench(*shape)
    assert done.status == 130
    assert "first" in done.out
    assert "third" not in done.out
    assert "interrupted" in done.err
    if shape == ["--json"]:
        assert [each["name"] for each in json.loads(done.out)["figures"]] == ["first"]


def test_commands_of_the_documentation_run(bench: Command) -> None:
    page = (CHECKOUT / "docs" / "explanation" / "benchmarks.md").read_text(encoding="utf-8")
    prefix = "python -m benchmarks "
    lines = page.partition("```sh\n")[2].partition("```")[0].splitlines()
    commands = [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]
    assert commands
    for command in commands:
        assert bench(*shlex.split(command)).out.strip()

"""Tests of benchmarks/compare.py with a peer that is always installed."""

from __future__ import annotations

import json

import pytest

from benchmarks import compare


def test_table_has_ratios_and_means(capsys: pytest.CaptureFixture[str]) -> None:
    status = compare.main(
        ["fib", "sieve", "--runs", "1", "--seconds", "0.001", "--peers", "CPython"]
    )
    lines = capsys.readouterr().out.splitlines()
    assert status == 0
    assert [line.split()[0] for line in lines] == ["ms", "fib", "sieve", "mean"]
    assert all("(" in line for line in lines[1:])


@pytest.mark.slow
def test_each_tier_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--runs", "1", "--seconds", "0.001", "--peers", "CPython", "--json"]
    assert compare.main(["fib", "--tiers", "interpreter,native", *options]) == 0
    (figure,) = json.loads(capsys.readouterr().out)["figures"]
    assert set(figure["ratios"]) == {"interpreter", "native"}
    assert set(figure["measured"]) == {"interpreter", "native", "CPython"}


def test_unknown_names_are_rejected() -> None:
    with pytest.raises(SystemExit):
        compare.main(["no-such-bench"])

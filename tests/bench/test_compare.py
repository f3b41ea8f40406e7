"""benchmarks/compare.py: ratios of tiers to peers, whoever is installed."""

from __future__ import annotations

import json

import pytest

from benchmarks import compare


def test_ratios_to_a_peer_that_is_always_there(capsys: pytest.CaptureFixture[str]) -> None:
    status = compare.main(
        ["fib", "sieve", "--runs", "1", "--seconds", "0.001", "--peers", "CPython"]
    )
    lines = capsys.readouterr().out.splitlines()
    assert status == 0
    assert [line.split()[0] for line in lines] == ["ms", "fib", "sieve", "mean"]
    assert all("(" in line for line in lines[1:])


def test_tiers_have_a_column_each(capsys: pytest.CaptureFixture[str]) -> None:
    told = ["--runs", "1", "--seconds", "0.001", "--peers", "CPython", "--json"]
    assert compare.main(["fib", "--tiers", "interpreter,native", *told]) == 0
    (figure,) = json.loads(capsys.readouterr().out)["figures"]
    assert set(figure["ratios"]) == {"interpreter", "native"}
    assert set(figure["measured"]) == {"interpreter", "native", "CPython"}


def test_unknown_names_are_refused() -> None:
    with pytest.raises(SystemExit):
        compare.main(["no-such-bench"])

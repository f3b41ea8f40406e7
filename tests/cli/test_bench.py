"""forthvm bench: right answers, figures as text and JSON, wrong answers refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from forthvm.bench import Bench, WrongAnswerError, all_benches, measure
from forthvm.bench.runner import check


@pytest.mark.parametrize(
    "name",
    ["fib", "sieve", "bubble", "matmul", "scan", "interrupt", "load", "push-pop", "memory-splut"],
)
def test_benches_come_to_the_right_answer(name: str) -> None:
    figure = measure(all_benches()[name], 1)
    assert figure.median > 0
    assert figure.values == (figure.median,)


def test_a_wrong_answer_is_an_error() -> None:
    def run() -> float:
        check("two and two", 5, 4)
        return 1.0

    bench = Bench(name="wrong", unit="ms", summary="", run=run)
    with pytest.raises(WrongAnswerError, match="expected 4, got 5"):
        measure(bench)


def test_the_median_is_taken() -> None:
    values = iter([3.0, 1.0, 2.0])
    bench = Bench(name="numbers", unit="ms", summary="", run=lambda: next(values), repeats=3)
    figure = measure(bench)
    assert figure.median == 2.0
    assert figure.values == (3.0, 1.0, 2.0)


def test_figures_as_text(cli: Callable[..., Any]) -> None:
    done = cli("bench", "fib", "scan", "--repeats", 1)
    assert done.status == 0
    lines = [line.split() for line in done.out.splitlines()]
    assert [line[0] for line in lines] == ["fib", "scan"]
    assert all(line[2] == "ms" for line in lines)


def test_figures_as_json(cli: Callable[..., Any]) -> None:
    data = json.loads(cli("bench", "fib", "--repeats", 2, "--json").out)
    (figure,) = data["figures"]
    assert figure["name"] == "fib"
    assert len(figure["values"]) == 2
    assert data["machine"]


def test_the_list_names_slow_benches(cli: Callable[..., Any]) -> None:
    out = cli("bench", "--list", *all_benches()).out
    assert all(name in out for name in all_benches())
    assert "only when named" in out

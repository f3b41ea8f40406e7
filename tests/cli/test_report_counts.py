"""`forthvm report --counts`: statistics of a match of which only the counts are known."""

from __future__ import annotations

import re

import pytest

from tests.kit.commands import Cli


def facts(cli: Cli, *args: str) -> dict[str, str]:
    """Return the printed facts by their names."""
    result = cli("report", "--counts", *args)
    assert (result.status, result.err) == (0, "")
    rows = re.split(r"\n(?! )", result.out.rstrip())
    pairs = (re.split(r"  +", row, maxsplit=1) for row in rows)
    return {name: " ".join(text.split()) for name, text in pairs}


def test_counts_of_games(cli: Cli) -> None:
    """The score is 150 / 270; the variance of a game is (120 + 60 / 4) / 270 - (5 / 9)^2.

    Elo is 400 log10(150 / 120) = 38.8; normalized Elo is (1 / 18) / 0.4374 x 800 / ln 10 = 44.1.
    """
    found = facts(cli, "120", "60", "90")
    assert found["results"] == "270 games"
    assert found["score"].startswith("55.6 % (")
    assert found["Elo"].startswith("+39 (95 % by games")
    assert found["normalized Elo"].startswith("+44 (95 % by games")
    # (120 - 90) / sqrt(120 + 90) = 2.07 standard deviations
    assert found["stronger"] == "with a likelihood of 98.1 %"
    assert "SPRT" not in found


def test_counts_of_pairs(cli: Cli) -> None:
    """The mean score of 180 pairs is (30 / 4 + 80 / 2 + 3 x 40 / 4 + 18) / 180 = 0.5306.

    The variance of a pair is 0.0666, so that of a game is twice as much in normalized Elo.
    """
    found = facts(cli, "12", "30", "80", "40", "18", "--sprt", "elo0=0", "elo1=5")
    assert found["results"] == "180 pairs"
    assert found["score"].startswith("53.1 % (")
    assert found["normalized Elo"].startswith("+29 (95 % by pairs")
    assert found["SPRT"].endswith("elo0=0, elo1=5: continue")


@pytest.mark.parametrize(("counts", "decision"), [("300 0 100", "H1"), ("100 0 300", "H0")])
def test_clear_counts_decide_a_test(cli: Cli, counts: str, decision: str) -> None:
    found = facts(cli, *counts.split(), "--sprt", "elo0=0", "elo1=20")
    assert found["SPRT"].endswith(f": {decision}")


def test_equal_results_have_no_normalized_elo(cli: Cli) -> None:
    found = facts(cli, "10", "0", "0")
    assert found["Elo"].startswith("at least +")
    assert "normalized Elo" not in found


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--counts", "1", "2"], "expected three counts"),
        (["--counts", "0", "0", "0"], "all counts are 0"),
        (["--counts", "-1", "0", "0"], "expected an integer from 0"),
        (["--counts", "1", "0", "0", "--sprt", "elo0=5", "elo1=0"], "must be less than"),
        (["results.db", "--counts", "1", "0", "0"], "leave the file"),
        (["results.db", "--sprt", "elo0=0", "elo1=1"], "--sprt needs --counts"),
        ([], "file of results is missing"),
    ],
)
def test_wrong_usage_is_reported(cli: Cli, args: list[str], message: str) -> None:
    assert message in cli.err("report", *args, status=2)

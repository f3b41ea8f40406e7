"""What plays where nobody says: the script's engines, chance, the built-in search."""

from __future__ import annotations

import pytest

import forthvm
from forthvm.cli.seats import Seats
from forthvm.engines import Limits


@pytest.mark.parametrize(
    ("game", "labels"),
    [
        ("tictactoe", {"X": "negamax:nodes=1500", "O": "negamax:nodes=1500"}),
        ("splut-random", {"South": "script", "North": "script", "?Cleaner": "chance"}),
        ("splut-duel", {"South": "script", "North": "script", "?Cleaner": "chance"}),
    ],
)
def test_defaults(game: str, labels: dict[str, str]) -> None:
    seats = Seats(forthvm.load(game), [], limits=Limits())
    assert {name: seats[name].label() for name in labels} == labels


def test_a_limit_for_all_is_the_default_engines_only_one() -> None:
    seats = Seats(forthvm.load("tictactoe"), [], limits=Limits(depth=5))
    assert seats["X"].label() == "negamax"


def test_a_choice_for_one_leaves_the_others() -> None:
    seats = Seats(forthvm.load("splut-duel"), ["north=axiom:depth=2"], limits=Limits())
    assert seats["North"].label() == "axiom:depth=2"
    assert seats["South"].label() == "script"

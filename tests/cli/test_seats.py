"""Default engines of the seats: the script's engine, chance, or negamax."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.cli.play.seats import Seats
from forthvm.engines import Limits
from tests.kit.commands import Cli


@pytest.mark.parametrize(
    ("game", "labels"),
    [
        ("tictactoe", {"X": "negamax:nodes=1500", "O": "negamax:nodes=1500"}),
        ("splut-random", {"South": "script", "North": "script", "?Cleaner": "chance"}),
        ("splut-duel", {"South": "script", "North": "script", "?Cleaner": "chance"}),
    ],
)
def test_default_engines_of_seats(game: str, labels: dict[str, str]) -> None:
    seats = Seats(forthvm.load(game), [], limits=Limits())
    assert {name: seats[name].label() for name in labels} == labels


def test_limit_for_all_replaces_the_default_nodes() -> None:
    seats = Seats(forthvm.load("tictactoe"), [], limits=Limits(depth=5))
    assert seats["X"].label() == "negamax"


def test_engine_for_one_player_keeps_the_others() -> None:
    seats = Seats(forthvm.load("splut-duel"), ["north=axiom:depth=2"], limits=Limits())
    assert seats["North"].label() == "axiom:depth=2"
    assert seats["South"].label() == "script"


def test_player_without_turns_is_named_in_the_error(tmp_path: Path, cli: Cli) -> None:
    """A script can give the turn to a player that is not in its turn order."""
    path = tmp_path / "game.4th"
    path.write_text(
        "{board 2 2 {grid} board} {directions 0 1 {direction} e directions}\n"
        "{players {player} A {player} B players} {turn-order {turn} A turn-order}\n"
        ": put here empty-at? verify drop add-move ; {moves m {move} put moves}\n"
        "{pieces {piece} Man {drops} m pieces}\n"
        ": OnNewGame 4 $playerOffset ! ;\n"
    )
    err = cli.err("run", path, "--auto", "--engine", "first", status=1)
    assert "the turn of B, which is not in the turn order" in err

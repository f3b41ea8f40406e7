"""The clock of a script is a constant, so that games with RANDOMIZE repeat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import forthvm
from tests.kit.boards import grid
from tests.kit.files import write

# The legal moves are random; the numbers are seeded by the clock, at each new game or at loading.
SCRIPT = grid(3, 3)
SCRIPT += """\
: drop-it ( -- ) empty? verify here 0 8 RAND-WITHIN > verify create add-move ;
{moves drops {move} drop-it moves}
{pieces {piece} man {drops} drops pieces}
: OnIsGameOver ( -- result ) #UnknownScore ;
"""
AT_NEW_GAME = SCRIPT + ": OnNewGame RANDOMIZE ;"
AT_LOADING = SCRIPT + "RANDOMIZE VARIABLE loaded-at SYSTEM-TIME loaded-at !"


@pytest.fixture(params=[AT_NEW_GAME, AT_LOADING], ids=["new-game", "loading"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return write(tmp_path / "random.4th", request.param)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("options", "time"),
    [({}, 0), ({"seed": 5}, 5), ({"clock": 7}, 7), ({"seed": 5, "clock": 7}, 7)],
)
def test_the_clock_shows_the_seed_or_0(path: Path, options: dict[str, int], time: int) -> None:
    game = forthvm.load(path, **options)
    assert game._loaded.vm.call("SYSTEM-TIME") == (time,)
    assert game.start().key == forthvm.load(path, **options).start().key


def test_other_seeds_lead_to_other_games(path: Path) -> None:
    moves = {forthvm.load(path, seed=seed).start().legal_moves.texts for seed in range(8)}
    assert len(moves) > 1


def test_the_default_is_seed_0(path: Path) -> None:
    default, zero = forthvm.load(path).start(), forthvm.load(path, seed=0).start()
    assert default.legal_moves.texts == zero.legal_moves.texts
    assert default.random_state == zero.random_state


def test_a_position_saved_with_the_time_can_be_read(path: Path) -> None:
    """Earlier versions loaded scripts with the time as the clock."""
    document = json.loads(forthvm.load(path, clock=1_700_000_000).start().to_json())
    document |= {"clock": None, "load_clock": 1_700_000_000}
    game = forthvm.load(path)
    read = forthvm.Position.from_json(game, json.dumps(document))
    assert len(read.legal_moves) == len(forthvm.load(path, clock=1_700_000_000).start().legal_moves)

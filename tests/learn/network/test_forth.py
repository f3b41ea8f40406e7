"""Linear networks as ForthScript have the values of the networks."""

from __future__ import annotations

import random
import shutil
from array import array
from dataclasses import replace
from pathlib import Path

import pytest

from forthvm.cli import main
from forthvm.core.bindings import Network
from forthvm.engines.network import GameNetwork
from forthvm.game import Game, Position, load
from forthvm.learn.network.forth import evaluation_script
from forthvm.learn.network.inputs import choose_inputs
from tests.kit.commands import Cli
from tests.kit.games import load_text, script_of

from .models import network_of, random_network

RULES = Path(__file__).parents[2] / "zrf"


def linear_network(game: Game, *, own: int = 0, unit: int = 256) -> GameNetwork:
    """Return a network with random direct weights only."""
    inputs = choose_inputs(game, patterns=False)
    weights = random_network(game, hidden=0).network.weights
    weights = replace(weights, tables=b"", own=own, unit=unit)
    return network_of(game, inputs, weights)


def with_script(game: Game, network: GameNetwork, folder: Path) -> Game:
    """Return the game with the network as its evaluation, loaded as authors do."""
    own = folder / game.path.stem
    shutil.copytree(game.path.parent, own)
    script = own / f"{game.path.stem}.4th"
    if game.path.suffix == ".zrf":
        assert main(["convert", str(game.path), "-o", str(script)]) == 0
    (own / "learned.4th").write_text(evaluation_script(game, network), "utf-8")
    with script.open("a", encoding="utf-8") as file:
        file.write("\nLOAD learned.4th\n")
    return load(script)


def evaluation(position: Position) -> int:
    with position._in_memory() as native:
        return native.evaluate(0)


def positions(game: Game, other: Game, seed: int) -> tuple[Position, Position]:
    """Return the same position of both games, after random moves."""
    choices = random.Random(seed)
    first, second = game.start(), other.start()
    for position in (first, second):
        position.seed(seed)
    for _ in range(5 * seed):
        if first.result is not None or first.is_stuck:
            break
        at = choices.randrange(len(first.legal_moves))
        for position in (first, second):
            position.push(position.legal_moves[at])
    return first, second


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["breakthrough", "chess", "draughts", "splut-duel", "ur", "reversi", "rithmomachia"]
)
@pytest.mark.parametrize(("own", "unit"), [(0, 256), (1, 700), (23, 700)])
def test_script_has_the_values_of_the_network(
    name: str, own: int, unit: int, tmp_path: Path
) -> None:
    check_values(load(name), tmp_path, own=own, unit=unit)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["idioms/jumps.zrf", "shapes/drops.zrf", "idioms/sowing.zrf"])
def test_script_of_a_rule_file(path: str, tmp_path: Path) -> None:
    check_values(load(RULES / path), tmp_path)


def check_values(game: Game, folder: Path, *, own: int = 0, unit: int = 256) -> None:
    network = linear_network(game, own=own, unit=unit)
    learned = with_script(game, network, folder)
    checked = 0
    for seed in range(8):
        before, after = positions(game, learned, seed)
        view = network.network.inputs.view_of[before.player_index + 1]
        if before.result is not None or view < 0:
            continue
        board = array("i", before.cells).tobytes()
        expected = network.network.value(board, before._turn_index, view)
        expected += own * evaluation(before)
        features = network.network.features(board, before._turn_index, view)
        error = 1 if unit == 256 else 2 + len(features) / 2
        assert abs(evaluation(after) - expected) < error, (seed, before)
        checked += 1
    assert checked > 2


def test_piece_without_values_has_no_table(tmp_path: Path) -> None:
    """The first table, of zeros, serves all types that have never been seen with an owner."""
    game = load("draughts")
    network = linear_network(game)
    inputs = network.network.inputs
    zeros = replace(network.network.weights, direct=bytes(2 * inputs.features))
    empty = replace(network, network=Network(inputs, zeros))
    assert evaluation_script(game, empty).count("\\ all others") == 1
    assert ", own" not in evaluation_script(game, empty)
    learned = with_script(game, empty, tmp_path)
    assert evaluation(learned.start()) == zeros.bias


def test_command_writes_a_script(tmp_path: Path, cli: Cli) -> None:
    script = tmp_path / "learned.4th"
    arguments = ["train", "tictactoe", "--games", "20", "--nodes", "20"]
    assert "learned.4th: 20 games" in cli.out(*arguments, "--write-forth", script)
    assert list(tmp_path.iterdir()) == [script]
    game = load_text(tmp_path, script_of("tictactoe") + "LOAD learned.4th", name="own.4th")
    assert evaluation(game.start()) != evaluation(load("tictactoe").start())


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tictactoe", "--hidden", "8"], "needs --hidden 0"),
        (["splut"], "for 4 players"),
        (["breakthrough", "--resume", "given.net"], "hidden units or patterns"),
        (["tictactoe", "--write-forth", "given.net"], "exists"),
    ],
)
def test_refuses_what_cannot_be_written(
    arguments: list[str], message: str, in_folder: Path, cli: Cli
) -> None:
    random_network(load("breakthrough"), hidden=0).write("given.net")
    assert message in cli.err(
        "train", "--write-forth", "learned.4th", "--games", "1", *arguments, status=2
    )
    assert not Path("learned.4th").exists()


def test_own_evaluation_cannot_overflow(tmp_path: Path) -> None:
    """A lost position stays lost if its value is multiplied by the factor."""
    source = script_of("tictactoe").replace(": OnEvaluate", ": unused")
    game = load_text(tmp_path, f"{source}: OnEvaluate -100000000 ;", name="lost.4th")
    learned = with_script(game, linear_network(game, own=23, unit=256), tmp_path / "learned")
    assert evaluation(learned.start()) < -900_000_000

"""Tests of examples/alphazero.py: encoding, training, resuming, and the engine."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import forthvm
from forthvm.engines import Limits, SelfPlay, choose_move, get
from tests.kit.random_games import push_random_moves

torch = pytest.importorskip("torch", reason="torch is not installed")

pytestmark = [
    pytest.mark.usefixtures("examples"),
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:torch"),
]
TINY: dict[str, Any] = {
    "blocks": 1,
    "channels": 4,
    "games": 4,
    "batch": 2,
    "playouts": 4,
    "samples": 16,
    "window": 2,
    "workers": 1,
}


@pytest.fixture
def script(examples: Path) -> str:
    return str(examples / "breakthrough-6x6.4th")


def trained(script: str, folder: Path, iterations: int) -> Any:  # noqa: ANN401 - of a module in examples
    from alphazero import Options, Training

    training = Training(Options(game=script, **TINY), folder)
    with ThreadPoolExecutor(1) as pool:
        while training.iteration < iterations:
            training.iterate(pool)
    return training


def test_second_player_sees_the_turned_board(script: str) -> None:
    from alphazero_engine import Encoder

    game = forthvm.load(script)
    encoder = Encoder(game)
    assert encoder.turns
    assert encoder.mirrored is not None
    start = np.array([game.start().cells])
    first, second = (encoder.encode(start, np.array([mover])) for mover in (0, 1))
    assert (first == second).all()
    assert first[0, 0, -2:].all()
    assert first[0, 0].sum() == first[0, 1].sum() == 12
    number = {game.actions.text(at): at for at in range(len(game.actions))}
    assert encoder.actions[0, number["a5 - b4"]] == number["a5 - b4"]
    assert encoder.actions[1, number["a5 - b4"]] == number["a2 - b3"]
    assert encoder.mirrored[number["a2 - b3"]] == number["f2 - e3"]


def test_inference_equals_the_network(script: str) -> None:
    from alphazero_engine import Encoder, Evaluator, Network

    game = forthvm.load(script)
    encoder = Encoder(game)
    torch.manual_seed(1)
    network = Network(encoder, 2, 8).eval()
    starts = [push_random_moves(game.start(), 7, Random(seed)) for seed in range(4)]
    play = SelfPlay(game, batch=4, games=4, playouts=2, starts=starts)
    leaves = play.leaves()
    assert leaves is not None
    rewards, priors = Evaluator(encoder, network, "float32")(leaves)
    for at, position in enumerate(starts):
        mover = leaves.movers[at]
        planes = encoder.encode(np.array([position.cells]), np.array([mover - 1]))
        with torch.no_grad():
            logits, value = network(torch.from_numpy(planes).float())
        actions = np.array(position.legal_actions)
        expected = torch.softmax(logits[0, encoder.actions[mover - 1, actions]], 0)
        assert priors[at, actions] == pytest.approx(expected.numpy(), abs=1e-5)
        assert rewards[at, mover] == pytest.approx(torch.sigmoid(value)[0].item(), abs=1e-5)
        assert rewards[at].sum() == pytest.approx(1)


def test_resumed_training_equals_an_uninterrupted_one(script: str, tmp_path: Path) -> None:
    whole = trained(script, tmp_path / "whole", 3)
    for iterations in (1, 3):
        resumed = trained(script, tmp_path / "resumed", iterations)
    assert resumed.iteration == whole.iteration == 3
    for name, weights in whole.network.state_dict().items():
        assert torch.equal(weights, resumed.network.state_dict()[name]), name
    # Of a window of two iterations, the next iteration needs one earlier file.
    assert [path.name for path in (tmp_path / "whole").glob("samples-*")] == ["samples-0002.npz"]


def test_other_options_need_another_folder(script: str, tmp_path: Path) -> None:
    from alphazero import Options, Training

    Training(Options(game=script, **TINY), tmp_path)
    with pytest.raises(SystemExit, match="other options"):
        Training(Options(game=script, **TINY | {"seed": 2}), tmp_path)


def test_program_trains_and_measures(
    script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from alphazero import main

    options = [f"--{name}={value}" for name, value in TINY.items()]
    main(["train", script, "--folder", str(tmp_path), "--iterations", "1", *options])
    main(["strength", str(tmp_path), "--opponent", "random", "--games", "2", "--playouts", "2"])
    output = capsys.readouterr().out
    assert "iteration 1: positions" in output
    assert "of 2 games against random" in output
    assert "<svg" in (tmp_path / "strength.svg").read_text(encoding="utf-8")
    engine = get(f"alphazero_engine:NetworkEngine:file={tmp_path / 'network.pt'},playouts=3")
    position = forthvm.load(script).start()
    result = choose_move(engine, position, limits=Limits(nodes=5))
    assert result.nodes == 5
    assert result.move in position.legal_moves

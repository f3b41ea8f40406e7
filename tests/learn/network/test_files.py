"""Files of networks: what is written is read, and damaged files are refused."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from forthvm import engines
from forthvm.engines import EngineOptionError, Limits
from forthvm.engines.levels import levels_of
from forthvm.engines.network import GameNetwork, NetworkFileError, network_file
from forthvm.game import load
from tests.kit.boards import WALK
from tests.kit.commands import Cli
from tests.kit.files import write
from tests.kit.games import load_text, script_of

from .models import random_network


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A network of Breakthrough with random weights."""
    path = tmp_path / "b.net"
    random_network(load("breakthrough")).write(path)
    return path


def with_checksum(folder: Path, content: bytes) -> Path:
    """Write a file with the checksum of its content, as others may write it."""
    path = folder / "other.net"
    checksum = hashlib.sha256(content).hexdigest().encode()
    path.write_bytes(b"\n".join([b"forthvm network 2", checksum, content]))
    return path


def test_reads_what_was_written(file: Path) -> None:
    written, read = random_network(load("breakthrough")), GameNetwork.read(file)
    assert read.network.weights == written.network.weights
    assert read.network.inputs == written.network.inputs
    assert (read.game, read.fingerprint) == (written.game, written.fingerprint)
    assert not file.with_name("b.net.part").exists()


@pytest.mark.slow
def test_refuses_damaged_files(file: Path, tmp_path: Path) -> None:
    data, choices = file.read_bytes(), random.Random(5)
    damaged = tmp_path / "damaged.net"
    for _ in range(300):
        changed = bytearray(data)
        changed[choices.randrange(len(changed))] ^= 1 << choices.randrange(8)
        damaged.write_bytes(
            changed if choices.random() < 0.7 else data[: -choices.randrange(1, 999)]
        )
        with pytest.raises(NetworkFileError):
            GameNetwork.read(damaged)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: data + b"x",
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: data.replace(b'"breakthrough"', b'"Breakthrough"'),
        lambda data: data.replace(b"\n", b"\r\n"),
    ],
)
def test_says_that_a_file_is_damaged(damage: Callable[[bytes], bytes], file: Path) -> None:
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(EngineOptionError, match=r"b\.net: (damaged: changed or cut|not a network)"):
        engines.get(f"negamax:net={file}")


@pytest.mark.slow
def test_networks_with_other_numbers_are_refused_or_can_be_used(file: Path, tmp_path: Path) -> None:
    """A file with a right checksum is refused, or is another network with the same sizes."""
    content, choices = file.read_bytes().split(b"\n", 2)[2], random.Random(5)
    refused = 0
    for _ in range(300):
        changed = bytearray(content)
        start = choices.randrange(4000)
        if choices.random() < 0.3:
            del changed[choices.randrange(len(changed)) :]
        changed[start : start + 1] = bytes([choices.randrange(256)])
        try:
            network = GameNetwork.read(with_checksum(tmp_path, changed))
        except NetworkFileError:
            refused += 1
        else:
            with suppress(EngineOptionError):  # the fingerprint is damaged
                engines.get("negamax:depth=1", net=network).play(load("breakthrough").start())
    assert refused > 150


@pytest.mark.parametrize(
    "text",
    [
        "",
        "forthvm network 1\n{}\n",
        "forthvm network 2\n",
        "forthvm network 2\n[]\n",
        "x" * 5_000_000,
    ],
)
def test_refuses_other_files(text: str, tmp_path: Path) -> None:
    other = write(tmp_path / "other.net", text)
    with pytest.raises(NetworkFileError):
        GameNetwork.read(other)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "changes",
    [
        {"types": 0, "pattern_size": 0, "pattern_squares": ()},
        {"types": -1, "pattern_size": -1},
        {"owner_kinds": -1},
        {"features": -1},
    ],
)
def test_refuses_impossible_numbers(changes: dict[str, object], file: Path, tmp_path: Path) -> None:
    _, _, header, weights = file.read_bytes().split(b"\n", 3)
    values = json.loads(header)
    values["inputs"].update(changes)
    for size in (len(weights), 2 * (values["hidden"] + 1) * 2):
        content = b"\n".join([json.dumps(values).encode(), weights[:size]])
        with pytest.raises(NetworkFileError, match=r"^(?!.*damaged)"):
            GameNetwork.read(with_checksum(tmp_path, content))


def test_refuses_networks_of_other_games(file: Path) -> None:
    engine = engines.get(f"negamax:net={file},depth=1")
    with pytest.raises(EngineOptionError, match="learned for breakthrough"):
        engine.play(load("chess").start())


def test_missing_file_is_an_error_of_the_option() -> None:
    with pytest.raises(EngineOptionError, match="option net"):
        engines.get("negamax:net=missing.net")


def test_file_beside_a_game_is_the_default(file: Path, tmp_path: Path) -> None:
    position = load_text(tmp_path, script_of("breakthrough"), name="mine.4th").start()
    limits = Limits(depth=3)
    own = engines.get("negamax").play(position, limits)
    shutil.copy(file, tmp_path / "mine.net")
    beside = engines.get("negamax").play(position, limits)
    given = engines.get("negamax", net=str(file)).play(position, limits)
    without = engines.get("negamax:net=none").play(position, limits)
    assert beside.score == given.score != own.score
    assert beside.info["net"] == str(tmp_path / "mine.net")
    assert "net" not in own.info
    assert without.score == own.score


def test_levels_search_positions_if_a_network_evaluates_them(tmp_path: Path) -> None:
    game = load_text(tmp_path, WALK)
    assert all("engine=mcts" in level.spec for level in levels_of(game))
    random_network(game, hidden=2).write(tmp_path / "game.net")
    assert not any("engine=mcts" in level.spec for level in levels_of(game))


def test_think_names_the_file(file: Path, cli: Cli) -> None:
    assert f"evaluated by {file}" in cli.out(
        "think", "breakthrough", "--engine", f"negamax:depth=1,net={file}"
    )


def test_damaged_file_beside_a_game_says_how_to_play_without_it(tmp_path: Path) -> None:
    game = load_text(tmp_path, script_of("breakthrough"))
    (tmp_path / "game.net").write_text("?", "utf-8")
    with pytest.raises(EngineOptionError, match="net=none"):
        engines.get("negamax:depth=1").play(game.start())


VARIANTS = """
(game (title "Walk") (players A B) (turn-order A B)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0)) ("1" (0 10)))
    (directions (e 1 0) (w -1 0))))
  (piece (name Man) (moves (e (verify empty?) add) (w (verify empty?) add)))
  (board-setup (A (Man a1)) (B (Man d1)))
  (win-condition (A B) stalemated))
(variant (title "Losing walk") (loss-condition (A B) stalemated))
"""


def test_variants_of_a_rule_file_have_files_of_their_own(tmp_path: Path) -> None:
    path = write(tmp_path / "walk.zrf", VARIANTS)
    first, second = load(path), load(path, variant=1)
    assert network_file(first).name == "walk.net"
    assert network_file(second).name == "walk.2.net"
    random_network(first).write(tmp_path / "walk.net")
    engine = engines.get("negamax:depth=1")
    assert "net" in engine.play(first.start()).info
    assert "net" not in engine.play(second.start()).info
    with pytest.raises(EngineOptionError, match="variant"):
        engines.get("negamax", net=str(tmp_path / "walk.net")).play(second.start())

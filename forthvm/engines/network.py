"""Files of networks, and the networks that engines use.

A file consists of a line that names the format, a line with a checksum of the rest, a line of JSON,
and the weights: 16-bit integers in little-endian order, first those of features for hidden units,
feature by feature, then the direct weights of features, the biases of hidden units, their outputs,
and the tables of patterns.

A network belongs to all games with the same board, pieces, players and turns, and in rule files the
same variant; the words of the script may differ.  `forthvm.learn.network` learns networks.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from forthvm.core import reading
from forthvm.core.bindings import (
    NETWORK_HIDDEN,
    NETWORK_SCORE,
    Network,
    NetworkInputs,
    NetworkWeights,
)
from forthvm.engines.errors import EngineOptionError
from forthvm.system.files import replace_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.game import Game

__all__ = [
    "GameNetwork",
    "NetworkFileError",
    "NetworkOption",
    "fingerprint",
    "network_file",
    "read_network",
]

_SUFFIX = ".net"
MAX_BYTES = 4 << 20
"""The maximum size of a file."""
_FORMAT = b"forthvm network 2\n"
_NUMBERS = {
    "hidden": reading.integer(0, NETWORK_HIDDEN),
    "bias": reading.integer(-(1 << 24), 1 << 24),
    "own": reading.integer(0, NETWORK_SCORE),
    "unit": reading.integer(1, NETWORK_SCORE),
}
_read_header = reading.record(
    {
        "game": reading.text(200),
        "fingerprint": reading.text(64),
        "inputs": reading.as_type(NetworkInputs),
        **_NUMBERS,
        "learned": reading.dict_of(reading.as_type(object)),
    }
)


class NetworkFileError(ValueError):
    """A file is not a network, or is damaged."""


@dataclass(frozen=True)
class GameNetwork:
    """A network with the game that it belongs to.

    Attributes:
        game: The name of the game.
        fingerprint: The fingerprint of the game.
        network: The network.
        learned: How it was learned, as plain values: games, positions, seed and so on.
        path: The file from which it was read; None if it was not read from a file.
    """

    game: str
    fingerprint: str
    network: Network
    learned: dict[str, object]
    path: Path | None = None

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> GameNetwork:
        """Read a file.

        Raises:
            OSError: It cannot be read.
            NetworkFileError: It is not a network, or is damaged.
        """
        if not S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 - raises an error if it is missing
            raise NetworkFileError(f"{path}: not a file")
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise NetworkFileError(f"{path}: larger than {MAX_BYTES} bytes")
        try:
            return cls._parse(data, Path(path))
        except ValueError as error:
            raise NetworkFileError(f"{path}: {error}") from None

    @classmethod
    def _parse(cls, data: bytes, path: Path) -> GameNetwork:
        if not data.startswith(_FORMAT):
            raise ValueError("not a network of forthvm, or of another version")
        checksum, _, content = data[len(_FORMAT) :].partition(b"\n")
        if checksum != _checksum(content):
            raise ValueError("damaged: changed or cut, since its checksum differs")
        line, _, numbers = content.partition(b"\n")
        header = _read_header(reading.parse_json(line))
        inputs = header["inputs"]
        weights = NetworkWeights.read(inputs, numbers, {name: header[name] for name in _NUMBERS})
        network = Network(inputs, weights)
        return cls(header["game"], header["fingerprint"], network, header["learned"], path)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a file.

        Raises:
            OSError: It cannot be written.
        """
        replace_file(os.fspath(path), self.data())

    def data(self) -> bytes:
        """Return the content of a file."""
        weights = self.network.weights
        header = {
            "game": self.game,
            "fingerprint": self.fingerprint,
            "inputs": vars(self.network.inputs),
            **weights.numbers,
            "learned": self.learned,
        }
        line = json.dumps(header, separators=(",", ":")).encode() + b"\n"
        content = b"".join([line, *weights.arrays])
        return b"".join([_FORMAT, _checksum(content), b"\n", content])

    def belongs_to(self, game: Game) -> bool:
        """Return whether the network was learned for a game like this one."""
        inputs = self.network.inputs
        sizes = (inputs.views, inputs.cells, inputs.turn_entries)
        views, cells = len(game.contestants or game.players), game._loaded.tables.board_cells
        is_alike = self.fingerprint == fingerprint(game)
        return is_alike and sizes == (views, cells, len(game.turn_order))

    def check_game(self, game: Game) -> None:
        """Check that the network belongs to a game.

        Raises:
            EngineOptionError: It belongs to another one.
        """
        if not self.belongs_to(game):
            raise EngineOptionError(
                f"the network {self.path or 'given'} was learned for {self.game}, whose board,"
                f" pieces, players, turns or variant are not those of {game.title}"
            )


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def fingerprint(game: Game) -> str:
    """Return a digest of what a network depends on: board, pieces, players, turns, variant."""
    parts = {
        "positions": game.positions,
        "cells": game._loaded.tables.board_cells,
        "pieces": [(kind.number, kind.name) for kind in game.piece_types],
        "players": [(player.name, player.cell) for player in game.player_details],
        "turns": [(turn.player, turn.for_player, turn.of_type) for turn in game.turn_order],
        "repeat": game.turn_repeat,
        "variant": _variant(game),
        "settings": sorted((name, str(value)) for name, value in _settings(game).items()),
    }
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


class NetworkOption:
    """The option `net` of an engine: a path, a GameNetwork, or `none`.

    Without the option, an engine uses the file beside a game, if there is one: `NAME.net` beside
    `NAME.4th`.
    """

    def __init__(self, given: object = None, *, is_given: bool) -> None:
        """Store the value of the option; is_given: False for the default."""
        self._given = given if isinstance(given, GameNetwork) else None
        self._is_given = is_given
        self._checked: WeakKeyDictionary[Game, GameNetwork | None] = WeakKeyDictionary()

    def info(self, game: Game) -> dict[str, object]:
        """Return the entry `net` of `SearchResult.info`: the file that evaluates; empty if none."""
        found = self._checked.get(game)
        return {} if found is None or found.path is None else {"net": str(found.path)}

    def of_game(self, game: Game) -> Network | None:
        """Return the network that evaluates positions of a game; None: OnEvaluate does.

        Raises:
            EngineOptionError: The given network belongs to another game, or the file beside the
                game is damaged.  A file beside it that belongs to another game is ignored.
        """
        if game not in self._checked:
            found = self._given if self._is_given else _beside(game)
            if found is not None and self._is_given:
                found.check_game(game)
            self._checked[game] = found
        checked = self._checked[game]
        return None if checked is None else checked.network


def network_file(game: Game) -> Path:
    """Return the file beside a game that engines use by default, which may be missing.

    That of `NAME.4th` is `NAME.net`, that of the second variant of `NAME.zrf` is `NAME.2.net`.
    """
    variant = _variant(game)
    number = f".{variant + 1}" if variant > 0 else ""
    return game.path.with_name(f"{game.path.stem}{number}{_SUFFIX}")


def _variant(game: Game) -> int:
    """Return the index of the variant of a rule file; 0 for scripts."""
    return game.variants.index(game.title) if game.title in game.variants else 0


def _settings(game: Game) -> Mapping[str, object]:
    return game._loaded.options.rule_settings


def _beside(game: Game) -> GameNetwork | None:
    path = network_file(game)
    try:
        found = GameNetwork.read(path) if path.is_file() else None
    except (OSError, NetworkFileError) as error:
        raise EngineOptionError(f"{error} (without it: net=none)") from None
    return found if found is not None and found.belongs_to(game) else None


def read_network(value: object) -> GameNetwork | None:
    """Return the network for the value of an option; None for `none`."""
    if isinstance(value, str) and value.lower() == "none":
        return None
    if isinstance(value, GameNetwork):
        return value
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"expected the path of a network or none, not {value!r}")
    try:
        return GameNetwork.read(value)
    except OSError as error:
        raise ValueError(f"{value}: {error.strerror}") from None

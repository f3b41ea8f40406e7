"""A model of networks in plain Python, and networks with random weights."""

from __future__ import annotations

import random
from array import array

from forthvm.core.bindings import Network, NetworkInputs, NetworkWeights
from forthvm.engines.evaluator import EvaluationView
from forthvm.engines.network import GameNetwork, fingerprint
from forthvm.game import Game
from forthvm.learn.network.inputs import choose_inputs

ONE, OUTPUT, UNIT = 512, 64, 256


def random_network(game: Game, *, hidden: int = 16, seed: int = 1) -> GameNetwork:
    """Return a network whose weights are random."""
    inputs = choose_inputs(game)
    choices = random.Random(seed)

    def numbers(count: int, most: int) -> bytes:
        return array("h", [choices.randint(-most, most) for _ in range(count)]).tobytes()

    weights = NetworkWeights(
        hidden,
        numbers(inputs.features * hidden, 200),
        numbers(inputs.features, 300),
        numbers(hidden, 300),
        numbers(hidden, 400),
        numbers(inputs.table_weights, 50),
        bias=choices.randint(-50, 50),
        own=0,
        unit=UNIT,
    )
    return network_of(game, inputs, weights)


def network_of(game: Game, inputs: NetworkInputs, weights: NetworkWeights) -> GameNetwork:
    """Return a network of a game."""
    return GameNetwork(game.name, fingerprint(game), Network(inputs, weights), {})


def features_of(inputs: NetworkInputs, cells: tuple[int, ...], turn: int, view: int) -> list[int]:
    """Return the features of a board, ascending."""
    found = [inputs.turns[view * inputs.turn_entries + turn]]
    for at in range(inputs.cells):
        place = inputs.places[view * inputs.cells + at]
        low, values, ranges = inputs.numbers[at]
        if place < 0:
            continue
        if ranges:
            above = min(max(cells[at] - low, 0), values - 1)
            found.append(place + above * ranges // values)
            continue
        kind, owner = cells[at] & 0x3FF, inputs.owners[view * 64 + (cells[at] >> 10 & 63)]
        if 1 <= kind <= inputs.types and owner >= 0:
            found.append(place + owner * inputs.types + kind - 1)
    return sorted(feature for feature in found if feature >= 0)


def pattern_weights(network: Network, cells: tuple[int, ...], view: int) -> list[int]:
    """Return the weight of each pattern on a board."""
    inputs, tables = network.inputs, array("h", network.weights.tables)
    kinds = inputs.types * inputs.owner_kinds
    seen = [0] * inputs.cells
    for at in range(inputs.cells):
        place, (_, _, ranges) = inputs.places[view * inputs.cells + at], inputs.numbers[at]
        kind, owner = cells[at] & 0x3FF, inputs.owners[view * 64 + (cells[at] >> 10 & 63)]
        if place >= 0 and not ranges and 1 <= kind <= inputs.types and owner >= 0:
            seen[place // kinds] = 1 + owner * inputs.types + kind - 1
    found, size = [], inputs.pattern_size
    for pattern in range(inputs.patterns):
        squares = inputs.pattern_squares[size * pattern : size * (pattern + 1)]
        index = sum(seen[square] * (kinds + 1) ** k for k, square in enumerate(squares))
        found.append(tables[pattern * (kinds + 1) ** size + index])
    return found


def value_of(network: Network, cells: tuple[int, ...], turn: int, view: int) -> int:
    """Return the value of a board."""
    weights = network.weights
    rows, direct, biases, outputs = (
        array("h", data)
        for data in (weights.weights, weights.direct, weights.biases, weights.outputs)
    )
    features = features_of(network.inputs, cells, turn, view)
    total = 0
    for unit in range(weights.hidden):
        x = biases[unit] + sum(rows[feature * weights.hidden + unit] for feature in features)
        x = min(max(x, 0), ONE)
        total += x * x // ONE * outputs[unit]
    scale = ONE * OUTPUT // UNIT
    rounded = total // scale if total >= 0 else -(-total // scale)
    linear = sum(direct[feature] for feature in features)
    return weights.bias + linear + sum(pattern_weights(network, cells, view)) + rounded


class NetworkModel:
    """Evaluates as a network does; for the option `evaluator`."""

    def __init__(self, network: GameNetwork) -> None:
        self._network = network.network

    def __call__(self, view: EvaluationView) -> int:
        number = self._network.inputs.view_of[view.player_index + 1]
        if number < 0:
            return 0
        return value_of(self._network, tuple(view.cells), view.turn_index, number)

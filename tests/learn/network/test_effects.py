"""What a network has learned about pieces, and the page that shows it."""

from __future__ import annotations

from array import array
from dataclasses import replace
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from forthvm.cli import main
from forthvm.core.bindings import Network, NetworkWeights
from forthvm.engines import EngineOptionError
from forthvm.engines.network import GameNetwork
from forthvm.game import load
from forthvm.learn.network.effects import owner_title, piece_effects
from forthvm.learn.network.inputs import choose_inputs
from forthvm.learn.network.strength import Strength, strength_points, with_strength
from forthvm.web.report.network_page import network_page

from .models import random_network


@pytest.mark.slow
def test_effects_of_a_linear_network_are_its_weights() -> None:
    game = load("chess")
    inputs = choose_inputs(game, patterns=False)
    weights = replace(
        NetworkWeights.zero(inputs, 0), direct=random_network(game).network.weights.direct
    )
    direct = array("h", weights.direct)
    effects = piece_effects(game, Network(inputs, weights))
    assert len(effects) == 2 * len(game.piece_types)
    numbers = {kind.name: kind.number for kind in game.piece_types}
    for effect in effects:
        kind = effect.owner * inputs.types + numbers[effect.type] - 1
        expected = [direct[inputs.places[at] + kind] for at in range(len(game.positions))]
        assert list(effect.values.values()) == expected
        assert effect.mean == pytest.approx(sum(expected) / len(expected))


def test_pieces_without_effect_are_left_out() -> None:
    game = load("splut-duel")
    inputs = choose_inputs(game)
    assert piece_effects(game, Network(inputs, NetworkWeights.zero(inputs, 4))) == []


def test_owners_have_titles() -> None:
    assert [owner_title(owner, 2) for owner in range(4)] == [
        "own",
        "the other player's",
        "neutral",
        "neutral 2",
    ]
    assert owner_title(2, 4) == "the player's 2 turns later"


def test_points_of_strength_are_bounded() -> None:
    strength = Strength(20, 0.61234, 0.4, 0.8, 0.5)
    points = with_strength([], 12.34, strength)
    assert points == [(12.3, 0.6123, 0.4, 0.8)]
    for second in range(1000):
        points = with_strength(points, second, strength)
    assert len(points) <= 256
    assert points[-1][0] == 999
    assert [point[0] for point in points[1:]] == sorted(point[0] for point in points[1:])
    assert list(strength_points({"strength": [list(point) for point in points]})) == points


@pytest.mark.parametrize("damaged", [None, [[1, 2, 3, 4]], [[1, 0.5]], "x", [[0, 0.1, 0, 1]] * 300])
def test_damaged_points_are_none(damaged: object) -> None:
    assert strength_points({"strength": damaged}) == ()
    assert strength_points({}) == ()


def pictures(page: str) -> list[ElementTree.Element]:
    """Return the SVG documents of a page."""
    parts = page.split("<svg ")[1:]
    return [ElementTree.fromstring("<svg " + part.split("</svg>")[0] + "</svg>") for part in parts]


def test_page_shows_values_and_strength() -> None:
    game = load("breakthrough")
    network = random_network(game)
    learned = {"games": 1200, "strength": [[300, 0.5, 0.3, 0.7], [600, 0.7, 0.5, 0.9]]}
    page = network_page(game, replace(network, learned=learned))
    assert "<dd>1,200</dd>" in page
    assert "corrects" not in page
    assert len(pictures(page)) == 3  # strength, own pawns, pawns of the other player
    titles = [picture.findtext("{http://www.w3.org/2000/svg}title") for picture in pictures(page)]
    assert titles[0] == "strength over time"
    effect = piece_effects(game, network.network)[0]
    assert f"a1: {effect.values['a1']:,.1f}" in page
    assert f"<td>{effect.mean:,.0f}</td>" in page


@pytest.mark.slow
def test_page_says_that_the_network_corrects() -> None:
    game = load("chess")
    network = random_network(game)
    corrected = replace(network.network.weights, own=3, unit=700)
    page = network_page(game, replace(network, network=Network(choose_inputs(game), corrected)))
    assert "takes 3 times the value" in page
    assert "Strength" not in page


@pytest.mark.slow
def test_page_of_many_players_without_pieces_to_show() -> None:
    game = load("splut")
    inputs = choose_inputs(game)
    network = random_network(game)
    zero = Network(inputs, NetworkWeights.zero(inputs, 0))
    assert escape("the player's 3 turns later") in network_page(game, network)
    assert "Values of pieces" not in network_page(game, replace(network, network=zero))


def test_page_of_another_game_is_refused() -> None:
    with pytest.raises(EngineOptionError, match="learned for breakthrough"):
        network_page(load("chess"), random_network(load("breakthrough")))


@pytest.mark.slow
def test_command_writes_a_page_and_keeps_the_strength(tmp_path: Path) -> None:
    out, page = tmp_path / "t.net", tmp_path / "t.html"
    arguments = ["train", "tictactoe", "--games", "20", "--nodes", "20", "--hidden", "4"]
    assert main([*arguments, "-o", str(out), "--report", str(page)]) == 0
    ((_, score, low, high),) = strength_points(GameNetwork.read(out).learned)
    assert low <= score <= high
    assert "Strength over time" in page.read_text("utf-8")
    assert main([*arguments, "-o", str(out), "--resume", str(out)]) == 0
    assert len(strength_points(GameNetwork.read(out).learned)) == 1

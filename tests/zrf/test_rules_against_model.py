"""The front end compared with the model's own reader: geometry, turns, set-up, attributes, blocks.

The two share no code.  The files are the games, the cases of the statements, and random games.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.zrf.rule_file import RuleFile, parse_rule_text, read_rule_file
from forthvm.zrf.rules import Rules
from tests.models import zrf
from tests.models.zrf.random_games import random_game

FOLDER = Path(__file__).parent
FILES = sorted([*(FOLDER / "games").glob("*.zrf"), *(FOLDER / "statements").glob("*.zrf")])
NOT_IN_MODEL = {"prevent flipping"}  # it concerns the user interface
WITHOUT_GAME = {"boards.zrf"}


def compare(rules: Rules, model: zrf.Rules) -> None:
    board, other = rules.board, model.board
    assert rules.title == model.title
    assert [position.name for position in board.positions] == other.positions
    assert {position.name for position in board.positions if position.dummy} == other.dummies
    for player in rules.players:
        symmetry = board.symmetries.get(player, {})
        for direction in board.directions:
            links = board.links[symmetry.get(direction, direction)]
            for position in other.positions:
                there = other.neighbor(position, direction, player)
                assert links.get(position) == there, (direction, position)
        for name in {zone.name for zone in board.zones}:
            members = [
                position
                for zone in board.zones
                if zone.name == name and (not zone.players or player in zone.players)
                for position in zone.positions
            ]
            assert set(members) == set(other.zone(name, player)), name
    assert list(rules.players) == model.players
    assert [(turn.player, turn.side, turn.move_type) for turn in rules.turns] == [
        (turn.player, turn.side, turn.move_type) for turn in model.turns
    ]
    assert rules.repeat == model.repeat
    assert list(rules.priorities) == model.priorities
    assert {p.position: (p.player, p.piece) for p in rules.placements} == {
        position: (player, piece) for player, piece, position in model.placements
    }
    assert rules.reserves == model.reserves
    assert list(rules.attributes) == model.attributes
    compare_pieces(rules, model)
    assert [goal.kind for goal in rules.goals] == [kind.split("-")[0] for kind, _ in model.goals]
    for name, value in rules.options.items():
        if name in NOT_IN_MODEL:
            continue
        assert model.option(name) == (value not in ("false", "default", "0")), name


def compare_pieces(rules: Rules, model: zrf.Rules) -> None:
    assert [piece.name for piece in rules.pieces] == list(model.pieces)
    for piece in rules.pieces:
        other = model.pieces[piece.name]
        assert piece.dummy == other.dummy
        assert dict(piece.attributes) == other.attributes
        for blocks, others in ((piece.moves, other.moves), (piece.drops, other.drops)):
            assert [block.move_type for block in blocks] == [block.move_type for block in others]


def compare_all(file: RuleFile, models: list[zrf.Rules]) -> None:
    assert len(file.titles) == len(models)
    for index, model in enumerate(models):
        compare(file.rules(index), model)


@pytest.mark.sampled(13)
@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_file_is_read_as_by_the_model(path: Path) -> None:
    if path.name in WITHOUT_GAME:
        pytest.skip("it is included by others")
    file = read_rule_file(path)
    compare_all(file, [zrf.load(str(path), variant=i) for i in range(len(file.titles))])


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(60))
def test_random_games_are_read_as_by_the_model(seed: int) -> None:
    text = random_game(seed)
    file = parse_rule_text(text)
    compare_all(file, [zrf.load_text(text, variant=i) for i in range(len(file.titles))])

"""The playing strength of the engines and evaluations of bundled games.

Owns short, reproducible matches against random moves and between search depths.  Matches of 100
games are run by hand with `forthvm autoplay`.
"""

from __future__ import annotations

import random

import pytest

import forthvm
from forthvm import engines
from tests.kit.games import loaded
from tests.kit.random_games import push_random_moves


def play(game: str, sides: dict[str, str], plies: int) -> forthvm.Position:
    """Play a game between the engines given for each player; return the last position."""
    position = forthvm.load(game).start()
    playing = {player: engines.get(spec) for player, spec in sides.items()}
    while position.result is None and position.ply < plies:
        assert position.turn is not None
        position.push(playing[position.turn].play(position).move)
    return position


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_deeper_searches_of_breakthrough_win(depth: int) -> None:
    """Without quiescence search, depth 2 won 24 of 24 games against depth 3."""
    game, pairs = forthvm.load("breakthrough"), 10
    deep, shallow = (engines.get(f"negamax:depth={plies}") for plies in (depth + 1, depth))
    won = 0
    for seed in range(pairs):
        for sides in ({"White": deep, "Black": shallow}, {"White": shallow, "Black": deep}):
            position = push_random_moves(game.start(), 4, random.Random(seed))
            while position.result is None:
                assert position.turn is not None
                position.push(sides[position.turn].play(position).move)
            won += sides[position.result.winners[0]] is deep
    assert won > pairs


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("player", "seed"),
    [
        pytest.param("Dwarfs", 1, marks=pytest.mark.slow),
        ("Dwarfs", 6),
        ("Trolls", 1),
    ],
)
def test_engine_of_koom_valley_beats_random_moves(player: str, seed: int) -> None:
    sides = {"Dwarfs": f"random:seed={seed}", "Trolls": f"random:seed={seed}", player: "script"}
    result = play("thud-koom-valley", sides, plies=250).result
    assert result.winners == (player,)


def test_engine_of_rhythmomachia_2_uses_every_reduction() -> None:
    """The engine captures each piece whose rating it lowers before the turn ends."""
    position = loaded("rithmomachia-2").start()
    sides = {"White": engines.get("script"), "Black": engines.get("random:seed=3")}
    turns = 0
    while position.result is None and turns < 6:
        player = position.turn
        assert player is not None
        position.push(sides[player].play(position).move)
        turns += player == "White" and position.turn != player
        # `wasted` counts the pieces that White lowered without capturing them, minus Black's.
        assert position.variables["wasted"] <= 0
    assert turns == 6


@pytest.mark.parametrize(
    ("game", "forced"),
    [
        ("rithmomachia-glorious", True),
        ("rithmomachia-distant-siege-glorious", True),
        ("rithmomachia-all-victories", False),
    ],
)
def test_forced_win_of_white_in_two_moves(game: str, *, forced: bool) -> None:
    """If `forced`, White can win after every reply to `P91 i4 - h7`, otherwise not."""
    position = forthvm.load(game).start()
    position.push("P91 i4 - h7")
    assert all(can_win_after(position, reply) for reply in position.legal_moves) is forced


def can_win_after(position: forthvm.Position, reply: forthvm.Move) -> bool:
    """Return whether the opponent of the player to move has a winning move after the reply."""
    position.push(reply)
    try:
        return any(wins(position, move) for move in position.legal_moves)
    finally:
        position.pop()


def wins(position: forthvm.Position, move: forthvm.Move) -> bool:
    """Return whether the player to move wins by a move."""
    player = position.turn
    position.push(move)
    result = position.result
    position.pop()
    return result is not None and player in result.winners

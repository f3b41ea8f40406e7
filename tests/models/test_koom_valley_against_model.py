"""Compare the script of Koom Valley with its model, in random games and crowded positions."""

from __future__ import annotations

import random
from collections.abc import Hashable

import pytest

import forthvm
from tests.kit.games import loaded
from tests.models import koom_valley, lockstep, thud
from tests.models.koom_valley import State
from tests.models.thud import DWARFS, TROLLS

NUMBERS = {name: square for square, name in enumerate(thud.NAMES)}


def view(position: forthvm.Position) -> Hashable:
    """Return the squares of dwarfs, trolls and the rock, and whether a troll may jump again."""
    found = {"dwarf": set(), "troll": set(), "rock": set()}
    for name, piece in position.board.occupied():
        if name in NUMBERS:
            found[piece.type].add(NUMBERS[name])
    occupied = (frozenset(squares) for squares in found.values())
    return *occupied, position.is_partial


def expected_view(state: State) -> Hashable:
    rock = frozenset([state.rock] if state.rock >= 0 else [])
    return state.dwarfs, state.trolls, rock, state.jumper is not None


def weight(before: State, after: State) -> float:
    """Prefer captures, the capture of the rock, and moves of the rock towards its goal."""
    captured = len(before.occupied()) - len(after.occupied())
    return 1.0 + 40.0 * captured + 8.0 * (after.rock > before.rock) + 40.0 * (after.rock < 0)


def effect_of_text(text: str) -> Hashable:
    """Return the emptied squares and the goal of a move text such as `troll d5 - f5 x e5`."""
    _, _, line = text.partition(" ")
    source, _, target_and_captures = line.partition(" - ")
    target, *captured = target_and_captures.split(" x ")
    return (frozenset([source, *captured]), target) if target_and_captures else text


def effect(before: State, after: State) -> Hashable:
    """Return the emptied squares and the goal of the move between two states."""
    occupied, remaining = before.occupied(), after.occupied() - {-1}
    if before.dwarfs == after.dwarfs and before.trolls == after.trolls:
        occupied, remaining = frozenset([before.rock]), frozenset([after.rock])
    if occupied == remaining:
        return "Pass"
    (target,) = remaining - occupied
    return frozenset(thud.NAMES[square] for square in occupied - remaining), thud.NAMES[target]


GAME = lockstep.Game(
    view=view,
    expected_view=expected_view,
    turn=lambda state: state.mover,
    end=koom_valley.end,
    successors=koom_valley.successors,
    weight=weight,
    effect_of_text=effect_of_text,
    effect=effect,
)


def begin(state: State) -> forthvm.Position:
    occupied = [("Dwarfs", "rock", thud.NAMES[state.rock])]
    occupied += [(DWARFS, "dwarf", thud.NAMES[square]) for square in sorted(state.dwarfs)]
    occupied += [(TROLLS, "troll", thud.NAMES[square]) for square in sorted(state.trolls)]
    return loaded("thud-koom-valley").start(setup=occupied, turn=state.mover)


def crowded_position(chooser: random.Random) -> State:
    """Return a random position with the rock and other pieces in a part of the board."""
    column, row, size = chooser.randrange(15), chooser.randrange(15), chooser.randrange(2, 6)
    near = [
        square
        for square in sorted(thud.PLAYABLE)
        if abs(square % 15 - column) <= size and abs(square // 15 - row) <= size
    ]
    if len(near) < 4:
        return crowded_position(chooser)
    chosen = chooser.sample(near, chooser.randrange(3, min(len(near), 22) + 1))
    trolls = chooser.randrange(0, min(9, len(chosen) - 1))
    return State(
        frozenset(chosen[trolls + 1 :]),
        frozenset(chosen[1 : trolls + 1]),
        chosen[0],
        chooser.choice((DWARFS, TROLLS)),
    )


@pytest.mark.slow
def test_random_games() -> None:
    chooser = random.Random("koom valley")
    count = 0
    game = loaded("thud-koom-valley")
    while count < lockstep.POSITIONS // 5:
        count += lockstep.play_random_game(GAME, game.start(), koom_valley.start(), chooser, 60)[0]


@pytest.mark.slow
def test_crowded_positions() -> None:
    chooser = random.Random("crowds 14")  # with this seed, 100 positions contain all cases
    count = jumps = 0
    winners = set()
    while count < max(100, lockstep.POSITIONS // 2):
        state = crowded_position(chooser)
        position = begin(state)
        compared, last = lockstep.play_random_game(GAME, position, state, chooser, 8)
        count += compared
        assert isinstance(last, State)
        jumps += last.jumper is not None
        winners.add(position.result and position.result.winners)
    assert jumps
    assert winners == {None, (), (DWARFS,), (TROLLS,)}


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2])
def test_numbers_of_move_sequences(depth: int) -> None:
    expected = koom_valley.perft(koom_valley.start(), depth)
    assert forthvm.perft(loaded("thud-koom-valley").start(), depth) == expected

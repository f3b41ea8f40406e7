"""Compare the script of Koom Valley with its model: random games, random crowds near the rock."""

from __future__ import annotations

import random
from collections.abc import Hashable
from functools import cache

import pytest

import forthvm
from tests.models import koom_valley, lockstep, thud
from tests.models.koom_valley import State
from tests.models.thud import DWARFS, TROLLS

NUMBERS = {name: square for square, name in enumerate(thud.NAMES)}


@cache
def load() -> forthvm.Game:
    return forthvm.load("thud-koom-valley")


def view(position: forthvm.Position) -> Hashable:
    """Return the squares of dwarfs, trolls and the rock, and whether a troll may jump again."""
    found = {"dwarf": set(), "troll": set(), "rock": set()}
    for name, piece in position.board.occupied():
        if name in NUMBERS:
            found[piece.type].add(NUMBERS[name])
    pieces = (frozenset(squares) for squares in found.values())
    return *pieces, position.is_partial


def expected_view(state: State) -> Hashable:
    rock = frozenset([state.rock] if state.rock >= 0 else [])
    return state.dwarfs, state.trolls, rock, state.jumper is not None


def weight(before: State, after: State) -> float:
    """Prefer captures, the capture of the rock, and moves of the rock towards its goal."""
    taken = len(before.occupied()) - len(after.occupied())
    return 1.0 + 40.0 * taken + 8.0 * (after.rock > before.rock) + 40.0 * (after.rock < 0)


def effect_of_text(text: str) -> Hashable:
    """Return the emptied squares and the goal of a move text such as `troll d5 - f5 x e5`."""
    _, _, line = text.partition(" ")
    source, _, rest = line.partition(" - ")
    target, *taken = rest.split(" x ")
    return (frozenset([source, *taken]), target) if rest else text


def effect(before: State, after: State) -> Hashable:
    pieces, left = before.occupied(), after.occupied() - {-1}
    if before.dwarfs == after.dwarfs and before.trolls == after.trolls:
        pieces, left = frozenset([before.rock]), frozenset([after.rock])
    if pieces == left:
        return "Pass"
    (target,) = left - pieces
    return frozenset(thud.NAMES[square] for square in pieces - left), thud.NAMES[target]


GAME = lockstep.Game(
    view,
    expected_view,
    lambda state: state.mover,
    koom_valley.end,
    koom_valley.successors,
    weight,
    effect_of_text,
    effect,
)


def begin(state: State) -> forthvm.Position:
    pieces = [("Dwarfs", "rock", thud.NAMES[state.rock])]
    pieces += [(DWARFS, "dwarf", thud.NAMES[square]) for square in sorted(state.dwarfs)]
    pieces += [(TROLLS, "troll", thud.NAMES[square]) for square in sorted(state.trolls)]
    return load().start(setup=pieces, turn=state.mover)


def crowd(chooser: random.Random) -> State:
    """Return a random position with the rock and other pieces in a part of the board."""
    column, row, size = chooser.randrange(15), chooser.randrange(15), chooser.randrange(2, 6)
    near = [
        square
        for square in sorted(thud.PLAYABLE)
        if abs(square % 15 - column) <= size and abs(square // 15 - row) <= size
    ]
    if len(near) < 4:
        return crowd(chooser)
    chosen = chooser.sample(near, chooser.randrange(3, min(len(near), 22) + 1))
    trolls = chooser.randrange(0, min(9, len(chosen) - 1))
    return State(
        frozenset(chosen[trolls + 1 :]),
        frozenset(chosen[1 : trolls + 1]),
        chosen[0],
        chooser.choice((DWARFS, TROLLS)),
    )


def test_random_games() -> None:
    chooser = random.Random("koom valley")
    count = 0
    while count < lockstep.POSITIONS // 5:
        count += lockstep.play_random_game(GAME, load().start(), koom_valley.start(), chooser, 60)[
            0
        ]


def test_random_crowds() -> None:
    chooser = random.Random("crowds 14")  # gives jumps and all results in 100 positions
    count = jumps = 0
    winners = set()
    while count < max(100, lockstep.POSITIONS // 2):
        state = crowd(chooser)
        position = begin(state)
        found, last = lockstep.play_random_game(GAME, position, state, chooser, 8)
        count += found
        assert isinstance(last, State)
        jumps += last.jumper is not None
        winners.add(position.result and position.result.winners)
    assert jumps
    assert winners == {None, (), (DWARFS,), (TROLLS,)}


@pytest.mark.parametrize("depth", [1, 2])
def test_counts(depth: int) -> None:
    expected = koom_valley.perft(koom_valley.start(), depth)
    assert forthvm.perft(load().start(), depth) == expected

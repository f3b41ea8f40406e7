"""Rhythmomachia 2's script against its model: random games, random armies, all options.

Owns the comparison; positions of single rules are in tests/rules.  FORTHVM_MODEL_POSITIONS
sets how many positions of each kind are compared; each state within a turn is one.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import pytest

import forthvm
from tests.models.lockstep import POSITIONS
from tests.models.rhythmomachia2 import CHOICES2, STEPS, WHOLE, Action, Options2, State2, start2
from tests.models.rhythmomachia2_looks import Looks, load, options_of, settings2
from tests.models.rithmomachia_board import (
    OTHER,
    RUN,
    SETUP,
    SETUP_PARTS,
    SQUARES,
    Piece,
    neighbours,
    walk,
)
from tests.models.rithmomachia_game import Tally
from tests.rules.rithmomachia_kit import SIDES

Chosen = Mapping[str, object]

MADE = 4
"""How many of a position's other moves are made as well, besides the one that is played."""


@pytest.fixture(scope="module")
def looks() -> Looks:
    return Looks()


# --- one position ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """A legal move, the action that it is, and whether it takes, leads to that, or swaps."""

    move: forthvm.Move
    action: Action
    promising: bool


def takes(position: forthvm.Position) -> bool:
    return any("x " in text for text in position.legal_moves.texts)


def check(
    looks: Looks, position: forthvm.Position, state: State2, chooser: random.Random
) -> list[Choice]:
    """Compares all moves by their texts, and a few by what they do."""
    actions = {looks.text(state, action): action for action in state.actions}
    assert len(actions) == len(state.actions)
    moves = {move.text: move for move in position.legal_moves}
    assert sorted(position.legal_moves.texts) == sorted(actions)
    promising = {text for text, one in actions.items() if "x " in text or one.kind == "swap"}
    for text in chooser.sample(sorted(actions), min(MADE, len(actions))):
        position.push(moves[text])
        after = state.play(actions[text])
        if not compare(looks, position, after) and after.to_act == state.to_act and takes(position):
            promising.add(text)
        position.pop()
    return [Choice(moves[text], actions[text], text in promising) for text in sorted(actions)]


def compare(looks: Looks, position: forthvm.Position, state: State2) -> bool:
    """Compares what is on the board and who has won; whether the game is over."""
    assert looks.shown(position) == looks.expected_view(state)
    return looks.check_end(position, state)


class Walk:
    """Random games, in which things that are rare without help are chosen more often."""

    GREED = (1, 3, 30)

    def __init__(self, looks: Looks, chooser: random.Random) -> None:
        self.looks, self.chooser = looks, chooser
        self.compared = 0
        self.met: Counter[str] = Counter()

    def play(self, position: forthvm.Position, state: State2, limit: int) -> None:
        """One game, at most so many positions."""
        greed = self.chooser.choice(self.GREED)
        last = self.compared + limit
        while not compare(self.looks, position, state) and self.compared < last:
            choices = check(self.looks, position, state, self.chooser)
            self.compared += 1
            weights = [greed if one.promising else 1 for one in choices]
            (chosen,) = self.chooser.choices(choices, weights)
            before = state
            position.push(chosen.move)
            state = state.play(chosen.action)
            self.note(before, chosen.action, state)
        if state.ending is not None:
            self.met[state.ending.name] += 1

    def note(self, before: State2, action: Action, after: State2) -> None:
        """Counts what a walk is to meet."""
        self.met[action.kind] += 1
        if action.kind in ("attack", "siege") and after.struck:
            kind = "piece"
            if before.board[action.goal].kind == "P":
                kind = "part" if action.part not in ("", WHOLE) else "pyramid"
            self.met[f"{kind} by {action.kind}"] += 1
        if after.asked:
            self.met["asked"] += 1
            self.met["asked for the last part"] += not after.parts[after.to_act]
        if action.kind == "swap" and (action.start, "") in before.lowered:
            self.met["swap of a lowered piece"] += 1
        if before.asked and action.kind == "end":
            self.met["declined"] += 1
        if after.moved and after.used and action.kind == "attack":
            self.met["attack after the move"] += 1


# --- positions ---------------------------------------------------------------------------------

_KINDS = sorted({piece[1:] for piece in SETUP.values() if piece.kind != "P"})


def army(chooser: random.Random, options: Options2) -> State2:
    """Some pieces close to each other, mostly with pyramids and pieces like their parts.

    Both sides have pieces of all kinds, small ones most: then more ratings fit each other.
    """
    board: dict[str, Piece] = {}
    parts: dict[str, tuple[Piece, ...]] = {"W": (), "B": ()}
    first = chooser.choice((1, 3, 7, 9, 12))
    squares = [name for name in SQUARES if first <= int(name[1:]) < first + 5]
    chooser.shuffle(squares)
    likely = [1 / value for _, value in _KINDS]
    for side, value in (("W", 91), ("B", 190)):
        kinds = chooser.choices(_KINDS, likely, k=chooser.randint(0, 9))
        some = [Piece(side, *kind) for kind in kinds]
        if chooser.random() < 0.7:
            whole = SETUP_PARTS[side]
            left = chooser.sample(whole, chooser.choice((1, 1, 2, 3, len(whole))))
            parts[side] = tuple(part for part in whole if part in left)
            some += [Piece(side, "P", value), *(part for part in left if chooser.random() < 0.5)]
        if not some or chooser.random() < 0.1:
            some, parts[side] = [Piece(side, "R", 2)], ()
        for piece in some:
            board[squares.pop()] = piece
    for square, piece in list(board.items()):
        near = [name for name in neighbours(square) if name in squares]
        if piece.kind == "P" and chooser.random() < 0.2:
            board |= {name: Piece(OTHER[piece.side], "R", 3) for name in near}
        elif piece.kind == "P":
            board |= dict(strikers(square, parts[piece.side], squares, chooser))
        elif not chooser.randrange(sum(one.side == piece.side for one in board.values())):
            board |= dict(strikers(square, (piece,), squares, chooser))
    number = chooser.choice((0, 2))
    lost = {side: Tally(number, number * 50) for side in "WB"}
    return State2(options, board, parts, chooser.choice("WB"), lost=lost)


def strikers(
    square: str, parts: tuple[Piece, ...], empty: list[str], chooser: random.Random
) -> Iterator[tuple[str, Piece]]:
    """Pieces that strike what stands there: its parts directly, and their total from afar."""
    for part in parts:
        line = walk(square, chooser.choice(STEPS[part.kind]))
        if len(line) >= RUN[part.kind] and line[RUN[part.kind] - 1] in empty:
            yield line[RUN[part.kind] - 1], part._replace(side=OTHER[part.side])
    total = sum(part.value for part in parts)
    for kind, value in chooser.sample(_KINDS, len(_KINDS)):
        for count, name in enumerate(walk(square, chooser.choice(STEPS[kind])), start=2):
            if value * count == total and name in empty:
                yield name, Piece(OTHER[parts[0].side], kind, value)
                return


def begin(looks: Looks, one: forthvm.Game, state: State2) -> forthvm.Position:
    """The same position in a loaded game."""
    setup = [(SIDES[piece.side], looks.name(piece), at) for at, piece in state.board.items()]
    for side in "WB":
        setup += [
            (SIDES[side], str(part)[1:], looks.parts[str(part)]) for part in state.parts[side]
        ]
    variables = {}
    for index, side in enumerate("BW"):  # White takes from Black
        variables[f"pieces-taken[{index}]"] = state.lost[side].pieces
        variables[f"value-taken[{index}]"] = state.lost[side].value
    return one.start(setup=setup, turn=SIDES[state.turn], variables=variables)


# --- default options -----------------------------------------------------------------------------


def test_random_games(looks: Looks) -> None:
    """From the start, by the default rules."""
    walk = Walk(looks, random.Random(1))
    game = load({})
    while walk.compared < POSITIONS // 2:
        walk.play(game.start(), start2(), POSITIONS // 2 - walk.compared)


def test_random_armies(looks: Looks) -> None:
    """From armies, by the default rules."""
    walk = Walk(looks, random.Random(4))
    game = load({})
    while walk.compared < POSITIONS:
        state = army(walk.chooser, Options2())
        walk.play(begin(looks, game, state), state, 25)
    meets(walk, "part by attack", "asked for the last part", "swap", "declined", "Harmony")


def meets(walk: Walk, *names: str) -> None:
    """That a walk of full length was no walk around what it should meet."""
    missing = [name for name in names if not walk.met[name]]
    assert not missing or POSITIONS < 1000, walk.met


# --- combinations of options ---------------------------------------------------------------------

OTHERS: dict[str, tuple[object, ...]] = {
    "pyramid_total": ("always", "intact"),
    "stalemate": ("draw", "pass", "loss"),
    "draw_after": (40, 3),
    "n_pieces": (0, 0, 4),
    "value": ((0, 0), (0, 0), (160, 130)),
}
WITHOUT_EFFECT: dict[str, tuple[object, ...]] = {
    "moves": ("leaps", "straight"),
    "pyramid_diagonal": ("off", "on"),
    "siege": ("adjacent", "natural"),
    "eruption": ("both", "product"),
    "pyramid_dies": ("parts", "whole"),
    "pyramid_count": ("parts", "one", "script"),
    "pyramid_win": ("off", "on"),
    "glory": ("off", "all"),
}
"""Settings of the base game that must not matter here: the model does not know them."""


def random_choice(chooser: random.Random) -> dict[str, object]:
    return {name: chooser.choice(one) for name, one in {**CHOICES2, **OTHERS}.items()}


def test_random_combinations(looks: Looks) -> None:
    """Armies under random options, with settings of the base game that must not matter."""
    walk = Walk(looks, random.Random(2))
    while walk.compared < 2 * POSITIONS:
        chosen = random_choice(walk.chooser)
        idle = {name: walk.chooser.choice(values) for name, values in WITHOUT_EFFECT.items()}
        # Both sets of options have a `moves` and a `siege`.
        both = {name.replace("_", "-"): value for name, value in idle.items()}
        game = forthvm.load("rithmomachia-2", settings={**both, **settings2(chosen)})
        for _ in range(5):
            state = army(walk.chooser, options_of(chosen))
            walk.play(begin(looks, game, state), state, 25)
    meets(walk, "part by attack", "swap", "declined", "piece by siege", "pyramid by siege")
    meets(walk, "Harmony", "Annihilation", "De Corpore", "De Bonis", "stalemate", "draw-after")


def test_black_first(looks: Looks) -> None:
    """The base game's `first` counts here, too."""
    walk = Walk(looks, random.Random(3))
    game = forthvm.load("rithmomachia-2", settings={"first": "black"})
    walk.play(game.start(), start2(Options2(first="black")), 20)
    assert walk.compared == 20


def pairs_of(chosen: Chosen) -> Iterator[frozenset[tuple[str, object]]]:
    return (frozenset(two) for two in itertools.combinations(chosen.items(), 2))


def all_pairs() -> set[frozenset[tuple[str, object]]]:
    return {
        frozenset(((a, x), (b, y)))
        for a, b in itertools.combinations(CHOICES2, 2)
        for x in CHOICES2[a]
        for y in CHOICES2[b]
    }


@cache
def covering() -> list[dict[str, object]]:
    """Combinations in which every two values of any two options of section 10 meet."""
    chooser = random.Random(7)
    left = all_pairs()
    found = []
    while left:
        one = dict(chooser.choice(sorted(left, key=str)))
        for name in chooser.sample(list(CHOICES2), len(CHOICES2)):
            if name not in one:
                one[name] = max(
                    chooser.sample(CHOICES2[name], len(CHOICES2[name])),
                    key=lambda value: sum(
                        frozenset(((name, value), other)) in left for other in one.items()
                    ),
                )
        found.append(one)
        left -= set(pairs_of(one))
    return found


def test_covering() -> None:
    assert all_pairs() == all_pairs() & {pair for one in covering() for pair in pairs_of(one)}
    asked = {name for one in covering() for name in settings2(one)}
    assert asked == {name for name in load({}).settings if name.startswith("r2-")}
    choices = load({}).settings
    for name, values in CHOICES2.items():
        setting = choices["r2-" + name.replace("_", "-")]
        assert [choice.value for choice in setting.choices] == [str(value) for value in values]


def finish(looks: Looks, chosen: Chosen, chooser: random.Random) -> None:
    """A random game to its end, compared now and then."""
    position, state = load(chosen).start(), start2(options_of(chosen))
    for ply in itertools.count():
        if compare(looks, position, state):
            return
        assert ply < 5000, chosen
        if ply % 10 == 0:
            check(looks, position, state, chooser)
        actions = {looks.text(state, action): action for action in state.actions}
        move = chooser.choice(position.legal_moves)
        position.push(move)
        state = state.play(actions[move.text])


@pytest.mark.slow
def test_every_pair_plays_to_the_end(looks: Looks) -> None:
    chooser = random.Random(8)
    for chosen in covering():
        finish(looks, {**chosen, "draw_after": chooser.choice((2, 4))}, chooser)


@pytest.mark.slow
def test_random_combinations_play_to_the_end(looks: Looks) -> None:
    chooser = random.Random(9)
    for _ in range(40):
        finish(looks, {**random_choice(chooser), "draw_after": chooser.choice((2, 4))}, chooser)


def test_counts() -> None:
    """The numbers of the script's perft file."""

    def count(state: State2, depth: int) -> int:
        if state.ending is not None:
            return 0
        if depth == 1:
            return len(state.actions)
        return sum(count(state.play(action), depth - 1) for action in state.actions)

    assert [count(start2(), depth) for depth in (1, 2, 3)] == [41, 1281, 34191]
    assert [forthvm.perft(load({}).start(), depth) for depth in (1, 2, 3)] == [41, 1281, 34191]

"""Compare the script of Rhythmomachia 2 with its model: random games and positions, all options.

Positions for single rules are in tests/rules.  FORTHVM_MODEL_POSITIONS sets the number of
positions compared by each test; each state within a turn counts as a position.

A turn has several actions: attacks, which lower the victim's rating (its number) until it is 0 and
the victim is captured, and one move.  A player whose pyramid loses a part may swap: replace the
part by an equal piece on the board.  Section 10 of the rules page has the options of this game.
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
from tests.models.rhythmomachia2 import CHOICES2, STEPS, TOTAL, Action, Options2, State2, start2
from tests.models.rhythmomachia2_translation import Translation, load, options_of, settings2
from tests.models.rithmomachia_board import (
    OTHER,
    RUN,
    SETUP,
    SETUP_PARTS,
    SQUARES,
    Piece,
    neighbours,
    ray,
)
from tests.models.rithmomachia_game import Tally
from tests.rules.rithmomachia_kit import SIDES

Chosen = Mapping[str, object]

COMPARED_MOVES = 4
"""Number of random moves in each position that are made, compared and undone."""


@pytest.fixture(scope="module")
def translation() -> Translation:
    return Translation()


# --- one position ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """A legal move and the model's action; `promising` moves capture, swap or prepare a capture."""

    move: forthvm.Move
    action: Action
    promising: bool


def has_captures(position: forthvm.Position) -> bool:
    return any("x " in text for text in position.legal_moves.texts)


def check(
    translation: Translation, position: forthvm.Position, state: State2, chooser: random.Random
) -> list[Choice]:
    """Compare the texts of all moves, and the positions after a few moves; return the moves."""
    actions = {translation.text(state, action): action for action in state.actions}
    assert len(actions) == len(state.actions)
    moves = {move.text: move for move in position.legal_moves}
    assert sorted(position.legal_moves.texts) == sorted(actions)
    promising = {text for text, action in actions.items() if "x " in text or action.kind == "swap"}
    for text in chooser.sample(sorted(actions), min(COMPARED_MOVES, len(actions))):
        position.push(moves[text])
        after = state.play(actions[text])
        over = compare(translation, position, after)
        if not over and after.to_act == state.to_act and has_captures(position):
            promising.add(text)
        position.pop()
    return [Choice(moves[text], actions[text], text in promising) for text in sorted(actions)]


def compare(translation: Translation, position: forthvm.Position, state: State2) -> bool:
    """Compare board, variables and result; return whether the game is over."""
    assert translation.view(position) == translation.expected_view(state)
    return translation.check_end(position, state)


class RandomGames:
    """Random games that prefer promising moves, to reach rare situations."""

    GREED = (1, 3, 30)

    def __init__(self, translation: Translation, chooser: random.Random) -> None:
        self.translation, self.chooser = translation, chooser
        self.compared = 0
        self.events: Counter[str] = Counter()

    def play(self, position: forthvm.Position, state: State2, limit: int) -> None:
        """Play one game and compare at most `limit` positions."""
        greed = self.chooser.choice(self.GREED)
        last = self.compared + limit
        while not compare(self.translation, position, state) and self.compared < last:
            choices = check(self.translation, position, state, self.chooser)
            self.compared += 1
            weights = [greed if choice.promising else 1 for choice in choices]
            (chosen,) = self.chooser.choices(choices, weights)
            before = state
            position.push(chosen.move)
            state = state.play(chosen.action)
            self.note(before, chosen.action, state)
        if state.ending is not None:
            self.events[state.ending.name] += 1

    def note(self, before: State2, action: Action, after: State2) -> None:
        """Count the events of an action."""
        self.events[action.kind] += 1
        if action.kind in ("attack", "siege") and after.captured:
            kind = "piece"
            if before.board[action.goal].kind == "P":
                kind = "part" if action.part not in ("", TOTAL) else "pyramid"
            self.events[f"{kind} by {action.kind}"] += 1
        if after.lost_part:
            self.events["part lost"] += 1
            self.events["last part lost"] += not after.parts[after.to_act]
        if action.kind == "swap" and (action.start, "") in before.lowered:
            self.events["swap of a lowered piece"] += 1
        if before.lost_part and action.kind == "end":
            self.events["declined"] += 1
        if after.moved and after.attacks_made and action.kind == "attack":
            self.events["attack after the move"] += 1


# --- positions ---------------------------------------------------------------------------------

_KINDS = sorted({piece[1:] for piece in SETUP.values() if piece.kind != "P"})


def random_state(chooser: random.Random, options: Options2) -> State2:
    """Return a random position with pieces close to each other, most with pyramids.

    Both sides have pieces of all kinds.  Small numbers are more likely, since more pairs of small
    numbers allow an attack.  Some pieces equal parts of their side's pyramid, for swaps.
    """
    board: dict[str, Piece] = {}
    parts: dict[str, tuple[Piece, ...]] = {"W": (), "B": ()}
    first = chooser.choice((1, 3, 7, 9, 12))
    squares = [name for name in SQUARES if first <= int(name[1:]) < first + 5]
    chooser.shuffle(squares)
    weights = [1 / value for _, value in _KINDS]
    for side, value in (("W", 91), ("B", 190)):
        kinds = chooser.choices(_KINDS, weights, k=chooser.randint(0, 9))
        pieces = [Piece(side, *kind) for kind in kinds]
        if chooser.random() < 0.7:
            all_parts = SETUP_PARTS[side]
            remaining = chooser.sample(all_parts, chooser.choice((1, 1, 2, 3, len(all_parts))))
            parts[side] = tuple(part for part in all_parts if part in remaining)
            same = [part for part in remaining if chooser.random() < 0.5]
            pieces += [Piece(side, "P", value), *same]
        if not pieces or chooser.random() < 0.1:
            pieces, parts[side] = [Piece(side, "R", 2)], ()
        for piece in pieces:
            board[squares.pop()] = piece
    for square, piece in list(board.items()):
        near = [name for name in neighbours(square) if name in squares]
        if piece.kind == "P" and chooser.random() < 0.2:
            board |= {name: Piece(OTHER[piece.side], "R", 3) for name in near}
        elif piece.kind == "P":
            board |= dict(attackers_of(square, parts[piece.side], squares, chooser))
        elif not chooser.randrange(sum(other.side == piece.side for other in board.values())):
            board |= dict(attackers_of(square, (piece,), squares, chooser))
    lost_pieces = chooser.choice((0, 2))
    lost = {side: Tally(lost_pieces, lost_pieces * 50) for side in "WB"}
    return State2(options, board, parts, chooser.choice("WB"), lost=lost)


def attackers_of(
    square: str, parts: tuple[Piece, ...], empty: list[str], chooser: random.Random
) -> Iterator[tuple[str, Piece]]:
    """Yield attackers of the piece on a square, whose parts are `parts`.

    Each part is attacked directly, the total at a distance.  A piece that is not a pyramid is its
    only part.
    """
    for part in parts:
        line = ray(square, chooser.choice(STEPS[part.kind]))
        if len(line) >= RUN[part.kind] and line[RUN[part.kind] - 1] in empty:
            yield line[RUN[part.kind] - 1], part._replace(side=OTHER[part.side])
    total = sum(part.value for part in parts)
    for kind, value in chooser.sample(_KINDS, len(_KINDS)):
        for count, name in enumerate(ray(square, chooser.choice(STEPS[kind])), start=2):
            if value * count == total and name in empty:
                yield name, Piece(OTHER[parts[0].side], kind, value)
                return


def begin(translation: Translation, loaded: forthvm.Game, state: State2) -> forthvm.Position:
    """Start a loaded game from the model's state."""
    setup = [(SIDES[piece.side], translation.name(piece), at) for at, piece in state.board.items()]
    for side in "WB":
        setup += [
            (SIDES[side], str(part)[1:], translation.parts[str(part)]) for part in state.parts[side]
        ]
    variables = {}
    for index, side in enumerate("BW"):  # White's captures first
        variables[f"pieces-taken[{index}]"] = state.lost[side].pieces
        variables[f"value-taken[{index}]"] = state.lost[side].value
    return loaded.start(setup=setup, turn=SIDES[state.turn], variables=variables)


# --- default options -----------------------------------------------------------------------------


@pytest.mark.slow
def test_random_games(translation: Translation) -> None:
    """Games from the start under the default rules."""
    games = RandomGames(translation, random.Random(1))
    game = load({})
    while games.compared < POSITIONS // 2:
        games.play(game.start(), start2(), POSITIONS // 2 - games.compared)


@pytest.mark.slow
def test_random_positions(translation: Translation) -> None:
    """Games from random positions under the default rules."""
    games = RandomGames(translation, random.Random(4))
    game = load({})
    while games.compared < POSITIONS:
        state = random_state(games.chooser, Options2())
        games.play(begin(translation, game, state), state, 25)
    assert_occurred(games, "part by attack", "last part lost", "swap", "declined", "Harmony")


def assert_occurred(games: RandomGames, *names: str) -> None:
    """Check that each event has occurred, if CI's number of positions was compared."""
    missing = [name for name in names if not games.events[name]]
    assert not missing or POSITIONS < 1000, games.events


# --- combinations of options ---------------------------------------------------------------------

BASE_OPTIONS: dict[str, tuple[object, ...]] = {
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
"""Settings of the base game that have no effect in Rhythmomachia 2; the model lacks them."""


def random_choice(chooser: random.Random) -> dict[str, object]:
    return {name: chooser.choice(values) for name, values in {**CHOICES2, **BASE_OPTIONS}.items()}


@pytest.mark.slow
def test_random_combinations(translation: Translation) -> None:
    """Games under random options, with settings of the base game that must have no effect."""
    games = RandomGames(translation, random.Random(2))
    while games.compared < 2 * POSITIONS:
        chosen = random_choice(games.chooser)
        # Settings of the base game and options of Rhythmomachia 2 share names such as `moves`.
        base_settings = {
            name.replace("_", "-"): games.chooser.choice(values)
            for name, values in WITHOUT_EFFECT.items()
        }
        game = forthvm.load("rithmomachia-2", settings={**base_settings, **settings2(chosen)})
        for _ in range(5):
            state = random_state(games.chooser, options_of(chosen))
            games.play(begin(translation, game, state), state, 25)
    assert_occurred(
        games, "part by attack", "swap", "declined", "piece by siege", "pyramid by siege"
    )
    assert_occurred(
        games, "Harmony", "Annihilation", "De Corpore", "De Bonis", "stalemate", "draw-after"
    )


@pytest.mark.slow
def test_black_begins_by_the_setting_of_the_base_game(translation: Translation) -> None:
    """The base game's setting `first` applies."""
    games = RandomGames(translation, random.Random(3))
    game = forthvm.load("rithmomachia-2", settings={"first": "black"})
    games.play(game.start(), start2(Options2(first="black")), 20)
    assert games.compared == 20


def pairs_of(chosen: Chosen) -> Iterator[frozenset[tuple[str, object]]]:
    """Return all pairs of options with their values."""
    return (frozenset(pair) for pair in itertools.combinations(chosen.items(), 2))


def all_pairs() -> set[frozenset[tuple[str, object]]]:
    return {
        frozenset(((a, x), (b, y)))
        for a, b in itertools.combinations(CHOICES2, 2)
        for x in CHOICES2[a]
        for y in CHOICES2[b]
    }


@cache
def covering_combinations() -> list[dict[str, object]]:
    """Return combinations that cover every pair of values of two options of section 10."""
    chooser = random.Random(7)
    uncovered = all_pairs()
    found = []
    while uncovered:
        combination = dict(chooser.choice(sorted(uncovered, key=str)))
        for name in chooser.sample(list(CHOICES2), len(CHOICES2)):
            if name not in combination:
                combination[name] = max(
                    chooser.sample(CHOICES2[name], len(CHOICES2[name])),
                    key=lambda value: sum(
                        frozenset(((name, value), other)) in uncovered
                        for other in combination.items()
                    ),
                )
        found.append(combination)
        uncovered -= set(pairs_of(combination))
    return found


@pytest.mark.slow
def test_combinations_cover_all_pairs_and_settings() -> None:
    assert all_pairs() <= {pair for chosen in covering_combinations() for pair in pairs_of(chosen)}
    selected = {name for chosen in covering_combinations() for name in settings2(chosen)}
    assert selected == {name for name in load({}).settings if name.startswith("r2-")}
    choices = load({}).settings
    for name, values in CHOICES2.items():
        setting = choices["r2-" + name.replace("_", "-")]
        assert [choice.value for choice in setting.choices] == [str(value) for value in values]


def play_to_end(translation: Translation, chosen: Chosen, chooser: random.Random) -> None:
    """Play a random game to its end; compare every position, and all moves at each tenth ply."""
    position, state = load(chosen).start(), start2(options_of(chosen))
    for ply in itertools.count():
        if compare(translation, position, state):
            return
        assert ply < 5000, chosen
        if ply % 10 == 0:
            check(translation, position, state, chooser)
        actions = {translation.text(state, action): action for action in state.actions}
        move = chooser.choice(position.legal_moves)
        position.push(move)
        state = state.play(actions[move.text])


@pytest.mark.slow
def test_games_under_the_covering_combinations_end(translation: Translation) -> None:
    chooser = random.Random(8)
    for chosen in covering_combinations():
        play_to_end(translation, {**chosen, "draw_after": chooser.choice((2, 4))}, chooser)


@pytest.mark.slow
def test_games_under_random_combinations_end(translation: Translation) -> None:
    chooser = random.Random(9)
    for _ in range(40):
        play_to_end(
            translation, {**random_choice(chooser), "draw_after": chooser.choice((2, 4))}, chooser
        )


@pytest.mark.slow
def test_numbers_of_move_sequences() -> None:
    """Compare with the numbers of the script's perft file."""

    def count(state: State2, depth: int) -> int:
        if state.ending is not None:
            return 0
        if depth == 1:
            return len(state.actions)
        return sum(count(state.play(action), depth - 1) for action in state.actions)

    assert [count(start2(), depth) for depth in (1, 2, 3)] == [41, 1281, 34191]
    assert [forthvm.perft(load({}).start(), depth) for depth in (1, 2, 3)] == [41, 1281, 34191]

"""Rithmomachia's script against its model: random games, random armies, all options.

Owns the comparison; positions of single rules are in tests/rules.  FORTHVM_MODEL_POSITIONS
sets how many positions of each kind are compared.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from operator import itemgetter

import pytest

import forthvm
from tests.models.lockstep import POSITIONS
from tests.models.rithmomachia_board import SETUP, SETUP_PARTS, SQUARES, Piece
from tests.models.rithmomachia_game import State, Tally, start
from tests.models.rithmomachia_options import CHOICES, VARIANTS, Options
from tests.rules.rithmomachia_kit import (
    SIDES,
    ended_alike,
    game,
    part_squares,
    pyramid_types,
    settings,
)

Chosen = Mapping[str, object]

TALLIES = ("pieces-taken", "value-taken", "digits-taken")  # the game's arrays, White first


class Looks:
    """What a state looks like in the cells of a board: there are hundreds to compare."""

    def __init__(self) -> None:
        plain = game()
        self.parts = part_squares()
        names = [*SQUARES, *self.parts.values()]
        self.view = itemgetter(*(plain.position_index[name] for name in names))
        self.kinds = {one.name: one.number for one in plain.piece_types}
        self.owners = {one.name: one.number for one in plain.player_details}
        begin = plain.start()
        self.shift: dict[str, int] = {}  # what a side's cells have above those of the type
        for side, square in (("W", "e6"), ("B", "e11")):
            piece = begin.board[square]
            assert piece is not None
            self.shift[side] = piece.cell - self.kinds[piece.type]
        self.types = pyramid_types()

        self.cells: dict[Piece, int] = {}
        self.order = {name: index for index, name in enumerate(SQUARES)}
        self.places = {_piece(part): len(SQUARES) + n for n, part in enumerate(self.parts)}

    def cell(self, piece: Piece) -> int:
        """What a piece looks like."""
        if piece not in self.cells:
            name = self.types[piece.side] if piece.kind == "P" else str(piece)[1:]
            self.cells[piece] = self.kinds[name] + self.shift[piece.side]
        return self.cells[piece]

    def expected_view(self, state: State) -> tuple[int, ...]:
        """What `view` finds in the cells of a position that equals the state."""
        board = [0] * (len(SQUARES) + len(self.parts))
        for name, piece in state.board.items():
            board[self.order[name]] = self.cell(piece)
        for part in (*state.parts["W"], *state.parts["B"]):
            board[self.places[part]] = self.cell(part)
        return tuple(board)


def _piece(text: str) -> Piece:
    return Piece(text[0], text[1], int(text[2:]))


@pytest.fixture(scope="module")
def looks() -> Looks:
    return Looks()


# --- one position ------------------------------------------------------------------------------


def tallies(position: forthvm.Position) -> dict[str, Tally]:
    """What each side has lost: the script counts it for who took it, White first."""
    white, black = zip(*(position.variables.array(name, 2) for name in TALLIES), strict=True)
    return {"W": Tally(*black), "B": Tally(*white)}


def check(looks: Looks, position: forthvm.Position, state: State) -> list[State]:
    """Compares all moves of a position and what they take; gives the states in order.

    The texts are read: the engine makes them from what a move does to the board, and walk
    looks at the board of every move that is played.
    """
    moves = position.legal_moves
    if state.stuck:
        assert [move.is_pass for move in moves] == [True]
        return [state.forced_pass()]
    pairs, taken = zip(*(read_text(move.text) for move in moves), strict=True)
    assert sorted(pairs) == state.legal
    after = [state.play(pair) for pair in pairs]
    for move, squares, one in zip(moves, taken, after, strict=True):
        expected = {*one.caught.pieces, *(looks.parts[str(part)] for part in one.caught.parts)}
        assert squares == expected, move.text
    return after


def read_text(text: str) -> tuple[tuple[str, str], set[str]]:
    """Start, goal and emptied squares of a move text such as `P91 i4 - j7 x j13`."""
    _, start, to, goal, *rest = text.split()
    taken = set(rest[1::2])
    assert (to, rest[::2], len(taken)) == ("-", ["x"] * len(taken), len(rest) // 2), text
    return (start, goal), taken


def walk(  # noqa: PLR0913 - what to walk on, and how
    looks: Looks,
    position: forthvm.Position,
    state: State,
    chooser: random.Random,
    limit: int,
    *,
    stride: int = 1,
) -> tuple[int, State]:
    """Plays a random game, more or less greedily, and compares every move of each `stride`th ply.

    Gives how many positions were compared so, and the last state.  At the other plies the
    board, turn, counts and end are compared, and the one move that is played.
    """
    compared = 0
    greed = chooser.choice((0.0, 0.3, 0.9))
    for ply in itertools.count():
        assert looks.view(position.cells) == looks.expected_view(state)
        assert position.turn == SIDES[state.turn]
        assert tallies(position) == state.lost
        assert position.variables["quiet"] == state.quiet
        if ended_alike(position, state.ending) or compared == limit:
            return compared, state
        index = choose(position, chooser, greed)
        if ply % stride == 0:
            state = check(looks, position, state)[index]
            compared += 1
        elif state.stuck:
            state = state.forced_pass()
        else:
            pair, _ = read_text(position.legal_moves[index].text)
            assert pair in state.legal
            state = state.play(pair)
        position.push(position.legal_moves[index])
    raise AssertionError("games end, or the limit is reached")


def choose(position: forthvm.Position, chooser: random.Random, greed: float) -> int:
    """Index of a random move, with some greed of one that takes something."""
    moves = position.legal_moves
    takes = [index for index, move in enumerate(moves) if " x " in move.text]
    if takes and chooser.random() < greed:
        return chooser.choice(takes)
    return chooser.randrange(len(moves))


# --- default options -----------------------------------------------------------------------------


def test_random_games(looks: Looks) -> None:
    """All moves of every fifth position, in games from the start to the end."""
    chooser = random.Random(1)
    compared = ended = 0
    while compared < POSITIONS:
        more, state = walk(looks, game().start(), start(), chooser, POSITIONS - compared, stride=5)
        compared += more
        ended += state.ending is not None
    assert ended > 3 or POSITIONS < 1000


def test_counts() -> None:
    assert [forthvm.perft(game().start(), depth) for depth in (1, 2)] == [71, 4904]


@pytest.mark.slow
def test_count_at_depth_3() -> None:
    # The model's own count is checked against the page in test_rithmomachia_model.py.
    assert forthvm.perft(game().start(), 3) == 355809


# --- combinations of options ---------------------------------------------------------------------

NUMBERS: dict[str, tuple[object, ...]] = {
    "n_pieces": (15, 0, 4),
    "value": ((1315, 984), (0, 0), (300, 200)),
    "n_digits": ((0, 0), (34, 28)),
    "n_max": ((0, 0), (13, 11)),
    "glory_own": (1, 2),
    "draw_after": (40, 12),
}
VALUES: dict[str, tuple[object, ...]] = {**CHOICES, **NUMBERS}


def pairs_of(chosen: Chosen) -> Iterator[frozenset[tuple[str, object]]]:
    return (frozenset(two) for two in itertools.combinations(chosen.items(), 2))


@cache
def covering() -> list[dict[str, object]]:
    """Combinations in which every two values of any two options meet at least once."""
    chooser = random.Random(7)
    left = {
        frozenset(((a, x), (b, y)))
        for a, b in itertools.combinations(VALUES, 2)
        for x in VALUES[a]
        for y in VALUES[b]
    }
    found = []
    while left:
        best: dict[str, object] = {}
        most: set[frozenset[tuple[str, object]]] = set()
        for _ in range(30):
            # Begins with a pair that is missing, then takes what meets most others.
            one = dict(chooser.choice(sorted(left, key=str)))
            for name in chooser.sample(list(VALUES), len(VALUES)):
                if name not in one:
                    one[name] = max(
                        chooser.sample(VALUES[name], len(VALUES[name])),
                        key=lambda value: sum(
                            frozenset(((name, value), other)) in left for other in one.items()
                        ),
                    )
            met = left.intersection(pairs_of(one))
            if len(met) > len(most):
                best, most = one, met
        found.append(best)
        left -= most
    return found


def random_choice(chooser: random.Random) -> dict[str, object]:
    return {name: chooser.choice(values) for name, values in VALUES.items()}


def load(chosen: Chosen) -> forthvm.Game:
    """The game with these options; not kept, as there are hundreds."""
    return forthvm.load("rithmomachia", settings=settings(chosen))


def options_of(chosen: Chosen) -> Options:
    return Options(**chosen)  # type: ignore[arg-type]


def finish(position: forthvm.Position, chooser: random.Random, limit: int = 4000) -> bool:
    """Plays random moves to the end; whether it came before the limit."""
    for _ in range(limit):
        if position.result is not None:
            return True
        position.push(position.legal_moves[chooser.randrange(len(position.legal_moves))])
    return False


def test_covering() -> None:
    met = {pair for chosen in covering() for pair in pairs_of(chosen)}
    for a, b in itertools.combinations(VALUES, 2):
        for x in VALUES[a]:
            for y in VALUES[b]:
                assert frozenset(((a, x), (b, y))) in met
    names = {name for chosen in covering() for name in settings(chosen)}
    assert names <= set(game().settings)


def test_every_pair_plays_to_the_end() -> None:
    chooser = random.Random(8)
    for chosen in covering():
        assert finish(load(chosen).start(), chooser), chosen


@pytest.mark.slow
def test_random_combinations_play_to_the_end() -> None:
    chooser = random.Random(9)
    for _ in range(200):
        chosen = random_choice(chooser)
        assert finish(load(chosen).start(), chooser), chosen


def test_without_limit() -> None:
    """Games that nothing need end: none may fail, and most end by some victory."""
    chooser = random.Random(10)
    ended = 0
    for _ in range(4):
        chosen = {**random_choice(chooser), "draw_after": 0, "n_pieces": 15}
        ended += finish(load(chosen).start(), chooser, 500)
    assert ended


def army(chooser: random.Random, options: Options) -> State:
    """Some pieces of both sides close to each other, pyramids with some parts, some captures."""
    board, parts = {}, {"W": (), "B": ()}
    rows = chooser.choice((range(1, 9), range(5, 13), range(9, 17), range(1, 17)))
    squares = [name for name in SQUARES if int(name[1:]) in rows]
    chooser.shuffle(squares)
    for side in "WB":
        pieces = [piece for piece in SETUP.values() if piece.side == side]
        for piece in chooser.sample(pieces, chooser.randint(3, 16)):
            board[squares.pop()] = piece
            if piece.kind == "P":
                every = SETUP_PARTS[side]
                count = chooser.choice((1, 2, 3, len(every)))
                some = chooser.sample(every, count)
                parts[side] = tuple(part for part in every if part in some)
    lost = {}
    for side in "WB":
        pieces = chooser.choice((0, 2, 8, 14))
        lost[side] = Tally(pieces, pieces * chooser.randint(20, 120), pieces * 2)
    quiet = chooser.choice((0, 5, 30))
    return State(options, board, parts, chooser.choice("WB"), lost, quiet)


def begin(looks: Looks, one: forthvm.Game, state: State) -> forthvm.Position:
    """The same position in a loaded game."""
    setup = [
        (SIDES[piece.side], looks.types[piece.side] if piece.kind == "P" else str(piece)[1:], name)
        for name, piece in state.board.items()
    ]
    for side in "WB":
        setup += [
            (SIDES[side], str(part)[1:], looks.parts[str(part)]) for part in state.parts[side]
        ]
    variables = {"quiet": state.quiet}
    for index, side in enumerate("BW"):  # White takes from Black
        for name, number in zip(TALLIES, state.lost[side], strict=True):
            variables[f"{name}[{index}]"] = number
    return one.start(setup=setup, turn=SIDES[state.turn], variables=variables)


def test_random_armies(looks: Looks) -> None:
    """Up to 15 moves of each random combination, from random positions."""
    chooser = random.Random(11)
    met: Counter[str] = Counter()
    compared = 0
    while compared < POSITIONS:
        chosen = random_choice(chooser)
        state = army(chooser, options_of(chosen))
        position = begin(looks, load(chosen), state)
        more, state = walk(looks, position, state, chooser, 15)
        compared += more
        if state.ending is not None:
            met[state.ending.name] += 1
    assert len(met) >= 6 or POSITIONS < 1000, met


SCRIPTS = {
    "rithmomachia": "Rithmomachy",
    "rithmomachia-distant-siege": "Distant Siege",
    "rithmomachia-glorious": "Glorious Victories",
    "rithmomachia-distant-siege-glorious": "Distant Siege with Glorious Victories",
    "rithmomachia-glorious-pyramid": "Glorious Victories after Pyramid capturing",
    "rithmomachia-distant-siege-glorious-pyramid": (
        "Distant Siege with Glorious Victories after Pyramid capturing"
    ),
    "rithmomachia-random": "Rithmomachy",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_variant_scripts(looks: Looks, name: str) -> None:
    """The named variants of the original, from armies that show the difference."""
    chooser = random.Random(name)
    variant = forthvm.load(name)
    compared = 0
    while compared < POSITIONS // 20:
        state = army(chooser, VARIANTS[SCRIPTS[name]])
        compared += walk(looks, begin(looks, variant, state), state, chooser, 10)[0]


def test_all_variants_have_scripts() -> None:
    assert set(SCRIPTS.values()) == set(VARIANTS)

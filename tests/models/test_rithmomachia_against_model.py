"""Compare the script of Rithmomachia with its model: random games, random positions, all options.

Positions for single rules are in tests/rules.  FORTHVM_MODEL_POSITIONS sets the number of
positions compared by each test.
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
    check_end,
    game,
    part_squares,
    pyramid_types,
    settings,
)

Chosen = Mapping[str, object]

TALLIES = ("pieces-taken", "value-taken", "digits-taken")  # the game's arrays, White first


class Translation:
    """Translates states of the model to board cells of the game, so that boards compare fast."""

    def __init__(self) -> None:
        plain = game()
        self.parts = part_squares()
        names = [*SQUARES, *self.parts.values()]
        self.view = itemgetter(*(plain._loaded.position_index[name] for name in names))
        self.kinds = {kind.name: kind.number for kind in plain.piece_types}
        self.owners = {player.name: player.number for player in plain.player_details}
        initial_board = plain.start().board
        self.shift: dict[str, int] = {}  # difference between a side's cells and the type number
        for side, square in (("W", "e6"), ("B", "e11")):
            piece = initial_board[square]
            self.shift[side] = piece.cell - self.kinds[piece.type]
        self.types = pyramid_types()

        self.cells: dict[Piece, int] = {}
        self.order = {name: index for index, name in enumerate(SQUARES)}
        self.part_indices = {_piece(part): len(SQUARES) + n for n, part in enumerate(self.parts)}

    def cell(self, piece: Piece) -> int:
        """Return the cell of a piece."""
        if piece not in self.cells:
            name = self.types[piece.side] if piece.kind == "P" else str(piece)[1:]
            self.cells[piece] = self.kinds[name] + self.shift[piece.side]
        return self.cells[piece]

    def expected_view(self, state: State) -> tuple[int, ...]:
        """Return the result of `view` for the position that equals the state."""
        board = [0] * (len(SQUARES) + len(self.parts))
        for name, piece in state.board.items():
            board[self.order[name]] = self.cell(piece)
        for part in (*state.parts["W"], *state.parts["B"]):
            board[self.part_indices[part]] = self.cell(part)
        return tuple(board)


def _piece(text: str) -> Piece:
    return Piece(text[0], text[1], int(text[2:]))


@pytest.fixture(scope="module")
def translation() -> Translation:
    return Translation()


# --- one position ------------------------------------------------------------------------------


def tallies(position: forthvm.Position) -> dict[str, Tally]:
    """Return the losses of each side; the script counts captures, White's first."""
    white, black = zip(*(position.variables.array(name, 2) for name in TALLIES), strict=True)
    return {"W": Tally(*black), "B": Tally(*white)}


def check(translation: Translation, position: forthvm.Position, state: State) -> list[State]:
    """Compare all moves of a position and their captures; return the states after the moves.

    The captures are read from the texts of the moves; the C core derives a text from the effects of
    the move on the board.  `play_random_game` compares the boards after the moves that it plays.
    """
    moves = position.legal_moves
    if state.stuck:
        assert [move.is_pass for move in moves] == [True]
        return [state.forced_pass()]
    pairs, captures = zip(*(read_text(move.text) for move in moves), strict=True)
    assert sorted(pairs) == state.legal
    successors = [state.play(pair) for pair in pairs]
    for move, squares, after in zip(moves, captures, successors, strict=True):
        expected = {
            *after.captured.pieces,
            *(translation.parts[str(part)] for part in after.captured.parts),
        }
        assert squares == expected, move.text
    return successors


def read_text(text: str) -> tuple[tuple[str, str], set[str]]:
    """Return start, goal and captured squares of a move text such as `P91 i4 - j7 x j13`."""
    _, start, dash, goal, *captures = text.split()
    squares = set(captures[1::2])
    count = len(captures) // 2
    assert (dash, captures[::2], len(squares)) == ("-", ["x"] * count, count), text
    return (start, goal), squares


def play_random_game(  # noqa: PLR0913 - a game, its model and the parameters of the comparison
    translation: Translation,
    position: forthvm.Position,
    state: State,
    chooser: random.Random,
    limit: int,
    *,
    stride: int = 1,
) -> tuple[int, State]:
    """Play a random game and compare all moves at each `stride`-th ply.

    At the other plies, only board, turn, counts, end and the played move are compared.  Return the
    number of positions whose moves were all compared, and the last state.
    """
    compared = 0
    greed = chooser.choice((0.0, 0.3, 0.9))
    for ply in itertools.count():
        assert translation.view(position.cells) == translation.expected_view(state)
        assert position.turn == SIDES[state.turn]
        assert tallies(position) == state.lost
        assert position.variables["quiet"] == state.quiet
        if check_end(position, state.ending) or compared == limit:
            return compared, state
        index = choose(position, chooser, greed)
        if ply % stride == 0:
            state = check(translation, position, state)[index]
            compared += 1
        elif state.stuck:
            state = state.forced_pass()
        else:
            pair, _ = read_text(position.legal_moves[index].text)
            assert pair in state.legal
            state = state.play(pair)
        position.push(position.legal_moves[index])
    raise AssertionError("unreachable: the loop ends with the game or at the limit")


def choose(position: forthvm.Position, chooser: random.Random, greed: float) -> int:
    """Return the index of a random move; `greed` is the probability of preferring captures."""
    moves = position.legal_moves
    capturing = [index for index, move in enumerate(moves) if " x " in move.text]
    if capturing and chooser.random() < greed:
        return chooser.choice(capturing)
    return chooser.randrange(len(moves))


# --- default options -----------------------------------------------------------------------------


@pytest.mark.slow
def test_random_games(translation: Translation) -> None:
    """Compare all moves of every fifth position, in games from the start to the end."""
    chooser = random.Random(1)
    compared = ended = 0
    while compared < POSITIONS:
        count, state = play_random_game(
            translation, game().start(), start(), chooser, POSITIONS - compared, stride=5
        )
        compared += count
        ended += state.ending is not None
    assert ended > 3 or POSITIONS < 1000


def test_numbers_of_move_sequences() -> None:
    assert [forthvm.perft(game().start(), depth) for depth in (1, 2)] == [71, 4904]


@pytest.mark.slow
def test_number_of_move_sequences_of_three_plies() -> None:
    # test_rithmomachia_model.py checks that the model has the same count.
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
    """Return all pairs of options with their values."""
    return (frozenset(pair) for pair in itertools.combinations(chosen.items(), 2))


@cache
def covering_combinations() -> list[dict[str, object]]:
    """Return combinations of options that cover every pair of values of two options."""
    chooser = random.Random(7)
    uncovered = {
        frozenset(((a, x), (b, y)))
        for a, b in itertools.combinations(VALUES, 2)
        for x in VALUES[a]
        for y in VALUES[b]
    }
    found = []
    while uncovered:
        best: dict[str, object] = {}
        best_covered: set[frozenset[tuple[str, object]]] = set()
        for _ in range(30):
            # Start with an uncovered pair; add the values that cover most other pairs.
            candidate = dict(chooser.choice(sorted(uncovered, key=str)))
            for name in chooser.sample(list(VALUES), len(VALUES)):
                if name not in candidate:
                    candidate[name] = max(
                        chooser.sample(VALUES[name], len(VALUES[name])),
                        key=lambda value: sum(
                            frozenset(((name, value), other)) in uncovered
                            for other in candidate.items()
                        ),
                    )
            covered = uncovered.intersection(pairs_of(candidate))
            if len(covered) > len(best_covered):
                best, best_covered = candidate, covered
        found.append(best)
        uncovered -= best_covered
    return found


def random_choice(chooser: random.Random) -> dict[str, object]:
    return {name: chooser.choice(values) for name, values in VALUES.items()}


def load(chosen: Chosen) -> forthvm.Game:
    """Load the game with these options; not cached, because there are hundreds of combinations."""
    return forthvm.load("rithmomachia", settings=settings(chosen))


def options_of(chosen: Chosen) -> Options:
    return Options(**chosen)  # type: ignore[arg-type]


def play_to_end(position: forthvm.Position, chooser: random.Random, limit: int = 4000) -> bool:
    """Play up to `limit` random moves; return whether the game ended."""
    for _ in range(limit):
        if position.result is not None:
            return True
        position.push(position.legal_moves[chooser.randrange(len(position.legal_moves))])
    return False


@pytest.mark.slow
def test_combinations_cover_all_pairs() -> None:
    covered = {pair for chosen in covering_combinations() for pair in pairs_of(chosen)}
    for a, b in itertools.combinations(VALUES, 2):
        for x in VALUES[a]:
            for y in VALUES[b]:
                assert frozenset(((a, x), (b, y))) in covered
    names = {name for chosen in covering_combinations() for name in settings(chosen)}
    assert names <= set(game().settings)


@pytest.mark.slow
def test_games_under_the_covering_combinations_end() -> None:
    chooser = random.Random(8)
    for chosen in covering_combinations():
        assert play_to_end(load(chosen).start(), chooser), chosen


@pytest.mark.slow
def test_games_under_random_combinations_end() -> None:
    chooser = random.Random(9)
    for _ in range(200):
        chosen = random_choice(chooser)
        assert play_to_end(load(chosen).start(), chooser), chosen


@pytest.mark.slow
def test_games_without_a_draw_rule() -> None:
    """Play games without `draw_after`: none may fail, and some must end by a victory."""
    chooser = random.Random(10)
    ended = 0
    for _ in range(4):
        chosen = {**random_choice(chooser), "draw_after": 0, "n_pieces": 15}
        ended += play_to_end(load(chosen).start(), chooser, 500)
    assert ended


def random_state(chooser: random.Random, options: Options) -> State:
    """Return a random position: pieces close to each other, incomplete pyramids, some losses."""
    board, parts = {}, {"W": (), "B": ()}
    rows = chooser.choice((range(1, 9), range(5, 13), range(9, 17), range(1, 17)))
    squares = [name for name in SQUARES if int(name[1:]) in rows]
    chooser.shuffle(squares)
    for side in "WB":
        pieces = [piece for piece in SETUP.values() if piece.side == side]
        for piece in chooser.sample(pieces, chooser.randint(3, 16)):
            board[squares.pop()] = piece
            if piece.kind == "P":
                all_parts = SETUP_PARTS[side]
                count = chooser.choice((1, 2, 3, len(all_parts)))
                remaining = chooser.sample(all_parts, count)
                parts[side] = tuple(part for part in all_parts if part in remaining)
    lost = {}
    for side in "WB":
        pieces = chooser.choice((0, 2, 8, 14))
        lost[side] = Tally(pieces, pieces * chooser.randint(20, 120), pieces * 2)
    quiet = chooser.choice((0, 5, 30))
    return State(options, board, parts, chooser.choice("WB"), lost, quiet)


def begin(translation: Translation, loaded: forthvm.Game, state: State) -> forthvm.Position:
    """Start a loaded game from the model's state."""
    setup = [
        (
            SIDES[piece.side],
            translation.types[piece.side] if piece.kind == "P" else str(piece)[1:],
            name,
        )
        for name, piece in state.board.items()
    ]
    for side in "WB":
        setup += [
            (SIDES[side], str(part)[1:], translation.parts[str(part)]) for part in state.parts[side]
        ]
    variables = {"quiet": state.quiet}
    for index, side in enumerate("BW"):  # White's captures first
        for name, number in zip(TALLIES, state.lost[side], strict=True):
            variables[f"{name}[{index}]"] = number
    return loaded.start(setup=setup, turn=SIDES[state.turn], variables=variables)


@pytest.mark.slow
def test_random_positions(translation: Translation) -> None:
    """Play up to 15 moves from random positions under random combinations of options."""
    chooser = random.Random(11)
    endings: Counter[str] = Counter()
    compared = 0
    while compared < POSITIONS:
        chosen = random_choice(chooser)
        state = random_state(chooser, options_of(chosen))
        position = begin(translation, load(chosen), state)
        count, state = play_random_game(translation, position, state, chooser, 15)
        compared += count
        if state.ending is not None:
            endings[state.ending.name] += 1
    assert len(endings) >= 6 or POSITIONS < 1000, endings


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


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS)
def test_variant_scripts(translation: Translation, name: str) -> None:
    """Compare the named variants of the original, from random positions."""
    chooser = random.Random(name)
    variant = forthvm.load(name)
    compared = 0
    while compared < POSITIONS // 20:
        state = random_state(chooser, VARIANTS[SCRIPTS[name]])
        compared += play_random_game(
            translation, begin(translation, variant, state), state, chooser, 10
        )[0]


def test_all_variants_have_scripts() -> None:
    assert set(SCRIPTS.values()) == set(VARIANTS)

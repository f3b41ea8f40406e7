"""Compare the Ur scripts with the model, turn by turn.

In the scripts, the dice are thrown by moves of the chance player "?Dice".
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

import forthvm
from tests.kit.cases import each_case
from tests.kit.games import loaded
from tests.models import lockstep, ur
from tests.models.ur import BLACK, WHITE, Options, Piece, State
from tests.models.ur_setup import Reader, begin, expected_view, load

SKIRIUK = Options()
FINKEL = Options(rules="finkel")
COMBINATIONS = [
    Options(*values)
    for values in itertools.product(
        ("skiriuk", "finkel"),
        ("kept", "lapses"),
        ("one", "each"),
        ("fixed", "thrown"),
        (50, 3, 0),
    )
]


def successors(options: Options, state: State) -> Iterator[State]:
    for move in ur.moves(state, options):
        yield ur.play(state, move, options)


def comparison(game: forthvm.Game, options: Options) -> tuple[lockstep.Game, Reader]:
    """Return the functions that compare a game with the model, and the reader of positions."""
    reader = Reader(game, options)
    rules = lockstep.Game(
        view=reader.view,
        expected_view=expected_view,
        turn=lambda state: state.mover,
        end=partial(ur.end, options=options),
        successors=partial(successors, options),
    )
    return rules, reader


def throw(
    position: forthvm.Position, reader: Reader, state: State, chooser: random.Random
) -> State:
    """Make the four moves of the dice at random; return the model's state after the throw."""
    # Section 3 of the rules page: one move clears the dice, then three moves have 18, 12 and 6
    # outcomes.  Finkel's four dice have two outcomes each.
    counts = [2] * 4 if reader.options.rules == "finkel" else [1, 18, 12, 6]
    for count in counts:
        assert position.turn == "?Dice"
        assert len(position.legal_moves) == count
        position.push(chooser.choice(position.legal_moves))
    return ur.thrown(state, reader.steps(position))


def play_random_game(
    game: forthvm.Game, options: Options, chooser: random.Random, limit: int
) -> tuple[int, forthvm.Position]:
    """Play up to `limit` turns of a random game; return the number of turns and the position."""
    rules, reader = comparison(game, options)
    position, state = game.start(), ur.start(options)
    turns = 0
    while not lockstep.check_end(rules, position, state) and turns < limit:
        if state.steps is None:
            state = throw(position, reader, state, chooser)
        pairs = lockstep.check(rules, position, state)
        index, state = chooser.choice(pairs)
        position.push(position.legal_moves[index])
        turns += 1
    return turns, position


@pytest.mark.sampled(2)
@pytest.mark.parametrize("options", [SKIRIUK, FINKEL], ids=["skiriuk", "finkel"])
def test_random_games(options: Options) -> None:
    """Compare complete random games until enough turns were compared."""
    game, chooser = load(options), random.Random(options.rules)
    turns = ends = 0
    while turns < lockstep.POSITIONS:
        compared, position = play_random_game(game, options, chooser, 5000)
        turns += compared
        ends += position.result is not None
    assert ends


@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    "options",
    COMBINATIONS,
    ids=lambda options: "-".join(map(str, vars(options).values())),
)
def test_games_under_all_combinations_of_options(options: Options) -> None:
    turns, _ = play_random_game(load(options), options, random.Random(str(options)), 40)
    assert turns > 2


def crowded_state(chooser: random.Random, options: Options) -> State:
    """Return a random state with up to seven pieces of each player on possible squares."""
    board: dict[str, tuple[Piece, ...]] = {}
    reserve, off = [0, 0], [0, 0]
    skiriuk = options.rules == "skiriuk"
    # The probability that a piece is not on the board: players with few pieces often cannot move.
    absence = chooser.choice((0.1, 0.9))
    few_squares = chooser.random() < 0.5  # for stacks and blocked pieces
    for number, player in enumerate((WHITE, BLACK) * 7):
        index = number % 2  # of the player
        path = ur.PATHS[options.rules, player]
        if chooser.random() < absence:
            (reserve if chooser.random() < 0.3 else off)[index] += 1
            continue
        steps = (1, 3, 7, 10, 11, 17, 18) if few_squares else range(1, 24)
        step = chooser.choice(steps)
        step = min(step, len(path))
        square = path[step - 1]
        piece = Piece(player, skiriuk and step > 13)
        occupants = board.get(square, ())
        if occupants and not (skiriuk and square in ur.STACKS and len(occupants) < 4):
            reserve[index] += 1
            continue
        board[square] = (*occupants, piece)
    pieces = list(board.items())
    chooser.shuffle(pieces)
    return State(
        dict(pieces),
        (reserve[0], reserve[1]) if absence < 0.5 else (0, 0),
        (min(off[0], 6), min(off[1], 6)),
        chooser.choice((WHITE, BLACK)),
        chooser.choice(ur.throws(options)),
        chooser.choice((None, None, None, WHITE, BLACK)) if skiriuk else None,
        chooser.choice((0, 0, 1, 49)),
    )


@each_case("options", [SKIRIUK, FINKEL], ids=["skiriuk", "finkel"])
@each_case("right", ["kept", "lapses"])
def test_crowded_boards(options: Options, right: str) -> None:
    options = replace(options, right=right)
    game, chooser = load(options), random.Random(f"{options.rules} {right}")
    rules, _ = comparison(game, options)
    for _ in range(lockstep.POSITIONS // 4):
        state = crowded_state(chooser, options)
        position = begin(game, state, options)
        assert not lockstep.check_end(rules, position, state)
        for index, after in lockstep.check(rules, position, state):
            position.push(position.legal_moves[index])
            lockstep.check_end(rules, position, after)
            position.pop()


def test_numbers_of_move_sequences_including_dice() -> None:
    """Compare perft, which counts moves of the dice as plies, with the rules page."""
    position = loaded("ur-script").start()
    counts = [forthvm.perft(position, depth) for depth in range(1, 7)]
    assert counts == [7, 7, 126, 1512, 9072, 63504]

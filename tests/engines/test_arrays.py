"""Arrays of learning programs, seeds and starts of self-play, and masks of legal moves."""

from __future__ import annotations

import sys
import weakref
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest

import forthvm
from forthvm import engines
from forthvm.engines import EngineError, EngineOptionError, Limits, SelfPlay, legal_mask
from forthvm.engines.position_arrays import REWARDS_PER_ROW
from forthvm.engines.selfplay import Leaves
from forthvm.engines.selfplay_games import PlayedGame
from forthvm.game import Game, Position
from tests.kit.cases import each_case
from tests.kit.games import loaded
from tests.kit.messages import raises
from tests.kit.processes import run

SPACE = 30
Rows = list[list[float]]
RowConverter = Callable[[Rows, int], Any]


@cache
def game() -> Game:
    return forthvm.load("breakthrough")


def evaluations_of(leaves: Leaves, cells: int) -> tuple[Rows, Rows]:
    """Return rewards and priors that 32-bit floats represent exactly, computed from the board."""
    rewards, priors = [], []
    for at, (moves, mover) in enumerate(zip(leaves.moves, leaves.movers, strict=True)):
        board = leaves.boards[at * cells : (at + 1) * cells].tolist()
        mix = sum((index + 3) * cell for index, cell in enumerate(board)) + mover
        rewards.append([(mix * (n + 7)) % 257 / 256 for n in range(REWARDS_PER_ROW)])
        leaf_priors = [(mix * (k + 11)) % 251 / 256 for k in range(moves)]
        priors.append(leaf_priors + [0.0] * (SPACE - moves))
    return rewards, priors


def play_games(convert: RowConverter, **options: object) -> list[PlayedGame]:
    settings: dict[str, Any] = {"batch": 3, "games": 3, "playouts": 5, "max_plies": 6, **options}
    play = SelfPlay(game(), space=SPACE, **settings)
    while (leaves := play.leaves()) is not None:
        rewards, priors = evaluations_of(leaves, play.cells)
        play.submit(convert(rewards, REWARDS_PER_ROW), convert(priors, SPACE))
    return sorted(play.finished, key=lambda each: each.number)


@cache
def expected_games() -> list[PlayedGame]:
    return play_games(lambda rows, _: rows)


# --- arrays --------------------------------------------------------------------------------------


def flat_array(rows: Rows, type_code: str) -> array[Any]:
    return array(type_code, [number for row in rows for number in row])


def two_dimensional(rows: Rows, width: int) -> memoryview:
    return memoryview(flat_array(rows, "f")).cast("B").cast("f", (len(rows), width))


def numpy_of(rows: Rows, layout: str) -> Any:  # noqa: ANN401 - numpy may not be installed
    """Return rows as a numpy array with a special layout, or of the type `layout`."""
    numpy = pytest.importorskip("numpy")
    doubles = numpy.array(rows)
    floats = doubles.astype(numpy.float32)
    match layout:
        case "wide":  # a slice of a larger array, with gaps between the rows
            return numpy.hstack([floats, floats + 7])[:, : floats.shape[1]]
        case "fortran order":
            return numpy.asfortranarray(floats)
        case "read-only":
            floats.flags.writeable = False
            return floats
        case "swapped":
            return doubles.astype(numpy.dtype(numpy.float32).newbyteorder())
        case "rows":
            return list(doubles)
    return doubles.astype(layout)


KINDS: dict[str, RowConverter] = {
    "tuples": lambda rows, _: tuple(tuple(row) for row in rows),
    "flat float32": lambda rows, _: flat_array(rows, "f"),
    "flat float64": lambda rows, _: flat_array(rows, "d"),
    "float32 in rows": two_dimensional,
    "arrays": lambda rows, _: [array("d", row) for row in rows],
    **{
        f"numpy {layout}": lambda rows, _, layout=layout: numpy_of(rows, layout)
        for layout in (
            "float32",
            "float64",
            "float16",
            "wide",
            "fortran order",
            "read-only",
            "rows",
        )
    },
}


@pytest.mark.slow
@each_case("kind", KINDS)
def test_equal_evaluations_of_any_type_give_equal_games(kind: str) -> None:
    assert play_games(KINDS[kind]) == expected_games()


def test_foreign_byte_order_is_refused() -> None:
    with raises(EngineError, "arrays.does-not-hold-numbers"):
        play_games(lambda rows, _: numpy_of(rows, "swapped"))


def test_integers_are_accepted() -> None:
    """Rewards that are 0 or 1 may be bytes."""
    assert (
        len(play_games(lambda rows, _: flat_array([[round(n) for n in row] for row in rows], "B")))
        == 3
    )


def test_only_used_columns_are_checked() -> None:
    """Numbers beyond the legal moves are ignored; rows may be longer than needed."""
    play = SelfPlay(game(), batch=1, games=1, space=SPACE, playouts=5, max_plies=6)
    while (leaves := play.leaves()) is not None:
        rewards, priors = evaluations_of(leaves, play.cells)
        priors[0][leaves.moves[0] :] = [float("nan")] * (SPACE - leaves.moves[0])
        play.submit([[*row, 7.0] for row in rewards], priors)
    assert play.finished == expected_games()[:1]


def numpy_array(*shape: int) -> Any:  # noqa: ANN401 - numpy may not be installed
    return pytest.importorskip("numpy").full(shape, 0.5, dtype="float32")


VALID_REWARDS = [[0.5] * REWARDS_PER_ROW]


@pytest.mark.slow
@each_case(
    ("rewards", "message"),
    [
        (None, "must be rows of numbers"),
        (7, "must be rows of numbers"),
        ("no", "expected rewards for .* positions, not for 2"),
        ("n", "must be rows of numbers"),
        ([[0.5] * 31], "expected 32 rewards, not 31"),
        ("n" * 32, "positions, not for 32"),
        (["n" * 32], "must be rows of numbers"),
        ([None], "must be rows of numbers"),
        ([7], "must be rows of numbers"),
        ([[None] * REWARDS_PER_ROW], "must be rows of numbers"),
        ([["0.5"] * REWARDS_PER_ROW], "must be rows of numbers"),
        ({0: [0.5] * REWARDS_PER_ROW}, "must be rows of numbers"),
        (array("f", [0.5] * 31), "an array of 31"),
        (array("f", [0.5] * 64), "expected rewards for .* positions, not for 2"),
        (array("f", [0.5] * 31 + [float("inf")]), "0 to 1, not inf"),
        (array("f", [0.5] * 31 + [float("nan")]), "0 to 1, not nan"),
        (array("d", [0.5] * 31 + [1e300]), "0 to 1, not"),
        (array("f", [-1e-40] * 32), "0 to 1, not -"),
        (array("b", [-1] * 32), "0 to 1, not -1.0"),
        (array("u", "n" * 32), "does not hold numbers"),
        ([[10**400] * 32], "from 0 to 1"),
        (lambda: numpy_array(1, 31), "expected 32 rewards, not 31"),
        (lambda: numpy_array(2, 32), "expected rewards for .* positions, not for 2"),
        (lambda: numpy_array(1, 4, 8), "an array of 1 by 4 by 8"),
        (numpy_array, "an array of nothing"),
        (lambda: numpy_array(0, 32), "expected rewards for .* positions, not for 0"),
        (lambda: numpy_array(1, 32).astype(object), "must be rows|does not hold numbers"),
        (lambda: numpy_array(1, 32).astype(complex), "does not hold numbers"),
        (lambda: numpy_array(1, 32).astype("U3"), "does not hold numbers"),
    ],
)
def test_invalid_evaluations_are_refused(
    rewards: Any,  # noqa: ANN401 - any invalid value
    message: str,
) -> None:
    play = SelfPlay(game(), batch=1, games=1, space=SPACE, playouts=5, max_plies=6)
    assert play.leaves() is not None
    with pytest.raises(EngineError, match=message):
        play.submit(rewards() if callable(rewards) else rewards, [[0.01] * SPACE])
    while (leaves := play.leaves()) is not None:  # the state is unchanged
        play.submit(*evaluations_of(leaves, play.cells))
    assert play.finished == expected_games()[:1]


def test_submit_without_leaves_raises() -> None:
    play = SelfPlay(game(), batch=1, games=1, space=SPACE)
    with raises(EngineError, "arrays.expected-rewards-for-positions"):
        play.submit(VALID_REWARDS, [[0.1] * SPACE])
    assert play.leaves() is not None
    play.submit(VALID_REWARDS, [[0.01] * SPACE])
    with raises(EngineError, "arrays.submit-without-leaves"):  # submitted twice
        play.submit(VALID_REWARDS, [[0.01] * SPACE])


def test_arrays_of_32_bit_floats_are_not_copied() -> None:
    numpy = pytest.importorskip("numpy")
    rewards = numpy.full((2, REWARDS_PER_ROW), 0.5, dtype=numpy.float32)
    priors = numpy.full((2, SPACE), 0.01, dtype=numpy.float32)
    play = SelfPlay(game(), batch=2, games=2, space=SPACE, playouts=5, max_plies=6)
    while play.leaves() is not None:
        play.submit(rewards, priors)
        assert play._rewards._buffer is None  # no conversion buffer was allocated
        assert play._priors._buffer is None
    rewards_gone = weakref.ref(rewards)
    del rewards
    assert rewards_gone() is None  # no reference is left


# --- the leaves ----------------------------------------------------------------------------------


def test_leaves_returns_the_same_positions_until_submit() -> None:
    play = SelfPlay(game(), batch=3, games=3, space=SPACE, playouts=5, max_plies=6)
    while (leaves := play.leaves()) is not None:
        before = [list(values) for values in vars(leaves).values()]
        for _ in range(3):
            repeated = play.leaves()
            assert repeated is not None
            assert [list(values) for values in vars(repeated).values()] == before
        play.submit(*evaluations_of(leaves, play.cells))
    assert play.leaves() is None
    assert sorted(play.finished, key=lambda each: each.number) == expected_games()


def test_boards_are_written_to_the_callers_array() -> None:
    numpy = pytest.importorskip("numpy")
    boards = numpy.full((3, 64), -1, dtype=numpy.int32)
    play = SelfPlay(game(), batch=3, games=3, space=SPACE, playouts=5, max_plies=6, boards=boards)
    while (leaves := play.leaves()) is not None:
        count = len(leaves.moves)
        assert leaves.boards.tolist() == boards[:count].ravel().tolist()
        play.submit(*evaluations_of(leaves, play.cells))
    assert sorted(play.finished, key=lambda each: each.number) == expected_games()
    assert (boards != -1).all()


@each_case(
    "boards",
    [  # three boards have 192 cells
        7,
        [0] * 192,
        bytes(768),
        array("i", [0] * 191),
        array("f", [0] * 192),
        array("q", [0] * 192),
        memoryview(array("i", [0] * 192)).toreadonly(),
        memoryview(array("i", [0] * 384))[::2],
    ],
)
def test_unsuitable_board_arrays_are_refused(boards: object) -> None:
    with pytest.raises(EngineOptionError, match="array for the boards"):
        SelfPlay(game(), batch=3, games=3, space=SPACE, boards=boards)


# --- seeds and starts ----------------------------------------------------------------------------


def test_games_depend_on_the_seed() -> None:
    def moves(seed: int) -> list[tuple[int, ...]]:
        return [each.moves for each in play_games(lambda rows, _: rows, seed=seed, games=4)]

    first, second = moves(1), moves(2)
    assert moves(1) == first
    assert len({*moves(0), *first, *second}) > 8  # most of the twelve games differ
    assert [game.seed for game in expected_games()] == [0, 1, 2]


def after(*texts: str) -> Position:
    position = game().start()
    for text in texts:
        position.push(text)
    return position


def test_games_begin_with_the_callers_positions() -> None:
    starts = [after("a2a3"), after("a2a3", "a7a6", "b2b3")]
    copies = [start.copy() for start in starts]
    played = play_games(lambda rows, _: rows, starts=starts, games=5)
    assert [each.start for each in played] == [0, 1, 0, 1, 0]
    for each in played:
        position = starts[each.start].copy()
        position.seed(each.seed)
        assert each.boards[0] == position.cells
        assert each.movers[0] == position.player_index + 1
        for index in each.moves:
            position.push(position.legal_moves[index])
        assert position.result == each.outcome
    assert starts == copies


def test_game_can_begin_with_a_set_up() -> None:
    setup = [("White", "pawn", "b7"), ("Black", "pawn", "h2")]
    start = game().start(setup=setup, turn="White")
    (played,) = play_games(lambda rows, _: rows, starts=[start], games=1)
    assert len(played.moves) == 1  # every move of b7 wins
    assert played.outcome.winners == ("White",)


def test_invalid_starts_are_refused() -> None:
    of_another_game = loaded("breakthrough").start()
    with raises(EngineOptionError, "arrays.start-of-another-game"):
        SelfPlay(game(), batch=1, games=1, space=SPACE, starts=[of_another_game])
    won = game().start(setup=[("White", "pawn", "b8"), ("Black", "pawn", "h2")], turn="Black")
    assert won.result is not None
    with raises(EngineOptionError, "arrays.decided-start"):
        SelfPlay(game(), batch=1, games=1, space=SPACE, starts=[won])


@pytest.mark.parametrize(
    "options", [{"seed": -1}, {"seed": 2**32}, {"threads": "2"}, {"most_nodes": SPACE}]
)
def test_invalid_selfplay_counts_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        SelfPlay(game(), batch=1, games=1, space=SPACE, **options)  # type: ignore[arg-type]


# --- single playouts -----------------------------------------------------------------------------


def play_single_playouts(priors: Sequence[float], warm: int, seed: int = 0) -> PlayedGame:
    """Play a game with one playout per move and constant priors."""
    tictactoe = forthvm.load("tictactoe")
    play = SelfPlay(tictactoe, batch=1, games=1, space=9, playouts=1, sampled_plies=warm, seed=seed)
    while play.leaves() is not None:
        play.submit(VALID_REWARDS, [priors])
    return play.finished[0]


@pytest.mark.slow
def test_single_playout_plays_by_the_priors() -> None:
    best_third = [0.1, 0.2, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]
    assert play_single_playouts(best_third, warm=0).moves == (2, 2, 2, 2, 2)
    only_third = [0.0, 0.0, 1.0] + [0.0] * 6
    assert play_single_playouts(only_third, warm=9).moves == (2, 2, 2, 2, 2)
    drawn = {play_single_playouts(best_third, warm=9, seed=seed).moves[0] for seed in range(20)}
    assert len(drawn) > 2
    without_priors = {
        play_single_playouts([0.0] * 9, warm=9, seed=seed).moves[0] for seed in range(20)
    }
    assert len(without_priors) > 3  # all moves are equally likely


# --- masks ---------------------------------------------------------------------------------------


def test_decided_position_has_no_legal_actions() -> None:
    position = loaded("tictactoe").start()
    for square in ("a1", "a2", "b1", "b2", "c1"):
        position.push(square)
    assert position.result is not None
    assert list(legal_mask(position, 9)) == [0] * 9
    position.pop()
    assert list(legal_mask(position, 9)) == [1] * 5 + [0] * 4
    for space in (0, -1):
        with raises(EngineOptionError, "arrays.invalid-space"):
            legal_mask(position, space)


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_learning_names_are_in_the_package_and_imported_lazily() -> None:
    names = ("SelfPlay", "SearchTree", "random_playouts", "board_array", "legal_mask")
    for name in (*names, "Evaluator", "EvaluationView", "EvaluatorError", "analyse", "MctsEngine"):
        assert name in engines.__all__
        assert name in dir(engines)
        assert getattr(engines, name).__name__ == name
    with raises(AttributeError, "arrays.misspelt-name"):
        _ = engines.SelfPaly  # type: ignore[attr-defined]
    code = (
        "import sys, forthvm.engines\n"
        "assert 'forthvm.engines.selfplay' not in sys.modules\n"
        "assert 'forthvm.engines.search.mcts' not in sys.modules\n"
        "assert 'forthvm.engines.evaluator' not in sys.modules\n"
        "from forthvm.engines import *\n"
        "print(SelfPlay.__name__)\n"
    )
    process = run(sys.executable, "-c", code)
    assert (process.stdout, process.stderr) == ("SelfPlay\n", "")


def test_limits_of_mcts_are_playouts_and_time_but_not_depth() -> None:
    position = game().start()
    first, *others = [
        engines.get("mcts:seed=1").play(position, limits)
        for limits in (Limits(nodes=80), Limits(nodes=80, depth=1), Limits(nodes=80, depth=50))
    ]
    assert first.nodes == 80
    for result in others:
        assert (result.move, result.score, result.pv) == (first.move, first.score, first.pv)
        assert result.nodes == 80
    assert engines.get("mcts:depth=2,seed=1").play(position, Limits(depth=1)).nodes == 2000

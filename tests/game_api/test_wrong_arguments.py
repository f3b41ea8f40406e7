"""Arguments of wrong types: a TypeError names the accepted types and the argument."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import forthvm
from forthvm import debug, engines, render
from forthvm.engines import MctsEngine, SearchTree, SelfPlay, get
from forthvm.game import HistoryEntry, IllegalMoveError, Position, perft_divide
from tests.game_api.conftest import Loader
from tests.kit.cases import each_case
from tests.kit.games import loaded, play
from tests.kit.messages import raises

Wrong: TypeAlias = Any
"""The type of arguments that are wrong intentionally."""
ENGINES = ("random", "first", "negamax", "maxn", "paranoid", "brs", "mcts", "axiom", "script")


@pytest.fixture
def position() -> Position:
    start = play(loaded("tictactoe").start(), "b2")
    return start


def check_refused(call: Callable[[], object], *words: str) -> None:
    """Check that a call raises TypeError with all the words in its message."""
    with pytest.raises(TypeError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)
    assert "object has no attribute" not in str(caught.value)


@pytest.mark.parametrize("given", [3, None, b"tictactoe"])
def test_load_accepts_only_names_and_paths(given: Wrong) -> None:
    check_refused(lambda: forthvm.load(given), "load takes", "name", "path", f"not {given!r}")


WRONG: dict[str, tuple[str, list[Wrong]]] = {
    "library": ("a path", [3, b"axiom"]),
    "axiom": ("one of 140, 140-exact, 150, 151", [152, "1.5", True]),
    "seed": ("an integer from -2147483648 to 2147483647", ["a", 1.5, True, 2**31, -(2**31) - 1]),
    "clock": ("an integer from -2**62 to 2**62", ["x", 1.5, 2**70]),
    "checked": ("true or false", ["no", 1, None]),
    "budget": ("a forthvm.Budget", [3, {"seconds": 1}]),
    "output": ("a function or a text stream", [3, "out.txt"]),
    "include": ("a list", ["abc", None, Path()]),
    "game_log": ("a path", [3, True]),
}
"""What `load` and `VM` expect of each argument, and values that they refuse."""
WRONG_FOR_LOAD = WRONG | {
    "settings": (
        'texts, integers or bools by name, as {"NAME": "VALUE"}',
        [["moves"], "moves=leaps", {"moves": 1.5}, {3: "x"}, 5],
    ),
    "variant": ("the title or index of a variant", [True, 1.5, ["x"]]),
}


@each_case(
    ("call", "name", "argument"),
    [
        (call, name, argument)
        for call, name, table in (
            (partial(forthvm.load, "tictactoe"), "load", WRONG_FOR_LOAD),
            (forthvm.VM, "VM", WRONG),
        )
        for argument in table
    ],
)
def test_loading_names_the_wrong_argument(
    call: Callable[..., object], name: str, argument: str
) -> None:
    expected, values = WRONG_FOR_LOAD[argument]
    for value in values:
        with pytest.raises(TypeError) as caught:
            call(**{argument: value})
        assert isinstance(caught.value, ValueError)
        assert str(caught.value) == f"{name}: `{argument}`: expected {expected}, not {value!r}"


def test_a_path_in_a_list_is_named_by_its_index() -> None:
    paths: Wrong = [".", 3]
    with pytest.raises(TypeError, match=re.escape("load: `include[1]`: expected a path, not 3")):
        forthvm.load("tictactoe", include=paths)


def test_integers_may_be_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    game = forthvm.load("backgammon", seed=numpy.int64(3))
    assert game.digest == forthvm.load("backgammon", seed=3).digest
    assert len(forthvm.vector(game, numpy.uint8(2), seed=numpy.int32(3))) == 2


@each_case("variant", [0, "splut-duel"])
def test_a_script_has_no_variants(variant: str | int) -> None:
    with raises(forthvm.ForthVMError, "wrong-arguments.variant-of-a-script", name="splut"):
        forthvm.load("splut", variant=variant)


def test_a_script_has_no_settings_of_rule_files(load: Loader) -> None:
    for name in ("chain", "settings"):
        with raises(forthvm.SettingError, "wrong-arguments.setting-of-rule-files"):
            load(name, settings={"goal-order": "first"})


@pytest.mark.parametrize("given", ["7", None, 1.5])
def test_seed_accepts_only_integers(position: Position, given: Wrong) -> None:
    check_refused(lambda: position.seed(given), "seed takes an integer", f"not {given!r}")


# --- moves ----------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [3, 1.5, None, ["b3"], b"b3", object()])
def test_push_accepts_only_moves(position: Position, given: Wrong) -> None:
    before = position.copy()
    check_refused(lambda: position.push(given), "push", "legal move", "text", "history")
    assert position == before
    assert position.ply == 1


def test_push_shows_its_argument_in_the_message(position: Position) -> None:
    number: Wrong = 3
    nothing: Wrong = None
    check_refused(lambda: position.push(nothing), "not None")
    check_refused(lambda: position.push(number), "not 3")
    result: Wrong = get("first").play(position)
    check_refused(lambda: position.push(result), "not a SearchResult", "push its `.move`")


def test_push_accepts_a_history_entry(position: Position) -> None:
    after = position.copy()
    position.push(position.pop())
    assert position == after
    position.push(position.pop().entry)
    assert position == after
    position.push("a1")
    played = position.history
    replayed = position.game.start()
    play(replayed, *played)
    assert replayed == position
    assert [entry.text for entry in replayed.history] == [entry.text for entry in played]


@each_case("name", ["splut", "chess", "draughts", "ur"])
def test_push_replays_histories(name: str) -> None:
    position = forthvm.load(name).start()
    for _ in range(30):
        if position.result is not None:
            break
        if position.is_stuck:
            position.push_pass()
        else:
            position.push(position.legal_moves[-1])
    replayed = position.game.start()
    play(replayed, *position.history)
    assert replayed == position


def test_push_replays_passes_of_the_host(load: Loader) -> None:
    position = load("frozen").start()
    position.push_pass()
    after = position.copy()
    position.push(position.pop())
    assert position == after
    host_pass = position.pop()
    assert (host_pass.text, host_pass.is_pass, host_pass.index) == ("Pass", True, -1)
    assert host_pass.entry == after.history[-1]
    position.push(pickle.loads(pickle.dumps(host_pass)))
    assert position == after
    position.pop()
    position.push(host_pass.entry)
    assert position == after
    start = forthvm.load("tictactoe").start()  # X has legal moves
    with raises(IllegalMoveError, "wrong-arguments.only-a-player-without"):
        start.push(host_pass)


def test_an_entry_that_is_not_legal_is_refused(position: Position) -> None:
    entry = position.pop().entry
    position.push(entry)
    with raises(IllegalMoveError, "wrong-arguments.move-of-another-player"):
        position.push(entry)
    with raises(IllegalMoveError, "wrong-arguments.illegal-move"):
        position.push(HistoryEntry("O", "O mark b2", 0))


def test_texts_of_moves_must_be_text(position: Position) -> None:
    move: Wrong = position.legal_moves[0]
    number: Wrong = 3
    check_refused(partial(position.push, number), "a legal move, its text", "not 3")
    check_refused(partial(position.parse, number), "text of a move", "not 3")
    check_refused(partial(position.parse, move), "text of a move", "a Move", "push")


def test_explain_and_why_not_refuse_other_types_than_moves(position: Position) -> None:
    number: Wrong = 3
    check_refused(lambda: forthvm.explain(position, number), "a legal move or its text", "not 3")
    check_refused(lambda: forthvm.why_not(position, number), "text of a move", "not 3")
    check_refused(lambda: debug.play_target(position, number), "text of a move", "not 3")


@pytest.mark.parametrize("at", ["a1", 1.0, None])
def test_indices_of_the_list_are_integers(position: Position, at: Wrong) -> None:
    check_refused(lambda: position.legal_moves[at], "legal_moves", "an index", f"not {at!r}")


# --- games, positions, set-ups ----------------------------------------------------------------


def test_arguments_that_must_be_games(position: Position) -> None:
    name: Wrong = "tictactoe"
    for call in (
        lambda: position.copy(game=name),
        lambda: Position.from_json(name, position.to_json()),
    ):
        check_refused(call, "a game", "forthvm.load", "not 'tictactoe'")
    not_a_game: Wrong = position
    check_refused(
        lambda: SelfPlay(not_a_game, batch=1, games=1, space=9), "a game", "not a Position"
    )


@pytest.mark.parametrize("given", ["game", None, "b2", 3])
def test_arguments_that_must_be_positions(position: Position, given: Wrong) -> None:
    wrong: Wrong = position.game if given == "game" else given
    shown = {"game": "not a Game", "b2": "not 'b2'"}.get(given, f"not {given}")
    tree = SearchTree(position)
    for call in (
        *(lambda name=name: get(name).play(wrong) for name in ENGINES),
        lambda: get("chance").play(wrong),
        lambda: engines.choose_move(get("random"), wrong),
        lambda: engines.analyse("random", wrong),
        lambda: engines.random_playouts(wrong, 3),
        lambda: engines.legal_mask(wrong, 9),
        lambda: engines.board_array(wrong),
        lambda: SearchTree(wrong),
        lambda: SearchTree.from_json(wrong, tree.to_json()),
        lambda: SelfPlay(position.game, batch=1, games=1, space=9, starts=[wrong]),
        lambda: forthvm.perft(wrong, 2),
        lambda: perft_divide(wrong, 2),
        lambda: forthvm.why_not(wrong, "a1"),
        lambda: forthvm.explain(wrong, "a1"),
        lambda: render.text(wrong),
        lambda: render.svg(wrong),
        lambda: render.scene(wrong),
        lambda: debug.play_target(wrong, "a1"),
        lambda: debug.moves_target(wrong),
        lambda: debug.search_target(wrong),
    ):
        check_refused(call, "a position", "start()", shown)


def test_arguments_of_set_ups(position: Position) -> None:
    game = position.game
    for setup in ("x", 3, [("X", "mark")], [("X", "mark", 1)], ["X mark a1"]):
        check_refused(partial(game.start, setup=setup), "setup", "(player, piece type, position)")
    turn: Wrong = 1.5
    check_refused(lambda: game.start(turn=turn), "turn", "not 1.5")
    variables: Wrong = ["x"]
    check_refused(lambda: game.start(variables=variables), "variables", "not ['x']")


def test_random_state_accepts_only_random_states(position: Position) -> None:
    number: Wrong = 5
    with raises(TypeError, "wrong-arguments.random-state"):
        position.random_state = number


# --- limits, engines, styles ------------------------------------------------------------------


@pytest.mark.parametrize("given", [1.0, 3, "1", {"time": 1.0}])
def test_arguments_that_must_be_limits(position: Position, given: Wrong) -> None:
    tree = SearchTree(position)
    for call in (
        *(lambda name=name: get(name).play(position, given) for name in ENGINES),
        lambda: engines.choose_move(get("random"), position, given),
        lambda: engines.analyse("random", position, given),
        lambda: MctsEngine(seed=1).grow(tree, given),
    ):
        check_refused(call, "Limits(time=1.0)", f"not {given!r}")


def test_arguments_that_must_be_debug_targets(position: Position) -> None:
    wrong: Wrong = position
    check_refused(lambda: debug.Session(wrong), "a target", "debug.moves_target", "not a Position")


def test_arguments_that_must_be_engines(position: Position) -> None:
    name: Wrong = "random"
    nothing: Wrong = None
    check_refused(
        lambda: engines.choose_move(name, position), "an engine", "engines.get", "not 'random'"
    )
    check_refused(lambda: engines.choose_move(nothing, position), "an engine", "not None")

    wrong: Wrong = position
    check_refused(lambda: MctsEngine(seed=1).grow(wrong), "a SearchTree", "not a Position")


def test_arguments_that_must_be_styles(position: Position) -> None:
    width: Wrong = 80
    check_refused(lambda: render.text(position, width), "TextStyle(width=80)", "not 80")
    check_refused(lambda: render.text(position, marks=width), "marks", "not 80")


def test_long_values_are_cut_in_messages(position: Position) -> None:
    long: Wrong = ["x" * 1000]
    with pytest.raises(TypeError) as caught:
        position.push(long)
    assert len(str(caught.value)) < 300
    assert re.search(r"not \['x+\.\.\.", str(caught.value))

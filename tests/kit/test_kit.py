"""The kit itself: cases of a test, words of messages, small games, and programs."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from random import Random

import pytest

from tests.kit.boards import drops, grid, steps
from tests.kit.cases import each_case
from tests.kit.games import load_text, loaded, play, texts
from tests.kit.messages import raises, read
from tests.kit.processes import output_of, run, start
from tests.kit.random_games import push_random_moves, random_game


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", range(3))
def test_all_but_each_nth_case_are_slow(request: pytest.FixtureRequest, number: int) -> None:
    assert (request.node.get_closest_marker("slow") is not None) == (number == 1)


@each_case(("number", "square"), [(1, 2), (2, 4), pytest.param(3, 8)])
def numbers(number: int, square: int) -> None:
    assert number * number == square


def test_all_cases_that_fail_are_named() -> None:
    with pytest.raises(ExceptionGroup, match="2 of 3 cases failed") as caught:
        numbers()
    notes = [error.__notes__ for error in caught.value.exceptions]
    assert notes == [[f"in the case {{'number': {n}, 'square': {s}}}"] for n, s in ((1, 2), (3, 8))]


def test_the_remaining_arguments_are_fixtures() -> None:
    seen = []

    @each_case("number", [1, 2])
    def collect(number: int, factor: int) -> None:
        seen.append(factor * number)

    assert list(inspect.signature(collect).parameters) == ["factor"]
    collect(factor=3)
    assert seen == [3, 6]


def test_a_case_has_no_mark_of_its_own() -> None:
    with pytest.raises(TypeError, match="no mark of its own"):
        each_case("number", [pytest.param(1, marks=pytest.mark.slow)])(print)


def test_a_message_has_the_words_of_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.kit.messages.read", lambda: {"a.b": "… has no {what}"})
    with raises(ValueError, "a.b", what="games"):
        raise ValueError("x.db has no games")
    with (
        pytest.raises(AssertionError, match=r"a\.b: x\.db has no rows\n  expected … has no"),
        raises(ValueError, "a.b", what="games"),
    ):
        raise ValueError("x.db has no rows")


@pytest.mark.slow
def test_each_message_is_used() -> None:
    tests = Path(__file__).parents[1]
    sources = "".join(path.read_text("utf-8") for path in tests.rglob("test_*.py"))
    assert [key for key in read() if f'"{key}"' not in sources] == []


def test_a_program_has_a_folder_an_input_and_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHAPE", "square")
    code = "import os; print(os.getcwd(), input(), os.environ.get('SIZE'), os.environ.get('SHAPE'))"
    printed = output_of(
        sys.executable, "-c", code, folder=tmp_path, stdin="x\n", SIZE="3", SHAPE=None
    )
    assert printed == f"{tmp_path.resolve()} x 3 None\n"


def test_the_output_of_a_program_that_fails_is_an_error() -> None:
    command = (sys.executable, "-c", "import sys; print('half'); sys.exit('broken')")
    assert run(*command).returncode == 1
    with pytest.raises(AssertionError, match="half\nbroken"):
        output_of(*command)


def test_a_game_of_parts(tmp_path: Path) -> None:
    text = grid(2, 3, "n e", players="A B C", more="{variable} count") + steps("man", "n e")
    game = load_text(tmp_path, text)
    start = game.start(setup=[("A", "man", "a1")])
    assert (game.players, dict(start.variables)) == (("A", "B", "C"), {"count": 0})
    assert texts(start) == ["man a1 - a2", "man a1 - b1"]


def test_pieces_are_dropped_on_empty_squares(tmp_path: Path) -> None:
    start = load_text(tmp_path, grid(1, 2) + drops("man", "king")).start()
    assert texts(play(start, "White man a1")) == ["Black man b1", "Black king b1"]


def test_a_random_game_is_followed() -> None:
    plies = [position.ply for position in random_game(loaded("tictactoe").start(), 3, Random(1))]
    assert plies == [0, 1, 2, 3]
    *_, last = random_game(loaded("tictactoe").start(), 99, Random(1))
    assert last.result is not None
    assert push_random_moves(loaded("tictactoe").start(), 99, Random(1)) == last


def test_a_started_program_is_killed_at_the_end_of_its_block() -> None:
    code = "import os, time; print(input(), os.environ['SIZE'], flush=True); time.sleep(600)"
    with start(sys.executable, "-c", code, SIZE="3") as program:
        program.stdin.write("x\n")
        assert program.stdout.readline() == "x 3\n"
        assert program.poll() is None
    assert program.returncode not in (None, 0)

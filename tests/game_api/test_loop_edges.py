"""Loops over moves: wrong arguments, failing scripts, hooks, threads, long lists."""

from __future__ import annotations

import gc
import inspect
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

import forthvm
from forthvm.game.position import KEPT_LISTS, Position
from forthvm.game.states import State
from tests.kit.boards import drops, grid
from tests.kit.games import load_text, loaded, script_of


def test_push_pop_and_legal_moves_have_docstrings() -> None:
    assert list(inspect.signature(Position.push).parameters) == ["self", "move", "after_end"]
    assert list(inspect.signature(Position.pop).parameters) == ["self"]
    assert inspect.getdoc(Position.push).startswith("Make a legal move.")  # type: ignore[union-attr]
    assert "IndexError: No move has been made." in inspect.getdoc(Position.pop)  # type: ignore[operator]
    assert Position.push.__qualname__ == "Position.push"
    legal_moves = inspect.getattr_static(Position, "legal_moves")
    assert isinstance(legal_moves, property)
    assert inspect.getdoc(legal_moves).startswith("The legal moves in the original's order")  # type: ignore[union-attr]


def test_wrong_arguments_of_push_and_pop_raise() -> None:
    game = forthvm.load("breakthrough")
    pos = game.start()
    moves = pos.legal_moves
    pos.push(move=moves[0])
    pos.pop()
    pos.push(moves[1].text)
    assert pos.pop().index == 1
    calls: tuple[tuple[Callable[..., object], str], ...] = (
        (pos.push, "push() missing 1 required positional argument: 'move'"),
        (lambda: pos.push(*moves[:2]), "push() takes 2 positional arguments but 3 were given"),
        (lambda: pos.pop(1), "pop() takes 1 positional argument but 2 were given"),  # type: ignore[call-arg]
        (lambda: pos.pop(last=1), "pop() got an unexpected keyword argument 'last'"),  # type: ignore[call-arg]
    )
    for call, text in calls:
        with pytest.raises(TypeError) as refused:
            call()
        assert str(refused.value) == f"Position.{text}"
    with pytest.raises(AttributeError, match="property 'legal_moves' of 'Position' object has no"):
        pos.legal_moves = moves  # type: ignore[misc]
    for wrong in object(), None, game:
        with pytest.raises((TypeError, AttributeError)):
            Position.push(wrong, moves[0])  # type: ignore[arg-type]
        with pytest.raises((TypeError, AttributeError)):
            Position.pop(wrong)  # type: ignore[arg-type]
        with pytest.raises((TypeError, AttributeError, forthvm.IllegalMoveError)):
            pos.push(wrong)  # type: ignore[arg-type]
    with pytest.raises(IndexError):
        pos.pop()
    pos.push(moves[2])
    with pytest.raises(forthvm.IllegalMoveError):
        pos.push(moves[0])
    assert pos.ply == 1


def test_a_subclass_can_override_push_and_pop() -> None:
    class Recording(Position):
        def push(self, move: forthvm.Move | str) -> None:
            calls_made.append(str(move))
            super().push(move)

        def pop(self) -> forthvm.Move:
            calls_made.append("pop")
            return super().pop()

    calls_made: list[str] = []
    game = forthvm.load("breakthrough")
    pos = Recording(game, game.start()._state)
    for move in pos.legal_moves[:3]:
        pos.push(move)
        pos.pop()
    assert len(calls_made) == 6
    assert calls_made[1::2] == ["pop"] * 3
    assert pos == game.start()


def test_a_failing_move_raises_in_push_and_changes_nothing(tmp_path: Path) -> None:
    hook = ": OnNextTurn ( -- ) made @ 7 > IF 1 0 / DROP THEN OnNextTurn ;\n"
    game = load_text(tmp_path, script_of("breakthrough") + "\nVARIABLE made\n" + hook)
    pos = game.start()
    before = pos.copy()
    pos.push(pos.legal_moves[0])
    pos.pop()
    broken = game.start(variables={"made": 8})
    for move in broken.legal_moves:
        for _ in range(2):
            with pytest.raises(forthvm.DivisionError) as failure:
                broken.push(move)
            assert failure.value.word == "/"
        assert broken.history == ()
    pos.push(pos.legal_moves[1])
    pos.pop()
    assert pos == before


def test_pushes_in_a_long_game_keep_few_lists() -> None:
    pos = loaded("breakthrough").start()
    line: list[str] = []
    while len(line) < KEPT_LISTS + 8:
        moves = list(pos.legal_moves)
        line.append(moves[len(line) % len(moves)].text)
        pos.push(moves[len(line[:-1]) % len(moves)])
    kept = [move._state.listed is not None for move in pos._made]
    assert kept == [True] + [False] * 8 + [True] * (
        KEPT_LISTS - 1
    )  # the first position keeps its list
    assert [played.text for played in pos.history] == line
    for text in reversed(line):
        assert pos.pop().text == text


@pytest.mark.slow
def test_loops_leave_no_states_behind() -> None:
    game = forthvm.load("breakthrough")
    states: list[weakref.ref[State]] = []

    def loop() -> None:
        pos = game.start()
        for move in pos.legal_moves:
            pos.push(move)
            for reply in pos.legal_moves:
                pos.push(reply)
                pos.pop()
            states.append(weakref.ref(pos._state))
            pos.pop()

    loop()
    gc.collect()  # garbage of other tests
    references = [sys.getrefcount(value) for value in (None, True, False, 0, 1)]
    for _ in range(20):
        loop()
    gc.collect()
    alive = [ref for ref in states if ref() is not None]
    assert len(alive) <= 1  # the state in the VM's memory
    for value, before in zip((None, True, False, 0, 1), references, strict=True):
        assert abs(sys.getrefcount(value) - before) < 2000  # there were 10,000 pushes


def test_pop_returns_the_move_that_was_pushed() -> None:
    pos = loaded("breakthrough").start()
    for move in pos.legal_moves:
        pos.push(move)
        assert pos.pop() is move
    pos.push(loaded("breakthrough").start().legal_moves[5])
    played = pos.pop()
    assert played == pos.legal_moves[5]
    assert played._state is pos._state


def test_a_list_returns_the_same_move_objects() -> None:
    pos = loaded("breakthrough").start()
    moves = pos.legal_moves
    third = moves[3]
    first, *others = moves
    assert others[2] is third
    assert next(iter(moves)) is first is moves[0]
    pos.push(first)
    unread = pos.legal_moves
    pos.pop()
    pos.push(third)  # `unread` was not generated before `pop`
    assert len(unread) == len(pos.legal_moves) == 22
    assert next(iter(unread)) != first


LARGE = grid(40, 40) + drops("stone")
LARGE += """\
: OnIsGameOver ( -- score ) #UnknownScore ;
"""


def test_lists_may_have_1600_moves(tmp_path: Path) -> None:
    pos = load_text(tmp_path, LARGE, name="large.4th").start()
    assert len(list(pos.legal_moves)) == 1600
    pos.push(list(pos.legal_moves)[-1])
    assert len(list(pos.legal_moves)) == 1599
    assert pos.pop().index == 1599


def test_a_failing_list_raises_when_it_is_used(tmp_path: Path) -> None:
    hook = ": OnIsGameOver ( -- score ) turn-number 1 > IF 1 0 / DROP THEN OnIsGameOver ;\n"
    pos = load_text(tmp_path, script_of("breakthrough") + "\n" + hook).start()
    before = pos.copy()
    for move in pos.legal_moves:
        pos.push(move)
        legal = pos.legal_moves
        for use in iter, len, list:
            with pytest.raises(forthvm.DivisionError) as failure:
                use(legal)
            assert failure.value.word == "/"
        pos.pop()
    assert pos == before


PRINTING_HOOK = """
VARIABLE prints
: OnIsGameOver ( -- score ) prints @ IF ." called " THEN OnIsGameOver ;
"""


def test_an_exception_of_the_output_function_during_generation_is_raised(tmp_path: Path) -> None:
    game = load_text(tmp_path, script_of("breakthrough") + PRINTING_HOOK)
    pos = game.start(variables={"prints": 1})

    def refuse(_: str) -> None:
        raise KeyError("no")

    for move in list(pos.legal_moves)[:3]:
        pos.push(move)
        game._loaded.vm.output = refuse
        for _ in range(2):
            with pytest.raises(KeyError):
                list(pos.legal_moves)
        game._loaded.vm.output = None
        assert len(list(pos.legal_moves)) == 22
        pos.pop()


@pytest.mark.slow
def test_a_game_with_a_reference_cycle_is_collected() -> None:
    game = forthvm.load("breakthrough")
    game._loaded.vm.output = lambda _, game=game: None
    pos = game.start()
    for move in pos.legal_moves:
        pos.push(move)
        list(pos.legal_moves)
        pos.pop()
    reference = weakref.ref(game._loaded.states)
    del game, pos, move
    gc.collect()
    assert reference() is None


def test_another_thread_can_delete_positions_during_a_loop(tmp_path: Path) -> None:
    hook = ": OnNextTurn ( -- ) slow @ IF 300000 0 DO LOOP THEN OnNextTurn ;\n"
    game = load_text(tmp_path, script_of("breakthrough") + "\nVARIABLE slow\n" + hook)
    pos = game.start(variables={"slow": 1})
    moves, others = list(pos.legal_moves), []
    for move in moves[:4]:
        pos.push(move)
        others += [reply._source.state for reply in pos.legal_moves][:1]
        pos.pop()

    def drop() -> None:
        while others:
            others.pop()

    thread = Thread(target=drop)
    thread.start()
    for move in moves[:3]:
        pos.push(move)
        pos.pop()
    thread.join()
    assert len(list(pos.legal_moves)) == 22


def test_an_index_outside_the_list_raises() -> None:
    pos = loaded("breakthrough").start()
    source = pos.legal_moves[0]._source
    pos.push(pos.legal_moves[0])
    pos.pop()
    for index in 10**30, -(10**30), 22:
        with pytest.raises(IndexError):
            pos.push(forthvm.Move(source, index))
    assert pos.ply == 0


PRINTING_TURN = """
VARIABLE prints
: print-often ( -- ) 2000 BEGIN ." next " 1- DUP NOT UNTIL DROP ;
: OnNextTurn ( -- ) prints @ IF print-often THEN OnNextTurn ;
"""


def test_output_functions_that_use_the_game_do_not_change_moves(tmp_path: Path) -> None:
    game = load_text(tmp_path, script_of("breakthrough") + PRINTING_TURN)
    pos = game.start(variables={"prints": 1})
    moves = list(pos.legal_moves)
    expected = []
    for move in moves:
        pos.push(move)
        expected.append(pos.to_json())
        pos.pop()
    hook_calls: list[object] = []

    def start(_: str) -> None:
        with pytest.raises(forthvm.ForthVMError):
            game.start()
        hook_calls.append(game)

    def forget(_: str) -> None:
        game._loaded.states.release()
        hook_calls.append(game)

    for output_function in start, forget:
        game._loaded.vm.output = output_function
        for move, document in zip(moves, expected, strict=True):
            for _ in range(3):
                pos.push(move)
                pos.pop()
            pos.push(move)
            assert pos.to_json() == document
            pos.pop()
    assert len(hook_calls) >= 8 * len(moves)


def test_an_output_function_that_needs_the_memory_after_loading_raises(tmp_path: Path) -> None:
    """This also applies to output at the end of a run, when the move is not finished."""
    game = load_text(
        tmp_path, script_of("breakthrough") + ': OnNextTurn ( -- ) ." next" OnNextTurn ;\n'
    )
    pos = game.start()
    moves = list(pos.legal_moves)
    pos.push(moves[0])
    expected = pos.legal_moves.texts
    pos.pop()
    refused: list[str] = []

    def read(text: str) -> None:
        for name in "variables", "random_state":
            with pytest.raises(forthvm.ForthVMError):
                getattr(pos, name)
        refused.append(text)

    for _ in range(2):
        game._loaded.vm.output = read
        pos.push(moves[0])
        game._loaded.vm.output = None
        assert pos.legal_moves.texts == expected
        pos.pop()
    assert refused == ["next"] * 2
    assert pos.variables is not None


def test_another_thread_can_interrupt_a_push(tmp_path: Path) -> None:
    hook = ": OnNextTurn ( -- ) slow @ IF BEGIN FALSE UNTIL THEN OnNextTurn ;\n"
    game = load_text(tmp_path, script_of("breakthrough") + "\nVARIABLE slow\n" + hook)
    pos = game.start(variables={"slow": 1})
    moves = list(pos.legal_moves)
    native = game._loaded.vm.native
    done: list[bool] = []

    def interrupt() -> None:
        while not done:
            native.interrupt()

    for move in moves[:3]:
        done.clear()
        thread = Thread(target=interrupt)
        thread.start()
        with pytest.raises((forthvm.Interrupted, KeyboardInterrupt)):
            pos.push(move)
        done.append(True)
        thread.join()
    assert pos.ply == 0

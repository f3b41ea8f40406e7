"""Loops that make and take back every move: the fast paths must not change results.

The fast paths save the state after a move only when it is used.  They reuse a move list if a second
generation must give the expected list.  They read the texts of moves taken back only when needed.
"""

from __future__ import annotations

import copy
import pickle
import random
from pathlib import Path
from threading import Thread

import pytest

import forthvm
from forthvm.game.memory.differences import changed_runs
from forthvm.game.memory.scratch import declared_scratch
from forthvm.game.notation import HistoryEntry
from forthvm.game.position import Position
from tests.kit.cases import each_case
from tests.kit.every_game import every_game
from tests.kit.games import load_text, loaded
from tests.kit.random_games import random_game

SMALL = {"tictactoe": 3, "breakthrough": 2, "chess": 2, "splut": 3, "draughts": 3, "ur": 3}


def count_moves(pos: Position, depth: int) -> int:
    count = 0
    for move in pos.legal_moves:
        pos.push(move)
        count += count_moves(pos, depth - 1) if depth > 1 else 1
        pos.pop()
    return count


@each_case(("name", "depth"), SMALL.items())
def test_a_loop_counts_as_perft_and_changes_nothing(name: str, depth: int) -> None:
    pos = forthvm.load(name).start()
    before = pos.copy()
    assert count_moves(pos, depth) == forthvm.perft(before, depth)
    assert pos == before
    assert pos.history == ()


@every_game()
def test_a_reused_list_equals_a_generated_list(name: str) -> None:
    game = forthvm.load(name, seed=3)
    for pos in random_game(game.start(), 12, random.Random(11)):
        state = pos._state
        if state.partial:
            continue
        with game._loaded.states.in_memory(state, listed=False) as native:
            arrived = native.snapshot_take()
            code, moves, listed = native.loop_list(arrived, result_known=False)
            steps = native.steps()
            native.snapshot_restore(arrived)
            with native.operation():
                native.game_generate()
                assert native.game_over() == code
                native.game_generate()
                assert native.steps() == steps
            assert native.move_list() == tuple(moves)
            scratch = declared_scratch(game._loaded)  # may differ, since nothing depends on it
            assert not changed_runs(native.snapshot_take(), listed, ignored=scratch)


def test_moves_and_boards_are_valid_after_pop() -> None:
    pos = loaded("breakthrough").start()
    first, second = pos.legal_moves[:2]
    pos.push(first)
    pos.pop()
    pos.push(second)  # from here on, states are saved only when used
    after, unread_moves = pos.copy(), pos.legal_moves
    board, turn = pos.board, pos.turn
    pos.pop()
    pos.push(first)
    assert after.board == board != pos.board
    assert turn == after.turn == "Black"
    assert len(unread_moves) == len(after.legal_moves) == 22
    assert after.history[0].text == second.text
    assert pos.history == (HistoryEntry("White", first.text, 0),)


def test_the_vm_can_be_used_between_moves() -> None:
    game = forthvm.load("breakthrough")
    start = game.start()
    with game._loaded.states.in_memory(start._state, listed=False) as native:
        end_of_dictionary = native.here()
    pos = game.start()
    for move in list(pos.legal_moves)[:3]:
        pos.push(move)
        # The lists were dropped when the move was made.
        assert game._loaded.vm.call("HERE") == (end_of_dictionary,)
        assert game._loaded.vm.call("player-at", 63)  # words of the script read the board
        game._loaded.vm.call("DROP", 5)
        assert len(pos.legal_moves) == 22
        assert pos.turn == "Black"
        pos.pop()
        assert pos == start
    assert count_moves(pos, 1) == 22


def test_a_move_has_its_entry_of_a_history() -> None:
    pos = forthvm.load("breakthrough").start()
    for at, move in enumerate(pos.legal_moves):
        pos.push(move)
        played = pos.pop().entry
        expected = HistoryEntry("White", move.text, at)
        assert played == expected
        assert hash(played) == hash(expected)
        assert move.player == "White"
        assert pickle.loads(pickle.dumps(played)) == expected
        assert copy.copy(played) == expected
        assert (played.player, played.text, played.index) == ("White", move.text, at)
        assert repr(played) == repr(expected)
        assert played.replace(index=-1) == HistoryEntry("White", move.text, -1)
        with pytest.raises(AttributeError):
            played.text = "other"  # type: ignore[misc]
        with pytest.raises(AttributeError):
            _ = played.other  # type: ignore[attr-defined]


def test_loops_in_several_threads() -> None:
    game = forthvm.load("breakthrough")
    counts = []

    def count() -> None:
        counts.append(count_moves(game.start(), 2))

    threads = [Thread(target=count) for _ in range(3)]
    for thread in threads:
        thread.start()
    counts.append(count_moves(game.start(), 2))
    for thread in threads:
        thread.join()
    assert counts == [484] * 4


def test_budgets_apply_in_loops() -> None:
    game = forthvm.load("breakthrough", budget=forthvm.Budget(steps=100_000))
    pos = game.start()
    assert count_moves(pos, 2) == 484
    before, moves = pos.copy(), list(pos.legal_moves)
    pos.push(moves[0])
    pos.pop()
    game._loaded.vm.native.run_limits = (1, 0.0)
    with pytest.raises(forthvm.BudgetExceeded):
        pos.push(moves[1])
    assert pos == before
    game._loaded.vm.native.run_limits = (0, 0.0)
    assert count_moves(pos, 1) == 22


def test_the_result_of_a_finished_game_needs_no_second_list(tmp_path: Path) -> None:
    position = load_text(
        tmp_path,
        """
        {board 1 3 {grid} board}
        {directions 0 1 {direction} e directions}
        {players {player} Left {player} Right players}
        {turn-order {turn} Left {turn} Right turn-order}
        VARIABLE over
        : go ( -- ) over @ ABORT" a list after the end" e verify from here move add-move ;
        {moves steps {move} go moves}
        {pieces {piece} man {moves} steps pieces}
        {board-setup {setup} Left man a1 {setup} Right man c1 board-setup}
        : OnIsGameOver ( -- n )
            turn-number 2 = IF over ON ^" end" #WinScore ELSE #UnknownScore ENDIF ;
        """,
        name="ends.4th",
    ).start()
    position.push(position.legal_moves[0])
    assert position.result is not None

"""Debugging of games: breakpoints on moves and squares, searches, and the board during a run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm import debug
from forthvm.game import Position
from forthvm.render.draw_text import board_text
from tests.kit.games import load_text, loaded
from tests.kit.messages import raises


@pytest.fixture
def position() -> Position:
    return loaded("breakthrough").start()


@pytest.fixture
def session(position: Position) -> Iterator[debug.Session]:
    with debug.Session(debug.moves_target(position)) as made:
        yield made


def squares_of(state: debug.State) -> tuple[str, str]:
    """Return the board positions `from` and `here` of the move generation."""
    return state.generation_state.origin, state.generation_state.here


def test_breakpoint_on_added_moves(position: Position) -> None:
    texts = [str(move) for move in position.legal_moves]
    with debug.Session(debug.moves_target(position)) as session:
        session.add_breakpoint("on move")
        added = []
        while not session.continue_().ended:
            assert session.state.token == "add-move"
            added.append("pawn {} - {}".format(*squares_of(session.state)))
        assert added == texts
        assert session.state.result == tuple(texts)


def test_conditions_accept_squares_and_pieces(session: debug.Session) -> None:
    session.add_breakpoint("on move if here c3 = from d2 = AND")
    assert squares_of(session.continue_()) == ("d2", "c3")
    assert session.continue_().ended


def test_breakpoints_on_squares_and_pieces_stop_before_their_moves(
    session: debug.Session,
) -> None:
    point = session.add_breakpoint("on position e2")
    stops = []
    while not session.continue_().ended:
        stops.append((session.state.token, *squares_of(session.state)))
    assert stops == [(word, "e2", "e2") for word in ("advance", "slant-left", "slant-right")]
    session.delete(point.number)
    session.restart()
    session.add_breakpoint("on piece pawn if from h2 =")
    assert squares_of(session.continue_()) == ("h2", "h2")


def test_breakpoint_on_captures() -> None:
    position = forthvm.load("draughts").start()
    while not any("x" in str(move) for move in position.legal_moves):
        position.push(position.legal_moves[0])
        assert position.ply < 60
    with debug.Session(debug.moves_target(position)) as session:
        session.add_breakpoint("on capture")
        assert session.continue_().token.startswith("capture")


def test_unknown_names_raise(session: debug.Session) -> None:
    with raises(forthvm.ForthVMError, "sessions.unknown-piece"):
        session.add_breakpoint("on piece king")
    with raises(forthvm.ForthVMError, "sessions.unknown-position"):
        session.add_breakpoint("on position z9")
    with raises(forthvm.ForthVMError, "sessions.unknown-position"):
        session.add_watch("on z9")


def test_board_is_drawn_in_its_current_state(position: Position) -> None:
    move = next(move for move in position.legal_moves if str(move) == "pawn b2 - c3")
    with debug.Session(debug.play_target(position, str(move))) as session:
        session.add_watch("on c3")
        session.add_watch("on b2")
        first = session.continue_()
        assert [(c.name, c.old, c.new) for c in first.changes] == [("on b2", "White pawn", "empty")]
        second = session.continue_()
        assert [(c.name, c.old, c.new) for c in second.changes] == [
            ("on c3", "empty", "White pawn")
        ]
        board = session.board()
        owners = {piece.square: board.players[piece.player].name for piece in board.pieces}
        assert "b2" not in owners
        assert (owners["c3"], owners["d2"]) == ("White", "White")
        assert second.callers[0].word == "(move)"
        back = session.reverse_continue()
        assert (back.token, back.reason) == ("(add-piece)", "watch")
        end = session.continue_()
        while not end.ended:
            end = session.continue_()
        assert len(end.result) == 22  # type: ignore[arg-type]  # the number of Black's moves
    assert str(position.legal_moves[0]) == "pawn a2 - a3"


def test_from_and_here_are_marked(session: debug.Session) -> None:
    session.add_breakpoint("on move if here c3 =")
    session.continue_()
    board = session.board()
    assert {mark.square for mark in board.marks} == {"b2", "c3"}
    assert "< White >" in board_text(board)


def test_illegal_moves_raise(position: Position) -> None:
    with pytest.raises(forthvm.MoveError):
        debug.play_target(position, "pawn a2 - a4")
    with debug.Session(debug.play_target(position, "pawn a2 - a3", "pawn a2 - a3")) as session:
        end = session.continue_()
        assert end.error is not None
        assert "not a legal move" in str(end.error)


def test_breakpoints_stop_inside_a_search(position: Position) -> None:
    with debug.Session(debug.search_target(position, depth=4, nodes=0)) as session:
        session.resume()
        time.sleep(0.05)
        state = session.pause()
        assert state.reason == "pause"
        assert state.phase != ""
        calls = state.callers
        assert session.back(5).step < state.step
        assert session.run_to(state.step).callers == calls
        session.resume()
        time.sleep(0.02)
    assert str(position.legal_moves[0]) == "pawn a2 - a3"


def test_debugged_search_has_the_same_result(position: Position) -> None:
    from forthvm.core.bindings import SearchLimits

    with debug.Session(debug.search_target(position, depth=2)) as session:
        session.add_breakpoint("OnEvaluate")
        session.ignore(1, 20)
        session.continue_()
        session.delete(1)
        end = session.continue_()
    with position.game._loaded.states.in_memory(position._state) as native:
        native.search_reset()
        result = native.search_axiom(SearchLimits(2, 0, 100_000, 0.0))
        best = native.move_text(result.best)
    assert end.result == f"{best}, score {result.score}, {result.nodes} positions"


def test_engines_of_scripts_can_be_debugged() -> None:
    position = forthvm.load("tictactoe").start()
    with raises(forthvm.ForthVMError, "sessions.another-start"):
        debug.search_target(position, engine="mcts")
    with debug.Session(debug.search_target(position, engine="script", nodes=50)) as session:
        end = session.continue_()
        assert end.ended
        assert end.error is None or isinstance(end.error, forthvm.ForthVMError)


def test_words_run_in_a_position(position: Position) -> None:
    vm = position.game._loaded.vm
    with debug.Session(debug.word_target(vm, "OnEvaluate", position=position)) as session:
        assert session.step().callers[0].word == "OnEvaluate"
        assert session.continue_().ended


def test_other_games_of_the_script_can_be_played_during_a_session(session: debug.Session) -> None:
    game = session.target.game
    assert len(game.clone().start().legal_moves) == 22
    assert session.step().step > 1


LOOK = """\
{players {player} A players}
{turn-order {turn} A turn-order}
{board 2 2 {grid} board}
: put empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} stone {drops} puts pieces}
: look ( -- )
  A FALSE #NoMoveType $GenerateMoves
  $DeallocateMoves ;
"""


def test_caller_of_a_nested_generation_has_a_place(tmp_path: Path) -> None:
    position = load_text(tmp_path, LOOK, name="look.4th").start()
    with debug.Session(
        debug.word_target(position.game._loaded.vm, "look", position=position)
    ) as session:
        session.add_breakpoint("on move")
        for _ in range(4):
            state = session.continue_()
            assert [call.word for call in state.callers] == ["put", "look"]
            place = state.callers[0].location
            assert (place.line, place.column) == (8, 23)
            assert state.callers[1].location is None  # run by the host
        assert session.continue_().ended

"""The options of `forthvm debug --play`, and sessions that stop where the script fails."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm import debug
from forthvm.core.errors import IllegalMoveError
from forthvm.game import Game, Position
from tests.kit.boards import grid
from tests.kit.commands import Cli
from tests.kit.files import write

SCRIPT = grid(
    1, 5, "e w", players="Left Right", more="{position} store {variable} count 4 {array} seen[]"
)
SCRIPT += """\
: bump ( -- ) count ++ count @ seen[] ++ ;
: step ( 'dir -- ) EXECUTE verify empty? verify from here move COMPILE bump add-move ;
: go-e ['] e step ;  : go-w ['] w step ;
{moves man-moves {move} go-e {move} go-w moves}
{pieces {piece} man {moves} man-moves pieces}
{board-setup {setup} Left man a1 {setup} Right man e1 board-setup}
: OnIsGameOver #UnknownScore ;
"""
MOVES = ("a1b1", "e1 d1", "b1c1", "d1-e1")  # the fourth move writes beyond the end of seen[]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return write(tmp_path / "line.4th", SCRIPT)


def load(script: Path, *, checked: bool = False) -> Position:
    return forthvm.load(script, checked=checked).start()


def test_play_accepts_short_texts_for_every_move(script: Path) -> None:
    """Short texts, as at the prompt, are accepted for the first move and for later moves."""
    with debug.Session(debug.play_target(load(script), *MOVES[:3])) as session:
        state = session.continue_()
    assert state.ended
    assert state.error is None


@pytest.mark.parametrize("game", ["breakthrough", "draughts", "chess", "tictactoe"])
def test_play_accepts_the_texts_that_a_position_accepts(game: str) -> None:
    """The texts are the squares of each move, if they identify it."""
    position = forthvm.load(game).start()
    short_texts = []
    current = position.copy()
    for _ in range(3):
        text = current.legal_moves.texts[0]
        squares = "".join(
            word for word in text.split() if word in current.game._loaded.position_index
        )
        short_texts.append(squares if current.parse(squares).text == text else text)
        current.push(text)
    with debug.Session(debug.play_target(position, *short_texts)) as session:
        state = session.continue_()
    assert state.error is None
    assert state.result == current.legal_moves.texts


def test_illegal_moves_raise(script: Path) -> None:
    """An illegal first move raises immediately, a later one when it is made."""
    with pytest.raises(IllegalMoveError):
        debug.play_target(load(script), "a1e1")
    with debug.Session(debug.play_target(load(script), "a1b1", "e1a1")) as session:
        state = session.continue_()
    assert isinstance(state.error, IllegalMoveError)
    assert "Right can play `man e1 - d1`" in str(state.error)


def test_pass_of_a_player_without_moves_is_accepted(script: Path) -> None:
    path = write(script.with_name("alone.4th"), SCRIPT.replace("{setup} Right man e1", ""))
    with debug.Session(debug.play_target(load(path), "a1b1", "pass", "b1c1")) as session:
        assert session.continue_().error is None


@pytest.mark.parametrize("begin", [0, 2, 3])
def test_checked_play_stops_at_the_error(cli: Cli, script: Path, begin: int) -> None:
    """The session stops at the failing move, whether it is in --moves or in --play."""
    options = ["--moves", "; ".join(MOVES[:begin])] if begin else []
    options += ["--play", "; ".join(MOVES[begin:])]
    commands = "continue\nprint count @\n"
    status, out, _ = cli("debug", script, "--checked", *options, stdin=commands)
    assert status == 0
    assert "index 4 of `seen[]`" in out
    assert "line.4th:5:" in out
    assert out.rstrip().endswith("4")


def test_failing_moves_before_the_position_run_in_the_session(cli: Cli, script: Path) -> None:
    """If the moves before the position fail, they are run in the session."""
    status, out, err = cli(
        "debug", script, "--checked", "--moves", "; ".join(MOVES), stdin="continue\n"
    )
    assert status == 0
    assert "session begins before the failure" in " ".join(err.split())
    assert "index 4 of `seen[]`" in out


FAILING_HOOKS = {
    "OnNewGame": ": OnNewGame 1 0 / DROP ;",
    "OnGenerateMoves": ": OnGenerateMoves 1 0 / DROP ;",
    "OnIsGameOver": ": OnIsGameOver 1 0 / ;",
}


@pytest.mark.parametrize("hook", ["OnNewGame", "OnIsGameOver", "OnGenerateMoves"])
def test_failing_start_is_debugged(cli: Cli, script: Path, hook: str) -> None:
    """OnNewGame, OnIsGameOver and OnGenerateMoves fail in a session, not before it begins."""
    text = SCRIPT if hook != "OnIsGameOver" else SCRIPT[: SCRIPT.index(": OnIsGameOver")]
    script.write_text(f"{text}\n{FAILING_HOOKS[hook]}\n", encoding="utf-8")
    status, out, _ = cli("debug", script, "--new-game", stdin="continue\n")
    assert status == 0
    assert "division by zero" in out
    assert "failure (step" in out


def test_play_begins_with_failing_hooks(script: Path) -> None:
    """If the legal moves cannot be computed, the session begins with the hooks for them."""
    text = SCRIPT[: SCRIPT.index(": OnIsGameOver")] + ": OnIsGameOver 1 0 / ;\n"
    script.write_text(text, encoding="utf-8")
    game: Game = forthvm.load(script)
    with debug.Session(debug.play_target(game.start(), "a1b1")) as session:
        state = session.continue_()
        assert state.reason == "failure"
        assert state.word == "OnIsGameOver"


def test_word_target_stops_in_a_failing_hook(cli: Cli, script: Path) -> None:
    text = SCRIPT[: SCRIPT.index(": OnIsGameOver")] + ": OnIsGameOver 1 0 / ;\n"
    script.write_text(text, encoding="utf-8")
    status, out, _ = cli("debug", script, "--word", "OnIsGameOver", stdin="continue\n")
    assert status == 0
    assert "failure (step" in out

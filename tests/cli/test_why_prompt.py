"""`why-not` at the prompt of `forthvm run` explains in terms of the board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from forthvm.cli.commands.why_not import why_not_lines
from forthvm.game import load
from tests.kit.commands import Cli
from tests.kit.games import play

Script = Callable[..., Path]


def explanation(game: str, text: str, *moves: str) -> str:
    position = load(game).start()
    play(position, *moves)
    return "\n".join(why_not_lines(position, text, 200))


REASONS = {
    ("breakthrough", "a2 a4"): "The pawn on a2 cannot move like that.",
    ("breakthrough", "a8 a7"): "The pawn on a8 belongs to Black: it is White's turn.",
    ("breakthrough", "d4 d5"): "There is no piece on d4: it is empty.",
    ("chess", "rook a1 - a4"): "A piece of your own stands on a2.",
    ("chess", "queen a2 - a3"): "There is no queen on a2: the square has a White pawn.",
    ("draughts", "b2 a3"): "The square a3 is not empty.",
    ("draughts", "c3 x e5"): "There is no enemy on d4.",
    ("chess", "ra1-a4"): "A piece of your own stands on a2.",
    ("chess", "rook a1-a4"): "A piece of your own stands on a2.",
    ("chess", "rook a1xa4"): "A piece of your own stands on a2.",
    ("chess", "R a1a4"): "A piece of your own stands on a2.",
    ("rithmomachia", "r2e6-e9"): "The rules of the game do not allow the R2 on e6 to do that.",
    ("chess", "p e2 - e4"): "`pawn e2 - e4` is legal.",
    ("chess", "qa2-a3"): "`qa2` is no position, piece or player of chess; did you mean `a2`?\n",
    ("chess", "pass"): "Passing is not allowed now.",
    ("reversi", "a1"): "The rules of the game do not allow that.",
    ("reversi", "disc a1"): "The rules of the game do not allow that.",
    ("chess", "e2 e4"): "`pawn e2 - e4` is legal.",
    ("chess", "xyzzy"): "`xyzzy` is not a move of chess.",
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("game", "text"), REASONS)
def test_reasons_for_players(game: str, text: str) -> None:
    assert explanation(game, text).startswith(REASONS[game, text])


@pytest.mark.sampled(7)
@pytest.mark.parametrize(("game", "text"), REASONS)
def test_explanations_for_players_quote_no_script(game: str, text: str) -> None:
    output = explanation(game, text)
    for word in ("verify", "IF", "add-move", ".4th", "OnIsGameOver", "{"):
        assert word not in output


def test_legal_moves_of_the_piece_are_listed() -> None:
    lines = explanation("chess", "knight b1 - d2").splitlines()
    assert lines[-1] == "Legal: `knight b1 - c3`, `knight b1 - a3`."


def test_script_option_quotes_the_script() -> None:
    output = explanation("chess", "rook a1 - a4 --script")
    assert "`friend? NOT verify` in `slide` refuses it" in output


def test_finished_game_is_explained() -> None:
    output = explanation(
        "tictactoe", "c3", "X mark a1", "O mark b1", "X mark a2", "O mark b2", "X mark a3"
    )
    assert output.startswith("The game is over: ")


def test_error_of_the_script_is_reported(script: Script) -> None:
    path = script(words=": go-e e verify from here move ;\n: go-w w verify ;")
    position = load(path).start()
    assert "The game is over" in "\n".join(why_not_lines(position, "a1b1", 80))
    path = script(
        words=": go-e e verify from here move ;\n: go-w w verify ;",
        over=": OnIsGameOver #UnknownScore ;",
    )
    output = "\n".join(why_not_lines(load(path).start(), "man a1 - b1", 80))
    assert "mistake in the script" in output


def test_missing_move_is_reported() -> None:
    assert why_not_lines(load("tictactoe").start(), " ", 80) == [
        "MOVE is missing: why-not MOVE; why-not MOVE --script quotes the script."
    ]


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 100])
def test_quoted_moves_are_not_broken(width: int) -> None:
    lines = why_not_lines(load("chess").start(), "king e1 - c1", width)
    assert all(line.count("`") % 2 == 0 and len(line) <= width for line in lines)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", ["why-not", "why", "WHY"])
def test_prompt_continues_after_a_failure(cli: Cli, command: str) -> None:
    out = cli.out("run", "chess", "--side", "all", stdin=f"{command} a1 a4\nhelp\nquit\n")
    assert "A piece of your own stands on a2." in out
    assert "why-not MOVE" in out
    assert "Left the game" not in out

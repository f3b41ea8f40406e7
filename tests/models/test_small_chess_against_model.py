"""Legality by tests of attacks: in move words (`$CatchExit`), and by OnMovesGenerated.

Two scripts of the same game are compared with a model, in every tier: in small_chess/by-word.4th a
move word tests whether its move is legal; in small_chess/by-hook.4th the hook removes illegal moves
from the list.  Owns the comparison of all paths that list, count, search or sample moves.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import forthvm
from forthvm import engines
from forthvm.core.vm import TIER_VARIABLE
from forthvm.game import Game as LoadedGame
from tests.kit.games import play
from tests.models import small_chess
from tests.models.lockstep import POSITIONS, Game, play_random_game
from tests.vm.tiers import TIERS

SCRIPTS = ("by-word", "by-hook")
FOLDER = Path(__file__).parent / "small_chess"
PERFT = (22, 484, 10786)
"""Counted with python-chess 1.11 from `rn2k1nr/pppppppp/8/8/8/8/PPPPPPPP/RN2K1NR w - -`, without
en passant and without promotions to queen or bishop."""

ENDGAMES = (
    "......../..P..k../......../....R.../.......K/.....n../..p...../........",
    "k......./..R...../.K....../......../......../......../p.....p./........",
    "....k.../....r.../......../......../....N.../......../....P.../....K..r",
    "k......./.r....../......../......../......../......../.......p/K.......",
)
"""With checks, pins, promotions, mates and stalemates."""


def load(script: str) -> LoadedGame:
    return forthvm.load(FOLDER / f"{script}.4th")


LETTERS = {"pawn": "p", "knight": "n", "rook": "r", "king": "k"}


def view(position: forthvm.Position) -> str:
    """Return the squares of a position in the form of the model."""
    squares = []
    for square in position.game.positions[:64]:
        piece = position.board[square]
        letter = LETTERS[piece.type] if piece else "."
        squares.append(letter.upper() if piece and piece.player == "White" else letter)
    return "".join(squares)


def position_of(game: LoadedGame, rows: str) -> forthvm.Position:
    """Return the position with these rows and White to move."""
    names = {letter: name for name, letter in LETTERS.items()}
    pieces = [
        ("White" if letter.isupper() else "Black", names[letter.lower()], square)
        for square, letter in zip(game.positions[:64], rows.replace("/", ""), strict=True)
        if letter != "."
    ]
    return game.start(setup=pieces)


COMPARED = Game(
    view=view,
    expected_view=lambda state: state.squares,
    turn=lambda state: str(state.mover),
    end=small_chess.end,
    successors=small_chess.successors,
)


def test_model_has_the_published_counts() -> None:
    assert [small_chess.perft(small_chess.start(), plies) for plies in (1, 2)] == list(PERFT[:2])


@pytest.mark.slow
@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("script", SCRIPTS)
def test_counts_of_move_sequences(monkeypatch: pytest.MonkeyPatch, script: str, tier: str) -> None:
    monkeypatch.setenv(TIER_VARIABLE, tier)
    position = load(script).start()
    assert [forthvm.perft(position, plies) for plies in (1, 2, 3)] == list(PERFT)


@pytest.mark.slow
@pytest.mark.parametrize("rows", ENDGAMES)
@pytest.mark.parametrize("script", SCRIPTS)
def test_counts_equal_those_of_the_model(script: str, rows: str) -> None:
    position, state = position_of(load(script), rows), small_chess.start(rows)
    for plies in (1, 2, 3):
        assert forthvm.perft(position, plies) == small_chess.perft(state, plies)


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_random_games(script: str) -> None:
    game, chooser, left = load(script), random.Random(4), POSITIONS
    starts = [small_chess.START, *ENDGAMES]
    for number in range(left):
        rows = starts[number % len(starts)]
        position, state = position_of(game, rows), small_chess.start(rows)
        left -= play_random_game(COMPARED, position, state, chooser, min(left, 40))[0]
        if left <= 0:
            break


@pytest.mark.sampled(11)
@pytest.mark.parametrize("rows", [small_chess.START, *ENDGAMES])
@pytest.mark.parametrize("engine", ["negamax:depth=3", "axiom:depth=2"])
def test_searches_see_the_same_lists(engine: str, rows: str) -> None:
    results = [engines.get(engine).play(position_of(load(script), rows)) for script in SCRIPTS]
    assert results[0].score == results[1].score
    assert str(results[0].move) == str(results[1].move)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["mcts:playouts=20,seed=2", "random:seed=3"])
def test_engines_choose_legal_moves(engine: str) -> None:
    for rows in ENDGAMES:
        position = position_of(load("by-hook"), rows)
        chosen = str(engines.get(engine).play(position).move)
        assert chosen in position_of(load("by-word"), rows).legal_moves.texts


@pytest.mark.slow
def test_states_after_moves_are_equal() -> None:
    """Tried moves and tests of attacks leave no traces: each order of moves gives one position."""
    for script in SCRIPTS:
        game = load(script)
        first, second = game.start(), game.start()
        play(first, "pawn a2 - a3", "pawn a7 - a6", "pawn h2 - h3", "pawn h7 - h6")
        play(second, "pawn h2 - h3", "pawn h7 - h6", "pawn a2 - a3", "pawn a7 - a6")
        assert first == second
        assert first.key == second.key

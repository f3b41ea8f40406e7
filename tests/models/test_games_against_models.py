"""Compare the smaller bundled games with the models: moves, turns and results in random positions.

Owns the translation of boards into the form of each model.  It uses the names of games, pieces and
squares.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

import forthvm
from forthvm.core.bindings.layout import OWNER_MASK
from tests.models import breakthrough, draughts, splut, tictactoe
from tests.models.lockstep import POSITIONS


@dataclass(frozen=True)
class Case:
    """A game and its model.

    `view` returns the visible part of a script's board, and `expected_view` the same part of a
    model's state.  `turn` returns the player to move in a model's state.  `winner` returns the
    winner, an empty text for a draw, None while the game continues.
    """

    name: str
    start: Callable[[], Any]
    successors: Callable[[Any], Sequence[Any]]
    view: Callable[[forthvm.Position], Hashable]
    expected_view: Callable[[Any], Hashable]
    turn: Callable[[Any], str]
    winner: Callable[[Any], str | None]
    perft: Callable[[Any, int], int]
    depth: int


# --- tictactoe and breakthrough: owners by grid index ------------------------------------------


FIRST_OWNER = 2048
"""The owner bits of a board cell are the player's number times this value."""


def owners(position: forthvm.Position) -> tuple[int, ...]:
    """Return the owner of each square: 0 for empty squares, players numbered from 1."""
    game = position.game
    cells = position.cells[: game.grid.rows * game.grid.columns]
    return tuple((cell & OWNER_MASK) // FIRST_OWNER for cell in cells)


def tictactoe_winner(state: tictactoe.State) -> str | None:
    won = tictactoe.winner(state.squares)
    if won:
        return "XO"[won - 1]
    return None if 0 in state.squares else ""


def breakthrough_winner(state: breakthrough.State) -> str | None:
    # The game ends with the winner's move.
    return ("Black", "White")[state.mover - 1] if breakthrough.over(state) else None


# --- splut -------------------------------------------------------------------------------------


def splut_view(position: forthvm.Position) -> Hashable:
    found = []
    for name in splut.NAMES:
        piece = position.board[name]
        if piece is not None:
            kind = piece.type
            found.append((name, kind if kind in splut.STONES else f"{piece.player} {kind}"))
    return frozenset(found)


def splut_case(name: str, teams: tuple[str, ...], depth: int) -> Case:
    return Case(
        name=name,
        start=lambda: splut.start(teams),
        successors=splut.successors,
        view=splut_view,
        expected_view=lambda state: frozenset(state.squares().items()),
        turn=lambda state: state.team,
        winner=splut.winner,
        perft=splut.perft,
        depth=depth,
    )


# --- draughts ----------------------------------------------------------------------------------


def draughts_view(position: forthvm.Position) -> Hashable:
    found = []
    for name, piece in position.board.items():
        if piece is not None:
            square = (ord(name[0]) - ord("a"), int(name[1:]) - 1)
            found.append((square, str(piece.player)[0], piece.type))
    return frozenset(found)


def draughts_expected_view(state: draughts.State) -> Hashable:
    men = [(square, owner, "man") for square, owner in state.men.items()]
    kings = [(square, owner, "king") for square, owner in state.kings.items()]
    return frozenset(men + kings)


def draughts_winner(state: draughts.State) -> str | None:
    if draughts.drawn(state):
        return ""
    if draughts.successors(state):
        return None
    return "White" if state.mover == "B" else "Black"


CASES = [
    Case(
        name="tictactoe",
        start=tictactoe.start,
        successors=tictactoe.successors,
        view=owners,
        expected_view=lambda state: state.squares,
        turn=lambda state: "XO"[state.mover - 1],
        winner=tictactoe_winner,
        perft=tictactoe.perft,
        depth=6,
    ),
    Case(
        name="breakthrough",
        start=breakthrough.start,
        successors=breakthrough.successors,
        view=owners,
        expected_view=lambda state: state.squares,
        turn=lambda state: ("White", "Black")[state.mover - 1],
        winner=breakthrough_winner,
        perft=breakthrough.perft,
        depth=3,
    ),
    splut_case("splut", splut.SPLUT, 6),
    splut_case("splut-duel", splut.DUEL, 6),
    splut_case("splut-random", splut.DUEL, 5),
    Case(
        name="draughts",
        start=draughts.start,
        successors=draughts.successors,
        view=draughts_view,
        expected_view=draughts_expected_view,
        turn=lambda state: {"B": "Black", "W": "White"}[state.mover],
        winner=draughts_winner,
        perft=draughts.perft,
        depth=6,
    ),
]


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


def effects(case: Case, position: forthvm.Position) -> list[Hashable]:
    """Return the visible part of the position after each legal move."""
    found = []
    for move in list(position.legal_moves):
        position.push(move)
        found.append(case.view(position))
        position.pop()
    return found


def piece_count(view: Hashable) -> int:
    """Return the number of pieces in a view; preferring small numbers shortens the games."""
    assert isinstance(view, tuple | frozenset)
    return sum(1 for content in view if content)


def check_end(case: Case, position: forthvm.Position, state: object) -> bool:
    """Return whether the game is over; check that game and model agree, also on the winner."""
    winner = case.winner(state)
    result = position.result
    assert (result is None) == (winner is None)
    if result is not None:
        assert result.winners == ((winner,) if winner else ())
        assert result.draw == (winner == "")
    return result is not None


@pytest.mark.slow
def test_random_positions(case: Case) -> None:
    """Compare the boards after all moves, the player to move and the result in random games."""
    game = forthvm.load(case.name)
    chooser = random.Random(case.name)
    compared = games = ends = 0
    while compared < POSITIONS:
        position, state = game.start(), case.start()
        games += 1
        while not check_end(case, position, state) and compared < POSITIONS + 50 * games:
            assert case.view(position) == case.expected_view(state)
            assert position.turn == case.turn(state)
            found = effects(case, position)
            expected: dict[Hashable, list[Any]] = {}
            for successor in case.successors(state):
                expected.setdefault(case.expected_view(successor), []).append(successor)
            assert Counter(found) == Counter({view: len(same) for view, same in expected.items()})
            compared += 1
            index = chooser.randrange(len(found))
            if chooser.random() < 0.3:
                index = min(range(len(found)), key=lambda move: piece_count(found[move]))
            # No two moves have the same effect.
            (state,) = expected[found[index]]
            position.push(position.legal_moves[index])
        ends += position.result is not None
    assert compared >= POSITIONS
    assert ends or POSITIONS < 1000  # games of Splut! are long


@pytest.mark.slow
def test_numbers_of_move_sequences(case: Case) -> None:
    position = forthvm.load(case.name).start()
    for depth in range(1, case.depth + 1):
        assert forthvm.perft(position, depth) == case.perft(case.start(), depth), depth


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", [CASES[0], CASES[1], CASES[-1]], ids=lambda case: case.name)
def test_complete_random_game(case: Case) -> None:
    """Compare a random game to its end; games of Splut! are too long for this test."""
    game = forthvm.load(case.name)
    chooser = random.Random(5)
    position, state = game.start(), case.start()
    while not check_end(case, position, state):
        index = chooser.randrange(len(position.legal_moves))
        position.push(position.legal_moves[index])
        (state,) = (
            s for s in case.successors(state) if case.expected_view(s) == case.view(position)
        )
    assert position.ply > 4

"""Plays a rule file in forthvm and in the model at once, and compares both.

Owns the comparison: legal moves, board, player to move and result, along random games.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import forthvm
from forthvm.game import Outcome, Position
from tests.models import zrf as model

__all__ = ["play_together"]


def play_together(
    path: Path,
    *,
    plies: int,
    seed: int = 1,
    variant: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> int:
    """Play random games until `plies` moves were made; return the number of moves.

    The settings are for forthvm only; the model must have the same choices.

    A game that is over at its start is compared once.

    Raises:
        AssertionError: forthvm and the model differ.
    """
    game = forthvm.load(path, variant=variant, settings=settings)
    rules = model.load(path, variant)
    choose = random.Random(seed)
    made = 0
    while made < plies:
        ours, other = game.start(), model.start(rules)
        played: list[str] = []
        while True:
            _compare(ours, other, played)
            if other.result is not None or made >= plies:
                break
            expected = {_plain(move.text): move for move in other.moves()}
            found = {_plain(str(move)): move for move in ours.legal_moves}
            texts = Counter(_plain(move.text) for move in other.moves())
            _compare_moves(Counter(_plain(str(move)) for move in ours.legal_moves), texts, played)
            # A copy in place has the same text as a drop on that square: play neither.
            unique = [text for text in sorted(texts) if texts[text] == 1]
            if not unique:
                break
            text = choose.choice(unique)
            ours.push(found[text])
            other = other.play(expected[text])
            played.append(text)
            made += 1
        if not played:
            break  # the game is over at its start
    return made


def _plain(text: str) -> str:
    """Return a move text without what is never compared (contract, items 87 and 88).

    These are the number after `partial`, and the difference between `-` and `x`.
    """
    return re.sub(r"^partial \d+", "partial", text).replace(" x ", " - ")


def _compare_moves(found: Counter[str], expected: Counter[str], played: list[str]) -> None:
    missing, surplus = sorted(expected - found), sorted(found - expected)
    path = "; ".join(played)
    assert found == expected, f"moves after {path}: missing {missing}, surplus {surplus}"


def _compare(ours: Position, other: model.Position, played: list[str]) -> None:
    """Compare one position."""
    board = {
        name: (piece.player, piece.type) for name, piece in ours.board.items() if piece is not None
    }
    wanted_board = {name: at[:2] for name, at in other.board().items()}
    _check("board", board, wanted_board, played)
    _check("result", _result(ours.result), _model_result(other), played)
    if other.result is None:
        _check("player to move", ours.turn, other.player, played)


def _check(what: str, found: object, expected: object, played: list[str]) -> None:
    path = "; ".join(played)
    assert found == expected, f"{what} after {path}: {found} instead of {expected}"


def _result(outcome: Outcome | None) -> tuple[frozenset[str], bool] | None:
    return None if outcome is None else (frozenset(outcome.winners), outcome.draw)


def _model_result(position: model.Position) -> tuple[frozenset[str], bool] | None:
    result = position.result
    if result is None:
        return None
    winners = frozenset(name for name, end in result.items() if end == "win")
    return winners, "draw" in result.values()

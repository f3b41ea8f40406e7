"""Positions of random games, and the board that planes describe, for tests of observations.

Owns the reconstruction of pieces from the spec alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy

from forthvm.game import Game, Position
from forthvm.learn.observations import Observer
from tests.kit.random_games import push_random_move

__all__ = ["pieces_on_board", "pieces_on_planes", "played"]

Pieces = dict[tuple[int, ...], tuple[str, str]]


def played(game: Game, seed: int, plies: int = 40, every: int = 5) -> Iterator[Position]:
    """Yield positions of a random game; the same object, after further moves."""
    chooser = random.Random(seed)
    position = game.start()
    position.seed(seed)
    for ply in range(plies):
        if ply % every == 0:
            yield position
        if not push_random_move(position, chooser):
            if ply % every != 0:
                yield position
            return


def owner_label(observer: Observer, owner: str, viewer: str) -> str:
    """Return how the viewer's planes call an owner."""
    players = observer.players
    if observer.spec.view == "absolute" or owner not in players:
        return owner
    seat = (players.index(owner) - players.index(viewer)) % len(players)
    return "own" if seat == 0 else "next" if seat == 1 else f"next {seat}"


def pieces_on_board(observer: Observer, position: Position, viewer: str) -> Pieces:
    """Return owner and type of the pieces by place, as the viewer's planes should show them."""
    places = observer.squares(viewer)
    return {
        places[square]: (owner_label(observer, str(piece.player), viewer), piece.type)
        for square, piece in position.board.occupied()
    }


def pieces_on_planes(
    observer: Observer, planes: numpy.ndarray[Any, Any], history: int = 0
) -> Pieces:
    """Return owner and type of the pieces by place, read from the planes by their spec."""
    owners: dict[tuple[int, ...], str] = {}
    types: dict[tuple[int, ...], str] = {}
    for plane, numbers in zip(observer.spec.planes, planes, strict=True):
        if plane.history != history or plane.kind not in ("piece", "type", "owner"):
            continue
        for place in zip(*numbers.nonzero(), strict=True):
            at = tuple(map(int, place))
            assert numbers[place] in (1, 255)
            if plane.owner is not None:
                assert at not in owners
                owners[at] = plane.owner
            if plane.piece is not None:
                assert at not in types
                types[at] = plane.piece
    assert owners.keys() == types.keys()
    return {at: (owner, types[at]) for at, owner in owners.items()}

"""The spec of observations: the shape of arrays and the meaning of each plane.

Owns its form as JSON.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from forthvm.core.reading import ReadError, as_type, dict_of, parse_json

from .ranges import Ranges

__all__ = ["ObservationSpec", "Plane"]

FORMAT = "forthvm observations"


@dataclass(frozen=True, kw_only=True)
class Plane:
    """One plane of an observation; `high` of a plane without a range of its own is 1.

    Attributes:
        kind: What the plane shows, see below.
        name: The plane in words, for people.
        history: 0 for the position itself, 1 for the position before its last ply, and so on.
        piece: The piece type, None for all types.
        owner: The owner of the pieces, or the player to move: a name, or from the mover's view
            `own` for the observing player and `next`, `next 2` … for the contestants after this
            player.  None for all owners.
        low: The number that is shown as 0.0.
        high: The number that is shown as 1.0.

    Kinds: `piece` (pieces of an owner and a type), `type` and `owner` (the same on separate
    planes), `unknown type` (pieces whose type only the owner knows), `attribute` (a bit of the
    pieces' attributes), `variable` (a board variable, on all squares), `array` (an array of
    numbers, one for each square), `square` (the square that a variable of a rule file contains),
    `other` (pieces, attributes and numbers without a plane of their own), `to move` (a player is to
    move), `phase` (a turn of the turn order), `partial` (the turn continues after a partial move),
    `move type` (demanded by the turn), `board` (the squares of the board, as opposed to missing
    squares and positions beside it).
    """

    kind: str
    name: str
    history: int = 0
    piece: str | None = None
    owner: str | None = None
    low: int = 0
    high: int = 1


@dataclass(frozen=True, kw_only=True)
class ObservationSpec:
    """What the arrays of an observer contain.

    Attributes:
        game: The name of the game.
        view: `mover` or `absolute`.
        history: The number of positions that an observation shows.
        internal: Whether planes show what players do not see on the board.
        shape: The shape of an observation: planes, rows and columns, or planes and squares.
        planes: The planes, in order.
        squares: The name of each square of a plane, row by row; None for a missing square.  From
            the mover's view these are the squares of the first contestant.
        board: The number of rows and columns that are the board, None for a board without rows.
            Rows below them have the positions beside the board.
        ranges: What was measured in random games to choose planes and ranges.
    """

    game: str
    view: str
    history: int
    internal: bool
    shape: tuple[int, ...]
    planes: tuple[Plane, ...]
    squares: tuple[str | None, ...]
    board: tuple[int, int] | None
    ranges: Ranges

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the spec as a JSON document."""
        values = dict(vars(self))
        values["planes"] = [vars(plane) for plane in self.planes]
        values["ranges"] = vars(self.ranges)
        return json.dumps({"format": FORMAT, "version": 1, **values}, indent=indent)

    @classmethod
    def from_json(cls, text: str | bytes) -> ObservationSpec:
        """Return the spec that a JSON document describes.

        Raises:
            ValueError: The document is not a spec.
        """
        try:
            values = dict_of(as_type(object))(parse_json(text))
            if values.pop("format", None) != FORMAT or values.pop("version", None) != 1:
                raise ReadError("another format or version")
            return as_type(cls)(values)
        except ReadError as error:
            raise ValueError(f"this is not a spec of observations: {error}") from None

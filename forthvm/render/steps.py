"""Scenes of a recorded game as changes, for pages that show any of its positions.

Owns the form of the changes.

A step is a pair of lists.  The first list changes the pieces: indices of squares and of kinds of
pieces alternate, and the kind -1 empties a square.  The second list has indices of field values.
Squares, kinds and values are listed once for all steps, since most of them occur in many steps.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.render.scene_types import Scene, SceneBoard

__all__ = ["EMPTY", "SceneSteps", "Step"]

EMPTY = -1
"""The kind of an empty square."""

Step = tuple[list[int], list[int]]


class SceneSteps:
    """Converts successive scenes to steps."""

    def __init__(self) -> None:
        """Begin a game."""
        self._lists = {name: _List() for name in ("squares", "kinds", "values")}
        self._board: SceneBoard | None = None
        self._pieces: dict[str, int] = {}
        self._values: dict[str, int] = {}

    def rewind(self) -> None:
        """Begin another game: the next step is complete."""
        self._board, self._pieces, self._values = None, {}, {}

    def step(self, scene: Scene) -> Step:
        """Return the changes since the previous scene; all of the scene at the start of a game."""
        lists = self._lists
        fields = scene.as_json(board=False)
        del fields["pieces"]
        pieces = {
            piece.square: lists["kinds"].index(
                {name: value for name, value in vars(piece).items() if name != "square"}
            )
            for piece in scene.pieces
        }
        changes = []
        for square in {**self._pieces, **pieces}:
            kind = pieces.get(square, EMPTY)
            if self._pieces.get(square, EMPTY) != kind:
                changes += [lists["squares"].index(square), kind]
        values = {name: lists["values"].index([name, value]) for name, value in fields.items()}
        if scene.board is not self._board:
            values["board"] = lists["values"].index(["board", scene.board.as_json()])
        new_values = [at for name, at in values.items() if self._values.get(name) != at]
        self._board, self._pieces = scene.board, pieces
        self._values |= values
        return changes, new_values

    def new_entries(self) -> dict[str, list[object]]:
        """Return what was added to the lists since the previous call.

        - `squares`: the names of squares;
        - `kinds`: the fields of pieces, without their squares;
        - `values`: pairs of the name of a field of the scene and its value.
        """
        return {name: entries.take_new() for name, entries in self._lists.items()}


class _List:
    """JSON values without duplicates."""

    def __init__(self) -> None:
        self._indices: dict[str, int] = {}
        self._taken = 0

    def index(self, value: object) -> int:
        """Return the index of a value, which is added if it is new."""
        return self._indices.setdefault(json.dumps(value), len(self._indices))

    def take_new(self) -> list[object]:
        """Return the values that were added since the previous call."""
        new = [json.loads(text) for text in islice(self._indices, self._taken, None)]
        self._taken = len(self._indices)
        return new

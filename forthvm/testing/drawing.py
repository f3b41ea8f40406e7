"""Reads a drawn board: the lines that `print(position)` and `forthvm show` write.

Owns the assignment of the drawn labels to board positions and pieces.  A row has a label for each
of its board positions, a dot for an empty one, so that they are assigned in order and the columns
of the text do not matter.  Delegates drawing boards to forthvm.render.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm import render
from forthvm.core.text.wording import joined
from forthvm.render.labels import full_labels, make_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.game import Position
    from forthvm.render.scene_types import Scene, SceneSquare

__all__ = ["DrawingError", "Drawn", "UnlabelledRowsError", "listed_pieces", "read_drawing"]

Drawn = dict[str, tuple[str, str] | None]
"""The owner and the type of the piece on each board position that is drawn; None: it is empty."""
Labelled = dict[str, tuple[str, str] | None]
"""The owner and the type of the piece that a label means; None: several pieces."""

_EMPTY = {".", "·"}
_WORD = re.compile(r"[^\s\[\]<>|]+")
"""A label or a dot; the other characters are blanks and the marks of the last move."""
_MAX_WIDTH = 24
"""The maximum width of the abbreviated names of piece types."""
_MAX_LISTED = 30


@dataclass(frozen=True)
class _Word:
    """A word of a drawing."""

    text: str
    line: int
    column: int


class DrawingError(ValueError):
    """A drawn board cannot be read.

    Attributes:
        line: Index of the wrong line of the drawing; None: the drawing as a whole is wrong.
        column: Index of the first wrong character of the line.
        length: The number of wrong characters.
    """

    def __init__(self, message: str, words: Sequence[_Word] = ()) -> None:
        """Store the message and the place of the wrong words, which are on one line."""
        super().__init__(message)
        self.line = words[0].line if words else None
        self.column = words[0].column if words else 0
        self.length = words[-1].column + len(words[-1].text) - self.column if words else 0


class UnlabelledRowsError(DrawingError):
    """The rows of the board have no labels, so that no drawing of it can be read."""


def listed_pieces(position: Position) -> list[str]:
    """Return the pieces on the board as the statement `pieces` lists them: `White king e1 e8`."""
    squares: dict[tuple[str, str], list[str]] = {}
    for square in position.board:
        piece = position.board[square]
        if piece is not None:
            squares.setdefault((piece.player or "", piece.type), []).append(square)
    return [" ".join([*piece, *names]) for piece, names in squares.items()]


def read_drawing(position: Position, lines: Sequence[str]) -> Drawn:
    """Return the pieces of a drawn board.

    Args:
        position: A position of the game, of which the board and the labels are known.
        lines: The rows, each of which begins with its label.  Other lines are ignored, except for
            the legend, which has entries such as `S.=South` and `wiz=wizard`.

    Raises:
        UnlabelledRowsError: The board has no labels of rows.
        DrawingError: A row is missing or has another number of positions, or a label is unknown.
    """
    rows = _read_rows(lines)
    if not rows:
        raise DrawingError("the drawing is missing: its rows are on lines that are indented more")
    errors = []
    for everything in (False, True):  # with and without the positions that the game hides
        scene = render.scene(position, everything=everything)
        try:
            squares = _assign(_squares_by_row(scene), rows)
        except DrawingError as error:
            errors.append(error)
            continue
        pieces = _pieces_by_label(scene, lines)
        for name, word in squares.items():
            label = word.text
            if label not in _EMPTY and pieces.get(label) is None:
                reason = "can mean several pieces" if label in pieces else "is no piece"
                message = f"`{label}` on {name} {reason}; the labels are {_shortest_labels(scene)}"
                raise DrawingError(message, [word])
        return {
            name: None if word.text in _EMPTY else pieces.get(word.text)
            for name, word in squares.items()
        }
    raise errors[0]


def _read_rows(lines: Sequence[str]) -> list[list[_Word]]:
    """Return the words of each line, without the marks of the last move."""
    rows = [
        [_Word(match[0], number, match.start()) for match in _WORD.finditer(line)]
        for number, line in enumerate(lines)
    ]
    return [row for row in rows if row]


def _squares_by_row(scene: Scene) -> dict[str, list[SceneSquare]]:
    labels = scene.board.rows
    rows: dict[str, list[SceneSquare]] = {label: [] for label in labels if label}
    for square in scene.board.squares:
        if square.cell is not None and labels[square.cell[0]]:
            rows[labels[square.cell[0]]].append(square)
    if not any(rows.values()):
        raise UnlabelledRowsError(
            "a drawing of this board cannot be read, because its rows have no labels"
        )
    return {
        label: sorted(squares, key=lambda square: square.cell or (0, 0))
        for label, squares in rows.items()
        if squares
    }


def _assign(rows: dict[str, list[SceneSquare]], drawn: list[list[_Word]]) -> dict[str, _Word]:
    """Return the word that is drawn on each board position."""
    drawn_rows = {row[0].text: row for row in reversed(drawn) if row[0].text in rows}
    found: dict[str, _Word] = {}
    for label, squares in rows.items():
        if label not in drawn_rows:
            labels = joined(list(rows))
            raise DrawingError(
                f"row {label} is missing: the rows are {labels}, and each begins with its label"
            )
        words = drawn_rows[label][1:]
        if len(words) != len(squares):
            shown = " ".join(square.name for square in squares)
            raise DrawingError(
                f"row {label} has {len(squares)} positions, but {len(words)} are drawn; "
                f"its positions are {shown}, others must be listed by `pieces`",
                words[len(squares) :] or drawn_rows[label],
            )
        found |= {square.name: word for square, word in zip(squares, words, strict=True)}
    return found


# --- labels --------------------------------------------------------------------------------


def _pieces_by_label(scene: Scene, lines: Sequence[str]) -> Labelled:
    """Return the piece that each label means; None: several pieces.

    The labels are those of drawings of any width.  The same mark of a neutral player may mean
    another player in another drawing, so that the legend has precedence.
    """
    found: Labelled = {}
    kinds = {kind: kind for kind in scene.board.types}
    widths = [make_labels(scene, width) for width in range(1, _MAX_WIDTH)]
    for labels in filter(None, [full_labels(scene), *widths]):
        kinds |= {label: kind for kind, label in labels.types.items()}
        for index in labels.prefixes:
            for kind in scene.board.types:
                piece = scene.players[index].name, kind
                for label in (labels.of(kind, index), labels.full(kind, index)):
                    found[label] = piece if found.get(label, piece) == piece else None
    legend = _legend(lines)
    kinds |= {label: name for label, name in legend.items() if name in scene.board.types}
    players = {player.name for player in scene.players}
    for mark, owner in legend.items():
        if owner in players:
            if len(scene.board.types) == 1:
                found[mark] = owner, scene.board.types[0]
            found |= {mark + label: (owner, kind) for label, kind in kinds.items()}
    return found


def _shortest_labels(scene: Scene) -> str:
    """Return the shortest labels of the pieces of players, as a message lists them."""
    candidates = (make_labels(scene, width) for width in range(1, _MAX_WIDTH))
    labels = next(filter(None, candidates), None) or full_labels(scene)
    owners = [index for index in labels.prefixes if not scene.players[index].neutral]
    types = scene.board.types
    found = sorted({labels.of(kind, index) for index in owners for kind in types})
    more = " ..." if len(found) > _MAX_LISTED else ""
    return ", ".join(found[:_MAX_LISTED]) + more


def _legend(lines: Sequence[str]) -> dict[str, str]:
    """Return the entries of the legend, such as `S.=South`, which two blanks separate."""
    entries = [entry for line in lines for entry in re.split(r"\s{2,}", line.strip())]
    parts = [entry.partition("=") for entry in entries]
    return {label: name for label, equals, name in parts if label and equals}

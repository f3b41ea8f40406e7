"""A move in the tree of the moves of a table.

Owns what is known about one move, and its form for front ends and files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.render.short_texts import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.game import HistoryEntry, Move
    from forthvm.game.states import State

__all__ = ["GLYPHS", "MAX_COMMENT", "MoveNode"]

MAX_COMMENT = 2000
"""Maximum length of a comment in characters."""
GLYPHS = ("", "!", "?", "!!", "??", "!?", "?!")
"""Judgements of a move; "" for none."""


class MoveNode:
    """A move of the tree, and the position after it.

    Attributes:
        number: The number of the node, which no earlier node of the table had.
        parent: The node before the move; None for the root.
        entry: The move; None for the root.
        children: The nodes after the next moves; the main continuation is the first.
        comment: A text about the move, or about the start of the game.
        glyph: A judgement of the move, one of GLYPHS.
        of_game: Whether the move was made in the game; it may have been taken back.
        made: The move in the move list of the parent's position; None before it was first made.
        state: The state of the position after the move; None as long as `made` is None.
    """

    __slots__ = (
        "children",
        "comment",
        "entry",
        "glyph",
        "made",
        "number",
        "of_game",
        "parent",
        "state",
    )

    def __init__(self, number: int, parent: MoveNode | None, entry: HistoryEntry | None) -> None:
        """Create a node without children."""
        self.number = number
        self.parent = parent
        self.entry = entry
        self.children: list[MoveNode] = []
        self.comment = ""
        self.glyph = ""
        self.of_game = False
        self.made: Move | None = None
        self.state: State | None = None

    def line(self) -> list[MoveNode]:
        """Return the nodes after the root, up to this node."""
        nodes: list[MoveNode] = []
        node = self
        while node.parent is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def subtree(self) -> Iterator[MoveNode]:
        """Yield this node and all nodes below it, each before its children."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def row(self, text: str | None = None) -> list[object]:
        """Return the node for front ends.

        Args:
            text: The text that replaces that of the move, if the move is hidden from the viewer.

        Returns:
            Number, parent, player, move, comment, judgement, children, and the short text of the
            move if it is another one.
        """
        entry = self.entry
        player, known = (visible(entry.player), visible(text or entry.text)) if entry else ("", "")
        parent = self.parent.number if self.parent else None
        children = [child.number for child in self.children]
        is_known = self.made is not None and text in (None, self.made.text)
        short = shortened(self.made) if is_known else ""
        row: list[object] = [self.number, parent, player, known, self.comment, self.glyph, children]
        return [*row, short] if short else row

    def saved(self) -> dict[str, object]:
        """Return the saved form of the node, which is not the root."""
        assert self.parent is not None
        assert self.entry is not None
        saved: dict[str, object] = {
            "number": self.number,
            "parent": self.parent.number,
            "player": self.entry.player,
            "move": self.entry.text,
            "index": self.entry.index,
        }
        optional = {"of_game": self.of_game, "comment": self.comment, "glyph": self.glyph}
        return saved | {key: value for key, value in optional.items() if value}

"""The tree of the moves of a table as the record of a game, and records as trees.

Owns how variations, comments and judgements become those of the other side.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.text.visible import visible_lines
from forthvm.game.records.recorded import MAX_DEPTH, game_of, push_recorded, record_move
from forthvm.web.table.move_node import GLYPHS, MAX_COMMENT
from forthvm.web.table.variations import MAX_NODES, TreeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.game import HistoryEntry, Position
    from forthvm.game.records.recorded import RecordedGame, RecordedMove
    from forthvm.web.table.move_node import MoveNode
    from forthvm.web.table.variations import Variations

__all__ = ["adding", "record_of"]


# --- from a tree ----------------------------------------------------------------------------------


def record_of(tree: Variations, result: str) -> RecordedGame:
    """Return the game with its variations.

    Moves of the game that were taken back are left out where the game is now.

    Args:
        tree: The tree.
        result: The result of the game, if the rules have not ended it.

    Raises:
        PositionError: As for `game_of`.
    """
    last = tree.played
    while following := _following(last, tree):
        last = following[0]
    tags = {"Result": result if last is tree.played else "*"}
    record = game_of(tree.position_at(last), tags)
    start = tree.position_at(tree.root)
    if not start.ply:  # else moves before the tree cannot be taken back
        record.comment = _in_one_line(tree.root.comment)
        record.moves = _recorded(tree, tree.root, start, [], 0)
    return record


def _following(node: MoveNode, tree: Variations) -> list[MoveNode]:
    """Return the nodes after the next moves, the one of the main line first."""
    if node is tree.played:
        return [child for child in node.children if not child.of_game]
    return node.children


def _recorded(
    tree: Variations, node: MoveNode, position: Position, moves: list[RecordedMove], depth: int
) -> list[RecordedMove]:
    """Add the moves after a node, and their variations, to the moves of a record.

    Args:
        tree: The tree.
        node: The node.
        position: Its position, which is changed.
        moves: The moves of the record before it; returned.
        depth: The number of variations that the node is in.
    """
    while following := _following(node, tree):
        node, *others = following
        if depth == MAX_DEPTH or position.is_partial:  # a record has no variation within a move
            others = []
        variations = [_variation(tree, each, position.copy(), depth + 1) for each in others]
        move = record_move(moves, position, _entry(node))
        move.variations += variations
        _describe(move, node)
    return moves


def _variation(
    tree: Variations, node: MoveNode, position: Position, depth: int
) -> list[RecordedMove]:
    moves: list[RecordedMove] = []
    _describe(record_move(moves, position, _entry(node)), node)
    return _recorded(tree, node, position, moves, depth)


def _entry(node: MoveNode) -> HistoryEntry:
    assert node.entry is not None  # it is not the root
    return node.entry


def _describe(move: RecordedMove, node: MoveNode) -> None:
    move.comment = f"{move.comment} {_in_one_line(node.comment)}".strip()
    if node.glyph:
        move.glyphs.append(GLYPHS.index(node.glyph))


def _in_one_line(comment: str) -> str:
    return " ".join(comment.split())


# --- to a tree ------------------------------------------------------------------------------------


def adding(tree: Variations, record: RecordedGame) -> Iterator[None]:
    """Add the variations, comments and judgements of a record to the tree of its moves.

    A move is added at each step.  A variation ends where a move is not legal, or where the tree is
    full; after as many moves as a full tree has, there are no further variations.
    """
    _comment(tree, tree.root, record.comment)
    return _Adding(tree).add(tree.root, record.moves, in_game=True)


class _Adding:
    """Adds the moves of a record to a tree."""

    def __init__(self, tree: Variations) -> None:
        self._tree = tree
        self._left = MAX_NODES  # moves of variations that may still be made
        self._known: dict[tuple[int, str], MoveNode | None] = {}
        """The nodes after moves, by the node before and the text; None after an illegal move."""

    def add(
        self, node: MoveNode, moves: Sequence[RecordedMove], *, in_game: bool = False
    ) -> Iterator[None]:
        """Add moves after a node; those of the game are in the tree already."""
        position: Position | None = None  # that of the node, if it is known
        for move in moves:
            key = node.number, move.text
            if key in self._known:
                position = None
            elif self._left or in_game:
                yield
                self._left -= not in_game
                position = position or self._tree.position_at(node)
                self._known[key] = self._made(node, position, move)
            following = self._known.get(key)
            if following is None:
                return
            self._describe(following, move)
            for variation in move.variations:
                yield from self.add(node, variation)
            node = following

    def _made(self, node: MoveNode, position: Position, move: RecordedMove) -> MoveNode | None:
        """Make a move in the position of a node; return the node after it, None if illegal."""
        ply = position.ply
        with suppress(ForthVMError, TreeError):
            push_recorded(position, move)
            return _follow(self._tree, node, position.history[ply:])
        return None

    def _describe(self, node: MoveNode, move: RecordedMove) -> None:
        """Add the comment and the judgement of a move to its node."""
        _comment(self._tree, node, f"{move.before} {move.comment}")
        glyph = next((glyph for glyph in move.glyphs if 0 < glyph < len(GLYPHS)), 0)
        if glyph:
            self._tree.judge(node.number, GLYPHS[glyph])


def _follow(tree: Variations, node: MoveNode, entries: Sequence[HistoryEntry]) -> MoveNode:
    """Return the node after some moves, which are added to the tree unless it has them."""
    for at, entry in enumerate(entries):
        child = next((child for child in node.children if child.entry == entry), None)
        if child is None:
            return tree.add(node.number, entries[at:])
        node = child
    return node


def _comment(tree: Variations, node: MoveNode, text: str) -> None:
    shown = visible_lines(text.strip())
    if len(shown) > MAX_COMMENT:
        shown = f"{shown[: MAX_COMMENT - 2]} …"
    if shown:
        tree.comment(node.number, shown)

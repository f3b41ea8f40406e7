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
from forthvm.web.table.variations import TreeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.game import HistoryEntry, Position
    from forthvm.game.records.recorded import RecordedGame, RecordedMove
    from forthvm.web.table.move_node import MoveNode
    from forthvm.web.table.variations import Variations

__all__ = ["add_record", "record_of"]


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


def add_record(tree: Variations, record: RecordedGame) -> None:
    """Add the variations, comments and judgements of a record to the tree of its moves.

    A variation ends where a move is not legal, or where the tree is full.
    """
    _comment(tree, tree.root, record.comment)
    _add(tree, tree.root, tree.position_at(tree.root), record.moves)


def _add(
    tree: Variations, node: MoveNode, position: Position, moves: Sequence[RecordedMove]
) -> None:
    """Add moves after a node, whose position is changed."""
    for move in moves:
        before, ply = position.copy(), position.ply
        push_recorded(position, move)
        following = _follow(tree, node, position.history[ply:])
        _comment(tree, following, f"{move.before} {move.comment}")
        glyph = next((glyph for glyph in move.glyphs if 0 < glyph < len(GLYPHS)), 0)
        if glyph:
            tree.judge(following.number, GLYPHS[glyph])
        for variation in move.variations:
            with suppress(ForthVMError, TreeError):
                _add(tree, node, before.copy(), variation)
        node = following


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

"""The tree of the moves of a table: the game as it was played, and variations with comments.

Owns the tree, the current position of the game, and the saved form of both.

Each move is a node; the root is the start of the game.  The first child of a node continues its
line, the other children begin variations.  `played` is the node that the game has reached.  Making
a move goes on to a child, which becomes the first child; taking a move back returns to the parent;
`forward` makes the move again.

The state of each node stays in memory, so that any position of the tree can be read at once and
exactly as it was, with its random streams.  A node of a saved tree gets its state when its position
is first read.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

from forthvm.core import reading
from forthvm.core.errors import ForthVMError, PositionError
from forthvm.core.text.visible import visible_lines
from forthvm.game import HistoryEntry, Position
from forthvm.game.notation import HOST_PASS
from forthvm.game.short_notation import short_notation
from forthvm.web.serving.errors import RequestError
from forthvm.web.table.move_node import GLYPHS, MAX_COMMENT, MoveNode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from forthvm.game import Game, Move
    from forthvm.game.states import State

__all__ = ["MAX_NODES", "TreeError", "Variations", "checked_fields"]

FORMAT = "forthvm-variations"
VERSION = 1
MAX_NODES = 20_000
"""The maximum number of nodes; moves of the game are added to larger trees, too."""
MAX_MADE_AGAIN = 500
"""The number of moves of a saved tree that are made when it is read, so that they have short texts;
others are made when they are shown."""


class TreeError(RequestError):
    """A change of the tree that is not possible."""


class Variations:
    """A tree of moves, and the current position of the game.

    Attributes:
        position: The position of the node `played`.
        root: The start of the game.
        played: The node that the game has reached.
    """

    played: MoveNode
    _next_number: int

    def __init__(self, position: Position) -> None:
        """Begin with a position; the moves that led to it become the main line.

        Moves that cannot be taken back are left out: the tree then begins after them.
        """
        self.position = position
        start, moves = _taken_back(position)
        self._begin(start, 0)
        for move, state in moves:
            self.played = self._new_node(self.played, move.entry)
            self.played.made, self.played.state = move, state
            self.played.of_game = True

    def _begin(self, start: Position, number: int) -> None:
        """Create the root, with a number."""
        self._start = start
        self.root = MoveNode(number, None, None)
        self.played = self.root
        self.root.state = start._state
        self._nodes = {number: self.root}
        self._next_number = number + 1
        self._changed: dict[int, MoveNode] = {}
        self._removed: list[int] = []
        self._sent_played: MoveNode | None = None

    def after(self, earlier: Variations) -> Self:
        """Number the nodes after those of an earlier tree of the table; return the tree."""
        nodes, shift = self._nodes.values(), earlier._next_number - self.root.number
        for node in nodes:
            node.number += shift
        self._nodes = {node.number: node for node in nodes}
        self._next_number += shift
        self._changed, self._removed = dict(self._nodes), []
        return self

    @property
    def size(self) -> int:
        """The number of moves in the tree."""
        return len(self._nodes) - 1

    def node(self, number: int) -> MoveNode:
        """Return the node with a number.

        Raises:
            TreeError: There is no such node.
        """
        if number not in self._nodes:
            raise TreeError("no-node", "This variation does not exist any more.")
        return self._nodes[number]

    def position_at(self, node: MoveNode) -> Position:
        """Return a copy of the position of a node.

        Raises:
            ForthVMError: A move of a saved tree is not legal.
        """
        if node is self.played:
            return self.position.copy()
        line = node.line()
        for at, step in enumerate(line):
            if step.made is None or step.state is None:
                self._make_again(line[: at + 1])
        return self._after(line)

    def _after(self, line: Sequence[MoveNode]) -> Position:
        """Return the position after a line whose moves have been made."""
        state = (line[-1] if line else self.root).state
        assert state is not None
        return self._start._with_state(state, [node.made for node in line if node.made])

    def _make_again(self, line: Sequence[MoveNode]) -> None:
        """Make the last move of a line of a saved tree."""
        *before, last = line
        position = self._after(before)
        assert last.entry is not None
        position.push(last.entry, after_end=True)
        last.made, last.state = position._last_move, last.state or position._state

    def _make_moves_again(self) -> None:
        """Make the first moves of a saved tree again, so that they have short texts."""
        nodes = [node for node in self.root.subtree() if node.parent and node.made is None]
        with suppress(ForthVMError):  # a move that is not legal
            for node in nodes[:MAX_MADE_AGAIN]:
                self._make_again(node.line())

    # --- the game -------------------------------------------------------------------------

    def play(self, move: Move | None) -> None:
        """Make a legal move in the game, or the pass of a player without moves (None)."""
        if move is None:
            self.position.push_pass()
        else:
            self.position.push(move)
        made = self.position._last_move
        assert made is not None
        self.played.state = made._state  # an engine of the script may have changed it
        self.played = self._child(self.played, made)
        self.played.state = self.position._state
        self.played.of_game = True
        self._put_first(self.played)

    def back(self) -> None:
        """Take back the last move of the game.

        Raises:
            TreeError: No move was made.
        """
        if self.played.parent is None:
            raise TreeError("nothing-to-undo", "There is no move to take back.")
        self._go(self.played.parent)

    def take_out(self) -> None:
        """Take back the last move of the game, and delete it with all moves that follow.

        Raises:
            TreeError: No move was made.
        """
        number = self.played.number
        self.back()
        self.delete(number)

    @property
    def may_go_forward(self) -> bool:
        """Whether a move of the game was taken back that can be made again."""
        return bool(self.played.children) and self.played.children[0].of_game

    def forward(self) -> None:
        """Make the move of the game again that was taken back.

        Raises:
            TreeError: There is no such move.
        """
        if not self.may_go_forward:
            raise TreeError("nothing-to-redo", "There is no move to make again.")
        self._go(self.played.children[0])

    def play_from(self, number: int) -> None:
        """Continue the game from a node; the line that leads to it becomes the main line.

        Raises:
            TreeError: There is no such node.
            ForthVMError: A move of a saved tree is not legal.
        """
        node = self.node(number)
        self._go(node)
        for step in node.line():
            step.of_game = True
            self._put_first(step)

    def _go(self, node: MoveNode) -> None:
        self.position, self.played = self.position_at(node), node

    def game_numbers(self) -> list[int]:
        """Return the numbers of the start and of the nodes up to `played`."""
        return [self.root.number, *(node.number for node in self.played.line())]

    # --- variations -----------------------------------------------------------------------

    def add(self, number: int, moves: Sequence[HistoryEntry]) -> MoveNode:
        """Add the moves of a variation that the tree does not have.

        Args:
            number: The node at which it begins.
            moves: Its moves.

        Returns:
            The last node of the variation.

        Raises:
            TreeError: There is no such node, or the tree is full.
            ForthVMError: A move is not legal.
        """
        node = self.node(number)
        position = self.position_at(node)
        for entry in moves:
            if len(self._nodes) >= MAX_NODES:
                raise TreeError(
                    "tree-full", f"A tree has at most {MAX_NODES} moves.", most=MAX_NODES
                )
            position.push(entry)
            made = position._last_move
            assert made is not None
            node = self._child(node, made)
            node.state = node.state or position._state
        return node

    def add_texts(self, number: int, texts: Sequence[str]) -> MoveNode:
        """Add a variation whose moves are given by texts; passes of the host are inserted.

        Raises:
            TreeError, ForthVMError: As for `add`.
        """
        node = self.node(number)
        position = self.position_at(node)
        entries = []
        for text in texts:
            while position.is_stuck:
                entries.append(HistoryEntry(position.turn, "Pass", HOST_PASS))
                position.push(entries[-1])
            entries.append(position.parse(text).entry)
            position.push(entries[-1])
        return self.add(number, entries)

    def delete(self, number: int) -> None:
        """Delete a variation with all moves that follow.

        Raises:
            TreeError: There is no such node, or it belongs to the game.
        """
        node = self.node(number)
        if node.parent is None or node in self.played.line():
            raise TreeError("of-the-game", "A move of the game cannot be deleted.")
        node.parent.children.remove(node)
        for deleted in node.subtree():
            del self._nodes[deleted.number]
            self._changed.pop(deleted.number, None)
            self._removed.append(deleted.number)
        self._change(node.parent)

    def promote(self, number: int) -> None:
        """Move a variation up by one; moves of the game stay in front.

        Raises:
            TreeError: There is no such variation, it is the main line, or the game is the
                line in front of it.
        """
        node = self.node(number)
        while node.parent is not None and node.parent.children[0] is node:
            node = node.parent
        if node.parent is None:
            raise TreeError("main-line", "This is the main line.")
        siblings = node.parent.children
        at = siblings.index(node)
        if siblings[at - 1] in self.played.line():
            raise TreeError("game-comes-first", "Moves of the game come first.")
        siblings[at - 1 : at + 1] = node, siblings[at - 1]
        self._change(node.parent)

    def comment(self, number: int, text: str) -> None:
        """Set the comment on a node.

        Raises:
            TreeError: There is no such node, or the comment is too long.
        """
        shown = visible_lines(text.strip())
        if len(shown) > MAX_COMMENT:
            raise TreeError(
                "long-comment", f"A comment has at most {MAX_COMMENT} characters.", most=MAX_COMMENT
            )
        self._change(self.node(number)).comment = shown

    def judge(self, number: int, glyph: str) -> None:
        """Set the judgement of a move.

        Raises:
            TreeError: There is no such move or judgement.
        """
        node = self.node(number)
        if glyph not in GLYPHS or node is self.root:
            raise TreeError("no-judgement", "There is no such judgement.")
        self._change(node).glyph = glyph

    def _change(self, node: MoveNode) -> MoveNode:
        self._changed[node.number] = node
        return node

    def _child(self, node: MoveNode, made: Move) -> MoveNode:
        """Return the node after a move; it is added unless the tree has it."""
        child = next((child for child in node.children if child.entry == made.entry), None)
        child = child or self._new_node(node, made.entry)
        child.made = child.made or made
        return child

    def _new_node(
        self, parent: MoveNode, entry: HistoryEntry, number: int | None = None
    ) -> MoveNode:
        node = MoveNode(self._next_number if number is None else number, parent, entry)
        self._next_number = max(self._next_number, node.number + 1)
        self._nodes[node.number] = node
        parent.children.append(node)
        self._change(parent)
        return self._change(node)

    def _put_first(self, node: MoveNode) -> None:
        assert node.parent is not None
        siblings = node.parent.children
        if siblings[0] is not node:
            siblings.remove(node)
            siblings.insert(0, node)
            self._change(node.parent)

    # --- for front ends -------------------------------------------------------------------

    def whole(self) -> dict[str, object]:
        """Return the tree as JSON: a row for each node, parents and first children first."""
        if short_notation(self.position._loaded) is not None:
            self._make_moves_again()
        rows = [node.row() for node in self.root.subtree()]
        return {"whole": True, "rows": rows, "played": self.played.number}

    def take_changes(self) -> dict[str, object] | None:
        """Return what has changed since the last call; None if nothing has.

        The first call returns the whole tree.  Later calls return in `rows` the changed and the new
        nodes, and in `removed` the deleted nodes.
        """
        if self._sent_played is None:
            changes = self.whole()
        else:
            changes = {
                "whole": False,
                "rows": [node.row() for node in self._changed.values()],
                "removed": self._removed,
                "played": self.played.number,
            }
        if not self._changed and self._sent_played is self.played:
            return None
        self._changed, self._removed = {}, []
        self._sent_played = self.played
        return changes

    # --- saved trees ----------------------------------------------------------------------

    def as_json(self) -> dict[str, Any]:
        """Return the tree with its positions as JSON (docs/reference/variations.md)."""
        start, position = (
            json.loads(one._document(full=True)) for one in (self._start, self.position)
        )
        return {
            "format": FORMAT,
            "version": VERSION,
            "start": start,
            "position": position,
            "root": self.root.number,
            "played": self.played.number,
            "comment": self.root.comment,
            "nodes": [node.saved() for node in self.root.subtree() if node.parent],
        }

    @classmethod
    def from_json(cls, game: Game, data: object) -> Variations:
        """Return a saved tree.

        Raises:
            PositionDigestError: The tree was saved with other sources.
            PositionError: It is invalid.
        """
        fields = checked_fields(data)
        start, position = (
            Position.from_json(game, json.dumps(fields[key])) for key in ("start", "position")
        )
        tree = cls.__new__(cls)
        tree._begin(start, fields["root"])
        tree.position = position
        tree.root.comment = fields["comment"]
        for saved in fields["nodes"]:
            tree._add_saved(saved)
        if fields["played"] not in tree._nodes:
            _refuse("`played` is no node")
        tree.played = tree._nodes[fields["played"]]
        line = tree.played.line()
        if [node.entry for node in line] != list(position.history[start.ply :]):
            _refuse("the moves to `played` differ from those of `position`")
        _, moves = _taken_back(position)
        for node, (move, state) in zip(reversed(line), reversed(moves), strict=False):
            node.made, node.state = move, state
        return tree

    def _add_saved(self, saved: dict[str, Any]) -> None:
        number, parent = saved["number"], saved["parent"]
        if number <= self.root.number or number in self._nodes or parent not in self._nodes:
            _refuse(f"node {number} is there twice, or comes before its parent")
        entry = HistoryEntry(saved["player"], saved["move"], saved["index"])
        node = self._new_node(self._nodes[parent], entry, number)
        node.of_game = saved.get("of_game", False)
        node.comment, node.glyph = saved.get("comment", ""), saved.get("glyph", "")


def _taken_back(position: Position) -> tuple[Position, list[tuple[Move, State]]]:
    """Return the earliest position that can be restored, and each later move with its state."""
    start, moves = position.copy(), []
    while start.ply:
        state = start._state
        try:
            move = start.pop()
        except PositionError:
            break
        moves.append((move, state))
    return start, moves[::-1]


def _comment(value: object) -> str:
    return visible_lines(reading.text(MAX_COMMENT)(value))


def _glyph(value: object) -> str:
    glyph = reading.text()(value)
    if glyph not in GLYPHS:
        raise reading.ReadError("expected a judgement")
    return glyph


_read_node = reading.record(
    {
        "number": reading.integer(),
        "parent": reading.integer(),
        "player": reading.text(),
        "move": reading.text(),
        "index": reading.integer(),
        "of_game": reading.flag,
        "comment": _comment,
        "glyph": _glyph,
    },
    optional={"of_game", "comment", "glyph"},
    others=True,
)
_read_tree = reading.record(
    {
        "format": reading.text(),
        "version": reading.integer(),
        "start": reading.as_type(object),
        "position": reading.as_type(object),
        "root": reading.integer(),
        "played": reading.integer(),
        "comment": _comment,
        "nodes": reading.list_of(_read_node),
    },
    others=True,
)


def checked_fields(data: object) -> dict[str, Any]:
    """Return the fields of a saved tree after a check of their types.

    Raises:
        PositionError: It is no tree, or a field has another type.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        _refuse(f"its format is not {FORMAT!r}")
    if data.get("version") != VERSION:
        _refuse(f"this forthvm reads version {VERSION}, not {data.get('version')!r}")
    try:
        return _read_tree(data)
    except reading.ReadError as error:
        _refuse(str(error))


def _refuse(reason: str) -> NoReturn:
    raise PositionError(f"not a valid tree of moves: {reason}")

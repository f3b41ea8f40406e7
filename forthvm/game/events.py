"""Events: the effects of the last move, in sentences that are true in any game.

Owns the description of a move: pieces captured, removed, displaced or changed, players without
pieces, passes.  This file compares the boards before and after the move as players see them
(shown.py), so that the events include effects of the script's own words.  Facts that only
the script knows, such as check or a throw of dice, come from its announcements (shown.py).  An
announcement is an event if it was not made for the previous position.

Facts that the text of the move states, such as the target of the moved piece, are not repeated.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.text.wording import joined

from .changes import Moved
from .remarks import announced_in
from .shown import squares_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .notation import HistoryEntry
    from .position import Position
    from .shown import Shown

__all__ = ["Event", "events_of", "last_move_is_hidden", "latest_events"]

_MAX_LISTED = 6
"""Maximum number of squares or pieces that a sentence lists."""
_POSSESSIVE, _POSSESSIVE_AFTER_S = "'s", "'"
"""Possessive endings, for names without and with a final s."""


@dataclass(frozen=True)
class Event:
    """One effect of a move.

    Attributes:
        kind: `captured` (a piece, by another player), `removed` (a piece, otherwise), `displaced`
            (a piece moved by another player), `changed` (type), `turned` (owner), `bare` (a player
            has no pieces left), `passed`, `announced`.
        text: A sentence about the effect.
        squares: The board positions that the effect concerns.
    """

    kind: str
    text: str
    squares: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _VisiblePiece:
    """What players see of a piece: its owner, "" for none, and its type."""

    owner: str
    type: str


def events_of(position: Position, viewer: str | None = None) -> tuple[Event, ...]:
    """Return the effects of the last move; () if no move was made.

    Args:
        position: The position.
        viewer: The player who looks; None: what all players see.

    Raises:
        ForthVMError: The script fails.
        PositionError: Replaying the moves does not lead to the position before the last move.
    """
    if not position.ply:
        return ()
    return _events(_before(position), position, position.history[-1], viewer)


def latest_events(
    position: Position, count: int, viewer: str | None = None
) -> Iterator[tuple[HistoryEntry, tuple[Event, ...]]]:
    """Yield the last moves with their effects, without those of moves from a document.

    Args:
        position: The position.
        count: The number of moves.
        viewer: The player who looks; None: what all players see.

    Raises:
        ForthVMError: The script fails.
    """
    states = [*(move._state for move in position._made), position._state]
    known_from = position.ply - len(position._made)
    first = max(0, position.ply - count)
    for ply, entry in enumerate(position.history[first:], start=first):
        at = ply - known_from
        if at < 0:
            yield entry, ()
            continue
        before, after = (type(position)(position.game, state) for state in states[at : at + 2])
        yield entry, _events(before, after, entry, viewer)


def _events(
    before: Position, after: Position, played: HistoryEntry, viewer: str | None
) -> tuple[Event, ...]:
    return (
        *_passed(before, played.player, played.index),
        *_Difference(before, after, played.index, viewer).events(),
        *(
            Event("announced", line if line[-1] in ".!?" else f"{line}.")
            for line in _new_announcements(before, after)
        ),
    )


def last_move_is_hidden(position: Position) -> bool:
    """Return whether a chance player made the last move and players see no effect of it.

    An announcement of the script, such as a throw of dice, is an effect.
    """
    if not position.ply:
        return False
    before = _before(position)
    if not before.is_chance:
        return False
    shown = position._shown()
    old, new = before.board, position.board
    if _new_announcements(before, position):
        return False
    return all(
        shown.piece(square, old[square]) == shown.piece(square, new[square]) for square in new
    )


def _before(position: Position) -> Position:
    """Return the position before the last move; for a position from a document, by replay."""
    if position._made:
        return type(position)(position.game, position._made[-1]._state)
    before = position.copy()
    before.pop()
    return before


def _new_announcements(before: Position, after: Position) -> list[str]:
    """Return the announcements for a position that were not made for the one before it."""
    new, old = (announced_in(each._loaded, each._state) for each in (after, before))
    return [line for line in new if line not in old]


def _passed(before: Position, player: str, index: int) -> Iterator[Event]:
    """Yield an event if the last move was a pass of a player who is not a chance player."""
    if before.is_chance:
        return
    if index < 0:
        yield Event("passed", f"{player} had no move and passed.")
    elif before.generated_moves[index].is_pass:
        is_only_move = len(set(before.generated_moves.texts)) == 1
        reason = "had no other move and " if is_only_move else ""
        yield Event("passed", f"{player} {reason}passed.")


class _Difference:
    """Compares the boards before and after a move, and explains the differences.

    Pieces are identified by owner and type; equal pieces cannot be distinguished.
    """

    def __init__(
        self, before: Position, after: Position, move_index: int, viewer: str | None
    ) -> None:
        self.mover = before.turn
        self.contestants = frozenset(before.game.contestants)
        shown = before._shown(viewer)  # the end of a game, which reveals pieces, is no event
        old, new = (_visible_pieces(position, shown) for position in (before, after))
        self.piece_counts = [
            Counter(piece.owner for piece in board.values()) for board in (old, new)
        ]
        squares = [name for name in squares_of(before._loaded) if old.get(name) != new.get(name)]
        self.changed_squares = squares  # in the order of the board
        # Pieces on changed squares before and after the move, without those explained by events.
        self.removed = {square: old[square] for square in squares if square in old}
        self.added = {square: new[square] for square in squares if square in new}
        self.explained: list[Event] = []
        move = before.generated_moves[move_index] if move_index >= 0 else None
        for change in move.changes if move else ():
            if isinstance(change, Moved):
                self._explain_moved(change.source, change.target)
        self._explain_displaced(frozenset(old), frozenset(move.captures if move else ()))
        self._explain_changed()

    def events(self) -> Iterator[Event]:
        """Yield the events, those of missing pieces first."""
        owners = dict.fromkeys(piece.owner for piece in self.removed.values())
        if self.mover not in self.contestants:  # chance takes dice from the table
            owners = dict.fromkeys(owner for owner in owners if owner in self.contestants)
        for owner in owners:
            yield self._missing_event(
                owner, [square for square, piece in self.removed.items() if piece.owner == owner]
            )
        yield from self.explained
        before, after = self.piece_counts
        for player in before:
            if player in self.contestants - {self.mover} and not after[player]:
                yield Event("bare", f"No pieces of {player} are left.")

    # --- explanations: a method deletes the pieces that it explains from `removed` and `added` --

    def _explain_moved(self, source: str, target: str) -> None:
        """Explain a piece that the move moves, and whose type may change."""
        removed, added = self.removed.get(source), self.added.get(target)
        if removed and added and removed.owner == added.owner:
            del self.removed[source], self.added[target]
            self._add_changed(removed, added, target)

    def _explain_displaced(self, occupied: frozenset[str], captured: frozenset[str]) -> None:
        """Explain displaced pieces: pieces that are on another square after the move.

        For equal pieces, each square of `removed` is paired with a square of `added`.  Squares
        whose piece the move did not capture, and squares that were empty before the move, are
        paired first.
        """
        for piece in dict.fromkeys(self.removed.values()):
            sources = [square for square, other in self.removed.items() if other == piece]
            targets = [square for square, other in self.added.items() if other == piece]
            sources.sort(key=lambda square: square in captured)
            targets.sort(key=lambda square: square in occupied)
            pairs = list(zip(sources, targets, strict=False))
            for source, target in pairs:
                del self.removed[source], self.added[target]
            if len(pairs) == len(sources) == 1 and self._is_foreign(piece.owner):
                moved = self._with_owner(piece.owner, piece.type)
                text = f"{moved} is moved from {sources[0]} to {targets[0]}."
                self.explained.append(Event("displaced", text, pairs[0]))

    def _explain_changed(self) -> None:
        """Explain changes of type or owner.

        If the mover has one piece in `removed` and one in `added`, the first became the second,
        even on another square.  Other changes are differences between two pieces on one square.
        """
        removed = [square for square, piece in self.removed.items() if piece.owner == self.mover]
        added = [square for square, piece in self.added.items() if piece.owner == self.mover]
        if len(removed) == len(added) == 1:
            self._add_changed(self.removed.pop(removed[0]), self.added.pop(added[0]), added[0])
        squares_by_owners: dict[tuple[str, str], list[str]] = {}
        for square in self.removed.keys() & self.added.keys():
            old, new = self.removed[square], self.added[square]
            if new.owner not in self.contestants and old.type != new.type:
                continue  # the old piece is removed, and another piece is on its square
            squares_by_owners.setdefault((old.owner, new.owner), []).append(square)
        for (owner, new_owner), squares in sorted(squares_by_owners.items()):
            squares.sort(key=self.changed_squares.index)
            pairs = [
                (self.removed.pop(square), self.added.pop(square), square) for square in squares
            ]
            if owner != new_owner:
                self._add_turned(owner, new_owner, squares)
            elif len(squares) > _MAX_LISTED:
                text = f"{len(squares)} pieces of {owner or 'no owner'} change their type."
                self.explained.append(Event("changed", text, tuple(squares)))
            else:
                for pair in pairs:
                    self._add_changed(*pair)

    # --- sentences ------------------------------------------------------------------------------

    def _is_foreign(self, owner: str) -> bool:
        return owner in self.contestants and owner != self.mover

    def _with_owner(self, owner: str, pieces: str) -> str:
        """Return names of pieces after the name of their owner, such as "White's Pawn"."""
        if owner not in self.contestants:
            return f"The {pieces}"
        if owner == "You":
            return f"Your {pieces}"
        ending = _POSSESSIVE_AFTER_S if owner.endswith("s") else _POSSESSIVE
        return f"{owner}{ending} {pieces}"

    def _add_changed(self, old: _VisiblePiece, new: _VisiblePiece, square: str) -> None:
        if old != new:
            text = f"{self._with_owner(old.owner, old.type)} becomes {new.type} on {square}."
            self.explained.append(Event("changed", text, (square,)))

    def _add_turned(self, owner: str, new_owner: str, squares: Sequence[str]) -> None:
        names = joined(squares) if len(squares) <= _MAX_LISTED else f"{len(squares)} squares"
        verb = "changes" if len(squares) == 1 else "change"
        text = f"{names} {verb} from {owner or 'no owner'} to {new_owner or 'no owner'}."
        self.explained.append(Event("turned", text, tuple(squares)))

    def _missing_event(self, owner: str, squares: Sequence[str]) -> Event:
        """Return the event for pieces of an owner that no method has explained."""
        # If the mover has equal pieces, it is unknown which of them was removed and which moved.
        # Therefore the event has no squares.
        suffixes = [f" on {square}" if owner != self.mover else "" for square in squares]
        names = [
            f"{self.removed[square].type}{suffix}"
            for square, suffix in zip(squares, suffixes, strict=True)
        ]
        pieces = (
            self._with_owner(owner, joined(names))
            if len(names) <= _MAX_LISTED
            else f"{len(names)} pieces of {owner}"
        )
        is_capture = self._is_foreign(owner) and self.mover in self.contestants
        verb = "captured" if is_capture else "removed"
        be = "is" if len(names) == 1 else "are"
        return Event(verb, f"{pieces} {be} {verb}.", tuple(squares) if all(suffixes) else ())


def _visible_pieces(position: Position, shown: Shown) -> dict[str, _VisiblePiece]:
    """Return the visible pieces by square, without the pieces of chance players."""
    chance = {player.name for player in position.game.player_details if player.chance}
    seen = {square: shown.piece(square, piece) for square, piece in position.board.occupied()}
    return {
        square: _VisiblePiece(piece.player or "", piece.type)
        for square, piece in seen.items()
        if piece and piece.player not in chance
    }

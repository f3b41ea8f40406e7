"""Move texts derived from the changes of a move, as version 150 derives them.

Owns a second implementation, in Python, of the rules for texts of edits (axiom-observed.md,
section c: notes on the original engine).
"""

from __future__ import annotations

from collections.abc import Sequence

from forthvm.core.records import Change, ChangeKind
from tests.golden_runner.host import Host

__all__ = ["edit_texts"]

_EDITS = frozenset(ChangeKind) - {ChangeKind.PASS, ChangeKind.PARTIAL, ChangeKind.CALL}
# Flags of `_Text.context`, which describe the changes added last: the square was omitted, a type
# was changed, an owner was changed, a piece was moved.
_IMPLICIT, _TYPE, _OWNER, _MOVED = 1, 2, 4, 8


class _Text:
    """The text of one move, built change by change.

    A change of type or owner is written `= name on square`.  The square is omitted if it is
    `last`, the square of the edit before; the name is omitted if the change before had the same.
    """

    def __init__(self, host: Host, last: int | None) -> None:
        self.parts: list[str] = []
        self.context = 0
        self.changed_to: str | None = None
        self.last = last
        self._host = host

    def add(self, change: Change) -> None:
        if change.kind not in _EDITS:
            return
        square = self._host.position_name(change.position)
        piece, player = self._host.piece_name(change.piece), self._host.player_name(change.piece)
        if change.kind is ChangeKind.TYPE:
            self._change(_TYPE, _OWNER, piece, change.position)
            return
        if change.kind is ChangeKind.OWNER:
            self._change(_OWNER, _TYPE, player, change.position)
            return
        if change.kind is ChangeKind.MOVE:
            link = "x" if change.other else "-"
            self.parts += [piece, self._host.position_name(change.source), link, square]
        elif change.kind is ChangeKind.CREATE:
            self.parts += [player, piece, square]
        else:
            self.parts += ["x", square]
        self.context = _MOVED if change.kind is ChangeKind.MOVE else 0
        self.last = change.position

    def _change(self, own: int, other: int, name: str, position: int) -> None:
        """Add a change of type or owner; `own` is its flag, `other` that of the other kind."""
        new = not (self.context & own and self.changed_to == name)
        if new:
            self.parts += ["=", name]
            self.changed_to = name
        if position == self.last and not self.context & other:
            self.context |= own | _IMPLICIT
            return
        if self.context & _MOVED and self.context & _IMPLICIT:
            assert self.last is not None
            self.parts += ["on", self._host.position_name(self.last)]
        elif new:
            self.parts.append("on")
        self.parts.append(self._host.position_name(position))
        self.last, self.context = position, own


def edit_texts(host: Host, changes: Sequence[Change]) -> set[str]:
    """Return the possible texts of a move with these changes in version 150.

    There are two if the move begins with a change of type or owner: its square is omitted if it
    was also the last square edited before the move, which the changes do not show.
    """
    first = next((change.position for change in changes if change.kind in _EDITS), None)
    found = set()
    for last in (None, first):
        text = _Text(host, last)
        for change in changes:
            text.add(change)
        found.add(" ".join(text.parts) or "Pass")
    return found

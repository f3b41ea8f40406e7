"""Offers to the other people at a table: to take back a turn, a draw, another game, an engine.

Owns whose agreement an offer needs.

People at the owner's windows are one party, and each person elsewhere is another.  An offer needs
the agreement of all other parties; engines agree to everything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from forthvm.web.serving.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Collection

    from forthvm.web.table.seats import Viewer

__all__ = ["ANALYSIS", "DRAW", "REMATCH", "UNDO", "Offer"]

UNDO, DRAW, REMATCH, ANALYSIS = "undo", "draw", "rematch", "analysis"


@dataclass(frozen=True)
class Offer:
    """An offer that waits for answers.

    Attributes:
        kind: UNDO, DRAW, REMATCH, or ANALYSIS: the owner may ask an engine.
        by: The players of the party that made the offer.
        waits_for: For each party that has not agreed yet, its players.
    """

    kind: str
    by: tuple[str, ...]
    waits_for: tuple[tuple[str, ...], ...]

    @classmethod
    def make(cls, kind: str, by: Viewer, parties: Collection[tuple[str, ...]]) -> Offer:
        """Return the offer of a viewer to all other parties."""
        return cls(kind, by.players, tuple(party for party in parties if party != by.players))

    def agreed_by(self, viewer: Viewer) -> Offer:
        """Return the offer after a party has agreed.

        Raises:
            RequestError: The offer was not made to the viewer.
        """
        self.check_addressee(viewer)
        return replace(
            self, waits_for=tuple(one for one in self.waits_for if one != viewer.players)
        )

    def check_addressee(self, viewer: Viewer) -> None:
        """Raise RequestError unless the viewer may answer the offer."""
        if viewer.players not in self.waits_for:
            raise RequestError("no-offer", "There is no offer that you could answer.")

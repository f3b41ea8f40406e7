"""The names that code may use: directions, positions, pieces, players, zones, attributes.

Owns the lookup of a name and the answer to unknown names: a name that another game or variant of
the file defines is accepted with a warning, any other one is an error.  Where a library decides
the rules, any name is accepted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors.report import similar_names
from forthvm.core.text.wording import joined
from forthvm.zrf.code import Cursor, Named, Neighbor, Square
from forthvm.zrf.reading.forms import error_at

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from forthvm.zrf.reading.forms import Form
    from forthvm.zrf.resolve.geometry import Geometry
    from forthvm.zrf.resolve.sections import FormReader

__all__ = ["Names", "NamesByKind"]

#: The names of each kind: player, piece, direction, position, zone, attribute.
NamesByKind = dict[str, set[str]]

_KINDS = {"instruction": ("direction", "position"), "condition": ("attribute",)}
_FEW = 8
"""Up to this number, all names of a kind are listed if none is similar to an unknown name."""

_CURSORS = {
    "from": Cursor.FROM,
    "to": Cursor.TO,
    "mark": Cursor.MARK,
    "last-from": Cursor.LAST_FROM,
    "last-to": Cursor.LAST_TO,
}


class Names:
    """The names of one game or variant.

    Attributes:
        geometry: Directions and positions.
        players: The players.
        pieces: The piece types.
        attributes: The attributes that pieces declare or code sets, in that order, with the first
            mention of each.
        zones: The zones.
        move_types: The move types that are known so far.
    """

    def __init__(  # noqa: PLR0913 - keywords only
        self,
        *,
        geometry: Geometry,
        players: Collection[str],
        pieces: Collection[str],
        reader: FormReader,
        elsewhere: Callable[[], NamesByKind],
        accepts_unknown: bool = False,
    ) -> None:
        self.geometry = geometry
        self.players = players
        self.pieces = pieces
        self.zones = {zone.name for zone in geometry.zones}
        self.attributes: dict[str, Form] = {}
        self.move_types: dict[str, None] = {}
        self._reader = reader
        self._elsewhere = elsewhere
        self._accepts_unknown = accepts_unknown
        self._known_elsewhere: NamesByKind | None = None

    # --- squares ---------------------------------------------------------------------

    def is_square(self, form: Form) -> bool:
        """Return whether a form names a square: a direction, a position, or `(opposite …)`."""
        if form.is_list:
            items = self._reader.items(form)
            return bool(items) and items[0].text == "opposite"
        text = form.text
        return (
            text in self.geometry.links
            or text in self.geometry.positions
            or text in self.geometry.killed
        )

    def square(self, form: Form) -> Square | None:
        """Return the square that a form names; None if there is no such square.

        Raises:
            RuleFileError: The name is unknown in the whole file.
        """
        if form.is_list:
            return self._opposite(form)
        text = form.text
        geometry = self.geometry
        if text in geometry.links:
            return Neighbor(text)
        if text in geometry.positions:
            return Named(text)
        if text in _CURSORS:
            return _CURSORS[text]
        if text in geometry.killed:
            self._reader.warn(f"the position `{text}` was killed: it is no square", form)
            return None
        self.unknown(form, "direction or position", [*geometry.links, *geometry.positions])
        return None

    def _opposite(self, form: Form) -> Square | None:
        items = self._reader.items(form)
        if not items or items[0].text != "opposite":
            raise error_at(form, "a direction or a position is expected, not a list")
        if len(items) == 1:
            self._reader.warn("`opposite` without a direction is no square", form)
            return None
        direction = items[1]
        links = self.geometry.links
        if direction.is_list or direction.text not in links:
            self.unknown(direction, "direction", links)
            return None
        opposite = self.geometry.opposite(direction.text)
        if opposite is None:
            self._reader.warn(f"the direction `{direction.text}` has no opposite", direction)
            return None
        return Neighbor(opposite)

    # --- other names -----------------------------------------------------------------

    def piece(self, form: Form) -> str | None:
        """Return the name of a piece type; None if only another variant has it.

        Raises:
            RuleFileError: The name is unknown in the whole file.
        """
        if form.text not in self.pieces:
            self.unknown(form, "piece", self.pieces)
            return None
        return form.text

    def player(self, form: Form) -> str | None:
        """Return the name of a player; None if only another variant has it.

        Raises:
            RuleFileError: The name is unknown in the whole file.
        """
        if form.text not in self.players:
            self.unknown(form, "player", self.players)
            return None
        return form.text

    def unknown(self, form: Form, kind: str, known: Collection[str]) -> None:
        """Warn about an unknown name, or raise an error.

        Args:
            form: The name.
            kind: What is expected, as in "position" or "piece or direction".
            known: The names of that kind.

        Raises:
            RuleFileError: The name is unknown in the whole file.
        """
        if form.is_list:
            raise error_at(form, f"the name of a {kind} is expected, not a list")
        if self._accepts_unknown:
            self._reader.warn(f"unknown {kind} `{form.text}`", form)
            return
        if self._known_elsewhere is None:
            self._known_elsewhere = self._elsewhere()
        kinds = _KINDS.get(kind) or kind.replace(" or ", ", ").split(", ")
        if not any(form.text in self._known_elsewhere.get(name, ()) for name in kinds):
            message = f"unknown {kind} `{form.text}`"
            if form.text in self._reader.expander.macros:
                raise error_at(form, message, f"to call the macro, write ({form.text})")
            raise error_at(form, message, *_all_names(form.text, known), known=known)
        self._reader.warn(
            f"the {kind} `{form.text}` does not exist in this game or variant, only in another one",
            form,
        )


def _all_names(name: str, known: Collection[str]) -> list[str]:
    """Return a hint with all names of a kind, if they are few and none is similar."""
    if not 0 < len(known) <= _FEW or similar_names(name, known):
        return []
    return [f"names that exist: {joined([f'`{each}`' for each in known])}"]

"""Labels of pieces: the longest labels that fit, distinct for each type and owner.

Owns the choice of labels and the marking of owners by letter case or by a prefix.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from forthvm.core.text.width import text_width
from forthvm.render.abbreviate import abbreviate, are_distinct
from forthvm.render.colours import PALETTE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from forthvm.render.scene_types import Scene, ScenePlayer

__all__ = ["Labels", "full_labels", "make_labels", "owners_of", "picture_labels"]

_LETTER_CASES = 2
"""Number of players that letter case can distinguish."""
_NEUTRAL_PREFIXES = "*+~=%&@$!"
_UNLIMITED = 1 << 20
"""A width in columns greater than that of any name."""
_PICTURE_WIDTH = 6
"""Maximum number of letters on a piece in a picture, so that they are legible."""

_Kind = tuple[str, int]
"""The type of a piece and the index of its owner."""


@dataclass(frozen=True)
class _Owner:
    """A player that can own pieces; `competes` is false for neutral and chance players."""

    index: int
    name: str
    competes: bool


@dataclass(frozen=True)
class _Cast:
    """The types and players that need labels.

    Attributes:
        types: The names of the types.
        owners: The players that can own pieces.
        kinds: The kinds of pieces that are shown.
    """

    types: tuple[str, ...]
    owners: tuple[_Owner, ...]
    kinds: frozenset[_Kind] = frozenset()

    @property
    def competing(self) -> list[_Owner]:
        """The owners that are neither neutral nor chance players."""
        return [owner for owner in self.owners if owner.competes]

    @property
    def shows_owners(self) -> bool:
        """Whether labels name only the owner, because there is only one type of piece."""
        return len(self.types) <= 1 and len(self.owners) > 1


@dataclass(frozen=True, kw_only=True)
class Labels:
    """The labels of the pieces of a game, for one width."""

    width: int
    """The width of the longest label on the board."""
    by_case: bool
    """Whether letter case shows the owner: upper case for the first player, else lower case."""
    by_owner: bool
    """Whether labels name only the owner, because there is only one type of piece."""
    types: dict[str, str]
    """Label of each piece type."""
    prefixes: dict[int, str]
    """Prefix of each owner by index, or the owner's label if `by_owner`."""
    first_player: int = 0
    """Index of the player whose pieces are in upper case."""

    def is_upper_case(self, player: int) -> bool:
        """Return whether a player's pieces are in upper case."""
        return self.by_case and player == self.first_player

    def of(self, name: str, player: int) -> str:
        """Return the label of a piece."""
        if self.by_owner:
            return self.prefixes[player]
        return self.full(self.types.get(name, name), player)  # a faulty script may have other types

    def full(self, name: str, player: int) -> str:
        """Return the name of a type in the owner's letter case, or with the owner's prefix."""
        prefix = self.prefixes[player]
        if self.by_owner:
            return prefix
        if self.by_case and not prefix:
            return name.upper() if self.is_upper_case(player) else name.lower()
        return prefix + name


def owners_of(scene: Scene) -> list[int]:
    """Return the indices of the players that can own pieces or do."""
    present = {piece.player for piece in scene.pieces}
    return [
        at
        for at, player in enumerate(scene.players)
        if at in present or not (player.neutral or player.chance)
    ]


def make_labels(scene: Scene, max_width: int) -> Labels | None:
    """Return the longest labels of at most `max_width` columns, or None if no labels fit.

    Labels are distinct for all types of the game, not only those on the board, so that an
    abbreviation has the same meaning during the whole game.
    """
    return _make_labels(_cast_of(scene), max_width)


def full_labels(scene: Scene) -> Labels:
    """Return labels with full names, of any length."""
    return _full_labels(_cast_of(scene))


def picture_labels(types: Iterable[str], players: Sequence[ScenePlayer]) -> Labels:
    """Return short labels for pictures, in which the colour shows the owner if possible.

    The labels are the same in all positions of a game.
    """
    owners = [_owner(at, player) for at, player in enumerate(players)]
    return _picture_labels(_Cast(tuple(dict.fromkeys(types)), tuple(owners)))


@lru_cache(maxsize=32)
def _picture_labels(cast: _Cast) -> Labels:
    labels = None
    if len(cast.competing) <= len(PALETTE):
        if cast.shows_owners:
            return _owner_labels(cast, _PICTURE_WIDTH) or _full_labels(cast)
        prefixes = {owner.index: "" for owner in cast.owners}
        neutral = _neutral_prefixes(cast)
        for at in list(neutral)[1:]:  # neutral players share a colour
            prefixes[at] = neutral[at]
        labels = _with_types(cast, prefixes, _PICTURE_WIDTH)
        if labels is not None and not _differ(labels, neutral):
            labels = None
    return labels or _make_labels(cast, _PICTURE_WIDTH) or _full_labels(cast)


def _owner(index: int, player: ScenePlayer) -> _Owner:
    plain = player.name.removeprefix("?") if player.chance else ""  # without the sign of chance
    return _Owner(index, plain or player.name, competes=not (player.neutral or player.chance))


def _cast_of(scene: Scene) -> _Cast:
    """Return the types and owners for a text; the kinds are those on the board if there is one."""
    on_board = {square.name for square in scene.board.squares if square.cell}
    types = dict.fromkeys([*scene.board.types, *sorted({piece.type for piece in scene.pieces})])
    return _Cast(
        tuple(types),
        tuple(_owner(at, scene.players[at]) for at in owners_of(scene)),
        frozenset(
            (piece.type, piece.player)
            for piece in scene.pieces
            if not on_board or piece.square in on_board
        ),
    )


# --- the parts ------------------------------------------------------------------------------


def _make_labels(cast: _Cast, max_width: int) -> Labels | None:
    if cast.shows_owners:
        return _owner_labels(cast, max_width)
    for prefixes in _all_prefixes(cast):
        by_case = "" in prefixes.values()  # letter case shows an owner without a prefix
        labels = _with_types(cast, prefixes, max_width, by_case=by_case)
        if labels is not None and _are_distinct(cast, labels):
            return labels
    return None


def _full_labels(cast: _Cast) -> Labels:
    labels = _make_labels(cast, _UNLIMITED)
    if labels is None:  # prefixes with numbers and a dot are always distinct
        raise AssertionError("no labels for any width")
    return labels


def _with_types(
    cast: _Cast, prefixes: dict[int, str], max_width: int, *, by_case: bool = False
) -> Labels | None:
    """Return labels of at most `max_width` columns with some prefixes, or None."""
    types = _short_types(cast, prefixes, max_width)
    if types is None or (by_case and not _has_visible_case(types.values())):
        return None
    competing = cast.competing
    labels = Labels(
        width=1,  # replaced by the width of the labels
        by_case=by_case,
        by_owner=False,
        types=types,
        prefixes=prefixes,
        first_player=competing[0].index if competing else 0,
    )
    width = max((text_width(labels.of(*kind)) for kind in cast.kinds), default=1)
    return replace(labels, width=width) if width <= max_width else None


def _owner_labels(cast: _Cast, max_width: int) -> Labels | None:
    names = [owner.name for owner in cast.owners]
    labels = abbreviate(names, min(max_width, max(1, *map(text_width, names))))
    if labels is None:
        return None
    width = max(map(text_width, labels.values()))
    prefixes = {owner.index: labels[owner.name] for owner in cast.owners}
    return Labels(width=width, by_case=False, by_owner=True, types={}, prefixes=prefixes)


def _all_prefixes(cast: _Cast) -> Iterator[dict[int, str]]:
    """Yield prefixes that distinguish owners, the best first.

    The prefixes are: none, because letter case shows the owner; beginnings of the names; numbers.
    """
    competing = cast.competing
    neutral_prefixes = _neutral_prefixes(cast)
    if (
        len(competing) <= _LETTER_CASES
        and _has_visible_case(cast.types)
        and are_distinct({name: name.lower() for name in cast.types})
    ):
        yield {owner.index: "" for owner in competing} | neutral_prefixes
    beginnings = _beginnings([owner.name for owner in competing])
    if beginnings:
        yield {one.index: f"{beginnings[one.name]}." for one in competing} | neutral_prefixes
    yield {one.index: f"{number}." for number, one in enumerate(competing, start=1)} | (
        neutral_prefixes
    )


def _beginnings(names: Sequence[str]) -> dict[str, str] | None:
    """Return the shortest distinct beginnings of names; a number in a name is not cut."""
    if len(set(names)) < len(names):
        return None
    for length in range(1, max(map(len, names), default=0) + 1):
        beginnings = {name: _beginning(name, length) for name in names}
        if are_distinct(beginnings):
            return beginnings
    return None


def _beginning(name: str, length: int) -> str:
    while length < len(name) and name[length - 1 : length + 1].isdecimal():
        length += 1
    return name[:length]


def _differ(labels: Labels, owners: Collection[int]) -> bool:
    """Return whether the labels of all types and some owners differ."""
    shown = {labels.of(name, owner) for name in labels.types for owner in owners}
    return len(shown) == len(labels.types) * len(owners)


def _are_distinct(cast: _Cast, labels: Labels) -> bool:
    """Return whether the labels of all types and owners differ, both full and short labels."""
    full_names, short_names = labels.types.keys(), labels.types.values()
    owners = [owner.index for owner in cast.owners]
    count = len(labels.types) * len(owners)
    return all(
        len({labels.full(name, owner) for name in names for owner in owners}) == count
        for names in (full_names, short_names)
    )


def _has_visible_case(names: Iterable[str]) -> bool:
    """Return whether more than half of each name's characters are letters with two cases."""
    return all(2 * sum(map(_is_letter, name)) > len(name) for name in names)


def _is_letter(char: str) -> bool:
    return char.lower() != char.upper()


def _neutral_prefixes(cast: _Cast) -> dict[int, str]:
    """Return a prefix for each neutral or chance player."""
    neutral = [owner.index for owner in cast.owners if not owner.competes]
    return {
        at: _NEUTRAL_PREFIXES[number] if number < len(_NEUTRAL_PREFIXES) else f"#{number + 1}."
        for number, at in enumerate(neutral)
    }


def _short_types(cast: _Cast, prefixes: Mapping[int, str], max_width: int) -> dict[str, str] | None:
    """Abbreviate each type so that it fits together with its widest prefix on the board.

    The prefix of an owner without a piece of the type is ignored.
    """
    prefix_widths = dict.fromkeys(cast.types, 0)
    for name, owner in cast.kinds:
        prefix_widths[name] = max(prefix_widths[name], text_width(prefixes[owner]))
    return abbreviate(cast.types, {name: max_width - prefix_widths[name] for name in cast.types})

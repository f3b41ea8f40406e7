"""Labels of pieces: the longest labels that fit, distinct for each type and owner.

Owns the choice of labels and the marking of owners by letter case or by a prefix.  It must not
know the layout of a board or colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from forthvm.core.value import Value
from forthvm.render.abbreviate import abbreviate, are_distinct
from forthvm.render.model import Diagram, Owner, PieceView
from forthvm.render.text_width import text_width

__all__ = ["Labels", "full_labels", "make_labels", "make_type_labels"]

_LETTER_CASES = 2
"""Number of players that letter case can distinguish."""
_NEUTRAL_PREFIXES = "*+~=%&@$!"
_UNLIMITED = 1 << 20
"""A width in columns greater than that of any name."""


class Labels(Value, kw_only=True):
    """The labels of the pieces of a game, for one width."""

    width: int
    """The width of the longest label on the board."""
    by_case: bool
    """Whether letter case shows the owner: upper case for the first player, else lower case."""
    by_owner: bool
    """Whether labels name only the owner, because there is only one type of piece."""
    types: dict[str, str]
    """Label of each piece type."""
    prefixes: dict[str, str]
    """Prefix of each owner, or the owner's label if `by_owner`."""
    first_player: int = 0
    """Index of the player whose pieces are in upper case."""

    def is_upper_case(self, owner: Owner) -> bool:
        """Return whether an owner's pieces are in upper case."""
        return self.by_case and owner.index == self.first_player

    def of(self, piece: PieceView) -> str:
        """Return the label of a piece."""
        if self.by_owner:
            return self.prefixes[piece.owner.name]
        return self.with_owner(self.types[piece.type], piece.owner)

    def full(self, piece: PieceView) -> str:
        """Return the label of a piece with the full name of its type."""
        return self.with_owner(piece.type, piece.owner)

    def with_owner(self, name: str, owner: Owner) -> str:
        """Return the name of a type in the owner's letter case, or with the owner's prefix."""
        prefix = self.prefixes[owner.name]
        if self.by_owner:
            return prefix
        if self.by_case and not prefix:
            return name.upper() if self.is_upper_case(owner) else name.lower()
        return prefix + name


def make_labels(diagram: Diagram, max_width: int) -> Labels | None:
    """Return the longest labels of at most `max_width` columns, or None if no labels fit."""
    # Labels are distinct for all types of the game, not only those on the board, so that an
    # abbreviation has the same meaning during the whole game.
    types = list(dict.fromkeys(diagram.types))
    if len(types) <= 1 and len(diagram.owners) > 1:
        return _owner_labels(diagram, max_width)
    for prefixes in _all_prefixes(diagram, types):
        type_labels = _short_types(diagram, types, prefixes, max_width)
        by_case = "" in prefixes.values()  # letter case shows an owner without a prefix
        if type_labels is None or (by_case and not _has_visible_case(type_labels.values())):
            continue
        labels = _labels(diagram, type_labels, prefixes, by_case=by_case)
        if labels.width <= max_width and _are_distinct(diagram, labels):
            return labels
    return None


def full_labels(diagram: Diagram) -> Labels:
    """Return labels with full names, of any length."""
    labels = make_labels(diagram, _UNLIMITED)
    if labels is None:  # prefixes with numbers and a dot are always distinct
        raise AssertionError("no labels for any width")
    return labels


def make_type_labels(diagram: Diagram, max_width: int) -> Labels | None:
    """Return labels with only the type, for pictures in which the colour shows the owner.

    Neutral and chance players share a colour.  Their pieces have a prefix if two of these players
    own pieces of the same type.
    """
    types = list(dict.fromkeys(diagram.types))
    if len(types) <= 1 and len(diagram.owners) > 1:
        return _owner_labels(diagram, max_width)
    prefixes = {owner.name: "" for owner in diagram.owners}
    same_colour = {piece for piece in _shown(diagram) if piece.owner.neutral or piece.owner.chance}
    types_and_owners = {(piece.type, piece.owner.name) for piece in same_colour}
    if len({kind for kind, _ in types_and_owners}) < len(types_and_owners):
        prefixes |= _neutral_prefixes(diagram)
    type_labels = _short_types(diagram, types, prefixes, max_width)
    if type_labels is None:
        return None
    labels = _labels(diagram, type_labels, prefixes)
    distinct_labels = {labels.of(piece) for piece in same_colour}
    if labels.width > max_width or len(distinct_labels) < len(types_and_owners):
        return None
    return labels


# --- the parts ------------------------------------------------------------------------------


def _labels(
    diagram: Diagram, types: dict[str, str], prefixes: dict[str, str], *, by_case: bool = False
) -> Labels:
    players = _players(diagram.owners)
    labels = Labels(
        width=1,  # replaced by the width of the labels
        by_case=by_case,
        by_owner=False,
        types=types,
        prefixes=prefixes,
        first_player=players[0].index if players else 0,
    )
    width = max((text_width(labels.of(piece)) for piece in _shown(diagram)), default=1)
    return labels.replace(width=width)


def _owner_labels(diagram: Diagram, max_width: int) -> Labels | None:
    names = [owner.name for owner in diagram.owners]
    labels = abbreviate(names, min(max_width, max(1, *map(text_width, names))))
    if labels is None:
        return None
    width = max(map(text_width, labels.values()))
    return Labels(width=width, by_case=False, by_owner=True, types={}, prefixes=labels)


def _all_prefixes(diagram: Diagram, types: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield prefixes that distinguish owners, the best first.

    The prefixes are: none, because letter case shows the owner; beginnings of the names; numbers.
    """
    players = _players(diagram.owners)
    names = [owner.name for owner in players]
    neutral_prefixes = _neutral_prefixes(diagram)
    if (
        len(players) <= _LETTER_CASES
        and _has_visible_case(types)
        and are_distinct({name: name.lower() for name in types})
    ):
        yield dict.fromkeys(names, "") | neutral_prefixes
    beginnings = _beginnings(names)
    if beginnings:
        yield {name: f"{beginning}." for name, beginning in beginnings.items()} | neutral_prefixes
    yield {name: f"{at}." for at, name in enumerate(names, start=1)} | neutral_prefixes


def _beginnings(names: Sequence[str]) -> dict[str, str] | None:
    """Return the shortest distinct beginnings of names; a number in a name is not cut."""
    for length in range(1, max(map(len, names), default=0) + 1):
        beginnings = {name: _beginning(name, length) for name in names}
        if are_distinct(beginnings):
            return beginnings
    return None


def _beginning(name: str, length: int) -> str:
    while length < len(name) and name[length - 1 : length + 1].isdecimal():
        length += 1
    return name[:length]


def _are_distinct(diagram: Diagram, labels: Labels) -> bool:
    """Return whether the labels of all types and owners differ, both full and short labels."""
    full_names, short_names = labels.types.keys(), labels.types.values()
    owners = {owner.name: owner for owner in diagram.owners}.values()
    count = len(labels.types) * len(owners)
    return all(
        len({labels.with_owner(name, owner) for name in names for owner in owners}) == count
        for names in (full_names, short_names)
    )


def _players(owners: Sequence[Owner]) -> list[Owner]:
    return [owner for owner in owners if not owner.neutral and not owner.chance]


def _shown(diagram: Diagram) -> list[PieceView]:
    """Return the pieces on the board; all pieces if there is no board."""
    return [square.piece for square in diagram.board or diagram.squares if square.piece]


def _has_visible_case(names: Iterable[str]) -> bool:
    """Return whether more than half of each name's characters are letters with two cases."""
    return all(2 * sum(map(_is_letter, name)) > len(name) for name in names)


def _is_letter(char: str) -> bool:
    return char.lower() != char.upper()


def _neutral_prefixes(diagram: Diagram) -> dict[str, str]:
    """Return a prefix for each neutral or chance player."""
    players = _players(diagram.owners)
    neutral_names = [owner.name for owner in diagram.owners if owner not in players]
    return {
        name: _NEUTRAL_PREFIXES[at] if at < len(_NEUTRAL_PREFIXES) else f"#{at + 1}."
        for at, name in enumerate(neutral_names)
    }


def _short_types(
    diagram: Diagram, types: Sequence[str], prefixes: Mapping[str, str], max_width: int
) -> dict[str, str] | None:
    """Abbreviate each type so that it fits together with its widest prefix on the board.

    The prefix of an owner without a piece of the type is ignored.
    """
    prefix_widths = dict.fromkeys(types, 0)
    for piece in _shown(diagram):
        width = text_width(prefixes[piece.owner.name])
        prefix_widths[piece.type] = max(prefix_widths[piece.type], width)
    return abbreviate(types, {name: max_width - prefix_widths[name] for name in types})

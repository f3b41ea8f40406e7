"""Short names for pieces: as long as there is room for, distinct, owners told apart.

Owns abbreviation and the marking of owners by case or by a prefix.  It must not know
where on a board anything stands, nor about colour.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from forthvm.core.value import Value
from forthvm.render.model import Diagram, Owner, PieceView

__all__ = ["Labels", "abbreviate", "make_labels", "make_type_labels"]

_NUMBERS = re.compile(r"\d+")
_VOWELS = frozenset("aeiouyAEIOUY")
_CASES = 2
"""Capitals and small letters: as many players as case can tell apart."""


def abbreviate(names: Sequence[str], room: int | Mapping[str, int]) -> dict[str, str] | None:
    """Distinct short forms; None where there is too little room for them.

    Names that fit stay whole.  The others lose, in one manner for all: their ends, or
    their vowels, or their middle; if no manner keeps them apart, each takes the first
    letters of its own that are free.

    Args:
        names: what to shorten.
        room: characters for each, one number for all or one by name.

    >>> abbreviate(["wizard", "dwarf", "troll"], 3)
    {'wizard': 'wiz', 'dwarf': 'dwa', 'troll': 'tro'}
    >>> abbreviate(["Knight", "King"], 1)
    {'Knight': 'K', 'King': 'i'}
    """
    widths = {name: room if isinstance(room, int) else room[name] for name in names}
    if min(widths.values(), default=1) < 1:
        return None
    manners: tuple[Callable[[str, int], str], ...] = (
        lambda name, width: name[:width],
        lambda name, width: _without_vowels(name)[:width],
        lambda name, width: name[:1] + name[len(name) - width + 1 :] if width > 1 else name[:1],
    )
    for manner in manners:
        short = {
            name: name if len(name) <= width else manner(name, width)
            for name, width in widths.items()
        }
        if len({label.lower() for label in short.values()}) == len(short):
            return short if _numbers_whole(short) else None
    return _one_by_one(widths)


def _numbers_whole(short: Mapping[str, str]) -> bool:
    """Whether numbers in names are as they were: S13 is not short for S153."""
    return all(_NUMBERS.findall(name) == _NUMBERS.findall(label) for name, label in short.items())


def _without_vowels(name: str) -> str:
    return name[:1] + "".join(letter for letter in name[1:] if letter not in _VOWELS)


def _one_by_one(widths: Mapping[str, int]) -> dict[str, str] | None:
    short = {name: name for name, width in widths.items() if len(name) <= width}
    taken = {label.lower() for label in short.values()}
    if len(taken) < len(short):
        return None
    for name, width in widths.items():
        if name in short:
            continue
        stem = name[: width - 1]
        endings = [*name[width - 1 :], *"0123456789"]
        choice = next((stem + end for end in endings if (stem + end).lower() not in taken), None)
        if choice is None:
            return None
        short[name] = choice
        taken.add(choice.lower())
    return {name: short[name] for name in widths}


class Labels(Value, kw_only=True):
    """How the pieces of a game are written, at one width."""

    width: int
    by_case: bool
    """The first player's pieces in capitals, the second's in small letters."""
    by_owner: bool
    """There is one type of piece: the owner's name is all that matters."""
    types: dict[str, str]
    prefixes: dict[str, str]
    first: int = 0
    """Index of the player who has the capitals."""

    def is_first(self, owner: Owner) -> bool:
        """Whether this owner's pieces are in capitals."""
        return self.by_case and owner.index == self.first

    def of(self, piece: PieceView) -> str:
        """The label of a piece."""
        if self.by_owner:
            return self.prefixes[piece.owner.name]
        return self._marked(self.types[piece.type], piece.owner)

    def full(self, piece: PieceView) -> str:
        """The same with the whole name."""
        return self._marked(piece.type, piece.owner)

    def _marked(self, name: str, owner: Owner) -> str:
        prefix = self.prefixes[owner.name]
        if self.by_owner:
            return prefix
        if self.by_case and not prefix:
            return name.upper() if self.is_first(owner) else name.lower()
        return prefix + name


def _players(owners: Sequence[Owner]) -> list[Owner]:
    return [owner for owner in owners if not owner.neutral and not owner.chance]


def make_labels(diagram: Diagram, room: int) -> Labels | None:
    """Labels of at most `room` characters, as telling as fits; None where none fit."""
    # All types of the game, not only those on the board, are kept apart: so a short name
    # means the same piece all through a game.
    types = list(dict.fromkeys(diagram.types))
    players = _players(diagram.owners)
    if len(types) <= 1 and len(diagram.owners) > 1:
        return _owner_labels(diagram, room)
    if len(players) <= _CASES:
        labels = _case_labels(diagram, types, players, room)
        if labels:
            return labels
    return _prefix_labels(diagram, types, players, room)


def make_type_labels(diagram: Diagram, room: int) -> Labels | None:
    """Labels that say the type alone, where colours say whose a piece is."""
    types = list(dict.fromkeys(diagram.types))
    if len(types) <= 1 and len(diagram.owners) > 1:
        return _owner_labels(diagram, room)
    prefixes = {owner.name: "" for owner in diagram.owners}
    short = _short_types(diagram, types, prefixes, room)
    if short is None:
        return None
    width = _width(diagram, short, prefixes)
    return Labels(width=width, by_case=False, by_owner=False, types=short, prefixes=prefixes)


def _case_tells(names: Iterable[str]) -> bool:
    """Whether capitals and small letters tell these names apart at a glance: T361 does not."""
    return all(2 * sum(map(_is_letter, name)) > len(name) for name in names)


def _is_letter(char: str) -> bool:
    return char.lower() != char.upper()


def _owner_labels(diagram: Diagram, room: int) -> Labels | None:
    names = [owner.name for owner in diagram.owners]
    longest = max(map(len, names))
    short = abbreviate(names, min(room, longest))
    if short is None:
        return None
    width = max(map(len, short.values()))
    return Labels(width=width, by_case=False, by_owner=True, types={}, prefixes=short)


def _case_labels(
    diagram: Diagram, types: Sequence[str], players: Sequence[Owner], room: int
) -> Labels | None:
    """Capitals and small letters; other owners' pieces get a mark in front."""
    if not _case_tells(types):
        return None
    prefixes = {owner.name: "" for owner in players} | _marks(diagram, players)
    short = _short_types(diagram, types, prefixes, room)
    if short is None or not _case_tells(short.values()):
        return None
    first = players[0].index if players else 0
    width = _width(diagram, short, prefixes)
    return Labels(
        width=width, by_case=True, by_owner=False, types=short, prefixes=prefixes, first=first
    )


def _prefix_labels(
    diagram: Diagram, types: Sequence[str], players: Sequence[Owner], room: int
) -> Labels | None:
    """Each owner by the shortest start of his name that is his alone, then the piece."""
    names = [owner.name for owner in players]
    prefixes = {name: f"{at}." for at, name in enumerate(names, start=1)}
    for length in range(1, max(map(len, names), default=0) + 1):
        cut = [name[:length] for name in names]
        if len({each.lower() for each in cut}) == len(cut):
            prefixes = {name: f"{each}." for name, each in zip(names, cut, strict=True)}
            break
    prefixes |= _marks(diagram, players)
    short = _short_types(diagram, types, prefixes, room)
    if short is None:
        return None
    width = _width(diagram, short, prefixes)
    return Labels(width=width, by_case=False, by_owner=False, types=short, prefixes=prefixes)


def _marks(diagram: Diagram, players: Sequence[Owner]) -> dict[str, str]:
    """A sign for each owner who is no ordinary player."""
    others = [owner.name for owner in diagram.owners if owner not in players]
    signs = [*"*+~=%&@$!"]
    return {name: signs[at] if at < len(signs) else "#" for at, name in enumerate(others)}


def _short_types(
    diagram: Diagram, types: Sequence[str], prefixes: Mapping[str, str], room: int
) -> dict[str, str] | None:
    """Each type as long as the widest prefix leaves room for among the pieces on show.

    A prefix that no piece of the type has just now costs nothing: most neutral pieces are
    of types that only neutral players own.
    """
    extra = dict.fromkeys(types, 0)
    for place in diagram.board or diagram.places:
        if place.piece:
            prefix = prefixes[place.piece.owner.name]
            extra[place.piece.type] = max(extra[place.piece.type], len(prefix))
    return abbreviate(types, {name: room - extra[name] for name in types})


def _width(diagram: Diagram, short: Mapping[str, str], prefixes: Mapping[str, str]) -> int:
    return max(
        (
            len(prefixes[place.piece.owner.name]) + len(short[place.piece.type])
            for place in diagram.board or diagram.places
            if place.piece
        ),
        default=1,
    )

"""The places beside the board, such as hands and reserves: their groups and where they are drawn.

Owns the grouping by names.

Positions form a group if their names contain the name of the same player, or if their names begin
with the same word.  A word ends at a punctuation mark, before a capital letter and before a number.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from forthvm.render.scene_types import SceneLabel, SceneSquare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.render.scene_types import Point

__all__ = ["groups_of", "places_beside"]

_HEADING = 0.6  # height of a heading
_SIZE = 0.72  # of a piece, above the label of its place
_LEAST_HEIGHT = 8
_WORDS = re.compile(r"[-_.:/ ]+|(?<=[a-z])(?=[A-Z0-9])")


def groups_of(names: Sequence[str], players: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Return the groups by heading; a place has its name, and the rest of the name as a label.

    >>> groups_of(["South-pawn", "South-rook", "urn"], ["South", "North"])
    {'South': [('South-pawn', 'pawn'), ('South-rook', 'rook')], '': [('urn', 'urn')]}
    """
    words = {name: [word for word in _WORDS.split(name) if word] or [name] for name in names}
    first_words = Counter(split[0] for split in words.values())
    players_by_word = {player.casefold(): player for player in players}
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, split in words.items():
        owner = next((word for word in split if word.casefold() in players_by_word), None)
        if owner is not None:
            heading = players_by_word[owner.casefold()]
        else:
            owner = split[0] if len(split) > 1 and first_words[split[0]] > 1 else None
            heading = owner or ""
        rest = [word for word in split if word != owner]
        groups.setdefault(heading, []).append((name, " ".join(rest) or name))
    return groups


def places_beside(
    groups: dict[str, list[tuple[str, str]]], corner: Point, height: float
) -> tuple[list[SceneSquare], list[SceneLabel]]:
    """Return the places of groups and their headings.

    Each group begins a new line, with its heading above.  Lines are as short as the height allows.

    Args:
        groups: The groups, as `groups_of` returns them.
        corner: The upper left corner of the first group.
        height: The height that should not be exceeded.
    """
    most = max((len(places) for places in groups.values()), default=0)
    per_line = next(
        (width for width in range(1, most) if _height(groups, width) <= max(height, _LEAST_HEIGHT)),
        max(most, 1),
    )
    squares, labels = [], []
    left, top = corner
    for heading, places in groups.items():
        width = min(per_line, len(places))
        if heading:
            labels.append(SceneLabel(text=heading, at=(left + width / 2, top + _HEADING / 2)))
            top += _HEADING
        for at, (name, label) in enumerate(places):
            x, y = left + at % per_line, top + at // per_line
            squares.append(
                SceneSquare(
                    name=name,
                    corners=((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)),
                    centre=(x + 0.5, y + _SIZE / 2),
                    size=_SIZE,
                    beside=True,
                    group=heading,
                    label=label,
                )
            )
        top += -(-len(places) // per_line)
    return squares, labels


def _height(groups: dict[str, list[tuple[str, str]]], per_line: int) -> float:
    return sum(
        -(-len(places) // per_line) + (_HEADING if heading else 0)
        for heading, places in groups.items()
    )

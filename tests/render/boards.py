"""Diagrams made by hand for the tests of the renderers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from forthvm.render.model import (
    Diagram,
    Owner,
    PieceView,
    Quantity,
    Square,
    grid_layout,
    infer_layout,
)

SOUTH = Owner(name="South", index=0)
WEST = Owner(name="West", index=1)
NORTH = Owner(name="North", index=2)
EAST = Owner(name="East", index=3)
ROCK = Owner(name="Rock", index=4, neutral=True)

SPLUT_SQUARES = [
    f"{column}{row}"
    for column in "abcdefghi"
    for row in range(1, 10)
    if abs("abcdefghi".index(column) - 4) + abs(row - 5) <= 4
]


def grid(  # noqa: PLR0913 - keywords of a builder
    rows: int,
    columns: int,
    pieces: Mapping[str, tuple[str, Owner]],
    *,
    types: Sequence[str],
    owners: Sequence[Owner],
    last: Sequence[str] = (),
    extra: Sequence[str] = (),
    quantities: Sequence[Quantity] = (),
) -> Diagram:
    """A board with a grid, the highest row at the top, and `extra` positions outside the grid."""
    names = [f"{chr(97 + column)}{row}" for row in range(rows, 0, -1) for column in range(columns)]
    names += extra
    return named(
        names,
        pieces,
        types=types,
        owners=owners,
        last=last,
        quantities=quantities,
        shape=(rows, columns),
    )


def named(  # noqa: PLR0913 - keywords of a builder
    names: Sequence[str],
    pieces: Mapping[str, tuple[str, Owner]],
    *,
    types: Sequence[str],
    owners: Sequence[Owner],
    last: Sequence[str] = (),
    quantities: Sequence[Quantity] = (),
    shape: tuple[int, int] | None = None,
) -> Diagram:
    """A board of named positions, laid out by their names unless a shape is given."""
    layout = grid_layout(names, *shape) if shape else infer_layout(names)
    squares = []
    for name, coordinate in zip(names, layout.coordinates, strict=True):
        piece = pieces.get(name)
        squares.append(
            Square(
                name=name,
                row=coordinate[0] if coordinate else None,
                column=coordinate[1] if coordinate else None,
                piece=PieceView(type=piece[0], owner=piece[1]) if piece else None,
                in_last_move=name in last,
            )
        )
    return Diagram(
        squares=tuple(squares),
        types=tuple(types),
        owners=tuple(owners),
        quantities=tuple(quantities),
        row_labels=layout.row_labels,
        column_labels=layout.column_labels,
    )


def splut() -> Diagram:
    """The initial position of Splut!: four teams on 41 squares."""
    pieces = {
        "e1": ("sstone", ROCK),
        "a5": ("wstone", ROCK),
        "e9": ("nstone", ROCK),
        "i5": ("estone", ROCK),
    }
    teams = {
        SOUTH: ("d2", "e2", "f2"),
        WEST: ("b6", "b5", "b4"),
        NORTH: ("f8", "e8", "d8"),
        EAST: ("h4", "h5", "h6"),
    }
    for owner, (wizard, dwarf, troll) in teams.items():
        pieces |= {
            wizard: ("wizard", owner),
            dwarf: ("dwarf", owner),
            troll: ("troll", owner),
        }
    return named(
        SPLUT_SQUARES,
        pieces,
        types=("wizard", "dwarf", "troll", "sstone", "wstone", "nstone", "estone"),
        owners=(*teams, ROCK),
    )

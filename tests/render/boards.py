"""Scenes made by hand for the tests of the renderers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from forthvm.render.colours import NEUTRAL, colours_of
from forthvm.render.labels import picture_labels
from forthvm.render.layout import grid_layout, infer_layout
from forthvm.render.scene_types import (
    Scene,
    SceneBoard,
    SceneMark,
    ScenePiece,
    ScenePlayer,
    SceneSquare,
)


def player(name: str, *, neutral: bool = False) -> ScenePlayer:
    """A player, whose colours the builder of a scene chooses."""
    return ScenePlayer(name=name, fill="", ink="", neutral=neutral)


SOUTH, WEST, NORTH, EAST = map(player, ("South", "West", "North", "East"))
ROCK = player("Rock", neutral=True)

SPLUT_SQUARES = [
    f"{column}{row}"
    for column in "abcdefghi"
    for row in range(1, 10)
    if abs("abcdefghi".index(column) - 4) + abs(row - 5) <= 4
]


def grid(  # noqa: PLR0913 - keywords of a builder
    rows: int,
    columns: int,
    pieces: Mapping[str, tuple[str, ScenePlayer]],
    *,
    types: Sequence[str],
    owners: Sequence[ScenePlayer],
    last: Sequence[str] = (),
    extra: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Scene:
    """A board with a grid, the highest row at the top, and `extra` positions outside the grid."""
    names = [f"{chr(97 + column)}{row}" for row in range(rows, 0, -1) for column in range(columns)]
    names += extra
    return named(
        names,
        pieces,
        types=types,
        owners=owners,
        last=last,
        notes=notes,
        shape=(rows, columns),
    )


def named(  # noqa: PLR0913 - keywords of a builder
    names: Sequence[str],
    pieces: Mapping[str, tuple[str, ScenePlayer]],
    *,
    types: Sequence[str],
    owners: Sequence[ScenePlayer],
    last: Sequence[str] = (),
    notes: Sequence[str] = (),
    shape: tuple[int, int] | None = None,
) -> Scene:
    """A board of named positions, laid out by their names unless a shape is given."""
    layout = grid_layout(names, *shape) if shape else infer_layout(names)
    colours = colours_of([one.name for one in owners if not one.neutral])
    looks = [colours.get(one.name, NEUTRAL) for one in owners]
    players = tuple(
        replace(one, fill=fill, ink=ink) for one, (fill, ink) in zip(owners, looks, strict=True)
    )
    labels = picture_labels(types, players)
    indices = {id(one): at for at, one in enumerate(owners)}  # two players may have one name
    return Scene(
        board=SceneBoard(
            width=len(layout.column_labels) + 3.0,
            height=len(layout.row_labels) + 1.0,
            squares=tuple(
                square(name, coordinate)
                for name, coordinate in zip(names, layout.coordinates, strict=True)
            ),
            rows=layout.row_labels,
            columns=layout.column_labels,
            types=tuple(types),
        ),
        pieces=tuple(
            ScenePiece(
                square=name,
                type=kind,
                player=indices[id(owner)],
                label=labels.of(kind, indices[id(owner)]),
            )
            for name, (kind, owner) in pieces.items()
        ),
        players=players,
        marks=tuple(SceneMark(square=name, kind="last") for name in last),
        notes=tuple(notes),
    )


def square(name: str, cell: tuple[int, int] | None) -> SceneSquare:
    """A square in a row and a column, or beside the board."""
    left, top = (cell[1], cell[0]) if cell else (-2, 0)
    corners = ((left, top), (left + 1, top), (left + 1, top + 1), (left, top + 1))
    centre = (left + 0.5, top + 0.5)
    return SceneSquare(name=name, corners=corners, centre=centre, cell=cell, beside=cell is None)


def splut() -> Scene:
    """The initial position of Splut!: four teams on 41 squares."""
    pieces = {
        "e1": ("sstone", ROCK),
        "a5": ("wstone", ROCK),
        "e9": ("nstone", ROCK),
        "i5": ("estone", ROCK),
    }
    teams = (
        (SOUTH, ("d2", "e2", "f2")),
        (WEST, ("b6", "b5", "b4")),
        (NORTH, ("f8", "e8", "d8")),
        (EAST, ("h4", "h5", "h6")),
    )
    for owner, (wizard, dwarf, troll) in teams:
        pieces |= {
            wizard: ("wizard", owner),
            dwarf: ("dwarf", owner),
            troll: ("troll", owner),
        }
    return named(
        SPLUT_SQUARES,
        pieces,
        types=("wizard", "dwarf", "troll", "sstone", "wstone", "nstone", "estone"),
        owners=(*(owner for owner, _ in teams), ROCK),
    )

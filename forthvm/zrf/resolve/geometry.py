"""The geometry of a board (contract, section 3).

Owns grids, single positions, links, zones and symmetries; the forms act in the order of the file.
Of pieces and players it uses only their names in zones and symmetries.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from forthvm.zrf.reading.forms import error_at
from forthvm.zrf.resolve.grids import Grid, read_grid, read_rectangle
from forthvm.zrf.rules import Board, Position, Zone

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from forthvm.zrf.choices import Choices
    from forthvm.zrf.reading.forms import Form
    from forthvm.zrf.resolve.sections import FormReader, Section
    from forthvm.zrf.source import Origin

__all__ = ["MAX_POSITIONS", "Geometry", "read_board"]

#: Positions of a board; real boards have up to 3,241.
MAX_POSITIONS = 16_384
_MAX_DIRECTIONS = 128
_MAX_LINKS = 1_000_000


class Geometry:
    """A board while it is read, and what its code may ask about it.

    Attributes:
        positions: The positions, in order.
        links: For each direction, in order, the target of each origin.
        killed: Names of positions that were killed and not defined again.
        zones: In file order.
        symmetries: For each player, the direction that replaces a direction.
        symmetry_origins: For each player, where the file states the first symmetry.
        direction_origins: Where the file defines the directions, by name.
        images: File names of the board's pictures.
    """

    def __init__(self) -> None:
        self.positions: dict[str, Position] = {}
        self.links: dict[str, dict[str, str]] = {}
        self.killed: set[str] = set()
        self.zones: list[Zone] = []
        self.symmetries: dict[str, dict[str, str]] = {}
        self.symmetry_origins: dict[str, Origin] = {}
        self.direction_origins: dict[str, Origin] = {}
        self.images: tuple[str, ...] = ()
        self._grids: list[Grid] = []
        self._opposites: dict[str, str | None] = {}

    def board(self) -> Board:
        """Return the complete board."""
        return Board(
            positions=tuple(self.positions.values()),
            directions=tuple(self.links),
            links=self.links,
            zones=tuple(self.zones),
            symmetries=self.symmetries,
            images=self.images,
            symmetry_origins=self.symmetry_origins,
            direction_origins=self.direction_origins,
        )

    # --- opposite directions -----------------------------------------------------------

    def opposite(self, direction: str) -> str | None:
        """Return the direction that is the opposite of another one; None if there is none.

        For a direction of a grid it is the one with the negated steps, for a direction made by
        links the one that leads back most often.
        """
        if direction not in self._opposites:
            self._opposites[direction] = self._find_opposite(direction)
        return self._opposites[direction]

    def _find_opposite(self, direction: str) -> str | None:
        for grid in self._grids:
            steps = grid.directions.get(direction)
            if steps is not None:
                negated = tuple(-step for step in steps)
                for name, other in grid.directions.items():
                    if other == negated:
                        return name
        back = {
            name: sum(targets.get(there) == here for here, there in self.links[direction].items())
            for name, targets in self.links.items()
        }
        best = max(back, key=lambda name: back[name])
        return best if back[best] else None

    # --- changes -------------------------------------------------------------------------

    def add_position(self, position: Position) -> bool:
        """Add a position; False if there is one with that name, which stays as it is."""
        self.killed.discard(position.name)
        return self.positions.setdefault(position.name, position) is position

    def add_direction(self, name: str) -> dict[str, str]:
        """Return the links of a direction, which is added if it is new."""
        return self.links.setdefault(name, {})

    def add_grid(self, grid: Grid) -> None:
        """Link the positions of a grid."""
        self._grids.append(grid)
        lengths = [len(names) for names in grid.names]
        strides = [math.prod(lengths[i + 1 :]) for i in range(len(lengths))]
        for name, steps in grid.directions.items():
            self.direction_origins.setdefault(name, grid.origins[name])
            links = self.add_direction(name)
            for index, here in zip(
                itertools.product(*map(range, lengths)), grid.positions, strict=True
            ):
                there = 0
                for i, step, length, stride in zip(index, steps, lengths, strides, strict=True):
                    if not 0 <= i + step < length:
                        break
                    there += (i + step) * stride
                else:
                    links[here] = grid.positions[there]

    def kill(self, names: Collection[str]) -> None:
        """Remove positions and their links."""
        for name in names:
            del self.positions[name]
        self.killed.update(names)
        self.unlink(names)

    def unlink(self, names: Collection[str], pairs: Collection[tuple[str, str]] = ()) -> None:
        """Remove all links from and to some positions, and those from one position to another."""
        gone, cut = set(names), set(pairs)
        for direction, links in self.links.items():
            self.links[direction] = {
                here: there
                for here, there in links.items()
                if here not in gone and there not in gone and (here, there) not in cut
            }


def read_board(
    section: Section, players: Sequence[str], reader: FormReader, choices: Choices
) -> Geometry:
    """Read a `board` section.

    Raises:
        RuleFileError: The section is broken, or exceeds a limit.
    """
    return _BoardReader(players, reader, choices).read(section)


class _BoardReader:
    def __init__(self, players: Sequence[str], reader: FormReader, choices: Choices) -> None:
        self._players = players
        self._reader = reader
        self._later_link_wins = choices.later_link_wins
        self._geometry = Geometry()
        self._zone_sections: list[Section] = []
        self._symmetry_sections: list[Section] = []

    def read(self, board: Section) -> Geometry:
        readers: dict[str, Callable[[Section], None]] = {
            "image": self._image,
            "grid": self._grid,
            "positions": self._positions,
            "dummy": self._dummies,
            "links": self._links,
            "unlink": self._unlink,
            "kill-positions": self._kill,
            "zone": self._zone_sections.append,
            "symmetry": self._symmetry_sections.append,
        }
        for section in self._reader.sections(board.items, "board"):
            read = readers.get(section.keyword)
            if read is None:
                self._reader.warn(f"unknown in `board`, ignored: `{section.keyword}`", section.form)
            else:
                read(section)
                self._check_limits(section)
        for section in self._symmetry_sections:
            self._symmetry(section)
            self._check_limits(section)
        for section in self._zone_sections:
            self._zone(section)
        return self._geometry

    def _check_limits(self, section: Section) -> None:
        geometry = self._geometry
        if sum(map(len, geometry.links.values())) > _MAX_LINKS:
            raise error_at(section.form, f"the board has more than {_MAX_LINKS:,} links")
        if len(geometry.positions) > MAX_POSITIONS:
            raise error_at(section.form, f"the board has more than {MAX_POSITIONS:,} positions")
        if len(geometry.links) > _MAX_DIRECTIONS:
            raise error_at(section.form, f"the board has more than {_MAX_DIRECTIONS} directions")

    def _image(self, section: Section) -> None:
        self._geometry.images += tuple(item.text for item in section.names)

    # --- positions -----------------------------------------------------------------------

    def _grid(self, section: Section) -> None:
        room = MAX_POSITIONS - len(self._geometry.positions)
        grid = read_grid(section, self._reader, room)
        origin = section.form.origin
        if len(grid.directions) > _MAX_DIRECTIONS:
            raise error_at(section.form, f"the board has more than {_MAX_DIRECTIONS} directions")
        if len(grid.directions) * len(grid.positions) > _MAX_LINKS:
            raise error_at(section.form, f"the board has more than {_MAX_LINKS:,} links")
        for index, name in enumerate(grid.positions):
            self._add(Position(name, grid.rectangle(index), origin), section.form)
        self._geometry.add_grid(grid)

    def _add(self, position: Position, form: Form) -> None:
        if not self._geometry.add_position(position):
            self._reader.warn(
                f"the position `{position.name}` is defined again; "
                "its first rectangle stays in force",
                form,
            )

    def _positions(self, section: Section) -> None:
        for item in section.items:
            parts = self._reader.items(item)
            if not parts or parts[0].is_list:
                self._reader.warn("ignored in `positions`: write (NAME x1 y1 x2 y2)", item)
                continue
            rectangle = read_rectangle(parts[1:], item, self._reader)
            self._add(Position(parts[0].text, rectangle, item.origin), item)

    def _dummies(self, section: Section) -> None:
        for item in section.names:
            self._add(Position(item.text, None, item.origin), item)

    def _kill(self, section: Section) -> None:
        names: dict[str, None] = {}
        for item in section.names:
            if item.text in self._geometry.positions:
                names[item.text] = None
            else:
                self._reader.warn(f"there is no position `{item.text}` to kill", item)
        self._geometry.kill(names)

    # --- links ---------------------------------------------------------------------------

    def _links(self, section: Section) -> None:
        if not section.items or section.items[0].is_list:
            self._reader.warn("`links` without a direction is ignored", section.form)
            return
        name = section.items[0]
        self._geometry.direction_origins.setdefault(name.text, name.origin)
        links = self._geometry.add_direction(name.text)
        positions = self._geometry.positions
        for item in section.items[1:]:
            ends = self._reader.items(item)
            if len(ends) < 2 or ends[0].is_list or ends[1].is_list:
                self._reader.warn("ignored in `links`: write (FROM TO)", item)
                continue
            unknown = next((end for end in ends[:2] if end.text not in positions), None)
            if unknown is not None:
                self._reader.warn(
                    f"this link is dropped: there is no position `{unknown.text}` here", unknown
                )
            elif self._later_link_wins or ends[0].text not in links:
                links[ends[0].text] = ends[1].text

    def _unlink(self, section: Section) -> None:
        geometry = self._geometry
        positions, links = geometry.positions, geometry.links
        names: list[str] = []
        pairs: list[tuple[str, str]] = []
        for item in section.items:
            texts = [part.text for part in (self._reader.items(item) if item.is_list else [item])]
            first, second = (*texts, "", "")[:2]
            if len(texts) == 1 and first in positions:
                names.append(first)
            elif first in positions and second in positions:
                pairs.append((first, second))
            elif second in links:
                links[second].pop(first, None)
            else:
                self._reader.warn("nothing is unlinked: unknown position or direction", item)
        geometry.unlink(names, pairs)

    # --- zones and symmetries --------------------------------------------------------------

    def _zone(self, section: Section) -> None:
        name = ""
        players: list[str] | None = None
        positions: list[str] = []
        for item in section.items:
            part = self._reader.section(item)
            keyword = part.keyword if part else ""
            if part is not None and keyword == "name" and part.names:
                name = part.names[0].text
            elif part is not None and keyword == "players":
                players = [*(players or []), *self._known_players(part.names)]
            elif part is not None and keyword == "positions":
                positions += self._known_positions(part.names, name)
            else:
                self._reader.warn("ignored in `zone`", item)
        if not name:
            self._reader.warn("a zone without a name is ignored", section.form)
        elif players != []:
            zone = Zone(name, tuple(players or ()), tuple(dict.fromkeys(positions)))
            self._geometry.zones.append(zone)

    def _known_players(self, names: Sequence[Form]) -> list[str]:
        for item in names:
            if item.text not in self._players:
                self._reader.warn(f"there is no player `{item.text}`", item)
        return [item.text for item in names if item.text in self._players]

    def _known_positions(self, names: Sequence[Form], zone: str) -> list[str]:
        positions = self._geometry.positions
        for item in names:
            if item.text not in positions:
                self._reader.warn(
                    f"there is no position `{item.text}`; it is left out of the zone `{zone}`", item
                )
        return [item.text for item in names if item.text in positions]

    def _symmetry(self, section: Section) -> None:
        if not section.items or section.items[0].is_list:
            self._reader.warn("`symmetry` without a player is ignored", section.form)
            return
        if not self._known_players(section.items[:1]):
            return
        self._geometry.symmetry_origins.setdefault(section.items[0].text, section.form.origin)
        symmetry = self._geometry.symmetries.setdefault(section.items[0].text, {})
        for item in section.items[1:]:
            pair = [part.text for part in self._reader.items(item)]
            if len(pair) != 2 or pair[1] not in self._geometry.links:
                self._reader.warn("this pair is ignored: write (DIRECTION DIRECTION)", item)
                continue
            self._geometry.add_direction(pair[0])
            symmetry.setdefault(*pair)

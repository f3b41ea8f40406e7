"""The board: positions, directions, links, zones and symmetries (section 3 of the contract).

Built from the expanded forms of a `board` section.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

from tests.models.zrf.reader import Form

__all__ = ["Board", "Grid"]


@dataclass
class Grid:
    """A grid: its positions and the vector of each direction."""

    positions: set[str] = field(default_factory=set)
    vectors: dict[str, tuple[int, ...]] = field(default_factory=dict)


class Board:
    """The geometry; `positions` and `directions` are in the order of their definitions."""

    def __init__(self, forms: list[Form]) -> None:
        self.positions: list[str] = []
        self.dummies: set[str] = set()
        self.directions: list[str] = []
        self.links: dict[tuple[str, str], str] = {}  # (direction, origin) -> target
        self.grids: list[Grid] = []
        self._zones: dict[tuple[str, str], list[str]] = {}  # (zone, player or "") -> positions
        self._symmetries: dict[tuple[str, str], str] = {}  # (player, direction) -> direction
        actions = {
            "grid": self._grid,
            "positions": self._single_positions,
            "dummy": self._dummy_positions,
            "links": self._make_links,
            "unlink": self._unlink,
            "kill-positions": self._kill,
            "zone": self._zone,
            "symmetry": self._symmetry,
        }
        for form in forms:  # 25: in file order
            if isinstance(form, list) and form and form[0] in actions:
                actions[str(form[0])](form[1:])

    # --- questions ------------------------------------------------------------------------

    def neighbor(self, position: str, direction: str, player: str) -> str | None:
        """Where a direction leads for a player, his symmetry applied (33)."""
        return self.links.get((self._symmetries.get((player, direction), direction), position))

    def opposite(self, position: str, direction: str, player: str) -> str | None:
        """Where `(opposite direction)` leads (34); the symmetry is applied to what was found."""
        back = self._opposite_direction(position, direction)
        return None if back is None else self.neighbor(position, back, player)

    def _opposite_direction(self, position: str, direction: str) -> str | None:
        for grid in self.grids:
            if position in grid.positions and direction in grid.vectors:
                wanted = tuple(-step for step in grid.vectors[direction])
                return next((name for name in grid.vectors if grid.vectors[name] == wanted), None)
        there = [(a, b) for (name, a), b in self.links.items() if name == direction]
        for name in self.directions:
            if there and all(self.links.get((name, b)) == a for a, b in there):
                return name
        return None

    def zone(self, name: str, player: str) -> list[str]:
        """The positions of a zone for a player (32), empty if he has no such zone."""
        members = self._zones.get((name, player), []) + self._zones.get((name, ""), [])
        return [position for position in members if position in self.positions]

    def is_zone(self, name: str) -> bool:
        return any(name == zone for zone, _ in self._zones)

    # --- forms ----------------------------------------------------------------------------

    def _add_position(self, name: str) -> None:
        if name not in self.positions:
            self.positions.append(name)

    def _add_direction(self, name: str) -> None:
        if name not in self.directions:
            self.directions.append(name)

    def _grid(self, forms: list[Form]) -> None:
        names: list[list[str]] = []
        grid = Grid()
        for form in forms:
            if form[0] == "dimensions":  # 26
                names = [str(entry[0]).split("/") for entry in form[1:]]
            elif form[0] == "directions":  # 27
                for entry in form[1:]:
                    grid.vectors[str(entry[0])] = tuple(int(str(step)) for step in entry[1:])
        cells = {
            index: "".join(part[i] for part, i in zip(names, index, strict=True))
            for index in product(*(range(len(part)) for part in names))
        }
        for name in cells.values():
            self._add_position(name)
        grid.positions = set(cells.values())
        self.grids.append(grid)
        for direction, vector in grid.vectors.items():
            self._add_direction(direction)
            for index, name in cells.items():
                target = tuple(i + step for i, step in zip(index, vector, strict=True))
                if target in cells:
                    self.links[direction, name] = cells[target]

    def _single_positions(self, forms: list[Form]) -> None:
        for form in forms:  # 28
            self._add_position(str(form[0]))

    def _dummy_positions(self, forms: list[Form]) -> None:
        for name in map(str, forms):  # 28
            if name not in self.positions:
                self._add_position(name)
                self.dummies.add(name)

    def _make_links(self, forms: list[Form]) -> None:
        direction, *pairs = forms
        self._add_direction(str(direction))
        for origin, target in pairs:  # 29
            if origin in self.positions and target in self.positions:  # 25
                self.links[str(direction), str(origin)] = str(target)

    def _unlink(self, forms: list[Form]) -> None:
        for form in forms:  # 30
            kept = {}
            for (direction, origin), target in self.links.items():
                if not isinstance(form, list):
                    unwanted = form in (origin, target)
                elif form[1] in self.directions and form[1] not in self.positions:
                    unwanted = (origin, direction) == tuple(form)
                else:
                    unwanted = (origin, target) == tuple(form)
                if not unwanted:
                    kept[direction, origin] = target
            self.links = kept

    def _kill(self, forms: list[Form]) -> None:
        for name in map(str, forms):  # 31
            self._unlink([name])
            if name in self.positions:
                self.positions.remove(name)
            self.dummies.discard(name)
            for grid in self.grids:
                grid.positions.discard(name)

    def _zone(self, forms: list[Form]) -> None:
        parts = {str(form[0]): [str(name) for name in form[1:]] for form in forms}
        for player in parts.get("players") or [""]:  # 32
            zone = self._zones.setdefault((parts["name"][0], player), [])
            zone += [name for name in parts.get("positions", []) if name not in zone]

    def _symmetry(self, forms: list[Form]) -> None:
        player, *pairs = forms
        for direction, other in pairs:  # 33: the first pair counts
            self._symmetries.setdefault((str(player), str(direction)), str(other))

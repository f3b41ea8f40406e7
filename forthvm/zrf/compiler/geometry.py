"""Writes the board of a script: positions, board variables, directions, symmetries, zones.

Owns the order of the positions in the script, and the choice between a grid and single positions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from forthvm.zrf.compiler.names import Names
    from forthvm.zrf.compiler.script import Writer
    from forthvm.zrf.rules import Board, Rules

__all__ = ["Geometry"]

_GRID_NAME = re.compile(r"([a-z])([1-9]\d?)")
_CHAIN = 40  # positions in one chain of links


class Geometry:
    """The positions of a game as the script numbers them, and its directions.

    Attributes:
        order: Names of the positions: the grid, other positions, dummy positions.
        rows: Rows of the grid, 0 without one.
        columns: Columns of the grid.
        flipped: Whether row 1 of the grid is the top row.
        shown: Number of positions that are no dummies.
    """

    def __init__(self, rules: Rules, names: Names) -> None:
        self._board = rules.board
        self._rules = rules
        self._names = names
        self._cyclic: dict[str, bool] = {}
        self.rows, self.columns, self.flipped = _find_grid(rules.board)
        grid = list(_grid_names(self.rows, self.columns, flipped=self.flipped))
        inside = set(grid)
        others = [p.name for p in rules.board.positions if not p.dummy and p.name not in inside]
        dummies = [p.name for p in rules.board.positions if p.dummy]
        self.order = (*grid, *others, *dummies)
        self.shown = len(grid) + len(others)
        names.add_all("position", self.order)

    # --- the board --------------------------------------------------------------------

    def write_board(self, out: Writer, variables: Iterable[str]) -> None:
        """Write the section of the board, with board variables after the positions."""
        if self.flipped:
            out.line("$flipGrid ON")
        out.line("{board")
        with out.indented():
            if self.rows:
                out.line(f"{self.rows} {self.columns} {{grid}}")
            single = self.order[self.rows * self.columns :]
            out.wrapped(f"{{position}} {self._names['position', name]}" for name in single)
            for line in variables:
                out.line(line)
        out.line("board}")

    def write_names(self, out: Writer) -> None:
        """Give positions that have another word their own names in texts."""
        for name, word in self._names.changed("position"):
            out.line(f"{word} z-position-named {name}")

    # --- directions -------------------------------------------------------------------

    def write_directions(self, out: Writer) -> None:
        """Write the section of the directions, and the links that are not steps over the grid."""
        links = dict(self._directions())
        if not links:
            return
        steps = {word: self._step(targets) for word, targets in links.items()}
        out.line("{directions")
        with out.indented():
            for word in links:
                step = steps[word]
                if step is None:
                    out.line(f"z-direction {word}")
                else:
                    out.line(f"{step[0]:2} {step[1]:2} {{direction}} {word}")
        out.line("directions}")
        for word, targets in links.items():
            if steps[word] is None:
                for chain in _chains(targets):
                    row = " ".join(self._names["position", name] for name in chain)
                    out.line(f"{row} {len(chain)} z-chain {word}")

    def _directions(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        for name in self._board.directions:
            yield self._names["direction", name], self._board.links.get(name, {})

    def _step(self, targets: Mapping[str, str]) -> tuple[int, int] | None:
        """Return rows and columns of a step if the links are exactly that step over the grid."""
        place = {name: divmod(at, self.columns) for at, name in enumerate(self._grid())}
        if not targets or any(a not in place or b not in place for a, b in targets.items()):
            return None
        steps = {(place[b][0] - place[a][0], place[b][1] - place[a][1]) for a, b in targets.items()}
        if len(steps) != 1:
            return None
        down, right = next(iter(steps))
        inside = (self.rows - abs(down)) * (self.columns - abs(right))
        return (down, right) if len(targets) == inside else None

    def _grid(self) -> Sequence[str]:
        return self.order[: self.rows * self.columns]

    def is_endless(self, name: str) -> bool:
        """Return whether a walk in a direction may never end, for some player."""
        others = {name, *(s.get(name, name) for s in self._board.symmetries.values())}
        return any(self._is_cyclic(other) for other in others)

    def _is_cyclic(self, name: str) -> bool:
        known = self._cyclic.get(name)
        if known is None:
            known = self._cyclic[name] = _has_cycle(self._board.links.get(name, {}))
        return known

    # --- symmetries and zones ---------------------------------------------------------

    def write_symmetries(self, out: Writer) -> None:
        """Write the section of the symmetries."""
        rows = [
            (player, name, other)
            for player, pairs in self._board.symmetries.items()
            for name, other in pairs.items()
            if name != other
        ]
        if not rows:
            return
        word = "z-asymmetry" if self.sides_differ else "{asymmetry}"
        out.line("{symmetries")
        with out.indented():
            for player, name, other in rows:
                words = self._names["direction", name], self._names["direction", other]
                out.line(f"{self._names['player', player]} {word} {words[0]} {words[1]}")
        out.line("symmetries}")

    @property
    def sides_differ(self) -> bool:
        """Whether a player moves pieces of another player, in a game with symmetries."""
        others = any(turn.player != turn.side for turn in self._rules.turns)
        return others and bool(self._board.symmetries)

    def write_zones(self, out: Writer) -> None:
        """Write the zones; each is a word that asks whether a position is in the zone."""
        zones: dict[str, dict[str, list[str]]] = {}
        for zone in self._board.zones:
            members = zones.setdefault(zone.name, {})
            for player in zone.players or self._rules.players:
                members.setdefault(player, []).extend(zone.positions)
        for name, members in zones.items():
            out.line(f"z-zone {self._names.add('zone', name)}")
            with out.indented():
                for player, positions in members.items():
                    for row in _slices(list(dict.fromkeys(positions)), _CHAIN):
                        words = " ".join(self._names["position", at] for at in row)
                        out.line(f"{words} {len(row)} {self._names['player', player]} z-members")


def _find_grid(board: Board) -> tuple[int, int, bool]:
    """Return rows, columns and direction of the grid a1, b1 ... that the positions contain."""
    places = {p.name: p.rectangle for p in board.positions if p.rectangle is not None}
    found = {name for name in places if _GRID_NAME.fullmatch(name)}
    columns = 0
    while chr(ord("a") + columns) + "1" in found and columns < 26:  # letters
        columns += 1
    rows = 0
    while all(f"{chr(ord('a') + at)}{rows + 1}" in found for at in range(max(columns, 1))):
        rows += 1
    if rows < 2 or columns < 2:
        return 0, 0, False
    first, last = places["a1"], places[f"a{rows}"]
    return rows, columns, first[1] < last[1]


def _grid_names(rows: int, columns: int, *, flipped: bool) -> Iterator[str]:
    """Yield the names in the order of ForthScript's grids, the top row first."""
    numbers = range(1, rows + 1) if flipped else range(rows, 0, -1)
    for number in numbers:
        for column in range(columns):
            yield f"{chr(ord('a') + column)}{number}"


def _chains(links: Mapping[str, str]) -> Iterator[list[str]]:
    """Split links into chains, in which each position is linked to the next one."""
    left = dict(links)
    targets = set(links.values())
    starts = [name for name in links if name not in targets]
    for start in [*starts, *links]:
        chain = [start]
        while chain[-1] in left:
            chain = chain[-1:]
            while len(chain) < _CHAIN and (target := left.pop(chain[-1], None)) is not None:
                chain.append(target)
            yield chain


def _has_cycle(links: Mapping[str, str]) -> bool:
    done: set[str] = set()
    for start in links:
        walk: set[str] = set()
        at: str | None = start
        while at is not None and at not in done:
            if at in walk:
                return True
            walk.add(at)
            at = links.get(at)
        done |= walk
    return False


def _slices(items: list[str], size: int) -> Iterator[list[str]]:
    for at in range(0, len(items), size):
        yield items[at : at + size]

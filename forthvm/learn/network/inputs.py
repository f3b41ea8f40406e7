"""The inputs of a network: which features a game has, and where each view sees them.

Pieces are features by place, owner and type.  Numbers of the board are features by their ranges, if
they change in random games.  A view sees the places of the first contestant (the symmetries of
observations), owners in the order of seats from its own, and the turns that follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings import NETWORK_CELLS, NETWORK_FEATURES, NetworkInputs
from forthvm.core.bindings.layout import CELL, OWNER_MASK, TYPE_MASK
from forthvm.learn.observations.places import places_of
from forthvm.learn.observations.ranges import measured
from forthvm.learn.observations.symmetry import renamed, squares_from_view, turned_boards
from forthvm.learn.observations.variables import groups_of

from .patterns import choose_patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.game import Game
    from forthvm.learn.observations.variables import Group

__all__ = ["OWNER_SHIFT", "OWNER_VALUES", "choose_inputs"]

_MAX_RANGES = 32
"""The maximum number of features of a number."""
_MAX_VALUES = 1 << 24
"""Numbers with more values, such as hashes, have no features."""
_PLAYER_NUMBERS = 32
OWNER_VALUES, OWNER_SHIFT = 64, 10
"""The number of values of a cell's owner bits, and the position of these bits."""


def choose_inputs(game: Game, *, patterns: bool = True) -> NetworkInputs:
    """Return what a network sees of a game.

    Args:
        game: The game.
        patterns: Whether it sees what stands together on lines of squares.

    Raises:
        ForthVMError: The script fails.
        ValueError: The game has too many features.
    """
    return _Chooser(game).inputs(patterns=patterns)


class _Chooser:
    def __init__(self, game: Game) -> None:
        self._game = game
        self._players = game.contestants or game.players
        self._ranges = measured(game)
        start = game.start()
        self._places = places_of(start, frozenset())
        self._first_board = start.cells[: len(game.positions)]
        self._squares = [self._seen_squares(view) for view in range(len(self._players))]
        self._cells = game._loaded.tables.board_cells
        self._features = 0
        self._columns: list[list[int]] = [[-1] * self._cells for _ in self._players]
        self._numbers = [(0, 0, 0)] * self._cells

    def inputs(self, *, patterns: bool) -> NetworkInputs:
        if self._cells > NETWORK_CELLS:
            raise ValueError(
                f"the board of {self._game.name} has {self._cells} numbers; a network sees at most"
                f" {NETWORK_CELLS}"
            )
        owners, kinds = self._owners()
        types = max((kind.number for kind in self._game.piece_types), default=0)
        self._add_pieces(types * kinds)
        self._add_numbers()
        turns = self._turns()
        lines = choose_patterns(self._game, types * kinds) if patterns else []
        if not 0 < self._features <= NETWORK_FEATURES:
            raise ValueError(
                f"a network for {self._game.name} would have {self._features} features, which must"
                f" be 1 to {NETWORK_FEATURES}"
            )
        views = [-1] * _PLAYER_NUMBERS
        for player in self._game.player_details:
            if player.name in self._players:
                views[player.number] = self._players.index(player.name)
        return NetworkInputs(
            cells=self._cells,
            views=len(self._players),
            types=types,
            owner_kinds=kinds,
            turn_entries=len(self._game.turn_order),
            features=self._features,
            patterns=len(lines),
            pattern_size=len(lines[0][1]) if lines else 0,
            view_of=tuple(views),
            places=tuple(place for column in self._columns for place in column),
            owners=tuple(owners),
            turns=tuple(turns),
            numbers=tuple(self._numbers),
            pattern_squares=tuple(square for _, squares in lines for square in squares),
            pattern_shapes=tuple(shape for shape, _ in lines),
        )

    def _seen_squares(self, view: int) -> tuple[int, ...]:
        """Return for each position the position whose place it takes.

        These are the squares that the script's symmetries mean, or those of a rotation or
        reflection, if that gives the first board the same look and the script's do not.
        """
        declared = squares_from_view(self._game, self._places, self._players[view])
        if self._places.board is None:
            return declared
        candidates = turned_boards(self._places, self._places.board, declared)
        fitting = (tuple(found) for found in (declared, *candidates) if self._fits(found, view))
        return next(fitting, declared)

    def _fits(self, squares: Sequence[int], view: int) -> bool:
        """Whether the first board looks the same for a view as for the first one."""
        board = self._first_board
        kinds = self._owners()[0]

        def seen(cell: int, by: int) -> tuple[int, int]:
            owner = kinds[by * OWNER_VALUES + ((cell & OWNER_MASK) >> OWNER_SHIFT)]
            return (cell & TYPE_MASK, owner) if cell else (0, 0)

        return all(seen(board[at], view) == seen(board[to], 0) for at, to in enumerate(squares))

    def _seat(self, at: int, view: int) -> int:
        return (at - view) % len(self._players)

    def _add_pieces(self, kinds: int) -> None:
        for view, squares in enumerate(self._squares):
            for at, to in enumerate(squares):
                self._columns[view][at] = kinds * to if kinds else -1
        self._features = kinds * len(self._game.positions)

    def _owners(self) -> tuple[list[int], int]:
        """Return the kind of owner by view and owner bits, and the number of kinds."""
        bits = {p.name: (p.cell & OWNER_MASK) >> OWNER_SHIFT for p in self._game.player_details}
        own = [bits[name] for name in self._players]
        others = [
            found for cell in self._ranges.owners if (found := cell >> OWNER_SHIFT) not in own
        ]
        kinds = []
        for view in range(len(self._players)):
            row = [-1] * OWNER_VALUES
            for at, found in enumerate(own):
                row[found] = self._seat(at, view)
            for at, found in enumerate(others):
                row[found] = len(own) + at
            kinds += row
        return kinds, len(own) + len(others)

    # --- numbers ---------------------------------------------------------------------------

    def _add_numbers(self) -> None:
        size = self._places.board_size
        groups = [g for g in groups_of(self._game, size, self._players) if g.width == CELL]
        single = [group for group in groups if group.kind == "single"]
        self._add_single(single)
        for group in groups:
            if group.kind == "squares":
                self._add_group([group], lambda at, view: self._squares[view][at])
            elif group.kind == "players":
                self._add_players(group)

    def _add_players(self, group: Group) -> None:
        names = self._game.players[: len(group.offsets)]
        order = [*self._players, *(name for name in names if name not in self._players)]

        def place(at: int, view: int) -> int:
            seat = order.index(names[at])
            return self._seat(seat, view) if seat < len(self._players) else seat

        self._add_group([group], place)

    def _add_single(self, groups: Sequence[Group]) -> None:
        """Add numbers that stand alone; names with a player's name are turned with the view."""
        titles = [group.title for group in groups]
        turned = [renamed(titles, self._players, name) for name in self._players]
        done: set[int] = set()
        for at in range(len(groups)):
            orbit = sorted({at, *(turn[at] for turn in turned)})
            if at not in done:
                self._add_turned([groups[i] for i in orbit], orbit, turned)
            done.update(orbit)

    def _add_turned(
        self, groups: Sequence[Group], orbit: Sequence[int], turned: Sequence[Sequence[int]]
    ) -> None:
        """Add numbers that take each other's places, given by their indexes."""

        def place(at: int, view: int) -> int:
            to = turned[view][orbit[at]]
            return orbit.index(to) if to in orbit else at

        self._add_group(groups, place)

    def _add_group(self, groups: Sequence[Group], place: Callable[[int, int], int]) -> None:
        """Add the numbers of groups, all with the same ranges."""
        known = {offset: (low, high) for offset, low, high in self._ranges.variables}
        offsets = [offset for group in groups for offset in group.offsets]
        ends = [end for offset in offsets if offset in known for end in known[offset]]
        low, high = min(ends, default=0), max(ends, default=0)
        if high - low > _MAX_VALUES:
            return
        count = min(high - low + 1, _MAX_RANGES)
        if low == high or any(offset % CELL for offset in offsets):
            return
        for at, offset in enumerate(offsets):
            if offset // CELL >= self._cells:
                continue
            self._numbers[offset // CELL] = (low, high - low + 1, count)
            for view in range(len(self._players)):
                self._columns[view][offset // CELL] = self._features + count * place(at, view)
        self._features += count * len(offsets)

    # --- turns -----------------------------------------------------------------------------

    def _turns(self) -> list[int]:
        """Return for each view and turn its feature: turns are equal if the same turns follow."""
        known: dict[object, int] = {}
        found = []
        for view in range(len(self._players)):
            for at in range(len(self._game.turn_order)):
                following = self._following(at, view)
                found.append(self._features + known.setdefault(following, len(known)))
        self._features += len(known)
        return found

    def _following(self, index: int, view: int) -> object:
        order, found = self._game.turn_order, []
        for _ in order:
            turn = order[index]
            names = [self._relative(name, view) for name in (turn.player, turn.for_player)]
            found.append((*names, turn.of_type))
            index = index + 1 if index + 1 < len(order) else self._game.turn_repeat
        return tuple(found)

    def _relative(self, name: str, view: int) -> object:
        return self._seat(self._players.index(name), view) if name in self._players else name

"""Planes: chooses the planes of a game, and makes the tables by which the core writes them.

Owns the meaning of each plane.

The planes are the same for all players; each player has a table of their own, which says where the
pieces and numbers of a board are shown to this player.  A number or piece that occurs in no random
game has no plane of its own, and then the plane `other` shows that there is one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from forthvm.core.bindings import ObservationTables, ObservedNumber, Show
from forthvm.core.bindings.layout import OWNER_MASK
from forthvm.game.shown import shown_of_game

from .places import places_of
from .spec import ObservationSpec, Plane
from .symmetry import renamed, squares_from_view
from .variables import groups_of

if TYPE_CHECKING:
    from forthvm.game import Position

    from .ranges import Ranges
    from .variables import Group

__all__ = ["PlaneMaker"]

MAX_PIECE_PLANES = 256
"""If there are more pairs of owner and type, owners and types have separate planes."""
MOVER, ABSOLUTE = "mover", "absolute"
_OWNER_VALUES, _OWNER_SHIFT, _ATTRIBUTE_BITS = 64, 10, 16
# Numbers of the state and kinds of sight in forthvm.h.
_PLAYER, _TURN, _PARTIAL, _MOVE_TYPE, _ONE = 0, 1, 2, 3, 5
_HIDDEN, _OWNER_SEES, _OWNER_KNOWS_TYPE = 1, 2, 4


class PlaneMaker:
    """Chooses planes for a game, and makes the spec and the tables."""

    def __init__(
        self, position: Position, *, view: str, history: int, internal: bool | None, ranges: Ranges
    ) -> None:
        """Choose the planes.

        Args:
            position: Any position of the game.
            view: `mover` or `absolute`.
            history: Number of positions that an observation shows.
            internal: Whether to show what players do not see on the board; None: unless the script
                hides pieces from players.
            ranges: What occurs on boards.

        Raises:
            ForthVMError: OnShow fails.
        """
        game = self.game = position.game
        self._view, self._history, self._ranges = view, history, ranges
        self._shown = shown_of_game(position._loaded, position._state)
        self._internal = not self._shown.has_secrets if internal is None else internal
        self.places = places_of(position, frozenset() if self._internal else self._shown.hidden)
        self.players = game.contestants or game.players
        self._others = tuple(
            player.name
            for player in game.player_details
            if player.name not in self.players and player.cell & OWNER_MASK in ranges.owners
        )
        self._labels = (*self._labels_of_players(), *self._others)
        self._board: list[Plane] = []
        self._state: list[Plane] = []
        self._choose_pieces()
        self._choose_attributes()
        self._choose_variables()
        self._choose_state()

    # --- the spec --------------------------------------------------------------------------

    def spec(self) -> ObservationSpec:
        """Return the spec of all observations."""
        planes = [
            replace(plane, history=at, name=plane.name + _ago(at))
            for at in range(self._history)
            for plane in self._board
        ]
        return ObservationSpec(
            game=self.game.name,
            view=self._view,
            history=self._history,
            internal=self._internal,
            shape=(len(planes) + len(self._state), *self.places.shape),
            planes=(*planes, *self._state),
            squares=self.places.names(self.game),
            board=self.places.board,
            ranges=self._ranges,
        )

    # --- choice of planes ------------------------------------------------------------------

    def _labels_of_players(self) -> tuple[str, ...]:
        if self._view == ABSOLUTE:
            return self.players
        later = ["next", *(f"next {at}" for at in range(2, len(self.players)))]
        return ("own", *later[: len(self.players) - 1])

    def _add(self, kind: str, name: str, **fields: Any) -> int:  # noqa: ANN401 - of any field
        """Add a plane of each board; return its index."""
        self._board.append(replace(Plane(kind=kind, name=name), **fields))
        return len(self._board) - 1

    def _choose_pieces(self) -> None:
        types = self.game.piece_types
        numbers = [kind.number for kind in types]
        width = 1 + max(numbers, default=0)  # of the table's rows; column 0: unknown types
        rows = len(self._labels) + 1  # the last one is for unknown owners
        by_type = [[-1] * width for _ in range(rows)]
        self._owner_planes = [-1] * rows
        if len(types) * len(self._labels) <= MAX_PIECE_PLANES:
            for row, owner in enumerate(self._labels):
                for kind in types:
                    name = f"{owner}: {kind.name}"
                    by_type[row][kind.number] = self._add(
                        "piece", name, piece=kind.name, owner=owner
                    )
        else:
            for kind in types:
                plane = self._add("type", kind.name, piece=kind.name)
                for columns in by_type:
                    columns[kind.number] = plane
            for row, owner in enumerate(self._labels):
                self._owner_planes[row] = self._add("owner", f"{owner}: all", owner=owner)
        self._unknown = [-1] * rows
        if self._shown.secret:
            for row, owner in enumerate(self._labels):
                self._unknown[row] = self._add("unknown type", f"{owner}: ?", owner=owner)
        self._other = self._add("other", "other pieces and numbers")
        self._unknown[-1] = self._other
        if self._owner_planes[0] >= 0 or not self._labels:
            self._owner_planes[-1] = self._other
        self._type_planes = tuple(
            self._other if plane < 0 else plane for row in by_type for plane in row
        )

    def _choose_attributes(self) -> None:
        shown = self._internal or self._shown.attributes
        self._attributes = [self._other if shown else -1] * _ATTRIBUTE_BITS
        for bit in range(_ATTRIBUTE_BITS if shown else 0):
            if self._ranges.attributes >> bit & 1:
                self._attributes[bit] = self._add("attribute", f"attribute bit {bit}")

    def _choose_variables(self) -> None:
        groups = [
            group
            for group in groups_of(self.game, self.places.board_size, self.players)
            if self._internal or group.is_shown(self._shown)
        ]
        self._groups = groups
        self._measured = {offset: (low, high) for offset, low, high in self._ranges.variables}
        self._single = [group for group in groups if group.kind == "single"]
        self._numbers: dict[str, list[ObservedNumber]] = {}
        self._turned: list[tuple[Group, list[ObservedNumber]]] = []
        for group in groups:
            if group.kind == "squares":
                self._choose_array(group)
            elif group.kind == "players":
                self._choose_for_players(group)
        self._named = [
            (group, self._choose_named(group))
            for group in groups
            if group.kind in ("player", "square")
        ]
        self._choose_single()

    def _range(self, group: Group) -> tuple[int, int]:
        """Return the numbers that are shown as 0 and 1; equal for a constant."""
        found = [self._measured[offset] for offset in group.offsets]
        return _joined(found)

    def _choose_array(self, group: Group) -> None:
        low, high = self._range(group)
        plane, show = self._other, Show.OTHER
        if low != high:
            plane, show = self._add("array", group.title, low=low, high=high), Show.SCALED
        cells = [
            ObservedNumber(offset, plane, 0, low, high, show, group.width)
            for offset in group.offsets
        ]
        self._turned.append((group, cells))

    def _choose_for_players(self, group: Group) -> None:
        low, high = self._range(group)
        numbers = []
        labels = (*self._labels[: len(self.players)], *self._names_beside(group))
        for label, offset in zip(labels, group.offsets, strict=True):
            plane, show = self._other, Show.OTHER
            if low != high:
                name = f"{label}: {group.title}"
                plane = self._add("variable", name, owner=label, low=low, high=high)
                show = Show.SCALED
            numbers.append(ObservedNumber(offset, plane, -1, low, high, show, group.width))
        self._turned.append((group, numbers))

    def _names_beside(self, group: Group) -> list[str]:
        """Return the players of an array by player who do not observe."""
        others = [name for name in self.game.players if name not in self.players]
        return others[: len(group.offsets) - len(self.players)]

    def _choose_named(self, group: Group) -> list[int]:
        """Choose a plane for a square, or planes for the players, that a variable contains."""
        if group.kind == "square":
            return [self._add("square", group.title)]
        return [
            self._add("variable", f"{label}: {group.title}", owner=label)
            for label in (*self._labels[: len(self.players)], *self._other_movers())
        ]

    def _other_movers(self) -> list[str]:
        """Return the players with turns who do not observe."""
        return sorted({turn.player for turn in self.game.turn_order} - set(self.players))

    def _choose_single(self) -> None:
        """Choose planes of single numbers; those of different players have one range."""
        names = [group.title for group in self._single]
        turns = [self._renamed(names, player) for player in self.players]
        self._single_numbers = []
        for at, group in enumerate(self._single):
            same = {turn[at] for turn in turns} | {at}
            found = [self._range(self._single[other]) for other in same]
            low, high = _joined(found)
            plane, show = self._other, Show.OTHER
            if low != high:
                plane = self._add("variable", group.title, low=low, high=high)
                show = Show.SCALED
            self._single_numbers.append(ObservedNumber(0, plane, -1, low, high, show, group.width))

    def _choose_state(self) -> None:
        game = self.game
        self._movers = [
            *self._labels[1 : len(self.players)],
            *self._other_movers(),
        ]
        self._state += [
            Plane(kind="to move", name=f"{label} to move", owner=label) for label in self._movers
        ]
        self._find_phases()
        self._state += [
            Plane(kind="phase", name=f"turn {phase + 1} of the player to move")
            for phase in range(1, self._phase_count)
        ]
        self._has_partial = any(b"partial" in text.lower() for _, text in game._loaded.vm.texts)
        if self._has_partial:
            self._state.append(Plane(kind="partial", name="turn continues after a partial move"))
        if self._ranges.move_type:
            name = "move type that the turn demands"
            self._state.append(Plane(kind="move type", name=name, high=self._ranges.move_type))
        # Marks the edge, because convolutions pad with zeros, and the squares of an empty board.
        self._state.append(Plane(kind="board", name="squares of the board"))

    # --- phases ----------------------------------------------------------------------------

    def _find_phases(self) -> None:
        """Number the turns of the turn order that have the same player.

        Two turns have the same number if the turns that follow them are the same, from the view of
        the player who observes.
        """
        known: dict[str, dict[object, int]] = {}
        self._phases: dict[str, tuple[int, ...]] = {}
        for player in self.players:
            numbers = []
            for at in range(len(self.game.turn_order)):
                mover = self._relative(self.game.turn_order[at].player, player)
                following = known.setdefault(mover, {})
                numbers.append(following.setdefault(self._following(at, player), len(following)))
            self._phases[player] = tuple(numbers)
        self._phase_count = max((len(following) for following in known.values()), default=1)

    def _following(self, index: int, viewer: str) -> object:
        """Return as many turns as the turn order has, beginning with a turn."""
        order, found = self.game.turn_order, []
        for _ in order:
            turn = order[index]
            names = [self._relative(name, viewer) for name in (turn.player, turn.for_player)]
            found.append((*names, turn.of_type))
            index = index + 1 if index + 1 < len(order) else self.game.turn_repeat
        return tuple(found)

    def _relative(self, name: str, viewer: str) -> str:
        """Return a player's label from the view of another player."""
        if name not in self.players:
            return name
        return self._labels[self._seat(self.players.index(name), viewer)]

    def _seat(self, index: int, viewer: str) -> int:
        shift = 0 if self._view == ABSOLUTE else self.players.index(viewer)
        return (index - shift) % len(self.players)

    def _renamed(self, names: list[str], viewer: str) -> list[int]:
        same = list(range(len(names)))
        return same if self._view == ABSOLUTE else renamed(names, self.players, viewer)

    # --- tables ----------------------------------------------------------------------------

    def squares(self, viewer: str) -> tuple[int, ...]:
        """Return for each position the position whose place it takes."""
        same = tuple(range(len(self.game.positions)))
        if self._view == ABSOLUTE:
            return same
        found, cells = squares_from_view(self.game, self.places, viewer), self.places.cells
        fits = all((cells[at] < 0) == (cells[to] < 0) for at, to in enumerate(found))
        return found if fits else same

    def tables(self, viewer: str) -> ObservationTables:
        """Return the tables of a player's observations."""
        game, shown, cells = self.game, self._shown, self.places.cells
        squares = self.squares(viewer)
        width = 1 + max((kind.number for kind in game.piece_types), default=0)
        names = {kind.number: kind.name for kind in game.piece_types}
        hidden_types = frozenset() if self._internal else shown.hidden_types
        player = game.player_details[game.players.index(viewer)]
        return ObservationTables(
            positions=len(game.positions),
            cells=self.places.size,
            board_planes=len(self._board),
            state_planes=len(self._state),
            history=self._history,
            viewer=player.cell & OWNER_MASK,
            places=tuple(cells[to] for to in squares),
            sight_on=tuple(self._sight(name, hidden=False) for name in game.positions),
            sight_of=tuple(
                self._sight(names.get(at, f"#{at}"), hidden=names.get(at) in hidden_types)
                for at in range(width)
            ),
            owners=self._owners(viewer),
            type_planes=self._type_planes,
            owner_planes=tuple(self._owner_planes),
            unknown_planes=tuple(self._unknown),
            phases=self._phases[viewer],
            attribute_planes=tuple(self._attributes),
            variables=tuple(self._variables(viewer, squares)),
            state_numbers=tuple(self._state_numbers(viewer)),
        )

    def _sight(self, name: str, *, hidden: bool) -> int:
        shown = self._shown
        return (
            (_HIDDEN if hidden else 0)
            | (_OWNER_SEES if name in shown.private else 0)
            | (_OWNER_KNOWS_TYPE if name in shown.secret else 0)
        )

    def _owners(self, viewer: str) -> tuple[int, ...]:
        """Return the row of each owner."""
        rows = [len(self._labels)] * _OWNER_VALUES
        for player in self.game.player_details:
            label = self._relative(player.name, viewer)
            if label in self._labels:
                rows[(player.cell & OWNER_MASK) >> _OWNER_SHIFT] = self._labels.index(label)
        return tuple(rows)

    def _variables(self, viewer: str, squares: tuple[int, ...]) -> list[ObservedNumber]:
        """Return the numbers that a player sees."""
        shown = replace(self._shown, viewer=viewer)
        if self._internal:
            shown = replace(shown, hidden=frozenset(), hidden_types=frozenset())
        unseen = {
            offset
            for group in self._groups
            for offset in group.unseen(self.game.players, shown, internal=self._internal)
        }
        numbers = self._all_variables(viewer, squares)
        return [number for number in numbers if number.source not in unseen]

    def _all_variables(self, viewer: str, squares: tuple[int, ...]) -> list[ObservedNumber]:
        cells, found = self.places.cells, []
        for group, numbers in self._turned:
            if group.kind == "squares":
                found += [
                    number.replace(place=-1 if number.show == Show.OTHER else cells[squares[at]])
                    for at, number in enumerate(numbers)
                    if cells[squares[at]] >= 0 or number.show == Show.OTHER
                ]
                continue
            others = self._names_beside(group)
            for at, name in enumerate(
                [*self.players, *others] if len(group.offsets) > len(self.players) else self.players
            ):
                index = at if name in others else self._seat(at, viewer)
                source = group.offsets[self.game.players.index(name)]
                found.append(numbers[index].replace(source=source))
        for group, planes in self._named:
            found += self._named_numbers(group, planes, viewer, squares)
        turn = self._renamed([group.title for group in self._single], viewer)
        for at, to in enumerate(turn):
            group = self._single[at]
            number = self._single_numbers[to]
            found.append(number.replace(source=group.offsets[0], width=group.width))
        return found

    def _named_numbers(
        self, group: Group, planes: list[int], viewer: str, squares: tuple[int, ...]
    ) -> list[ObservedNumber]:
        """Return a number for each square, or for each player, that a variable may contain."""
        offset, cells = group.offsets[0], self.places.cells
        if group.kind == "square":
            return [
                ObservedNumber(offset, planes[0], cells[to], low=at + 1, show=Show.EQUAL)
                for at, to in enumerate(squares)
                if cells[to] >= 0
            ]
        names = [*self.players, *self._other_movers()]
        constants = {player.name: player.cell for player in self.game.player_details}
        return [
            ObservedNumber(
                offset,
                planes[self._seat(at, viewer) if at < len(self.players) else at],
                low=constants[name],
                show=Show.EQUAL,
            )
            for at, name in enumerate(names)
        ]

    def _state_numbers(self, viewer: str) -> list[ObservedNumber]:
        game = self.game
        found: list[ObservedNumber] = []
        for label in self._movers:
            player = next(
                at for at, name in enumerate(game.players) if self._relative(name, viewer) == label
            )
            found.append(ObservedNumber(_PLAYER, len(found), low=player, show=Show.EQUAL))
        for phase in range(1, self._phase_count):
            found.append(ObservedNumber(_TURN, len(found), low=phase, show=Show.EQUAL))
        if self._has_partial:
            found.append(ObservedNumber(_PARTIAL, len(found)))
        if self._ranges.move_type:
            found.append(ObservedNumber(_MOVE_TYPE, len(found), high=self._ranges.move_type))
        plane = len(found)
        found += [
            ObservedNumber(_ONE, plane, place=cell)
            for cell in self.places.cells
            if 0 <= cell < self.places.board_size
        ]
        return found


def _joined(ranges: list[tuple[int, int]]) -> tuple[int, int]:
    """Return the ends of all ranges; (0, -1) for a flag, because TRUE of Forth is -1."""
    ends = [end for pair in ranges for end in pair]
    low, high = min(ends), max(ends)
    return (0, -1) if (low, high) == (-1, 0) else (low, high)


def _ago(history: int) -> str:
    return "" if history == 0 else f", {history} {'ply' if history == 1 else 'plies'} ago"

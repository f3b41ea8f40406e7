"""The rules of one game or variant, complete and resolved: what the compiler translates.

Owns the classes; `variants.py` and its neighbors fill them from a rule file.  All names are as in
the file, decoded for display.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from forthvm.zrf.code import Code
from forthvm.zrf.source import Origin, RuleWarning

# --- board --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Position:
    """A position of the board.

    Attributes:
        rectangle: left, top, right, bottom in pixels of the board's picture; None for a dummy
            position.
    """

    name: str
    rectangle: tuple[int, int, int, int] | None
    origin: Origin | None = None

    @property
    def dummy(self) -> bool:
        """Whether the position is neither shown nor tried for drops."""
        return self.rectangle is None

    @property
    def hidden(self) -> bool:
        """Whether the position is not drawn: a dummy, or a rectangle without an inside."""
        if self.rectangle is None:
            return True
        left, top, right, bottom = self.rectangle
        return min(left, top) < 0 or right - left <= 1 or bottom - top <= 1


@dataclass(frozen=True, slots=True)
class Zone:
    """A named set of positions; `players` is empty for a zone of all players."""

    name: str
    players: tuple[str, ...]
    positions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The geometry of the board.

    Attributes:
        positions: In the order of their definitions, without killed ones.
        directions: Names in the order of their definitions.
        links: For each direction, the target of each origin.
        zones: In file order.
        symmetries: For each player, the direction that replaces a direction.
        images: File names of the board's pictures, one for each piece set.
        symmetry_origins: For each player, where the file states the first symmetry.
        direction_origins: Where the file defines the directions, by name.
    """

    positions: tuple[Position, ...]
    directions: tuple[str, ...]
    links: Mapping[str, Mapping[str, str]]
    zones: tuple[Zone, ...]
    symmetries: Mapping[str, Mapping[str, str]]
    images: tuple[str, ...] = ()
    symmetry_origins: Mapping[str, Origin] = field(default_factory=dict)
    direction_origins: Mapping[str, Origin] = field(default_factory=dict)

    @property
    def rectangles(self) -> dict[str, tuple[int, int, int, int]]:
        """The rectangles of the positions that are drawn, by name."""
        return {at.name: at.rectangle for at in self.positions if at.rectangle and not at.hidden}

    def geometry_of(self, player: str) -> str:
        """Return a text that is equal for players whose blocks do the same."""
        zones = [(zone.name, zone.positions) for zone in self.zones if player in zone.players]
        return repr((self.symmetries.get(player), zones))

    def zones_of(self, player: str) -> dict[str, set[str]]:
        """Return the positions of the zones that count for a player, by the zones' names."""
        found: dict[str, set[str]] = {}
        for zone in self.zones:
            if not zone.players or player in zone.players:
                found.setdefault(zone.name, set()).update(zone.positions)
        return found


# --- pieces -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Block:
    """A block of move or drop code; `move_type` is empty for an untyped block.

    Attributes:
        starts: For a drop block, the positions where it is tried, dummies included; None for all
            positions but dummies.
        start_zone: For a drop block that begins with a zone's name, the zone; otherwise empty.
    """

    code: Code
    move_type: str
    origin: Origin
    starts: tuple[str, ...] | None = None
    start_zone: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece type."""

    name: str
    moves: tuple[Block, ...]
    drops: tuple[Block, ...]
    attributes: Mapping[str, bool]
    images: Mapping[str, tuple[str, ...]]
    notation: str = ""
    help: str = ""
    description: str = ""
    dummy: bool = False
    origin: Origin | None = None


# --- turns, set-up, goals -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Turn:
    """An entry of the turn order: `player` decides, pieces of `side` move."""

    player: str
    side: str
    move_type: str = ""
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Placement:
    """A piece of the initial position."""

    player: str
    piece: str
    position: str


@dataclass(frozen=True, slots=True)
class Occupant:
    """What a place of a pattern must hold; `whose` is own, opponent or any."""

    piece: str
    whose: str = "own"
    negated: bool = False


@dataclass(frozen=True, slots=True)
class AbsoluteConfig:
    """`(absolute-config occ … (place …))`; a place is the name of a position or a zone."""

    occupants: tuple[Occupant, ...]
    positions: tuple[str, ...]
    zones: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RelativeConfig:
    """`(relative-config …)`: occupants test the current position, names of directions step."""

    steps: tuple[Occupant | str, ...]


@dataclass(frozen=True, slots=True)
class Stalemated:
    """`stalemated`."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """`repetition`."""


@dataclass(frozen=True, slots=True)
class Checkmated:
    """`(checkmated T …)`."""

    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Captured:
    """`(captured T …)`."""

    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PiecesRemaining:
    """`(pieces-remaining n [T])`; `piece` is empty for all types."""

    count: int
    piece: str = ""


@dataclass(frozen=True, slots=True)
class TotalPieceCount:
    """`(total-piece-count n [T])`; `piece` is empty for all types."""

    count: int
    piece: str = ""


@dataclass(frozen=True, slots=True)
class CaptureCount:
    """`(capture-count >= n [T])`: how many enemy pieces the player has captured in the game.

    Attributes:
        comparison: `=`, `<`, `>`, `<=` or `>=`.
        piece: Their type; empty for all types.
    """

    comparison: str
    count: int
    piece: str = ""


@dataclass(frozen=True, slots=True)
class NotGoal:
    """`(not c)` of a goal."""

    condition: GoalCondition


@dataclass(frozen=True, slots=True)
class AndGoal:
    """`(and c …)` of a goal."""

    conditions: tuple[GoalCondition, ...]


@dataclass(frozen=True, slots=True)
class OrGoal:
    """`(or c …)` of a goal."""

    conditions: tuple[GoalCondition, ...]


GoalCondition = (
    AbsoluteConfig
    | RelativeConfig
    | Stalemated
    | Repetition
    | Checkmated
    | Captured
    | PiecesRemaining
    | TotalPieceCount
    | CaptureCount
    | NotGoal
    | AndGoal
    | OrGoal
)


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal.

    Attributes:
        kind: win, loss, draw or count.
        players: Empty if the file names none.
        condition: Several conditions of a section are joined by `OrGoal`.
    """

    kind: str
    players: tuple[str, ...]
    condition: GoalCondition
    origin: Origin | None = None

    def conditions(self) -> Iterator[GoalCondition]:
        """Yield the condition and the conditions inside it."""
        return _conditions_in(self.condition)


def _conditions_in(condition: GoalCondition) -> Iterator[GoalCondition]:
    yield condition
    match condition:
        case OrGoal(conditions=parts) | AndGoal(conditions=parts):
            for part in parts:
                yield from _conditions_in(part)
        case NotGoal(condition=inner):
            yield from _conditions_in(inner)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game or variant.

    Attributes:
        path: The rule file.
        players: In file order, neutral and random ones included.
        turns: The entries of the turn order.
        repeat: Index of the entry at which the order begins again.
        reserves: For each player and piece type, the number of pieces in the off-board store.
        move_types: In the order in which they become known (contract, section 12, item 87).
        priorities: Move types, the highest first; empty without priorities.
        options: Lower-case names, defaults included; values true, false, a number, forced or
            default as text.
        texts: title, description, history, strategy, solution, and sounds, by keyword.
        attributes: Names in the order in which they are first declared.
        engine: The library that an engine section names; empty without it.
        origins: Where the game or variant begins (`game`) and where its sections stand, by keyword.
        warnings: What was ignored or read leniently.
    """

    path: str
    title: str
    players: tuple[str, ...]
    turns: tuple[Turn, ...]
    repeat: int
    board: Board
    pieces: tuple[Piece, ...]
    placements: tuple[Placement, ...]
    reserves: Mapping[tuple[str, str], int]
    goals: tuple[Goal, ...]
    move_types: tuple[str, ...]
    priorities: tuple[str, ...]
    options: Mapping[str, str]
    texts: Mapping[str, str]
    attributes: tuple[str, ...]
    engine: str = ""
    origins: Mapping[str, Origin] = field(default_factory=dict)
    warnings: tuple[RuleWarning, ...] = ()

    @property
    def real_players(self) -> tuple[str, ...]:
        """The players with turns that are not random; if there is none, whose pieces move."""
        real = [name for name in self.players if not name.startswith("?")]
        deciding = {turn.player for turn in self.turns}.intersection(real)
        movers = deciding or {turn.side for turn in self.turns}
        return tuple(name for name in real if name in movers)

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks of all pieces, those of moves before those of drops for each piece."""
        for piece in self.pieces:
            yield from piece.moves
            yield from piece.drops

    def goal_conditions(self) -> Iterator[GoalCondition]:
        """Yield the conditions of all goals, with the conditions inside them."""
        for goal in self.goals:
            yield from goal.conditions()

"""The interface of an engine: base class, limits, result and reports.

Owns the types of an engine's arguments and results.  It must not know any particular engine, or
how a position stores its state.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from operator import index
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from forthvm.engines.errors import EngineOptionError
from forthvm.game.arguments import check

if TYPE_CHECKING:
    from forthvm.game import Move, Position

__all__ = [
    "Engine",
    "Info",
    "Limits",
    "NotCopied",
    "PlaysMoves",
    "Reporter",
    "SearchResult",
    "check_limits",
    "share_of_clock",
]


_EXPECTED_MOVES = 30
"""The number of moves among which the time on a clock is divided."""


def share_of_clock(remaining: float, increment: float = 0.0, moves: int | None = None) -> float:
    """Return the seconds for one move: a thirtieth of `remaining`, and most of the increment.

    If fewer than 30 `moves` remain to the next time control, they share the remaining time.
    """
    expected = _EXPECTED_MOVES if moves is None else min(moves + 1, _EXPECTED_MOVES)
    return remaining / expected + 0.8 * increment


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of a search, which ends at the first limit that it reaches.  None means no limit.

    Raises:
        EngineOptionError: A limit is out of range, such as depth 0.
    """

    time: float | None = None
    """Seconds for this move."""
    depth: int | None = None
    """Plies, at least 1; `mcts` ignores it."""
    nodes: int | None = None
    """Positions visited, at least 1; for `mcts`, playouts."""
    clock: float | None = None
    """Seconds left for all remaining moves; see `seconds`."""
    increment: float | None = None
    """Seconds added to the clock after each move."""

    def __post_init__(self) -> None:
        for name in ("depth", "nodes"):
            object.__setattr__(self, name, _count(name, getattr(self, name)))
        for name in ("time", "clock", "increment"):
            object.__setattr__(self, name, _seconds(name, getattr(self, name)))

    @property
    def unlimited(self) -> bool:
        """Whether there is no limit on time, depth or nodes."""
        return self.seconds is None and self.depth is None and self.nodes is None

    @property
    def seconds(self) -> float | None:
        """Seconds for this move: `time`, or a share of the clock if that is less.

        The share is a thirtieth of the remaining time and most of the increment, at most nine
        tenths of the remaining time.
        """
        if self.clock is None:
            return self.time
        share = min(share_of_clock(self.clock, self.increment or 0.0), 0.9 * self.clock)
        return share if self.time is None else min(self.time, share)

    def with_defaults(self, defaults: Limits) -> Limits:
        """Return these limits; limits that are None are replaced by the limits of `defaults`."""
        specified = {
            limit.name: value
            for limit in dataclasses.fields(self)
            if (value := getattr(self, limit.name)) is not None
        }
        return dataclasses.replace(defaults, **specified)


def check_limits(given: object, where: str = "play") -> None:
    """Check that an argument is Limits or None.

    Raises:
        TypeError: The argument has another type.
    """
    check(given, (Limits, type(None)), where, "limits, such as Limits(time=1.0), or None")


def _count(name: str, value: object) -> int | None:
    """Return a limit as an integer; `value` may be of a numpy type."""
    if value is None:
        return None
    try:
        number = 0 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if number < 1:
        raise EngineOptionError(f"{name} must be a positive integer, not {value!r}")
    return number


def _seconds(name: str, value: object) -> float | None:
    """Return a limit in seconds as a float."""
    if value is None:
        return None
    try:
        refused = isinstance(value, bool | str | bytes)
        number = -1.0 if refused else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if not 0 <= number < inf:  # also false for NaN
        raise EngineOptionError(f"{name} must be a non-negative number of seconds, not {value!r}")
    return number


@dataclass(frozen=True, kw_only=True)
class Info:
    """One report of a running engine; unreported fields are None."""

    current: str | None = None
    """Text of the root move that is being searched."""
    best: str | None = None
    """Text of the best move so far."""
    score: int | None = None
    nodes: int | None = None
    depth: int | None = None
    line: int | None = None
    """Index of the line of moves that the report describes; 0 is the best line."""
    pv: tuple[str, ...] = ()
    """Texts of the moves of the principal variation, the best move first."""
    time: float | None = None
    """Seconds since the call of `play`."""
    proven: str | None = None
    """The proven result of the best move, for the player to move: win, draw or loss."""


Reporter = Callable[[Info], None]
"""Called in the engine's thread for every report; must return quickly."""


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """The result of a search: the chosen move, and facts about the search."""

    move: Move
    score: int | None = None
    """Score for the player to move, in the engine's own unit; None if the engine reports none."""
    pv: tuple[Move, ...] = ()
    """The principal variation, beginning with `move`."""
    depth: int = 0
    nodes: int = 0
    time: float = 0.0
    """Duration of the search in seconds."""
    info: Mapping[str, object] = field(default_factory=dict)
    """Further facts, with keys that the engine chooses."""


@runtime_checkable
class PlaysMoves(Protocol):
    """The minimal interface of an engine: an object with `play`."""

    def play(self, position: Position, limits: Limits | None = None) -> SearchResult:
        """Return a legal move of `position`."""


class Engine(ABC):
    """Base class of all engines: an object that chooses a legal move.

    An engine may be used for many positions and many games, by one thread at a time;
    only `stop` may be called by other threads.
    """

    name: str = "engine"
    in_place: ClassVar[bool] = False
    """Whether `play` is called with the position itself instead of a copy.  Then its changes to the
    random streams and the script's memory are part of the game.  Such an engine must not make or
    take back moves."""

    @abstractmethod
    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Choose a legal move of `position` without making it.

        Args:
            position: A position that is not decided and has a legal move.
            limits: When to stop; None for the limits in the engine's options.
            report: Called for each report of the engine.

        Raises:
            EngineError: The position is decided, or the engine failed.
        """

    def stop(self) -> None:
        """Make a running `play` return its best move so far.  Any thread may call this."""
        return

    def new_game(self) -> None:
        """Discard data that was collected in an earlier game."""
        return

    def close(self) -> None:
        """Free resources of the engine outside Python."""
        return

    def __repr__(self) -> str:
        return f"<engine {self.name}>"


class NotCopied:
    """Mixin for engines with resources that cannot be copied: C memory, processes, locks."""

    name: str

    def __reduce_ex__(self, protocol: object) -> str | tuple[object, ...]:
        raise TypeError(
            f"engine {self.name!r} cannot be pickled or copied: create another by engines.get(...)"
        )

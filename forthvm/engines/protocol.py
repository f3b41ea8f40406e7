"""The interface of an engine: base class, limits, result and reports.

Owns the types of the arguments and results of engines.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from operator import index
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from forthvm.core.arguments import check
from forthvm.engines.errors import EngineOptionError

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
"""The number of moves that share the remaining time if the number of moves is unknown."""


def share_of_clock(remaining: float, increment: float = 0.0, moves: int | None = None) -> float:
    """Return the seconds for one move: a thirtieth of `remaining`, plus most of the increment.

    If `moves` moves remain until time is added to the clock, and they are fewer than 30, a move has
    an equal share of the remaining time; one more share is kept in reserve.
    """
    shares = _EXPECTED_MOVES if moves is None else min(moves + 1, _EXPECTED_MOVES)
    return remaining / shares + 0.8 * increment


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of a search.  A search ends when it reaches any of its limits; None means no limit.

    Raises:
        EngineOptionError: A limit is out of range, such as depth 0.
    """

    time: float | None = None
    """Seconds for this move."""
    depth: int | None = None
    """Plies, at least 1; `mcts` ignores this limit."""
    nodes: int | None = None
    """The number of visited positions, at least 1; for `mcts`, the number of playouts."""
    clock: float | None = None
    """Seconds left on the player's clock; `seconds` computes the limit for this move."""
    increment: float | None = None
    """Seconds added to the clock after each move."""
    moves: int | None = None
    """The player's moves until more time is added to the clock, at least 1; None if the clock is
    for the rest of the game."""

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "moves"):
            object.__setattr__(self, name, _count(name, getattr(self, name)))
        for name in ("time", "clock", "increment"):
            object.__setattr__(self, name, _seconds(name, getattr(self, name)))

    @property
    def unlimited(self) -> bool:
        """Whether there is no limit on time, depth or nodes."""
        return self.seconds is None and self.depth is None and self.nodes is None

    @property
    def seconds(self) -> float | None:
        """Seconds for this move: the lesser of `time` and a share of the clock."""
        if self.clock is None:
            return self.time
        share = share_of_clock(self.clock, self.increment or 0.0, self.moves)
        share = min(share, 0.9 * self.clock)
        return share if self.time is None else min(self.time, share)

    def with_defaults(self, defaults: Limits) -> Limits:
        """Return these limits with the values of `defaults` in place of None."""
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
    """Return a limit as an integer; `value` may be an integer of numpy."""
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
    """One report of a running engine.  A field is None if the report does not contain it."""

    current: str | None = None
    """Text of the root move that is being searched."""
    best: str | None = None
    """Text of the best move so far."""
    score: float | None = None
    """See `SearchResult.score`."""
    nodes: int | None = None
    depth: int | None = None
    line: int | None = None
    """Index of the principal variation that the report describes; 0 is the best one."""
    pv: tuple[str, ...] = ()
    """Texts of the moves of the principal variation, the best move first."""
    time: float | None = None
    """Seconds since the call of `play`."""
    scores: Mapping[str, float] | None = None
    """Score of each player who can win, if the engine computes one for each."""
    proven: str | None = None
    """The proven result of the best move, for the player to move: win, draw or loss."""


Reporter = Callable[[Info], None]
"""Called in the engine's thread with every report; it must return quickly."""


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """The result of a search: the chosen move, and facts about the search."""

    move: Move
    score: float | None = None
    """Score for the player to move, in the engine's own unit; None if the engine reports none.  An
    engine may return any real number, also of NumPy, except NaN.  An infinite score stands for a
    certain win (`WIN`) or loss (`LOSS`)."""
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
    """Whether callers pass the position itself to `play`, not a copy.  Then the changes that the
    engine makes to random streams and to the script's memory are part of the game.  The engine must
    not make or take back moves."""
    loads_late: ClassVar[bool] = False
    """Whether the first search loads native code or a network, and so takes longer than others."""

    @abstractmethod
    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Choose a legal move of `position` without making it.

        Args:
            position: A position that is not decided and has a legal move.
            limits: The limits of the search; None for the limits in the engine's options.
            report: Called for each report of the engine.

        Raises:
            Resignation: The engine gives the game up.
            EngineError: The position is decided, or the engine failed.
        """

    def stop(self) -> None:
        """Make a running `play` return its best move so far.  Any thread may call this."""
        return

    def new_game(self) -> None:
        """Discard data that was collected in an earlier game."""
        return

    def prepare(self, position: Position) -> None:
        """Get ready for a game that begins at `position`; a match calls this before the clock runs.

        By default this calls `new_game`.
        """
        self.new_game()

    def close(self) -> None:
        """Free resources outside Python, such as a process."""
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

"""What an engine is: its interface, its limits, its result and its reports.

Owns the values that pass between an engine and whoever asks it for a move.  It must not
know any particular engine, nor how a position looks inside.
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


def share_of_clock(left: float, increment: float = 0.0, moves: int | None = None) -> float:
    """Seconds of a clock for one move: a thirtieth of what is left, and most of the increment.

    With fewer `moves` to the next time control it is their share.
    """
    expected = _EXPECTED_MOVES if moves is None else min(moves + 1, _EXPECTED_MOVES)
    return left / expected + 0.8 * increment


@dataclass(frozen=True, kw_only=True)
class Limits:
    """When a search ends; whichever limit is reached first.  None: no such limit.

    Raises:
        EngineOptionError: a limit that no search can keep, such as depth 0.
    """

    time: float | None = None
    """Seconds for this move."""
    depth: int | None = None
    """Plies, at least 1; `mcts` does not look at it."""
    nodes: int | None = None
    """Positions visited, at least 1; of `mcts` playouts."""
    clock: float | None = None
    """Seconds left for all moves to come; see `seconds`."""
    increment: float | None = None
    """Seconds added to the clock after each move."""

    def __post_init__(self) -> None:
        for name in ("depth", "nodes"):
            object.__setattr__(self, name, _plies(name, getattr(self, name)))
        for name in ("time", "clock", "increment"):
            object.__setattr__(self, name, _seconds(name, getattr(self, name)))

    @property
    def unlimited(self) -> bool:
        """Whether nothing here ends a search."""
        return self.seconds is None and self.depth is None and self.nodes is None

    @property
    def seconds(self) -> float | None:
        """Seconds for this move: `time`, or a share of the clock if that is less.

        The share is a thirtieth of what is left and most of the increment, never more than
        nine tenths of what is left.
        """
        if self.clock is None:
            return self.time
        share = min(share_of_clock(self.clock, self.increment or 0.0), 0.9 * self.clock)
        return share if self.time is None else min(self.time, share)

    def over(self, defaults: Limits) -> Limits:
        """These limits, each one that is missing taken from `defaults`."""
        given = {
            each.name: value
            for each in dataclasses.fields(self)
            if (value := getattr(self, each.name)) is not None
        }
        return dataclasses.replace(defaults, **given)


def check_limits(given: object, where: str = "play") -> None:
    """Refuse what is neither Limits nor None.

    Raises:
        TypeError: with what is accepted and what was given.
    """
    check(given, (Limits, type(None)), where, "limits, such as Limits(time=1.0), or None")


def _plies(name: str, value: object) -> int | None:
    """A number from 1 up; numpy's will do."""
    if value is None:
        return None
    try:
        number = 0 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if number < 1:
        raise EngineOptionError(f"{name} must be a whole number from 1 up, not {value!r}")
    return number


def _seconds(name: str, value: object) -> float | None:
    """Seconds from 0 up; so written that NaN fails."""
    if value is None:
        return None
    try:
        wrong = isinstance(value, bool | str | bytes)
        number = -1.0 if wrong else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if not 0 <= number < inf:
        raise EngineOptionError(f"{name} must be seconds from 0 up, not {value!r}")
    return number


@dataclass(frozen=True, kw_only=True)
class Info:
    """One report of an engine while it thinks; fields it did not report are None."""

    current: str | None = None
    best: str | None = None
    score: int | None = None
    nodes: int | None = None
    depth: int | None = None
    line: int | None = None
    """Which of several lines it is about, the best being 0."""
    pv: tuple[str, ...] = ()
    """Texts of the moves it expects, the best move first."""
    time: float | None = None
    """Seconds since the engine was asked."""
    proven: str | None = None
    """What the best move leads to for certain, for the player to move: win, draw or loss."""


Reporter = Callable[[Info], None]
"""Called in the thinking thread for every report; must return quickly."""


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """What an engine answered."""

    move: Move
    score: int | None = None
    """For the player to move; the unit is the engine's.  None: it gave none."""
    pv: tuple[Move, ...] = ()
    """The line it expects, its own move first."""
    depth: int = 0
    nodes: int = 0
    time: float = 0.0
    """Seconds it thought."""
    info: Mapping[str, object] = field(default_factory=dict)
    """What else the engine has to say; keys are its own."""


@runtime_checkable
class PlaysMoves(Protocol):
    """The least that passes for an engine: an object with `play`."""

    def play(self, position: Position, limits: Limits | None = None) -> SearchResult:
        """Answers with a legal move of `position`."""


class Engine(ABC):
    """Base of all engines: something that picks a legal move.

    An engine may be used for many positions and many games, by one thread at a time;
    only `stop` may be called from others.
    """

    name: str = "engine"
    in_place: ClassVar[bool] = False
    """`play` gets the position itself, not a copy: what it does to the random streams and the
    script's memory is part of the game.  Only for engines that leave the moves made alone."""

    @abstractmethod
    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Picks a move of `position`, in which no move is made or taken back.

        Args:
            position: a position that is not decided and has a legal move.
            limits: when to stop; None leaves it to the engine's own options.
            report: called while the engine thinks, where it has something to report.

        Raises:
            EngineError: the position is decided, or the engine failed.
        """

    def stop(self) -> None:
        """Asks a running `play` to answer soon with what it has.  Any thread."""
        return

    def new_game(self) -> None:
        """Forgets what was learned in an earlier game."""
        return

    def close(self) -> None:
        """Frees what the engine holds outside Python."""
        return

    def __repr__(self) -> str:
        return f"<engine {self.name}>"


class NotCopied:
    """Mixin of engines that hold memory, programs or locks outside Python."""

    name: str

    def __reduce_ex__(self, protocol: object) -> str | tuple[object, ...]:
        raise TypeError(
            f"engine {self.name!r} cannot be pickled or copied: make another with engines.get(...)"
        )

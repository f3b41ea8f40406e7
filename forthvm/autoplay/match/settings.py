"""The settings of a match: configurations, entrants, number of games, rules.

Owns the settings, their form in the table `match` of a results file, and the derivation of seeds
from the match's seed.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from forthvm.core.arguments import path
from forthvm.core.budget import (
    DEFAULT_MEMORY,
    DEFAULT_SECONDS,
    MOST_MEMORY,
    Budget,
    script_budget,
)
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import expand_user
from forthvm.core.reading import (
    MAX_NUMBER,
    ReadError,
    as_type,
    fields_of,
    integer,
    list_of,
    number,
    one_of,
    optional,
)
from forthvm.game.loading import LOAD_ARGUMENTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = [
    "DEFAULT_OPENING_PLIES",
    "MIN_MEMORY",
    "SCHEDULES",
    "Adjudication",
    "Configuration",
    "Entrant",
    "MatchError",
    "Settings",
    "TimeControl",
    "derive_seed",
]

DEFAULT_OPENING_PLIES = 2
"""The number of random plies that make the games of deterministic engines differ."""
MIN_MEMORY = 32
"""The minimum of `Settings.memory`; a built-in engine uses half for its transposition table."""
SCHEDULES = ("round-robin", "gauntlet", "swiss", "fixed")
_FIELDS_WITH_OWN_ROWS = ("configurations", "entrants", "games", "schedule", "seed")
"""Settings with a row of their own in the table `match`; the row `options` has all others."""
_MAX_OPENING_PLIES = 1000
_NUMBER_OF_SEEDS = 2**31
"""The number of possible seeds: a seed is a cell that is not negative."""

Positive = Annotated[int, integer(1, MAX_NUMBER)]
Count = Annotated[int, integer(0, MAX_NUMBER)]
Seconds = Annotated[float, number(0, MAX_NUMBER)]
_TEXT = re.compile(
    r"(?:(?P<moves>\d+)/)?(?P<base>\d+(?:\.\d*)?|\.\d+)(?:\+(?P<increment>\d+(?:\.\d*)?|\.\d+))?"
)
"""The text of a time control."""


class MatchError(ForthVMError, ValueError):
    """A match cannot be played with its settings."""


def derive_seed(*parts: object) -> int:
    """Return a seed from 0 to 2^31 - 1, computed as a hash of `parts`.

    >>> derive_seed(1, "game", 7) == derive_seed(1, "game", 7) != derive_seed(1, "game", 8)
    True
    """
    text = "\0".join(str(part) for part in parts).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") % _NUMBER_OF_SEEDS


class _Checked:
    """The base of dataclasses whose values may come from any program or results file."""

    def __post_init__(self) -> None:
        """Read the fields with the readers of their types.

        Raises:
            MatchError: A field has another type or is out of range.
        """
        try:
            fields = fields_of(type(self))(self)  # type: ignore[arg-type]  # a type is hashable
        except ReadError as error:
            raise MatchError(f"{type(self).__name__}: {error}") from None
        self.__dict__.update(fields)


@dataclass(frozen=True, kw_only=True)
class TimeControl(_Checked):
    """The time that a player has; unlimited by default."""

    move: Seconds | None = None
    """Seconds for each move."""
    base: Seconds | None = None
    """Seconds on the clock at the start of the game."""
    increment: Seconds = 0.0
    """Seconds added after each of the player's moves."""
    moves: Count = 0
    """The number of moves after which `base` is added again; 0 for never."""
    margin: Seconds | None = None
    """Seconds by which an engine may exceed a limit.  None selects 0.1 for `base`, and
    1 + `move` / 2 for `move`: a script's engine may use this time before it is interrupted."""

    @property
    def unlimited(self) -> bool:
        """Whether there is no limit."""
        return self.move is None and self.base is None

    @classmethod
    def parse(cls, text: str, *, margin: float | None = None) -> TimeControl:
        """Parse `BASE`, `BASE+INCREMENT` or `MOVES/BASE+INCREMENT`, in seconds.

        Raises:
            ValueError: The text has another form.

        >>> TimeControl.parse("40/60+0.5")
        TimeControl(move=None, base=60.0, increment=0.5, moves=40, margin=None)
        """
        match = _TEXT.fullmatch(text.strip())
        if match is None or not float(match["base"]):
            raise ValueError(f"{text!r} is not a clock: expected [MOVES/]SECONDS[+INCREMENT]")
        return cls(
            base=float(match["base"]),
            increment=float(match["increment"] or 0),
            moves=int(match["moves"] or 0),
            margin=margin,
        )

    def __str__(self) -> str:
        if self.base is not None:
            moves = f"{self.moves}/" if self.moves else ""
            return f"{moves}{self.base:g}+{self.increment:g} s"
        return "no limit" if self.move is None else f"{self.move:g} s a move"


def _path_text(value: object) -> str:
    """Read a path; one that is not a text becomes absolute, to be valid in other folders, too."""
    given = path(value)
    return given if isinstance(given, str) else str(expand_user(given).absolute())


@dataclass(frozen=True, kw_only=True)
class Configuration(_Checked):
    """A game with the arguments of `forthvm.load`.

    Paths become texts, and settings pairs, as they are stored in results files.
    """

    name: str
    """The name in reports."""
    game: Annotated[str, _path_text]
    settings: Annotated[tuple[tuple[str, str], ...], LOAD_ARGUMENTS["settings"]] = ()
    variant: Annotated[str | int | None, LOAD_ARGUMENTS["variant"]] = None
    axiom: Annotated[str | int | None, LOAD_ARGUMENTS["axiom"]] = None
    library: Annotated[str | None, optional(_path_text)] = None
    checked: Annotated[bool, LOAD_ARGUMENTS["checked"]] = False
    include: Annotated[tuple[str, ...], list_of(_path_text)] = ()

    if TYPE_CHECKING:

        def __init__(  # noqa: PLR0913 - the arguments of `load`
            self,
            *,
            name: str,
            game: str | Path,
            settings: Mapping[str, str | int | bool] | Sequence[tuple[str, str]] | None = (),
            variant: str | int | None = None,
            axiom: str | int | None = None,
            library: str | Path | None = None,
            checked: bool = False,
            include: Sequence[str | Path] = (),
        ) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Entrant(_Checked):
    """An engine with its options, as a participant of a match."""

    name: str
    spec: str = ""
    """The engine's specification, such as `negamax` or `module:Class`; empty for the engine that
    the script names, or `negamax`."""
    configuration: Count = 0
    """The index of the configuration in which the engine plays."""
    time: TimeControl | None = None
    """The time control; None for `Settings.time`."""


@dataclass(frozen=True, kw_only=True)
class Adjudication(_Checked):
    """The rules of adjudication."""

    max_plies: Positive = 2000
    """The number of plies after which a game is adjudicated a draw."""
    repetition: Count = 0
    """The number of occurrences of a position after which the game is a draw; 0 for never."""
    win_score: Count = 0
    """The score, as engines report it, from which a game is a win: one engine must report at least
    this score, and the other at most its negative.  0 for never."""
    win_plies: Count = 6
    """The number of consecutive plies, counting both players, on which the engines must agree."""
    draw_score: int = -1
    """The maximum absolute value of both engines' scores for a draw; negative for never."""
    draw_plies: Count = 10
    """The number of consecutive plies on which the scores must be within `draw_score`."""
    draw_after: Count = 60
    """The ply before which no draw is adjudicated by scores."""


@dataclass(frozen=True, kw_only=True)
class Settings(_Checked):
    """The settings of a match.

    Raises:
        MatchError: A value is invalid.
    """

    configurations: tuple[Configuration, ...]
    """One configuration, or two configurations that play each other."""
    entrants: tuple[Entrant, ...]
    games: Positive
    schedule: Annotated[str, one_of(*SCHEDULES)] = "round-robin"
    seed: int = 1
    """The seed from which all other seeds are derived."""
    depth: Positive | None = None
    """The limit on the search depth of all engines, in plies; None for no limit."""
    nodes: Positive | None = None
    """The limit on the nodes of a search by any engine; None for no limit."""
    time: TimeControl = field(default_factory=TimeControl)
    """The time control of entrants with `time=None`."""
    opening_plies: Annotated[int, integer(0, _MAX_OPENING_PLIES)] | None = None
    """The number of random plies at the start of each game, the same in all games of a pair; None
    for 2, or for 0 in a match with a list of openings."""
    adjudication: Adjudication = field(default_factory=Adjudication)
    on_failure: Annotated[str, one_of("forfeit", "void")] = "forfeit"
    """`forfeit` if an engine that fails loses, `void` if the game does not count."""
    hang: Annotated[float, number(0.001, MAX_NUMBER)] = 600.0
    """Seconds after which an engine without a time limit counts as hanging."""
    memory: Annotated[int, integer(MIN_MEMORY, 2**31)] | None = None
    """MiB that a worker process may allocate after loading the game; None for no limit."""
    max_seconds: Seconds = DEFAULT_SECONDS
    """The time limit in seconds of each run of a script; 0 for no limit."""
    max_memory: Annotated[int, integer(0, MOST_MEMORY >> 20)] = DEFAULT_MEMORY >> 20
    """The limit of a script's image in MiB; 0 for the maximum."""
    sprt: tuple[str, ...] = ()
    """Settings of a sequential test, such as `elo0=0 elo1=10`; empty for no test."""

    def __post_init__(self) -> None:
        """Check the fields, and those that depend on others."""
        super().__post_init__()
        names = [entrant.name for entrant in self.entrants]
        if not names:
            raise MatchError("no entrants")
        duplicate = next((name for name in names if names.count(name) > 1), None)
        if duplicate is not None:
            raise MatchError(f"two entrants are called {duplicate!r}")
        unprintable = next((name for name in names if not name.isprintable()), None)
        if unprintable is not None:
            raise MatchError(f"an entrant's name has unprintable characters: {unprintable!a}")
        configurations = len(self.configurations)
        if not 1 <= configurations <= 2:
            raise MatchError(f"a match has one configuration or two, not {configurations}")
        for at, entrant in enumerate(self.entrants):
            if entrant.configuration >= configurations:
                raise MatchError(
                    f"`entrants[{at}].configuration`: "
                    f"there is no configuration {entrant.configuration}"
                )

    @property
    def budget(self) -> Budget:
        """The limits of each script."""
        return script_budget(call_seconds=self.max_seconds, mebibytes=self.max_memory)

    @property
    def game(self) -> str:
        """The names of the configurations, for reports."""
        return " : ".join(configuration.name for configuration in self.configurations)

    def pair_seed(self, pair: int) -> int:
        """Return the seed of the random numbers in the games of a pair."""
        return derive_seed(self.seed, "pair", pair)

    def to_match(self) -> dict[str, object]:
        """Return the settings as rows of the table `match`."""
        document = dataclasses.asdict(self)
        entrants, configurations = document.pop("entrants"), document.pop("configurations")
        return {
            "game": self.game,
            "configurations": configurations,
            "entrants": entrants,
            "seed": document.pop("seed"),
            "games": document.pop("games"),
            "schedule": document.pop("schedule"),
            "options": document,
        }

    @classmethod
    def from_match(cls, match: Mapping[str, object]) -> Settings:
        """Return the settings for rows of the table `match`.

        Raises:
            MatchError: The rows do not describe a match.
        """
        try:
            options = as_type(dict[str, object])(match["options"])
            fields = {key: match[key] for key in _FIELDS_WITH_OWN_ROWS}
            return as_type(cls)({**options, **fields})
        except KeyError as error:
            raise MatchError(f"these results have no valid match settings: no {error}") from error
        except MatchError:
            raise
        except ValueError as error:
            raise MatchError(f"these results have no valid match settings: {error}") from error

    @cached_property
    def digest(self) -> str:
        """A digest of all settings."""
        text = json.dumps(self.to_match(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

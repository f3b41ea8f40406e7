"""The settings of a match: configurations, entrants, number of games, rules.

Owns the settings, their form in the table `match` of a results file, and the derivation of seeds
from the match's seed.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from forthvm.autoplay.match.clock import TimeControl
from forthvm.core.arguments import check
from forthvm.core.budget import DEFAULT_MEMORY, DEFAULT_SECONDS, Budget, script_budget
from forthvm.core.errors import ForthVMError
from forthvm.core.reading import MAX_NUMBER, as_type
from forthvm.core.text.advice import advice

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "DEFAULT_OPENING_PLIES",
    "MIN_MEMORY",
    "SCHEDULES",
    "Adjudication",
    "Configuration",
    "Entrant",
    "MatchError",
    "Settings",
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
_MAX_MEMORY = 2**31
_NUMBER_OF_SEEDS = 2**31
"""The number of possible seeds: a seed is a cell that is not negative."""


class MatchError(ForthVMError, ValueError):
    """A match cannot be played with its settings."""


def derive_seed(*parts: object) -> int:
    """Return a seed from 0 to 2^31 - 1, computed as a hash of `parts`.

    >>> derive_seed(1, "game", 7) == derive_seed(1, "game", 7) != derive_seed(1, "game", 8)
    True
    """
    text = "\0".join(str(part) for part in parts).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") % _NUMBER_OF_SEEDS


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """A script with the options for loading it."""

    name: str
    """The name in reports."""
    game: str
    """A name that `forthvm games` lists, or the absolute path of a script."""
    settings: tuple[tuple[str, str], ...] = ()
    """Name and value of settings of the game."""
    variant: int | str | None = None
    """The title or number of a variant in a rule file; None for the default."""
    axiom: int | str | None = None
    """The version of Axiom; None for the default."""
    library: str | None = None
    """The folder of the library; None for the bundled library."""
    checked: bool = False
    """Whether to load the game with `checked=True` (see `forthvm.game.load`)."""
    include: tuple[str, ...] = ()
    """Additional folders from which the script may load files."""


@dataclass(frozen=True, kw_only=True)
class Entrant:
    """An engine with its options, as a participant of a match."""

    name: str
    spec: str = ""
    """The engine's specification; empty for the engine that the script names, or `negamax`."""
    configuration: int = 0
    """The index of the configuration in which the engine plays."""
    time: TimeControl | None = None
    """The time control; None for `Settings.time`."""

    def __post_init__(self) -> None:
        """Raise TypeError if a field has another type."""
        check(self.name, str, "Entrant(name=…)", "a text")
        check(self.spec, str, "Entrant(spec=…)", "a text such as `negamax` or `module:Class`")


@dataclass(frozen=True, kw_only=True)
class Adjudication:
    """The rules of adjudication."""

    max_plies: int = 2000
    """The number of plies after which a game is adjudicated a draw."""
    repetition: int = 0
    """The number of occurrences of a position after which the game is a draw; 0 for never."""
    win_score: int = 0
    """The score, as engines report it, from which a game is a win: one engine must report at least
    this score, and the other at most its negative.  0 for never."""
    win_plies: int = 6
    """The number of consecutive plies, counting both players, on which the engines must agree."""
    draw_score: int = -1
    """The maximum absolute value of both engines' scores for a draw; negative for never."""
    draw_plies: int = 10
    """The number of consecutive plies on which the scores must be within `draw_score`."""
    draw_after: int = 60
    """The ply before which no draw is adjudicated by scores."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of a match.

    Raises:
        MatchError: A value is invalid.
    """

    configurations: tuple[Configuration, ...]
    """One configuration, or two configurations that play each other."""
    entrants: tuple[Entrant, ...]
    games: int
    schedule: str = "round-robin"
    seed: int = 1
    """The seed from which all other seeds are derived."""
    depth: int | None = None
    """The limit on the search depth of all engines, in plies; None for no limit."""
    nodes: int | None = None
    """The limit on the nodes of a search by any engine; None for no limit."""
    time: TimeControl = field(default_factory=TimeControl)
    """The time control of entrants with `time=None`."""
    opening_plies: int | None = None
    """The number of random plies at the start of each game, the same in all games of a pair; None
    for 2, or for 0 in a match with a list of openings."""
    adjudication: Adjudication = field(default_factory=Adjudication)
    on_failure: str = "forfeit"
    """`forfeit` if an engine that fails loses, `void` if the game does not count."""
    hang: float = 600.0
    """Seconds after which an engine without a time limit counts as hanging."""
    memory: int | None = None
    """MiB that a worker process may allocate after loading the game; None for no limit."""
    max_seconds: float = DEFAULT_SECONDS
    """The time limit in seconds of each run of a script; 0 for no limit."""
    max_memory: int = DEFAULT_MEMORY >> 20
    """The limit of a script's image in MiB; 0 for the maximum."""
    sprt: tuple[str, ...] = ()
    """Settings of a sequential test, such as `elo0=0 elo1=10`; empty for no test."""

    def __post_init__(self) -> None:
        """Raise MatchError if a value is invalid, and TypeError if it has another type."""
        for given, kind in ((self.configurations, Configuration), (self.entrants, Entrant)):
            name = kind.__name__.lower()
            check(given, (tuple, list), f"Settings({name}s=…)", f"a tuple of {kind.__name__}")
            for one in given:
                check(one, kind, f"Settings({name}s=…)", f"a tuple of {kind.__name__}")
        check(self.games, int, "Settings(games=…)", "a number")
        names = [entrant.name for entrant in self.entrants]
        if not names:
            raise MatchError("no entrants: give --engine NAME=SPEC, or a second game")
        duplicate = next((name for name in names if names.count(name) > 1), None)
        if duplicate is not None:
            raise MatchError(f"two entrants are called {duplicate!r}")
        unprintable = next((name for name in names if not name.isprintable()), None)
        if unprintable is not None:
            raise MatchError(f"an entrant's name has unprintable characters: {unprintable!a}")
        if self.games < 1:
            raise MatchError(f"a match has at least 1 game, not {self.games}")
        if self.schedule not in SCHEDULES:
            raise MatchError(f"no schedule {self.schedule!r} (there are {', '.join(SCHEDULES)})")
        if self.memory is not None and self.memory < MIN_MEMORY:
            raise MatchError(
                f"a worker needs {MIN_MEMORY} MiB of memory besides its game, not {self.memory}"
            )
        if self.on_failure not in {"forfeit", "void"}:
            raise MatchError(f"on_failure must be forfeit or void, not {self.on_failure!r}")
        self._check_ranges()

    def _check_ranges(self) -> None:
        """Raise MatchError if a number is out of range, for example in an edited results file."""
        configurations = len(self.configurations)
        if not 1 <= configurations <= 2:
            raise MatchError(f"a match has one configuration or two, not {configurations}")
        rules = self.adjudication
        times = [
            control
            for control in (self.time, *(entrant.time for entrant in self.entrants))
            if control
        ]
        ranges: list[tuple[str, float | None, float, float]] = [
            ("depth", self.depth, 1, MAX_NUMBER),
            ("nodes", self.nodes, 1, MAX_NUMBER),
            ("opening_plies", self.opening_plies, 0, _MAX_OPENING_PLIES),
            ("hang", self.hang, 0, MAX_NUMBER),
            ("memory", self.memory, MIN_MEMORY, _MAX_MEMORY),
            ("max_plies", rules.max_plies, 1, MAX_NUMBER),
            ("repetition", rules.repetition, 0, MAX_NUMBER),
            *(
                ("an entrant's configuration", entrant.configuration, 0, configurations - 1)
                for entrant in self.entrants
            ),
            *(("a time", control.move, 0, MAX_NUMBER) for control in times),
            *(("a clock", control.base, 0, MAX_NUMBER) for control in times),
            *(("an increment", control.increment, 0, MAX_NUMBER) for control in times),
            *(("moves of a clock", control.moves, 0, MAX_NUMBER) for control in times),
            *(("a margin", control.margin, 0, MAX_NUMBER) for control in times),
        ]
        for name, value, low, high in ranges:
            if value is not None and not low <= value <= high:
                is_option = hasattr(self, name) or hasattr(rules, name)
                option = f"--{name.replace('_', '-')}" if is_option else name
                subject = advice(python=name, command_line=option)
                raise MatchError(f"{subject}: expected {low} to {high}, not {value}")

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

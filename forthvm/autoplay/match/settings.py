"""What a match is: who plays what, how often, and under which rules.

Owns these values, how they are written into a results file and read back, and every seed
that follows from the match's.  It must not know how games are played.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from forthvm.autoplay.match.clock import TimeControl
from forthvm.autoplay.typed_json import read_as
from forthvm.core.advice import advice
from forthvm.core.budget import DEFAULT_MEMORY, DEFAULT_SECONDS, Budget, script_budget
from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "LEAST_MEMORY",
    "SCHEDULES",
    "Adjudication",
    "Configuration",
    "Entrant",
    "MatchError",
    "Settings",
    "derive_seed",
]

LEAST_MEMORY = 32
"""Megabytes; an engine of ours takes half of them for its table."""
SCHEDULES = ("round-robin", "gauntlet", "swiss", "fixed")
_PLAIN = ("configurations", "entrants", "games", "schedule", "seed")
"""Fields that have rows of their own in the table `match`; the others are `options`."""
_MOST_PLIES = 1000
_MOST_MEMORY = 2**31
_MOST = 2**62
"""More than any game needs, and less than what overflows in C."""
_SEEDS = 2**31
"""Seeds fit into a cell and are not negative."""


class MatchError(ForthVMError, ValueError):
    """A match that cannot be played as it was described."""


def derive_seed(*parts: object) -> int:
    """A seed, 0 to 2^31 - 1, that follows from `parts` and from nothing else.

    >>> derive_seed(1, "game", 7) == derive_seed(1, "game", 7) != derive_seed(1, "game", 8)
    True
    """
    text = "\0".join(str(part) for part in parts).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") % _SEEDS


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """A game as it is loaded."""

    name: str
    """For people."""
    game: str
    """A name that `forthvm games` lists, or the absolute path of a script."""
    settings: tuple[tuple[str, str], ...] = ()
    axiom: int | str | None = None
    library: str | None = None
    checked: bool = False
    include: tuple[str, ...] = ()
    """Further folders below which the script may load files."""


@dataclass(frozen=True, kw_only=True)
class Entrant:
    """Somebody who takes part."""

    name: str
    spec: str = ""
    """His engine; empty: the one that the script names for the player, else `negamax`."""
    configuration: int = 0
    """Place of the configuration whose engines and evaluation he uses."""
    time: TimeControl | None = None
    """None: the match's."""


@dataclass(frozen=True, kw_only=True)
class Adjudication:
    """When a game is ended from outside."""

    max_plies: int = 2000
    """Then it is drawn."""
    repetition: int = 0
    """Drawn when a position with the same turn comes up that often; 0: never."""
    win_score: int = 0
    """Won when the engines' scores say so; in the engines' own units; 0: never."""
    win_plies: int = 6
    """For so many plies in a row, those of both sides."""
    draw_score: int = -1
    """Drawn when no score is farther from 0; below 0: never."""
    draw_plies: int = 10
    draw_after: int = 60
    """No draw is seen before this ply."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A match.

    Raises:
        MatchError: it cannot be played.
    """

    configurations: tuple[Configuration, ...]
    """One, or two that are played against each other."""
    entrants: tuple[Entrant, ...]
    games: int
    schedule: str = "round-robin"
    seed: int = 1
    depth: int | None = None
    nodes: int | None = None
    time: TimeControl = field(default_factory=TimeControl)
    opening_plies: int = 0
    """Random moves that each game begins with, the same ones in both games of a pair."""
    adjudication: Adjudication = field(default_factory=Adjudication)
    on_failure: str = "forfeit"
    """An engine that fails loses; `void`: the game does not count."""
    hang: float = 600.0
    """Seconds after which an engine without a limit of time is given up."""
    memory: int | None = None
    """Megabytes that a worker process may use besides what it has once the game is loaded."""
    max_seconds: float = DEFAULT_SECONDS
    """Seconds that a script may take for each question; 0: no limit."""
    max_memory: int = DEFAULT_MEMORY >> 20
    """Mebibytes that the memory image of a script may have; 0: as many as can be."""
    sprt: tuple[str, ...] = ()
    """Texts of a sequential test, as `elo0=0 elo1=10`; empty: all games are played."""

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        names = [entrant.name for entrant in self.entrants]
        if not names:
            raise MatchError("nobody takes part: give --engine NAME=SPEC, or a second game")
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise MatchError(f"two entrants are called {twice!r}")
        hidden = next((name for name in names if not name.isprintable()), None)
        if hidden is not None:
            raise MatchError(f"an entrant's name has characters that cannot be seen: {hidden!a}")
        if self.games < 1:
            raise MatchError(f"a match has at least 1 game, not {self.games}")
        if self.schedule not in SCHEDULES:
            raise MatchError(f"no schedule {self.schedule!r} (there are {', '.join(SCHEDULES)})")
        if self.memory is not None and self.memory < LEAST_MEMORY:
            raise MatchError(
                f"a worker needs {LEAST_MEMORY} MB of memory besides its game, not {self.memory}"
            )
        if self.on_failure not in {"forfeit", "void"}:
            raise MatchError(f"on failure: forfeit or void, not {self.on_failure!r}")
        self._refuse_numbers()

    def _refuse_numbers(self) -> None:
        """What is out of range, as it may be in a file that was edited."""
        places = len(self.configurations)
        if not 1 <= places <= 2:  # noqa: PLR2004
            raise MatchError(f"a match has one configuration or two, not {places}")
        rules = self.adjudication
        times = [each for each in (self.time, *(one.time for one in self.entrants)) if each]
        ranges: list[tuple[str, float | None, float, float]] = [
            ("depth", self.depth, 1, _MOST),
            ("nodes", self.nodes, 1, _MOST),
            ("opening_plies", self.opening_plies, 0, _MOST_PLIES),
            ("hang", self.hang, 0, _MOST),
            ("memory", self.memory, LEAST_MEMORY, _MOST_MEMORY),
            ("max_plies", rules.max_plies, 1, _MOST),
            ("repetition", rules.repetition, 0, _MOST),
            *(
                ("an entrant's configuration", one.configuration, 0, places - 1)
                for one in self.entrants
            ),
            *(("a time", each.move, 0, _MOST) for each in times),
            *(("a clock", each.base, 0, _MOST) for each in times),
            *(("an increment", each.increment, 0, _MOST) for each in times),
            *(("moves of a clock", each.moves, 0, _MOST) for each in times),
            *(("a margin", each.margin, 0, _MOST) for each in times),
        ]
        for name, value, low, high in ranges:
            if value is not None and not low <= value <= high:
                is_option = hasattr(self, name) or hasattr(rules, name)
                option = f"--{name.replace('_', '-')}" if is_option else name
                told = advice(python=name, command_line=option)
                raise MatchError(f"{told}: expected {low} to {high}, not {value}")

    @property
    def budget(self) -> Budget:
        """The limits of each script."""
        return script_budget(question_seconds=self.max_seconds, mebibytes=self.max_memory)

    @property
    def game(self) -> str:
        """Name of what is played, for people."""
        return " : ".join(each.name for each in self.configurations)

    def pair_seed(self, pair: int) -> int:
        """Of the game's own random numbers in the games of a pair."""
        return derive_seed(self.seed, "pair", pair)

    def to_match(self) -> dict[str, object]:
        """As the rows of the table `match`."""
        found = dataclasses.asdict(self)
        entrants, configurations = found.pop("entrants"), found.pop("configurations")
        plain = {"games": found.pop("games"), "schedule": found.pop("schedule")}
        return {
            "game": self.game,
            "configurations": configurations,
            "entrants": entrants,
            "seed": found.pop("seed"),
            **plain,
            "options": found,
        }

    @classmethod
    def from_match(cls, match: Mapping[str, object]) -> Settings:
        """Read back.

        Raises:
            MatchError: the rows do not describe a match.
        """
        try:
            options = read_as(dict[str, object], match["options"])
            plain = {key: match[key] for key in _PLAIN}
            found: Settings = read_as(cls, {**options, **plain})
        except KeyError as error:
            raise MatchError(f"these results do not say what was played: no {error}") from error
        except MatchError:
            raise
        except ValueError as error:
            raise MatchError(f"these results do not say what was played: {error}") from error
        return found

    @cached_property
    def digest(self) -> str:
        """Of everything that decides which games are played and how they end."""
        text = json.dumps(self.to_match(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

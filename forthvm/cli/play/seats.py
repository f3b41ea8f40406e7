"""The seats of a game: human players, engines and chance.

Owns reading `--engine` and `--side`, and asking a seat for its move.  It must not print.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm import engines
from forthvm.cli import shared_options
from forthvm.cli.status import UsageError
from forthvm.core.errors import ForthVMError
from forthvm.engines.registry import get_seeded

if TYPE_CHECKING:
    from forthvm.engines import Engine, Limits, SearchResult
    from forthvm.game import Game, Player, Position

__all__ = ["DEFAULT_ENGINE", "Seat", "Seats", "choose_name"]

DEFAULT_ENGINE = "negamax"
DEFAULT_NODES = 1500
"""Without limits of time and depth: a second or two in the slowest of the bundled games."""
SCRIPT_ENGINE = "script"
CHANCE_ENGINE = "chance"


@dataclass
class Seat:
    """One player of the game."""

    player: str
    spec: str
    """The engine of the seat, used if no human player sits there."""
    chance: bool = False

    def label(self) -> str:
        """The engine's displayed name."""
        return "chance" if self.chance else self.spec


class Seats:
    """All players of a game with their engines."""

    def __init__(
        self, game: Game, specs: Sequence[str], *, seed: int | None = None, limits: Limits
    ) -> None:
        """Reads the specifications; engines are made now, so that mistakes show at once.

        Args:
            game: the loaded game.
            specs: `SPEC` for all players, or `NAME=SPEC` for one; later ones win.
            seed: for engines that use random numbers and have no seed of their own.
            limits: for every engine, overriding its own options.
        """
        self._limits = limits
        self._told: set[tuple[str, str]] = set()
        self.persons: set[str] = set()
        default = f"{DEFAULT_ENGINE}:nodes={DEFAULT_NODES}" if limits.unlimited else DEFAULT_ENGINE
        self._seats = {player.name: _seat(player, default) for player in turns(game)}
        for spec in specs:
            self._apply(spec)
        # Different seeds: else two random engines would draw the same numbers.
        self._seeds = {
            seat.player: None if seed is None else seed + at
            for at, seat in enumerate(self._seats.values())
        }
        self._engines = {
            seat.player: _make(seat.spec, self._seeds[seat.player]) for seat in self._seats.values()
        }

    def __getitem__(self, player: str) -> Seat:
        """The seat of a player.

        Raises:
            PositionError: the script moved the turn to a player whom its order leaves out.
        """
        if player not in self._seats:
            from forthvm.core.errors import PositionError

            raise PositionError(f"it is the turn of {player}, who is not in the turn order")
        return self._seats[player]

    @property
    def names(self) -> list[str]:
        """Players that choose moves, without chance."""
        return [seat.player for seat in self._seats.values() if not seat.chance]

    def is_person(self, player: str) -> bool:
        """Whether a human plays that player."""
        return player in self.persons

    def seat_person(self, wanted: str) -> None:
        """Gives a seat to a human; its name may be a prefix in any case.

        Raises:
            UsageError: no player, or several, go by that name.
        """
        if wanted.casefold() == "all":
            self.persons.update(self.names)
            return
        self.persons.add(choose_name(wanted, self.names))

    def play(self, position: Position, *, by_rule: bool = False) -> SearchResult:
        """Asks the engine of the player to move; `by_rule`: the game goes on in any case."""
        seat = self[position.turn]
        ask = engines.ask_or_first if by_rule else engines.ask
        limits = None if self._limits.unlimited else self._limits
        try:
            return ask(self._engines[seat.player], position, limits)
        except ForthVMError as error:
            error.failed_engine = seat.label()
            raise

    def play_afresh(self, position: Position) -> SearchResult:
        """The answer of a new engine like that of the player to move: it remembers nothing."""
        seat = self[position.turn]
        limits = None if self._limits.unlimited else self._limits
        return engines.ask(_make(seat.spec, self._seeds[seat.player]), position, limits)

    def news(self, result: SearchResult, position: Position) -> list[str]:
        """The faults of the engine that answered for `position`, each once."""
        faults = result.info.get("faults", ())
        found = [] if not isinstance(faults, tuple) else [str(fault) for fault in faults]
        fresh = [fault for fault in found if (position.turn, _kind(fault)) not in self._told]
        self._told.update((position.turn, _kind(fault)) for fault in fresh)
        return fresh

    def _apply(self, spec: str) -> None:
        name, found, rest = spec.partition("=")
        if not found or ":" in name:
            for seat in self._seats.values():
                if not seat.chance:
                    seat.spec = spec
            return
        if not rest:
            raise UsageError(f"--engine {spec}: expected NAME=ENGINE")
        self._seats[choose_name(name, list(self._seats))].spec = rest


def _kind(fault: str) -> str:
    """A fault without what differs from move to move: numbers, moves."""
    return re.sub(r"'[^']*'|\d+", "", fault)


def turns(game: Game) -> list[Player]:
    """The players who have turns, in the order of their definition."""
    with_turns = {turn.player for turn in game.turn_order}
    return [player for player in game.player_details if player.name in with_turns]


def choose_name(wanted: str, names: Sequence[str]) -> str:
    """The player meant by a name, whatever its case, or by the start of it.

    Raises:
        UsageError: none or several fit.

    >>> choose_name("n", ["South", "North"])
    'North'
    """
    folded = wanted.strip().casefold()
    for fits in (
        [name for name in names if name.casefold() == folded],
        [name for name in names if folded and name.casefold().startswith(folded)],
    ):
        if len(fits) == 1:
            return fits[0]
    from forthvm.core.text.wording import close_names  # only for usage errors

    near = close_names(wanted, names, cutoff=0.5)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise UsageError(f"no player {wanted!r}{hint} (players: {', '.join(names)})")


def _seat(player: Player, default: str) -> Seat:
    """Chance draws; an engine that the script names plays; else the default does.

    `$NegamaxMove` is what players get whose script names none.
    """
    named = player.engine not in ("", "$NegamaxMove")
    spec = CHANCE_ENGINE if player.chance else SCRIPT_ENGINE if named else default
    return Seat(player.name, spec, chance=player.chance)


def _make(spec: str, seed: int | None) -> Engine:
    shared_options.find_modules_here(spec)  # an engine next to the game is named by its module
    return engines.get(spec) if seed is None else get_seeded(spec, seed)

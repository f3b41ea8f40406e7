"""The seats of a game: human players, engines and chance.

Owns parsing `--engine` and `--side`, and calling the engine of a seat.  It must not print.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from forthvm import engines
from forthvm.cli.loading import add_current_folder_to_sys_path
from forthvm.cli.status import UsageError
from forthvm.core.errors import ForthVMError
from forthvm.engines.checked import prepare
from forthvm.engines.registry import get_with_default_seed, split_engine

if TYPE_CHECKING:
    from forthvm.engines import Engine, Limits, SearchResult
    from forthvm.game import Game, Player, Position

__all__ = ["DEFAULT_ENGINE", "Seat", "Seats", "choose_name", "choose_names", "level_specs"]

DEFAULT_ENGINE = "negamax"
DEFAULT_NODES = 1500
"""Positions per move if no limit is given: one or two seconds in the slowest bundled games."""
SCRIPT_ENGINE = "script"
CHANCE_ENGINE = "chance"


@dataclass
class Seat:
    """One player of the game."""

    player: str
    spec: str
    """The engine of the seat, used if the seat has no human player."""
    chance: bool = False

    def label(self) -> str:
        """The engine's displayed name."""
        return "chance" if self.chance else self.spec


class Seats:
    """All players of a game with their engines."""

    def __init__(
        self, game: Game, specs: Sequence[str], *, seed: int | None = None, limits: Limits
    ) -> None:
        """Parses the specifications and creates the engines, so that errors appear early.

        Args:
            game: the loaded game.
            specs: `SPEC` for all players, or `NAME=SPEC` for one player; the last one counts.
            seed: for engines that use random numbers and whose specification has no seed.
            limits: for all engines; they override the options of specifications.
        """
        self._limits = limits
        self._reported_faults: set[tuple[str, str]] = set()  # pairs of a player and a kind of fault
        self.persons: set[str] = set()  # the players for whom humans play
        default = f"{DEFAULT_ENGINE}:nodes={DEFAULT_NODES}" if limits.unlimited else DEFAULT_ENGINE
        self._seats = {player.name: _seat(player, default) for player in players_with_turns(game)}
        for spec in specs:
            self._set_engine(spec)
        # The seeds differ, since two random engines with one seed would draw the same numbers.
        self._seeds = {
            seat.player: None if seed is None else seed + at
            for at, seat in enumerate(self._seats.values())
        }
        self._engines = {
            seat.player: _make_engine(seat.spec, self._seeds[seat.player])
            for seat in self._seats.values()
        }

    def __getitem__(self, player: str) -> Seat:
        """The seat of a player.

        Raises:
            PositionError: the script gave the turn to a player that is not in the turn order.
        """
        if player not in self._seats:
            from forthvm.core.errors import PositionError

            raise PositionError(f"it is the turn of {player}, which is not in the turn order")
        return self._seats[player]

    @property
    def names(self) -> list[str]:
        """The players that choose moves; chance players do not."""
        return [seat.player for seat in self._seats.values() if not seat.chance]

    def is_person(self, player: str) -> bool:
        """Whether a human plays for a player."""
        return player in self.persons

    def seat_person(self, name: str) -> None:
        """Assigns a seat, or `all` seats, to humans; the name may be a prefix in any letter case.

        Raises:
            UsageError: no player has that name, or several have that prefix.
        """
        self.persons.update(choose_names([name], self.names))

    def prepare(self, position: Position) -> None:
        """Lets the engines that play get ready for a game that begins at a position."""
        for player, engine in self._engines.items():
            if player not in self.persons:
                prepare(engine, position)

    def play(self, position: Position, *, first_move_on_failure: bool = False) -> SearchResult:
        """Returns the result of the engine of the player to move.

        Args:
            position: The position.
            first_move_on_failure: If a script's engine fails, choose the first legal move.
        """
        seat = self[position.turn]
        choose = engines.choose_move_or_first if first_move_on_failure else engines.choose_move
        limits = None if self._limits.unlimited else self._limits
        try:
            return choose(self._engines[seat.player], position, limits)
        except ForthVMError as error:
            error.failed_engine = seat.label()
            raise

    def hint(self, position: Position) -> SearchResult:
        """Returns a search whose move is shown to a human.

        It is that of the seat's engine; at a level it is that of the default engine, since a level
        may play a random move.
        """
        if split_engine(self[position.turn].spec)[0] != "level":
            return self.play(position)
        engine = engines.get(f"{DEFAULT_ENGINE}:nodes={DEFAULT_NODES}")
        return engines.choose_move(engine, position)

    def play_with_new_engine(self, position: Position) -> SearchResult:
        """Returns the result of a newly created engine for the player to move."""
        seat = self[position.turn]
        limits = None if self._limits.unlimited else self._limits
        engine = _make_engine(seat.spec, self._seeds[seat.player])
        return engines.choose_move(engine, position, limits)

    def new_faults(self, result: SearchResult, position: Position) -> list[str]:
        """Returns the faults of a search, without kinds already returned for the player to move.

        A fault is a sentence about a mistake of a script's engine that the search has corrected.
        """
        listed = result.info.get("faults", ())
        faults = [] if not isinstance(listed, tuple) else [str(fault) for fault in listed]
        player, reported = position.turn, self._reported_faults
        new_faults = [fault for fault in faults if (player, _fault_kind(fault)) not in reported]
        reported.update((player, _fault_kind(fault)) for fault in new_faults)
        return new_faults

    def _set_engine(self, spec: str) -> None:
        """Sets the engine of one seat or of all seats that choose moves."""
        name, equals, engine = spec.partition("=")
        if not equals or ":" in name:  # in `negamax:depth=2` the `=` belongs to an option
            for seat in self._seats.values():
                if not seat.chance:
                    seat.spec = spec
            return
        if not engine:
            raise UsageError(f"--engine {spec}: expected NAME=ENGINE")
        self._seats[choose_name(name, list(self._seats))].spec = engine


def choose_names(requested: Iterable[str], names: Sequence[str]) -> list[str]:
    """Returns the players with some names or unique prefixes; `all` means all players.

    Raises:
        UsageError: no player has a name, or several have a prefix.
    """
    chosen = [
        list(names) if text.casefold() == "all" else [choose_name(text, names)]
        for text in requested
    ]
    return list(dict.fromkeys(chain(*chosen)))


def level_specs(game: Game, levels: Sequence[str]) -> list[str]:
    """Returns the engines of levels, as arguments of `Seats`.

    Args:
        game: the loaded game.
        levels: `N` for the level of all players, or `NAME=N` for one player.

    Raises:
        UsageError: a level is not a number, or the game does not have it.
    """
    from forthvm.engines.levels import level_of

    specs = []
    for text in levels:
        name, equals, number = text.rpartition("=")
        if not number.isdecimal():
            raise UsageError(f"--level {text}: expected a number, or NAME=NUMBER")
        try:
            level = level_of(game, int(number))
        except ForthVMError as error:
            raise UsageError(f"--level {text}: {error}") from error
        specs.append(f"{name}{equals}level:{level.number}")
    return specs


def _fault_kind(fault: str) -> str:
    """Returns a fault's text without quoted moves and numbers: equal for faults of one kind."""
    return re.sub(r"'[^']*'|\d+", "", fault)


def players_with_turns(game: Game) -> list[Player]:
    """Returns the players that have turns, in the order of their definition."""
    with_turns = {turn.player for turn in game.turn_order}
    return [player for player in game.player_details if player.name in with_turns]


def choose_name(requested: str, names: Sequence[str]) -> str:
    """Returns the player with a name or with a unique prefix, ignoring case.

    Raises:
        UsageError: no player matches, or several do.

    >>> choose_name("n", ["South", "North"])
    'North'
    """
    folded = requested.strip().casefold()
    for matches in (
        [name for name in names if name.casefold() == folded],
        [name for name in names if folded and name.casefold().startswith(folded)],
    ):
        if len(matches) == 1:
            return matches[0]
    from forthvm.core.text.wording import close_names  # only for usage errors

    similar = close_names(requested, names, cutoff=0.5)
    hint = f"; did you mean {similar[0]!r}?" if similar else ""
    raise UsageError(f"no player {requested!r}{hint} (players: {', '.join(names)})")


def _seat(player: Player, default: str) -> Seat:
    """Returns the seat with its engine: chance, the script's engine, or the default.

    The library sets `$NegamaxMove` for players for whom the script names no engine.
    """
    has_script_engine = player.engine not in ("", "$NegamaxMove")
    spec = CHANCE_ENGINE if player.chance else SCRIPT_ENGINE if has_script_engine else default
    return Seat(player.name, spec, chance=player.chance)


def _make_engine(spec: str, seed: int | None) -> Engine:
    add_current_folder_to_sys_path(spec)
    return engines.get(spec) if seed is None else get_with_default_seed(spec, seed)

"""Random games of Splut! that compare the script with the model.

Owns the games, in which the positions after all legal steps are compared, and the random start
positions.  It uses the names of the script's pieces and squares.

In Splut!, each team has a wizard, a troll and a dwarf.  A turn has up to three steps.  Trolls throw
stones, wizards levitate them, and dwarfs push pieces.  A stone that lands on a dwarf removes it (a
"splut").  A team whose wizard is removed is eliminated ("out").  The chance player "?Cleaner" moves
after each round; its move resets the locks, which restrict levitation.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from typing import get_args, get_type_hints

import forthvm
from tests.models import splut as model
from tests.models.splut import CLEANER, STONES, Options, State

__all__ = [
    "GAMES",
    "THREE_TEAMS",
    "Board",
    "RandomGames",
    "random_options",
    "random_state",
    "settings",
    "slot_of",
]

THREE_TEAMS = ("South", "West", "North")
GAMES = {"splut": model.SPLUT, "splut-three": THREE_TEAMS, "splut-duel": model.DUEL}


def settings(options: Options) -> dict[str, str | int]:
    """Return the script's settings for these options."""
    return {
        "lock": options.lock,
        "home-locks": "on" if options.home_locks else "off",
        "dead-teams": options.dead_teams,
        "after-throw": options.after_throw,
        "win-test": options.win_test,
        "max-turns": options.max_turns,
    }


def slot_of(team: str, teams: tuple[str, ...], options: Options) -> int:
    """Return the model's slot at which a team's second turn begins."""
    first = sum(min(count, 3) for count in range(1, len(teams) + 1))
    return first + (options.lock == "round") + 3 * teams.index(team)


@cache
def _load(name: str, options: Options, throw: str) -> forthvm.Game:
    return forthvm.load(name, settings={**settings(options), "throw": throw})


class Board:
    """A loaded game, with its positions translated to the model's boards."""

    def __init__(self, name: str, options: Options, throw: str = "whole") -> None:
        self.game = _load(name, options, throw)
        self.teams = GAMES[name]
        self.squares = [self.game._loaded.position_index[square] for square in model.NAMES]
        self.piece_names: dict[int, str] = {0: ""}

    def _piece_name(self, cell: int) -> str:
        name = self.piece_names.get(cell)
        if name is None:
            piece = self.game._loaded.roster.piece(cell)
            assert piece
            name = piece.type if piece.type in STONES else f"{piece.player} {piece.type}"
            self.piece_names[cell] = name
        return name

    def view(self, position: forthvm.Position) -> tuple[str, ...]:
        """Return the pieces on the 41 squares."""
        cells = position.cells
        return tuple(self._piece_name(cells[at]) for at in self.squares)

    def start(self, state: State) -> forthvm.Position:
        """Start the game with a state's pieces, before the first step of its team's turn."""
        pieces = [(CLEANER, "broom", "shed")]
        for square, piece in state.squares().items():
            team, _, kind = piece.partition(" ")
            pieces.append((team, kind, square) if kind else ("Nobody", piece, square))
        return self.game.start(setup=pieces, turn=state.team)


def steps(position: forthvm.Position, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Make each complete step on the position, and yield the indexes of its moves."""
    for number, move in enumerate(list(position.legal_moves)):
        position.push(move)
        if position.is_partial:
            yield from steps(position, (*path, number))
        else:
            yield (*path, number)
        position.pop()


@dataclass
class RandomGames:
    """Random games compared at every step; `greed` is the probability of preferring removals."""

    board: Board
    chooser: random.Random
    greed: float = 0.4
    positions: int = 0
    game_count: int = 0
    events: Counter[str] = field(default_factory=Counter)

    @staticmethod
    def check_end(position: forthvm.Position, state: State) -> bool:
        """Return whether the game is over; check that script and model agree on the result."""
        won, result = model.winner(state), position.result
        assert (result is None) == (won is None), (result, state)
        if result is None:
            assert position.turn == state.team
        else:
            assert result.winners == ((won,) if won else ())
            assert result.draw == (won == "")
        return result is not None

    def compare(
        self, position: forthvm.Position, state: State
    ) -> list[tuple[tuple[int, ...], State]]:
        """Compare all steps; return the moves of each step and the model's state after it."""
        assert self.board.view(position) == state.board
        expected: dict[Hashable, State] = {after.board: after for after in model.successors(state)}
        assert len(expected) == len(model.successors(state))
        found, wrong = [], []
        forced = position.is_stuck
        if forced:
            position.push_pass()
        for path in [()] if forced else steps(position):
            after = expected.get(self.board.view(position))
            if after is None:
                wrong.append(f"only the script: {self.board.view(position)}")
                continue
            found.append((path, after))
            if after.alive() != state.alive() or after.options.max_turns:
                self.check_end(position, after)
            elif position.turn != after.team:
                wrong.append(f"{position.turn} to move, {after.team} in the model, {after}")
        if forced:
            position.pop()
        counts = Counter(id(after) for _, after in found)
        wrong += [f"twice in the script: {after}" for _, after in found if counts[id(after)] > 1]
        missing = [after for after in expected.values() if id(after) not in counts]
        wrong += [f"only the model: {after}" for after in missing]
        assert not wrong, (wrong, state)
        return found

    def choose(
        self, state: State, found: list[tuple[tuple[int, ...], State]]
    ) -> tuple[tuple[int, ...], State]:
        """Choose a step: a random one, or by `greed` one with most removals or a levitation."""
        if self.chooser.random() >= self.greed:
            return self.chooser.choice(found)
        best = max(after.board.count("") for _, after in found)
        if best == state.board.count("") and self.chooser.random() < 1 / 2:
            levitations = [pair for pair in found if any(pair[1].levitated_by)]
            return self.chooser.choice(levitations or found)
        return self.chooser.choice([pair for pair in found if pair[1].board.count("") == best])

    def count_events(self, before: State, after: State) -> None:
        """Count the events of a step."""
        self.events["out"] += len(before.alive()) - len(after.alive())
        dwarfs = [sum(" dwarf" in piece for piece in state.board) for state in (before, after)]
        self.events["splut"] += before.alive() == after.alive() and dwarfs[0] > dwarfs[1]
        self.events["own wizard"] += (
            before.team in before.alive() and before.team not in after.alive()
        )
        self.events["cleaned"] += before.team == CLEANER
        self.events["levitated"] += (
            any(after.levitated_by) and after.levitated_by != before.levitated_by
        )
        won = model.winner(after)
        self.events["won"] += bool(won)
        self.events["drawn"] += won == ""

    def play_game(self, state: State, position: forthvm.Position, limit: int) -> None:
        """Play one game to its end, or until `limit` positions were compared."""
        self.game_count += 1
        end = self.positions + limit
        while not self.check_end(position, state) and self.positions < end:
            found = self.compare(position, state)
            self.positions += 1
            path, after = self.choose(state, found)
            if not path:
                position.push_pass()
            for number in path:
                position.push(position.legal_moves[number])
            self.count_events(state, after)
            state = after

    def from_start(self, options: Options, positions: int, limit: int = 150) -> None:
        """Play games from the start until `positions` positions were compared."""
        while self.positions < positions:
            state = model.start(self.board.teams, options)
            self.play_game(state, self.board.game.start(), limit)

    def from_random_positions(self, options: Options, positions: int, limit: int = 100) -> None:
        """Play games from random positions until `positions` positions were compared."""
        while self.positions < positions:
            state = random_state(self.board.teams, options, self.chooser)
            self.play_game(state, self.board.start(state), limit)


def random_options(chooser: random.Random) -> Options:
    """Return a random combination of the options in section 10 of the rules page."""
    hints = get_type_hints(Options)
    values = {
        option.name: chooser.choice(get_args(hints[option.name]) or (True, False))
        for option in fields(Options)
        if option.name not in ("max_turns", "late_cleaning")
    }
    return Options(**values, max_turns=chooser.choice((0, 0, 3, 8, 20)))


def random_state(teams: tuple[str, ...], options: Options, chooser: random.Random) -> State:
    """Return a position with random squares; some teams have no dwarf or are eliminated."""
    squares = chooser.sample(model.NAMES, len(model.NAMES))
    pieces = {squares.pop(): stone for stone in STONES}
    alive = chooser.sample(teams, chooser.randint(2, len(teams)))
    for team in alive:
        kinds = ("wizard", "troll", "dwarf") if chooser.random() < 0.8 else ("wizard", "troll")
        pieces |= {squares.pop(): f"{team} {kind}" for kind in kinds}
    slot = slot_of(chooser.choice(alive), teams, options)
    return model.position(pieces, teams=teams, preset=options, slot=slot)

"""Random games of Splut! that the script and the model walk through together.

Owns the walk, in which everything that a step leads to is compared, and the random positions
that games may begin with.  The script is known by its names only; it is not looked at.
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
    "THREE",
    "Board",
    "Walk",
    "random_options",
    "random_state",
    "settings",
    "slot_of",
]

THREE = ("South", "West", "North")
GAMES = {"splut": model.SPLUT, "splut-three": THREE, "splut-duel": model.DUEL}


def settings(options: Options) -> dict[str, str | int]:
    """The script's settings for these options."""
    return {
        "lock": options.lock,
        "home-locks": "on" if options.home_locks else "off",
        "dead-teams": options.dead_teams,
        "after-throw": options.after_throw,
        "win-test": options.win_test,
        "max-turns": options.max_turns,
    }


def slot_of(team: str, teams: tuple[str, ...], options: Options) -> int:
    """The slot with which a team's second turn begins, as the model counts them."""
    first = sum(min(count, 3) for count in range(1, len(teams) + 1))
    return first + (options.lock == "round") + 3 * teams.index(team)


@cache
def _load(name: str, options: Options, throw: str) -> forthvm.Game:
    return forthvm.load(name, settings={**settings(options), "throw": throw})


class Board:
    """One loaded game, seen as the model sees it."""

    def __init__(self, name: str, options: Options, throw: str = "whole") -> None:
        """The game with these settings."""
        self.game = _load(name, options, throw)
        self.teams = GAMES[name]
        self.squares = [self.game.position_index[square] for square in model.NAMES]
        self.looks: dict[int, str] = {0: ""}

    def _look(self, cell: int) -> str:
        found = self.looks.get(cell)
        if found is None:
            piece = self.game.roster.piece(cell)
            assert piece
            found = piece.type if piece.type in STONES else f"{piece.player} {piece.type}"
            self.looks[cell] = found
        return found

    def view(self, position: forthvm.Position) -> tuple[str, ...]:
        """What stands on the 41 squares."""
        cells = position.cells
        return tuple(self._look(cells[at]) for at in self.squares)

    def begin(self, state: State) -> forthvm.Position:
        """A position with a state's pieces, its team to make the first step of a turn."""
        pieces = [(CLEANER, "broom", "shed")]
        for square, piece in state.squares().items():
            team, _, kind = piece.partition(" ")
            pieces.append((team, kind, square) if kind else ("Nobody", piece, square))
        return self.game.start(setup=pieces, turn=state.team)


def steps(position: forthvm.Position, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """All complete steps as numbers of moves; the position is after each one meanwhile."""
    for number, move in enumerate(list(position.legal_moves)):
        position.push(move)
        if position.is_partial:
            yield from steps(position, (*path, number))
        else:
            yield (*path, number)
        position.pop()


@dataclass
class Walk:
    """Random games, compared at every step; `greed` is how often a removal is preferred."""

    board: Board
    chooser: random.Random
    greed: float = 0.4
    positions: int = 0
    games: int = 0
    met: Counter[str] = field(default_factory=Counter)

    @staticmethod
    def check_end(position: forthvm.Position, state: State) -> bool:
        """Whether the game is over, for both alike."""
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
        """All steps, each with the model's state after it."""
        assert self.board.view(position) == state.board
        after: dict[Hashable, State] = {one.board: one for one in model.successors(state)}
        assert len(after) == len(model.successors(state))
        found, wrong = [], []
        forced = position.is_stuck
        if forced:
            position.push_pass()
        for path in [()] if forced else steps(position):
            one = after.get(self.board.view(position))
            if one is None:
                wrong.append(f"only the script: {self.board.view(position)}")
                continue
            found.append((path, one))
            if one.alive() != state.alive() or one.options.max_turns:
                self.check_end(position, one)
            elif position.turn != one.team:
                wrong.append(f"{position.turn} to move, {one.team} in the model, {one}")
        if forced:
            position.pop()
        times = Counter(id(one) for _, one in found)
        wrong += [f"twice in the script: {one}" for _, one in found if times[id(one)] > 1]
        wrong += [f"only the model: {one}" for one in after.values() if id(one) not in times]
        assert not wrong, (wrong, state)
        return found

    def choose(
        self, state: State, found: list[tuple[tuple[int, ...], State]]
    ) -> tuple[tuple[int, ...], State]:
        """Any step; by greed one that removes most, or else a troll to a stone, or a flight."""
        if self.chooser.random() >= self.greed:
            return self.chooser.choice(found)
        best = max(one.board.count("") for _, one in found)
        if best == state.board.count("") and self.chooser.random() < 1 / 2:
            flights = [pair for pair in found if any(pair[1].flown)]
            return self.chooser.choice(flights or found)
        return self.chooser.choice([pair for pair in found if pair[1].board.count("") == best])

    def note(self, before: State, after: State) -> None:
        """Counts what is worth having been met."""
        self.met["out"] += len(before.alive()) - len(after.alive())
        dwarfs = [sum(" dwarf" in one for one in state.board) for state in (before, after)]
        self.met["splut"] += before.alive() == after.alive() and dwarfs[0] > dwarfs[1]
        self.met["own wizard"] += before.team in before.alive() and before.team not in after.alive()
        self.met["cleaned"] += before.team == CLEANER
        self.met["flown"] += any(after.flown) and after.flown != before.flown
        won = model.winner(after)
        self.met["won"] += bool(won)
        self.met["drawn"] += won == ""

    def game(self, state: State, position: forthvm.Position, limit: int) -> None:
        """One game to its end or that far."""
        self.games += 1
        end = self.positions + limit
        while not self.check_end(position, state) and self.positions < end:
            found = self.compare(position, state)
            self.positions += 1
            path, after = self.choose(state, found)
            if not path:
                position.push_pass()
            for number in path:
                position.push(position.legal_moves[number])
            self.note(state, after)
            state = after

    def from_start(self, options: Options, positions: int, limit: int = 150) -> None:
        """Games from the start until that many positions were compared."""
        while self.positions < positions:
            state = model.start(self.board.teams, options)
            self.game(state, self.board.game.start(), limit)

    def anywhere(self, options: Options, positions: int, limit: int = 100) -> None:
        """Games from random positions."""
        while self.positions < positions:
            state = random_state(self.board.teams, options, self.chooser)
            self.game(state, self.board.begin(state), limit)


def random_options(chooser: random.Random) -> Options:
    """Any combination of the values of section 10."""
    hints = get_type_hints(Options)
    values = {
        one.name: chooser.choice(get_args(hints[one.name]) or (True, False))
        for one in fields(Options)
        if one.name not in ("max_turns", "late_cleaning")
    }
    return Options(**values, max_turns=chooser.choice((0, 0, 3, 8, 20)))


def random_state(teams: tuple[str, ...], options: Options, chooser: random.Random) -> State:
    """A position with the pieces anywhere; some teams have lost their dwarf, some are out."""
    squares = chooser.sample(model.NAMES, len(model.NAMES))
    pieces = {squares.pop(): stone for stone in STONES}
    alive = chooser.sample(teams, chooser.randint(2, len(teams)))
    for team in alive:
        kinds = ("wizard", "troll", "dwarf") if chooser.random() < 0.8 else ("wizard", "troll")
        pieces |= {squares.pop(): f"{team} {kind}" for kind in kinds}
    slot = slot_of(chooser.choice(alive), teams, options)
    return model.position(pieces, teams=teams, preset=options, slot=slot)

"""The graph of all positions of a small game.

Owns the conditions under which a graph can be built.  solving.py computes the values of positions.

Two positions are equal if the rules can read no difference: if they have equal keys for the rules
(game/memory/sameness.py).  OnForget is not run for this, because it may clear a record of earlier
positions on which results depend.  The random streams must be those of the root in all positions.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.game import Position
from forthvm.game.memory.randomness import streams_of
from forthvm.game.memory.sameness import WORD, key_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.game import Outcome
    from forthvm.game.states import State

__all__ = ["CHANCE", "Graph", "Unsolvable", "explore"]

CHANCE = -1
"""The seat of the player to move at a chance node: a chance player, or one who cannot win."""

_UNSOLVABLE_WORDS = (
    (b"repetition-", "its rules depend on earlier positions"),
    (b"system-time", "its rules depend on the clock"),
)
"""Words of scripts that make moves or results depend on more than the position, with the message
for each word."""
_LIBRARY_ENGINES = frozenset({"", "$NegamaxMove", "$RandomMoveEngine"})
"""Engines of chance players that choose moves with the probabilities in `Position.chances`."""


class Unsolvable(ForthVMError):  # noqa: N818 - an expected result, not a failure
    """The graph of positions of this game cannot be built; the message states the reason."""


@dataclass(frozen=True, kw_only=True)
class Graph:
    """All positions that can be reached from a root, by number; the root is 0.

    Attributes:
        seats: Players who can win, in the order of their first turns.
        turns: For each position the index in `seats` of the player to move, or `CHANCE`.
        moves: For each position the positions after its legal moves, in the order of the list.
            The list has one entry for a forced pass, and is empty if the game is over.
        keys: The key of each position for the rules, after OnForget; positions that differ only in
            what OnForget clears share it.
        stuck: Positions in which the player to move has no legal move and passes.
        scores: For each position in which the game is over, the score of each seat.
        probabilities: For each chance node with unequal probabilities, those of its moves.
    """

    seats: tuple[str, ...]
    turns: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    keys: tuple[int, ...]
    stuck: frozenset[int]
    scores: Mapping[int, tuple[float, ...]]
    probabilities: Mapping[int, tuple[float, ...]]

    @property
    def has_chance_nodes(self) -> bool:
        """Whether some position has several chance outcomes."""
        return any(
            turn == CHANCE and len(moves) > 1
            for turn, moves in zip(self.turns, self.moves, strict=True)
        )


def explore(position: Position, *, max_positions: int, seconds: float | None = None) -> Graph:
    """Build the graph of all positions that can be reached from a position.

    Args:
        position: The root; it is not changed.
        max_positions: The limit on the number of positions.
        seconds: The time limit; None for no limit.

    Raises:
        Unsolvable: A limit was reached, or the rules depend on more than a position's memory.
        ForthVMError: The script fails.
    """
    return _Explorer(position, max_positions, seconds).explore()


class _Explorer:
    def __init__(self, position: Position, max_positions: int, seconds: float | None) -> None:
        game = position.game
        self._game = game
        self._states = game._loaded.states
        self._max_positions = max_positions
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._root = position._state
        texts = [text.lower() for _, text in game._loaded.vm.texts]
        for word, reason in _UNSOLVABLE_WORDS:
            if any(word in text for text in texts):
                raise Unsolvable(reason)
        self._random_streams = streams_of(game._loaded).read(self._root.current)
        order = dict.fromkeys(turn.player for turn in game.turn_order)
        self._seats = tuple(name for name in order if name in game.contestants)
        self._number_by_key: dict[int, int] = {}
        self._keys: list[int] = []
        self._forgets = game._loaded.vm.find(WORD) is not None
        self._turns: list[int] = []
        self._moves: list[tuple[int, ...]] = []
        self._stuck: set[int] = set()
        self._scores: dict[int, tuple[float, ...]] = {}
        self._probabilities: dict[int, tuple[float, ...]] = {}
        self._unexpanded: list[tuple[int, State]] = []

    def explore(self) -> Graph:
        with self._states.lock:
            self._number_of(self._root)
            while self._unexpanded:
                self._expand(*self._unexpanded.pop())
        return Graph(
            seats=self._seats,
            turns=tuple(self._turns),
            moves=tuple(self._moves),
            keys=tuple(self._keys),
            stuck=frozenset(self._stuck),
            scores=self._scores,
            probabilities=self._probabilities,
        )

    def _expand(self, number: int, state: State) -> None:
        """Add the positions after all moves of a position, or its scores if the game is over."""
        states = self._states
        position = Position(self._game, state)
        outcome = position.result
        if outcome is not None:
            self._scores[number] = self._seat_scores(outcome)
            return
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise Unsolvable(f"there was no time for more than {len(self._turns):,} positions")
        count = len(states.moves_of(state))
        if not count:
            self._stuck.add(number)
            self._moves[number] = (self._number_of(states.end_turn(state)),)
            return
        states.store_list(state)
        if self._turns[number] == CHANCE:
            self._add_probabilities(number, position)
        self._moves[number] = tuple(self._number_of(self._make(state, at)) for at in range(count))

    def _make(self, state: State, index: int) -> State:
        """Return the saved state after a move."""
        after = self._states.make(state, index)
        self._states.save(after)
        return after

    def _number_of(self, state: State) -> int:
        """Return the number of a position; add a new position to the graph."""
        key = key_of(self._game._loaded, state, rules_only=True, forget=False)
        number = self._number_by_key.get(key)
        if number is not None:
            return number
        number = len(self._turns)
        if number == self._max_positions:
            raise Unsolvable(f"it has more than {self._max_positions:,} positions")
        if streams_of(self._game._loaded).read(state.current) != self._random_streams:
            raise Unsolvable("its rules draw random numbers")
        turn = Position(self._game, state).turn
        self._number_by_key[key] = number
        if self._forgets:
            key = key_of(self._game._loaded, state, rules_only=True)
        self._keys.append(key)
        self._turns.append(self._seats.index(turn) if turn in self._seats else CHANCE)
        self._moves.append(())
        self._unexpanded.append((number, state))
        return number

    def _add_probabilities(self, number: int, position: Position) -> None:
        player = self._game.player_details[position.player_index]
        if player.engine not in _LIBRARY_ENGINES:
            raise Unsolvable(f"a word of the script chooses the moves of {player.name}")
        probabilities = tuple(probability for _, probability in position.chances)
        if max(probabilities) != min(probabilities):
            self._probabilities[number] = probabilities

    def _seat_scores(self, outcome: Outcome) -> tuple[float, ...]:
        """Return the score of each seat: the winners, or all seats in a draw, share one point."""
        winners = [name for name in self._seats if name in outcome.winners] or self._seats
        return tuple(1 / len(winners) if name in winners else 0.0 for name in self._seats)

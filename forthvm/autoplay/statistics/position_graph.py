"""All positions that a game can come to, where they are few.

Owns what makes two positions the same, and when a game cannot be laid out so.  It must not
know what positions are worth (solving.py).

Two positions are the same if the script's memory is, boards included, and whose turn it is, of
how many in a row, and inside which move.  The number of the turn counts where the script looks
at it; texts of moves, and what the library keeps of the last one, do not, as for the searches
(native/search/search_stack.c).
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

from forthvm.core.bindings import page_size
from forthvm.core.bindings.layout import CELL
from forthvm.core.errors import ForthVMError
from forthvm.core.value import Value
from forthvm.game import Position

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.game import Outcome
    from forthvm.game.states import State

__all__ = ["LOT", "Graph", "Unsolvable", "explore"]

LOT = -1
"""Instead of a seat: dice, or a player who cannot win, move by lot."""

_KEY_BYTES = 16
_NOT_LAID_OUT = (
    (b"repetition-", "its rules look back at earlier positions"),
    (b"system-time", "its rules look at the clock"),
)
"""Words after which memory alone does not say what may follow."""
_NO_ENGINE = frozenset({"", "$NegamaxMove", "$RandomMoveEngine"})


class Unsolvable(ForthVMError):  # noqa: N818 - an answer, no failure
    """The positions of this game cannot be laid out; the message says why."""


class Graph(Value, kw_only=True):
    """All positions that can follow from one, by number; that one is 0.

    Attributes:
        seats: Players who can win, in the order of their first turns.
        turns: Of each position the place of the player to move in `seats`, or `LOT`.
        moves: Of each position those that its legal moves lead to, in the list's order; one
            where the host passes for a player without moves; none where it is decided.
        stuck: Positions in which the host passes.
        scores: Of each decided position the score of each seat.
        shares: Where a lot does not draw all moves alike, how likely each is.
    """

    seats: tuple[str, ...]
    turns: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    stuck: frozenset[int]
    scores: Mapping[int, tuple[float, ...]]
    shares: Mapping[int, tuple[float, ...]]

    @property
    def has_lots(self) -> bool:
        """Somewhere a move is drawn by lot."""
        return any(
            turn == LOT and len(moves) > 1
            for turn, moves in zip(self.turns, self.moves, strict=True)
        )


def explore(position: Position, *, most: int, seconds: float | None = None) -> Graph:
    """All positions that can follow from one.

    Args:
        position: Where to begin; it stays as it is.
        most: Positions after which it is given up.
        seconds: Time after which it is given up; None: never.

    Raises:
        Unsolvable: there are more, or the game is not decided by what is on the board.
        ForthVMError: the script fails.
    """
    return _Explorer(position, most, seconds).explored()


class _Explorer:
    def __init__(self, position: Position, most: int, seconds: float | None) -> None:
        game = position.game
        self._game = game
        self._states = game.states
        self._most = most
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._root = position.state
        texts = [text.lower() for _, text in game.vm.texts]
        for word, why in _NOT_LAID_OUT:
            if any(word in text for text in texts):
                raise Unsolvable(why)
        variables = game.tables.variables
        self._cells = [
            variables.player_offset,
            variables.turn_offset,
            variables.partial,
            variables.of_type,
        ]
        if game.counts_turns:
            self._cells.append(variables.turn_number)
        with self._states.borrowed(self._root, listed=False) as native:
            here = native.here()
        size = page_size()
        self._pages = range(game.library_end // size, -(-here // size))
        self._end = here
        self._size = size
        self._streams = game.random.read(self._root.current)
        order = dict.fromkeys(turn.player for turn in game.turn_order)
        self._seats = tuple(name for name in order if name in game.contestants)
        self._numbers: dict[bytes, int] = {}
        self._turns: list[int] = []
        self._moves: list[tuple[int, ...]] = []
        self._stuck: set[int] = set()
        self._scores: dict[int, tuple[float, ...]] = {}
        self._shares: dict[int, tuple[float, ...]] = {}
        self._waiting: list[tuple[int, State]] = []

    def explored(self) -> Graph:
        with self._states.lock:
            self._number(self._root)
            while self._waiting:
                self._expand(*self._waiting.pop())
        return Graph(
            seats=self._seats,
            turns=tuple(self._turns),
            moves=tuple(self._moves),
            stuck=frozenset(self._stuck),
            scores=self._scores,
            shares=self._shares,
        )

    def _expand(self, number: int, state: State) -> None:
        """Makes all moves of a position."""
        states = self._states
        position = Position(self._game, state)
        outcome = position.result
        if outcome is not None:
            self._scores[number] = self._shared(outcome)
            return
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise Unsolvable(f"there was no time for more than {len(self._turns):,} positions")
        count = len(states.moves_of(state))
        if not count:
            self._stuck.add(number)
            self._moves[number] = (self._number(states.end_turn(state)),)
            return
        states.keep(state)
        if self._turns[number] == LOT:
            self._note_shares(number, position)
        self._moves[number] = tuple(self._number(self._made(state, at)) for at in range(count))

    def _made(self, state: State, index: int) -> State:
        """The position after a move, to be kept."""
        made = self._states.make(state, index)
        self._states.save(made)
        return made

    def _number(self, state: State) -> int:
        """The number of a position, which is new or was met before."""
        key = self._key(state)
        number = self._numbers.get(key)
        if number is not None:
            return number
        number = len(self._turns)
        if number == self._most:
            raise Unsolvable(f"it has more than {self._most:,} positions")
        if self._game.random.read(state.current) != self._streams:
            raise Unsolvable("its rules draw random numbers")
        turn = Position(self._game, state).turn
        self._numbers[key] = number
        self._turns.append(self._seats.index(turn) if turn in self._seats else LOT)
        self._moves.append(())
        self._waiting.append((number, state))
        return number

    def _key(self, state: State) -> bytes:
        """What all positions that are the same have in common."""
        memory, root, size = state.current, self._root.current, self._size
        digest = hashlib.blake2b(bytes([min(state.skipped, 255)]), digest_size=_KEY_BYTES)
        for address in self._cells:
            digest.update(memory.read(address, CELL))
        for page in self._pages:
            # Pages as they were in the beginning add nothing, so equal memory gives equal keys.
            if not memory.page_same(root, page):
                start = page * size
                digest.update(page.to_bytes(4, "little"))
                digest.update(memory.read(start, min(size, self._end - start)))
        return digest.digest()

    def _note_shares(self, number: int, position: Position) -> None:
        player = self._game.player_details[position.player_index]
        if player.engine not in _NO_ENGINE:
            raise Unsolvable(f"a word of the script moves for {player.name}")
        shares = tuple(share for _, share in position.chances)
        if max(shares) != min(shares):
            self._shares[number] = shares

    def _shared(self, outcome: Outcome) -> tuple[float, ...]:
        """Winners share the point; nobody: all do."""
        who = [name for name in self._seats if name in outcome.winners] or self._seats
        return tuple(1 / len(who) if name in who else 0.0 for name in self._seats)

"""Finds the actions of a game in random games.

Owns the random games, and the decision which descriptions of moves are copied to other squares.  It
must not know numbers of actions.

A description that few games show suggests that there are similar ones that no game has shown.  If a
shape has such a description, all its copies on the grid become actions, too: in chess those of
promotions and long moves, for example.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

from forthvm.core.bindings import Detail
from forthvm.core.errors import ActionError

from .descriptions import shape_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.game.game import Game
    from forthvm.game.position import Position
    from forthvm.game.state import State

    from .descriptions import Shape

__all__ = ["MORE_DETAIL", "CollisionError", "Explorer", "records_of"]

_ENOUGH_GAMES = 3
"""A shape is not copied if each of its descriptions occurred in so many games."""


MORE_DETAIL = (
    "game.actions.renumber(detail=…) makes new numbers with more detail, which a network with the "
    "old numbers cannot use"
)


class CollisionError(ActionError):
    """Different moves of one position have equal descriptions."""


def records_of(game: Game, state: State, detail: Detail) -> list[bytes]:
    """Return the description of each legal move of a state.

    Raises:
        CollisionError: Different moves have equal descriptions.
        ActionError: A move makes too many changes.
    """
    states = game.states
    with states.lock:
        states.restore_listed(state)
        records = states.native.list_actions(detail)
        if records is None:
            raise ActionError("a move makes too many changes to be an action")
        if len(set(records)) < len(records):
            _check_equal(game, state, records, detail)
        return records


def _check_equal(game: Game, state: State, records: Sequence[bytes], detail: Detail) -> None:
    """Raise CollisionError if moves with equal descriptions are not equal."""
    native = game.states.native
    complete = native.list_actions(Detail.WORDS) or []
    first: dict[bytes, int] = {}
    addresses = game.states.moves_of(state)
    for at, record in enumerate(records):
        other = first.setdefault(record, at)
        if other == at:
            continue
        codes = [native.read(*native.move_code(addresses[move])) for move in (at, other)]
        if complete[at] != complete[other] or codes[0] != codes[1]:
            texts = game.states.texts(state)
            raise CollisionError(
                f"the detail {detail.name.lower()!r} does not tell the moves {texts[other]!r} and "
                f"{texts[at]!r} apart; {MORE_DETAIL}"
            )


class Explorer:
    """Collects the descriptions of moves in random games."""

    def __init__(
        self, game: Game, detail: Detail, *, patience: int, limit: int, complete: bool
    ) -> None:
        """Begin without descriptions.

        Args:
            game: The game.
            detail: The detail of the descriptions.
            patience: The number of successive games without new shapes that ends the exploration.
            limit: The maximum number of actions.
            complete: Whether shapes are copied to other squares.
        """
        self._game = game
        self._detail = detail
        self._patience = patience
        self._limit = limit
        self._complete = complete
        self._games: Counter[bytes] = Counter()  # number of games with the description
        self._shapes: dict[bytes, Shape] = {}
        self._known_shapes: set[Shape] = set()

    def play(self, games: int, plies: int, seed: int, starts: Sequence[Position]) -> None:
        """Play random games.

        Raises:
            CollisionError: The detail does not tell the moves of a position apart.
            ActionError: There are too many descriptions.
            ValueError: A number is not positive, or a start belongs to another game.
        """
        if min(games, plies) < 1:
            raise ValueError(f"games and plies must be positive, not {games} and {plies}")
        if any(start.game is not self._game for start in starts):
            raise ValueError(f"a start is a position of another game than {self._game.name}")
        chooser = random.Random(seed)
        without_new = 0
        for number in range(games):
            position = starts[number % len(starts)].copy() if starts else self._game.start()
            # `random` returns the same numbers in all versions of Python, other methods may not.
            position.seed(int(chooser.random() * 2**31))
            is_new = self._add(self._play_game(position, plies, chooser))
            without_new = 0 if is_new else without_new + 1
            if without_new >= max(self._patience, len(starts)):
                break

    def found(self) -> set[bytes]:
        """Return the descriptions of all actions.

        Raises:
            ActionError: There are too many.
        """
        found = set(self._games)
        if self._complete:
            rare = {
                self._shapes[record]
                for record, games in self._games.items()
                if games < _ENOUGH_GAMES
            }
            for shape in sorted(rare, key=lambda shape: shape.cells):
                found.update(shape.records(self._game.grid))
                self._check_limit(len(found))
        return found

    def _play_game(self, position: Position, plies: int, chooser: random.Random) -> set[bytes]:
        """Play a random game and return the descriptions of all its legal moves."""
        seen: set[bytes] = set()
        for _ in range(plies):
            if position.result is not None:
                break
            if position.is_stuck:
                position.push_pass()
                continue
            moves = position.legal_moves
            seen.update(records_of(self._game, position.state, self._detail))
            position.push(moves[int(chooser.random() * len(moves))])
        return seen

    def _add(self, seen: Iterable[bytes]) -> bool:
        """Count the descriptions in a game; return whether one has a new shape."""
        self._games.update(seen)
        self._check_limit(len(self._games))
        known = len(self._known_shapes)
        for record in seen:
            if record not in self._shapes:
                shape = shape_of(record, self._detail, self._game.grid)
                self._shapes[record] = shape
                self._known_shapes.add(shape)
        return len(self._known_shapes) > known

    def _check_limit(self, count: int) -> None:
        if count > self._limit:
            raise ActionError(
                f"{self._game.name} has more than {self._limit} actions; renumber(limit=…) permits "
                "more, and renumber(complete=False) numbers only the moves of explored positions"
            )

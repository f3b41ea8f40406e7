"""Observers: write observations of positions into arrays.

Owns the accepted arrays, and the choice of the observing player.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from forthvm.core.arguments import read_arguments
from forthvm.core.bindings import ObservationPlan
from forthvm.core.reading import flag, integer, one_of, optional, satisfying, text
from forthvm.core.shared import Shared
from forthvm.game.ending import viewer_of
from forthvm.game.loading import opened
from forthvm.game.position import check_position
from forthvm.game.shown import shown_of_game
from forthvm.game.tables import read_cell

from .information import information_state
from .planes import ABSOLUTE, MOVER, PlaneMaker
from .ranges import measured
from .spec import ObservationSpec
from .variables import board_bytes, numbers_of

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from numpy.typing import DTypeLike
    from typing_extensions import Buffer

    from forthvm.game import Game, Position
    from forthvm.game.states import State

__all__ = ["Observer", "observer"]

MAX_HISTORY = 1024
_ARGUMENTS = {
    "history": integer(1, MAX_HISTORY),
    "view": one_of(MOVER, ABSOLUTE),
    "player": optional(text()),
    "internal": optional(flag),
    "spec": optional(
        satisfying(lambda value: isinstance(value, ObservationSpec), "the spec of an observer")
    ),
}
_FLOAT32: Final = "f"
_UINT8: Final = "B"


def observer(  # noqa: PLR0913 - options by name
    game: Game | str | os.PathLike[str],
    *,
    history: int = 1,
    view: str = MOVER,
    player: str | None = None,
    internal: bool | None = None,
    spec: ObservationSpec | None = None,
) -> Observer:
    """Return an observer of a game's positions.

    Without a spec, random games with a fixed seed are played, to measure the ranges of numbers.

    Args:
        game: The game, or its name or path.
        history: The number of positions that an observation shows: the position itself, and those
            before its last plies.
        view: `mover`: the board as the observing player sees it, with its own pieces first, turned
            by the symmetries that the script declares; `absolute`: the same for all players.
        player: The player who observes; None: the player to move.
        internal: Whether to show what players do not see on the board: marks on positions after
            `{dummy-positions}`, attributes of pieces, and variables.  None: unless the script hides
            pieces from players.
        spec: The spec of an earlier observer, whose planes and ranges are used, also for `history`,
            `view` and `internal`, which must not be given.

    Raises:
        TypeError, ValueError: An argument has another type or value, there is no such player, or
            the spec does not fit the game or the other arguments.
        ForthVMError: The script fails.
    """
    read_arguments("observer", _ARGUMENTS, locals())
    game = opened(game, "observer")
    if spec is not None:
        if (history, view, internal) != (1, MOVER, None):
            raise ValueError("give either a spec, or history, view and internal")
        history, view, internal = spec.history, spec.view, spec.internal
    ranges = spec.ranges if spec is not None else measured(game)
    if [offset for offset, *_ in ranges.variables] != [offset for offset, _ in numbers_of(game)]:
        raise ValueError(f"the spec of {spec and spec.game} does not fit {game.name}")
    maker = PlaneMaker(game.start(), view=view, history=history, internal=internal, ranges=ranges)
    made = Observer(game, maker, player)
    if spec is not None and replace(made.spec, game=spec.game) != spec:
        raise ValueError(f"the spec of {spec.game} does not fit {game.name}")
    return made


class Observer(Shared):
    """Writes observations of a game's positions.

    Several threads may use an observer, as they may use the game.  A pickle contains the spec.

    Attributes:
        game: The game.
        spec: The shape of observations, and the meaning of their planes.
        players: The players who can observe: all contestants.
        player: The player who always observes; None: the player to move.
    """

    def __init__(self, game: Game, maker: PlaneMaker, player: str | None) -> None:
        """Make the tables of all players; programs call `forthvm.observer` instead."""
        self.game, self.spec, self.players = game, maker.spec(), maker.players
        self._maker = maker
        self._board = game._loaded.tables.board, board_bytes(game)  # address and size
        self._plans = {name: ObservationPlan(maker.tables(name)) for name in self.players}
        self.player = None if player is None else self._checked(player)

    # --- observations ------------------------------------------------------------------------

    def observe(
        self, position: Position, out: Buffer | None = None, *, for_player: str | None = None
    ) -> Buffer:
        """Write an observation of a position into an array, and return the array.

        Args:
            position: A position of the observer's game.
            out: The caller's array, which is overwritten: C-contiguous, of the shape `spec.shape`,
                of the type float32 or uint8, such as a row of a larger array.  None: a new array of
                float32, from numpy if it is installed.
            for_player: The player who observes; None: the observer's player, or else the player to
                move, and for a chance player's move the contestant whose turn is next.

        Raises:
            ValueError: The array is unsuitable, or there is no such player.
            PositionError: The history of a position from a document cannot be reconstructed.
            ForthVMError: The script fails.
        """
        viewer = self._viewer(position, for_player)
        given = self.new_array() if out is None else out
        view = self._checked_array(given)
        state = position._state
        states = [state, *position._earlier_states(self.spec.history - 1)]
        boards: list[bytes | None] = [state.current.read(*self._board) for state in states]
        boards += [None] * (self.spec.history - len(boards))
        numbers = self._numbers(position, state)
        self._plans[viewer].observe(boards, numbers, view, uint8=view.format == _UINT8)
        return given

    def new_array(self, count: int | None = None, *, dtype: DTypeLike = "float32") -> Buffer:
        """Return an array for an observation, or for `count` of them in rows.

        Args:
            count: The number of rows, None for a single observation.
            dtype: `float32` or `uint8`, as a name or a type of numpy.

        Raises:
            ValueError: There is no such type of arrays.
        """
        formats: dict[str, Literal["f", "B"]] = {"float32": _FLOAT32, "uint8": _UINT8}
        kind = str(getattr(dtype, "__name__", dtype))
        if kind not in formats:
            raise ValueError(f"expected the type 'float32' or 'uint8', not {kind!r}")
        shape = self.spec.shape if count is None else (count, *self.spec.shape)
        try:
            import numpy
        except ImportError:
            size = prod(shape) * (1 if kind == "uint8" else 4)
            return memoryview(bytearray(size)).cast(formats[kind], shape)
        array: Any = numpy.zeros(shape, dtype=kind)
        return cast("Buffer", array)

    def squares(self, for_player: str) -> dict[str, tuple[int, ...]]:
        """Return the place of each square in a plane, as the player sees it.

        A place is a row and a column, or an index in planes without rows.

        Raises:
            ValueError: There is no such player.
        """
        cells, shape = self._maker.places.cells, self._maker.places.shape
        found = self._maker.squares(self._checked(for_player))
        places = {name: cells[found[at]] for at, name in enumerate(self.game.positions)}
        return {
            name: divmod(cell, shape[1]) if len(shape) > 1 else (cell,)
            for name, cell in places.items()
            if cell >= 0
        }

    # --- information states --------------------------------------------------------------------

    def actions(self, for_player: str) -> Sequence[int]:
        """Return for each number in `game.actions` the number of that action in the player's view.

        The result is a permutation, an array of 32-bit integers: in view `mover`, of two positions
        that look the same to their movers, an action of one has the number in view of the same
        action of the other.  A network whose outputs are numbers in view plays for all players.
        Words and values that the script compiled into moves are not mapped.

        Raises:
            ValueError: There is no such player.
            ActionError: The file of actions beside the script is invalid.
        """
        return self.game.actions.on_squares(self._maker.squares(self._checked(for_player)))

    def information_state(self, position: Position, for_player: str | None = None) -> str:
        """Return a text that contains everything that a player has seen since the start.

        Two positions have equal texts for a player if and only if the player has seen the same in
        both games.

        Args:
            position: A position of the observer's game.
            for_player: The player, as for `observe`.

        Raises:
            ValueError: There is no such player.
            PositionError: The history of a position from a document cannot be reconstructed.
            ForthVMError: The script fails.
        """
        viewer = self._viewer(position, for_player)
        return information_state(position, viewer, internal=self.spec.internal)

    # --- for the layers above ------------------------------------------------------------------

    @property
    def plans(self) -> tuple[ObservationPlan | None, ...]:
        """The plan for each player as the player to move, by index; None if it cannot observe."""
        return tuple(self._plans.get(self.player or name) for name in self.game.players)

    @cached_property
    def has_secrets(self) -> bool:
        """Whether the script hides pieces from players until the game is over."""
        start = self.game.start()
        return shown_of_game(start._loaded, start._state).has_secrets

    # --- internal ------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.game, self.spec, self.player)

    def _checked(self, player: str) -> str:
        if player not in self.players:
            known = ", ".join(self.players)
            raise ValueError(
                f"{self.game.name} has no player {player!r} who observes, only {known}"
            )
        return player

    def _viewer(self, position: Position, player: str | None) -> str:
        check_position(position, "an observer")
        if position.game is not self.game and position.game.digest != self.game.digest:
            raise ValueError(f"the observer is for {self.game.name}, not {position.game.name}")
        player = player if player is not None else self.player
        if player is not None:
            return self._checked(player)
        mover = viewer_of(position._loaded, position._state)
        return mover if mover in self._plans else self.players[0]

    def _checked_array(self, given: Buffer) -> memoryview:
        """Return a view of an array.

        Raises:
            ValueError: The array is unsuitable.
        """
        shape = self.spec.shape
        expected = f"an array for an observation must be of float32 or uint8, of the shape {shape}"
        try:
            view = memoryview(given)
        except TypeError:
            raise ValueError(f"{expected}, not {given!r}; observe() without one makes it") from None
        if view.format not in (_FLOAT32, _UINT8) or view.shape != shape:
            raise ValueError(
                f"{expected}, not of the shape {view.shape} with items {view.format!r}; "
                "new_array() makes one"
            )
        if view.readonly or not view.c_contiguous:
            what = "read-only" if view.readonly else "not C-contiguous"
            raise ValueError(f"the array for an observation is {what}; new_array() makes one")
        return view

    def _numbers(self, position: Position, state: State) -> tuple[int, ...]:
        """Return the numbers of the state, in the order of FVM_OBSERVE_... in forthvm.h."""
        move_type = read_cell(state.current, self.game._loaded.tables.variables.of_type)
        reveal = self.has_secrets and position.result is not None
        turn = self.game._loaded.turn_index_of(state)
        return position.player_index, turn, int(state.partial), move_type, int(reveal), 1


def _rebuild(game: Game, spec: ObservationSpec, player: str | None) -> Observer:
    """Return the observer of a pickle."""
    return observer(game, spec=spec, player=player)

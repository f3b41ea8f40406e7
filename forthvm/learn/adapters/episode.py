"""What the adapters of all frameworks share: opening a game, and playing one with random numbers.

Owns the moves that no participant chooses: forced passes, which have no number, and moves of chance
players and neutral players.  The participants are the contestants of the game.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakValueDictionary

from forthvm.catalogue.options import ON_SHOW
from forthvm.core.errors import ForthVMError, IllegalMoveError
from forthvm.engines.errors import Resignation
from forthvm.game import Game, Position, load
from forthvm.learn.observations import observer

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping
    from typing import Self

    import numpy as np
    from typing_extensions import Buffer

    from forthvm.game import Move
    from forthvm.learn.observations import ObservationSpec, Observer

__all__ = [
    "HIGHEST",
    "LOWEST",
    "MAX_PLIES",
    "VERSION",
    "AdapterError",
    "CopiedWhole",
    "Episode",
    "drawn_move",
    "missing_package",
    "open_game",
    "open_observer",
    "play_on",
]

LOWEST, HIGHEST = -1.0, 2.0
"""The range of the numbers in an observation; most are from 0 to 1."""
VERSION = "v0"
"""The version in names of environments: another one when results are no longer comparable, because
rules, actions or observations have changed."""
MAX_PLIES = 2000
"""The default maximum length of a game in plies."""

_numbered: WeakValueDictionary[object, Game] = WeakValueDictionary()
"""Open games with default actions, whose numbers further environments of a game take over."""

_specs: dict[object, ObservationSpec] = {}
"""The specs of observers, which further environments of a game take over."""


class AdapterError(ForthVMError, ValueError):
    """A game cannot be used in a framework as requested."""


class CopiedWhole:
    """Mixin: `copy.copy` copies the board, too, as `copy.deepcopy` does."""

    def __copy__(self) -> Self:
        return copy.deepcopy(self)


def missing_package(extra: str, error: ImportError) -> ImportError:
    """Return the error for packages that are not installed; `extra` installs them."""
    return ImportError(
        f"forthvm.learn.adapters.{extra} needs packages that are not installed ({error}): "
        f"pip install 'forthvm[{extra}]'"
    )


def open_game(
    game: Game | str | os.PathLike[str],
    actions: str | os.PathLike[str] | None = None,
    on_show: str = "",
) -> Game:
    """Return a game with numbered actions, in which players choose moves.

    Args:
        game: A game, which is used as it is, or the first argument of `forthvm.load`.
        actions: A file that `game.actions.save` wrote; None: the numbers that the game has, or
            the default numbers.
        on_show: The setting OnShow with which the game is loaded; empty: none.

    Raises:
        AdapterError: Chance players make all moves.
        ActionError: The file is invalid.
        ForthVMError: The game does not load.
    """
    settings = {ON_SHOW: on_show} if on_show else {}
    opened = game if isinstance(game, Game) else load(game, settings=settings)
    if not opened.contestants:
        raise AdapterError(f"no player of {opened.name} chooses moves")
    if actions:
        opened.actions.load(actions)
    elif opened is not game:
        numbered = _numbered.setdefault((opened._loaded.options, opened.digest), opened)
        len(numbered.actions)  # numbers the moves
        if numbered is not opened and numbered.actions.is_default:
            opened.actions.adopt(numbered.actions)
    return opened


def open_observer(game: Game, history: int, view: str) -> Observer:
    """Return an observer, with the arguments of `forthvm.observer`.

    Raises:
        ValueError: An argument is out of range.
        ForthVMError: The script fails.
    """
    key = game._loaded.options, game.digest, history, view
    spec = _specs.get(key)
    if spec is not None:
        return observer(game, spec=spec)
    made = observer(game, history=history, view=view)
    _specs[key] = made.spec
    return made


def play_on(position: Position, choose: Callable[[Position], Move | None], last_ply: int) -> bool:
    """Make moves until a participant chooses, or the game is over.

    Args:
        position: The position, which is changed.
        choose: Returns the move to make; None: a participant chooses.
        last_ply: The ply at which the game is cut off.

    Returns:
        Whether the game was cut off.
    """
    while position.result is None:
        if position.ply >= last_ply:
            return True
        if position.is_stuck:
            position.push_pass()
            continue
        move = choose(position)
        if move is None:
            return False
        position.push(move)
    return False


def drawn_move(position: Position, number: float) -> Move:
    """Return the move that a chance player draws, given a random number from 0 to 1."""
    chances = position.chances
    for move, probability in chances:
        number -= probability
        if number < 0:
            return move
    return chances[-1][0]


class Episode(CopiedWhole):
    """One game after another, with observations and masks as numpy arrays.

    Attributes:
        game: The game.
        players: The participants, in the order of `game.contestants`.
        size: The number of actions.
        shape: The shape of an observation.
        truncated: Whether the game was cut off at the maximum length.
        resigned: The participant whose engine resigned; None if none did.
    """

    def __init__(
        self,
        game: Game | str | os.PathLike[str],
        *,
        history: int = 1,
        view: str = "mover",
        max_plies: int = MAX_PLIES,
        actions: str | os.PathLike[str] | None = None,
    ) -> None:
        """Open a game; `history` and `view` are those of `forthvm.observer`.

        Raises:
            AdapterError: The game is unsuitable, or `max_plies` is not positive.
            ForthVMError: As `open_game`.
        """
        if max_plies < 1:
            raise AdapterError(f"max_plies must be positive, not {max_plies}")
        self.game = open_game(game, actions)
        self.players = self.game.contestants
        self.size = len(self.game.actions)
        self.observer = open_observer(self.game, history, view)
        self.shape = self.observer.spec.shape
        self.truncated = False
        self.resigned: str | None = None
        self._position: Position | None = None  # None: no game has begun
        self._max_plies = max_plies
        self._last_ply = max_plies

    @property
    def position(self) -> Position:
        """The current position.

        Raises:
            AdapterError: No game has begun, or the environment has been closed.
        """
        if self._position is None:
            raise AdapterError("no game has begun: call reset first")
        return self._position

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        copied = object.__new__(type(self))
        memo[id(self)] = copied
        vars(copied).update(copy.deepcopy(vars(self), memo))
        return copied

    def __getstate__(self) -> dict[str, object]:
        """Return the state for a pickle: with the moves, so that earlier positions are known."""
        state = vars(self).copy()
        if self._position is not None:
            state["_moves"] = self._position.history[len(self._start.history) :]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        moves = state.pop("_moves", ())
        vars(self).update(state)
        if self._position is None:
            return
        replayed = self._start.copy()
        try:
            for move in moves:
                replayed.push(move, after_end=True)
        except IllegalMoveError:  # an engine of the script has changed its memory
            return
        if replayed == self._position:
            self._position = replayed

    def close(self) -> None:
        """Forget the game in progress."""
        self._position = None

    def begin(
        self,
        random: np.random.Generator,
        options: Mapping[str, object] | None = None,
        engine_move: Callable[[Position], Move | None] | None = None,
    ) -> None:
        """Begin a game.

        Args:
            random: Draws the moves of chance players, and seeds the script's random numbers.
            options: `start`: the first position; others are ignored.
            engine_move: Returns the move of a participant, or None if the caller chooses it; None:
                the caller chooses all moves.

        Raises:
            AdapterError: `start` is not a position of the game.
            ForthVMError: The script or an engine fails.
        """
        start = (options or {}).get("start")
        if start is None:
            position = self.game.start()
        elif (
            isinstance(start, Position)
            and start.game._loaded.identity == self.game._loaded.identity
        ):
            position = start.copy(game=self.game)
        else:
            raise AdapterError(f"the option start must be a position of {self.game.name}")
        position.seed(int(random.integers(2**31)))
        self._position = position
        self._start = position.copy()
        self._random = random
        self._engine_move = engine_move
        self.resigned = None
        self._last_ply = position.ply + self._max_plies
        self._play_on()

    def play(self, action: int) -> None:
        """Make the move of the participant whose turn it is, and all moves up to the next choice.

        Raises:
            IllegalMoveError: The action is not legal; nothing is changed.
            IndexError: There is no such action.
            ForthVMError: The script or an engine fails.
        """
        self.position.push(self.position.move_of(action))
        self._play_on()

    def _play_on(self) -> None:
        try:
            self.truncated = play_on(self.position, self._choose, self._last_ply)
        except Resignation:
            self.truncated = False
            self.resigned = self.position.turn

    def _choose(self, position: Position) -> Move | None:
        if position.turn not in self.players:
            return drawn_move(position, self._random.random())
        return self._engine_move(position) if self._engine_move else None

    @property
    def over(self) -> bool:
        """Whether the game is over by its rules or a resignation."""
        return self.resigned is not None or self.position.result is not None

    @property
    def mover(self) -> str | None:
        """The participant who chooses the next move; None after the end."""
        return None if self.over or self.truncated else self.position.turn

    def returns(self) -> dict[str, float]:
        """Return 1, 0 or -1 for each participant; 0 before the end and in truncated games.

        A participant who resigns loses, and all others win.
        """
        if self.resigned is not None:
            return {player: -1.0 if player == self.resigned else 1.0 for player in self.players}
        outcome = self.position.result
        if outcome is None:
            return dict.fromkeys(self.players, 0.0)
        return dict(zip(outcome.players, outcome.returns(), strict=True))

    def observation(self, player: str) -> np.ndarray:
        """Return what a participant observes, in a new array."""
        return cast("np.ndarray", self.observer.observe(self.position, for_player=player))

    def mask(self, player: str) -> np.ndarray:
        """Return 1 for each legal action of a participant, and 0 for the others."""
        import numpy as np  # without numpy, the framework's module names the missing extra

        mask = np.zeros(self.size, np.int8)
        if player == self.mover:
            self.position.action_mask(cast("Buffer", mask))
        return mask

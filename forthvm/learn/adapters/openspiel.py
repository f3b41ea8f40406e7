"""Games for OpenSpiel (https://openspiel.readthedocs.io), whose algorithms then run on them.

Importing this module registers each bundled game with OpenSpiel, such as `forthvm_breakthrough`;
the game `forthvm` has a parameter `game` for other games.  Moves of chance players and neutral
players are chance nodes; forced passes, and chance moves without an alternative, are not visible.
A registered game type has the most general properties, because the game is not loaded before
`pyspiel.load_game`; the type of a loaded game is exact.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from forthvm.catalogue.bundled import list_games
from forthvm.game import Position
from forthvm.game.ending import friends_of
from forthvm.learn.adapters.episode import (
    MAX_PLIES,
    VERSION,
    AdapterError,
    missing_package,
    open_game,
    open_observer,
    play_on,
)
from forthvm.learn.adapters.rendering import described

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise missing_package("openspiel", error) from error

if TYPE_CHECKING:
    from forthvm.game import Move

__all__ = ["BoardGame", "BoardState", "registered_name"]

_TYPE = pyspiel.GameType
_PARAMETERS = {"max_plies": MAX_PLIES, "history": 1, "view": "mover", "actions": "", "on_show": ""}
_MAX_PLAYERS = 32


def registered_name(game: str) -> str:
    """Return the name in OpenSpiel of a bundled game.

    >>> registered_name("yonin-shogi")
    'forthvm_yonin_shogi'
    """
    return f"forthvm_{game.replace('-', '_')}"


def _game_type(  # noqa: PLR0913 - keyword-only, with the defaults of registered types
    short_name: str,
    long_name: str,
    parameters: dict[str, object],
    *,
    players: tuple[int, int] = (1, _MAX_PLAYERS),
    chance: bool = True,
    secrets: bool = True,
    zero_sum: bool = False,
) -> Any:  # noqa: ANN401 - pyspiel has no types
    information, utility = _TYPE.Information, _TYPE.Utility
    mode = _TYPE.ChanceMode
    return _TYPE(
        short_name=short_name,
        long_name=long_name,
        dynamics=_TYPE.Dynamics.SEQUENTIAL,
        chance_mode=mode.EXPLICIT_STOCHASTIC if chance else mode.DETERMINISTIC,
        information=(
            information.IMPERFECT_INFORMATION if secrets else information.PERFECT_INFORMATION
        ),
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=_TYPE.RewardModel.TERMINAL,
        min_num_players=players[0],
        max_num_players=players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=False,  # histories have no practical maximum size
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class BoardGame(pyspiel.Game):  # type: ignore[misc] # pyspiel has no types
    """A game of OpenSpiel.

    Each registered game is a subclass.

    Attributes:
        registered: The registered type.
        game: The name of the bundled game; empty if a parameter names the game.
        board_game: The game.
        max_plies: The maximum length of a game in plies; a longer one ends as a draw.
        first_line: The line of the first state.
        has_secrets: Whether players see different pieces.
        version: The version, which names of environments contain in the other frameworks.
    """

    registered: Any
    game = ""
    version = VERSION

    def __init__(self, params: dict[str, Any]) -> None:
        """Load the game.

        Raises:
            AdapterError: The game or a parameter is unsuitable.
            ForthVMError: The game does not load.
        """
        name, max_plies = self.game or params["game"], params["max_plies"]
        if not name:
            raise AdapterError('the parameter game is missing: {"game": "path/to/script.4th"}')
        if max_plies < 1:
            raise AdapterError(f"max_plies must be positive, not {max_plies}")
        game = self.board_game = open_game(name, params["actions"], params["on_show"])
        self.observer = open_observer(game, params["history"], params["view"])
        start = game.start()
        self.has_secrets = start._shown().has_secrets
        self.max_plies = max_plies
        self.first_line = Line(start, max_plies)
        chance = any(turn.player not in game.contestants for turn in game.turn_order)
        zero_sum = _is_zero_sum(start)
        count, size = len(game.contestants), len(game.actions)
        defaults = self.registered.parameter_specification
        super().__init__(
            _game_type(
                self.registered.short_name,
                game.title,
                defaults,
                players=(count, count),
                chance=chance,
                secrets=self.has_secrets,
                zero_sum=zero_sum,
            ),
            pyspiel.GameInfo(
                num_distinct_actions=size,
                max_chance_outcomes=size if chance else 0,
                num_players=count,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0 if zero_sum else None,
                max_game_length=max_plies,
            ),
            {key: value for key, value in params.items() if value != defaults[key]},
        )

    def new_initial_state(self, position: str | None = None) -> BoardState:
        """Return the first state, or the one with a position, given as `position.to_json()`."""
        return BoardState(self, position)

    def make_py_observer(
        self,
        iig_obs_type: Any = None,  # noqa: ANN401
        params: Any = None,  # noqa: ANN401
    ) -> BoardObserver | HistoryObserver:
        """Return an observer of states.

        Raises:
            AdapterError: The kind of observation is not supported.
        """
        if params:
            raise AdapterError(f"observers have no parameters, but got {params}")
        if iig_obs_type is None:
            return BoardObserver(self)
        if (
            not iig_obs_type.public_info
            or iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER
        ):
            raise AdapterError("observations contain everything that one player sees")
        return HistoryObserver(self) if iig_obs_type.perfect_recall else BoardObserver(self)

    def __reduce__(self) -> tuple[object, ...]:
        return pyspiel.load_game, (str(self),)


class BoardState(pyspiel.State):  # type: ignore[misc] # pyspiel has no types
    """A state of a game.

    OpenSpiel copies the attributes of a state with `deepcopy` and serializes them with `pickle`, so
    `line` is the only one.  The game itself is the result of `get_game`.
    """

    def __init__(self, game: BoardGame, position: str | None = None) -> None:
        """Create the first state of a game, or one with a position in JSON."""
        super().__init__(game)
        self.line = game.first_line.copy() if position is None else Line.of(game, position, ())

    @property
    def line(self) -> Line:
        """The position, with the actions that led to it."""
        line: Line = self.__dict__["line"]
        return line

    @line.setter
    def line(self, value: Line | tuple[str | None, tuple[int, ...]]) -> None:
        # Deserialization sets the result of `Line.__reduce__`.
        line = value if isinstance(value, Line) else Line.of(self.get_game(), *value)
        self.__dict__["line"] = line

    @property
    def position(self) -> Position:
        """The position; callers must not change it."""
        return self.line.position

    def current_player(self) -> int:
        """Return the index of the player to move among `game.contestants`, or a pseudo player."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        turn, contestants = self.position.turn, self.position.game.contestants
        return contestants.index(turn) if turn in contestants else int(pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, _player: int) -> list[int]:
        return sorted(self.position.legal_actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the actions of a chance player with their probabilities."""
        sums: dict[int, float] = {}
        for action, (_, probability) in zip(
            self.position.legal_moves.actions, self.position.chances, strict=True
        ):
            if action >= 0:  # a move without a number cannot be chosen
                sums[action] = sums.get(action, 0.0) + probability
        total = 1.0 if math.isclose(sum(sums.values()), 1.0) else sum(sums.values())
        return sorted((action, probability / total) for action, probability in sums.items())

    def _apply_action(self, action: int) -> None:
        self.line.play(action)

    def _action_to_string(self, _player: int, action: int) -> str:
        return self.position.game.actions.text(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.line.is_cut_off or self.position.result is not None

    def returns(self) -> list[float]:
        """Return 1, 0 or -1 for each player; 0 before the end and in games that are too long."""
        outcome = self.position.result
        return outcome.returns() if outcome else [0.0] * len(self.position.game.contestants)

    def __str__(self) -> str:
        """Return the board, and a hash of everything that influences play.

        Algorithms of OpenSpiel take states for equal if their texts are equal.
        """
        plain = Position(self.position.game, self.position._state)  # without marks of the last move
        text = described(plain, None, everything=self.get_game().has_secrets)
        cut_off = "the game is too long: draw\n" if self.line.is_cut_off else ""
        return f"{text}{cut_off}key {self.position.key:016x}"


class BoardObserver:
    """The observer of OpenSpiel for tensors: the planes of `forthvm.observer`."""

    def __init__(self, game: BoardGame) -> None:
        """Create the tensor."""
        self._observer = game.observer
        self._players = game.board_game.contestants
        shape = self._observer.spec.shape
        self.tensor = np.zeros(shape, np.float32).reshape(-1)
        self.dict: dict[str, Any] = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: BoardState, player: int) -> None:
        """Write what a player observes to the tensor."""
        self._observer.observe(
            state.position, self.dict["observation"], for_player=self._players[player]
        )

    def string_from(self, state: BoardState, player: int) -> str:
        """Return the board as a player sees it."""
        return described(state.position, self._players[player])


class HistoryObserver:
    """The observer of OpenSpiel for information states, which has no tensor."""

    tensor = None

    def __init__(self, game: BoardGame) -> None:
        """Create an observer without a tensor."""
        self._observer = game.observer
        self._players = game.board_game.contestants
        self.dict: dict[str, np.ndarray] = {}

    def set_from(self, state: BoardState, player: int) -> None:
        """Do nothing, because there is no tensor."""

    def string_from(self, state: BoardState, player: int) -> str:
        """Return everything that a player has seen."""
        return self._observer.information_state(state.position, self._players[player])


class Line:
    """A position with the actions that led to it.

    Copies are cheap.  A pickle contains the actions, which `BoardState` makes again.

    Attributes:
        position: The position.
        is_cut_off: Whether the game has reached its maximum length.
    """

    def __init__(self, position: Position, max_plies: int, start: str | None = None) -> None:
        """Begin a line; `start` is its first position in JSON, None for that of the game."""
        self.position = position
        self._last_ply = position.ply + max_plies
        self._start = start
        self._actions: tuple[int, ...] = ()
        self._play_on()

    @classmethod
    def of(cls, game: BoardGame, start: str | None, actions: tuple[int, ...]) -> Line:
        """Return the line with a first position and actions."""
        if start is None:
            line = game.first_line.copy()
        else:
            position = Position.from_json(game.board_game, start)
            line = cls(position, game.max_plies, start)
        for action in actions:
            line.play(action)
        return line

    def play(self, action: int) -> None:
        """Make a move, and all moves up to the next choice or chance."""
        self.position.push(self.position.move_of(action))
        self._actions = (*self._actions, action)
        self._play_on()

    def _play_on(self) -> None:
        self.is_cut_off = play_on(self.position, _only_outcome, self._last_ply)

    def copy(self) -> Line:
        """Return an independent copy."""
        line = object.__new__(Line)
        vars(line).update(vars(self), position=self.position.copy())
        return line

    def __deepcopy__(self, _memo: object) -> Line:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return tuple, ((self._start, self._actions),)


def _only_outcome(position: Position) -> Move | None:
    """Return the move of a chance player who has no other move."""
    if position.turn in position.game.contestants or len(position.legal_actions) > 1:
        return None
    return position.legal_moves[0]


def _is_zero_sum(start: Position) -> bool:
    """Return whether the winning and the losing team always have equally many players."""
    players = start.game.contestants
    teams = [1 + len(friends_of(start._loaded, player, start._state)) for player in players]
    return all(2 * size == len(players) for size in teams)


def _register() -> None:
    """Register the bundled games, and a game with a parameter that names it."""
    names = {registered_name(listed.name): listed for listed in list_games()}
    for short_name, listed in names.items():
        _register_game(short_name, listed.title, listed.name)
    _register_game("forthvm", "Any game of forthvm", "")


def _register_game(short_name: str, long_name: str, game: str) -> None:
    parameters = _PARAMETERS if game else _PARAMETERS | {"game": ""}
    registered = _game_type(short_name, long_name, parameters)
    # OpenSpiel drops its reference after the interpreter has ended.  A class survives that, because
    # it refers to itself.
    members = {"registered": registered, "game": game, "__doc__": long_name}
    pyspiel.register_game(registered, type("RegisteredGame", (BoardGame,), members))


_register()

"""Games as environments of Gymnasium (https://gymnasium.farama.org): an agent against engines.

The agent has one seat, and engines play for all other participants.  Importing this module
registers each bundled game with Gymnasium, such as `forthvm/Breakthrough-v0`; the environment
`forthvm/Game-v0` has an argument `game` for other games.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from forthvm.catalogue.bundled import list_games
from forthvm.engines.checked import adapt, choose_move
from forthvm.engines.protocol import NotCopied
from forthvm.engines.registry import get, get_for_game
from forthvm.learn.adapters.episode import (
    HIGHEST,
    LOWEST,
    MAX_PLIES,
    VERSION,
    AdapterError,
    CopiedWhole,
    Episode,
    missing_package,
)
from forthvm.learn.adapters.rendering import RENDER_FPS, RENDER_MODES, check_mode, rendered

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError as error:
    raise missing_package("gymnasium", error) from error

if TYPE_CHECKING:
    import os

    from forthvm.engines.protocol import Engine, PlaysMoves
    from forthvm.game import Game, Move, Position

__all__ = ["BoardGame", "environment_name"]

RANDOM_SEAT = "random"
_ILLEGAL_REWARD = -1.0
_MAX_RESTARTS = 100
"""The maximum number of successive games that end before the agent's first move."""


class BoardGame(CopiedWhole, gymnasium.Env[np.ndarray, int]):
    """A game of an agent against engines.

    Observations are those of `forthvm.observer` for the agent's player, actions are the numbers of
    `game.actions`, and `info["action_mask"]` has a 1 for each legal action.  The reward is 0 before
    the end of a game, and then 1, 0 or -1 (`Outcome.returns`).  An illegal action loses: the game
    ends with the reward -1 and `info["illegal_action"]`.

    Attributes:
        episode: The game in progress.
        player: The player whose moves the agent chooses.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}  # noqa: RUF012 - as in Env

    def __init__(  # noqa: PLR0913 - keyword-only options, each of them documented
        self,
        game: Game | str | os.PathLike[str],
        *,
        opponent: str | PlaysMoves | Mapping[str, str | PlaysMoves] = "random",
        seat: str | int = 0,
        history: int = 1,
        view: str = "mover",
        max_plies: int = MAX_PLIES,
        actions: str | os.PathLike[str] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Open a game.

        Args:
            game: A game, or the first argument of `forthvm.load`.
            opponent: The engine of the other participants: a specification, such as
                `mcts:playouts=100`, or an engine; or a dict with an engine for each of them.
            seat: The agent's player: its name, its index in `game.contestants`, or `random` for
                another player in each game.
            history: An option of `forthvm.observer`.
            view: An option of `forthvm.observer`.
            max_plies: The maximum length of a game, after which it is truncated.
            actions: A file of `game.actions.save`; None for the game's numbers.
            render_mode: `human` prints, `ansi` returns text, `svg` an SVG document, `rgb_array`
                an array of pixels (with `forthvm[images]`).

        Raises:
            AdapterError: The game or the seat is unsuitable, or a participant has no engine.
            EngineError: An engine cannot be created.
            ForthVMError: The game does not load.
        """
        check_mode(render_mode)
        self.render_mode = render_mode
        self.episode = Episode(
            game, history=history, view=view, max_plies=max_plies, actions=actions
        )
        players = self.episode.players
        self._seat = self._checked_seat(seat)
        self.player = players[0] if self._seat is None else self._seat
        self._opponents = (
            dict(opponent) if isinstance(opponent, Mapping) else dict.fromkeys(players, opponent)
        )
        for player in players:
            if player in self._opponents:
                self._check_opponent(self._opponents[player])
            elif player != self._seat:
                raise AdapterError(f"opponent names no engine for {player}")
        self._engines: dict[str, Engine] = {}  # of the game in progress, once they have moved
        self._seeds: dict[str, int] = {}
        self.observation_space = spaces.Box(LOWEST, HIGHEST, self.episode.shape, np.float32)
        self.action_space = spaces.Discrete(self.episode.size)  # type: ignore[assignment] # int64

    def _checked_seat(self, seat: str | int) -> str | None:
        """Return the name of the agent's player; None for another one in each game."""
        players = self.episode.players
        if seat == RANDOM_SEAT and RANDOM_SEAT not in players:
            return None
        if isinstance(seat, int) and 0 <= seat < len(players):
            return players[seat]
        if seat in players:
            return str(seat)
        names = ", ".join(map(repr, players))
        raise AdapterError(
            f"seat must be one of {names}, its index, or {RANDOM_SEAT!r}, not {seat!r}"
        )

    @staticmethod
    def _check_opponent(opponent: str | PlaysMoves) -> None:
        """Raise EngineError if an engine cannot be created, before the first game."""
        if isinstance(opponent, str):
            get(opponent).close()
        else:
            adapt(opponent)

    # --- the interface of Gymnasium ------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a game, up to the agent's first move.

        Args:
            seed: Seed of chance players, the script's random numbers, engines and random seats.
            options: `start`: a position with which the game begins; others are ignored.

        Raises:
            AdapterError: Games end before the agent moves.
            ForthVMError: The script or an engine fails.
        """
        super().reset(seed=seed)
        for _ in range(_MAX_RESTARTS):
            self._begin(options)
            if self.episode.mover is not None:
                return self._observation(), self._info()
        raise AdapterError(f"{_MAX_RESTARTS} games ended before the first move of {self.player}")

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Make a move of the agent, and those of engines up to the agent's next move.

        Raises:
            ForthVMError: The script or an engine fails.
        """
        if self.episode.mover is None:
            raise gymnasium.error.ResetNeeded("the game is over; call reset")
        action = operator.index(action)
        mask = self.episode.mask(self.player)
        if not (0 <= action < len(mask) and mask[action]):
            self.episode.truncated = True  # no further moves
            info = self._info() | {"illegal_action": int(action)}
            return self._observation(), _ILLEGAL_REWARD, True, False, info
        self.episode.play(int(action))
        reward = self.episode.returns()[self.player]
        over, truncated = self.episode.over, self.episode.truncated
        return self._observation(), reward, over, truncated, self._info()

    def render(self) -> str | np.ndarray | None:
        """Return the position as the agent sees it, or print it in the mode `human`."""
        return rendered(self.episode.position, self.render_mode, self.player)

    def close(self) -> None:
        """End the game in progress and close its engines, except objects of the caller."""
        self.episode.close()
        for player, engine in self._engines.items():
            if isinstance(self._opponents[player], str):
                engine.close()
        self._engines = {}

    def action_masks(self) -> np.ndarray:
        """Return True for each legal action, as MaskablePPO of sb3-contrib expects."""
        return self.episode.mask(self.player).astype(bool)

    # --- internal ------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, object]:
        """Return the state for copies, in which engines that cannot be copied are created anew."""
        kept = {
            player: engine
            for player, engine in self._engines.items()
            if not (isinstance(engine, NotCopied) and isinstance(self._opponents[player], str))
        }
        return vars(self) | {"_engines": kept}

    def _begin(self, options: dict[str, Any] | None) -> None:
        random, players = self.np_random, self.episode.players
        self.player = self._seat or players[int(random.integers(len(players)))]
        self.close()
        self._seeds = {
            player: int(random.integers(2**31)) for player in players if player != self.player
        }
        self.episode.begin(random, options, self._engine_move)

    def _new_engine(self, player: str) -> Engine:
        """Return the engine of a player for a new game."""
        opponent = self._opponents[player]
        if isinstance(opponent, str):
            return get_for_game(opponent, lambda own=0: self._seeds[player] ^ own)
        engine = adapt(opponent)
        engine.new_game()
        return engine

    def _engine_move(self, position: Position) -> Move | None:
        if position.turn == self.player:
            return None
        if position.turn not in self._engines:
            self._engines[position.turn] = self._new_engine(position.turn)
        return choose_move(self._engines[position.turn], position).move

    def _observation(self) -> np.ndarray:
        return self.episode.observation(self.player)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.episode.mask(self.player), "player": self.player}


def environment_name(game: str) -> str:
    """Return the registered name of a bundled game.

    >>> environment_name("yonin-shogi")
    'forthvm/YoninShogi-v0'
    """
    words = game.replace("_", "-").split("-")
    return f"forthvm/{''.join(word[:1].upper() + word[1:] for word in words)}-{VERSION}"


def _register() -> None:
    """Register the bundled games, and an environment for any game."""
    creator = f"{__name__}:{BoardGame.__name__}"
    gymnasium.register(f"forthvm/Game-{VERSION}", creator)
    for listed in list_games():
        gymnasium.register(environment_name(listed.name), creator, kwargs={"game": listed.name})


_register()

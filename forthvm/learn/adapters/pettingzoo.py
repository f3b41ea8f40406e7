"""Games as environments of PettingZoo (https://pettingzoo.farama.org).

`env` returns an environment of the AEC interface, in which agents move one after the other, as the
players of a board game do.  `parallel_env` is for programs that require the parallel interface: in
each step all agents submit an action, but only that of the agent to move counts.  Importing this
module registers each bundled game, such as `forthvm/breakthrough-v0`, with PettingZoo; the
environments `forthvm/game-v0` have an argument `game` for other games.

Agents are called `player_0`, `player_1`, and so on, in the order of `game.contestants`.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from forthvm.catalogue.bundled import list_games
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
    import numpy as np
    import pettingzoo
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise missing_package("pettingzoo", error) from error

if TYPE_CHECKING:
    import os

    from forthvm.game import Game

__all__ = ["BoardGame", "ParallelBoardGame", "env", "parallel_env", "raw_env"]

MASK_PLACES = ("info", "observation")


class _Agents(CopiedWhole):
    """What both interfaces share: agents, spaces, observations, pictures.

    Attributes:
        names: The name of each agent's player in the game.
        episode: The game in progress.
    """

    def __init__(  # noqa: PLR0913 - keyword-only options, documented in `env`
        self,
        game: Game | str | os.PathLike[str],
        *,
        history: int = 1,
        view: str = "mover",
        max_plies: int = MAX_PLIES,
        actions: str | os.PathLike[str] | None = None,
        action_mask: str = "info",
        render_mode: str | None = None,
    ) -> None:
        if action_mask not in MASK_PLACES:
            raise AdapterError(f"action_mask must be info or observation, not {action_mask!r}")
        check_mode(render_mode)
        self.render_mode = render_mode
        self.episode = Episode(
            game, history=history, view=view, max_plies=max_plies, actions=actions
        )
        players = self.episode.players
        self.possible_agents = [f"player_{index}" for index in range(len(players))]
        self.names = dict(zip(self.possible_agents, players, strict=True))
        self.agents: list[str] = []
        self.metadata = {
            "name": f"{self.episode.game.name}_{VERSION}",
            "render_modes": RENDER_MODES,
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self._mask_in_observation = action_mask == "observation"
        self._actions = {
            agent: spaces.Discrete(self.episode.size) for agent in self.possible_agents
        }
        self._observations = {agent: self._space() for agent in self.possible_agents}
        self._random: np.random.Generator | None = None

    def _space(self) -> spaces.Space[Any]:
        board = spaces.Box(LOWEST, HIGHEST, self.episode.shape, np.float32)
        if not self._mask_in_observation:
            return board
        mask = spaces.Box(0, 1, (self.episode.size,), np.int8)
        return spaces.Dict({"observation": board, "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions, which are the numbers of `game.actions`."""
        return self._actions[agent]

    def observe(self, agent: str) -> Any:  # noqa: ANN401 - depends on the option action_mask
        """Return what an agent observes."""
        player = self.names[agent]
        board = self.episode.observation(player)
        if not self._mask_in_observation:
            return board
        return {"observation": board, "action_mask": self.episode.mask(player)}

    def render(self) -> str | np.ndarray | None:
        """Return the position as the agent to move sees it, or print it in the mode `human`."""
        player = self.episode.mover or self.episode.players[0]
        return rendered(self.episode.position, self.render_mode, player)

    def close(self) -> None:
        """Do nothing: an environment has no resources outside memory."""

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        if self._random is None or seed is not None:
            self._random = seeding.np_random(seed)[0]
        self.episode.begin(self._random, options)
        self.agents = list(self.possible_agents)

    def _mover(self) -> str | None:
        """Return the agent to move; None after the end."""
        mover = self.episode.mover
        return None if mover is None else self.possible_agents[self.episode.players.index(mover)]

    def _infos(self) -> dict[str, dict[str, Any]]:
        if self._mask_in_observation:
            return {agent: {} for agent in self.agents}
        return {
            agent: {"action_mask": self.episode.mask(self.names[agent])} for agent in self.agents
        }

    def _rewards(self) -> dict[str, float]:
        returns = self.episode.returns()
        return {agent: returns[self.names[agent]] for agent in self.agents}


class BoardGame(_Agents, pettingzoo.AECEnv):  # type: ignore[misc] # pettingzoo has no types
    """A game with the AEC interface; see `raw_env`."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: Seed of chance players and of the script's random numbers.
            options: `start`: a position with which the game begins; others are ignored.
        """
        self._begin(seed, options)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._report()

    def step(self, action: int | None) -> None:
        """Make the move of the selected agent.

        Raises:
            IllegalMoveError: The action is not legal; nothing is changed.
            ForthVMError: The script fails.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to move, and None is not an action")
        self.episode.play(operator.index(action))
        self._cumulative_rewards[agent] = 0.0
        self._report()
        self._accumulate_rewards()

    def _report(self) -> None:
        """Set the public dicts and the selected agent."""
        self.rewards = self._rewards()
        self.terminations = dict.fromkeys(self.agents, self.episode.over)
        self.truncations = dict.fromkeys(self.agents, self.episode.truncated)
        self.infos = self._infos()
        self.agent_selection = self._mover() or self.agents[0]


class ParallelBoardGame(_Agents, pettingzoo.ParallelEnv):  # type: ignore[misc] # no types
    """A game with the parallel interface; see `parallel_env`."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin a game, with the arguments of `BoardGame.reset`."""
        self._begin(seed, options)
        return {agent: self.observe(agent) for agent in self.agents}, self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Any],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Make the move of the agent to move; the actions of other agents are ignored.

        Raises:
            AdapterError: The action of the agent to move is missing, or no game has begun.
            IllegalMoveError: The action is not legal; nothing is changed.
            ForthVMError: The script fails.
        """
        mover = self._mover()
        if mover is not None:
            if mover not in actions:
                raise AdapterError(f"step needs the action of {mover}, the agent to move")
            self.episode.play(operator.index(actions[mover]))
        agents = self.agents
        over, truncated = self.episode.over, self.episode.truncated
        result = (
            {agent: self.observe(agent) for agent in agents},
            self._rewards(),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, truncated),
            self._infos(),
        )
        if over or truncated:
            self.agents = []
        return result


class _Ordered(CopiedWhole, wrappers.OrderEnforcingWrapper):  # type: ignore[misc] # no types
    """The outermost wrapper."""

    def __str__(self) -> str:
        return str(self.unwrapped)


def raw_env(game: Game | str | os.PathLike[str], **options: Any) -> BoardGame:  # noqa: ANN401
    """Return an environment of the AEC interface without wrappers, with the arguments of `env`.

    An illegal action raises `IllegalMoveError`.
    """
    return BoardGame(game, **options)


def env(game: Game | str | os.PathLike[str], **options: Any) -> pettingzoo.AECEnv:  # noqa: ANN401
    """Return an environment of the AEC interface with PettingZoo's wrappers for board games.

    An agent that chooses an illegal action loses with the reward -1, and the game ends.

    Args:
        game: A game, or the first argument of `forthvm.load`.
        options: Keyword arguments:

            - `history`, `view`: those of `forthvm.observer`;
            - `max_plies`: the maximum length of a game, after which it is truncated;
            - `actions`: a file of `game.actions.save`; None for the game's numbers;
            - `action_mask`: `info`: `infos[agent]["action_mask"]` is the mask; `observation`: an
              observation is a dict with `observation` and `action_mask`;
            - `render_mode`: `human` prints, `ansi` returns text, `svg` an SVG document,
              `rgb_array` an array of pixels (with `forthvm[images]`).

    Raises:
        AdapterError: The game or an option is unsuitable.
        ForthVMError: The game does not load.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(game, **options), illegal_reward=-1)
    return _Ordered(wrappers.AssertOutOfBoundsWrapper(wrapped))


def parallel_env(
    game: Game | str | os.PathLike[str],
    **options: Any,  # noqa: ANN401
) -> ParallelBoardGame:
    """Return an environment of the parallel interface; the arguments are those of `env`.

    By default, the mask is in the observation.  All actions of agents that are not to move are 0 in
    their masks; such agents may submit any action.
    """
    return ParallelBoardGame(game, **{"action_mask": "observation", **options})


def _register() -> None:
    """Register the bundled games, and environments for any game."""
    creators = {"aec": env, "parallel": parallel_env}
    for kind, creator in creators.items():
        pettingzoo.register(kind, f"forthvm/game-{VERSION}", entry_point=creator)
        for listed in list_games():
            pettingzoo.register(
                kind,
                f"forthvm/{listed.name}-{VERSION}",
                entry_point=creator,
                kwargs={"game": listed.name},
            )


_register()

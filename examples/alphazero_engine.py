r"""The network of alphazero.py: its planes and actions, its evaluation of leaves, and its engine.

The engine in a game:

    forthvm run breakthrough-6x6.4th \
        --engine Black=alphazero_engine:NetworkEngine:file=runs/breakthrough/network.pt
"""

from __future__ import annotations

import copy

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

from forthvm.engines import Engine, Leaves, Limits, Reporter, SearchResult, SelfPlay
from forthvm.engines.options import integer, parse_options
from forthvm.engines.position_arrays import REWARDS_PER_ROW
from forthvm.game import Game, Position
from forthvm.learn.observations import observer

TYPE_BITS, OWNER_BITS = 0x03FF, 0xFC00
"""The bits of a board cell for type and owner of a piece."""


# --- positions and actions as arrays ---------------------------------------------------------


class Encoder:
    """Translates boards to planes, and actions to the view of the player to move.

    If the symmetry that the script declares for the second player reverses the rows of the board,
    as in Breakthrough, the network sees each position from the side of the player to move.
    """

    def __init__(self, game: Game) -> None:
        """Computes the tables of a game."""
        if len(game.contestants) != 2 or len(game.players) != 2:
            raise SystemExit(f"{game.name} does not have two players without dice")
        self.rows, self.columns = game.grid.rows, game.grid.columns
        self.types = [kind.number for kind in game.piece_types]
        self.cells = np.array([player.cell for player in game.player_details])
        squares = np.arange(self.rows * self.columns).reshape(self.rows, self.columns)
        turned = self._images(game, squares[::-1])
        in_view = np.array(observer(game).actions(game.players[1]))
        self.turns = bool((in_view == turned).all()) and game.grid.rows > 1
        same = np.arange(len(game.actions))
        self.actions = np.stack([same, turned if self.turns else same])
        self.mirrored = self._images(game, squares[:, ::-1])

    @staticmethod
    def _images(game: Game, squares: np.ndarray) -> np.ndarray:
        """Returns the number of each action after moving the squares of the grid."""
        moved = [*squares.flat, *range(squares.size, len(game.positions))]
        return np.array(game.actions.on_squares(moved))

    @property
    def planes(self) -> int:
        """Number of planes of a position."""
        return 2 * len(self.types) + 1

    def encode(self, boards: np.ndarray, movers: np.ndarray) -> np.ndarray:
        """Returns the planes of boards: pieces of the player to move, of the other, and the mover.

        Args:
            boards: A row of cells for each position.
            movers: The index of the player to move in each position, 0 or 1.
        """
        grid = boards[:, : self.rows * self.columns].reshape(-1, self.rows, self.columns)
        types, owners = grid & TYPE_BITS, grid & OWNER_BITS
        planes = np.empty((len(grid), self.planes, self.rows, self.columns), dtype=np.uint8)
        for side, players in enumerate((movers, 1 - movers)):
            mine = owners == self.cells[players][:, None, None]
            for at, kind in enumerate(self.types):
                planes[:, side * len(self.types) + at] = mine & (types == kind)
        planes[:, -1] = 0 if self.turns else movers[:, None, None]
        if self.turns:
            second = movers == 1
            planes[second] = planes[second, :, ::-1]
        return planes


# --- the network -----------------------------------------------------------------------------


class Block(nn.Module):
    """A residual block: two convolutions and a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Returns the planes after the block."""
        inner = functional.relu(self.first_norm(self.first(planes)))
        return functional.relu(planes + self.second_norm(self.second(inner)))


class Network(nn.Module):
    """A residual network with a policy over the actions, and the chance that the mover wins."""

    def __init__(self, encoder: Encoder, blocks: int, channels: int) -> None:
        super().__init__()
        squares, actions = encoder.rows * encoder.columns, encoder.actions.shape[1]
        self.stem = nn.Conv2d(encoder.planes, channels, 3, padding=1, bias=False)
        self.stem_norm = nn.BatchNorm2d(channels)
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        self.policy_planes = nn.Conv2d(channels, 8, 1)
        self.policy = nn.Linear(8 * squares, actions)
        self.value_planes = nn.Conv2d(channels, 4, 1)
        self.value_hidden = nn.Linear(4 * squares, 32)
        self.value = nn.Linear(32, 1)

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns logits of the actions, and the logit of a win, of each position."""
        trunk = self.blocks(functional.relu(self.stem_norm(self.stem(planes))))
        policy = self.policy(functional.relu(self.policy_planes(trunk)).flatten(1))
        hidden = functional.relu(self.value_planes(trunk)).flatten(1)
        hidden = functional.relu(self.value_hidden(hidden))
        return policy, self.value(hidden).squeeze(1)

    def fused(self) -> Network:
        """Returns a copy for inference, in which the convolutions contain the normalization."""
        fused = copy.deepcopy(self).eval()
        fused.stem = fuse_conv_bn_eval(fused.stem, fused.stem_norm)
        fused.stem_norm = nn.Identity()
        for block in fused.blocks:
            block.first = fuse_conv_bn_eval(block.first, block.first_norm)
            block.second = fuse_conv_bn_eval(block.second, block.second_norm)
            block.first_norm, block.second_norm = nn.Identity(), nn.Identity()
        return fused.to(memory_format=torch.channels_last)


def device() -> torch.device:
    """Returns the GPU if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Evaluator:
    """Evaluates the leaves of search trees with a network."""

    def __init__(self, encoder: Encoder, network: Network, precision: str) -> None:
        """Prepares a network for inference."""
        self.encoder = encoder
        self.device = device()
        self.precision = getattr(torch, precision)
        self.network = network.fused().to(self.device, self.precision)

    def __call__(
        self, leaves: Leaves, noise: float = 0, concentration: float = 1, random: object = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Returns rewards and priors for `SelfPlay.submit`; `noise` changes the priors of roots."""
        count = len(leaves.moves)
        boards = np.asarray(leaves.boards).reshape(count, -1)
        movers = np.asarray(leaves.movers) - 1
        planes = torch.from_numpy(self.encoder.encode(boards, movers)).to(self.device)
        with torch.inference_mode():
            planes = planes.to(self.precision).contiguous(memory_format=torch.channels_last)
            logits, value = (each.float().cpu() for each in self.network(planes))
            logits, chances = logits.numpy(), torch.sigmoid(value).numpy()
        rewards = np.zeros((count, REWARDS_PER_ROW), dtype=np.float32)
        rows = np.arange(count)
        rewards[rows, movers + 1] = chances
        rewards[rows, 2 - movers] = 1 - chances
        # Softmax over the legal actions, which are the columns `actions` of the rows `of_row`.
        counts = np.asarray(leaves.moves)
        of_row, actions = np.repeat(rows, counts), np.concatenate(leaves.actions)
        starts = np.cumsum(counts) - counts
        known = actions >= 0  # other moves have no number, and the prior 0
        legal = logits[of_row, self.encoder.actions[movers[of_row], actions]]
        legal[~known] = -np.inf
        legal = np.exp(legal - np.maximum.reduceat(legal, starts)[of_row])
        legal /= np.add.reduceat(legal, starts)[of_row]
        if noise:
            for at in np.flatnonzero(np.asarray(leaves.roots)):
                part = slice(starts[at], starts[at] + counts[at])
                drawn = random.dirichlet(np.full(counts[at], concentration))
                legal[part] = (1 - noise) * legal[part] + noise * drawn
        priors = np.zeros(logits.shape, dtype=np.float32)
        priors[of_row[known], actions[known]] = np.clip(legal[known], 0, 1)
        return rewards, priors


# --- the network as an engine ----------------------------------------------------------------


class NetworkEngine(Engine):
    """A tree search whose leaves a trained network evaluates.

    Options:
        file: the file of the network.
        playouts: number of evaluated positions per move (100).
        precision: float32 (default) or bfloat16.
        seed: seed of the random numbers that break ties.
    """

    name = "network"

    def __init__(self, **options: object) -> None:
        """Parses the options, which are strings if they come from a command line."""
        readers = {
            "file": str,
            "playouts": integer(1),
            "precision": str,
            "seed": integer(0, 2**32 - 1),
        }
        given = parse_options(self.name, options, readers)
        self.playouts = given.get("playouts", 100)
        self.seed = given.get("seed", 0)
        self.precision = given.get("precision", "float32")
        self.trained = torch.load(
            given.get("file", "network.pt"), map_location="cpu", weights_only=True
        )
        self._game: Game | None = None
        torch.set_num_threads(1)

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Searches; the limit `nodes` replaces the option `playouts`, others have no effect."""
        if position.game is not self._game:
            self._prepare(position.game)
        playouts = (limits and limits.nodes) or self.playouts
        play = SelfPlay(
            position.game,
            batch=1,
            games=1,
            starts=[position],
            playouts=playouts,
            sampled_plies=0,
            max_plies=1,
            seed=self.seed,
        )
        score = None
        while (leaves := play.leaves()) is not None:
            rewards, priors = self._evaluate(leaves)
            if score is None:  # of the position itself
                score = round(1000 * (2 * float(rewards[0, leaves.movers[0]]) - 1))
            play.submit(rewards, priors)
        move = position.legal_moves[play.finished[0].moves[0]]
        return SearchResult(move=move, score=score, nodes=playouts)

    def _prepare(self, game: Game) -> None:
        """Builds the network for the actions of a game."""
        if game.actions.to_json() != self.trained["actions"]:
            game.actions.use_json(self.trained["actions"])
        encoder = Encoder(game)
        network = Network(encoder, self.trained["blocks"], self.trained["channels"])
        network.load_state_dict(self.trained["weights"])
        self._evaluate = Evaluator(encoder, network, self.precision)
        self._game = game

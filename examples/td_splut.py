r"""Learns an evaluation of Splut! by TD(lambda), and writes it as a ForthScript game.

    pip install 'forthvm[learn]'
    cd examples
    python td_splut.py --output splut-learned.4th
    forthvm autoplay splut-learned.4th splut-unlearned.4th -n 200 --opening-plies 6 \
        --engine splut-learned=negamax:nodes=300 --engine splut-unlearned=negamax:nodes=300

The evaluation is a weighted sum of FEATURES.  Each round writes a script with the current weights,
lets `negamax` play games of it against itself, and changes the weights after each game: the
predicted chance of winning must agree with the prediction one move later, and in the end with the
result.  So the script that plays during learning is the script that is the result.  Equal options
give equal weights.  docs/guides/learning.md explains the program.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import forthvm
from forthvm.engines import get
from forthvm.game import Game, Position

TYPE_BITS, OWNER_BITS = 0x03FF, 0xFC00
"""The bits of a board cell for type and owner of a piece."""
SCALE = 1000
"""The points of the script for 1 in the logit of the chance of winning."""

FEATURES = (
    "stones in line with the wizard",
    "steps from the wizard to the centre",
    "dwarf",
    "steps from the troll to all stones",
    "steps from the troll to the nearest stone",
    "steps from the troll to the other wizard",
)
"""What is counted for the player to move, and then for the other player."""
UNITS = np.array([1, 4, 1, 10, 4, 4] * 2 + [1], dtype=float)
"""Counts are divided by these units, so that all of them have a similar size; the last is for 1."""

SCRIPT = """\
\\ The duel of Splut! with an evaluation that examples/td_splut.py learned.

LOAD splut-duel.4th

VARIABLE own-wizard                     \\ square of the wizard of the player to move, or -1
VARIABLE other-wizard
: find-wizards ( -- )
	-1 own-wizard ! -1 other-wizard !
	#arena 0 DO
		I arena[] @ DUP piece-type-at WIZARD =
		IF DUP friend-at? IF own-wizard ! ELSE other-wizard ! ENDIF ELSE DROP ENDIF
	LOOP
;

: steps-to-nearest ( pos -- n )         \\ steps to the nearest stone, 9 if there is none
	9 4 0 DO I stone-pos[] @ DUP 0< IF DROP ELSE 2 PICK steps-between MIN ENDIF LOOP
	SWAP DROP
;
: steps-to-target ( pos -- n )          \\ steps to the wizard of the other player, 0 if it has none
	DUP friend-at? IF other-wizard ELSE own-wizard ENDIF @
	DUP 0< IF 2DROP 0 ELSE steps-between ENDIF
;

: wizard-points ( pos -- n )
	DUP 20000 -20000 by-owner       \\ not learned: a player without a wizard has lost
	OVER DUP stones-in-line SWAP {0} {6} by-owner * +
	SWAP DUP e5 steps-between SWAP {1} {7} by-owner * +
;
: dwarf-points ( pos -- n ) {2} {8} by-owner ;
: troll-points ( pos -- n )
	DUP DUP steps-to-stones SWAP {3} {9} by-owner *
	OVER DUP steps-to-nearest SWAP {4} {10} by-owner * +
	SWAP DUP steps-to-target SWAP {5} {11} by-owner * +
;
: points ( pos -- n )
	DUP piece-type-at
	DUP WIZARD = IF DROP wizard-points ELSE
	DUP DWARF  = IF DROP dwarf-points ELSE
	TROLL = IF troll-points ELSE DROP 0 ENDIF ENDIF ENDIF
;
: OnEvaluate ( -- score )
	find-stones find-wizards
	{12} #arena 0 DO I arena[] @ points + LOOP
;
"""
UNLEARNED = (
    "\\ The duel of Splut! without an evaluation.\n\nLOAD splut-duel.4th\n: OnEvaluate 0 ;\n"
)


# --- positions as numbers --------------------------------------------------------------------


class Counter:
    """Counts FEATURES on boards."""

    def __init__(self, game: Game) -> None:
        """Computes the squares that are in line, and their distances."""
        number = {kind.name: kind.number for kind in game.piece_types}
        self._types = [number[name] for name in ("wizard", "dwarf", "troll")]
        self._stones = [number[f"{side}stone"] for side in "swne"]
        self._cells = {player.name: player.cell for player in game.player_details}
        row, column = np.divmod(np.arange(game.grid.rows * game.grid.columns), game.grid.columns)
        across, down = np.abs(row[:, None] - row), np.abs(column[:, None] - column)
        self._in_line = (across == 0) | (down == 0)
        self._steps = across + down
        self._centre = game.positions.index("e5")

    def __call__(self, cells: np.ndarray, mover: str) -> np.ndarray:
        """Returns the counts of a board from the view of a player; the last one is 1."""
        grid = cells[: len(self._steps)]
        types = grid & TYPE_BITS
        stones = np.flatnonzero(np.isin(types, self._stones))
        mine = (grid & OWNER_BITS) == self._cells[mover]
        squares = [
            [np.flatnonzero((types == kind) & side) for kind in self._types]
            for side in (mine, ~mine)
        ]
        counts = []
        for (wizards, dwarfs, trolls), (targets, *_) in zip(squares, squares[::-1], strict=True):
            to_stones = self._steps[trolls][:, stones]
            counts += [
                self._in_line[wizards][:, stones].sum(),
                self._steps[wizards, self._centre].sum(),
                len(dwarfs),
                to_stones.sum(),
                to_stones.min(axis=1, initial=9).sum(),
                self._steps[trolls][:, targets].sum(),
            ]
        return np.array([*counts, 1])


# --- the script ------------------------------------------------------------------------------


def points(weights: np.ndarray) -> np.ndarray:
    """Returns the integers of the script for weights of counts in UNITS."""
    return np.rint(SCALE * weights / UNITS).astype(int)


def script(weights: np.ndarray) -> str:
    """Returns the game with the evaluation of these weights."""
    text = SCRIPT
    for at, number in enumerate(points(weights)):
        text = text.replace(f"{{{at}}}", str(number))
    return text


# --- learning --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Options:
    """The numbers of the learning."""

    rounds: int = 60
    games: int = 20
    """Number of games in a round; the script has the same weights in all of them."""
    engine: str = "negamax:depth=1"
    random_moves: float = 0.1
    """The share of moves that are drawn at random, so that games differ."""
    trace: float = 0.8
    """The lambda of TD(lambda)."""
    rate: float = 0.004
    """The size of the changes in the first game; it falls to a tenth in the last game."""
    max_plies: int = 400
    """Longer games are not learned from."""
    seed: int = 1


@dataclass
class PlayedGame:
    """The positions of a decided game."""

    counts: list[np.ndarray] = field(default_factory=list)
    signs: list[int] = field(default_factory=list)
    """1 for a position with South to move, -1 for North."""
    result: float = 0.5
    """1 if South won, 0 if North won."""


def play(game: Game, options: Options, random: np.random.Generator) -> PlayedGame | None:
    """Plays a game of an engine against itself; None if it is too long or drawn."""
    engine = get(options.engine, seed=int(random.integers(1 << 31)))
    count = Counter(game)
    position: Position = game.start()
    played = PlayedGame()
    while position.result is None:
        if position.ply >= options.max_plies:
            return None
        moves = position.legal_moves
        if not position.is_chance and len(moves) > 1:  # else there is a pass at most
            played.counts.append(count(np.array(position.cells), position.turn))
            played.signs.append(1 if position.turn == "South" else -1)
        if position.is_stuck:
            position.push_pass()
        elif position.is_chance or random.random() < options.random_moves:
            position.push(moves[int(random.integers(len(moves)))])
        else:
            position.push(moves[0] if len(moves) == 1 else engine.play(position).move)
    if position.result.draw:
        return None
    played.result = float("South" in position.result.winners)
    return played


def learn(weights: np.ndarray, played: PlayedGame, *, trace: float, rate: float) -> np.ndarray:
    """Returns the weights after learning from a game by TD(lambda).

    The prediction of a position is the chance that South wins: the logistic function of the sum of
    the weighted counts, with the opposite sign if North is to move.  The trace is the sum of the
    gradients of all earlier predictions, each multiplied by lambda for each position since.
    """
    rows = np.array(played.counts) / UNITS * np.array(played.signs)[:, None]
    chances = np.append(1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30))), played.result)
    gradient, change = np.zeros_like(weights), np.zeros_like(weights)
    for row, before, after in zip(rows, chances, chances[1:], strict=False):
        gradient = trace * gradient + row
        change += (after - before) * gradient
    return weights + rate * change


def rounds(options: Options) -> Iterator[tuple[np.ndarray, float, int]]:
    """Yields, after each round, the weights, the mean squared error of the predictions, games."""
    random = np.random.default_rng(options.seed)
    weights = np.zeros(len(UNITS))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "splut-learned.4th"
        for number in range(options.rounds):
            path.write_text(script(weights), encoding="utf-8")
            game = forthvm.load(path)
            rate = options.rate * 0.1 ** (number / max(options.rounds - 1, 1))
            errors = []
            for _ in range(options.games):
                played = play(game, options, random)
                if played is not None:
                    errors.append(_error(weights, played))
                    weights = learn(weights, played, trace=options.trace, rate=rate)
            yield weights, float(np.mean(errors)) if errors else float("nan"), len(errors)


def _error(weights: np.ndarray, played: PlayedGame) -> float:
    """Returns the mean squared difference between predictions and the result of a game."""
    rows = np.array(played.counts) / UNITS * np.array(played.signs)[:, None]
    return float(np.mean((1 / (1 + np.exp(-rows @ weights)) - played.result) ** 2))


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description="Learn an evaluation of Splut! by TD(lambda).")
    parser.add_argument("--output", type=Path, default=Path("splut-learned.4th"))
    for name, value in vars(Options()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    given = vars(parser.parse_args(arguments))
    output = given.pop("output")
    options = Options(**given)
    weights = np.zeros(len(UNITS))
    for number, (learned, error, games) in enumerate(rounds(options), 1):
        weights = learned
        print(
            f"round {number} of {options.rounds}: {games} decided games, "
            f"mean squared error {error:.4f}",
            flush=True,
        )
    output.write_text(script(weights), encoding="utf-8")
    output.with_name("splut-unlearned.4th").write_text(UNLEARNED, encoding="utf-8")
    names = [f"{side} {name}" for side in ("own", "other's") for name in FEATURES] + ["to move"]
    for name, number in zip(names, points(weights), strict=True):
        print(f"{number:7} {name}")


if __name__ == "__main__":
    main()

"""Alpha-beta in C compared with plain minimax, in late positions of random two-player games.

Each feature is enabled alone, then all features together.  The value must not change, except for
the two features that change values (quiescence, repetition); for these, the plain search uses the
same rule.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from forthvm import engines
from forthvm.game import Position
from tests.engines.reference import WIN, Budget, Node, Rules, TooBigError, TwoSides, late_positions
from tests.kit.every_game import slow_variants
from tests.kit.games import loaded

# The first five features do not change values; the last two do.
FEATURES = (
    "tt",
    "killers",
    "history",
    "captures",
    "pvs",
    "quiescence",
    "repetition",
)
EXTENSION = 2
"""The maximum number of plies of the quiescence search."""

# Game, seed of the random game, maximum depth, number of positions, maximum size of a tree.
GAMES = [
    ("amazons", 1, 2, 1, 2500),
    ("tictactoe", 1, 4, 4, 700),
    ("tictactoe", 2, 4, 4, 700),
    ("brandubh", 1, 2, 2, 1500),
    ("tablut", 1, 2, 1, 2500),
    ("oware", 1, 4, 2, 1500),
    ("breakthrough", 1, 3, 1, 1500),
    ("breakthrough", 3, 2, 2, 1500),
    ("connect-four", 1, 4, 2, 700),
    ("draughts", 1, 4, 2, 600),
    ("draughts", 2, 4, 3, 600),
    ("draughts", 5, 3, 3, 600),
    ("draughts-international", 1, 3, 2, 700),
    ("draughts-russian", 1, 3, 2, 700),
    ("reversi", 1, 4, 3, 600),
    ("reversi-6x6", 1, 4, 3, 600),
    ("reversi-6x6", 2, 4, 3, 600),
    ("go", 1, 1, 1, 900),
    ("go-13x13", 1, 1, 1, 900),
    ("go-9x9", 1, 2, 2, 2000),
    ("gomoku", 1, 1, 1, 900),
    ("gomoku-standard", 1, 1, 1, 900),
    ("hex", 1, 2, 1, 900),
    ("chess", 1, 2, 2, 900),
    ("chess", 4, 2, 2, 600),
    ("chess-960", 2, 2, 2, 600),
    ("chess-los-alamos", 2, 3, 1, 700),
    ("makruk", 1, 2, 2, 900),
    ("shogi", 1, 2, 1, 1200),
    ("shogi-mini", 1, 3, 2, 900),
    ("xiangqi", 1, 2, 1, 1500),
    ("splut-duel", 1, 3, 1, 1200),
    ("splut-duel", 4, 2, 2, 1200),
    ("splut-duel-official", 2, 2, 2, 1200),
    ("thud", 1, 1, 1, 900),
    ("thud-koom-valley", 1, 1, 2, 900),
    ("rithmomachia", 1, 1, 2, 900),
    ("rithmomachia-2", 1, 1, 1, 300),
    # Variants with the moves of another game but different ends or beginnings.
    ("splut-random", 3, 2, 1, 1200),
    ("thud-choice", 1, 1, 1, 900),
    ("thud-match", 2, 1, 1, 900),
    ("rithmomachia-all-victories", 2, 1, 1, 900),
    ("rithmomachia-distant-siege", 3, 1, 1, 900),
    ("rithmomachia-distant-siege-glorious", 4, 1, 1, 900),
    ("rithmomachia-distant-siege-glorious-pyramid", 5, 1, 1, 900),
    ("rithmomachia-glorious", 6, 1, 1, 900),
    ("rithmomachia-glorious-pyramid", 7, 1, 1, 900),
    ("rithmomachia-random", 8, 1, 1, 900),
]


def spec(*features: str, **numbers: int) -> str:
    """Return the options of a search with only these features, and with further options."""
    options = {name: int(name in features) for name in FEATURES}
    options["extension"] = EXTENSION
    return ",".join(f"{key}={value}" for key, value in {**options, **numbers}.items())


SETTINGS = {
    "no features": spec(),
    **{name: spec(name) for name in FEATURES},
    "without quiescence and repetition": spec("tt", "killers", "history", "captures", "pvs"),
    "all": spec(*FEATURES),
    "all, seed 7": spec(*FEATURES, seed=7),
}


def rules_of(setting: str) -> Rules:
    all_features = setting.startswith("all")
    return Rules(
        quiescence=all_features or setting == "quiescence",
        extension=EXTENSION,
        repetition=all_features or setting == "repetition",
    )


def trees(
    name: str, seed: int, max_depth: int, expected_count: int, max_size: int
) -> Iterator[tuple[Position, int, TwoSides]]:
    """Yield late positions, each with the greatest depth for which its tree is small enough."""
    yielded = 0
    for position in late_positions(loaded(name).start(), seed, max_turns=80, step=3):
        for depth in range(max_depth, 0, -1):
            root = Node(position, Budget(max_size))
            plain = TwoSides(root, Rules(quiescence=True, extension=EXTENSION))
            try:
                plain.move_values(depth)
                TwoSides(root, Rules()).move_values(depth)
            except TooBigError:
                continue
            root.budget.remaining = 100_000  # the test expands the tree further, by other rules
            yield position, depth, plain
            yielded += 1
            break
        if yielded == expected_count:
            return
    assert yielded, "no position was small enough"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed", "max_depth", "expected_count", "max_size"), slow_variants(GAMES)
)
def test_every_setting_has_the_value_of_minimax(
    name: str, seed: int, max_depth: int, expected_count: int, max_size: int
) -> None:
    for position, depth, tree in trees(name, seed, max_depth, expected_count, max_size):
        values_by_rules: dict[Rules, list[int]] = {}
        for setting, options in SETTINGS.items():
            rules = rules_of(setting)
            if rules not in values_by_rules:
                values_by_rules[rules] = TwoSides(tree.root, rules).move_values(depth)
            values = values_by_rules[rules]
            result = engines.get(f"negamax:depth={depth},net=none,{options}").play(position)
            where = f"{position!r}, depth {depth}, {setting}"
            assert result.score == max(values), where
            assert values[result.move.index] == max(values), where
            assert result.depth == depth or abs(result.score) > WIN - 100, where

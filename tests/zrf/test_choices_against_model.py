"""Choices other than the defaults, on compiled games and on the model: equal play of random games.

The model has constants of the same names as the choices; those that it lacks are tested by
test_choices.py alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.models import zrf
from tests.models.zrf import choices as of_model
from tests.models.zrf.random_games import random_game
from tests.zrf.lockstep import play_together

PLIES = 40
OUR_ORDER = ("draw", "count", "mover-loses", "other-loses", "mover-wins", "other-wins")
MODEL_ORDER = ("draw", "count", "loss of the mover", "loss", "win of the mover", "win")

OTHERS = [
    ("neutral_pieces_are_enemies", False, [5, 45]),
    ("neutral_pieces_attack", True, [5]),
    ("players_for_elimination", 4, [14, 31, 96, 118]),
    ("real_players_for_skip", 2, [2, 5, 32, 34]),
    ("real_players_for_skip", 4, [14, 18, 28, 29]),
    ("continuation_types_start_a_turn", False, [10, 11, 16, 17]),
    ("each_capture_of_a_part_counts", False, [43]),
    ("drops_on_dummies", True, [3, 4, 11, 16]),
    ("goal_order", OUR_ORDER, [19, 98, 153]),
    ("safety_after_each_part", False, [36, 76, 110, 117]),
    ("third_occurrence_is_a_draw", False, [2, 10, 26, 38]),
]
"""Choices, other values, and seeds of games in which these make a difference."""


def set_in_model(name: str, value: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change a constant in all modules of the model that import it."""
    if name == "goal_order":
        value = MODEL_ORDER
    for module_name, module in list(sys.modules.items()):
        if module_name.startswith(zrf.__name__) and hasattr(module, name.upper()):
            monkeypatch.setattr(module, name.upper(), value)


def as_setting(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(value) if isinstance(value, tuple) else str(value)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value", "seeds"), OTHERS)
def test_random_games_with_another_choice(
    name: str, value: object, seeds: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hasattr(of_model, name.upper())
    set_in_model(name, value, monkeypatch)
    settings = {name.replace("_", "-"): as_setting(value)}
    path = tmp_path / "random.zrf"
    for seed in seeds:
        path.write_text(random_game(seed))
        play_together(path, plies=PLIES, seed=seed, settings=settings)

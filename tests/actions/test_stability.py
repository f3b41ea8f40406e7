"""The numbers of the bundled games do not change between versions.

Networks that were trained without a saved file of numbers depend on them.  A change of numbers.txt
must be listed in the changelog; the guide contains the same table.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from tests.kit.every_game import BUNDLED, every_game

TABLE = Path(__file__).parent / "numbers.txt"


def pinned() -> dict[str, str]:
    """For each game, the rest of its line: the number of actions, and the form of the numbers."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return {name: rest.strip() for name, _, rest in (line.partition(" ") for line in lines)}


def numbers_of(name: str) -> str:
    actions = forthvm.load(name).actions
    return f"{len(actions)} {actions.form}"


def test_every_game_is_in_the_table() -> None:
    assert sorted(pinned()) == sorted(entry.name for entry in BUNDLED)


@pytest.mark.sampled(3)
@every_game()
def test_numbers_are_those_of_earlier_versions(name: str) -> None:
    assert numbers_of(name) == pinned()[name]

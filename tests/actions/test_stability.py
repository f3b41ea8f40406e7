"""The numbers of the bundled games do not change between versions.

Networks that were trained without a saved file of numbers depend on them.  A change of numbers.txt
must be listed in the changelog.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import forthvm
from forthvm.game import ActionError
from tests.every_game import BUNDLED, every_game

TABLE = Path(__file__).parent / "numbers.txt"


def pinned() -> dict[str, str]:
    """For each game, the rest of its line: the number of actions, and the hash of their texts."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return {name: rest.strip() for name, _, rest in (line.partition(" ") for line in lines)}


def numbers_of(name: str) -> str:
    try:
        actions = forthvm.load(name).actions
        texts = [actions.text(number) for number in range(len(actions))]
    except ActionError:
        return "too many"
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()
    return f"{len(texts)} {digest[:16]}"


def test_every_game_is_in_the_table() -> None:
    assert sorted(pinned()) == sorted(entry.name for entry in BUNDLED)


@every_game()
def test_numbers_are_those_of_earlier_versions(name: str) -> None:
    assert numbers_of(name) == pinned()[name]

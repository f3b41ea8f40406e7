"""Fuzz tests of the files of learners: numbers of actions, observations, search trees, positions.

A damaged file is read, or refused with an error for users; what was read can be used.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

import forthvm
from forthvm.core.failure import ForthVMError
from forthvm.engines import Limits
from forthvm.engines.search.mcts import MctsEngine, SearchTree
from forthvm.game import Position
from forthvm.learn.observations.spec import ObservationSpec
from tests.engines.mcts_trees import grown
from tests.fuzz.harness import number_from_environment, seed, time_limit
from tests.fuzz.test_positions import edited, scrambled
from tests.kit.games import loaded

CASES = number_from_environment("FORTHVM_FUZZ_LEARNERS_FILES", 60)


def _read_actions(text: str) -> None:
    game = forthvm.load("tictactoe")
    game.actions.use_json(text)
    # Numbers that are valid but too few mask moves, with a warning.
    warnings.simplefilter("ignore", RuntimeWarning)
    assert len(game.start().legal_actions) <= len(game.actions)


def _read_tree(text: str) -> None:
    tree = SearchTree.from_json(loaded("tictactoe").start(), text)
    MctsEngine(seed=1).grow(tree, Limits(nodes=20))
    assert tree.to_json()


def _read_observations(text: str) -> None:
    game = forthvm.load("tictactoe")
    forthvm.observer(game, spec=ObservationSpec.from_json(text)).observe(game.start())


def _read_position(text: str) -> None:
    position = Position.from_json(forthvm.load("tictactoe"), text)
    assert position.to_json()


def _documents() -> dict[Callable[[str], None], str]:
    """Return the reader and the text of a document of each kind."""
    game = forthvm.load("tictactoe")
    tree = grown(game.start(), 20)
    return {
        _read_actions: game.actions.to_json(),
        _read_tree: tree.to_json(),
        _read_observations: forthvm.observer(game).spec.to_json(),
        _read_position: game.start().to_json(),
    }


@pytest.mark.slow
def test_damaged_files_of_learners() -> None:
    random = Random(seed())
    documents = _documents()
    for case in range(CASES):
        read, text = random.choice([*documents.items()])
        damaged = random.choice((edited, edited, edited, scrambled))(text, random)
        try:
            with time_limit(), suppress(ForthVMError, ValueError), warnings.catch_warnings():
                read(damaged)
        except BaseException as error:
            error.add_note(f"case {case}: {read.__name__} {damaged[:2000]}")
            raise

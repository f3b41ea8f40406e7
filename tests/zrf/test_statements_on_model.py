"""The cases for single statements of the contract, on the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from tests.kit.cases import each_case
from tests.models import zrf
from tests.zrf.statement_cases import case_files, check_file


@dataclass(frozen=True)
class ModelPlayer:
    """The model as `statement_cases` asks for it."""

    path: Path
    position: zrf.Position

    def moves(self) -> Sequence[str]:
        return [move.text for move in self.position.moves()]

    def play(self, index: int) -> ModelPlayer:
        return replace(self, position=self.position.play(self.position.moves()[index]))

    def board(self) -> Mapping[str, tuple[str, str, frozenset[str]]]:
        return {
            square: (owner, kind, frozenset(name for name in values if values[name]))
            for square, (owner, kind, values) in self.position.board().items()
        }

    def stores(self) -> Mapping[tuple[str, str], int]:
        return self.position.reserves

    def turn(self) -> str:
        return self.position.player

    def turn_number(self) -> int:
        return self.position.turn_number

    def result(self) -> Mapping[str, str] | None:
        return self.position.result

    def titles(self) -> Sequence[str]:
        return zrf.titles(self.path)


@pytest.mark.slow
@each_case("path", case_files(), ids=lambda path: path.stem)
def test_cases_on_model(path: Path) -> None:
    load = cache(zrf.load)
    check_file(path, lambda rules, variant: ModelPlayer(rules, load(rules, variant).start()))

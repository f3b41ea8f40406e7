"""The cases for single statements of the contract, on compiled rule files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import forthvm
from forthvm.game.zsg_writing import next_number
from forthvm.zrf.loading import CompiledRules
from tests.zrf.statement_cases import case_files, check_file

FIRST_ATTRIBUTE_BIT = 16  # of a board cell; the attributes of a game follow in their order


@dataclass(frozen=True)
class CompiledPlayer:
    """A compiled game as `statement_cases` asks for it."""

    position: forthvm.Position
    number: int = 1  # the turn's number in saved games

    def _compiled(self) -> CompiledRules:
        compiled = self.position.game._loaded.rules
        assert isinstance(compiled, CompiledRules)
        return compiled

    def moves(self) -> Sequence[str]:
        return [str(move) for move in self.position.legal_moves]

    def play(self, index: int) -> CompiledPlayer:
        after = self.position.copy()
        after.push(after.legal_moves[index])
        if after.is_partial:
            return CompiledPlayer(after, self.number)
        before, repeat = self.position._turn_index, after.game.turn_repeat
        return CompiledPlayer(after, next_number(self.number, before, after._turn_index, repeat))

    def board(self) -> Mapping[str, tuple[str, str, frozenset[str]]]:
        return {
            square: (piece.player, piece.type, self._true_attributes(square))
            for square, piece in self.position.board.items()
            if piece is not None
        }

    def _true_attributes(self, square: str) -> frozenset[str]:
        names = self._compiled().rules.attributes
        cell = self.position.cells[self.position.game._loaded.position_index[square]]
        return frozenset(
            name for bit, name in enumerate(names, FIRST_ATTRIBUTE_BIT) if cell >> bit & 1
        )

    def stores(self) -> Mapping[tuple[str, str], int]:
        rules = self._compiled().rules
        names = [(player, piece.name) for player in rules.players for piece in rules.pieces]
        vm = self.position.game._loaded.vm
        with self.position._in_memory() as native:
            cells = [native.read(vm.call("z-stores", i)[0], 4) for i in range(len(names))]
        return {
            name: int.from_bytes(cell, "little", signed=True)
            for name, cell in zip(names, cells, strict=True)
        }

    def turn(self) -> str:
        return self.position.turn

    def turn_number(self) -> int:
        return self.number

    def result(self) -> Mapping[str, str] | None:
        outcome = self.position.result
        if outcome is None:
            return None
        if outcome.draw:
            return dict.fromkeys(outcome.players, "draw")
        return {name: "win" if name in outcome.winners else "loss" for name in outcome.players}

    def titles(self) -> Sequence[str]:
        return self._compiled().file.titles


@pytest.mark.sampled(23)
@pytest.mark.parametrize("path", case_files(), ids=lambda path: path.stem)
def test_cases_on_compiled_rules(path: Path) -> None:
    load = cache(forthvm.load)
    check_file(path, lambda rules, variant: CompiledPlayer(load(rules, variant=variant).start()))

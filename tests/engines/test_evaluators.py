"""Evaluators in Python: they stand in for OnEvaluate, exactly, and cannot spoil the game."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from reference import Budget, EachForHimself, Node, Rules, TwoSides, late_positions
from test_search_against_minimax import FEATURES, spec

import forthvm
from forthvm import engines
from forthvm.engines import EngineError, EngineOptionError
from forthvm.engines.evaluator import Glance
from forthvm.game import Game, Position

SCRIPTS = Path(__file__).parent / "scripts"
MULTIPLIER = 2654435761


@cache
def loaded(name: str) -> Game:
    script = SCRIPTS / f"{name}.4th"
    return forthvm.load(script if script.exists() else name)


def judged(cells: tuple[int, ...], player: int) -> int:
    """Some number that depends on every cell and on who asks."""
    value = 17 * player
    for at, cell in enumerate(cells):
        value = (value * 31 + cell * (at + 1)) % MULTIPLIER
    return value % 2001 - 1000


def judge(glance: Glance) -> int:
    return judged(tuple(glance.cells), glance.player_index)


class JudgedNode(Node):
    """A position that is worth what `judged` says."""

    def worth(self, player: str | None = None) -> int:
        game = self.position.game
        index = self.position.player_index if player is None else game.players.index(player)
        return judged(self.position.cells, index)

    @property
    def children(self) -> list[Node]:  # type: ignore[override]
        kept: list[Node] | None = self.__dict__.get("kept")
        if kept is None:
            kept = [
                JudgedNode(child.position, self.budget, child.ply)
                for child in Node(self.position, self.budget, self.ply).children
            ]
            self.__dict__["kept"] = kept
        return kept


@pytest.mark.parametrize("name", ["draughts", "breakthrough", "two-and-one", "two-dice"])
@pytest.mark.parametrize("on", [(), FEATURES[:6]])
def test_a_function_is_asked_in_place_of_the_script(name: str, on: tuple[str, ...]) -> None:
    for position in late_positions(loaded(name).start(), 3, most=10)[:3]:
        values = TwoSides(JudgedNode(position, Budget(60_000)), Rules()).move_values(2)
        engine = engines.get(f"negamax:depth=2,{spec(*on)}", evaluator=judge)
        result = engine.play(position)
        assert result.score == max(values)
        assert values[result.move.index] == max(values)


@pytest.mark.parametrize("engine", ["paranoid", "maxn"])
def test_more_players(engine: str) -> None:
    for position in late_positions(loaded("three-dice").start(), 3)[:3]:
        root = JudgedNode(position, Budget(60_000))
        if engine == "maxn":
            own = EachForHimself(root, Rules()).move_values(2)
            best = max(each[root.viewer] for each in own)
        else:
            best = max(TwoSides(root, Rules()).move_values(2))
        made = engines.get(f"{engine}:depth=2,{spec()}", evaluator=judge)
        assert made.play(position).score == best


def test_what_it_is_shown() -> None:
    position = loaded("tictactoe").start()
    seen: list[tuple[str, int, tuple[int, ...]]] = []

    def look(glance: Glance) -> int:
        assert glance.game is position.game
        seen.append((glance.turn, glance.player_index, tuple(glance.cells)))
        return 0

    engines.get("negamax:depth=1", evaluator=look).play(position)
    assert len(seen) == 9
    assert {turn for turn, _, _ in seen} == {"O"}
    assert {index for _, index, _ in seen} == {1}
    boards = set()
    for move in list(position.legal_moves):
        position.push(move)
        boards.add(position.cells)
        position.pop()
    assert {cells for _, _, cells in seen} == boards


def test_a_script_without_evaluation_can_be_given_one(tmp_path: Path) -> None:
    script = tmp_path / "plain.4th"
    script.write_text(
        r"""
{board 1 4 {grid} board}
{players {player} X {player} O players}
{turn-order {turn} X {turn} O turn-order}
: put ( -- ) empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} mark {drops} puts pieces}
""",
        encoding="utf-8",
    )
    position = forthvm.load(script).start()

    def likes_the_third(glance: Glance) -> int:
        return -glance.cells[2]

    result = engines.get("negamax:depth=1", evaluator=likes_the_third).play(position)
    assert str(result.move).endswith("c1")


def test_large_numbers_are_no_wins() -> None:
    position = loaded("breakthrough").start()
    for huge in (10**30, -(10**30)):
        score = (
            engines.get("negamax:depth=1", evaluator=lambda _, huge=huge: huge).play(position).score
        )
        assert abs(score) == 2130000000 - 100000


class Sevens:
    """Counts as a whole number without being one."""

    def __index__(self) -> int:
        return 7


def test_anything_that_is_an_index_will_do() -> None:
    position = loaded("breakthrough").start()
    assert engines.get("negamax:depth=2", evaluator=lambda _: Sevens()).play(position).score == 7


@pytest.mark.parametrize("engine", ["negamax:depth=3", "maxn:depth=2", "brs:depth=2"])
@pytest.mark.parametrize("answer", [None, "9", 1.5, float("nan"), True])
def test_answers_that_are_no_numbers(engine: str, answer: object) -> None:
    position = loaded("breakthrough").start()
    before = position.copy()
    with pytest.raises(EngineError, match="no whole number"):
        engines.get(engine, evaluator=lambda _: answer).play(position)
    intact(position, before)


@pytest.mark.parametrize("engine", ["negamax:depth=3", "maxn:depth=2", "brs:depth=2"])
@pytest.mark.parametrize("after", [0, 1, 25])
def test_an_exception_comes_out_as_it_is(engine: str, after: int) -> None:
    position = loaded("breakthrough").start()
    before = position.copy()
    asked = 0

    def fails(glance: Glance) -> int:
        nonlocal asked
        asked += 1
        if asked > after:
            raise ZeroDivisionError("in an evaluator")
        return 0

    with pytest.raises(ZeroDivisionError, match="in an evaluator"):
        engines.get(engine, evaluator=fails).play(position)
    intact(position, before)


def intact(position: Position, before: Position) -> None:
    assert position == before
    assert engines.get("negamax:depth=2").play(position).move in position.legal_moves
    position.push(position.legal_moves[0])
    position.pop()
    assert position == before


def test_the_script_evaluates_again_afterwards() -> None:
    position = loaded("breakthrough").start()
    own = engines.get("negamax:depth=2").play(position).score
    engines.get("negamax:depth=2", evaluator=judge).play(position)
    assert engines.get("negamax:depth=2").play(position).score == own


def test_by_name() -> None:
    position = loaded("breakthrough").start()
    named = engines.get("negamax:depth=2,evaluator=test_evaluators:judge").play(position)
    handed = engines.get("negamax:depth=2", evaluator=judge).play(position)
    assert (named.score, named.pv) == (handed.score, handed.pv)


@pytest.mark.parametrize("evaluator", [7, "math:no_such", "no.such.module:f", "math"])
def test_what_is_no_evaluator(evaluator: object) -> None:
    with pytest.raises(EngineOptionError):
        engines.get("negamax", evaluator=evaluator)


def test_one_thread_only() -> None:
    with pytest.raises(EngineOptionError, match="threads=1"):
        engines.get("negamax:threads=2", evaluator=judge)

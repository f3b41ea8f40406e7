"""Unusual games: native search compared with plain minimax on test scripts.

The games have two turns for one side and one for the other, a board of 19 by 19, a piece on two
squares, moves that change memory outside the board, or values that depend on the turn number.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm import engines
from forthvm.engines import Limits
from forthvm.game import Position
from tests.engines.reference import WIN, Budget, Node, Rules, TwoSides, late_positions
from tests.engines.test_search_against_minimax import EXTENSION, FEATURES, SETTINGS, rules_of, spec
from tests.kit.cases import each_case
from tests.kit.games import SCRIPTS, load_text, loaded


def positions(name: str, seed: int, expected_count: int) -> list[Position]:
    """Return positions that are spread over a random game."""
    late = late_positions(loaded(name).start(), seed, max_turns=30)
    return late[:: max(1, len(late) // expected_count)][:expected_count]


def assert_equals_minimax(
    position: Position, depth: int, setting: str, values_by_rules: dict[Rules, list[int]]
) -> None:
    rules = rules_of(setting)
    if rules not in values_by_rules:
        values_by_rules[rules] = TwoSides(Node(position, Budget(20_000)), rules).move_values(depth)
    result = engines.get(f"negamax:depth={depth},{SETTINGS[setting]}").play(position)
    where = f"{position!r}, depth {depth}, {setting}"
    assert result.score == max(values_by_rules[rules]), where
    assert values_by_rules[rules][result.move.index] == max(values_by_rules[rules]), where
    assert result.depth == depth or abs(result.score) > WIN - 100, where


WITHOUT_REPETITION = [setting for setting in SETTINGS if not rules_of(setting).repetition]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("name", "depth", "expected_count"),
    [
        ("two-and-one", 4, 3),
        ("wide", 3, 3),
        ("outside", 5, 4),
        ("turn-number", 4, 3),
        ("half-turns", 4, 3),
    ],
)
def test_search_equals_minimax(name: str, depth: int, expected_count: int, seed: int) -> None:
    for position in positions(name, seed, expected_count):
        values_by_rules: dict[Rules, list[int]] = {}
        for setting in WITHOUT_REPETITION:
            assert_equals_minimax(position, depth, setting, values_by_rules)


def test_all_features_with_a_random_move_order() -> None:
    for position in positions("wide", 9, 4):
        values_by_rules: dict[Rules, list[int]] = {}
        for setting in ("all", "all, seed 7"):
            assert_equals_minimax(position, 3, setting, values_by_rules)


@pytest.mark.slow
def test_board_of_nineteen_by_nineteen() -> None:
    for position in positions("big-board", 4, 3)[-2:]:
        values_by_rules: dict[Rules, list[int]] = {}
        for setting in ("no features", "tt", "pvs", "all"):
            assert_equals_minimax(position, 2, setting, values_by_rules)


def test_variables_outside_the_board_are_detected() -> None:
    position = loaded("outside").start()
    result = engines.get("negamax:depth=3").play(position)
    assert result.info["outside"] == 2  # steps-right and turns-modulo-3
    assert "warning" not in result.info
    assert engines.get("negamax:depth=3").play(loaded("wide").start()).info["outside"] == 0


def test_keys_contain_the_last_bytes_of_memory(tmp_path: Path) -> None:
    """HERE is not aligned, so the last cell that moves change is only partly allotted."""
    text = (SCRIPTS / "outside.4th").read_text(encoding="utf-8")
    assert "VARIABLE steps-right" in text
    position = load_text(
        tmp_path,
        text.replace("steps-right +!", "steps-right +! last-bytes C@ 1+ last-bytes C!").replace(
            "VARIABLE steps-right",
            "VARIABLE last VARIABLE steps-right\n: last-bytes ( -- addr ) last @ ;",
        )
        + "\nHERE last ! 1 C, 2 C,\n",
        name="unaligned.4th",
    ).start()
    with_table = engines.get(f"negamax:depth=4,{spec('tt')}").play(position)
    assert with_table.info["outside"] == 3
    assert with_table.score == engines.get(f"negamax:depth=4,{spec()}").play(position).score


def test_reused_table_distinguishes_variables() -> None:
    # Positions have equal boards but different variables, so they must not share an entry.
    engine = engines.get(f"negamax:depth=4,{spec('tt', 'pvs')}")
    for position in late_positions(loaded("outside").start(), 11, max_turns=14)[::-1]:
        values = TwoSides(Node(position, Budget(20_000)), Rules()).move_values(4)
        assert engine.play(position).score == max(values), repr(position)


def test_reused_table_distinguishes_turn_numbers() -> None:
    engine = engines.get(f"negamax:depth=3,{spec('tt', 'pvs')}")
    for position in late_positions(loaded("turn-number").start(), 5, max_turns=14)[::-1]:
        values = TwoSides(Node(position, Budget(20_000)), Rules()).move_values(3)
        assert engine.play(position).score == max(values), repr(position)


@each_case("features", [(), ("tt", "pvs"), ("quiescence",), FEATURES])
def test_too_much_memory_outside_the_board_disables_the_table(features: tuple[str, ...]) -> None:
    # No position occurs twice, so repetition has no effect.
    rules = Rules(quiescence="quiescence" in features, extension=EXTENSION)
    for position in positions("vast", 1, 3):
        values = TwoSides(Node(position, Budget(20_000)), rules).move_values(3)
        result = engines.get(f"negamax:depth=3,{spec(*features)}").play(position)
        assert result.score == max(values), repr(position)
        assert values[result.move.index] == max(values)
        assert "hash key" in str(result.info["warning"])


@each_case("name", ["two-and-one", "wide", "outside", "turn-number"])
def test_lines_are_the_best_moves_in_order(name: str) -> None:
    for position in positions(name, 6, 3):
        values = TwoSides(Node(position, Budget(20_000)), Rules()).move_values(3)
        for features in ((), ("pvs", "tt", "history", "killers", "captures")):
            result = engines.get(f"negamax:depth=3,lines=3,{spec(*features)}").play(position)
            lines = result.info["lines"]
            assert isinstance(lines, list)
            best = sorted(values, reverse=True)[:3]
            assert [score for score, _ in lines] == best, repr(position)
            assert [values[pv[0].index] for _, pv in lines] == best
            assert len({pv[0].index for _, pv in lines}) == len(lines)


@each_case("name", ["two-and-one", "wide", "outside", "turn-number"])
@each_case("features", [(), FEATURES[:-2]])
def test_principal_variation_leads_to_its_score(name: str, features: tuple[str, ...]) -> None:
    for position in positions(name, 8, 4):
        result = engines.get(f"negamax:{spec(*features)}").play(position, Limits(depth=3))
        root_player, current = position.turn, position.copy()
        for move in result.pv:
            assert str(move) in [str(legal) for legal in current.legal_moves]
            current.push(move)
        end = Node(current, Budget(1), len(result.pv))
        sign = 1 if end.viewer == root_player else -1
        if end.decided is not None:
            assert result.score == sign * end.decided * (WIN - end.ply)
        else:
            assert len(result.pv) == 3
            assert result.score == sign * end.evaluation()


def test_extension_limits_quiescence_search() -> None:
    # If the script never calls a position quiet, only `extension` ends the search.
    position = loaded("two-and-one").start()
    for extension in (0, 1, 3):
        rules = Rules(quiescence=True, extension=extension)
        values = TwoSides(Node(position, Budget(20_000)), rules).move_values(2)
        options = spec("quiescence").replace(f"extension={EXTENSION}", f"extension={extension}")
        assert engines.get(f"negamax:depth=2,{options}").play(position).score == max(values)

"""Large and hostile rule files: contract, items 14, 16 and 112."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import forthvm
from forthvm.zrf.code import Code, inner_codes
from forthvm.zrf.rule_file import parse_rule_text
from forthvm.zrf.rules import Rules
from forthvm.zrf.source import RuleFileError
from tests.kit.messages import raises
from tests.kit.processes import output_of
from tests.zrf.large_file import expanded_nodes, large_rule_file
from tests.zrf.texts import rules


def codes_of(found: Rules) -> dict[int, Code]:
    """Return all different code objects of the pieces."""
    codes: dict[int, Code] = {}
    waiting = [block.code for piece in found.pieces for block in piece.moves]
    while waiting:
        code = waiting.pop()
        if id(code) in codes:
            continue
        codes[id(code)] = code
        for instruction in code.instructions:
            waiting += inner_codes(instruction)
    return codes


@pytest.mark.slow
def test_equal_calls_of_a_file_of_three_million_nodes_are_read_once() -> None:
    text = large_rule_file()
    assert expanded_nodes(text) > 3_000_000
    found = parse_rule_text(text).rules()
    names = {code.name for code in codes_of(found).values() if code.name}
    looks = {name for name in names if name.startswith("look ")}
    assert len(looks) == 7 * 100 * 8  # pieces, squares, directions
    assert len(names) == 7 * 100 * 8 + 7 * 100 + 7  # `around` and `scan`, too


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_a_game_of_three_million_nodes_needs_less_than_200_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "large.zrf"
    path.write_text(large_rule_file())
    program = f"""
from pathlib import Path
import forthvm
forthvm.load({str(path)!r})
lines = Path("/proc/self/status").read_text().splitlines()
print(next(line.split()[1] for line in lines if line.startswith("VmHWM")))
"""
    # Not resource.getrusage: its maximum contains the memory of the process that called fork.
    printed = output_of(sys.executable, "-c", program)
    assert int(printed) < 200_000  # KiB


def doubling(count: int, last: str) -> str:
    """Return macros of which each calls the one before it twice."""
    calls = (f"(define m{i} (m{i - 1}) (m{i - 1}))" for i in range(1, count))
    return f"(define m0 {last})" + "".join(calls)


def test_equal_calls_are_read_once_even_if_nested_in_lists() -> None:
    define = "(define m0 n add)" + "".join(
        f"(define m{i} (if empty? (m{i - 1}) else (m{i - 1})))" for i in range(1, 70)
    )
    assert len(codes_of(rules(define=define, moves="((m69))"))) == 1 + 3 * 69 + 1


@pytest.mark.slow
@pytest.mark.parametrize("where", ["(board (m60))", "(board (grid (m60)))", "(m60)"])
def test_an_exploding_board_ends_by_a_limit(where: str) -> None:
    with raises(RuleFileError, "zrf-limits.forms-of-macros") as caught:
        rules(define=doubling(61, "(dummy x)"), board=where)
    assert caught.value.trace


@pytest.mark.slow
def test_an_exploding_condition_ends_by_a_limit() -> None:
    with raises(RuleFileError, "zrf-limits.forms-of-macros"):
        rules(define=doubling(61, "empty?"), moves="((verify (and (m60))))")


@pytest.mark.slow
def test_calls_with_ever_new_arguments_end_by_a_limit() -> None:
    define = "(define m0 n)" + "".join(
        f"(define m{i} (m{i - 1} $1x) (m{i - 1} $1y))" for i in range(1, 60)
    )
    define = define.replace("(define m0 n)", "(define m0 (set-flag $1 true))")
    with raises(RuleFileError, "zrf-limits.macro-calls"):
        rules(define=define, moves="((m59 a))")


def test_names_that_double_end_by_a_limit() -> None:
    define = "(define m0 (set-flag $1 true))" + "".join(
        f"(define m{i} (m{i - 1} $1$1))" for i in range(1, 90)
    )
    with raises(RuleFileError, "zrf-limits.long-name"):
        rules(define=define, moves="((m89 a))")


@pytest.mark.slow
def test_the_limit_applies_to_each_variant() -> None:
    body = "(image " + "x " * 999 + ")"
    text = f"(define many {body * 600}) (game (title T) (players A) (board (many) (dummy x)))"
    file = parse_rule_text(text)
    for _ in range(4):
        assert len(file.rules().board.positions) == 1


def test_deep_lists_in_deep_macros_end_with_a_message() -> None:
    define = "(define m0 n)" + "".join(
        f"(define m{i} (if empty? (if empty? (m{i - 1}))))" for i in range(1, 80)
    )
    with raises(RuleFileError, "zrf-limits.nested-lists") as caught:
        rules(define=define, moves="((m79))")
    assert caught.value.trace


def test_deep_conditions_end_with_a_message() -> None:
    define = "(define m0 empty?)" + "".join(
        f"(define m{i} {'(not ' * 100} (m{i - 1}) {')' * 100})" for i in range(1, 90)
    )
    with raises(RuleFileError, "zrf-limits.nested-too-deep"):
        rules(define=define, moves="((verify (m89)))")


def test_code_may_be_nested_as_deep_as_any_real_file() -> None:
    define = "(define m0 n add)" + "".join(
        f"(define m{i} (if empty? (while friend? (m{i - 1}))))" for i in range(1, 50)
    )
    assert codes_of(rules(define=define, moves="((m49))"))


def test_warnings_are_limited() -> None:
    nonsense = "".join(f"(nonsense{i})" for i in range(2000))
    assert len(rules(board=f"(board {nonsense})").warnings) == 500


@pytest.mark.slow
def test_all_positions_of_a_large_board_may_be_killed() -> None:
    hundred = "/".join(map(str, range(100)))
    board = f"""(board (grid (dimensions ("{hundred}" (1 0)) ("-{hundred}" (1 0)))
    (directions (n 1 0) (e 0 1))) (kill-positions {{}}))"""
    names = " ".join(f"{i}{j}" for i in range(100) for j in range(1, 100))
    found = rules(board=board.replace("{}", names))
    assert len(found.board.positions) < 10_000


def compiled_game(
    tmp_path: Path,
    *,
    players: str = "White Black",
    turns: str = "White Black",
    pieces: str = "(piece (name Man) (moves (e (verify empty?) add)))",
    extra: str = "",
) -> Path:
    """Write a rule file of four squares in a row."""
    path = tmp_path / "game.zrf"
    path.write_text(
        f"""(game (title "Test") (players {players}) (turn-order {turns})
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0)) ("2/1" (0 10)))
          (directions (e 1 0) (w -1 0))))
        {pieces} {extra}
        (board-setup (White (Man a1)) (Black (Man a2))))"""
    )
    return path


@pytest.mark.parametrize("count", [128, 129, 300])
def test_a_turn_order_may_have_any_length(tmp_path: Path, count: int) -> None:
    turns = " ".join(["Black", "repeat", *["White"] * (count - 2), "(Black White)"])
    pieces = "(piece (name Man) (moves (e (verify empty?) add) (w (verify empty?) add)))"
    path = compiled_game(tmp_path, turns=turns, pieces=pieces)
    position = forthvm.load(path, settings={"third-occurrence-is-a-draw": "off"}).start()
    order = []
    for _ in range(count + 2):
        order.append(position.turn)
        position.push(position.legal_moves[0])
    assert order == ["Black", *["White"] * (count - 2), "Black", "White", "White"]


TOO_MANY = {
    "32 players": {"players": "White Black " + " ".join(f"P{i}" for i in range(30))},
    "1,024 pieces": {
        "pieces": "".join(f"(piece (name {n}))" for n in ("Man", *(f"T{i}" for i in range(1023))))
    },
    "17 attributes": {
        "pieces": f"(piece (name Man) {' '.join(f'(attribute a{i} true)' for i in range(17))})"
    },
    "128 move types with priorities": {
        "extra": f"(move-priorities {' '.join(f't{i}' for i in range(128))})"
    },
}


@pytest.mark.parametrize("what", TOO_MANY)
def test_too_many_of_a_kind_are_refused_with_a_place_and_a_remedy(
    tmp_path: Path, what: str
) -> None:
    with pytest.raises(RuleFileError, match=what) as caught:
        forthvm.load(compiled_game(tmp_path, **TOO_MANY[what]))
    assert caught.value.location.file.endswith("game.zrf")
    assert caught.value.hints


@pytest.mark.slow
def test_an_error_outside_of_move_code_has_the_place_of_its_section(tmp_path: Path) -> None:
    # Each zone needs memory for each player and position.
    players = "White Black " + " ".join(f"P{i}" for i in range(29))
    hundred = "/".join(map(str, range(100)))
    large = (
        f'(grid (start-rectangle 0 0 9 9) (dimensions ("{hundred}" (9 0)) ("-{hundred}" (0 9))))'
    )
    zones = "".join(f"(zone (name z{i}) (positions a1))" for i in range(20))
    path = compiled_game(tmp_path, players=players)
    path.write_text(path.read_text().replace("(board ", f"(board {large} {zones} "))
    budget = forthvm.Budget(memory=4 << 20)
    with pytest.raises(forthvm.ForthVMError) as caught:
        forthvm.load(path, budget=budget)
    assert caught.value.location.file.endswith("game.zrf")
    assert caught.value.location.text.lstrip().startswith("(board")


@pytest.mark.slow
def test_equal_moves_count_once_in_a_list_of_any_length(tmp_path: Path) -> None:
    macros = "".join(f"(define m{i} e)" for i in range(2100))
    blocks = " ".join(f"((m{i}) add)" for i in range(2100))
    path = compiled_game(tmp_path, pieces=f"(piece (name Man) (moves {blocks}))")
    path.write_text(macros + path.read_text())
    assert [str(move) for move in forthvm.load(path).start().legal_moves] == ["Man a1 - b1"]

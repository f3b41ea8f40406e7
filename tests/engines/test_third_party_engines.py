"""Engines of other authors: invalid results, seeds, and installation.

The tests use them with the library (`choose_move`, `analyse`) and on the command line.
"""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import forthvm
from forthvm import engines
from forthvm.cli.position_text import search_summary
from forthvm.core.errors import MoveSyntaxError
from forthvm.engines import Engine, EngineError, EngineOptionError, UnknownEngineError
from forthvm.engines.registry import get_with_default_seed
from forthvm.game import WIN, Position
from tests.engines import samples
from tests.kit.boards import grid
from tests.kit.commands import Cli
from tests.kit.games import load_text, loaded
from tests.kit.messages import raises

TICTACTOE = loaded("tictactoe").start()


class FailingRepr:
    def __repr__(self) -> str:
        raise ValueError("no repr")

    def __eq__(self, other: object) -> bool:
        raise ValueError("no comparison")

    __hash__ = None  # type: ignore[assignment]


# --- results -------------------------------------------------------------------------------------

INVALID_RESULTS = [
    (None, "returned None instead of a SearchResult"),
    (7, "returned 7 instead"),
    ("resign", "played 'resign', which is not a legal move of X"),
    (FailingRepr(), "returned <FailingRepr instance"),
    ({"move": None}, "played None, which is not a legal move of X"),
    ({"move": "resign"}, "played 'resign', which"),
    ({"move": 3}, "played 3, which"),
    ({"move": []}, "played \\[\\], which"),
    ({"move": FailingRepr()}, "played <FailingRepr instance"),
    ({"move": "x" * 10_000}, "xxx'?, which is not a legal"),
    ({"score": "high"}, "returned score='high' in its SearchResult"),
    ({"score": True}, "returned score=True"),
    ({"score": math.nan}, "returned score=nan"),
    ({"score": Decimal("nan")}, "returned score=Decimal"),
    ({"score": 1j}, "returned score=1j"),
    ({"score": [1]}, "returned score=\\[1\\]"),
    ({"depth": 1.5}, "returned depth=1.5"),
    ({"pv": None}, "returned pv=None"),
    ({"pv": ("X mark a9",)}, "returned 'X mark a9' in its pv, which is no legal move"),
    ({"pv": (3,)}, "returned 3 in its pv, which is no legal move"),
    ({"nodes": None}, "returned nodes=None"),
    ({"depth": "4"}, "returned depth='4'"),
    ({"time": None}, "returned time=None"),
    ({"info": None}, "returned info=None"),
    (ZeroDivisionError("by nought"), "failed at ply 1: ZeroDivisionError: by nought"),
    (MoveSyntaxError("what is `x`?"), "failed at ply 1: MoveSyntaxError: what is `x`"),
    (NotImplementedError(), "failed at ply 1: NotImplementedError$"),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("value", "message"), INVALID_RESULTS)
def test_errors_about_invalid_results_name_the_engine(
    start: Position, value: object, message: str
) -> None:
    start.push("b2")
    before = start.copy()
    engine = samples.ReturnsValue(value)
    # The messages above name X; after the first move, it is O's turn.
    with pytest.raises(EngineError, match=message.replace("of X", "of O")) as caught:
        engines.choose_move(engine, start)
    assert len(str(caught.value)) < 200
    assert "'answers'" in str(caught.value)
    if isinstance(value, Exception):
        assert caught.value.__cause__ is value
        assert "samples.py" in caught.value.report()  # the location of the failure
    with pytest.raises(EngineError):
        list(engines.analyse(engine, start))
    assert start == before
    start.push(engines.get("first").play(start).move)


def test_texts_are_moves(start: Position) -> None:
    """An engine may return texts in any form that `Position.parse` accepts."""
    for value in ("X mark a1", "a1", {"move": "a1", "pv": ("a1", "O mark b2", "c3")}):
        result = engines.choose_move(samples.ReturnsValue(value), start)
        assert result.move == start.parse("X mark a1")
    assert [str(move) for move in result.pv] == ["X mark a1", "O mark b2", "X mark c3"]


def test_numpy_arrays_are_not_moves(start: Position) -> None:
    numpy = pytest.importorskip("numpy")
    for value in (numpy.arange(3), numpy.int64(1)):
        with raises(EngineError, "third-party-engines.illegal-move"):
            engines.choose_move(samples.ReturnsValue({"move": value}), start)


def test_complete_results_are_accepted(start: Position) -> None:
    first = start.legal_moves[0]
    fields = {"score": -3, "pv": [first], "depth": 2, "nodes": 9, "time": 1, "info": {"a": 1}}
    result = engines.choose_move(samples.ReturnsValue(fields), start)
    assert (result.move, result.score, result.info) == (first, -3, {"a": 1})


@given(score=st.integers() | st.floats(allow_nan=False) | st.fractions() | st.decimals(-9, 9))
def test_scores_may_be_any_real_numbers(score: float) -> None:
    fields = {"score": score, "depth": 2, "nodes": 9, "time": 1}
    result = engines.choose_move(samples.ReturnsValue(fields), TICTACTOE)
    infinite = isinstance(score, float) and math.isinf(score)
    assert result.score == (math.copysign(WIN, score) if infinite else pytest.approx(float(score)))
    assert type(result.score) in (int, float)
    json.dumps(result.score, allow_nan=False)
    assert search_summary(result).startswith(("score ", "win in ", "loss in "))


def test_numbers_of_numpy_become_plain(start: Position) -> None:
    numpy = pytest.importorskip("numpy")
    for score in (numpy.float32(0.25), numpy.float64(0.25), numpy.array(0.25), numpy.array([0.25])):
        fields = {"score": score, "depth": numpy.int64(2), "nodes": numpy.uint8(9)}
        result = engines.choose_move(samples.ReturnsValue(fields), start)
        assert (result.score, result.depth, result.nodes) == (0.25, 2, 9)
        assert [type(value) for value in (result.score, result.depth)] == [float, int]
    assert (
        type(engines.choose_move(samples.ReturnsValue({"score": numpy.int8(-3)}), start).score)
        is int
    )
    for wrong in (numpy.bool_(1), numpy.nan, numpy.arange(3), numpy.complex64(1)):
        with raises(EngineError, "third-party-engines.invalid-score"):
            engines.choose_move(samples.ReturnsValue({"score": wrong}), start)


def test_reports_are_checked_like_results(start: Position) -> None:
    numpy = pytest.importorskip("numpy")
    reported = {
        "score": numpy.float32(0.5),
        "nodes": numpy.int64(3),
        "scores": {"X": Fraction(1, 2)},
    }
    with engines.analyse(samples.Reports(reported), start) as analysis:
        (info,) = analysis
    assert (info.score, info.nodes, info.scores) == (0.5, 3, {"X": 0.5})
    assert type(info.score) is float
    for wrong in ({"score": math.nan}, {"scores": {"X": "high"}}, {"depth": 0.5}):
        with pytest.raises(EngineError, match=f"'Reports' reported {next(iter(wrong))}="):
            list(engines.analyse(samples.Reports(wrong), start))


def test_engines_are_not_called_in_decided_positions(start: Position) -> None:
    for square in ("a1", "a2", "b1", "b2", "c1"):
        start.push(square)
    with raises(EngineError, "third-party-engines.engines-are-not-called"):
        engines.choose_move(engines.get(samples.Last), start)


def test_script_error_keeps_its_report(tmp_path: Path) -> None:
    """An error of the VM inside an engine is not replaced by the less specific EngineError."""
    position = load_text(tmp_path, FAILING_SCRIPT, name="broken.4th").start()

    class PushesMove:
        def play(self, position: Position) -> object:
            position.push(position.legal_moves[0])
            return position.legal_moves[0]

    with raises(forthvm.DivisionError, "third-party-engines.script-error-keeps-its-report"):
        engines.choose_move(engines.get(PushesMove), position)


FAILING_SCRIPT = grid(1, 3, players="X O")
FAILING_SCRIPT += """\
: put ( -- ) a1 not-empty-at? IF 1 0 / DROP ENDIF empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} mark {drops} puts pieces}
"""


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("tests.engines.samples:ReturnsNone", "returned None instead of a SearchResult"),
        ("tests.engines.samples:ReturnsIllegalText", "'resign', which is not a legal move of X"),
        ("tests.engines.samples:Raises", "failed at ply 0: ZeroDivisionError: in an evaluator"),
        ("tests.engines.samples:ReturnsForeignMove", "which is not a legal move of X"),
        (
            "negamax:depth=2,evaluator=tests.engines.test_third_party_engines:failing_evaluator",
            "ply 0, failed: KeyError: 'weights'",
        ),
        (
            "negamax:depth=2,evaluator=tests.engines.test_third_party_engines:constant_evaluator",
            "returned 0.5, which is not an integer",
        ),
    ],
)
def test_command_line_reports_failures(engine: str, message: str, cli: Cli) -> None:
    status, _, err = cli("run", "tictactoe", "--auto", "--engine", engine)
    assert status == 1
    assert message in " ".join(err.split())
    assert ("Traceback" in err) is ("failed" in message)
    # The traceback contains only frames of the engine, not of forthvm.
    assert all("tests" in file for file in re.findall(r'File "([^"]+)"', err))


def failing_evaluator(view: engines.EvaluationView) -> int:
    return {}["weights"]  # type: ignore[no-any-return]


def constant_evaluator(view: engines.EvaluationView) -> float:
    return 0.5


# --- seeds ---------------------------------------------------------------------------------------


def six_moves(engine: Engine) -> list[str]:
    """Return the first six moves of a game of the engine against itself."""
    position = loaded("breakthrough").start()
    moves = []
    for _ in range(6):
        result = engines.choose_move(engine, position)
        moves.append(str(result.move))
        position.push(result.move)
    return moves


@pytest.mark.parametrize(
    "spec",
    [
        "random",
        "tests.engines.samples:RandomMoves",
        "tests.engines.samples:RandomMovesByOptions",
        "tests.engines.samples:RandomMoves:skip=1",
    ],
)
def test_seeds_are_passed_to_engines_that_accept_them(spec: str) -> None:
    assert six_moves(get_with_default_seed(spec, 3)) == six_moves(get_with_default_seed(spec, 3))
    assert six_moves(get_with_default_seed(spec, 3)) != six_moves(get_with_default_seed(spec, 4))
    spec_with_seed = f"{spec}{',' if '=' in spec else ':'}seed=3"
    # The seed in the specification takes precedence.
    seeded_by_spec = get_with_default_seed(spec_with_seed, 4)
    assert six_moves(seeded_by_spec) == six_moves(get_with_default_seed(spec, 3))


@pytest.mark.parametrize(
    "spec",
    [
        "first",
        "negamax:depth=1",
        "mcts:playouts=20",
        "tests.engines.samples:Last",
        "tests.engines.samples:Seedless",
    ],
)
def test_seeds_are_not_passed_to_other_engines(spec: str) -> None:
    assert six_moves(get_with_default_seed(spec, 3)) == six_moves(engines.get(spec))


def test_default_seed_of_an_invalid_specification_is_refused() -> None:
    with raises(EngineOptionError, "third-party-engines.unknown-option"):
        get_with_default_seed("tests.engines.samples:RandomMovesByOptions:fast=1", 3)
    with pytest.raises(EngineOptionError, match="fast"):
        get_with_default_seed("tests.engines.samples:RandomMoves:fast=1", 3)
    with pytest.raises(UnknownEngineError):
        get_with_default_seed("tests.engines.samples:Missing", 3)


def test_run_with_a_seed_is_reproducible(cli: Cli) -> None:
    def run(seed: int) -> str:
        arguments = ["run", "tictactoe", "--auto", "--engine", "tests.engines.samples:RandomMoves"]
        return cli.out(*arguments, "--seed", seed)

    games = [run(seed) for seed in (1, 1, 2)]
    assert games[0] == games[1]
    assert games[0] != games[2]


# --- installed packages --------------------------------------------------------------------------


@pytest.fixture
def installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Create a package as pip installs it: a module, and metadata beside it."""
    (tmp_path / "pebble_engines.py").write_text(MODULE, encoding="utf-8")
    info = tmp_path / "pebble_engines-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: pebble-engines\nVersion: 1.0\n", encoding="utf-8"
    )
    (info / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    (info / "RECORD").write_text("pebble_engines.py,,\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "pebble_engines", raising=False)


ENTRY_POINTS = """
[console_scripts]
pebbles = pebble_engines:Nowhere

[forthvm.engines]
pebble = pebble_engines:Pebble
lost = pebble_engines:Nowhere
gone = no_such_module_anywhere:Pebble
number = pebble_engines:NUMBER
negamax = pebble_engines:Pebble
"""
MODULE = '''
"""Engines of another package."""
NUMBER = 7


class Pebble:
    """Plays the move whose position, counted from the end of the list, is `back`."""

    def __init__(self, back="1", seed=None):
        self.back = int(back)

    def play(self, position, limits):
        return position.legal_moves[-self.back]
'''


@pytest.mark.usefixtures("installed_package")
def test_installed_engines_are_found(start: Position) -> None:
    assert engines.names()["pebble"] == "from pebble_engines:Pebble"
    assert engines.choose_move(engines.get("pebble"), start).move == start.legal_moves[-1]
    assert engines.choose_move(engines.get("pebble:back=3"), start).move == start.legal_moves[-3]
    assert (
        engines.choose_move(get_with_default_seed("pebble", 1), start).move == start.legal_moves[-1]
    )
    assert "pebbles" not in engines.names()  # in another group


@pytest.mark.usefixtures("installed_package")
def test_built_in_names_cannot_be_replaced(start: Position) -> None:
    assert "alpha-beta" in engines.names()["negamax"]
    assert engines.get("negamax:depth=1").play(start).depth == 1


@pytest.mark.usefixtures("installed_package")
@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("lost", UnknownEngineError, "does not load.*Nowhere"),
        ("gone", UnknownEngineError, "does not load.*no_such_module_anywhere"),
        ("number", UnknownEngineError, "neither a class nor an engine"),
        ("pebbel", UnknownEngineError, "did you mean 'pebble'"),
        ("pebble:back=x", EngineOptionError, "invalid literal"),
        ("pebble:fast=1", EngineOptionError, "fast"),
    ],
)
def test_invalid_installed_engines_are_reported(
    spec: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        engines.get(spec)


@pytest.mark.usefixtures("installed_package")
def test_installed_engine_plays_on_the_command_line(cli: Cli) -> None:
    out = cli.out("run", "tictactoe", "--auto", "--engine", "pebble", "--seed", "1")
    last = loaded("tictactoe").start().legal_moves[-1]
    assert f"1. X: {last}\n" in out

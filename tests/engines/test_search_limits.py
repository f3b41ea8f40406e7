"""Stopped, limited, repeated and failing searches do not change the position.

If they do not fail, they return a legal move.
"""

from __future__ import annotations

import gc
import os
import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import forthvm
from forthvm import engines
from forthvm.core.bindings import NativeVM
from forthvm.core.errors import ForthVMError, Interrupted, NestingTooDeep
from forthvm.engines import Engine, EngineError, EngineOptionError, Info, Limits
from forthvm.game import Position
from tests.engines.reference import Budget, Node, Rules, TwoSides, late_positions
from tests.engines.test_search_against_minimax import FEATURES, spec
from tests.kit.boards import drops, grid
from tests.kit.cases import each_case
from tests.kit.games import load_text, loaded, play
from tests.kit.messages import raises
from tests.repeated_calls import called_repeatedly

TWO_PLAYER_GAMES = ["breakthrough", "draughts", "two-and-one", "outside", "vast", "two-dice"]
SLIDERS = """
{{board 1 4 {{grid}} board}}
{{directions 0 1 {{direction}} e 0 -1 {{direction}} w directions}}
{{players {{player}} A {{player}} B players}}
{{turn-order {{turn}} A {{turn}} B turn-order}}
: step ( 'dir -- ) EXECUTE verify empty? verify from here move {end} add-move ;
: step-e ['] e step ; : step-w ['] w step ;
{{moves steps {{move}} step-e {{move}} step-w moves}}
{{pieces {{piece}} man {{moves}} steps pieces}}
{{board-setup {{setup}} A man a1 {{setup}} B man d1 board-setup}}
{hook}
"""
HOUR = 3600.0  # a search that is not stopped would never end in a test
MULTIPLAYER_GAMES = ["three-dice", "splut"]


def midgame(name: str, seed: int = 1, max_turns: int = 12) -> Position:
    """Return a position with several legal moves, after at most `max_turns` random turns."""
    positions = late_positions(loaded(name).start(), seed, max_turns=max_turns)
    return next(position for position in positions if len(position.legal_moves) > 1)


def checked_nodes(position: Position, engine: Engine, limits: Limits | None = None) -> int:
    """Search, check that position and VM are unchanged, and return the number of nodes."""
    before = position.copy()
    texts = position.legal_moves.texts
    result = engine.play(position, limits)
    assert result.move in position.legal_moves
    assert result.pv[0] == result.move
    current = position.copy()
    play(current, *result.pv)
    lines = result.info.get("lines", [])
    assert isinstance(lines, list)
    assert len({pv[0].index for _, pv in lines}) == len(lines)
    assert position == before
    assert position.legal_moves.texts == texts
    return result.nodes


# --- stopping ------------------------------------------------------------------------------------


@pytest.mark.sampled(11)
@pytest.mark.parametrize("name", [*TWO_PLAYER_GAMES, *MULTIPLAYER_GAMES])
@pytest.mark.parametrize("engine", ["negamax", "maxn", "brs"])
def test_search_stopped_at_any_node_returns_a_move(name: str, engine: str) -> None:
    position = midgame(name)
    for nodes in [*range(1, 16), 23, 47, 101]:
        visited = checked_nodes(position, engines.get(f"{engine}:lines=3,nodes={nodes}"))
        assert visited <= nodes + 1


@pytest.mark.slow
@each_case("name", [*TWO_PLAYER_GAMES, *MULTIPLAYER_GAMES])
def test_search_stopped_after_any_playout_returns_a_move(name: str) -> None:
    position = midgame(name)
    for limit in [*range(1, 12), 23, 47]:
        playouts = checked_nodes(position, engines.get(f"mcts:depth=20,playouts={limit},seed=3"))
        assert playouts <= limit


@pytest.mark.sampled(2)
@pytest.mark.parametrize("features", [(), FEATURES])
def test_search_with_features_stopped_at_any_node_returns_a_move(features: tuple[str, ...]) -> None:
    position = midgame("draughts")
    for nodes in range(1, 200, 7):
        checked_nodes(position, engines.get(f"negamax:nodes={nodes},lines=2,{spec(*features)}"))


@pytest.mark.parametrize("name", ["breakthrough", "two-dice", "three-dice"])
def test_time_limit_of_zero_returns_a_move(name: str) -> None:
    position = midgame(name)
    for engine in ("negamax", "paranoid", "maxn", "brs", "mcts"):
        checked_nodes(position, engines.get(engine), Limits(time=0))
        checked_nodes(position, engines.get(f"{engine}:time=0"))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("engine", ["negamax", "paranoid", "maxn", "brs", "mcts"])
def test_search_stopped_from_another_thread_returns_a_move(engine: str) -> None:
    position = midgame("splut", max_turns=3)
    searching_engine = engines.get(engine)
    with called_repeatedly(searching_engine.stop):
        checked_nodes(position, searching_engine, Limits(time=HOUR))
    searching_engine.stop()  # no search is running: this must not end the next search
    assert searching_engine.play(position, Limits(nodes=50)).nodes >= 10


def test_best_move_is_kept_when_the_time_runs_out() -> None:
    # The limits end the search at different nodes after depth 1.  Each time the result must be the
    # win that depth 1 found.
    position = before_win_in_one()
    depth_1 = engines.get("negamax:depth=1,tt=0").play(position)
    for nodes in range(depth_1.nodes + 1, depth_1.nodes + 40):
        result = engines.get(f"negamax:nodes={nodes},tt=0").play(position)
        assert str(result.move).endswith("c1")


def before_win_in_one() -> Position:
    """Return a position in which X wins by c1."""
    return play(forthvm.load("tictactoe").start(), "a1", "a2", "b1", "b2")


# --- reproducibility -----------------------------------------------------------------------------


@pytest.mark.slow
@each_case("name", [*TWO_PLAYER_GAMES, *MULTIPLAYER_GAMES])
@each_case("engine", ["negamax", "maxn", "brs"])
def test_same_seed_searches_the_same_tree(name: str, engine: str) -> None:
    position = midgame(name)
    searches = []
    for seed in (0, 0, 9, 9):
        result = engines.get(f"{engine}:nodes=400,seed={seed}").play(position)
        searches.append((result.move, result.score, result.pv, result.nodes, result.depth))
    assert searches[0] == searches[1]
    assert searches[2] == searches[3]


def test_new_game_clears_the_table() -> None:
    position = midgame("breakthrough")
    engine = engines.get("negamax:depth=3")
    first = engine.play(position).info["evaluations"]
    # The transposition table contains results of the first search.
    assert engine.play(position).info["evaluations"] < first
    engine.new_game()
    assert engine.play(position).info["evaluations"] == first


# --- a thousand searches -------------------------------------------------------------------------


def resident() -> int:
    """Return the number of resident pages of the process."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        pytest.skip("no /proc here")


VmState = tuple[int, int]


def vm_state(native: NativeVM) -> VmState:
    """Return the end of the image's dictionary, and the depth of the stack."""
    return native.here(), native.depth()


@pytest.fixture
def recorded_states(monkeypatch: pytest.MonkeyPatch) -> list[tuple[VmState, VmState]]:
    """Record `vm_state` before and after each search, before the position is restored."""
    states: list[tuple[VmState, VmState]] = []
    original_search = NativeVM._search

    def recorded_search(self: NativeVM, function: Callable[..., int], *args: object) -> None:
        before = vm_state(self)
        original_search(self, function, *args)
        states.append((before, vm_state(self)))

    monkeypatch.setattr(NativeVM, "_search", recorded_search)
    return states


@pytest.mark.slow
def test_a_thousand_searches_leak_nothing(recorded_states: list[tuple[VmState, VmState]]) -> None:
    rng = random.Random(7)
    names = ["breakthrough", "draughts", "outside", "vast", "three-dice", "two-dice", "tictactoe"]
    names += ["splut-three", "wide", "three-halves"]
    positions = [midgame(name) for name in names]
    specs = ["negamax:tt=1", "maxn:tt=0", "brs:tt=1", "mcts:depth=3", "negamax:tt=0,lines=3"]
    all_engines = [engines.get(text) for text in specs]
    pages_before = 0
    stopped_values = set()
    for number in range(1000):
        if number == 300:  # by then, all caches have their final size
            gc.collect()
            pages_before = resident()
        position = rng.choice(positions)
        limits = rng.choice(
            [
                Limits(nodes=rng.randrange(1, 120)),
                Limits(nodes=60, depth=rng.randrange(1, 4)),
                Limits(time=rng.random() * 0.002),
            ]
        )
        result = rng.choice(all_engines).play(position, limits)
        stopped_values.add(result.info.get("stopped"))
        before, after = recorded_states[-1]
        assert before == after, f"search {number}, {position.game.name}, {limits}"
    assert len(recorded_states) == 1000
    assert {True, False} <= stopped_values  # some searches were stopped, some were completed
    gc.collect()
    if "FORTHVM_SANITIZED" not in os.environ:  # a sanitizer delays freeing
        assert resident() - pages_before < 1500  # 1,500 pages of 4 kB are six megabytes


# --- two threads ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize("depth", [3, 5])
@pytest.mark.parametrize("name", ["breakthrough", "two-and-one", "outside", "two-dice"])
def test_several_threads_have_the_value_of_one(name: str, depth: int, threads: int) -> None:
    position = midgame(name)
    exact = engines.get(f"negamax:depth={depth},repetition=0").play(position)
    for _ in range(3):
        engine = engines.get(f"negamax:depth={depth},repetition=0,threads={threads}")
        before = position.copy()
        result = engine.play(position)
        assert result.score == exact.score
        assert result.move in position.legal_moves
        assert position == before


def test_several_threads_have_the_lines_of_one() -> None:
    position = midgame("outside")
    scores = []
    for threads in (1, 3):
        engine = engines.get(f"negamax:depth=4,repetition=0,lines=3,threads={threads}")
        lines = engine.play(position).info["lines"]
        assert isinstance(lines, list)
        scores.append([score for score, _ in lines])
    assert scores[0] == scores[1]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("spec", ["maxn:depth=2", "maxn:depth=2,lines=3", "brs:depth=3"])
@pytest.mark.parametrize(
    "name",
    [
        "three-turns",
        "three-halves",
        "three-dice",
        "two-pairs",
        pytest.param("yonin-shogi", marks=pytest.mark.slow),
    ],
)
def test_threads_that_divide_the_root_have_the_result_of_one(name: str, spec: str) -> None:
    position = midgame(name)
    alone = engines.get(spec).play(position)
    for _ in range(3):
        result = engines.get(f"{spec},threads=2").play(position)
        assert (result.score, result.move, result.depth) == (alone.score, alone.move, alone.depth)
        assert result.info.get("scores") == alone.info.get("scores")
        if spec.startswith("maxn"):  # it prunes nothing
            assert result.info["lines"] == alone.info["lines"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("spec", ["maxn:depth=30,threads=2", "brs:depth=30,threads=2"])
def test_threads_that_divide_the_root_can_be_stopped(spec: str) -> None:
    position = midgame("splut")
    engine = engines.get(spec)
    alive = threading.active_count()
    for _ in range(3):
        timer = threading.Timer(0.03, engine.stop)
        timer.start()
        checked_nodes(position, engine, Limits(time=30))
        timer.join()
        checked_nodes(position, engine, Limits(nodes=20))
        checked_nodes(position, engine, Limits(time=0.02))
    assert threading.active_count() == alive


def test_threads_can_be_stopped() -> None:
    position = midgame("splut")
    engine = engines.get("negamax:threads=2")
    alive = threading.active_count()
    with called_repeatedly(engine.stop):
        checked_nodes(position, engine, Limits(time=HOUR))
    checked_nodes(position, engine, Limits(nodes=20))
    checked_nodes(position, engine, Limits(time=0))
    assert threading.active_count() == alive


# --- failures ------------------------------------------------------------------------------------

FAILING_GAME = grid(3, 3, players="X O") + drops("mark")
FAILING_GAME += """\
: marks ( -- n ) 0 9 0 DO I not-empty-at? IF 1+ ENDIF LOOP ;
: OnIsGameOver ( -- score ) stalemate? IF #DrawScore ELSE #UnknownScore ENDIF ;
: OnEvaluate ( -- score ) {EVALUATE} ;
"""


def position_with_evaluation(tmp_path: Path, evaluate: str) -> Position:
    """Return a position of FAILING_GAME with these words as the body of OnEvaluate."""
    return load_text(
        tmp_path, FAILING_GAME.replace("{EVALUATE}", evaluate), name="position_with_evaluation.4th"
    ).start()


SEARCHES = ["negamax", "maxn", "brs", "mcts:depth=2", "negamax:threads=2"]


@pytest.mark.parametrize("engine", SEARCHES)
@pytest.mark.parametrize("evaluate", ["marks 2 > IF 1 0 / ENDIF 3", "999999999 @"])
def test_a_script_that_fails_is_reported(tmp_path: Path, engine: str, evaluate: str) -> None:
    position = position_with_evaluation(tmp_path, evaluate)
    before = position.copy()
    with pytest.raises(ForthVMError, match=r"zero|memory|address"):
        engines.get(engine).play(position)
    assert position == before
    position.push(position.legal_moves[0])
    position.pop()
    assert position == before
    assert engines.get("first").play(position).move in position.legal_moves


@pytest.mark.parametrize("engine", SEARCHES[:-1])
def test_an_endless_evaluation_can_be_interrupted(tmp_path: Path, engine: str) -> None:
    position = position_with_evaluation(tmp_path, "marks 2 > IF BEGIN FALSE UNTIL ENDIF 3")
    before = position.copy()
    with pytest.raises(Interrupted), called_repeatedly(position.game._loaded.vm.interrupt):
        engines.get(engine).play(position)
    assert position == before


@pytest.mark.parametrize(
    ("end", "hook", "question"),
    [
        ("partial", "", "does every chain of partial moves end?"),
        ("partial", ": OnIsTerminal? TRUE ;", "does every chain of partial moves end?"),
        (
            "",
            ": OnIsTerminal? FALSE ;",
            "does OnIsTerminal? ever return TRUE, and does every chain of partial moves end?",
        ),
    ],
)
def test_a_search_without_end_asks_for_its_cause(
    tmp_path: Path, end: str, hook: str, question: str
) -> None:
    path = tmp_path / "game.4th"
    path.write_text(SLIDERS.format(end=end, hook=hook), encoding="utf-8")
    with raises(NestingTooDeep, "search-limits.the-search-went-moves") as caught:
        engines.get("axiom:depth=2").play(forthvm.load(path).start())
    assert str(caught.value).splitlines()[0].endswith(f"1000 moves deep: {question}")


def test_failing_reporter_keeps_the_position() -> None:
    position = midgame("breakthrough")
    before = position.copy()

    def report(info: Info) -> None:
        raise ZeroDivisionError("in a reporter")

    with pytest.raises(ZeroDivisionError):
        engines.get("negamax:depth=2").play(position, report=report)
    assert position == before
    checked_nodes(position, engines.get("negamax:depth=2"))


@each_case(
    "engine_spec",
    [
        "negamax:depth=0",
        "negamax:depth=101",
        "negamax:time=-1",
        "negamax:time=nan",
        "negamax:nodes=0",
        "negamax:lines=0",
        "negamax:threads=0",
        "negamax:tt=-1",
        "negamax:pvs=perhaps",
        "negamax:extension=-1",
        "negamax:depht=3",
        "maxn:seed=x",
        "negamax:evaluator=no.such.module:f",
        "negamax:evaluator=math",
        "negamx:depth=3",
        "",
    ],
)
def test_invalid_options_are_refused(engine_spec: str) -> None:
    with pytest.raises(EngineError) as caught:
        engines.get(engine_spec)
    if engine_spec not in {"negamx:depth=3", ""}:
        assert isinstance(caught.value, EngineOptionError)


@each_case("limits", [{"depth": 0}, {"time": -1}, {"nodes": 0}, {"time": "1"}])
def test_invalid_limits_are_refused(limits: dict[str, object]) -> None:
    with pytest.raises(EngineOptionError):
        Limits(**limits)  # type: ignore[arg-type]


@each_case("engine", ["negamax", "maxn", "brs", "mcts"])
def test_decided_game_is_refused(engine: str) -> None:
    position = play(before_win_in_one(), "c1")
    with raises(EngineError, "search-limits.decided-game"):
        engines.get(engine).play(position)


# --- reports -------------------------------------------------------------------------------------


def test_reports_include_each_depth_and_line() -> None:
    position = midgame("two-and-one")
    reports: list[Info] = []
    result = engines.get("negamax:depth=3,lines=2,quiescence=0,repetition=0").play(
        position, report=reports.append
    )
    assert [(info.depth, info.line) for info in reports] == [
        (depth, line) for depth in (1, 2, 3) for line in (0, 1)
    ]
    values = TwoSides(Node(position, Budget(20_000)), Rules()).move_values(3)
    last = reports[-2:]
    assert [info.score for info in last] == sorted(values, reverse=True)[:2]
    assert last[0].best == str(result.move)
    for info in reports:
        current = position.copy()
        play(current, *info.pv)
    nodes = [info.nodes or 0 for info in reports]
    assert nodes == sorted(nodes)

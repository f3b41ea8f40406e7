"""Misbehaving engines of scripts, and words that do not end: reports, and the fallback move."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from forthvm import engines, load
from forthvm.core.errors import EngineStopped, ForthVMError, Interrupted
from forthvm.engines import EngineError, Limits, Reporter, SearchResult
from forthvm.game import Position
from tests.kit.boards import grid
from tests.kit.commands import Cli
from tests.kit.files import write
from tests.kit.games import load_text

GAME = """
{engine}
{{board 1 5 {{grid}} board}}
{{directions 0 1 {{direction}} right 0 -1 {{direction}} left directions}}
{{players
	{{player}} West {{search-engine}} think
	{{player}} East {{search-engine}} think
players}}
{{turn-order {{turn}} West {{turn}} East turn-order}}
: step ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: to-right ['] right step ;
: to-left ['] left step ;
{{moves man-moves {{move}} to-right {{move}} to-left moves}}
{{pieces {{piece}} man {{moves}} man-moves pieces}}
{{board-setup {{setup}} West man b1 {{setup}} East man d1 board-setup}}
{hooks}
"""
PLAY_FIRST = "$FirstMove $MoveString BestMove!"


def game_file(folder: Path, engine: str, hooks: str = "") -> Path:
    return write(folder / "odd.4th", GAME.format(engine=engine, hooks=hooks))


def start(folder: Path, engine: str, hooks: str = "") -> Position:
    return load(game_file(folder, engine, hooks)).start()


def faults(position: Position, limits: Limits | None = None) -> tuple[str, ...]:
    texts = engines.get("script").play(position, limits).info.get("faults", ())
    assert isinstance(texts, tuple)
    return texts


# --- faults after a search -----------------------------------------------------------------------

GENERATE = "$player @ TRUE 0 $GenerateMoves"
"""Words that allocate a move list."""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("5 6", ["left 2 numbers on the stack"]),
        ("7", ["left 1 number on the stack"]),
        ("$CloneBoard", ["did not free 1 cloned board"]),
        ("$CloneBoard $CloneBoard", ["did not free 2 cloned boards"]),
        ("$CloneBoard $DeallocateBoard", []),
        (GENERATE, ["did not free 1 move list"]),
        (f"{GENERATE} {GENERATE} $DeallocateMoves", ["did not free 1 move list"]),
        (f"{GENERATE} $DeallocateMoves", []),
        ("12 $turnOffset !", ["changed whose turn it is"]),  # the offset in bytes of East's turn
        ("$CloneBoard 3", ["left 1 number on the stack", "did not free 1 cloned board"]),
    ],
)
def test_engine_that_does_not_clean_up_has_faults(
    tmp_path: Path, body: str, expected: list[str]
) -> None:
    position = start(tmp_path, f": think {PLAY_FIRST} {body} ;")
    before = position.copy()
    for fault, text in zip(faults(position), expected, strict=True):
        assert fault.startswith("the script's engine for West ")
        assert text in fault
    assert position.cells == before.cells
    assert position.legal_moves.texts == before.legal_moves.texts
    position.push(position.legal_moves[0])
    assert position.turn == "East"


def test_correct_engine_has_no_faults(tmp_path: Path) -> None:
    result = engines.get("script").play(start(tmp_path, f": think {PLAY_FIRST} 3 Score! ;"))
    assert "faults" not in result.info


# --- failures ------------------------------------------------------------------------------------


def test_move_chosen_before_a_failure_is_played(tmp_path: Path) -> None:
    position = start(tmp_path, f": think {PLAY_FIRST} 1 0 / ;")
    result = engines.get("script").play(position)
    assert result.move == position.legal_moves[0]
    (fault,) = result.info["faults"]  # type: ignore[misc]
    assert "division by zero" in fault
    assert "odd.4th:2:" in fault


@pytest.mark.parametrize(
    ("engine", "text"),
    [
        (": think 3 Score! ;", "ended without calling BestMove!"),
        (': think S" man z9 - z8" BestMove! ;', "chose 'man z9 - z8', which is not a legal move"),
        (": think 1 0 / ;", "division by zero"),
    ],
)
def test_fallback_is_the_first_legal_move(tmp_path: Path, engine: str, text: str) -> None:
    position = start(tmp_path, engine)
    with pytest.raises(ForthVMError):
        engines.get("script").play(position)
    result = engines.choose_move_or_first(engines.get("script"), position)
    assert result.move == position.legal_moves[0]
    (fault,) = result.info["faults"]  # type: ignore[misc]
    assert text in fault
    assert "West plays the first legal move, 'man b1 - c1'." in fault


def test_fallback_applies_only_to_engines_of_the_script(tmp_path: Path) -> None:
    class Bad(engines.Engine):
        name = "bad"

        def play(
            self,
            position: Position,
            limits: Limits | None = None,
            *,
            report: Reporter | None = None,
        ) -> SearchResult:
            raise EngineError("I give up")

    with pytest.raises(EngineError, match="give up"):
        engines.choose_move_or_first(Bad(), start(tmp_path, ": think ;"))


def test_run_continues_and_reports_each_fault_once(tmp_path: Path, cli: Cli) -> None:
    path = game_file(tmp_path, f": think $turnNumber @ 1 = IF 1 0 / ENDIF {PLAY_FIRST} 9 ;")
    status, out, err = cli("run", path, "--auto", "--max-plies", "6")
    assert status == 0
    assert out.count(": man") == 3
    assert err.count("division by zero") == 1
    assert err.count("West plays the first legal move") == 1
    assert err.count("the script's engine for West left 1 number on the stack") == 1
    assert err.count("the script's engine for East left 1 number on the stack") == 1


# --- words that do not end -----------------------------------------------------------------------


def test_endless_engine_is_ended_after_its_time(tmp_path: Path) -> None:
    position = start(tmp_path, ": think BEGIN FALSE UNTIL ;")
    before = position.copy()
    with pytest.raises(EngineStopped) as caught:
        engines.get("script:time=0.05").play(position)
    assert caught.value.location.line == 2
    assert position == before


def test_endless_engine_plays_its_last_best_move(tmp_path: Path) -> None:
    position = start(tmp_path, f": think {PLAY_FIRST} BEGIN FALSE UNTIL ;")
    result = engines.get("script").play(position, Limits(time=0.05))
    assert result.move == position.legal_moves[0]
    assert result.info["stopped"]
    (fault,) = result.info["faults"]  # type: ignore[misc]
    assert "did not stop when requested" in fault


def test_stop_ends_an_endless_engine(tmp_path: Path) -> None:
    position = start(tmp_path, f": think {PLAY_FIRST} BEGIN FALSE UNTIL ;")
    engine = engines.get("script")
    reported = threading.Event()
    stopper = threading.Thread(target=lambda: (reported.wait(), engine.stop()))
    stopper.start()
    result = engine.play(position, report=lambda info: reported.set())
    stopper.join()
    assert result.move == position.legal_moves[0]


def test_engine_that_obeys_search_status_has_no_faults(tmp_path: Path) -> None:
    """SearchStatus@ returns #StopSoon at the limit, and #StopNow after half of the grace time."""
    position = start(
        tmp_path,
        f": think {PLAY_FIRST} BEGIN SearchStatus@ #StopSoon = UNTIL 1 Depth!"
        " BEGIN SearchStatus@ #StopNow = UNTIL 2 Depth! ;",
    )
    result = engines.get("script:time=0.02").play(position)
    assert result.depth == 2
    assert "faults" not in result.info


def test_node_limit_is_compared_with_reported_nodes(tmp_path: Path) -> None:
    position = start(
        tmp_path,
        f"VARIABLE node-count : think {PLAY_FIRST} 0 node-count !"
        " BEGIN 1 node-count +! node-count @ Nodes! SearchStatus@ UNTIL ;",
    )
    result = engines.get("script:nodes=321").play(position)
    assert result.nodes == 321
    assert engines.get("script").play(position, Limits(nodes=12)).nodes == 12
    assert "faults" not in result.info


ENDLESS = [
    ": OnEvaluate BEGIN FALSE UNTIL ;",
    ": OnIsGameOver searching? IF BEGIN FALSE UNTIL ENDIF #UnknownScore ;",
    ": OnNextTurn searching? IF BEGIN FALSE UNTIL ENDIF ;",
]


@pytest.mark.sampled(11)
@pytest.mark.parametrize("word", ENDLESS)
@pytest.mark.parametrize("spec", ["negamax", "maxn", "brs", "mcts", "axiom", "negamax:threads=2"])
def test_search_ends_inside_endless_words(tmp_path: Path, spec: str, word: str) -> None:
    position = start(tmp_path, f": think {PLAY_FIRST} ;", word)
    before = position.copy()
    result = engines.get(spec).play(position, Limits(time=0.05))
    assert result.move in position.legal_moves
    assert position == before
    position.push(result.move)
    assert position.ply == 1


@pytest.mark.parametrize("spec", ["negamax", "maxn", "brs", "mcts", "axiom"])
def test_stop_ends_a_search_inside_endless_words(tmp_path: Path, spec: str) -> None:
    position = start(tmp_path, f": think {PLAY_FIRST} ;", ENDLESS[0])
    if spec == "mcts":  # its playouts do not call OnEvaluate
        position = start(tmp_path, f": think {PLAY_FIRST} ;", ENDLESS[1])
    engine = engines.get(spec)
    ended = threading.Event()

    def stop_until_ended() -> None:
        while not ended.wait(0.01):  # a stop before the search begins has no effect
            engine.stop()

    thread = threading.Thread(target=stop_until_ended)
    thread.start()
    result = engine.play(position)
    ended.set()
    thread.join()
    assert result.move in position.legal_moves


def test_stop_before_a_search_has_no_effect(tmp_path: Path) -> None:
    position = start(tmp_path, f": think {PLAY_FIRST} ;", "")
    for spec in ("axiom:depth=3", "script", "negamax:depth=3"):
        engine = engines.get(spec)
        engine.stop()
        for _ in range(2):
            assert not engine.play(position).info["stopped"]


def test_interrupt_is_not_a_fault(tmp_path: Path) -> None:
    position = start(tmp_path, f": think {PLAY_FIRST} BEGIN FALSE UNTIL ;")
    vm = position.game._loaded.vm

    def interrupt() -> None:
        time.sleep(0.05)
        vm.interrupt()

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(Interrupted):
        engines.choose_move_or_first(engines.get("script"), position)
    thread.join()


UNSTEADY = grid(2, 6, "right")
UNSTEADY += """\
VARIABLE lists
: OnGenerateMoves ( -- ) lists ++ ;
: go ( -- ) right verify empty? verify from here move add-move ;
: sometimes ( -- ) lists @ 3 MOD verify go ;
{moves steps {move} go {move} sometimes moves}
{pieces {piece} man {moves} steps pieces}
{board-setup {setup} White man a1 {setup} Black man a2 board-setup}
: OnEvaluate ( -- n ) here ;
"""


def test_a_variation_ends_where_the_script_generates_other_moves(tmp_path: Path) -> None:
    position = load_text(tmp_path, UNSTEADY, name="unsteady.4th").start()
    result = engines.get("negamax:depth=4,tt=0").play(position)
    assert result.depth == 4
    assert 1 <= len(result.pv) < 4

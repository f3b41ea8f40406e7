"""Tests of words that are used during a search, a move or the generation of moves.

An engine in a script reports to its host, applies moves and checks for stop requests; the kernel
calls hooks when the host plays.  The .4th files test the stack effects of these words.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.errors import NoMoveError
from forthvm.core.records import ReportKind, SearchLimits
from tests.golden_runner.host import Host

WORLD = (Path(__file__).resolve().parent / "loaded" / "world.4th").read_text()
#: Makes `two-moves` the move word of the piece P: the moves from a1 to b1 and to c1.
MOVES = ": two-moves from b1 move add-move from c1 move add-move ; ' two-moves IS m1\n"


def host(tmp_path: Path, script: str, engine: str = "") -> Host:
    """Return a host with a new game of `world.4th` and the script; player A has the engine."""
    text = WORLD.replace("{player} A", f"{{player}} A {engine}")
    path = tmp_path / "script.4th"
    definition = f": {engine.rsplit(maxsplit=1)[-1]} ;\n" if "{search-engine}" in engine else ""
    path.write_text(definition + "DEFER the-engine\n" + text + MOVES + script)
    new_host = Host(path, axiom=150)
    new_host.load()
    new_host.new()
    new_host.setup()
    return new_host


ENGINE = """
: my-search
    S" first" CurrentMove! 3 Depth! 7 Nodes! 42 Score!
    SearchStatus@ . searching? .
    $FirstMove $MoveString BestMove!
    $FirstMove $NextMove $MoveString BestMove! $Yield ;
' my-search $engines @ !
"""


@pytest.mark.slow
def test_engine_in_a_script_reports_to_the_host(tmp_path: Path) -> None:
    game_host = host(tmp_path, ENGINE)
    reports: list[tuple[int, bytes, int]] = []
    game_host.vm.native.host.report = lambda kind, text, value: reports.append((kind, text, value))
    assert game_host.moves() == ["P a1 - b1", "P a1 - c1"]
    result = game_host.engine(depth=2)
    assert (result.best, result.score, result.nodes, result.depth) == ("P a1 - c1", 42, 7, 3)
    assert game_host.output == "0 -1 "
    assert reports[0] == (ReportKind.CURRENT, b"first", 0)
    assert (ReportKind.DEPTH, b"", 3) in reports
    assert (ReportKind.NODES, b"", 7) in reports
    assert (ReportKind.SCORE, b"", 42) in reports
    assert [text for kind, text, _ in reports if kind == ReportKind.BEST] == [
        b"P a1 - b1",
        b"P a1 - c1",
    ]


def test_script_reads_the_search_limits(tmp_path: Path) -> None:
    script = """
    : my-search $depthLimit @ . $searchTime @ . $variety @ . $FirstMove $MoveString BestMove! ;
    ' my-search $engines @ !
    """
    game_host = host(tmp_path, script)
    game_host.moves()
    game_host.vm.native.engine_run(SearchLimits(depth=4, variety=3, seconds=1.5))
    assert game_host.output == "4 1500 3 "


def test_engine_in_a_script_reads_the_stop_request(tmp_path: Path) -> None:
    """A host word requests a stop; SearchStatus@ returns 1 then, which ends the loop."""
    script = """
    : my-search $FirstMove $MoveString BestMove! BEGIN SearchStatus@ UNTIL SearchStatus@ . ;
    : my-search request-stop my-search ;
    ' my-search $engines @ !
    """
    path = tmp_path / "script.4th"
    path.write_text(WORLD + MOVES + script)
    game_host = Host(path, axiom=150)
    game_host.vm.word("request-stop")(lambda: game_host.vm.native.engine_stop(1))
    game_host.load()
    game_host.new()
    game_host.setup()
    game_host.moves()
    assert game_host.engine(depth=1).best == "P a1 - b1"
    assert game_host.output == "1 "


def test_on_search_can_be_redefined(tmp_path: Path) -> None:
    game_host = host(tmp_path, ': OnSearch ." before " OnSearch ." after" ;', "{first}")
    game_host.moves()
    assert game_host.engine(depth=1).best == "P a1 - b1"
    assert game_host.output == "before after"


@pytest.mark.parametrize(
    ("engine", "best"),
    [("{first}", "P a1 - b1"), ("{random}", None), ("{UCT}", None), ("", "P a1 - b1")],
)
def test_built_in_engines_return_legal_moves(tmp_path: Path, engine: str, best: str | None) -> None:
    """The engines are $FirstMoveEngine, $RandomMoveEngine, $UCTMove and $NegamaxMove."""
    game_host = host(tmp_path, "", engine)
    texts = game_host.moves()
    result = game_host.engine(depth=1)
    assert result.best in texts
    if best is not None:
        assert result.best == best


@pytest.mark.parametrize(("axiom", "low", "high"), [(140, 170, 230), (150, 120, 180)])
def test_random_engine_depends_on_the_version(
    tmp_path: Path, axiom: int, low: int, high: int
) -> None:
    """Version 140 chooses the first of two moves with probability 2/3, version 150 with 1/2.

    The limits are for 300 choices, of which 200 and 150 are expected.
    """
    path = tmp_path / "script.4th"
    path.write_text(WORLD.replace("{player} A", "{player} A {random}") + MOVES)
    game_host = Host(path, axiom=axiom)
    game_host.load()
    game_host.new()
    game_host.setup()
    game_host.moves()
    first = sum(game_host.engine(depth=1).best == "P a1 - b1" for _ in range(300))
    assert low < first < high


def test_engine_without_legal_moves_raises(tmp_path: Path) -> None:
    game_host = host(tmp_path, "' m-idle IS m1")
    assert game_host.moves() == []
    with pytest.raises(NoMoveError):
        game_host.engine(depth=1)


def test_hooks_are_called_in_order_during_a_move(tmp_path: Path) -> None:
    script = """
    : OnGenerateMoves ." g" ;
    : OnMakeAMove ." m" $moveString @ TYPE ;
    : OnNextTurn OnNextTurn ." n" ;
    : OnEvaluate 0 ." e" ;
    : OnRetractMove OnRetractMove ." r" ;
    """
    game_host = host(tmp_path, script)
    game_host.moves()
    assert game_host.output == "g"
    assert game_host.make("P a1 - b1")
    assert game_host.output == "gmP a1 - b1n"
    assert game_host.player == "B"


def test_hooks_are_called_in_order_during_a_search(tmp_path: Path) -> None:
    """Hooks of each root move: turn, generation, game over, terminal, evaluation, retraction."""
    script = """
    : OnGenerateMoves ." g" ;
    : OnMakeAMove ." m" ;
    : OnNextTurn OnNextTurn ." n" ;
    : OnIsGameOver #UnknownScore ." o" ;
    : OnIsTerminal? TRUE ." t" ;
    : OnEvaluate 5 ." e" ;
    : OnRetractMove OnRetractMove ." r" ;
    """
    game_host = host(tmp_path, script)
    game_host.moves()
    game_host.vm.native.flush()
    game_host.printed.clear()
    game_host.search(depth=1)
    assert game_host.output == "ngoter" * 2


def test_text_words_append_to_the_move_text(tmp_path: Path) -> None:
    """Version 140: the ^ words append to the text of the move that is being generated."""
    script = """
    : all-text-words S" hey" ^string a1 ^position ^player P ^piece-type
        42 ^number ^= ^- ^x ^" lit   " ^trim add-move ;
    ' all-text-words IS m1
    """
    path = tmp_path / "script.4th"
    path.write_text(WORLD + script)
    game_host = Host(path, axiom=140)
    game_host.load()
    game_host.new()
    game_host.setup()
    # A blank follows each part; ^trim removes one blank, and add-move removes another one.
    assert game_host.moves() == ["hey a1 A P 42 = - x lit  "]

"""Words that mean something only while a search or a move is under way.

A script's own engine reports to its host, applies moves and polls; events are called when
the host plays.  Owns those conversations; what the words leave on the stack is in the .4th
files.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.errors import NoMoveError
from forthvm.core.records import ReportKind, SearchLimits
from tests.golden_runner.host import Host

WORLD = (Path(__file__).resolve().parent / "loaded" / "world.4th").read_text()
MOVES = ": two from b1 move add-move from c1 move add-move ; ' two IS m1\n"


def host(tmp_path: Path, script: str, engine: str = "") -> Host:
    """The world with that script, a new game begun; `engine` is the first player's."""
    text = WORLD.replace("{player} A", f"{{player}} A {engine}")
    path = tmp_path / "script.4th"
    early = f": {engine.rsplit(maxsplit=1)[-1]} ;\n" if "{search-engine}" in engine else ""
    path.write_text(early + "DEFER the-engine\n" + text + MOVES + script)
    found = Host(path, axiom=150)
    found.load()
    found.new()
    found.setup()
    return found


ENGINE = """
: my-search
    S" first" CurrentMove! 3 Depth! 7 Nodes! 42 Score!
    SearchStatus@ . searching? .
    $FirstMove $MoveString BestMove!
    $FirstMove $NextMove $MoveString BestMove! $Yield ;
' my-search $engines @ !
"""


def test_engine_reports(tmp_path: Path) -> None:
    one = host(tmp_path, ENGINE)
    reports: list[tuple[int, bytes, int]] = []
    one.vm.native.host.report = lambda what, text, value: reports.append((what, text, value))
    assert one.moves() == ["P a1 - b1", "P a1 - c1"]
    answer = one.engine(depth=2)
    assert (answer.best, answer.score, answer.nodes, answer.depth) == ("P a1 - c1", 42, 7, 3)
    assert one.output == "0 -1 "
    assert reports[0] == (ReportKind.CURRENT, b"first", 0)
    assert (ReportKind.DEPTH, b"", 3) in reports
    assert (ReportKind.NODES, b"", 7) in reports
    assert (ReportKind.SCORE, b"", 42) in reports
    assert [text for what, text, _ in reports if what == ReportKind.BEST] == [
        b"P a1 - b1",
        b"P a1 - c1",
    ]


def test_limits_reach_the_script(tmp_path: Path) -> None:
    script = """
    : my-search $depthLimit @ . $searchTime @ . $variety @ . $FirstMove $MoveString BestMove! ;
    ' my-search $engines @ !
    """
    one = host(tmp_path, script)
    one.moves()
    one.vm.native.engine_run(SearchLimits(depth=4, variety=3, seconds=1.5))
    assert one.output == "4 1500 3 "


def test_stop_reaches_the_script(tmp_path: Path) -> None:
    """Another word of the host asks for an end; the script polls and sees it."""
    script = """
    : my-search $FirstMove $MoveString BestMove! BEGIN SearchStatus@ UNTIL SearchStatus@ . ;
    : my-search ask-to-stop my-search ;
    ' my-search $engines @ !
    """
    path = tmp_path / "script.4th"
    path.write_text(WORLD + MOVES + script)
    one = Host(path, axiom=150)
    one.vm.word("ask-to-stop")(lambda: one.vm.native.engine_stop(1))
    one.load()
    one.new()
    one.setup()
    one.moves()
    assert one.engine(depth=1).best == "P a1 - b1"
    assert one.output == "1 "


def test_own_on_search(tmp_path: Path) -> None:
    one = host(tmp_path, ': OnSearch ." before " OnSearch ." after" ;', "{first}")
    one.moves()
    assert one.engine(depth=1).best == "P a1 - b1"
    assert one.output == "before after"


@pytest.mark.parametrize(
    ("engine", "best"),
    [("{first}", "P a1 - b1"), ("{random}", None), ("{UCT}", None), ("", "P a1 - b1")],
)
def test_built_in_engines(tmp_path: Path, engine: str, best: str | None) -> None:
    """$FirstMoveEngine, $RandomMoveEngine, $UCTMove and $NegamaxMove answer a legal move."""
    one = host(tmp_path, "", engine)
    texts = one.moves()
    answer = one.engine(depth=1)
    assert answer.best in texts
    if best is not None:
        assert answer.best == best


@pytest.mark.parametrize(("axiom", "low", "high"), [(140, 170, 230), (150, 120, 180)])
def test_random_engine_by_version(tmp_path: Path, axiom: int, low: int, high: int) -> None:
    """Of two moves 140 picks the first twice as often; 150 both alike (300 draws)."""
    path = tmp_path / "script.4th"
    path.write_text(WORLD.replace("{player} A", "{player} A {random}") + MOVES)
    one = Host(path, axiom=axiom)
    one.load()
    one.new()
    one.setup()
    one.moves()
    first = sum(one.engine(depth=1).best == "P a1 - b1" for _ in range(300))
    assert low < first < high


def test_engine_without_a_move(tmp_path: Path) -> None:
    one = host(tmp_path, "' m-idle IS m1")
    assert one.moves() == []
    with pytest.raises(NoMoveError):
        one.engine(depth=1)


def test_events_of_play(tmp_path: Path) -> None:
    """Who is called when: generation, the move, the next turn; never inside a search."""
    script = """
    : OnGenerateMoves ." g" ;
    : OnMakeAMove ." m" $moveString @ TYPE ;
    : OnNextTurn OnNextTurn ." n" ;
    : OnEvaluate 0 ." e" ;
    : OnRetractMove OnRetractMove ." r" ;
    """
    one = host(tmp_path, script)
    one.moves()
    assert one.output == "g"
    assert one.make("P a1 - b1")
    assert one.output == "gmP a1 - b1n"
    assert one.player == "B"


def test_events_of_search(tmp_path: Path) -> None:
    """Each root move: applied, turn passed, generated, evaluated, taken back."""
    script = """
    : OnGenerateMoves ." g" ;
    : OnMakeAMove ." m" ;
    : OnNextTurn OnNextTurn ." n" ;
    : OnIsGameOver #UnknownScore ." o" ;
    : OnIsTerminal? TRUE ." t" ;
    : OnEvaluate 5 ." e" ;
    : OnRetractMove OnRetractMove ." r" ;
    """
    one = host(tmp_path, script)
    one.moves()
    one.vm.native.flush()
    one.printed.clear()
    one.search(depth=1)
    assert one.output == "ngoter" * 2


def test_text_words_while_generating(tmp_path: Path) -> None:
    """The ^ words append to the text of the move under construction (version 140)."""
    script = """
    : own S" hey" ^string a1 ^position ^player P ^piece-type
        42 ^number ^= ^- ^x ^" lit   " ^trim add-move ;
    ' own IS m1
    """
    path = tmp_path / "script.4th"
    path.write_text(WORLD + script)
    one = Host(path, axiom=140)
    one.load()
    one.new()
    one.setup()
    # Each part has a blank behind it; ^trim takes one away, and add-move another one.
    assert one.moves() == ["hey a1 A P 42 = - x lit  "]

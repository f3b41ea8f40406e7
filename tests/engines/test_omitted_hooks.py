"""Tests that a search which omits the library's short hooks has the same result.

OnIsTerminal? and OnRetractMove are omitted while they are the library's (host_protocol.c), except
in traced runs.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import forthvm
from forthvm.core.bindings.trace import Trace
from tests.kit.boards import grid
from tests.kit.files import write

V140 = Path(__file__).resolve().parents[1] / "libraries" / "v140"
GAME = grid(3, 3, "n e s w", players="A B")
GAME += """\
: go empty? IF from here move add-move THEN ;
: step-n n IF go THEN ; : step-e e IF go THEN ; : step-s s IF go THEN ; : step-w w IF go THEN ;
{moves steps {move} step-n {move} step-e {move} step-s {move} step-w moves}
{pieces {piece} Man {moves} steps pieces}
{board-setup {setup} A Man a1 {setup} B Man c3 board-setup}
: OnEvaluate here ;
"""


def outcome(path: Path, *, traced: bool, library: Path | None = None) -> tuple[object, ...]:
    """Return the result of a search with its steps and output, or the kind of its error."""
    printed: list[str] = []
    game = forthvm.load(path, output=printed.append, library=library or "axiom")
    position = game.start()
    trace = Trace(game._loaded.vm.native, lambda _: None) if traced else None
    try:
        result = forthvm.engines.get("axiom:depth=3").play(position)
    except forthvm.ForthVMError as error:
        return type(error).__name__, str(error)
    finally:
        if trace is not None:
            trace.close()
    return (
        str(result.move),
        result.score,
        result.nodes,
        game._loaded.vm.native.steps(),
        "".join(printed),
    )


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ("", "Man a1 - a2"),
        # Hooks whose code changes while the search runs.
        (": OnNextTurn OnNextTurn ['] FALSE ['] OnIsTerminal? 4 + ! ;", "NestingTooDeep"),
        (
            ": bump 1 . ; : OnRetractMove $DeallocateBoard ; "
            ": OnNextTurn OnNextTurn ['] bump ['] OnRetractMove 4 + ! ;",
            "Man a1 - a2",
        ),
        # An OnRetractMove that fails.
        (": OnNextTurn OnNextTurn $DeallocateBoard ;", "ContextError"),
        (": OnNextTurn OnNextTurn 64 ALLOT ;", "Man a1 - a2"),
    ],
)
def test_an_omitted_hook_has_its_effect(tmp_path: Path, extra: str, expected: str) -> None:
    path = write(tmp_path / "game.4th", GAME + extra)
    result = outcome(path, traced=False)
    assert result[0] == expected
    assert result == outcome(path, traced=True)
    if "bump" in extra:
        assert str(result[-1]).startswith("1 1 ")


def test_missing_hooks_cost_no_steps(tmp_path: Path) -> None:
    path = write(tmp_path / "game.4th", GAME)
    library = tmp_path / "library"
    shutil.copytree(V140, library)
    with_hooks = outcome(path, traced=False, library=library)
    source = (library / "axiom.4th").read_text()
    for hook in (": OnIsTerminal? TRUE ;", ": OnRetractMove $DeallocateBoard ;"):
        assert hook in source
        source = source.replace(hook, "")
    (library / "axiom.4th").write_text(source)
    result = outcome(path, traced=False, library=library)
    assert result == outcome(path, traced=True, library=library)
    assert result[:3] == with_hooks[:3]
    assert int(str(result[3])) < int(str(with_hooks[3]))

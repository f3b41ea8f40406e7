"""Tests of the names by which the kernel finds words of a library.

The kernel finds the variables of the library once, so a script may redefine their names.  Constants
may be any words that push a number.  In version 151, the kernel sets the variables of the search.
"""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

import forthvm
from tests.kit.boards import grid
from tests.kit.games import load_text
from tests.kit.messages import raises

FOLDER = Path(__file__).resolve().parent

GAME = grid(2, 2, "n e", players="A B")
GAME += """\
: go-n n verify empty? verify from here move add-move ;
: go-e e verify empty? verify from here move add-move ;
{moves steps {move} go-n {move} go-e moves}
{pieces {piece} Man {moves} steps pieces}
{board-setup {setup} A Man a1 {setup} B Man a2 board-setup}
"""


def load(tmp_path: Path, extra: str, **options: object) -> tuple[forthvm.Game, list[str]]:
    """Load the game and the text `extra`; return the game and the list of its output."""
    printed: list[str] = []
    return load_text(tmp_path, GAME + extra, output=printed.append, **options), printed  # type: ignore[arg-type]


def move_texts(position: forthvm.Position) -> list[str]:
    return [str(move) for move in position.legal_moves]


def test_a_script_may_redefine_library_names(tmp_path: Path) -> None:
    names = "$board $positions $posNames $rows $columns $players $playerOffset $turnLimit $ply"
    game, _ = load(tmp_path, "".join(f"VARIABLE {name} " for name in names.split()))
    position = game.start()
    assert (game.grid.rows, game.grid.columns, game.positions) == (2, 2, ("a2", "b2", "a1", "b1"))
    assert move_texts(position) == ["Man a1 - b1"]
    position.push("Man a1 - b1")
    assert (position.turn, move_texts(position)) == ("B", ["Man a2 - b2"])
    # Player n is 2048 * n, and the piece type Man is 1.
    assert position.cells == (2 * 2048 + 1, 0, 0, 2048 + 1)


def test_players_may_be_definitions(tmp_path: Path) -> None:
    """In the v151 library, constants are colon definitions.

    With TRUE, $GenerateMoves generates the moves of A's opponents.
    """
    extra = ": OnIsGameOver A TRUE 0 $GenerateMoves move-count . $DeallocateMoves #UnknownScore ;"
    game, printed = load(tmp_path, extra, library=FOLDER / "v151")
    position = game.start()
    assert move_texts(position) == ["Man a1 - b1"]
    assert "".join(printed) == "1 "


def test_definitions_compiled_by_a_running_word_cause_no_warning(tmp_path: Path) -> None:
    """In the v151 library, CONSTANT runs `:` and `;`."""
    game, _ = load(tmp_path, "5 CONSTANT five", library=FOLDER / "v151")
    assert game._loaded.vm.warnings == ()


def test_version_151_sets_the_variables_of_the_search(tmp_path: Path) -> None:
    extra = ": OnEvaluate searching? . player-to-move A = . current-player B = . 0 ; searching? ."
    game, printed = load(tmp_path, extra, axiom=151)
    forthvm.engines.get("axiom:depth=1").play(game.start(), forthvm.Limits(depth=1))
    assert "".join(printed) == "0 -1 -1 -1 "


def test_version_151_sets_searching_while_an_engine_runs(tmp_path: Path) -> None:
    engine = ": my-engine searching? . player-to-move A = . $FirstMove $MoveString BestMove! ;\n"
    text = engine + "' my-engine $engines @ ! searching? ."
    for library in (None, FOLDER / "v151"):
        game, printed = load(tmp_path, text, axiom=151, library=library)
        result = forthvm.engines.get("script").play(game.start(), forthvm.Limits(depth=1))
        assert str(result.move) == "Man a1 - b1"
        assert "".join(printed) == "0 -1 -1 "
        assert game._loaded.vm.call("searching?") == (0,)


def test_a_variable_must_be_an_aligned_cell(tmp_path: Path) -> None:
    """A variable with another address counts as missing; the kernel does not store to it."""
    library = tmp_path / "library"
    shutil.copytree(FOLDER / "v140", library)
    source = (library / "axiom.4th").read_text()
    variable = "VARIABLE $ply "
    assert variable in source
    cells = "CREATE ply-cells 0 , 0 , : $ply ply-cells 1+ ; "
    (library / "axiom.4th").write_text(source.replace(variable, cells))
    text = ": OnEvaluate ply-cells @ . ply-cells 4 + @ . 0 ; : ply $ply @ ;"
    game, printed = load(tmp_path, text, library=library)
    result = forthvm.engines.get("axiom:depth=1").play(game.start())
    assert str(result.move) == "Man a1 - b1"
    assert "".join(printed) == "0 0 "


def test_an_image_without_the_library_forgets_its_variables(tmp_path: Path) -> None:
    vm = forthvm.VM(library="core")
    empty = vm.snapshot()
    library = resources.files("forthvm._lib").joinpath("axiom.4th").read_text()
    vm.interpret(library + GAME)
    vm.native.game_new()
    loaded = vm.snapshot()
    assert vm.native.variable("$positions") == 4
    vm.restore(empty)
    with raises(forthvm.ForthVMError, "conventions.an-image-without-the-library"):
        vm.native.game_new()
    vm.restore(loaded)
    vm.native.game_new()
    assert vm.native.variable("$positions") == 4

"""Effects of lines on a session, also of failing lines; undo, redo and save."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import forthvm
from forthvm.core.errors import ForthVMError, PositionDigestError
from forthvm.game import Position
from forthvm.syntax import CLOSING_WORDS
from tests.repl.conftest import Game, ReplClient


def test_definitions_and_stack_persist(repl: ReplClient) -> None:
    repl.run(": sq ( n -- n*n ) DUP * ;")
    repl.run("3 sq")
    assert repl.stack == (9,)


def test_failing_line_restores_the_stack(repl: ReplClient) -> None:
    repl.run("1 2")
    output = repl.fail("DROP 7 nowhere")
    assert "unknown word `nowhere`" in output
    assert "the stack was <2> 1 7" in output
    assert repl.stack == (1, 2)


def test_failing_line_keeps_earlier_changes(repl: ReplClient) -> None:
    repl.run("VARIABLE x")
    repl.fail("5 x ! : half 1 nowhere")
    assert repl.run("x ?") == "5 "
    assert repl.session.open_definition is None
    assert repl.session.vm.find("half") is None


def test_an_error_names_the_line_and_the_callers(repl: ReplClient) -> None:
    repl.run(": inner 0 / ;")
    repl.run(": outer 1 inner ;")
    output = repl.fail("outer")
    assert "division by zero" in output
    assert "<line 1>:1:11" in output
    assert "called from outer <line 2>:1:11" in output
    assert "called from <line 3>:1:1" in output


def test_undo_restores_everything(repl: ReplClient) -> None:
    repl.run("VARIABLE x 5 x !")
    before = repl.session.vm.snapshot()
    repl.run(": f 1 ; 7 x ! 1 2 3 HEX")
    repl.session.undo()
    assert repl.session.vm.snapshot().equal(before)
    assert repl.session.vm.find("f") is None
    assert repl.session.redo()
    assert repl.stack == (1, 2, 3)
    repl.run("undo")
    repl.run("undo")
    assert repl.session.vm.find("x") is None
    assert "nothing to take back" in repl.fail("undo")


def test_undo_undoes_a_line_that_failed(repl: ReplClient) -> None:
    repl.run("VARIABLE x")
    repl.fail("5 x ! nowhere")
    repl.run("undo")
    assert repl.run("x ?") == "0 "


def test_a_new_line_ends_redo(repl: ReplClient) -> None:
    repl.run("1")
    repl.run("undo")
    repl.run("2")
    assert "there is nothing to redo" in repl.fail("redo")
    assert repl.stack == (2,)


def test_undo_discards_an_open_definition(repl: ReplClient) -> None:
    """The kernel stores an open definition outside the image; undo must discard it."""
    repl.run(": open: : ;")
    repl.run("open: half 1")
    assert repl.session.open_definition == "half"
    repl.run("%undo")  # in a definition, commands need the prefix
    assert repl.session.open_definition is None
    repl.run("VARIABLE later")  # at the address of `half`
    repl.fail("nowhere")
    assert repl.session.vm.find("later") is not None


def test_warnings_are_printed_once(repl: ReplClient) -> None:
    assert "control structures in `f` are not balanced" in repl.run(": f IF ;")
    assert "balanced" not in repl.run("1")


@pytest.mark.parametrize(
    ("text", "left", "opened"),
    [
        (": f IF 1 ;", "1 item left on", "1:5: IF without ENDIF or THEN"),
        (": f IF 1 ELSE 2 ;", "1 item left on", "1:10: ELSE without ENDIF or THEN"),
        (": f\n  BEGIN 1 WHILE ;", "2 items left on", "2:11: WHILE without REPEAT"),
        ("1\n: f BEGIN IF 2 UNTIL ;", "1 item left on", "2:5: BEGIN without UNTIL or REPEAT"),
        (": g 3 ; : f 5 0 DO I ;", "1 item left on", "1:17: DO without LOOP or +LOOP"),
    ],
)
def test_unbalanced_definition_says_what_it_left(
    repl: ReplClient, text: str, left: str, opened: str
) -> None:
    output = repl.run(text)
    assert f"{left} the stack" in output
    assert opened in output


def test_control_words_belong_in_definitions(repl: ReplClient) -> None:
    repl.run("1 2")
    here = repl.session.vm.native.here()
    for word in (*CLOSING_WORDS, "THEN", "ENDIF", "UNTIL", "REPEAT", "LOOP", "+LOOP", "EXIT"):
        assert "belong in a definition" in repl.fail(f"3 {word}")
        assert (repl.stack, repl.session.vm.native.here()) == ((1, 2), here)


def test_files_and_redefined_words_may_use_control_words(repl: ReplClient, in_folder: Path) -> None:
    (in_folder / "old.4th").write_text("BEGIN DROP\n")
    repl.run("LOAD old.4th")
    repl.run(": DO 7 ; DO")
    assert repl.stack == (7,)


def test_prompt_shows_that_words_are_compiled(repl: ReplClient) -> None:
    repl.run("CREATE code ]")
    assert repl.shell.prompt() == "]> "
    repl.run("DUP * [")
    assert repl.shell.prompt() == "forth> "


# --- in a game --------------------------------------------------------------------------


def test_lines_change_the_position(in_game: Game) -> None:
    repl = in_game()
    repl.run("X mark OR b2 (add-piece)")
    position = repl.session.need_position()
    assert str(position.board["b2"]) == "X mark"
    assert "X mark b2" not in position.legal_moves.texts
    repl.run("undo")
    assert repl.session.need_position().board["b2"] is None


def test_lines_change_what_is_known_of_the_game(in_game: Game) -> None:
    """Saved positions contain differences from memory after loading, with the session's words."""
    session = in_game().session
    before = session.need_position()
    assert "fresh" not in before.variables
    assert "a1" not in before._shown().hidden
    document = json.loads(before.to_json())
    session.interpret('VARIABLE fresh : OnShow ." -a1" ;')
    assert "a1" in session.need_position()._shown().hidden
    session.new_game()
    position = session.need_position()
    assert "fresh" in position.variables
    assert json.loads(position.to_json())["base"] != document["base"]
    with pytest.raises(PositionDigestError):
        Position.from_json(forthvm.load("tictactoe"), position.to_json())


def test_reading_line_keeps_the_position(in_game: Game) -> None:
    repl = in_game()
    before = repl.session.position
    assert repl.run("a1 empty-at? .") == "-1 "
    assert repl.session.position is before


def test_redefined_hook_takes_effect(in_game: Game) -> None:
    repl = in_game(moves=["b2"])
    repl.run(": OnIsGameOver ( -- result ) #DrawScore ;")
    result = repl.session.need_position().result
    assert result.draw
    repl.run("undo")
    assert repl.session.need_position().result is None


def test_takeback_undoes_moves(in_game: Game) -> None:
    repl = in_game()
    start = repl.session.need_position().copy()
    assert repl.run("play b2").startswith("1. X: X mark b2")
    assert repl.run("play 1").startswith("2. O: O mark a3")
    assert "took back O mark a3" in repl.run("takeback")
    assert "took back X mark b2" in repl.run("takeback")
    assert repl.session.need_position() == start
    assert "there is no move to take back" in repl.fail("takeback")


def test_definitions_survive_takeback(in_game: Game) -> None:
    repl = in_game()
    repl.run("play b2")
    repl.run(": twice 2 * ;")
    repl.run("takeback")
    assert repl.run("21 twice .") == "42 "
    repl.run("play b2")
    assert repl.run("4 twice .") == "8 "


def test_takeback_does_not_repeat_definitions(in_game: Game) -> None:
    repl = in_game()
    repl.run("VARIABLE x")
    repl.run("play b2")
    dictionary_end = repl.session.vm.native.here()
    repl.run("takeback")
    assert repl.session.vm.native.here() == dictionary_end
    assert len(list(repl.session.vm.uses("DUP"))) > 0
    assert [name for name in repl.session.vm.words() if name == "x"] == ["x"]


def test_new_keeps_definitions(in_game: Game) -> None:
    repl = in_game(moves=["b2", "a1"])
    repl.run(": twice 2 * ;")
    assert "X to move, 9 moves" in repl.run("new")
    assert repl.run("21 twice .") == "42 "
    assert repl.session.need_position().ply == 0


def test_redefined_section_updates_the_game(in_game: Game) -> None:
    repl = in_game()
    repl.run("{pieces {piece} stone {drops} put-moves {piece} mark {drops} put-moves pieces}")
    names = [kind.name for kind in repl.session.need_game().piece_types]
    assert names == ["stone", "mark"]
    assert any("stone" in text for text in repl.session.need_position().legal_moves.texts)
    repl.run("undo")
    assert [kind.name for kind in repl.session.need_game().piece_types] == ["mark"]


def test_undo_returns_from_a_loaded_game(in_game: Game) -> None:
    repl = in_game(moves=["b2"])
    repl.run("load breakthrough")
    assert repl.session.need_game().name == "breakthrough"
    repl.run("undo")
    assert repl.session.need_game().name == "tictactoe"
    assert repl.session.need_position().ply == 1
    assert repl.run("a1 empty-at? .") == "-1 "


def test_load_without_name_repeats_the_moves(tmp_path: Path, in_game: Game) -> None:
    source = Path(forthvm.load("tictactoe").path).read_text(encoding="utf-8")
    script = tmp_path / "own.4th"
    script.write_text(source, encoding="utf-8")
    repl = in_game(str(script), ["b2", "a1"])
    script.write_text(source.replace("#LossScore ELSE", "#DrawScore ELSE"), encoding="utf-8")
    repl.run("load")
    assert [str(played) for played in repl.session.need_position().history] == [
        "X mark b2",
        "O mark a1",
    ]
    script.write_text(source.replace("drop add-move", "here b2 = verify drop add-move"), "utf-8")
    assert "only 1 of 2 moves could be repeated" in repl.run("load")
    script.write_text(source.replace("3 3 {grid}", "1 3 {grid}"), encoding="utf-8")
    assert "unknown word `a2`" in repl.fail("load")
    assert repl.session.need_position().ply == 1


def test_session_continues_after_failing_move_generation(in_game: Game) -> None:
    repl = in_game()
    repl.run(": put ( -- ) 1 0 / ;")
    repl.run("{moves put-moves {move} put moves}")
    repl.run("{pieces {piece} mark {drops} put-moves pieces}")
    assert "division by zero" in repl.fail("moves")
    assert repl.shell.prompt().startswith("tictactoe")
    assert repl.run("1 2 + .") == "3 "


# --- save -------------------------------------------------------------------------------


def vm_with_script(path: Path) -> forthvm.VM:
    vm = forthvm.VM()
    vm.load(path)
    return vm


def test_saved_script_restores_the_dictionary(repl: ReplClient, in_folder: Path) -> None:
    repl.run(": sq ( n -- n*n ) DUP * ;")
    repl.run("VARIABLE x")
    repl.run('." only said"')
    repl.run("1 2 +")
    repl.run("5 x !")
    assert "wrote out.4th" in repl.run("save out.4th")
    text = (in_folder / "out.4th").read_text(encoding="utf-8")
    assert "only said" not in text
    vm = vm_with_script(in_folder / "out.4th")
    assert vm.call("sq", 7) == (49,)
    assert vm.memory.cell(vm.call("x")[0]) == 5
    dictionary_end = repl.session.vm.native.here()
    assert vm.native.here() == dictionary_end
    base = repl.session.base_here()
    assert vm.memory[base:dictionary_end] == repl.session.vm.memory[base:dictionary_end]


def test_save_includes_lines_that_left_stack_items(repl: ReplClient, in_folder: Path) -> None:
    repl.run("40")
    repl.run("2 +")
    repl.run("CONSTANT answer")
    repl.run("save out.4th")
    assert vm_with_script(in_folder / "out.4th").call("answer") == (42,)


def test_save_includes_the_part_before_a_failure(repl: ReplClient, in_folder: Path) -> None:
    repl.fail(": a 1 ; VARIABLE x : b nowhere ;")
    assert "not load" not in repl.run("save out.4th")
    vm = vm_with_script(in_folder / "out.4th")
    assert vm.call("a") == (1,)
    assert vm.find("b") is None


def test_save_warns_if_the_script_is_not_exact(repl: ReplClient, in_folder: Path) -> None:
    assert "nothing to save" in repl.fail("save out.4th")
    assert "save FILE" in repl.fail("save")
    repl.run("VARIABLE x : f 7 x ! 0 / ;")
    repl.fail("1 f")  # stores 7 before it fails
    assert "does not restore the same state" in repl.run("save out.4th")
    absent = Path("nowhere/out.4th")
    assert f"{absent}: No such file or directory" in repl.fail(f"save {absent.as_posix()}")


def test_save_in_a_game_loads_the_game(
    in_game: Game, in_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bundled game needs no path; for another game a comment names the folder."""
    repl = in_game()
    repl.run("play b2")
    repl.run(": twice 2 * ;")
    repl.run("save more.4th")
    assert "--include" not in (in_folder / "more.4th").read_text(encoding="utf-8")
    game = forthvm.load(in_folder / "more.4th")
    assert game.players == ("X", "O")
    assert game._loaded.vm.call("twice", 4) == (8,)
    elsewhere = in_folder / "elsewhere" / "tictactoe.4th"
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(game_file("tictactoe").read_bytes())
    repl = in_game(str(elsewhere))
    repl.run(": twice 2 * ;")
    (in_folder / "here").mkdir()
    repl.run("save here/more.4th")
    text = (in_folder / "here" / "more.4th").read_text(encoding="utf-8")
    assert f"--include {elsewhere.parent}" in text
    game = forthvm.load(in_folder / "here" / "more.4th", include=[elsewhere.parent])
    assert game._loaded.vm.call("twice", 4) == (8,)


def game_file(name: str) -> Path:
    return forthvm.load(name).path


def test_undone_lines_are_not_saved(repl: ReplClient, in_folder: Path) -> None:
    repl.run(": a 1 ;")
    repl.run(": b 2 ;")
    repl.run("undo")
    repl.run("save out.4th")
    assert ": b" not in (in_folder / "out.4th").read_text(encoding="utf-8")


def test_both_definitions_of_a_redefined_word_are_saved(repl: ReplClient, in_folder: Path) -> None:
    repl.run(": a 1 ;")
    repl.run(": b a ;")
    repl.run(": a 2 ;")
    repl.run("save out.4th")
    vm = vm_with_script(in_folder / "out.4th")
    assert (vm.call("a"), vm.call("b")) == ((2,), (1,))


def test_errors_are_forthvm_errors(repl: ReplClient) -> None:
    with pytest.raises(ForthVMError):
        repl.run("board")

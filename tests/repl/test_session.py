"""What a line does to a session: what it leaves when it fails, what undo brings back."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.core.errors import ForthVMError
from tests.repl.conftest import Game, Talk


def test_definitions_and_the_stack_stay(talk: Talk) -> None:
    talk.say(": sq ( n -- n*n ) DUP * ;")
    talk.say("3 sq")
    assert talk.stack == (9,)


def test_a_failing_line_leaves_the_stack_as_it_was(talk: Talk) -> None:
    talk.say("1 2")
    told = talk.fail("DROP 7 nowhere")
    assert "unknown word `nowhere`" in told
    assert "the stack was <2> 1 7" in told
    assert talk.stack == (1, 2)


def test_a_failing_line_keeps_what_it_did_before(talk: Talk) -> None:
    talk.say("VARIABLE x")
    talk.fail("5 x ! : half 1 nowhere")
    assert talk.say("x ?") == "5 "
    assert talk.session.compiling is None
    assert talk.session.vm.find("half") is None


def test_an_error_names_the_line_and_the_callers(talk: Talk) -> None:
    talk.say(": inner 0 / ;")
    talk.say(": outer 1 inner ;")
    told = talk.fail("outer")
    assert "division by zero" in told
    assert "<line 1>:1:11" in told
    assert "called from outer <line 2>:1:11" in told
    assert "called from <line 3>:1:1" in told


def test_undo_takes_everything_back(talk: Talk) -> None:
    talk.say("VARIABLE x 5 x !")
    before = talk.session.vm.snapshot()
    talk.say(": f 1 ; 7 x ! 1 2 3 HEX")
    talk.session.undo()
    assert talk.session.vm.snapshot().equal(before)
    assert talk.session.vm.find("f") is None
    assert talk.session.redo()
    assert talk.stack == (1, 2, 3)
    talk.say("undo")
    talk.say("undo")
    assert talk.session.vm.find("x") is None
    assert "nothing to take back" in talk.fail("undo")


def test_undo_of_a_line_that_failed(talk: Talk) -> None:
    talk.say("VARIABLE x")
    talk.fail("5 x ! nowhere")
    talk.say("undo")
    assert talk.say("x ?") == "0 "


def test_a_new_line_ends_redo(talk: Talk) -> None:
    talk.say("1")
    talk.say("undo")
    talk.say("2")
    assert "there is nothing to redo" in talk.fail("redo")
    assert talk.stack == (2,)


def test_undo_inside_an_open_definition(talk: Talk) -> None:
    """The kernel remembers the open definition outside of memory: it must forget it."""
    talk.say(": open: : ;")
    talk.say("open: half 1")
    assert talk.session.compiling == "half"
    talk.say("%undo")  # inside a definition only the prefix makes a command
    assert talk.session.compiling is None
    talk.say("VARIABLE later")  # where `half` was
    talk.fail("nowhere")
    assert talk.session.vm.find("later") is not None


def test_warnings_are_told_once(talk: Talk) -> None:
    assert "control structures in `f` are not balanced" in talk.say(": f IF ;")
    assert "balanced" not in talk.say("1")


# --- in a game --------------------------------------------------------------------------


def test_lines_change_the_position(in_game: Game) -> None:
    talk = in_game()
    talk.say("X mark OR b2 (add-piece)")
    position = talk.session.need_position()
    assert str(position.board["b2"]) == "X mark"
    assert "X mark b2" not in position.legal_moves.texts
    talk.say("undo")
    assert talk.session.need_position().board["b2"] is None


def test_a_line_that_only_asks_leaves_the_position(in_game: Game) -> None:
    talk = in_game()
    before = talk.session.position
    assert talk.say("a1 empty-at? .") == "-1 "
    assert talk.session.position is before


def test_a_redefined_event_counts_at_once(in_game: Game) -> None:
    talk = in_game(moves=["b2"])
    talk.say(": OnIsGameOver ( -- result ) #DrawScore ;")
    result = talk.session.need_position().result
    assert result is not None
    assert result.draw
    talk.say("undo")
    assert talk.session.need_position().result is None


def test_play_and_take_back(in_game: Game) -> None:
    talk = in_game()
    start = talk.session.need_position().copy()
    assert talk.say("play b2").startswith("1. X: X mark b2")
    assert talk.say("play 1").startswith("2. O: O mark a3")
    assert "took back O mark a3" in talk.say("takeback")
    assert "took back X mark b2" in talk.say("takeback")
    assert talk.session.need_position() == start
    assert "there is no move to take back" in talk.fail("takeback")


def test_what_was_defined_survives_taking_back(in_game: Game) -> None:
    talk = in_game()
    talk.say("play b2")
    talk.say(": twice 2 * ;")
    talk.say("takeback")
    assert talk.say("21 twice .") == "42 "
    talk.say("play b2")
    assert talk.say("4 twice .") == "8 "


def test_definitions_before_a_move_are_not_made_twice(in_game: Game) -> None:
    talk = in_game()
    talk.say("VARIABLE x")
    talk.say("play b2")
    here = talk.session.vm.native.here()
    talk.say("takeback")
    assert talk.session.vm.native.here() == here
    assert len(list(talk.session.vm.uses("DUP"))) > 0
    assert [name for name in talk.session.vm.words() if name == "x"] == ["x"]


def test_new_keeps_what_was_defined(in_game: Game) -> None:
    talk = in_game(moves=["b2", "a1"])
    talk.say(": twice 2 * ;")
    assert "X to move, 9 moves" in talk.say("new")
    assert talk.say("21 twice .") == "42 "
    assert talk.session.need_position().ply == 0


def test_a_section_defined_anew_is_seen(in_game: Game) -> None:
    talk = in_game()
    talk.say("{pieces {piece} stone {drops} put-moves {piece} mark {drops} put-moves pieces}")
    names = [kind.name for kind in talk.session.need_game().piece_types]
    assert names == ["stone", "mark"]
    assert any("stone" in text for text in talk.session.need_position().legal_moves.texts)
    talk.say("undo")
    assert [kind.name for kind in talk.session.need_game().piece_types] == ["mark"]


def test_undo_of_a_loaded_game(in_game: Game) -> None:
    talk = in_game(moves=["b2"])
    talk.say("load breakthrough")
    assert talk.session.need_game().name == "breakthrough"
    talk.say("undo")
    assert talk.session.need_game().name == "tictactoe"
    assert talk.session.need_position().ply == 1
    assert talk.say("a1 empty-at? .") == "-1 "


def test_load_again_makes_the_moves_again(tmp_path: Path, in_game: Game) -> None:
    source = Path(forthvm.load("tictactoe").path).read_text(encoding="utf-8")
    script = tmp_path / "own.4th"
    script.write_text(source, encoding="utf-8")
    talk = in_game(str(script), ["b2", "a1"])
    script.write_text(source.replace("#LossScore ELSE", "#DrawScore ELSE"), encoding="utf-8")
    talk.say("load")
    assert [str(one) for one in talk.session.need_position().history] == ["X mark b2", "O mark a1"]
    script.write_text(source.replace("drop add-move", "here b2 = verify drop add-move"), "utf-8")
    assert "only 1 of 2 moves could be made again" in talk.say("load")
    script.write_text(source.replace("3 3 {grid}", "1 3 {grid}"), encoding="utf-8")
    assert "unknown word `a2`" in talk.fail("load")
    assert talk.session.need_position().ply == 1


def test_a_script_that_fails_while_generating_leaves_the_session(in_game: Game) -> None:
    talk = in_game()
    talk.say(": put ( -- ) 1 0 / ;")
    talk.say("{moves put-moves {move} put moves}")
    talk.say("{pieces {piece} mark {drops} put-moves pieces}")
    assert "division by zero" in talk.fail("moves")
    assert talk.shell.prompt().startswith("tictactoe")
    assert talk.say("1 2 + .") == "3 "


# --- save -------------------------------------------------------------------------------


def loaded(path: Path) -> forthvm.VM:
    vm = forthvm.VM()
    vm.load(path)
    return vm


def test_save_writes_a_script_that_loads_to_the_same(talk: Talk, in_folder: Path) -> None:
    talk.say(": sq ( n -- n*n ) DUP * ;")
    talk.say("VARIABLE x")
    talk.say('." only said"')
    talk.say("1 2 +")
    talk.say("5 x !")
    assert "wrote out.4th" in talk.say("save out.4th")
    text = (in_folder / "out.4th").read_text(encoding="utf-8")
    assert "only said" not in text
    vm = loaded(in_folder / "out.4th")
    assert vm.call("sq", 7) == (49,)
    assert vm.memory.cell(vm.call("x")[0]) == 5
    here = talk.session.vm.native.here()
    assert vm.native.here() == here
    base = talk.session.base_here()
    assert vm.memory[base:here] == talk.session.vm.memory[base:here]


def test_save_includes_what_stood_on_the_stack(talk: Talk, in_folder: Path) -> None:
    talk.say("40")
    talk.say("2 +")
    talk.say("CONSTANT answer")
    talk.say("save out.4th")
    assert loaded(in_folder / "out.4th").call("answer") == (42,)


def test_save_of_a_line_that_failed_half_way(talk: Talk, in_folder: Path) -> None:
    talk.fail(": a 1 ; VARIABLE x : b nowhere ;")
    assert "not load" not in talk.say("save out.4th")
    vm = loaded(in_folder / "out.4th")
    assert vm.call("a") == (1,)
    assert vm.find("b") is None


def test_save_says_when_it_cannot(talk: Talk, in_folder: Path) -> None:
    assert "nothing to save" in talk.fail("save out.4th")
    assert "save FILE" in talk.fail("save")
    talk.say("VARIABLE x : f 7 x ! 0 / ;")
    talk.fail("1 f")  # the 7 came from a line that failed
    assert "does not restore the same state" in talk.say("save out.4th")
    assert "nowhere/out.4th: No such file or directory" in talk.fail("save nowhere/out.4th")


def test_save_in_a_game_loads_the_game(
    in_game: Game, in_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bundled game is found from anywhere; for another a comment names the folder."""
    talk = in_game()
    talk.say("play b2")
    talk.say(": twice 2 * ;")
    talk.say("save more.4th")
    assert "--include" not in (in_folder / "more.4th").read_text(encoding="utf-8")
    game = forthvm.load(in_folder / "more.4th")
    assert game.players == ("X", "O")
    assert game.vm.call("twice", 4) == (8,)
    elsewhere = in_folder / "elsewhere" / "tictactoe.4th"
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(game_file("tictactoe").read_bytes())
    talk = in_game(str(elsewhere))
    talk.say(": twice 2 * ;")
    (in_folder / "here").mkdir()
    talk.say("save here/more.4th")
    text = (in_folder / "here" / "more.4th").read_text(encoding="utf-8")
    assert f"--include {elsewhere.parent}" in text
    game = forthvm.load(in_folder / "here" / "more.4th", include=[elsewhere.parent])
    assert game.vm.call("twice", 4) == (8,)


def game_file(name: str) -> Path:
    return forthvm.load(name).path


def test_undone_lines_are_not_saved(talk: Talk, in_folder: Path) -> None:
    talk.say(": a 1 ;")
    talk.say(": b 2 ;")
    talk.say("undo")
    talk.say("save out.4th")
    assert ": b" not in (in_folder / "out.4th").read_text(encoding="utf-8")


def test_a_redefined_word_is_saved_twice(talk: Talk, in_folder: Path) -> None:
    talk.say(": a 1 ;")
    talk.say(": b a ;")
    talk.say(": a 2 ;")
    talk.say("save out.4th")
    vm = loaded(in_folder / "out.4th")
    assert (vm.call("a"), vm.call("b")) == ((2,), (1,))


def test_errors_are_forthvm_errors(talk: Talk) -> None:
    with pytest.raises(ForthVMError):
        talk.say("board")

"""The commands of the REPL: output and errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.repl import LeaveError
from forthvm.repl.commands import COMMANDS
from tests.repl.conftest import Game, ReplClient


def test_words_of_the_session_by_pattern(repl: ReplClient) -> None:
    repl.run(": my-word 1 ; : other 2 ;")
    assert repl.run("words in session") == "session (2)\nmy-word  other\n"
    assert repl.run("words *word") == "session (1)\nmy-word\nkernel (1)\nWORD\n"
    assert repl.run("words in session *word") == "session (1)\nmy-word\n"
    assert "ENDIF" in repl.run("words in core END")
    assert "no word matches zz*" in repl.fail("words zz*")
    assert "no word is related to `zz`" in repl.fail("words zz")
    assert "the groups are session, axiom" in repl.fail("words in nowhere")
    assert "GROUP is missing" in repl.fail("words in")


@pytest.mark.slow
def test_words_are_found_by_description(in_game: Game) -> None:
    """Finds words of the session and of the game by their comments, and shows the matching term."""
    repl = in_game()
    repl.run(": hostile? ( -- ? )  \\ Does the other one stand here?\n  enemy? ;")
    output = repl.run("words opponent")
    for name in ("hostile?", "enemy?"):
        assert name in output
    assert "Does the other one stand here? (found by `hostile`)" in " ".join(output.split())
    assert repl.run("words in session opponent").startswith("hostile?")
    assert "enemy-at?" not in repl.run("words in session opponent")
    assert repl.run("words game over").startswith("OnIsGameOver")
    assert "\nand " in repl.run("words piece")


def test_words_of_a_vocabulary(repl: ReplClient) -> None:
    repl.run("VOCABULARY own own DEFINITIONS : inside 1 ; FORTH DEFINITIONS")
    assert repl.run("words in own").splitlines()[1:] == ["inside"]


def test_words_of_a_file_of_a_game(in_game: Game) -> None:
    repl = in_game("splut")
    output = repl.run("words in turns.4th")
    assert "OnIsGameOver" in output
    assert "DUP" not in output


def test_see_shows_the_source(repl: ReplClient) -> None:
    repl.run(": sq ( n -- n*n )  \\ Square it.\n  DUP * ; IMMEDIATE")
    assert repl.run("see sq") == (
        "\\ <line 1>:1\n: sq ( n -- n*n )  \\ Square it.\n  DUP * ; IMMEDIATE\n"
    )
    assert repl.run("SEE DUP").startswith("DUP is a word of the kernel: ( x -- x x )")
    assert "unknown word `sw`" in repl.fail("see sw")
    assert "WORD is missing" in repl.fail("see")


def test_code_shows_what_was_compiled(repl: ReplClient) -> None:
    repl.run(": f ( n -- ) IF 1 ELSE 2 ENDIF ;")
    assert repl.run("code f") == ": f\n  IF\n    1\n  ELSE\n    2\n  ENDIF ;\n"


def test_locate_shows_location_and_source(repl: ReplClient) -> None:
    repl.run(": sq DUP * ;")
    assert repl.run("locate sq") == "sq: <line 1>:1\n  : sq DUP * ;\n"
    assert "<library>/core.4th:" in repl.run("locate IF")
    assert "kernel" in repl.run("locate DUP")


def test_where_a_word_is_used(repl: ReplClient) -> None:
    repl.run(": sq DUP * ;")
    assert "no definition uses sq" in repl.run("where sq")
    repl.run(": f sq sq ;")
    output = repl.run("where sq").splitlines()
    assert output[0] == "sq is used twice"
    assert output[1:] == ["<line 2>:1  f  : f sq sq ;"] * 2


def test_help_lists_every_command(repl: ReplClient) -> None:
    output = repl.run("help")
    for command in COMMANDS:
        assert command.name in output
    assert "a name with %" in " ".join(output.lower().split())


def test_help_of_words_and_commands(repl: ReplClient) -> None:
    repl.run("\\ Squares a number.  It may overflow.\n: sq ( n -- n*n ) DUP * ;")
    output = repl.run("help sq")
    assert output.startswith("sq  ( n -- n*n )\n  Squares a number.\n")
    assert "<line 1>:2" in output
    assert "Copy the top item." in repl.run("help DUP")
    assert "the legal moves" in repl.run("help moves")
    assert "immediate" in repl.run("help IF")
    assert "C@" in repl.run("help byte")
    assert "no word is related to `zzz`" in repl.fail("help zzz")


def test_help_of_names_defined_by_a_game(in_game: Game) -> None:
    repl = in_game()
    assert "position 6" in repl.run("help a1")
    assert "player" in repl.run("help X")
    assert "piece type" in repl.run("help mark")
    assert repl.run("help won?").startswith("won?  ( player -- ? )")


def test_commands_that_are_words_take_the_prefix(in_game: Game) -> None:
    repl = in_game(moves=["b2"])
    repl.run("back")  # the library's word
    assert repl.session.need_position().ply == 1
    repl.run("%back")
    assert repl.session.need_position().ply == 0
    repl.run(": moves 42 ;")
    repl.run("moves")
    assert repl.stack == (42,)
    assert "X mark a1" in repl.run("%moves")
    assert "%moves" in repl.run("help")
    assert "unknown word `%nothing`" in repl.fail("%nothing")


def test_dump_prints_bytes_and_characters(repl: ReplClient) -> None:
    repl.run("CREATE text 65 C, 66 C, 0 C, 7 ,")
    output = repl.run("dump text 8")
    assert "41 42 00 07  00 00 00" in output
    assert "AB......" in output
    assert "text" in output
    address = repl.session.vm.call("text")[0]
    assert repl.run(f"dump {address} 8") == output
    assert repl.run(f"dump ${address:x} 8") == output
    assert repl.run(f"dump 0x{address:x} 8") == output
    assert "not an address" in repl.fail("dump 99999999")
    assert "neither a word nor a number" in repl.fail("dump nowhere")
    assert "dump ADDRESS" in repl.fail("dump")


def test_map_lists_regions_in_order(in_game: Game) -> None:
    repl = in_game()
    repl.run(": sq DUP * ;")
    output = repl.run("map")
    for name in ("PAD", "core.4th", "tictactoe.4th", "the board", "the session's lines", "HERE"):
        assert name in output
    starts = [int(line.split()[0]) for line in output.splitlines() if line.split()[0].isdecimal()]
    assert starts == sorted(starts)


def test_stack_shows_possible_meanings(in_game: Game) -> None:
    repl = in_game()
    repl.run(": sq DUP * ;")
    repl.run("7 ' sq X mark OR 3.5")
    text = repl.shell.stack_text(repl.stack)
    token = repl.session.vm.find("sq")
    assert text == f"<4> 7(b1) {token}(' sq) 2049(X mark) 1080033280(3.5)"
    rows = repl.run("stack").splitlines()
    assert [int(row.split()[1]) for row in rows] == list(reversed(repl.stack))
    repl.run("DROP DROP DROP DROP")
    assert repl.run("stack") == "the stack is empty\n"


def test_stack_shows_texts(repl: ReplClient) -> None:
    repl.run(': greeting S" hello there" ;')
    repl.run("greeting")
    assert '("hello there")' in repl.shell.stack_text(repl.stack)


def test_deep_stack_is_shortened(repl: ReplClient) -> None:
    repl.run(" ".join(str(n) for n in range(20)))
    assert repl.shell.stack_text(repl.stack).startswith("<20> … 12 13")
    assert len(repl.run("stack").splitlines()) == 20


def test_dot_s_is_forthscript(repl: ReplClient) -> None:
    assert repl.run("1 2 .S") == "1 2 "


# --- the game ---------------------------------------------------------------------------


def test_board_and_position_show_the_turn(in_game: Game) -> None:
    repl = in_game(moves=["b2"])
    assert "O to move, 8 moves" in repl.run("board")
    output = repl.run("position")
    assert output.splitlines() == [
        "tictactoe, after 1 ply",
        "  1. X: X mark b2",
        "O to move, 8 moves",
    ]


def test_finished_game_shows_the_result(in_game: Game) -> None:
    repl = in_game(moves=["a1", "b1", "a2", "b2", "a3"])
    assert "the game is over: O has lost, X won: three in a row" in repl.run("board")
    assert repl.shell.prompt() == "tictactoe> "
    assert "the game is over" in repl.fail("play c1")


def test_moves_are_listed_with_their_code(in_game: Game) -> None:
    repl = in_game()
    output = repl.run("moves b2").splitlines()
    assert output[0].split(None, 1) == ["5", "X mark b2"]
    assert output[1].strip() == "X mark OR b2 (create)"
    assert len(repl.run("moves").splitlines()) == 18
    assert "no legal move contains 'z9'" in repl.run("moves z9")


def test_play_refuses_texts_that_are_not_one_move(in_game: Game) -> None:
    repl = in_game()
    assert "is not a move" in repl.fail("play zz")
    assert "MOVE is missing" in repl.fail("play")
    assert "can be" in repl.fail("play a")
    assert repl.session.need_position().ply == 0


def test_position_saves_and_loads(in_game: Game, in_folder: Path) -> None:
    repl = in_game(moves=["b2"])
    repl.run("position save here.json")
    repl.run("play a1")
    repl.run("position load here.json")
    assert repl.session.need_position().ply == 1
    assert repl.run("a1 empty-at? .") == "-1 "
    assert "FILE is missing" in repl.fail("position save")
    assert "load FILE" in repl.fail("position there")


def test_explain_and_why_not_name_words(in_game: Game) -> None:
    repl = in_game(moves=["b2"])
    output = repl.run("explain a1")
    assert "put for O mark on a1" in output
    assert "empty? verify" in output
    output = repl.run("why-not b2")
    assert "`empty? verify` in `put` refuses it" in output
    assert repl.session.need_position().ply == 1
    assert "MOVE is missing" in repl.fail("why-not")
    assert "MOVE is missing" in repl.fail("explain")


@pytest.mark.slow
def test_game_commands_need_a_game(repl: ReplClient) -> None:
    for line in ("board", "moves", "play a1", "takeback", "new", "position", "explain a1", "load"):
        assert "no game is loaded" in repl.fail(line)
    assert "X to move" in repl.run("load tictactoe")
    assert "nothing-of-that-name" in repl.fail("load nothing-of-that-name")
    assert repl.session.need_game().name == "tictactoe"


def test_check_of_the_session(repl: ReplClient) -> None:
    repl.run(": oops ( -- n ) 1 2 ;")
    output = repl.run("check")
    assert "`oops` says ( -- n ) but leaves 2 cells" in output
    assert "<session>" in output
    assert repl.run("1 2 + .") == "3 "


@pytest.mark.slow
def test_check_of_files_and_games(in_game: Game, in_folder: Path) -> None:
    repl = in_game()
    assert "nothing found" in repl.run("check")
    (in_folder / "own.4th").write_text(": f ( -- n ) 1 2 ;\n", encoding="utf-8")
    assert "`f` says" in repl.run("check own.4th")
    assert "no such file" in repl.fail("check nowhere.4th")


def test_quit_and_its_aliases_leave(repl: ReplClient) -> None:
    for line in ("quit", "exit", "bye", "Quit"):
        with pytest.raises(LeaveError):
            repl.shell.run(line)


def test_every_command_has_a_function() -> None:
    from importlib import import_module

    for command in COMMANDS:
        module, function = command.function.split(".")
        assert callable(getattr(import_module(f"forthvm.repl.commands.{module}"), function))

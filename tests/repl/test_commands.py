"""Every command that looks, at least once, with its errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.repl import LeaveError
from forthvm.repl.commands import COMMANDS
from tests.repl.conftest import Game, Talk


def test_words_of_the_session_by_pattern(talk: Talk) -> None:
    talk.say(": my-word 1 ; : other 2 ;")
    assert talk.say("words in session") == "session (2)\nmy-word  other\n"
    assert talk.say("words *word") == "session (1)\nmy-word\nkernel (1)\nWORD\n"
    assert talk.say("words in session *word") == "session (1)\nmy-word\n"
    assert "ENDIF" in talk.say("words in core END")
    assert "no word matches zz*" in talk.fail("words zz*")
    assert "no word is related to `zz`" in talk.fail("words zz")
    assert "there are session, axiom" in talk.fail("words in nowhere")
    assert "PLACE is missing" in talk.fail("words in")


def test_words_by_what_they_do(in_game: Game) -> None:
    """The session's own words and the game's, with their comments; and why each was found."""
    talk = in_game()
    talk.say(": hostile? ( -- ? )  \\ Does the other one stand here?\n  enemy? ;")
    told = talk.say("words opponent")
    for name in ("hostile?", "enemy?"):
        assert name in told
    assert "Does the other one stand here? (found by `hostile`)" in " ".join(told.split())
    assert talk.say("words in session opponent").startswith("hostile?")
    assert "enemy-at?" not in talk.say("words in session opponent")
    assert talk.say("words game over").startswith("OnIsGameOver")
    assert "\nand " in talk.say("words piece")


def test_words_of_a_vocabulary(talk: Talk) -> None:
    talk.say("VOCABULARY own own DEFINITIONS : inside 1 ; FORTH DEFINITIONS")
    assert talk.say("words in own").splitlines()[1:] == ["inside"]


def test_words_of_a_file_of_a_game(in_game: Game) -> None:
    talk = in_game("splut")
    told = talk.say("words in turns.4th")
    assert "OnIsGameOver" in told
    assert "DUP" not in told


def test_see_shows_the_source(talk: Talk) -> None:
    talk.say(": sq ( n -- n*n )  \\ Square it.\n  DUP * ; IMMEDIATE")
    assert talk.say("see sq") == (
        "\\ <line 1>:1\n: sq ( n -- n*n )  \\ Square it.\n  DUP * ; IMMEDIATE\n"
    )
    assert talk.say("SEE DUP").startswith("DUP is a word of the kernel: ( x -- x x )")
    assert "unknown word `sw`" in talk.fail("see sw")
    assert "WORD is missing" in talk.fail("see")


def test_code_shows_what_was_compiled(talk: Talk) -> None:
    talk.say(": f ( n -- ) IF 1 ELSE 2 ENDIF ;")
    assert talk.say("code f") == ": f\n  IF\n    1\n  ELSE\n    2\n  ENDIF ;\n"


def test_locate(talk: Talk) -> None:
    talk.say(": sq DUP * ;")
    assert talk.say("locate sq") == "sq: <line 1>:1\n  : sq DUP * ;\n"
    assert "<library>/core.4th:" in talk.say("locate IF")
    assert "kernel" in talk.say("locate DUP")


def test_where_a_word_is_used(talk: Talk) -> None:
    talk.say(": sq DUP * ;")
    assert "no definition uses sq" in talk.say("where sq")
    talk.say(": f sq sq ;")
    told = talk.say("where sq").splitlines()
    assert told[0] == "sq is used twice"
    assert told[1:] == ["<line 2>:1  f  : f sq sq ;"] * 2


def test_help_lists_every_command(talk: Talk) -> None:
    told = talk.say("help")
    for command in COMMANDS:
        assert command.name in told
    assert "a name with %" in " ".join(told.lower().split())


def test_help_of_words_and_commands(talk: Talk) -> None:
    talk.say("\\ Squares a number.  It may overflow.\n: sq ( n -- n*n ) DUP * ;")
    told = talk.say("help sq")
    assert told.startswith("sq  ( n -- n*n )\n  Squares a number.\n")
    assert "<line 1>:2" in told
    assert "Copy the top item." in talk.say("help DUP")
    assert "the legal moves" in talk.say("help moves")
    assert "immediate" in talk.say("help IF")
    assert "C@" in talk.say("help byte")
    assert "no word is related to `zzz`" in talk.fail("help zzz")


def test_help_of_what_a_game_defines(in_game: Game) -> None:
    talk = in_game()
    assert "position 6" in talk.say("help a1")
    assert "player" in talk.say("help X")
    assert "piece type" in talk.say("help mark")
    assert talk.say("help won?").startswith("won?  ( player -- ? )")


def test_commands_that_are_words_take_the_prefix(in_game: Game) -> None:
    talk = in_game(moves=["b2"])
    talk.say("back")  # the library's word
    assert talk.session.need_position().ply == 1
    talk.say("%back")
    assert talk.session.need_position().ply == 0
    talk.say(": moves 42 ;")
    talk.say("moves")
    assert talk.stack == (42,)
    assert "X mark a1" in talk.say("%moves")
    assert "%moves" in talk.say("help")
    assert "unknown word `%nothing`" in talk.fail("%nothing")


def test_dump(talk: Talk) -> None:
    talk.say("CREATE text 65 C, 66 C, 0 C, 7 ,")
    told = talk.say("dump text 8")
    assert "41 42 00 07  00 00 00" in told
    assert "AB......" in told
    assert "text" in told
    address = talk.session.vm.call("text")[0]
    assert talk.say(f"dump {address} 8") == told
    assert talk.say(f"dump ${address:x} 8") == told
    assert talk.say(f"dump 0x{address:x} 8") == told
    assert "not an address" in talk.fail("dump 99999999")
    assert "neither a word nor a number" in talk.fail("dump nowhere")
    assert "dump ADDRESS" in talk.fail("dump")


def test_map(in_game: Game) -> None:
    talk = in_game()
    talk.say(": sq DUP * ;")
    told = talk.say("map")
    for place in ("PAD", "core.4th", "tictactoe.4th", "the board", "the session's lines", "HERE"):
        assert place in told
    starts = [int(line.split()[0]) for line in told.splitlines() if line.split()[0].isdecimal()]
    assert starts == sorted(starts)


def test_the_stack_is_shown_with_what_it_may_be(in_game: Game) -> None:
    talk = in_game()
    talk.say(": sq DUP * ;")
    talk.say("7 ' sq X mark OR 3.5")
    shown = talk.shell.stack_text(talk.stack)
    token = talk.session.vm.find("sq")
    assert shown == f"<4> 7(b1) {token}(' sq) 2049(X mark) 1080033280(3.5)"
    rows = talk.say("stack").splitlines()
    assert [int(row.split()[1]) for row in rows] == list(reversed(talk.stack))
    talk.say("DROP DROP DROP DROP")
    assert talk.say("stack") == "the stack is empty\n"


def test_texts_on_the_stack(talk: Talk) -> None:
    talk.say(': greeting S" hello there" ;')
    talk.say("greeting")
    assert '("hello there")' in talk.shell.stack_text(talk.stack)


def test_a_deep_stack_is_cut(talk: Talk) -> None:
    talk.say(" ".join(str(n) for n in range(20)))
    assert talk.shell.stack_text(talk.stack).startswith("<20> … 12 13")
    assert len(talk.say("stack").splitlines()) == 20


def test_dot_s_is_the_word(talk: Talk) -> None:
    assert talk.say("1 2 .S") == "1 2 "


# --- the game ---------------------------------------------------------------------------


def test_board_and_position(in_game: Game) -> None:
    talk = in_game(moves=["b2"])
    assert "O to move, 8 moves" in talk.say("board")
    told = talk.say("position")
    assert told.splitlines() == [
        "tictactoe, after 1 ply",
        "  1. X: X mark b2",
        "O to move, 8 moves",
    ]


def test_a_finished_game(in_game: Game) -> None:
    talk = in_game(moves=["a1", "b1", "a2", "b2", "a3"])
    assert "the game is over: O has lost, X won" in talk.say("board")
    assert talk.shell.prompt() == "tictactoe> "
    assert "the game is over" in talk.fail("play c1")


def test_moves_with_their_code(in_game: Game) -> None:
    talk = in_game()
    told = talk.say("moves b2").splitlines()
    assert told[0].split(None, 1) == ["5", "X mark b2"]
    assert told[1].strip() == "X mark OR b2 (create)"
    assert len(talk.say("moves").splitlines()) == 18
    assert "no legal move contains 'z9'" in talk.say("moves z9")


def test_play_refuses(in_game: Game) -> None:
    talk = in_game()
    assert "is not a move" in talk.fail("play zz")
    assert "MOVE is missing" in talk.fail("play")
    assert "can be" in talk.fail("play a")
    assert talk.session.need_position().ply == 0


def test_positions_are_written_and_read(in_game: Game, in_folder: Path) -> None:
    talk = in_game(moves=["b2"])
    talk.say("position save here.json")
    talk.say("play a1")
    talk.say("position load here.json")
    assert talk.session.need_position().ply == 1
    assert talk.say("a1 empty-at? .") == "-1 "
    assert "FILE is missing" in talk.fail("position save")
    assert "load FILE" in talk.fail("position there")


def test_explain_and_why_not(in_game: Game) -> None:
    talk = in_game(moves=["b2"])
    told = talk.say("explain a1")
    assert "put for O mark on a1" in told
    assert "empty? verify" in told
    refused = talk.say("why-not b2")
    assert "`empty? verify` in `put` refuses it" in refused
    assert talk.session.need_position().ply == 1
    assert "MOVE is missing" in talk.fail("why-not")
    assert "MOVE is missing" in talk.fail("explain")


def test_without_a_game(talk: Talk) -> None:
    for line in ("board", "moves", "play a1", "takeback", "new", "position", "explain a1", "load"):
        assert "no game is loaded" in talk.fail(line)
    assert "X to move" in talk.say("load tictactoe")
    assert "nothing-of-that-name" in talk.fail("load nothing-of-that-name")
    assert talk.session.need_game().name == "tictactoe"


def test_check_of_the_session(talk: Talk) -> None:
    talk.say(": oops ( -- n ) 1 2 ;")
    told = talk.say("check")
    assert "`oops` says ( -- n ) but leaves 2 cells" in told
    assert "<session>" in told
    assert talk.say("1 2 + .") == "3 "


def test_check_of_files_and_games(in_game: Game, in_folder: Path) -> None:
    talk = in_game()
    assert "nothing found" in talk.say("check")
    (in_folder / "own.4th").write_text(": f ( -- n ) 1 2 ;\n", encoding="utf-8")
    assert "`f` says" in talk.say("check own.4th")
    assert "no such file" in talk.fail("check nowhere.4th")


def test_quit(talk: Talk) -> None:
    for line in ("quit", "exit", "bye", "Quit"):
        with pytest.raises(LeaveError):
            talk.shell.run(line)


def test_every_command_has_a_function() -> None:
    from importlib import import_module

    for command in COMMANDS:
        module, function = command.function.split(".")
        assert callable(getattr(import_module(f"forthvm.repl.commands.{module}"), function))

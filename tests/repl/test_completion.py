"""What is offered at the cursor, with effect and help beside it."""

from __future__ import annotations

from pathlib import Path

from forthvm.repl.prompt.completion import candidates
from tests.repl.conftest import Game, Talk


def offered(talk: Talk, before: str) -> list[str]:
    return [one.text for one in candidates(talk.shell, before)]


def about(talk: Talk, before: str, text: str) -> str:
    return next(one.about() for one in candidates(talk.shell, before) if one.text == text)


def test_words_of_the_live_dictionary(talk: Talk) -> None:
    assert offered(talk, "1 DU")[0] == "DUP"
    assert offered(talk, "1 own-") == []
    talk.say("\\ Makes one.\n: own-word ( -- n ) 1 ;")
    assert offered(talk, "1 own-") == ["own-word"]
    assert about(talk, "1 own", "own-word") == "( -- n )  Makes one."
    talk.say("undo")
    assert offered(talk, "1 own-") == []


def test_help_beside_library_and_kernel_words(talk: Talk) -> None:
    assert about(talk, "1 DUP", "DUP") == "( x -- x x )  Copy the top item."
    assert about(talk, "1 ALL", "ALLOT").startswith("( n -- )  Move the end of the dictionary")
    talk.say("VARIABLE counted 8 CONSTANT eight")
    assert about(talk, "1 cou", "counted") == "( -- addr )  (variable)"
    assert about(talk, "1 eig", "eight") == "( -- n )  (constant 8)"


def test_the_same_case_comes_first(talk: Talk) -> None:
    talk.say(": dupe 1 ; : DUPE 2 ;")
    assert offered(talk, "1 du")[0] == "dupe"
    assert offered(talk, "1 DU")[:2] == ["DUP", "DUPE"]


def test_names_with_the_text_inside_come_last(talk: Talk) -> None:
    found = offered(talk, "1 move")
    assert "add-move" in found
    assert found.index("move") < found.index("add-move")


def test_commands_where_a_line_begins(talk: Talk) -> None:
    assert offered(talk, "se")[0] == "see"
    assert "see" not in offered(talk, "1 se")
    assert about(talk, "se", "see").startswith("WORD...")
    talk.say(": see 1 ;")
    assert offered(talk, "%s")[:2] == ["%see"]


def test_arguments_of_commands(in_game: Game) -> None:
    talk = in_game()
    assert offered(talk, "see hel") == ["held"]
    assert offered(talk, "play X mark a") == ["X mark a3", "X mark a2", "X mark a1"]
    assert offered(talk, "play b2") == ["X mark b2"]
    assert "save" in offered(talk, "help sa")
    assert "tictactoe" in offered(talk, "load tic")
    assert offered(talk, "board ") == []


def test_names_of_the_game(in_game: Game) -> None:
    talk = in_game()
    assert about(talk, "1 a1", "a1") == "( -- pos )  (position 6)"
    assert about(talk, "1 mark", "mark") == "( -- type )  (piece type)"
    assert about(talk, "1 X", "X") == "( -- player )  (player)"


def test_files(talk: Talk, in_folder: Path) -> None:
    for name in ("one.4th", "two.4TH", "other.txt", ".hidden.4th"):
        (in_folder / name).touch()
    (in_folder / "oven").mkdir()
    assert offered(talk, "LOAD o") == ["one.4th", "oven/"]
    assert offered(talk, "check t") == ["two.4TH"]
    assert ".hidden.4th" not in offered(talk, "LOAD ")
    assert offered(talk, "LOAD nowhere/") == []


def test_files_beside_the_game(in_game: Game, in_folder: Path) -> None:
    for name in ("rules.4th", "rulebook.4th"):
        (in_folder / name).touch()
    talk = in_game("reversi")
    assert offered(talk, "LOAD rul") == ["rulebook.4th", "rules.4th"]  # once, first those here
    assert "reversi.4th" in offered(talk, "LOAD rev")


def test_nothing_inside_comments_and_texts(talk: Talk) -> None:
    for before in ("( DU", "\\ DU", 'S" DU', ': f ." DU', "1 ( a\nDU"):
        assert offered(talk, before) == []
    assert offered(talk, "( a ) DU")[0] == "DUP"
    assert offered(talk, "\\ a\nDU")[0] == "DUP"
    assert offered(talk, 'S" a" DU')[0] == "DUP"


def test_a_game_whose_moves_fail_offers_none(in_game: Game) -> None:
    talk = in_game()
    talk.say(": put ( -- ) 1 0 / ; {moves put-moves {move} put moves}")
    talk.say("{pieces {piece} mark {drops} put-moves pieces}")
    assert offered(talk, "play X") == []
    assert talk.say("1 2 + .") == "3 "

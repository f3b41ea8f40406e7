"""Candidates at the cursor, with stack effects and help."""

from __future__ import annotations

from pathlib import Path

from forthvm.repl.prompt.completion import candidates
from tests.repl.conftest import Game, ReplClient


def candidate_texts(repl: ReplClient, before: str) -> list[str]:
    return [candidate.text for candidate in candidates(repl.shell, before)]


def candidate_help(repl: ReplClient, before: str, text: str) -> str:
    return next(
        candidate.description()
        for candidate in candidates(repl.shell, before)
        if candidate.text == text
    )


def test_completes_words_of_the_dictionary(repl: ReplClient) -> None:
    assert candidate_texts(repl, "1 DU")[0] == "DUP"
    assert candidate_texts(repl, "1 own-") == []
    repl.run("\\ Makes one.\n: own-word ( -- n ) 1 ;")
    assert candidate_texts(repl, "1 own-") == ["own-word"]
    assert candidate_help(repl, "1 own", "own-word") == "( -- n )  Makes one."
    repl.run("undo")
    assert candidate_texts(repl, "1 own-") == []


def test_help_of_library_and_kernel_words(repl: ReplClient) -> None:
    assert candidate_help(repl, "1 DUP", "DUP") == "( x -- x x )  Copy the top item."
    assert candidate_help(repl, "1 ALL", "ALLOT").startswith(
        "( n -- )  Move the end of the dictionary"
    )
    repl.run("VARIABLE counted 8 CONSTANT eight")
    assert candidate_help(repl, "1 cou", "counted") == "( -- addr )  (variable)"
    assert candidate_help(repl, "1 eig", "eight") == "( -- n )  (constant 8)"


def test_names_in_the_same_case_come_first(repl: ReplClient) -> None:
    repl.run(": dupe 1 ; : DUPE 2 ;")
    assert candidate_texts(repl, "1 du")[0] == "dupe"
    assert candidate_texts(repl, "1 DU")[:2] == ["DUP", "DUPE"]


def test_names_containing_the_text_come_last(repl: ReplClient) -> None:
    texts = candidate_texts(repl, "1 move")
    assert "add-move" in texts
    assert texts.index("move") < texts.index("add-move")


def test_commands_complete_at_the_start_of_a_line(repl: ReplClient) -> None:
    assert candidate_texts(repl, "se")[0] == "see"
    assert "see" not in candidate_texts(repl, "1 se")
    assert candidate_help(repl, "se", "see").startswith("WORD...")
    repl.run(": see 1 ;")
    assert candidate_texts(repl, "%s")[:2] == ["%see"]


def test_completes_arguments_of_commands(in_game: Game) -> None:
    repl = in_game()
    assert candidate_texts(repl, "see marks-") == ["marks-in-line"]
    assert candidate_texts(repl, "play X mark a") == ["X mark a3", "X mark a2", "X mark a1"]
    assert candidate_texts(repl, "play b2") == ["X mark b2"]
    assert "save" in candidate_texts(repl, "help sa")
    assert "tictactoe" in candidate_texts(repl, "load tic")
    assert candidate_texts(repl, "board ") == []


def test_names_of_the_game_have_help(in_game: Game) -> None:
    repl = in_game()
    assert candidate_help(repl, "1 a1", "a1") == "( -- pos )  (position 6)"
    assert candidate_help(repl, "1 mark", "mark") == "( -- type )  (piece type)"
    assert candidate_help(repl, "1 X", "X") == "( -- player )  (player)"


def test_completes_scripts_and_folders(repl: ReplClient, in_folder: Path) -> None:
    for name in ("one.4th", "two.4TH", "other.txt", ".hidden.4th"):
        (in_folder / name).touch()
    (in_folder / "oven").mkdir()
    assert candidate_texts(repl, "LOAD o") == ["one.4th", "oven/"]
    assert candidate_texts(repl, "check t") == ["two.4TH"]
    assert ".hidden.4th" not in candidate_texts(repl, "LOAD ")
    assert candidate_texts(repl, "LOAD nowhere/") == []


def test_completes_files_in_the_game_folder(in_game: Game, in_folder: Path) -> None:
    for name in ("rules.4th", "rulebook.4th"):
        (in_folder / name).touch()
    repl = in_game("reversi")
    # The game folder also has rules.4th; each name is listed once.
    assert candidate_texts(repl, "LOAD rul") == ["rulebook.4th", "rules.4th"]
    assert "reversi.4th" in candidate_texts(repl, "LOAD rev")


def test_comments_and_texts_have_no_candidates(repl: ReplClient) -> None:
    for before in ("( DU", "\\ DU", 'S" DU', ': f ." DU', "1 ( a\nDU"):
        assert candidate_texts(repl, before) == []
    assert candidate_texts(repl, "( a ) DU")[0] == "DUP"
    assert candidate_texts(repl, "\\ a\nDU")[0] == "DUP"
    assert candidate_texts(repl, 'S" a" DU')[0] == "DUP"


def test_failing_move_generation_gives_no_candidates(in_game: Game) -> None:
    repl = in_game()
    repl.run(": put ( -- ) 1 0 / ; {moves put-moves {move} put moves}")
    repl.run("{pieces {piece} mark {drops} put-moves pieces}")
    assert candidate_texts(repl, "play X") == []
    assert repl.run("1 2 + .") == "3 "

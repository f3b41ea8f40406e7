"""The result comment, written by `^` words in OnIsGameOver."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.game.outcome import UNKNOWN
from tests.kit.boards import grid
from tests.kit.commands import Cli
from tests.kit.files import write
from tests.kit.messages import raises

GAME = grid(2, 2, "e", players="Red Blue")
GAME += """\
: go e verify empty? verify from here move ^" to the right" add-move ;
{moves steps {move} go moves}
{pieces {piece} Man {moves} steps pieces}
{board-setup {setup} Red Man a1 {setup} Blue Man a2 board-setup}
VARIABLE calls
: OnIsGameOver
    1 calls +! ." [called]"
    ^" men:" move-count ^number ^player
    move-count IF #UnknownScore ELSE #DrawScore ENDIF ;
"""

versions = pytest.mark.parametrize("axiom", [140, 150])


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return write(tmp_path / "game.4th", GAME)


@versions
def test_each_position_has_its_comment(script: Path, axiom: int) -> None:
    position = forthvm.load(script, axiom=axiom, output=lambda text: None).start()
    assert (position.comment, position.result) == ("men: 1 Red", None)
    position.push(position.legal_moves[0])
    assert position.comment == "men: 1 Blue"
    position.push(position.legal_moves[0])
    assert position.comment == "men: 0 Red"
    assert position.result is not None
    position.pop()
    assert position.comment == "men: 1 Blue"


@versions
def test_reading_the_comment_changes_and_prints_nothing(script: Path, axiom: int) -> None:
    printed: list[str] = []
    game = forthvm.load(script, axiom=axiom, output=printed.append)
    position = game.start()
    before, code = position.copy(), position._code
    assert printed == ["[called]"]
    assert [position.comment, position.comment] == ["men: 1 Red"] * 2
    assert printed == ["[called]"]
    assert position == before
    assert position._code == code


def test_a_comment_is_not_part_of_move_texts(script: Path) -> None:
    texts = {}
    for axiom in (140, 150):
        position = forthvm.load(script, axiom=axiom, output=lambda text: None).start()
        assert position._code == UNKNOWN
        texts[axiom] = str(position.legal_moves[0])
    assert texts == {140: "Man a1 - b1 to the right", 150: "Man a1 - b1"}


def test_a_long_comment_is_cut(script: Path) -> None:
    script.write_text(GAME.replace('^" men:"', '1000 0 DO ^" men:" LOOP'))
    comment = forthvm.load(script, output=lambda text: None).start().comment
    assert comment == ("men: " * 1000)[:1023].removesuffix(" ")


def test_the_comment_is_shown_at_the_end_of_a_game(script: Path, cli: Cli) -> None:
    shown = cli.out("run", script, "--auto", "--engine", "first")
    assert shown.rstrip().endswith("Draw: men: 0 Red.")


def test_caret_words_outside_moves_and_onisgameover_raise(script: Path) -> None:
    script.write_text(GAME + ": OnNewGame 5 ^number ;")
    game = forthvm.load(script, output=lambda text: None)
    with raises(forthvm.ForthVMError, "comment.outside-of-a-move"):
        game.start()


@versions
@pytest.mark.parametrize(
    ("words", "comment"),
    [
        ('^" a" current-player FALSE 0 $GenerateMoves $DeallocateMoves ^" b"', "a "),
        ('^" a" current-player TRUE 0 $GenerateMoves ^" b" $DeallocateMoves ^" c"', "a "),
        ('current-player FALSE 0 $GenerateMoves $DeallocateMoves ^" b"', ""),
        (
            '^" a" ^" b" current-player FALSE 0 $GenerateMoves $DeallocateMoves 5 ^number ^trim',
            "a b ",
        ),
        ('^" a" search ^" b"', "a "),
        ('^" a" $CloneBoard $DeallocateBoard ^" b"', "a b "),
    ],
)
def test_a_list_ends_the_comment(script: Path, axiom: int, words: str, comment: str) -> None:
    search = (
        "VARIABLE inner : search inner @ NOT IF inner ON 1 $depthLimit ! OnSearch inner OFF ENDIF ;"
    )
    hook = f"{search}\n: OnIsGameOver inner @ NOT IF {words} ENDIF #UnknownScore ;"
    script.write_text(GAME[: GAME.index("VARIABLE calls")] + hook)
    position = forthvm.load(script, axiom=axiom).start()
    with position._in_memory() as native:
        native.game_over()
        assert native.game_comment() == comment

"""The origin of a move: the word, the execution path, and the code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import forthvm
from forthvm.debug.explain.execution_path import Step
from forthvm.game import Position
from tests.kit.boards import grid
from tests.kit.games import load_text, loaded

SCRIPT = grid(1, 5, "e w", players="Left Right", more="{variable} count")
SCRIPT += """\
: bump ( -- ) count ++ ;
: end? ( -- ? ) here e1 = ;
: go ( 'dir -- )
    EXECUTE verify empty? verify
    from here move
    end? IF capture ELSE COMPILE bump ENDIF
    add-move ;
: go-e ( -- ) ['] e go ;
: twice ( -- ) e verify from here move add-move from here move add-move ;
: put ( -- ) empty? verify here e1 = verify drop add-move ;
{moves man-moves {move} go-e {move-type} normal {move} twice moves}
{moves drops {move} put moves}
{pieces {piece} man {moves} man-moves {piece} king {drops} drops pieces}
{board-setup {setup} Left man a1 board-setup}
"""


@pytest.fixture
def position(tmp_path: Path) -> Position:
    return load_text(tmp_path, SCRIPT, name="walk.4th").start()


def summary_of(path: tuple[Step, ...]) -> list[tuple[str, str, int | None, str | None]]:
    return [
        (step.kind, step.word, step.value, step.here)
        for step in path
        if step.kind not in ("token", "help")
    ]


def test_every_addition_of_the_text_is_an_origin(position: Position) -> None:
    """go-e adds `man a1 - b1` once, `twice` adds it two times."""
    assert position.legal_moves.texts == ("man a1 - b1",) * 3 + ("Left king e1",)
    explanation = forthvm.explain(position, "a1b1")
    assert explanation.move == "man a1 - b1"
    assert [
        (origin.index, origin.word, origin.order, origin.type) for origin in explanation.origins
    ] == [
        (0, "go-e", 0, "normal"),
        (1, "twice", 0, None),
        (2, "twice", 1, None),
    ]


def test_path_has_the_decisions_of_the_word(position: Position) -> None:
    first = forthvm.explain(position, position.legal_moves[0]).origins[0]
    assert (first.square, first.piece, first.list, first.table) == (
        "a1",
        "Left man",
        "moves",
        "man-moves",
    )
    assert first.directions == ("e",)
    assert summary_of(first.path) == [
        ("call", "go", None, None),
        ("direction", "e", -1, "b1"),
        ("verify", "verify", -1, "b1"),
        ("verify", "verify", -1, "b1"),
        ("edit", "move", None, "b1"),
        ("if", "IF", 0, "b1"),
        ("edit", "COMPILE", None, "b1"),
        ("add-move", "add-move", None, None),
    ]
    verifies = [step for step in first.path if step.kind == "verify"]
    assert [step.condition for step in verifies] == ["EXECUTE", "empty?"]
    assert [(step.location.line, step.location.column) for step in verifies if step.location] == [
        (8, 13),
        (8, 27),
    ]
    (choice,) = [step for step in first.path if step.kind == "if"]
    assert (choice.condition, choice.inside, choice.depth) == ("end?", "go", 1)
    (helper_step,) = [step for step in first.path if step.word == "end?"]
    # end? runs `here` (which reads a variable), `e1`, `=` and the returns: more than 2 tokens.
    assert helper_step.kind == "help"
    assert helper_step.ran > 2


def test_source_lines_of_the_path(position: Position) -> None:
    """The path runs lines 6 and 8 to 12 of the script; `bump` runs only when the move is made."""
    first = forthvm.explain(position, "a1b1").origins[0]
    script_lines = [line.line for line in first.lines if line.file.endswith("walk.4th")]
    assert script_lines == [6, 8, 9, 10, 11, 12]


def test_code_and_its_effects(position: Position) -> None:
    first, second, third = forthvm.explain(position, "a1b1").origins
    assert first.code == "a1 (remove-piece) Left man OR b1 (add-piece) bump"
    assert first.changes == ("Left man goes from a1 to b1", "bump runs")
    assert second.code == third.code == "a1 (remove-piece) Left man OR b1 (add-piece)"


def test_drop_has_its_origin(position: Position) -> None:
    (origin,) = forthvm.explain(position, "Left king e1").origins
    assert (origin.word, origin.list, origin.table) == ("put", "drops", "drops")
    assert (origin.square, origin.piece) == ("e1", "Left king")
    assert origin.code == "Left king OR e1 (create)"
    assert [step[0] for step in summary_of(origin.path)] == ["verify", "verify", "edit", "add-move"]


def test_origin_of_a_pass_added_by_the_kernel(tmp_path: Path) -> None:
    script = SCRIPT.replace("{setup} Left man a1", "{setup} Right man a1")
    script = script.replace("{drops} drops", "") + "$passTurnForced ON\n"
    position = load_text(tmp_path, script).start()
    (origin,) = forthvm.explain(position, "Pass").origins
    assert origin.word in (None, "$Pass")
    assert origin.changes == ("the turn is passed",)


def test_origin_has_type_and_rank() -> None:
    position = forthvm.load("draughts").start(
        setup=[("Black", "man", "c3"), ("White", "man", "d4")]
    )
    (origin,) = forthvm.explain(position, "man c3 - e5 x d4").origins
    assert (origin.type, origin.rank, origin.index) == ("jumping", 1, 0)
    assert origin.directions == ("ahead-right", "ahead-right")
    assert "e5 (add-piece) d4 (capture-at)" in origin.code


@pytest.mark.slow
def test_all_moves_of_all_games_have_an_origin() -> None:
    """Each origin ends with add-move; the square of a plain move is the square in its text."""
    for game in forthvm.games():
        position = forthvm.load(game.name, output=lambda _text: None).start()
        moves = position.legal_moves
        for move in (moves[0], moves[-1]):
            for origin in forthvm.explain(position, move).origins:
                assert position.legal_moves[origin.index].text == move.text
                assert origin.path[-1].kind == "add-move"
                assert origin.word is not None
                assert origin.table is not None
                if move.parts[0].kind == "move":
                    assert origin.square == move.from_square, (game.name, move)
        assert list(position.legal_moves) == list(moves)


def test_illegal_and_foreign_moves_raise(position: Position) -> None:
    with pytest.raises(forthvm.IllegalMoveError):
        forthvm.explain(position, "man a1 - c1")
    with pytest.raises(forthvm.AmbiguousMoveError):
        forthvm.explain(loaded("breakthrough").start(), "pawn b2")
    other = loaded("tictactoe").start().legal_moves[0]
    with pytest.raises(forthvm.IllegalMoveError):
        forthvm.explain(position, other)


def test_explain_changes_nothing(position: Position) -> None:
    before = position.copy()
    assert forthvm.explain(position, "a1b1") == forthvm.explain(position, "a1b1")
    assert position == before
    position.push("a1b1")
    assert position.variables["count"] == 1


def test_explanation_as_json_and_text(position: Position) -> None:
    explanation = forthvm.explain(position, "a1b1")
    document = json.loads(json.dumps(explanation.to_json()))
    assert [origin["word"] for origin in document["origins"]] == ["go-e", "twice", "twice"]
    assert document["origins"][0]["path"][-1]["place"]["source"] == "add-move ;"
    lines = str(explanation).splitlines()
    assert lines[0] == "`man a1 - b1` (Left to move, 3 times in the list)"
    assert lines[1].startswith("1. go-e for Left man on a1  ")
    assert "  in man-moves ({moves}), of type normal" in lines
    assert "  code: a1 (remove-piece) Left man OR b1 (add-piece) bump" in lines

"""Edit words outside a move word do not belong to a move.

Section b of axiom-observed.md, a note on the original's behaviour, describes this.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.errors import ContextError
from forthvm.engines import get
from forthvm.game import Game
from tests.kit.games import load_text, play
from tests.kit.messages import raises

EDITS = (
    "c1 capture-at capture a2 b2 move drop create c2 create-at Blue a3 create-player-at"
    " Man drop-piece Man a3 create-piece-type-at Red a1 change-owner-at Man change-type"
)

SCRIPT = """
{{board 3 3 {{grid}} {{variable}} called board}}
{{directions -1 0 {{direction}} up 1 0 {{direction}} down directions}}
{{players {{player}} Red {{player}} Blue players}}
{{turn-order {{turn}} Red {{turn}} Blue turn-order}}
DEFER edits
: note called ++ edits ;
: step verify empty? verify from here move COMPILE note add-move ;
: step-up up step ;
: step-down down step ;
{{moves man-moves {{move}} step-up {{move}} step-down moves}}
{{pieces {{piece}} Man {{moves}} man-moves pieces}}
{{board-setup {{setup}} Red Man a1 {{setup}} Blue Man c3 board-setup}}
: all-edits {edits} ;
' all-edits IS edits
{more}
"""


def load(folder: Path, more: str = "", edits: str = EDITS) -> Game:
    """Load a game whose moves call a word that uses edit words."""
    return load_text(folder, SCRIPT.format(edits=edits, more=more))


def pieces(game: Game, *moves: str) -> dict[str, str]:
    """Return the pieces by square after some moves."""
    position = game.start()
    play(position, *moves)
    return {name: str(piece) for name, piece in position.board.occupied()}


def test_edit_words_in_a_word_called_by_a_move_have_no_effect(tmp_path: Path) -> None:
    game = load(tmp_path)
    assert pieces(game, "Man a1 - a2") == {"c3": "Blue Man", "a2": "Red Man"}
    position = play(game.start(), "Man a1 - a2", "Man c3 - c2")
    assert position.variables["called"] == 2
    assert [str(move) for move in position.legal_moves] == ["Man a2 - a3", "Man a2 - a1"]


def test_searches_make_moves_that_call_edit_words(tmp_path: Path) -> None:
    game = load(tmp_path, ": OnEvaluate called @ ;")
    plain = load(tmp_path, ": OnEvaluate called @ ;", edits="")
    for engine in ("axiom", "negamax:depth=4", "mcts:playouts=50,seed=1"):
        result, expected = (get(engine).play(loaded.start()) for loaded in (game, plain))
        assert str(result.move) == str(expected.move)


@pytest.mark.parametrize("hook", [": OnIsGameOver edits #UnknownScore ;", ": OnEvaluate edits 3 ;"])
def test_edit_words_in_hooks_have_no_effect(tmp_path: Path, hook: str) -> None:
    game = load(tmp_path, hook)
    assert game.start().result is None
    assert pieces(game) == {"c3": "Blue Man", "a1": "Red Man"}
    assert str(get("negamax:depth=2").play(game.start()).move) == "Man a1 - a2"
    assert str(get("axiom").play(game.start()).move) == "Man a1 - a2"


def test_add_move_outside_a_move_word_is_an_error(tmp_path: Path) -> None:
    game = load(tmp_path, ": OnIsGameOver a1 capture-at add-move #UnknownScore ;")
    with raises(ContextError, "edits-outside-moves.add-move-builds"):
        assert game.start().result is None


def test_edit_words_before_the_first_list_are_an_error(tmp_path: Path) -> None:
    with raises(ContextError, "edits-outside-moves.capture-at-builds"):
        load(tmp_path, "a1 capture-at")
    game = load(tmp_path, ": OnNewGame a1 capture-at ;")
    with raises(ContextError, "edits-outside-moves.capture-at-builds"):
        game.start()

"""Why a move is not legal: scripts with one obvious reason of each kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import forthvm
from forthvm.core.errors import ForthVMError
from forthvm.debug.why_not.board_facts import code_of_fact
from forthvm.debug.why_not.refusals import Refusal, WhyNot
from forthvm.game import Position
from tests.kit.boards import grid
from tests.kit.cases import each_case
from tests.kit.games import load_text, loaded, play, script_of
from tests.kit.messages import raises

# A line of five squares, a1 to e1; each player has a man; Left also has a rook, which cannot move.
BOARD = grid(1, 5, "e w", players="Left Right", more="{position} box")
WORDS = """\
: free ( -- ) empty? verify ;
: go ( 'dir -- ) EXECUTE verify free from here move add-move ;
: go-e ['] e go ;
: go-w ['] w go ;
"""
PIECES = """\
{moves man-moves {move} go-e {move} go-w moves}
{pieces {piece} man {moves} man-moves {piece} rook pieces}
{board-setup {setup} Left man a1 {setup} Right man c1 {setup} Left rook b1 board-setup}
: OnIsGameOver #UnknownScore stalemate? IF DROP #LossScore ENDIF ;
"""


def load_position(folder: Path, words: str = WORDS, pieces: str = PIECES) -> Position:
    return load_text(folder, BOARD + words + pieces, name="line.4th").start(turn="Right")


@pytest.fixture
def position(tmp_path: Path) -> Position:
    """Right is to move; its man on c1 has Left's rook on b1 on one side and d1 on the other."""
    return load_position(tmp_path)


def refusal_positions(answer: WhyNot) -> tuple[str, ...]:
    """Return the source positions, `line:column`, of the refusals in the only answer."""
    (explanation,) = answer.answers
    locations = [refusal.location for refusal in explanation.refusals]
    return tuple(
        f"{location.line}:{location.column}" for location in locations if location is not None
    )


def test_refusing_verify_is_named(position: Position) -> None:
    answer = forthvm.why_not(position, "man c1 x b1")
    assert answer.kind == "refused"
    (explanation,) = answer.answers
    assert (explanation.word, explanation.square, explanation.piece) == ("go-w", "c1", "Right man")
    assert (explanation.move, explanation.exact, explanation.appears) == ("man c1 x b1", True, True)
    (refusal,) = explanation.refusals
    # `: free ( -- ) empty? verify ;` is line 5; the verify is its 22nd character.
    assert (refusal.location.line, refusal.location.column) == (5, 22)
    assert (refusal.kind, refusal.condition, refusal.value) == ("verify", "empty?", 0)
    assert (refusal.direction, refusal.here) == ("w", "b1")
    assert refusal.word == "free"
    assert [caller.word for caller in refusal.callers] == ["go", "go-w"]
    # go-e and go-w run for c1 only, so the verify of `free` runs for d1 and then for b1.
    assert refusal.round == 2


@pytest.mark.parametrize(
    "text", ["man c1 - b1", "c1 b1", "c1b1", "c1-b1", " MAN  c1 X b1", "mc1-B1", "Right man c1-b1"]
)
def test_short_text_is_accepted(position: Position, text: str) -> None:
    answer = forthvm.why_not(position, text)
    assert answer.kind == "refused"
    assert [explanation.move for explanation in answer.answers] == ["man c1 x b1"]
    assert not answer.answers[0].exact


def test_several_decisions_are_named(tmp_path: Path) -> None:
    conditions = ["empty?", "TRUE", "here d1 =", "here b1 <>"]
    checks = " ".join(f"{condition} verify" for condition in conditions)
    words = WORDS.replace("empty? verify", checks)
    answer = forthvm.why_not(load_position(tmp_path, words), "man c1 x b1")
    (explanation,) = answer.answers
    assert [refusal.condition for refusal in explanation.refusals] == [
        "empty?",
        "here d1 =",
        "here b1 <>",
    ]
    assert explanation.appears


def test_refusing_if_is_named(tmp_path: Path) -> None:
    words = WORDS.replace("free from here move add-move", "empty? IF from here move add-move ENDIF")
    answer = forthvm.why_not(load_position(tmp_path, words), "man c1 x b1")
    (explanation,) = answer.answers
    (refusal,) = explanation.refusals
    assert (refusal.kind, refusal.condition, refusal.value) == ("IF", "empty?", 0)
    assert answer.summary == "b1 is occupied by Left rook: `empty? IF` in `go` refuses it"


def test_decision_in_a_loop_is_named(tmp_path: Path) -> None:
    """A slider moves while squares are empty; Left's rook on b1 is before a1 and stops it."""
    words = """\
: go ( 'dir -- )
    BEGIN DUP EXECUTE verify empty? WHILE from here move add-move REPEAT DROP ;
: go-e ['] e go ;
: go-w ['] w go ;
"""
    answer = forthvm.why_not(load_position(tmp_path, words), "man c1 x a1")
    (explanation,) = answer.answers
    assert [refusal.kind for refusal in explanation.refusals] == ["WHILE", "WHILE"]
    assert [refusal.here for refusal in explanation.refusals] == ["b1", "a1"]
    assert [refusal.round for refusal in explanation.refusals] == [
        3,
        4,
    ]  # rounds 1 and 2: d1 and e1


def test_decision_in_the_generation_hook_is_named(tmp_path: Path) -> None:
    words = """\
VARIABLE tired
: OnGenerateMoves ( -- ) tired OFF turn-number 1 = IF tired ON ENDIF ;
: go-e ( -- ) tired @ IF EXIT ENDIF e verify from here move add-move ;
: go-w ( -- ) w verify from here move add-move ;
"""
    answer = forthvm.why_not(load_position(tmp_path, words), "man c1 - d1")
    assert answer.kind == "refused"
    refusing_words = [
        [refusal.word for refusal in explanation.refusals] for explanation in answer.answers
    ]
    assert refusing_words[0] == ["go-e"]  # preferred to the decision in the hook
    only_hook = words.replace("tired @ IF EXIT ENDIF", "tired @ NOT verify")
    answer = forthvm.why_not(load_position(tmp_path, only_hook), "man c1 - d1")
    assert answer.answers[0].refusals[0].condition == "tired @ NOT"


SLIDER = """\
: added ( -- ) from here move add-move ;
: slide ( 'dir -- ) BEGIN DUP EXECUTE {body} DROP ;
: go-e ['] e slide ; : go-w ['] w slide ;
"""
SLIDERS = {
    "empty?": "verify empty? verify added FALSE UNTIL",
    "friend? NOT": "verify friend? NOT verify added not-empty? UNTIL",
    "WHILE": "verify empty? WHILE added REPEAT",
    "AND WHILE": "empty? AND WHILE added REPEAT",
    "NOT AND WHILE": "not-empty? NOT AND WHILE added REPEAT",
    "IF EXIT": "NOT IF DROP EXIT ENDIF friend? IF DROP EXIT ENDIF added enemy? UNTIL",
    "IF": "empty? AND IF added FALSE ELSE TRUE ENDIF UNTIL",
}


@pytest.mark.sampled(19)
@pytest.mark.parametrize("slider", SLIDERS)
@pytest.mark.parametrize("target", [2, 3, 5, 9, 14])
def test_first_blocker_of_a_slide_is_named(tmp_path: Path, slider: str, target: int) -> None:
    words = SLIDER.format(body=SLIDERS[slider])
    board = BOARD.replace("1 5 {grid} {position} box", "2 14 {grid}")
    path = tmp_path / "row.4th"
    path.write_text(board + words + PIECES.partition(": OnIsGameOver")[0], encoding="utf-8")
    row = [("Left", "man", f"{letter}1") for letter in "abcdefghijklmn"] + [("Left", "man", "a2")]
    answer = forthvm.why_not(forthvm.load(path).start(setup=row), f"a1 {chr(96 + target)}1")
    assert answer.kind == "refused"
    assert answer.summary.startswith("b1 is occupied by Left man: `")
    assert answer.answers[0].refusals[0].here == "b1"


@each_case(
    ("condition", "value", "here", "start", "code"),
    [
        ("DUP EXECUTE empty? AND", 0, "h1", "d1", "not-empty"),
        ("DUP EXECUTE empty? AND", 0, "h1", "h1", "path-ends"),  # the piece is on the square itself
        ("DUP EXECUTE empty? AND", 0, "h4", "d4", "path-ends"),
        ("DUP EXECUTE empty? AND", 0, "g4", "d4", None),
        ("DUP EXECUTE empty? AND", -1, "h1", "d1", None),
        ("DUP EXECUTE empty? OR", 0, "h1", "d1", None),
        ("e NOT", -1, "h4", "d4", "path-ends"),
        ("e NOT", 0, "h4", "d4", None),
        ("enemy?", -1, "h7", "h1", "enemy"),
        ("enemy?", -1, "h2", "h1", None),  # the board shows a piece of the player
    ],
)
def test_facts_behind_conditions(
    condition: str, value: int, here: str, start: str, code: str | None
) -> None:
    refusal = Refusal("WHILE", None, condition, value, None, (), "e", here, 1, 0)
    assert code_of_fact(refusal, loaded("chess").start(), start) == code


@pytest.mark.slow
def test_answer_does_not_depend_on_the_spelling() -> None:
    position = loaded("chess").start()
    expected = forthvm.why_not(position, "rook a1 - d1")
    assert expected.kind == "refused"
    assert expected.summary.startswith("b1 is occupied by White knight: `friend? NOT verify`")
    spellings = ["a1 d1", "a1d1", "Rook A1-D1", "rook a1 x d1", "ra1-d1", "R a1d1"]
    for text in [*spellings, "White rook a1 - d1", "White ROOK a1d1"]:
        answer = forthvm.why_not(position, text)
        assert (answer.kind, answer.summary) == (expected.kind, expected.summary)
        refusals = [one.refusals for one in answer.answers]
        assert refusals == [one.refusals for one in expected.answers]


def test_names_with_hyphens_may_be_joined_by_a_hyphen(tmp_path: Path) -> None:
    board = BOARD.replace("{position} box", "{position} far-box")
    position = load_text(tmp_path, board + WORDS + PIECES, name="line.4th").start(turn="Right")
    assert (
        forthvm.why_not(position, "man c1-FAR-BOX").near
        == forthvm.why_not(position, "man c1 - far-box").near
    )
    assert forthvm.why_not(position, "c1-Far-Box").kind == "unreachable"


def test_owner_in_the_text_is_compared_with_the_board() -> None:
    answer = forthvm.why_not(loaded("chess").start(), "Black rook a1 - d1")
    assert answer.kind == "other-piece"
    assert answer.summary == "there is no Black rook on a1: the square has a White rook"


def test_limits_of_the_search_are_stated(tmp_path: Path) -> None:
    """More decisions refuse the move than the search combines; the man on e1 can move."""
    tests = "".join(f"turn-number {number} = verify " for number in range(2, 9))
    words = WORDS.replace(": go-e", f": go-e {tests}")
    pieces = PIECES.replace("{setup} Right", "{setup} Right man e1 {setup} Right")
    answer = forthvm.why_not(load_position(tmp_path, words, pieces), "man c1 - d1")
    assert answer.kind == "unexplained"
    assert "the reason is not known" in answer.summary


def test_refused_pass_is_explained(tmp_path: Path) -> None:
    words = WORDS + ": rest ( -- ) turn-number 3 > verify Pass ;\n"
    pieces = PIECES.replace("{move} go-w", "{move} go-w {move} rest")
    answer = forthvm.why_not(load_position(tmp_path, words, pieces), "Pass")
    assert answer.kind == "refused"
    assert answer.answers[0].refusals[0].condition == "turn-number 3 >"


def test_pass_without_a_passing_word_has_kind_no_word(position: Position) -> None:
    assert forthvm.why_not(position, "Pass").kind == "no-word"


def test_legal_text_is_completed(position: Position) -> None:
    answer = forthvm.why_not(position, "c1d1")
    assert (answer.kind, answer.near, answer.answers) == ("legal", ("man c1 - d1",), ())
    assert str(answer).splitlines()[0] == "Is `c1d1` legal? Right is to move."
    assert str(answer).splitlines()[1] == "legal: `c1d1` is legal: it means `man c1 - d1`"


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", "not-a-move", "an empty text"),
        ("x x x", "not-a-move", "`x x x` is not a move of line"),
        ("-", "not-a-move", "`-` is not a move of line"),
        ("12", "not-a-move", "`12` is not a move of line"),
        ("partial", "not-a-move", "`partial` is not a move of line"),
        ("hello world", "not-a-move", "`hello world` is not a move of line"),
        ("mann c1 - d1", "unknown-name", "did you mean `man`?"),
        ("man c1 - g7", "unknown-name", "`g7` is no position"),
        ("man d1 - e1", "no-piece", "there is no man on d1: it is empty"),
        ("d1 e1", "no-piece", "there is no piece on d1"),
        ("man b1 - c1", "other-piece", "the square has a Left rook"),
        ("man a1 - b1", "not-yours", "the man on a1 belongs to Left: it is Right's turn"),
        ("man c1 - e1", "unreachable", "go-e, go-w"),
    ],
)
def test_kinds_and_texts_of_other_reasons(
    position: Position, text: str, kind: str, message: str
) -> None:
    answer = forthvm.why_not(position, text)
    assert (answer.kind, answer.answers) == (kind, ())
    assert message in answer.summary


def test_piece_without_moves_has_kind_no_word(tmp_path: Path) -> None:
    pieces = PIECES.replace("Left man a1", "Left man e1")
    position = load_position(tmp_path, pieces=pieces).game.start()
    answer = forthvm.why_not(position, "rook b1 - a1")
    assert answer.kind == "no-word"
    assert "the Left rook on b1" in answer.summary


def test_ambiguous_text_lists_the_moves(position: Position) -> None:
    pieces = PIECES.replace("Right man c1", "Right man d1")
    position = load_position(position.game.path.parent, pieces=pieces)
    answer = forthvm.why_not(position, "man d1")
    assert answer.kind == "ambiguous"
    assert set(answer.near) == {"man d1 - c1", "man d1 - e1"}


def test_finished_game_is_the_reason(tmp_path: Path) -> None:
    answer = forthvm.why_not(
        load_position(tmp_path, WORDS.replace("empty? verify", "FALSE verify")), "man c1 - d1"
    )
    assert answer.kind == "over"
    assert "#LossScore" in answer.summary
    assert answer.location.text.startswith(": OnIsGameOver")


def test_legal_move_with_other_effects_is_named(tmp_path: Path) -> None:
    """The man can move to the square but captures nothing.

    Inverting a verify or an IF does not change this.
    """
    position = load_position(tmp_path)
    answer = forthvm.why_not(position, "man c1 - d1 x e1")
    assert answer.kind == "other-effects"
    assert answer.near == ("man c1 - d1",)


DRAUGHTS = [
    ("Black", "man", "c3"),
    ("Black", "man", "g3"),
    ("White", "man", "d4"),
    ("White", "man", "f6"),
]


def test_higher_priority_is_the_reason() -> None:
    """Captures are mandatory: c3 x d4 is possible (e5 is empty), so g3 - h4 is not legal."""
    position = forthvm.load("draughts").start(setup=DRAUGHTS)
    assert position.legal_moves.texts == ("man c3 - e5 x d4",)
    answer = forthvm.why_not(position, "man g3 - h4")
    assert answer.kind == "priority"
    (explanation,) = answer.answers
    assert (explanation.type, explanation.better, explanation.refusals) == (
        "stepping",
        "jumping",
        (),
    )
    assert explanation.move == "man g3 - h4"


def test_refusal_is_preferred_to_priority() -> None:
    """The answer names the verify that refuses the step to the occupied square h4.

    If the verify were skipped, the step would be generated as the capture g3 x h4, but it would not
    be legal, because the jump c3 x d4 has a higher priority.
    """
    position = forthvm.load("draughts").start(setup=[*DRAUGHTS, ("White", "man", "h4")])
    (explanation,) = forthvm.why_not(position, "man g3 x h4").answers
    assert [refusal.condition for refusal in explanation.refusals] == ["empty?"]
    assert (explanation.appears, explanation.better) == (False, "jumping")


def test_demanded_type_is_the_reason() -> None:
    """After the first jump of a chain only jumps are legal: d4 and f6 are captured in sequence."""
    position = play(forthvm.load("draughts").start(setup=DRAUGHTS), "man c3 - e5 x d4")
    assert position.is_partial
    answer = forthvm.why_not(position, "man g3 - h4")
    assert answer.kind == "type"
    (explanation,) = answer.answers
    assert (explanation.type, explanation.demanded) == ("stepping", "jumping")


def test_queries_change_nothing_and_have_equal_answers(position: Position) -> None:
    before, listed = position.copy(), position.legal_moves.texts
    answers = [forthvm.why_not(position, "man c1 x b1") for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert position == before
    assert position.legal_moves.texts == listed
    position.push("c1d1")
    assert position.pop().text == "man c1 - d1"


def test_json_document(position: Position) -> None:
    document = json.loads(json.dumps(forthvm.why_not(position, "man c1 x b1").to_json()))
    assert document["kind"] == "refused"
    (refusal,) = document["answers"][0]["refusals"]
    assert refusal["place"]["source"] == ": free ( -- ) empty? verify ;"
    assert [caller["word"] for caller in refusal["callers"]] == ["go", "go-w"]


def test_texts_for_authors_and_players(position: Position) -> None:
    lines = str(forthvm.why_not(position, "man c1 x b1")).splitlines()
    assert lines[0] == "Why not `man c1 x b1`? Right is to move."
    assert lines[1] == "refused: b1 is occupied by Left rook: `empty? verify` in `free` refuses it"
    assert lines[3] == "go-w for Right man on c1"
    assert lines[-1] == "  -> if skipped, `man c1 x b1` is in the list"
    (caret,) = [line for line in lines if "^" in line]
    (source,) = [line for line in lines if "empty? verify ;" in line]
    assert source[caret.index("^") :].startswith("verify")


def test_failing_script_is_reported(tmp_path: Path) -> None:
    position = load_position(tmp_path, WORDS.replace("empty? verify", "1 0 / verify"))
    with pytest.raises(forthvm.DivisionError):
        forthvm.why_not(position, "man c1 - d1")


def test_inversion_that_causes_an_endless_loop_is_abandoned(tmp_path: Path) -> None:
    """If the IF is inverted, it loops forever; the answer is found nevertheless."""
    words = WORDS.replace("free from", "here a1 = IF BEGIN FALSE UNTIL ENDIF free from")
    answer = forthvm.why_not(load_position(tmp_path, words), "man c1 x b1")
    assert refusal_positions(answer) == ("5:22",)


@pytest.mark.parametrize("library", ["bare", "v140", "v151"])
def test_explanations_work_with_custom_libraries(library: str) -> None:
    folder = Path(__file__).resolve().parents[1] / "libraries" / library
    position = forthvm.load("tictactoe", library=folder).start()
    assert forthvm.explain(position, "b2").origins[0].word == "put"
    position.push("b2")
    (explanation,) = forthvm.why_not(position, "b2").answers
    assert explanation.appears
    assert [refusal.condition for refusal in explanation.refusals] == ["empty?"]


def position_with_list(folder: Path, cells: str) -> Position:
    """Return the start of Tic-tac-toe; its mark has a list of move words with the given cells."""
    words = f"\nCREATE words {cells} ' words $pieces @ 4 + !\n"
    return load_text(folder, script_of("tictactoe") + words).start()


def test_a_list_that_is_longer_than_the_dictionary_is_an_error(tmp_path: Path) -> None:
    position = position_with_list(tmp_path, "99999999 ,")
    with raises(ForthVMError, "why-not.damaged-list"):
        forthvm.why_not(position, "other move")


def test_a_list_may_contain_a_number_that_is_no_address(tmp_path: Path) -> None:
    answer = forthvm.why_not(position_with_list(tmp_path, "1 , -5 , 0 ,"), "other move")
    assert "`other move` is not a move" in str(answer)

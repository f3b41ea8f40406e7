"""What tests of authors find: each statement, when it holds and when it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.testing import Result, read_suite, run_cases
from tests.kit.files import write

TICTACTOE = Path(__file__).parents[2] / "scripts" / "tictactoe" / "tictactoe.4th"
SMALL = """\
VARIABLE size 3 size !
{board 3 1 {grid} board}
{players {player} A {player} B players}
{turn-order {turn} A {turn} B turn-order}
: put here empty? verify drop size @ DROP add-move ;
{moves puts {move} put moves}
{pieces {piece} man {drops} puts pieces}
"""


def run(folder: Path, *lines: str, game: Path = TICTACTOE, header: str = "") -> Result:
    """Run a test with these statements."""
    path = folder / "game.test"
    body = "\n".join(f"\t{line}" for line in lines)
    path.write_text(f"game {game}\n{header}test t\n{body}\n", encoding="utf-8")
    suite = read_suite(path)
    (result,) = run_cases(suite, suite.cases)
    return result


TRACK = """\
{board {position} start {position} one {position} home board}
{directions {link} e start one {link} e one home directions}
{players {player} A {player} B players}
{turn-order {turn} A {turn} B turn-order}
: step e verify empty? verify from here move add-move ;
{moves steps {move} step moves}
{pieces {piece} man {moves} steps pieces}
{board-setup {setup} A man start {setup} B man one board-setup}
"""


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "statements",
    [
        ["moves 9", "expect turn X", "expect no end", "perft 2 72", "perft joined 2 72"],
        ["play X mark b2; O mark a1", "expect X mark b2", "expect empty a2 a3", "moves 7"],
        ["play X b2", "legal O a1; O mark a2", "refused O mark b2"],
        ["refused O mark a1 because not-yours", "play X b2", "refused O mark b2 because empty?"],
        ["refused X mrak a1 because unknown-name"],
        ["pieces X mark a1 b1; O mark a2 b2", "turn O", "play O c2", "expect win O", "moves none"],
        [
            "pieces X mark a1 b1",
            "turn X",
            "play X c1",
            "expect loss O",
            "refused O a3 because over",
        ],
        ["turn 1", "expect turn O"],
        ["board", "\t3 O O .", "\t2 X X .", "\t1 . . .", "turn X", "play X c2", "expect win X"],
        ["play X b2", "expect board", "\t3 . . .", "\t2 . X .", "\t1 . . ."],
        [
            "moves in order X mark a3; X mark b3; X mark c3; X mark a2",
            "\tX mark b2; X mark c2; X mark a1; X mark b1; X mark c1",
        ],
        ["moves X c1; X a3; X b3; X c3; X a2", "\tX b2; X c2; X a1; X b1"],
    ],
)
def test_statements_that_hold(tmp_path: Path, statements: list[str]) -> None:
    result = run(tmp_path, *statements)
    assert (result.outcome, result.message) == ("passed", "")


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("moves 8", "there are 9 moves, not 8"),
        ("moves none", "the legal moves are others"),
        ("moves in order X c1; X a3; X b3; X c3; X a2; X b2; X c2; X a1; X b1", "another order"),
        ("legal X mark a1; O mark a1", "O mark a1 is not legal"),
        ("play O mark a1", "O mark a1 cannot be played"),
        ("refused X mark a1", "X mark a1 is legal"),
        ("refused O mark a1 because empty?", "not because of `empty?`"),
        ("refused X mrak a1", "X mrak a1 may be a mistake"),
        ("refused O mark a1", "if it is not: refused O mark a1 because not-yours"),
        ("perft 2 73", "perft 2 is 72, not 73"),
        ("expect turn O", "X is to move, not O"),
        ("expect X mark a1", "a1 is empty, but must have X mark"),
        ("expect win X", "the game has not ended"),
        ("expect loss X", "the game has not ended"),
        ("expect draw", "the game has not ended"),
    ],
)
def test_statements_that_do_not_hold(tmp_path: Path, statement: str, message: str) -> None:
    result = run(tmp_path, statement)
    assert result.outcome == "failed"
    assert message in result.message
    assert result.message.startswith("game.test:3:")


def test_the_place_of_a_mistake_is_that_of_the_move(tmp_path: Path) -> None:
    result = run(tmp_path, "play X b2;  O b2")
    assert result.message.startswith("game.test:3:14: O b2 cannot be played")
    result = run(tmp_path, "legal X b2", "\t# a comment", "\tX a1; X z1")
    assert result.message.startswith("game.test:5:9: X z1 is not legal")


@pytest.mark.parametrize("keyword", ["board", "expect board"])
@pytest.mark.parametrize(
    ("row", "place"),
    [
        ("2 . Q .", "game.test:5:7: `Q` on b2 is no piece"),
        ("2 .[QQ]", "game.test:5:3: row 2 has 3 positions, but 2 are drawn"),
        ("2 . . .  X O", "game.test:5:12: row 2 has 3 positions, but 5 are drawn"),
    ],
)
def test_the_place_of_a_mistake_in_a_drawing(
    tmp_path: Path, keyword: str, row: str, place: str
) -> None:
    drawing = [keyword, "\t3 . . .", f"\t{row}", "\t1 . . .", "\t  a b c"]
    result = run(tmp_path, *drawing)
    assert result.outcome == "error"
    assert result.message.startswith(place)


def test_the_wrong_words_of_a_drawing_are_underlined(tmp_path: Path) -> None:
    result = run(tmp_path, "board", "\t3 . . .", "\t# a comment", "\t2 . . .  X O", "\t1 . . .")
    assert (result.error.location.line, result.error.location.length) == (6, 3)


def test_wrong_counts_show_those_of_each_move(tmp_path: Path) -> None:
    assert "\nX mark a3: 8; X mark b3: 8;" in run(tmp_path, "perft 2 73").message


def test_what_else_can_be_expected(tmp_path: Path) -> None:
    assert run(tmp_path, "play X a1", "expect empty a1").outcome == "failed"
    won = ["pieces X mark a1 b1", "turn X", "play X c1"]
    assert run(tmp_path, *won, "expect no end").outcome == "failed"
    assert run(tmp_path, *won, "expect win O").outcome == "failed"
    assert run(tmp_path, *won, "moves 1").outcome == "failed"


def test_missing_and_unexpected_moves_are_listed(tmp_path: Path) -> None:
    result = run(tmp_path, "moves X a3; X b3; X c3; X a2; X b2; X c2; X a1; X z9")
    assert "missing: X z9\nnot expected: X mark b1; X mark c1" in result.message


def test_a_board_that_differs_is_drawn(tmp_path: Path) -> None:
    result = run(tmp_path, "play X b2", "expect board", "\t3 X . .", "\t2 . X .", "\t1 . . .")
    assert result.outcome == "failed"
    assert "a3 is empty, but must have X mark" in result.message
    assert "expected:\n3 X . .\n2 . X .\n1 . . .\nfound:\n3   ·   ·   ·" in result.message
    assert "2   · [ X ] ·" in result.message


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (["refused O mark a1 because"], "the reason after `because` is missing"),
        (["expect turn White"], "3:14: tictactoe has no player `White`\nits players: X, O"),
        (["expect win White"], "3:13: tictactoe has no player `White`"),
        (["expect turn x"], "3:14: tictactoe has no player `x`\ndid you mean `X`?"),
        (["expect White mark a1"], "`expect White` is unknown"),
        (["expect empty a1 z9"], "3:18: tictactoe has no position `z9`\nits positions: a3, b3,"),
        (["expect empty a1", "\tb2 A3"], "4:6: tictactoe has no position `A3`\ndid you mean `a3`?"),
        (["expect boardd"], "3:9: `expect boardd` is unknown\ndid you mean `board`?"),
        (["expect"], "`expect` needs an expectation"),
        (["expect nothing"], "after `expect` comes the name of a player, board, turn, variable"),
        (["expect X"], "must have a player, a piece type and positions"),
        (["expect turn"], "`expect turn` needs a player"),
        (["turn"], "`turn` needs a player"),
        (["expect draw now"], "nothing must follow `expect draw`"),
        (["expect no"], "`expect no` must be followed by `end`"),
        (["expect variable x 3"], "3:18: tictactoe has no variable `x`"),
        (["expect variable x"], "a variable needs a name and a number"),
        (["expect board", "\t3 . . ."], "row 2 is missing"),
        (["board", "\t3 . . ."], "row 2 is missing"),
        (["pieces X queen a1"], "3:11: tictactoe has no piece type `queen`\nits piece types: mark"),
        (["pieces X mark a1; O marc a2"], "3:22: tictactoe has no piece type `marc`\ndid you mean"),
        (["pieces X mark a1 b1", "\tO mark C3"], "4:10: tictactoe has no position `C3`\ndid you"),
        (["pieces Y mark a1"], "3:9: tictactoe has no player `Y`\nits players: X, O"),
        (["pieces X mark"], "must have a player, a piece type and positions"),
        (["variable nothing 3"], "3:11: tictactoe has no variable `nothing`"),
        (["turn White"], "3:7: tictactoe has no player `White`\nits players: X, O"),
        (["turn 7"], "3:7: set-up: tictactoe has turns 0 to 1, not 7"),
        (["play"], "`play` needs moves"),
        (["perft 2"], "`perft` needs a depth and a count"),
        (["perft -1 3"], "`perft` needs a depth and a count"),
        (["perft 99999999999 3"], "the depth of `perft` is at most 100"),
        (["perft 2 " + 5000 * "9"], "`perft` needs a depth and a count"),
        (["pieces X mark a1; O mark a1"], "a1 has two pieces"),
        (["pieces X mark a1 b1", "pieces O mark b1"], "game.test:4:16: b1 has two pieces"),
        (["turn Green", "pieces X mark a1"], "game.test:3:7: tictactoe has no player"),
        (["turn X", "variable none 3", "pieces X mark a1"], "game.test:4:11: tictactoe has no"),
        (["turn " + 20 * "9"], "game.test:3:7: set-up: "),
        (["moves 9", "turn X"], "`turn` must stand before moves and expectations"),
    ],
)
def test_wrong_statements_are_errors(tmp_path: Path, statements: list[str], message: str) -> None:
    result = run(tmp_path, *statements)
    assert result.outcome == "error"
    assert message in result.message


def test_variables(tmp_path: Path) -> None:
    game = write(tmp_path / "small.4th", SMALL)
    assert run(tmp_path, "variable size 5", "expect variable size 5", game=game).message == ""
    assert run(tmp_path, "expect variable size 4", game=game).message.endswith("size is 3, not 4")
    for keyword in ("variable", "expect variable"):
        unknown = run(tmp_path, f"{keyword} sizes 5", game=game).message
        assert unknown.endswith("small has no variable `sizes`\ndid you mean `size`?")
    entry = run(tmp_path, "variable size[1] 5", game=game).message
    assert entry == "game.test:3:11: set-up: `size` is one cell, without [ ]"
    entry = run(tmp_path, "expect variable size[1] 5", game=game).message
    assert entry == "game.test:3:18: `expect variable` cannot read entries of arrays"


def test_the_script_that_fails_and_the_statement_that_ran_it(tmp_path: Path) -> None:
    game = write(tmp_path / "small.4th", SMALL.replace("size @ DROP", "1 0 /"))
    result = run(tmp_path, "moves 3", game=game)
    assert result.outcome == "error"
    assert result.message.startswith(f"{game.name}:5:")
    assert result.message.endswith("run by game.test:3:2")


def test_a_script_that_never_ends(tmp_path: Path) -> None:
    game = write(tmp_path / "small.4th", SMALL.replace("size @ DROP", "BEGIN FALSE UNTIL"))
    path = write(tmp_path / "small.test", "test t\n\tmoves 3\n")
    suite = read_suite(path)
    (result,) = run_cases(suite, suite.cases, seconds=0.2)
    assert result.outcome == "error"
    assert result.message.startswith(f"{game.name}:5:")
    assert "the limit of a test is 0.2 s; raise" in result.message
    assert result.message.endswith(f"run by {path.name}:2:2")


def test_a_game_that_cannot_be_loaded(tmp_path: Path) -> None:
    game = write(tmp_path / "small.4th", "\\ a game\nnonsense\n")
    result = run(tmp_path, "moves 3", game=game)
    assert result.outcome == "error"
    assert result.message.startswith(f"{game.name}:2:1: unknown word `nonsense`")


def test_large_counts_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "tictactoe.perft"
    (tmp_path / "tictactoe.4th").write_text(TICTACTOE.read_text())
    path.write_text("1 9 counted\n2 73 wrong\n3 504 counted\n")
    suite = read_suite(path)
    results = list(run_cases(suite, suite.cases, max_count=100))
    assert [result.outcome for result in results] == ["passed", "failed", "skipped"]
    assert results[2].message == "more than 100 sequences"


def test_a_board_without_labels_of_rows_is_listed_instead(tmp_path: Path) -> None:
    """The advice can be copied into the test."""
    game = write(tmp_path / "track.4th", TRACK)
    drawn = run(tmp_path, "board", "\tA B .", game=game)
    assert drawn.outcome == "error"
    assert "its rows have no labels" in drawn.message
    advice = "pieces A man start; B man one"
    assert drawn.message.endswith(advice)
    expected = run(tmp_path, "turn B", "play one - home", "expect board", "\tA . B", game=game)
    assert expected.outcome == "error"
    expectations = [line.strip() for line in expected.message.splitlines()[-2:]]
    assert expectations == ["expect A man start", "expect B man home"]
    own = run(tmp_path, advice, "turn B", "play one - home", *expectations, game=game)
    assert own.message == ""


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (["expect empty"], "`expect empty` needs positions"),
        (["play X a1", "expect empty b1", "\ta1"], "a1 has X mark, but must be empty"),
        (["play X a1", "expect X mark a1", "\tb1"], "b1 is empty, but must have X mark"),
        (["turn X", "\tO"], "no player `X O`"),
        (["perft 1 9", "\t2 72"], "`perft` needs a depth and a count"),
        (["play X a1", "expect X mark a1 b1"], "4:19: b1 is empty, but must have X mark"),
        (["expect X cross a1"], "no piece type `cross`\nits piece types: mark"),
        (["expect board"], "the drawing is missing"),
        (["pieces X mark a1 b1 c1", "turn O", "legal O a2"], "the game is over: "),
        (["pieces X mark a1 b1 c1", "turn O", "play O a2"], "the game is over: "),
    ],
)
def test_statements_that_say_less_than_they_seem_to(
    tmp_path: Path, statements: list[str], message: str
) -> None:
    assert message in run(tmp_path, *statements).message


def test_a_chain_of_partial_moves_is_one_text(tmp_path: Path) -> None:
    """As at the prompt of `forthvm run`."""
    draughts = TICTACTOE.parents[1] / "draughts" / "draughts.4th"
    begin = ["pieces White man c7; Black man d6 d4", "turn White"]
    end = ["expect empty d6 d4", "expect White man c3", "expect turn Black"]
    for move in ("c7-e5-c3", "c7xe5xc3", "man c7 - e5 - c3", "c7xe5; e5xc3"):
        result = run(
            tmp_path, *begin, f"legal {move.split(';')[0]}", f"play {move}", *end, game=draughts
        )
        assert result.message == "", move
    refused = run(tmp_path, *begin, "refused c7xe5xc3", game=draughts)
    assert "c7xe5xc3 is legal" in refused.message
    wrong = run(tmp_path, *begin, "play c7-e5-g3", game=draughts)
    assert "`c7-e5-g3` is not a legal move of White" in wrong.message


@pytest.mark.parametrize(
    ("header", "line"),
    [("seed 1\nsetting level=2\n", 3), ("setting a=b\nsetting c=d\n", 2)],
)
def test_a_wrong_setting_has_a_place(tmp_path: Path, header: str, line: int) -> None:
    result = run(tmp_path, "moves 9", header=header)
    assert result.message.startswith(f"game.test:{line}:1: no setting ")


def test_a_wrong_variant_has_a_place(tmp_path: Path) -> None:
    rules = Path(__file__).parents[1] / "zrf" / "games"
    game = sorted(rules.glob("*.zrf"))[0]
    result = run(tmp_path, "moves 9", header="variant None of these\n", game=game)
    assert result.message.startswith("game.test:2:1: there is no game or variant `None of these`")

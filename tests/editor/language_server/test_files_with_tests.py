"""Files with tests are read by the reader of `forthvm test`, not as scripts."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from forthvm.editor.language_server import folders
from forthvm.editor.language_server.workspace import Workspace

from .client import Client, ServerError, apply, position

ROOT = Path(__file__).parents[3]
TEXT = "game slide.4th\n\ntest A man slides\n    legal a1-b1\n"
"""Read as a script, each of these words would be unknown."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "slide.4th").write_text(": one 1 ;\n")
    return tmp_path


def test_syntax_errors_have_places(client: Client, folder: Path) -> None:
    uri = (folder / "slide.test").as_uri()
    assert client.open(uri, TEXT) == []
    [found] = client.change(uri, TEXT.replace("legal", "legxl"))
    assert found["message"].startswith("unknown keyword `legxl`")
    assert found["range"] == {
        "start": {"line": 3, "character": 4},
        "end": {"line": 3, "character": 9},
    }
    assert client.change(uri, TEXT) == []


def test_all_errors_are_shown(client: Client, folder: Path) -> None:
    uri = (folder / "slide.test").as_uri()
    found = client.open(uri, TEXT.replace("legal", "legxl") + "tst Another\n    moves 1\n")
    assert [one["range"]["start"]["line"] for one in found] == [3, 4]


def test_counts(client: Client, folder: Path) -> None:
    uri = (folder / "slide.perft").as_uri()
    text = "# counts\n1 2 by hand\n"
    assert client.open(uri, text) == []
    [found] = client.change(uri, text + "two 4\n")
    assert found["range"]["start"] == {"line": 2, "character": 0}


def test_the_game_may_be_missing(client: Client, folder: Path) -> None:
    [found] = client.open((folder / "other.test").as_uri(), "test One\n    legal a1-b1\n")
    assert "there is no game other.4th" in found["message"]
    assert found["range"]["start"] == {"line": 0, "character": 0}


def test_requests_do_not_read_a_script(client: Client, folder: Path) -> None:
    uri = (folder / "slide.test").as_uri()
    client.open(uri, TEXT)
    assert client.at("definition", uri, 3, 5) == []
    document = {"textDocument": {"uri": uri}}
    assert client.request("textDocument/documentSymbol", document) == []
    options = {"options": {"tabSize": 2, "insertSpaces": True}}
    assert client.request("textDocument/formatting", document | options) == []
    assert client.request("textDocument/semanticTokens/full", document)["data"] == []


GAME_TEST = """\
game game.4th
test Moves
    play X mark b2
    legal O mark a1
    play O mark a1;
         X mark c3
test Drawn
    board
        3 O O .
        2 X X .
        1 . . .
    turn X
    play X mark c2; X mark a1
"""


def test_the_board_of_a_test(client: Client, tmp_path: Path) -> None:
    script = (ROOT / "scripts/tictactoe/tictactoe.4th").read_text()
    (tmp_path / "game.4th").write_text(script)
    uri = (tmp_path / "own.test").as_uri()
    client.open(uri, GAME_TEST)

    def board(line: int | None) -> dict[str, str]:
        position = {} if line is None else {"position": {"line": line, "character": 0}}
        answer: dict[str, str]
        answer = client.request("forthvm/board", {"textDocument": {"uri": uri}} | position)
        return answer

    def pieces(line: int | None) -> str:
        found = board(line)
        assert found["svg"].startswith("<svg")
        assert not found["error"]
        rows = [row for row in found["text"].splitlines() if row.strip()[:1].isdigit()]
        return " ".join("".join(mark for mark in row if mark in "XO·") for row in rows)

    assert pieces(None) == pieces(0) == pieces(1) == "··· ··· ···"
    assert pieces(2) == pieces(3) == "··· ·X· ···"
    assert pieces(4) == "··· ·X· O··"
    assert pieces(5) == "··X ·X· O··"
    assert pieces(6) == pieces(11) == "OO· XX· ···"
    assert board(11)["title"].endswith(": Drawn")
    last = board(12)  # after the first move the game is over
    assert last["svg"]
    assert "over" in last["error"]
    (tmp_path / "game.4th").write_text("{board")
    assert board(3)["error"]


def test_the_board_of_counts(client: Client) -> None:
    uri = (ROOT / "scripts/tictactoe/tictactoe.perft").as_uri()
    answer = client.request("forthvm/board", {"textDocument": {"uri": uri}})
    assert answer["svg"].startswith("<svg")


NAMED = """\
test One step
    pieces White Man a1; Black Man c1
    turn White
    legal Man a1 - b1
    play Man a1-b1;
        Man c1 - b1
    refused Man b1 - a1 because step?
    expect White Man c1
    expect variable count 3
    expect turn White
"""
SLIDE = """\
{board 1 3 {grid} {variable} count board}
{directions 0 1 {direction} east directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
: step? ( -- ? ) empty? ;
: step ( -- ) east verify step? verify from here move add-move ;
{moves man-moves {move} step moves}
{pieces {piece} Man {moves} man-moves pieces}
{board-setup {setup} White Man a1 {setup} Black Man c1 board-setup}
: OnIsGameOver ( -- #result ) #UnknownScore ;
"""
RULES = """\
(game (title "Slide") (players White Black) (turn-order White Black)
 (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("1" (0 9)))
  (directions (e 1 0))))
 (piece (name Man) (moves (e add)))
 (board-setup (White (Man a1)) (Black (Man c1)))
 (win-condition (White Black) (captured Man)))
(variant (title "Other"))
"""


@pytest.fixture(params=[".4th", ".zrf"])
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A game of two kinds, with tests that are not open.

    Its folder is deep enough that the server does not search the folders of other tests.
    """
    path = tmp_path / "games" / "slides" / f"slide{request.param}"
    path.parent.mkdir(parents=True)
    path.write_text(SLIDE if request.param == ".4th" else RULES)
    path.with_suffix(".test").write_text(NAMED)
    return path


def renamed(client: Client, where: Path, text: str, part: str, new_name: str) -> dict[str, str]:
    """Rename a name at a part of a text; return the new texts by the suffix of the file."""
    edit = client.at("rename", where.as_uri(), *position(text, part), newName=new_name)
    texts = {}
    for uri, edits in edit["changes"].items():
        path = Path(uri.removeprefix("file://"))
        texts[path.suffix] = apply(path.read_text(), edits)
    return texts


@pytest.mark.parametrize(("old", "new"), [("White", "Red"), ("Man", "Stone")])
def test_renaming_includes_tests(client: Client, game: Path, old: str, new: str) -> None:
    text, tests = game.read_text(), game.with_suffix(".test")
    expected = {game.suffix: text.replace(old, new), ".test": NAMED.replace(old, new)}
    client.open(game.as_uri(), text)
    assert renamed(client, game, text, old, new) == expected
    client.end(game.as_uri())
    client.open(tests.as_uri(), NAMED)  # the game is not open
    found = client.at("prepareRename", tests.as_uri(), *position(NAMED, old))
    assert found["end"]["character"] - found["start"]["character"] == len(old)
    assert renamed(client, tests, NAMED, old, new) == expected


@pytest.mark.parametrize(("old", "new"), [("count", "number"), ("step?", "free?")])
def test_renaming_variables_and_conditions(
    client: Client, tmp_path: Path, old: str, new: str
) -> None:
    game = tmp_path / "slide.4th"
    game.write_text(SLIDE)
    game.with_suffix(".test").write_text(NAMED)
    client.open(game.as_uri(), SLIDE)
    assert renamed(client, game, SLIDE, old, new)[".test"] == NAMED.replace(old, new)


def test_only_names_of_the_game_are_renamed(client: Client, game: Path) -> None:
    tests = game.with_suffix(".test")
    client.open(tests.as_uri(), NAMED)
    for part in ("test", "One", "legal", "a1", "because", "3"):
        with pytest.raises(ServerError):
            client.at("prepareRename", tests.as_uri(), *position(NAMED, part))
    other = game.with_name("other.test")
    other.write_text("game elsewhere.4th\n" + NAMED)
    assert renamed(client, tests, NAMED, "White", "Red").keys() == {game.suffix, ".test"}


def test_places_of_names(client: Client, game: Path) -> None:
    tests = game.with_suffix(".test")
    client.open(tests.as_uri(), NAMED)
    at_man = position(NAMED, "Man")
    (place,) = client.at("definition", tests.as_uri(), *at_man)
    assert place["uri"] == game.as_uri()
    declared = {"includeDeclaration": False}
    places = client.at("references", tests.as_uri(), *at_man, context=declared)
    assert len([one for one in places if one["uri"] == tests.as_uri()]) == NAMED.count("Man")


def test_hover(client: Client, game: Path) -> None:
    uri = game.with_suffix(".test").as_uri()
    client.open(uri, NAMED)
    for part, text in (("Man", "*piece"), ("legal", "The moves are legal"), ("test", "NAME")):
        assert text in client.at("hover", uri, *position(NAMED, part))["contents"]["value"]
    assert client.at("hover", uri, *position(NAMED, "One")) is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("", "game"),
        ("test A\n    ", "board"),
        ("test A\n    le", "board"),
        ("test A\n    turn ", "White"),
        ("test A\n    pieces ", "White"),
        ("test A\n    pieces White ", "Man"),
        ("test A\n    pieces White Man ", "a1"),
        ("test A\n    pieces White Man a1;\n        ", "White"),
        ("test A\n    legal ", "Man a1 - b1"),
        ("test A\n    play Man a1 - b1; ", "Man c1 x b1"),
        ("test A\n    expect ", "turn"),
        ("test A\n    expect win ", "White"),
        ("test A\n    expect Black Man ", "a1"),
        ("test A\n    refused Man b1 - a1 because ", "ambiguous"),
        ("# ", None),
        ("test A\n    perft ", None),
    ],
)
def test_completion(client: Client, game: Path, text: str, first: str | None) -> None:
    if "; " in text and game.suffix == ".4th":
        text, first = text.replace("a1 - b1; ", "a1 - b1;"), None  # Black's man cannot move
    elif "; " in text:
        return
    uri = game.with_suffix(".test").as_uri()
    client.open(uri, text)
    items = client.at("completion", uri, *position(text + "\0", "\0"))["items"]
    assert [item["label"] for item in items][:1] == ([] if first is None else [first])


def test_completion_of_counts(client: Client, game: Path) -> None:
    uri = game.with_suffix(".perft").as_uri()

    def offered(text: str) -> list[str]:
        client.open(uri, text)
        items = client.at("completion", uri, *position(text + "\0", "\0"))["items"]
        return [item["label"] for item in items]

    assert offered("") == ["variant:", "series:"]
    assert offered("series: ")[0] == "joined"
    assert offered("variant: ") == (["Slide", "Other"] if game.suffix == ".zrf" else [])
    client.open(uri, "series: joined\n1 1 own\n")
    assert "one ply" in client.at("hover", uri, 0, 3)["contents"]["value"]


def test_renamed_files(client: Client, game: Path) -> None:
    tests = game.with_suffix(".test")
    named = game.with_name("more.test")
    named.write_text(f"game {game.name}\n\n{NAMED}")
    new = game.with_name(f"glide{game.suffix}")
    client.open(game.as_uri(), game.read_text())

    def after(old: Path, new: Path, file: Path) -> str:
        files = [{"oldUri": old.as_uri(), "newUri": new.as_uri()}]
        edit = client.request("workspace/willRenameFiles", {"files": files})
        edits = edit["changes"].get(file.as_uri(), [])
        return apply(file.read_text(), edits)

    assert after(game, new, named) == f"game {new.name}\n\n{NAMED}"
    assert after(game, new, tests) == f"game {new.name}\n\n{NAMED}"
    assert after(tests, tests.with_name("own.test"), tests) == f"game {game.name}\n\n{NAMED}"
    assert after(named, named.with_name("own.test"), named) == named.read_text()
    assert after(game.parent, game.parent.with_name("else"), named) == named.read_text()


def test_tests_are_renamed_with_their_game(game: Path) -> None:
    game.with_suffix(".perft").write_text("1 1 own\n")
    new = game.with_name(f"glide{game.suffix}")
    edit = folders.renamed_files(Workspace(), {game: new}, can_rename=True)
    operations = [one for one in edit.document_changes if isinstance(one, lsp.RenameFile)]
    assert {(one.old_uri, one.new_uri) for one in operations} == {
        (game.with_suffix(suffix).as_uri(), new.with_suffix(suffix).as_uri())
        for suffix in (".test", ".perft")
    }

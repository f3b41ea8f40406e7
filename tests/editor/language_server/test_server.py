"""Sessions with a server process."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from tests.kit.boards import GRID_3X3
from tests.kit.messages import raises

from .client import Client, ServerError, apply, position

ROOT = Path(__file__).parents[3]
SPLUT = ROOT / "scripts/splut"
SQUARE = ": sq ( n -- n*n ) DUP * ;\n: quad ( n -- n' ) sq sq ;\n3 quad .\n"
GAME = """\
{board 3 3 {grid} board}
{directions 0 1 {direction} east directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
\\ One step to the east.
: step ( -- )
    east verify  empty? verify
    from here move add-move ;
{moves man-moves {move} step moves}
{pieces {piece} Man {moves} man-moves pieces}
{board-setup {setup} White Man a1 {setup} Black Man c1 board-setup}
: OnIsGameOver ( -- #result ) #UnknownScore ;
"""


def codes(diagnostics: list[dict[str, Any]]) -> list[str]:
    return [found["code"] for found in diagnostics]


@pytest.mark.slow
def test_diagnostics_follow_the_text(client: Client, uri: str) -> None:
    assert codes(client.open(uri, SQUARE)) == []
    diagnostics = client.change(uri, SQUARE.replace("3 quad", "3 quadr"))
    found = next(found for found in diagnostics if found["code"] == "E101")
    assert found["range"]["start"] == {"line": 2, "character": 2}
    assert found["range"]["end"] == {"line": 2, "character": 7}
    assert client.change(uri, SQUARE) == []


def test_columns_of_diagnostics_are_in_utf_16(client: Client, uri: str) -> None:
    (found,) = client.open(uri, '( \U0001f600 ) missing\r\n." \U0001f600" CR\r\n')
    assert found["range"]["start"] == {"line": 0, "character": 7}
    assert found["range"]["end"] == {"line": 0, "character": 14}


@pytest.mark.sampled(16)
@pytest.mark.parametrize(
    "text",
    ["", ":", ": f", ": f (", '." ', "{board", "{board 3 3 {grid}", "\\", "\\\n", "( ", "\0",
     "; ; ;", "LOAD", "LOAD nothing", "LOAD ../../../etc/passwd", ": LOAD ; LOAD", "' ", "HERE 0 !",
     "0 1 - HERE !", ": f RECURSE ; f", ": f BEGIN 0 UNTIL ; f", "BYE", "ABORT", "QUIT", "] ] ["],
)  # fmt: skip
def test_broken_texts(client: Client, uri: str, text: str) -> None:
    client.open(uri, text)
    for line, character in ((0, 0), (0, len(text)), (9, 9)):
        client.at("completion", uri, line, character)
        client.at("hover", uri, line, character)
        client.at("definition", uri, line, character)
        client.at("signatureHelp", uri, line, character)
    for method in ("documentSymbol", "foldingRange", "semanticTokens/full"):
        client.request(f"textDocument/{method}", {"textDocument": {"uri": uri}})
    assert client.change(uri, SQUARE) == []


def test_a_loop_while_loading_is_stopped(client: Client, uri: str) -> None:
    start = time.monotonic()
    assert codes(client.open(uri, ": f ( -- ) BEGIN FALSE UNTIL ; f"))[:1] == ["W103"]
    assert time.monotonic() - start < 30


@pytest.mark.slow
def test_unsaved_files_are_loaded(client: Client, tmp_path: Path) -> None:
    main, part = tmp_path / "main.4th", tmp_path / "part.4th"
    main.write_text("LOAD part.4th\ntwo .\n")
    part.write_text(": one ( -- n ) 1 ;\none .\n")
    text = ": two ( -- n ) 2 ;\n"
    assert codes(client.open(main.as_uri(), main.read_text()))[:1] == ["E101"]
    # The part is checked with the script that loads it, so `two` is used.
    assert codes(client.open(part.as_uri(), text)) == []
    assert codes(client.change(main.as_uri(), "LOAD part.4th\ntwo . \n")) == []
    line, character = position("LOAD part.4th\ntwo . \n", "two")
    (place,) = client.at("definition", main.as_uri(), line, character)
    assert place["uri"] == part.as_uri()
    assert place["range"]["start"] == {"line": 0, "character": 2}
    (file,) = client.at("definition", main.as_uri(), 0, 6)
    assert file["uri"] == part.as_uri()


def test_squares_of_a_grid_are_defined_by_the_end_of_the_board(client: Client, uri: str) -> None:
    client.open(uri, GAME)
    (place,) = client.at("definition", uri, *position(GAME, "a1"))
    start, end = place["range"]["start"], place["range"]["end"]
    assert GAME[start["character"] : end["character"]] == "board}"


def test_definitions_in_the_library(client: Client, uri: str) -> None:
    client.open(uri, GAME)
    (place,) = client.at("definition", uri, *position(GAME, "verify"))
    assert place["uri"].endswith("/axiom.4th")
    line = (
        Path(ROOT / "axiom_lib/axiom.4th").read_text().splitlines()[place["range"]["start"]["line"]]
    )
    assert line.startswith(": verify")
    assert client.at("definition", uri, *position(GAME, "add-move")) == []  # a primitive


def test_completion(client: Client, uri: str) -> None:
    client.open(uri, SQUARE)
    text = SQUARE + ": new ( -- ) sq"
    client.send_change(uri, text)
    found = client.at("completion", uri, *position(text, "( -- ) sq", after=True))
    item = next(item for item in found["items"] if item["label"] == "sq")
    assert item["detail"] == "( n -- n*n )"
    assert item["textEdit"]["range"]["start"]["character"] == 13
    assert client.at("completion", uri, *position(text, "( n -", after=True))["items"] == []
    everything = client.at("completion", uri, *position(text, ") DUP", after=True))
    assert everything["items"][0]["label"] == "DUP"
    assert everything["items"][0]["detail"] == "( x -- x x )"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "is_offered"),
    [
        ("REC", False),
        (": f ( -- ) REC", True),
        (": f ( -- ) ; REC", False),
        (": f ( -- ) [ REC", False),
        (": f ( -- ) [ 1 ] REC", True),
    ],
)
def test_control_words_are_completed_in_definitions(
    client: Client, uri: str, text: str, is_offered: bool
) -> None:
    client.open(uri, text)
    items = client.at("completion", uri, 0, len(text))["items"]
    assert any(item["label"] == "RECURSE" for item in items) == is_offered


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("LOAD par", ["part-one.4th", "parts/"]),
        ("1 . LOAD PART-", ["part-one.4th"]),
        ("LOAD parts/", ["parts/two.4th"]),
        ("LOAD ", ["main.4th", "part-one.4th", "parts/"]),
        ("LOAD ../", []),
        (': open ( -- ) 1\n  ." text\nLOAD part-', ["part-one.4th"]),
        ("( open\nLOAD part-", ["part-one.4th"]),
        ("{board 3 3 {grd}\n\tLOAD part-", ["part-one.4th"]),
    ],
)
@pytest.mark.parametrize("rest", ["", "\n: f ( -- ) ; ]\n"])
def test_completion_of_files(
    client: Client, tmp_path: Path, text: str, labels: list[str], rest: str
) -> None:
    (tmp_path / "parts").mkdir()
    for name in ("part-one.4th", "parts/two.4th", "main.4th", "part.zrf", "parts/part.txt"):
        (tmp_path / name).write_text("")
    uri = (tmp_path / "main.4th").as_uri()
    client.open(uri, text + rest)
    found = client.at("completion", uri, *position(text + "|", "|"))["items"]
    assert [item["label"] for item in found] == labels


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["\\ LOAD par", "( LOAD par", '." LOAD par', "UPLOAD par"])
def test_no_completion_of_files(client: Client, tmp_path: Path, text: str) -> None:
    (tmp_path / "part-one.4th").write_text("")
    uri = (tmp_path / "main.4th").as_uri()
    client.open(uri, text)
    found = client.at("completion", uri, 0, len(text))["items"]
    assert "part-one.4th" not in [item["label"] for item in found]


def test_hover(client: Client, uri: str) -> None:
    client.open(uri, GAME)
    text = client.at("hover", uri, *position(GAME, "step ( --"))["contents"]["value"]
    assert "step ( -- )" in text
    assert "One step to the east" in text
    assert ": step" in text
    assert "from here move add-move" in " ".join(text.split())
    text = client.at("hover", uri, *position(GAME, "add-move"))["contents"]["value"]
    assert text.startswith("```forthscript\nadd-move ( -- )\n```")
    assert "piece type" in client.at("hover", uri, *position(GAME, "Man a1"))["contents"]["value"]
    assert client.at("hover", uri, *position(GAME, "One step")) is None


@pytest.mark.slow
def test_hover_shows_the_cost_in_a_perft(client: Client, uri: str) -> None:
    client.open(uri, GAME)
    deadline = time.monotonic() + 30
    text = ""
    while "perft 2" not in text and time.monotonic() < deadline:
        time.sleep(0.2)
        text = client.at("hover", uri, *position(GAME, "step ( --"))["contents"]["value"]
    assert "4 calls" in text


@pytest.mark.slow
def test_references_and_rename(client: Client, uri: str) -> None:
    client.open(uri, SQUARE)
    places = client.at("references", uri, 0, 3, context={"includeDeclaration": True})
    assert len(places) == 3
    places = client.at("references", uri, 0, 3, context={"includeDeclaration": False})
    assert len(places) == 2
    edit = client.at("rename", uri, 0, 3, newName="squared")
    renamed = apply(SQUARE, edit["changes"][uri])
    assert renamed == SQUARE.replace("sq", "squared")
    assert client.change(uri, renamed) == []


@pytest.mark.parametrize("order", ["{of-type} go", "{of-type} go {turn} Black {of-type} go"])
def test_rename_a_type_that_several_moves_have(client: Client, uri: str, order: str) -> None:
    text = (
        GRID_3X3.replace("{turn} White", "{turn} White " + order)
        + ": a east verify from here move add-move ; : b east verify here capture-at add-move ;\n"
        "{moves m {move} a {move-type} go {move} b {move-type} go moves}\n"
    )
    client.open(uri, text)
    place = position(text, "go moves}")
    edit = client.at("rename", uri, *place, newName="run")
    assert apply(text, edit["changes"][uri]) == text.replace(" go", " run")


def test_rename_in_all_files_of_all_games_that_load_a_file(client: Client, tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / f"{name}.4th").write_text("LOAD part.4th\nshared .\n")
    part = tmp_path / "part.4th"
    part.write_text(": shared ( -- n ) 1 ;\n")
    client.open(part.as_uri(), part.read_text())
    edit = client.at("rename", part.as_uri(), 0, 3, newName="common")
    assert {Path(uri).name for uri in edit["changes"]} == {"first.4th", "second.4th", "part.4th"}


@pytest.mark.slow
def test_rename_in_variants_of_a_game(tmp_path: Path) -> None:
    client = Client(tmp_path)
    (tmp_path / "parts/words").mkdir(parents=True)
    part = tmp_path / "parts/words/part.4th"
    part.write_text(": shared ( -- n ) own ;\n")
    base = (ROOT / "scripts/tictactoe/tictactoe.4th").read_text()
    texts = {
        "base.4th": ": own ( -- n ) 1 ;\nLOAD parts/words/part.4th\n" + base + "shared .\n",
        "variant.4th": ": own ( -- n ) 2 ;\nLOAD parts/words/part.4th\n" + base,
        "derived.4th": "LOAD base.4th\n: more ( -- n ) shared ;\n",
        "other.4th": ": shared ( -- n ) 3 ;\n: own ( -- n ) 3 ;\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    uri = (tmp_path / "base.4th").as_uri()
    client.open(uri, texts["base.4th"])

    def renamed(uri: str, text: str, name: str) -> set[str]:
        edit = client.at("rename", uri, *position(text, name), newName="common")
        return {Path(uri).name for uri in edit["changes"]}

    expected = {"base.4th", "derived.4th", "part.4th"}
    assert renamed(uri, texts["base.4th"], "shared") == expected
    assert renamed(uri, texts["base.4th"], "own") == {"base.4th", "variant.4th", "part.4th"}
    client.open(part.as_uri(), part.read_text())
    assert renamed(part.as_uri(), part.read_text(), "shared") == expected
    (tmp_path / "variant.4th").write_text(texts["variant.4th"] + ": common 1 ;\n")
    with raises(ServerError, "language-server-server.name-in-use"):
        renamed(part.as_uri(), part.read_text(), "shared")
    assert client.close() == 0


def test_lone_carriage_returns(client: Client, uri: str) -> None:
    text = ": sq ( n -- n )\r  DUP * ;\r3 sq .\r: f sqq ;\r\nf 5 squ .\n"
    found = client.open(uri, text)
    assert [one["range"]["start"] for one in found] == [
        {"line": 3, "character": 4},
        {"line": 4, "character": 4},
    ]
    places = client.at("references", uri, 2, 3, context={"includeDeclaration": True})
    assert [place["range"]["start"]["line"] for place in places] == [0, 2]
    (found,) = client.change(uri, "\\ a comment\r3 .\n4 .\n")
    assert found["code"] == "W601"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("part", "new", "reason"),
    [
        ("DUP", "copy", "language-server-server.built"),
        ("sq (", "quad", "language-server-server.in-use"),
        ("sq (", "DUP", "language-server-server.in-use"),
        ("sq (", "two words", "language-server-server.without-blanks"),
        ("sq (", "12", "language-server-server.number"),
        ("3 quad", "three", "language-server-server.not-defined"),
    ],
)
def test_refused_renames(client: Client, uri: str, part: str, new: str, reason: str) -> None:
    client.open(uri, SQUARE)
    with raises(ServerError, reason):
        client.at("rename", uri, *position(SQUARE, part), newName=new)


def test_outline_and_folding(client: Client, uri: str) -> None:
    client.open(uri, GAME)
    document = {"textDocument": {"uri": uri}}
    symbols = client.request("textDocument/documentSymbol", document)
    names = [symbol["name"] for symbol in symbols]
    assert names == [
        "board", "directions", "players", "turn-order", "step", "moves man-moves", "pieces",
        "board-setup", "OnIsGameOver",
    ]  # fmt: skip
    assert [child["name"] for child in symbols[2]["children"]] == ["White", "Black"]
    folds = client.request("textDocument/foldingRange", document)
    assert [(fold["startLine"], fold["endLine"]) for fold in folds] == [(5, 7)]


def test_semantic_tokens_cover_all_tokens(client: Client, uri: str) -> None:
    text = '\U0001f600 ( a\nb ) : f ." x\ny" ;'
    client.open(uri, text)
    found = client.request("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})
    data = found["data"]
    pieces, line, column = [], 0, 0
    lines = text.split("\n")
    for index in range(0, len(data), 5):
        line += data[index]
        column = data[index + 1] + (column if not data[index] else 0)
        encoded = lines[line].encode("utf-16-le")[2 * column : 2 * (column + data[index + 2])]
        pieces.append(encoded.decode("utf-16-le"))
    assert pieces == ["\U0001f600", "( a", "b )", ":", "f", '."', "x", 'y"', ";"]


def test_the_stack_in_the_editor(client: Client, uri: str) -> None:
    text = ": f ( a b -- n )\n    OVER\n    + SWAP\n    DROP ;\n"
    client.open(uri, text)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 0}}
    hints = client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole})
    assert [(hint["position"]["line"], hint["label"]) for hint in hints] == [
        (1, "( a b a )"),
        (2, "( n a )"),
    ]
    client.change(uri, ": f ( a b -- n ) OVER ")
    help_ = client.at("signatureHelp", uri, 0, 22)
    assert help_["signatures"][0]["label"] == "OVER ( a b -- a b a )"
    assert "OVER  ( a b a )" in help_["signatures"][0]["documentation"]["value"]


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("bad", "good"),
    [
        (": f ( -- ) ; : g ( -- ) f f;", ": f ( -- ) ; : g ( -- ) f f ;"),
        (": f ( -- ) 1 .", ": f ( -- ) 1 . ;"),
        ("{board 3 3 {grid}", "{board 3 3 {grid}\nboard}"),
        ("{board 3 3 {grid} directions}", "{board 3 3 {grid} board}"),
        ("{board 3 3 {grid} \\ a\n: f ( -- ) ;", "{board 3 3 {grid}\nboard} \\ a\n: f ( -- ) ;"),
        ("{board 3 3 {grid} obard}", "{board 3 3 {grid} board}"),
        ("{board 3 3 {grid}board}\n: f ( -- ) ;", "{board 3 3 {grid} board}\n: f ( -- ) ;"),
        ("{board {board 3 3 {grid} board}", "{board 3 3 {grid} board}"),
        (": area ( a b -- n ) * ; 2 3 Area .", ": area ( a b -- n ) * ; 2 3 area ."),
        ("1 $passTurnForced !", "TRUE $passTurnForced !"),
        ("1 .\u00a0( one )", "1 . ( one )"),
        (": pair ( a b -- ) CREATE , , DOES> @ ;", ": pair ( a b -- ) <BUILDS , , DOES> @ ;"),
    ],
)  # fmt: skip
def test_fixes(client: Client, uri: str, bad: str, good: str) -> None:
    found = client.open(uri, bad)
    actions = client.request(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": uri},
            "range": found[0]["range"],
            "context": {"diagnostics": found},
        },
    )
    fixed = apply(bad, actions[0]["edit"]["changes"][uri])
    assert fixed == good
    code = actions[0]["diagnostics"][0]["code"]
    assert code not in codes(client.change(uri, fixed))


def test_board(client: Client, uri: str) -> None:
    client.open(uri, GAME)
    board = client.request("forthvm/board", {"textDocument": {"uri": uri}})
    assert board["error"] == ""
    assert board["svg"].startswith("<svg")
    assert board["svg"].count("Man") >= 2
    client.change(uri, GAME.replace("White Man a1", "White Man"))
    assert "Black" not in client.request("forthvm/board", {"textDocument": {"uri": uri}})["svg"]
    assert client.request("forthvm/board", {"textDocument": {"uri": uri}})["error"]


@pytest.mark.slow
def test_a_part_of_a_game_shows_the_board_of_the_game(client: Client, tmp_path: Path) -> None:
    shutil.copytree(SPLUT, tmp_path / "splut")
    part = tmp_path / "splut/moves.4th"
    assert client.open(part.as_uri(), part.read_text()) == []
    board = client.request("forthvm/board", {"textDocument": {"uri": part.as_uri()}})
    assert board["svg"].startswith("<svg")


def test_untitled_documents(client: Client) -> None:
    assert codes(client.open("untitled:Untitled-1.4th", "missing CR")) == ["E101"]


@pytest.mark.slow
def test_positions_in_utf_8_if_the_client_prefers_it(tmp_path: Path) -> None:
    client = Client(tmp_path, ["utf-8", "utf-16"])
    (found,) = client.open((tmp_path / "a.4th").as_uri(), "( \U0001f600 ) missing")
    assert found["range"]["start"]["character"] == 9
    assert client.close() == 0


def test_rule_files(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "game.zrf").as_uri()
    text = (
        "(define slide ($1 (while empty? add $1) add))\n"
        '(game\n  (title "One")\n  (players White Black)\n  (turn-order White Black)\n'
        '  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (10 0)) ("2/1" (0 10)))\n'
        "    (directions (n 0 -1))))\n"
        "  (piece (name Man) (moves (slide n)))\n"
        "  (board-setup (White (Man a1))))\n"
    )
    client.open(uri, text)
    symbols = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert [symbol["name"] for symbol in symbols] == ["slide", "One"]
    assert [child["name"] for child in symbols[1]["children"]] == ["board", "Man", "board-setup"]
    (place,) = client.at("definition", uri, *position(text, "slide n"))
    assert place["range"]["start"] == {"line": 0, "character": 8}
    assert "(while" in client.at("hover", uri, *position(text, "slide n"))["contents"]["value"]
    assert codes(client.change(uri, text[:120])) == ["E801"]
    assert "E801" not in codes(client.change(uri, text))


def test_formatting(client: Client, uri: str) -> None:
    client.open(uri, ": f ( -- n )\n1 IF  \n2 \\ \U0001f600 \nENDIF ;")
    parameters = {"textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": True}}
    (edit,) = client.request("textDocument/formatting", parameters)
    assert edit["range"]["end"] == {"line": 3, "character": 7}
    assert edit["newText"] == ": f ( -- n )\n\t1 IF\n\t\t2 \\ \U0001f600\n\tENDIF ;\n"
    client.change(uri, edit["newText"])
    assert client.request("textDocument/formatting", parameters) == []


def test_formatting_of_lines_changes_no_other_lines(client: Client, uri: str) -> None:
    client.open(uri, ": f ( -- n )  \r\n1 IF  \r\n2\r\nENDIF ;\r\n\r\n")
    lines = {"start": {"line": 1, "character": 2}, "end": {"line": 2, "character": 0}}
    parameters = {
        "textDocument": {"uri": uri},
        "options": {"tabSize": 4, "insertSpaces": True},
        "range": lines,
    }
    edits = client.request("textDocument/rangeFormatting", parameters)
    assert [(edit["range"]["start"]["line"], edit["newText"]) for edit in edits] == [
        (1, "\t1 IF"),
        (2, "\t\t2"),
    ]
    lines["end"] = {"line": 99, "character": 0}
    edits = client.request("textDocument/rangeFormatting", parameters)
    assert [edit["range"]["start"]["line"] for edit in edits] == [1, 2, 3]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "typed", "first"),
    [
        ("{move} step", "", {"step"}),
        ("{turn} White", "", {"White", "Black"}),
        ("{moves} man-moves", "", {"man-moves"}),
        ("{setup} White Man a1", "", {"White", "Black"}),
        ("{setup} White Man a1", "White ", {"Man"}),
        (
            "{setup} White Man a1",
            "White Man ",
            {f"{column}{row}" for column in "abc" for row in "123"},
        ),
        ("{setup} White Man a1", "White ( a comment ) Ma", {"Man"}),
        ("{setup} Black Man c1", "B", {"Black"}),
    ],
)
def test_the_right_kind_comes_first(
    client: Client, uri: str, part: str, typed: str, first: set[str]
) -> None:
    client.open(uri, GAME)
    text = GAME.replace(part, f"{part.split(maxsplit=1)[0]} {typed}\0 ")
    where = position(text, "\0")
    client.change(uri, text.replace("\0", ""))
    items = client.at("completion", uri, *where)["items"]
    assert {item["label"] for item in items[: len(first)]} == first

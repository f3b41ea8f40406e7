"""Names in rule files of Zillions: completion, definitions, references, renaming, colours."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from forthvm.editor.language_server.outline import LEGEND
from forthvm.editor.language_server.rule_keywords import KEYWORDS, is_keyword
from tests.kit.messages import raises

from .client import Client, ServerError, apply, position

ROOT = Path(__file__).parents[3]
TEXT = """\
; A game
; of slides.
(define slide ($1 (while empty? add $1) (verify not-moved?) (set-attribute moved? true) add))
(game
  (title "One")
  (players White Black)
  (turn-order White Black)
  (board
    (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (10 0)) ("2/1" (0 10)))
      (directions (n 0 -1) (e 1 0)))
    (zone (name home) (players White) (positions a1 b1)))
  (piece (name Man) (attribute moved? false)
    (moves (slide n) (slide e)))
  (board-setup (White (Man a1))))
"""


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return (tmp_path / "game.zrf").as_uri()


def test_keywords_of_the_language() -> None:
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import make_grammars  # type: ignore[import-not-found]
    finally:
        sys.path.pop(0)
    groups = (make_grammars.TOP, make_grammars.CONTROL, make_grammars.PARTS)
    assert {word for group in groups for word in group} <= KEYWORDS.keys()
    instructions = make_grammars.InstructionReader(None, None, None).keywords
    assert all(is_keyword(word) for word in instructions)
    questions = (*make_grammars.Question, *make_grammars.NamedQuestion)
    assert all(is_keyword(question.value) for question in questions)


@pytest.mark.slow
def test_completion(client: Client, uri: str) -> None:
    client.open(uri, TEXT)

    def labels(text: str, part: str) -> list[str]:
        client.send_change(uri, text)
        found = client.at("completion", uri, *position(text, part, after=True))
        return [item["label"] for item in sorted(found["items"], key=lambda i: i["sortText"])]

    text = TEXT + "(pie"
    first = labels(text, "(pie")
    assert {"piece", "slide"} <= set(first[: len(KEYWORDS) + 1])
    other = labels(TEXT.replace("(Man a1)", "(Man )"), "(Man ")
    assert {"a1", "a2", "b1", "b2", "Man", "home", "n", "e", "moved?", "White"} <= set(other[:14])
    assert labels(TEXT, "; A ga") == []
    assert labels(TEXT, '"On') == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("part", "kind", "line"),
    [
        ("slide n", "macro", 2),
        ("Man a1", "piece", 11),
        ("n) (slide", "direction", 9),
        ("White Black)\n  (board", "player", 5),
        ("a1 b1", "position", 8),
        ("moved? true", "attribute", 11),
        ("not-moved?", "attribute", 11),
    ],
)
def test_definition_and_hover(client: Client, uri: str, part: str, kind: str, line: int) -> None:
    client.open(uri, TEXT)
    (place,) = client.at("definition", uri, *position(TEXT, part))
    assert place["range"]["start"]["line"] == line
    assert client.at("hover", uri, *position(TEXT, part))["contents"]["value"].startswith(
        f"*{kind}*"
    )


def test_hover_on_keywords(client: Client, uri: str) -> None:
    client.open(uri, TEXT)
    text = client.at("hover", uri, *position(TEXT, "verify"))["contents"]["value"]
    assert text.startswith("```zrf\n(verify CONDITION)")
    assert client.at("hover", uri, *position(TEXT, "of slides")) is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("part", "new"), [("slide n", "glide"), ("Man)", "Woman"), ("not-moved?", "gone?")]
)
def test_rename(client: Client, uri: str, part: str, new: str) -> None:
    client.open(uri, TEXT)
    old = part.split(maxsplit=1)[0].rstrip(")").removeprefix("not-")
    edit = client.at("rename", uri, *position(TEXT, part), newName=new)
    renamed = apply(TEXT, edit["changes"][uri])
    in_comment = f"of {old}s"
    assert renamed == TEXT.replace(old, new).replace(f"of {new}s", in_comment)
    assert [found["code"] for found in client.change(uri, renamed)] == [
        found["code"] for found in client.change(uri, TEXT)
    ]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("part", "new", "reason"),
    [
        ("while", "loop", "language-server-rule-files.keyword"),
        ("a1))", "c1", "language-server-rule-files.square-of-a-grid"),
        ("slide n", "e", "language-server-rule-files.in-use"),
        ("slide n", "verify", "language-server-rule-files.in-use"),
        ("slide n", "a b", "language-server-rule-files.without-blanks"),
        ("slide n", "12", "language-server-rule-files.without-blanks"),
        ("$1 (w", "x", "language-server-rule-files.not-defined"),
    ],
)
def test_refused_renames(client: Client, uri: str, part: str, new: str, reason: str) -> None:
    client.open(uri, TEXT)
    with raises(ServerError, reason):
        client.at("rename", uri, *position(TEXT, part), newName=new)


def test_names_that_a_macro_composes(client: Client, uri: str) -> None:
    text = TEXT + "(define far (s$1de n))\n"
    client.open(uri, text)
    with raises(ServerError, "language-server-rule-files.names-that-a-macro-composes"):
        client.at("rename", uri, *position(text, "slide n"), newName="glide")


def test_included_files(client: Client, tmp_path: Path) -> None:
    shared, game = tmp_path / "shared.zrf", tmp_path / "game.zrf"
    define, rest = TEXT.split("\n", 3)[2] + "\n", TEXT.split("\n", 3)[3]
    shared.write_text(define)
    text = '(include "shared.zrf")\n' + rest
    game.write_text(text)
    client.open(game.as_uri(), text)
    (place,) = client.at("definition", game.as_uri(), *position(text, "slide n"))
    assert place["uri"] == shared.as_uri()
    (place,) = client.at("definition", game.as_uri(), *position(text, "shared"))
    assert place["uri"] == shared.as_uri()
    places = client.at("references", shared.as_uri(), 0, 9, context={"includeDeclaration": False})
    assert [place["uri"] for place in places] == [game.as_uri()] * 2
    edit = client.at("rename", shared.as_uri(), 0, 9, newName="glide")
    assert edit["changes"].keys() == {game.as_uri(), shared.as_uri()}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ('(include "par', ["part.zrf", "parts/"]),
        ('(include "parts/t', ["parts/two.zrf"]),
        ('(define a (add\n(include "part.', ["part.zrf"]),
        ('(title "One)\n(include "part.', ["part.zrf"]),
        ('; (include "par', []),
    ],
)
@pytest.mark.parametrize("rest", ["", '")\n(game (title "One"))\n', '\n(game (title "One"))\n'])
def test_completion_of_included_files(
    client: Client, tmp_path: Path, text: str, labels: list[str], rest: str
) -> None:
    (tmp_path / "parts").mkdir()
    for name in ("part.zrf", "parts/two.zrf", "part.4th"):
        (tmp_path / name).write_text("")
    uri = (tmp_path / "game.zrf").as_uri()
    client.open(uri, text + rest)
    found = client.at("completion", uri, *position(text + "|", "|"))["items"]
    assert [item["label"] for item in found] == labels


@pytest.mark.slow
def test_names_in_all_games_that_include_a_file(client: Client, tmp_path: Path) -> None:
    macro = TEXT[TEXT.index("(define") : TEXT.index("(game")]
    rest = TEXT[TEXT.index("(game") :]
    (tmp_path / "parts").mkdir()
    shared, middle = tmp_path / "parts/shared.zrf", tmp_path / "middle.zrf"
    shared.write_text(macro)
    middle.write_text('(include "parts/shared.zrf")\n')
    one, two, other = (tmp_path / f"{name}.zrf" for name in ("one", "two", "other"))
    for game in (one, two):
        game.write_text(f'(include "middle.zrf")\n{rest}')
    other.write_text(TEXT)  # has a macro of its own with the name
    text = one.read_text()
    client.open(one.as_uri(), text)
    edit = client.at("rename", one.as_uri(), *position(text, "slide n"), newName="glide")
    assert {Path(uri).name for uri in edit["changes"]} == {"one.zrf", "two.zrf", "shared.zrf"}
    edit = client.at("rename", one.as_uri(), *position(text, "Man"), newName="Piece")
    assert {Path(uri).name for uri in edit["changes"]} == {"one.zrf"}
    two.write_text(two.read_text().replace("slide e", "glide e"))
    with raises(ServerError, "language-server-rule-files.name-in-use"):
        client.at("rename", one.as_uri(), *position(text, "slide n"), newName="glide")


def test_call_hierarchy(client: Client, tmp_path: Path) -> None:
    shared, game = tmp_path / "shared.zrf", tmp_path / "game.zrf"
    start, end = TEXT.index("(define"), TEXT.index("(game")
    defined = TEXT[start:end] + "(define fast ((slide $1) (slide $2)))\n"
    text = '(include "shared.zrf")\n' + TEXT[end:].replace("(slide e)", "(fast n e)")
    shared.write_text(defined)
    game.write_text(text)
    client.open(game.as_uri(), text)

    def called(method: str, key: str, item: dict[str, Any]) -> list[tuple[str, str, int]]:
        calls = client.request(f"callHierarchy/{method}", {"item": item})
        return [(c[key]["name"], Path(c[key]["uri"]).name, len(c["fromRanges"])) for c in calls]

    (item,) = client.at("prepareCallHierarchy", game.as_uri(), *position(text, "slide n"))
    assert (item["name"], item["uri"]) == ("slide", shared.as_uri())
    assert called("outgoingCalls", "to", item) == []
    assert sorted(called("incomingCalls", "from", item)) == [
        ("Man", "game.zrf", 1),
        ("fast", "shared.zrf", 2),
    ]
    (item,) = client.at("prepareCallHierarchy", shared.as_uri(), *position(defined, "fast"))
    assert called("outgoingCalls", "to", item) == [("slide", "shared.zrf", 2)]
    (call,) = client.request("callHierarchy/incomingCalls", {"item": item})
    assert sorted(called("outgoingCalls", "to", call["from"])) == [
        ("fast", "shared.zrf", 1),
        ("slide", "shared.zrf", 1),
    ]
    for part in ("Man", "moves", "n 0"):  # no macros
        assert client.at("prepareCallHierarchy", game.as_uri(), *position(text, part)) == []


def test_outline_folding_and_colours(client: Client, uri: str) -> None:
    client.open(uri, TEXT)
    document = {"textDocument": {"uri": uri}}
    top = client.request("textDocument/documentSymbol", document)
    assert [child["name"] for child in top[1]["children"]] == ["board", "Man", "board-setup"]
    assert top[1]["children"][0]["children"][0]["name"] == "home"
    folds = client.request("textDocument/foldingRange", document)
    assert {"startLine": 0, "endLine": 1, "kind": "comment"} in folds
    assert [fold["startLine"] for fold in folds] == [3, 7, 8, 11, 0]
    data = client.request("textDocument/semanticTokens/full", document)["data"]
    types = [LEGEND.token_types[kind] for kind in data[3::5]]
    assert types[:6] == ["comment", "comment", "keyword", "function", "parameter", "keyword"]
    assert {"class", "decorator", "enumMember", "property", "namespace", "number"} <= set(types)


@pytest.mark.parametrize("text", ["", "(", "(define", '(game (title "', ")))", "(()(", "(include"])
def test_unfinished_texts(client: Client, uri: str, text: str) -> None:
    client.open(uri, text)
    for method in ("completion", "hover", "definition", "documentHighlight"):
        client.at(method, uri, 0, len(text))
    for method in ("documentSymbol", "foldingRange", "semanticTokens/full"):
        client.request(f"textDocument/{method}", {"textDocument": {"uri": uri}})

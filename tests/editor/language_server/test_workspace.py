"""Several files: findings in all open files of a script, renamed files, symbols, calls, lenses."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from .client import Client, apply, position

ROOT = Path(__file__).parents[3]
PART = ": one ( -- n ) 1 ;\n: two ( -- n ) one one + ;\n"
MAIN = "\\ The game.\nLOAD part.4th\n: four ( -- n ) two two + ;\nfour . one .\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    main, part = tmp_path / "main.4th", tmp_path / "part.4th"
    main.write_text(MAIN)
    part.write_text(PART)
    return main, part


@pytest.mark.slow
def test_findings_in_the_other_open_file(client: Client, files: tuple[Path, Path]) -> None:
    main, part = (file.as_uri() for file in files)
    assert client.open(main, MAIN) == []
    assert client.open(part, PART) == []
    client.send_change(part, PART.replace("two", "too"))
    client.wait_for(main, ["E101"])
    client.send_change(part, PART)
    client.wait_for(main, [])
    client.send_change(part, "")
    client.wait_for(main, ["E101"])  # of `two`; what runs after it depends on it
    client.end(part)  # the file on the disk counts again
    client.wait_for(main, [])


@pytest.mark.slow
def test_files_that_change_outside_the_editor(client: Client, files: tuple[Path, Path]) -> None:
    main, part = files
    client.open(main.as_uri(), MAIN)

    def changed(kind: int) -> None:
        changes = [{"uri": part.as_uri(), "type": kind}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    part.unlink()
    changed(3)
    client.wait_for(main.as_uri(), ["E102"])
    part.write_text(PART.replace("two", "too"))
    changed(1)
    client.wait_for(main.as_uri(), ["E101"])
    part.write_text(PART)
    changed(2)
    client.wait_for(main.as_uri(), [])


@pytest.mark.slow
def test_a_file_of_two_games(client: Client, files: tuple[Path, Path]) -> None:
    main, part = files
    other = main.with_name("other.4th")
    other.write_text(MAIN)
    uris = [file.as_uri() for file in (main, part, other)]
    for uri, file in zip(uris, (main, part, other), strict=True):
        assert client.open(uri, file.read_text()) == []
    client.send_change(part.as_uri(), PART.replace("two", "too"))
    client.wait_for(uris[0], ["E101"])
    client.wait_for(uris[2], ["E101"])


@pytest.mark.slow
def test_an_included_rule_file(client: Client, tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests/zrf/games/reversi.zrf", tmp_path / "reversi.zrf")
    game, part = tmp_path / "game.zrf", tmp_path / "part.zrf"
    text = (tmp_path / "reversi.zrf").read_text()
    start = text.index("(game")
    part.write_text(text[:start])
    game.write_text('(include "part.zrf")\n' + text[start:])
    expected = [one["code"] for one in client.open((tmp_path / "reversi.zrf").as_uri(), text)]
    found = client.open(part.as_uri(), text[:start])
    found += client.open(game.as_uri(), game.read_text())
    assert expected == [one["code"] for one in found]
    client.send_change(part.as_uri(), "(define nothing add)\n")
    client.wait_for(game.as_uri(), ["E801", "E801"])


@pytest.mark.slow
def test_renamed_files(client: Client, tmp_path: Path) -> None:
    folder = tmp_path / "game"
    (folder / "parts").mkdir(parents=True)
    main, part = folder / "main.4th", folder / "parts/part.4th"
    text = "LOAD parts/part.4th\n( LOAD parts/part.4th )\n"
    main.write_text(text)
    part.write_text(PART)
    client.open(main.as_uri(), text)

    def after(old: Path, new: Path) -> str:
        renamed = [{"oldUri": old.as_uri(), "newUri": new.as_uri()}]
        edit = client.request("workspace/willRenameFiles", {"files": renamed})
        return apply(text, edit["changes"].get(main.as_uri(), []))

    line = text.splitlines()[1]
    assert after(part, folder / "parts/words.4th") == f"LOAD parts/words.4th\n{line}\n"
    assert after(part, folder / "words.4th") == f"LOAD words.4th\n{line}\n"
    assert after(folder / "parts", folder / "words") == f"LOAD words/part.4th\n{line}\n"
    assert after(part, tmp_path / "part.4th") == text  # LOAD cannot read it there
    assert after(main, folder / "parts/main.4th") == f"LOAD part.4th\n{line}\n"
    assert after(folder, tmp_path / "games") == text


@pytest.mark.slow
def test_workspace_symbols(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/main.4th").write_text(MAIN)
    (tmp_path / "b.zrf").write_text("(define slide ($1 add))")
    client = Client(tmp_path)

    def found(query: str) -> list[str]:
        symbols = client.request("workspace/symbol", {"query": query})
        return sorted(symbol["name"] for symbol in symbols)

    assert found("") == ["four", "slide"]
    assert found("SLD") == ["slide"]
    client.open((tmp_path / "a/main.4th").as_uri(), ": five ( -- n ) 5 ;\n")
    assert found("f") == ["five"]
    assert client.close() == 0


@pytest.mark.slow
def test_call_hierarchy(client: Client, files: tuple[Path, Path]) -> None:
    main, part = files
    client.open(part.as_uri(), PART)
    client.open(main.as_uri(), MAIN)
    (item,) = client.at("prepareCallHierarchy", main.as_uri(), *position(MAIN, "one"))
    assert (item["name"], item["uri"], item["detail"]) == ("one", part.as_uri(), "( -- n )")

    def names(method: str, key: str, item: dict[str, Any]) -> list[tuple[str, int]]:
        calls = client.request(f"callHierarchy/{method}", {"item": item})
        return [(call[key]["name"], len(call["fromRanges"])) for call in calls]

    assert names("incomingCalls", "from", item) == [("two", 2), ("main.4th", 1)]
    (item,) = client.at("prepareCallHierarchy", main.as_uri(), *position(MAIN, "four"))
    assert names("outgoingCalls", "to", item) == [("two", 2)]
    assert client.at("prepareCallHierarchy", main.as_uri(), *position(MAIN, "LOAD")) == []


def test_selection_ranges(client: Client, files: tuple[Path, Path]) -> None:
    main = files[0].as_uri()
    text = ": f ( n -- )\n    IF 1 . ENDIF ;\n"
    client.open(main, text)
    line, character = position(text, "1 .")
    parameters = {
        "textDocument": {"uri": main},
        "positions": [{"line": line, "character": character}],
    }
    (selection,) = client.request("textDocument/selectionRange", parameters)
    starts = []
    while selection is not None:
        start = selection["range"]["start"]
        starts.append((start["line"], start["character"]))
        selection = selection.get("parent")
    assert starts == [(1, 7), (1, 4), (0, 0), (0, 0)]


@pytest.mark.slow
def test_code_lenses(tmp_path: Path) -> None:
    game = tmp_path / "game.4th"
    text = "{board-setup\nboard-setup}\n"
    game.write_text(text)
    client = Client(tmp_path, commands=["forthvm.showBoard", "forthvm.runTests"])
    client.open(game.as_uri(), text)
    document = {"textDocument": {"uri": game.as_uri()}}
    (lens,) = client.request("textDocument/codeLens", document)
    assert lens["command"]["command"] == "forthvm.showBoard"
    assert lens["command"]["arguments"] == [game.as_uri()]
    game.with_suffix(".perft").write_text("1 1\n")
    _, lens = client.request("textDocument/codeLens", document)
    assert lens["command"]["arguments"] == [str(game)]
    assert client.close() == 0


def test_no_lenses_for_commands_that_the_client_does_not_have(client: Client, uri: str) -> None:
    client.open(uri, "{board-setup board-setup}\n")
    assert client.request("textDocument/codeLens", {"textDocument": {"uri": uri}}) == []


@pytest.mark.slow
def test_a_workspace_behind_a_link(files: tuple[Path, Path], tmp_path: Path) -> None:
    main, part = (tmp_path / "link" / file.name for file in files)
    (tmp_path / "real").mkdir()
    for file in files:
        file.rename(tmp_path / "real" / file.name)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    client = Client(tmp_path / "link")
    client.open(main.as_uri(), MAIN)
    declared = {"includeDeclaration": True}
    at_one = position(MAIN, "one")
    (place,) = client.at("definition", main.as_uri(), *at_one)
    assert place["uri"] == part.as_uri()
    (place,) = client.at("definition", main.as_uri(), *position(MAIN, "part"))
    assert place["uri"] == part.as_uri()
    places = client.at("references", main.as_uri(), *at_one, context=declared)
    assert {place["uri"] for place in places} == {main.as_uri(), part.as_uri()}
    symbols = client.request("workspace/symbol", {"query": "one"})
    assert [symbol["location"]["uri"] for symbol in symbols] == [part.as_uri()]
    renamed = [{"oldUri": part.as_uri(), "newUri": part.with_name("p.4th").as_uri()}]
    edit = client.request("workspace/willRenameFiles", {"files": renamed})
    assert edit["changes"].keys() == {main.as_uri()}
    assert client.close() == 0


@pytest.mark.slow
def test_a_file_that_is_open_by_two_paths(
    client: Client, files: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    part = files[1]
    linked = tmp_path / "link" / part.name
    wrong = PART.replace("one one", "one won")
    assert client.open(part.as_uri(), PART) == []
    assert client.open(linked.as_uri(), PART) == []
    client.send_change(linked.as_uri(), wrong)
    client.send_change(part.as_uri(), wrong)
    for uri in (part.as_uri(), linked.as_uri()):
        client.wait_for(uri, ["E101"])
        (found,) = client.at("definition", uri, *position(wrong, "one +"[:3]))
        assert found["uri"] == uri
    client.end(part.as_uri())
    client.send_change(linked.as_uri(), PART)
    client.wait_for(linked.as_uri(), [])

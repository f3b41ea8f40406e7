"""The report page: contents, escaping of foreign text, and the viewer's data."""

from __future__ import annotations

import dataclasses
import json
import re
import sqlite3
from html.parser import HTMLParser
from pathlib import Path

import pytest

from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.autoplay.match.settings import Settings
from forthvm.autoplay.report.game_replay import Recorder
from forthvm.autoplay.report.heat_map import chosen_texts, heat_counts
from forthvm.autoplay.report.page import html_report, html_report_of
from forthvm.autoplay.results.store import GameRow, Store
from forthvm.cli import main
from forthvm.game import load
from tests.autoplay.results import duel, row, write_random_match
from tests.scripts import HEAPS

EVIL = '<script>alert("1")</script><img src=x onerror=alert(2)>&"\''
VOID_TAGS = {"meta", "input", "br", "img"}


class Page(HTMLParser):
    """The elements and texts of a page; raises if tags do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.data: dict[str, list] = {}  # type: ignore[type-arg]
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID_TAGS:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, text: str) -> None:
        if not self.data and self.elements and self.elements[-1][1].get("id") == "games":
            self.data = json.loads(text)
        self.texts.append(text)

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.elements)


def report(path: Path, **options: int) -> Page:
    with Store.open(path) as store:
        return Page(html_report(store, **options))


def match_of(settings: Settings) -> dict[str, object]:
    """Return the table `match` as read from a file."""
    match: dict[str, object] = json.loads(json.dumps(settings.to_match()))
    return match


def rows_of(path: Path) -> list[GameRow]:
    with Store.open(path) as store:
        return list(store.games())


def test_page_has_all_parts(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", games=10)
    page = report(path)
    text = "\n".join(page.texts)
    for heading in (
        *("Result", "Cross table", "Score over time", "Seats"),
        *("Where moves go", "Game by game"),
    ):
        assert heading in text
    assert len(page.data["games"]) == 10
    assert "10 games" in text


def test_page_fetches_nothing(tmp_path: Path) -> None:
    """No element refers to another resource, and the policy forbids all requests."""
    path = tmp_path / "results.db"
    write_random_match(path, "breakthrough", games=2)
    page = report(path)
    for tag, attributes in page.elements:
        assert tag not in {"link", "img", "iframe", "object", "use", "image"}
        assert not {"src", "href", "xlink:href", "onclick", "onerror", "onload"} & attributes.keys()
    (policy,) = [
        each["content"] for tag, each in page.elements if tag == "meta" and "http-equiv" in each
    ]
    assert policy is not None
    assert policy.startswith("default-src 'none'")


def test_names_are_escaped(tmp_path: Path) -> None:
    """Names and texts with HTML elements add no script to the report."""
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", (EVIL, "B"), games=4)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE games SET reason = ?, game = ?", (EVIL, EVIL))
        connection.execute("UPDATE match SET value = ? WHERE key = 'forthvm'", (f'"{EVIL[:6]}"',))
    connection.close()
    page = report(path)
    assert page.count("script") == 2
    assert page.count("img") == 0
    assert page.data["games"][0]["end"] == EVIL
    assert any(EVIL in text for text in page.texts[:20])


@pytest.mark.parametrize(
    "name", ["splut", "thud", "ur", "yonin-shogi", "rithmomachia", "chess", "reversi", "draughts"]
)
def test_viewer_data_of_all_kinds_of_games(name: str, tmp_path: Path) -> None:
    """The viewer's data, applied ply by ply, leads to the final position of the game."""
    path = tmp_path / "results.db"
    game = load(name)
    names = [f"E{at}" for at in range(len(game.contestants))]
    settings = write_random_match(path, name, names, games=2, max_plies=24)
    data = report(path).data
    for viewer_game, recorded in zip(data["games"], rows_of(path), strict=True):
        assert viewer_game["broken"] == ""
        assert [data["texts"][ply[1]] for ply in viewer_game["plies"]] == [
            text for _, text in recorded.moves
        ]
        shown = _last_board(data, viewer_game)
        board = LoadedMatch(settings).begin(recorded.seed)
        for player, text in recorded.moves:
            board.push_recorded(player, text)
        final_board = board.first_position.board
        # Board positions without a name are called `??`.
        assert {square: title for square, title in shown.items() if square != "??"} == {
            square: f"{piece.player} {piece.type}" if piece.player else piece.type
            for square in game.positions
            if square != "??" and (piece := final_board[square])
        }


def _last_board(data: dict[str, list], game: dict[str, list]) -> dict[str, str]:  # type: ignore[type-arg]
    """Apply all changes as the page's script does; return the pieces' titles by board position.

    A change consists of a board position and a shape, or -1 for an empty board position.  The
    changes of a ply begin at index 3, and the title of a shape has index 4.
    """
    shapes: dict[int, int] = {}
    for flat in (data["boards"][game["board"]], *(ply[3:] for ply in game["plies"])):  # type: ignore[call-overload]
        for position, shape in zip(flat[::2], flat[1::2], strict=True):
            shapes[position] = shape
    return {
        data["places"][position]: data["shapes"][shape][4]
        for position, shape in shapes.items()
        if shape >= 0
    }


def test_game_without_a_drawn_board(tmp_path: Path) -> None:
    """Heat maps are tables, and pieces are listed."""
    script = tmp_path / "heaps.4th"
    script.write_text(HEAPS, encoding="utf-8")
    path = tmp_path / "results.db"
    write_random_match(path, str(script), games=2)
    page = report(path)
    assert page.data["corners"] == [None, None]
    assert page.data["games"][0]["broken"] == ""
    assert "left-heap" in page.texts


def test_recorded_game_that_cannot_be_replayed(tmp_path: Path) -> None:
    """The report shows the moves before the illegal move, and the reason."""
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", games=2)
    moves = [list(each) for each in rows_of(path)[0].moves]
    moves[2][1] = "X mark z9"
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE games SET moves = ? WHERE id = 1", (json.dumps(moves),))
    connection.close()
    first, second = report(path).data["games"]
    assert len(first["plies"]) == 2
    assert first["broken"].startswith("ply 3 cannot be replayed: ")
    assert second["broken"] == ""


def test_report_without_the_script_has_only_statistics(tmp_path: Path) -> None:
    script = tmp_path / "heaps.4th"
    script.write_text(HEAPS, encoding="utf-8")
    path = tmp_path / "results.db"
    write_random_match(path, str(script), games=2)
    script.unlink()
    page = report(path)
    assert page.data == {}
    assert any(text.startswith("The games cannot be shown: ") for text in page.texts)


def test_limit_of_shown_games(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", games=5)
    page = report(path, games=2)
    assert [each["id"] for each in page.data["games"]] == [1, 2]
    assert any("The first 2 of 5 games" in text for text in page.texts)
    assert report(path, games=0).data == {}


def test_page_without_games(tmp_path: Path) -> None:
    settings = write_random_match(tmp_path / "other.db", "tictactoe", games=1)
    page = Page(html_report_of(match_of(settings), []))
    assert any("0 of 1 games played so far" in text for text in page.texts)


def test_openings_with_set_ups(tmp_path: Path) -> None:
    """The pairs use the two listed set-ups in rotation."""
    settings = write_random_match(tmp_path / "other.db", "tictactoe", games=1)
    setups = [
        {"pieces": [["X", "mark", "a1"]], "turn": 1, "variables": []},
        {"pieces": [["X", "mark", "c3"]], "turn": 1, "variables": []},
    ]
    match = {**match_of(settings), "openings": [{"moves": [], "setup": each} for each in setups]}
    recorder = Recorder(match)
    for pair in (1, 2, 3):
        recorder.add(dataclasses.replace(duel(pair, 1), pair=pair, moves=(("O", "O mark b2"),)))
    data = recorder.data()
    games = data["games"]
    assert isinstance(games, list)
    assert [each["broken"] for each in games] == ["", "", ""]
    assert games[0]["board"] == games[2]["board"] != games[1]["board"]


def test_heat_map_counts_moves_drops_and_captures() -> None:
    """A drop counts only as reaching a position; dice and openings are not counted."""
    seats = {"White": "A", "Black": "B"}
    moves = (("White", "a2 - a3"), ("White", "a3 - a4"), ("Black", "b7 x a6"), ("?Dice", "h1 - h2"))
    rows = [
        dataclasses.replace(row(1, seats, (1, 0)), moves=moves, opening=moves[:1]),
        dataclasses.replace(row(2, seats, (1, 0)), moves=moves, opening=moves[:1], void=True),
    ]
    assert [chosen_texts(each) for each in rows] == [["a3 - a4", "b7 x a6"], []]
    game = load("breakthrough")
    pawn = game.piece_types[0].name
    counts = heat_counts(
        game, {f"{pawn} a3 - a4": 2, f"{pawn} b7 x a6": 1, f"{game.players[0]} {pawn} c1": 5}
    )
    assert counts["from"] == {"a3": 2, "b7": 1}
    assert counts["to"] == {"a4": 2, "a6": 1, "c1": 5}
    assert counts["taken"] == {"a6": 1}


# --- the command ---------------------------------------------------------------------------------


def test_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", ("Random", "Duel"), games=6)
    page, games = tmp_path / "report.html", tmp_path / "games.csv"
    assert main(["report", str(path), "--html", str(page), "--csv", str(games)]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("tictactoe: 6 games\n")
    assert re.search(r"report\.html: \d+ kB", captured.err)
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert len(games.read_text(encoding="utf-8").splitlines()) == 7
    assert main(["report", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counted"] == 6
    assert main(["report", str(path), "--article"]) == 0
    assert 'Player 1 "Random", wins = ' in capsys.readouterr().out
    assert main(["report", str(path), "--csv", "-"]) == 0
    assert capsys.readouterr().out.startswith("id,pair,game,")


def test_command_refuses_invalid_arguments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "results.db"
    assert main(["report", str(path)]) == 1
    assert "there is no file" in capsys.readouterr().err
    path.write_text("no database", encoding="utf-8")
    assert main(["report", str(path)]) == 1
    path.unlink()
    write_random_match(path, "tictactoe", games=2)
    assert main(["report", str(path), "--json", "--csv", "-"]) == 2
    assert "only one of" in capsys.readouterr().err
    assert main(["report", str(path), "--html", str(tmp_path / "no" / "page.html")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_report_with_a_lone_surrogate_can_be_encoded(tmp_path: Path) -> None:
    """The surrogate becomes a character reference."""
    path = tmp_path / "results.db"
    settings = write_random_match(path, "tictactoe", games=2)
    rows = [dataclasses.replace(each, reason="bad \udc80 byte") for each in rows_of(path)]
    text = html_report_of(match_of(settings), rows)
    assert text.encode("utf-8", errors="xmlcharrefreplace")

"""The report page: contents, escaping of foreign text, and the viewer's data."""

from __future__ import annotations

import dataclasses
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from forthvm import render
from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.autoplay.match.settings import Settings
from forthvm.autoplay.results.store import GameRow, Store
from forthvm.game import load
from forthvm.web.report.heat_map import chosen_texts, heat_counts
from forthvm.web.report.replays import Replays
from forthvm.web.report.static_page import html_report, html_report_of
from tests.autoplay.results import duel, row, write_random_match
from tests.kit.boards import HEAPS
from tests.kit.commands import Cli
from tests.kit.files import write

EVIL = '<script>alert("1")</script><img src=x onerror=alert(2)>&"\''


class Page:
    """The data in the document of a report.

    Attributes:
        blocks: The numbers.
        games: The list of games.
        problem: Why games cannot be shown.
        steps: For each game its steps.
        lists: The lists of which steps are made, shared by all games.
    """

    def __init__(self, document: str) -> None:
        self.document = document
        data = {
            key: json.loads(text)
            for key, text in re.findall(
                r'<script type="application/json" id="(\w+)">(.*?)</script>', document, re.DOTALL
            )
        }
        messages = {message["is"]: message for message in data["messages"]}
        self.blocks: list[dict[str, Any]] = messages["report"]["blocks"]
        self.games: list[dict[str, Any]] = messages["games"]["games"]
        self.total: int = messages["games"]["total"]
        self.problem: str | None = messages["game"]["problem"]
        self.steps: list[dict[str, Any]] = data["steps"]
        self.lists: dict[str, list[Any]] = {
            name: [entry for each in self.steps for entry in each[name]]
            for name in ("squares", "kinds", "values")
        }

    def texts(self, kind: str) -> list[str]:
        """Return the texts of the blocks of a kind."""
        return [block["text"] for block in self.blocks if block["is"] == kind]

    def scenes(self, steps: dict[str, Any]) -> list[dict[str, Any]]:
        """Apply the steps of a game, as the page does."""
        pieces: dict[str, Any] = {}
        fields: dict[str, Any] = {}
        scenes = []
        for changes, values in steps["steps"]:
            for square, kind in zip(changes[::2], changes[1::2], strict=True):
                pieces.pop(self.lists["squares"][square], None)
                if kind >= 0:
                    pieces[self.lists["squares"][square]] = self.lists["kinds"][kind]
            fields |= dict(self.lists["values"][at] for at in values)
            scenes.append({**fields, "pieces": dict(pieces)})
        return scenes


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
    headings = page.texts("heading")
    assert headings[0] == "tictactoe: 10 games"
    assert {"Result", "Cross table", "Score over time", "Seats", "Where moves go"} <= set(headings)
    assert len(page.games) == len(page.steps) == 10


def test_page_fetches_nothing(tmp_path: Path) -> None:
    """No element refers to another resource, and the policy forbids all requests."""
    path = tmp_path / "results.db"
    write_random_match(path, "breakthrough", games=2)
    document = re.sub(r"<script.*?</script>", "", report(path).document, flags=re.DOTALL)
    assert not re.search(r"<(img|iframe|object|use|image)\b|\bsrc=|\bon\w+=", document)
    assert re.findall(r'href="([^"]*)"', document) == ["data:,"]
    assert "default-src 'none'" in document


def test_names_are_escaped(tmp_path: Path) -> None:
    """Names and texts with HTML elements add no element to the report."""
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", (EVIL, "B"), games=4)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE games SET reason = ?, game = ?", (EVIL, EVIL))
        connection.execute("UPDATE match SET value = ? WHERE key = 'forthvm'", (f'"{EVIL[:6]}"',))
    connection.close()
    page = report(path)
    assert page.document.count("<script") == 4  # three with data, one with the code
    assert "<img" not in page.document
    assert page.games[0]["end"] == EVIL
    assert EVIL in page.texts("heading")[0]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "name",
    ["splut", "thud", "ur", "yonin-shogi", "rithmomachia", "chess", "reversi", "draughts"],
)
def test_steps_of_all_kinds_of_games(name: str, tmp_path: Path) -> None:
    """The steps lead to the final position of each game, and name its moves."""
    path = tmp_path / "results.db"
    game = load(name)
    names = [f"E{at}" for at in range(len(game.contestants))]
    settings = write_random_match(path, name, names, games=2, max_plies=24)
    page = report(path)
    for steps, recorded in zip(page.steps, rows_of(path), strict=True):
        assert steps["problem"] is None
        scenes = page.scenes(steps)
        assert steps["moves"] == [list(move) for move in recorded.moves]
        running = LoadedMatch(settings).begin(recorded.seed)
        for player, text in recorded.moves:
            running.push_recorded(player, text)
        final = render.scene(running.first_position)
        players = scenes[-1]["players"]
        assert {
            square: (players[piece["player"]]["name"], piece["type"])
            for square, piece in scenes[-1]["pieces"].items()
        } == {
            piece.square: (final.players[piece.player].name, piece.type) for piece in final.pieces
        }


def test_game_without_a_grid(tmp_path: Path) -> None:
    """Heat maps and steps show the board positions beside each other."""
    script = write(tmp_path / "heaps.4th", HEAPS)
    path = tmp_path / "results.db"
    write_random_match(path, str(script), games=2)
    page = report(path)
    assert [steps["problem"] for steps in page.steps] == [None, None]
    gallery = next(block for block in page.blocks if block["is"] == "gallery")
    assert all("left-heap" in picture["svg"] for picture in gallery["pictures"])


def test_recorded_game_that_cannot_be_replayed(tmp_path: Path) -> None:
    """The report shows the moves before the illegal move, and the reason."""
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", games=2)
    moves = [list(each) for each in rows_of(path)[0].moves]
    moves[2][1] = "X mark z9"
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE games SET moves = ? WHERE id = 1", (json.dumps(moves),))
    connection.close()
    first, second = report(path).steps
    assert len(first["steps"]) == 1 + 2
    assert first["problem"].startswith("ply 3 cannot be replayed: ")
    assert first["rest"] == moves[2:]
    assert second["problem"] is None


def test_report_without_the_script_has_only_statistics(tmp_path: Path) -> None:
    script = write(tmp_path / "heaps.4th", HEAPS)
    path = tmp_path / "results.db"
    write_random_match(path, str(script), games=2)
    script.unlink()
    page = report(path)
    assert page.steps == []
    assert page.problem is not None
    assert "heaps.4th" in page.problem
    assert len(page.games) == 2


def test_limit_of_shown_games(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", games=5)
    page = report(path, games=2)
    assert [game["id"] for game in page.games] == [1, 2]
    assert page.total == 5
    assert report(path, games=0).games == []


def test_page_without_games(tmp_path: Path) -> None:
    settings = write_random_match(tmp_path / "other.db", "tictactoe", games=1)
    page = Page(html_report_of(match_of(settings), []))
    assert any("0 of 1 games played so far" in text for text in page.texts("note"))


def test_openings_with_set_ups(tmp_path: Path) -> None:
    """The pairs use the two listed set-ups in rotation."""
    settings = write_random_match(tmp_path / "other.db", "tictactoe", games=1)
    setups = [
        {"pieces": [["X", "mark", "a1"]], "turn": 1, "variables": []},
        {"pieces": [["X", "mark", "c3"]], "turn": 1, "variables": []},
    ]
    match = {**match_of(settings), "openings": [{"moves": [], "setup": each} for each in setups]}
    replays = Replays(match)
    starts = []
    for pair in (1, 2, 3):
        row = dataclasses.replace(duel(pair, 1), pair=pair, moves=(("O", "O mark b2"),))
        first, _ = replays.scenes(row)
        starts.append([piece.square for piece in first.pieces])
    assert starts == [["a1"], ["c3"], ["a1"]]


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


def test_command_writes_the_page(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", ("Random", "Duel"), games=6)
    page, games = tmp_path / "report.html", tmp_path / "games.csv"
    captured = cli("report", path, "--html", page, "--csv", games)
    assert captured.status == 0
    assert captured.out.startswith("tictactoe: 6 games\n")
    assert re.search(r"report\.html: \d+ kB", captured.err)
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert len(games.read_text(encoding="utf-8").splitlines()) == 7
    assert json.loads(cli.out("report", path, "--json"))["counted"] == 6
    assert 'Player 1 "Random", wins = ' in cli.out("report", path, "--article")
    assert cli.out("report", path, "--csv", "-").startswith("id,pair,game,")


def test_command_refuses_invalid_arguments(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "results.db"
    assert "there is no file" in cli.err("report", path, status=1)
    path.write_text("no database", encoding="utf-8")
    assert cli("report", path).status == 1
    path.unlink()
    write_random_match(path, "tictactoe", games=2)
    assert "only one of" in cli.err("report", path, "--json", "--csv", "-", status=2)
    assert "cannot write" in cli.err(
        "report", path, "--html", tmp_path / "no" / "page.html", status=2
    )


def test_report_with_a_lone_surrogate_can_be_encoded(tmp_path: Path) -> None:
    """The surrogate becomes a character reference."""
    path = tmp_path / "results.db"
    settings = write_random_match(path, "tictactoe", games=2)
    rows = [dataclasses.replace(each, reason="bad \udc80 byte") for each in rows_of(path)]
    text = html_report_of(match_of(settings), rows)
    assert text.encode("utf-8", errors="xmlcharrefreplace")

"""moves, perft, games and words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# Sequences of tic-tac-toe: nine squares filled in turn; after five and more plies without
# those that go on after a line of three (1,440 lines after five, with 4 sixth plies each).
TICTACTOE = {0: 1, 1: 9, 2: 72, 3: 504, 4: 3024, 5: 15120, 6: 60480 - 1440 * 4}


def test_moves_are_a_line_each_in_order(cli: Callable[..., Any]) -> None:
    done = cli("moves", "tictactoe")
    assert done.status == 0
    squares = [line.split()[-1] for line in done.out.splitlines()]
    assert squares == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    assert done.err == ""


def test_moves_after_moves(cli: Callable[..., Any]) -> None:
    done = cli("moves", "tictactoe", "--moves", " b2 ;c3; ")
    assert len(done.out.splitlines()) == 7
    assert "b2" not in done.out


def test_an_illegal_move_is_wrong_usage_and_names_near_ones(cli: Callable[..., Any]) -> None:
    done = cli("moves", "tictactoe", "--moves", "b2; b2")
    assert done.status == 2
    assert "b2" in done.err
    assert done.out == ""


def test_moves_as_json(cli: Callable[..., Any]) -> None:
    data = json.loads(cli("moves", "tictactoe", "--moves", "b2", "--json").out)
    assert data["game"] == "tictactoe"
    assert data["ply"] == 1
    assert data["turn"] == "O"
    assert len(data["moves"]) == 8
    assert data["result"] is None


def test_a_decided_position(cli: Callable[..., Any]) -> None:
    won = "a1; a2; b1; b2; c1"
    done = cli("moves", "tictactoe", "--moves", won)
    assert done.status == 0
    assert done.out == ""
    assert "over" in done.err
    data = json.loads(cli("moves", "tictactoe", "--moves", won, "--json").out)
    assert data["moves"] == []
    assert data["result"]["winners"] == ["X"]
    assert data["result"]["losers"] == ["O"]


def test_a_saved_position(cli: Callable[..., Any], tmp_path: Path) -> None:
    from forthvm.game import load

    position = load("tictactoe").start()
    position.push_text("b2")
    path = tmp_path / "saved.json"
    path.write_text(position.to_json(), encoding="utf-8")
    data = json.loads(cli("moves", "tictactoe", "--position", path, "--json").out)
    assert data["ply"] == 1
    assert len(data["moves"]) == 8
    other = cli("moves", "breakthrough", "--position", path)
    assert other.status == 2
    assert other.out == ""


@pytest.mark.parametrize("text", ["", "{}", "[1, 2", "\udcff"])
def test_invalid_positions_are_refused(cli: Callable[..., Any], tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(text.encode("utf-8", errors="surrogateescape"))
    done = cli("moves", "tictactoe", "--position", path)
    assert done.status == 1
    assert "Traceback" not in done.err
    assert cli("moves", "tictactoe", "--position", tmp_path / "none").status == 2


@pytest.mark.parametrize(("depth", "count"), TICTACTOE.items())
def test_perft(cli: Callable[..., Any], depth: int, count: int) -> None:
    assert cli("perft", "tictactoe", depth).out == f"{count}\n"


def test_perft_divided(cli: Callable[..., Any]) -> None:
    done = cli("perft", "tictactoe", 3, "--divide")
    *parts, total = done.out.splitlines()
    assert len(parts) == 9
    assert all(part.split()[0] == "56" for part in parts)
    assert total.split()[0] == "504"


def test_perft_as_json(cli: Callable[..., Any]) -> None:
    data = json.loads(cli("perft", "tictactoe", 2, "--divide", "--json").out)
    assert data["count"] == 72
    assert [each["count"] for each in data["divide"]] == [8] * 9


def test_nothing_is_counted_below_a_decided_position(cli: Callable[..., Any]) -> None:
    assert cli("perft", "tictactoe", 2, "--moves", "a1; a2; b1; b2; c1").out == "0\n"


def test_games(cli: Callable[..., Any]) -> None:
    out = cli("games").out
    for name in ("tictactoe", "breakthrough", "splut", "splut-duel", "splut-random"):
        assert any(line.startswith(name + " ") for line in out.splitlines())
    data = json.loads(cli("games", "--json").out)
    assert {"tictactoe", "breakthrough", "splut"} <= {each["name"] for each in data}
    assert all(each["summary"] for each in data)


def test_a_word(cli: Callable[..., Any]) -> None:
    done = cli("words", "DUP")
    assert done.status == 0
    assert "( x -- x x )" in done.out


def test_words_by_pattern(cli: Callable[..., Any]) -> None:
    names = {line.split()[0] for line in cli("words", "2D*").out.splitlines() if line[0] != " "}
    assert names == {"2DUP", "2DROP"}


def test_words_with_brackets_are_found_by_name(cli: Callable[..., Any]) -> None:
    assert cli("words", "[']").out.startswith("[']")
    assert cli("words", "[]").out.startswith("[]")


def test_words_as_json(cli: Callable[..., Any]) -> None:
    (entry,) = json.loads(cli("words", "verify", "--json").out)
    assert entry["name"] == "verify"
    assert "--" in entry["effect"]
    everything = json.loads(cli("words", "--json").out)
    assert len(everything) > 300


def test_an_unknown_word_names_near_ones(cli: Callable[..., Any]) -> None:
    done = cli("words", "add-mvoe")
    assert done.status == 2
    assert "add-move" in done.err


def test_words_by_what_they_do(cli: Callable[..., Any]) -> None:
    """The best first, with the term that each was found by; for a word's name, that word first."""
    told = " ".join(cli("words", "opponent").out.split())
    assert told.startswith("enemy")
    assert "found by `enemy`" in told
    first, _, others = cli("words", "capture").out.partition("see also")
    assert first.startswith("capture  ( -- )")
    assert "capture-at" in others
    found = json.loads(cli("words", "mirror", "--json").out)
    assert "{symmetry}" in {entry["name"] for entry in found[:3]}
    assert all(entry["why"].startswith("found by `") for entry in found)
    assert [entry["name"] for entry in json.loads(cli("words", "DUP", "--json").out)] == ["DUP"]

"""The output of `moves`, `perft`, `games` and `words`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# Sequences of tic-tac-toe: nine squares are filled in turn.  From five plies on, sequences that
# continue after a row of three are subtracted (1,440 rows after five plies, 4 sixth plies each).
TICTACTOE = {0: 1, 1: 9, 2: 72, 3: 504, 4: 3024, 5: 15120, 6: 60480 - 1440 * 4}


def test_moves_are_listed_one_per_line_in_order(cli: Callable[..., Any]) -> None:
    done = cli("moves", "tictactoe")
    assert done.status == 0
    squares = [line.split()[-1] for line in done.out.splitlines()]
    assert squares == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    assert done.err == ""


def test_moves_option_makes_moves_first(cli: Callable[..., Any]) -> None:
    done = cli("moves", "tictactoe", "--moves", " b2 ;c3; ")
    assert len(done.out.splitlines()) == 7
    assert "b2" not in done.out


def test_illegal_move_is_wrong_usage_with_suggestions(cli: Callable[..., Any]) -> None:
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


def test_moves_of_a_decided_position_are_empty(cli: Callable[..., Any]) -> None:
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


def test_perft_divide_prints_counts_per_move(cli: Callable[..., Any]) -> None:
    done = cli("perft", "tictactoe", 3, "--divide")
    *parts, total = done.out.splitlines()
    assert len(parts) == 9
    assert all(part.split()[0] == "56" for part in parts)
    assert total.split()[0] == "504"


def test_perft_as_json(cli: Callable[..., Any]) -> None:
    data = json.loads(cli("perft", "tictactoe", 2, "--divide", "--json").out)
    assert data["count"] == 72
    assert [each["count"] for each in data["divide"]] == [8] * 9


def test_perft_counts_nothing_below_a_decided_position(cli: Callable[..., Any]) -> None:
    assert cli("perft", "tictactoe", 2, "--moves", "a1; a2; b1; b2; c1").out == "0\n"


def test_games(cli: Callable[..., Any]) -> None:
    out = cli("games").out
    for name in ("tictactoe", "breakthrough", "splut", "splut-duel", "splut-random"):
        assert any(line.startswith(name + " ") for line in out.splitlines())
    data = json.loads(cli("games", "--json").out)
    assert {"tictactoe", "breakthrough", "splut"} <= {each["name"] for each in data}
    assert all(each["summary"] for each in data)


def test_words_describes_one_word(cli: Callable[..., Any]) -> None:
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


def test_unknown_word_suggests_similar_names(cli: Callable[..., Any]) -> None:
    done = cli("words", "add-mvoe")
    assert done.status == 2
    assert "add-move" in done.err


def test_words_are_found_by_description(cli: Callable[..., Any]) -> None:
    """The best matches come first, with the matching term; a word's name finds that word first."""
    output = " ".join(cli("words", "opponent").out.split())
    assert output.startswith("enemy")
    assert "found by `enemy`" in output
    first, _, others = cli("words", "capture").out.partition("see also")
    assert first.startswith("capture  ( -- )")
    assert "capture-at" in others
    found = json.loads(cli("words", "mirror", "--json").out)
    assert "{symmetry}" in {entry["name"] for entry in found[:3]}
    assert all(entry["why"].startswith("found by `") for entry in found)
    assert [entry["name"] for entry in json.loads(cli("words", "DUP", "--json").out)] == ["DUP"]

"""The output of `moves`, `perft`, `games` and `words`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm.core.errors import MemoryLimitExceeded
from forthvm.core.loading.library import games_folder
from forthvm.game import load as load_game
from tests.kit.commands import Cli
from tests.kit.files import write

# The number of move sequences of tic-tac-toe by length.  Without wins, n plies have 9 * 8 * ...
# sequences.  1,440 sequences win at ply 5, so their 4 continuations each are subtracted at ply 6.
SEQUENCES = {0: 1, 1: 9, 2: 72, 3: 504, 4: 3024, 5: 15120, 6: 60480 - 1440 * 4}


def test_moves_are_listed_one_per_line_in_order(cli: Cli) -> None:
    result = cli("moves", "tictactoe")
    assert result.status == 0
    squares = [line.split()[-1] for line in result.out.splitlines()]
    assert squares == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    assert result.err == ""


def test_moves_option_makes_moves_first(cli: Cli) -> None:
    result = cli("moves", "tictactoe", "--moves", " b2 ;c3; ")
    assert len(result.out.splitlines()) == 7
    assert "b2" not in result.out


def test_illegal_move_is_wrong_usage_with_suggestions(cli: Cli) -> None:
    result = cli("moves", "tictactoe", "--moves", "b2; b2")
    assert result.status == 2
    assert "b2" in result.err
    assert result.out == ""


def test_moves_can_be_printed_as_json(cli: Cli) -> None:
    document = json.loads(cli("moves", "tictactoe", "--moves", "b2", "--json").out)
    assert document["game"] == "tictactoe"
    assert document["ply"] == 1
    assert document["turn"] == "O"
    assert len(document["moves"]) == 8
    assert document["result"] is None


def test_moves_of_a_decided_position_are_empty(cli: Cli) -> None:
    winning_moves = "a1; a2; b1; b2; c1"
    result = cli("moves", "tictactoe", "--moves", winning_moves)
    assert result.status == 0
    assert result.out == ""
    assert "over" in result.err
    document = json.loads(cli("moves", "tictactoe", "--moves", winning_moves, "--json").out)
    assert document["moves"] == []
    assert document["result"]["winners"] == ["X"]
    assert document["result"]["losers"] == ["O"]


def test_moves_of_a_saved_position_are_listed(cli: Cli, tmp_path: Path) -> None:
    from forthvm.game import load

    position = load("tictactoe").start()
    position.push("b2")
    path = write(tmp_path / "saved.json", position.to_json())
    document = json.loads(cli("moves", "tictactoe", "--position", path, "--json").out)
    assert document["ply"] == 1
    assert len(document["moves"]) == 8
    assert cli.out("moves", "breakthrough", "--position", path, status=2) == ""


@pytest.mark.parametrize("text", ["", "{}", "[1, 2", "\udcff"])
def test_invalid_positions_are_refused(cli: Cli, tmp_path: Path, text: str) -> None:
    path = write(tmp_path / "bad.json", text.encode("utf-8", errors="surrogateescape"))
    assert "Traceback" not in cli.err("moves", "tictactoe", "--position", path, status=1)
    assert cli("moves", "tictactoe", "--position", tmp_path / "none").status == 2


@pytest.mark.parametrize(("depth", "count"), SEQUENCES.items())
def test_perft_counts_move_sequences(cli: Cli, depth: int, count: int) -> None:
    assert cli("perft", "tictactoe", depth).out == f"{count}\n"


def test_perft_divide_prints_counts_per_move(cli: Cli) -> None:
    result = cli("perft", "tictactoe", 3, "--divide")
    *parts, total = result.out.splitlines()
    assert len(parts) == 9
    assert all(part.split()[0] == "56" for part in parts)
    assert total.split()[0] == "504"


def test_perft_can_be_printed_as_json(cli: Cli) -> None:
    document = json.loads(cli("perft", "tictactoe", 2, "--divide", "--json").out)
    assert document["count"] == 72
    assert [entry["count"] for entry in document["divide"]] == [8] * 9


def test_perft_counts_nothing_below_a_decided_position(cli: Cli) -> None:
    assert cli("perft", "tictactoe", 2, "--moves", "a1; a2; b1; b2; c1").out == "0\n"


@pytest.mark.slow
def test_games_are_listed_with_summaries(cli: Cli) -> None:
    out = cli("games").out
    for name in ("tictactoe", "breakthrough", "splut", "splut-duel", "splut-random"):
        assert any(line.startswith(name + " ") for line in out.splitlines())
    document = json.loads(cli("games", "--json").out)
    assert {"tictactoe", "breakthrough", "splut"} <= {entry["name"] for entry in document}
    assert all(entry["summary"] for entry in document)


@pytest.mark.parametrize(("refusals", "status"), [(1, 0), (2, 1)])
def test_games_are_not_broken_if_memory_is_refused(
    refusals: int, status: int, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Earlier games of the list may still have memory, so a game is loaded a second time."""
    for name in ("a", "b"):
        write(tmp_path / f"{name}.4th", (games_folder() / "tictactoe/tictactoe.4th").read_text())
    loaded: list[Path] = []

    def load(path: Path, **options: Any) -> forthvm.Game:  # noqa: ANN401 - those of load
        loaded.append(path)
        if 2 <= len(loaded) <= 1 + refusals:
            raise MemoryLimitExceeded("not enough memory for a VM")
        return load_game(path, **options)

    monkeypatch.setattr("forthvm.game.load", load)
    result = cli("games", tmp_path)
    assert result.status == status
    assert ("not enough memory" in result.err) == (status == 1)
    assert "does not load" not in result.out
    assert [path.stem for path in loaded] == ["a", "b", "b"]


def test_words_describes_one_word(cli: Cli) -> None:
    assert "( x -- x x )" in cli.out("words", "DUP")


def test_words_are_selected_by_pattern(cli: Cli) -> None:
    names = {line.split()[0] for line in cli("words", "2D*").out.splitlines() if line[0] != " "}
    assert names == {"2DUP", "2DROP"}


def test_words_with_brackets_are_found_by_name(cli: Cli) -> None:
    assert cli("words", "[']").out.startswith("[']")
    assert cli("words", "[]").out.startswith("[]")


def test_words_can_be_printed_as_json(cli: Cli) -> None:
    (entry,) = json.loads(cli("words", "verify", "--json").out)
    assert entry["name"] == "verify"
    assert "--" in entry["effect"]
    everything = json.loads(cli("words", "--json").out)
    assert len(everything) > 300


def test_unknown_word_suggests_similar_names(cli: Cli) -> None:
    assert "add-move" in cli.err("words", "add-mvoe", status=2)


def test_words_are_found_by_description(cli: Cli) -> None:
    """The best matches come first, with the matching term; a word's name finds that word first."""
    output = " ".join(cli("words", "opponent").out.split())
    assert output.startswith("enemy")
    assert "found by `enemy`" in output
    first, _, others = cli("words", "capture").out.partition("see also")
    assert first.startswith("capture  ( -- )")
    assert "capture-at" in others
    entries = json.loads(cli("words", "mirror", "--json").out)
    assert "{symmetry}" in {entry["name"] for entry in entries[:3]}
    assert all(entry["why"].startswith("found by `") for entry in entries)
    assert [entry["name"] for entry in json.loads(cli("words", "DUP", "--json").out)] == ["DUP"]

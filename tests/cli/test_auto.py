"""`forthvm run --auto`: boards, moves, results and JSON of games between engines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.commands import Cli

FIRST = ("--engine", "first")
# The first move of each list: X a3, O b3, X c3, O a2, X b2, O c2, X a1, which completes a diagonal.
X_WINS = ["a3", "b3", "c3", "a2", "b2", "c2", "a1"]


def test_auto_prints_boards_moves_and_result(cli: Cli) -> None:
    lines = cli.out("run", "tictactoe", "--auto", *FIRST).splitlines()
    moves = [line for line in lines if line[:1].isdigit() and ". " in line[:4]]
    assert [line.split()[-1] for line in moves] == X_WINS
    assert moves[0].startswith("1. X: ")
    assert moves[1].startswith("2. O: ")
    assert lines[-1].startswith("After 7 plies: X won")
    # One board at the start and one after each move.
    assert sum(line.split() == ["a", "b", "c"] for line in lines) == 8


def test_brief_prints_only_the_last_board(cli: Cli) -> None:
    lines = cli("run", "tictactoe", "--auto", "--brief", *FIRST).out.splitlines()
    assert sum(line.split() == ["a", "b", "c"] for line in lines) == 1


def test_json_output_has_moves_and_result(cli: Cli) -> None:
    document = json.loads(cli("run", "tictactoe", "--auto", "--json", *FIRST).out)
    assert [played["move"].split()[-1] for played in document["moves"]] == X_WINS
    assert [played["player"] for played in document["moves"]] == list("XOXOXOX")
    assert document["result"]["winners"] == ["X"]
    assert document["limit_reached"] is False


def test_an_engine_can_resign(cli: Cli) -> None:
    engines = ("--engine", "X=first", "--engine", "O=tests.autoplay.players:Resigns")
    out = cli.out("run", "tictactoe", "--auto", *engines)
    assert out.splitlines()[-1] == "After 1 ply: O resigns."
    document = json.loads(cli("run", "tictactoe", "--auto", "--json", *engines).out)
    assert document["resigned"] == "O"
    assert document["result"] is None
    assert len(document["moves"]) == 1


def test_default_engine_finishes_the_game(cli: Cli) -> None:
    document = json.loads(cli("run", "tictactoe", "--auto", "--json").out)
    assert document["engines"] == {"X": "negamax:nodes=1500", "O": "negamax:nodes=1500"}
    assert document["result"] is not None
    assert 5 <= len(document["moves"]) <= 9


def test_draw_is_printed_as_result(cli: Cli) -> None:
    # At depth 9 both players play perfectly, which is a draw.
    result = cli("run", "tictactoe", "--auto", "--engine", "axiom:depth=9")
    assert result.out.splitlines()[-1] == "After 9 plies: Draw: the board is full."


def test_each_player_gets_its_engine(cli: Cli) -> None:
    document = json.loads(
        cli(
            "run",
            "tictactoe",
            "--auto",
            "--json",
            "--engine",
            "first",
            "--engine",
            "O=axiom:depth=2",
        ).out
    )
    assert document["engines"] == {"X": "first", "O": "axiom:depth=2"}


def test_same_seed_repeats_random_games(cli: Cli) -> None:
    def play(seed: int) -> list[dict[str, str]]:
        return json.loads(
            cli("run", "tictactoe", "--auto", "--json", "--engine", "random", "--seed", seed).out
        )["moves"]

    games = [play(seed) for seed in range(6)]
    assert games == [play(seed) for seed in range(6)]
    assert len({json.dumps(game) for game in games}) > 1


def test_ply_limit_is_reported(cli: Cli) -> None:
    out = cli.out("run", "tictactoe", "--auto", "--max-plies", 3, *FIRST)
    assert "Stopped after 3 plies" in out.splitlines()[-1]
    assert "--max-plies" in out
    document = json.loads(cli("run", "tictactoe", "--auto", "--max-plies", 3, "--json", *FIRST).out)
    assert document["limit_reached"] is True
    assert document["result"] is None


def test_host_passes_for_a_player_without_moves(cli: Cli, script: Callable[..., Path]) -> None:
    # The men block each other from the start, and a blocked player does not lose here.
    path = script(
        setup="{board-setup {setup} Left man a1 {setup} Right man b1 board-setup}",
        over=": OnIsGameOver #UnknownScore ;",
    )
    out = cli.out("run", path, "--auto", "--max-plies", 2, *FIRST)
    assert "1. Left had no move and passed." in out
    assert "2. Right: man b1 - c1" in out


def test_chance_players_use_the_scripts_random_numbers(
    cli: Cli, script: Callable[..., Path]
) -> None:
    # The die stays on its square or passes; Left moves back and forth.
    path = script(
        players="{players {player} Left {player} ?Die players}",
        turns="{turn-order {turn} ?Die {turn} Left turn-order}",
        words=(
            ": step ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;\n"
            ": go-e ['] e step ;\n: go-w ['] w step ;\n"
            ": stay ( -- ) from from move add-move ;\n: rest ( -- ) Pass ;"
        ),
        moves=(
            "{moves man-moves {move} go-e {move} go-w moves}\n"
            "{moves die-moves {move} stay {move} rest moves}"
        ),
        pieces="{pieces {piece} man {moves} man-moves {piece} die {moves} die-moves pieces}",
        setup="{board-setup {setup} Left man c1 {setup} ?Die die e1 board-setup}",
        over=": OnIsGameOver #UnknownScore ;",
    )

    def dice(seed: int) -> list[str]:
        document = json.loads(
            cli("run", path, "--auto", "--json", "--max-plies", 40, "--seed", seed, *FIRST).out
        )
        return [played["move"] for played in document["moves"] if played["player"] == "?Die"]

    rolls = dice(1)
    assert len(rolls) == 20
    assert set(rolls) == {"die e1 x e1", "Pass"}
    assert rolls == dice(1)
    assert rolls != dice(2)


@pytest.mark.parametrize("width", ["60", "80"])
def test_boards_fit_the_width(cli: Cli, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    monkeypatch.setenv("COLUMNS", width)
    out = cli.out("run", "splut", "--auto", "--max-plies", 4, "--engine", "random", "--seed", 3)
    boards = [line for line in out.splitlines() if not line[:3].strip().endswith(".")]
    assert max(map(len, boards)) <= int(width)


def test_ascii_option_prints_only_ascii(cli: Cli) -> None:
    result = cli("run", "breakthrough", "--auto", "--max-plies", 2, "--ascii", *FIRST)
    assert result.out.isascii()


def test_on_terminate_runs_at_the_end(cli: Cli, script: Callable[..., Path]) -> None:
    path = script(over=': OnIsGameOver #UnknownScore ;\n: OnTerminate ." farewell" ;')
    result = cli("run", path, "--auto", "--max-plies", 2, *FIRST)
    assert result.out.splitlines()[-1] == "farewell"

"""`forthvm analyse`: output and wrong usage."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from forthvm.study import game_analysis
from tests.kit.commands import Cli
from tests.kit.games import loaded, play

EXACT = """\
tictactoe: solved; --games N also plays N games

Exactly:
best play  a draw
positions  5,478, of which 958 are decided
for X      53.6 % won, 19.5 % drawn, 26.9 % lost with best play
games      255,168: 131,184 (51.4 %) won by X, 46,080 (18.1 %) drawn, 77,904
           (30.5 %) won by O
"""


@pytest.mark.slow
def test_solved_game_prints_exact_numbers(cli: Cli) -> None:
    """tests/study/test_solving.py checks the numbers and names their sources."""
    result = cli("analyse", "tictactoe")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith(EXACT)
    # Of 15,120 equally likely sequences of five plies, 1,440 end the game.
    assert ["5", "15,120", "1,440", "9.52"] in [line.split() for line in result.out.splitlines()]


def test_played_game_prints_tables(cli: Cli) -> None:
    result = cli("analyse", "breakthrough", "-n", "20", "--solve", "0", "--jobs", "1")
    lines = result.out.splitlines()
    assert (result.status, result.err) == (0, "")
    assert lines[0] == "breakthrough: 20 games at random, seed 1"
    assert " ".join(lines[2].split()) == "seat games won drawn lost % 95 % by games"
    assert [line.split()[:2] for line in lines[3:5]] == [["White", "20"], ["Black", "20"]]
    for name in ("plies a game  ", "legal moves   ", "captures      ", "first seat    White"):
        assert any(line.startswith(name) for line in lines)
    assert lines[-1] == "Not solved: it was not tried."


@pytest.mark.slow
def test_json_has_played_and_exact_numbers(cli: Cli) -> None:
    result = cli("analyse", "tictactoe", "-n", "10", "--json", "--seed", "3")
    document = json.loads(result.out)
    assert (document["played"], document["seed"], document["engine"]) == (10, 3, "random")
    assert sum(document["lengths"].values()) == 10
    assert document["exact"]["sequences"][:3] == [1, 9, 72]
    assert sum(end["games"] for end in document["exact"]["ends"]) == document["exact"]["games"]
    assert sum(end["random"] for end in document["exact"]["ends"]) == pytest.approx(1)
    assert document["seats"][0]["name"] == "X"


def test_engine_and_position_are_used(cli: Cli) -> None:
    """X has two in a row and completes the row in each of the three games."""
    options = [
        "--moves",
        "a1; b2; a2; b3",
        "--engine",
        "negamax:depth=2",
        "-n",
        "3",
        "--solve",
        "0",
    ]
    result = cli("analyse", "tictactoe", *options, "--opening-plies", "0")
    assert "by negamax:depth=2" in result.out
    assert "plies a game  1.0 (1.0 to 1.0)" in result.out
    assert "alike" in result.out


def test_saved_position_is_solved(cli: Cli, tmp_path: Path) -> None:

    position = play(loaded("tictactoe").start(), "a1", "b2", "a2", "b3")
    path = tmp_path / "position.json"
    path.write_text(position.to_json(), encoding="utf-8")
    result = cli("analyse", "tictactoe", "--position", path)
    assert "best play  X wins" in result.out


def test_a_variant_of_a_rule_file_is_analysed(cli: Cli, tmp_path: Path) -> None:
    """Drops on three squares in the game, on five in its variant."""

    def board(columns: str) -> str:
        return (
            "(board (grid (start-rectangle 0 0 9 9)"
            f' (dimensions ("{columns}" (10 0)) ("1" (0 10)))))'
        )

    path = tmp_path / "drops.zrf"
    path.write_text(
        f'(game (title "Three") (players A B) (turn-order A B) {board("a/b/c")}'
        " (board-setup (A (man off 3)) (B (man off 3)))"
        " (piece (name man) (drops ((verify empty?) add))) (draw-condition (A B) stalemated))"
        f'(variant (title "Five") {board("a/b/c/d/e")})',
        encoding="utf-8",
    )
    options = ("-n", 2, "--solve", 0, "--jobs", 1)
    assert "plies a game  3.0" in cli.out("analyse", path, *options)
    assert "plies a game  5.0" in cli.out("analyse", path, "--variant", "Five", *options)


@pytest.mark.slow
def test_script_file_is_analysed(cli: Cli, script: Callable[..., Path]) -> None:
    out = cli.out("analyse", script(), "-n", "2", "--max-plies", "50")
    assert out.startswith("small: 2 games at random")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["tictactoe", "--games", "0"], "from 1 to"),
        (["tictactoe", "--engine", "nobody"], "no engine 'nobody'"),
        (["tictactoe", "--set", "x=1"], "no setting"),
        (["tictactoe", "--moves", "z9"], "z9"),
        (["tictactoe", "--axiom-lib", "nowhere"], "no folder"),
        (["no-such-game"], "no game is called"),
        (["tictactoe", "--moves", "a1; b2; a2; b3; a3"], "the game is over"),
    ],
)
def test_wrong_usage_is_reported(cli: Cli, options: list[str], message: str) -> None:
    result = cli("analyse", *options)
    assert result.status in {1, 2}
    assert message in result.err
    assert "Traceback" not in result.err


def test_ctrl_c_prints_the_games_played(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_args: object, **_options: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(game_analysis, "wait", interrupted)
    out = cli.out("analyse", "breakthrough", "-n", "5", "--solve", "0", "--jobs", "1", status=130)
    assert out.startswith("breakthrough: 0 games at random, seed 1; interrupted")

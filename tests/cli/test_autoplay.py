"""`forthvm autoplay` and `forthvm replay` on the command line."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import Script
from tests.kit.commands import Cli

TWO_ENGINES = ("--engine", "A=first", "--engine", "B=random")


pytestmark = pytest.mark.usefixtures("in_folder")


def test_match_prints_results_and_records_games(cli: Cli, tmp_path: Path) -> None:
    result = cli("autoplay", "tictactoe", *TWO_ENGINES, "-n", "6", "--jobs", "1")
    assert result.status == 0
    assert result.out.startswith("tictactoe: 6 games\n")
    assert "More: forthvm report tictactoe.autoplay.db" in result.out
    assert "results go to tictactoe.autoplay.db" in result.err
    assert (tmp_path / "tictactoe.autoplay.db").is_file()


def test_default_file_names_do_not_overwrite(cli: Cli, tmp_path: Path) -> None:
    for _ in range(3):
        cli("autoplay", "tictactoe", *TWO_ENGINES, "-n", "1", "--quiet")
    assert sorted(path.name for path in tmp_path.glob("*.db")) == [
        "tictactoe.autoplay-2.db",
        "tictactoe.autoplay-3.db",
        "tictactoe.autoplay.db",
    ]
    result = cli("autoplay", "tictactoe", *TWO_ENGINES, "--out", "tictactoe.autoplay.db")
    assert result.status != 0
    assert "exists" in result.err
    assert "--resume tictactoe.autoplay.db" in result.err


@pytest.mark.slow
def test_quiet_and_json_print_one_document(cli: Cli) -> None:
    result = cli(
        "autoplay", "tictactoe", *TWO_ENGINES, "-n", "4", "--quiet", "--json", "--out", "a.db"
    )
    assert result.err == ""
    document = json.loads(result.out)
    assert document["counted"] == 4
    assert document["file"] == "a.db"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("quiet", [(), ("--quiet",)])
def test_few_openings_are_noted_before_a_sequential_test(cli: Cli, quiet: tuple[str, ...]) -> None:
    engines = ("--engine", "A=first", "--engine", "B=first")
    options = ("-n", "20", "--jobs", "1", "--opening-plies", "1", "--sprt", "elo0=0", "elo1=50")
    result = cli("autoplay", "tictactoe", *engines, *options, *quiet)
    assert "at most 18 different games of 20" in result.err
    assert ", without " in " ".join(result.out.split())
    options = (*options[:4], "--sprt", "elo0=0", "elo1=50")
    assert "different" not in cli("autoplay", "tictactoe", *engines, *options, *quiet).err


@pytest.mark.parametrize("form", [(), ("--quiet",), ("--quiet", "--json"), ("--article",)])
def test_status_says_that_an_engine_fails(cli: Cli, form: tuple[str, ...]) -> None:
    failing = ("--engine", "A=tests.engines.samples:ReturnsNone", "--engine", "B=first")
    options = ("-n", "2", "--jobs", "1", "--workers", "threads")
    result = cli("autoplay", "tictactoe", *failing, *options, *form)
    assert result.status == 1
    error = "Error: the engine of A failed in 2 of 2 games"
    if form in {(), ("--quiet",)}:
        assert result.out.startswith(error)
    else:
        assert error in result.err
    if "--json" in form:
        assert json.loads(result.out)["failing"][0]["failed"] == 2


@pytest.mark.slow
def test_article_option_prints_the_originals_format(cli: Cli) -> None:
    result = cli(
        *("autoplay", "splut-random", "splut-random", "-n", "2", "--article", "--quiet"),
        *("--schedule", "fixed"),
    )
    lines = result.out.splitlines()
    assert lines[0] == "Final results:"
    assert lines[1].startswith('Player 1 "splut-random#1", wins = ')
    assert lines[2].startswith('Player 2 "splut-random#2", wins = ')
    assert lines[-1] == "2 game(s) played"


@pytest.mark.slow
def test_unequal_seats_are_noted(cli: Cli) -> None:
    result = cli(
        "autoplay", "tictactoe", *TWO_ENGINES, "--engine", "C=random", "-n", "8", "--out", "a.db"
    )
    assert (
        "each entrant has each seat equally often after 6 games; 8 is not a multiple of 6"
        in result.err
    )
    result = cli(
        "autoplay", "tictactoe", *TWO_ENGINES, "--engine", "C=random", "-n", "6", "--out", "b.db"
    )
    assert "equally often" not in result.err


def test_match_of_a_script_file(cli: Cli, script: Script) -> None:
    path = script()
    result = cli("autoplay", path, "-n", "3", "--max-plies", "30", "--quiet", "--json")
    document = json.loads(result.out)
    assert document["counted"] + document["void"] == 3
    assert document["file"] == "small.autoplay.db"


@pytest.mark.slow
def test_clock_for_all_and_for_one_entrant(cli: Cli) -> None:
    cli(
        *("autoplay", "tictactoe", *TWO_ENGINES, "-n", "2", "--quiet", "--out", "a.db"),
        *("--clock", "60+1", "--clock", "B=30", "--margin", "2"),
    )
    with sqlite3.connect("a.db") as connection:
        rows = dict(connection.execute("SELECT key, value FROM match"))
    connection.close()
    assert json.loads(rows["options"])["time"]["base"] == 60
    first, second = json.loads(rows["entrants"])
    assert first["time"] is None
    assert second["time"] == {
        "move": None, "base": 30, "increment": 0, "moves": 0, "margin": 2,
    }  # fmt: skip


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "GAME is missing"),
        (("tictactoe", "chess", "ur"), "one GAME, or two"),
        (("tictactoe", "chess"), "cannot play each other"),
        (("tictactoe", "--engine", "A="), "expected NAME=ENGINE"),
        (("tictactoe", "--engine", "A=nobody"), "no engine 'nobody'"),
        (("tictactoe", "--engine", "A=first", "--engine", "A=random"), "two entrants are called"),
        (("splut-duel", "splut-random", "--engine", "C=first"), "the entrants are splut-duel and"),
        (("tictactoe", *TWO_ENGINES, "--clock", "C=5"), "the entrants are A, B"),
        (("tictactoe", *TWO_ENGINES, "--clock", "soon"), "is not a clock"),
        (
            ("tictactoe", *TWO_ENGINES, "--clock", "5", "--clock", "6"),
            "one --clock for all entrants",
        ),
        (("tictactoe", *TWO_ENGINES, "--win-score", "many"), "--win-score many"),
        (("tictactoe", *TWO_ENGINES, "--sprt", "elo0=0"), "the test needs elo1"),
        (("tictactoe", *TWO_ENGINES, "--sprt", "elo0=5", "elo1=0"), "must be less"),
        (("tictactoe", *TWO_ENGINES, "--openings", "none.txt"), "cannot read none.txt"),
        (("tictactoe", *TWO_ENGINES, "--executor", "ray=x"), "expected dask=ADDRESS"),
        (("tictactoe", *TWO_ENGINES, "--set", "size=9"), "no setting"),
        (("no-such-game", *TWO_ENGINES), "no-such-game"),
        (("--resume", "none.db"), "there is no file none.db"),
        (("--resume", "none.db", "--depth", "3", "tictactoe"), "leave out GAME, --depth"),
    ],
)
def test_wrong_usage_is_reported_in_a_line(cli: Cli, args: tuple[str, ...], message: str) -> None:
    result = cli("autoplay", *args)
    assert result.status in {1, 2}
    assert message in result.err
    assert "Traceback" not in result.err


# --- replay -------------------------------------------------------------------------------------


@pytest.fixture
def results(cli: Cli) -> str:
    cli("autoplay", "tictactoe", *TWO_ENGINES, "-n", "4", "--quiet", "--out", "results.db")
    return "results.db"


@pytest.mark.slow
def test_replay_shows_a_recorded_game(cli: Cli, results: str) -> None:
    record = json.loads(cli("replay", results, 3, "--json").out)
    out = cli.out("replay", results, 3)
    assert out.startswith("Game 3 of results.db: X A, O B.\n")
    for number, move in enumerate(record["moves"], start=1):
        assert f"{number}. {move['player']}: {move['move']}" in out
    assert "(opening)" in out
    assert record["reason"] in out
    boards = out.count("    a   b   c")
    assert boards == record["plies"] + 1
    assert cli("replay", results, 3, "--brief").out.count("    a   b   c") == 1


@pytest.mark.slow
def test_replay_saves_a_position_that_run_continues(cli: Cli, results: str) -> None:
    assert "1. X" not in cli.out("replay", results, 2, "--ply", 3, "--save", "here.json")
    saved = json.loads(Path("here.json").read_text(encoding="utf-8"))
    assert saved["ply"] == 3
    out = cli.out("run", "tictactoe", "--auto", "--engine", "first", "--position", "here.json")
    assert "\n4. O: " in out


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((9,), "has no game 9 (recorded: 1 to 4)"),
        ((1, "--ply", 40), "plies, not 40"),
        ((1, "--save", "none/here.json"), f"cannot write {Path('none/here.json')}"),
    ],
)
def test_missing_results_files_and_games_are_reported(
    cli: Cli, results: str, args: tuple[object, ...], message: str
) -> None:
    assert message in cli.err("replay", results, *args, status=2)


def test_file_that_is_not_a_results_file_is_reported(cli: Cli) -> None:
    Path("diary.txt").write_text("dear diary", encoding="utf-8")
    err = cli.err("replay", "diary.txt", 1, status=1)
    assert err == "diary.txt is not a results file (file is not a database)\n"


def test_too_little_memory_is_reported(
    cli: Cli, results: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_memory_error(*_args: object, **_kwargs: object) -> None:
        raise MemoryError("no memory for a VM of 16777216 bytes")

    monkeypatch.setattr("forthvm.autoplay.match.running_game.load", raise_memory_error)
    for args in (("replay", results, 1), ("autoplay", "--resume", results)):
        err = cli.err(*args, status=1)
        assert err.startswith("there is too little memory to load the game: no memory for")


def test_changed_script_is_reported(cli: Cli, script: Script) -> None:
    path = script()
    cli("autoplay", path, "-n", "1", "--max-plies", "9", "--quiet", "--out", "a.db")
    path.write_text(path.read_text(encoding="utf-8") + "\\ later\n", encoding="utf-8")
    err = cli.err("replay", "a.db", 1, "--brief", status=1)
    assert "small is not what it was when this match began" in err
    assert "--trust" in err
    out = cli.out("replay", "a.db", 1, "--brief", "--trust")
    assert "the sources of small have changed since" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--sprt", "elo0=5"), "the test needs elo1"),
        (("--executor", "ray=here"), "expected dask=ADDRESS"),
        (("--memory", "31"), "--memory"),
    ],
)
def test_options_are_checked_before_the_file_is_created(
    cli: Cli, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    assert message in cli.err("autoplay", "tictactoe", *TWO_ENGINES, "-n", "2", *options, status=2)
    assert list(tmp_path.iterdir()) == []


RACE = """
(game
  (title "Short race") (players Left Right) (turn-order Left Right)
  (board (image "x") (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (10 0)) ("1" (0 10)))
    (directions (e 1 0))))
  (piece (name man) (moves (e (verify empty?) add)))
  (board-setup (Left (man a1)) (Right))
  (loss-condition (Left Right) stalemated))
(variant
  (title "Long race")
  (board (image "x") (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0)) ("1" (0 10)))
    (directions (e 1 0))))
  (board-setup (Left (man a1)) (Right (man c1))))
"""


def test_a_match_plays_the_chosen_variant_of_a_rule_file(cli: Cli, tmp_path: Path) -> None:
    rules = tmp_path / "race.zrf"
    rules.write_text(RACE, encoding="utf-8")
    match = ("autoplay", "race.zrf", *TWO_ENGINES, "-n", "1", "--opening-plies", "0", "--quiet")
    assert cli(*match, "--out", "short.db").status == 0
    assert cli(*match, "--out", "long.db", "--variant", "Long race").status == 0
    # Left's man has one step in the game.  In the variant each man has one.
    assert "1. Left" in cli("replay", "short.db", "1", "--trust").out
    long = cli("replay", "long.db", "1", "--trust").out
    assert "2. Right" in long
    assert "c1 - d1" in long


@pytest.mark.slow
def test_games_of_a_match_as_pgn(cli: Cli, tmp_path: Path) -> None:
    cli("autoplay", "tictactoe", *TWO_ENGINES, "-n", "4", "--quiet", "--out", "a.db")
    assert cli("convert", "a.db", "-o", "a.pgn").status == 0
    text = (tmp_path / "a.pgn").read_text()
    assert text.count('[Event "tictactoe"]') == 4
    assert {'[White "A"]', '[White "B"]', '[Variant "tictactoe"]'} <= {*text.splitlines()}
    one = cli("replay", "a.db", "2", "--brief", "--save", "one.pgn")
    assert one.status == 0
    assert (tmp_path / "one.pgn").read_text() in text
    assert cli("convert", "a.db", "-o", "a.pgn").status == 2

    damaged = tmp_path / "damaged.pgn"
    damaged.write_text(f'[Event "x"]\n\n1. e5 *\n\n[Event "x"]\n\n1. e4 (1. d4\n\n{text}')
    err = cli.err("convert", damaged, "-o", "legal.pgn", status=1)
    assert "the game on line 1 is left out" in err
    assert "damaged.pgn:7:7" in err
    assert (tmp_path / "legal.pgn").read_text() == text

"""Damaged and edited results files: a clear error or a report, never a traceback.

FORTHVM_FUZZ_RESULTS is the number of files to try; each file is determined by its number.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import traceback
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from forthvm.autoplay import MatchError
from forthvm.cli import main
from tests.autoplay.mutations import mutate
from tests.kit.commands import Cli

COUNT = int(os.environ.get("FORTHVM_FUZZ_RESULTS", "50"))
FIRST = int(os.environ.get("FORTHVM_FUZZ_RESULTS_FIRST", "0"))
"""Number of the first file, to continue after an interrupted run or to repeat a failure."""
MAX_ERROR_LINES = 3
"""The maximum number of lines of an error message, including its hints."""
MAX_ERROR_LENGTH = 2000
COMMANDS = (
    ("report",),
    ("report", "--json"),
    ("report", "--article"),
    ("report", "--csv", "-"),
    ("report", "--html", "-"),
    ("replay", "1"),
    ("replay", "2", "--brief"),
    ("replay", "1", "--json"),
    ("replay", "2", "--ply", "1"),
    ("autoplay", "-n", "12"),
)
USAGE_ERRORS = ("has no game", "plies, not")
"""Messages of usage errors, which a damaged file may cause."""


def _command(words: tuple[str, ...], path: Path) -> list[str]:
    name, *arguments = words
    if name == "autoplay":
        return [name, "--resume", str(path), "--quiet", *arguments]
    return [name, str(path), *arguments]


@pytest.fixture(scope="module")
def valid_files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Write results files of four matches.

    They are a match with openings from a file, a sequential test (SPRT) with a clock, a match with
    dice and a Swiss schedule, and a match of two configurations.
    """
    folder = tmp_path_factory.mktemp("valid_files")
    engines = ["--engine", "A=random", "--engine", "B=first", "--quiet", "-n", "6"]
    book = folder / "book.txt"
    book.write_text("b2; a1\nc3\n", encoding="utf-8")
    matches = [
        ["tictactoe", *engines, "--openings", str(book), "--opening-plies", "1"],
        ["tictactoe", *engines, "--sprt", "elo0=0", "elo1=400", "--clock", "B=60+1"],
        ["ur", *engines, "--max-plies", "12", "--schedule", "swiss"],
        ["tictactoe", "tictactoe", "-n", "4", "--quiet", "--max-plies", "4"],
    ]
    paths = []
    for number, match in enumerate(matches):
        paths.append(folder / f"{number}.db")
        args = ["autoplay", *match, "--out", str(paths[-1]), "--workers", "threads"]
        assert main(args) == 0
    return paths


def refuse_to_play(*_arguments: object, **_options: object) -> None:
    raise MatchError("this test plays no games")


@pytest.mark.slow
def test_damaged_files_give_one_clear_error(
    in_folder: Path,
    valid_files: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("forthvm.autoplay.match.runner.make_workers", refuse_to_play)
    path = in_folder / "damaged.db"
    failures: list[str] = []
    for number in range(FIRST, FIRST + COUNT):
        rng = Random(number)
        shutil.copy(rng.choice(valid_files), path)
        mutations = rng.choice([1, 1, 1, 2])
        damage = f"file {number}: " + "; ".join(mutate(path, rng) for _ in range(mutations))
        for words in rng.sample(COMMANDS, 4):
            capsys.readouterr()
            try:
                status = main(_command(words, path))
                failure = problem(status, capsys.readouterr().err)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                frame = traceback.extract_tb(error.__traceback__)[-1]
                failure = f"{type(error).__name__}: {error!s:.200} ({frame.name}, {frame.lineno})"
            if failure:
                failures.append(f"{damage}; {' '.join(words)}; {failure}")
        for file in in_folder.iterdir():
            file.unlink()
    assert not failures, "\n".join([f"{len(failures)} failures", *failures[:20]])


def problem(status: int, err: str) -> str:
    """Describe an invalid exit status or message of a command; "" if both are valid."""
    expected = status in {0, 1} or (status == 2 and any(text in err for text in USAGE_ERRORS))
    if not expected or "Traceback" in err:
        return f"status {status}: {err}"
    if status == 1 and not (
        1 <= len(err.splitlines()) <= MAX_ERROR_LINES and len(err) < MAX_ERROR_LENGTH
    ):
        return f"not one clear error: {err}"
    if not err.replace("\n", "").isprintable():
        return f"control characters: {err!a}"
    return ""


@pytest.mark.slow
def test_valid_files_are_read(valid_files: list[Path]) -> None:
    for path in valid_files:
        for words in COMMANDS[:-1]:
            assert main(_command(words, path)) == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE games SET outcome = '{\"X\": 1e999}'", "game 1, column outcome"),
        ("UPDATE games SET seats = '[]'", "game 1, column seats: expected an object"),
        ("UPDATE games SET moves = '[[\"X\", 5]]'", "column moves: `[0][1]`: expected"),
        ("UPDATE games SET seconds = -1", "game 1, column seconds: expected a number from 0"),
        ("UPDATE games SET plies = 1 << 40", "game 1, column plies: expected an integer from 0"),
        ("UPDATE games SET pair = 'x'", "game 1, column pair: expected an integer"),
        ("UPDATE games SET reason = x'ff'", r"game 1, column reason: expected a text, not b'\xff'"),
        ("UPDATE match SET value = '-3' WHERE key = 'games'", "'games': expected an integer"),
        (
            "UPDATE match SET value = '[7]' WHERE key = 'entrants'",
            "'entrants': `[0]`: expected",
        ),
        (
            "UPDATE match SET value = json_set(value, '$.sprt', json('[\"x\"]')) "
            "WHERE key = 'options'",
            "an invalid sequential test",
        ),
        ("CREATE VIEW surprise AS SELECT 1", "it has a view 'surprise'"),
        ("CREATE TRIGGER surprise DELETE ON games BEGIN SELECT 1; END", "it has a trigger"),
    ],
)
def test_error_states_the_problem(
    tmp_path: Path, valid_files: list[Path], cli: Cli, statement: str, message: str
) -> None:
    path = tmp_path / "a.db"
    shutil.copy(valid_files[1], path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)
    captured = cli("report", path)
    assert captured.status == 1
    assert message in captured.err
    assert len(captured.err.splitlines()) == 1


def test_file_with_a_view_is_refused_before_it_is_read(
    tmp_path: Path, valid_files: list[Path], cli: Cli
) -> None:
    """Reading a view could take forever; reading this view would raise another error."""
    path = tmp_path / "a.db"
    shutil.copy(valid_files[1], path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ALTER TABLE match RENAME TO hidden")
        connection.execute(
            "CREATE VIEW match AS SELECT key, abs(-9223372036854775807 - 1) AS value FROM hidden"
        )
    assert "it has a view 'match'" in cli.err("report", path, status=1)

"""Seeds in a match: random numbers differ from game to game, and are reproducible."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from forthvm.autoplay import Configuration, GameRow, Match
from forthvm.autoplay.match.engine_specs import make_engine
from forthvm.game import Move, Position
from forthvm.study.game_analysis import analyse
from tests.autoplay.matches import played, settings_of, spec, without_times
from tests.autoplay.players import Walker, write_line
from tests.kit.commands import Cli
from tests.kit.messages import raises
from tests.kit.processes import output_of

SEEDED: list[object] = []
"""The seeds with which engines of this module were created, in order."""


class RecordsSeed:
    """Records the seed with which it is created."""

    def __init__(self, seed: int | str = 0) -> None:
        SEEDED.append(seed)

    def play(self, position: Position) -> Move:
        return position.legal_moves[0]


class TextSeed:
    """Records its option `seed`, which is a text."""

    def __init__(self, seed: str = "") -> None:
        SEEDED.append(seed)

    def play(self, position: Position) -> Move:
        return position.legal_moves[0]


def count_different(rows: list[GameRow]) -> int:
    return len({row.moves for row in rows})


@pytest.mark.slow
@pytest.mark.parametrize(
    "engine",
    [
        "random:seed=7",
        "mcts:playouts=4,seed=7",
        "mcts:playouts=4",
        "negamax:depth=1,seed=7,net=none",
        "maxn:depth=1,seed=7,net=none",
        spec(Walker, forward=0.5, seed=7),
    ],
)
def test_engine_with_a_seed_plays_different_games(tmp_path: Path, engine: str) -> None:
    """One entrant plays itself, so each game is its own pair."""
    settings = settings_of(engine, games=12, game="breakthrough", schedule="fixed")
    rows = played(settings, tmp_path / "a.db", jobs=2, workers="threads")
    assert count_different(rows) == 12


def test_games_of_a_pair_have_different_seeds(tmp_path: Path) -> None:
    settings = settings_of("random:seed=7", "random:seed=7", games=2, game="breakthrough")
    one, other = played(settings, tmp_path / "a.db")
    assert one.moves != other.moves


def test_games_depend_on_the_seed(tmp_path: Path) -> None:
    def rows(seed: int, name: str) -> list[GameRow]:
        settings = settings_of(f"random:seed={seed}", "first", games=4, game="breakthrough")
        return without_times(played(settings, tmp_path / name))

    assert rows(1, "a.db") == rows(1, "b.db")
    assert all(
        one.moves != other.moves
        for one, other in zip(rows(1, "c.db"), rows(2, "d.db"), strict=True)
    )


def documented_seed(*parts: object) -> int:
    """Return the seed by the formula in docs/guides/autoplay.md."""
    text = "\0".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") % 2**31


def test_seeds_follow_the_documented_formula(tmp_path: Path) -> None:
    SEEDED.clear()
    settings = settings_of(spec(RecordsSeed, seed=7), spec(RecordsSeed), games=2, seed=5)
    played(settings, tmp_path / "a.db", workers="threads")
    # When the match is created, the engines are created once with their original options.
    assert SEEDED[-4:] == [
        documented_seed(5, "engine", 1, "X", 7),
        documented_seed(5, "engine", 1, "O"),
        documented_seed(5, "engine", 2, "X"),
        documented_seed(5, "engine", 2, "O", 7),
    ]
    assert "7" in SEEDED[:-4]


def test_documented_formula_agrees_with_b2sum() -> None:
    r"""The number is the output of `printf '5\000engine\0001\000X\0007' | b2sum -l 64`."""
    assert documented_seed(5, "engine", 1, "X", 7) == 0xD527046ED27DB463 % 2**31


def test_seed_that_is_not_a_number_is_passed_unchanged(tmp_path: Path) -> None:
    SEEDED.clear()
    settings = settings_of(spec(TextSeed, seed="opening.txt"), "first", games=2)
    played(settings, tmp_path / "a.db", workers="threads")
    assert set(SEEDED) == {"opening.txt"}


def test_seed_0_of_a_search_keeps_the_order_of_the_list(tmp_path: Path) -> None:
    settings = settings_of("negamax:depth=1,seed=0", "first", games=2, game="breakthrough")
    plain = settings_of("negamax:depth=1", "first", games=2, game="breakthrough")
    assert [row.moves for row in played(settings, tmp_path / "a.db")] == [
        row.moves for row in played(plain, tmp_path / "b.db")
    ]


@pytest.mark.parametrize("engine", ["random:seed=x", "mcts:seed=99999999999", "negamax:seed=-1"])
def test_invalid_seeds_are_refused_when_the_match_begins(tmp_path: Path, engine: str) -> None:
    with raises(ValueError, "match.invalid-seed"):
        Match.create(settings_of(engine, "first"), tmp_path / "a.db")
    assert not (tmp_path / "a.db").exists()


@pytest.mark.slow
def test_engines_of_a_script_have_different_numbers_in_each_pair(tmp_path: Path) -> None:
    settings = settings_of("script", games=12, game="splut-random", schedule="fixed")
    assert count_different(played(settings, tmp_path / "a.db")) == 12


@pytest.mark.slow
def test_scripts_seeded_by_the_clock_have_different_numbers_in_each_pair(tmp_path: Path) -> None:
    """SYSTEM-TIME differs in each pair, so the random numbers that RANDOMIZE seeds differ too."""
    words = ": OnNewGame RANDOMIZE ;\n"
    game = write_line(tmp_path, words=words)
    settings = settings_of("chance", games=12, game=game, schedule="fixed")
    rows = played(settings, tmp_path / "a.db")
    assert count_different(rows) > 3
    repeated = played(settings, tmp_path / "b.db")
    assert without_times(repeated) == without_times(rows)


@pytest.mark.slow
def test_resuming_plays_the_same_games(tmp_path: Path) -> None:
    engines = "random:seed=3", "mcts:playouts=4,seed=3"
    uninterrupted = played(settings_of(*engines, games=8, game="breakthrough"), tmp_path / "a.db")
    first_half = settings_of(*engines, games=4, game="breakthrough")
    played(first_half, tmp_path / "b.db")
    with Match.resume(tmp_path / "b.db", games=8) as match:
        match.run(jobs=2)
        rows = sorted(match.rows, key=lambda row: row.id)
    assert without_times(rows) == without_times(uninterrupted)


@pytest.mark.slow
def test_other_processes_have_the_same_numbers(tmp_path: Path) -> None:
    settings = settings_of("random:seed=3", spec(Walker, forward=0.5, seed=3), games=6)
    one = played(settings, tmp_path / "a.db", jobs=2, workers="processes")
    other = played(settings, tmp_path / "b.db", workers="threads")
    assert without_times(one) == without_times(other)


def test_analyse_derives_a_seed_for_each_game() -> None:
    breakthrough = Configuration(name="breakthrough", game="breakthrough")
    analysis = analyse(breakthrough, engine="random:seed=3", games=10, solve_up_to=0)
    assert analysis.repeats.count == 0


@pytest.mark.slow
def test_run_uses_the_seed_unchanged() -> None:
    command = [sys.executable, "-P", "-m", "forthvm", "run", "breakthrough", "--auto", "--json"]

    def game(*options: str) -> str:
        return output_of(*command, *options)

    seeded = ("--engine", "random:seed=7", "--max-plies", "20")
    assert game(*seeded, "--seed", "1") == game(*seeded, "--seed", "2")


def test_make_engine_without_a_game_uses_the_options_unchanged() -> None:
    SEEDED.clear()
    make_engine(spec(RecordsSeed, seed=7))
    make_engine(spec(RecordsSeed))
    assert SEEDED == ["7", 0]


@pytest.mark.slow
def test_evaluator_in_python_has_reproducible_random_numbers(tmp_path: Path) -> None:
    """Python's global random numbers are seeded for each game with an engine in Python."""
    engine = "negamax:depth=1,evaluator=tests.autoplay.players:random_evaluation"
    settings = settings_of(engine, games=4, game="breakthrough", schedule="fixed")
    one = played(settings, tmp_path / "a.db", jobs=1)
    other = played(settings, tmp_path / "b.db", jobs=2)
    assert without_times(one) == without_times(other)
    assert count_different(one) == 4


@pytest.mark.slow
def test_command_line_shows_that_games_differ(tmp_path: Path, cli: Cli) -> None:
    args = ["--engine", "A=random:seed=7", "--engine", "B=random:seed=7", "--opening-plies", "0"]
    file = str(tmp_path / "a.db")
    assert "repeated" not in cli.out(
        "autoplay", "breakthrough", *args, "-n", "10", "--out", file, "--quiet"
    )

"""Complete matches: equal results for all kinds and numbers of workers."""

from __future__ import annotations

import random
import shlex
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from forthvm.autoplay import (
    Configuration,
    Entrant,
    GameRow,
    Match,
    MatchError,
    Settings,
    Store,
    TimeControl,
)
from forthvm.autoplay.statistics.summary import summarise
from forthvm.core.errors import ForthVMError
from forthvm.study.game_analysis import analyse
from tests.autoplay.matches import TICTACTOE, played, settings_of, spec, without_times
from tests.autoplay.players import Slow, UsesGlobalRandom, Walker, write_line, write_race
from tests.kit.messages import raises


def points(rows: list[GameRow]) -> Counter[str]:
    """Return the sum of the scores of each entrant."""
    total: Counter[str] = Counter()
    for row in rows:
        for name, score in row.entrant_scores().items():
            total[name] += score  # type: ignore[assignment]  # a float
    return total


# --- independence --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "engines",
    [
        ("negamax:depth=3", "mcts:playouts=30", "random"),
        pytest.param((spec(UsesGlobalRandom), "axiom:depth=1", "first"), marks=pytest.mark.slow),
    ],
)
def test_results_do_not_depend_on_the_workers(tmp_path: Path, engines: tuple[str, ...]) -> None:
    settings = settings_of(*engines, games=24, opening_plies=1)
    first = without_times(played(settings, tmp_path / "1.db", jobs=1, workers="processes"))
    worker_options = [{"jobs": 3, "workers": "processes"}]
    # Threads share Python's global random numbers, so such an engine is reproducible in
    # processes only.
    if spec(UsesGlobalRandom) not in engines:
        worker_options += [{"jobs": 1, "workers": "threads"}, {"jobs": 4, "workers": "threads"}]
    for at, options in enumerate(worker_options):
        assert without_times(played(settings, tmp_path / f"w{at}.db", **options)) == first
    assert len({row.digest for row in first}) > 12


def test_results_do_not_depend_on_order(tmp_path: Path) -> None:
    """The numbers and order of the games recorded earlier do not change the later games."""
    settings = settings_of("mcts:playouts=20", "random", games=20, opening_plies=2)
    uninterrupted = played(settings, tmp_path / "uninterrupted.db", jobs=2)
    with Match.create(settings, tmp_path / "part.db") as match:
        stored = [2, 3, 5, 7, 11, 13, 17, 19]
        random.Random(1).shuffle(stored)
        for number in stored:
            match.store.record(uninterrupted[number - 1])
    with Match.resume(tmp_path / "part.db") as match:
        assert match.missing_games == 12
        match.run(jobs=2)
        rows = sorted(match.rows, key=lambda row: row.id)
    assert without_times(rows) == without_times(uninterrupted)


def test_another_seed_plays_other_games(tmp_path: Path) -> None:
    one = played(settings_of("random", "random", games=10), tmp_path / "1.db")
    other = played(settings_of("random", "random", games=10, seed=2), tmp_path / "2.db")
    assert not {row.digest for row in one} & {row.digest for row in other}


def test_row_describes_the_game(tmp_path: Path) -> None:
    """The perfect player never loses tic-tac-toe; its nodes and time are counted."""
    rows = played(settings_of("negamax:depth=9", "random", games=6), tmp_path / "a.db")
    for number, row in enumerate(rows, start=1):
        assert row.id == number
        assert row.pair == (number + 1) // 2
        assert sorted(row.seats.values()) == ["A", "B"]
        assert row.entrant_scores()["A"] >= 0.5
        assert sum(row.outcome.values()) == 1
        assert row.plies == len(row.moves)
        player_of_a = next(player for player, name in row.seats.items() if name == "A")
        assert row.nodes[player_of_a] > 0
        assert row.thinking[player_of_a] > 0
        assert row.seconds >= sum(row.thinking.values())
        assert row.reason.startswith("OnIsGameOver: ")
        # The number of legal moves at each ply: nine free squares, then eight, and so on.
        free = [9 - ply for ply in range(row.plies)]
        assert row.branching == pytest.approx(sum(free) / len(free), abs=0.001)


def test_one_entrant_plays_itself(tmp_path: Path) -> None:
    rows = played(settings_of("random", games=4), tmp_path / "a.db")
    assert [set(row.seats.values()) for row in rows] == [{"A"}] * 4
    assert len({row.digest for row in rows}) > 1


# --- many players --------------------------------------------------------------------------------


@pytest.mark.slow
def test_known_ranking_of_four_is_recovered(tmp_path: Path) -> None:
    """Walkers move forward with different probabilities; the faster wins more races."""
    game = write_race(tmp_path)
    walkers = [spec(Walker, forward=forward) for forward in (0.55, 0.95, 0.75, 0.65)]
    rows = played(settings_of(*walkers, games=96, game=game), tmp_path / "a.db", workers="threads")
    total = points(rows)
    assert [name for name, _ in total.most_common()] == ["B", "C", "D", "A"]
    assert sum(total.values()) == pytest.approx(96)
    seats = Counter((row.seats[player], player) for row in rows for player in row.seats)
    assert set(seats.values()) == {24}
    summary = summarise(rows)
    assert [each.name for each in summary.ratings.ratings] == ["B", "C", "D", "A"]


def test_shared_wins_are_shares(tmp_path: Path) -> None:
    """North and South are a team: if one of them wins, each has half a point."""
    game = write_race(tmp_path, teams=True)
    settings = settings_of(spec(Walker, forward=1), spec(Walker, forward=0.3), games=6, game=game)
    rows = played(settings, tmp_path / "a.db", workers="threads")
    for row in rows:
        winners = {player for player, score in row.outcome.items() if score}
        assert winners in ({"N", "S"}, {"E", "W"})
        assert all(row.outcome[player] == 0.5 for player in winners)
    # In two of the six distributions of seats, both seats of a team belong to the fast entrant A.
    won_by_one_entrant = [row for row in rows if max(row.entrant_scores().values()) == 1]
    assert len(won_by_one_entrant) == 2
    assert all(row.entrant_scores()["A"] == 1 for row in won_by_one_entrant)


@pytest.mark.slow
def test_complete_swiss_tournament(tmp_path: Path) -> None:
    walkers = [spec(Walker, forward=forward) for forward in (0.2, 0.4, 0.6, 0.8, 1)]
    game = write_race(tmp_path)
    settings = settings_of(*walkers, games=16, game=game, schedule="swiss")
    one = played(settings, tmp_path / "1.db", jobs=1, workers="threads")
    assert len(one) == 16  # four rounds of one table with four games
    assert without_times(played(settings, tmp_path / "2.db", jobs=3, workers="processes")) == (
        without_times(one)
    )
    with Match.create(settings, tmp_path / "3.db") as match:
        for row in one[:6]:
            match.store.record(row)
    with Match.resume(tmp_path / "3.db", confirm=lambda _settings, _code: True) as match:
        match.run(workers="threads")
        assert without_times(sorted(match.rows, key=lambda row: row.id)) == without_times(one)


# --- two configurations --------------------------------------------------------------------------


def duel(*games: Path | str, games_played: int = 4, schedule: str = "round-robin") -> Settings:
    """Return a match of two configurations; each entrant is the engine of its own script."""
    names = [Path(game).stem for game in games]
    return Settings(
        configurations=tuple(
            Configuration(name=name, game=str(game))
            for name, game in zip(names, games, strict=True)
        ),
        entrants=tuple(Entrant(name=name, configuration=at) for at, name in enumerate(names)),
        games=games_played,
        schedule=schedule,
    )


@pytest.mark.slow
def test_each_entrant_plays_in_its_own_configuration(tmp_path: Path) -> None:
    """The engine of splut-duel beats random moves; each entrant plays each side twice."""
    rows = played(duel("splut-duel", "splut-random"), tmp_path / "a.db")
    assert [list(row.seats.values()) for row in rows] == [
        ["splut-duel", "splut-random"],
        ["splut-random", "splut-duel"],
    ] * 2
    assert points(rows) == {"splut-duel": 4, "splut-random": 0}
    for row in rows:
        visited = {row.seats[player]: nodes for player, nodes in row.nodes.items()}
        assert visited["splut-duel"] > 5 * visited["splut-random"]


@pytest.mark.slow
def test_fixed_schedule_seats_the_first_entrant_first(tmp_path: Path) -> None:
    rows = played(duel("splut-random", "splut-duel", schedule="fixed"), tmp_path / "a.db")
    assert {tuple(row.seats.items()) for row in rows} == {
        (("South", "splut-random"), ("North", "splut-duel"))
    }
    assert len({row.digest for row in rows}) == 4


def test_configurations_that_disagree_about_a_move_void_the_game(tmp_path: Path) -> None:
    """In the second configuration, men cannot return to the squares where they start, a1 and i1."""
    line = write_line(tmp_path, name="line")
    forward_only = tmp_path / "forward.4th"
    forward_only.write_text(
        line.read_text(encoding="utf-8").replace(
            "empty? verify", "empty? verify here a1 <> here i1 <> AND verify"
        ),
        encoding="utf-8",
    )
    settings = duel(line, forward_only, games_played=2, schedule="fixed")
    back, forward = settings.entrants
    engines = (replace(back, spec=spec(Walker, forward=0)), replace(forward, spec="first"))
    rows = played(replace(settings, entrants=engines), tmp_path / "a.db", workers="threads")
    reason = "void: 'man b1 - a1' is not a legal move of Left in forward"
    assert [(row.reason, row.plies) for row in rows] == [(reason, 2)] * 2
    assert all(row.void and row.outcome == {} for row in rows)


def test_configurations_with_different_players_are_refused(tmp_path: Path) -> None:
    with raises(MatchError, "match.other-players"):
        Match.create(duel("splut-duel", "chess"), tmp_path / "a.db")
    assert not (tmp_path / "a.db").exists()


# --- time ----------------------------------------------------------------------------------------


def test_fallen_flag_loses(tmp_path: Path) -> None:
    """A move needs two tenths of a second; the clock has one tenth."""
    settings = settings_of(spec(Slow), "first", games=2, time=TimeControl(base=0.1, margin=0))
    for row in played(settings, tmp_path / "a.db", workers="threads"):
        assert "out of time" in row.reason
        assert row.entrant_scores() == {"A": 0, "B": 1}


@pytest.mark.slow
def test_each_entrant_may_have_its_own_clock(tmp_path: Path) -> None:
    settings = settings_of(spec(Slow), "first", games=2, time=TimeControl(base=0.1, margin=0))
    slow, quick = settings.entrants
    settings = replace(settings, entrants=(replace(slow, time=TimeControl(base=60)), quick))
    for row in played(settings, tmp_path / "a.db", workers="threads"):
        assert row.reason.startswith("OnIsGameOver")


# --- sequential tests ----------------------------------------------------------------------------


@pytest.mark.slow
def test_decided_match_ends_at_the_same_game_for_all_workers(tmp_path: Path) -> None:
    settings = settings_of(
        "negamax:depth=9", "random", games=400, opening_plies=1, sprt=("elo0=0", "elo1=200")
    )
    ends = []
    for at, jobs in enumerate((1, 3)):
        with Match.create(settings, tmp_path / f"{at}.db") as match:
            match.run(jobs=jobs, workers="threads")
            assert match.accepted_hypothesis == "H1"
            assert match.missing_games == 0
            last = match.test.decided_by
            counted = [row for row in match.rows if not row.void]
            ends.append((last, without_times(sorted(counted, key=lambda row: row.id))))
            assert last == len(counted) < 100
            for row in match.rows:
                assert row.void == (row.id > last)
    assert ends[0] == ends[1]
    with Match.resume(tmp_path / "0.db") as match:
        before = len(match.rows)
        match.run(jobs=1)
        assert len(match.rows) == before


def test_sequential_test_needs_two_entrants(tmp_path: Path) -> None:
    settings = settings_of("first", "random", "first:", games=4, sprt=("elo0=0", "elo1=5"))
    with raises(MatchError, "match.one-entrant"):
        Match.create(settings, tmp_path / "a.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("elo0=5",), "the test needs elo1"),
        (("elo0=5", "elo1=1"), "elo0=5 must be less than elo1=1"),
        (("elo0=0", "elo1=nan"), "must be less than elo1=nan"),
        (("elo0=0", "elo1=5", "alpha=2"), "alpha=2 must lie between"),
        (("foo=1",), "'foo=1': a test has"),
    ],
)
def test_an_invalid_sequential_test_creates_no_file(
    tmp_path: Path, texts: tuple[str, ...], message: str
) -> None:
    """A corrected match can be created under the same name."""
    settings = settings_of("first", "random", games=4, sprt=texts)
    with pytest.raises(MatchError, match=message):
        Match.create(settings, tmp_path / "a.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_ugi_programs_with_arguments_and_options(tmp_path: Path) -> None:
    """An engine specification may contain a command line with arguments, besides options."""
    program = Path(__file__).parent.parent / "engines" / "sample_program.py"
    command = f"ugi:{shlex.join([sys.executable, '-I', '-S', str(program), 'ugi', 'good'])},depth=1"
    rows = played(settings_of(command, "first", games=2), tmp_path / "a.db", jobs=1)
    assert [row.reason.partition(":")[0] for row in rows] == ["OnIsGameOver"] * 2
    numbers = analyse(TICTACTOE, engine=command, games=1)
    assert (numbers.played, numbers.void) == (1, 0)


# --- invalid settings ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schedule": "fixed"}, "fixed seats: 2 entrants for X, O, not 3"),
        ({"specs": ("nobody", "first", "first")}, "no engine 'nobody'"),
        ({"specs": ("negamax:deep=3", "first", "first")}, "no option 'deep'"),
        ({"game": "no-such-game"}, "no-such-game"),
    ],
)
def test_errors_are_reported_before_the_first_game(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    specs = changes.pop("specs", ("first", "first", "random"))
    assert isinstance(specs, tuple)
    with pytest.raises(ForthVMError, match=message):
        Match.create(settings_of(*specs, **changes), tmp_path / "a.db")  # type: ignore[arg-type]
    assert not (tmp_path / "a.db").exists()


def test_match_with_changed_scripts_is_not_resumed(tmp_path: Path) -> None:
    game = write_line(tmp_path)
    Match.create(settings_of("random", "first", game=game), tmp_path / "a.db").close()
    game.write_text(game.read_text(encoding="utf-8") + "\\ a remark\n", encoding="utf-8")
    with raises(MatchError, "match.changed-script"):
        Match.resume(tmp_path / "a.db")
    Store.open(tmp_path / "a.db").close()

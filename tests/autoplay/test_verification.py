"""Checks of results that other machines return, and the sizes of their batches."""

from __future__ import annotations

import json
import queue
from collections.abc import Callable
from dataclasses import replace

import pytest

from forthvm.autoplay import Configuration, Entrant, GameRow, Settings, TimeControl
from forthvm.autoplay.match.cluster import Cluster, _Member
from forthvm.autoplay.match.game import Task
from forthvm.autoplay.match.running_game import LoadedMatch, Start
from forthvm.autoplay.match.settings import Adjudication
from forthvm.autoplay.match.verification import (
    is_repeatable,
    received_row,
    rule_violation,
    same_game,
)
from forthvm.autoplay.match.worker import ThreadStatus, play_task, use_status
from forthvm.autoplay.results.rows import row_values
from tests.autoplay.matches import settings_of, spec
from tests.autoplay.players import Raises
from tests.kit.cases import each_case

TASK = Task(number=3, seats=("A", "B"), pair=2)


def game_of(settings: Settings, task: Task = TASK) -> GameRow:
    """Play a game in this thread."""
    use_status(ThreadStatus())
    return play_task(settings, task)


def violation(settings: Settings, row: GameRow, task: Task = TASK) -> str:
    """Return how a game violates the rules."""
    return rule_violation(settings, LoadedMatch(settings), task, row)


def received(row: GameRow, change: Callable[[list[object]], object] = len) -> GameRow:
    """Send and receive a row, whose values `change` has changed."""
    settings = settings_of("first", "random")
    values = json.loads(json.dumps(row_values(row)))
    change(values)
    return received_row(settings, ("X", "O"), TASK, values, "w0")


@pytest.mark.parametrize(
    ("specs", "options"),
    [
        (("negamax:depth=2", "mcts:playouts=10"), {"game": "breakthrough"}),
        (("random", "random"), {"game": "tictactoe"}),
        (("random", "random"), {"game": "chess", "adjudication": Adjudication(max_plies=9)}),
        (
            ("negamax:depth=2", "negamax:depth=1"),
            {"game": "chess", "adjudication": Adjudication(draw_score=500, draw_after=4)},
        ),
        (
            ("negamax:depth=2", "negamax:depth=1"),
            {"game": "breakthrough", "adjudication": Adjudication(win_score=1, win_plies=1)},
        ),
        (("random", "random"), {"game": "chess", "adjudication": Adjudication(repetition=2)}),
        ((spec(Raises), "random"), {}),
        ((spec(Raises), "random"), {"on_failure": "void"}),
    ],
)
def test_played_games_follow_the_rules(specs: tuple[str, ...], options: dict[str, object]) -> None:
    settings = settings_of(*specs, **options)  # type: ignore[arg-type]
    row = game_of(settings)
    assert violation(settings, row) == ""
    assert same_game(row, game_of(settings))


@pytest.mark.slow
def test_game_with_dice_and_an_opening_follows_the_rules() -> None:
    settings = settings_of("random", "random", game="ur")
    row = game_of(settings)
    assert violation(settings, row) == ""
    task = replace(TASK, start=Start(moves=row.moves[:3]))
    with_opening = game_of(settings, task)
    assert with_opening.opening == row.moves[:3]
    assert violation(settings, with_opening, task) == ""


def test_game_in_two_configurations_follows_the_rules() -> None:
    configurations = tuple(
        Configuration(name=name, game=name) for name in ("splut-duel", "splut-random")
    )
    entrants = (Entrant(name="A"), Entrant(name="B", configuration=1))
    settings = Settings(configurations=configurations, entrants=entrants, games=2, nodes=50)
    assert violation(settings, game_of(settings)) == ""


@each_case(
    ("change", "problem"),
    [
        (lambda row: replace(row, outcome={"X": 0.5, "O": 0.5}), "does not have the result"),
        (lambda row: replace(row, reason="OnIsGameOver: other"), "does not have the result"),
        (lambda row: replace(row, reason="adjudicated: 2000 plies"), "does not have the result"),
        (lambda row: replace(row, moves=row.moves[:-1]), "does not have the result"),
        (lambda row: replace(row, moves=(*row.moves, ("X", "X a1"))), "the game ends after"),
        (lambda row: replace(row, moves=(row.moves[0], *row.moves)), "but it is O's turn"),
        (lambda row: replace(row, moves=(("X", "X z9"), *row.moves[1:])), "not a legal move"),
        (lambda row: replace(row, void=True, outcome={}), "does not have the result"),
        (
            lambda row: replace(row, void=True, outcome={}, moves=(("X", "X z9"),)),
            "not a legal move",
        ),
        (
            lambda row: replace(row, reason="forfeit: B (O): out of time"),
            "does not have the result",
        ),
        (
            lambda row: replace(
                row, moves=row.moves[:2], reason="forfeit: C (O): -", outcome={"X": 1.0, "O": 0.0}
            ),
            "does not have the result",
        ),
    ],
)
def test_false_games_violate_the_rules(change: Callable[[GameRow], GameRow], problem: str) -> None:
    settings = settings_of("first", "random")
    row = game_of(settings)
    assert row.plies > 4
    assert problem in violation(settings, change(row))


def test_a_worker_that_was_refused_can_still_be_found_to_lie() -> None:
    cluster = Cluster.__new__(Cluster)
    cluster._checks, cluster._notices = set(), queue.SimpleQueue()
    member = _Member("w")
    cluster._refuse(member, "it cannot play", lied=False)
    cluster._refuse(member, "its game 1 is false")
    cluster._refuse(member, "it cannot play", lied=False)
    assert member.has_lied
    assert [cluster._notices.get().liar for _ in range(2)] == ["", "w"]
    assert cluster._notices.empty()


@pytest.mark.slow
def test_other_dice_violate_the_rules() -> None:
    settings = settings_of("random", "random", game="ur")
    row = game_of(settings)
    other = game_of(settings, replace(TASK, pair=9))
    assert violation(settings, row) == ""
    assert violation(settings, replace(other, id=row.id))


def test_what_is_known_here_is_not_taken_from_workers() -> None:
    row = game_of(settings_of("first", "random"))
    claimed = replace(
        row,
        seed=1,
        seats={"X": "B", "O": "A"},
        plies=999,
        finished_at="tomorrow",
        game="chess",
        pair=77,
        digest="0",
        worker="another worker",
    )
    got = received(claimed)
    assert replace(got, finished_at="", worker="") == replace(row, finished_at="")
    assert got.worker == "w0"


@pytest.mark.slow
def test_texts_of_workers_are_bounded_and_clean() -> None:
    row = replace(
        game_of(settings_of("first", "random")),
        reason="void: \x1b[31m" + "x" * 10**6,
        faults=("\x1b]0;" + "y" * 10**5,) * 1000,
        traceback="z\x07" * 10**5,
    )
    got = received(row)
    assert len(got.reason) <= 1000
    assert len(got.faults) == 5
    assert all(len(fault) <= 300 for fault in got.faults)
    assert len(got.traceback) <= 300
    assert "\x1b" not in got.reason + got.faults[0]
    assert "\x07" not in got.traceback


@each_case(
    "change",
    [
        lambda values: values.__setitem__(0, 4),
        lambda values: values.__setitem__(3, '{"Z": 1.0}'),
        lambda values: values.__setitem__(3, '{"X": NaN}'),
        lambda values: values.__setitem__(6, "[" * 100_000),
        lambda values: values.__setitem__(6, '[["X", 1]]'),
        lambda values: values.__setitem__(7, -1),
        lambda values: values.__setitem__(12, '{"Z": 1}'),
        lambda values: values.pop(),
        lambda values: values.append(1),
    ],
)
def test_invalid_values_are_refused(change: Callable[[list[object]], object]) -> None:
    with pytest.raises(ValueError, match=r"column|expected|seat|zip|argument"):
        received(game_of(settings_of("first", "random")), change)


def test_engines_with_limits_of_time_are_not_repeatable() -> None:
    assert is_repeatable(settings_of("negamax:depth=2", "random"))
    assert not is_repeatable(settings_of("negamax:time=1", "random"))
    assert not is_repeatable(settings_of("ugi:engine", "random"))
    assert not is_repeatable(settings_of("negamax", "random", time=TimeControl(move=1)))

"""The analysis of a game: numbers compared with those counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.autoplay import Configuration, MatchError, Settings
from forthvm.autoplay.match.game import Task
from forthvm.autoplay.match.running_game import Start
from forthvm.autoplay.statistics.formulas import distribution, ratio
from forthvm.study import game_analysis
from forthvm.study.game_analysis import Analysis, analyse
from forthvm.study.game_analysis_text import document, lines
from tests.autoplay.matches import spec
from tests.autoplay.players import Dies, DiesOnce, Raises
from tests.kit.boards import grid
from tests.kit.files import write
from tests.kit.messages import raises
from tests.systems import KILLED, kill_this_process

# Left moves to the end of the line; Right cannot move and passes.  The engine `first` plays
# a1 - b1, b1 x c1, c1 - d1: five plies with Right's passes.  Its first two choices have two legal
# moves each, the last choice has one.
WALK = grid(1, 4, "e", players="Left Right")
WALK += """\
: go ( -- ) friend? 0= verify from here move add-move ;
: one e verify go ;
: two e verify e verify go ;
{moves men {move} one {move} two moves}
: stay ( -- ) FALSE verify ;
{moves none {move} stay moves}
{pieces {piece} man {moves} men {piece} rock {moves} none pieces}
{board-setup {setup} Left man a1 {setup} Right rock c1 board-setup}
: OnIsGameOver #UnknownScore d1 not-empty-at? IF DROP #LossScore ENDIF ;
"""
# Left moves back and forth forever.
ENDLESS = grid(1, 2, "e w", players="Left Right")
ENDLESS += """\
: go-e e verify from here move add-move ;
: go-w w verify from here move add-move ;
{moves men {move} go-e {move} go-w moves}
{pieces {piece} man {moves} men pieces}
{board-setup {setup} Left man a1 board-setup}
: OnIsGameOver #UnknownScore ;
"""


def write_game(folder: Path, text: str) -> Configuration:
    """Write a script and return its configuration."""
    return Configuration(name="game", game=str(write(folder / "game.4th", text)))


TICTACTOE = Configuration(name="tictactoe", game="tictactoe")


def value(ratio: object) -> float:
    """Return the value of a Ratio that must not be None."""
    assert hasattr(ratio, "value")
    return float(ratio.value)


def test_numbers_counted_by_hand(tmp_path: Path) -> None:
    analysis = analyse(
        write_game(tmp_path, WALK), engine="first", games=3, opening_plies=0, solve_up_to=0
    )
    assert (analysis.played, analysis.cut_off, analysis.void, analysis.repeats.count) == (
        3,
        0,
        0,
        2,
    )
    assert analysis.lengths == (5, 5, 5)
    assert value(analysis.branching) == pytest.approx((2 + 2 + 1) / 3)
    assert [value(third) for third in analysis.branching_by_thirds] == [2, 2, 1]
    assert value(analysis.forced) == pytest.approx(1 / 3)
    assert value(analysis.captures) == pytest.approx(1 / 3)
    assert value(analysis.repeated_positions) == 0
    assert [seat.score for seat in analysis.summary.seats] == [1, 0]
    assert analysis.summary.drawn == 0
    assert analysis.unsolved_reason == "it was not tried"


def test_analysis_from_a_position(tmp_path: Path) -> None:
    """The two plies before the position are not counted; three plies with two choices follow."""
    start = Start((("Left", "man a1 - b1"), ("Right", "Pass")))
    analysis = analyse(
        write_game(tmp_path, WALK), engine="first", games=1, opening_plies=0, start=start
    )
    assert analysis.lengths == (3,)
    assert value(analysis.branching) == pytest.approx((2 + 1) / 2)
    assert [value(third) for third in analysis.branching_by_thirds if third is not None] == [2, 1]
    assert analysis.branching_by_thirds[1] is None  # Right passes there
    # Left reaches d1 by a double step (one ply), or by two single steps with a pass between them.
    assert analysis.solution.all_games.by_length() == {1: 1, 3: 1}


def test_endless_games_are_cut_off(tmp_path: Path) -> None:
    """Each game has nine positions, of which five are repetitions; its score is not counted."""
    analysis = analyse(write_game(tmp_path, ENDLESS), games=2, max_plies=8)
    assert (analysis.played, analysis.cut_off, analysis.max_plies) == (2, 2, 8)
    assert analysis.lengths == (8, 8)
    assert value(analysis.repeated_positions) == pytest.approx(5 / 9)
    assert analysis.summary.counted == 0
    assert analysis.solution.guaranteed == (0.5, 0.5)
    assert analysis.solution.all_games is None


def test_failed_games_are_not_counted() -> None:
    analysis = analyse(TICTACTOE, engine=spec(Raises), games=2, opening_plies=0, solve_up_to=0)
    assert (analysis.played, analysis.void, analysis.length, analysis.branching) == (
        0,
        2,
        None,
        None,
    )
    assert "no such thought" in analysis.faults[0][0]
    assert "no such thought" in " ".join(" ".join(lines(analysis)).split())


@pytest.mark.slow
def test_engine_that_ends_its_process_twice_makes_the_game_void() -> None:
    analysis = analyse(TICTACTOE, engine=spec(Dies), games=1, opening_plies=0, solve_up_to=0)
    assert (analysis.played, analysis.void) == (0, 1)
    text = " ".join(" ".join(lines(analysis)).split())
    assert f"its worker {KILLED} while it was thinking at ply 0, twice" in text


@pytest.mark.slow
def test_game_whose_worker_was_killed_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORTHVM_TEST_MARK", str(tmp_path / "mark"))
    analysis = analyse(TICTACTOE, engine=spec(DiesOnce), games=2, opening_plies=0, solve_up_to=0)
    assert (analysis.played, analysis.void) == (2, 0)


@pytest.mark.slow
def test_worker_lost_outside_engines_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game has no result, and is not counted as void."""
    monkeypatch.setattr(game_analysis, "_play_counted", _dies_before_the_game)
    with pytest.raises(MatchError, match=f"{KILLED} at ply 0, while no engine was thinking"):
        analyse(TICTACTOE, engine=spec(Dies), games=1, opening_plies=0, solve_up_to=0)


def _dies_before_the_game(_skipped: int, _settings: Settings, _task: Task) -> None:
    kill_this_process()


@pytest.mark.slow
def test_games_do_not_depend_on_the_number_of_jobs() -> None:
    def document_without_times(jobs: int) -> dict[str, object]:
        result = document(analyse(TICTACTOE, games=30, jobs=jobs, solve_up_to=0))
        seats = result["seats"]
        assert isinstance(seats, list)
        for seat in seats:
            for name in ("seconds", "seconds_per_move"):
                del seat[name]
        del result["seconds"]
        return result

    assert document_without_times(1) == document_without_times(2)


@pytest.mark.slow
def test_games_agree_with_exact_values() -> None:
    """The means of 1,000 games differ from the exact values by less than five standard errors."""
    analysis = analyse(TICTACTOE, games=1000, seed=5, jobs=2)
    assert analysis.solution.all_games is not None
    assert analysis.length is not None
    assert analysis.branching is not None
    assert analysis.forced is not None
    exact = analysis.solution.all_games.random
    half_widths = 5 / 1.96  # the half-width of an interval is 1.96 standard errors
    for interval, mean, exact_value in (
        (analysis.length, analysis.length.mean, exact.plies),
        (analysis.branching, analysis.branching.value, exact.moves),
        (analysis.forced, analysis.forced.value, exact.forced),
    ):
        assert abs(mean - exact_value) < half_widths * (interval.high - interval.low) / 2
    # The standard deviation of X's score is 0.45, and that of "the game is drawn" (0 or 1) is 0.33.
    assert abs(analysis.summary.seats[0].score - exact.score(0)) < 5 * 0.45 / 1000**0.5
    assert abs(analysis.summary.drawn / 1000 - exact.draws) < 5 * 0.33 / 1000**0.5


@pytest.mark.slow
def test_no_games_if_the_solution_has_all_values() -> None:
    analysis = analyse(TICTACTOE)
    assert (analysis.played, analysis.length) == (0, None)
    assert analysis.solution is not None
    assert lines(analysis)[0].startswith("tictactoe: solved")


def test_time_limit_ends_the_analysis() -> None:
    """At least one game is played."""
    analysis = analyse(TICTACTOE, seconds=0, solve_up_to=0)
    assert 1 <= analysis.played <= 2
    assert lines(analysis)[0].endswith("no game is begun after 0 s")


def test_openings_vary_the_games_of_engines() -> None:
    analysis = analyse(TICTACTOE, engine="first", games=20, solve_up_to=0)
    assert 0 < analysis.repeats.count < 19
    assert any(line.startswith("alike") for line in lines(analysis))


def test_random_initial_positions_are_not_solved(tmp_path: Path) -> None:
    with_variable = WALK.replace("{grid}", "{grid} {variable} luck")
    text = with_variable + ": OnNewGame 1 1000 RAND-WITHIN luck ! ;\n"
    analysis = analyse(write_game(tmp_path, text), games=1)
    assert (analysis.solution, analysis.unsolved_reason) == (None, "its initial position is random")
    assert analysis.played == 1


def test_analysis_refuses_a_decided_start(tmp_path: Path) -> None:
    over = Start((("Left", "man a1 x c1"), ("Right", "Pass"), ("Left", "man c1 - d1")))
    with raises(MatchError, "match.game-is-over"):
        analyse(write_game(tmp_path, WALK), start=over)


def test_ctrl_c_keeps_the_games_played(monkeypatch: pytest.MonkeyPatch) -> None:
    original_wait, calls = game_analysis.wait, []

    def interrupted(*args: object, **options: object) -> object:
        calls.append(args)
        if len(calls) > 3:
            raise KeyboardInterrupt
        return original_wait(*args, **options)  # type: ignore[arg-type]  # as called by the analysis

    monkeypatch.setattr(game_analysis, "wait", interrupted)
    analysis = analyse(TICTACTOE, games=10_000, solve_up_to=0)
    assert analysis.interrupted
    assert 0 < analysis.played < 10_000
    assert "interrupted" in lines(analysis)[0]


# --- the formula and the text --------------------------------------------------------------------


def test_ratio_computed_by_hand() -> None:
    """The residuals are -0.5, 1.5 and -1; the sum of their squares is 3.5.

    The error is 1.96 sqrt(3.5 / 2 * 3) / 8, where 8 is the sum of the second numbers.
    """
    found = ratio([(1, 2), (3, 2), (2, 4)])
    assert found.value == 0.75
    assert found.high - 0.75 == pytest.approx(1.959964 * (1.75 * 3) ** 0.5 / 8)
    assert ratio([]) is None
    assert ratio([(0, 0)]) is None


def test_ratio_with_denominators_of_1_is_a_mean() -> None:
    numbers = [3, 1, 4, 1, 5, 9, 2, 6]
    of_pairs, of_numbers = ratio((number, 1) for number in numbers), distribution(numbers)
    assert of_pairs is not None
    assert (of_pairs.value, of_pairs.low, of_pairs.high) == pytest.approx(
        (of_numbers.mean, of_numbers.low, of_numbers.high)
    )


@pytest.mark.slow
def test_text_fits_the_width(tmp_path: Path) -> None:
    analyses: list[Analysis] = [
        analyse(TICTACTOE, games=40),
        analyse(write_game(tmp_path, ENDLESS), games=2, max_plies=8),
        analyse(write_game(tmp_path, WALK), games=3),
    ]
    for analysis in analyses:
        for width in (60, 80):
            assert max(map(len, lines(analysis, width))) <= width

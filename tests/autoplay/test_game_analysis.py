"""The analysis of a game: numbers compared with those counted by hand."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from forthvm.autoplay import Configuration, MatchError, Settings
from forthvm.autoplay.match.game import Task
from forthvm.autoplay.match.table import Start
from forthvm.autoplay.report.game_analysis_text import document, lines
from forthvm.autoplay.statistics import game_analysis as numbers
from forthvm.autoplay.statistics.formulas import distribution, ratio
from forthvm.autoplay.statistics.game_analysis import Numbers, analyse
from tests.autoplay.matches import spec
from tests.autoplay.players import Dies, DiesOnce, Raises

# Left moves to the end of the line; Right cannot move and passes.  By the first move of each
# list: a1 - b1, b1 x c1, c1 - d1; twice two steps are possible.  Five plies with the passes.
WALK = """\
{board 1 4 {grid} board}
{directions 0 1 {direction} e directions}
{players {player} Left {player} Right players}
{turn-order {turn} Left {turn} Right turn-order}
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
ENDLESS = """\
{board 1 2 {grid} board}
{directions 0 1 {direction} e 0 -1 {direction} w directions}
{players {player} Left {player} Right players}
{turn-order {turn} Left {turn} Right turn-order}
: go-e e verify from here move add-move ;
: go-w w verify from here move add-move ;
{moves men {move} go-e {move} go-w moves}
{pieces {piece} man {moves} men pieces}
{board-setup {setup} Left man a1 board-setup}
: OnIsGameOver #UnknownScore ;
"""


def written(folder: Path, text: str) -> Configuration:
    path = folder / "game.4th"
    path.write_text(text, encoding="utf-8")
    return Configuration(name="game", game=str(path))


TICTACTOE = Configuration(name="tictactoe", game="tictactoe")


def value(found: object) -> float:
    assert hasattr(found, "value")
    return float(found.value)


def test_numbers_counted_by_hand(tmp_path: Path) -> None:
    found = analyse(
        written(tmp_path, WALK), engine="first", games=3, opening_plies=0, solve_up_to=0
    )
    assert (found.played, found.cut, found.void, found.same.count) == (3, 0, 0, 2)
    assert found.lengths == (5, 5, 5)
    assert value(found.branching) == pytest.approx((2 + 2 + 1) / 3)
    assert [value(third) for third in found.thirds] == [2, 2, 1]
    assert value(found.forced) == pytest.approx(1 / 3)
    assert value(found.captures) == pytest.approx(1 / 3)
    assert value(found.repeated) == 0
    assert [seat.score for seat in found.summary.seats] == [1, 0]
    assert found.summary.drawn == 0
    assert found.unsolved == "it was not tried"


def test_analysis_from_a_position(tmp_path: Path) -> None:
    """The two plies before it are not counted: three are left, with two choices."""
    start = Start((("Left", "man a1 - b1"), ("Right", "Pass")))
    found = analyse(written(tmp_path, WALK), engine="first", games=1, opening_plies=0, start=start)
    assert found.lengths == (3,)
    assert value(found.branching) == pytest.approx((2 + 1) / 2)
    assert [value(third) for third in found.thirds if third is not None] == [2, 1]
    assert found.thirds[1] is None  # Right passes there
    assert found.exact is not None
    assert found.exact.all_games is not None
    # One step and another, or two steps at once and a pass: d1 after 3 plies or after 1.
    assert found.exact.all_games.by_length() == {1: 1, 3: 1}


def test_endless_games_are_cut_off(tmp_path: Path) -> None:
    """Each game has nine positions, of which five repeat others; its score is not counted."""
    found = analyse(written(tmp_path, ENDLESS), games=2, max_plies=8)
    assert (found.played, found.cut, found.cut_at) == (2, 2, 8)
    assert found.lengths == (8, 8)
    assert value(found.repeated) == pytest.approx(5 / 9)
    assert found.summary.counted == 0
    assert found.exact is not None
    assert found.exact.guaranteed == (0.5, 0.5)
    assert found.exact.all_games is None


def test_failed_games_are_not_counted() -> None:
    found = analyse(TICTACTOE, engine=spec(Raises), games=2, opening_plies=0, solve_up_to=0)
    assert (found.played, found.void, found.length, found.branching) == (0, 2, None, None)
    assert "no such thought" in found.faults[0][0]
    assert "no such thought" in " ".join(" ".join(lines(found)).split())


def test_engine_that_ends_its_process_twice_makes_the_game_void() -> None:
    found = analyse(TICTACTOE, engine=spec(Dies), games=1, opening_plies=0, solve_up_to=0)
    assert (found.played, found.void) == (0, 1)
    told = " ".join(" ".join(lines(found)).split())
    assert "its worker was killed by SIGKILL while it was thinking at ply 0, twice" in told


def test_game_whose_worker_was_killed_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORTHVM_TEST_MARK", str(tmp_path / "mark"))
    found = analyse(TICTACTOE, engine=spec(DiesOnce), games=2, opening_plies=0, solve_up_to=0)
    assert (found.played, found.void) == (2, 0)


def test_worker_lost_outside_engines_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game has no result, and is not counted as void."""
    monkeypatch.setattr(numbers, "_play_counted", _dies_before_the_game)
    with pytest.raises(MatchError, match="SIGKILL at ply 0, while no engine was thinking"):
        analyse(TICTACTOE, engine=spec(Dies), games=1, opening_plies=0, solve_up_to=0)


def _dies_before_the_game(_skipped: int, _settings: Settings, _task: Task) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_games_do_not_depend_on_the_number_of_jobs() -> None:
    def told(jobs: int) -> dict[str, object]:
        found = document(analyse(TICTACTOE, games=30, jobs=jobs, solve_up_to=0))
        seats = found["seats"]
        assert isinstance(seats, list)
        for seat in seats:
            for name in ("seconds", "seconds_per_move"):
                del seat[name]
        del found["seconds"]
        return found

    assert told(1) == told(2)


@pytest.mark.slow
def test_games_agree_with_exact_values() -> None:
    """Within five standard errors for this seed."""
    found = analyse(TICTACTOE, games=1000, seed=5, jobs=2)
    assert found.exact is not None
    assert found.exact.all_games is not None
    assert found.length is not None
    assert found.branching is not None
    assert found.forced is not None
    exact = found.exact.all_games.random
    widths = 5 / 1.96
    for interval, middle, true in (
        (found.length, found.length.mean, exact.plies),
        (found.branching, found.branching.value, exact.moves),
        (found.forced, found.forced.value, exact.forced),
    ):
        assert abs(middle - true) < widths * (interval.high - interval.low) / 2
    assert abs(found.summary.seats[0].score - exact.score(0)) < 5 * 0.45 / 1000**0.5
    assert abs(found.summary.drawn / 1000 - exact.draws) < 5 * 0.33 / 1000**0.5


def test_no_games_if_the_solution_has_all_values() -> None:
    found = analyse(TICTACTOE)
    assert (found.played, found.length) == (0, None)
    assert found.exact is not None
    assert lines(found)[0].startswith("tictactoe: solved")


def test_time_limit_ends_the_analysis() -> None:
    """At least one game is played."""
    found = analyse(TICTACTOE, seconds=0, solve_up_to=0)
    assert 1 <= found.played <= 2
    assert lines(found)[0].endswith("no game is begun after 0 s")


def test_openings_vary_the_games_of_engines() -> None:
    found = analyse(TICTACTOE, engine="first", games=20, solve_up_to=0)
    assert 0 < found.same.count < 19
    assert any(line.startswith("alike") for line in lines(found))


def test_random_initial_positions_are_not_solved(tmp_path: Path) -> None:
    drawn = WALK.replace("{grid}", "{grid} {variable} luck")
    text = drawn + ": OnNewGame 1 1000 RAND-WITHIN luck ! ;\n"
    found = analyse(written(tmp_path, text), games=1)
    assert (found.exact, found.unsolved) == (None, "its initial position is random")
    assert found.played == 1


def test_analysis_refuses_unsupported_games(tmp_path: Path) -> None:
    over = Start((("Left", "man a1 x c1"), ("Right", "Pass"), ("Left", "man c1 - d1")))
    with pytest.raises(MatchError, match="the game is over"):
        analyse(written(tmp_path, WALK), start=over)


def test_ctrl_c_keeps_the_games_played(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, calls = numbers.wait, []

    def interrupted(*args: object, **options: object) -> object:
        calls.append(args)
        if len(calls) > 3:
            raise KeyboardInterrupt
        return plain(*args, **options)  # type: ignore[arg-type]  # as called by the analysis

    monkeypatch.setattr(numbers, "wait", interrupted)
    found = analyse(TICTACTOE, games=10_000, solve_up_to=0)
    assert found.interrupted
    assert 0 < found.played < 10_000
    assert "interrupted" in lines(found)[0]


# --- the formula and the text --------------------------------------------------------------------


def test_ratio_computed_by_hand() -> None:
    """Residuals -0.5, 1.5 and -1, their squares 3.5; 1.96 sqrt(1.75 * 3) / 6 is the error."""
    found = ratio([(1, 2), (3, 2), (2, 4)])
    assert found is not None
    assert found.value == 0.75
    assert found.high - 0.75 == pytest.approx(1.959964 * (1.75 * 3) ** 0.5 / 8)
    assert ratio([]) is None
    assert ratio([(0, 0)]) is None


def test_ratio_of_equal_parts_is_a_mean() -> None:
    numbers = [3, 1, 4, 1, 5, 9, 2, 6]
    found, mean = ratio((number, 1) for number in numbers), distribution(numbers)
    assert found is not None
    assert mean is not None
    assert (found.value, found.low, found.high) == pytest.approx((mean.mean, mean.low, mean.high))


def test_text_fits_the_width(tmp_path: Path) -> None:
    shown: list[Numbers] = [
        analyse(TICTACTOE, games=40),
        analyse(written(tmp_path, ENDLESS), games=2, max_plies=8),
        analyse(written(tmp_path, WALK), games=3),
    ]
    for found in shown:
        for width in (60, 80):
            assert max(map(len, lines(found, width))) <= width

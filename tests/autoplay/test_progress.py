"""The displayed progress of a match."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

from forthvm.autoplay import GameRow, Match
from forthvm.autoplay.match.progress import Progress
from tests.autoplay.matches import settings_of

ROW = GameRow(
    id=1,
    seed=1,
    seats={"X": "A", "O": "B"},
    outcome={"X": 1.0, "O": 0.0},
    reason="OnIsGameOver: X won",
    plies=5,
    moves=(),
    seconds=1.0,
    finished_at="",
    game="tictactoe",
)


class ProgressOutput:
    """A display of progress that writes to a string, with a clock that `record_games` advances."""

    def __init__(self, match: Match, *, rewrite: bool, width: int = 80) -> None:
        self.now = 100.0
        self.out = io.StringIO()
        self.progress = Progress(
            self.out, rewrite=rewrite, width=lambda: width, clock=lambda: self.now
        )
        self.progress.begun(match)

    def record_games(self, number: int, seconds: float, **changes: object) -> None:
        """Record games that take `seconds` each."""
        for _ in range(number):
            self.now += seconds
            self.progress.recorded(replace(ROW, **changes))  # type: ignore[arg-type]
            self.progress.tick()


def match_in(folder: Path, *specs: str, games: int = 40) -> Match:
    return Match.create(settings_of(*specs, games=games), folder / "a.db")


def test_line_has_score_rate_and_remaining_time(tmp_path: Path) -> None:
    """Ten games in twenty seconds; at that rate the thirty remaining games need a minute."""
    with match_in(tmp_path, "first", "random") as match:
        output = ProgressOutput(match, rewrite=False)
        output.record_games(6, 2)
        output.record_games(4, 2, outcome={"X": 0.5, "O": 0.5})
        line = output.progress.line(100)
    # 6 + 4/2 points of 10: 80 %
    assert line.startswith("10/40  A 8 : 2 B  80.0 % (")
    assert line.endswith(")  30.0 games/min  60 s left")


def test_interval_is_by_pairs(tmp_path: Path) -> None:
    """Twenty pairs of a win and a loss; by games the interval would be 35 to 65."""
    with match_in(tmp_path, "first", "random") as match:
        output = ProgressOutput(match, rewrite=False)
        for pair in range(1, 21):
            output.record_games(1, 1, pair=pair, outcome={"X": 1.0, "O": 0.0})
            output.record_games(1, 1, pair=pair, outcome={"X": 0.0, "O": 1.0})
        assert "50.0 % (41.9 to 58.1)" in output.progress.line(100)


def test_narrow_terminal_drops_less_important_parts(tmp_path: Path) -> None:
    with match_in(tmp_path, "first", "random") as match:
        output = ProgressOutput(match, rewrite=False)
        output.record_games(10, 0.1)
        for width in range(5, 120):
            assert len(output.progress.line(width)) <= width
        assert output.progress.line(10) == "10/40"
        assert "games/s" not in output.progress.line(45)
        assert "games/s" in output.progress.line(90)


def test_terminal_has_one_rewritten_line(tmp_path: Path) -> None:
    with match_in(tmp_path, "first", "random") as match:
        output = ProgressOutput(match, rewrite=True)
        output.record_games(5, 1)
        output.progress.note("a remark")
        output.record_games(1, 1)
        output.progress.end()
    shown = output.out.getvalue()
    assert shown.count("\n") == 1
    assert "\r\x1b[Ka remark\n" in shown
    assert shown.endswith("\r\x1b[K")
    assert "\r6/40  A 6 : 0 B" in shown


def test_line_is_not_redrawn_for_every_game(tmp_path: Path) -> None:
    """A thousand games end in a second; the line is written about five times."""
    with match_in(tmp_path, "first", "random", games=1000) as match:
        output = ProgressOutput(match, rewrite=True)
        output.record_games(1000, 0.001)
    assert 4 <= output.out.getvalue().count("\r") <= 7


def test_without_a_terminal_progress_is_occasional_lines(tmp_path: Path) -> None:
    """A line every ten seconds for sixty seconds, without terminal control characters."""
    with match_in(tmp_path, "first", "random", games=60) as match:
        output = ProgressOutput(match, rewrite=False)
        output.record_games(60, 1)
    lines = output.out.getvalue().splitlines()
    assert [line.split("/")[0] for line in lines] == ["10", "20", "30", "40", "50", "60"]
    assert "\r" not in output.out.getvalue()
    assert "\x1b" not in output.out.getvalue()


def test_void_games_are_reported(tmp_path: Path) -> None:
    with match_in(tmp_path, "first", "random") as match:
        output = ProgressOutput(match, rewrite=False)
        output.record_games(2, 1)
        output.record_games(1, 1, void=True, outcome={})
        assert "1 void" in output.progress.line(120)
        assert "A 2 : 0 B" in output.progress.line(120)


def test_progress_of_many_entrants_shows_the_leaders(tmp_path: Path) -> None:
    with match_in(tmp_path, "first", "random", "first:", "random:", games=12) as match:
        output = ProgressOutput(match, rewrite=False)
        output.record_games(2, 1)
        output.record_games(1, 1, seats={"X": "C", "O": "D"}, outcome={"X": 0.5, "O": 0.5})
        assert "A 100.0 %, C 50.0 %, D 50.0 %" in output.progress.line(120)


def test_resumed_match_counts_earlier_games(tmp_path: Path) -> None:
    """The earlier games are not part of the rate."""
    with match_in(tmp_path, "first", "random", games=8) as match:
        for number in (1, 2, 3, 4):
            match.store.record(replace(ROW, id=number))
    with Match.resume(tmp_path / "a.db") as match:
        output = ProgressOutput(match, rewrite=False)
        assert output.out.getvalue() == "4 of 8 games were played before\n"
        output.record_games(2, 1)
        assert output.progress.line(120).endswith("1.0 games/s  2 s left")
        assert output.progress.line(120).startswith("6/8  A 6 : 0 B")


def test_sequential_test_shows_the_log_likelihood_ratio(tmp_path: Path) -> None:
    settings = settings_of("first", "random", games=8, sprt=("elo0=0", "elo1=100"))
    with Match.create(settings, tmp_path / "a.db") as match:
        output = ProgressOutput(match, rewrite=False)
        output.record_games(1, 1)
        assert "LLR +0.00" in output.progress.line(120)

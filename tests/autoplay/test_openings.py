"""Openings of games."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import forthvm
from forthvm.autoplay import MatchError
from forthvm.autoplay.match.openings import (
    Openings,
    read_openings,
    starts_from_json,
    starts_to_json,
)
from forthvm.autoplay.match.running_game import LoadedMatch, Start
from tests.autoplay.matches import played, settings_of
from tests.kit.cases import each_case
from tests.kit.games import loaded
from tests.kit.messages import raises


def test_both_games_of_a_pair_have_the_same_opening(tmp_path: Path) -> None:
    rows = played(settings_of("random", "random", games=8, opening_plies=3), tmp_path / "a.db")
    for one, other in zip(rows[::2], rows[1::2], strict=True):
        assert one.pair == other.pair
        assert one.opening == other.opening == one.moves[:3] == other.moves[:3]
        assert list(one.seats.values()) == list(other.seats.values())[::-1]
    assert len({row.opening for row in rows}) == 4


def test_random_openings_lead_to_different_positions() -> None:
    """Two plies have 72 openings: nine squares for X, and eight for O."""
    settings = settings_of("random", "random", games=144, opening_plies=2)
    openings = Openings(settings, LoadedMatch(settings))
    different = {openings.of_pair(pair).moves for pair in range(1, 66)}
    assert len(different) == 65


def test_games_begin_with_two_random_plies_or_the_listed_opening() -> None:
    settings = settings_of("first", "first", opening_plies=None)
    loaded_match = LoadedMatch(settings)
    assert len(Openings(settings, loaded_match).of_pair(1).moves) == 2
    listed = Start((("X", "X mark b2"),))
    assert Openings(settings, loaded_match, [listed]).of_pair(1) == listed
    settings = settings_of("first", "first", opening_plies=1)
    assert len(Openings(settings, loaded_match, [listed]).of_pair(1).moves) == 2


def test_different_openings_are_counted() -> None:
    """They are different if they lead to different positions, and undecided."""
    for plies, count in ((1, 9), (2, 72), (3, 9 * 28)):
        settings = settings_of("first", "first", opening_plies=plies)
        openings = Openings(settings, LoadedMatch(settings))
        assert openings.count_different(1000) == count
        assert openings.count_different(count - 1) == count - 1
    starts = [Start(moves=(("X", f"X mark {square}"),)) for square in ("a1", "a1", "b2")]
    settings = settings_of("first", "first")
    assert Openings(settings, LoadedMatch(settings), starts).count_different(9) == 2
    settings = settings_of("first", "first", game="ur", opening_plies=1)
    assert Openings(settings, LoadedMatch(settings)).count_different(50) == 50  # dice


def test_openings_are_reused_when_all_are_used() -> None:
    """Twenty pairs use the nine first moves of tic-tac-toe."""
    settings = settings_of("random", "random", games=40, opening_plies=1)
    openings = Openings(settings, LoadedMatch(settings))
    starts = [openings.of_pair(pair).moves for pair in range(1, 21)]
    assert len(set(starts)) == 9
    assert all(len(moves) == 1 for moves in starts)


def test_reused_openings_are_about_equally_frequent() -> None:
    """Ninety pairs use the nine first moves of tic-tac-toe."""
    settings = settings_of("random", "random", games=200, opening_plies=1)
    openings = Openings(settings, LoadedMatch(settings))
    counts = Counter(openings.of_pair(pair).moves for pair in range(1, 91))
    assert len(counts) == 9
    assert max(counts.values()) - min(counts.values()) <= 4


def test_late_openings_do_not_require_all_earlier_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forthvm.autoplay.match.openings._BLOCK_PAIRS", 4)
    settings = settings_of("random", "random", games=99, opening_plies=2)
    in_order, out_of_order = (Openings(settings, LoadedMatch(settings)) for _ in range(2))
    starts = [in_order.of_pair(pair) for pair in range(1, 12)]
    assert out_of_order.of_pair(11) == starts[10]
    assert len(out_of_order._block_openings) == 3  # pairs 9 to 11
    assert [out_of_order.of_pair(pair) for pair in (2, 9)] == [starts[1], starts[8]]


def test_opening_depends_only_on_seed_and_number() -> None:
    settings = settings_of("random", "random", games=40, opening_plies=4)
    in_order, out_of_order = (Openings(settings, LoadedMatch(settings)) for _ in range(2))
    fifteenth = out_of_order.of_pair(15)
    assert [in_order.of_pair(pair) for pair in range(1, 16)][-1] == fifteenth
    other_seed = settings_of("random", "random", games=40, opening_plies=4, seed=2)
    assert Openings(other_seed, LoadedMatch(other_seed)).of_pair(15) != fifteenth


def test_opening_never_ends_the_game() -> None:
    """After seven random plies, many games of tic-tac-toe are over."""
    settings = settings_of("random", "random", games=100, opening_plies=7)
    loaded_match = LoadedMatch(settings)
    openings = Openings(settings, loaded_match)
    for pair in range(1, 51):
        start = openings.of_pair(pair)
        running_game = loaded_match.begin(settings.pair_seed(pair), start)
        assert len(start.moves) == 7
        assert running_game.outcome is None


def test_openings_are_read_from_lines(tmp_path: Path) -> None:
    loaded_match = LoadedMatch(settings_of("random"))
    text = "# the centre\nX mark b2; a1\n\n  c3 ;\n"
    assert read_openings(text, loaded_match) == [
        Start((("X", "X mark b2"), ("O", "O mark a1"))),
        Start((("X", "X mark c3"),)),
    ]


def test_openings_are_read_from_saved_positions() -> None:
    loaded_match = LoadedMatch(settings_of("random"))
    position = loaded("tictactoe").start()
    position.push("b2")
    text = position.to_json()
    expected = [Start((("X", "X mark b2"),))]
    assert read_openings(text, loaded_match) == expected
    assert read_openings(f"[{text},\n{text}]", loaded_match) == expected * 2
    assert read_openings(f"{text}\n{text}\n", loaded_match) == expected * 2


def test_opening_with_its_own_set_up(tmp_path: Path) -> None:
    """The game begins with the pieces, turn and moves of the opening."""
    game = forthvm.load("tictactoe")
    position = game.start(setup=[("X", "mark", "a1"), ("X", "mark", "b1"), ("O", "mark", "c3")])
    position.push("b2")
    (start,) = read_openings(position.to_json(), LoadedMatch(settings_of("random")))
    assert start.setup is not None
    assert starts_from_json(json.loads(json.dumps(starts_to_json([start])))) == [start]
    settings = settings_of("first", games=1)
    from forthvm.autoplay import Match

    with Match.create(settings, tmp_path / "a.db", [start]) as match:
        match.run(workers="threads")
        (row,) = match.rows
    assert row.moves[0] == ("X", "X mark b2")
    # O plays a2, the first free square; X has a1, b1, b2 and plays c1 or completes a row.
    taken = [text.split()[-1] for _, text in row.moves]
    assert not {"a1", "b1", "c3"} & set(taken)


@each_case(
    ("text", "message"),
    [
        ("", "autoplay-openings.no-openings"),
        ("# nothing\n", "autoplay-openings.no-openings"),
        ("b2; b2", "autoplay-openings.line"),
        ("a1\nz9", "autoplay-openings.second-line"),
        ("a1; a2; b1; b2; c1", "autoplay-openings.line-the-game-is-over-there"),
        ('{"format": "x"}', "autoplay-openings.not-a-position"),
        ("[1]", "autoplay-openings.position"),
    ],
)
def test_unplayable_openings_are_reported(text: str, message: str) -> None:
    with raises(MatchError, message):
        read_openings(text, LoadedMatch(settings_of("random")))


def test_repeated_games_of_deterministic_engines_are_counted(tmp_path: Path) -> None:
    """The engine `first` plays the same game after each of the nine openings."""
    rows = played(settings_of("first", "first", games=40, opening_plies=1), tmp_path / "a.db")
    assert len({row.digest for row in rows}) == 9


@pytest.mark.slow
def test_both_games_of_a_pair_have_the_same_dice(tmp_path: Path) -> None:
    """The k-th throw is the same for both players, although the engines draw random numbers."""
    settings = settings_of("random", "random", games=4, game="ur", opening_plies=0)
    rows = played(settings, tmp_path / "a.db")
    throws = [[text for player, text in row.moves if player not in row.seats] for row in rows]
    for one, other in zip(throws[::2], throws[1::2], strict=True):
        common_length = min(len(one), len(other))
        assert common_length > 50
        assert one[:common_length] == other[:common_length]
    assert throws[0][:30] != throws[2][:30]
    chosen = [[text for player, text in row.moves if player in row.seats] for row in rows]
    assert chosen[0] != chosen[1]


@pytest.mark.slow
def test_opening_uses_the_dice_of_its_game(tmp_path: Path) -> None:
    """Throws in the opening are those of the game, and later throws continue the sequence."""
    throws = []
    for plies in (0, 3):
        settings = settings_of("first", games=1, game="ur", opening_plies=plies)
        (row,) = played(settings, tmp_path / f"{plies}.db")
        throws.append([text for player, text in row.moves if player not in row.seats])
    common_length = min(map(len, throws))
    assert throws[0][:common_length] == throws[1][:common_length]

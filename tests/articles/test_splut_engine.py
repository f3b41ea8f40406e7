"""The article's engine: `Score` and `Custom-Engine` compared with the same search in Python."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import forthvm
from tests.articles.random_stream import RandomStream
from tests.articles.splut_positions import cells_of
from tests.articles.splut_tree import custom_engine, generate, minimax
from tests.kit.games import play

Loader = Callable[..., forthvm.Game]

# Removes chance from the engine: $RAND-WITHIN is a DEFER, whose action becomes 0.
WITHOUT_CHANCE = ": no-chance ( low high -- n ) 2DROP 0 ; ' no-chance IS $RAND-WITHIN"


def no_chance(_low: int, _high: int) -> int:
    return 0


def after_plies(game: forthvm.Game, plies: int, seed: int) -> forthvm.Position:
    """Return the position after `plies` random moves without throws, so that all wizards live."""
    chooser = random.Random(seed)
    position = game.start()
    while position.ply < plies:
        quiet = [move for move in position.legal_moves if not move.is_partial]
        position.push(chooser.choice(quiet))
    return position


@pytest.mark.sampled(11)
@pytest.mark.parametrize("plies", [0, 1, 4, 5, 6, 7, 8, 9])
@pytest.mark.parametrize("seed", [1, 2])
def test_best_move_and_score_equal_those_of_the_model(load: Loader, plies: int, seed: int) -> None:
    """Covers every entry of the turn order except the cleaner's."""
    game = load("Duel.4th", WITHOUT_CHANCE)
    position = after_plies(game, plies, seed)
    expected = custom_engine(cells_of(position), plies, draw=no_chance)
    result = forthvm.engines.get("script").play(position)
    assert (str(result.move), result.score) == (expected.best, expected.score)
    assert result.nodes == len(position.legal_moves)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("plies", "seed"), [(4, 1), (4, 2), (4, 3), (7, 1), (7, 2)])
def test_score_equals_minimax_if_sides_change_once(load: Loader, plies: int, seed: int) -> None:
    """At the first of three steps, the search reaches one step of the opponent and equals minimax.

    At other steps, the search reaches two steps of the opponent in a row.  There its signs are
    wrong: it maximizes values that are already negated.  `custom_engine` has the same error.
    """
    game = load("Duel.4th", WITHOUT_CHANCE)
    position = after_plies(game, plies, seed)
    expected = minimax(cells_of(position), plies)
    result = forthvm.engines.get("script").play(position)
    assert (str(result.move), result.score) == (expected.best, expected.score)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", [0, 7, 42])
def test_random_numbers_come_from_the_documented_stream(load: Loader, seed: int) -> None:
    game = load("Duel.4th")
    position = after_plies(game, 4, seed)
    position.seed(seed)
    expected = custom_engine(cells_of(position), 4, draw=RandomStream(seed))
    result = forthvm.engines.get("script").play(position)
    assert (str(result.move), result.score) == (expected.best, expected.score)


def test_engine_of_four_players_equals_the_model(load: Loader) -> None:
    """The three opponents are hostile; the search includes their turns."""
    order = (
        ("South", *["West"] * 2, *["North"] * 3, *["East"] * 3),
        ("?Cleaner", *["South"] * 3, *["West"] * 3, *["North"] * 3, *["East"] * 3),
    )
    engines = """
{players
	{player} South {search-engine} Custom-Engine
	{player} West  {search-engine} Custom-Engine
	{player} North {search-engine} Custom-Engine
	{player} East  {search-engine} Custom-Engine
	{player} ?Cleaner {random}
players}
"""
    game = load("Splut.4th", WITHOUT_CHANCE + engines)
    for plies in (0, 2, 3, 8):
        position = after_plies(game, plies, 5)
        expected = custom_engine(cells_of(position), plies, draw=no_chance, order=order)
        result = forthvm.engines.get("script").play(position)
        assert (str(result.move), result.score) == (expected.best, expected.score)


def test_search_does_not_change_the_position(load: Loader) -> None:
    game = load("Duel.4th", WITHOUT_CHANCE)
    position = after_plies(game, 4, 9)
    board, moves = cells_of(position), [str(move) for move in position.legal_moves]
    result = forthvm.engines.get("script").play(position)
    assert cells_of(position) == board
    assert [str(move) for move in position.legal_moves] == moves
    position.push(result.move)
    assert position.ply == 5


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("plies", "seed"), [(0, 1), (4, 1), (5, 2)])
def test_statistics_count_evaluations(load: Loader, tmp_path: Path, plies: int, seed: int) -> None:
    """The script logs one number for each root move, then an empty line; its search does not prune.

    The fragment sets $gameLog, so the numbers are written to the game's log.
    """
    printed: list[str] = []
    game = load("statistics.4th", WITHOUT_CHANCE, output=printed.append, game_log=tmp_path)
    position = after_plies(game, plies, seed)
    expected = minimax(cells_of(position), plies)
    result = forthvm.engines.get("script").play(position)
    assert (str(result.move), result.score) == (expected.best, expected.score)
    assert printed == []
    log = (tmp_path / f"{game.name}.log").read_text(encoding="ascii")
    assert log.split("\n") == [*(f"{count} " for count in expected.evaluations), "", ""]


def test_engine_continues_after_throws_in_its_tree(load: Loader) -> None:
    """The search applies partial moves itself and leaves $partial set; this does not affect play.

    The fragment's search ignores $partial, too: after a troll has picked up a stone, the search
    generates the next player's moves, and the stone is off the board until a troll throws it.
    """
    game = load("Duel.4th", WITHOUT_CHANCE)
    squares = {
        ("South", "wizard", "e2"), ("South", "dwarf", "d3"), ("South", "troll", "e5"),
        ("North", "wizard", "c7"), ("North", "dwarf", "f8"), ("North", "troll", "g4"),
        ("West", "sstone", "f5"), ("West", "nstone", "g5"), ("West", "wstone", "b4"),
        ("West", "estone", "h6"), ("South", "lock", "f1"), ("North", "lock", "h1"),
    }  # fmt: skip
    position = game.start(setup=sorted(squares))
    engine = forthvm.engines.get("script")
    partial_moves = 0
    for ply in range(3):
        assert not position.is_partial
        assert position.turn == ("South", "North", "North")[ply]
        before = cells_of(position)
        options = generate(before, position.turn)
        assert [str(move) for move in position.legal_moves] == [option.text for option in options]
        partial_moves += sum(option.partial for option in options)
        expected = custom_engine(before, ply, draw=no_chance)
        result = engine.play(position)
        assert (str(result.move), result.score) == (expected.best, expected.score)
        # Moves that throw are not played, so that the turn order advances with each ply.
        quiet = [move for move in position.legal_moves if not move.is_partial]
        position.push(result.move if not result.move.is_partial else quiet[0])
    assert partial_moves > 0


def test_engine_searches_throws_after_a_partial_move(load: Loader) -> None:
    """After a partial move the engine searches again, with throws as the only root moves."""
    game = load("Duel.4th", WITHOUT_CHANCE)
    squares = [
        ("South", "wizard", "e2"), ("South", "dwarf", "d3"), ("South", "troll", "e5"),
        ("North", "wizard", "c7"), ("North", "dwarf", "i5"), ("North", "troll", "e8"),
        ("West", "sstone", "f5"), ("West", "nstone", "b4"), ("West", "wstone", "g3"),
        ("West", "estone", "h6"),
    ]  # fmt: skip
    position = play(game.start(setup=squares), "troll e5 x f5")
    assert position.is_partial
    before = cells_of(position)
    texts = [option.text for option in generate(before, "South", only_drops=True)]
    assert [str(move) for move in position.legal_moves] == texts
    expected = custom_engine(before, 0, draw=no_chance, only_drops=True)
    # Minimax captures the dwarf on i5; with the article's signs after two steps of the
    # opponent, the search does not.
    assert minimax(before, 0, only_drops=True).best.startswith("South sstone i5 ")
    assert expected.best.startswith("South sstone f8 ")
    result = forthvm.engines.get("script").play(position)
    assert (str(result.move), result.score) == (expected.best, expected.score)
    position.push(result.move)
    assert not position.is_partial
    assert position.turn == "North"


def test_search_of_the_article_fails_for_a_player_without_moves(load: Loader) -> None:
    """The fragment reads the first move of a list without checking that the list has one.

    Here the throw kills North's wizard and removes the team; the original then read address 0.
    The failure is reported at the fragment's line, and the best move so far is played.
    """
    game = load("Duel.4th", WITHOUT_CHANCE)
    squares = [
        ("South", "wizard", "e2"), ("South", "dwarf", "d3"), ("South", "troll", "e5"),
        ("North", "wizard", "i5"), ("North", "dwarf", "f8"), ("North", "troll", "e8"),
        ("West", "sstone", "f5"), ("West", "nstone", "b4"), ("West", "wstone", "g3"),
        ("West", "estone", "h6"),
    ]  # fmt: skip
    position = play(game.start(setup=squares), "troll e5 x f5")
    result = forthvm.engines.get("script").play(position)
    (fault,) = result.info["faults"]  # type: ignore[misc]
    assert "generic-alpha-beta-clipping.fragment:23:" in fault
    assert result.move in position.legal_moves  # the best one before the failure
    assert position.is_partial
    position.push("South sstone i5 x e8 x f8 South lock a1 South lock f1")
    assert position.turn == "North"
    assert [str(move) for move in position.legal_moves] == ["Pass"]

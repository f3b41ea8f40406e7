"""Games after their end, and players for whom the host draws: what is legal and shown."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import forthvm
from forthvm import render
from forthvm.engines import choose_move, get
from forthvm.game import Position, PositionError
from forthvm.learn.adapters.episode import Episode
from tests.kit.games import loaded, play
from tests.kit.messages import raises

RULE_FILES = Path(__file__).parents[1] / "zrf" / "games"
GRID = "{board 3 3 {grid} board}"
DROPS = """
: put empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} man {drops} puts pieces}
"""


def over() -> Position:
    """Tic-tac-toe after the third X in column a."""
    position = play(loaded("tictactoe").start(), "a1", "b1", "a2", "b2", "a3")
    return position


def test_a_move_after_the_end_is_shown() -> None:
    position = over()
    position.push(position.generated_moves[0], after_end=True)
    assert [event.player for event in render.scene(position).events]
    assert position.history[-1].text == "O mark b3"


def test_a_move_after_the_end_is_explained() -> None:
    position = over()
    assert forthvm.explain(position, "b3").move == "O mark b3"
    assert forthvm.explain(position, position.generated_moves[0]).origins
    refusal = forthvm.why_not(position, "b3")
    assert refusal.kind == "over"
    assert "since there is no move" not in refusal.summary


def test_a_draw_by_passes_has_no_legal_moves(tmp_path: Path) -> None:
    """The moves come back in the third turn, when the game is over already."""
    path = tmp_path / "skip.4th"
    path.write_text(
        f"{GRID} {{players {{player}} X {{player}} O players}}"
        " {turn-order {turn} X {turn} O turn-order}"
        + DROPS.replace("empty? verify", "turn-number 2 > verify empty? verify")
        + ": OnIsGameOver #UnknownScore ;"
    )
    position = forthvm.load(path).start()
    position.push_pass()
    position.push_pass()
    assert str(position.result) == "draw: no player has a move"
    assert len(position.generated_moves) == 9
    assert len(position.legal_moves) == len(list(position.legal_moves)) == 0
    assert len(position.legal_actions) == len(position.legal_moves.actions) == 0


def test_the_host_draws_for_neutral_players(tmp_path: Path) -> None:
    path = tmp_path / "neutral.4th"
    path.write_text(
        f"{GRID} {{players {{player}} X {{player}} O {{neutral}} N players}}"
        " {turn-order {turn} X {turn} N {turn} O {turn} N turn-order}" + DROPS
    )
    numpy = pytest.importorskip("numpy")
    game = forthvm.load(path)
    position = game.start()
    assert position.chances == ()
    position.push(position.legal_moves[0])
    assert [probability for _, probability in position.chances] == pytest.approx([1 / 8] * 8)
    drawn = set()
    for seed in range(20):
        episode = Episode(game)
        episode.begin(numpy.random.default_rng(seed))
        episode.play(0)
        drawn.add(episode.position.history[1].text)
    assert len(drawn) > 3


def test_a_game_of_a_document_is_written_for_zillions() -> None:
    """The moves count, although the states after them depend on what an engine left."""
    game = forthvm.load(RULE_FILES / "breakthrough.zrf")
    position = game.start()
    for _ in range(3):
        position.push(choose_move(get("axiom:depth=1"), position).move)
    assert Position.from_json(game, position.to_json()).to_zsg() == position.to_zsg()
    script = play(loaded("tictactoe").start(), "b2")
    read = Position.from_json(script.game, script.to_json())
    with raises(PositionError, "after-the-end.no-rule-file"):
        read.to_zsg()


def test_random_games_are_those_of_positions() -> None:
    """The numbers of actions come from the same random games as by playing with positions."""
    from forthvm.game.random_games import RandomGames

    game = forthvm.load("breakthrough")
    cells = [game._loaded.cells_of(state) for state in RandomGames(game._loaded, 1).play(40)]
    chooser, position = random.Random(1), game.start()
    position.seed(int(chooser.random() * 2**31))
    for expected in cells:
        assert position.cells == expected
        moves = position.legal_moves
        position.push(moves[int(chooser.random() * len(moves))])

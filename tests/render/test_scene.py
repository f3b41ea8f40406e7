"""What a scene says about a position: turns, marks, events, players, hidden pieces."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from forthvm import render
from forthvm.game import Position, load
from forthvm.game.events import events_of
from forthvm.render.scene_types import Scene
from tests.kit.boards import grid
from tests.kit.every_game import every_game
from tests.kit.games import load_text, play, script_of
from tests.kit.messages import raises


def turns_of(scene: Scene) -> list[tuple[str, int]]:
    return [(scene.players[turn.player].name, turn.moves) for turn in scene.turns]


@every_game()
def test_a_scene_is_json(name: str) -> None:
    scene = render.scene(load(name, seed=1).start())
    described = json.loads(json.dumps(scene.as_json()))
    assert described.keys() == {"board"} | scene.as_json(board=False).keys()
    assert len(described["board"]["squares"]) == len(scene.board.squares)
    names = {square["name"] for square in described["board"]["squares"]}
    assert {piece["square"] for piece in described["pieces"]} <= names


def test_the_turns_of_a_round() -> None:
    """The turn order of Splut!: South has one move in the first round, then three."""
    position = load("splut").start()
    first = [("South", 1), ("West", 2), ("North", 3), ("East", 3), ("?Cleaner", 1)]
    assert turns_of(render.scene(position))[:5] == first
    while position.turn != "North":
        position.push(position.legal_moves[0])
    assert turns_of(render.scene(position))[0] == ("North", 3)
    position.push(position.legal_moves[0])
    assert turns_of(render.scene(position))[0] == ("North", 2)


def test_a_turn_order_may_name_a_word_that_is_no_player(tmp_path: Path) -> None:
    """The turn fails when it comes; until then the board is drawn."""
    script = script_of("tictactoe")
    damaged = re.sub(r"(\{turn-order\s+\{turn\}\s+\w+\s+\{turn\}\s+)\w+", r"\1HERE", script)
    assert damaged != script
    position = load_text(tmp_path, damaged, name="damaged.4th").start()
    assert turns_of(render.scene(position)) == [(position.turn, 1)]
    assert render.text(position)


def test_a_script_may_overwrite_where_the_turn_order_repeats(tmp_path: Path) -> None:
    damage = "\n-2147483648 $repeatOffset !\n"
    position = load_text(tmp_path, script_of("tictactoe") + damage).start()
    assert turns_of(render.scene(position)) == [(position.turn, 1)]


def test_the_events_of_a_round_begin_with_the_last_turn_of_the_player_to_move() -> None:
    position = load("chess").start()
    play(position, "e2 - e4", "d7 - d5", "e4 x d5", "queen d8 x d5")
    events = render.scene(position).events
    assert [event.move for event in events] == ["pawn e4 x d5", "queen d8 x d5"]
    assert [event.effects for event in events] == [
        ("Black's pawn on d5 is captured.",),
        ("White's pawn on d5 is captured.",),
    ]
    assert [position.game.players[event.player] for event in events] == ["White", "Black"]


def test_an_error_in_an_announcement_does_not_prevent_drawing(tmp_path: Path) -> None:
    position = load_text(
        tmp_path, STRATEGY.replace("\\ more", ": OnAnnounce 1 0 / ;"), name="fails.4th"
    ).start()
    position.push(position.legal_moves[0])
    assert "division by zero" in render.scene(position).events[-1].effects[0]
    assert "division" not in render.text(position) + render.svg(position)


def test_a_player_without_pieces_that_can_move_is_out() -> None:
    game = load("yonin-shogi")
    kings = [("South", "king", "e1"), ("West", "fallen", "a5"), ("North", "king", "e9")]
    position = game.start(setup=[*kings, ("East", "king", "i5")])
    assert [player.name for player in render.scene(position).players if player.eliminated] == [
        "West"
    ]
    assert not any(player.eliminated for player in render.scene(game.start()).players)


def test_dice_are_pieces_of_chance_named_after_numbers(tmp_path: Path) -> None:
    position = load_text(
        tmp_path,
        """(game (title "Race") (players White ?Dice) (turn-order ?Dice White)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0))) (directions (e 1)))
          (positions (table 50 0 59 9)))
        (board-setup (White (Man a)) (?Dice (d6 off 1)))
        (piece (name Man) (moves (e (verify empty?) add)))
        (piece (name d6) (drops (table (verify empty?) add))))""",
        name="race.zrf",
    ).start()
    assert render.scene(position).dice == ()
    position.push(position.legal_moves[0])
    assert render.scene(position).dice == (6,)


# --- what only the owner sees ---------------------------------------------------------------

STRATEGY = grid(3, 3, "n s")
STRATEGY += """\
: step ( 'dir -- ) EXECUTE verify friend? NOT verify from here move add-move ;
: forward ['] n step ; : back ['] s step ;
{moves steps {move} forward {move} back moves}
{pieces {piece} general {moves} steps {piece} spy {moves} steps {piece} flag pieces}
{board-setup
    {setup} White general a1 {setup} White spy b1 {setup} White flag c1
    {setup} Black general a3 {setup} Black spy b3 {setup} Black flag c3
board-setup}
: OnIsGameOver turn-number 4 > IF #DrawScore ELSE #UnknownScore ENDIF ;
: OnShow ." ?general ~spy" ;
\\ more
"""


@pytest.fixture
def secrets(tmp_path: Path) -> Position:
    """Others do not know which piece a general is, and do not see spies."""
    return load_text(tmp_path, STRATEGY, name="secrets.4th").start()


def pieces_seen(position: Position, viewer: str | None) -> dict[str, str]:
    return {piece.square: piece.type for piece in render.scene(position, for_player=viewer).pieces}


def test_each_player_sees_own_secrets_only(secrets: Position) -> None:
    assert pieces_seen(secrets, "White") == {
        "a1": "general", "b1": "spy", "c1": "flag", "a3": "?", "c3": "flag",
    }  # fmt: skip
    assert pieces_seen(secrets, "Black") == {
        "a1": "?", "c1": "flag", "a3": "general", "b3": "spy", "c3": "flag",
    }  # fmt: skip
    assert pieces_seen(secrets, None) == {"a1": "?", "c1": "flag", "a3": "?", "c3": "flag"}


def test_text_and_picture_keep_secrets(secrets: Position) -> None:
    for viewer in (None, "Black"):
        text = render.text(secrets, for_player=viewer)
        picture = render.svg(secrets, for_player=viewer)
        assert "White general" not in picture
        assert "White spy" not in picture
        assert "W.spy" not in text
        assert "W.general" not in text
    assert "W.spy" in render.text(secrets, for_player="White")
    assert "spy" in render.text(secrets, everything=True).casefold()


def test_texts_of_moves_keep_secrets(secrets: Position) -> None:
    game = secrets.game
    for text, for_others in (("general a1 - a2", "? a1 - a2"), ("spy b3 - b2", "…")):
        secrets.push(text)
        entry = secrets.history[-1]
        other = "Black" if entry.player == "White" else "White"
        assert secrets._shown(entry.player).move_text(game._loaded, entry) == text
        assert secrets._shown(other).move_text(game._loaded, entry) == for_others
        assert secrets._shown(None).move_text(game._loaded, entry) == for_others
        assert render.scene(secrets, for_player=other).events[-1].move == for_others
    assert render.scene(secrets, for_player="White").marks == ()
    assert {mark.square for mark in render.scene(secrets, for_player="Black").marks} == {"b3", "b2"}


def test_marks_stay_after_moves_of_chance() -> None:
    """The ?Cleaner of Splut! moves after each round, on places that players do not see."""
    position = load("splut").start()
    while not position.is_chance:
        position.push(position.legal_moves[0])
    marks = render.scene(position).marks
    assert len(marks) == 2
    position.push(position.legal_moves[0])
    assert render.scene(position).marks == marks


def test_values_that_players_see_are_in_words(tmp_path: Path) -> None:
    """A value for each player where an array has as many; internal state keeps its form."""
    declared = "{variable} last-score 2 {array} men_taken board}"
    words = ': OnNewGame 7 last-score ! 3 0 men_taken ! ; : OnShow ." last-score men_taken" ;'
    script = script_of("tictactoe").replace("board}", declared)
    position = load_text(tmp_path, f"{script}\n{words}\n").start()
    assert render.scene(position).notes == ("last score: 7", "men taken: X 3, O 0")
    assert render.scene(position, everything=True).notes == ("last-score = 7", "men_taken = 3 0")


def test_no_event_names_a_secret(secrets: Position) -> None:
    play(secrets, "general a1 - a2", "general a3 x a2")
    (event,) = events_of(secrets, "Black")
    assert event.text == "White's ? on a2 is captured."
    said = json.dumps(render.scene(secrets, for_player=None).as_json(board=False))
    assert "general" not in said
    assert "spy" not in said


def test_all_pieces_are_seen_at_the_end(secrets: Position) -> None:
    for text in ("a1 - a2", "c3", "b1 - b2"):
        matching = [move for move in secrets.legal_moves if text in str(move)]
        secrets.push(matching[0] if matching else secrets.legal_moves[0])
    while secrets.result is None:
        secrets.push(secrets.legal_moves[0])
    assert "spy" in pieces_seen(secrets, None).values()


def test_unknown_players_are_refused(secrets: Position) -> None:
    with raises(ValueError, "scene.unknown-player"):
        render.scene(secrets, for_player="Green")


def test_a_position_from_a_document_has_the_moves_without_effects() -> None:
    """The states before its moves are unknown; replaying the game for a picture would take long."""
    position = load("chess").start()
    play(position, "e2 - e4", "d7 - d5", "e4 x d5")
    saved = Position.from_json(position.game, position.to_json())
    assert [(event.move, event.effects) for event in render.scene(saved).events] == [
        ("pawn d7 - d5", ()),
        ("pawn e4 x d5", ()),
    ]

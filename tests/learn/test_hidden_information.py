"""Hidden pieces: what a player does not see is in no observation and in no information state."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy
import pytest

import forthvm
from forthvm import render
from forthvm.game import Game, Position
from forthvm.learn.observations import Observer
from tests.kit.games import load_text, play, script_of
from tests.kit.random_games import push_random_move, push_random_moves
from tests.learn.positions import played


@pytest.fixture
def blind() -> Game:
    """Breakthrough in which players see only their own pawns."""
    return forthvm.load("breakthrough", settings={"OnShow": "~pawn"})


def breakthrough(folder: Path, shown: str) -> Game:
    """Return Breakthrough with a word OnShow."""
    return load_text(folder, f'{script_of("breakthrough")}\n: OnShow ." {shown} " ;\n')


def kinds(observer: Observer, planes: numpy.ndarray[Any, Any]) -> dict[tuple[str, str | None], int]:
    """Return the number of squares with pieces on the planes of each kind and owner."""
    return {
        (plane.kind, plane.owner): int((numbers > 0).sum())
        for plane, numbers in zip(observer.spec.planes, planes, strict=True)
        if plane.kind in ("piece", "unknown type")
    }


def test_players_see_only_their_own_pieces(blind: Game) -> None:
    observer = forthvm.observer(blind)
    for position in played(blind, 1):
        if position.result is None:
            for player in blind.players:
                planes = observer.observe(position, for_player=player)
                own = sum(piece.player == player for _, piece in position.board.occupied())
                assert kinds(observer, planes) == {("piece", "own"): own, ("piece", "next"): 0}


def test_observation_does_not_depend_on_hidden_pieces(blind: Game) -> None:
    observer = forthvm.observer(blind, history=3)
    position = push_random_moves(blind.start(), 9, random.Random(4))
    pieces = [(str(p.player), p.type, square) for square, p in position.board.occupied()]
    white = [piece for piece in pieces if piece[0] == "White"]
    for others in ([], [("Black", "pawn", "h8")], [("Black", "pawn", "e7")]):
        hidden = [p for p in others if p[2] not in {square for _, _, square in white}]
        other = blind.start(setup=[*white, *hidden], turn="White")
        same = blind.start(setup=white, turn="White")
        for view in (other, same):
            assert (
                render.scene(view, for_player="White").pieces
                == render.scene(other, for_player="White").pieces
            )
        first: Any = observer.observe(other, for_player="White")
        assert (first == observer.observe(same, for_player="White")).all()


def test_all_pieces_are_shown_at_the_end(blind: Game) -> None:
    observer = forthvm.observer(blind, history=2)
    position = push_random_moves(blind.start(), 500, random.Random(1))
    assert position.result is not None
    for player in blind.players:
        planes: Any = observer.observe(position, for_player=player)
        shown = sum(
            int(numbers.sum())
            for plane, numbers in zip(observer.spec.planes, planes, strict=True)
            if plane.kind == "piece" and plane.history == 0
        )
        assert shown == len(list(position.board.occupied()))
        earlier = [
            numbers
            for plane, numbers in zip(observer.spec.planes, planes, strict=True)
            if plane.owner == "next" and plane.history == 1
        ]
        assert not numpy.any(earlier)


def test_only_the_type_is_hidden(tmp_path: Path) -> None:
    game = breakthrough(tmp_path, "?pawn")
    observer = forthvm.observer(game)
    planes = observer.observe(game.start(), for_player="Black")
    assert kinds(observer, planes) == {
        ("piece", "own"): 16,
        ("piece", "next"): 0,
        ("unknown type", "own"): 0,
        ("unknown type", "next"): 16,
    }


def test_pieces_that_no_player_sees_are_left_out_on_request(tmp_path: Path) -> None:
    game = breakthrough(tmp_path, "-pawn")
    observed = numpy.asarray(forthvm.observer(game, internal=False).observe(game.start()))
    assert not numpy.any(observed[:-1])  # the last plane has the squares of the board
    assert numpy.any(forthvm.observer(game).observe(game.start()))


@pytest.mark.slow
def test_marks_are_left_out_on_request() -> None:
    game = forthvm.load("chess")
    shown, hidden = forthvm.observer(game), forthvm.observer(game, internal=False)
    assert "clock" in [plane.name for plane in shown.spec.planes]
    assert "clock" not in [plane.name for plane in hidden.spec.planes]
    assert "white-O-O" in shown.squares("White")
    assert "white-O-O" not in hidden.squares("White")
    assert hidden.spec.shape[1:] == (8, 8)


def test_games_with_hidden_pieces_show_no_internal_state(tmp_path: Path) -> None:
    script = tmp_path / "chess.4th"
    path = forthvm.load("chess").path
    show = ': OnShow ." ~pawn {} " ;'
    text = path.read_text("utf-8")
    for file in path.parent.glob("*.4th"):
        (tmp_path / file.name).write_text(file.read_text("utf-8"))
    script.write_text(f"{text}\n{show.format('')}\n")
    observer = forthvm.observer(forthvm.load(script))
    assert not observer.spec.internal
    assert "clock" not in [plane.name for plane in observer.spec.planes]
    assert "white-O-O" not in observer.squares("White")
    (tmp_path / "shown.4th").write_text(f"{text}\n{show.format('clock white-O-O')}\n")
    observer = forthvm.observer(forthvm.load(tmp_path / "shown.4th"))
    assert "clock" in [plane.name for plane in observer.spec.planes]
    assert "white-O-O" in observer.squares("White")


# --- stores of rule files ----------------------------------------------------------------------

STORES = """(game (title "Stores")
  (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("1" (0 10)))
    (directions (e 1 0))))
  (piece (name Man) (drops ((verify empty?) add)))
  (piece (name Tent) (drops ((verify empty?) add)))
  (board-setup (White (Man off 1) (Tent off {tents})) (Black (Man off {men}) (Tent off 1))))
"""


def test_others_do_not_observe_hidden_stores(tmp_path: Path) -> None:
    """White's view does not depend on what Black has in store; its own store is in its view."""
    script = tmp_path / "stores.zrf"
    views: list[Any] = []
    spec = None
    for tents, men in ((2, 1), (2, 2), (1, 1)):
        script.write_text(STORES.format(tents=tents, men=men))
        game = forthvm.load(script, settings={"OnShow": "~stores"})
        observer = forthvm.observer(game, spec=spec)
        spec = observer.spec
        position = game.start()
        states = [observer.information_state(position, player) for player in game.players]
        views.append((observer.observe(position, for_player="White").tolist(), states))
    (first, states), (other_men, black_differs), (other_tents, white_differs) = views
    assert first == other_men != other_tents
    assert states[0] == black_differs[0] != white_differs[0]
    assert states[1] == white_differs[1] != black_differs[1]


# --- information states ----------------------------------------------------------------------


def seen_so_far(position: Position, player: str) -> object:
    """Return what a player has seen, from scenes: an independent model of information states."""
    game = position.game
    replayed, views = game.start(), []
    for entry in [None, *position.history]:
        if entry is not None:
            replayed.push(entry)
        scene = render.scene(replayed, for_player=player)
        text = scene.events[-1].move if scene.events else ""
        moves = replayed.legal_moves.texts if replayed.turn == player else ()
        views.append(str((scene.pieces, text, replayed.turn, sorted(moves), scene.result)))
    return tuple(views)


@pytest.mark.slow
def test_information_states_are_equal_if_the_player_saw_the_same(blind: Game) -> None:
    """Compare all games of four plies whose first plies differ a little."""
    observer = forthvm.observer(blind)
    states: dict[str, object] = {}
    seen: dict[object, str] = {}
    for seed in range(12):
        chooser = random.Random(seed % 6)  # White plays the same moves in several games
        other = random.Random(seed)
        position = blind.start()
        for _ in range(6):
            push_random_move(position, chooser if position.turn == "White" else other)
            for player in blind.players:
                text = observer.information_state(position, player)
                model = player, seen_so_far(position, player)
                assert states.setdefault(text, model) == model
                assert seen.setdefault(model, text) == text
    assert 40 < len(states) < 12 * 6 * 2


def test_information_states_without_hidden_pieces_are_histories() -> None:
    game = forthvm.load("tictactoe")
    observer = forthvm.observer(game)
    found: dict[str, tuple[str, ...]] = {}
    for seed in range(30):
        for position in played(game, seed, every=1):
            moves = tuple(entry.text for entry in position.history)
            for player in game.players:
                text = observer.information_state(position, player)
                assert found.setdefault(text, (player, *moves)) == (player, *moves)


def test_information_state_without_a_player_is_that_of_the_player_to_move() -> None:
    game = forthvm.load("tictactoe")
    observer = forthvm.observer(game)
    position = play(game.start(), "b2")
    assert observer.information_state(position) == observer.information_state(position, "O")
    assert "b2" in observer.information_state(position, "X")

"""The spec of observations, its form as JSON, and the planes of unusual scripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy
import pytest

import forthvm
from forthvm.learn.observations import ObservationSpec, Observer, Plane
from tests.kit.cases import each_case
from tests.kit.games import load_text
from tests.kit.messages import raises

TWO_PLAYERS = "{players {player} White {player} Black players}\n"
BOARD = "{board 3 3 {grid} board}\n{directions -1 0 {direction} n directions}\n"
ORDER = "{turn-order {turn} White {turn} Black turn-order}\n"
MOVES = ": step n verify from here move add-move ;\n{moves ms {move} step moves}\n"
PIECES = "{pieces {piece} man {moves} ms pieces}\n"
SETUP = "{board-setup {setup} White man a1 {setup} Black man b1 board-setup}\n"


def observer_of(folder: Path, text: str, **options: Any) -> Observer:  # noqa: ANN401 - options
    """Return an observer of a script."""
    return forthvm.observer(load_text(folder, text, name="script.4th"), **options)


def names(observer: Observer) -> list[str]:
    """Return the names of the planes."""
    return [plane.name for plane in observer.spec.planes]


# --- the spec ----------------------------------------------------------------------------------


def test_spec_describes_each_plane() -> None:
    spec = forthvm.observer(forthvm.load("breakthrough"), history=2).spec
    assert spec.shape == (8, 8, 8)
    assert [plane.name for plane in spec.planes] == [
        "own: pawn",
        "next: pawn",
        "other pieces and numbers",
        "own: pawn, 1 ply ago",
        "next: pawn, 1 ply ago",
        "other pieces and numbers, 1 ply ago",
        "next to move",
        "squares of the board",
    ]
    assert spec.planes[4] == Plane(
        kind="piece", name="next: pawn, 1 ply ago", history=1, piece="pawn", owner="next"
    )
    assert (spec.view, spec.history, spec.internal) == ("mover", 2, True)
    assert spec.squares[0] == "a8"
    assert spec.board == (8, 8)


def test_absolute_view_names_the_players() -> None:
    spec = forthvm.observer(forthvm.load("breakthrough"), view="absolute").spec
    assert [plane.owner for plane in spec.planes] == ["White", "Black", None, "Black", None]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["chess", "ur", "splut", "tictactoe"])
def test_spec_as_json(name: str) -> None:
    game = forthvm.load(name)
    first = forthvm.observer(game, history=3)
    text = first.spec.to_json(indent=1)
    assert json.loads(text)["format"] == "forthvm observations"
    spec = ObservationSpec.from_json(text)
    assert spec == first.spec
    again = forthvm.observer(game, spec=spec)
    assert again.spec == spec
    position = game.start()
    assert (again.observe(position) == first.observe(position)).all()


@each_case(
    "text", ["", "[]", "{}", '{"format": "forthvm observations", "version": 2}', "[" * 100_000]
)
def test_other_documents_are_refused(text: str) -> None:
    with raises(ValueError, "spec.not-a-spec"):
        ObservationSpec.from_json(text)


@each_case(
    "ranges", [{"variables": [0]}, {"owners": ["own"]}, {"attributes": 2**40}, {"move_type": None}]
)
def test_ranges_of_other_types_are_refused(ranges: dict[str, object]) -> None:
    document = json.loads(forthvm.observer(forthvm.load("tictactoe")).spec.to_json())
    document["ranges"] |= ranges
    with raises(ValueError, "spec.not-a-spec"):
        ObservationSpec.from_json(json.dumps(document))


def test_spec_of_another_game_is_refused() -> None:
    spec = forthvm.observer(forthvm.load("breakthrough")).spec
    for name in ("chess", "tictactoe"):
        with raises(ValueError, "spec.another-game", name=name):
            forthvm.observer(forthvm.load(name), spec=spec)


def test_a_spec_and_its_parts_are_not_given_together() -> None:
    game = forthvm.load("tictactoe")
    spec = forthvm.observer(game, history=2).spec
    assert forthvm.observer(game, spec=spec).spec.history == 2
    with raises(ValueError, "spec.spec-and-options"):
        forthvm.observer(game, spec=spec, history=2)


@pytest.mark.slow
def test_spec_does_not_depend_on_the_run() -> None:
    for name in ("chess", "ur"):
        specs = [forthvm.observer(forthvm.load(name)).spec for _ in range(2)]
        assert specs[0] == specs[1]


# --- unusual scripts ---------------------------------------------------------------------------


def test_board_without_a_grid(tmp_path: Path) -> None:
    text = (
        "{board {position} north-pole {position} equator {position} south-pole board}\n"
        "{directions {link} up equator north-pole {link} up south-pole equator\n"
        "    {link} down equator south-pole {link} down north-pole equator directions}\n"
        + TWO_PLAYERS
        + ORDER
        + "{symmetries Black {symmetry} up down symmetries}\n"
        + ": step up verify empty? verify from here move add-move ;\n{moves ms {move} step moves}\n"
        + PIECES
        + "{board-setup {setup} White man south-pole {setup} Black man north-pole board-setup}\n"
    )
    observer = observer_of(tmp_path, text)
    assert observer.spec.board is None
    assert observer.spec.shape == (5, 3)
    assert observer.squares("White") == {"north-pole": (0,), "equator": (1,), "south-pole": (2,)}
    assert observer.squares("Black") == {"north-pole": (2,), "equator": (1,), "south-pole": (0,)}
    start = observer.game.start()
    planes: Any = observer.observe(start, for_player="White")
    assert planes[:2].tolist() == [[0, 0, 1], [1, 0, 0]]
    assert (observer.observe(start, for_player="Black")[:2] == planes[:2]).all()  # type: ignore[index]


def test_positions_beside_a_grid_are_below_it(tmp_path: Path) -> None:
    text = (
        "{board 2 3 {grid} {position} White-hand {position} Black-hand {position} x {position} y\n"
        "board}\n{directions -1 0 {direction} n directions}\n"
        + TWO_PLAYERS
        + ORDER
        + MOVES
        + PIECES
        + "{board-setup {setup} White man White-hand {setup} Black man y board-setup}\n"
    )
    observer = observer_of(tmp_path, text)
    assert observer.spec.board == (2, 3)
    assert observer.spec.shape[1:] == (4, 3)
    assert observer.spec.squares[6:] == ("White-hand", "Black-hand", "x", "y", None, None)
    planes: Any = observer.observe(observer.game.start(), for_player="Black")
    assert planes[:2, 2:].tolist() == [[[0, 0, 0], [1, 0, 0]], [[0, 1, 0], [0, 0, 0]]]
    board = names(observer).index("squares of the board")
    assert planes[board].tolist() == [[1, 1, 1], [1, 1, 1], [0, 0, 0], [0, 0, 0]]


def test_huge_numbers_are_shown_within_bounds(tmp_path: Path) -> None:
    text = (
        "{board 3 3 {grid} {variable} wealth {variable} fixed 9 {array} heat 2 {array} purse\n"
        "    3 {array} odds board}\n{directions -1 0 {direction} n directions}\n"
        + TWO_PLAYERS
        + ORDER
        + ": richer wealth @ 3 * 1000000 + wealth ! wealth @ 0 heat ! 5 1 purse ! ;\n"
        + ": step n verify from here move COMPILE richer add-move ;\n"
        + "{moves ms {move} step moves}\n"
        + PIECES
        + SETUP
    )
    observer = observer_of(tmp_path, text)
    found = names(observer)
    assert "fixed" not in found
    wealth, heat = found.index("wealth"), found.index("heat")
    assert observer.spec.planes[wealth].high >= 1_000_000
    assert observer.spec.planes[heat].kind == "array"
    assert found.index("next: purse") == found.index("own: purse") + 1
    game = observer.game
    last = -1.0
    for value in (-(2**31), -5, 0, 7, 10**6, 10**7, 2**31 - 1):
        position = game.start(variables={"wealth": value})
        planes: Any = observer.observe(position)
        assert -1 <= last < planes[wealth].min() == planes[wealth].max() <= 2
        last = planes[wealth].min() + 1e-9
    other = found.index("other pieces and numbers")
    assert not planes[other].any()
    for name in ("fixed", "odds[2]"):
        assert numpy.all(observer.observe(game.start(variables={name: -3}))[other] == 1)  # type: ignore[index]
    own = found.index("own: purse")
    for player, at in (("White", 0), ("Black", 1)):
        for index in (0, 1):
            position = game.start(variables={f"purse[{index}]": 5})
            planes = observer.observe(position, for_player=player)
            assert planes[own + (index - at) % 2].all()
            assert not planes[own + (index - at + 1) % 2].any()
    planes = observer.observe(game.start(variables={"heat[2]": 10**6}), for_player="White")
    assert planes[heat].nonzero()[0].tolist() == [0]
    assert planes[heat].nonzero()[1].tolist() == [2]


def test_many_types_have_planes_of_their_own(tmp_path: Path) -> None:
    types = "\n".join(f"{{piece}} t{at} {{moves}} ms" for at in range(300))
    text = (
        BOARD
        + TWO_PLAYERS
        + ORDER
        + MOVES
        + f"{{pieces\n{types}\npieces}}\n"
        + "{board-setup {setup} White t299 a1 {setup} Black t7 b1 board-setup}\n"
    )
    observer = observer_of(tmp_path, text)
    found = names(observer)
    assert found[:2] == ["t0", "t1"]
    assert found[300:303] == ["own: all", "next: all", "other pieces and numbers"]
    planes: Any = observer.observe(observer.game.start())
    shown = {name for name, numbers in zip(found, planes, strict=True) if numbers.any()}
    assert shown == {"t7", "t299", "own: all", "next: all", "squares of the board"}
    assert planes[[299, 300], 2, 0].tolist() == [1, 1]


def test_pieces_that_random_games_do_not_show_are_not_lost(tmp_path: Path) -> None:
    text = (
        BOARD
        + "{players {player} White {player} Black {neutral} Nobody players}\n"
        + ORDER
        + MOVES
        + PIECES
        + SETUP
    )
    observer = observer_of(tmp_path, text)
    assert not any("Nobody" in name for name in names(observer))
    position = observer.game.start(setup=[("Nobody", "man", "c2")])
    planes: Any = observer.observe(position)
    other = names(observer).index("other pieces and numbers")
    assert planes[other].nonzero()[0].tolist() == [1]
    assert planes[other].nonzero()[1].tolist() == [2]


def test_turns_that_differ_only_in_what_follows_have_planes(tmp_path: Path) -> None:
    order = (
        "{turn-order {turn} White {repeat} {turn} Black {turn} Black {turn} White {turn} White"
        " turn-order}\n"
    )
    text = BOARD + TWO_PLAYERS + order + MOVES + PIECES + SETUP
    observer = observer_of(tmp_path, text)
    phase = names(observer).index("turn 2 of the player to move")
    position = observer.game.start()
    shown = []
    for turn in range(5):
        planes: Any = observer.observe(observer.game.start(turn=turn))
        shown.append(bool(planes[phase].all()))
    # The first turn of the game is like the second of two turns.
    assert shown in ([False, True, False, True, False], [True, False, True, False, True])
    assert position.turn == "White"


def test_attributes_have_planes(tmp_path: Path) -> None:
    text = (
        BOARD
        + TWO_PLAYERS
        + ORDER
        + ": attribute! ( n pos -- ) board[] DUP @ 65535 AND ROT 65536 * OR SWAP ! ;\n"
        + ": mark ( -- ) 5 a3 attribute! ;\n"
        + ": step n verify from here move COMPILE mark add-move ;\n"
        + "{moves ms {move} step moves}\n"
        + PIECES
        + "{board-setup {setup} White man a2 {setup} Black man b1 board-setup}\n"
    )
    observer = observer_of(tmp_path, text)
    found = names(observer)
    assert [name for name in found if "attribute" in name] == ["attribute bit 0", "attribute bit 2"]
    position = observer.game.start()
    position.push(position.legal_moves[0])
    planes: Any = observer.observe(position)
    assert [planes[found.index(f"attribute bit {bit}")][0, 0] for bit in (0, 2)] == [1, 1]
    assert not planes[found.index("other pieces and numbers")].any()


def test_bytes_and_unaligned_cells(tmp_path: Path) -> None:
    text = (
        BOARD.replace("board}", "3 {carray} small {variable} big 2 {carray} last board}")
        + TWO_PLAYERS
        + ORDER
        + ": count ( -- ) 1 small DUP C@ 1+ SWAP C! big @ 100 + big ! -7 1 last C! ;\n"
        + ": step n verify from here move COMPILE count add-move ;\n"
        + "{moves ms {move} step moves}\n"
        + PIECES
        + SETUP
    )
    observer = observer_of(tmp_path, text)
    found = names(observer)
    assert found[3:7] == ["own: last", "next: last", "small[1]", "big"]
    position = observer.game.start()
    high = [observer.spec.planes[at].high for at in (5, 6)]
    for ply in range(1, 3):
        position.push(position.legal_moves[0])
        planes: Any = observer.observe(position)
        assert planes[5:7, 0, 0].tolist() == pytest.approx([ply / high[0], 100 * ply / high[1]])
        last = {plane: planes[plane][0, 0] for plane in (3, 4)}
        assert sorted(last.values()) == [0, 1]  # -7 and 0
        assert not planes[2].any()

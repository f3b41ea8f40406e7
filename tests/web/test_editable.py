"""The editor of positions: what the server offers, and which set-ups it accepts."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm.web.play.server import TableServer
from forthvm.web.table.clocks import Clocks, TimeControl
from forthvm.web.table.document import document_of, restore
from forthvm.web.table.editable import Editable
from forthvm.web.table.messages import TableMessages
from forthvm.web.table.seats import Viewer
from forthvm.web.table.table import Table
from forthvm.web.table.variations import Variations
from tests.kit.boards import grid
from tests.kit.cases import each_case
from tests.kit.games import load_text, loaded, play, script_of, texts
from tests.web.test_tree_requests import Window, connected

WHITE, BLACK = 0, 1
HERE = Viewer(is_owner=True, players=("White",))

RULES = """
(game (title "Stones") (players White Black) (turn-order White Black)
    (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b" (40 0)) ("2/1" (0 40)))
        (directions (n 0 -1))))
    (board-setup (White (Stone off 2) (Man a1)) (Black (Stone off 9999)))
    (piece (name Stone) (drops ((verify empty?) add)))
    (piece (name Man) (attribute new? true)
        (moves ((verify new?) n (verify empty?) (set-attribute new? false) add))))
"""
"""Stones in stores, and men that move once."""

FRAGILE = grid(1, 4, players="One Two")
FRAGILE += """\
{directions 0 1 {direction} e directions}
: step e verify empty? verify from here move a1 not-empty-at? IF 1 0 / DROP ENDIF add-move ;
{moves steps {move} step moves}
{pieces {piece} man {moves} steps pieces}
{board-setup {setup} One man b1 {setup} Two man d1 board-setup}
"""
"""A script that fails while the first square is occupied and a man can move."""


@pytest.fixture
def chess() -> Table:
    """A game in which the people at one window play both sides."""
    return Table(loaded("chess"), position=play(loaded("chess").start(), "e2e4", "e7e5"))


@pytest.fixture
def window(chess: Table) -> Iterator[Window]:
    with connected(TableServer(chess)) as window:
        yield window


def refused(window: Window) -> dict[str, Any]:
    """Return the next error."""
    while (message := window.socket.receive_json())["is"] != "error":
        assert message["is"] != "set up", "it was accepted"
    return dict(message)


def values_of(offer: dict[str, Any], **chosen: int) -> list[int]:
    """Return values of the fields, 0 unless they are chosen; names have `_` for other signs."""
    names = ["".join(c if c.isalnum() else "_" for c in one["name"]) for one in offer["fields"]]
    assert chosen.keys() <= set(names), names
    return [chosen.get(name, 0) for name in names]


def ask(window: Window, table: Table) -> dict[str, Any]:
    window.send("edit", node=table.tree.played.number)
    return window.next("editable")


def attribute(position: forthvm.Position, square: str) -> int | None:
    piece = position.board[square]
    return None if piece is None else piece.attribute


KINGS = [(WHITE, "king", "e1", None), (BLACK, "king", "e8", None), (WHITE, "rook", "h1", None)]


@pytest.mark.slow
def test_what_is_offered_in_chess(window: Window, chess: Table) -> None:
    offer = ask(window, chess)
    types = ["pawn", "knight", "bishop", "rook", "queen", "king"]
    assert [(one["player"], one["type"]) for one in offer["palette"]] == [
        *((WHITE, kind) for kind in types),
        *((BLACK, kind) for kind in types),
    ]
    names = {one["name"]: one["kind"] for one in offer["fields"]}
    assert names.pop("clock") == "number"
    assert set(names.values()) == {"mark"}
    assert len(names) == 12, "four rights to castle, and a pawn on each file that was passed"
    assert offer["marks"] == ["White mark", "Black mark"]
    assert offer["turns"] == ["White", "Black"]
    now, start = offer["now"], offer["start"]
    assert [WHITE, "pawn", "e4", 0] in now["pieces"]
    assert [WHITE, "pawn", "e2", 0] in start["pieces"]
    assert len(now["pieces"]) == len(start["pieces"]) == 32, "marks are not pieces on squares"
    assert start["values"] == values_of(
        offer, white_O_O=1, white_O_O_O=1, black_O_O=2, black_O_O_O=2
    )


@pytest.mark.slow
def test_a_game_begins_with_the_set_up(window: Window, chess: Table) -> None:
    offer = ask(window, chess)
    for castling in (0, 1):
        values = values_of(offer, clock=7, white_O_O=castling)
        window.send("set up", pieces=KINGS, turn=0, values=values, analyse=False)
        assert window.next("set up")["note"] == ""
        position = chess.position
        assert (position.ply, position.turn, position.variables["clock"]) == (0, "White", 7)
        assert {square for square, piece in position.board.occupied() if piece.type != "mark"} == {
            "e1",
            "e8",
            "h1",
        }
        assert any("e1 - g1" in move for move in texts(position)) == bool(castling)
    window.send("set up", pieces=KINGS, turn=1, values=values, analyse=False)
    window.next("set up")
    assert chess.position.turn == "Black"


def test_the_same_position_is_set_up_without_differences(window: Window, chess: Table) -> None:
    """So a game of a rule file can still be saved for Zillions, which knows pieces only."""
    start = ask(window, chess)["start"]
    window.send("set up", **start, analyse=False)
    window.next("set up")
    assert chess.position.cells == chess.game.start().cells
    setup = chess.position._setup
    assert (setup.turn, setup.variables, setup.attributes) == (None, (), ())


@pytest.mark.slow
def test_stores_and_attributes_of_a_rule_file(tmp_path: Path) -> None:
    game = load_text(tmp_path, RULES)
    position = play(game.start(), "Man a1 - a2", "Stone b1")
    table = Table(game, position=position)
    assert attribute(position, "a2") != attribute(game.start(), "a1")
    with connected(TableServer(table)) as window:
        offer = ask(window, table)
        assert {one["name"]: one["kind"] for one in offer["fields"]} == {
            "White Stone": "stored",
            "Black Stone": "stored",
        }
        now = offer["now"]
        assert now["values"][0] == 2
        pieces = [*now["pieces"], [BLACK, "Man", "a1", None]]
        window.send("set up", pieces=pieces, turn=1, values=[0, 5], analyse=False)
        window.next("set up")
    after = table.position
    assert after.stores == {"Black": {"Stone": 5}}
    assert attribute(after, "a2") == attribute(position, "a2"), "it has moved"
    assert attribute(after, "a1") == attribute(game.start(), "a1"), "it is new"


DICE = """
(game (title "Dice") (players You ?Dice) (turn-order ?Dice You)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0)) ("1" (0 10)))))
  (board-setup (You (Man off 9)) (?Dice (One off 9)))
  (piece (name Man) (drops ((verify empty?) add)))
  (piece (name One) (drops ((verify empty?) add))))
"""


@pytest.mark.slow
def test_stores_of_chance_players_have_names_without_a_sign(tmp_path: Path) -> None:
    table = Table(load_text(tmp_path, DICE))
    with connected(TableServer(table)) as window:
        offer = ask(window, table)
        assert {one["name"] for one in offer["fields"]} == {"You Man", "Dice One"}


def test_an_analysis_is_no_game() -> None:
    """Engines do not move; variations begin at the position; the game can go on from one."""
    table = Table(loaded("chess"), persons=("White",), engine="random")
    with connected(TableServer(table)) as window:
        offer = ask(window, table)
        window.send("set up", pieces=KINGS, turn=1, values=values_of(offer), analyse=True)
        window.next("set up")
        view = window.next("view")
        root = table.tree.root.number
        assert view["node"] == root
        assert len(view["scene"]["pieces"]) == 3
        assert view["gestures"]["clicks"]
        assert table.ending.code == "analysis"
        assert table.engine_to_move() is None
        window.send("vary", node=root, move=0)
        assert window.next("view")["ply"] == 1
        assert table.position.ply == 0
        window.send("play from", node=root + 1)
        while window.next("state")["ply"] != 1:
            pass
        assert TableMessages(table).state(HERE)["result"] is None
        assert table.position.turn == "White"


def test_people_and_time_stay(chess: Table) -> None:
    chess.seats.give("Black", "guest")
    chess.clocks = Clocks(TimeControl(60.0, 1.0), chess.seats)
    chess.clocks.run("White", 0.0)
    seats = chess.seats.as_json()
    with connected(TableServer(chess)) as window:
        offer = ask(window, chess)
        window.send("set up", pieces=KINGS, turn=0, values=values_of(offer), analyse=False)
        window.next("set up")
    assert chess.seats.as_json() == seats
    assert chess.clocks.control == TimeControl(60.0, 1.0)
    assert chess.clocks.running is None, "before the first move, no clock runs"


def test_a_decided_position_can_only_be_analysed(window: Window, chess: Table) -> None:
    before = chess.position.copy()
    kings = KINGS[:2]  # a dead position
    values = values_of(ask(window, chess))
    window.send("set up", pieces=kings, turn=0, values=values, analyse=False)
    error = refused(window)
    assert error["code"] == "already-over"
    assert "draw" in error["values"]["reason"].lower()
    assert chess.position == before
    window.send("set up", pieces=kings, turn=0, values=values, analyse=True)
    assert window.next("set up")["note"] == "over"
    assert chess.position.result is not None


def test_a_player_without_moves_passes(tmp_path: Path) -> None:
    table = Table(load_text(tmp_path, f"{FRAGILE}\n: OnIsGameOver #UnknownScore ;"))
    with connected(TableServer(table)) as window:
        pieces = [(0, "man", "d1", None), (1, "man", "b1", None)]
        window.send("set up", pieces=pieces, turn=0, values=[], analyse=False)
        assert window.next("set up")["note"] == "stuck"
        while table.position.turn != "Two":
            window.next("state")
    assert texts(table.position) == ["man b1 - c1"]


@pytest.mark.slow
def test_a_failing_script_changes_nothing(tmp_path: Path) -> None:
    table = Table(load_text(tmp_path, FRAGILE))
    before = table.position.copy()
    with connected(TableServer(table)) as window:
        offer = ask(window, table)
        pieces = [(0, "man", "a1", None), (0, "man", "c1", None)]
        window.send("set up", pieces=pieces, turn=0, values=values_of(offer), analyse=True)
        error = refused(window)
        assert (error["code"], "division by zero" in error["text"]) == ("script", True)
        assert error["text"].startswith("game.4th:"), "people elsewhere need not know the folder"
    assert table.position == before


@pytest.mark.slow
@each_case(
    "change",
    [
        {"pieces": None},
        {"pieces": [[0, "king", "e1"]]},
        {"pieces": [[2, "king", "e1", None]]},
        {"pieces": [[-1, "king", "e1", None]]},
        {"pieces": [[0, "dragon", "e1", None]]},
        {"pieces": [[0, "king", "z9", None]]},
        {"pieces": [[0, "mark", "white-O-O", None]]},
        {"pieces": [[0, "king", "e1", 65536]]},
        {"pieces": [[0, "king", "e1", None], [1, "king", "e1", None]]},
        {"pieces": [[0, "king", "e1", None]] * 10_000},
        {"turn": 2},
        {"turn": -1},
        {"turn": "White"},
        {"values": []},
        {"values": [0] * 14},
        {"values": [2**40, *[0] * 12]},
        {"values": [0, 3, *[0] * 11]},
        {"values": [0, -1, *[0] * 11]},
        {"values": ["x"] * 13},
        {"analyse": 1},
    ],
)
def test_damaged_requests_change_nothing(change: dict[str, Any]) -> None:
    table = Table(loaded("chess"))
    before = table.position.copy()
    request = {"pieces": KINGS, "turn": 0, "values": [0] * 13, "analyse": False}
    with connected(TableServer(table)) as window:
        window.send("set up", **{**request, **change})
        assert refused(window)["code"] == "unknown-request"
        assert table.position == before
        window.send("set up", **request)
        window.next("set up")


@pytest.mark.slow
def test_only_the_owner_sets_up(chess: Table) -> None:
    chess.seats.give("Black", "guest")
    for key in (chess.seats["Black"].key, chess.seats.watch_key):
        with connected(TableServer(chess), key) as window:
            for request in ("edit", "set up"):
                window.send(request, node=0)
                assert refused(window)["code"] in ("owner-only", "watcher")


@pytest.mark.slow
def test_hidden_pieces_are_not_revealed(tmp_path: Path) -> None:
    """The editor then begins with the start of the game; the new game hides pieces as before."""
    game = load_text(tmp_path, script_of("breakthrough") + '\n: OnShow ." ~pawn " ;\n')
    table = Table(game, persons=("White",), guests=("Black",), position=game.start())
    play(table.position, "a2 - a3", "a7 - a6")
    server = TableServer(table)
    with connected(server) as window:
        offer = ask(window, table)
        assert offer["now"] == offer["start"]
        assert [BLACK, "pawn", "a7", 0] in offer["now"]["pieces"]
        pieces = [(WHITE, "pawn", "b2", None), (BLACK, "pawn", "c7", None)]
        window.send("set up", pieces=pieces, turn=0, values=[], analyse=True)
        window.next("set up")
        seen = window.next("view")["scene"]["pieces"]
        assert [piece["square"] for piece in seen] == ["b2"]


@pytest.mark.slow
def test_saved_forms_keep_the_set_up(window: Window, chess: Table) -> None:
    values = values_of(ask(window, chess), clock=3, white_O_O=1)
    window.send("set up", pieces=KINGS, turn=0, values=values, analyse=False)
    window.next("set up")
    chess.play_for_engine(0)
    begin, position = chess.tree.position_at(chess.tree.root), chess.position.copy()
    resumed = Table(chess.game)
    assert restore(resumed, json.loads(json.dumps(document_of(chess)))) == ""
    assert resumed.position == position
    assert resumed.tree.position_at(resumed.tree.root) == begin
    window.send("save", **{"as": "json"})
    saved = base64.b64decode(window.next("saved")["data"])
    window.send("link", node=chess.tree.played.number)
    link = window.next("link")["position"]
    file = {"name": "x.json", "data": base64.b64encode(saved).decode()}
    for request in (file, {"text": f"#position={link}"}):
        window.send("load", **request)
        window.next("loaded")
        assert chess.position == position
        assert chess.position._setup == begin._setup


@pytest.mark.slow
def test_the_set_up_survives_a_change_of_the_script(tmp_path: Path) -> None:
    text = script_of("breakthrough")
    table = Table(load_text(tmp_path, text))
    pieces = [(WHITE, "pawn", "b2", None), (BLACK, "pawn", "c7", None)]
    table.set_up(Variations(Editable(table.game).start(pieces, 1, [])), analyse=False)
    table.play_for_engine(0)
    document = document_of(table)
    other = Table(load_text(tmp_path, f"{text}\n: another ;\n"))
    assert "1 moves of the game could be made again" in restore(other, document)
    assert other.position.cells == table.position.cells
    third = Table(load_text(tmp_path, text.replace("pawn", "footman")))
    restore(third, document)
    assert third.position == third.game.start()

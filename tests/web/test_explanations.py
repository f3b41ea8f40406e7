"""Explanations for windows: threats, refused moves, how moves are made, and their source."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import forthvm
import forthvm.web as page
from forthvm.debug.why_not import player_text
from forthvm.game import Position
from forthvm.web.play.server import TableServer
from forthvm.web.serving.errors import RequestError
from forthvm.web.study.explanations import code_of, construction_of, refusal_of, threats_in
from forthvm.web.study.sources import Sources
from forthvm.web.table.seats import GUEST
from forthvm.web.table.table import Table
from tests.kit.cases import each_case
from tests.kit.games import load_text, loaded, play, script_of
from tests.kit.messages import raises
from tests.web.test_tree_requests import Window, connected


def breakthrough(*moves: str) -> Position:
    return play(loaded("breakthrough").start(), *moves)


@pytest.fixture
def meeting() -> Position:
    """White pawns on c4, Black pawn on d5: White is to move, and each could take the other."""
    return breakthrough("c2 c3", "d7 d6", "c3 c4", "d6 d5")


def test_what_can_be_taken_now_and_next(meeting: Position) -> None:
    threats: Any = threats_in(meeting)
    assert [(one["from"], one["taken"]) for one in threats["now"]] == [("c4", [["d5", "pawn"]])]
    assert [(one["player"], one["from"], one["taken"]) for one in threats["next"]] == [
        ("Black", "d5", [["c4", "pawn"]])
    ]


def test_moves_that_expose_a_piece() -> None:
    """Black's pawns on a6 and d6 reach b5 and c5, to which only White's pawn on c4 can go."""
    position = breakthrough("c2 c3", "d7 d6", "c3 c4", "a7 a6")
    exposing: Any = threats_in(position)["exposing"]
    found = {one["to"]: [reply["from"] for reply in one["replies"]] for one in exposing}
    assert found == {"b5": ["a6"], "c5": ["d6"]}


def test_reasons_of_the_script() -> None:
    """Rithmomachia says by which operation a piece is taken."""
    position = loaded("rithmomachia").start()
    chooser = random.Random(3)
    while not (found := threats_in(position)["now"]):
        position.push(chooser.choice(position.legal_moves))
    captures: Any = found
    assert any(
        word in reason
        for capture in captures
        for reason in capture["reasons"]
        for word in ("equality", "eruption", "ambush", "siege")
    )


def test_nothing_is_said_before_dice() -> None:
    position = loaded("ur").start()
    while position.is_chance:
        position.push(position.legal_moves[0])
    assert threats_in(position)["next"] is None


def test_why_a_move_is_refused() -> None:
    position = breakthrough()
    answer: Any = refusal_of(position, ["a1", "a2"], code=True)
    assert answer["kind"] == "refused"
    assert answer["reasons"][0]["code"] == "not-empty"
    assert answer["reasons"][0]["values"] == {"square": "a2"}
    assert answer["reasons"][0]["text"] == "The square a2 is not empty."
    places = [refusal["place"] for each in answer["code"] for refusal in each["refusals"]]
    assert places[0]["file"] == "breakthrough.4th"
    assert "verify" in places[0]["source"]
    assert refusal_of(position, ["a1", "a2"], code=False)["code"] == []


def test_why_a_piece_of_the_opponent_does_not_move() -> None:
    answer: Any = refusal_of(breakthrough(), ["a7"], code=False)
    assert answer["reasons"][0]["code"] == "not-yours"
    assert answer["reasons"][0]["values"] == {
        "piece": "pawn",
        "square": "a7",
        "owner": "Black",
        "player": "White",
    }


def test_reasons_in_other_languages() -> None:
    """The Russian catalogue has a text with the same places for each reason."""
    path = Path(page.__file__).parent / "page" / "texts" / "ru.json"
    russian = json.loads(path.read_text("utf-8"))
    for code, english in player_text._TEXTS.items():
        assert set(re.findall(r"\{\w+\}", russian[f"why.{code}"])) == set(
            re.findall(r"\{\w+\}", english)
        ), code


@each_case("squares", [[], ["z9"], ["a1"] * 20, ["<b>"]])
def test_unknown_squares(squares: list[str]) -> None:
    with pytest.raises(RequestError):
        refusal_of(breakthrough(), squares, code=True)


def test_the_code_of_a_square() -> None:
    position = breakthrough()
    words: Any = code_of(position, "a2")["words"]
    moves = [move for word in words for move in word["moves"]]
    assert sorted(moves) == ["pawn a2 - a3", "pawn a2 - b3"]
    lines = position.game.path.read_text("utf-8").splitlines()
    for word in words:
        assert lines[word["place"]["line"] - 1] == word["place"]["source"]
        assert word["word"] in word["place"]["source"]


def test_the_code_of_a_piece_of_the_opponent() -> None:
    words: Any = code_of(breakthrough(), "a7")["words"]
    assert words
    assert all(word["piece"] == "Black pawn" and not word["moves"] for word in words)


def test_a_move_word_by_word() -> None:
    position = breakthrough()
    built: Any = construction_of(position, "pawn a2 - a3")
    first, last = built["stages"][0], built["stages"][-1]
    assert (first["from"], first["here"], first["changed"]) == ("a2", "a2", [])
    assert last["place"]["source"][last["place"]["column"] - 1 :].startswith("add-move")
    assert set(last["changed"]) == {"a2", "a3"}
    assert any(stage["here"] == "a3" for stage in built["stages"])


def test_a_move_of_a_rule_file() -> None:
    path = Path(__file__).parents[1] / "zrf" / "games" / "breakthrough.zrf"
    position = forthvm.load(path).start()
    built: Any = construction_of(position, position.legal_moves[0].text)
    assert {stage["place"]["file"] for stage in built["stages"]} == {"breakthrough.zrf"}
    assert built["stages"][-1]["place"]["source"].strip()


def test_only_files_of_the_game() -> None:
    sources = Sources(forthvm.load("chess"))
    text = sources.text("moves.4th")["text"]
    assert isinstance(text, str)
    assert "leap" in text
    for name in ("../tictactoe/tictactoe.4th", "/etc/passwd", "", "axiom.4th"):
        with raises(RequestError, "explanations.no-such-file"):
            sources.text(name)


# --- requests ---------------------------------------------------------------------------------


@pytest.fixture
def window(meeting: Position) -> Iterator[Window]:
    with connected(TableServer(Table(meeting.game, position=meeting))) as window:
        window.next("state")
        yield window


@pytest.mark.slow
@pytest.mark.parametrize(
    ("do", "answer", "fields"),
    [
        ("threats", "threats", {}),
        ("why not", "why not", {"squares": ["c4", "c8"]}),
        ("code", "code", {"square": "c4"}),
        ("construct", "construction", {"move": "pawn c4 x d5"}),
    ],
)
def test_requests_are_answered(
    window: Window, do: str, answer: str, fields: dict[str, object]
) -> None:
    window.send(do, node=4, **fields)
    message = window.socket.receive_json()
    assert (message["is"], message["node"]) == (answer, 4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("threats", {"node": 99}),
        ("why not", {"node": 0, "squares": "a1"}),
        ("why not", {"node": 0, "squares": ["z1"]}),
        ("code", {"node": 0, "square": "z1"}),
        ("construct", {"node": 0, "move": "pawn a2 - a9"}),
        ("source", {"file": "/etc/passwd"}),
    ],
)
def test_refused_requests(window: Window, do: str, fields: dict[str, object]) -> None:
    window.send(do, **fields)
    assert window.socket.receive_json()["is"] == "error"


@pytest.mark.slow
def test_a_newer_request_ends_an_older_one(tmp_path: Path) -> None:
    """The script loops when it explains captures, of which there are none at the start."""
    loop = "\n: OnExplain BEGIN FALSE UNTIL ;\n"
    position = load_text(tmp_path, script_of("breakthrough") + loop).start()
    play(position, "c2 c3", "d7 d6", "c3 c4", "d6 d5")
    with connected(TableServer(Table(position.game, position=position))) as window:
        window.next("state")
        window.send("threats", node=4)
        window.send("threats", node=0)
        message = window.socket.receive_json()
        assert (message["is"], message["node"]) == ("threats", 0)
        window.send("threats", node=4)
        window.send("why not", node=0, squares=["a1", "a2"])
        assert window.socket.receive_json()["is"] == "why not"


@pytest.mark.slow
def test_people_elsewhere_get_reasons_but_no_code(meeting: Position) -> None:
    table = Table(meeting.game, position=meeting)
    table.seats.give("White", GUEST)
    with connected(TableServer(table), table.seats["White"].key) as window:
        window.next("state")
        window.send("why not", node=4, squares=["a1", "a2"])
        message = window.next("why not")
        assert (message["reasons"][0]["code"], message["code"]) == ("not-empty", [])
        for request in ("threats", "code", "source"):
            window.send(request, node=4, square="c4", file="breakthrough.4th")
            assert window.socket.receive_json()["code"] == "owner-only"

"""Compare Rithmomachia's remarks about attacks (OnExplain) with the reasons found by the model."""

from __future__ import annotations

import random
import re

import pytest

import forthvm
from tests.kit.cases import each_case
from tests.models.lockstep import POSITIONS
from tests.models.rithmomachia_captures import Reason, reasons
from tests.models.rithmomachia_game import State
from tests.models.rithmomachia_options import Options
from tests.models.test_rithmomachia_against_model import (
    Translation,
    begin,
    load,
    random_choice,
    random_state,
)
from tests.rules.rithmomachia_kit import begin as begin_text
from tests.rules.rithmomachia_kit import find_move

_VICTIM = r"(?P<kind>[RTSP]\d+)(?: part (?P<part>[RTS]\d+))?"
_TAKES = re.compile(rf"takes {_VICTIM} (?P<square>\w+) by (?P<how>\w+)(?:, (?P<by>.+))?")
_THREAT = re.compile(rf"{_VICTIM} under attack by (?P<how>\w+)(?:, (?P<by>.+))?")
_ATTACKER = re.compile(r"(?P<kind>[RTSP])(?P<value>\d+) (?P<square>\w+)(?: as (?P<as>\d+))?")
_ERUPTION = re.compile(r"[RTSP]\d+ (?P<square>\w+) (?P<value>\d+) [x/] \d+")


def reason_of(found: re.Match[str], square: str) -> Reason:
    """Return the reason of a remark in the form that the model uses."""
    how, by = found["how"], found["by"] or ""
    if how == "eruption":
        attackers = {(piece["square"], int(piece["value"])) for piece in _ERUPTION.finditer(by)}
    else:
        attackers = {
            (piece["square"], int(piece["as"] or piece["value"]))
            for piece in _ATTACKER.finditer(by)
        }
    return Reason(square, found["part"] or "", how, frozenset(attackers))


def remarks_of(position: forthvm.Position) -> tuple[set[Reason], dict[int, set[Reason]]]:
    """Return the reasons in the remarks about the position, and about each move."""
    threats: set[Reason] = set()
    moves: dict[int, set[Reason]] = {}
    for remark in position.remarks():
        if remark.move is not None:
            found = _TAKES.fullmatch(remark.text)
            assert found, remark.text
            moves.setdefault(remark.move, set()).add(reason_of(found, found["square"]))
        else:
            found = _THREAT.fullmatch(remark.text)
            assert found, remark.text
            assert remark.square is not None
            threats.add(reason_of(found, remark.square))
    return threats, moves


def compare(position: forthvm.Position, state: State) -> int:
    """Compare all remarks; return the number of reasons."""
    threats, moves = remarks_of(position)
    expected: set[Reason] = set()
    for side in "WB":
        expected |= reasons(state.board, state.parts, side, state.options)
    assert threats == expected
    for move in position.legal_moves:
        if move.is_pass:
            continue
        board = dict(state.board)
        board[str(move.to_square)] = board.pop(str(move.from_square))
        found = reasons(board, state.parts, state.turn, state.options)
        assert moves.get(move.index, set()) == found, move.text
    return len(threats) + sum(len(found) for found in moves.values())


@pytest.mark.slow
def test_remarks_name_all_reasons() -> None:
    translation, chooser = Translation(), random.Random(12)
    count = 0
    armies = max(20, POSITIONS * 60 // 1000)
    for _ in range(armies):
        chosen = random_choice(chooser)
        state = random_state(chooser, Options(**chosen))  # type: ignore[arg-type]
        count += compare(begin(translation, load(chosen), state), state)
    assert count > 1000 * armies // 60


@each_case(
    ("text", "move", "remark_text"),
    [
        ("WR4 e14, BS361 c16", "e14-d15", "takes S361 c16 by siege"),
        ("WR16 e5, BT16 g7", "e5-f6", "takes T16 g7 by equality, R16 f6"),
        ("WR16 e6, WR4 h9, BT20 f7", "h9-g8", "takes T20 f7 by ambush, R4 g8 + R16 e6"),
        ("WT25 d7, WR16 d6, BR9 f8", "d6-e7", "takes R9 f8 by ambush, T25 d7 - R16 e7"),
        ("WR4 e3, BS28 d10, WT9 d7", "e3-d4", "takes S28 d10 by eruption, R4 d4 4 x 7"),
        ("WT42 e3, WR4 g5, BR7 g8", "e3-g3", "takes R7 g8 by eruption, T42 g3 42 / 6"),
        ("WP i4, BR9 g8", "i4-i7", "takes R9 g8 by equality, P91 i7 as 9"),
        ("WS64 d3, WR1 j1, BP f9", "d3-e6", "takes P190 part S64 f9 by equality, S64 e6"),
    ],
)
def test_remark_texts(text: str, move: str, remark_text: str) -> None:
    position = begin_text(text, "W")
    start, goal = move.split("-")
    index = find_move(position, (start, goal)).index
    texts = [remark.text for remark in position.remarks() if remark.move == index]
    assert texts == [remark_text]

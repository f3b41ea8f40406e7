"""The model of Rhythmomachia 2 by itself, on positions worked out by hand (section 10).

Where the page leaves a choice, the test says so by the reading's name in the model's docstring.
"""

from __future__ import annotations

import random

import pytest

from models.rhythmomachia2 import Action, Options2, State2, position2, start2
from rules.rithmomachia_positions import read


def state(text: str, turn: str = "W", **options: object) -> State2:
    pieces, parts = read(text)
    return position2(pieces, Options2(**options), turn=turn, parts=parts)  # type: ignore[arg-type]


def attacks(state: State2) -> list[str]:
    found = [
        f"{action.start} x {action.goal}{action.part and ' ' + action.part} {action.amount}"
        for action in state.actions
        if action.kind == "attack"
    ]
    return sorted(found)


def moves(state: State2, square: str) -> str:
    return " ".join(sorted(one.goal for one in state.actions if one[:2] == ("move", square)))


def do(state: State2, *texts: str) -> State2:
    """The position after attacks `a1 x b2 4`, moves `a1-b2`, and `end`."""
    for text in texts:
        if text == "end":
            action = Action("end")
        elif " x " in text:
            start, _, goal, *part, amount = text.split()
            action = Action("attack", start, goal, "".join(part), int(amount))
        elif text.startswith("swap"):
            action = Action("swap", text.split()[1], "", text.split()[2])
        else:
            action = Action("move", *text.split("-"))
        assert action in state.actions, text
        state = state.play(action)
    return state


def test_first_moves() -> None:
    # By hand: rounds 6, triangles 8, squares 3, the pyramid 2.
    first = start2()
    assert first.turn == "W"
    assert sum(action.kind == "move" for action in first.actions) == 19
    assert moves(first, "i4") == "f1 g2"
    assert moves(first, "e6") == "d6 e7"


@pytest.mark.parametrize(
    ("piece", "goals"),
    [
        ("WR4", "e8 f7 f9 g8"),
        ("WT9", "d10 d6 h10 h6"),
        ("WS25", "c11 c5 c8 f11 f5 i11 i5 i8"),
        ("WP=R4+T9", "d10 d6 e8 f7 f9 g8 h10 h6"),
    ],
)
def test_moves(piece: str, goals: str) -> None:
    assert moves(state(f"{piece} f8, BR3 c16"), "f8") == goals


def test_what_stands_between_blocks() -> None:
    assert moves(state("WT9 f8, BR3 g9, BS361 e7"), "f8") == "d10 h6"


def test_direct_confrontation() -> None:
    assert attacks(state("WR9 f8, BR9 f9, BS361 c16", formation="off")) == ["f8 x f9 9"]
    # A round does not move aslant, a triangle not beside itself.
    assert attacks(state("WR9 f8, BR9 g9, BS361 c16", formation="off")) == []
    assert attacks(state("WT9 f8, BR9 h10, BS361 c16", formation="off")) == ["f8 x h10 9"]
    assert attacks(state("WT9 f8, BR9 h10, BT56 g9", formation="off")) == []


def test_at_a_distance() -> None:
    # 4 times 7 fields; 42 divided by 6; not in directions in which the piece does not move.
    assert attacks(state("WR4 d4, BS28 d10, BR3 c16", formation="off")) == ["d4 x d10 28"]
    assert attacks(state("WS45 d4, BR9 d8, BR3 c16", formation="off")) == ["d4 x d8 9"]
    assert attacks(state("WT9 c8, BT36 f11, BR3 c16", formation="off")) == ["c8 x f11 36"]
    assert attacks(state("WT9 c8, BT36 f8, BR3 c16", formation="off")) == []
    assert attacks(state("WR4 d4, BS28 d10, BT56 d7", formation="off")) == ["d4 x d10 28"]


def test_formation_adds_up() -> None:
    before = state("WR4 d4, WR2 j10, BT30 d10, BR3 c16")
    # 28 of d4, 7 fields; 14 of j10, 7 fields: more than is left then.
    assert attacks(before) == ["d4 x d10 28", "j10 x d10 14"]
    after = do(before, "d4 x d10 28")
    assert attacks(after) == []
    assert "d10" in after.board
    two = state("WR4 d4, WR2 d9, WR2 j1, BS28 d10, BT64 c16")
    assert "d9 x d10 4" in attacks(two)
    three = state("WR4 f10, WR2 d8, BR25 d10, BS28 c16")
    # 4 * 3 = 12 and 2 * 3 = 6 leave 7 of 25.
    lowered = do(three, "f10 x d10 12", "d8 x d10 6")
    assert "d10" in lowered.board
    exact = do(state("WR4 f10, WR2 d8, BS18 d10, BS28 c16"), "f10 x d10 12", "d8 x d10 6")
    assert "d10" not in exact.board


def test_formation_off_wants_the_whole() -> None:
    assert attacks(state("WR4 f10, WR2 d8, BS18 d10, BS28 c16", formation="off")) == []


def test_once_each_turn() -> None:
    after = do(state("WR4 f10, BS361 d10, BS28 c16"), "f10 x d10 12")
    assert attacks(after) == []
    moved = do(after, "f10-g10")
    # Another distance, but the same piece.
    assert attacks(moved) == []
    again = do(moved, "end")
    assert again.lowered == {}
    assert again.turn == "B"


def test_a_direct_attack_on_what_is_left() -> None:
    # 4 times 4 fields from g9; the 4 beside it is what is left of 20.
    before = state("WR4 g9, WR4 d10, BT20 d9, BS28 c16")
    after = do(before, "g9 x d9 16", "d10 x d9 4")
    assert "d9" not in after.board


def test_also_joint() -> None:
    text = "WR16 f9, WR4 e8, BT20 e9, BS28 c16"
    assert attacks(state(text, formation="off")) == []
    joint = state(text, formation="off", direct="also-joint")
    assert attacks(joint) == ["e8 x e9 4", "f9 x e9 16"]
    assert "e9" not in do(joint, "e8 x e9 4", "f9 x e9 16").board


def test_a_turn() -> None:
    before = state("WR9 f8, BR9 f9, BS361 c16", formation="off")
    assert Action("end") not in before.actions  # the move has to be made
    after = do(before, "f8 x f9 9", "f8-f9")
    assert after.actions == [Action("end")]
    first = do(before, "f8-e8")
    assert attacks(first) == []
    assert do(first, "end").turn == "B"


def test_ends_without_a_move_only_if_there_is_none() -> None:
    walled = state("WT6 c1, BS361 d2, BR3 j16")
    assert [action.kind for action in walled.actions if action.kind != "attack"] == ["end"]


def test_parts_and_total() -> None:
    # S64 by an equal number; 80, the total, by 20 and 4 fields.
    parts = state("WS64 f6, BP=S64+R16 f9, BR3 c16", formation="off")
    after = do(parts, "f6 x f9 S64 64")
    assert after.board["f9"].kind == "P"
    assert [part.value for part in after.parts["B"]] == [16]
    total = state("WS20 f6, BP=S64+R16 f9, BR3 c16", formation="off")
    assert attacks(total) == ["f6 x f9 total 80"]
    assert "f9" not in do(total, "f6 x f9 total 80").board


def test_pyramid_attacks_in_its_parts_directions() -> None:
    aslant = state("WP=R4+T9 c8, BT36 f11, BR3 c16", formation="off")
    assert attacks(aslant) == ["c8 x f11 36"]
    # R4 does not look aslant; the total 13 does, through T9: 13 * 4.
    assert attacks(state("WP=R4+T9 c8, BT16 f11, BR3 c16", formation="off")) == []
    assert attacks(state("WP=R4+T9 c8, BT52 f11, BR3 c16", formation="off")) == ["c8 x f11 52"]


def test_siege() -> None:
    text = "WR4 e9, WR6 g9, WR8 f10, WS153 c8, BS361 f9, BS225 c16"
    assert "f9" in do(state(text), "c8-f8").board
    assert "f9" not in do(state(text, siege="on"), "c8-f8").board


def test_swap() -> None:
    before = state("BR9 h4, BR3 c16, WP i4, WT9 c5, WR2 j16", turn="B", formation="off")
    after = do(before, "h4 x i4 T9 9", "c16-d16", "end")
    assert [str(part) for part in after.parts["W"]] == ["WS36", "WS25", "WT16", "WR4", "WR1"]
    assert Action("swap", "c5", "", "T9") in after.actions
    swapped = do(after, "swap c5 T9")
    assert "c5" not in swapped.board
    assert [part.value for part in swapped.parts["W"]] == [36, 25, 16, 9, 4, 1]
    assert not any(action.kind == "swap" for action in swapped.actions)
    kept = do(after, "j16-j15")
    assert not any(action.kind == "swap" for action in kept.actions)
    off = state("BR9 h4, BR3 c16, WP i4, WT9 c5, WR2 j16", turn="B", formation="off", swap="off")
    assert not any(
        action.kind == "swap" for action in do(off, "h4 x i4 T9 9", "c16-d16", "end").actions
    )


LINE = "WR4 d12, WR8 e12, BT12 h12, BS361 c1"


@pytest.mark.parametrize(
    ("text", "move", "options", "winner"),
    [
        (LINE, "e12-f12", {}, "W"),
        (LINE, "e12-e11", {}, None),
        (LINE, "e12-f12", {"enemy": 0}, None),
        (LINE, "e12-f12", {"harmony": ("geometric", "harmonic")}, None),
        (LINE, "e12-f12", {"shape": ("triangle",)}, None),
        # 4 6 12, 6 between or not.
        ("WR4 d12, WR6 e12, BT12 h12, BS361 c1", "e12-f12", {}, "W"),
        (LINE + ", BS225 g12", "e12-f12", {}, None),
        # Legs of 2 and 4; something on one of them; the corner elsewhere.
        ("WR4 d12, WR8 e12, WT12 d8, BS361 c1", "e12-f12", {}, None),
        ("WR4 d13, WR8 e13, WT12 d9, BS361 c1", "e13-f13", {}, "W"),
        ("WR4 d13, WR8 e13, WT12 d9, BS361 c1", "e13-f13", {"shape": ("line",)}, None),
        ("WR4 d13, WR8 e13, WT12 d9, BS361 d11", "e13-f13", {}, None),
        ("WR4 d13, WR8 e12, WT12 f9, BS361 c1", "e12-e13", {}, None),
        ("WR4 d13, WR8 e13, WT12 f9, BS361 c1", "e13-f13", {}, "W"),
        # Two enemies are one too many.
        ("BR4 d12, WR8 e12, BT12 h12, BS361 c1", "e12-f12", {}, None),
        # Diagonals are lines.
        ("WR4 d10, WR8 e12, BT12 h14, BS361 c1", "e12-f12", {}, "W"),
    ],
)
def test_harmonies(text: str, move: str, options: dict[str, object], winner: str | None) -> None:
    assert do(state(text, **options), move).winner is None  # not before the turn ends
    assert do(state(text, **options), move, "end").winner == winner


def test_annihilation() -> None:
    assert do(state("WR9 f8, BR9 f9"), "f8 x f9 9", "f8-e8", "end").winner == "W"


def test_random_games_end() -> None:
    chooser = random.Random(1)
    endings = set()
    for _ in range(4):
        now = start2(Options2(draw_after=12, formation=chooser.choice(("on", "off"))))
        while now.winner is None:
            kinds = {action.kind for action in now.actions}
            kind = chooser.choice(sorted(kinds))
            now = now.play(chooser.choice([one for one in now.actions if one.kind == kind]))
        endings.add(now.winner)
    assert endings

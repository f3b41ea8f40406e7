"""Endgame tables, compared with definitions, a model in Python and the negamax engine."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import forthvm
from forthvm.core.budget import Budget
from forthvm.core.errors import ForthVMError
from forthvm.engines import Limits
from forthvm.game import Position
from forthvm.study import EndgameTable, StudyError, position_key
from tests.kit.files import write
from tests.kit.games import load_text, loaded, play
from tests.kit.messages import raises
from tests.study.test_solving import write_line

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "games"
GAME_API = Path(__file__).resolve().parent.parent / "game_api"

Decided = tuple[str, int]
"""The winner, and the distance to the end."""


# --- all positions by definition ------------------------------------------------------------------


class Node(NamedTuple):
    position: Position
    turn: str
    children: tuple[int, ...]


def reachable(start: Position) -> dict[int, Node]:
    """Return all positions that can be reached, by key."""
    nodes: dict[int, Node] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        key = position_key(position)
        if key in nodes:
            continue
        after = []
        if position.result is None:
            if position.is_stuck:
                other = position.copy()
                other.push_pass()
                after.append(other)
            for move in position.legal_moves:
                other = play(position.copy(), move)
                after.append(other)
        nodes[key] = Node(position, position.turn, tuple(map(position_key, after)))
        waiting += after
    return nodes


def by_definition(nodes: dict[int, Node]) -> dict[int, Decided]:
    """Return the decided positions: in round n those that are won within n plies."""
    decided: dict[int, Decided] = {}
    for key, node in nodes.items():
        result = node.position.result
        if result is not None and result.winners:
            decided[key] = result.winners[0], 0
    plies = 0
    while True:
        plies += 1
        found: dict[int, Decided] = {}
        for key, node in nodes.items():
            if key in decided or not node.children:
                continue
            winners = {decided[child][0] if child in decided else None for child in node.children}
            if node.turn in winners:
                found[key] = node.turn, plies
            elif None not in winners:
                (winner,) = winners
                assert winner is not None
                found[key] = winner, plies
        if not found:
            return decided
        decided |= found


def check(start: Position) -> EndgameTable:
    """Compare all entries of a table with the definition, and the moves with the entries."""
    table = EndgameTable.build(start)
    nodes = reachable(start)
    decided = by_definition(nodes)
    assert len(table) == len(nodes)
    for key, node in nodes.items():
        found = table.probe(node.position)
        if key not in decided:
            assert (found.value, found.distance) == ("draw", None)
        else:
            winner, distance = decided[key]
            assert found.value == ("win" if winner == node.turn else "loss")
            assert found.distance == distance
        assert node.position in table
        if node.position.result is not None or node.position.is_stuck:
            assert found.moves == found.best_moves == ()
            continue
        assert sorted(each.move.index for each in found.moves) == list(
            range(len(node.position.legal_moves))
        )
        best = found.moves[0]
        assert (best.value, best.distance) == (found.value, found.distance)
        assert found.best_moves
    return table


@pytest.mark.parametrize(
    "path",
    [
        GAME_API / "settings.4th",
        GAME_API / "chain.4th",
        pytest.param(GAME_API / "longest.4th", marks=pytest.mark.slow),  # chains of partial moves
        pytest.param(GOLDEN / "Forced.4th", marks=pytest.mark.slow),
        pytest.param(GOLDEN / "Stuck.4th", marks=pytest.mark.slow),  # passes
        GOLDEN / "Mixed02.4th",
        pytest.param(GOLDEN / "Mixed04.4th", marks=pytest.mark.slow),
        pytest.param(GOLDEN / "Mixed07.4th", marks=pytest.mark.slow),
        pytest.param(GOLDEN / "Hollow.4th", marks=pytest.mark.slow),
    ],
    ids=lambda path: path.stem,
)
def test_tables_agree_with_the_definition(path: Path) -> None:
    check(forthvm.load(path).start())


def test_cycles(tmp_path: Path) -> None:
    """Left wins although positions can recur (see the test of the same game in test_solving)."""
    start = forthvm.load(write_line(tmp_path)).start()
    table = check(start)
    assert len(table) == 9
    assert table.probe(start).value == "win"
    assert table.counts()["draw"] == 0


def test_endless_games_are_draws(tmp_path: Path) -> None:
    table = check(forthvm.load(write_line(tmp_path, over="")).start())
    counts = table.counts()
    assert (counts["win"], counts["draw"] > 9, counts["loss"]) == (0, True, 0)
    assert table.max_distance == 0


TURNS = """\
{{board 2 7 {{grid}} board}}
{{directions 0 1 {{direction}} e 0 -1 {{direction}} w directions}}
{{players {{player}} Left {{player}} Right players}}
{{turn-order {turns} turn-order}}
: step ( 'dir -- ) EXECUTE verify empty? verify from here move {rule} add-move ;
: go-e ['] e step ;
: go-w ['] w step ;
{{moves men {{move}} go-e {{move}} go-w moves}}
{{pieces {{piece}} man {{moves}} men pieces}}
{{board-setup {{setup}} Left man a1 {{setup}} Right man c2 board-setup}}
: at? ( player pos -- ? ) player-at = ;
: OnIsGameOver #UnknownScore
  Left {goal} at? current-player Left = AND IF DROP #WinScore ENDIF
  Left {goal} at? current-player Right = AND IF DROP #LossScore ENDIF
  Right a2 at? current-player Right = AND IF DROP #WinScore ENDIF
  Right a2 at? current-player Left = AND IF DROP #LossScore ENDIF ;
"""
"""Each player has a man that moves on its own row, in both directions, towards a goal."""


@pytest.mark.parametrize(
    ("turns", "goal", "value", "distance"),
    [
        # Right needs 2 moves.  Without extra moves Left needs 4, and loses on ply 4.
        ("{turn} Left {turn} Right", "e1", "loss", 4),
        # Two moves in a row: plies L L R R, and Right arrives first.
        ("{turn} Left {turn} Left {turn} Right {turn} Right", "e1", "loss", 4),
        # Three moves in a row: L L L R L.
        ("{turn} Left {turn} Left {turn} Left {turn} Right", "e1", "win", 5),
        ("{turn} Left {turn} Left {turn} Right", "d1", "win", 4),
    ],
)
def test_several_moves_in_a_turn(
    tmp_path: Path, turns: str, goal: str, value: str, distance: int
) -> None:
    start = load_text(
        tmp_path, TURNS.format(turns=turns, goal=goal, rule=""), name="turns.4th"
    ).start()
    found = check(start).probe(start)
    assert (found.value, found.distance) == (value, distance)


# --- published and computed values ----------------------------------------------------------------


@pytest.fixture(scope="module")
def tictactoe() -> EndgameTable:
    return EndgameTable.build(loaded("tictactoe").start())


@pytest.mark.slow
def test_tictactoe_agrees_with_published_numbers(tictactoe: EndgameTable) -> None:
    """5,478 positions; the 942 positions with three in a row are lost for the player to move."""
    start = loaded("tictactoe").start()
    assert len(tictactoe) == 5478
    assert tictactoe.probe(start).value == "draw"
    assert len(tictactoe.probe(start).best_moves) == 9
    ended = [value for _, value, distance in tictactoe.items() if distance == 0]
    assert ended == ["loss"] * 942
    assert tictactoe.root == position_key(start)
    assert (tictactoe.game, tictactoe.seats) == ("tictactoe", ("X", "O"))


@pytest.mark.slow
def test_script_and_rule_file_agree(tictactoe: EndgameTable) -> None:
    rules = Path(__file__).resolve().parent.parent / "zrf" / "games" / "tictactoe.zrf"
    table = EndgameTable.build(forthvm.load(rules).start())
    assert table.counts() == tictactoe.counts()
    assert table.max_distance == tictactoe.max_distance


@pytest.mark.slow
def test_tictactoe_agrees_with_negamax(tictactoe: EndgameTable) -> None:
    rng = random.Random(5)
    engine = forthvm.engines.get("negamax:depth=9")
    start = loaded("tictactoe").start()
    for _ in range(60):
        position = start.copy()
        for _ in range(rng.randrange(1, 7)):
            if position.result is None:
                position.push(rng.choice(list(position.legal_moves)))
        if position.result is not None:
            continue
        found = tictactoe.probe(position)
        result = engine.play(position, Limits(depth=9))
        assert {"win": 1, "draw": 0, "loss": -1}[found.value] == (result.score > 0) - (
            result.score < 0
        )
        values = {each.move.index: each.value for each in found.moves}
        assert values[result.move.index] == found.value


ROWS, COLUMNS = 4, 3


def small_breakthrough(folder: Path) -> Path:
    """Write Breakthrough on 4 x 3 squares with one row of pawns each."""
    source = Path(forthvm.load("breakthrough").path).read_text(encoding="utf-8")
    rules, _, _ = source.partition("\\ --- evaluation")
    before, _, rest = rules.partition("{board-setup")
    _, _, after = rest.partition("board-setup}")
    pawns = " ".join(
        f"{{setup}} {player} pawn {column}{row}"
        for player, row in (("White", 1), ("Black", ROWS))
        for column in "abc"
    )
    text = f"{before}{{board-setup {pawns} board-setup}}{after}"
    text = text.replace("8 8 {grid}", f"{ROWS} {COLUMNS} {{grid}}").replace("DUP 8 +", "DUP 3 +")
    return write(folder / "small.4th", text.replace("White a8", f"White a{ROWS}"))


Pawns = frozenset[tuple[int, int]]


@cache
def breakthrough_value(own: Pawns, other: Pawns) -> tuple[int, int]:
    """Return the value for the player to move, whose pawns move to higher rows, and the distance.

    The board is turned for each move.
    """

    def turned(pawns: Pawns) -> Pawns:
        return frozenset((ROWS - 1 - row, COLUMNS - 1 - column) for row, column in pawns)

    if any(row == 0 for row, _ in other) or not own:
        return -1, 0
    values = []
    for row, column in own:
        for side in (-1, 0, 1):
            to = row + 1, column + side
            if not 0 <= to[1] < COLUMNS or to in own or (side == 0 and to in other):
                continue
            value, distance = breakthrough_value(
                turned(other - {to}), turned(own - {(row, column)} | {to})
            )
            values.append((-value, distance + 1))
    wins = [distance for value, distance in values if value > 0]
    return (1, min(wins)) if wins else (-1, max(distance for _, distance in values))


@pytest.mark.slow
def test_small_breakthrough_agrees_with_a_model(tmp_path: Path) -> None:
    game = forthvm.load(small_breakthrough(tmp_path))
    start = game.start()
    table = EndgameTable.build(start)
    nodes = reachable(start)
    assert len(table) == len(nodes) > 200
    for node in nodes.values():
        cells = node.position.board
        pawns: dict[str, set[tuple[int, int]]] = {"White": set(), "Black": set()}
        for row in range(ROWS):
            for column, name in enumerate("abc"):
                piece = cells[f"{name}{row + 1}"]
                if piece is not None:
                    white = node.turn == "White"
                    place = (row, column) if white else (ROWS - 1 - row, COLUMNS - 1 - column)
                    pawns[piece.player].add(place)
        own = frozenset(pawns.pop(node.turn))
        (other,) = map(frozenset, pawns.values())
        value, distance = breakthrough_value(own, other)
        found = table.probe(node.position)
        assert (found.value, found.distance) == ("win" if value > 0 else "loss", distance)


@pytest.mark.slow
def test_best_play_ends_after_the_distance(tmp_path: Path) -> None:
    start = forthvm.load(GOLDEN / "Forced.4th").start()
    table = EndgameTable.build(start)
    decided = [
        node.position
        for node in reachable(start).values()
        if (table.probe(node.position).distance or 0) > 2
    ]
    assert decided
    for position in decided:
        for plies in range(table.probe(position).distance or 0, 0, -1):
            found = table.probe(position)
            assert found.distance == plies
            if position.is_stuck:
                position.push_pass()
            else:
                position.push(found.best_moves[0])
        assert position.result is not None


# --- what cannot be done --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("yonin-shogi", "endgame.needs-two-players-who-can-win"),
        (GAME_API / "three.4th", "endgame.three-has-ann-bob-and-cy"),
        (GAME_API / "farewell.4th", "endgame.farewell"),
        (GAME_API / "dice.4th", "endgame.without-chance-moves"),
        (GOLDEN / "Neutral.4th", "endgame.without-chance-moves-and-neutral-players-in-n"),
        (GAME_API / "effects.4th", "endgame.its-rules-draw-random-numbers"),
        ("chess", "endgame.it-has-more-than-positions"),
    ],
)
def test_unsupported_games_are_refused(game: str | Path, message: str) -> None:
    start = forthvm.load(game).start()
    with raises(StudyError, message):
        EndgameTable.build(start, max_positions=50)


def test_limits(tmp_path: Path) -> None:
    start = loaded("tictactoe").start()
    with raises(StudyError, "endgame.too-many-positions"):
        EndgameTable.build(start, max_positions=100)
    with raises(StudyError, "endgame.out-of-time"):
        EndgameTable.build(start, seconds=0)
    with raises(ValueError, "endgame.max-positions"):
        EndgameTable.build(start, max_positions=0)
    path = write_line(tmp_path, over="b1 empty? IF BEGIN FALSE UNTIL ENDIF")
    with raises(ForthVMError, "endgame.out-of-steps"):
        EndgameTable.build(forthvm.load(path, budget=Budget(steps=100_000)).start())


def test_rules_that_depend_on_forgotten_memory(tmp_path: Path) -> None:
    """The game ends after 3 plies, but OnForget clears the counter."""
    before = "VARIABLE plies\n: count ( -- ) plies ++ ;\n: OnForget ( -- ) plies OFF ;"
    path = write_line(
        tmp_path,
        before=before,
        rule="COMPILE count",
        over="plies @ 6 > IF DROP #WinScore ENDIF",
    )
    with raises(StudyError, "endgame.memory-of-the-search"):
        EndgameTable.build(forthvm.load(path).start())


def test_unknown_positions(tmp_path: Path) -> None:
    game = forthvm.load("tictactoe")
    root = game.start()
    play(root, "a1", "b2", "a2", "b3")
    table = EndgameTable.build(root)
    assert root in table
    assert game.start() not in table
    with raises(StudyError, "endgame.position-not-in-table"):
        table.probe(game.start())
    other = forthvm.load(write_line(tmp_path)).start()
    assert other not in table
    with raises(StudyError, "endgame.another-game"):
        table.probe(other)
    seeded = root.copy()
    seeded.seed(5)
    assert table.probe(seeded).value == "win"

"""Games of draughts as PDN: read, written, and moves in the forms of other programs."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest

from forthvm.game import Position
from forthvm.game.records.pdn import GAME_TYPES, read_games, text_of
from forthvm.game.records.recorded import (
    RecordedGame,
    RecordedMove,
    RecordError,
    game_of,
    push_recorded,
)
from tests.kit.cases import each_case
from tests.kit.games import loaded, play
from tests.kit.messages import raises
from tests.kit.random_games import push_random_move


def read(text: str) -> list[RecordedGame]:
    return list(read_games(io.BytesIO(text.encode()), "games.pdn"))


def only(text: str) -> RecordedGame:
    (game,) = read(text)
    assert game.error is None, game.error
    return game


def final(text: str) -> Position:
    game = only(text)
    return game.replay(loaded(game.variant), variations=True)


# --- round trips ------------------------------------------------------------------------------


@pytest.mark.slow
@each_case("name", list(GAME_TYPES.values()))
@pytest.mark.parametrize("games", [20, pytest.param(100, marks=pytest.mark.slow)])
def test_random_games_are_read_back(name: str, games: int) -> None:
    game, rng, text, ends = loaded(name), Random(7), "", []
    for _ in range(games):
        position, plies = game.start(), rng.randint(1, 200)
        while position.ply < plies and push_random_move(position, rng):
            pass
        record = game_of(position, {"White": "First", "Black": "Second"})
        text += text_of(record, game) + "\n"
        ends.append((record, position))
    again = read(text)
    assert [record.result for record in again] == [record.result for record, _ in ends]
    for record, (_, position) in zip(again, ends, strict=True):
        assert (record.tags["White"], record.tags["Black"]) == ("First", "Second")
        assert record.variant == name
        assert record.replay(game) == position


def test_a_game_from_another_start_is_read_back() -> None:
    game = loaded("draughts-international")
    position = play(Position.from_fen(game, "B:W31,K46:B6,K5"), "6-11")
    text = text_of(game_of(position), game)
    assert '[FEN "B:W31,K46:BK5,6"]' in text
    assert "1... 6-11" in text
    assert final(text) == position


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@each_case(("number", "variant"), [("20", "standard"), ("21", "english")])
def test_games_of_pydraughts(number: str, variant: str, seed: int) -> None:
    draughts: Any = pytest.importorskip("draughts", reason="pydraughts is not installed")
    pdn: Any = pytest.importorskip("draughts.PDN", reason="pydraughts is not installed")
    board, rng = draughts.Board(variant=variant), Random(seed)
    while len(board.move_stack) < 60 and not board.is_over():
        board.push(rng.choice(board.legal_moves()))
    position = final(pdn.PDNWriter("", board=board).pdn_text)
    name = GAME_TYPES[number]
    assert position.game.name == name
    assert position.board == Position.from_fen(loaded(name), board.fen).board


# --- the forms of other programs --------------------------------------------------------------


@each_case(
    ("tags", "moves", "name"),
    [
        ('[GameType "20"]', "32-28", "draughts-international"),
        ('[GameType "20,W,10,10,N2,0"]', "32-28", "draughts-international"),
        ('[GameType "21"]', "11-15", "draughts"),
        ('[GameType "25,W,8,8,A0,0"]', "c3-d4", "draughts-russian"),
        ('[Variant "draughts-russian"]', "22-18", "draughts-russian"),
        ("", "11-15", "draughts"),
        ("", "32-28", "draughts-international"),
        ("", "c3-d4", "draughts-russian"),
        ("", "22-17", "draughts-russian"),
        ('[FEN "W:W12,48:B3."]', "12-8", "draughts-international"),
        ('[FEN "W:W12,28:B3."]', "12-8", "draughts"),
        (
            '[GameType "25"]\n[Variant "From Position"]\n[FEN "W:W12,28:B3"]',
            "12-8",
            "draughts-russian",
        ),
        ('[Variant "Standard"]\n[GameType "20"]', "32-28", "draughts-international"),
        ('[GameType "Russian"]', "22-18", "draughts-russian"),
    ],
)
def test_the_game_of_a_record(tags: str, moves: str, name: str) -> None:
    position = final(f"{tags}\n\n1. {moves} *\n")
    assert (position.game.name, position.ply) == (name, 1)


def test_the_highest_square_of_a_file_tells_the_board() -> None:
    first, second, third = read(
        '[FEN "W:W12:B3"]\n\n1. 12-8 *\n\n[Event "b"]\n\n1. 32-28 19-23 2. 37-32 *\n\n'
        '[Event "c"]\n[GameType "21"]\n\n1. 11-15 *\n'
    )
    assert [each.variant for each in (first, second, third)] == [
        "draughts-international",
        "draughts-international",
        "draughts",
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_file_is_read_on_after_its_highest_square_is_found(encoding: str) -> None:
    text = "".join(f'[Event "{n}"]\n\n1. 32-28 19-23 2. 37-32 *\n\n' for n in range(9))
    games = list(read_games(io.BytesIO(f"\ufeff{text}".encode(encoding.replace("16", "16-le")))))
    assert [game.tags["Event"] for game in games] == [str(n) for n in range(9)]
    assert {game.variant for game in games} == {"draughts-international"}


@each_case(
    ("tags", "name"),
    [
        ('[GameType "26"]', "Brazilian draughts"),
        ('[GameType "40,W,10,10,N2,0"]', "Frisian draughts"),
        ('[GameType "20"]\n[Variant "Frysk!"]', "Frisian draughts"),
        ('[GameType "20"]\n[Variant "Breakthrough"]', "PDN Variant Breakthrough"),
        ('[GameType "99"]', "PDN GameType 99"),
        ('[FEN "W:W70,12:B3"]', "Canadian draughts"),
    ],
)
def test_other_variants_are_named(tags: str, name: str) -> None:
    assert only(f"{tags}\n\n1. 12-8 *\n").variant == name


@each_case(
    ("number", "fen", "text", "written"),
    [
        ("20", "", "32-28 019:23 28-19 14:23", "32-28 19-23 28x19 14x23"),
        ("20", "", "d4-e5 a7-b6", "d4-e5 a7-b6"),
        ("20", "B:W31,32,22,50:B26", "26x37x28x17 50-45", "26x17 50-45"),
        ("21", "W:W20:B16,8", "20x4", "20x11x4"),
        ("20", "W:W38,48:B1,11", "38-32 11-17 48-43 1- 7", "38-32 11-17 48-43 1-7"),
        ("20", "", "32-\n28 19 -\n 23 28x\n19 14:  \n23", "32-28 19-23 28x19 14x23"),
        ("20", "", "32 -28 19 - 23 28 x 19 14  x23", "32-28 19-23 28x19 14x23"),
        ("25", "", "c3 - d4 b6 -a5", "c3-d4 b6-a5"),
        ("20", "W:W20,48:B14,01", "20x09 01-07", "20x9 1-7"),
        ("20", "W:W020,K48:BK03-03,14", "20:09", "20x9"),
        ("20", "B:W31,32,22,50:B26", "26x28x17", "26x17"),
        ("21", "W:WK32:B27,18,10", "32x14x7", "32x23x14x7"),
    ],
)
def test_moves_are_normalized(number: str, fen: str, text: str, written: str) -> None:
    tag = f'[FEN "{fen}"]' if fen else ""
    game = only(f'[GameType "{number}"]\n{tag}\n\n{text} *')
    game.normalize(loaded(game.variant))
    assert " ".join(move.text for move in game.moves) == written


@each_case(
    ("result", "expected"),
    [
        ("2-0", "1-0"),
        ("0-2", "0-1"),
        ("1-1", "1/2-1/2"),
        ("1-0", "1-0"),
        ("1/2-1/2", "1/2-1/2"),
        ("0-0", "*"),
        ("*", "*"),
    ],
)
def test_results(result: str, expected: str) -> None:
    first, second = read(
        f'[Result "{result}"]\n[GameType "20"]\n\n1. 32-28 19-23 {result}\n'
        f'[Result "{result}"]\n[GameType "20"]\n\n1. 32-28\n'
    )
    assert (first.result, second.result) == (expected, expected)
    assert first.tags["Result"] == expected
    assert len(first.moves) == 2


@each_case(
    "move", ["37x37", "37x28x39x48x37", "37x48x39x28x37", "37:37", "c3xe1xg3xe5xc3", "37x37!"]
)
def test_ways_of_one_capture(move: str) -> None:
    start = '[FEN "W:W37:B6,32,33,42,43"]\n[GameType "20"]\n\n'
    assert final(f"{start}1. {move} *").to_fen() == "B:W37:B6"


RUSSIAN = "B:Wa1,g3,b4,d4,c1,e1,g1,b2,d2,f2,h2,a3:Be5,b6,d6,h6,a7,c7,e7,g7,b8,d8,f8,h8"


@each_case(
    ("fen", "moves"),
    [
        (RUSSIAN, ["e5xa5", "e5:a5", "e5 x a5", "e5xc3xa5", "e5:c3:a5", "15x13"]),
        ("B:Wc5,h2:Bd6", ["d6xb4", "d6:b4", "D6:B4"]),
    ],
)
def test_captures_with_names_of_squares(fen: str, moves: list[str]) -> None:
    game = loaded("draughts-russian")
    ends = []
    for move in moves:
        position = Position.from_fen(game, fen)
        push_recorded(position, RecordedMove(move))
        ends.append(position.to_fen())
    assert len(set(ends)) == 1
    assert not position.is_partial


@each_case("move", ["e5xe1", "e5-a5", "e5:d4", "d4xa5", "e5:z9"])
def test_wrong_captures_with_names_of_squares(move: str) -> None:
    position = Position.from_fen(loaded("draughts-russian"), RUSSIAN)
    with pytest.raises(RecordError):
        push_recorded(position, RecordedMove(move))


def test_comments_and_variations() -> None:
    game = only(
        '[GameType "20"]\n[White "Anna"]\n\n'
        "1. 32-28 {solid} 19-23 (1... 18-23! 2. 38-32) 2. 28x19 14x23 $1 2-0\n"
    )
    assert game.replay(loaded(game.variant), variations=True).ply == 4
    assert game.moves[0].comment == "solid"
    assert [move.text for move in game.moves[1].variations[0]] == ["18-23", "38-32"]
    assert game.moves[3].glyphs == [1]


def test_white_and_black_are_colours() -> None:
    game = only('[White "Anna"]\n[Black "Berta"]\n[GameType "21"]\n\n1. 11-15 *\n')
    assert (game.tags["White"], game.tags["Black"]) == ("Berta", "Anna")  # Black moves first
    text = text_of(game, loaded("draughts"))
    assert '[White "Anna"]\n[Black "Berta"]' in text


# --- what is refused --------------------------------------------------------------------------


@each_case(
    ("key", "text"),
    [
        ("pdn.illegal", '[GameType "20"]\n\n1. 32-28 19-24 2. 28-24 *'),
        ("pdn.syntax", '[GameType "20"]\n\n1. 32-28 19=>24 *'),
        ("pdn.fen", '[GameType "20"]\n[FEN "W:W51:B1"]\n\n1. 32-28 *'),
        ("pdn.comment", '[GameType "20"]\n\n1. 32-28 {open'),
    ],
)
def test_a_damaged_game_loses_no_other(key: str, text: str) -> None:
    good = '[Event "x"]\n[GameType "20"]\n\n1. 32-28 19-23 *\n\n'
    before, damaged, after = read(f'{good}[Event "y"]\n{text}\n\n{good}')
    game = loaded("draughts-international")
    with raises(RecordError, key):
        damaged.replay(game)
    assert (before.replay(game).ply, after.replay(game).ply) == (2, 2)


def test_another_game_has_no_pdn() -> None:
    with raises(RecordError, "pdn.no-number"):
        text_of(game_of(loaded("chess").start()), loaded("chess"))

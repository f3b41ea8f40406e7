"""Positions as FEN and SFEN: written, read, and compared with python-chess and Fairy-Stockfish."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forthvm.core.errors import ForthVMError, PositionError
from forthvm.game import Move, Position
from forthvm.game.short_notation import read_notation
from tests.kit.cases import each_case
from tests.kit.games import load_text, loaded, play
from tests.kit.messages import raises
from tests.kit.random_games import push_random_move
from tests.models.fairy import Path as FairyPath
from tests.models.fairy import Peer, library
from tests.models.test_makruk_against_pyffish import MAKRUK
from tests.models.test_shogi_against_pyffish import MINISHOGI, SHOGI
from tests.models.test_xiangqi_against_pyffish import XIANGQI

WITH_FEN = ["chess", "chess-los-alamos", "makruk", "shogi", "shogi-mini", "xiangqi"]
DRAUGHTS = {
    "draughts": "B:W21-32:B1-12",
    "draughts-international": "W:W31-50:B1-20",
    "draughts-russian": "W:W21-32:B1-12",
}
"""The games whose pieces are written as lists of squares, with their starts."""
LETTERS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}


def in_uci(move: Move) -> str:
    """Return a move of chess as origin, target and the letter of a promotion."""
    letters = [LETTERS[str(part.name)] for part in move.parts if part.kind == "change"]
    return f"{move.from_square}{move.to_square}{''.join(letters)}"


def read(text: str, game: str = "chess") -> Position:
    return Position.from_fen(loaded(game), text)


# --- round trips and other programs -----------------------------------------------------------


@each_case(("rights", "written"), [("HAha", "KQkq"), ("Hq", "Kq"), ("ah", "kq"), ("KQkq", "KQkq")])
def test_castling_rights_as_files_of_rooks(rights: str, written: str) -> None:
    board = "r3k2r/8/8/8/8/8/8/R3K2R"
    assert read(f"{board} w {rights} - 0 1").to_fen() == f"{board} w {written} - 0 1"


@pytest.mark.slow
@each_case("name", WITH_FEN)
def test_positions_of_random_games_are_read_back(name: str) -> None:
    position, rng = loaded(name).start(), Random(5)
    while position.ply < 120 and push_random_move(position, rng):
        text = position.to_fen()
        again = read(text, name)
        assert (again.to_fen(), again.turn) == (text, position.turn)
        assert again.board == position.board
        assert again.turn_number == position.turn_number
        if position.result is None:
            assert again.legal_moves.texts == position.legal_moves.texts


@each_case("name", list(DRAUGHTS))
def test_lists_of_squares_are_read_back(name: str) -> None:
    position, rng = loaded(name).start(), Random(5)
    while position.ply < 120 and push_random_move(position, rng):
        if position.is_partial:
            continue
        again = read(position.to_fen(), name)
        assert (again.to_fen(), again.turn) == (position.to_fen(), position.turn)
        assert again.board == position.board


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_chess_is_that_of_python_chess(seed: int) -> None:
    chess: Any = pytest.importorskip("chess", reason="python-chess is not installed")
    rng, board, position = Random(seed), chess.Board(), loaded("chess").start()
    while board.ply() < 150 and not board.is_game_over(claim_draw=True):
        assert position.to_fen() == board.fen()
        again = read(board.fen(en_passant="fen"))
        assert again.to_fen() == board.fen()
        moves = [move.uci() for move in board.legal_moves]
        if again.result is None:
            assert Counter(map(in_uci, again.legal_moves)) == Counter(moves)
        move = rng.choice(moves)
        board.push_uci(move)
        position.push(next(each for each in position.legal_moves if in_uci(each) == move))
        if position.result is not None:
            break


def compared(peer: Peer, fen: str) -> list[str]:
    """Return the fields without what Fairy-Stockfish writes in another way.

    It writes the pieces in hand in another order than USI.  While makruk counts nothing, it writes
    the plies since a capture or a move of a pawn in place of the count.
    """
    board, turn, third, *rest = fen.split()
    if peer is MAKRUK and rest[0] == "-":
        rest[1] = "0"
    return [board, turn, *sorted(re.findall(r"\d*\D", third)), *rest]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("peer", [SHOGI, MINISHOGI, XIANGQI, MAKRUK], ids=lambda peer: peer.game)
def test_other_games_are_those_of_fairy_stockfish(peer: Peer, seed: int) -> None:
    fairy, path = library(), FairyPath(peer)
    is_shogi = peer in (SHOGI, MINISHOGI)
    position, rng = loaded(peer.game).start(), Random(seed)
    while position.ply < 150 and position.result is None:
        fen = fairy.get_fen(peer.variant, path.fen, [], False, is_shogi)
        assert compared(peer, position.to_fen()) == compared(peer, fen)
        again = read(fen, peer.game)
        assert again.to_fen() == position.to_fen()
        if again.result is None:
            ours = {peer.move(str(move)) for move in again.legal_moves}
            assert ours == {*path.moves()}
        move = rng.choice(position.legal_moves)
        path.push(peer.move(str(move)))
        position.push(move)


def test_the_count_of_makruk() -> None:
    """With one rook, 16 moves are counted (see the README): 32 plies."""
    position = read("8/8/4k3/8/8/8/R7/K7 b - 32 7 61", "makruk")
    assert (position.variables["limit"], position.variables["count"]) == (32, 7)
    position.push("Kd5")
    assert position.to_fen() == "8/8/8/3k4/8/8/R7/K7 w - 32 8 62"
    position = read("4k3/8/8/8/8/3P4/R7/K7 w - - 23 61", "makruk")
    assert position.to_fen() == "4k3/8/8/8/8/3P4/R7/K7 w - - 0 61"


# --- what is kept -----------------------------------------------------------------------------


@each_case("name", WITH_FEN)
def test_the_start_is_that_of_the_game(name: str) -> None:
    start = loaded(name).start()
    assert read(start.to_fen(), name) == start


def test_a_position_is_saved_and_taken_back() -> None:
    position = read("4k3/8/8/8/8/8/4P3/4K3 b - - 7 40")
    again = Position.from_json(position.game, position.to_json())
    play(again, "Kd7", "e4")
    assert again.to_fen() == "8/3k4/8/8/4P3/8/8/4K3 b - - 0 41"
    again.pop()
    again.pop()
    assert again == position


def test_the_fields_after_the_turn_may_be_missing() -> None:
    assert read("4k3/8/8/8/8/8/4P3/4K3 b").to_fen() == "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"


def test_numbers_may_begin_with_zeros() -> None:
    zeros = "0" * 20
    position = read(f"4k3/{zeros}8/8/8/8/8/8/4K3 w - - {zeros}7 {zeros}12")
    assert position.to_fen() == "4k3/8/8/8/8/8/8/4K3 w - - 7 12"
    assert read(f"5/5/5/5/5 b {zeros}2P", "shogi-mini").to_fen() == "5/5/5/5/5 b 2P 1"


def test_other_letters_are_read() -> None:
    text = "rhbakabhr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1"
    assert read(text, "xiangqi") == loaded("xiangqi").start()
    assert read(text, "xiangqi").to_fen().split()[1] == "w"


@each_case(
    "text",
    [
        '4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd2 e4; id "a b";',
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ;D1 6 ;D2 30",
        "4k3/8/8/8/8/8/4P3/4K3 w ;D1 6",
    ],
)
def test_operations_of_epd_are_ignored(text: str) -> None:
    assert read(text).to_fen() == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


@each_case("name", list(DRAUGHTS))
def test_the_start_of_draughts(name: str) -> None:
    assert loaded(name).start().to_fen() == DRAUGHTS[name]
    assert read(DRAUGHTS[name], name).board == loaded(name).start().board


@each_case(
    ("text", "expected"),
    [
        ("B:W31-33,K5:B10,9,8", "B:WK5,31-33:B8-10"),
        ("W:BK1,2,K3:W50", "W:W50:BK1,2,K3"),
        (" W : W 31 , K 5 - 6 : B . ", "W:WK5,K6,31:B"),
        ("W:Wa5,Kc5:Bb10", "W:W26,K27:B1"),
        ("W:W31:B1:H12:F7", "W:W31:B1"),
    ],
)
def test_forms_of_lists_of_squares(text: str, expected: str) -> None:
    assert read(text, "draughts-international").to_fen() == expected


def test_a_number_of_rounds_counts_from_the_first_player() -> None:
    position = loaded("chess").start(turn="Black")
    numbers = []
    for move in ("e5", "e4", "Nf6"):
        numbers.append(position.to_fen().split()[-1])
        position.push(move)
    assert numbers == ["1", "2", "2"]


# --- what is refused --------------------------------------------------------------------------

EMPTY = "8/8/8/8/8/8/8/8"
MARK = "fen mark K White mark white-O-O\n"
SIDE = "fen side W White\n"


@each_case(
    ("key", "game", "text"),
    [
        ("fen.empty", "chess", ""),
        ("fen.short-row", "chess", "rnbqkbnr/ppp w - - 0 1"),
        ("fen.piece", "chess", "rnbqkbnr/pppxpppp/8/8/8/8/8/8 w - - 0 1"),
        ("fen.long-row", "chess", "8/9/8/8/8/8/8/8 w - - 0 1"),
        ("fen.few-rows", "chess", "8/8/8 w - - 0 1"),
        ("fen.many-rows", "chess", f"{EMPTY}/8 w - - 0 1"),
        ("fen.no-turn", "chess", EMPTY),
        ("fen.turn", "chess", f"{EMPTY} x - - 0 1"),
        ("fen.right", "chess", f"{EMPTY} w KX - 0 1"),
        ("fen.right-twice", "chess", f"{EMPTY} w KK - 0 1"),
        ("fen.target", "chess", f"{EMPTY} w - e4 0 1"),
        ("fen.two-targets", "chess", f"{EMPTY} w - e3d3 0 1"),
        ("fen.number", "chess", f"{EMPTY} w - - -1 1"),
        ("fen.large-number", "chess", f"{EMPTY} w - - {'0' * 20}9999999999 1"),
        ("fen.limit", "makruk", f"{EMPTY} w - 0 0 1"),
        ("fen.rest", "chess", f"{EMPTY} w - - 0 1 2"),
        ("fen.long", "chess", "8" * 5000),
        ("fen.held", "shogi-mini", "5/5/5/5/5 b 2X"),
        ("fen.count", "shogi-mini", "5/5/5/5/5 b 3P"),
        ("fen.count-with-zeros", "shogi-mini", "5/5/5/5/5 b 00019P"),
        ("fen.held-twice", "shogi-mini", "5/5/5/5/5 b PP"),
        ("fen.no-statements", "amazons", EMPTY),
        ("fen.nothing", "draughts", ":"),
        ("fen.turn-of-draughts", "draughts", "R:W1:B2"),
        ("fen.no-list", "draughts", "W:W1"),
        ("fen.list", "draughts", "W:W1:W2:B3"),
        ("fen.third-list", "draughts", "W:W1:B2:X3"),
        ("fen.square", "draughts", "W:W1,33:B2"),
        ("fen.no-square", "draughts", "W:WK:B2"),
        ("fen.range", "draughts", "W:W1,9-5:B2"),
        ("fen.square-twice", "draughts", "W:W1-3:B12-15,K2"),
    ],
)
def test_wrong_texts(key: str, game: str, text: str) -> None:
    with raises(PositionError, key):
        read(text, game)


@each_case("words", ["fen ", "sfen ", "position fen ", " position  sfen  "])
def test_the_words_of_a_command_are_skipped(words: str) -> None:
    """The column of an error counts them."""
    line = loaded("shogi").start().to_fen()
    assert read(words + line, "shogi") == loaded("shogi").start()
    with raises(PositionError, "fen.no-turn-after-command", column=len(words) + 18):
        read(f"{words}9/9/9/9/9/9/9/9/9", "shogi")


def test_a_word_that_is_no_board() -> None:
    """Its first letter may be that of a piece."""
    with raises(PositionError, "fen.no-rows"):
        read("startpos", "shogi")


@given(st.text(alphabet="KQkqPp/123489 wb-eé\x00", max_size=80))
@example("/" * 80)
@example(f"{EMPTY} w - - {'9' * 70} 1")
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        position = read(text)
    except PositionError:
        return
    assert read(position.to_fen()).board == position.board


@given(st.text(alphabet="WBK:,-.1234567890ab ", max_size=40))
@example(f"W:W{'9' * 400}:B1")
@example("W:W1-" + "9" * 400 + ":B1")
def test_any_lists_are_read_or_refused(text: str) -> None:
    try:
        position = read(text, "draughts-international")
    except PositionError:
        return
    assert read(position.to_fen(), "draughts-international").board == position.board


def test_a_piece_without_a_text_is_not_left_out() -> None:
    setup = [("White", "king", "a1"), ("Black", "mark", "white-O-O")]
    with raises(PositionError, "fen.other-piece"):
        loaded("chess").start(setup=setup).to_fen()
    with raises(PositionError, "fen.attribute"):
        loaded("chess").start(setup=setup[:1], attributes={"a1": 1}).to_fen()


@each_case(
    ("key", "text"),
    [
        ("fen.statement", "fen\n"),
        ("fen.no-board", "fen turn w b\n"),
        ("fen.unknown-statement", "fen right\n"),
        ("fen.two-boards", "fen board\nfen board\n"),
        ("fen.letters-of-turn", "fen turn w\n"),
        ("fen.type-of-piece", "fen piece P p pwan\n"),
        ("fen.digit", "fen piece 1 2 pawn\n"),
        ("fen.letter-twice", "fen piece P P pawn\n"),
        ("fen.turn-twice", "fen turn w w\n"),
        ("fen.mark-twice", f"fen rights\n{MARK}{MARK.replace('O-O', 'O-O-O')}"),
        ("fen.variable", "fen number clok\n"),
        ("fen.mark-without-field", "fen board\nfen mark K White mark white-O-O\n"),
        ("fen.mark-of-nobody", "fen rights\nfen mark K Red mark white-O-O\n"),
        ("fen.mark-nowhere", "fen rights\nfen mark K White mark white-0-0\n"),
        ("fen.held-without-field", "fen rights\nfen held P White a1\n"),
        ("fen.type-in-hand", "fen hand x1\n"),
        ("fen.first-without-field", "fen board\nfen first K White rook king h1 H\n"),
        ("fen.first-without-pairs", f"fen rights\n{MARK}fen first H White rook king h1\n"),
        ("fen.first-of-no-mark", f"fen rights\n{MARK}fen first H White rook king h1 Q\n"),
        ("fen.first-twice", f"fen rights\n{MARK}fen first K White rook king h1 K\n"),
        ("fen.letter-without-type", "fen squares pawn K\n"),
        ("fen.squares-without-sides", "numbers a1\nfen turn W B\nfen squares pawn\n"),
        ("fen.squares-without-numbers", f"fen turn W B\nfen squares pawn\n{SIDE}"),
        ("fen.squares-and-board", f"numbers a1\nfen board\nfen squares pawn\n{SIDE}"),
        ("fen.side-twice", f"fen squares pawn\n{SIDE}{SIDE}"),
    ],
)
def test_wrong_statements(key: str, text: str) -> None:
    with raises(ForthVMError, key):
        read_notation(Path("chess.notation"), f"style target\n{text}", loaded("chess")._loaded)


def test_a_wrong_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "game.notation").write_text("style target\nfen turn w\n", encoding="utf-8")
    script = (Path(loaded("tictactoe").path)).read_text(encoding="utf-8")
    game = load_text(tmp_path, script, name="game.4th")
    with pytest.raises(PositionError, match=r"game\.notation:2"):
        game.start().to_fen()

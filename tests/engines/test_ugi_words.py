"""The notation of moves and positions over UGI, and the parsing of lines."""

from __future__ import annotations

import base64
import random
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import forthvm
from forthvm.core.errors import AmbiguousMoveError, IllegalMoveError, PositionError
from forthvm.engines import Limits
from forthvm.engines.protocols.moves_from_start import PositionEncoder
from forthvm.engines.protocols.uci.limits import read_go
from forthvm.engines.protocols.uci.messages import read_info, read_option
from forthvm.engines.protocols.uci.positions import decode_position, encode_position
from forthvm.engines.protocols.uci.server import DialectServer
from forthvm.engines.protocols.words import MoveWords, decode, encode, push_word
from forthvm.game import Position
from forthvm.game.outcome import WIN
from tests.kit.cases import each_case
from tests.kit.every_game import BUNDLED, every_game
from tests.kit.games import load_text, loaded, play
from tests.kit.messages import raises
from tests.kit.random_games import push_random_moves

GAMES = [entry.name for entry in BUNDLED]


# --- moves ---------------------------------------------------------------------------------------


@given(st.text())
def test_every_text_can_be_encoded_and_decoded(text: str) -> None:
    word = encode(text)
    assert decode(word) == text
    assert word.isascii()
    assert word.isprintable()
    assert word.split() == [word]


@given(st.text(), st.text())
def test_different_texts_have_different_words(one: str, other: str) -> None:
    assert (encode(one) == encode(other)) == (one == other)


@given(st.text(st.characters(codec="ascii", exclude_characters=" _")))
def test_decoding_any_text_does_not_raise(text: str) -> None:
    decode(text)


def test_equal_texts_are_numbered(tmp_path: Path) -> None:
    text = r"""
{board 1 2 {grid} {variable} count board}
{players {player} X {player} O players}
{turn-order {turn} X {turn} O turn-order}
: bump ( -- ) count ++ ;
: put ( -- ) empty? verify drop add-move ;
: put-and-count ( -- ) empty? verify drop COMPILE bump add-move ;
{moves puts {move} put {move} put-and-count moves}
{pieces {piece} mark {drops} puts pieces}
: OnIsGameOver #UnknownScore ;
"""
    position = load_text(tmp_path, text, name="equal.4th").start()
    texts = position.legal_moves.texts
    assert sorted(texts) == ["X mark a1", "X mark a1", "X mark b1", "X mark b1"]
    move_words = MoveWords(position)
    assert sorted(move_words.words) == ["X_mark_a1", "X_mark_a1~2", "X_mark_b1", "X_mark_b1~2"]
    counts = set()
    for word in move_words.words:
        if "b1" in word:
            after = position.copy()
            push_word(after, word)
            counts.add(after.variables["count"])
            assert PositionEncoder(position.game).encode(after) == f"startpos moves {word}"
    assert counts == {0, 1}  # the numbers distinguish moves with different effects
    assert move_words.find("b1") == move_words.find("X_mark_b1")
    with pytest.raises(IllegalMoveError):
        move_words.find("X_mark_b1~3")


@each_case(
    ("word", "text"),
    [
        ("White_Pawn_a2", None),
        ("pawn_a2_-_a3", "pawn a2 - a3"),
        ("PAWN_a2_-_a3", "pawn a2 - a3"),
        ("Pawna2a3", "pawn a2 - a3"),
        ("a2a3", "pawn a2 - a3"),
        ("A2-A3", "pawn a2 - a3"),
        ("a2xa3", "pawn a2 - a3"),
        ("a2", None),
        ("a3", None),
        ("Pawn", None),
        ("a2a3a4", None),
        ("0000", None),
        ("", None),
    ],
)
def test_squares_of_a_move_are_accepted(word: str, text: str | None) -> None:
    """All squares are required; a part of them is not accepted even if it is unique."""
    position = loaded("breakthrough").start()
    if text is None:
        with raises(IllegalMoveError, "ugi-words.not-a-legal-move"):
            MoveWords(position).find(word)
    else:
        assert position.legal_moves[MoveWords(position).find(word)].text == text


def test_ambiguous_squares_raise() -> None:
    position = forthvm.load("chess").start(
        setup=[("White", "king", "e1"), ("Black", "king", "e8"), ("White", "pawn", "a7")]
    )
    promotions = [text for text in position.legal_moves.texts if "a7 - a8" in text]
    assert len(promotions) == 4
    with raises(AmbiguousMoveError, "ugi-words.ambiguous-move"):
        MoveWords(position).find("a7a8")
    short_words = MoveWords(position).short_words()
    assert "e1e2" in short_words
    assert "a7a8" not in short_words
    for at, word in enumerate(short_words):
        assert MoveWords(position).find(word) == at


# --- positions -----------------------------------------------------------------------------------


@every_game()
def test_both_sides_agree_in_every_game(name: str) -> None:
    """A server with its own VM reaches the positions that an encoder sends."""
    game = forthvm.load(name, clock=1, output=lambda _: None)
    encoder = PositionEncoder(game)
    output: list[str] = []
    server = DialectServer(game.clone(), output.append, "first")
    position = push_random_moves(game.start(), 2, random.Random(5))
    for step in range(4):
        position = push_random_moves(position, 4, random.Random(step))
        arguments = encoder.encode(position)
        server._execute(f"position {arguments or f'fen {encode_position(position)}'}")
        assert output == []
        received = server._position
        assert received.cells == position.cells
        assert received.turn == position.turn
        assert MoveWords(received).words == MoveWords(position).words
        server._execute(f"position fen {encode_position(position)}")
        assert server._position == position
        assert decode_position(game, encode_position(position)) == position
    if position.result is None and not position.is_stuck:
        server._execute("query moves")
        words = output.pop().split()[1:]
        assert [MoveWords(position).find(word) for word in words] == list(range(len(words)))


def test_only_new_moves_are_replayed() -> None:
    game = forthvm.load("breakthrough")
    encoder = PositionEncoder(game)
    position = game.start()
    assert encoder.encode(position) == "startpos"
    position.push("a2a3")
    assert encoder.encode(position) == "startpos moves pawn_a2_-_a3"
    position.pop()
    play(position, "b2b3", "b7b6")
    assert encoder.encode(position) == "startpos moves pawn_b2_-_b3 pawn_b7_-_b6"
    assert encoder.encode(game.start()) == "startpos"
    assert encoder.encode(game.start(turn="Black")) is None
    assert encoder.encode(position) == "startpos moves pawn_b2_-_b3 pawn_b7_-_b6"


def test_position_that_moves_do_not_reach_is_sent_completely() -> None:
    """Moves from the start do not reach a position with another set-up."""
    position = loaded("tictactoe").start()
    from_document = Position.from_json(position.game, position.to_json())
    assert PositionEncoder(position.game).encode(from_document) == "startpos"
    set_up = position.game.start(setup=[("X", "mark", "a1")])
    assert PositionEncoder(position.game).encode(set_up) is None
    received = decode_position(position.game, encode_position(set_up))
    assert received == set_up
    assert received.board["a1"] is not None


@each_case(
    ("word", "message"),
    [
        ("startpos", "must begin with 'fvm1:'"),
        ("8/8/8", "must begin with"),
        ("fvm1:", "truncated"),
        ("fvm1:????", "not a position"),
        ("fvm1:AAAA", "not a position"),
        ("fvm1:é", "not a position"),
        ("fvm1:" + base64.urlsafe_b64encode(zlib.compress(b"test")).decode(), "not JSON"),
    ],
)
def test_invalid_position_texts_are_refused(word: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        decode_position(forthvm.load("tictactoe"), word)


@pytest.mark.slow
def test_too_large_decompressed_text_is_refused() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * (65 << 20))).decode()
    assert len(bomb) < 100_000
    with raises(PositionError, "ugi-words.too-large"):
        decode_position(forthvm.load("tictactoe"), f"fvm1:{bomb}")


def test_position_of_another_game_is_refused() -> None:
    word = encode_position(loaded("breakthrough").start())
    with pytest.raises(forthvm.PositionDigestError):
        decode_position(forthvm.load("tictactoe"), word)


# --- lines ---------------------------------------------------------------------------------------


def test_info_lines_are_parsed() -> None:
    info = read_info("info depth 7 multipv 2 score mate 3 lowerbound nps 5 nodes 8 pv a b")
    assert (info.depth, info.line, info.score, info.nodes) == (7, 1, WIN - 3, 8)
    assert info.pv == ["a", "b"]
    assert read_info("info score mate -4").score == -(WIN - 4)
    in_moves = [("mate 2", WIN - 3), ("mate -2", 4 - WIN), ("mate 0", -WIN), ("cp 5", 5)]
    for text, score in in_moves:
        assert read_info(f"info score {text}", has_mates_in_moves=True).score == score
    assert read_info("info score cp -7 currmove a2a3 string depth 9").score == -7
    assert read_info("info string depth 9").depth is None
    assert read_info("info string  depth  9").text == "depth 9"
    for line in ("info", "info depth", "info depth x nodes -3", "info score", "info score cp", "x"):
        info = read_info(line)
        assert (info.depth, info.nodes, info.score, info.pv) == (None, None, None, [])
    assert read_info(f"info nodes {'9' * 5000}").nodes is None
    assert read_info(f"info score cp {'9' * 100}").score is None


@given(st.text())
def test_invalid_info_lines_do_not_raise(text: str) -> None:
    read_info(f"info {text}")
    read_option(f"option {text}")


def test_declared_options_are_parsed() -> None:
    option = read_option("option name My Style type combo default a b var a b var c")
    assert (option.name, option.default, option.choices) == ("My Style", "a b", ("a b", "c"))
    assert option.value_text("A  B") == "a b"
    for line in ("option", "option name", "option type spin", "option name x type maybe"):
        assert read_option(line) is None


@each_case(
    ("words", "limits", "infinite", "unknown"),
    [
        ("", Limits(), False, []),
        ("depth 4 nodes 5", Limits(depth=4, nodes=5), False, []),
        ("movetime 1500", Limits(time=1.48), False, []),
        ("movetime 30", Limits(time=0.015), False, []),
        ("movetime 1500.5 depth 3.0", Limits(time=1.4805, depth=3), False, []),
        ("movetime -20", Limits(time=0), False, []),
        ("infinite", Limits(time=1e9), True, []),
        ("infinite depth 3", Limits(depth=3), True, []),
        ("depth infinite", Limits(time=1e9), True, []),
        # a thirtieth of 30 s, and four fifths of the increment
        ("p1time 9 p2time 30000 p1inc 9 p2inc 500", Limits(time=1.4), False, []),
        # 30 s divided by 9 moves and one more
        ("p2time 30000 movestogo 9", Limits(time=3.0), False, []),
        # less than the remaining time
        ("p2time 1000 p2inc 60000", Limits(time=0.95), False, []),
        ("p2time 30000 movetime 500", Limits(time=0.48), False, []),
        ("p2time -100", Limits(time=0), False, []),
        ("p1time 30000", Limits(), False, []),
        ("ponder depth 2 mate 3", Limits(depth=2), False, ["ponder", "mate", "3"]),
        ("depth", Limits(), False, ["depth"]),
        ("depth x nodes -1 movestogo 0", Limits(), False, ["depth x", "nodes -1", "movestogo 0"]),
        ("depth 0 movetime 1e3", Limits(), False, ["depth 0", "movetime 1e3"]),
    ],
)
def test_go_arguments_are_parsed(
    words: str, limits: Limits, infinite: bool, unknown: list[str]
) -> None:
    assert read_go(words.split(), ("p2time", "p2inc")) == (limits, infinite, unknown)

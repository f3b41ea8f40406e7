"""Games as SGF: read, replayed and written."""

from __future__ import annotations

import io
import tracemalloc
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forthvm.core.errors import PositionError
from forthvm.game import Game, load
from forthvm.game.records import pgn
from forthvm.game.records.recorded import RecordedGame, RecordedMove, RecordError, game_of
from forthvm.game.records.sgf import read_games, text_of
from tests.kit.cases import each_case
from tests.kit.games import loaded, play
from tests.kit.messages import raises
from tests.kit.random_games import push_random_moves

EXAMPLE = r"""(;FF[4]GM[1]SZ[9]KM[6.5]PB[Anna \[5d\]]PW[Bob]EV[Cup]RO[2]DT[2024-05-06]RE[B+R]
C[A game
in two\
 lines: a\:b \\];B[ee]C[good]TE[1];W[gc]
(;B[cc](;W[cg];B[])(;W[dg]))
(;C[or];B[cd];W[aa]))"""


def read(text: str | bytes) -> list[RecordedGame]:
    data = text.encode() if isinstance(text, str) else text
    return list(read_games(io.BytesIO(data), "games.sgf"))


def only(text: str | bytes) -> RecordedGame:
    (game,) = read(text)
    assert game.error is None, game.error
    return game


def game_for(record: RecordedGame) -> Game:
    return load(record.variant, settings=record.settings())


def texts(moves: list[RecordedMove]) -> list[str]:
    return [move.text for move in moves]


# --- reading --------------------------------------------------------------------------------------


def test_a_game_with_variations() -> None:
    record = only(EXAMPLE)
    expected = {"White": "Anna [5d]", "Black": "Bob", "Event": "Cup", "Round": "2"}
    assert expected.items() <= record.tags.items()
    assert (record.tags["Date"], record.result) == ("2024.05.06", "1-0")
    assert (record.variant, record.settings()) == ("go-9x9", {"komi": "6.5"})
    assert record.comment == "A game\nin two lines: a:b \\"
    assert texts(record.moves) == ["e5", "g7", "c7", "c3", "Pass"]
    assert (record.moves[0].comment, record.moves[0].glyphs) == ("good", [1])
    (other,) = record.moves[2].variations
    assert (texts(other), other[0].before) == (["c6", "a9"], "or")
    assert [texts(each) for each in record.moves[3].variations] == [["d3"]]
    assert record.replay(game_for(record), variations=True).turn == "White"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("(;SZ[19];B[pd];W[jj];B[aa];W[ss])", ["q16", "k10", "a19", "t1"]),
        ("(;SZ[9];B[];W[tt])", ["Pass", "Pass"]),
        ("(;GM[4];B[hh];W[ia])", ["h8", "i15"]),
        ("(;GM[11]SZ[11];B[a1];W[ba])", ["a1", "b1"]),
        ("(;SZ[9]B[aa];W[ab])", ["a9", "a8"]),
        ("(;SZ[9];B[aa];B[ab])", ["a9", "Pass", "a8"]),
        ("( ;SZ [9]\n\n;B\n[aa]\r\n;W[a\\\nb])", ["a9", "a8"]),
        ("(;GaMe[1]SiZe[9]SZ[9];Black[aa])", ["a9"]),
        ("junk (not a game) [x]\n(;SZ[9];B[aa])", ["a9"]),
        ("(\nSZ[9]\n;B[ee];W[cc])", ["e5", "c7"]),
        ("(SZ[9];B[ee](W[cc])(;W[dd]))", ["e5", "c7"]),
        ("(;sz[9];b[ee];w[cc];B[dd])", ["e5", "c7", "d6"]),
    ],
)
def test_moves(text: str, moves: list[str]) -> None:
    record = only(text)
    assert texts(record.moves) == moves
    record.replay(game_for(record))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("text", "black", "white", "turn"),
    [
        ("(;SZ[9]HA[2]AB[cc][gg];W[ee])", {"c7", "g3"}, set(), "White"),
        ("(;SZ[9]AB[aa:bc]AW[ii]PL[W])", {"a9", "a8", "a7", "b9", "b8", "b7"}, {"j1"}, "White"),
        ("(;SZ[9]AB[aa:bb]AE[ab]AW[ba])", {"a9", "b8"}, {"b9"}, "Black"),
        ("(;SZ[9]AB[bb:aa])", {"a9", "a8", "b9", "b8"}, set(), "White"),
        ("(;SZ[9]AB[ba:ab])", {"a9", "a8", "b9", "b8"}, set(), "White"),
        ("(;SZ[9]AB[ab:ba]AE[bb:bb])", {"a9", "a8", "b9"}, set(), "White"),
        ("(;SZ[9]ab[cc][gg];w[ee])", {"c7", "g3"}, set(), "White"),
        ("(;SZ[9];AB[aa];C[a problem];AW[bb];W[cc])", {"a9"}, {"b8"}, "White"),
        ("(;SZ[9];W[cc])", set(), set(), "White"),
        ("(;SZ[9]AB[aa])", {"a9"}, set(), "White"),
    ],
)
def test_stones_that_are_set_up(text: str, black: set[str], white: set[str], turn: str) -> None:
    record = only(text)
    game = game_for(record)
    start = record.start(game)
    stones = {name: piece.player for name, piece in start.board.occupied()}
    assert stones == dict.fromkeys(black, "Black") | dict.fromkeys(white, "White")
    assert start.turn == turn
    record.replay(game)
    assert only(text_of(record, game)).start(game) == start


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("text", "result"),
    [
        *(("B+3.5", "1-0"), ("W+R", "0-1"), ("W+", "0-1"), ("0", "1/2-1/2"), ("Draw", "1/2-1/2")),
        *(("B", "1-0"), ("W", "0-1"), ("Black", "*")),
        *(("?", "*"), ("Void", "*"), ("", "*")),
    ],
)
def test_results(text: str, result: str) -> None:
    record = only(f"(;SZ[9]RE[{text}])")
    assert record.result == result
    assert only(text_of(record, game_for(record))).tags.get("RE", "") == text


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("komi", "settings"),
    [
        *(("6.5", {"komi": "6.5"}), ("6.50", {"komi": "6.5"}), ("6,5", {"komi": "6.5"})),
        *(("7", {}), ("3.75", {}), ("3,75", {})),
    ],
)
def test_komi(komi: str, settings: dict[str, str]) -> None:
    record = only(f"(;SZ[9]KM[{komi}])")
    assert record.settings() == settings
    game = game_for(record)
    text = text_of(record, game)
    assert f"KM[{komi.rstrip('0').replace(',', '.')}]" in text
    again = only(text)
    assert (again.settings(), again.tags.get("KM")) == (settings, record.tags.get("KM"))


def test_lists_of_other_properties_are_not_kept() -> None:
    record = only("(;SZ[9]LB[aa:1][bb:2]XY[a][b]GN[x]PB[Anna]PB[A]RE[W+R]RE[W+])")
    assert record.tags.keys() & {"LB", "XY", "GN", "RE"} == {"GN"}
    assert (record.tags["White"], record.result) == ("Anna", "0-1")
    text = text_of(record, game_for(record))
    assert "GN[x]" in text
    assert "aa:1" not in text


@pytest.mark.sampled(3)
@pytest.mark.parametrize("properties", ["SZ[9]", "SZ[9]KM[]", "SZ[9]KM[?]", "GM[4]"])
def test_an_unknown_komi_is_not_invented(properties: str) -> None:
    record = only(f"(;{properties})")
    assert record.settings() == {}
    game = game_for(record)
    assert "KM" not in text_of(record, game)
    (as_pgn,) = pgn.read_games(io.BytesIO(pgn.text_of(record).encode()))
    assert "KM" not in text_of(as_pgn, game)


def test_the_komi_of_a_game_that_was_played_is_written() -> None:
    assert "KM[7]" in text_of(game_of(loaded("go-9x9").start()), loaded("go-9x9"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("(;SZ[9]PB[Jürgen 李])".encode(), "Jürgen 李"),
        ("\ufeff(;SZ[9]PB[Jürgen])".encode(), "Jürgen"),
        ("\ufeff(;SZ[9]CA[UTF-16]PB[Jürgen 李])".encode("utf-16-le"), "Jürgen 李"),
        ("\ufeff(;SZ[9]\r\nPB[Jürgen 李])".encode("utf-16-be"), "Jürgen 李"),
        ("(;SZ[9]CA[ISO-8859-1]PB[Jürgen])".encode("latin-1"), "Jürgen"),
        ("(;SZ[9]PB[Jürgen])".encode("latin-1"), "Jürgen"),
        ("(;SZ[9]CA[GB18030]PB[李])".encode("gb18030"), "李"),
        ("(;SZ[9]CA[rot13]PB[J\xfcrgen])".encode("latin-1"), "Jürgen"),
    ],
)
def test_encodings(data: bytes, name: str) -> None:
    assert only(data).tags["White"] == name


def test_characters_at_the_ends_of_the_parts_in_which_lines_are_read() -> None:
    name = "李" * 100_000
    assert only(f"(;SZ[9]PB[{name}])").tags["White"] == name
    assert only(f"(;SZ[9]PB[x{name}])").tags["White"] == f"x{name}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("one\n\n  two\r\nthree\rfour", "one\n\n  two\nthree\nfour"),
        ("one\\\n two\\\r\n three\tfour\n", "one two three four"),
        ("one] ;C[two]C[three", "one\ntwo\nthree"),
        ("x" * 65_526 + "\r\ny", "x" * 65_526 + "\ny"),  # 64 kB are read at once
    ],
)
def test_lines_of_comments(text: str, comment: str) -> None:
    for record in (only(f"(;SZ[9]C[{text}])"), only(f"(;SZ[9];B[aa]C[{text}])")):
        assert (record.moves[0] if record.moves else record).comment == comment
        written = text_of(record, game_for(record))
        again = only(written)
        assert (again.comment, again.moves) == (record.comment, record.moves)
        (as_pgn,) = pgn.read_games(io.BytesIO(pgn.text_of(record).encode()))
        assert as_pgn.error is None
        found = (as_pgn.moves[0] if as_pgn.moves else as_pgn).comment
        assert found == " ".join(comment.split())


def test_a_line_of_many_moves_needs_no_deep_recursion() -> None:
    nested = "(;B[aa]" + "(;W[];B[]" * 2000 + ")" * 2001
    assert len(only(f"(;SZ[9]{nested})").moves) == 4001


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("(;GM[4])", "gomoku"),
        ("(;GM[4]VARIANT[gomoku-standard])", "gomoku-standard"),
        ("(;GM[4]VARIANT[chess])", "gomoku"),
        ("(;SZ[13]VARIANT[go-9x9])", "go-13x13"),
        ("(;VARIANT[../go])", "go"),
        ("(;SZ[19:19])", "go"),
    ],
)
def test_the_game_of_a_file(text: str, name: str) -> None:
    assert only(text).variant == name


# --- damaged games --------------------------------------------------------------------------------


@pytest.mark.slow
@each_case(
    ("key", "text"),
    [
        ("sgf.point", "(;SZ[9];B[aa]\n;W[zz])"),
        ("sgf.name", "(;GM[4];B[k99])"),
        ("sgf.number", "(;GM[x])"),
        ("sgf.unknown-game", "(;GM[3])"),
        ("sgf.unknown-size", "(;SZ[17])"),
        ("sgf.size", "(;SZ[nine])"),
        ("sgf.setup-after-move", "(;SZ[9];B[aa];AB[bb])"),
        ("sgf.rectangles", f"(;SZ[9]AB{'[aa:ii]' * 700}AE{'[ii:aa]' * 700})"),
        ("sgf.no-end", "(;SZ[9];B[aa]"),
        ("sgf.open-value", "(;SZ[9];C[a comment"),
        ("sgf.unexpected", "(;SZ[9];B[aa] ] )"),
        ("sgf.no-value", "(;SZ[9]B;W[aa])"),
        ("sgf.no-property", "(;SZ[9];[aa])"),
        ("sgf.empty-variation", "(;SZ[9]())"),
        ("sgf.two-brackets", "(\n(;B[aa]))"),
        ("sgf.no-first-node", "(Note [1])"),
        ("sgf.empty-game", "( )"),
        ("sgf.no-bracket", ";FF[4]SZ[9];B[aa])"),
        ("sgf.swap-sides", "(;GM[11];B[c2];W[swap-sides];W[f6])"),
        ("sgf.early-end", "Moves: ;B[aa];W[bb])"),
    ],
)
def test_errors(key: str, text: str) -> None:
    """A damaged game has an error with its place, and the games around it are read."""
    whole = "(;SZ[9];B[cc])\n"
    before, damaged, after = read(f"{whole}{text}\n(;FF[4]SZ[9];B[dd])\n")
    assert texts(before.moves) == ["c7"]
    assert texts(after.moves) == ["d6"]
    assert (before.error, after.error) == (None, None)
    assert (before.line, damaged.line, after.line) == (1, 2, 3 + text.count("\n"))
    with raises(RecordError, key):
        damaged.replay(loaded("go-9x9"))


def test_a_damaged_game_has_the_moves_before_the_error() -> None:
    (record,) = read("(;SZ[9];B[aa];W[bb]C[a];B[zz];W[cc])")
    assert texts(record.moves) == ["a9", "b8"]
    assert record.error is not None


@each_case(
    ("key", "text"),
    [("sgf.occupied", "(;SZ[9];B[aa]\n;W[aa])"), ("sgf.hex-pass", "(;GM[11];B[a1];B[a2])")],
)
def test_illegal_moves(key: str, text: str) -> None:
    record = only(text)
    with raises(RecordError, key):
        record.replay(game_for(record))


def test_an_encoding_is_that_of_one_game() -> None:
    chinese = "(;SZ[9]CA[GB18030]\nPB[李])".encode("gb18030")
    latin = "(;SZ[9]\nPB[Jürgen])".encode("latin-1")
    records = read(b"\n".join((chinese, latin, chinese)))
    assert [record.tags["White"] for record in records] == ["李", "Jürgen", "李"]


def test_damaged_variations_are_left_out() -> None:
    record = only("(;SZ[9];B[aa](;W[bb])(;W[zz])(;W[cc];AB[dd])(;W[dd]))")
    assert [texts(each) for each in record.moves[1].variations] == [["d6"]]


def test_a_variation_goes_on_if_the_main_line_has_no_move() -> None:
    record = only("(;SZ[9];B[aa](;C[note])(;W[bb];B[cc])(;W[dd]))")
    assert texts(record.moves) == ["a9", "b8", "c7"]
    assert record.moves[0].comment == "note"
    assert [texts(each) for each in record.moves[1].variations] == [["d6"]]
    record = only("(;SZ[9](;B[aa](;C[note])(;W[bb]))(;B[cc]))")
    assert texts(record.moves) == ["a9", "b8"]
    assert [texts(each) for each in record.moves[0].variations] == [["c7"]]


def test_a_game_that_is_too_long() -> None:
    long = f"(;SZ[9]C[{'x' * (1 << 21)}](;B[aa])(;B[bb]))"
    first, damaged, last = read(f"(;SZ[9])\n{long}\n(;SZ[9])")
    assert (first.error, last.error) == (None, None)
    assert "longer than" in str(damaged.error)


@pytest.mark.slow
def test_memory_is_bounded_by_the_longest_game() -> None:
    class Endless(io.RawIOBase):
        left = 3000

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            data = b"(;SZ[9]C[" + b"x" * 900 + b"];B[aa];W[bb])"
            self.left -= 1
            buffer[: len(data)] = data
            return len(data) if self.left >= 0 else 0

    games = read_games(io.BufferedReader(Endless(), 1 << 10), "endless.sgf")
    next(games)  # the game is loaded
    tracemalloc.start()
    assert sum(record.error is None for record in games) == 2999
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20


@given(st.text("();[]\\:BWCA abSZ9\n", max_size=200) | st.binary(max_size=200))
def test_any_text_is_read(text: str | bytes) -> None:
    for record in read(text):
        if record.error is None:
            game = game_for(record)
            try:
                record.replay(game, variations=True)
            except RecordError:
                continue
            again = only(text_of(record, game))
            assert texts(again.moves) == texts(record.moves)


# --- writing --------------------------------------------------------------------------------------


def decorate(moves: list[RecordedMove], game: Game, record: RecordedGame, rng: Random) -> None:
    """Add comments, glyphs and variations to the moves of a record."""
    position = record.start(game)
    for move in moves:
        if rng.random() < 0.1:
            move.comment = f"a ] \\ [ ;\n\n( {rng.randint(1, 99)}  ü"
        if rng.random() < 0.1:
            move.glyphs = [rng.randint(1, 6)]
        if rng.random() < 0.05 and position.result is None:
            other = position.copy()
            variation = []
            for _ in range(rng.randint(1, 3)):
                if other.result is None:
                    chosen = rng.choice(list(other.legal_moves))
                    variation.append(RecordedMove(chosen.short))
                    other.push(chosen)
            variation[0].before = "be\nfore" if rng.random() < 0.5 else ""
            move.variations = [variation]
        position.push(position.parse(move.text))


SETTINGS: dict[str, dict[str, str]] = {"go-13x13": {"suicide": "legal"}, "go": {"komi": "0"}}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", ["go-9x9", "go-13x13", "go", "gomoku", "gomoku-standard", "hex"])
def test_games_are_read_as_they_were_written(name: str, seed: int) -> None:
    rng = Random(f"{name} {seed}")
    game = load(name, settings=SETTINGS.get(name))
    for _ in range(2):
        position = game.start()
        push_random_moves(position, rng.randint(0, 40), rng)
        record = game_of(position, {"White": "A ] b", "Black": "C\\", "Event": "x"})
        decorate(record.moves, game, record, rng)
        text = text_of(record, game)
        again = only(text)
        assert again.variant == name
        assert again.settings() == record.settings()
        assert again.moves == record.moves
        assert again.result == record.result
        assert again.tags.items() >= {"White": "A ] b", "Black": "C\\", "Event": "x"}.items()
        assert again.replay(game, variations=True) == position
        assert text_of(again, game) == text
        assert max(map(len, text.split("\n")[1:])) < 200


@pytest.mark.parametrize("name", ["swap", "swap-pieces"])
def test_the_swap_of_hex(name: str) -> None:
    record = only(f"(;FF[4]GM[11]SZ[11];B[c2];W[{name}];B[f6])")
    hex_game = loaded("hex")
    position = record.replay(hex_game)
    assert [entry.text for entry in position.history][1] == "x c2 Blue stone b3"
    assert ";B[c2];W[swap-pieces];B[f6]" in text_of(game_of(position), hex_game)


@pytest.mark.parametrize(
    ("text", "result", "written"),
    [
        ("RE[];B[c2];W[f6];B[resign]", "0-1", "RE[W+R]\n;B[c2];W[f6])"),
        (";B[c2];W[f6]C[a];W[Resign]C[b]", "1-0", "RE[B+R]\n;B[c2];W[f6]C[a\nb])"),
        ("RE[B+T];B[c2];W[f6];B[resign]", "1-0", "RE[B+T]\n;B[c2];W[f6])"),
        (";B[c2](;W[f6])(;W[g6];B[resign])", "*", ";B[c2]\n(;W[f6])\n(;W[g6]))"),
    ],
)
def test_a_resignation(text: str, result: str, written: str) -> None:
    record = only(f"(;GM[11]{text})")
    assert (record.result, record.tags["Result"]) == (result, result)
    assert texts(record.moves) == ["c2", "f6"]
    assert text_of(record, loaded("hex")).endswith(f"{written}\n")


def test_a_finished_game_has_a_score() -> None:
    position = play(loaded("go-9x9").start(), "a1", "Pass", "Pass")
    assert "RE[B+74]" in text_of(game_of(position), position.game)


def test_games_of_other_formats() -> None:
    record = only(EXAMPLE.replace("game\nin", "game in"))  # PGN has no line breaks
    game = game_for(record)
    text = pgn.text_of(record)
    (again,) = pgn.read_games(io.BytesIO(text.encode()))
    assert text_of(again, game) == text_of(record, game)


def test_other_games_are_not_written() -> None:
    position = loaded("chess").start()
    with raises(PositionError, "sgf.no-line"):
        text_of(game_of(position), position.game)


def test_prose_between_games_is_ignored() -> None:
    text = "Played on KGS (), thanks (see B[1]); W [x]\n(;GM[1]SZ[9];B[aa])\na (note) ; b\n"
    assert [len(game.moves) for game in read(text + text)] == [1, 1]

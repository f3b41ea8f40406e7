"""Games as PGN: read, replayed, written, and compared with python-chess."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forthvm.autoplay.match.running_game import begin_position
from forthvm.core.errors import PositionError
from forthvm.game import Position, load
from forthvm.game.records.pgn import read_games, text_of
from forthvm.game.records.recorded import (
    MAX_CHARACTERS,
    RecordedGame,
    RecordedMove,
    RecordError,
    game_of,
    lines_of,
)
from tests.kit.cases import each_case
from tests.kit.games import load_text, loaded, play, script_of
from tests.kit.messages import raises
from tests.kit.random_games import push_random_moves

RESULTS = ["1-0", "0-1", "1/2-1/2", "*"]
GAME = '[Event "A"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n'


def read(text: str | bytes) -> list[RecordedGame]:
    data = text.encode() if isinstance(text, str) else text
    return list(read_games(io.BytesIO(data), "games.pgn"))


def only(text: str) -> RecordedGame:
    (game,) = read(text)
    assert game.error is None, game.error
    return game


def texts(moves: list[RecordedMove]) -> list[str]:
    return [move.text for move in moves]


# --- comparison with python-chess -------------------------------------------------------------


def random_game(chess: Any, rng: Random) -> Any:  # noqa: ANN401 - python-chess has no types here
    """Return a game with comments, glyphs and variations, perhaps from another start."""
    game, board = chess.pgn.Game(), chess.Board()
    if rng.random() < 0.3:
        for _ in range(rng.randint(1, 30)):
            if not board.is_game_over():
                board.push(rng.choice(list(board.legal_moves)))
        game.setup(board.copy(stack=False))
    if rng.random() < 0.3:
        game.comment = "first (comment; [%clk 1]"
    grow(game, game.board(), 0, rng.randint(1, 60), rng)
    game.headers["White"], game.headers["Result"] = "A b", rng.choice(RESULTS)
    return game


def grow(node: Any, board: Any, depth: int, plies: int, rng: Random) -> None:  # noqa: ANN401
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            return
        rng.shuffle(moves)
        count = 1 + sum(rng.random() < 0.1 for _ in range(2)) if depth < 4 else 1
        for number, move in enumerate(moves[:count]):
            child = node.add_variation(move)
            if rng.random() < 0.1:
                child.comment = f"c {rng.randint(1, 99)} $1 ) !"
            if rng.random() < 0.1:
                child.nags.add(rng.randint(1, 20))
            if number:
                if rng.random() < 0.2:
                    child.starting_comment = "start"
                after = play(board.copy(), move)
                grow(child, after, depth + 1, rng.randint(0, 6), rng)
        board.push(moves[0])
        node = node.variations[0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_games_are_those_of_python_chess(seed: int) -> None:
    chess: Any = pytest.importorskip("chess", reason="python-chess is not installed")
    pgn: Any = pytest.importorskip("chess.pgn")
    rng = Random(seed)
    theirs = [random_game(chess, rng) for _ in range(20)]
    ours = read("\n\n".join(map(str, theirs)))
    assert len(ours) == len(theirs)
    for our, their in zip(ours, theirs, strict=True):
        position = our.replay(loaded("chess"), variations=True)
        assert position.to_fen() == their.end().board().fen()
        text = text_of(our)
        assert only(text) == our
        again = pgn.read_game(io.StringIO(text))
        assert not again.errors
        assert str(again).split() == str(their).split()  # but for the breaks of lines in comments


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(4))
def test_python_chess_reads_a_game_of_the_vm(seed: int) -> None:
    pgn: Any = pytest.importorskip("chess.pgn", reason="python-chess is not installed")
    start = Position.from_fen(loaded("chess"), "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 3 12")
    for begin in (start, loaded("chess").start()):
        position = push_random_moves(begin, 80, Random(seed))
        text = text_of(game_of(position, {"White": 'A "b" \\'}))
        their = pgn.read_game(io.StringIO(text))
        assert not their.errors
        assert their.end().board().fen() == position.to_fen()
        again = only(text)
        assert again.tags["White"] == 'A "b" \\'
        assert again.replay(loaded("chess")) == position


@pytest.mark.slow
@each_case(
    "name", ["draughts", "reversi", "shogi", "xiangqi", "connect-four", "tictactoe", "breakthrough"]
)
def test_games_with_other_notations(name: str) -> None:
    for seed in range(3):
        position = push_random_moves(loaded(name).start(), 100, Random(seed))
        again = only(text_of(game_of(position)))
        assert again.tags["Variant"] == name
        replayed = again.replay(loaded(name))
        assert [entry.text for entry in replayed.history] == [
            entry.text for entry in position.history
        ]


@each_case("name", ["thud", "ur", "splut-duel"])
def test_games_whose_moves_have_no_short_text(name: str) -> None:
    position = push_random_moves(loaded(name).start(), 60, Random(1))
    text = text_of(game_of(position))
    assert all(line.count('"') % 2 == 0 for line in text.splitlines())
    replayed = only(text).replay(loaded(name))
    assert [str(entry) for entry in replayed.history] == [str(entry) for entry in position.history]


@each_case("name", ["Chess960", "chess 960", "chess-960", "Fischerandom", "Fischer Random"])
def test_names_of_chess960(name: str) -> None:
    text = f'[Variant "{name}"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/P7/5KR1 w G - 0 1"]\n\n1. O-O *\n'
    game = only(text)
    assert game.variant == "chess-960"
    position = game.replay(loaded("chess-960"))
    assert position.to_fen() == "4k3/8/8/8/8/8/P7/5RK1 b - - 1 1"
    assert game_of(position).tags["Variant"] == "Chess960"


@each_case("name", ["Standard", "From Position"])
def test_names_of_chess(name: str) -> None:
    assert only(f'[Variant "{name}"]\n\n1. e4 *\n').variant == "chess"


def test_quoted_moves_in_variations_and_comments_in_many_words() -> None:
    moves = [RecordedMove(f"dwarf e{n} - g{n}", comment="in many words " * 9) for n in range(30)]
    moves[3].variations = [
        [RecordedMove("a b c", "before")],
        [RecordedMove(f"a {n}") for n in range(20)],
    ]
    text = text_of(RecordedGame(moves=moves))
    again = only(text)
    assert max(map(len, text.splitlines())) < 80
    assert texts(again.moves) == texts(moves)
    assert [texts(line) for line in again.moves[3].variations] == [
        texts(line) for line in moves[3].variations
    ]


# --- what is read -----------------------------------------------------------------------------


def test_parts_of_a_game() -> None:
    game = only(
        '[Event "x"] [White "A \\"b\\""]\n% for others\n{first} 1.e4! {a} ; b\n'
        "(1. d4 {c} d5 (1... Nf6 $14)) ({d} 1. c4?!) 1... e5 $2 ?? 2.Nf3 *\n"
    )
    assert game.tags == {"Event": "x", "White": 'A "b"'}
    assert (game.comment, texts(game.moves), game.result) == ("first", ["e4", "e5", "Nf3"], "*")
    first, second, _ = game.moves
    assert (first.comment, first.glyphs, second.glyphs) == ("a b", [1], [2, 4])
    (d4, d5), (c4,) = first.variations
    assert (d4.comment, c4.before, c4.glyphs) == ("c", "d", [6])
    assert texts(d5.variations[0]) == ["Nf6"]
    game.replay(loaded("chess"), variations=True)


@each_case(
    "text",
    [
        "1. e4 e5 2. Nf3 *",
        "1.e4 e5 2.Nf3 *",
        "1 e4 1... e5 2 Nf3 *",
        "e4 e5 Nf3",
        "1.e4 1…e5 2.Nf3",
    ],
)
def test_numbers_of_moves(text: str) -> None:
    assert texts(only(text).moves) == ["e4", "e5", "Nf3"]


@each_case(
    ("fen", "text", "written"),
    [
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "1. a8(Q)+ Kd7 2. Qa7+", ["a8=Q+", "Kd7", "Qa7+"]),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "1. a8/R+ (1. a8(N)) Kd7", ["a8=R+", "Kd7"]),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "1. exd6ep Kd7", ["exd6", "Kd7"]),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "1. 0-0! Ke8e7", ["O-O", "Ke7"]),
        ("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "1. e1g1 e8c8", ["O-O", "O-O-O"]),
        ("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "1. Ke1-g1 e8-c8", ["O-O", "O-O-O"]),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "1. Ke1f1 e8-d8", ["Kf1", "Kd8"]),
        ("4k3/P7/8/3p4/4P3/8/P7/4K3 w - - 0 1", "1. Pexd5 Kd7 2. Pa8=Q", ["exd5", "Kd7", "a8=Q"]),
        ("4k3/8/8/8/8/8/3Q4/4K2R w - - 0 1", "1. d2-e3+ Kf7 2. h1f1+", ["Qe3+", "Kf7", "Rf1+"]),
        ("", "1. Pe4 e7 - e5 2 N g1-f3", ["e4", "e5", "Nf3"]),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "1. Nb1-d2 ke7", ["Nbd2", "Ke7"]),
    ],
)
def test_moves_are_normalized(fen: str, text: str, written: list[str]) -> None:
    tag = f'[FEN "{fen}"]\n\n' if fen else ""
    game = only(f"{tag}{text} ½-½\n")
    assert game.normalize(loaded("chess")) == []
    assert texts(game.moves) == written
    assert game.result == "1/2-1/2"


@each_case(
    ("name", "fen", "text", "place"),
    [
        ("chess", "", "1. d4 Nf6 2. d4 e6", 14),  # not d5
        ("chess", "", "1. h3 e5 2. R e4", 13),  # not Rh2
        ("chess", "", "1. h3 e5 2. h1 e4", 13),
        ("chess", "7k/8/8/8/8/8/6q1/K7 w - - 0 1", "1. Ka1", 4),  # not Kb1
        ("xiangqi", "", "1. a4 a7", 4),
        ("go-9x9", "", "1. P", 4),  # not a pass
        ("draughts", "", "1. 9-", 4),
    ],
)
def test_a_part_of_a_move_is_damage(name: str, fen: str, text: str, place: int) -> None:
    game = only(f'[FEN "{fen}"]\n\n{text} *' if fen else f"{text} *")
    with pytest.raises(RecordError) as raised:
        game.replay(loaded(name))
    assert raised.value.location.column == place


def test_a_plus_is_a_promotion_in_shogi() -> None:
    shogi = loaded("shogi")
    start = "1. Pc4 Pg6 2. "
    for text in ("Bxh8+", "Bxh8=+B", "Bb2xh8+"):
        assert str(only(f"{start}{text} *").replay(shogi).history[-1]) == "bishop b2 x h8 = horse"
    for text in ("Bxh8", "Bxh8="):
        assert str(only(f"{start}{text} *").replay(shogi).history[-1]) == "bishop b2 x h8"
    with pytest.raises(RecordError):
        only("1. Pc4+ *").replay(shogi)  # it cannot be promoted there
    game = only(f"{start}Bxh8+ Sxh8 *")
    game.normalize(shogi)
    assert texts(game.moves) == ["Pc4", "Pg6", "Bxh8+", "Sxh8"]


def test_signs_are_no_moves() -> None:
    signs = "+- -+ = +/- -/+ += =+ +/= =/+ N TN D □ ± ∓ ⩲ ⩱ ∞"
    game = only(f"1. e4 N d5 {signs} 2. e5 f5 3. exf6 e.p. (3. d4 ±) 3... exf6 *")
    assert texts(game.moves) == ["e4", "d5", "e5", "f5", "exf6", "exf6"]
    assert texts(only("1. ♘f3 d7\N{EN DASH}d5 2. ♙e4 ½\N{EN DASH}½").moves) == [
        "Nf3",
        "d7-d5",
        "e4",
    ]
    game.replay(loaded("chess"), variations=True)
    quoted = ["a", "N", "=", "5", "12", "1-0", "*", "0-2", "3.", "a(", "b!", "1.[a", "[a", "5 - 9"]
    record = RecordedGame(moves=[RecordedMove(text) for text in quoted])
    assert texts(only(text_of(record)).moves) == quoted


def test_files_of_other_programs() -> None:
    text = GAME.replace('"A"', '"Zoë "x""').replace("\n", "\r\n")
    (utf16,) = read(f"\ufeff{text}".encode("utf-16-le"))
    assert (utf16.tags["Event"], texts(utf16.moves)) == ('Zoë "x"', ["e4", "e5", "Nf3"])
    for data in (text.encode("utf-8-sig"), text.encode("latin-1")):
        first, second = read(data + data.lstrip(b"\xef\xbb\xbf"))
        assert first.tags["Event"] == second.tags["Event"] == 'Zoë "x"'
    (game,) = read(b'[White "\x8aahovi\x85"]\n\n1. e4 *')
    assert game.tags["White"] == "Šahovi…"


@each_case(
    "text",
    [
        '{c}\n[Event "a"]\n[FEN "f"]\n\n1. e4 *',
        '[Event "a"] ; c\n[FEN "f"]\n\n1. e4 *',
        '[Event "a"]\n{c}\n[FEN "f"]\n\n1. e4',
        '[Event "a"]\n[FEN "f"]\n{c}\n\n1. e4 *',
    ],
)
def test_comments_between_tags(text: str) -> None:
    for game in read(f"{text}\n\n{text}"):
        assert game.tags == {"Event": "a", "FEN": "f"}
        assert game.comment == "c"
        assert texts(game.moves) == ["e4"]


def test_tags_that_are_indented() -> None:
    first, second = read(' [Event "a"]\n\n 1. e4\n\n [Event "b"]\n\n 1. d4 *')
    assert (texts(first.moves), texts(second.moves)) == (["e4"], ["d4"])


def test_a_quotation_mark_in_a_tag_and_another_tag_on_the_line() -> None:
    (game,) = read('[White "a"b"] [Black "c"]\n\n1. e4 *')
    assert game.error is not None
    assert only('[White "a"b"]\n[Black "c"]\n\n1. e4 *').tags == {"White": 'a"b', "Black": "c"}


def test_the_encoding_is_that_of_each_game() -> None:
    xiangqi, chess = read(
        '[Game "Chinese Chess"]\n[Event "全国赛"]\n\n1. C2.5 *\n\n'.encode("gb18030")
        + b'[White "M\xfcller"]\n\n1. e4 *'
    )
    assert (xiangqi.tags["Event"], chess.tags["White"]) == ("全国赛", "Müller")


def test_comments_after_the_result() -> None:
    first, second = read("1. e4 {a} 1/2-1/2 {b\nc} ; d\n{e}\n\n{f} 1. d4 {g} * 1. c4 *"[:-8])
    assert first.moves[0].comment == "a b c d e"
    assert first.result == "1/2-1/2"
    assert (second.comment, second.moves[0].comment) == ("f", "g")
    assert [game.result for game in read("1-0 {a} 0-1\n* {b}\n")] == ["1-0", "0-1", "*"]


def test_comments_are_written_on_lines_of_words() -> None:
    record = RecordedGame(comment='a\n\n[Event "b"]', moves=[RecordedMove("e4", comment="c\n  d")])
    again = only(text_of(record))
    assert (again.comment, again.moves[0].comment) == ('a [Event "b"]', "c d")


def test_a_comment_without_an_end_loses_no_other_game() -> None:
    damaged, good = read('[White "a"]\n\n1. e4 {c 1-0\n\n[White "b"]\n\n1. d4 1-0')
    assert damaged.error is not None
    assert (good.tags["White"], texts(good.moves)) == ("b", ["d4"])


@each_case(
    ("text", "written"),
    [
        ("30. ... Kd7 31. e4 Kd6", "30... Kd7 31. e4 Kd6"),
        ("30... Kd7 31. e4", "30... Kd7 31. e4"),
        ("Kd7 e4 Kd6", "30... Kd7 31. e4 Kd6"),
    ],
)
def test_numbers_if_the_second_player_begins(text: str, written: str) -> None:
    game = only(f'[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 30"]\n\n{text} *')
    game.normalize(loaded("chess"))
    assert text_of(game).endswith(f"\n\n{written} *\n")


def test_the_usual_set_up_of_chess960() -> None:
    game = only('[Variant "Chess960"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *')
    assert game.settings() == {"start": "518"}
    game.replay(load("chess-960", settings=game.settings()))
    with_start = only(
        '[Variant "Chess960"]\n[FEN "bqnb1rkr/8/8/8/8/8/8/BQNB1RKR w HFhf - 0 1"]\n\n*'
    )
    assert with_start.settings() == {}


def test_a_game_goes_on_after_a_draw_that_must_be_claimed() -> None:
    moves = ["Nf3", "Nf6", "Ng1", "Ng8"] * 3
    assert only(" ".join(moves)).replay(loaded("chess")).ply == 12


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"])
def test_the_ends_of_lines(end: str) -> None:
    lines = ['[Event "a"]', "", "1. e4 ; a comment", "e5 *", "", '[Event "b"]', "", "1. d4 *", ""]
    first, second = read(end.join(lines))
    assert (texts(first.moves), first.moves[0].comment) == (["e4", "e5"], "a comment")
    assert (second.line, texts(second.moves)) == (6, ["d4"])


@each_case("size", [1, 2, 3, 7, 100])
def test_lines_are_divided_if_they_are_long(size: int) -> None:
    data = b"a\rbcdefg\r\nh\n\ni"
    lines = [*lines_of(io.BytesIO(data), size)]
    assert b"".join(lines) == data
    assert max(map(len, lines)) < 2 * size + 1
    if size == 100:
        assert lines == data.splitlines(keepends=True)


def test_the_first_number_is_kept() -> None:
    text = text_of(only('[FEN "4k3/8/8/8/8/8/8/4K3 b - - 0 30"]\n\n30... Kd7 31. Kd1 *'))
    assert "30... Kd7 31. Kd1 *" in text


# --- settings ---------------------------------------------------------------------------------


def test_the_settings_of_a_game() -> None:
    settings = {"suicide": "legal", "komi": "7.5", "OnShow": "?stone ~stone"}
    again = only(text_of(game_of(load("go", settings=settings).start())))
    assert again.settings() == settings
    assert "Settings" not in game_of(loaded("go").start()).tags
    assert only("1. e4 *").settings() == {}


@each_case("value", ["komi", "=7", "komi=", "'komi=7"])
def test_damaged_settings(value: str) -> None:
    with raises(RecordError, "pgn.settings"):
        only(f'[Variant "go"]\n[Settings "{value}"]\n\n1. a1 *').settings()


# --- damaged games ----------------------------------------------------------------------------


@each_case(
    ("key", "text"),
    [
        ("pgn.tag", '[Event "x]\n[White "A"]\n\n1. e4 *\n'),
        ("pgn.comment", '[Event "x"]\n\n1. e4 {never\nclosed\n'),
        ("pgn.variation", '[Event "x"]\n\n1. e4 (1. d4 d5\n'),
        ("pgn.result-in-variation", '[Event "x"]\n\n1. e4 (1. d4 1-0\n'),
        ("pgn.no-variation", '[Event "x"]\n\n1. e4 e5) 2. d4 *\n'),
        ("pgn.empty-variation", '[Event "x"]\n\n1. e4 () e5 *\n'),
        ("pgn.early-variation", '[Event "x"]\n\n(1. e4) 1. e4 *\n'),
        ("pgn.early-glyph", '[Event "x"]\n\n$1 1. e4 *\n'),
        ("pgn.early-suffix", '[Event "x"]\n\n!? 1. e4 *\n'),
        ("pgn.brace", '[Event "x"]\n\n1. e4 } e5 *\n'),
        ("pgn.deep", '[Event "x"]\n\n' + "1. e4 (" * 101 + "\n"),
        ("pgn.long", '[Event "x"]\n\n' + "1. e4 {" + "x" * MAX_CHARACTERS + "} *\n"),
    ],
)
def test_a_damaged_game_loses_no_other_game(key: str, text: str) -> None:
    first, damaged, last = read(f"{GAME}{text}\n{GAME}")
    assert (first.error, last.error) == (None, None)
    assert texts(first.moves) == texts(last.moves) == ["e4", "e5", "Nf3"]
    assert damaged.line == 6
    with raises(RecordError, key):
        damaged.replay(loaded("chess"))


@pytest.mark.slow
def test_many_comments_are_read_in_linear_time() -> None:
    """With time that is quadratic in their number, this takes minutes."""
    count = MAX_CHARACTERS // 8
    for before, each, after in (
        ("", "{a}", "1. e4 *"),
        ("1. e4 ", "{a}", "*"),
        ("1. e4 (1. d4 ", "{a}", ") *"),
        ("1. e4 (", "{a}", "1. d4) *"),
        ("1. e4 ", "(d4){a}", "*"),
    ):
        game = only(f"{before}{each * count}{after}")
        (move,) = game.moves
        other = move.variations[0][0] if move.variations else move
        comments = [game.comment, move.comment, other.before, other.comment]
        assert " ".join(["a"] * count) in comments


@each_case("opening", ["{", "\n{ a\n", "; a\n{"])
def test_a_comment_at_the_start_of_a_file_is_limited(opening: str) -> None:
    (game,) = read(f"{opening}{'x' * 100}\n" + f"{'x' * 100}\n" * (MAX_CHARACTERS // 100))
    assert "longer than" in str(game.error)


def test_an_illegal_move_has_its_place() -> None:
    game = only('[Event "x"]\n\n1. e4 e5\n2. Nf3 (2. Nf4 Nc6) Ke6 *\n')
    with raises(RecordError, "pgn.illegal"):
        game.replay(loaded("chess"))
    with raises(RecordError, "pgn.illegal-in-variation"):
        game.replay(loaded("chess"), variations=True)
    with raises(RecordError, "pgn.fen"):
        only('[FEN "8/8"]\n\n1. e4 *').replay(loaded("chess"))


@each_case("null", ["--", "Z0", "0000"])
def test_a_game_ends_before_a_null_move(null: str) -> None:
    game = only(f"1. e4 e5 {{here}} 2. {null} {{not kept}} d5 (2... d6) 3. Nf3 1-0")
    assert game.replay(loaded("chess")).ply == 2
    (cut,) = game.normalize(loaded("chess"))
    assert cut is game.cut
    assert cut.location.column == 20
    assert str(cut).endswith(f"the game ends before `{null}`, which is not a move")
    assert (texts(game.moves), game.moves[-1].comment, game.result) == (["e4", "e5"], "here", "1-0")


def test_variations_are_cut_before_illegal_moves() -> None:
    text = "1. e4 (1. -- e5) e5 2. Nf3 (2. d4 exd4 (2... Z0 3. d5) 3. c3 Ke6 4. h3) Nc6 *"
    game, chess = only(text), loaded("chess")
    errors = game.normalize(chess)
    wrong = [text.index(move) + 1 for move in ("--", "Z0", "Ke6")]
    assert [error.location.column for error in errors if error.location] == wrong
    assert game.moves[0].variations == []
    (variation,) = game.moves[2].variations
    assert texts(variation) == ["d4", "exd4", "c3"]
    assert variation[1].variations == []
    assert game.replay(chess, variations=True).ply == 4
    assert game.normalize(chess) == []
    with raises(RecordError, "pgn.illegal"):
        only("\n\n1. e4 e5\n2. Nf3 (2. Nf4 Nc6) Ke6 *\n").normalize(chess)


PIECES = ["\n", "\n\n", " ", '[Event "x"]', "[", '"', "{", "}", "(", ")", "$1", "1.", "e4", "1-0"]
PIECES += [";", "%", "!?", "\\", "\x00", "é"]


@given(
    st.lists(
        st.sampled_from(PIECES),
        max_size=40,
    ).map("".join)
)
def test_any_text_is_read(text: str) -> None:
    for game in read(text):
        if game.error is None and game.moves:
            assert texts(only(text_of(game)).moves) == texts(game.moves)


def test_memory_is_bounded_by_a_game() -> None:
    class Endless(io.RawIOBase):
        lines = 0

        def readline(self, size: int | None = -1, /) -> bytes:
            self.lines += 1
            return GAME.splitlines(keepends=True)[self.lines % 5].encode()

    games = read_games(Endless())  # type: ignore[arg-type]
    assert sum(len(next(games).moves) for _ in range(100)) == 300


def test_games_of_more_players_have_no_pgn() -> None:
    with raises(PositionError, "pgn.players"):
        game_of(loaded("yonin-shogi").start())


def test_a_start_without_fen_is_refused() -> None:
    with raises(PositionError, "pgn.no-fen"):
        game_of(loaded("reversi").start(turn="White"))


def test_the_drawn_start_of_a_game_is_recorded() -> None:
    """The start is that of the seed with which the game was played, not that of a fresh load."""
    fresh = load("chess-960")
    for position in (load("chess-960", seed=2).start(), begin_position(fresh, 3)):
        first = position.copy()
        assert first.board != fresh.start().board
        push_random_moves(position, 4, Random(1))
        again = only(text_of(game_of(position)))
        assert again.tags["FEN"] == first.to_fen()
        assert again.replay(fresh).board == position.board
        saved = Position.from_json(position.game, position.to_json())
        if position.game is fresh:  # a document does not contain the seed of a match
            with pytest.raises(PositionError, match="cannot reconstruct"):
                game_of(saved)
        else:
            assert game_of(saved) == again
    chosen = load("chess-960", settings={"start": "518"}).start()
    assert "FEN" not in game_of(chosen).tags


def test_random_numbers_that_do_not_change_the_board_need_no_fen(tmp_path: Path) -> None:
    hook = "\n: OnNewGame ( -- ) 0 8 RAND-WITHIN DROP ;\n"
    game = load_text(tmp_path, script_of("tictactoe") + hook)
    position = begin_position(game, 3)
    position.push(position.legal_moves[0])
    record = game_of(position)
    assert "FEN" not in record.tags
    assert record.replay(game).board == position.board

"""Games of xiangqi as other programs write them: Chinese texts, WXF, ICCS, and their tags."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator

import pytest

from forthvm.core.errors import AmbiguousMoveError, IllegalMoveError
from forthvm.game import Move, Position
from forthvm.game.records.pgn import read_games, text_of
from forthvm.game.records.recorded import RecordedGame, RecordError
from forthvm.game.records.xiangqi_moves import find_xiangqi_move
from tests.kit.cases import each_case
from tests.kit.games import loaded
from tests.kit.messages import raises
from tests.kit.random_games import push_random_moves
from tests.models.fairy import library

GAME = '[Game "Chinese Chess"]\n'
VARIANT = '[Variant "Xiangqi"]\n'
TWO_CHARIOTS = '[FEN "3k5/9/9/9/9/9/9/4R4/4R4/5K3 w - - 0 1"]\n'


def read(text: str | bytes) -> list[RecordedGame]:
    data = text.encode() if isinstance(text, str) else text
    return list(read_games(io.BytesIO(data), "games.pgn"))


def end_of(text: str) -> Position:
    """Return the end of the only game in a text."""
    (game,) = read(text)
    assert game.variant == "xiangqi"
    return game.replay(loaded("xiangqi"), variations=True)


def found(text: str, fen: str) -> str:
    """Return the move that a text means in a position."""
    move = find_xiangqi_move(text, Position.from_fen(loaded("xiangqi"), fen))
    assert move is not None
    return str(move)


# --- openings and ends of games -------------------------------------------------------------------


@each_case(
    "text",
    [
        GAME + '[Format "ICCS"]\n\n1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. I0-H0 B9-C7 4. C3-C4 *',
        VARIANT + '[Format "ICCS"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 4. c3c4 *',
        VARIANT + "\n1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 4. c3c4 *",
        VARIANT + "\n1. h3e3 h10g8 2. h1g3 i10h10 3. i1h1 b10c8 4. c4c5 *",
        VARIANT + "\n1. H3-E3 H10-G8 2. H1-G3 I10-H10 3. I1-H1 B10-C8 4. C4-C5 *",
        GAME + '[Format "WXF"]\n\n1. C2.5 H8+7 2. H2+3 R9.8 3. R1.2 H2+3 4. P7+1 *',
        VARIANT + '[Format "WXF"]\n\n1. c2=5 n8+7 2. n2+3 r9=8 3. r1=2 n2+3 4. p7+1 *',
        GAME + "\n1.炮二平五 馬８進７ 2.馬二進三 車９平８ 3.車一平二 馬２進３ 4.兵七進一 *",
        GAME + "\n1. 砲二平五 马8进7 2. 傌二进三 车9平8\n3. 俥一平二 马2进3 4. 兵七进一 *",
        VARIANT + "\n1. Che3 Nhg8 2. Nhg3 Rih10 3. Rh1 Nc8 4. c5 *",
        VARIANT + "\n1. Che3 Hhg8 (1... H8+7 2. 馬二進三 I9-H9) 2. Hg3 Rh10 3. Rh1 Hc8 4. c5 *",
    ],
)
def test_cannon_against_screen_horses(text: str) -> None:
    assert end_of(text).to_fen() == (
        "r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 b - - 7 4"
    )


@each_case("text", ["+R.6", "R+.6", "r+=6", "前車平六", "前俥平六", "前车平六", "E2-D2", "Re3d3"])
def test_chariot_gives_mate(text: str) -> None:
    end = end_of(f"{VARIANT}{TWO_CHARIOTS}\n1. {text} 1-0")
    assert end.history[-1].text == "chariot e3 - d3"
    assert end.comment == "checkmate"


@each_case(
    "texts",
    ["P5+1 P5+1 P5+1 C8.5 P5.6 R9.8", "兵五進一 卒５進１ 兵五進一 炮８平５ 兵五平六 車９平８"],
)
def test_soldier_crosses_the_river(texts: str) -> None:
    """The soldier takes that of Black, and turns to the left; Black's chariot has no way."""
    *made, last = texts.split()
    position = loaded("xiangqi").start()
    for text in made:
        position.push(find_xiangqi_move(text, position) or "")
    assert position.board["d6"] is not None
    with pytest.raises(IllegalMoveError):
        find_xiangqi_move(last, position)


# --- which piece is meant -------------------------------------------------------------------------

PAIRS = "3k5/4P4/2P6/2P1n4/9/2P1n1N2/9/3A2N2/2p6/3AK4 {turn} - - 0 1"
"""Pairs of horses, Red's advisors on a file, three soldiers on another, and one alone."""


@each_case(
    "turn, text, move",
    [
        ("w", "前馬進四", "horse g5 - f7"),
        ("w", "+H+4", "horse g5 - f7"),
        ("w", "后马退四", "horse g3 - f1"),
        ("w", "H-+1", "horse g3 - i4"),
        ("w", "A6-5", "advisor d3 - e2"),
        ("w", "仕六退五", "advisor d3 - e2"),
        ("w", "前仕退五", "advisor d3 - e2"),
        ("w", "前兵平六", "soldier c8 - d8"),
        ("w", "中兵平六", "soldier c7 - d7"),
        ("w", "二兵平八", "soldier c7 - b7"),
        ("w", "P..6", "soldier c7 - d7"),
        ("w", "-P+1", "soldier c5 - c6"),
        ("w", "37+1", "soldier c5 - c6"),
        ("w", "17.6", "soldier c8 - d8"),
        ("w", "兵五进一", "soldier e9 - e10"),
        ("b", "前馬退４", "horse e5 - d7"),
        ("b", "后马进６", "horse e7 - f5"),
        ("b", "+n+3", "horse e5 - c4"),
        ("b", "卒3平4", "soldier c2 - d2"),
        ("b", "P3+1", "soldier c2 - c1"),
    ],
)
def test_pieces_on_a_file(turn: str, text: str, move: str) -> None:
    assert found(text, PAIRS.format(turn=turn)) == move


SOLDIERS = "3k5/9/2P1P4/2P1P4/4P4/9/9/9/9/4K4 w - - 0 1"
"""Two soldiers on the file 7, and three on the file 5."""


@each_case(
    "text, move",
    [
        ("前兵平八", "soldier c8 - b8"),
        ("後兵平八", "soldier c7 - b7"),
        ("前七平六", "soldier c8 - d8"),
        ("后五平六", "soldier e6 - d6"),
        ("中兵平四", "soldier e7 - f7"),
        ("15.4", "soldier e8 - f8"),
        ("25=4", "soldier e7 - f7"),
        ("27=6", "soldier c7 - d7"),
        ("一兵平四", "soldier e8 - f8"),
        ("三兵平四", "soldier e6 - f6"),
        ("四兵平八", "soldier c8 - b8"),
        ("五兵平六", "soldier c7 - d7"),
    ],
)
def test_soldiers_on_two_files(text: str, move: str) -> None:
    assert found(text, SOLDIERS) == move


def test_piece_that_cannot_move_counts() -> None:
    fen = "4k4/9/9/9/9/9/4C4/4C4/9/4K4 w - - 0 1"
    assert found("前炮进二", fen) == "cannon e4 - e6"
    with pytest.raises(IllegalMoveError):
        found("後炮进二", fen)


def test_text_of_two_moves() -> None:
    with pytest.raises(AmbiguousMoveError) as caught:
        found("H3+4", "3k5/9/9/9/6N2/9/6N2/9/9/4K4 w - - 0 1")
    assert set(caught.value.hints) == {"horse g6 - f8", "horse g4 - f6"}
    with pytest.raises(AmbiguousMoveError) as caught:
        found("Nf6", "3k5/9/9/9/9/3N5/6N2/9/9/4K4 w - - 0 1")
    assert set(caught.value.hints) == {"horse d5 - f6", "horse g4 - f6"}


@each_case("text", ["R9+1", "前馬進四", "一馬進四", "中馬進四", "C3+1", "後兵進一"])
def test_no_such_move(text: str) -> None:
    with pytest.raises(IllegalMoveError):
        found(text, "3k5/9/9/9/4N4/9/6N2/9/2P6/4K4 w - - 0 1")


@each_case(
    "text", ["Hc3", "e5", "b5c3", "h3e3", "Ra2", "cannon h3 - e3", "Rih10", "--", "Pass", ""]
)
def test_own_texts_are_not_of_other_programs(text: str) -> None:
    assert find_xiangqi_move(text, loaded("xiangqi").start()) is None


def test_other_games_have_no_such_texts() -> None:
    assert find_xiangqi_move("Nf3", loaded("chess").start()) is None


# --- files ----------------------------------------------------------------------------------------


def test_tags_and_encoding() -> None:
    text = (
        f'{GAME}[Event "甲级联赛"]\n[RedTeam "广东"]\n[Red "许银川"]\n[Black "聂卫平"]\n'
        '[Result "1-0"]\n[Format "Chinese"]\n'
        '[FEN "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/9/1C5C1/9/RN2K2NR r - - 0 1"]\n\n'
        "{让九子}\n1. 炮八平五 炮８平５ {红方先}\n2. 炮五进五 象７进５ 1-0\n"
    )
    for encoding in ("utf-8", "gb18030"):
        (game,) = read(text.encode(encoding))
        game.normalize(loaded("xiangqi"))
        assert text_of(game) == (
            '[Event "甲级联赛"]\n[White "许银川"]\n[Black "聂卫平"]\n[Result "1-0"]\n'
            '[WhiteTeam "广东"]\n'
            '[FEN "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/9/1C5C1/9/RN2K2NR r - - 0 1"]\n'
            '[Variant "xiangqi"]\n\n'
            "{让九子} 1. Cbe3+ Che8 {红方先} 2. Cxe8 Egxe8 1-0\n"
        )


@each_case(
    "tags, text, move",
    [
        (f'{VARIANT}[Format "ICCS"]\n', "e2d2", "chariot e3 - d3"),
        (GAME, "e2d2", "chariot e3 - d3"),
        (VARIANT, "E2-D2", "chariot e3 - d3"),
        (VARIANT, "e2d2", "chariot e2 - d2"),
        (VARIANT, "E2-F2 D10-D9", "general d10 - d9"),
        (GAME, "e2f2 d10d9", "general d10 - d9"),
        (VARIANT, "e2f2 (e1e0 d9d8) d9d8", "general d10 - d9"),
    ],
)
def test_ranks_count_from_zero_or_one(tags: str, text: str, move: str) -> None:
    assert end_of(f"{tags}{TWO_CHARIOTS}\n1. {text} *").history[-1].text == move


def test_soldier_of_a_file_is_no_number_of_a_move() -> None:
    fen = '[FEN "3k5/9/2P6/2P6/2P6/9/9/9/9/4K4 w - - 0 1"]\n'
    assert end_of(f"{VARIANT}{fen}\n1. 17.8 K4+1 2.27.6 *").history[-1].text == "soldier c6 - d6"


@each_case(
    "key, text",
    [
        ("xiangqi-records.illegal", "1. C2.5 H8+7 2. 馬二進四 *"),
        ("xiangqi-records.iccs", "1. H2-E2 H9-G7 2. H0-G3 *"),
        ("xiangqi-records.ambiguous", "1. H2+3 *"),
        ("xiangqi-records.letters", "1. Che3 Nf8 *"),
        ("xiangqi-records.two-counts", "1. h2e2 h10g8 2. h0g2 *"),
    ],
)
def test_errors_have_places(key: str, text: str) -> None:
    fen = '[FEN "4k4/9/9/9/9/5p3/7N1/5p3/7N1/3K5 w - - 0 1"]\n' if "ambiguous" in key else ""
    (game,) = read(f"{VARIANT}{fen}\n{text}")
    with raises(RecordError, key):
        game.replay(loaded("xiangqi"))


def test_chess_is_as_before() -> None:
    (game,) = read('[Game "Chess"]\n[Format "ICCS"]\n[Red "R"]\n\n1. E2-E4 e7e5 2. Nf3 *')
    assert game.tags == {"Game": "Chess", "Format": "ICCS", "Red": "R"}
    assert game.replay(loaded("chess")).history[-1].text == "knight g1 - f3"


# --- all legal moves ------------------------------------------------------------------------------

LETTERS = {
    **{"general": "K", "advisor": "A", "elephant": "E", "horse": "H"},
    **{"chariot": "R", "cannon": "C", "soldier": "P"},
}
RED = dict(zip(LETTERS, "帥仕相馬車炮兵", strict=True))
BLACK = dict(zip(LETTERS, "将士象马车砲卒", strict=True))
NUMERALS = "一二三四五六七八九"


class Writer:
    """Writes the moves of a position in WXF and in Chinese."""

    def __init__(self, position: Position) -> None:
        self.is_red = position.turn == "Red"
        self.stacks: dict[tuple[str, str], list[int]] = {}  # ranks by type and file, front first
        ranks = range(10, 0, -1) if self.is_red else range(1, 11)
        for rank in ranks:
            for file in "abcdefghi":
                piece = position.board[f"{file}{rank}"]
                if piece is not None and piece.player == position.turn:
                    self.stacks.setdefault((piece.type, file), []).append(rank)

    def forms(self, move: Move) -> Iterator[str]:
        """Yield the texts of a move."""
        found = re.fullmatch(r"(\w+) (\w)(\d+) [-x] (\w)(\d+)", str(move))
        assert found, move
        kind, file, target = found[1], self.file(found[2]), self.file(found[4])
        ahead = (int(found[5]) - int(found[3])) * (1 if self.is_red else -1)
        number = target if ahead == 0 or found[2] != found[4] else abs(ahead)
        stack = self.stacks[kind, found[2]]
        sign = 0 if ahead == 0 else 1 if ahead > 0 else 2
        others = [each for each, ranks in self.stacks.items() if each[0] == kind and len(ranks) > 1]
        names = (RED if self.is_red else BLACK)[kind]
        way = "平进退"[sign] + self.digit(number)
        signs = [f"{each[sign]}{number}" for each in ("=+-", ".+-")]
        if len(stack) == 1 or kind in ("advisor", "elephant"):
            yield from (f"{LETTERS[kind]}{file}{each}" for each in signs)
            yield f"{names}{self.digit(file)}{way}"
            return
        place = stack.index(int(found[3]))
        words = {2: "前后", 3: "前中后"}.get(len(stack), "一二三四五")
        if kind == "soldier":
            yield from (f"{place + 1}{file}{each}" for each in signs)
            yield f"{NUMERALS[place]}{self.digit(file)}{way}"
        if len(others) > 1:
            yield f"{words[place]}{self.digit(file)}{way}"
            return
        yield f"{words[place]}{names}{way}"
        if len(stack) == 2:
            for each in signs:
                yield f"{LETTERS[kind]}{'+-'[place]}{each}"
                yield f"{'+-'[place]}{LETTERS[kind].lower()}{each}"

    def file(self, letter: str) -> int:
        return "ihgfedcba"[:: 1 if self.is_red else -1].index(letter) + 1

    def digit(self, number: int) -> str:
        return NUMERALS[number - 1] if self.is_red else chr(0xFF10 + number)


def check_forms(count: int, seed: int) -> None:
    rng = random.Random(seed)
    for position, move in random_moves(count, rng):
        origin, target = move.parts[0].squares
        iccs = "-".join(f"{each[0].upper()}{int(each[1:]) - 1}" for each in (origin, target))
        for text in (iccs, *Writer(position).forms(move)):
            assert find_xiangqi_move(text, position) == move, (text, position.to_fen())


def random_moves(count: int, rng: random.Random) -> Iterator[tuple[Position, Move]]:
    """Yield some legal moves of each of a number of positions."""
    for _ in range(count):
        position = random_position(rng)
        moves = list(position.legal_moves)
        for move in rng.sample(moves, min(len(moves), 4)):
            yield position, move


def random_position(rng: random.Random) -> Position:
    """Return a position of a random game, or one with many soldiers and pairs."""
    game = loaded("xiangqi")
    if rng.random() < 0.3:
        return push_random_moves(game.start(), rng.randint(0, 60), rng)
    squares = [f"{file}{rank}" for file in "acei" for rank in range(1, 11)]
    board = {rng.choice(["d1", "f2"]): "K", rng.choice(["d10", "f9"]): "k"}
    for letter in "PPPPPRRCCNNpppppccrrnn":
        allowed = squares if letter.upper() != "P" else [s for s in squares if "1" < s[1:] < "9"]
        board.setdefault(rng.choice(allowed), letter)
    rows = ["".join(board.get(f"{f}{rank}", ".") for f in "abcdefghi") for rank in range(10, 0, -1)]
    text = re.sub(r"\.+", lambda free: str(len(free[0])), "/".join(rows))
    return Position.from_fen(game, f"{text} {rng.choice('wb')} - - 0 1")


def test_every_form_means_its_move() -> None:
    check_forms(20, seed=1)


@pytest.mark.slow
def test_every_form_means_its_move_in_many_positions() -> None:
    check_forms(500, seed=2)


def compare_with_pyffish(count: int, seed: int) -> None:
    sf, rng = library(), random.Random(seed)
    for position, move in random_moves(count, rng):
        fen, squares = position.to_fen(), "".join(move.parts[0].squares)
        text = sf.get_san("xiangqi", fen, squares, False, sf.NOTATION_XIANGQI_WXF)
        assert find_xiangqi_move(text, position) == move, (text, fen)


def test_wxf_of_pyffish() -> None:
    compare_with_pyffish(10, seed=1)


@pytest.mark.slow
def test_wxf_of_pyffish_in_many_positions() -> None:
    compare_with_pyffish(800, seed=2)


@each_case(
    ("text", "last"),
    [
        ("1. Ra2 Cxb0", "cannon b8 x b1"),  # with the rank 0
        ("1. Cxb9 Ke8", "general e10 - e9"),  # with the letter K
        ("1. Cxb9 Rxb9 2. Cxh9", "cannon h3 x h10"),  # with neither
        ("1. Cb5 (1. Cxb9) Ke8 2. Cb6", "cannon b6 - b7"),  # the first move has two readings
        ("1. Cxb9 Ke8 2. Cb2 Ke9 3. C9b8", "cannon b10 - b9"),  # two cannons on a file
        ("1. Cxb10 Ge9", "general e10 - e9"),  # forthvm's own
    ],
)
def test_short_moves_of_xboard(text: str, last: str) -> None:
    (game,) = read_games(io.BytesIO(f'[Variant "xiangqi"]\n\n{text} *'.encode()))
    assert str(game.replay(loaded("xiangqi")).history[-1]) == last


def test_ranks_of_xboard_count_from_one_after_the_start() -> None:
    (game,) = read(f"{VARIANT}\n1. Cxb9 (1. Ch3) Rxb9 *")
    game.start(loaded("xiangqi"))  # `forthvm replay` makes the moves one by one
    assert [move.text for move in game.moves] == ["Cxb10", "Rxb10"]
    assert game.moves[0].variations[0][0].text == "Ch4"

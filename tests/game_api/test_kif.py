"""Games of shogi as KIF: read, replayed, written, and compared with python-shogi."""

# ruff: noqa: RUF001 - Japanese text has colons and digits of its own

from __future__ import annotations

import io
import re
from contextlib import suppress
from pathlib import PurePath
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forthvm.game import Position
from forthvm.game.records import pgn
from forthvm.game.records.formats import KIF, format_of
from forthvm.game.records.kif import is_kif, read_games
from forthvm.game.records.kif_diagram import diagram_of
from forthvm.game.records.kif_tables import HANDICAPS
from forthvm.game.records.kif_writing import text_of
from forthvm.game.records.recorded import RecordedGame, RecordedMove, RecordError, game_of
from tests.kit.cases import each_case
from tests.kit.games import loaded
from tests.kit.messages import raises
from tests.kit.random_games import push_random_moves

GAME = """\
# a comment of a program
開始日時：2020/03/04 10:00
棋戦：名人戦
手合割：平手
先手：甲
後手：乙
手数----指手---------消費時間--
*before the first move
   1 ７六歩(77)   ( 0:01/00:00:01)
&bookmark
   2 ３四歩(33)   ( 0:02/00:00:02)+
*in two
*lines
   3 ２二角成(88) ( 0:03/00:00:04)
   4 同　銀(31)   ( 0:01/00:00:03)
   5 ４五角打     ( 0:01/00:00:05)
   6 投了         ( 0:01/00:00:04)
まで5手で先手の勝ち

変化：4手
   4 同　飛(82)

変化：2手
*instead
   2 ８四歩(83)
   3 ２六歩(27)

変化：3手
   3 ６六歩(67)

変化：2手
   2 ４四歩(43)
"""
"""Variations stand below the line from which they begin, the last one first."""


def read(text: str | bytes) -> list[RecordedGame]:
    data = text.encode() if isinstance(text, str) else text
    return list(read_games(io.BytesIO(data), "games.kif"))


def only(text: str | bytes) -> RecordedGame:
    (game,) = read(text)
    assert game.error is None, game.error
    return game


def texts(moves: list[RecordedMove]) -> list[str]:
    return [move.text for move in moves]


def shorts(position: Position) -> list[str]:
    """Return the moves before a position in short notation."""
    return texts(game_of(position).moves)


# --- reading --------------------------------------------------------------------------------------


def test_parts_of_a_game() -> None:
    game = only(GAME)
    assert game.tags == {
        "Variant": "shogi",
        "Date": "2020.03.04",
        "Time": "10:00",
        "Event": "名人戦",
        "White": "甲",
        "Black": "乙",
        "Result": "1-0",
    }
    assert (game.comment, game.result) == ("before the first move", "1-0")
    first, second, third, fourth, _ = game.moves
    assert second.comment == "in two\nlines"
    position = game.replay(loaded("shogi"), variations=True)
    assert shorts(position) == ["Pc4", "Pg6", "Bxh8+", "Sxh8", "B*f5"]
    assert not first.variations
    assert texts(fourth.variations[0]) == ["Rb8xh8"]
    assert [texts(one) for one in second.variations] == [["Pb7-b6", "Ph3-h4"], ["Pf7-f6"]]
    assert second.variations[0][0].before == "instead"
    assert [texts(one) for one in second.variations[0][1].variations] == [["Pd3-d4"]]
    assert not third.variations


def test_the_same_game_in_shift_jis() -> None:
    assert only(GAME.encode("cp932")) == only(GAME)
    assert only(b"\xef\xbb\xbf" + GAME.replace("\n", "\r\n").encode()) == only(GAME)


def test_a_piece_is_not_promoted() -> None:
    moves = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角{}(88)\n"
    for word in ("", "不成"):
        game = only(moves.format(word))
        assert game.moves[2].text == "bishop b2 x h8"
        assert game.replay(loaded("shogi")).board["h8"].type == "bishop"


@pytest.mark.parametrize(
    ("word", "result"),
    [
        ("投了", "0-1"),
        ("切れ負け", "0-1"),
        ("反則勝ち", "1-0"),
        ("不戦勝", "1-0"),
        ("不戦敗", "0-1"),
        ("千日手", "1/2-1/2"),
        ("時間切れ", "0-1"),
        ("宣言勝ち", "1-0"),
        ("引き分け", "1/2-1/2"),
        ("中断", "*"),
        ("封じ手", "*"),
        ("不詳", "*"),
    ],
)
def test_results(word: str, result: str) -> None:
    """Black is to move after two moves."""
    assert only(f"1 ７六歩(77)\n2 ３四歩(33)\n3 {word}\n").result == result


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("まで2手で後手の勝ち", "0-1"),
        ("まで2手で先手の反則負けにより後手の勝ち", "0-1"),
        ("まで2手で先手の反則により後手の勝ち", "0-1"),
        ("まで2手で時間切れにより先手の勝ち", "1-0"),
        ("まで2手で後手の反則負け", "1-0"),
        ("まで2手で後手の反則勝ち", "0-1"),
        ("まで2手で先手の投了", "0-1"),
        ("まで2手で上手の勝ち", "0-1"),
        ("まで2手で下手の勝ち", "1-0"),
        ("まで2手で千日手", "1/2-1/2"),
        ("まで2手で持将棋", "1/2-1/2"),
        ("まで2手で引き分け", "1/2-1/2"),
        ("まで2手で中断", "*"),
    ],
)
def test_results_in_the_last_line(line: str, result: str) -> None:
    assert only(f"1 ７六歩(77)\n2 ３四歩(33)\n{line}\n").result == result


OTHER_END = "1 ７六歩(77)\n2 最大手数 ( 0:01/00:00:01)\n"


@pytest.mark.parametrize(
    ("summary", "result"),
    [("", "*"), ("まで1手で先手の勝ち\n", "1-0"), ("まで1手で引き分け\n", "1/2-1/2")],
)
def test_an_unknown_end_is_kept(summary: str, result: str) -> None:
    game = only(f"{OTHER_END}{summary}\n変化：1手\n1 ２六歩(27)\n")
    assert (texts(game.moves), game.result) == (["Pc3-c4"], result)
    assert game.tags["Termination"] == "最大手数"
    assert only(text_of(game, loaded("shogi"))) == game


def test_an_unknown_word_between_moves_is_an_error() -> None:
    (game,) = read(f"{OTHER_END}3 ３四歩(33)\n")
    assert game.error.location.line == 2


@pytest.mark.parametrize(
    "text", ["歩打", "七六歩", "同歩", "五二金右(61)", "７六", "６六歩", "hello"]
)
def test_a_damaged_move_is_no_end(text: str) -> None:
    (game,) = read(f"1 ７六歩(77)\n2 {text}\n")
    assert game.error is not None


def test_a_handicap() -> None:
    """The player without the bishop moves first, from the top."""
    game = only("手合割：角落ち\n下手：甲\n上手：乙\n1 ８四歩(83)\n2 ７六歩(77)\n3 投了\n")
    position = game.replay(loaded("shogi"))
    assert position.to_fen() == (
        "lnsgkgsnl/1r7/p1ppppppp/1p7/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 3"
    )
    assert (game.tags["White"], game.tags["Black"], game.result) == ("甲", "乙", "1-0")


@pytest.mark.parametrize("name", HANDICAPS)
def test_handicaps_are_those_of_python_shogi(name: str) -> None:
    kif: Any = pytest.importorskip("shogi.KIF", reason="python-shogi is not installed")
    known = kif.Parser.HANDYCAP_SFENS | {
        "左七枚落ち": "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "右七枚落ち": "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    }
    game = only(f"手合割：{name}　　\n1 ５二玉(51)\n2 投了\n")
    assert game.tags["FEN"] == known[name]
    assert f"手合割：{name}\n" in text_of(game, loaded("shogi"))


def test_minishogi() -> None:
    game = only("手合割：５五将棋\n1 ３四角(25)\n")
    assert (game.tags["Variant"], shorts(game.replay(loaded("shogi-mini")))) == (
        "shogi-mini",
        [str(loaded("shogi-mini").start().parse("bishop d1 - c2").short)],
    )


def test_moves_after_the_end_of_a_line_are_left_out() -> None:
    game = only("1 ７六歩(77)\n2 投了\n変化：2手\n*why\n2 ３四歩(33)\n3 ２六歩(27)\n")
    assert texts(game.moves) == ["Pc3-c4"]
    assert not game.moves[0].variations
    assert (game.result, game.comment) == ("1-0", "")


def test_variations_of_moves_that_are_not_numbered_from_1() -> None:
    moves = "3 ７六歩(77)\n4 ３四歩(33)\n5 ２六歩(27)\n6 ８四歩(83)\n7 ２五歩(26)\n"
    variations = "変化：5手\n5 １六歩(17)\n変化：3手\n3 ９六歩(97)\n"
    for start in ("", f"{EVEN_DIAGRAM}\n手数＝2\n"):
        game = only(start + moves + variations)
        found = [[texts(one) for one in move.variations] for move in game.moves]
        assert found == [[["Pa3-a4"]], [], [["Pi3-i4"]], [], []]


def test_a_text_is_recognized() -> None:
    for text in (GAME, "1 同　歩(77)", "  12 ７六歩(77)", "手合割：平手\n"):
        assert is_kif(text)
    for text in ("", "1. e4 e5", '[Event "手合割：平手"]\n\n1. Pc4', "7六歩"):
        assert not is_kif(text)


# --- damage ---------------------------------------------------------------------------------------


@each_case(
    ("key", "text"),
    [
        ("kif.word", "1 ７六歩(77)\n2 hello\n"),
        ("kif.square-alone", "1 ７六歩(77)\n３四歩\n"),
        ("kif.same", "1 同　歩(77)\n"),
        ("kif.start", "手合割：その他\n1 ７六歩(77)\n"),
        ("kif.square", "手合割：５五将棋\n1 ７六歩(77)\n"),
        ("kif.variation", "1 ７六歩(77)\n変化：3手\n"),
        ("kif.illegal", "1 ７六歩(77)\n2 ７五歩(76)\n"),
    ],
)
def test_a_damaged_game_loses_no_other_game(key: str, text: str) -> None:
    before, damaged, after = read(GAME + "手合割：平手\n" * (text[0] != "手") + text + "\n" + GAME)
    assert before == after == only(GAME)
    with raises(RecordError, key):
        damaged.replay(loaded("shogi"))


def test_variations_are_not_nested_without_end() -> None:
    text = "1 ７六歩(77)\n2 ３四歩(33)\n"
    lines = [f"変化：{at}手\n{at} ７六歩(77)\n{at + 1} ３四歩(33)\n" for at in range(2, 300)]
    (game,) = read(text + "".join(lines))
    assert "nested" in str(game.error)


def test_long_lines_end_soon() -> None:
    assert only("まで" + "先手の" * 30_000 + "先手" + "x" * 500_000).result == "*"
    (game,) = read("1 ７六歩(77)" + " " * 500_000 + "x\n")
    assert game.error is not None


PARTS = [
    *(
        "後手の持駒：歩",
        "| ・ ・ 玉v玉 ・|",
        "後手番",
        "手数＝3",
        "５ ４ ３ ２ １",
    ),
    *(
        "1 ７六歩(77)",
        "2 同　歩(33)",
        "3 ２二角成(88)",
        "4 歩打",
        "5 投了",
        "6 最大手数",
        "変化：1手",
        "変化：2手",
    ),
    *(
        "手合割：平手",
        "手合割：５五将棋",
        "先手：甲",
        "まで",
        "*",
        "&",
        "#",
        "",
        "(",
        "同",
        "：",
        "変化：99手",
    ),
]


@pytest.mark.slow
@given(st.lists(st.sampled_from(PARTS), max_size=12) | st.text(max_size=60).map(str.splitlines))
def test_any_text_is_read(lines: list[str]) -> None:
    for game in read("\n".join(lines)):
        name = game.tags["Variant"]
        with suppress(RecordError):
            game.replay(loaded(name), variations=True)
            text_of(game, loaded(name))


# --- writing --------------------------------------------------------------------------------------


def test_variations_are_written() -> None:
    game, shogi = only(GAME), loaded("shogi")
    text = text_of(game, shogi)
    again = only(text)
    assert again == game
    assert text_of(again, shogi) == text
    for line in ("   3 ２二角成(88)", "   4 同　銀(31)", "   5 ４五角打", "   6 投了", "変化：4手"):
        assert line in text.splitlines()


ENDS = ["反則勝ち", "反則負け", "切れ負け", "時間切れ", "千日手", "持将棋", "封じ手", "不詰"]


@pytest.mark.parametrize("word", ENDS)
def test_the_end_is_written(word: str) -> None:
    shogi = loaded("shogi")
    game = only(f"1 ７六歩(77)\n2 {word}\n")
    text = text_of(game, shogi)
    assert f"\n   2 {word}\n" in text
    assert only(text) == game


def test_an_end_that_contradicts_the_result_is_not_written() -> None:
    game = only("1 ７六歩(77)\n2 反則勝ち\n")
    game.result = "1-0"
    assert "\n   2 投了\n" in text_of(game, loaded("shogi"))


def test_the_lines_of_comments_are_kept() -> None:
    shogi = loaded("shogi")
    text = "*a\n*\n*b\n   1 ７六歩(77)\n*c\n*d\n   2 中断\n\n変化：1手\n*e\n*f\n   1 ２六歩(27)\n"
    game = only(text)
    assert (game.comment, game.moves[0].comment) == ("a\n\nb", "c\nd")
    assert text_of(game, shogi).partition("手合割：平手\n")[2] == text
    (from_pgn,) = pgn.read_games(io.BytesIO(pgn.text_of(game).encode()))
    assert (from_pgn.comment, from_pgn.moves[0].comment) == ("a b", "c d")


HEADERS = """\
開始日時：2019/05/12 10:00:00
終了日時：2019/05/12 17:03
棋戦：竜王戦
場所：東京
持ち時間：5時間
手合割：平手
先手：甲
後手：乙
戦型：角換わり
"""


def test_headers_are_written() -> None:
    game = only(HEADERS.replace("12 10", "12（日） 10") + "1 ７六歩(77)\n")
    assert game.tags["TimeControl"] == "5時間"
    assert (game.tags["EndDate"], game.tags["EndTime"]) == ("2019.05.12", "17:03")
    assert HEADERS in text_of(game, loaded("shogi"))


def test_headers_below_the_moves() -> None:
    assert only("1 ７六歩(77)\n終了日時：2019/05/12\n").tags["EndDate"] == "2019.05.12"


def test_names_of_files() -> None:
    for name in ("a.kif", "a.KIF", "a.kifu", "a.KIFU"):
        assert format_of(PurePath(name)) is KIF


def test_unknown_headers_below_the_moves_are_ignored() -> None:
    moves = "1 ７六歩(77)\n{}2 ３四歩(33)\n3 投了\n{}"
    expected = only(moves.format("", ""))
    remark = "備考：foo\n消費時間：10:20\n"
    assert only(moves.format(remark, remark)) == expected


@pytest.mark.parametrize("line", ["盤面回転", "hello", "-----", "先手 甲", "Kifu for Windows V7"])
def test_unknown_lines_are_ignored(line: str) -> None:
    moves = "先手：甲\n{0}\n手合割：平手\n{0}\n1 ７六歩(77)\n{0}\n2 ３四歩(33)\n{0}\n3 投了\n"
    assert only(moves.format(line)) == only(moves.replace("\n{0}", ""))
    (game,) = read(f"{line}\n")
    assert game.error is not None  # nothing tells that it is a game


@pytest.mark.parametrize(
    "line", ["変化：1234567手", "変化：二手", "７六歩：", "同歩(77)(0:01/0:00:01)"]
)
def test_a_damaged_line_is_no_header(line: str) -> None:
    (game,) = read(f"1 ７六歩(77)\n{line}\n2 ３四歩(33)\n")
    assert game.error is not None


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [
        ("先手：a\n後手：b\nまで0手で後手の勝ち\n\n", "先手：c\n後手：d\n手合割：平手\n", "0-1"),
        ("先手：a\nまで0手で後手の勝ち\n", "開始日時：2020/03/05\n先手：c\n", "0-1"),
        ("先手：a\n1 投了\n", "開始日時：2020/03/05\n先手：c\n", "0-1"),
        ("開始日時：2020/03/04\n先手：a\n\n", "開始日時：2020/03/05\n先手：c\n", "*"),
        ("先手：a\n", "下手：c\n", "*"),
    ],
)
def test_a_game_without_moves_ends_before_the_next(first: str, second: str, result: str) -> None:
    before, after = read(f"{first}{second}1 ７六歩(77)\n")
    assert (before.tags["White"], before.result, before.moves) == ("a", result, [])
    assert after == only(f"{second}1 ７六歩(77)\n")
    assert (after.tags["White"], after.result) == ("c", "*")


def test_headers_that_are_given_twice_below_damage_begin_a_game() -> None:
    damaged, after = read("先手：a\n1 hello\n先手：c\n1 ７六歩(77)\n")
    assert damaged.error is not None
    assert (after.tags["White"], texts(after.moves)) == ("c", ["Pc3-c4"])


def test_tags_with_question_marks_are_written() -> None:
    shogi = loaded("shogi")
    tags = {"White": "Who?", "Event": "?", "Date": "2020.03.??"}
    again = only(text_of(game_of(shogi.start(), tags), shogi))
    expected = {"Variant": "shogi", "White": "Who?", "Date": "2020.03.??", "Result": "*"}
    assert again.tags == expected


@pytest.mark.parametrize("date", ["Jan. 5", "1850.05", "2020.03.04", "2020.??.??", "????.03.04"])
def test_only_dates_are_written_in_another_way(date: str) -> None:
    shogi = loaded("shogi")
    text = text_of(game_of(shogi.start(), {"Date": date, "EndDate": date}), shogi)
    tags = only(text).tags
    assert tags["Date"] == tags["EndDate"] == date


def test_an_unknown_date_is_not_written() -> None:
    shogi = loaded("shogi")
    assert "開始日時" not in text_of(game_of(shogi.start(), {"Date": "????.??.??"}), shogi)


def random_game(name: str, seed: int) -> Position:
    position = loaded(name).start()
    push_random_moves(position, 150, Random(seed))
    return position


@pytest.mark.sampled(21)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", ["shogi", "shogi-mini"])
def test_random_games_are_read_back(name: str, seed: int) -> None:
    position = random_game(name, seed)
    record = game_of(position)
    again = only(text_of(record, position.game))
    assert again.replay(position.game).history == position.history
    assert again.result == record.result


def test_moves_that_also_say_how_the_piece_moves() -> None:
    text = (
        "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角引不成(88)+ ( 0:01/)\n4 ５二金右(61)\n5 ５八金左(69)+"
    )
    moves = [str(entry) for entry in only(text).replay(loaded("shogi")).history]
    assert moves[2:] == ["bishop b2 x h8", "gold d9 - e8", "gold d1 - e2"]


def test_a_handicap_is_written() -> None:
    shogi = loaded("shogi")
    text = text_of(only("手合割：二枚落ち\n下手：甲\n1 ６二銀(71)\n2 投了\n"), shogi)
    assert "手合割：二枚落ち\n下手：甲\n   1 ６二銀(71)\n   2 投了\n" in text
    assert text.endswith("まで1手で上手の勝ち\n")


def test_what_kif_does_not_describe() -> None:
    with raises(RecordError, "kif.other-game"):
        text_of(game_of(loaded("chess").start()), loaded("chess"))


# --- diagrams -------------------------------------------------------------------------------------

DIAGRAM = """\
後手の持駒：飛　角　金四　銀三　桂四　香三　歩十七
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・ ・ ・ ・v香v玉|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・ ・v圭 歩|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：飛　銀
"""
DIAGRAM_FEN = "7lk/9/7+nP/9/9/9/9/9/9 b RSrb4g3s4n3l17p 1"
NAMES = "先手：詰方\n後手：玉方\n"
EVEN_DIAGRAM = "\n".join(
    diagram_of("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("start", ["", "手合割：その他　　\n", "手合割：平手\n"])
@pytest.mark.parametrize("order", ["{names}{diagram}", "{diagram}{names}", "{diagram}\n{names}"])
def test_a_game_from_a_diagram(order: str, start: str) -> None:
    head = start + order.format(names=NAMES, diagram=DIAGRAM)
    game = only(f"{head}手数----指手--\n   1 １二飛打\n   2 詰み\nまで1手で先手の勝ち\n")
    assert (game.tags["White"], game.tags["FEN"]) == ("詰方", DIAGRAM_FEN)
    assert game.replay(loaded("shogi")).result is not None
    text = text_of(game, loaded("shogi"))
    assert DIAGRAM in text
    assert only(text) == game


def test_a_diagram_with_the_second_player_to_move() -> None:
    game = only(f"{DIAGRAM}後手番\n手数＝13　▲１三歩  まで\n1 ２二玉(11)\n2 投了\n")
    assert game.tags["FEN"] == DIAGRAM_FEN.replace(" b ", " w ").replace(" 1", " 14")
    assert (game.ply, game.result) == (13, "0-1")
    assert only(text_of(game, loaded("shogi"))) == game


def test_the_number_of_moves_before_a_diagram() -> None:
    game = only(f"{DIAGRAM}手数＝16777214\n1 １二飛打\n")
    assert game.tags["FEN"].endswith(" 16777215")
    assert only(text_of(game, loaded("shogi"))) == game
    (game,) = read(f"{DIAGRAM}手数＝167772140\n1 １二飛打\n")
    assert game.error is not None


def test_a_diagram_of_the_start() -> None:
    game = only(f"{EVEN_DIAGRAM}\n1 ７六歩(77)\n")
    assert "FEN" not in game.tags
    assert only(f"{EVEN_DIAGRAM}\n後手番\n1 ３四歩(33)\n").ply == 1


def test_a_diagram_without_moves() -> None:
    assert is_kif(DIAGRAM)
    game = only(f"{DIAGRAM}{NAMES}")
    assert game.tags["FEN"] == DIAGRAM_FEN
    assert only(text_of(game, loaded("shogi"))) == game


def test_games_from_diagrams_after_one_another() -> None:
    game = f"{DIAGRAM}{NAMES}1 １二飛打\n2 詰み\n"
    first, second = read(f"{game}\n{game}")
    assert first == second == only(game)


def test_diagrams_without_moves_after_one_another() -> None:
    first, second = read(f"{DIAGRAM}\n{DIAGRAM}{NAMES}")
    assert first.tags["FEN"] == second.tags["FEN"] == DIAGRAM_FEN
    assert (first.tags.get("White"), second.tags["White"]) == (None, "詰方")
    assert first.error is second.error is None


def test_other_signs_in_a_diagram() -> None:
    row = "| ・ ・ ・ ・ ・ ・ ・v香v玉|一"
    text = DIAGRAM.replace(row, "|･ ･ ･ ･ ･ ･ ･ ｖ香 ｖ王|").replace("歩十七", "歩17　")
    text = text.replace("先手の持駒：飛　銀", "下手の持ち駒： 銀飛").replace("v圭", "v成桂")
    assert only(text).tags["FEN"] == DIAGRAM_FEN


def test_minishogi_from_a_diagram() -> None:
    mini = loaded("shogi-mini")
    fen = "4k/5/4P/5/K4 w R2bg 1"
    text = text_of(game_of(Position.from_fen(mini, fen)), mini)
    assert "手合割：5五将棋\n後手の持駒：角二　金\n  ５ ４ ３ ２ １\n" in text
    for start in ("5五将棋", "その他"):
        game = only(text.replace("5五将棋", start))
        assert (game.tags["Variant"], game.tags["FEN"]) == ("shogi-mini", fen)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", ["shogi", "shogi-mini"])
def test_positions_of_random_games_are_read_back(name: str, seed: int) -> None:
    game = loaded(name)
    fen = random_game(name, seed).to_fen()
    position = Position.from_fen(game, fen)
    push_random_moves(position, 5, Random(seed))
    record = game_of(position)
    again = only(text_of(record, game))
    assert again.replay(game).history == position.history
    assert again.tags["FEN"] == record.tags["FEN"] == fen
    assert again.ply == record.ply


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(12))
def test_python_shogi_reads_diagrams(seed: int) -> None:
    kif: Any = pytest.importorskip("shogi.KIF", reason="python-shogi is not installed")
    position = Position.from_fen(loaded("shogi"), random_game("shogi", seed).to_fen())
    text = text_of(game_of(position), position.game)
    (found,) = kif.Parser.parse_str(text.replace("手合割：その他\n", ""))
    assert fields(expanded(found["sfen"])) == fields(position.to_fen())


def expanded(sfen: str) -> str:
    """Return a position with `1` left out before a piece in hand, where python-shogi has it."""
    board, turn, hands, number = sfen.split()
    return " ".join([board, turn, re.sub(r"(?<!\d)1(?=\D)", "", hands), number])


@each_case(
    ("key", "old", "new"),
    [
        ("kif-diagram.piece", "v香v玉|一", "v香v五|一"),
        ("kif-diagram.row-without-end", "v香v玉|一", "v香v玉"),
        ("kif-diagram.few-squares", "v香v玉|一", "v玉|一"),
        ("kif-diagram.many-squares", "v圭 歩|三", "v圭 ・ 歩|三"),
        ("kif-diagram.few-rows", "| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n", ""),
        ("kif-diagram.many-rows", "+\n先手", "+\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n先手"),
        ("kif-diagram.other-rank", "|八", "|七"),
        ("kif-diagram.other-side", "９ ８ ７ ６ ５ ４ ３ ２ １", "１ ２ ３ ４ ５ ６ ７ ８ ９"),
        ("kif-diagram.word", "９ ８ ７ ６ ５", "９ ８ ７ ６ x"),
        ("kif-diagram.hand", "飛　銀", "飛　玉"),
        ("kif-diagram.count", "歩十七", "歩十九"),
        ("kif-diagram.many-in-hand", "歩十七", "歩十七　歩二"),
        ("kif-diagram.no-board", DIAGRAM[DIAGRAM.index("  ９") : DIAGRAM.index("先手")], ""),
    ],
)
@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_damaged_diagram_is_one_error(gap: str, key: str, old: str, new: str) -> None:
    assert old in DIAGRAM
    diagram = DIAGRAM.replace(old, new)
    damaged, after = read(f"{diagram}{gap}{NAMES}\n1 １二飛打\n2 詰み\n\n{GAME}")
    assert after == only(GAME)
    assert not damaged.moves
    with raises(RecordError, key):
        damaged.replay(loaded("shogi"))


def test_a_piece_that_minishogi_does_not_have() -> None:
    text = "先手の持駒：桂\n" + "| ・ ・ ・ ・ 玉|\n" * 5
    (game,) = read(text)
    with raises(RecordError, "kif-diagram.other-game"):
        game.replay(loaded("shogi-mini"))


# --- comparison with python-shogi -----------------------------------------------------------------


def fields(sfen: str) -> list[str]:
    """Return the fields of a position without the number of the move, and with sorted hands."""
    board, turn, hands, *_ = sfen.split()
    return [board, turn, *sorted(re.findall(r"\d*\D", hands))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_python_shogi_reads_games(seed: int) -> None:
    shogi: Any = pytest.importorskip("shogi", reason="python-shogi is not installed")
    kif: Any = pytest.importorskip("shogi.KIF", reason="python-shogi is not installed")
    position = random_game("shogi", seed)
    text = text_of(game_of(position), position.game)
    for name, short in (("成香", "杏"), ("成桂", "圭"), ("成銀", "全")):  # which it knows
        text = text.replace(name, short)
    assert only(text).replay(position.game).history == position.history
    (found,) = kif.Parser.parse_str(text)
    board = shogi.Board()
    for move in found["moves"]:
        board.push(shogi.Move.from_usi(move))
    assert len(found["moves"]) == position.ply
    assert fields(board.sfen()) == fields(position.to_fen())

"""Positions and games as text: copied from a page, and opened there."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterator
from threading import Event
from typing import Any, NamedTuple

import pytest

from forthvm.core.errors import PositionError
from forthvm.game import Position
from forthvm.game.records.recorded import RecordedGame, RecordedMove, push_recorded
from forthvm.web.play.server import TableServer
from forthvm.web.serving.errors import RequestError
from forthvm.web.table import shared_table, tree_records
from forthvm.web.table.endings import agreed_draw
from forthvm.web.table.game_choice import GameChoice
from forthvm.web.table.game_texts import GameText, forms_of, game_text, replaying, start_of, text_in
from forthvm.web.table.table import Table
from forthvm.web.table.variations import Variations
from tests.kit.cases import each_case
from tests.kit.games import loaded
from tests.web.test_share import error
from tests.web.test_tree_requests import Window, connected, connected_windows

ENDGAME = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 40"
SECONDS = 20.0  # for anything that the server should do at once
FOOLS_MATE = "1. f3 e5 2. g4 Qh4#"


@pytest.fixture
def table() -> Table:
    return Table(loaded("chess"))


@pytest.fixture
def window(table: Table) -> Iterator[Window]:
    with connected(TableServer(table)) as window:
        yield window


class Opened(NamedTuple):
    """What a text contains."""

    position: Position
    record: RecordedGame | None = None
    has_others: bool = False


def opened(text: str, game: str = "chess") -> Opened:
    current = loaded(game)
    found = text_in(text, current)
    if isinstance(found, Position):
        return Opened(found)
    record, has_others = found.first_game()
    position = start_of(record, current, GameChoice(current))
    for _ in replaying(record, position):
        pass
    return Opened(position, record, has_others)


def refused(text: str, game: str = "chess") -> dict[str, Any]:
    with pytest.raises(RequestError) as caught:
        opened(text, game)
    return {"code": caught.value.code, **caught.value.values}


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("chess", {"position": "FEN", "game": "PGN"}),
        ("shogi", {"position": "SFEN", "game": "KIF"}),
        ("draughts", {"position": "FEN", "game": "PDN"}),
        ("hex", {"position": "FEN", "game": "SGF"}),
        ("breakthrough", {"game": "PGN"}),
        ("go", {"position": "FEN", "game": "SGF"}),
        ("yonin-shogi", {}),
    ],
)
def test_the_forms_of_a_game(name: str, forms: dict[str, str]) -> None:
    assert forms_of(loaded(name)) == forms


def test_a_position_is_opened() -> None:
    found = opened(f"  {ENDGAME}\n")
    assert found.position.to_fen() == ENDGAME
    assert found.record is None
    lists = "W:WK5,31-33:B1,2"
    assert opened(f" {lists}\n", "draughts-international").position.to_fen() == lists


def test_the_first_of_several_games_is_opened() -> None:
    found = opened(f'[White "Anna"]\n\n{FOOLS_MATE} 0-1\n\n1. e4 *')
    assert found.position.ply == 4
    assert found.position.result is not None
    assert found.has_others
    assert not opened(FOOLS_MATE).has_others


@pytest.mark.slow
def test_sgf_is_opened() -> None:
    found = opened("\n(;SZ[9]RE[B+R];B[aa];W[bb])(;SZ[9])", "go-9x9")
    assert found.position.to_fen() == "B8/1W7/9/9/9/9/9/9/9 b 0"
    assert (found.record.result, found.has_others) == ("1-0", True)
    assert opened("(;GM[4];B[hh])", "go-9x9").position.game.name == "gomoku"
    assert opened("(GM[4];B[hh])", "go-9x9").position.game.name == "gomoku"
    assert refused("(;SZ[9];B[aa]\n;W[zz])", "go-9x9")["line"] == 2
    table = Table(loaded("go-9x9"))
    table.continue_from(Variations(found.position))
    assert ";B[aa];W[bb])" in game_text(table)


def test_a_damaged_later_game_does_not_matter() -> None:
    assert opened("1. e4 *\n\n1. e4 {").has_others


def test_moves_without_tags_are_of_the_game_that_is_played() -> None:
    assert opened("1. b2 a1", "tictactoe").position.game.name == "tictactoe"


def test_tags_name_another_game_and_its_settings() -> None:
    text = '[Variant "go-9x9"]\n[Settings "komi=6.5"]\n\n1. e5 *'
    game = opened(text).position.game
    assert game.name == "go-9x9"
    assert dict(game._loaded.options.settings) == {"komi": "6.5"}
    assert opened('[Event "A"]\n\n1. e4', "tictactoe").position.game.name == "chess"


def test_the_game_that_is_played_is_not_loaded_again() -> None:
    assert opened('[Event "A"]\n\n1. e4').position.game is loaded("chess")


@pytest.mark.slow
@each_case(
    ("text", "line", "column"),
    [
        ("1. e4 e5\n2. Nf6", 2, 4),
        ("1. e4 {a comment", 1, 7),
        ('[Event "A"\n\n1. e4', 1, 1),
        ('[Variant "../../secret"]\n\n1. e4', 1, 11),
        ('[Event "A"]\n[FEN "8/8 w"]\n\n1. e4', 2, 7),
        ('[Settings "no=such"]\n\n1. e4', 1, 12),
    ],
)
def test_the_place_of_an_error(text: str, line: int, column: int) -> None:
    values = refused(text)
    assert (values["code"], values["line"], values["column"]) == ("damaged-text", line, column)


def test_texts_without_a_game() -> None:
    for text in ("", "\n\n", "; a comment"):
        assert refused(text) == {"code": "no-text"}


def test_a_damaged_position() -> None:
    with pytest.raises(PositionError, match="column 20"):
        opened("4k3/8/8/8/8/8/4P3/4X3 w")


def test_the_game_of_a_table() -> None:
    table = Table(loaded("chess"))
    for text in ("f3", "e5", "g4"):
        table.make(table.position.parse(text))
    assert game_text(table).endswith("\n1. f3 e5 2. g4 *\n")
    table.leave("White", "resigned")
    assert game_text(table).endswith("\n1. f3 e5 2. g4 0-1\n")
    table.end(agreed_draw())
    assert game_text(table).endswith("\n1. f3 e5 2. g4 1/2-1/2\n")


@pytest.mark.slow
def test_texts_are_copied(window: Window, table: Table) -> None:
    table.make(table.position.parse("e4"))
    for node, fen in ((1, "4P3/8/PPPP1PPP/RNBQKBNR b"), (0, "8/8/PPPPPPPP/RNBQKBNR w")):
        window.send("text", node=node, **{"as": "position"})
        assert fen in window.next("text")["text"]
    window.send("text", node=0, **{"as": "game"})
    assert "\n1. e4 *\n" in window.next("text")["text"]


@pytest.mark.slow
def test_a_text_is_checked_and_opened(window: Window, table: Table) -> None:
    window.send("load", text="1. e4 e5 2. Nf3 *", check=7)
    assert window.next("checked") == {"is": "checked", "check": 7}
    assert table.position.ply == 0
    window.send("load", text="1. e4 e5 2. Nf3 *")
    assert window.next("loaded") == {"is": "loaded", "has_others": False}
    assert table.position.ply == 3
    assert not table.is_over
    window.send("load", text="1. e4 e5 2. Nf6 *")
    assert error(window)["values"]["column"] == 13
    assert table.position.ply == 3


@pytest.mark.slow
def test_long_games_are_not_opened_and_not_copied(window: Window, table: Table) -> None:
    shuffle = "Nf3 Nf6 Ng1 Ng8 "
    window.send("load", text=shuffle * 501)
    assert error(window)["code"] == "long-game"
    assert table.position.ply == 0
    window.send("load", text=shuffle * 251)
    window.next("loaded")
    window.send("text", node=0, **{"as": "game"})
    assert error(window)["code"] == "long-game"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["/" * 20_000 + "\n1", "a:" * 20_000 + "\n[", "\ud800", "1:2:\v3"])
def test_odd_texts_are_refused(text: str, window: Window) -> None:
    window.send("load", text=text)
    assert error(window)["code"] in {"damaged-text", "no-text", "failed"}


@pytest.mark.slow
def test_a_game_that_has_ended_is_analysed(window: Window, table: Table) -> None:
    """No engine goes on with a game that was resigned."""
    window.send("load", text="1. e4 e5 1-0")
    window.next("loaded")
    assert table.ending.code == "analysis"
    window.send("load", text=f"{FOOLS_MATE} 0-1")
    window.next("loaded")
    assert table.ending is None
    assert table.position.result is not None


@pytest.mark.slow
def test_a_file_is_opened(window: Window, table: Table) -> None:
    data = base64.b64encode(b"1. e4 \xe9 *").decode()  # Latin-1
    window.send("load", name="games.PGN", data=data)
    assert error(window)["values"]["column"] == 7
    data = base64.b64encode(b"1. e4 {\xe9} *").decode()
    window.send("load", name="games.PGN", data=data)
    window.next("loaded")
    assert table.position.ply == 1


@pytest.mark.slow
def test_guests_copy_and_do_not_open() -> None:
    table = Table(loaded("chess"), persons=("White",), guests=("Black",))
    with connected(TableServer(table), table.seats["Black"].key) as window:
        window.send("text", node=0, **{"as": "position"})
        assert window.next("text")["as"] == "position"
        for check in ({"check": 1}, {}):
            window.send("load", text=ENDGAME, **check)
            assert error(window)["code"] == "owner-only"


ANNOTATED = (
    "{the start} 1. e4 $1 {best} (1. d4 {quiet} 1... d5 $6 (1... Nf6) 2. c4) "
    "1... e5 (1... c5 $2) 2. Nf3 *"
)


def moves_of(table: Table) -> str:
    """Return what is below the tags of the game's text, on one line."""
    return " ".join(game_text(table).partition("\n\n")[2].split())


@pytest.mark.slow
def test_variations_comments_and_judgements_are_opened_and_copied(
    window: Window, table: Table
) -> None:
    window.send("load", text=ANNOTATED)
    window.next("loaded")
    root = table.tree.root
    e4, d4 = root.children
    assert (root.comment, e4.comment, e4.glyph, d4.comment) == ("the start", "best", "!", "quiet")
    assert [child.glyph for child in e4.children] == ["", "?"]
    assert len(d4.children) == 2
    assert table.position.ply == 3
    assert moves_of(table) == ANNOTATED


def test_moves_that_were_taken_back_are_left_out(table: Table) -> None:
    for text in ("e4", "e5", "Nf3"):
        table.make(table.position.parse(text))
    table.go(table.tree.back)
    assert moves_of(table) == "1. e4 e5 *"
    table.make(table.position.parse("d4"))
    assert moves_of(table) == "1. e4 e5 2. d4 (2. Nf3) *"


def test_an_analysis_is_copied() -> None:
    table = Table(loaded("chess"))
    table.set_up(Variations(loaded("chess").start()), analyse=True)
    table.tree.add_texts(table.tree.root.number, ["e4", "e5"])
    table.tree.add_texts(table.tree.root.number, ["d4"])
    assert moves_of(table) == "1. e4 (1. d4) 1... e5 *"


@pytest.mark.slow
def test_the_legal_part_of_a_variation_is_opened(window: Window, table: Table) -> None:
    window.send("load", text="1. e4 (1. d4 d5 2. Ke8 Kd7) 1... e5 *")
    window.next("loaded")
    assert moves_of(table) == "1. e4 (1. d4 d5) 1... e5 *"


def added(text: str, monkeypatch: pytest.MonkeyPatch, most: int) -> tuple[Variations, list[str]]:
    """Return the tree of a text, and the moves that are made to add variations to it.

    Args:
        text: A game with variations.
        monkeypatch: To count the moves.
        most: The number of moves that may be made.
    """
    made: list[str] = []

    def push(position: Position, move: RecordedMove) -> None:
        made.append(move.text)
        push_recorded(position, move)

    monkeypatch.setattr(tree_records, "push_recorded", push)
    monkeypatch.setattr(tree_records, "MAX_NODES", most)
    found = opened(text)
    assert found.record is not None
    tree = Variations(found.position)
    for _ in tree_records.adding(tree, found.record):
        pass
    return tree, made


def test_a_variation_that_is_repeated_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, made = added(f"1. e4 {'(d4 d5) (d4 Kd1) ' * 1000} *", monkeypatch, 100)
    assert made == ["e4", "d4", "d5", "Kd1"]
    assert tree.size == 3


def test_the_moves_of_variations_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Illegal moves count, too; the comments of the game are read behind them."""
    text = f"1. e4 (d4) {''.join(f'(Kd{at}) ' for at in range(2, 500))} 1... e5 {{the end}} *"
    tree, made = added(text, monkeypatch, 10)
    assert made == ["e4", "d4", *(f"Kd{at}" for at in range(2, 11)), "e5"]
    assert (tree.size, tree.played.comment) == (3, "the end")


def test_other_windows_are_answered_while_a_text_is_read(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_answered = Event()
    first_game = GameText.first_game

    def read(text: GameText) -> tuple[RecordedGame, bool]:
        assert is_answered.wait(SECONDS)
        return first_game(text)

    monkeypatch.setattr(GameText, "first_game", read)
    with connected_windows(TableServer(table)) as (window, other):
        window.send("load", text="1. e4 e5 *")
        other.send("look", node=0)
        other.next("view")
        is_answered.set()
        window.next("loaded")
    assert table.position.ply == 2


def test_long_work_is_done_in_parts(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_table, "_PART_SECONDS", 0.0)
    made: list[int] = []

    async def work() -> int:
        shared = TableServer(table).shared
        steps = (made.append(at) for at in range(1000))
        other = asyncio.create_task(shared.run(lambda: len(made)))
        await shared.run_in_parts(steps)
        return await other

    assert asyncio.run(work()) < len(made) == 1000


@pytest.mark.slow
def test_long_comments_are_cut_off(window: Window, table: Table) -> None:
    window.send("load", text=f"1. e4 {{{'word ' * 1000}}} *")
    window.next("loaded")
    comment = table.tree.root.children[0].comment
    assert len(comment) == 2000
    assert comment.endswith(" …")


@pytest.mark.slow
@each_case(
    ("game", "text"),
    [
        ("go-9x9", "(;GM[1]SZ[9];B[ee];W[cc])"),
        ("draughts", "1. 11-15 23-19"),
        ("draughts-russian", "1. c3-d4 f6-g5"),
        ("draughts-international", '[GameType "20"]\n\n1. 32-28 18-23 *'),
        ("shogi", "1 7六歩(77)\n2 3四歩(33)"),
    ],
)
def test_formats_of_other_games(game: str, text: str) -> None:
    """Each text is found to be of its format, also while this or another game is played."""
    found = opened(text, game)
    assert (found.position.game.name, found.position.ply) == (game, 2)
    table = Table(found.position.game, position=found.position)
    again = opened(game_text(table), "tictactoe")
    assert again.position.history == found.position.history


def test_a_start_without_a_name_is_copied_as_a_diagram() -> None:
    sfen = "4k4/9/9/9/9/9/9/9/4K4 b R 1"
    table = Table(loaded("shogi"), position=opened(sfen, "shogi").position)
    table.make(table.position.parse("R*e5"))
    assert f"+{27 * '-'}+" in game_text(table)
    assert opened(game_text(table), "shogi").position == table.position

"""Short texts of moves: what is written and accepted, and files of the notation that are wrong."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forthvm.catalogue.bundled import game_paths
from forthvm.core.errors import AmbiguousMoveError, ForthVMError, MoveError
from forthvm.game import Game, load
from forthvm.game.short_notation import read_notation
from tests.kit.cases import each_case
from tests.kit.games import load_text, loaded, play
from tests.kit.messages import raises
from tests.kit.random_games import push_random_moves
from tests.models.chess_setup import start
from tests.systems import needs_links

WITH_NOTATION = [
    name for name, path in game_paths().items() if path.with_suffix(".notation").exists()
]
RULES = """
(game
  (title "Steps")
  (players White Black)
  (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("2/1" (0 10)))
    (directions (n 0 -1) (s 0 1))))
  (board-setup (White (Man a1 b1)) (Black (Man a2)))
  (piece (name Man) (moves (n (verify not-friend?) add) (s (verify not-friend?) add)))
  (loss-condition (White Black) (pieces-remaining 0))
)
(variant (title "Other steps"))
"""


def shorts(game: str, *moves: str) -> set[str]:
    """Return the short texts after some moves."""
    return {move.short for move in play(loaded(game).start(), *moves).legal_moves}


# --- what is written --------------------------------------------------------------------------


@pytest.mark.slow
@each_case("name", WITH_NOTATION)
def test_short_texts_are_unique_and_parse_back(name: str) -> None:
    position, rng = loaded(name).start(), Random(11)
    while position.ply < 60:
        moves = list(position.legal_moves)
        assert len({move.short for move in moves}) == len(moves)
        for move in rng.sample(moves, min(4, len(moves))):
            assert position.parse(move.short) == move
        push_random_moves(position, 5, rng)
        if position.result is not None or position.is_stuck:
            break


def test_signs_of_check_and_mate() -> None:
    position = play(loaded("chess").start(), "f3", "e5", "g4")
    assert position.parse("Qh4").short == "Qh4#"
    position = play(loaded("chess").start(), "e4", "f5")
    assert position.parse("Qh5").short == "Qh5+"


def test_signs_do_not_show_where_hidden_pieces_are() -> None:
    with load("chess", settings={"OnShow": "~*"}) as game:
        moves = play(game.start(), "f3", "e5", "g4").legal_moves
        assert "Qh4" in [move.short for move in moves]  # not Qh4#


def test_a_sign_makes_no_move_and_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    position = play(loaded("chess").start(), "e4", "f5")
    before = position.to_json()
    assert "Qh5+" in [move.short for move in position.legal_moves]
    assert position.to_json() == before
    assert capsys.readouterr().out == ""


def test_a_game_without_notation_has_long_texts_only() -> None:
    game = loaded("thud")
    assert all(move.short == move.text for move in game.start().legal_moves)
    assert game.warnings == ()


def test_an_unpickled_move_and_a_pass_have_their_long_text() -> None:
    move = loaded("chess").start().legal_moves[0]
    assert (move.short, pickle.loads(pickle.dumps(move)).short) == ("a3", "pawn a2 - a3")


def test_recordings_have_long_texts() -> None:
    position = play(loaded("chess").start(), "e4", "Nf6")
    assert [entry.text for entry in position.history] == ["pawn e2 - e4", "knight g8 - f6"]
    assert "knight g8 - f6" in position.to_json()


# --- what is accepted -------------------------------------------------------------------------


@each_case(
    ("typed", "text"),
    [
        ("Nf3", "knight g1 - f3"),
        ("nf3", "knight g1 - f3"),
        ("Nf3+", "knight g1 - f3"),
        ("Ngf3!?", "knight g1 - f3"),
        ("Ng1f3", "knight g1 - f3"),
        ("N1f3", "knight g1 - f3"),
        ("e4", "pawn e2 - e4"),
        ("pawn e2 - e4", "pawn e2 - e4"),
        ("e2e4", "pawn e2 - e4"),
    ],
)
def test_typed_texts(typed: str, text: str) -> None:
    assert loaded("chess").start().parse(typed).text == text


@each_case("typed", ["O-O", "0-0", "o-o", "OO", "00", "O-O+"])
def test_castling(typed: str) -> None:
    position = start("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -")
    assert position.parse(typed).text == "king e1 - g1 rook h1 - f1"


@each_case("typed", ["exd8=Q+", "exd8=Q", "ed8Q", "exd8Q", "ed8=q", "exd8(Q)"])
def test_promotion(typed: str) -> None:
    assert start("3r3k/4P3/8/8/8/8/8/K7 w - -").parse(typed).text == "pawn e7 x d8 = queen"


@each_case("typed", ["exd6", "ed6", "exd6 e.p."])
def test_en_passant(typed: str) -> None:
    assert start("7k/8/8/3pP3/8/8/8/K7 w - d6").parse(typed).text == "pawn e5 - d6 x d5"


def test_a_capital_tells_a_bishop_from_a_pawn() -> None:
    position = start("7k/8/8/8/8/2p5/1P6/K3B3 w - -")
    assert position.parse("bxc3").text == "pawn b2 x c3"
    assert position.parse("bc3").text == "pawn b2 x c3"
    assert position.parse("Bxc3").text == "bishop e1 x c3"
    with raises(AmbiguousMoveError, "short-notation.bishop-or-pawn"):
        position.parse("BC3")


def test_an_ambiguous_text_names_the_moves() -> None:
    position = start("7k/8/8/8/8/5N2/8/KN6 w - -")
    assert {"Nbd2", "Nfd2"} <= {move.short for move in position.legal_moves}
    with raises(AmbiguousMoveError, "short-notation.two-knights") as caught:
        position.parse("Nd2")
    assert caught.value.hints == ("knight f3 - d2", "knight b1 - d2")
    with raises(AmbiguousMoveError, "short-notation.promotions"):
        start("7k/4P3/8/8/8/8/8/K7 w - -").parse("e8")


def test_a_text_of_no_move_is_refused() -> None:
    with pytest.raises(MoveError):
        loaded("chess").start().parse("Nf4")
    assert "Nf4" not in loaded("chess").start().legal_moves
    assert "Nf3" in loaded("chess").start().legal_moves


# --- the file ---------------------------------------------------------------------------------


def rules(folder: Path, notation: str) -> Game:
    """Load a rule file with a notation beside it."""
    (folder / "game.notation").write_text(notation, encoding="utf-8")
    return load_text(folder, RULES)


def test_a_rule_file_has_notation_too(tmp_path: Path) -> None:
    game = rules(tmp_path, "style origin-target\npiece M Man\nwin !\n")
    assert game.warnings == ()
    assert {move.short for move in game.start().legal_moves} == {"Ma1xa2!", "Mb1-b2"}


def test_lines_below_a_variant_are_for_it(tmp_path: Path) -> None:
    game = rules(
        tmp_path, "style target\nvariant Other steps\npiece O Man\nvariant Steps\npiece S Man\n"
    )
    assert {move.short for move in game.start().legal_moves} == {"Sxa2", "Sb2"}
    other = load_text(tmp_path, RULES, variant="Other steps")
    assert {move.short for move in other.start().legal_moves} == {"Oxa2", "Ob2"}


def test_a_wrong_file_is_a_warning(tmp_path: Path) -> None:
    game = rules(tmp_path, "style target\npiece M Mann\n")
    (warning,) = game.warnings
    assert "game.notation:2:9: there is no piece type `Mann`" in warning
    assert "piece M Mann" in warning  # the source line
    assert "did you mean `Man`?" in warning
    assert [move.short for move in game.start().legal_moves] == list(game.start().legal_moves.texts)


@each_case("data", [b"\xff\xfe\x00", b"#" * (1 << 16) + b"#"])
def test_a_file_that_is_no_text_is_a_warning(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    folder = tmp_path_factory.mktemp("game")
    (folder / "game.notation").write_bytes(data)
    game = load_text(folder, RULES)
    assert len(game.warnings) == 1
    assert game.start().legal_moves[0].short


@each_case(
    ("key", "text"),
    [
        ("short-notation.keyword", "style target\nstile target\n"),
        ("short-notation.no-keyword", "style target\nlorem ipsum\n"),
        ("short-notation.no-style", "# nothing\n"),
        ("short-notation.style", "style san\n"),
        ("short-notation.two-styles", "style target\nstyle target\n"),
        ("short-notation.piece", "style target\npiece N kinght\n"),
        ("short-notation.two-pluses", "style target\npiece +N knight\ncheck + is in check\n"),
        ("short-notation.no-letter", "style target\npiece N\n"),
        ("short-notation.two-letters", "style target\npiece N knight\npiece K knight\n"),
        ("short-notation.square", "style target\nname O-O king e1 g9\n"),
        ("short-notation.number", "style target\nnumbers a1 a2 a1\n"),
        ("short-notation.no-numbers", "style target\nnumbers\n"),
        ("short-notation.long-sign", "style target\nwin !!!!!!!!!!!!!!!!!\n"),
        ("short-notation.protocol", "style target\nprotocol ucj chess\n"),
        ("short-notation.two-protocols", "style target\nprotocol uci a\nprotocol uci b\n"),
        ("short-notation.no-protocol-name", "style target\nprotocol uci\n"),
        ("short-notation.sgf-number", "style target\nsgf go point\n"),
        ("short-notation.sgf-form", "style target\nsgf 1 points\n"),
        ("short-notation.lead", "style target\nlead lead-of-white 1\n"),
        ("short-notation.unit", "style target\nlead OnIsGameOver half\n"),
        ("short-notation.castling", "style target\ncastling O-O\n"),
        ("short-notation.no-words", "style target\ncheck +\n"),
        ("short-notation.variant", "style target\nvariant Other\n"),
    ],
)
def test_errors(key: str, text: str) -> None:
    with raises(ForthVMError, key):
        read_notation(Path("chess.notation"), text, loaded("chess")._loaded)


KEYWORDS = [
    "style",
    "piece",
    "numbers",
    "name",
    "castling",
    "check",
    "win",
    "lead",
    "variant",
    "like",
    "fen",
]
OTHERS = [
    "target",
    "board",
    "turn",
    "piece",
    "mark",
    "first",
    "hand",
    "N",
    "knight",
    "a1",
    "king",
    "e1",
    "chess",
    "\n",
    "\n",
]
WORDS = st.sampled_from([*KEYWORDS, *OTHERS]) | st.text(max_size=3)


@given(st.lists(WORDS, max_size=20).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        notation = read_notation(Path("chess.notation"), text, loaded("chess")._loaded)
    except ForthVMError:
        return
    assert "style" in text
    assert set(notation.letters) <= {"knight", "king"}


def test_a_name_for_moves_of_every_type() -> None:
    setup = [("South", f"{n}-seeds", f"{letter}1") for n, letter in enumerate("abcdef", 3)]
    position = loaded("oware").start(setup=[*setup, ("North", "1-seed", "a2")])
    assert {move.short: move.text for move in position.legal_moves} == {
        letter: f"{n}-seeds {letter.lower()}1 - hand" for n, letter in enumerate("ABCDEF", 3)
    }


def test_check_needs_announcements() -> None:
    with raises(ForthVMError, "short-notation.no-announcements"):
        read_notation(Path("my.notation"), "style target\ncheck + check\n", loaded("thud")._loaded)


def test_protocols_need_letters_for_squares(tmp_path: Path) -> None:
    game = load_text(
        tmp_path,
        "{board 1 27 {grid} board} {players {player} A {player} B players} "
        "{turn-order {turn} A {turn} B turn-order}",
    )
    with raises(ForthVMError, "short-notation.no-grid"):
        read_notation(Path("my.notation"), "style target\nprotocol uci row\n", game._loaded)


def test_a_file_like_another(tmp_path: Path) -> None:
    (tmp_path / "first.notation").write_text("style target\npiece M Man\n")
    game = rules(tmp_path, "like first\nwin !\n")
    assert game.warnings == ()
    assert {move.short for move in game.start().legal_moves} == {"Mxa2!", "Mb2"}


@each_case("name", ["game", "none", "../game", "/game", "con:"])
def test_like_names_a_file_beside_it(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    game = rules(tmp_path_factory.mktemp("game"), f"style target\nlike {name}\n")
    (warning,) = game.warnings
    assert "game.notation:2:" in warning if name != "game" else "`style` is given twice" in warning


@needs_links
@pytest.mark.parametrize("link", ["breakthrough", "other"])
def test_a_link_out_of_the_folder_is_not_read(tmp_path: Path, link: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("root:password")
    folder = tmp_path / "game"
    shutil.copytree(game_paths()["breakthrough"].parent, folder)
    (folder / "breakthrough.notation").write_text("like other")
    (folder / f"{link}.notation").unlink(missing_ok=True)
    (folder / f"{link}.notation").symlink_to(secret)
    with load(folder / "breakthrough.4th") as game:
        (warning,) = game.warnings
    assert "refused to read" in warning
    assert "password" not in warning


def test_an_unknown_variant(tmp_path: Path) -> None:
    game = rules(tmp_path, "style target\n")._loaded
    with raises(ForthVMError, "short-notation.no-variant"):
        read_notation(Path("my.notation"), "style target\nvariant Steps 2\n", game)

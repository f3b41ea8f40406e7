"""Names of a rule file that are words of ForthScript, numbers, or used twice keep their texts."""

from __future__ import annotations

from pathlib import Path

from tests.kit.games import load_text

RULES = """
(game (title "Names") (players from move) (turn-order from move)
  (board
    (grid (start-rectangle 0 0 9 9) (dimensions ("1/2/3" (10 0))) (directions (here 1) (DUP -1)))
    (zone (name move) (players from) (positions 3))
    (symmetry move (here DUP) (DUP here)))
  (piece (name drop) (attribute verify true)
    (moves (here (verify empty?) (verify (flag? OR)) add)
           (here (verify empty?) (set-attribute verify false) add)))
  (piece (name from))
  (board-setup (from (drop 1)) (move (from 3))))
"""


def test_names_keep_their_texts(tmp_path: Path) -> None:
    position = load_text(tmp_path, RULES, name="names.zrf").start()
    assert position.game.players == ("from", "move")
    assert position.turn == "from"
    assert [str(move) for move in position.legal_moves] == ["drop 1 - 2 @ 2 0 0"]
    position.push("drop 1 - 2 @ 2 0 0")
    assert position.turn == "move"
    piece = position.board["2"]
    assert (piece.player, piece.type) == ("from", "drop")


def test_name_that_begins_like_words_of_the_library(tmp_path: Path) -> None:
    position = load_text(
        tmp_path,
        RULES.replace('"1/2/3"', '"z-1/z-2/z-3"')
        .replace("positions 3", "positions z-3")
        .replace("drop 1", "drop z-1")
        .replace("from 3", "from z-3"),
        name="names.zrf",
    ).start()
    assert [str(move) for move in position.legal_moves] == ["drop z-1 - z-2 @ z-2 0 0"]


def test_names_like_squares_of_a_grid(tmp_path: Path) -> None:
    position = load_text(
        tmp_path,
        """
(game (title "Squares") (players b1 c2) (turn-order b1 c2)
 (board
  (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("1/2/3" (0 10)))
   (directions (a1 1 0) (c3 -1 0))))
 (piece (name a2) (attribute b2 true) (moves (a1 (set-attribute b2 (in-zone? c1)) add)))
 (board-setup (b1 (a2 a2)) (c2 (a2 c3))))
""",
        name="names.zrf",
    ).start()
    assert [str(move) for move in position.legal_moves] == ["a2 a2 - b2 @ b2 0 0"]
    position.push("a2 a2 - b2 @ b2 0 0")
    piece = position.board["b2"]
    assert (piece.player, piece.type) == ("b1", "a2")


def test_names_like_settings_of_scripts(tmp_path: Path) -> None:
    game = load_text(
        tmp_path, RULES.replace("drop", "level=2").replace("from", "size="), name="names.zrf"
    )
    assert game.settings == {}
    assert [str(move) for move in game.start().legal_moves] == ["level=2 1 - 2 @ 2 0 0"]


def test_blanks_in_names_are_hyphens_in_texts(tmp_path: Path) -> None:
    position = load_text(
        tmp_path,
        RULES.replace("drop", '"big drop"').replace("from", '"first player"'),
        name="names.zrf",
    ).start()
    assert position.game.players == ("first-player", "move")
    assert [str(move) for move in position.legal_moves] == ["big-drop 1 - 2 @ 2 0 0"]

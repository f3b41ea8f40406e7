"""The format of saved games (`.zsg`): section 13 of the contract of ZRF."""

from __future__ import annotations

import pytest

from forthvm.zrf.rule_file import parse_rule_text
from forthvm.zrf.saved_game import (
    Edit,
    SavedGame,
    SavedGameTextError,
    SavedMove,
    read_saved_game,
    write_saved_game,
)
from tests.kit.cases import each_case
from tests.kit.messages import raises

TEXT = b"""Zillions Save Game File Version 0.02 HC
RulesFile=C:\\Games\\My Game\\my-game.ZRF
VariantName=My Game (small board)
(x a1)
(White Rook d4)
1. Pawn e2 - e4
1. Pawn e7 - e5
2. Pass
"""


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_saved_game_is_read(newline: bytes) -> None:
    game = read_saved_game(TEXT.replace(b"\n", newline))
    assert game.version == "0.02"
    assert game.seats == "HC"
    assert game.rules_name == "my-game.zrf"
    assert game.variant == "My Game (small board)"
    assert game.edits == (Edit("a1", line=4), Edit("d4", "White", "Rook", line=5))
    assert game.moves == (
        SavedMove(1, "Pawn e2 - e4", 6),
        SavedMove(1, "Pawn e7 - e5", 7),
        SavedMove(2, "Pass", 8),
    )


def test_set_up_without_moves_is_a_saved_game() -> None:
    game = read_saved_game(TEXT[: TEXT.index(b"1.")])
    assert game.moves == ()
    assert len(game.edits) == 2


def test_written_game_is_read_again() -> None:
    game = SavedGame(
        "my-game.zrf",
        "Title",
        (SavedMove(1, "Pawn e2 - e4"), SavedMove(1, "Pass")),
        (Edit("a1"), Edit("d4", "White", "Rook")),
        "HH",
    )
    data = write_saved_game(game)
    assert data.startswith(
        b"Zillions Save Game File Version 0.02 HH\r\nRulesFile=my-game.zrf\r\nVariantName=Title\r\n"
    )
    again = read_saved_game(data)
    assert [(move.turn, move.text) for move in again.moves] == [(1, "Pawn e2 - e4"), (1, "Pass")]
    assert [(edit.player, edit.piece, edit.position) for edit in again.edits] == [
        ("", "", "a1"),
        ("White", "Rook", "d4"),
    ]
    assert (again.rules_file, again.variant, again.seats) == ("my-game.zrf", "Title", "HH")


def test_texts_of_one_byte_a_character_are_decoded() -> None:
    game = read_saved_game(TEXT.replace(b"My Game (small", b"Caf\xe9 (small"))
    assert game.variant == "Caf\u00e9 (small board)"


@pytest.mark.parametrize("title", ["Für dich", "Шашки — 2", "Ça и Шашки"])
def test_titles_in_other_alphabets_are_found_again(title: str) -> None:
    rules = f'(game (title "{title}") (players A B) (board (dummy a1)))'
    saved = read_saved_game(write_saved_game(SavedGame("x.zrf", title)))
    assert parse_rule_text(rules).index(saved.variant) == 0


def test_a_title_of_several_lines_is_one_line_of_the_file() -> None:
    saved = read_saved_game(write_saved_game(SavedGame("x.zrf", "One\ntwo ")))
    assert saved.variant == "One two"


@each_case(
    ("old", "new", "message", "line"),
    [
        (b"Zillions Save", b"Some other", "saved-game.other-beginning", 1),
        (b"RulesFile=", b"Rules=", "saved-game.rulesfile-is-missing", 2),
        (b"RulesFile=C:\\Games\\My Game\\my-game.ZRF\n", b"", "saved-game.rulesfile", 2),
        (b"(x a1)", b"(x a1", "saved-game.neither-player", 4),
        (b"(x a1)", b"(Rook a1)", "saved-game.neither-player", 4),
        (b"1. Pawn e7 - e5", b"(x e7)", "saved-game.after-a-move", 7),
        (b"2. Pass", b"Pass", "saved-game.neither-a-move", 8),
    ],
)
def test_broken_files_are_refused(old: bytes, new: bytes, message: str, line: int) -> None:
    with raises(SavedGameTextError, message) as caught:
        read_saved_game(TEXT.replace(old, new))
    assert caught.value.line == line


def test_lines_without_meaning_are_skipped() -> None:
    lines = TEXT.splitlines()
    other = [lines[0], b"Date=5 May 1999", *lines[1:3], b"; a comment", *lines[3:]]
    saved = read_saved_game(b" \r\n".join([*other, b"", b"\x1a"]))
    expected = read_saved_game(TEXT)
    assert [move.text for move in saved.moves] == [move.text for move in expected.moves]
    assert (saved.rules_file, saved.variant) == (expected.rules_file, expected.variant)
    assert saved.moves[0].line == expected.moves[0].line + 2


def test_empty_file_is_refused() -> None:
    with raises(SavedGameTextError, "saved-game.does-not-begin"):
        read_saved_game(b"")

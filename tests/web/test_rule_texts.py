"""Tests of the texts about the rules of a game."""

from __future__ import annotations

from pathlib import Path

import forthvm
from forthvm.web.table.rule_texts import rule_texts
from tests.kit.games import load_text

RULES = r"""
(game (title "T") (players White Black) (turn-order White Black)
  (description "Take <b>all</b> men.\\Then `rest`.\Or not.") (history "Old.") (strategy "Win.")
  (board (image "none.bmp") (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9)))
      (directions (n 0 -1))))
  (board-setup (White (Man a1)) (Black (Man b2)))
  (piece (name Man) (help "\Man: goes north") (description "A man.\It goes north.")
    (moves ((n (verify empty?) add)))))
"""


def paragraphs(blocks: object) -> list[str]:
    assert isinstance(blocks, list)
    assert all(block["is"] == "paragraph" for block in blocks)
    return [block["text"] for block in blocks]


def test_a_rule_file_has_its_own_texts(tmp_path: Path) -> None:
    (tmp_path / "t.zrf").write_text(RULES, encoding="utf-8")
    texts = rule_texts(forthvm.load(tmp_path / "t.zrf"))
    sections, pieces = texts["sections"], texts["pieces"]
    assert isinstance(sections, list)
    assert isinstance(pieces, list)
    assert [(one["kind"], paragraphs(one["blocks"])) for one in sections] == [
        ("description", ["Take <b>all</b> men.", 'Then "rest".\nOr not.']),
        ("history", ["Old."]),
        ("strategy", ["Win."]),
    ]
    assert [(one["type"], paragraphs(one["blocks"])) for one in pieces] == [
        ("Man", ["Man: goes north", "A man.\nIt goes north."])
    ]
    (note,) = texts["notes"]  # type: ignore[misc]
    assert note.startswith("pictures are missing: none.bmp; put them into a folder Images")


def test_a_bundled_game_has_the_rules_of_its_readme() -> None:
    texts = rule_texts(forthvm.load("ur"))
    (section,) = texts["sections"]  # type: ignore[misc]
    blocks = section["blocks"]
    headings = [block["text"] for block in blocks if block["is"] == "heading"]
    assert headings == ["Rules in brief", "rules=skiriuk", "rules=finkel", "Settings"]
    assert {"paragraph", "list", "table", "code"} <= {block["is"] for block in blocks}
    texts_of = [str(block) for block in blocks if block["is"] != "code"]
    assert not any(mark in text for mark in ("*", "](", "`", ".4th") for text in texts_of)


def test_the_readme_of_another_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("private\n", encoding="utf-8")
    assert rule_texts(load_text(tmp_path, "LOAD tictactoe.4th\n"))["sections"] == []


def test_people_read_which_pieces_are_hidden() -> None:
    game = forthvm.load("breakthrough", settings={"OnShow": "~pawn"})
    assert rule_texts(game)["settings"] == [("OnShow", "~pawn", "who sees which pieces")]


def test_settings_have_their_chosen_values() -> None:
    game = forthvm.load("chess", settings={"dead-positions": "played"})
    meaning = "the game continues, as in published counts of moves"
    assert rule_texts(game)["settings"] == [("dead-positions", "played", meaning)]

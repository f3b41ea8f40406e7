"""Rule files that name the Axiom engine: contract, section 11."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import forthvm
from forthvm.zrf.source import RuleFileError
from tests.kit.messages import raises

SCRIPT = Path(__file__).parent.parent.parent / "scripts" / "tictactoe" / "tictactoe.4th"

RULES = """
(game (title "Tic Tac Toe") (engine "{engine}") (players {players}) (turn-order X O)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9)))))
  (piece (name {piece}) (moves (from))))
(variant (title "Another Game"))
"""


def write(folder: Path, script: str, engine: str = "Engine\\\\axiom.dll", **names: str) -> Path:
    """Write a rule file, and the script at a path below the folder; return the rule file."""
    target = folder / script
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(SCRIPT, target)
    path = folder / "rules" / "game.zrf"
    path.parent.mkdir(exist_ok=True)
    values = {"players": "X O", "piece": "M"} | names
    path.write_text(RULES.format(engine=engine, **values))
    return path


@pytest.mark.parametrize(
    ("script", "engine"),
    [
        ("rules/Engine/Tic-Tac-Toe.4th", "Engine\\axiom.dll"),
        ("rules/engine/TIC-TAC-TOE.4TH", "Engine/axiom.dll"),
        ("Engine/tic-tac-toe.4th", "..\\Engine\\axiom.dll"),
        ("Engine/tic-tac-toe.4th", "Engine\\axiom.dll"),
        ("rules/tic-tac-toe.4th", "Engine\\axiom.dll"),
        ("rules/tic-tac-toe.4th", "axiom.dll"),
        ("rules/tic-tac-toe.4th", "C:\\Zillions\\axiom.dll"),
    ],
)
def test_the_script_has_the_name_of_the_title(tmp_path: Path, script: str, engine: str) -> None:
    game = forthvm.load(write(tmp_path, script, engine))
    assert len(game.start().legal_moves) == 9
    assert game.variants == ("Tic Tac Toe", "Another Game")
    assert game.title == "Tic Tac Toe"


@pytest.mark.slow
def test_a_missing_script_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "rules/tic-tac-toe.4th")
    with raises(RuleFileError, "plugin.missing-engine") as caught:
        forthvm.load(path, variant="Another Game")
    assert "put Another-Game.4th beside the rule file" in caught.value.hints
    assert "games and variants of the file: Tic Tac Toe and Another Game" in caught.value.hints


@pytest.mark.slow
def test_a_bundled_game_of_the_title_replaces_a_missing_script(tmp_path: Path) -> None:
    path = write(tmp_path, "elsewhere/tic-tac-toe.4th")
    game = forthvm.load(path)
    assert len(game.start().legal_moves) == 9
    (warning,) = [text for text in game.warnings if "missing" in text]
    assert warning == "the script of the engine is missing; tictactoe.4th of forthvm is played"


def test_disagreements_are_reported(tmp_path: Path) -> None:
    path = write(tmp_path, "rules/tic-tac-toe.4th", players="X Y", piece="Q")
    found = forthvm.load(path).warnings
    assert any("players that the script lacks: Y" in text for text in found)
    assert any("players that the rule file lacks: O" in text for text in found)
    assert any("pieces that the script lacks: Q" in text for text in found)


def test_the_rule_file_may_have_more_positions(tmp_path: Path) -> None:
    path = write(tmp_path, "rules/tic-tac-toe.4th")
    path.write_text(path.read_text().replace("(board", "(board (dummy dice)"))
    assert not any("positions" in text for text in forthvm.load(path).warnings)


def test_turn_order_and_set_up_are_compared(tmp_path: Path) -> None:
    path = write(tmp_path, "rules/tic-tac-toe.4th", piece="mark")
    assert not any("turn order" in text for text in forthvm.load(path).warnings)
    text = path.read_text().replace("(turn-order X O)", "(turn-order O X)")
    path.write_text(text.replace("(piece", "(board-setup (X (mark b2)))\n(piece"))
    found = forthvm.load(path).warnings
    assert "turn order of the rule file: O and X" in found
    assert "turn order of the script: X and O" in found
    assert "set-up that the script lacks: X mark b2" in found

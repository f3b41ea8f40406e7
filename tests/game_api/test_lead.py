"""The lead in points, as a word of the script computes it."""

from __future__ import annotations

import shutil
from pathlib import Path

from forthvm.core.failure import ForthVMError
from forthvm.game import load
from forthvm.game.lead import lead_of
from tests.kit.games import loaded
from tests.kit.messages import raises

GO = Path(__file__).parents[2] / "scripts" / "go"


def test_the_lead_of_areas_and_komi() -> None:
    position = load("go-9x9", settings={"komi": "6.5"}).start()
    assert lead_of(position) == -6.5
    position.push("e5")
    assert lead_of(position) == 81 - 6.5
    before = position.to_json()
    position.push("a1")
    assert lead_of(position) == 1 - 1 - 6.5
    position.pop()
    assert position.to_json() == before


def test_games_without_points() -> None:
    assert lead_of(loaded("chess").start()) is None
    assert lead_of(loaded("hex").start()) is None


def test_a_word_that_does_not_return_a_number(tmp_path: Path) -> None:
    shutil.copytree(GO, tmp_path / "go")
    (tmp_path / "go" / "go-9x9.notation").write_text("style target\nlead note-key 1\n")
    position = load(tmp_path / "go" / "go-9x9.4th").start()
    with raises(ForthVMError, "lead.no-number"):
        lead_of(position)

"""`forthvm run` shows a person only the pieces and moves that this person may see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.render.test_scene import STRATEGY


def test_a_person_does_not_see_the_secrets_of_the_engine(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    script = tmp_path / "secrets.4th"
    script.write_text(STRATEGY, encoding="utf-8")
    out, position, _ = play("general a1 - a2", "quit", side="White", game=script)
    engine_move = position.history[1]
    assert engine_move.player == "Black"
    assert engine_move.text.split()[0] in ("general", "spy")
    assert "W.spy" in out
    assert "B.general" not in out
    assert "B.spy" not in out
    assert f"2. Black: {engine_move.text}" not in out
    assert "2. Black: " in out

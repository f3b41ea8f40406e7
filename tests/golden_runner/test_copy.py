"""tests/golden is an unmodified copy of the original engine's recordings, as its README says."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tests.golden_runner.records import GOLDEN, game_names, recording, scripts


def _digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_copy_equals_original(shared: Path) -> None:
    assert _digests(GOLDEN) == _digests(shared / "golden")


def test_every_script_is_recorded() -> None:
    assert game_names() == sorted(path.stem for path in (GOLDEN / "games").glob("*.4th"))


def test_records_agree_with_readme() -> None:
    assert len(scripts()) == 288
    assert len({script.id for script in scripts()}) == 288
    for game in game_names():
        plies = [step for step in recording(game).steps if hasattr(step, "played")]
        assert [step.ply for step in plies] == list(range(len(plies)))
        for step in plies:
            if step.played is not None:
                # The recording process chose the index 7 * ply, modulo the number of moves.  Its
                # host made the first move with the text of the chosen one.
                chosen = step.moves[7 * step.ply % len(step.moves)]
                assert step.moves[step.played] == chosen

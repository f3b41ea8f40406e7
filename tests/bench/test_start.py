"""Tests of benchmarks/start.py, whose limits CI checks."""

from __future__ import annotations

import shutil

import pytest

from benchmarks import start

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind"),
]
PASS = start.PROGRAMS[0]


def test_an_instruction_count_repeats() -> None:
    first, second = start.instructions(PASS), start.instructions(PASS)
    assert first > 1
    assert second == pytest.approx(first, rel=0.02)


def test_a_program_above_its_limit_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "PROGRAMS", (PASS._replace(limit=1),))
    assert start.main() == 1
    assert "million instructions  (limit 1)" in capsys.readouterr().out

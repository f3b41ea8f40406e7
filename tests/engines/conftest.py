"""Fixtures for tests of external engines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from forthvm.engines.protocols import UgiEngine
from forthvm.game import Position
from tests.engines.programs import EngineFactory, command
from tests.kit.games import loaded


@pytest.fixture
def make_engine() -> Iterator[EngineFactory]:
    """Return a function that creates a UGI engine, which is closed after the test."""
    engines: list[UgiEngine] = []

    def make(mode: str, *arguments: object, **options: object) -> UgiEngine:
        engine = UgiEngine(cmd=command(mode, *arguments), **options)
        engines.append(engine)
        return engine

    yield make
    for engine in engines:
        engine.close()
        assert engine.pid is None


@pytest.fixture
def start() -> Position:
    return loaded("tictactoe").start()


@pytest.fixture
def plain_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove preloaded sanitizers, which would handle crashes of the programs."""
    monkeypatch.delenv("LD_PRELOAD", raising=False)

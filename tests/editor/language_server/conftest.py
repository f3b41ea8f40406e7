"""One server process for all tests that need no server of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .client import Client


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    client = Client(tmp_path_factory.mktemp("workspace"))
    yield client
    assert client.close() == 0


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return (tmp_path / "game.4th").as_uri()

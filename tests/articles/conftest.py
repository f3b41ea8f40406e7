"""Fixtures for the articles: a folder with every fragment and every host script.

Owns where the scripts of these tests lie; must not know what they do.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import forthvm
from tests.articles.fragments import assemble

Loader = Callable[..., "forthvm.Game"]


@pytest.fixture(scope="session")
def scripts(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The assembled folder.  The two whole scripts that an article prints get their names."""
    folder = assemble(shared, tmp_path_factory.mktemp("articles"))
    for name in ("duel", "random"):
        printed = (folder / f"{name}.fragment").read_bytes()
        (folder / f"{name.capitalize()}.4th").write_bytes(printed)
    return folder


@pytest.fixture(scope="session")
def load(scripts: Path) -> Loader:
    """Loads a script of that folder; further text is loaded after it."""

    def loader(name: str, extra: str = "", **options: object) -> forthvm.Game:
        path = scripts / name
        if extra:
            path = scripts / f"with-{abs(hash(extra))}-{name}"
            path.write_text(f"LOAD {name}\n{extra}\n")
        return forthvm.load(path, **options)  # type: ignore[arg-type]

    return loader

"""Fixtures for the articles: a folder with all fragments and all host scripts.

Owns the location of the scripts.
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
    """Return a folder with the fragments, the host scripts, and the article's two full scripts."""
    folder = assemble(shared, tmp_path_factory.mktemp("articles"))
    for name in ("duel", "random"):
        script = (folder / f"{name}.fragment").read_bytes()
        (folder / f"{name.capitalize()}.4th").write_bytes(script)
    return folder


@pytest.fixture(scope="session")
def load(scripts: Path) -> Loader:
    """Return a function that loads a script of the folder, and then the text `extra`."""

    def loader(name: str, extra: str = "", **options: object) -> forthvm.Game:
        path = scripts / name
        if extra:
            path = scripts / f"with-{abs(hash(extra))}-{name}"
            path.write_text(f"LOAD {name}\n{extra}\n")
        return forthvm.load(path, **options)  # type: ignore[arg-type]

    return loader

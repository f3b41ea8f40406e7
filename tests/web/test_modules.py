"""The modules of the page that need no browser, tested by node."""

from __future__ import annotations

import json
import shutil
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from tests.kit.processes import output_of

TESTS = Path(__file__).parent / "modules"
NODE = shutil.which("node")


@pytest.mark.slow  # node needs 0.3 s to start
@pytest.mark.skipif(NODE is None, reason="node is absent")
@pytest.mark.parametrize("name", sorted(path.name for path in TESTS.glob("*.test.js")))
def test_module(name: str, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text(json.dumps({"type": "module"}))
    with as_file(files("forthvm.web").joinpath("page")) as page:
        shutil.copytree(page, tmp_path / "page")
    shutil.copy(TESTS / name, tmp_path)
    output_of(NODE, "--test", name, folder=tmp_path)

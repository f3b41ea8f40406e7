"""Tests that the notebooks run, that their outputs are current, and that they have no paths."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.kit.processes import run

CHECKOUT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((CHECKOUT / "docs" / "notebooks").glob("*.ipynb"))
PATH = re.compile(r"(?<![\w.<])/(?:home|tmp|root|work|usr|Users|private|var)\b|[A-Z]:\\\\")


def test_there_is_a_notebook() -> None:
    assert [path.name for path in NOTEBOOKS] == ["studying.ipynb"]


@pytest.mark.slow
def test_notebooks_run_and_their_outputs_are_current() -> None:
    script = CHECKOUT / "docs" / "make_notebooks.py"
    done = run(sys.executable, script, "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_are_valid_and_have_no_paths(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert PATH.search(text) is None
    notebook = json.loads(text)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells = notebook["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    for cell in cells:
        assert cell["cell_type"] in {"code", "markdown"}
        assert all(isinstance(line, str) for line in cell["source"])
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    assert {output["output_type"] for output in outputs} == {"stream", "execute_result"}

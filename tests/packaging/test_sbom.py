"""The list of what a wheel contains: the parts of the playground."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from forthvm.web.playground.static_page import PYODIDE

CHECKOUT = Path(__file__).parents[2]
SBOM = runpy.run_path(str(CHECKOUT / "native" / "wheels" / "sbom.py"))
LOCK = CHECKOUT / "editors" / "playground" / "package-lock.json"


def test_editor_and_python_of_the_playground_are_listed() -> None:
    listed = json.loads(SBOM["bill_of_materials"]("1.0", "0.1", LOCK))["components"]
    licenses = {one["name"]: one["licenses"][0]["license"]["id"] for one in listed}
    assert licenses["pyodide"] == "MPL-2.0"
    assert licenses["cpython"] == "PSF-2.0"
    assert licenses["@codemirror/view"] == "MIT"
    assert not {"esbuild", "ws"} & licenses.keys()  # tools


@pytest.mark.skipif(not PYODIDE.exists(), reason="no Pyodide: editors/playground copies it")
def test_the_version_of_python_is_that_of_pyodide() -> None:
    info = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))["info"]
    assert info["python"] == SBOM["_CPYTHON"]
    pinned = json.loads(LOCK.read_text("utf-8"))["packages"]["node_modules/pyodide"]["version"]
    assert f"Pyodide {pinned} " in (PYODIDE / "NOTICE.txt").read_text("utf-8")

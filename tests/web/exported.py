"""Scripts of pages in node, and what they need, as the core as WebAssembly."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest

from forthvm.web.offline.export import CORE
from tests.kit.processes import output_of

__all__ = ["needs_core", "needs_node", "run_in_node"]

needs_core = pytest.mark.skipif(
    not CORE.exists(),
    reason="no core.wasm: python native/wasm/build.py makes it",
)
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


def run_in_node(script: object, *arguments: object) -> list[Any]:
    """Run a script; return the values that it prints, each in a line of JSON.

    Without V8's optimizing compiler of WebAssembly, short runs take half the processor time.
    """
    printed = output_of("node", "--liftoff-only", script, *arguments)
    return [json.loads(line) for line in printed.splitlines()]

"""Tests of the names that modules have and use, and of the circles of their imports."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import forthvm

ROOT = Path(forthvm.__file__).parent
# Names with an underscore that are public: the methods of named tuples.
NAMED_TUPLES = {"_asdict", "_fields", "_replace"}
# What the layers above may use of games, positions and moves; the reference does not list it.
FOR_HIGHER_LAYERS = {
    "_adopt",
    "_document",
    "_earlier_states",
    "_in_memory",
    "_last_move",
    "_loaded",
    "_made",
    "_move_of_text",
    "_refuse_if_over",
    "_setup",
    "_shown",
    "_state",
    "_turn_index",
    "_with_state",
}
# Classes of argparse that have only names with an underscore.
ARGPARSE = {"_ActionsContainer", "_AppendAction", "_ArgumentGroup"}


def trees() -> Iterator[tuple[str, Path, ast.Module]]:
    """Yields the layer, the path and the syntax tree of each module."""
    for path in sorted(ROOT.rglob("*.py")):
        yield path.relative_to(ROOT).parts[0], path, ast.parse(path.read_text("utf-8"))


def is_private(name: str) -> bool:
    return name[0] == "_" and not name.startswith("__")


def private_names(tree: ast.Module) -> tuple[set[str], list[ast.Attribute]]:
    """Returns the private names that a module defines, and its uses of private attributes."""
    defined: set[str] = set()
    used = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            if is_private(node.attr):
                owner = node.value.id if isinstance(node.value, ast.Name) else ""
                if owner in {"self", "cls"} and isinstance(node.ctx, ast.Store):
                    defined.add(node.attr)
                if owner not in {"self", "cls", "os", "sys"}:
                    used.append(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            defined.add(node.id)
    return defined, used


@pytest.mark.slow
def test_layers_do_not_use_private_names_of_other_layers() -> None:
    layers = defaultdict(list)
    for layer, path, tree in trees():
        layers[layer].append((path, *private_names(tree)))
    found = []
    for modules in layers.values():
        allowed = NAMED_TUPLES | FOR_HIGHER_LAYERS | ARGPARSE
        allowed = allowed.union(*(defined for _, defined, _ in modules))
        found += [
            f"{path.relative_to(ROOT)}:{node.lineno}: {node.attr}"
            for path, _, used in modules
            for node in used
            if node.attr not in allowed
        ]
    assert found == []


def test_pytest_collects_no_modules_of_the_package() -> None:
    patterns = ("test_*.py", "*_test.py")
    assert [path for pattern in patterns for path in ROOT.rglob(pattern)] == []


@pytest.mark.slow
@pytest.mark.skipif(find_spec("grimp") is None, reason="needs import-linter")
def test_at_most_five_modules_import_each_other() -> None:
    """Imports in functions and under TYPE_CHECKING count, too."""
    import grimp

    graph = grimp.build_graph("forthvm", cache_dir=None)
    circles = {
        frozenset(graph.find_upstream_modules(module) & graph.find_downstream_modules(module))
        | {module}
        for module in graph.modules
    }
    assert [sorted(circle) for circle in circles if len(circle) > 5] == []

"""Names with an underscore stay inside the layer that defines them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import forthvm

ROOT = Path(forthvm.__file__).parent
# Underscores that are no sign of privacy: the methods of named tuples.
NAMED_TUPLES = {"_asdict", "_fields", "_replace"}
# Classes that argparse has no public name for.
ARGPARSE = {"_ActionsContainer", "_AppendAction", "_ArgumentGroup"}


def trees() -> Iterator[tuple[str, Path, ast.Module]]:
    for path in sorted(ROOT.rglob("*.py")):
        yield path.relative_to(ROOT).parts[0], path, ast.parse(path.read_text("utf-8"))


def names_defined(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        if isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}:
            yield node.attr
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id


def is_foreign(node: ast.AST, own: set[str]) -> bool:
    if not isinstance(node, ast.Attribute) or not node.attr.startswith("_"):
        return False
    if node.attr.startswith("__") or node.attr in NAMED_TUPLES | ARGPARSE | own:
        return False
    return not (isinstance(node.value, ast.Name) and node.value.id in {"self", "cls", "os", "sys"})


def test_no_layer_uses_private_names_of_another() -> None:
    layers = defaultdict(list)
    for layer, path, tree in trees():
        layers[layer].append((path, tree))
    found = []
    for modules in layers.values():
        own = {name for _, tree in modules for n in ast.walk(tree) for name in names_defined(n)}
        found += [
            f"{path.relative_to(ROOT)}:{node.lineno}: {node.attr}"
            for path, tree in modules
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and is_foreign(node, own)
        ]
    assert found == []

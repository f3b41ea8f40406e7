"""Runs the notebooks in docs/notebooks and writes the outputs of their cells.

Owns how cells are run and which forms of a result a notebook contains; with ``--check`` it only
compares.  The cells of a notebook share a namespace and run in an empty folder.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from generated_files import write_or_check

NOTEBOOKS = Path(__file__).resolve().parent / "notebooks"
FORMS = {"_repr_html_": "text/html", "_repr_svg_": "image/svg+xml"}
"""The methods of values for other forms than text, with the types of these forms."""


def lines(text: str) -> list[str]:
    """Returns a text as notebooks store it: a list of lines with their ends."""
    return text.splitlines(keepends=True)


def run_cell(source: str, name: str, namespace: dict[str, object]) -> tuple[str, object]:
    """Runs a cell; returns what it printed, and the value of its last expression or None."""
    body = ast.parse(source, filename=name)
    last = body.body[-1] if body.body else None
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        if isinstance(last, ast.Expr) and not source.rstrip().endswith(";"):
            body.body.pop()
            exec(compile(body, name, "exec"), namespace)
            value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
        else:
            exec(compile(body, name, "exec"), namespace)
    return printed.getvalue(), value


def outputs(printed: str, value: object, count: int) -> list[dict[str, object]]:
    """Returns the outputs of a cell in the notebook format."""
    found: list[dict[str, object]] = []
    if printed:
        found.append({"name": "stdout", "output_type": "stream", "text": lines(printed)})
    if value is not None:
        data = {
            kind: lines(getattr(value, method)())
            for method, kind in FORMS.items()
            if hasattr(value, method)
        }
        found.append(
            {
                "data": {**data, "text/plain": lines(repr(value))},
                "execution_count": count,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return found


def executed(path: Path) -> str:
    """Returns the text of a notebook with new outputs."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    module = ModuleType("__main__")
    count = 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                continue
            count += 1
            printed, value = run_cell(
                "".join(cell["source"]), f"{path.name}, cell {count}", vars(module)
            )
            cell["execution_count"] = count
            cell["outputs"] = outputs(printed, value, count)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """Runs all notebooks; returns the exit status."""
    os.environ["COLUMNS"] = "80"
    return write_or_check(
        {path: executed(path) for path in sorted(NOTEBOOKS.glob("*.ipynb"))}, arguments
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""No module in the current folder is imported unless the command line names it.

The folder of these tests contains a module with the name of each module of the standard library,
and another package `forthvm`; each of them writes its name to a file when it is imported.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import forthvm
from tests.kit.processes import output_of

START = "import sys; from forthvm.cli import main; sys.argv[0] = 'forthvm'; sys.exit(main())"
"""Starts forthvm as the installed command; `-P` excludes the current folder from `sys.path`."""
TRACE = """\
import os
with open(os.environ["FORTHVM_TEST_TRACE"], "a") as file:
    file.write(__name__ + "\\n")
raise ImportError("from the current folder: " + __name__)
"""
ENGINE = """\
import random, sqlite3
class First:
    def play(self, position):
        return position.legal_moves[0]
"""
MATCH = ("autoplay", "tictactoe", "-n", "2", "--quiet", "--out", "a.db")


@pytest.fixture
def hostile_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "here"
    (folder / "forthvm").mkdir(parents=True)
    (folder / "forthvm" / "__init__.py").write_text(TRACE, encoding="utf-8")
    for name in [*sys.stdlib_module_names, "cffi", "numpy", "pygments", "distributed"]:
        (folder / f"{name}.py").write_text(TRACE, encoding="utf-8")
    return folder


def run(folder: Path, *args: str, python: tuple[str, ...] = ("-P", "-c", START)) -> str:
    trace = folder.parent / "trace"
    variables = {"PYTHONPATH": None, "FORTHVM_TEST_TRACE": str(trace)}
    printed = output_of(sys.executable, *python, *args, folder=folder, **variables)
    assert not trace.exists(), trace.read_text(encoding="utf-8")
    return printed


@pytest.mark.slow
def test_workers_import_nothing_from_the_current_folder(hostile_folder: Path) -> None:
    engines = ("--engine", "A=random", "--engine", "B=first")
    out = run(hostile_folder, *MATCH, *engines, "--workers", "processes", "--jobs", "2", "--json")
    assert '"forfeits": 0' in out
    assert '"forfeits": 1' not in out


@pytest.mark.slow
def test_other_commands_import_nothing_from_the_current_folder(hostile_folder: Path) -> None:
    run(hostile_folder, *MATCH, "--engine", "A=random", "--engine", "B=negamax:depth=1")
    run(hostile_folder, "report", "a.db")
    run(hostile_folder, "replay", "a.db", "1")
    run(hostile_folder, "run", "tictactoe", "--auto", "--engine", "negamax:depth=1")


@pytest.mark.slow
@pytest.mark.parametrize("command", [("moves", "tictactoe"), (*MATCH, "--workers", "processes")])
def test_python_m_forthvm_removes_the_current_folder(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    """A module of the current folder may be imported only before the program removes the folder.

    Python imports `runpy` and the package before that; neither imports the five modules below.
    """
    (tmp_path / "here").mkdir()
    for name in ("sqlite3", "json", "multiprocessing", "argparse", "subprocess"):
        (tmp_path / "here" / f"{name}.py").write_text(TRACE, encoding="utf-8")
    run(tmp_path / "here", *command, python=("-m", "forthvm"))


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["threads", "processes"])
def test_engine_module_in_the_current_folder_shadows_nothing(
    hostile_folder: Path, workers: str
) -> None:
    """The current folder is searched after all installed packages."""
    (hostile_folder / "mine.py").write_text(ENGINE, encoding="utf-8")
    engines = ("--engine", "A=mine:First", "--engine", "B=first")
    out = run(hostile_folder, *MATCH, *engines, "--workers", workers, "--json")
    assert '"forfeits": 1' not in out
    run(hostile_folder, "run", "tictactoe", "--auto", "--engine", "mine:First")


@pytest.mark.slow
def test_analyse_finds_an_engine_in_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "mine_to_analyse.py").write_text(ENGINE, encoding="utf-8")
    engine = ("--engine", "mine_to_analyse:First")
    output = run(tmp_path, "analyse", "tictactoe", "-n", "2", "--solve", "0", *engine)
    assert "tictactoe: 2 games by mine_to_analyse:First" in output


@pytest.mark.slow
def test_python_processes_are_started_without_the_current_folder() -> None:
    """In each command that begins with `sys.executable`, -P or -I follows."""
    package = Path(forthvm.__file__).parent
    commands = 0
    for path in package.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        assert "get_context(" not in source, path
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.List) or len(node.elts) < 2:
                continue
            first, second = map(ast.unparse, node.elts[:2])
            if first == "sys.executable":
                commands += 1
                assert second in {"'-P'", "isolation_flag"}, f"{path}:{node.lineno}"
    assert commands

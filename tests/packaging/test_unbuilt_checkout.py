"""Python in a checkout whose extension is not built: errors say what to do."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.cases import each_case

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the Python files of forthvm, as they are before a build."""
    folder = tmp_path_factory.mktemp("checkout").resolve()
    for path in (CHECKOUT / "forthvm").rglob("*.py"):
        if path.name != "_primitives.py":
            target = folder / path.relative_to(CHECKOUT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    return folder


@each_case(
    "arguments",
    [
        ["-c", "import forthvm; forthvm.load('chess')"],
        ["-c", "import forthvm; forthvm.games()"],
        ["-c", "from forthvm.autoplay import Match"],
        ["-m", "forthvm", "games"],
        ["-m", "forthvm", "report", "no-such-file"],
    ],
)
def test_the_error_says_how_to_build(sources: Path, arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-S", *arguments],  # without site-packages, where forthvm is installed
        cwd=sources,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.endswith(
        f": forthvm is not built in {sources}: run `pip install -e .` there, "
        "or use an installed forthvm from another folder"
    )
    assert (arguments[0] == "-c") == ("Traceback" in done.stderr)

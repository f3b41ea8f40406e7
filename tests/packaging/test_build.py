"""Builds sdist and wheel, installs the wheel in a clean environment and runs it.

Owns all steps from a checkout to an installed wheel.  They take minutes and need a package index
(for build requirements), so these tests run only if FORTHVM_PACKAGING is set, as in .ci/run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.kit import processes

CHECKOUT = Path(__file__).resolve().parents[2]

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.skipif(
        not os.environ.get("FORTHVM_PACKAGING"), reason="FORTHVM_PACKAGING is not set"
    ),
]


def run(*command: str | Path, cwd: Path) -> str:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, f"{command}:\n{done.stdout}"
    return done.stdout


def tracked(*folders: str) -> set[str]:
    """Returns the files that git tracks in folders."""
    return set(run("git", "ls-files", *folders, cwd=CHECKOUT).split())


@pytest.fixture(scope="module")
def clean_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("clean") / "venv"
    run(sys.executable, "-m", "venv", home, cwd=home.parent)
    return home / "bin" / "python"


@pytest.fixture(scope="module")
def sdist(clean_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sdist")
    source = tmp_path_factory.mktemp("source") / "checkout"
    # Built from a clone, so that uncommitted files are not used.
    run("git", "clone", "-q", CHECKOUT, source, cwd=out)
    run(clean_python, "-m", "pip", "install", "-q", "build", cwd=out)
    run(clean_python, "-m", "build", "--sdist", "--outdir", out, source, cwd=out)
    (archive,) = out.glob("*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def wheel(sdist: Path, clean_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    run(clean_python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", out, sdist, cwd=out)
    (built,) = out.glob("*.whl")
    return built


def test_missing_compiler_is_explained(sdist: Path, clean_python: Path, tmp_path: Path) -> None:
    command = (clean_python, "-m", "pip", "wheel", "--no-deps", "-w", tmp_path, sdist)
    done = processes.run(*command, folder=tmp_path, timeout=900, CC="no-such-compiler")
    assert done.returncode != 0
    output = done.stdout + done.stderr
    assert "needs a C compiler and Python's headers" in output
    assert "no-such-compiler" in output
    assert list(tmp_path.glob("*.whl")) == []


def test_sdist_contains_all_tracked_files(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    expected = tracked(
        "native", "examples", "tests", "axiom_lib", "scripts", "docs", "benchmarks", "forthvm"
    )
    assert expected - names == set()
    made = ("_primitives.py", "core.wasm")
    assert not any(name.endswith(made) or "/generated/" in name for name in names)
    assert {"LICENSE", "README.md", "CHANGELOG.md", "setup.py", "pyproject.toml"} <= names


def test_wheel_contains_exactly_the_tracked_files(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    mapped = {"axiom_lib/": "forthvm/_lib/", "scripts/": "forthvm/_games/", "forthvm/": "forthvm/"}
    expected = {
        target + name.removeprefix(folder)
        for folder, target in mapped.items()
        for name in tracked(folder)
    }
    # These are made for each build; the second one needs a compiler, which CI installs.
    expected |= {"forthvm/core/_primitives.py", "forthvm/web/offline/core.wasm"}
    extensions = {name for name in names if name.startswith("forthvm/_native.a")}
    assert len(extensions) == 1
    assert names - extensions == expected


def test_wheel_supports_python_3_11_and_later(wheel: Path) -> None:
    assert "-cp311-abi3-" in wheel.name


def test_wheel_works_in_a_clean_environment(
    wheel: Path, clean_python: Path, tmp_path: Path
) -> None:
    run(clean_python, "-m", "pip", "install", "-q", wheel, cwd=tmp_path)
    command = clean_python.parent / "forthvm"
    assert "tictactoe" in run(command, "games", cwd=tmp_path)
    assert run(command, "perft", "tictactoe", "2", cwd=tmp_path).strip().endswith("72")
    played = run(command, "run", "tictactoe", "--auto", cwd=tmp_path)
    assert len(played.splitlines()) > 10
    code = "import forthvm; vm = forthvm.VM(library='core'); vm.interpret('1 2 + .')"
    run(clean_python, "-c", code, cwd=tmp_path)

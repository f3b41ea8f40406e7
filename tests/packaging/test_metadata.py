"""Tests of the package's metadata: one version, the stable ABI, complete data files.

Owns checks that need no build; builds are in test_build.py.
"""

from __future__ import annotations

import fnmatch
import importlib.metadata
import importlib.resources
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import forthvm
from tests.kit.cases import each_case

CHECKOUT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
CONSTRAINTS = CHECKOUT / ".ci" / "constraints.txt"


def requirements() -> list[Requirement]:
    """Returns all requirements in pyproject.toml, except extras that name the package itself."""
    project = PROJECT["project"]
    lists = [
        PROJECT["build-system"]["requires"],
        project["dependencies"],
        *project["optional-dependencies"].values(),
    ]
    found = [Requirement(text) for texts in lists for text in texts]
    return [each for each in found if each.name != project["name"]]


def locked_versions() -> dict[str, str]:
    """Returns the version of each package that CI installs."""
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pairs}


@each_case("requirement", requirements(), ids=str)
def test_dependencies_are_bounded_and_locked(requirement: Requirement) -> None:
    operators = {each.operator for each in requirement.specifier}
    assert operators & {"<", "==", "~="}, "no upper bound"
    version = locked_versions().get(canonicalize_name(requirement.name))
    assert version is not None, "not in the lock file: run .ci/lock"
    assert requirement.specifier.contains(version), f"{version} is locked: run .ci/lock"


def test_ci_installs_the_locked_versions() -> None:
    script = (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8")
    assert "export PIP_CONSTRAINT=$work/checkout/.ci/constraints.txt" in script


@pytest.mark.slow
def test_version_is_defined_once() -> None:
    assert importlib.metadata.version("forthvm") == forthvm.__version__
    assert "version" in PROJECT["project"]["dynamic"]
    number = re.escape(forthvm.__version__)
    sources = [*CHECKOUT.glob("forthvm/**/*.py"), CHECKOUT / "setup.py"]
    files = [path.name for path in sources if re.search(number, path.read_text("utf-8"))]
    assert files == ["_version.py"]


def test_citation_agrees_with_the_package() -> None:
    """CITATION.cff repeats version and licence, since its readers do not run Python."""
    text = (CHECKOUT / "CITATION.cff").read_text(encoding="utf-8")
    fields = dict(re.findall(r"^([a-z-]+): *(.*)$", text, re.MULTILINE))
    assert fields["version"] == forthvm.__version__
    own, *others = PROJECT["project"]["license"].split(" AND ")
    assert fields["license"] == own
    assert others == ["MPL-2.0", "PSF-2.0"]  # of Pyodide, which the playground contains
    assert f"- name: {PROJECT['project']['authors'][0]['name']}" in text
    required = {"cff-version", "message", "title", "authors"}  # by the schema of version 1.2.0
    assert required <= set(fields)
    assert "CITATION.cff" in (CHECKOUT / "MANIFEST.in").read_text(encoding="utf-8")


def test_every_data_file_is_matched_by_a_pattern() -> None:
    patterns = PROJECT["tool"]["setuptools"]["package-data"]
    folders = {"forthvm._lib": "axiom_lib", "forthvm._games": "scripts", "forthvm": "forthvm"}
    unmatched = []
    for package, folder in folders.items():
        root = CHECKOUT / folder
        for path in root.rglob("*"):
            name = path.relative_to(root).as_posix()
            ignored = "__pycache__" in name or path.suffix in {".py", ".so", ".pyd", ".c"}
            # `**/` also matches no folder, which fnmatch does not support.
            globs = [glob.removeprefix("**/") for glob in patterns[package]]
            matched = any(fnmatch.fnmatch(path.name, glob) for glob in globs)
            if path.is_file() and not ignored and not matched:
                unmatched.append(f"{folder}/{name}")
    assert unmatched == []


def test_library_and_games_are_packages() -> None:
    library = importlib.resources.files("forthvm._lib")
    games = importlib.resources.files("forthvm._games")
    assert library.joinpath("core.4th").is_file()
    assert library.joinpath("axiom.4th").is_file()
    assert games.joinpath("tictactoe", "README.md").is_file()


def test_the_extension_uses_the_stable_abi() -> None:
    from forthvm import _native

    assert _native.__file__ is not None
    suffix = Path(_native.__file__).name.split(".", 1)[1]
    assert suffix in {"abi3.so", "pyd"}

"""Builds the wheel of another platform, and checks what pip and users rely on.

Owns one platform, because each takes half a minute of processor time; .github/workflows/wheels.yml
builds and tests all.  These tests run only if FORTHVM_PACKAGING is set, as in .ci/run.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import zipfile
from pathlib import Path

import pytest

import forthvm
from tests.kit.processes import output_of, run

CHECKOUT = Path(__file__).resolve().parents[2]
PLATFORM = "musllinux_aarch64"
NAME = f"forthvm-{forthvm.__version__}-cp311-abi3-musllinux_1_2_aarch64.whl"
EXTENSION = "forthvm/_native.abi3.so"
METADATA = f"forthvm-{forthvm.__version__}.dist-info"

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.skipif(
        not os.environ.get("FORTHVM_PACKAGING"), reason="FORTHVM_PACKAGING is not set"
    ),
]


def build(folder: Path) -> Path:
    output_of(sys.executable, CHECKOUT / "native" / "wheels", folder, PLATFORM)
    return folder / NAME


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("not installed: the packages of the extra `wheels`")
    return build(tmp_path_factory.mktemp("dist"))


def test_the_wheel_says_for_what_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(f"{METADATA}/WHEEL").decode().splitlines()
    assert "Tag: cp311-abi3-musllinux_1_2_aarch64" in metadata
    assert "Root-Is-Purelib: false" in metadata


def test_the_extension_is_for_the_processor(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        library = archive.read(EXTENSION)
        permissions = archive.getinfo(EXTENSION).external_attr >> 16 & 0o777
    assert library[:4] == b"\x7fELF"
    assert int.from_bytes(library[18:20], "little") == 183  # EM_AARCH64
    assert b"libc.musl-aarch64.so.1" in library
    assert permissions == 0o755


def test_the_wheel_contains_the_package_and_its_bill_of_materials(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        materials = json.loads(archive.read(f"{METADATA}/sboms/forthvm.cdx.json"))
    assert {"forthvm/_lib/core.4th", "forthvm/_games/tictactoe/tictactoe.4th"} <= names
    assert {"forthvm/core/_primitives.py", "forthvm/web/offline/core.wasm"} <= names
    assert "forthvm/web/playground/editor.js" in names
    assert materials["metadata"]["component"]["version"] == forthvm.__version__


def test_the_same_commit_gives_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    sdist = f"forthvm-{forthvm.__version__}.tar.gz"
    again = build(tmp_path)
    assert again.read_bytes() == wheel.read_bytes()
    assert again.with_name(sdist).read_bytes() == wheel.with_name(sdist).read_bytes()


def test_unknown_platforms_are_refused(tmp_path: Path) -> None:
    done = run(sys.executable, CHECKOUT / "native" / "wheels", tmp_path, "amiga")
    assert done.returncode == 2
    assert "no platform amiga; there are: manylinux_x86_64" in done.stderr

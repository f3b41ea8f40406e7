"""Tests of native/wasm/build.py: when it compiles the core to WebAssembly, and with what."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "native" / "wasm" / "build.py"


@pytest.fixture
def build(tmp_path: Path) -> ModuleType:
    """Returns the script as a module, with the target in a temporary folder."""
    spec = importlib.util.spec_from_file_location("wasm_build", SCRIPT)
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.MODULE = tmp_path / "core.wasm"
    return module


def use(build: ModuleType, *working: str) -> list[str]:
    """Replaces the compilers by two pretended ones; returns a list of those that are tried."""
    tried = []

    def compile_module(compiler: tuple[str], target: Path) -> None:
        tried.append(compiler[0])
        if compiler[0] not in working:
            raise FileNotFoundError(compiler[0])
        target.write_text(compiler[0], encoding="utf-8")

    build.compilers = lambda: [("first",), ("second",)]
    build.compile_module = compile_module
    return tried


def make_older_than_sources(file: Path) -> None:
    file.write_text("old", encoding="utf-8")
    os.utime(file, (0, 0))


@pytest.mark.parametrize(
    ("working", "expected"),
    [(("first", "second"), ["first"]), (("second",), ["first", "second"])],
)
def test_the_first_compiler_that_works_is_used(
    build: ModuleType, working: tuple[str, ...], expected: list[str]
) -> None:
    tried = use(build, *working)
    assert build.main() == 0
    assert tried == expected
    assert build.MODULE.read_text(encoding="utf-8") == expected[-1]


def test_a_module_is_compiled_again_only_if_a_source_is_newer(build: ModuleType) -> None:
    tried = use(build, "first")
    build.MODULE.write_text("new", encoding="utf-8")
    assert build.main() == 0
    assert tried == []
    make_older_than_sources(build.MODULE)
    assert build.main() == 0
    assert tried == ["first"]


def test_without_a_compiler_an_old_module_is_removed(
    build: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    use(build)
    make_older_than_sources(build.MODULE)
    assert build.main() == 1
    assert not build.MODULE.exists()
    assert "apt install clang lld wasi-libc" in capsys.readouterr().err

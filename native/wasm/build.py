"""Compile the core to WebAssembly, for exported games: forthvm/web/offline/core.wasm.

Owns the compilers and their options.  setup.py runs this file, and wheels contain the module.

    python native/wasm/build.py     compile the module if its sources are newer
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
NATIVE = HERE.parent
MODULE = NATIVE.parent / "forthvm" / "web" / "offline" / "core.wasm"

FOLDERS = ("vm", "game", "encoding", "network", "search", "trace")  # all but the JIT
COMPILE = ("-O2", "-std=gnu11", "-fno-strict-aliasing", "-DFVM_NO_JIT", "-DFVM_NO_FORTH2012")
# WebAssembly has no computed goto; the compilers' replacement makes searches 11 % slower.
COMPILE += ("-DFVM_SWITCH",)
# Without symbols, zig's module does not contain the paths of the sources.
LINK = ("-mexec-model=reactor", "-s", "-Wl,--export=malloc", "-Wl,--export=free")
LINK += (f"-Wl,--max-memory={1 << 30}", f"-Wl,-z,stack-size={5 << 20}")
EMSCRIPTEN_LINK = ("-sSTANDALONE_WASM", "--no-entry", "-sEXPORTED_FUNCTIONS=_malloc,_free")
EMSCRIPTEN_LINK += ("-sALLOW_MEMORY_GROWTH", "-sMAXIMUM_MEMORY=1GB", "-sTOTAL_STACK=5MB")
# The functions that the page implements; forthvm/web/offline/core.js has the list.
EMSCRIPTEN_LINK += ("-sERROR_ON_UNDEFINED_SYMBOLS=0", "-sWARN_ON_UNDEFINED_SYMBOLS=0")

CLANG = ("clang", "--target=wasm32-wasi")
ZIG = (sys.executable, "-m", "ziglang", "cc", "-target", "wasm32-wasi")
EMSCRIPTEN = ("emcc",)

REQUIREMENTS = """\
`forthvm export` needs the core as WebAssembly, which cannot be compiled here.  One of these can:
    clang with lld and wasi-libc
        (Debian, Ubuntu: apt install clang lld wasi-libc libclang-rt-dev-wasm32)
    Emscripten (emcc)
    zig (in a checkout: pip install ziglang)"""


def compilers() -> Iterator[Sequence[str]]:
    """Yield the commands to try."""
    yield CLANG
    if importlib.util.find_spec("ziglang"):
        yield ZIG
    yield EMSCRIPTEN


def sources() -> list[Path]:
    """Return the C files."""
    core = [path for folder in FOLDERS for path in NATIVE.glob(f"{folder}/*.c")]
    others = [NATIVE / "os" / "wasm.c", NATIVE / "assemble.c", *sorted(HERE.glob("*.c"))]
    return [*sorted(core), *others]


def is_current() -> bool:
    """Whether the module is newer than everything from which it is made."""
    patterns = [
        "generate.py",
        "superinstructions.py",
        "wasm/build.py",
        "wasm/*.h",
        "include/*.h",
        "tables/*.def",
        "jit/*.h",
        "os/*.h",
    ]
    patterns += [f"{folder}/*.{ending}" for folder in FOLDERS for ending in ("h", "inc")]
    files = [*sources(), *(path for pattern in patterns for path in NATIVE.glob(pattern))]
    return MODULE.exists() and MODULE.stat().st_mtime > max(path.stat().st_mtime for path in files)


def compile_module(compiler: Sequence[str], target: Path) -> None:
    """Compile the module with a compiler.

    Raises:
        OSError: There is no such compiler.
        subprocess.CalledProcessError: It fails.
    """
    subprocess.run([sys.executable, str(NATIVE / "generate.py")], check=True)
    # Debian's emscripten needs its packages for node.
    environment = {"NODE_PATH": "/usr/share/nodejs", **os.environ}

    def run(*arguments: str) -> None:
        command = [*compiler, *arguments]
        subprocess.run(command, check=True, cwd=NATIVE, env=environment, capture_output=True)

    with tempfile.TemporaryDirectory() as folder:

        def compile_source(path: Path) -> str:
            name = os.path.relpath(path, NATIVE)  # equal on every machine
            compiled = str(Path(folder, f"{name.replace(os.sep, '-')}.o"))
            run(*COMPILE, "-Iinclude", "-I.", "-c", name, "-o", compiled)
            return compiled

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(compile_source, sources()))
        linked = Path(folder, "core.wasm")
        run(*(EMSCRIPTEN_LINK if compiler == EMSCRIPTEN else LINK), *objects, "-o", str(linked))
        target.write_bytes(linked.read_bytes())


def main() -> int:
    """Compile the module with the first compiler that can; return 1 if there is none."""
    if is_current():
        return 0
    MODULE.unlink(missing_ok=True)
    for compiler in compilers():
        try:
            compile_module(compiler, MODULE)
        except (OSError, subprocess.CalledProcessError):
            continue
        print(f"{MODULE.name}: {MODULE.stat().st_size} bytes, compiled by {' '.join(compiler)}")
        return 0
    print(REQUIREMENTS, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

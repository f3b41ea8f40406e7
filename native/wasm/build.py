"""Compile the core to WebAssembly, for exported games: forthvm/web/offline/core.wasm.

Owns the options of the compiler, and the digest by which a test detects that the sources have
changed.  The module is in git, so that forthvm can be installed without emscripten.  Debian's
emscripten 3.1.6 produces the same bytes on every machine.

    python native/wasm/build.py           compile the module
    python native/wasm/build.py --check   only check that this would not change it
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NATIVE = HERE.parent
MODULE = NATIVE.parent / "forthvm" / "web" / "offline" / "core.wasm"
DIGEST = HERE / "core.sha256"

FOLDERS = ("vm", "game", "analysis", "encoding", "search", "trace")  # all but the JIT
OPTIONS = (
    *(
        "-O2",
        "-std=gnu11",
        "-fno-strict-aliasing",
        "-DFVM_NO_JIT",
        "-DFVM_NO_FORTH2012",
        "-Iinclude",
        "-I.",
    ),
    *("-sSTANDALONE_WASM", "--no-entry", "-sALLOW_MEMORY_GROWTH", "-sMAXIMUM_MEMORY=1GB"),
    *("-sTOTAL_STACK=5MB", "-sEXPORTED_FUNCTIONS=_malloc,_free"),
    # The functions that the page implements; forthvm/web/offline/core.js has the list.
    *("-sERROR_ON_UNDEFINED_SYMBOLS=0", "-sWARN_ON_UNDEFINED_SYMBOLS=0"),
)


def sources() -> list[Path]:
    """Return the C files."""
    core = [path for folder in FOLDERS for path in NATIVE.glob(f"{folder}/*.c")]
    others = [NATIVE / "os" / "wasm.c", NATIVE / "assemble.c", HERE / "played_game.c"]
    return [*sorted(core), *others]


def digest() -> str:
    """Return a checksum of everything from which the module is made."""
    patterns = ["generate.py", "superinstructions.py", "include/*.h", "tables/*.def"]
    patterns += [f"{folder}/*.h" for folder in ("os", "jit")]
    patterns += [f"{folder}/*.{ending}" for folder in FOLDERS for ending in ("h", "inc")]
    others = [path for pattern in patterns for path in NATIVE.glob(pattern)]
    checksum = hashlib.sha256()
    for path in [*sources(), *sorted(others), HERE / "build.py"]:
        checksum.update(path.name.encode() + b"\n" + path.read_bytes())
    return checksum.hexdigest()


def compile_to(target: Path) -> None:
    """Compile the module.

    Raises:
        OSError: There is no emcc.
        subprocess.CalledProcessError: It fails.
    """
    subprocess.run([sys.executable, str(NATIVE / "generate.py")], check=True)
    # Debian's emscripten needs its packages for node, and a cache that may be written.
    environment = {"NODE_PATH": "/usr/share/nodejs", **os.environ}
    paths = [os.path.relpath(path, NATIVE) for path in sources()]  # equal on every machine
    command = ["emcc", *OPTIONS, *paths, "-o", str(target)]
    subprocess.run(command, check=True, cwd=NATIVE, env=environment)


def main() -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(description="Compile the core to WebAssembly.")
    parser.add_argument("--check", action="store_true", help="compare, and change nothing")
    only_check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / MODULE.name
        compile_to(target)
        compiled = target.read_bytes()
    if not only_check:
        MODULE.write_bytes(compiled)
        DIGEST.write_text(f"{digest()}\n", encoding="utf-8")
    elif MODULE.read_bytes() != compiled or DIGEST.read_text(encoding="utf-8").strip() != digest():
        print(
            f"{MODULE.name} differs from its sources: run python native/wasm/build.py",
            file=sys.stderr,
        )
        return 1
    print(f"{MODULE.name}: {len(compiled)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

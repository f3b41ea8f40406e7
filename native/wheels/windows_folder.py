"""Make forthvm-windows.zip: a folder with Python, forthvm and forthvm.exe, without installation.

Owns what the folder contains.  Nothing in it knows its place and nothing needs to be written to it,
so it may be moved and may be read-only.
"""

from __future__ import annotations

import email
import importlib.resources
import io
import os
import shutil
import time
import zipfile
from pathlib import Path

from tools import run_module
from windows_python import PYTHON_VERSION

__all__ = ["make_windows_folder"]

ARCHIVE = "forthvm-windows.zip"
CONSTRAINTS = Path(__file__).resolve().parents[2] / ".ci" / "constraints.txt"
LAUNCHER_SCRIPT = Path(__file__).with_name("launcher.py")

# What forthvm does not use: development, tests, installation and windows of Tk.
OMITTED = (
    *("include", "libs", "Scripts", "tcl", "NEWS.txt", "Lib/site-packages", "Lib/__pycache__"),
    *("Lib/ensurepip", "Lib/idlelib", "Lib/lib2to3", "Lib/tkinter", "Lib/turtledemo", "Lib/venv"),
    *("DLLs/_tkinter.pyd", "DLLs/tcl86t.dll", "DLLs/tk86t.dll", "DLLs/_msi.pyd"),
)
# Where Python finds modules, relative to python.exe.  With this file it reads neither environment
# variables nor the registry.
MODULES = "Lib\nDLLs\nLib\\site-packages\n"
# Installed for Windows only; pip evaluates the conditions of requirements for the host.
WINDOWS_PACKAGES = ("colorama",)

LICENSES = """\
This folder contains the following programs.  Their licences are the files named here, or are in the
folders named here.

forthvm.exe (starts Python; from distlib of the Python Packaging Authority)
    PSF-2.0: python\\LICENSE.txt
CPython, with bzip2, libffi and OpenSSL
    PSF-2.0, bzip2-1.0.6, MIT and Apache-2.0: python\\LICENSE.txt
Parts of CPython by others, such as expat, libmpdec, liblzma, SQLite and zlib
    see https://docs.python.org/3.12/license.html
vcruntime140.dll, vcruntime140_1.dll (Microsoft Visual C++ Runtime)
    see "Microsoft Distributable Code" in this file: python\\LICENSE.txt
"""


def install_packages(wheel: Path, site: Path) -> None:
    """Install forthvm and what it needs to a folder."""
    system = ("--platform", "win_amd64", "--python-version", PYTHON_VERSION)
    options = ("--only-binary=:all:", "--no-compile", "-c", CONSTRAINTS, "--target", site)
    run_module("pip", "install", *system, *options, f"{wheel}[web]", *WINDOWS_PACKAGES)
    shutil.rmtree(site / "bin", ignore_errors=True)
    for notes in ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json"):  # of pip
        for path in site.glob(f"*.dist-info/{notes}"):
            path.unlink()


def make_launcher() -> bytes:
    """Return forthvm.exe: a program that runs the script in the archive at its end."""
    program = importlib.resources.files("distlib").joinpath("t64.exe").read_bytes()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as script:
        script.writestr(entry("__main__.py"), LAUNCHER_SCRIPT.read_bytes())
    return program + b"#!<launcher_dir>\\python\\python.exe\r\n" + archive.getvalue()


def list_licenses(site: Path) -> str:
    """Return the text of LICENSES.txt."""
    parts = [LICENSES]
    for metadata in sorted(site.glob("*.dist-info/METADATA")):
        fields = email.message_from_string(metadata.read_text(encoding="utf-8"))
        stated = fields["License-Expression"] or fields["License"]
        if not stated or "\n" in stated:  # some packages have the whole text there
            classifiers = fields.get_all("Classifier", [])
            named = [each for each in classifiers if each.startswith("License ::")]
            stated = ", ".join(each.rpartition(" :: ")[2] for each in named) or "see the folder"
        folder = f"python\\Lib\\site-packages\\{metadata.parent.name}"
        parts.append(f"{fields['Name']} {fields['Version']}\n    {stated}: {folder}\n")
    return "".join(parts).replace("\n", "\r\n")


def entry(name: str) -> zipfile.ZipInfo:
    """Return the entry of an archive, with the date of the commit."""
    date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))
    info = zipfile.ZipInfo(name, date[:6])
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def make_windows_folder(wheel: Path, python: Path, target: Path) -> Path:
    """Write the archive.

    Args:
        wheel: forthvm for Windows on x86-64.
        python: the folder with CPython for Windows, which is changed.
        target: the folder for the archive.
    """
    for name in OMITTED:
        path = python / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    site = python / "Lib" / "site-packages"
    install_packages(wheel, site)
    number = PYTHON_VERSION.replace(".", "")
    (python / f"python{number}._pth").write_text(MODULES, encoding="utf-8")
    archive = target / ARCHIVE
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr(entry("forthvm/forthvm.exe"), make_launcher())
        files.writestr(entry("forthvm/LICENSES.txt"), list_licenses(site))
        for path in sorted(python.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                name = f"forthvm/python/{path.relative_to(python).as_posix()}"
                files.writestr(entry(name), path.read_bytes())
    return archive

"""The Python modules with which the playground compiles and draws rule files.

Owns which modules of the package go into the archive that the page unpacks for Pyodide.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import forthvm
from forthvm.core.loading.library import library_folder

__all__ = ["python_modules"]

_PACKAGE = Path(forthvm.__file__).parent
_PATTERNS = (
    "__init__.py",
    "catalogue/__init__.py",
    "catalogue/options.py",
    "check/*.py",
    "core/*.py",
    "core/errors/*.py",
    "core/loading/*.py",
    "core/text/*.py",
    "core/words/*.py",
    "render/*.py",
    "render/symbols/*",
    "system/*.py",
    "web/__init__.py",
    "web/offline/__init__.py",
    "web/offline/looks.py",
    "web/playground/__init__.py",
    "web/playground/rule_*.py",
    "web/table/__init__.py",
    "web/table/rule_texts.py",
    "zrf/**/*.py",
)
_LIBRARY = ("__init__.py", "core.4th", "axiom*.4th")
"""The files of the library whose words the compiler must know."""
_EMPTY = ("check/__init__.py", "render/__init__.py")
"""The modules that are empty on the page, since they import what needs the core."""


def python_modules() -> bytes:
    """Return the archive."""
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for folder, target, patterns in (
            (_PACKAGE, "forthvm", _PATTERNS),
            (library_folder(), "forthvm/_lib", _LIBRARY),
        ):
            for path in sorted({path for one in patterns for path in folder.glob(one)}):
                name = path.relative_to(folder).as_posix()
                if path.is_file():
                    data = b"" if name in _EMPTY else path.read_bytes()
                    archive.writestr(ZipInfo(f"{target}/{name}"), data, ZIP_DEFLATED)
    return out.getvalue()

"""Contains the build settings that pyproject.toml cannot express.

Owns the C extension, the choice of its compiler, the files for browsers, the list of packages, and
the tag of the wheel.
It must not contain metadata (see pyproject.toml) or compiler flags (see native/flags.py).
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CompileError

# A free-threaded Python has no stable ABI, so its wheel works only with that version.
STABLE_ABI = not sysconfig.get_config_var("Py_GIL_DISABLED")

REQUIREMENTS = """\
forthvm's core is in C, so installing from source needs a C compiler and Python's headers:
    Debian, Ubuntu: apt install gcc python3-dev
    Fedora: dnf install gcc python3-devel
    macOS: xcode-select --install
    Windows: gcc of mingw-w64 on the path (https://winlibs.com), not Microsoft's compiler"""


class BuildCore(build_ext):
    """The command that compiles the C core; if it fails, the error names the requirements."""

    def finalize_options(self) -> None:
        """Choose gcc on Windows: the core needs extensions of C that Microsoft's compiler lacks."""
        super().finalize_options()
        if os.name == "nt" and self.compiler is None:
            self.compiler = "mingw32"

    def build_extensions(self) -> None:
        """Compile the core; add the requirements to the message of an error."""
        try:
            super().build_extensions()
        except Exception as error:
            raise CompileError(f"{error}\n\n{REQUIREMENTS}") from error


class BuildPackages(build_py):
    """The command that collects the files of packages, after making those for browsers."""

    def run(self) -> None:
        """Make the files for browsers: the core, and editor and Python of the playground.

        Without the tools for them, only `forthvm export` and `forthvm playground` are missing.
        """
        subprocess.run([sys.executable, "native/wasm/build.py"], check=False)
        node = shutil.which("node")
        if node and Path("editors/playground/node_modules").is_dir():
            for script in ("build.mjs", "pyodide.mjs"):
                subprocess.run([node, f"editors/playground/{script}"], check=False)
        super().run()


setup(
    # cffi derives a subclass of BuildCore, which it uses.
    cmdclass={"build_ext": BuildCore, "build_py": BuildPackages},
    cffi_modules=["native/build.py:ffibuilder"],
    # find_packages does not find the two packages whose folders package_dir names.
    packages=[*find_packages(include=["forthvm*"]), "forthvm._lib", "forthvm._games"],
    package_dir={
        "forthvm._lib": "axiom_lib",
        "forthvm._games": "scripts",
    },
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE_ABI else {},
)

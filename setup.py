"""What pyproject.toml cannot say: the C extension, the mapped packages and the wheel's tag.

Owns the list of packages.  It must not hold metadata (that is in pyproject.toml) nor
compiler flags (native/flags.py).
"""

import sysconfig

from setuptools import find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

# A free-threaded Python has no stable ABI: there the wheel is for that version only.
STABLE_ABI = not sysconfig.get_config_var("Py_GIL_DISABLED")

NEEDS = """\
forthvm's core is in C, so installing from source needs a C compiler and Python's headers:
    Debian, Ubuntu: apt install gcc python3-dev
    Fedora: dnf install gcc python3-devel
    macOS: xcode-select --install"""


class BuildCore(build_ext):
    """Says what is needed where the core cannot be compiled."""

    def build_extensions(self) -> None:
        """Compiles; an error of the compiler or the lack of one comes with advice."""
        try:
            super().build_extensions()
        except Exception as error:
            raise CompileError(f"{error}\n\n{NEEDS}") from error


setup(
    cmdclass={"build_ext": BuildCore},  # cffi builds upon it
    cffi_modules=["native/build.py:ffibuilder"],
    # An explicit list would forget new packages; find_packages alone drops the mapped two.
    packages=[*find_packages(include=["forthvm*"]), "forthvm._lib", "forthvm._games"],
    package_dir={
        "forthvm._lib": "axiom_lib",
        "forthvm._games": "scripts",
    },
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE_ABI else {},
)

"""What pyproject.toml cannot say: the C extension, the mapped packages and the wheel's tag.

Owns the list of packages.  It must not hold metadata (that is in pyproject.toml) nor
compiler flags (native/flags.py).
"""

import runpy
import sys
import sysconfig

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

# A free-threaded Python has no stable ABI: there the wheel is for that version only.
STABLE_ABI = not sysconfig.get_config_var("Py_GIL_DISABLED")

NEEDS = """\
forthvm's core is in C, so installing from source needs a C compiler and Python's headers:
    Debian, Ubuntu: apt install gcc python3-dev
    Fedora: dnf install gcc python3-devel
    macOS: xcode-select --install"""

FLAGS = runpy.run_path("native/flags.py")

# Loops over moves are faster with it, and all works without: what cannot build it goes on.
# It counts on one thread running Python at a time.
LOOP = Extension(
    "forthvm._loop",
    [f"native/python/{part}.c" for part in ("held", "lists", "lock", "loop", "module", "objects")],
    depends=[
        "native/forthvm.h",
        *(f"native/python/{part}.h" for part in ("held", "lists", "lock", "loop", "objects")),
    ],
    include_dirs=["native"],
    extra_compile_args=FLAGS["compile_flags"](),
    extra_link_args=FLAGS["link_flags"](),
    define_macros=[("Py_LIMITED_API", "0x030B0000")],
    py_limited_api=True,
    optional=True,
)


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
    ext_modules=[LOOP] if STABLE_ABI and sys.implementation.name == "cpython" else [],
    cffi_modules=["native/build.py:ffibuilder"],
    # An explicit list would forget new packages; find_packages alone drops the mapped two.
    packages=[*find_packages(include=["forthvm*"]), "forthvm._lib", "forthvm._games"],
    package_dir={
        "forthvm._lib": "axiom_lib",
        "forthvm._games": "scripts",
    },
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE_ABI else {},
)

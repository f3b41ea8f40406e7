"""What pyproject.toml cannot say: the C extension, the mapped packages and the wheel's tag.

Owns the list of packages.  It must not hold metadata (that is in pyproject.toml) nor
compiler flags (native/build.py).
"""

import sysconfig

from setuptools import find_packages, setup

# A free-threaded Python has no stable ABI: there the wheel is for that version only.
STABLE_ABI = not sysconfig.get_config_var("Py_GIL_DISABLED")

setup(
    cffi_modules=["native/build.py:ffibuilder"],
    # An explicit list would forget new packages; find_packages alone drops the mapped two.
    packages=[*find_packages(include=["forthvm*"]), "forthvm._lib", "forthvm._games"],
    package_dir={
        "forthvm._lib": "axiom_lib",
        "forthvm._games": "scripts",
    },
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE_ABI else {},
)

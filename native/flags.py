"""Flags for compiling and linking the C core, restricted to those that the compiler accepts.

Owns the flags and the checks whether the compiler accepts them.  native/build.py and setup.py run
this file (runpy) and call `compile_flags` and `link_flags`.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path

__all__ = ["compile_flags", "link_flags"]

# These flags have a measured gain in speed; the core is correct without them.  Optimization at link
# time inlines functions of other files; strict aliasing is off because of it.  SLP vectorization is
# off because it loads two stack items with one instruction soon after they were stored separately,
# which stalls the processor.
LEVEL = ("-O3",)
LINK_TIME = ("-flto=auto",)
SPEED = (("-fno-strict-aliasing",), ("-fno-tree-slp-vectorize",))

# Scripts are untrusted: a buffer overflow that the core's checks miss must end the process.  The
# macro is undefined first because distributions define it in Python's own flags.
STACK_PROTECTOR = ("-fstack-protector-strong",)
FORTIFY = ("-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2")
# Only the functions of the public header are exported; the header marks them.
HIDDEN = ("-fvisibility=hidden",)
READ_ONLY_RELOCATIONS = ("-Wl,-z,relro", "-Wl,-z,now")

# The function is exported with HIDDEN, as the header's are: some linkers fail if nothing is.
PROBE = """\
#include <string.h>
#ifndef _WIN32
#pragma GCC visibility push(default)
#endif
int probe(char *to) { char a[64]; return (int)strlen(strcpy(a, to)); }
"""
LOAD = "import ctypes, sys; ctypes.CDLL(sys.argv[1]).probe"  # fails if there is no such function


def _command() -> list[str]:
    """Return the command of the C compiler that setuptools runs, with CFLAGS."""
    default = "gcc" if os.name == "nt" else ""  # setup.py does not use Microsoft's compiler
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or default
    return [*shlex.split(command), *_words("CFLAGS")]


def _words(variable: str) -> list[str]:
    """Return the words in an environment variable."""
    return shlex.split(os.environ.get(variable, ""))


@cache
def _accepts(*flags: str) -> bool:
    """Return whether the compiler can build a shared library with the flags."""
    with tempfile.TemporaryDirectory() as folder:
        return _build_probe(Path(folder), flags) is not None


def _build_probe(folder: Path, flags: tuple[str, ...]) -> Path | None:
    """Build a shared library with the flags; return its path, or None if that fails."""
    command = _command()
    if not command:
        return None
    source = folder / "probe.c"
    library = source.with_suffix(".so")
    source.write_text(PROBE, encoding="utf-8")
    command = [*command, "-O2", "-fPIC", "-shared", "-Werror", *flags]
    try:
        result = subprocess.run(
            [*command, str(source), "-o", str(library), *_words("LDFLAGS")],
            capture_output=True,
            timeout=600,  # zig first compiles libraries of the system
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return library if result.returncode == 0 else None


@cache
def _links_with_optimization() -> bool:
    """Return whether a library that is optimized at link time contains its functions.

    Some linkers accept the compiler's objects but do not understand them.  If the library cannot be
    loaded here, for example because it is for another processor, the answer is no.
    """
    with tempfile.TemporaryDirectory() as folder:
        library = _build_probe(Path(folder), LINK_TIME)
        if library is None:
            return False
        load = [sys.executable, "-c", LOAD, str(library)]
        return subprocess.run(load, capture_output=True, check=False).returncode == 0


def _level() -> tuple[str, ...]:
    """Return the level of optimization, unless the user chooses it."""
    return () if any(flag.startswith("-O") for flag in _words("CFLAGS")) else LEVEL


def _link_time() -> tuple[str, ...]:
    """Return the flags for link time, unless the user chooses them or they do not work."""
    chosen = any(
        flag.startswith(("-flto", "-fno-lto")) for flag in (*_words("CFLAGS"), *_words("LDFLAGS"))
    )
    return LINK_TIME if not chosen and _links_with_optimization() else ()


def compile_flags() -> list[str]:
    """Return the compiler's flags: speed, hidden symbols and hardening."""
    groups = (_level(), *SPEED, _link_time(), HIDDEN, STACK_PROTECTOR, FORTIFY)
    return [flag for group in groups if _accepts(*group) for flag in group]


def link_flags() -> list[str]:
    """Return the linker's flags: relocations are read-only before any code runs."""
    groups = (READ_ONLY_RELOCATIONS, _level(), _link_time())
    return [flag for group in groups if _accepts(*group) for flag in group]

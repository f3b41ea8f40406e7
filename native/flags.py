"""Flags for compiling and linking the C core, restricted to those that the compiler accepts.

Owns the flags and the checks whether the compiler accepts them.  It must not know what is compiled:
native/build.py and setup.py run this file (runpy) and call `compile_flags` and `link_flags`.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sysconfig
import tempfile
from functools import cache
from pathlib import Path

__all__ = ["compile_flags", "link_flags"]

# These flags have a measured gain in speed; the core is correct without them.  Optimization at link
# time inlines functions of other files; strict aliasing is off because of it.  SLP vectorization is
# off because it loads two stack items with one instruction soon after they were stored separately,
# which stalls the processor.
LINK_TIME = ("-flto=auto",)
SPEED = (("-O3",), ("-fno-strict-aliasing",), ("-fno-tree-slp-vectorize",), LINK_TIME)

# Scripts are untrusted: a buffer overflow that the core's checks miss must end the process.  The
# macro is undefined first because distributions define it in Python's own flags.
STACK_PROTECTOR = ("-fstack-protector-strong",)
FORTIFY = ("-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2")
# Only the functions of the public header are exported; the header marks them.
HIDDEN = ("-fvisibility=hidden",)
READ_ONLY_RELOCATIONS = ("-Wl,-z,relro", "-Wl,-z,now")

PROBE = (
    "#include <string.h>\nint probe(char *to) { char a[64]; return (int)strlen(strcpy(a, to)); }\n"
)


def _command() -> list[str]:
    """Return the command of the C compiler that setuptools runs, with CFLAGS."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or ""
    return [*shlex.split(command), *shlex.split(os.environ.get("CFLAGS", ""))]


@cache
def _accepts(*flags: str) -> bool:
    """Return whether the compiler can build a shared library with the flags."""
    command = _command()
    if not command or os.name == "nt":
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.c"
        source.write_text(PROBE, encoding="utf-8")
        command = [*command, "-O2", "-fPIC", "-shared", "-Werror", *flags]
        try:
            result = subprocess.run(
                [*command, str(source), "-o", str(source.with_suffix(".so"))],
                capture_output=True,
                timeout=60,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
    return result.returncode == 0


def compile_flags() -> list[str]:
    """Return the compiler's flags: speed, hidden symbols and hardening."""
    return [
        flag
        for group in (*SPEED, HIDDEN, STACK_PROTECTOR, FORTIFY)
        if _accepts(*group)
        for flag in group
    ]


def link_flags() -> list[str]:
    """Return the linker's flags: relocations are read-only before any code runs."""
    groups = (READ_ONLY_RELOCATIONS, LINK_TIME)
    return [flag for group in groups if _accepts(*group) for flag in group]

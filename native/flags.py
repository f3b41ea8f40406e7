"""Flags that the extensions are compiled and linked with, as far as the compiler takes them.

Owns the flags and the questions put to the compiler.  It must not know what is compiled:
native/build.py and setup.py run this file (runpy) and ask for `compile_flags` and `link_flags`.
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

# Measured gains only, never needed for correctness: the core also builds without them.
# Strict aliasing is off because users' own builds of the core may link it with LTO.  Items of the
# stacks that were stored one by one must not be loaded two at a time: the processor waits for it.
SPEED = (("-fno-strict-aliasing",), ("-fno-tree-slp-vectorize",))

# Scripts may come from strangers: an overflow that no check has found ends the process.  The
# level of FORTIFY is undefined first because distributions define one in Python's own flags.
STACK_PROTECTOR = ("-fstack-protector-strong",)
FORTIFY = ("-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2")
# Only what the public header declares is exported (it says so itself).
HIDDEN = ("-fvisibility=hidden",)
READ_ONLY_RELOCATIONS = ("-Wl,-z,relro", "-Wl,-z,now")

PROBE = (
    "#include <string.h>\nint probe(char *to) { char a[64]; return (int)strlen(strcpy(a, to)); }\n"
)


def _command() -> list[str]:
    """The C compiler that setuptools will run, with CFLAGS of its environment."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or ""
    return [*shlex.split(command), *shlex.split(os.environ.get("CFLAGS", ""))]


@cache
def _accepts(*flags: str) -> bool:
    """Whether a shared library can be made with the flags; False when unsure."""
    command = _command()
    if not command or os.name == "nt":
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.c"
        source.write_text(PROBE, encoding="utf-8")
        built = [*command, "-O2", "-fPIC", "-shared", "-Werror", *flags]
        try:
            done = subprocess.run(
                [*built, str(source), "-o", str(source.with_suffix(".so"))],
                capture_output=True,
                timeout=60,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
    return done.returncode == 0


def compile_flags() -> list[str]:
    """For the compiler: speed, hidden symbols and hardening."""
    return [
        flag
        for group in (*SPEED, HIDDEN, STACK_PROTECTOR, FORTIFY)
        if _accepts(*group)
        for flag in group
    ]


def link_flags() -> list[str]:
    """For the linker: relocations become read-only before any code runs."""
    return list(READ_ONLY_RELOCATIONS) if _accepts(*READ_ONLY_RELOCATIONS) else []

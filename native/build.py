"""Builds the extension ``forthvm._native`` with cffi in API mode.

Owns the cdef (cut out of forthvm.h, so that every declaration exists once), the list of
sources and the compiler flags.  It must not know what the functions do.

Run as a script it compiles in place, which setup.py and pip normally do.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sysconfig
from pathlib import Path

import cffi

HERE = Path(__file__).resolve().parent
BEGIN, END = "/* CDEF BEGIN */", "/* CDEF END */"

# What the core calls back.  `onerror` and `error` are set where the functions are defined.
CALLBACKS = """
extern "Python" {
    int fvm_py_output(void *host, const char *bytes, size_t length);
    int fvm_py_load(void *host, const char *name);
    int fvm_py_word(void *host, int32_t id);
    int fvm_py_poll(void *host);
    int fvm_py_report(void *host, int32_t what, const char *text, fvm_cell value);
    int fvm_py_trace(void *host, int32_t reasons);
}
"""

# Measured gains only, never needed for correctness: the core also builds without them.
# Strict aliasing is off because users' own builds of the core may link it with LTO.  Items of the
# stacks that were stored one by one must not be loaded two at a time: the processor waits for it.
GNU_FLAGS = ["-fno-strict-aliasing", "-fno-tree-slp-vectorize"]


def declarations() -> str:
    """The part of forthvm.h between its two marks."""
    text = (HERE / "forthvm.h").read_text(encoding="utf-8")
    before, found_begin, rest = text.partition(BEGIN)
    body, found_end, after = rest.partition(END)
    if not (before and found_begin and found_end and after):
        raise ValueError(f"forthvm.h lacks {BEGIN} or {END}")
    return body


def speaks_gnu() -> bool:
    """Whether the C compiler takes gcc's flags (gcc and clang do); False when unsure."""
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "")
    if not command or os.name == "nt":
        return False
    try:
        macros = subprocess.run(
            [*command, "-dM", "-E", "-x", "c", os.devnull],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return macros.returncode == 0 and "#define __GNUC__" in macros.stdout


def relative(pattern: str) -> list[str]:
    """Files of this folder, sorted, named from the checkout as setuptools asks for."""
    return sorted(f"native/{path.relative_to(HERE).as_posix()}" for path in HERE.glob(pattern))


def make_builder() -> cffi.FFI:
    """The cffi builder that setup.py names."""
    builder = cffi.FFI()
    builder.cdef(declarations() + CALLBACKS)
    builder.set_source(
        "forthvm._native",
        '#include "forthvm.h"\n',
        # Tools with a main() of their own live in native/fuzz and are not matched.
        sources=relative("*.c"),
        include_dirs=["native"],
        depends=[
            path for kind in ("*.h", "*.inc", "*.def", "generated/*") for path in relative(kind)
        ],
        extra_compile_args=GNU_FLAGS if speaks_gnu() else [],
        libraries=["m"] if os.name == "posix" else [],
    )
    return builder


ffibuilder = make_builder()

if __name__ == "__main__":
    os.chdir(HERE.parent)
    ffibuilder.compile(verbose=True)

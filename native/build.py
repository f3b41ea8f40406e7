"""Build the extension ``forthvm._native`` with cffi in API mode.

Owns the cdef, which is extracted from forthvm.h and layout.h, and the list of sources.  flags.py
tells which flags compilers accept.

Loading this file generates code and makes `ffibuilder`, which setup.py passes to cffi.  Run as a
script, this file also compiles the extension in place.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import cffi

NATIVE = Path(__file__).resolve().parent
BEGIN, END = "/* CDEF BEGIN */", "/* CDEF END */"

# The functions in Python that serve as hooks of the core.  forthvm/core/bindings defines them.
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


def declarations(header: str) -> str:
    """Return the part of a header between its two marks."""
    text = (NATIVE / header).read_text(encoding="utf-8")
    before, found_begin, marked = text.partition(BEGIN)
    body, found_end, after = marked.partition(END)
    if not (before and found_begin and found_end and after):
        raise ValueError(f"{header} lacks {BEGIN} or {END}")
    return body


def relative(*patterns: str) -> list[str]:
    """Return matching files of this folder, sorted, as paths relative to the repository."""
    return sorted(
        f"native/{path.relative_to(NATIVE).as_posix()}"
        for pattern in patterns
        for path in NATIVE.glob(pattern)
    )


def make_builder() -> cffi.FFI:
    """Generate the code that the sources include, and return the cffi builder."""
    subprocess.run([sys.executable, str(NATIVE / "generate.py")], check=True)
    flags = runpy.run_path(str(NATIVE / "flags.py"))
    builder = cffi.FFI()
    builder.cdef(declarations("include/forthvm.h") + declarations("vm/layout.h") + CALLBACKS)
    builder.set_source(
        "forthvm._native",
        '#include "forthvm.h"\n#include "vm/layout.h"\n',
        # The programs in native/fuzz have their own main().
        sources=[
            path
            for path in relative("**/*.c")
            if not path.startswith(("native/fuzz/", "native/wasm/"))
        ],
        include_dirs=["native/include", "native"],
        depends=relative("**/*.h", "**/*.inc", "**/*.def"),
        extra_compile_args=flags["compile_flags"](),
        extra_link_args=flags["link_flags"](),
        libraries=["m"] if os.name == "posix" else [],
    )
    return builder


ffibuilder = make_builder()

if __name__ == "__main__":
    os.chdir(NATIVE.parent)
    ffibuilder.compile(verbose=True)

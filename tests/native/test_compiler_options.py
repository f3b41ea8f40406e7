"""Tests of the compiler's and linker's options with which the extension is built.

Options for hardening are used, and options for speed unless the user's flags differ.
"""

from __future__ import annotations

import platform
import re
import runpy
import shutil
import struct
import sys
from pathlib import Path

import pytest

from forthvm import _native
from tests.kit.processes import output_of
from tests.native.native_driver import CHECKOUT

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or sys.maxsize < 2**32, reason="reads 64-bit ELF files"
)

# Names and values of elf.h: types of segments; a tag of the dynamic section and one of its flags.
PT_DYNAMIC, PT_GNU_RELRO = 2, 0x6474E552
DT_FLAGS, DF_BIND_NOW = 30, 8


def flags() -> dict[str, list[str]]:
    """Return the options of native/flags.py that this compiler accepts."""
    module = runpy.run_path(str(CHECKOUT / "native" / "flags.py"))
    return {name: module[name]() for name in ("compile_flags", "link_flags")}


def extension_bytes() -> bytes:
    """Return the contents of the extension."""
    return Path(str(_native.__file__)).read_bytes()


def segments(elf: bytes) -> dict[int, bytes]:
    """Return the contents of an ELF file's segments by type."""
    (table,) = struct.unpack_from("=Q", elf, 0x20)  # e_phoff: offset of the program headers
    size, count = struct.unpack_from("=HH", elf, 0x36)  # e_phentsize, e_phnum
    contents = {}
    for index in range(count):
        # p_type, p_flags, p_offset, p_vaddr, p_paddr, p_filesz
        header = struct.unpack_from("=IIQQQQ", elf, table + index * size)
        segment_type, _, offset, _, _, length = header
        contents[segment_type] = elf[offset : offset + length]
    return contents


@pytest.mark.slow
def test_only_functions_of_the_public_header_are_exported() -> None:
    if shutil.which("nm") is None:
        pytest.skip("needs nm")
    if "-fvisibility=hidden" not in flags()["compile_flags"]:
        pytest.skip("the compiler cannot hide symbols")
    listed = output_of("nm", "-D", "--defined-only", _native.__file__)
    header = (CHECKOUT / "native" / "include" / "forthvm.h").read_text(encoding="utf-8")
    public = set(re.findall(r"\b(fvm_\w+)\(", header))
    exported = {line.split()[-1] for line in listed.splitlines()}
    assert {name for name in exported if name.startswith("fvm_")} <= public


@pytest.mark.slow
def test_stack_protector_is_enabled() -> None:
    if "-fstack-protector-strong" not in flags()["compile_flags"]:
        pytest.skip("the compiler has no stack protector")
    assert b"\0__stack_chk_fail\0" in extension_bytes()


@pytest.mark.slow
def test_fortified_functions_are_used() -> None:
    if platform.libc_ver()[0] != "glibc":
        pytest.skip("the C library has no checked functions")
    assert "-D_FORTIFY_SOURCE=2" in flags()["compile_flags"]
    assert b"\0__snprintf_chk\0" in extension_bytes() or b"\0__vsnprintf_chk\0" in extension_bytes()


@pytest.mark.slow
def test_relocations_are_read_only() -> None:
    if "-Wl,-z,relro" not in flags()["link_flags"]:
        pytest.skip("the linker has no -z relro")
    contents = segments(extension_bytes())
    assert PT_GNU_RELRO in contents
    dynamic_section = dict(struct.iter_unpack("=qQ", contents[PT_DYNAMIC]))
    assert dynamic_section[DT_FLAGS] & DF_BIND_NOW


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variable", "value", "absent"),
    [
        ("CFLAGS", "-Os", "-O3"),
        ("CFLAGS", "-fno-lto", "-flto=auto"),
        ("LDFLAGS", "-fno-lto", "-flto=auto"),
        ("LDFLAGS", "-nostdlib -Wl,--version", "-flto=auto"),  # links nothing
    ],
)
def test_flags_of_the_user_decide(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, absent: str
) -> None:
    monkeypatch.delenv("CFLAGS", raising=False)
    monkeypatch.delenv("LDFLAGS", raising=False)
    if absent not in flags()["compile_flags"]:
        pytest.skip(f"the compiler has no {absent}")
    monkeypatch.setenv(variable, value)
    chosen = flags()
    assert absent not in chosen["compile_flags"] + chosen["link_flags"]

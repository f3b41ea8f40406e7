"""Tests under ThreadSanitizer that VMs in two threads share no data, in every execution tier.

Owns the compiler flags; threads.c owns how the VMs run.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.native.native_driver import CHECKOUT, INCLUDES, compiler, core_sources

SANITIZE = ["-g", "-O1", "-fsanitize=thread", "-fno-sanitize-recover=all", "-pthread"]
PROGRAM = CHECKOUT / "benchmarks" / "programs" / "scan.4th"


def compile_command(*sources: Path, program: Path) -> list[str]:
    """Return the command that compiles with ThreadSanitizer."""
    names = [str(source) for source in sources]
    return [*(compiler() or ["cc"]), *SANITIZE, *INCLUDES, *names, "-lm", "-o", str(program)]


@pytest.mark.slow
def test_vms_in_two_threads_share_no_data(tmp_path: Path) -> None:
    probe = tmp_path / "probe.c"
    probe.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    build_run = subprocess.run(
        compile_command(probe, program=tmp_path / "probe"), capture_output=True, check=False
    )
    if build_run.returncode or subprocess.run([tmp_path / "probe"], check=False).returncode:
        pytest.skip("the compiler has no ThreadSanitizer, or it does not run here")
    program = tmp_path / "threads"
    sources = (*core_sources(), CHECKOUT / "tests" / "native" / "threads.c")
    subprocess.run(compile_command(*sources, program=program), check=True, capture_output=True)
    texts = (CHECKOUT / "axiom_lib" / "core.4th", PROGRAM)
    done = subprocess.run(
        [program, *texts, "20 run-scan"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]

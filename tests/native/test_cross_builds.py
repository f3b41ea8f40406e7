"""Tests of machine code for other systems, in emulators; skipped without a cross compiler.

Owns the number of random programs, which is small because emulating a program of AArch64 takes a
tenth of a second.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.texts import PROGRAMS, Program, expected_result
from tests.kit.processes import output_of
from tests.native.native_driver import (
    CHECKOUT,
    CRASHES,
    INCLUDES,
    Driver,
    core_sources,
    driver_sources,
)

pytestmark = pytest.mark.slow  # the programs are built first


@dataclass(frozen=True)
class System:
    """A system for which the core is built, and how its programs run here."""

    name: str
    compiler: str
    emulator: str
    suffix: str = ""
    """The end of the names of programs."""


# Debian's package wine64 installs a program that is not on the path.
WINE = shutil.which("wine64") or "/usr/lib/wine/wine64"
ARM64 = System("arm64", "aarch64-linux-gnu-gcc", "qemu-aarch64")
WINDOWS = System("windows", "x86_64-w64-mingw32-gcc", WINE, ".exe")
RANDOM_PROGRAMS = 80
MIN_SEQUENCES = 50_000  # code sequences that arm64_check.c runs at least
FOLDER = Path(__file__).parent
# Arguments of the benchmark programs, small because the emulator is slow.
SIZES = {
    "fib": 18,
    "sieve": 1,
    "bubble": 40,
    "matmul": 1,
    "defer": 3000,
    "scan": 2,
    "bt-perft": 2,
    "bt-negamax": 2,
    "bt-playouts": 1,
}


class CrossBuild:
    """The object files of the core for another system, and the programs linked with them."""

    def __init__(self, system: System, folder: Path) -> None:
        self.system = system
        self.folder = folder
        self.objects: dict[Path, Path] = {}
        for source in driver_sources():
            self.objects[source] = folder / f"{source.parent.name}-{source.stem}.o"
            self._compile("-c", source, "-o", self.objects[source])

    def _compile(self, *arguments: str | Path) -> None:
        flags = ["-O1", "-std=gnu11", *INCLUDES]
        output_of(self.system.compiler, *flags, *arguments)

    def driver(self) -> Driver:
        """Link the fuzz driver."""
        program = self.folder / f"fuzz{self.system.suffix}"
        self._compile("-static", *self.objects.values(), "-lm", "-o", program)
        return Driver(program=program, folder=self.folder, emulator=(self.system.emulator,))

    def tool(self, source: Path) -> Path:
        """Link a program of this folder with the core."""
        program = self.folder / f"{source.stem}{self.system.suffix}"
        core = [self.objects[path] for path in core_sources()]
        self._compile("-static", source, *core, "-lm", "-o", program)
        return program

    def run(self, program: Path, *arguments: str | Path) -> str:
        """Run a program that must succeed and return its output."""
        return output_of(self.system.emulator, program, *arguments)


@pytest.fixture(scope="module", params=[ARM64, WINDOWS], ids=lambda system: system.name)
def built(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[CrossBuild]:
    system: System = request.param
    for command in (system.compiler, system.emulator):
        if shutil.which(command) is None:
            pytest.skip(f"not installed: {command}")
    folder = tmp_path_factory.mktemp(system.name)
    with pytest.MonkeyPatch.context() as patch:
        # No messages of wine, no .NET and no browser engine, which wine would ask to install.
        patch.setenv("WINEDEBUG", "-all")
        patch.setenv("WINEDLLOVERRIDES", "mscoree,mshtml=")
        if "WINEPREFIX" not in os.environ:
            patch.setenv("WINEPREFIX", str(folder / "wine"))
        yield CrossBuild(system, folder)


@pytest.fixture(scope="module")
def driver(built: CrossBuild) -> Driver:
    return built.driver()


@pytest.fixture(scope="module")
def tier_results(built: CrossBuild) -> Path:
    return built.tool(FOLDER / "tier_results.c")


def test_each_instruction_gives_the_expected_registers_and_flags(built: CrossBuild) -> None:
    if built.system != ARM64:
        pytest.skip("tests/vm runs all instructions")
    printed = built.run(built.tool(FOLDER / "arm64_check.c"))
    found = re.fullmatch(r"(\d+) code sequences gave the expected result\n", printed)
    assert found is not None, printed
    assert int(found[1]) > MIN_SEQUENCES


@pytest.mark.parametrize("kind", ["grammar", "mutation", "image", "play"])
def test_random_programs_behave_as_in_the_interpreter(driver: Driver, kind: str) -> None:
    # The driver compares statuses, steps, output and final state, and aborts if they differ.
    seed = os.environ.get("FORTHVM_FUZZ_SEED", "1")
    budget = ["--programs", str(RANDOM_PROGRAMS), "--seed", seed]
    printed = driver.run(*budget, "--kind", kind, "--tiers", "1")
    compared = re.search(r"^(\d+) compared", printed, re.M)
    assert int(compared[1]) > 0.75 * RANDOM_PROGRAMS  # programs that read the time are not compared


def test_recorded_crashes_stay_fixed(driver: Driver) -> None:
    driver.run("--tiers", "1", cases=sorted(CRASHES.glob("*.case")))


def check_results(
    built: CrossBuild, tier_results: Path, text: Path, line: str, expected: int
) -> None:
    """Check that all tiers give the expected result in the same number of steps.

    Args:
        built: the build that contains the program.
        tier_results: the program made from tier_results.c.
        text: a file of definitions.
        line: the line of Forth whose result is checked.
        expected: the top of the stack after the line.
    """
    printed = built.run(tier_results, CHECKOUT / "axiom_lib" / "core.4th", text, line)
    # Each line: value of FVM_OPT_TIER, whether the JIT is enabled, top of the stack, steps.
    rows = [tuple(map(int, row.split())) for row in printed.splitlines()]
    outcomes = [[outcome for tier, *outcome in rows if tier == value] for value in (0, 1, 2)]
    interpreter_steps = [steps for _, _, steps in outcomes[0]]
    assert len(interpreter_steps) > 2
    assert min(interpreter_steps) > 1000
    for value in (0, 1, 2):
        jit_enabled = int(value > 0)
        assert outcomes[value] == [[jit_enabled, expected, steps] for steps in interpreter_steps]


def test_execute_runs_tokens_of_all_kinds(
    built: CrossBuild, tier_results: Path, tmp_path: Path
) -> None:
    # The tokens are two definitions, a word made by DOES> and a primitive.  After each call the
    # program stores to the next page, 512 bytes further: the machine code must mark each page as
    # written.
    text = tmp_path / "tokens.4th"
    text.write_text(
        """
        : either ( n -- n2 ) DUP 1 AND IF 3 * ELSE DUP + 1 + ENDIF ;
        : mixed ( n -- n2 ) 5 XOR 7 AND ;
        : adder ( n -- ) <BUILDS , DOES> ( n body -- n2 ) @ + ;
        7 adder plus-7
        CREATE tokens ' either , ' plus-7 , ' NEGATE , ' mixed ,
        CREATE pages 5250000 ALLOT
        VARIABLE store-address
        : call-and-add ( sum n i -- sum2 )
            3 AND CELLS tokens + @ EXECUTE DUP store-address @ ! + 512 store-address +! ;
        : sum-of-calls ( calls -- sum )
            pages 3 + -4 AND store-address ! 0 SWAP 0 DO I I call-and-add LOOP ;
        """,
        encoding="utf-8",
    )
    # The results of the four tokens for the argument i; `either` gets only even numbers.
    total = sum((2 * i + 1, i + 7, -i, (i ^ 5) & 7)[i % 4] for i in range(10_000))
    check_results(built, tier_results, text, "10000 sum-of-calls", total)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_benchmark_programs_give_the_expected_results(
    built: CrossBuild, tier_results: Path, program: Program
) -> None:
    size = SIZES[program.name]
    text = CHECKOUT / "benchmarks" / "programs" / f"{program.text}.4th"
    check_results(
        built, tier_results, text, f"{size} {program.word}", expected_result(program, size)
    )

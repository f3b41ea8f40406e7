"""Builds and runs the C fuzz driver (native/fuzz) for the tests of this folder.

Owns the compiler command and the list of files that the driver loads.
"""

from __future__ import annotations

import base64
import os
import shlex
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from tests.kit.processes import output_of, run

__all__ = [
    "CHECKOUT",
    "CRASHES",
    "INCLUDES",
    "Driver",
    "build",
    "compiler",
    "core_sources",
    "driver_sources",
    "sanitizers_work",
]

CHECKOUT = Path(__file__).resolve().parents[2]
CRASHES = Path(__file__).parent / "crashes"
INCLUDES = [f"-I{CHECKOUT / 'native' / 'include'}", f"-I{CHECKOUT / 'native'}"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DFVM_ASSERTIONS"]
DEBUG = ["-g", "-O1", "-fno-omit-frame-pointer"]


def compiler() -> list[str] | None:
    """Return the command of the C compiler that builds Python extensions, or None."""
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    return command if shutil.which(command[0]) else None


def sanitizers_work(folder: Path) -> bool:
    """Return whether programs compiled with AddressSanitizer and UBSan can be built and run."""
    command = compiler()
    if command is None:
        return False
    source, program = folder / "probe.c", folder / "probe"
    source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    built = run(*command, *SANITIZE, source, "-o", program)
    return built.returncode == 0 and run(program).returncode == 0


def core_sources() -> list[Path]:
    """Return the sources of the core: all C files of native/ except other programs."""
    native = CHECKOUT / "native"
    return sorted(path for path in native.rglob("*.c") if path.parent.name not in ("fuzz", "wasm"))


def driver_sources() -> list[Path]:
    """Return the sources of the core and of the driver, except the entry point for libFuzzer."""
    fuzz = CHECKOUT / "native" / "fuzz"
    driver = [path for path in sorted(fuzz.glob("*.c")) if path.name != "libfuzzer.c"]
    return [*core_sources(), *driver]


def build(folder: Path, *, sanitize: bool = True, warnings: bool = False) -> Driver:
    """Compile the driver into the folder.

    Args:
        folder: the folder of the program and of its output.
        sanitize: compile with AddressSanitizer and UBSan.
        warnings: treat warnings of the compiler as errors.

    Raises:
        FileNotFoundError: there is no C compiler.
        subprocess.CalledProcessError: the compiler failed; its output is in `stderr`.
    """
    command = compiler()
    if command is None:
        raise FileNotFoundError("no C compiler")
    program = folder / "fuzz"
    flags = [*DEBUG, *(SANITIZE if sanitize else ["-O2"])]
    if warnings:
        flags += ["-Wall", "-Wextra", "-Werror"]
    names = [str(path) for path in driver_sources()]
    output_of(*command, *flags, *INCLUDES, *names, "-lm", "-o", program)
    return Driver(program=program, folder=folder)


@dataclass(frozen=True)
class Driver:
    """The compiled driver and a folder for its output."""

    program: Path
    folder: Path
    emulator: tuple[str, ...] = ()
    """The command that runs programs built for another processor; empty: none is needed."""

    def crash_report(self) -> str:
        """Return the failing case as text, since CI deletes temporary folders."""
        case = self.folder / "crash.case"
        if not case.exists():
            return "no case was saved"
        return f"case in base64: {base64.b64encode(case.read_bytes()).decode()}"

    def run(self, *options: str, cases: list[Path] | None = None) -> str:
        """Run the driver with the library and the golden games; return its output.

        Args:
            options: options of the driver (native/fuzz/main.c).
            cases: fuzz cases that it runs before random programs.

        Raises:
            AssertionError: the driver found an error; the message contains its output and the case.
        """
        folder = CHECKOUT / "axiom_lib"
        library = [folder / "core.4th", folder / "axiom.4th"]
        other_libraries = [path for path in sorted(folder.glob("*.4th")) if path not in library]
        golden = CHECKOUT / "tests" / "golden"
        games = sorted((golden / "games").glob("*.4th"))
        scripts = sorted((CHECKOUT / "scripts").glob("*/*.4th"))
        corpus = [*other_libraries, *scripts, golden / "scripts.jsonl"]
        arguments: list[str | Path] = [*options, "--save", self.folder / "crash.case"]
        arguments += ["--library", *library, "--games", *games, "--corpus", *corpus]
        if cases:
            arguments += ["--cases", *cases]
        done = subprocess.run(
            [*self.emulator, str(self.program), *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            timeout=900,  # on Windows, the driver does not end cases that hang
            env={**os.environ, "UBSAN_OPTIONS": "print_stacktrace=1"},
        )
        if done.returncode != 0:
            raise AssertionError(
                f"{' '.join(options)}\n{done.stdout[-6000:]}\n{self.crash_report()}"
            )
        return done.stdout

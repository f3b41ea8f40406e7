"""Runs the peers, other systems that do the same work: gforth, C, LuaJIT, OpenSpiel and so on.

Owns which peers are installed, how each is started and timed, and the folder with their programs.
Each peer measures its own processor time, so the time excludes its start.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks import plain
from benchmarks.runner import Effort, check, seconds_of
from benchmarks.texts import FILES, Program, expected_result, read
from forthvm.core.errors import ForthVMError

__all__ = ["NAMES", "PROGRAM_PEERS", "PeerError", "Peers", "run_program"]

PROGRAM_PEERS = ("gforth", "gforth-fast", "C", "CPython", "LuaJIT")
NAMES = (*PROGRAM_PEERS, "OpenSpiel", "python-chess", "pyffish")
TIMEOUT = 600  # seconds

# Like measure() in C: runs a word for at least a number of microseconds, then prints the time, the
# number of runs and the result.
GFORTH = """
: used ( -- d ) cputime d+ ;
variable #least variable #work variable #size variable #runs variable #result 2variable #began
: took ( -- n ) used #began 2@ d- drop ;
: measured ( size 'work least -- )
  #least ! #work ! #size ! 0 #runs ! used #began 2!
  begin #size @ #work @ execute #result ! 1 #runs +! took dup #least @ < while drop repeat
  . #runs @ . #result @ . ;
"""


class PeerError(ForthVMError):
    """An installed peer failed."""


class Peers:
    """The available peers; a context manager that owns a temporary folder with their programs.

    Attributes:
        absent: The reasons why peers are not available, by name.
    """

    def __init__(self, requested: Iterable[str] = NAMES) -> None:
        """Create peers; `requested` names those that may be used."""
        self.absent: dict[str, str] = {}
        self._requested = frozenset(requested)
        self._versions: dict[str, str] = {}
        self._temporary = tempfile.TemporaryDirectory(prefix="forthvm-bench.")
        self.folder = Path(self._temporary.name)

    def __enter__(self) -> Peers:
        for name in FILES:
            (self.folder / name).write_text(read(name), encoding="utf-8")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._temporary.cleanup()

    def has(self, name: str) -> bool:
        """Return whether a peer is available; the first call for a peer checks it."""
        if name not in self._requested:
            return False
        if name not in self._versions and name not in self.absent:
            try:
                self._versions[name] = _PREPARE[name](self.folder)
            except _AbsentError as error:
                self.absent[name] = str(error)
        return name in self._versions

    @property
    def versions(self) -> dict[str, str]:
        """The versions of the peers that were used."""
        return dict(self._versions)

    def module(self, name: str) -> Any:  # noqa: ANN401 - packages without types
        """Return the Python package of a peer."""
        return importlib.import_module(_MODULES[name])

    def run(self, name: str, program: str, c: str, size: int, effort: Effort) -> tuple[float, int]:
        """Return the seconds of one run of a program in C or Lua, and its result.

        Raises:
            PeerError: the program failed.
        """
        if name == "C":
            command = [str(self.folder / c)]
        else:
            command = ["luajit", str(self.folder / "peers.lua")]
        return self._time_and_result([*command, program, str(size), str(_milliseconds(effort))])

    def gforth(self, engine: str, program: Program, effort: Effort) -> tuple[float, int]:
        """Return the seconds of one run of a Forth program, and its result.

        Raises:
            PeerError: the program failed.
        """
        size = program.tiny if effort.tiny else program.size
        run = f"{size} ' {program.word} {1000 * _milliseconds(effort)} measured bye"
        text = str(self.folder / f"{program.text}.4th")
        return self._time_and_result([engine, "-e", "warnings off", text, "-e", GFORTH, "-e", run])

    def _time_and_result(self, command: list[str]) -> tuple[float, int]:
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=True, timeout=TIMEOUT
            )
            micros, runs, result = map(int, done.stdout.split()[-3:])
        except subprocess.CalledProcessError as error:
            message = (error.stderr or error.stdout).strip()[-500:]
            raise PeerError(f"{command[0]} ended with {error.returncode}: {message}") from error
        except (OSError, subprocess.TimeoutExpired, ValueError) as error:
            raise PeerError(f"{command[0]}: {error}") from error
        return max(micros, 1) * 1e-6 / runs, result


def run_program(peers: Peers, name: str, program: Program, effort: Effort) -> float:
    """Return the milliseconds of one run of a program by a peer.

    Raises:
        PeerError: the peer failed.
        WrongResultError: the result is wrong.
    """
    size = program.tiny if effort.tiny else program.size
    if name == "CPython":
        seconds, result = seconds_of(lambda: plain.PROGRAMS[program.peer_name](size), effort)
    elif name.startswith("gforth"):
        seconds, result = peers.gforth(name, program, effort)
    else:
        seconds, result = peers.run(name, program.peer_name, program.c, size, effort)
    check(f"{program.name} by {name}", result, expected_result(program, size))
    return seconds * 1000


def _milliseconds(effort: Effort) -> int:
    return 0 if effort.tiny else round(1000 * effort.seconds)


# --- availability -----------------------------------------------------------------------


class _AbsentError(Exception):
    """The reason why a peer is not available."""


def _command(name: str, *option: str) -> Callable[[Path], str]:
    """Return the check for a peer that is a program; `option` prints its version."""

    def prepare(_folder: Path) -> str:
        if shutil.which(name) is None:
            raise _AbsentError(f"{name} is not installed")
        done = subprocess.run([name, *option], capture_output=True, text=True, check=False)
        return _first_line(done.stdout or done.stderr)

    return prepare


def _compile(folder: Path) -> str:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise _AbsentError("no C compiler is installed")
    for name in ("micro", "breakthrough"):
        command = [compiler, "-O2", str(folder / f"{name}.c"), "-o", str(folder / name)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise _AbsentError(f"{compiler} does not compile {name}.c: {_first_line(done.stderr)}")
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
    return f"{_first_line(done.stdout)}, -O2"


def _module(name: str) -> Callable[[Path], str]:
    """Return the check for a peer that is a Python package."""

    def prepare(_folder: Path) -> str:
        if importlib.util.find_spec(name) is None:
            raise _AbsentError(f"the package {name} is not installed")
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            raise _AbsentError(f"the package {name} cannot be imported: {error}") from error
        return str(getattr(module, "__version__", "installed"))

    return prepare


def _first_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[0]


_MODULES = {"OpenSpiel": "pyspiel", "python-chess": "chess", "pyffish": "pyffish"}
_PREPARE: dict[str, Callable[[Path], str]] = {
    "gforth": _command("gforth", "--version"),
    "gforth-fast": _command("gforth-fast", "--version"),
    "C": _compile,
    "CPython": lambda _folder: sys.version.split()[0],
    "LuaJIT": _command("luajit", "-v"),
    **{name: _module(module) for name, module in _MODULES.items()},
}

"""Divides the instructions of a run among the parts of forthvm, with callgrind.

Owns the parts, the call of valgrind, and the reader of its output.

A part is a set of C files of native/.  The instructions of a function count for the file in which
the function is defined, including what the compiler inlined into it.  Machine code of the JIT
counts as script.  Instructions of other libraries (memcpy, qsort) count for the function that calls
them.  The run is repeated, and only the last repetition is counted: compilation is over then.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.games.runs import C_FUNCTIONS
from benchmarks.runner import WrongResultError

__all__ = ["PARTS", "Profile", "available", "part_of", "profile", "read"]

CHECKOUT = Path(__file__).resolve().parents[2]
REPETITIONS = 3
HOST, MACHINE_CODE = "host", "machine code"
PARTS = {
    HOST: ("native/jit/jit.c",),  # enters machine code
    "script": ("native/vm/inner_interpreter.c", "native/generated/", "native/vm/arrays.c",
               "native/vm/random.c", "native/vm/ring_buffers.c", "native/jit/runtime_helpers.c"),
    "move list": ("native/game/move_list.c", "native/game/move_edits.c",
                  "native/game/list_filter.c", "native/game/equal_moves.c",
                  "native/game/move_list_reuse.c", "native/game/random_move.c",
                  "native/vm/dictionary.c"),  # words that append code
    "texts": ("native/game/move_text.c", "native/game/text_items.c",
              "native/game/move_decompile.c", "native/vm/text.c"),
    "restore": ("native/game/board.c", "native/game/apply_edits.c", "native/game/catch_frame.c",
                "native/game/position_memory.c", "native/game/saved_turn.c",
                "native/search/search_stack.c", "native/search/script_memory.c",
                "native/vm/snapshot.c", "native/vm/page_restore.c", "native/vm/memory.c",
                "native/vm/scratch_memory.c"),
    "search": ("native/search/", "native/game/board_totals.c", "native/game/material.c"),
    "compile": ("native/jit/", "native/vm/translate.c", "native/vm/superinstructions.c"),
}  # fmt: skip
"""Parts by the names of their files or folders; the first part that matches counts.

All other files belong to the host: the scan of the board, entering and leaving words, events.
"""
UNKNOWN = "???"


class Profile(NamedTuple):
    """The instructions of a run."""

    parts: Counter[str]
    """By part."""
    functions: Counter[tuple[str, str]]
    """By function: its name and its file."""

    def share(self, part: str) -> float:
        """Return the share of a part, from 0 to 1."""
        return self.parts[part] / max(1, sum(self.parts.values()))


def available() -> bool:
    """Return whether valgrind is installed."""
    return shutil.which("valgrind") is not None


def part_of(file: str) -> str:
    """Return the part to which a C file of native/ belongs."""
    matches = (
        part
        for part, files in PARTS.items()
        if any(file.endswith(each) or (each.endswith("/") and each in file) for each in files)
    )
    return next(matches, HOST)


def profile(name: str, kind: str, tier: str) -> Profile:
    """Count the instructions of a run in a process under valgrind.

    Raises:
        WrongResultError: the process failed.
    """
    function = C_FUNCTIONS[kind]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "callgrind.out"
        command = [
            "valgrind", "--tool=callgrind", f"--toggle-collect={function}",
            f"--zero-before={function}", "--compress-strings=no", "--compress-pos=no",
            f"--callgrind-out-file={output}",
            sys.executable, "-m", "benchmarks.games", "--once", str(REPETITIONS), "--tiers", tier,
            "--kinds", kind, name,
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=CHECKOUT)
        if done.returncode != 0 or not output.exists():
            raise WrongResultError(f"{kind} of {name} under valgrind: {done.stderr[-500:]}")
        with output.open(encoding="utf-8", errors="replace") as lines:
            return read(lines)


class _Place(NamedTuple):
    """A function in the output of callgrind."""

    library: str
    file: str
    name: str

    @property
    def ours(self) -> bool:
        """Whether the function belongs to forthvm or is machine code of the JIT."""
        return self.compiled or "forthvm" in self.library

    @property
    def compiled(self) -> bool:
        return self.library == UNKNOWN and self.file == UNKNOWN


def _blocks(lines: Iterable[str]) -> Iterator[tuple[_Place, list[str]]]:
    """Yield each block of the output with its function.

    A function that begins with inlined code is listed under a header; the first C file counts.
    """
    library = listed = file = name = UNKNOWN
    block: list[str] = []
    for line in lines:
        key, _, value = line.rstrip("\n").partition("=")
        if key in {"ob", "fl", "fn"} and block:
            yield _Place(library, file, name), block
            block = []
        if key == "ob":
            library = value
        elif key == "fl":
            listed = value  # also for the functions after it, until the next one
        elif key == "fn":
            name, file = value, listed
        elif key in {"fi", "fe"} and file.endswith(".h") and value.endswith(".c"):
            file = value
        else:
            block.append(line)
    yield _Place(library, file, name), block


def _costs(lines: Iterable[str]) -> Iterator[tuple[_Place, _Place | None, int]]:
    """Yield each cost with its function; for the costs of calls also with the called function."""
    for place, block in _blocks(lines):
        called: dict[str, str] = {}
        is_call = False
        for line in block:
            key, equals, value = line.rstrip("\n").partition("=")
            if equals and key in {"cob", "cfi", "cfl", "cfn"}:
                called[key] = value
            elif equals and key == "calls":
                is_call = True
            elif line[:1].isdigit() or line[:1] in {"+", "-", "*"}:
                cost = int(line.split()[1])
                target = called.get("cfl") or called.get("cfi") or place.file
                library = called.get("cob", place.library)
                yield place, _Place(library, target, "") if is_call else None, cost
                if is_call:
                    called, is_call = {}, False


def read(lines: Iterable[str]) -> Profile:
    """Read the output of callgrind."""
    parts: Counter[str] = Counter()
    functions: Counter[tuple[str, str]] = Counter()
    for place, called, cost in _costs(lines):
        if not place.ours or (called is not None and (called.ours or place.compiled)):
            continue  # unnamed code that calls a library is not the JIT's
        if place.compiled:
            part, function = "script", (MACHINE_CODE, "")
        else:
            file = place.file[max(0, place.file.find("native/")) :]
            part, function = part_of(file), (place.name, file)
        parts[part] += cost
        functions[function] += cost
    return Profile(parts, functions)

"""Check that calls and includes between the folders of native/ go only downwards.

Owns LAYERS: the folders that each folder may use.  The script compiles every source without
optimization and reads with `nm` the symbols that each object file defines and uses.  It prints each
use that LAYERS forbids (calling file, symbol, defining file) and each include that LAYERS forbids;
the exit status is 1 if there are any.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

NATIVE = Path(__file__).resolve().parent

# The folders that each folder may use besides itself.  native/*.c may use all of them.
LAYERS: dict[str, set[str]] = {
    "os": set(),
    "vm": {"os"},
    "game": {"vm"},
    "encoding": {"vm", "game"},
    "network": {"vm", "game"},
    "jit": {"os", "vm"},
    "vector": {"vm", "game", "encoding", "search"},
    "trace": {"os", "vm"},
    "forth2012": {"vm"},
    "": {
        "vm",
        "game",
        "encoding",
        "network",
        "search",
        "vector",
        "jit",
        "trace",
        "forth2012",
    },
}

INCLUDE = re.compile(r'^#include "([a-z]+)/([^"]+)"', re.MULTILINE)


def layer(source: Path) -> str:
    """Return the folder of native/ that contains a source; "" for native/ itself."""
    parts = source.relative_to(NATIVE).parts
    return parts[0] if len(parts) > 1 else ""


def symbols(source: Path, target: Path) -> tuple[set[str], set[str]]:
    """Return the global symbols that a source defines, and the global symbols that it uses."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    flags = ["-O0", "-std=gnu11", f"-I{NATIVE / 'include'}", f"-I{NATIVE}"]
    subprocess.run([*compiler, *flags, "-c", str(source), "-o", str(target)], check=True)
    listed = subprocess.run(
        ["nm", "-g", str(target)], check=True, capture_output=True, text=True
    ).stdout
    defined, used = set(), set()
    for line in listed.splitlines():
        *_, kind, name = line.split()
        (used if kind in "Uw" else defined).add(name)
    return defined, used


def upward_calls() -> list[str]:
    """Return a line for each use of a symbol that LAYERS forbids."""
    sources = sorted(path for path in NATIVE.rglob("*.c") if layer(path) in LAYERS)
    with tempfile.TemporaryDirectory() as folder:
        targets = [Path(folder) / f"{index}.o" for index in range(len(sources))]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = dict(zip(sources, pool.map(symbols, sources, targets), strict=True))
    definitions = {name: source for source, (defined, _) in found.items() for name in defined}
    lines = []
    for source, (_, used) in found.items():
        allowed = LAYERS[layer(source)] | {layer(source)}
        for name in sorted(used & definitions.keys()):
            if layer(definitions[name]) not in allowed:
                caller, owner = (path.relative_to(NATIVE) for path in (source, definitions[name]))
                lines.append(f"{caller}: {name} of {owner}")
    return lines


def upward_includes() -> list[str]:
    """Return a line for each include that LAYERS forbids."""
    lines = []
    for source in sorted(path for path in NATIVE.rglob("*.[ch]") if layer(path) in LAYERS):
        allowed = LAYERS[layer(source)] | {layer(source)}
        for folder, name in INCLUDE.findall(source.read_text(encoding="utf-8")):
            if folder in LAYERS and folder not in allowed:
                lines.append(f"{source.relative_to(NATIVE)}: includes {folder}/{name}")
    return lines


def main() -> int:
    """Print the upward calls and includes; return 1 if there are any."""
    lines = [*upward_calls(), *upward_includes()]
    print(*lines, sep="\n", end="\n" if lines else "")
    print(f"{len(lines)} upward calls and includes")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())

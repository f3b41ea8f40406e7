"""The list of what a wheel contains, in the format CycloneDX (PEP 770).

Owns this format.  All C of the extension is in this repository, except functions that the compiler
adds; editor and Python of the playground consist of packages of npm.
"""

from __future__ import annotations

import json
from pathlib import Path

__all__ = ["PATH", "bill_of_materials"]

PATH = ".dist-info/sboms/forthvm.cdx.json"


def component(
    kind: str,
    name: str,
    version: str,
    *,
    registry: str = "pypi",
    license: str = "MIT",
    **fields: str,
) -> dict[str, object]:
    """Return the description of a package."""
    package = f"pkg:{registry}/{name.replace('@', '%40')}@{version}"
    return {
        "type": kind,
        "bom-ref": package,
        "name": name,
        "version": version,
        "purl": package,
        "licenses": [{"license": {"id": license}}],
        **fields,
    }


_TOOLS = ("esbuild", "emscripten", "ws")
"""What makes the files, and is no part of them; parts of names."""
_CPYTHON = "3.14.2"
"""The version that Pyodide contains."""


def playground_components(lock: Path) -> list[dict[str, object]]:
    """Return the packages in editor and Python of the playground."""
    packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    names = {path: path.removeprefix("node_modules/") for path in packages if path}
    found = [
        component(
            "library",
            name,
            packages[path]["version"],
            registry="npm",
            license=packages[path]["license"],
        )
        for path, name in names.items()
        if not any(tool in name for tool in _TOOLS)
    ]
    return [
        *found,
        component("library", "cpython", _CPYTHON, registry="generic", license="PSF-2.0"),
    ]


def bill_of_materials(version: str, zig_version: str, lock: Path) -> bytes:
    """Return the list for a version of forthvm and of the compiler.

    Args:
        version: The version of forthvm.
        zig_version: The version of the compiler.
        lock: The lock file of editors/playground.
    """
    forthvm = component("library", "forthvm", version)
    zig = component(
        "library",
        "ziglang",
        zig_version,
        description="The compiler's functions that the extension is linked with; "
        "for Windows with the start-up code of mingw-w64. The C library of core.wasm.",
    )
    components = [zig, *playground_components(lock)]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": forthvm},
        "components": components,
        "dependencies": [
            {"ref": forthvm["bom-ref"], "dependsOn": [one["bom-ref"] for one in components]}
        ],
    }
    return json.dumps(document, indent=2).encode() + b"\n"

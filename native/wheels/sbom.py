"""The list of what a wheel contains, in the format CycloneDX (PEP 770).

Owns this format.  All C of the extension is in this repository, except functions that the compiler
adds.
"""

from __future__ import annotations

import json

__all__ = ["PATH", "bill_of_materials"]

PATH = ".dist-info/sboms/forthvm.cdx.json"


def component(kind: str, name: str, version: str, **fields: str) -> dict[str, object]:
    """Return the description of a package of PyPI with the licence MIT."""
    package = f"pkg:pypi/{name}@{version}"
    return {
        "type": kind,
        "bom-ref": package,
        "name": name,
        "version": version,
        "purl": package,
        "licenses": [{"license": {"id": "MIT"}}],
        **fields,
    }


def bill_of_materials(version: str, zig_version: str) -> bytes:
    """Return the list for a version of forthvm and of the compiler."""
    forthvm = component("library", "forthvm", version)
    zig = component(
        "library",
        "ziglang",
        zig_version,
        description="The compiler's functions that the extension is linked with; "
        "for Windows with the start-up code of mingw-w64. The C library of core.wasm.",
    )
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": forthvm},
        "components": [zig],
        "dependencies": [{"ref": forthvm["bom-ref"], "dependsOn": [zig["bom-ref"]]}],
    }
    return json.dumps(document, indent=2).encode() + b"\n"

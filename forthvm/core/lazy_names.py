"""Public names of a package whose modules are imported when a name is first used.

This keeps `import forthvm` and the start of commands fast.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["lazy_names"]


def lazy_names(
    package: str, modules: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the functions `__getattr__` and `__dir__` of a package (PEP 562).

    Args:
        package: The full name of the package.
        modules: For each module, by its full name, the names that the package takes from it; for
            the package itself, its subpackages.
    """
    owners = {name: module for module, names in modules.items() for name in names}

    def get(name: str) -> object:
        if name not in owners:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if owners[name] == package:
            return import_module(f"{package}.{name}")
        value: object = getattr(import_module(owners[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted(sys.modules[package].__all__)

    return get, names

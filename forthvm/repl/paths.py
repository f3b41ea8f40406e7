"""Paths as typed after a command.

Owns quotes, blanks and invalid paths.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import user_path

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["file_named", "unquoted"]

_LEAST_QUOTED = 2


def unquoted(argument: str) -> str:
    """An argument without the quotes around it; blanks inside are part of the name.

    Raises:
        ForthVMError: The file system has no such names.
    """
    name = argument.strip()
    if len(name) >= _LEAST_QUOTED and name[0] == name[-1] and name[0] in "\"'":
        name = name[1:-1]
    try:
        possible = b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        possible = False
    if not possible:
        raise ForthVMError(f"{name!a} cannot be the name of a file")
    return name


def file_named(argument: str) -> Path:
    """The path that an argument names.

    Raises:
        ForthVMError: The file system has no such names.
    """
    return user_path(unquoted(argument))

"""The file names that users type after a command.

Owns the handling of quotes, blanks and invalid names.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import user_path

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["file_named", "unquoted"]


def unquoted(argument: str) -> str:
    """Return an argument without the quotes around it; blanks are part of the name.

    Raises:
        ForthVMError: The file system does not allow such a name.
    """
    name = argument.strip()
    if len(name) >= 2 and name[0] == name[-1] and name[0] in "\"'":
        name = name[1:-1]
    try:
        is_possible = b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        is_possible = False
    if not is_possible:
        raise ForthVMError(f"{name!a} is not a valid file name")
    return name


def file_named(argument: str) -> Path:
    """Return the path that an argument names.

    Raises:
        ForthVMError: The file system does not allow such a name.
    """
    return user_path(unquoted(argument))

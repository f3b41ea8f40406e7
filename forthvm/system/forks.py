"""Child processes that are copies of this process."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["run_in_forks"]

if sys.platform == "win32":

    def run_in_forks(function: Callable[[], None]) -> None:
        """Do nothing: Windows cannot copy processes."""

else:

    def run_in_forks(function: Callable[[], None]) -> None:
        """Call a function at the beginning of each forked child process."""
        os.register_at_fork(after_in_child=function)

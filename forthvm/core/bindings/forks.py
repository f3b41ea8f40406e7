"""VMs in a process that was forked: which of them may be used there.

Owns the rule: a VM that another thread was using at that moment is lost to the child, since
that thread does not exist there.  Using the VM raises an error, where it would wait for
ever.  It must not know what VMs do.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from weakref import WeakSet

if TYPE_CHECKING:
    from typing import NoReturn

    from .machine import Machine

__all__ = ["watch"]

_machines: WeakSet[Machine] = WeakSet()


class _LostLock:
    """Replaces a lock that no thread will ever release."""

    def __enter__(self) -> NoReturn:
        from forthvm.core.errors import ContextError

        raise ContextError(
            detail="another thread was using this VM when the process was forked:"
            " load the game again, or start workers with `spawn`"
        )

    def __exit__(self, *_: object) -> None:
        """Never reached."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Raise where a lock would wait; False where it would not."""
        if not blocking:
            return False
        self.__enter__()

    def release(self) -> None:
        """Never reached: the lock cannot be acquired."""
        raise RuntimeError("cannot release un-acquired lock")


def watch(machine: Machine) -> None:
    """Register a VM, so that forks are handled."""
    _machines.add(machine)


def _after_fork() -> None:
    for machine in list(_machines):
        if machine.lock.acquire(False):
            machine.lock.release()
        else:
            machine.lose(_LostLock())  # type: ignore[arg-type] # of a lock, what is used


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

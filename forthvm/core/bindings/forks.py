"""Which VMs a forked child process may use.

A VM that another thread was using during the fork is unusable in the child: that thread does not
exist there, so it never releases the lock.  Using such a VM raises an error instead of waiting
forever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakSet

from forthvm.system.forks import run_in_forks

if TYPE_CHECKING:
    from typing import NoReturn

    from .machine import Machine

__all__ = ["register"]

_machines: WeakSet[Machine] = WeakSet()


class _LostLock:
    """Replaces a lock that no thread can release."""

    def __enter__(self) -> NoReturn:
        from forthvm.core.errors import ContextError

        raise ContextError(
            detail="another thread was using this VM when the process was forked:"
            " load the game again, or start workers with `spawn`"
        )

    def __exit__(self, *_: object) -> None:
        """Never called, because `__enter__` always raises."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Raise if the caller would wait; return False if `blocking` is false."""
        if not blocking:
            return False
        self.__enter__()

    def release(self) -> None:
        """Never called by users of a lock, because the lock cannot be acquired."""
        raise RuntimeError("cannot release un-acquired lock")


def register(machine: Machine) -> None:
    """Register a VM, so that it is checked after a fork."""
    _machines.add(machine)


def _after_fork() -> None:
    for machine in list(_machines):
        if machine.is_used_elsewhere():
            machine.abandon(_LostLock())  # type: ignore[arg-type] # has the methods that are used


run_in_forks(_after_fork)

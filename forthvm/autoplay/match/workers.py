"""What the runner of a match knows about workers: the interface of all kinds.

Owns this interface.  The kinds are in executors.py and cluster.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from forthvm.autoplay.match.worker import play_task

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from forthvm.autoplay.match.game import Task
    from forthvm.autoplay.match.settings import Settings

__all__ = ["Workers"]


class Workers(ABC):
    """The workers of a match."""

    @property
    @abstractmethod
    def capacity(self) -> int:
        """The number of games that may be submitted at the same time."""

    @abstractmethod
    def submit(
        self,
        settings: Settings,
        task: Task,
        work: Callable[[Settings, Task], Any] = play_task,
    ) -> Future[Any]:
        """Submit a game; the future's result is that of `work(settings, task)`."""

    @abstractmethod
    def flush(self) -> None:
        """Send the submitted games to the workers, if `submit` has not sent them."""

    @abstractmethod
    def abandon(self) -> None:
        """End the workers immediately; their games are lost.  Further calls have no effect."""

"""What the runner of a match knows about workers: the interface of all kinds.

Owns this interface.  The kinds are in executors.py and cluster.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from forthvm.autoplay.match.worker import play_task

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from forthvm.autoplay.match.game import Task
    from forthvm.autoplay.match.settings import Settings

__all__ = ["Notice", "Workers"]


@dataclass(frozen=True, slots=True)
class Notice:
    """A message of the workers to the runner."""

    text: str
    liar: str = ""
    """The name of a worker whose results must be discarded; "" for none."""
    verified: frozenset[int] = frozenset()
    """The numbers of the worker's games that are kept."""


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
    def close(self) -> None:
        """End the workers when their games have ended."""

    @abstractmethod
    def abandon(self) -> None:
        """End the workers immediately; their games are lost.  Further calls have no effect."""

    # --- workers whose results are checked ----------------------------------------------

    @property
    def settled(self) -> bool:
        """Whether all checks of results have ended."""
        return True

    def notices(self) -> list[Notice]:
        """Return the messages since the last call.

        Raises:
            MatchError: The workers cannot continue.
        """
        return []

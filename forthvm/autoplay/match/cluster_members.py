"""The workers of a cluster, and the games that they have been given.

Owns the size of batches, which follows from the measured time of a worker's games, and the state of
each worker.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future

    from forthvm.autoplay.match.game import Task
    from forthvm.autoplay.results.rows import GameRow

__all__ = ["BATCH_SECONDS", "Batch", "Job", "Member", "take_jobs"]

BATCH_SECONDS = 5.0
"""The time that a batch of games is to take, in seconds."""
_MAX_GAMES = 500
"""The maximum number of games in a batch."""


@dataclass(eq=False)
class Job:
    """A game that a worker plays."""

    task: Task
    future: Future[GameRow] | None = None
    """The future of the game; None for a check, whose result is only compared."""
    checked: GameRow | None = None
    """The result that this job checks; its worker must not play the game again."""
    losses: int = 0
    """The number of workers that were lost while they played the game."""

    @property
    def excluded(self) -> str:
        """The name of the worker that must not play the game; "" for none."""
        return "" if self.checked is None else self.checked.worker


@dataclass(eq=False)
class Batch:
    """Games that one worker plays one after the other."""

    jobs: deque[Job]
    """The games without a result, in order."""
    size: int
    """The number of games when the batch was sent."""
    began: float | None = None
    """The time of the first message; None before."""


@dataclass(eq=False)
class Member:
    """A worker of the cluster.

    A worker that is started again under its old name is the same member with another address.
    """

    name: str
    address: str = ""
    """The address; "" while the worker is away."""
    threads: int = 1
    is_ready: bool = False
    """Whether the match is loaded."""
    refusal: str = ""
    """Why the worker gets no games; "" if it may."""
    has_lied: bool = False
    """Whether the worker returned false results.  It is then refused at every address."""
    was_lost: bool = False
    """Whether the worker was lost while it had games."""
    doubts: int = 0
    """The number of disputes about its results that have no verdict yet."""
    game_seconds: float | None = None
    """The measured time of a game, in which the latest batches weigh most; None at first."""
    batches: dict[str, Batch] = field(default_factory=dict)
    """The batches without an end, by token."""
    verified: set[int] = field(default_factory=set)
    """The numbers of the games whose results another worker or this computer confirmed."""
    is_sampled: bool = False
    """Whether a game of this worker was chosen for a check."""

    @property
    def is_joining(self) -> bool:
        """Whether the worker is there but not ready yet."""
        return bool(self.address) and not self.is_ready and not self.refusal

    @property
    def batch_size(self) -> int:
        """The number of games that take about `BATCH_SECONDS`; 1 before the first measurement."""
        if self.game_seconds is None:
            return 1
        return max(1, min(_MAX_GAMES, round(BATCH_SECONDS / max(self.game_seconds, 1e-6))))

    @property
    def batch_count(self) -> int:
        """The number of batches that the worker has at a time: one waits if games are short."""
        return self.threads + (self.batch_size > 1 or self.game_seconds is None)

    @property
    def free_batches(self) -> int:
        """The number of batches that the worker can get now."""
        return self.batch_count - len(self.batches) if self.is_ready and not self.doubts else 0

    def measure(self, batch: Batch, now: float) -> None:
        """Take the time of a batch into account that ended now."""
        played = batch.size - len(batch.jobs)
        if batch.began is None or not played:
            return
        seconds = (now - batch.began) / played
        last = self.game_seconds
        self.game_seconds = seconds if last is None else (last + seconds) / 2


def take_jobs(
    pending: deque[Job], member: Member, size: int, *, checks_only: bool = False
) -> list[Job]:
    """Remove up to `size` games from `pending` that the member may play, and return them."""
    taken: list[Job] = []
    left: list[Job] = []
    while pending and len(taken) < size:
        job = pending.popleft()
        may_play = job.excluded != member.name and (job.checked is not None or not checks_only)
        (taken if may_play else left).append(job)
    pending.extendleft(reversed(left))
    return taken

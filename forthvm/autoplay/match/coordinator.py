"""The distribution of games to the workers of a dask cluster, and the checks of their results.

Owns the thread that handles all events of a cluster, the repetition of lost games, and the decision
which workers are refused.

A worker whose version of forthvm or whose copy of the game differs is refused.  Every result is
checked by the rules; a random sample is played again by another worker.  In a dispute, this machine
plays the game.  A worker with a false result is refused, and the runner discards those of its
results that no other worker has confirmed.  The connection to a worker may be lost at any time.  A
game that was in progress on several lost workers is played on this computer, because its engine may
have ended them.
"""

from __future__ import annotations

import contextlib
import json
import queue
import secrets
import threading
import time
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

from forthvm._version import __version__
from forthvm.autoplay.match import cluster_worker
from forthvm.autoplay.match.cluster_members import Batch, Job, Member, take_jobs
from forthvm.autoplay.match.game import describe
from forthvm.autoplay.match.pool import WorkerPool
from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.match.verification import (
    is_repeatable,
    received_row,
    rule_violation,
    same_game,
)
from forthvm.autoplay.match.worker import play_task
from forthvm.autoplay.match.workers import Notice
from forthvm.autoplay.untrusted_text import in_a_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Future

    from forthvm.autoplay.match.cluster_worker import Files
    from forthvm.autoplay.match.game import Task
    from forthvm.autoplay.match.running_game import LoadedMatch
    from forthvm.autoplay.match.settings import Settings
    from forthvm.autoplay.results.rows import GameRow

__all__ = ["Coordinator"]

_POLL_SECONDS = 0.2
"""The maximum time in seconds between two rounds of the thread."""
_MEMBERS_SECONDS = 1.0
"""Seconds between two looks at the list of workers."""
_MAX_MESSAGE = 32 * 1024 * 1024
"""The maximum number of characters in a message."""
_MAX_TEXT = 300
"""The maximum length of names and reasons."""
_MAX_LOSSES = 3
"""The number of lost workers after which a game is played on this computer."""


class Coordinator(threading.Thread):
    """The thread that distributes games and checks results."""

    def __init__(
        self,
        client: Any,  # noqa: ANN401 - dask has no types
        settings: Settings,
        loaded_match: LoadedMatch,
        shipment: tuple[Settings, Files],
        share: float,
    ) -> None:
        """Create the thread.

        Args:
            client: The client of the cluster.
            settings: The match.
            loaded_match: The loaded match, for the use of this thread.
            shipment: The settings and the files for the workers.
            share: The share of games that another worker plays again, from 0 to 1.
        """
        super().__init__(name="forthvm cluster", daemon=True)
        self.capacity = 1
        self.checks_only = False
        """Whether only checks are given to workers, because the match may be over."""
        self.checks: set[Job] = set()
        """The checks and disputes without an end."""
        self.notices: queue.SimpleQueue[Notice] = queue.SimpleQueue()
        self.error: MatchError | None = None
        self._client = client
        self._settings = settings
        self._share = share
        self._repeatable = is_repeatable(settings) and share > 0
        """Whether checks play games again."""
        self._loaded_match = loaded_match
        self._digests = [game.digest for game in loaded_match.games]
        self._shipped_settings, self._files = shipment
        self._topic = f"forthvm-{secrets.token_hex(8)}"
        self._random = secrets.SystemRandom()
        self._events: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._members: dict[str, Member] = {}
        self._calls: dict[str, tuple[Member, Any, Callable[[Member, str, object], None]]] = {}
        """The dask tasks without an end, by token: worker, dask future, receiver of messages."""
        self._pending: deque[Job] = deque()
        self._jobs: set[Job] = set()
        """The games without a result."""
        self._played_here: set[int] = set()
        """The numbers of games that no worker can play."""
        self._here: WorkerPool | None = None
        self._members_at = 0.0
        """The time of the next look at the list of workers."""
        self._was_empty = False
        self._stopping = False

    # --- the thread ---------------------------------------------------------------------

    def post(self, function: Callable[..., None], *arguments: object) -> None:
        """Call a function in this thread."""
        self._events.put(partial(function, *arguments))

    def run(self) -> None:
        """Handle events until `stop` is called or an error ends the match."""
        try:
            self._client.subscribe_topic(
                self._topic, lambda event: self.post(self._receive, event[1])
            )
            if self._share > 0 and not self._repeatable:
                self._note(
                    "note: these engines do not repeat their games, so results are checked by the "
                    "rules only"
                )
            while not self._stopping:
                with contextlib.suppress(queue.Empty):
                    self._events.get(timeout=_POLL_SECONDS)()
                    while not self._stopping:
                        self._events.get_nowait()()
                if not self._stopping:
                    self._update_members()
                    self._assign()
        except BaseException as error:  # the runner raises it
            if isinstance(error, MatchError):
                self.error = error
            else:
                self.error = MatchError(f"the cluster failed: {describe(error)}")
            for job in self._jobs:
                if job.future is not None:
                    job.future.set_exception(self.error)
        finally:
            if self._here is not None:
                self._here.kill()
            with contextlib.suppress(Exception):  # the scheduler may have ended
                self._cancel([handle for _, handle, _ in self._calls.values()])

    def stop(self) -> None:
        """Handle the results that have arrived, cancel all batches, and end the thread."""

        def stop() -> None:
            self._stopping = True

        self.post(stop)
        self.join()

    def _note(self, text: str) -> None:
        self.notices.put(Notice(text))

    def _cancel(self, handles: list[Any]) -> None:
        if handles:
            self._client.cancel(handles, force=True)

    # --- workers ------------------------------------------------------------------------

    def _update_members(self) -> None:
        """Compare the members with the list of workers, and prepare new workers."""
        now = time.monotonic()
        if now < self._members_at:
            return
        self._members_at = now + _MEMBERS_SECONDS
        present: dict[str, tuple[str, int]] = {}
        workers = self._client.scheduler_info(n_workers=-1).get("workers")
        if workers is None:
            raise MatchError("the connection to the scheduler was lost")
        for address, worker in workers.items():
            present[in_a_line(worker["name"], _MAX_TEXT)] = (address, worker["nthreads"])
        for member in self._members.values():
            if member.address and present.get(member.name, ("",))[0] != member.address:
                self._lose(member)
        for name, (address, threads) in present.items():
            member = self._members.setdefault(name, Member(name))
            if not member.address:
                member.address, member.threads = address, threads
                if not member.has_lied:
                    member.refusal = ""
                    digests = {path: digest for path, (digest, _) in self._files.items()}
                    self._call(member, self._version_checked, cluster_worker.check_version, digests)
        if not present and not self._was_empty:
            self._note("the cluster has no workers: waiting")
        self._was_empty = not present
        ready = [member for member in self._members.values() if member.is_ready]
        self.capacity = max(1, sum(each.batch_count * each.batch_size for each in ready))

    def _lose(self, member: Member) -> None:
        """Give the games of a lost worker to others."""
        if member.batches and not member.was_lost:
            member.was_lost = True
            self._note(f"worker {member.name} was lost: its unfinished games are played again")
        for batch in list(member.batches.values())[: member.threads]:  # the others did not begin
            if batch.jobs:
                batch.jobs[0].losses += 1
        self._take_back(member)
        member.address, member.is_ready = "", False

    def _take_back(self, member: Member) -> None:
        """Cancel the tasks of a worker and repeat its games without a result."""
        tokens = [token for token, (other, _, _) in self._calls.items() if other is member]
        self._cancel([self._calls.pop(token)[1] for token in tokens])
        batches = list(member.batches.values())
        member.batches.clear()
        self._repeat(job for batch in batches for job in batch.jobs)

    def _refuse(self, member: Member, reason: str, *, lied: bool = True) -> None:
        """Give no more games to a worker."""
        if member.refusal and (member.has_lied or not lied):
            return
        member.refusal, member.is_ready = in_a_line(reason, _MAX_TEXT), False
        member.has_lied = lied
        self._take_back(member)
        text = f"worker {member.name} is refused: {member.refusal}"
        self.notices.put(
            Notice(text, liar=member.name if lied else "", verified=frozenset(member.verified))
        )
        # The runner discards the results of this worker, so they need no check.
        obsolete = {job for job in self.checks if lied and job.excluded == member.name}
        self._pending = deque(job for job in self._pending if job not in obsolete)
        self.checks -= obsolete

    def _call(
        self,
        member: Member,
        receive: Callable[[Member, str, object], None],
        function: Callable[..., None],
        *arguments: object,
    ) -> str:
        """Submit a task to a worker; return its token."""
        token = secrets.token_hex(16)
        handle = self._client.submit(
            function,
            cluster_worker.Call(self._topic, token),
            *arguments,
            key=f"forthvm-{function.__name__}-{secrets.token_hex(8)}",
            workers=[member.address],
            allow_other_workers=False,
            pure=False,
        )
        self._calls[token] = member, handle, receive
        handle.add_done_callback(lambda _: self.post(self._end_call, token))
        return token

    def _receive(self, message: object) -> None:
        """Handle a message: the token of its task, and a JSON document."""
        if not isinstance(message, list | tuple) or len(message) != 2:
            return
        token, text = message
        if not isinstance(token, str) or token not in self._calls or not isinstance(text, str):
            return  # the task was cancelled
        member, _, receive = self._calls[token]
        try:
            if len(text) > _MAX_MESSAGE:
                raise ValueError(f"{len(text):,} characters")
            receive(member, token, json.loads(text))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            self._refuse(member, f"it sent an invalid message: {describe(error)}")

    def _end_call(self, token: str) -> None:
        """Handle the end of a task."""
        call = self._calls.pop(token, None)
        if call is None:
            return  # cancelled
        member, handle, _ = call
        batch = member.batches.pop(token, None)
        if handle.status == "error":
            error = handle.exception()
            if batch is not None:
                member.batches[token] = batch  # its games are repeated
            if type(error).__name__ == "KilledWorker":
                self._lose(member)
            else:
                self._refuse(member, f"it cannot play: {describe(error)}", lied=False)
        elif batch is not None and batch.jobs:
            self._repeat(batch.jobs)
            if handle.status == "finished":
                reason = f"it sent no results of {len(batch.jobs)} games"
                self._refuse(member, reason, lied=False)
        elif batch is not None:
            member.measure(batch, time.monotonic())

    def _version_checked(self, member: Member, _token: str, answer: Any) -> None:  # noqa: ANN401
        version, missing = str(answer["version"]), answer["missing"]
        if version != __version__:
            self._refuse(member, f"it has forthvm {version}, not {__version__}", lied=False)
            return
        contents = {name: self._files[name][1] for name in missing}
        self._call(
            member, self._match_loaded, cluster_worker.load_match, self._shipped_settings, contents
        )

    def _match_loaded(self, member: Member, _token: str, answer: Any) -> None:  # noqa: ANN401
        if "error" in answer:
            self._refuse(member, f"it cannot play: {answer['error']}", lied=False)
        elif answer["digests"] != self._digests:
            self._refuse(member, "its copy of the game differs", lied=False)
        else:
            member.is_ready = True
            self._members_at = 0.0

    # --- games --------------------------------------------------------------------------

    def add(self, job: Job) -> None:
        """Add a game."""
        self._jobs.add(job)
        if job.task.number in self._played_here:
            self._play_here(job)
        else:
            self._pending.append(job)

    def _repeat(self, jobs: Iterable[Job]) -> None:
        for job in reversed(list(jobs)):
            if job not in self._jobs and job not in self.checks:
                continue
            if job.losses >= _MAX_LOSSES:
                self._play_here(job)
            else:
                self._pending.appendleft(job)

    def _assign(self) -> None:
        """Give games to workers that can get a batch."""
        members = list(self._members.values())
        ready = [member for member in members if member.is_ready]
        if not any(member.is_joining for member in members):
            self._settle_alone({member.name for member in ready})
            away = any(not member.address and not member.refusal for member in members)
            if self._jobs and not ready and not away and members:
                reasons = "; ".join(f"{member.name}: {member.refusal}" for member in members[:5])
                raise MatchError(f"no worker of the cluster can play the match: {reasons}")
        threads = sum(member.threads for member in ready)
        for member in ready:
            for _ in range(member.free_batches):
                fair_size = -(-len(self._pending) // threads)
                size = min(member.batch_size, fair_size)
                jobs = take_jobs(self._pending, member, size, checks_only=self.checks_only)
                if jobs:
                    batch = Batch(deque(jobs), len(jobs))
                    tasks = [job.task for job in jobs]
                    token = self._call(
                        member, self._receive_games, cluster_worker.play_batch, tasks
                    )
                    member.batches[token] = batch

    def _settle_alone(self, ready: set[str]) -> None:
        """Play the checks on this computer that no other worker can play."""
        for job in [job for job in self._pending if job.checked and ready <= {job.excluded}]:
            self._pending.remove(job)
            self._play_here(job)

    def _receive_games(self, member: Member, token: str, message: Any) -> None:  # noqa: ANN401
        batch = member.batches[token]
        if batch.began is None:
            batch.began = time.monotonic()
        for values in message:
            if not batch.jobs:
                raise ValueError("more games than its batch has")
            job = batch.jobs[0]
            row = received_row(
                self._settings, self._loaded_match.seats, job.task, values, member.name
            )
            batch.jobs.popleft()
            self._receive_game(member, job, row)
            if member.refusal or member.doubts:
                return

    def _receive_game(self, member: Member, job: Job, row: GameRow) -> None:
        if job not in self._jobs and job not in self.checks:
            return
        problem = rule_violation(self._settings, self._loaded_match, job.task, row)
        if problem:
            self._play_here(job, row)
        elif job.checked is None:
            if self._repeatable and (not member.is_sampled or self._random.random() < self._share):
                member.is_sampled = True
                check = Job(job.task, checked=row)
                self.checks.add(check)
                self._pending.appendleft(check)
            self._deliver(job, row)
        elif same_game(row, job.checked):
            self._members[job.checked.worker].verified.add(row.id)
            self.checks.discard(job)
        else:
            self._play_here(job, row)

    def _deliver(self, job: Job, row: GameRow) -> None:
        if job in self._jobs and job.future is not None:
            self._jobs.discard(job)
            job.future.set_result(row)

    # --- games on this computer ---------------------------------------------------------

    def _play_here(self, job: Job, row: GameRow | None = None) -> None:
        """Play a game on this computer, to judge results or because no worker can play it.

        Args:
            job: The game.
            row: A result of a worker that is in doubt, in addition to `job.checked`.
        """
        if self._here is None:
            self._here = WorkerPool(1)
        claims = [each for each in (job.checked, row) if each is not None]
        for claim in claims:  # until the verdict, its worker gets no games
            member = self._members[claim.worker]
            member.doubts += 1
            self._take_back(member)
        # A second run shows whether the engines repeat their games.
        games = [
            self._here.submit(play_task, self._settings, job.task)
            for _ in range(2 if claims else 1)
        ]
        if not claims:
            self._played_here.add(job.task.number)
        games[-1].add_done_callback(lambda _: self.post(self._judge, job, claims, games))

    def _judge(self, job: Job, claims: list[GameRow], games: list[Future[GameRow]]) -> None:
        """Compare the results of workers with games that were played on this computer."""
        for claim in claims:
            self._members[claim.worker].doubts -= 1
        error = next((error for game in games if (error := game.exception()) is not None), None)
        if error is not None:
            if job in self._jobs and job.future is not None:
                self._jobs.discard(job)
                job.future.set_exception(error)
            self.checks.discard(job)
            return
        own, again = games[0].result(), games[-1].result()
        is_repeated = self._repeatable and same_game(own, again)
        if self._repeatable and not is_repeated:
            self._repeatable = False
            self._note(
                f"note: game {own.id} takes another course whenever it is played, so results are "
                "checked by the rules only"
            )
        for row in claims:
            self._judge_claim(row, own, job.task, is_repeated=is_repeated)
        false_claims = [row for row in claims if self._members[row.worker].has_lied]
        is_trusted = claims and not is_repeated and not false_claims
        self._deliver(job, claims[-1] if is_trusted else own)
        self.checks.discard(job)

    def _judge_claim(self, row: GameRow, own: GameRow, task: Task, *, is_repeated: bool) -> None:
        """Refuse the worker of a false result."""
        member = self._members[row.worker]
        problem = rule_violation(self._settings, self._loaded_match, task, row)
        if is_repeated:
            if same_game(row, own):
                member.verified.add(row.id)
                return
            problem = problem or "it takes another course when it is played again"
        elif rule_violation(self._settings, self._loaded_match, task, own):
            return  # this game cannot be replayed from its moves
        if problem:
            self._refuse(member, f"its game {row.id} is false: {problem}")

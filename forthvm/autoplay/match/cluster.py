"""Matches on a dask.distributed cluster that another program started.

Owns the loading of the match on the workers, the checks of their results, and the decision which
workers are refused.  dask distributes the games, and repeats those of lost workers.

A worker whose version of forthvm or whose copy of the game differs is refused.  Every result is
checked by the rules; a random sample is played again by another worker.  In a dispute, this machine
plays the game.  A worker with a false result is refused, and the runner discards those of its
results that no other worker has confirmed.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forthvm._version import __version__
from forthvm.autoplay.match import cluster_worker
from forthvm.autoplay.match.game import describe
from forthvm.autoplay.match.pool import WorkerPool
from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.match.verification import (
    is_repeatable,
    received_row,
    rule_violation,
    same_game,
)
from forthvm.autoplay.match.worker import play_task
from forthvm.autoplay.match.workers import Notice, Workers
from forthvm.autoplay.results.foreign_code import source_digests
from forthvm.autoplay.untrusted_text import in_a_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.autoplay.match.game import Task
    from forthvm.autoplay.match.settings import Settings
    from forthvm.autoplay.results.rows import GameRow

__all__ = ["Cluster"]

_CONNECT_TIMEOUT = 20.0
"""Seconds to wait for a dask scheduler."""
_MEMBERS_SECONDS = 1.0
"""Seconds between two looks at the list of workers."""
_GAMES_PER_THREAD = 3
"""The number of games that are submitted for each thread of the workers."""
_MAX_MESSAGE = 32 * 1024 * 1024
"""The maximum number of characters in a message."""
_MAX_TEXT = 300
"""The maximum length of names and reasons."""


@dataclass(eq=False)
class _Job:
    """A game that a worker plays."""

    task: Task
    future: Future[GameRow] | None = None
    """The future of the game; None for a check, whose result is only compared."""
    checked: GameRow | None = None
    """The result that this job checks; its worker must not play the game again."""
    sent: Future[str] | None = None
    """The dask task; None while no worker can play the game, or when this computer plays it."""
    addresses: frozenset[str] = frozenset()
    """The addresses of the workers that may run the task."""


@dataclass(eq=False)
class _Member:
    """A worker of the cluster; after a restart it is the same member with another address."""

    name: str
    address: str = ""
    """The address; "" while the worker is away."""
    folder: str = ""
    """The folder of the worker's process; it differs after a restart at the same address."""
    threads: int = 1
    token: str = ""
    """Identifies the worker at this address in its results."""
    is_ready: bool = False
    """Whether the match is loaded."""
    refusal: str = ""
    """Why the worker gets no games; "" if it may."""
    has_lied: bool = False
    """Whether the worker returned false results.  It is then refused at every address."""
    verified: set[int] = field(default_factory=set)
    """The numbers of the games whose results another worker or this computer confirmed."""
    is_sampled: bool = False
    """Whether a game of this worker was chosen for a check."""


class Cluster(Workers):
    """The workers of a cluster as workers of a match.

    All events are handled one after the other in a thread of this object.
    """

    def __init__(self, settings: Settings, address: str, share: float) -> None:
        """Connect to the cluster.

        Args:
            settings: The match.
            address: The address of the scheduler.
            share: The share of games that another worker plays again, from 0 to 1.

        Raises:
            MatchError: The cluster cannot be used.
        """
        self._settings = settings
        self._loaded_match = LoadedMatch(settings)
        self._share = share
        self._repeatable = is_repeatable(settings) and share > 0
        """Whether checks play games again."""
        self._name = f"forthvm-{secrets.token_hex(8)}"
        """The name of the match on the cluster."""
        self._match, self._files = _shipment(self._name, settings, self._loaded_match)
        self._random = secrets.SystemRandom()
        self._members: dict[str, _Member] = {}
        self._jobs: set[_Job] = set()
        """The games without a result."""
        self._checks: set[_Job] = set()
        """The checks without an end."""
        self._played_here: set[_Job] = set()
        """The games that this computer plays."""
        self._notices: queue.SimpleQueue[Notice] = queue.SimpleQueue()
        self._error: MatchError | None = None
        self._capacity = 1
        self._members_at = 0.0
        """The time of the next look at the list of workers."""
        self._was_empty = self._stopping = False
        self._here: WorkerPool | None = None
        self._client = _connect(address)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="forthvm cluster")
        if share > 0 and not self._repeatable:
            self._note(
                "note: these engines do not repeat their games, so results are checked by the "
                "rules only"
            )

    # --- the runner ---------------------------------------------------------------------

    @property
    def capacity(self) -> int:
        """The number of games that may be submitted at the same time."""
        return self._capacity

    @property
    def settled(self) -> bool:
        """Whether all checks of results have ended."""
        return not self._checks and not self._played_here

    def notices(self) -> list[Notice]:
        """Return the messages since the last call."""
        if time.monotonic() >= self._members_at:
            self._members_at = time.monotonic() + _MEMBERS_SECONDS
            self._post(self._update_members)
        notices = []
        with contextlib.suppress(queue.Empty):
            while True:
                notices.append(self._notices.get_nowait())
        if self._error is not None and not notices:
            raise self._error
        return notices

    def submit(
        self,
        settings: Settings,
        task: Task,
        work: Callable[[Settings, Task], Any] = play_task,
    ) -> Future[Any]:
        """Submit a game."""
        assert work is play_task, "other work is not checked"
        future: Future[GameRow] = Future()
        future.set_running_or_notify_cancel()
        self._post(self._add, _Job(task, future))
        return future

    def close(self) -> None:
        """End the work of the cluster on this match."""
        self.abandon()

    def abandon(self) -> None:
        """Handle the results that have arrived, and cancel the games that have not begun."""
        self._stopping = True
        self._thread.shutdown(wait=True)
        if self._here is not None:
            self._here.kill()
        self._client.close()  # dask forgets the tasks; each worker ends after its game in progress

    def _post(self, function: Callable[..., None], *arguments: object) -> None:
        """Call a function in the thread of this object."""
        with contextlib.suppress(RuntimeError):  # the thread has ended
            self._thread.submit(self._handle, function, *arguments)

    def _handle(self, function: Callable[..., None], *arguments: object) -> None:
        if self._error is not None:
            return
        try:
            function(*arguments)
        except BaseException as error:  # the runner raises it
            self._error = (
                error
                if isinstance(error, MatchError)
                else MatchError(f"the cluster failed: {describe(error)}")
            )
            for job in self._jobs | self._played_here:
                if job.future is not None:
                    job.future.set_exception(self._error)

    def _note(self, text: str) -> None:
        self._notices.put(Notice(text))

    def _call(
        self,
        addresses: frozenset[str],
        receive: Callable[[Future[str]], None],
        function: Callable[..., str],
        *arguments: object,
    ) -> Future[str]:
        """Submit a task to one of several workers; post the call `receive(future)` at its end."""
        executor = self._client.get_executor(
            workers=sorted(addresses), allow_other_workers=False, pure=False
        )
        future: Future[str] = executor.submit(function, self._name, *arguments)
        future.add_done_callback(partial(self._post, receive))
        return future

    # --- workers ------------------------------------------------------------------------

    def _update_members(self) -> None:
        """Compare the members with the list of workers, and load the match on new workers."""
        workers = self._client.scheduler_info(n_workers=-1).get("workers")
        if workers is None:
            raise MatchError("the connection to the scheduler was lost")
        present = {
            in_a_line(worker["name"], _MAX_TEXT): (
                address,
                worker["local_directory"],
                worker["nthreads"],
            )
            for address, worker in workers.items()
        }
        for member in self._members.values():
            process = member.address, member.folder
            if member.address and present.get(member.name, ())[:2] != process:
                if member.is_ready:
                    self._note(
                        f"worker {member.name} was lost: its unfinished games are played again"
                    )
                member.address, member.is_ready = "", False
        for name, (address, folder, threads) in present.items():
            member = self._members.setdefault(name, _Member(name))
            if not member.address:
                member.address, member.folder, member.threads = address, folder, threads
                if not member.has_lied:
                    self._load_match(member)
        if not present and not self._was_empty:
            self._note("the cluster has no workers: waiting")
        self._was_empty = not present
        self._send_unsent()

    def _load_match(self, member: _Member) -> None:
        member.refusal, member.token = "", secrets.token_hex(16)
        self._call(
            frozenset({member.address}),
            partial(self._match_loaded, member, member.token),
            cluster_worker.load_match,
            member.token,
            __version__,
            self._match,
            self._files,
        )

    def _match_loaded(self, member: _Member, token: str, answer: Future[str]) -> None:
        if token != member.token or not member.address:
            return  # the worker was lost meanwhile
        digests = [game.digest for game in self._loaded_match.games]
        try:
            message = _message(answer)
            if "error" in message:
                self._refuse(member, str(message["error"]), lied=False)
            elif message["digests"] != digests:
                self._refuse(member, "its copy of the game differs", lied=False)
            else:
                member.is_ready = True
        except Exception as error:
            self._refuse(member, f"it cannot play: {describe(error)}", lied=False)
        self._send_unsent()

    def _refuse(self, member: _Member, reason: str, *, lied: bool = True) -> None:
        """Give no more games to a worker."""
        if member.refusal and (member.has_lied or not lied):
            return
        member.refusal, member.is_ready = in_a_line(reason, _MAX_TEXT), False
        member.has_lied = lied
        self._notices.put(
            Notice(
                f"worker {member.name} is refused: {member.refusal}",
                liar=member.name if lied else "",
                verified=frozenset(member.verified),
            )
        )
        if lied:  # the runner discards the results of this worker, so they need no check
            self._checks = {
                job
                for job in self._checks
                if job.checked is None or job.checked.worker != member.name
            }

    # --- games --------------------------------------------------------------------------

    def _add(self, job: _Job) -> None:
        """Add a game."""
        self._jobs.add(job)
        self._send(job)

    def _send_unsent(self) -> None:
        """Send the games that none of the present workers can run."""
        members = self._members.values()
        ready = {member.address for member in members if member.is_ready}
        self._capacity = max(
            1, _GAMES_PER_THREAD * sum(member.threads for member in members if member.is_ready)
        )
        if members and self._jobs and all(member.refusal for member in members):
            reasons = "; ".join(f"{each.name}: {each.refusal}" for each in list(members)[:5])
            raise MatchError(f"no worker of the cluster can play the match: {reasons}")
        for job in [*self._checks, *self._jobs]:
            if job.addresses.isdisjoint(ready):
                self._send(job)

    def _send(self, job: _Job) -> None:
        """Submit a game to dask, again if necessary, or keep it until a worker can play it."""
        if job.sent is not None:
            job.sent.cancel()
        job.sent, job.addresses = None, frozenset()
        excluded = "" if job.checked is None else job.checked.worker
        members = [each for each in self._members.values() if each.name != excluded]
        addresses = frozenset(member.address for member in members if member.is_ready)
        if self._stopping:
            return
        if addresses:
            job.addresses = addresses
            job.sent = self._call(
                addresses, partial(self._receive, job), cluster_worker.play_game, job.task
            )
        elif job.checked is not None and all(each.refusal or not each.address for each in members):
            self._play_here(job)

    def _receive(self, job: _Job, sent: Future[str]) -> None:
        """Handle the end of the dask task of a game."""
        if job.sent is not sent or (job not in self._jobs and job not in self._checks):
            return
        if sent.cancelled():  # the connection was lost
            job.addresses = frozenset()
            return
        try:
            message = _message(sent)
            tokens = {member.token: member for member in self._members.values()}
            member = tokens[str(message["worker"])]
        except Exception:  # several workers died, or it is not known who sent this
            self._play_here(job)
            return
        row = self._received_row(member, job.task, message)
        if row is None:
            self._send(job)
        else:
            self._check(member, job, row)

    def _received_row(
        self, member: _Member, task: Task, message: dict[str, object]
    ) -> GameRow | None:
        """Return the row of a game; None if its worker is refused."""
        if "error" in message:
            self._refuse(member, str(message["error"]), lied=False)
        if member.refusal:
            return None
        try:
            seats = self._loaded_match.seats
            return received_row(self._settings, seats, task, message["row"], member.name)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            self._refuse(member, f"it sent an invalid message: {describe(error)}")
            return None

    def _check(self, member: _Member, job: _Job, row: GameRow) -> None:
        """Check the result of a game by the rules, and perhaps by another game or a result."""
        if rule_violation(self._settings, self._loaded_match, job.task, row):
            self._play_here(job, row)
        elif job.checked is None:
            if self._repeatable and (not member.is_sampled or self._random.random() < self._share):
                member.is_sampled = True
                check = _Job(job.task, checked=row)
                self._checks.add(check)
                self._send(check)
            self._jobs.discard(job)
            _deliver(job, row)
        elif same_game(row, job.checked):
            self._members[job.checked.worker].verified.add(row.id)
            self._checks.discard(job)
        else:
            self._play_here(job, row)

    # --- games on this computer ---------------------------------------------------------

    def _play_here(self, job: _Job, row: GameRow | None = None) -> None:
        """Play a game on this computer, to judge results of workers or because they died.

        Args:
            job: The game.
            row: A result of a worker that is in doubt, in addition to `job.checked`.
        """
        claims = [claim for claim in (job.checked, row) if claim is not None]
        self._here = self._here or WorkerPool(1)
        self._played_here.add(job)
        self._jobs.discard(job)
        self._checks.discard(job)
        # A second run shows whether the engines repeat their games.
        games = [
            self._here.submit(play_task, self._settings, job.task)
            for _ in range(2 if claims else 1)
        ]
        games[-1].add_done_callback(lambda _: self._post(self._judge, job, claims, games))

    def _judge(self, job: _Job, claims: list[GameRow], games: list[Future[GameRow]]) -> None:
        """Compare the results of workers with games that were played on this computer."""
        error = next((error for game in games if (error := game.exception()) is not None), None)
        if error is None:
            _deliver(job, self._verdict(job.task, claims, games[0].result(), games[-1].result()))
        elif job.future is not None:
            job.future.set_exception(error)
        self._played_here.discard(job)

    def _verdict(self, task: Task, claims: list[GameRow], own: GameRow, again: GameRow) -> GameRow:
        """Refuse the workers of false results; return the result of the game."""
        is_repeated = self._repeatable and same_game(own, again)
        if self._repeatable and not is_repeated:
            self._repeatable = False
            self._note(
                f"note: game {own.id} takes another course whenever it is played, so results are "
                "checked by the rules only"
            )
        for row in claims:
            self._judge_claim(row, own, task, is_repeated=is_repeated)
        has_false_claims = any(self._members[row.worker].has_lied for row in claims)
        return claims[-1] if claims and not is_repeated and not has_false_claims else own

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


def _deliver(job: _Job, row: GameRow) -> None:
    if job.future is not None:
        job.future.set_result(row)


def _message(answer: Future[str]) -> dict[str, object]:
    """Return the JSON object that a worker sent.

    Raises:
        Exception: The task failed, or it returned something else.
    """
    text = answer.result()
    if not isinstance(text, str) or len(text) > _MAX_MESSAGE:
        raise ValueError("it sent an invalid message")
    message = json.loads(text)
    if not isinstance(message, dict):
        raise ValueError("it sent an invalid message")
    return message


def _connect(address: str) -> Any:  # noqa: ANN401 - dask has no types
    try:
        from distributed import Client
    except ImportError:
        raise MatchError(
            "dask.distributed is not installed", hints=("pip install 'forthvm[dask]'",)
        ) from None
    try:
        connect: Any = Client
        client = connect(address, timeout=_CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise MatchError(f"no dask scheduler answers at {address}: {error}") from error
    if not client.scheduler_info(n_workers=-1)["workers"]:
        client.close()
        raise MatchError(f"the cluster at {address} has no workers")
    return client


def _shipment(
    name: str, settings: Settings, loaded_match: LoadedMatch
) -> tuple[str, dict[str, bytes]]:
    """Return the match in JSON, and the files of its games by relative path.

    In the match, paths of these files begin with the name of the match.  Bundled games are not
    shipped.
    """
    digests = source_digests(settings, loaded_match.games)
    files = {path: Path(path).read_bytes() for each in digests for path in each}

    def shipped(path: str) -> str:
        return f"{name}/{_relative(path)}"

    configurations = [
        replace(
            each,
            game=shipped(each.game) if str(Path(each.game).absolute()) in files else each.game,
            library=each.library and shipped(each.library),
            include=tuple(map(shipped, each.include)),
        )
        for each in settings.configurations
    ]
    match = replace(settings, configurations=tuple(configurations)).to_match()
    return json.dumps(match), {_relative(path): data for path, data in files.items()}


def _relative(path: str) -> str:
    """Return an absolute path as a path below the folder of shipped files."""
    normal = Path(os.path.normpath(Path(path).absolute()))
    return normal.relative_to(normal.anchor).as_posix()

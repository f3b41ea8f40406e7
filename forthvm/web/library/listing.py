"""The entries of a library for a page, while a scan finds them.

Owns the numbers by which windows name entries, and the thread of the scan.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from forthvm.library.entry import Entry
    from forthvm.library.scan import Scan

__all__ = ["Listing"]


class Listing:
    """Numbered entries.

    An entry keeps its number in later scans.  During a scan, the entries of the earlier one are
    still there.

    Attributes:
        failure: Why the last scan has ended early; "" if it has not.
    """

    def __init__(self, begin: Callable[[], tuple[Scan, Iterator[Entry]]]) -> None:
        """Begin without entries.

        Args:
            begin: Begins a scan; what it yields is consumed in a thread.
        """
        self.failure = ""
        self._begin = begin
        self._entries: list[Entry | None] = []
        self._numbers: dict[str, int] = {}
        self._scan: Scan | None = None
        self._thread = Thread()
        self._lock = Lock()  # for numbers, which threads of scans and of dropped files give

    def start(self) -> None:
        """Begin a scan, after the running one is stopped."""
        self.stop()
        self.failure = ""
        self._scan, entries = self._begin()
        self._thread = Thread(
            target=self._consume, args=(entries,), name="forthvm library", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End the scan."""
        if self._scan is not None:
            self._scan.stop()
            self._thread.join()

    @property
    def is_scanning(self) -> bool:
        """Whether a scan is running."""
        return self._thread.is_alive()

    def add(self, entry: Entry) -> int:
        """Add or replace an entry, and return its number."""
        with self._lock:
            number = self._numbers.setdefault(entry.path, len(self._entries))
            self._entries[number : number + 1] = [entry]
            return number

    def __getitem__(self, number: int) -> Entry:
        """Return the entry with a number.

        Raises:
            ValueError: There is no such entry.
        """
        entry = self._entries[number] if number < len(self._entries) else None
        if entry is None:
            raise ValueError(number)
        return entry

    def numbered(self) -> list[tuple[int, Entry]]:
        """Return all entries with their numbers."""
        return [(number, entry) for number, entry in enumerate(self._entries) if entry]

    def with_rules(self, entry: Entry) -> Entry:
        """Return an entry; a saved game with the path of its rule file, if a game here has it."""
        if not entry.rules:
            return entry
        games = [
            game
            for _, game in self.numbered()
            if game.path.lower().endswith(entry.rules)
            and (game.kind, Path(game.path).name.lower()) == ("game", entry.rules)
        ]
        game = min(games, key=lambda game: not game.loads, default=None)
        return entry if game is None else replace(entry, rules=game.path, reason=game.reason)

    def progress(self) -> dict[str, object]:
        """Return how many files are done and found, for JSON."""
        scan = self._scan
        return {
            "is": "progress",
            "done": scan.done if scan else 0,
            "found": scan.found if scan else 0,
            "files": len(self.numbered()),
            "running": self.is_scanning,
        }

    def _consume(self, entries: Iterable[Entry]) -> None:
        scan, gone = self._scan, {number for number, _ in self.numbered()}
        assert scan is not None
        try:
            for entry in entries:
                gone.discard(self.add(entry))
        except Exception as error:  # the window must know that the list is incomplete
            self.failure = str(error) or type(error).__name__
            return
        if not scan.is_stopped:
            for number in gone:
                self._entries[number] = None

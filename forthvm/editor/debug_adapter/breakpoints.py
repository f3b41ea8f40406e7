"""Requests for breakpoints.

Owns the breakpoints that the client has set, and their numbers.  It must not know why runs stop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError

from .arguments import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .arguments import Arguments
    from .debuggee import Debuggee
    from .messages import Json
    from .sources import Sources

__all__ = ["Breakpoints"]


class Breakpoints:
    """Sets breakpoints in the session of a program."""

    sources: Sources

    def __init__(self, debuggee: Debuggee) -> None:
        self._debuggee = debuggee
        self._numbers: dict[str, list[int]] = {}  # of the breakpoints of each file
        self.handlers: dict[str, Callable[[Arguments], Json | None]] = {
            "setBreakpoints": self._set_breakpoints,
        }

    def id_of(self, number: int) -> int:
        """Return the number for the client of a breakpoint of the session."""
        return number

    def _set_breakpoints(self, arguments: Arguments) -> Json:
        session = self._debuggee.stopped_session
        path = arguments.object("source").text("path")
        for number in self._numbers.pop(path, []):
            session.delete(number)
        numbers = self._numbers.setdefault(path, [])
        found: list[Json] = []
        for wanted in arguments.objects("breakpoints"):
            try:
                file = self.sources.file_at(path)
                if file is None:
                    raise RequestError("the program has not loaded this file")
                point = session.add_breakpoint(f"{file.name}:{wanted.integer('line')}")
            except (ForthVMError, RequestError) as error:
                found.append({"verified": False, "message": str(error)})
                continue
            numbers.append(point.number)
            line = int(point.where.rpartition(":")[2])
            found.append({"id": self.id_of(point.number), "verified": True, "line": line})
        return {"breakpoints": found}

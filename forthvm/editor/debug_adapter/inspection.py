"""Requests that inspect a stopped program: frames, scopes, variables.

Owns the numbers of frames and of lists of variables, which are valid until the program runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .arguments import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.core.location import Location
    from forthvm.debug import State

    from .arguments import Arguments
    from .debuggee import Debuggee
    from .messages import Json
    from .sources import Sources

__all__ = ["Inspection"]


class Inspection:
    """Answers requests about the program where it has stopped."""

    sources: Sources

    def __init__(self, debuggee: Debuggee) -> None:
        self._debuggee = debuggee
        self._lists: list[Callable[[], list[Json]]] = []
        self.handlers: dict[str, Callable[[Arguments], Json | None]] = {
            "stackTrace": self._stack_trace,
            "scopes": self._scopes,
            "variables": self._variables,
        }

    def forget(self) -> None:
        """Forget all lists of variables, because the program runs."""
        self._lists.clear()

    def _stack_trace(self, arguments: Arguments) -> Json:
        state = self._debuggee.stopped_session.state
        frames = list(self._frames(state))
        start = max(arguments.integer("startFrame", 0), 0)
        count = arguments.integer("levels", 0) or len(frames)
        return {"stackFrames": frames[start : start + count], "totalFrames": len(frames)}

    def _frames(self, state: State) -> list[Json]:
        names = [caller.word for caller in state.callers] or [state.token]
        locations = [state.location, *(caller.location for caller in state.callers)]
        return [
            self._frame(number, name, location)
            for number, (name, location) in enumerate(zip(names, locations, strict=False), 1)
        ]

    def _frame(self, number: int, name: str, location: Location | None) -> Json:
        frame: Json = {"id": number, "name": name, "line": 0, "column": 0}
        if location is not None:
            frame |= {
                "source": self.sources.source(location.file),
                "line": location.line,
                "column": location.column,
                "endLine": location.line,
                "endColumn": location.column + location.length,
            }
        return frame

    def _scopes(self, _arguments: Arguments) -> Json:
        session = self._debuggee.stopped_session
        stack = self._add_list(lambda: _stack_items(session.state))
        return {
            "scopes": [
                {"name": "Stack", "variablesReference": stack, "expensive": False},
            ]
        }

    def _variables(self, arguments: Arguments) -> Json:
        reference = arguments.integer("variablesReference")
        if not 1 <= reference <= len(self._lists):
            raise RequestError("these variables are no longer valid: the program has run")
        return {"variables": self._lists[reference - 1]()}

    def _add_list(self, read: Callable[[], list[Json]]) -> int:
        self._lists.append(read)
        return len(self._lists)


def _stack_items(state: State) -> list[Json]:
    """Return the items of the stack, the top first."""
    items = zip(reversed(state.names), reversed(state.stack), strict=True)
    return [
        {"name": name or f"[{at}]", "value": str(value), "variablesReference": 0}
        for at, (name, value) in enumerate(items)
    ]

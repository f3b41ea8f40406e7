"""Requests for breakpoints: on lines, on words and events, on data, on errors.

Owns the breakpoints that the client has set, and their numbers, which stay the same when the
program is launched again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.debug import Breakpoint

from .scopes import variable_item

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from forthvm.debug import Session, Watchpoint

    from .arguments import Arguments
    from .client_format import ClientFormat
    from .debuggee import Debuggee
    from .inspection import Inspection
    from .messages import Connection, Json
    from .sources import Sources

__all__ = ["ERRORS", "Breakpoints"]

ERRORS = "errors"
"""The only filter of exception breakpoints."""

_WRITE = "write"  # the only access to data that stops the program


@dataclass(frozen=True)
class _Wanted:
    """A breakpoint as the client described it.

    Attributes:
        kind: `line`, `function` or `data`.
        text: The word or event, or the watched data; "" for a line.
        source: The file of a line; None for others.
        line: The line, from 1.
        condition: Forth that leaves a flag.
        hits: The condition for the number of hits.
        log: The text to print; a log point does not stop.
        access: For data, the kind of access that stops: `read`, `write` or `readWrite`.
    """

    kind: str
    text: str
    source: Path | str | None
    line: int
    condition: str
    hits: str
    log: str
    access: str = _WRITE


class _Entry:
    """A breakpoint of the client.

    Attributes:
        number: Its number for the client.
        point: The breakpoint in the session; None if it could not be set.
        body: It as the protocol's Breakpoint.
    """

    def __init__(self, number: int, wanted: _Wanted) -> None:
        self.number = number
        self.wanted = wanted
        self.point: Breakpoint | Watchpoint | None = None
        self.body: Json = {}


class Breakpoints:
    """Sets breakpoints in the session of the program."""

    def __init__(
        self,
        connection: Connection,
        debuggee: Debuggee,
        sources: Sources,
        inspection: Inspection,
        client_format: ClientFormat,
    ) -> None:
        self._connection = connection
        self._debuggee = debuggee
        self._sources = sources
        self._inspection = inspection
        self._format = client_format
        self._lists: dict[Path | str, list[_Entry]] = {}  # by file, or by kind
        self._last_number = 0
        self.stop_on_error = True
        self.handlers: dict[str, Callable[[Arguments], Json | None]] = {
            "setBreakpoints": self._set_lines,
            "setFunctionBreakpoints": self._set_functions,
            "setDataBreakpoints": self._set_data,
            "setExceptionBreakpoints": self._set_exceptions,
            "dataBreakpointInfo": self._data_info,
            "breakpointLocations": self._locations,
        }

    def reached(self, points: Iterable[int]) -> tuple[list[int], str]:
        """Return the numbers for the client of reached breakpoints, and the kind of the first."""
        entries = [entry for number in points for entry in self._with_point(number)]
        return [entry.number for entry in entries], entries[0].wanted.kind if entries else ""

    # --- a new session ---------------------------------------------------------------------

    def apply(self, session: Session) -> None:
        """Set all breakpoints in a new session; tell the client what has changed."""
        session.stop_on_error = self.stop_on_error
        session.on_breakpoint = lambda point: self._debuggee.call_later(lambda: self._update(point))
        for entries in self._lists.values():
            for entry in entries:
                before = entry.body
                self._add(entry)
                if entry.body != before:
                    self._report(entry)

    def _update(self, point: Breakpoint) -> None:
        """Tell the client that a breakpoint was found when its code was loaded."""
        for entry in self._with_point(point.number):
            body = self._body(entry)
            if entry.point is point and body != entry.body:
                entry.body = body
                self._report(entry)

    def _report(self, entry: _Entry) -> None:
        self._connection.event("breakpoint", {"reason": "changed", "breakpoint": entry.body})

    # --- setting ---------------------------------------------------------------------------

    def _set_lines(self, arguments: Arguments) -> Json:
        source = self._sources.wanted(arguments)
        key = source.resolve() if isinstance(source, Path) else source
        wanted = [
            self._wanted(item, "line", source=source, line=self._format.line_from(line))
            for item in arguments.objects("breakpoints")
            for line in [item.integer("line")]
        ]
        return self._replace(key, wanted)

    def _set_functions(self, arguments: Arguments) -> Json:
        items = arguments.objects("breakpoints")
        return self._replace(
            "function",
            [self._wanted(item, "function", item.text("name").strip()) for item in items],
        )

    def _set_data(self, arguments: Arguments) -> Json:
        wanted = [
            replace(
                self._wanted(item, "data", item.text("dataId")),
                access=item.text("accessType", _WRITE),
            )
            for item in arguments.objects("breakpoints")
        ]
        return self._replace("data", wanted)

    def _set_exceptions(self, arguments: Arguments) -> Json:
        filters = arguments.texts("filters")
        self.stop_on_error = ERRORS in filters
        if self._debuggee.launched:
            self._debuggee.session.stop_on_error = self.stop_on_error
        return {"breakpoints": [{"verified": name == ERRORS} for name in filters]}

    @staticmethod
    def _wanted(
        item: Arguments,
        kind: str,
        text: str = "",
        *,
        source: Path | str | None = None,
        line: int = 0,
    ) -> _Wanted:
        return _Wanted(
            kind,
            text,
            source,
            line,
            item.text("condition", "").strip(),
            item.text("hitCondition", "").strip(),
            item.text("logMessage", ""),
        )

    def _replace(self, key: Path | str, wanted: list[_Wanted]) -> Json:
        """Replace a list of breakpoints; those that are wanted again are kept, with their hits."""
        kept = Counter(wanted)
        old: dict[_Wanted, list[_Entry]] = {}
        for entry in self._lists.get(key, []):
            if kept[entry.wanted] > 0:
                kept[entry.wanted] -= 1
                old.setdefault(entry.wanted, []).append(entry)
            elif entry.point is not None and self._debuggee.launched:
                self._debuggee.session.delete(entry.point.number)
        entries = self._lists[key] = []
        for one in wanted:
            same = old.get(one)
            if same:
                entries.append(same.pop(0))
                continue
            self._last_number += 1
            entries.append(_Entry(self._last_number, one))
            self._add(entries[-1])
        return {"breakpoints": [entry.body for entry in entries]}

    def _add(self, entry: _Entry) -> None:
        """Set a breakpoint in the session."""
        entry.point = None
        message = "no program has been launched"
        if self._debuggee.launched:
            try:
                entry.point = _make(self._debuggee.session, entry.wanted)
            except ForthVMError as error:
                message = error.short_message()
        entry.body = self._body(entry, message)

    def _body(self, entry: _Entry, message: str = "") -> Json:
        """Return a breakpoint as the protocol's Breakpoint."""
        point, wanted = entry.point, entry.wanted
        body: Json = {"id": entry.number, "verified": point is not None}
        if wanted.kind == "line":
            if isinstance(wanted.source, Path):
                body["source"] = {"path": self._format.path(wanted.source)}
            line = point.line if isinstance(point, Breakpoint) else wanted.line
            body["line"] = self._format.line(line)
        if point is None:
            body["message"] = message
        elif isinstance(point, Breakpoint) and not point.verified:
            body |= {"verified": False, "message": point.problem}
        return body

    def _with_point(self, number: int) -> Iterator[_Entry]:
        """Yield the entry whose breakpoint in the session has a number."""
        for entries in self._lists.values():
            for entry in entries:
                if entry.point is not None and entry.point.number == number:
                    yield entry

    # --- what can be set -------------------------------------------------------------------

    def _data_info(self, arguments: Arguments) -> Json:
        session = self._debuggee.stopped_session
        name = arguments.text("name")
        reference = arguments.integer("variablesReference", 0)
        watch = ""
        if reference:
            item = self._inspection.item(reference, name)
            watch = item.watch if item is not None else ""
        else:
            board = session.board()
            if board is not None and any(name == square.name for square in board.board.squares):
                watch = f"on {name}"
            else:
                watch = self._watch_of(name)
        if not watch:
            return {"dataId": None, "description": f"{name} cannot be watched"}
        return {
            "dataId": watch,
            "description": watch,
            "accessTypes": [_WRITE],
            "canPersist": True,
        }

    def _watch_of(self, name: str) -> str:
        """Return the text of a watchpoint on a variable, or on Forth; "" if there is none."""
        variables = self._debuggee.variables
        variable = variables.find(name)
        if variable is not None:
            return variable_item(variables, variable).watch
        session = self._debuggee.stopped_session
        try:  # whether the text leaves a valid address
            session.delete(session.add_watch(name).number)
        except ForthVMError:
            return ""
        return name

    def _locations(self, arguments: Arguments) -> Json:
        source = self._sources.wanted(arguments)
        first = self._format.line_from(arguments.integer("line"))
        last = self._format.line_from(arguments.integer("endLine", self._format.line(first)))
        session = self._debuggee.session
        lines = session.call(lambda: _lines_with_code(session, source))
        return {
            "breakpoints": [
                {"line": self._format.line(line)} for line in sorted(lines) if first <= line <= last
            ]
        }


def _lines_with_code(session: Session, source: Path | str) -> frozenset[int]:
    """Return the lines at which a program can stop; none while their file is not loaded."""
    code = session.code
    file = code.file_named(source) if isinstance(source, str) else code.file_at(source)
    if file is None:
        return frozenset()
    return code.lines_with_code(file, loads=session.target.loads)


def _make(session: Session, wanted: _Wanted) -> Breakpoint | Watchpoint:
    """Set a breakpoint in a session.

    Raises:
        ForthVMError: It cannot be set.
    """
    if wanted.access != _WRITE:
        raise ForthVMError("only writes can stop the program, not reads")
    condition, hits, log = wanted.condition, wanted.hits, wanted.log
    if wanted.source is not None:
        return session.add_line_breakpoint(
            wanted.source, wanted.line, condition=condition, hits=hits, log=log
        )
    add = session.add_watch if wanted.kind == "data" else session.add_breakpoint
    return add(wanted.text, condition=condition, hits=hits, log=log)

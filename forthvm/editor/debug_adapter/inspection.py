"""Requests that inspect a stopped program: frames, scopes, variables, errors, sources.

Owns the numbers of lists of variables, which are valid until the program runs.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import LOWEST
from forthvm.core.errors.report import format_error

from .arguments import RequestError
from .scopes import scopes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.core.errors import ForthVMError
    from forthvm.core.location import Location
    from forthvm.debug import State

    from .arguments import Arguments
    from .debuggee import Debuggee
    from .messages import Json
    from .scopes import Item, Items
    from .sources import Sources

__all__ = ["Inspection"]

_TEXT = "script"  # the name of the frame of a text that the VM interprets


class Inspection:
    """Answers requests about the program where it has stopped."""

    def __init__(self, debuggee: Debuggee, sources: Sources) -> None:
        self._debuggee = debuggee
        self._sources = sources
        self._lists: dict[int, Items] = {}
        self._last_reference = 0  # references are never used twice
        self.handlers: dict[str, Callable[[Arguments], Json | None]] = {
            "stackTrace": self._stack_trace,
            "scopes": self._scopes,
            "variables": self._variables,
            "readMemory": self._read_memory,
            "exceptionInfo": self._exception_info,
            "source": self._source,
            "loadedSources": self._loaded_sources,
        }

    def forget(self) -> None:
        """Forget all lists of variables, because the program runs."""
        self._lists.clear()

    # --- frames ----------------------------------------------------------------------------

    def _stack_trace(self, arguments: Arguments) -> Json:
        session = self._debuggee.stopped_session
        frames = list(self._frames(session.state, loads=session.target.loads))
        start = max(arguments.integer("startFrame", 0), 0)
        count = max(arguments.integer("levels", 0), 0) or len(frames)
        return {"stackFrames": frames[start : start + count], "totalFrames": len(frames)}

    def _frames(self, state: State, *, loads: bool) -> Iterator[Json]:
        """Yield the frames: the open words, and the text that the VM interprets."""
        if state.ended and state.error is not None:
            frames = _frames_of_error(state.error, _TEXT if loads else "")
        else:
            outermost = _TEXT if loads else state.token or "the end"
            words = [caller.word for caller in state.callers] or [outermost]
            places = [state.location, *(caller.location for caller in state.callers)]
            texts = state.texts if state.callers else state.texts[1:]
            frames = [*zip(words, places, strict=False), *((_TEXT, place) for place in texts)]
        for number, (word, place) in enumerate(frames, 1):
            yield self._frame(number, word, place)

    def _frame(self, number: int, name: str, location: Location | None) -> Json:
        frame: Json = {"id": number, "name": name, "line": 0, "column": 0}
        if location is None:
            return frame | {"presentationHint": "subtle"}
        frame |= self._sources.span(location)
        frame["source"] = self._sources.source(location.file)
        if self._sources.is_library(location.file):
            frame["presentationHint"] = "subtle"
        return frame

    # --- values ----------------------------------------------------------------------------

    def _scopes(self, arguments: Arguments) -> Json:
        session = self._debuggee.stopped_session
        number = arguments.integer("frameId", 1)
        if not 1 <= number <= len(list(self._frames(session.state, loads=session.target.loads))):
            raise RequestError(f"there is no frame {number}")
        found = []
        for scope in scopes(self._debuggee, innermost=number == 1):
            body: Json = {
                "name": scope.name,
                "variablesReference": self._add_list(scope.items),
                "expensive": scope.expensive,
            }
            if scope.hint:
                body["presentationHint"] = scope.hint
            found.append(body)
        return {"scopes": found}

    def _variables(self, arguments: Arguments) -> Json:
        self._debuggee.check_stopped()
        items = self._items(arguments.integer("variablesReference"))
        wanted = arguments.text("filter", "")
        if wanted:
            items = [item for item in items if item.indexed == (wanted == "indexed")]
        start = max(arguments.integer("start", 0), 0)
        count = max(arguments.integer("count", 0), 0) or len(items)
        is_hex = arguments.object("format").flag("hex")
        return {"variables": [self.variable(i, is_hex=is_hex) for i in items[start:][:count]]}

    def item(self, reference: int, name: str) -> Item | None:
        """Return the variable with a name in a list; None if there is none."""
        return next((item for item in self._items(reference) if item.name == name), None)

    def _items(self, reference: int) -> list[Item]:
        items = self._lists.get(reference)
        if items is None:
            raise RequestError("these variables are no longer valid: the program has run")
        return items()

    def variable(self, item: Item, *, is_hex: bool = False) -> Json:
        """Return a value as the protocol's Variable."""
        value = hex(item.number) if is_hex and item.number is not None else item.value
        body: Json = {"name": item.name, "value": value, "variablesReference": 0}
        if item.children is not None:
            body["variablesReference"] = self._add_list(item.children)
            body["indexedVariables" if item.count_is_indexed else "namedVariables"] = item.count
        if item.evaluate:
            body["evaluateName"] = item.evaluate
        if item.address:
            body["memoryReference"] = str(item.address)
        if item.type:
            body["type"] = item.type
        return body

    def _add_list(self, items: Items) -> int:
        self._last_reference += 1
        self._lists[self._last_reference] = items
        return self._last_reference

    def _read_memory(self, arguments: Arguments) -> Json:
        """Return bytes of memory, and how many bytes of the range are outside of it."""
        reference = arguments.text("memoryReference")
        count = arguments.integer("count")
        if not reference.isdecimal() or count < 0:
            raise RequestError("`memoryReference` must be an address, and `count` not negative")
        address = int(reference) + arguments.integer("offset", 0)
        session = self._debuggee.stopped_session
        size = session.target.vm.native.memory_size()
        start = min(max(address, LOWEST), size)
        end = min(max(address + count, start), size)
        data = session.memory(start, end - start)
        return {
            "address": str(start),
            "data": b64encode(data).decode(),
            "unreadableBytes": count - len(data),
        }

    # --- errors and sources ----------------------------------------------------------------

    def _exception_info(self, _arguments: Arguments) -> Json:
        error = self._debuggee.stopped_session.state.error
        if error is None:
            raise RequestError("the program has not stopped at an error")
        return {
            "exceptionId": type(error).__name__,
            "description": error.short_message(),
            "breakMode": "always",
            "details": {
                "message": error.short_message(),
                "typeName": type(error).__name__,
                "stackTrace": format_error(error),
            },
        }

    def _source(self, arguments: Arguments) -> Json:
        reference = arguments.object("source").integer("sourceReference", 0)
        text = self._sources.content(reference or arguments.integer("sourceReference"))
        return {"content": text, "mimeType": "text/x-forth"}

    def _loaded_sources(self, _arguments: Arguments) -> Json:
        return {"sources": self._sources.all()}


def _frames_of_error(error: ForthVMError, outermost: str) -> list[tuple[str, Location | None]]:
    """Return the open words and LOADs at an error that ended the run, with their places.

    Args:
        error: The error.
        outermost: The name of the code outside all words; "" for that of the word that failed.
    """
    frames = [(frame.word or _TEXT, frame.location) for frame in error.trace]
    if not frames or frames[0][1] != error.location:
        frames.insert(0, (outermost or error.word or _TEXT, error.location))
    return [*frames, *((_TEXT, place) for place in error.loads)]

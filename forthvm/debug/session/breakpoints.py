"""Breakpoints: code or events at which a run stops, with conditions and counts.

Owns the parsing of breakpoints, the cells and words to mark in the trace, and the decision whether
a stop matches a breakpoint, also on a line that jumps enter in its middle, as in `foo THEN bar`.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.bindings import RUN_CELL, Mark
from forthvm.core.bindings.layout import TYPE_MASK
from forthvm.core.errors import ForthVMError, Phase, UndefinedWord

from .stop_points import StopPoint

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.core.bindings import TracePoint
    from forthvm.debug.source_map.code_map import CodeMap, FoundCode, Line, SourceFile

    from .targets import Target

__all__ = ["Breakpoint", "make_breakpoint", "make_line_breakpoint"]

_LINE = re.compile(r"(?:(?P<file>.+):)?(?P<line>\d+)\Z")
_EVENTS = ("move", "capture", "piece", "position", "run")
_CAPTURE_WORDS = ("capture", "capture-at")


class Breakpoint(StopPoint):
    """One breakpoint.

    Attributes:
        marks: The marks to set in the trace, by address.
        where: The source position as text.
        file: For a line, the file; None for others, and while the file is not loaded.
        line: For a line, its number, or that of the line below it to which the breakpoint moved.
        problem: Why the breakpoint cannot stop runs; "" if it can.
        piece: For `on piece`, the number of the piece type; else None.
        square: For `on position`, the index of the board position; else None.
        any_run: Whether the event is `on run`.
        text_line: For a line that is interpreted while its file is loaded, the line; else None.
        passes: For a line with code, the passes of the run through it; else None.
        refresh: Computes the marks again after more code was loaded; None for events.
    """

    def __init__(
        self, number: int, text: str, *, condition: str = "", hits: str = "", log: str = ""
    ) -> None:
        super().__init__(number, text, condition=condition, hits=hits, log=log)
        self.marks: dict[int, Mark] = {}
        self.where = ""
        self.file: SourceFile | None = None
        self.line = 0
        self.problem = ""
        self.piece: int | None = None
        self.square: int | None = None
        self.any_run = False
        self.text_line: Line | None = None
        self.passes: LinePasses | None = None
        self.refresh: Callable[[], None] | None = None

    @property
    def verified(self) -> bool:
        """Whether the breakpoint can stop runs: its line or word has code."""
        return not self.problem

    def matches(
        self, stop: TracePoint, generating: tuple[int, int], text_line: Line | None
    ) -> bool:
        """Whether a stop of the trace matches this breakpoint, apart from the condition.

        Args:
            stop: The stop.
            generating: The piece and the board position for which moves are being generated.
            text_line: The line whose interpretation begins at the stop; None if none begins.
        """
        if not self.enabled:
            return False
        if self.passes is not None:
            return self.passes.enters
        is_marked = not stop.executed and self.marks.get(stop.ip, 0) & Mark.CELL
        if is_marked or self.marks.get(stop.word, 0) & Mark.WORD:
            return True
        if text_line is not None and text_line == self.text_line:
            return True
        if not stop.executed or stop.ip or stop.nesting > 1:  # not run by the host
            return False
        return self.any_run or self._generates(stop, generating)

    def _generates(self, stop: TracePoint, generating: tuple[int, int]) -> bool:
        """Whether the moves of the piece or position of this breakpoint are generated."""
        piece, square = generating
        is_generator = stop.phase is Phase.GENERATE and stop.generator != 0
        return is_generator and (piece & TYPE_MASK == self.piece or square == self.square)

    def __str__(self) -> str:
        return f"{self.number}: {self.text}{self.conditions}"


def make_breakpoint(
    number: int, text: str, target: Target, code: CodeMap, **options: str
) -> Breakpoint:
    """Parse `WORD`, `FILE:LINE`, `LINE` or `on EVENT`, each optionally with `if CONDITION`.

    Events: `on move` (a move is added), `on capture`, `on piece NAME` and `on position NAME`
    (moves are generated for this piece or board position), `on run` (the host runs a word).

    Raises:
        ForthVMError: The description is invalid, or names unknown words, lines or events.
    """
    location, separator, condition = text.partition(" if ")
    location, condition = location.strip(), condition.strip()
    if options.get("condition"):
        location, separator = text.strip(), ""
    elif condition:
        options["condition"] = condition
    if separator and not condition:
        raise ForthVMError("`if` needs a condition in Forth, such as  if here e5 =")
    if not location:
        raise ForthVMError("break: a word, FILE:LINE, or `on move`; see help break")
    point = Breakpoint(number, location, **options)
    words = location.split()
    if words[0] == "on" and len(words) > 1:
        _read_event(point, words[1:], target)
    elif _words_named(location, target) or code.expansions(location):
        _mark_word(point, target, code, location)
    elif code.expansions(location):
        point.marks = dict.fromkeys(code.expansions(location), Mark.CELL)
        point.where = f"macro {location}"
    elif target.loads and len(words) == 1 and _LINE.match(location) is None:
        point.refresh = partial(_mark_word, point, target, code, location)
        point.refresh()
    else:
        _read_line(point, location, target, code)
    return point


def make_line_breakpoint(
    number: int, source: Path | str, line: int, target: Target, code: CodeMap, **options: str
) -> Breakpoint:
    """Make a breakpoint on a line of a file or of a text with a name.

    If it cannot stop runs, its `problem` says why.
    """
    point = Breakpoint(number, f"{source}:{line}", **options)
    point.line = line

    def find_file() -> None:
        file = code.file_at(source) if isinstance(source, Path) else code.find_file(source)
        if file is None:
            point.problem = f"{source} is not loaded"
            return
        point.text = f"{file.name}:{line}"
        point.refresh = partial(_mark_line, point, file, line, code, loads=target.loads)
        point.refresh()

    point.refresh = find_file
    find_file()
    return point


def _mark_line(
    point: Breakpoint, file: SourceFile, line: int, code: CodeMap, *, loads: bool
) -> None:
    """Mark the code of a line, or of the next line with code."""
    found = code.find_code(file, line, loads=loads)
    point.file, point.line, point.problem = file, found.line, found.problem
    if not found.cells:
        point.passes = None
    elif point.passes is None or point.passes.code != found:
        point.passes = LinePasses(found)
    point.marks = dict.fromkeys(point.passes.cells if point.passes is not None else (), Mark.CELL)
    point.text_line = (file.base, file.name, found.line) if found.interpreted else None
    point.where = f"{file.name}:{found.line}"


def _mark_word(point: Breakpoint, target: Target, code: CodeMap, name: str) -> None:
    """Mark a word or, if there is none, the places where a macro with this name is expanded."""
    words = _words_named(name, target)
    cells = code.expansions(name) if not words else ()
    point.problem = "" if words or cells else f"the word {name} is not defined yet"
    point.marks |= {target.vm.token(word): Mark.WORD for word in words}
    point.marks |= dict.fromkeys(cells, Mark.CELL)
    if cells:
        point.where = f"macro {name}"
    if words:
        location = target.vm.locate(words[0])
        point.where = str(location) if location is not None else "kernel"


def _words_named(name: str, target: Target) -> list[str]:
    """Return the word with a name, or the words compiled from a macro with this name."""
    vm = target.vm
    if vm.find(name) is not None:
        return [name]
    is_rule_file = any(text.original is not None for text in vm.sources.texts)
    return [word for word in vm.words() if word.startswith(f"{name}(")] if is_rule_file else []


def _read_line(point: Breakpoint, line_text: str, target: Target, code: CodeMap) -> None:
    match = _LINE.match(line_text)
    if match is None:
        try:
            target.vm.token(line_text)  # raises an error with similar names
        except UndefinedWord as error:
            error.message = f"no word {line_text!r} to stop at"
            raise
    assert match is not None
    file = code.file_named(match["file"]) if match["file"] else code.main_file()
    if file is None:
        raise ForthVMError("no text with lines was loaded")
    point.refresh = partial(_mark_line, point, file, int(match["line"]), code, loads=target.loads)
    point.refresh()
    if point.problem:
        raise ForthVMError(point.problem)


def _read_event(point: Breakpoint, words: list[str], target: Target) -> None:
    event, names = words[0], words[1:]
    if event not in _EVENTS:
        raise ForthVMError(f"on {event}: the events are {', '.join(_EVENTS)}")
    if len(names) != (1 if event in ("piece", "position") else 0):
        expected = "needs a name" if event in ("piece", "position") else "takes no name"
        raise ForthVMError(f"on {event} {expected}")
    if target.game is None and event != "run":
        raise ForthVMError(f"on {event}: this VM has no game")
    if event in ("run", "piece", "position"):
        point.marks[RUN_CELL] = Mark.CELL
    if event == "run":
        point.any_run = True
    elif event in ("move", "capture"):
        for name in ("add-move",) if event == "move" else _CAPTURE_WORDS:
            token = target.vm.find(name)
            if token is not None:
                point.marks[token] = Mark.WORD
    else:
        _read_piece_or_position(point, event, names[0], target)


def _read_piece_or_position(point: Breakpoint, event: str, name: str, target: Target) -> None:
    game = target.game
    assert game is not None
    if event == "piece":
        numbers = {kind.name: kind.number for kind in game.piece_types}
        if name not in numbers:
            raise ForthVMError(f"no piece {name!r}; there are {', '.join(numbers)}")
        point.piece = numbers[name]
    else:
        if name not in game._loaded.position_index:
            raise ForthVMError(f"no position {name!r} on the board")
        point.square = game._loaded.position_index[name]


class LinePasses:
    """Follows a run through the cells of one line.

    Between a word and the next one in the same call, a run can execute any number of other calls,
    also of the same definition.  So the words are remembered by the number of open calls.

    Attributes:
        code: The code of the line.
        cells: The cells at which the trace must stop.
        enters: Whether the run enters the line with the cell of the last stop.
    """

    def __init__(self, code: FoundCode) -> None:
        self.code = code
        self._words_before = frozenset(code.words_before.values())
        self.cells = code.cells.union(code.starts, self._words_before)
        self.enters = False
        self._last: dict[tuple[int, int], tuple[int, int]] = {}  # by call: word and step

    def follow(self, stop: TracePoint, step: int) -> None:
        """Follow the run to a stop of the trace.

        Args:
            stop: The stop.
            step: The number of its token, which is the same each time the target runs.
        """
        self.enters = False
        if stop.executed or stop.ip not in self.cells:
            return
        call = stop.nesting, stop.calls
        before, last_step = self._last.pop(call, (0, 0))
        # After going back, the remembered step may be a later one.
        continues = last_step < step and before and before == self.code.words_before.get(stop.ip)
        self.enters = stop.ip in self.code.cells and not continues
        if stop.ip in self._words_before:
            self._last[call] = stop.ip, step

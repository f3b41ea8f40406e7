"""Breakpoints: code or events at which a run stops, with conditions and counts.

Owns the parsing of breakpoints, the cells and words that they mark, and the test whether a stop
belongs to one.  It must not know how a run is stopped, nor evaluate conditions itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.core.bindings import Mark, Reason
from forthvm.core.bindings.layout import TYPE_MASK
from forthvm.core.errors import ForthVMError, Phase, UndefinedWord

if TYPE_CHECKING:
    from forthvm.core.bindings import TracePoint
    from forthvm.debug.code_map import CodeMap

    from .targets import Target

__all__ = ["Breakpoint", "make_breakpoint"]

_LINE = re.compile(r"(?:(?P<file>.+):)?(?P<line>\d+)\Z")
_EVENTS = ("move", "capture", "piece", "position", "run")
_CAPTURES = ("capture", "capture-at")


class Breakpoint:
    """One breakpoint.

    Attributes:
        number: Its number in commands.
        text: Its description, without the condition.
        condition: Forth that leaves a flag; "" for none.
        enabled: Whether it stops runs.
        ignore: How many more times it is ignored.
        hits: How often it was reached with its condition true.
        marks: Addresses with the mark that each gets.
        where: Its source position as text.
        fault: The message with which its condition last failed; "" if it did not fail.
    """

    def __init__(self, number: int, text: str, condition: str = "") -> None:
        self.number = number
        self.text = text
        self.condition = condition
        self.enabled = True
        self.ignore = 0
        self.hits = 0
        self.marks: dict[int, Mark] = {}
        self.where = ""
        self.fault = ""
        self.piece: int | None = None
        self.square: int | None = None
        self.any_run = False

    @property
    def runs(self) -> bool:
        """Whether it must be checked at each word that the host runs."""
        return self.any_run or self.piece is not None or self.square is not None

    def matches(self, stop: TracePoint, scan: tuple[int, int]) -> bool:
        """Whether a stop belongs to this breakpoint.

        `scan` is the piece and the board position for which moves are being generated.
        """
        if not self.enabled:
            return False
        if stop.reasons & Reason.BREAK and (
            (not stop.executed and self.marks.get(stop.ip, 0) & Mark.CELL)
            or self.marks.get(stop.word, 0) & Mark.WORD
        ):
            return True
        if not stop.reasons & Reason.RUN:
            return False
        if self.any_run:
            return True
        generating = stop.phase is Phase.GENERATE and bool(stop.generator)
        return generating and (
            (self.piece is not None and scan[0] & TYPE_MASK == self.piece)
            or (self.square is not None and scan[1] == self.square)
        )

    def __str__(self) -> str:
        tail = f" if {self.condition}" if self.condition else ""
        return f"{self.number}: {self.text}{tail}"


def make_breakpoint(number: int, text: str, target: Target, code: CodeMap) -> Breakpoint:
    """Parse `WORD`, `FILE:LINE`, `LINE` or `on EVENT`, each optionally with `if CONDITION`.

    Events: `on move` (a move is added), `on capture`, `on piece NAME` and `on position NAME`
    (moves are generated for it), `on run` (the host runs a word).

    Raises:
        ForthVMError: The description is invalid, or names unknown words, lines or events.
    """
    what, found, condition = text.partition(" if ")
    what, condition = what.strip(), condition.strip()
    if found and not condition:
        raise ForthVMError("`if` needs a condition in Forth, such as  if here e5 =")
    if not what:
        raise ForthVMError("break: a word, FILE:LINE, or `on move`; see help break")
    made = Breakpoint(number, what, condition)
    words = what.split()
    if words[0] == "on" and len(words) > 1:
        _read_event(made, words[1:], target)
    elif _is_word(target, what):
        _mark_word(made, target, what)
    else:
        _read_line(made, what, target, code)
    return made


def _is_word(target: Target, name: str) -> bool:
    return target.vm.find(name) is not None


def _mark_word(made: Breakpoint, target: Target, name: str) -> None:
    made.marks[target.vm.token(name)] = Mark.WORD
    place = target.vm.locate(name)
    made.where = str(place) if place is not None else "kernel"


def _read_line(made: Breakpoint, what: str, target: Target, code: CodeMap) -> None:
    match = _LINE.match(what)
    if match is None:
        try:
            target.vm.token(what)
        except UndefinedWord as error:
            error.message = f"no word {what!r} to stop at"
            raise
    assert match is not None
    text = code.text_named(match["file"]) if match["file"] else code.main_text()
    if text is None:
        raise ForthVMError("nothing was loaded that has lines")
    line, cells = code.cells_at(text, int(match["line"]))
    made.marks.update(dict.fromkeys(cells, Mark.CELL))
    made.where = f"{text.name}:{line}"


def _read_event(made: Breakpoint, words: list[str], target: Target) -> None:
    event, names = words[0], words[1:]
    if event not in _EVENTS:
        raise ForthVMError(f"on {event}: there is only on {', on '.join(_EVENTS)}")
    if (event in ("piece", "position")) != (len(names) == 1):
        expected = "needs a name" if event in ("piece", "position") else "takes no name"
        raise ForthVMError(f"on {event} {expected}")
    if target.game is None and event != "run":
        raise ForthVMError(f"on {event}: this VM plays no game")
    if event == "run":
        made.any_run = True
    elif event in ("move", "capture"):
        for name in ("add-move",) if event == "move" else _CAPTURES:
            token = target.vm.find(name)
            if token is not None:
                made.marks[token] = Mark.WORD
    else:
        _read_name(made, event, names[0], target)


def _read_name(made: Breakpoint, event: str, name: str, target: Target) -> None:
    game = target.game
    assert game is not None
    if event == "piece":
        numbers = {kind.name: kind.number for kind in game.piece_types}
        if name not in numbers:
            raise ForthVMError(f"no piece {name!r}; there are {', '.join(numbers)}")
        made.piece = numbers[name]
    else:
        if name not in game.position_index:
            raise ForthVMError(f"no position {name!r} on the board")
        made.square = game.position_index[name]

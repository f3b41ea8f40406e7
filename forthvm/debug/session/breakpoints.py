"""Breakpoints: what is to be stopped at, under which condition, and how often it was met.

Owns reading their descriptions, the cells and words that they mark, and whether a stop is
theirs.  It must not know how a run is stopped, nor evaluate conditions itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.core.bindings import Mark, Reason
from forthvm.core.bindings.layout import TYPE_MASK
from forthvm.core.errors import ForthVMError, Phase, UndefinedWord

if TYPE_CHECKING:
    from forthvm.core.bindings import Place
    from forthvm.debug.code_map import CodeMap

    from .targets import Target

__all__ = ["Breakpoint", "make_breakpoint"]

_LINE = re.compile(r"(?:(?P<file>.+):)?(?P<line>\d+)\Z")
_EVENTS = ("move", "capture", "piece", "position", "run")
_CAPTURES = ("capture", "capture-at")


class Breakpoint:
    """One breakpoint.

    Attributes:
        number: Its name in commands.
        text: What it is for, as it was asked for.
        condition: Forth that leaves a flag; "" always.
        enabled: Whether it stops anything.
        ignore: So many more times it is passed over.
        hits: How often it was met with its condition true.
        marks: Addresses with the mark that each gets.
        where: Places of the source, for people.
        fault: What its condition failed with last, "" if it did not.
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
        """Whether it asks at each word that the host runs."""
        return self.any_run or self.piece is not None or self.square is not None

    def met(self, place: Place, scan: tuple[int, int]) -> bool:
        """Whether a stop is this breakpoint's; `scan`: piece and position being looked at."""
        if not self.enabled:
            return False
        if place.reasons & Reason.BREAK and (
            (not place.executed and self.marks.get(place.ip, 0) & Mark.CELL)
            or self.marks.get(place.word, 0) & Mark.WORD
        ):
            return True
        if not place.reasons & Reason.RUN:
            return False
        if self.any_run:
            return True
        generating = place.phase is Phase.GENERATE and bool(place.generator)
        return generating and (
            (self.piece is not None and scan[0] & TYPE_MASK == self.piece)
            or (self.square is not None and scan[1] == self.square)
        )

    def __str__(self) -> str:
        tail = f" if {self.condition}" if self.condition else ""
        return f"{self.number}: {self.text}{tail}"


def make_breakpoint(number: int, text: str, target: Target, code: CodeMap) -> Breakpoint:
    """Read a description: `WORD`, `FILE:LINE`, `LINE`, `on EVENT`, each with `if CONDITION`.

    Events: `on move` (one is added), `on capture`, `on piece NAME` and `on position NAME`
    (moves of it are generated), `on run` (the host runs a word).

    Raises:
        ForthVMError: It says nothing that can be stopped at.
    """
    what, found, condition = text.partition(" if ")
    what, condition = what.strip(), condition.strip()
    if found and not condition:
        raise ForthVMError("`if` wants a condition in Forth, such as  if here e5 =")
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
        wants = "wants a name" if event in ("piece", "position") else "stands alone"
        raise ForthVMError(f"on {event} {wants}")
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

"""The visible state of a stopped run.

Owns the fields of the state and the reading of a stopped VM.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, HEADER
from forthvm.core.bindings.layout import MOVE_CODE as MOVE_KIND
from forthvm.core.errors.explainer import Explainer
from forthvm.core.location import Frame
from forthvm.core.words.stack_effect import Effect
from forthvm.debug.session.cell_text import token_word

from .watchpoints import Watched

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.core.bindings import Call, Trace, TracePoint
    from forthvm.core.errors import ForthVMError
    from forthvm.core.location import Location
    from forthvm.core.records import ErrorRecord
    from forthvm.core.vm import VM

    from .watchpoints import Changed, Watchpoint

__all__ = ["MOVE_CODE", "Caller", "GenerationState", "Inspector", "State"]

#: The name displayed for the code of a generated move, which is not a word.
MOVE_CODE = "(move)"

_MAX_ITEMS = 256
_DEFINITION_WITH_EFFECT = re.compile(r":\s+\S+\s+\(\s([^)]*--[^)]*)\)")


@dataclass(frozen=True)
class Caller:
    """A call that has not returned.

    Attributes:
        word: The called word.
        location: The source position of the call; None if the host called the word.
    """

    word: str
    location: Location | None


@dataclass(frozen=True)
class GenerationState:
    """The player, piece and board positions for which moves are being generated; "" for none.

    Attributes:
        player: The for-player.
        piece: The piece for which the move word runs.
        origin: The board position of the piece.
        here: The current board position of the move word.
    """

    player: str = ""
    piece: str = ""
    origin: str = ""
    here: str = ""


@dataclass(frozen=True, kw_only=True)
class State:
    """A stopped run.

    Attributes:
        step: The number of the next token, from 1; it is the same each time the target runs.
        reason: Why the run stopped: `entry`, `step`, `breakpoint`, `watch`, `failure`, `pause`,
            `start` (the first token: going back further is impossible) or `end`.
        breakpoints: The numbers of the breakpoints reached, or of the watchpoints whose memory the
            next token changes.
        changes: Changes of watched memory.
        location: The source position of the next token; None if it has none or the run has ended.
        changed_at: The source position of the token that made the changes.
        token: The text of the next token; without a source position, the name of its word.
        word: The word that contains the token; "" outside all words.
        stack: The parameter stack, the top last; at most the topmost 256 items.
        names: The names of the items in the word's stack comment; "" if unknown.
        words: The words of which the items are tokens; "" for other items.
        depth: The number of items on the stack.
        callers: The calls that have not returned, innermost first.
        texts: While a text is interpreted: the place of its token, and the places of the LOADs that
            led to the text, innermost first.
        watched: The current values of watched memory.
        generation_state: For a game, the player, piece and board positions of the move generation.
        phase: The host's current request as text.
        error: The error of the next token, or of the run at its end.
        result: The result of the run, at its end.
        ended: Whether the run has ended.
        note: An additional remark.
    """

    step: int
    reason: str
    breakpoints: tuple[int, ...] = ()
    changes: tuple[Changed, ...] = ()
    location: Location | None = None
    changed_at: Location | None = None
    token: str = ""
    word: str = ""
    stack: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    depth: int = 0
    callers: tuple[Caller, ...] = ()
    texts: tuple[Location, ...] = ()
    watched: tuple[Watched, ...] = ()
    generation_state: GenerationState | None = None
    phase: str = ""
    error: ForthVMError | None = None
    result: object = None
    ended: bool = False
    note: str = ""

    @property
    def open_calls(self) -> tuple[Frame, ...]:
        """The open words with the places where each of them is, innermost first."""
        places = [self.location, *(caller.location for caller in self.callers)]
        words = [
            Frame(0, caller.word, place)
            for caller, place in zip(self.callers, places, strict=False)
            if place is not None
        ]
        return (*words, *(Frame(0, None, place) for place in self.texts[:1] if words))


class Inspector:
    """Reads a stopped VM."""

    def __init__(self, vm: VM, trace: Trace, *, has_game: bool) -> None:
        self._vm = vm
        self._native = vm.native
        self._trace = trace
        self._sources = vm.sources
        self._explainer = Explainer(vm.native, self._sources, vm.native.words)
        self._has_game = has_game
        self._effects_by_xt: dict[int, Effect | None] = {}
        self._from = vm.native.variable_address("$from") if has_game else 0
        self._here = vm.native.variable_address("$pos") if has_game else 0
        self._piece = vm.native.variable_address("$piece") if has_game else 0
        self._player = vm.native.variable_address("$player") if has_game else 0

    def generating_piece(self) -> tuple[int, int]:
        """Return the piece and the board position for which moves are being generated."""
        return self._cell(self._piece), self._cell(self._from)

    def state(
        self,
        stop: TracePoint,
        step: int,
        reason: str,
        watches: Iterable[Watchpoint] = (),
    ) -> State:
        """Return the complete state at a stop of the trace."""
        calls = self._trace.calls()
        stack, depth = self.stack()
        names = self._names(calls, stack, depth)
        callers = tuple(self._caller(call) for call in calls)
        return State(
            step=step,
            reason=reason,
            location=self._location(stop),
            changed_at=self._vm.location_of(stop.before) if stop.before else None,
            token=self._token(stop),
            word=callers[0].word if callers else "",
            stack=stack,
            names=names,
            words=self.words(stack, names),
            depth=depth,
            callers=callers,
            texts=self._texts(stop.text),
            watched=self.watched(watches),
            generation_state=self.generation_state(),
            phase=stop.phase.name.lower().replace("_", " "),
        )

    def stack(self) -> tuple[tuple[int, ...], int]:
        """Return the topmost items, the top last, and the depth of the stack."""
        depth = self._native.depth()
        shown = min(max(depth, 0), _MAX_ITEMS)
        return tuple(self._native.pick(n) for n in range(shown - 1, -1, -1)), depth

    def words(self, stack: Sequence[int], names: Sequence[str]) -> tuple[str, ...]:
        """Return the words of which items of the stack are tokens; "" for other items."""
        return tuple(
            token_word(self._vm, cell, name) for cell, name in zip(stack, names, strict=True)
        )

    def watched(self, watches: Iterable[Watchpoint]) -> tuple[Watched, ...]:
        """Return the current values of watched memory."""
        return tuple(self._read_watched(watch) for watch in watches)

    def generation_state(self) -> GenerationState | None:
        """Return the player, piece and board positions of the generation; None without a game."""
        if not self._has_game:
            return None
        explain = self._explainer
        return GenerationState(
            explain.player_name(self._cell(self._player)) or "",
            explain.piece_name(self._cell(self._piece)) or "",
            explain.position_name(self._cell(self._from)) or "",
            explain.position_name(self._cell(self._here)) or "",
        )

    def explain(self, record: ErrorRecord) -> ForthVMError:
        """Return the error of a complete record."""
        return self._explainer.explain(record)

    def word_name(self, xt: int) -> str:
        """Return the name of a word; the xt as text if the word has no name."""
        if self._native.primitive(xt) == MOVE_KIND:
            return MOVE_CODE
        return self._explainer.name_of(xt) or str(xt)

    def address_of(self, watch: Watchpoint) -> int:
        """Return the current address of a watched range."""
        base = self._native.read_cell(watch.base) if watch.base else 0
        return watch.address + base

    def _read_watched(self, watch: Watchpoint) -> Watched:
        data = self._native.read(self.address_of(watch), watch.length)
        return Watched(watch.number, watch.text, watch.show(data), data)

    def _cell(self, address: int) -> int:
        return self._native.read_cell(address) if address else -1

    def _location(self, stop: TracePoint) -> Location | None:
        location = self._sources.locate(stop.source)
        if location is None and stop.executed and not stop.ip:  # run by the host
            for address in _source_addresses(stop.word):
                location = self._vm.location_of(address)
                if location is not None:
                    break
        return location

    def _texts(self, position: int) -> tuple[Location, ...]:
        """Return the place of a token in a text, and of the LOADs that led to the text."""
        place = self._sources.locate(position) if position else None
        return (place, *self._sources.loads(position)) if place is not None else ()

    def _token(self, stop: TracePoint) -> str:
        location = self._sources.locate(stop.source)
        if location is not None and not stop.executed:
            return location.text[location.column - 1 :][: location.length]
        return self.word_name(stop.word)

    def _caller(self, call: Call) -> Caller:
        return Caller(self.word_name(call.word), self._vm.location_of(call.ip) if call.ip else None)

    def _names(
        self, calls: tuple[Call, ...], stack: tuple[int, ...], depth: int
    ) -> tuple[str, ...]:
        """Return the names of the word's parameters that are still on the stack; "" for others."""
        names = [""] * len(stack)
        if not calls:
            return tuple(names)
        effect = self._effect(calls[0].word)
        if effect is not None:
            depth_before_parameters = calls[0].depth - len(effect.takes)
            hidden_items = depth - len(stack)  # below the items in `stack`
            for at, name in enumerate(effect.takes, depth_before_parameters - hidden_items):
                if 0 <= at < len(names):
                    names[at] = name
        return tuple(names)

    def _effect(self, xt: int) -> Effect | None:
        if xt not in self._effects_by_xt:
            self._effects_by_xt[xt] = self._read_effect(xt)
        return self._effects_by_xt[xt]

    def _read_effect(self, xt: int) -> Effect | None:
        """Return the stack comment after the name in the word's definition."""
        native = self._native
        for address in _source_addresses(xt):
            position = native.source_at(address)
            text = self._sources.text_at(position)
            if text is None:
                continue
            source = text.decode(text.data)
            offset = len(text.decode(text.data[: position - text.base]))
            line_start = max(source.rfind("\n", 0, offset), 0)
            match = _DEFINITION_WITH_EFFECT.search(source, line_start)
            if match is not None and match.start() <= offset + 2:  # not of a later definition
                try:
                    return Effect.parse(match[1])
                except ValueError:
                    return None
        return None


def _source_addresses(xt: int) -> tuple[int, ...]:
    """Return the addresses of a word that may have the source position of its definition."""
    return xt, xt - HEADER, xt + CELL  # the code field, the header, the first cell of the body

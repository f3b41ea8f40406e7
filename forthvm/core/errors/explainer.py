"""Translates an error record of the C core into an exception with names and source locations.

This file reads the library's tables to name players, pieces and board positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, DOES, TYPE_MASK
from forthvm.core.failure import ForthVMError
from forthvm.core.location import Frame, GameContext
from forthvm.core.status import Phase, Status
from forthvm.core.text.advice import advice

from . import UndefinedWord
from .classes import class_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from forthvm.core.bindings import NativeVM
    from forthvm.core.loading.source import SourceTable
    from forthvm.core.records import ErrorRecord

__all__ = ["Explainer"]

_PLAYER_SHIFT = 11
_PLAYER_NUMBERS = 31
_PIECE_CELLS = 4

# Advice for users of the Python API, and for users of the command line.
_ADVICE = {
    Status.STEPS: (
        "raise the limit with Budget(steps=…)",
        "raise the limit with --max-steps N",
    ),
    Status.MEMORY: (
        "raise the limit with Budget(memory=…)",
        "raise the limit with --max-memory MIB",
    ),
    Status.TIME: ("the limit is Budget(seconds=…)", ""),
    Status.RETURN_OVERFLOW: (
        "an endless recursion? the limit is Budget(depth=…), 4096 at most",
        "an endless recursion? calls nest up to 4096 deep",
    ),
    Status.UNSET_DEFER: ("a DEFER gets its action with  ' word IS name",) * 2,
    Status.MOVE_TEXT: (
        "later versions of Axiom take longer texts: axiom=150",
        "later versions of Axiom take longer texts: --axiom 150",
    ),
    Status.PARTIAL: (
        "call `partial` before the edits of the move, or use axiom=150",
        "call `partial` before the edits of the move, or use --axiom 150",
    ),
}

_RAISE_SECONDS = (
    "raise the limit with Budget(call_seconds=…)",
    "raise the limit with --max-seconds N (0: no limit)",
)

# Phases whose messages name the player to move.
_PHASES_WITH_MOVER = {Phase.APPLY, Phase.GAME_OVER, Phase.NEXT_TURN, Phase.SEARCH}

# Primitives that control words and `;` compile; their names do not occur in scripts.
_COMPILED = frozenset({"BRANCH", "0BRANCH", "(DO)", "(LOOP)", "(+LOOP)", "(;)"})

_TEXT_INTERPRETER = "$interpret"
"""The word of the library of standard Forth that interprets the tokens of a text."""


def _advice(texts: tuple[str, str]) -> str:
    python, command_line = texts
    return advice(python=python, command_line=command_line)


class Explainer:
    """Makes exceptions for one VM."""

    def __init__(
        self, native: NativeVM, sources: SourceTable, words: Callable[[], Iterable[str]]
    ) -> None:
        self._native = native
        self._sources = sources
        self._words = words
        self.hides_library_words = False

    def explain(self, record: ErrorRecord) -> ForthVMError:
        """Return the exception for a record."""
        sources = self._sources
        position = self._position(record)
        trace = self._trace(record)
        error = class_for(record.status)(
            status=record.status,
            word=self._word(record),
            detail=record.text,
            value=record.value,
            trace=trace,
            calls=self._calls(record, trace),
            location=sources.locate(position),
            phase=record.phase,
            game_context=self._game_context(record),
            loads=sources.loads(position),
            steps=record.steps,
        )
        error.hints = tuple(self._hints(error, position))
        return error

    def _position(self, record: ErrorRecord) -> int:
        """Return the source position to report: the innermost position in the script's texts.

        If all positions are in the library, the innermost of these is returned.  For an unknown
        token, the position of the token is returned.
        """
        compiled = [self._native.source_at(a) for a in (record.ip, *record.trace) if a]
        positions = [position for position in (*compiled, record.source_pos) if position]
        if self._is_unknown_token(record) and record.source_pos:
            return record.source_pos
        for position in positions:
            text = self._sources.text_at(position)
            if text is not None and not text.library:
                return position
        return positions[0] if positions else 0

    def _is_unknown_token(self, record: ErrorRecord) -> bool:
        """Return whether a token is undefined, and no word defined by the script was running."""
        if record.status != Status.UNDEFINED:
            return False
        texts = (
            self._sources.text_at(self._native.source_at(address))
            for address in (record.ip, *record.trace)
            if address
        )
        return all(text is None or text.library for text in texts)

    def _word(self, record: ErrorRecord) -> str | None:
        """Return the name of the word that failed; None if no word was running."""
        if self._is_unknown_token(record):
            return None
        if not record.ip and record.phase not in (Phase.INTERPRET, Phase.CALL):
            return None  # the kernel failed while no word was running
        name = self.name_of(record.word)
        if self.hides_library_words and name is not None:
            return self._standard_word(record, name)
        if name in _COMPILED and record.ip:
            location = self._sources.locate(self._native.source_at(record.ip))
            if location is not None:  # return the token in the source, such as IF, LOOP or ;
                return location.text[location.column - 1 :][: location.length]
        return name

    def _standard_word(self, record: ErrorRecord, name: str) -> str | None:
        """Return the name of the library word that the script ran, given that of the failed word.

        None: the text interpreter ran the word, so that the location shows its token.
        """
        for address in (record.ip, *record.trace):
            if not address or not self._is_library(address):
                break
            caller = self._native.name(self._native.word_at(address))
            if caller == _TEXT_INTERPRETER:
                return None
            name = caller
        return None if name.startswith("$") else name

    def name_of(self, cfa: int) -> str | None:
        """Return the name of the word with that code field, None if there is no such word."""
        if not cfa:
            return None
        nfa = self._native.word_at(cfa)
        return self._native.name(nfa) if nfa else None

    def _trace(self, record: ErrorRecord) -> list[Frame]:
        """Return the open calls that have a source location, innermost first."""
        native, sources = self._native, self._sources
        frames = []
        calls = [address for address in (record.ip, *record.trace) if address]
        for address, caller in zip(calls, [*calls[1:], 0], strict=False):
            nfa = native.word_at(address)
            location = sources.locate(native.source_at(address))
            if self.hides_library_words and self._is_library(address):
                continue
            if nfa and location is not None:  # move code has neither a header nor a location
                word = self._created_word(nfa, caller) or native.name(nfa)
                frames.append(Frame(address, word, location))
        if frames and record.phase is Phase.INTERPRET and record.source_pos:
            frames.append(Frame(0, None, sources.locate(record.source_pos)))
        return frames

    def _calls(self, record: ErrorRecord, trace: list[Frame]) -> int:
        """Return the number of open calls, of which the record may omit some."""
        if self.hides_library_words and not trace:
            return 0  # the record has calls of the library only
        return len(trace) + record.calls - len(record.trace)

    def _is_library(self, address: int) -> bool:
        """Return whether code belongs to the library."""
        text = self._sources.text_at(self._native.source_at(address))
        return text is None or text.library

    def _created_word(self, nfa: int, caller: int) -> str | None:
        """Return the name of the word whose DOES> code was running; None for other code.

        DOES> code is part of the defining word, at `nfa`, not of the word that was called.
        """
        native = self._native
        if not caller:
            return None
        token = native.read_cell(caller)
        if native.primitive(token) != DOES or native.word_at(native.read_cell(token + CELL)) != nfa:
            return None
        return self.name_of(token)

    def _hints(self, error: ForthVMError, position: int) -> list[str]:
        """Return lines of advice for an error at a source position."""
        hints = []
        if isinstance(error, UndefinedWord):
            # `:` defines the next name, known or not, unless `:` itself is in a definition.
            if self._sources.token_before(position) == b":":
                hints.append("the definition above it is not finished by ;")
            from .report import suggest  # needed only for errors

            near = suggest(error.detail, self._words())
            if near:
                hints.append(near)
        elif error.status == Status.TIME and error.detail:
            hints.append(_advice(_RAISE_SECONDS))
        elif error.status in _ADVICE:
            words = [frame.word for frame in error.trace if frame.word]
            if error.status == Status.MEMORY and error.phase is Phase.GENERATE and words:
                hints.append(f"does a loop of `{words[-1]}` add the same move again and again?")
            hints.append(_advice(_ADVICE[error.status]))
        return [hint for hint in hints if hint]

    # --- player, piece and board position of move generation ---------------------------

    def _game_context(self, record: ErrorRecord) -> GameContext | None:
        """Return the names for a failure in a game; None outside a game."""
        if record.phase in (Phase.INTERPRET, Phase.CALL):
            return None
        try:
            context = GameContext(
                self.player_name(self._player(record)),
                self.piece_name(record.piece),
                self.position_name(record.position),
            )
        except ForthVMError:  # the script has damaged the tables; report the original error
            return None
        return context if context != GameContext() else None

    def _player(self, record: ErrorRecord) -> int:
        """Return the player to move; -1 in a search, where the failing position is unknown."""
        if record.player != -1 or record.phase not in _PHASES_WITH_MOVER:
            return record.player
        if self._native.searching and record.phase is not Phase.SEARCH:
            return -1
        return self._native.variable("$player") or -1

    def player_name(self, player: int) -> str | None:
        """Return the name of a player, given the value of its constant."""
        number = player >> _PLAYER_SHIFT & _PLAYER_NUMBERS
        return self._constant("$players", number - 1, 1) if player > 0 and number else None

    def piece_name(self, piece: int) -> str | None:
        """Return the name of the type of a piece."""
        number = piece & TYPE_MASK
        if piece == -1 or not number:
            return None
        return self._constant("$pieces", number - 1, _PIECE_CELLS)

    def position_name(self, position: int) -> str | None:
        """Return the name of a board position."""
        count = self._native.variable("$positions")
        table = self._native.variable("$posNames")
        if not table or count is None or not 0 <= position < count:
            return None
        return self._native.read_string(self._native.read_cell(table + CELL * position))

    def _constant(self, variable: str, index: int, cells: int) -> str | None:
        """Return the name of a constant in a library table whose entries have `cells` cells."""
        table = self._native.variable(variable)
        count = self._native.variable("$playerCount" if cells == 1 else "$pieceCount")
        if not table or count is None or not 0 <= index < count:
            return None
        return self.name_of(self._native.read_cell(table + CELL * cells * index))

"""Traced generation: the move words of a position, their runs and their decisions.

Owns the repeated generation from the same memory and the division of its log into runs.  A
generation can invert decisions of the script.  why_not/query.py and explain/query.py use it.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON, HEADER
from forthvm.core.errors import ForthVMError, Interrupted
from forthvm.core.output import redirected
from forthvm.core.records import Option
from forthvm.debug.source_map.source_cells import SourceCells
from forthvm.game.tables import cells_of

from .tracing import Inversion, RemovalControl, RunFollower, TraceControl, tracing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from forthvm.core.bindings import NativeVM, Snapshot
    from forthvm.core.bindings.trace import Record
    from forthvm.debug.generation.time_limit import TimeLimit
    from forthvm.game import Position

__all__ = [
    "BRANCH",
    "FILTER",
    "PASSES",
    "Generation",
    "Inversion",
    "ListEntry",
    "Run",
    "TracedGeneration",
    "Trial",
    "traced_generation",
]

BRANCH = "0BRANCH"
"""The word that IF, WHILE and UNTIL compile."""

_PIECE_BYTES = 16  # the length of a piece type's record
_MOVES_OFFSET, _DROPS_OFFSET = 4, 8  # in this record, in bytes
_LIST_ENTRY_BYTES = 8  # the length of an entry of a list of move words
PASSES = ("$Pass", "Pass", "PassNoPartial")
"""Words of the library that can add a pass."""
GUARDS = ("z-add-safely", "z-add-as-safely", "z-drop-safely", "z-lay-safely")
"""Words for rule files that add a move only if no royal piece is attacked after it."""
FILTER = "OnMovesGenerated"
"""The hook that removes moves from the list."""
_MAX_LOGGED_CALL_DEPTH = 5
"""The maximum call depth of IFs that are logged."""
_MIN_STEPS, _STEP_FACTOR = 20_000, 5
"""The step limit of a generation with inverted decisions: a minimum, and a multiple of the steps of
the generation without them."""


@dataclass(frozen=True)
class ListEntry:
    """An entry of a piece type's list of move words.

    Attributes:
        piece_type: The number of the piece type.
        is_drop: Whether the entry is in the list of drops.
        move_type: The move type of the entry; 0 for none.
        list_xt: The execution token of the list.
        word: The execution token of the move word.
        address: The address of the cell that contains the move word.
    """

    piece_type: int
    is_drop: bool
    move_type: int
    list_xt: int
    word: int
    address: int


class Run:
    """The run of a move word for one board position.

    Attributes:
        number: The number of the run in the generation, from 0.
        start_step: The step of the run's first token.
        word: The execution token of the move word.
        square: The index of the board position.
        piece: The piece as a cell value; for drops, the piece that would be dropped.
        first_move: The index of the run's first move among all added moves.
        move_count: The number of moves that the run added.
        records: The log records of the run's tokens.
    """

    __slots__ = (
        "first_move",
        "move_count",
        "number",
        "piece",
        "records",
        "square",
        "start_step",
        "word",
    )

    def __init__(self, number: int, first_record: Record, first_move: int, word: int) -> None:
        """Create a run of `word` without moves and with no other log record."""
        self.number = number
        self.start_step = first_record.step
        self.word = word
        self.square = first_record.origin
        self.piece = first_record.piece
        self.first_move = first_move
        self.move_count = 0
        self.records: list[Record] = []


@dataclass(frozen=True)
class Generation:
    """The log of a traced generation.

    Attributes:
        records_before_runs: The tokens logged before the first move word, in OnGenerateMoves.
        runs: The runs of move words, in order.
        moves: The texts of all added moves, including those of lower priority and those that
            OnMovesGenerated removes.
        addresses: The address of each added move.
        types: The move type of each added move.
        steps: The number of steps of the generation.
    """

    records_before_runs: tuple[Record, ...]
    runs: tuple[Run, ...]
    moves: tuple[str, ...]
    addresses: tuple[int, ...]
    types: tuple[int, ...]
    steps: int

    def run_of_move(self, index: int) -> Run | None:
        """Return the run that added the move with an index; None if the kernel added the move."""
        for run in self.runs:
            if run.first_move <= index < run.first_move + run.move_count:
                return run
        return None


@dataclass(frozen=True)
class Trial:
    """The result of a generation with inverted decisions.

    Attributes:
        records: The log records from the last inverted decision to the end of the run.
        moves: The addresses of the moves in the list.
        failed: Whether the script failed or exceeded its step limit.
        log_full: Whether the log became full, so that later tokens are missing.
    """

    records: tuple[Record, ...]
    moves: tuple[int, ...]
    failed: bool = False
    log_full: bool = False


class TracedGeneration:
    """The repeatable generation of one position's moves.

    Attributes:
        position: The position.
        limit: The time limit of the query.
        native: The VM.
        source_cells: The source tokens of the VM's cells.
        verify_words: The execution tokens of all words named `verify`.
        add_move_words: The execution tokens of the kernel's words named `add-move`.
        remove_move_words: The execution tokens of the words named `$RemoveMove`.
        branch_word: The execution token that IF compiles.
        directions: The names of the directions by execution token.
        demanded_type: The move type that the turn or a partial move demands; 0 for any.
        list_entries: The entries of the piece types' lists of move words.
        move_words: The execution tokens of the words that the kernel runs for moves.
        logged_words: The execution tokens of the words that are logged.
        logged_branches: The addresses of the cells of logged IFs.
        omits_branches: Whether the last generation ran IFs that are not logged.
    """

    def __init__(
        self, position: Position, native: NativeVM, base: Snapshot, limit: TimeLimit
    ) -> None:
        """Read the words of the game; the VM's current memory is that of the snapshot `base`."""
        self.position = position
        self.limit = limit
        self.native = native
        self.source_cells = SourceCells(position._loaded.vm)
        self._xts_by_name = self._all_names()
        self.verify_words = self._xts("verify")
        # The library of version 140 also defines an `add-move`, which calls that of the kernel.
        self.add_move_words = {xt for xt in self._xts("add-move") if native.primitive(xt) < COLON}
        self.remove_move_words = self._xts("$RemoveMove")
        branch_words = self._xts(BRANCH)
        if not branch_words:
            raise ForthVMError(f"the script has overwritten the list of words: {BRANCH} is missing")
        self.branch_word = max(branch_words)
        self.directions = self._directions()
        self.demanded_type = native.variable("$ofType") or 0
        self.list_entries = tuple(self._all_list_entries())
        self._base = base
        self.move_words = {entry.word for entry in self.list_entries} | self._xts(*PASSES)
        self.logged_words = self.verify_words | self.add_move_words | self.directions.keys()
        self.logged_branches: frozenset[int] = frozenset()
        self.omits_branches = False
        self._wrappers: Mapping[int, int] = {}
        self._without_wrappers: tuple[Snapshot, set[int], Mapping[int, int]] = (
            base,
            self.move_words,
            {},
        )
        self._limits = native.run_limits
        self._steps = 0

    # --- words and lists ----------------------------------------------------------------

    def _xts(self, *names: str) -> set[int]:
        return {xt for name in names for xt in self._xts_by_name.get(name, ())}

    def _all_names(self) -> dict[str, list[int]]:
        """Return the execution tokens of all words by name."""
        native = self.native
        xts: dict[str, list[int]] = {}
        nfa = native.latest()
        while nfa:
            xts.setdefault(native.name(nfa), []).append(nfa + HEADER)
            nfa = native.previous(nfa)
        return xts

    def _directions(self) -> dict[int, str]:
        native = self.native
        table, count = native.variable("$directions"), native.variable("$directionCount")
        if not table or not count or count < 0:
            return {}
        names = {self.source_cells.name(xt) for xt in cells_of(native.read(table, count * CELL))}
        # A {symmetries} section defines a second word for a direction, with the same name.
        return {xt: self.source_cells.name(xt) for xt in self._xts(*names)}

    def _all_list_entries(self) -> Iterator[ListEntry]:
        native = self.native
        table = native.variable("$pieces") or 0
        type_count = len(self.position.game.piece_types)
        scanned_count = native.variable("$scanPieceCount") or 0
        if not 0 < scanned_count <= type_count:
            scanned_count = type_count
        for index in range(scanned_count):
            for offset in (_MOVES_OFFSET, _DROPS_OFFSET):
                list_xt = native.read_cell(table + _PIECE_BYTES * index + offset)
                if list_xt:
                    is_drop = offset == _DROPS_OFFSET
                    yield from self._entries_of_list(index + 1, list_xt, is_drop=is_drop)

    def _entries_of_list(
        self, piece_type: int, list_xt: int, *, is_drop: bool
    ) -> Iterator[ListEntry]:
        native = self.native
        body = native.body(list_xt)
        count = native.read_cell(body)
        if body + CELL + _LIST_ENTRY_BYTES * count > native.here():
            raise ForthVMError(f"the list of move words of piece type {piece_type} is damaged")
        for index in range(count):
            address = body + CELL + _LIST_ENTRY_BYTES * index
            word, move_type = cells_of(native.read(address, _LIST_ENTRY_BYTES))
            yield ListEntry(piece_type, is_drop, move_type, list_xt, word, address)

    # --- running ------------------------------------------------------------------------

    def is_wrapper(self, address: int) -> bool:
        """Whether a cell belongs to a wrapper that `add_unfinished_moves` put around a word."""
        return self.native.word_at(address) + HEADER in self._wrappers

    def add_unfinished_moves(self) -> bool:
        """Run `add-move` after each move word, so that unfinished moves are added, too.

        The change applies until `stop_adding_unfinished_moves` is called.

        Returns:
            Whether the library has the words that this change needs.
        """
        from forthvm.debug.generation.unfinished_moves import wrap_move_words  # rarely needed

        native = self.native
        native.snapshot_restore(self._base)
        native.game_free_lists()  # definitions must not follow a move list that will be freed
        self._without_wrappers = (self._base, self.move_words, self._wrappers)
        self._wrappers = wrap_move_words(self)
        if self._wrappers:
            self._base = native.snapshot_take()
            self.move_words = self._wrappers.keys() | self._xts(*PASSES)
        return bool(self._wrappers)

    def stop_adding_unfinished_moves(self) -> None:
        """Remove the effect of `add_unfinished_moves`."""
        self._base, self.move_words, self._wrappers = self._without_wrappers
        self.native.snapshot_restore(self._base)

    def generate(self, *, any_type: bool = False) -> Generation:
        """Generate the moves without priorities and OnMovesGenerated, and log the decisions.

        Args:
            any_type: Run the words of all move types, even if the turn demands one type.

        Raises:
            ForthVMError: The script fails.
        """
        with tracing(TraceControl(self)) as control:
            addresses = self.generate_list(control, any_type=any_type)
            self._steps = self.native.steps()
            texts = tuple(map(self.native.move_text, addresses))
            types = tuple(map(self.native.move_type, addresses))
        self._choose_branches(control.records, control.busy_branches)
        self.limit.check()
        records_before_runs, runs = self._split_into_runs(control.records)
        return Generation(records_before_runs, runs, texts, addresses, types, self._steps)

    def legal(self) -> tuple[int, ...]:
        """Return the addresses of the moves in the list of legal moves.

        A move that `generate` also finds has the same address there.

        Raises:
            ForthVMError: The script fails.
        """
        self.native.snapshot_restore(self._base)
        self.native.game_generate()
        return self.native.move_list()

    def removals(self) -> Mapping[int, Record]:
        """Return the calls of `$RemoveMove` in OnMovesGenerated by addresses of removed moves.

        Priorities are not applied.

        Raises:
            ForthVMError: The script fails.
        """
        with tracing(RemovalControl(self)) as control:
            self.generate_list(control, filtered=True)
        return {record.top: record for record in control.records}

    def _choose_branches(self, records: Iterable[Record], busy_branches: set[int]) -> None:
        """Choose the IFs to log in later generations: all except those deep in auxiliary words.

        In some games, an IF in an auxiliary word runs a thousand times for a single move word.
        """
        shallow = {record.ip for record in records if len(record.calls) <= _MAX_LOGGED_CALL_DEPTH}
        deep = {record.ip for record in records} - shallow
        self.logged_branches = frozenset(self.script_branches() - deep - busy_branches)
        self.omits_branches = bool(deep or busy_branches)

    def script_branches(self) -> set[int]:
        """Return the cells of the IFs in the script and in the library's words that add moves."""
        native, source_cells = self.native, self.source_cells
        first, end = native.variable_address("$positions"), native.here()
        cells = cells_of(native.read(first, end - first))
        branches = set()
        for index, content in enumerate(cells):
            address = first + CELL * index
            if content == self.branch_word and native.source_at(address):
                cell = source_cells.cell(address)
                if not cell.library or cell.word in (*PASSES, *GUARDS):
                    branches.add(address)
        return branches

    def follow(self, run: Run, order: int) -> tuple[tuple[Record, ...], Mapping[int, int]]:
        """Return the execution path of a run to one of the moves that it adds.

        Args:
            run: The run.
            order: The index of the move in the run, from 0.

        Returns:
            A pair of the log up to the `add-move` of this move, and the number of times that each
            cell ran before it.  The log has the tokens of the words that have not returned when
            the move is added, and all verifies and directions.
        """
        adds = [record for record in run.records if record.word in self.add_move_words]
        words = {self.native.word_at(address) for address in adds[order].calls if address}
        words.add(self.native.word_at(adds[order].ip))
        cells = frozenset(cell for nfa in words if nfa for cell in self._cells_of_definition(nfa))
        with tracing(RunFollower(self, run.start_step, adds[order].step, cells)) as control:
            self.generate_list(control)
        return _outside_frames(control.records), control.counts

    def _cells_of_definition(self, nfa: int) -> range:
        """Return the cell addresses of a definition, up to the header of the next definition."""
        native = self.native
        newer, end = native.latest(), native.here()
        while newer > nfa:
            end = native.read_cell(newer)
            newer = native.previous(newer)
        return range(nfa + HEADER + CELL, end & ~(CELL - 1), CELL)

    def retry(
        self, inversions: Sequence[Inversion], *, any_type: bool = False, priorities: bool = False
    ) -> Trial:
        """Repeat the generation with inverted decisions.

        Args:
            inversions: The decisions in order of execution; all in the same run, or all in
                OnGenerateMoves before the first run.
            any_type: As for `generate`.
            priorities: Whether OnMovesGenerated runs, and moves of lower priority are removed.
        """
        native = self.native
        control = TraceControl(self, inversions[-1].step, inversions)
        native.run_limits = (max(_MIN_STEPS, _STEP_FACTOR * self._steps), 0.0)
        try:
            with tracing(control):
                addresses = self.generate_list(
                    control, any_type=any_type, priorities=priorities, filtered=priorities
                )
        except Interrupted:
            raise
        except ForthVMError:
            return Trial(_outside_frames(control.records), (), failed=True)
        finally:
            native.run_limits = self._limits
        return Trial(_outside_frames(control.records), addresses, log_full=control.log_full)

    def texts(self, addresses: Iterable[int]) -> tuple[str, ...]:
        """Return the texts of moves of the last generation."""
        return tuple(map(self.native.move_text, addresses))

    def generate_list(
        self,
        control: TraceControl,
        *,
        any_type: bool = False,
        priorities: bool = False,
        filtered: bool = False,
    ) -> tuple[int, ...]:
        """Generate the moves once more, under the control of a trace; return their addresses.

        Raises:
            ForthVMError: The script fails.
        """
        native = self.native
        native.snapshot_restore(self._base)
        for name, clear in (("$ofType", any_type), ("$move-priorities", not priorities)):
            address = native.variable_address(name)
            if clear and address:
                native.write_cell(address, 0)
        native.set_option(Option.UNFILTERED, int(not filtered))
        control.begin()
        try:
            native.game_generate()
        finally:
            native.set_option(Option.UNFILTERED, 0)
        control.end()
        return native.move_list()

    def _split_into_runs(
        self, records: Iterable[Record]
    ) -> tuple[tuple[Record, ...], tuple[Run, ...]]:
        """Assign the logged tokens to runs; return the tokens before all runs, and the runs."""
        records_before_runs: list[Record] = []
        runs: list[Run] = []
        added_moves = 0
        for record in records:
            if runs and not record.move:
                continue  # see _outside_frames
            if record.ip == 0 and record.generator == record.word and not record.calls:
                word = self._wrappers.get(record.word, record.word)
                runs.append(Run(len(runs), record, added_moves, word))
            elif record.word == self.branch_word and record.ip not in self.logged_branches:
                continue
            elif not runs:
                records_before_runs.append(record)
            else:
                runs[-1].records.append(record)
                if record.word in self.add_move_words:
                    added_moves += 1
                    runs[-1].move_count += 1
        return tuple(records_before_runs), tuple(runs)


def _outside_frames(records: Sequence[Record]) -> tuple[Record, ...]:
    """Return the log of a run without the tokens of words that `$CatchExit` runs.

    A move word tests something in such words, so their decisions are not its own.  While they run,
    no move is under construction.  This also applies to all tokens of OnGenerateMoves, whose log is
    returned unchanged.
    """
    if not records or not records[0].move:
        return tuple(records)
    return tuple(record for record in records if record.move)


@contextmanager
def traced_generation(position: Position, limit: TimeLimit) -> Iterator[TracedGeneration]:
    """Provide the traced generation of a position; the position is not changed.

    The VM has the memory with which the position's move list was generated: after OnIsGameOver.
    Other threads wait until the `with` block ends.

    Raises:
        ForthVMError: The script fails.
    """
    game, state = position.game, position._state
    with game._loaded.states.in_memory(state, listed=False) as native, redirected(game._loaded.vm):
        if not state.partial and not state.engine_ran:
            native.game_generate()
            native.game_over()
        yield TracedGeneration(position, native, native.snapshot_take(), limit)

"""Traced generation: the move words of a position, their runs and their decisions.

Owns the repeated generation from the same memory, optionally with inverted decisions, and the
sorting of its log into runs.  It must not know the queries that use it (why_not/query.py,
explain/query.py).
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON, HEADER
from forthvm.core.errors import ForthVMError, Interrupted
from forthvm.core.output import redirected
from forthvm.core.records import Option
from forthvm.core.value import Value
from forthvm.debug.source_cells import SourceCells
from forthvm.game.definition.tables import cells_of

from .tracing import Inversion, RemovalControl, RunFollower, TraceControl, tracing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from forthvm.core.bindings import NativeVM, Snapshot
    from forthvm.core.bindings.trace import Record
    from forthvm.debug.time_limit import TimeLimit
    from forthvm.game import Position

__all__ = [
    "BRANCH",
    "FILTER",
    "PASSES",
    "Generation",
    "Inversion",
    "Listing",
    "Run",
    "TracedGeneration",
    "Trial",
    "traced_generation",
]

BRANCH = "0BRANCH"
"""The word that IF, WHILE and UNTIL compile."""

_MOVES, _DROPS, _RECORD = 4, 8, 16  # offsets in a piece's record, and its length, in bytes
_LIST_ENTRY = 8  # the length of an entry of a list of move words, in bytes
PASSES = ("$Pass", "Pass", "PassNoPartial")
"""Words of the library that can add a pass."""
FILTER = "OnMovesGenerated"
"""The hook that removes moves from the list."""
_MAX_DEPTH = 5
"""The maximum call depth of IFs that are logged."""
_MIN_STEPS, _STEP_FACTOR = 20_000, 5
"""The step limit of a generation with inverted decisions: a minimum, and a multiple of the steps of
the generation without them."""


class Listing(Value):
    """An entry of a piece type's list of move words.

    Attributes:
        piece: The number of the piece type.
        drops: Whether it is the list of drops.
        type: The move type of the entry; 0 for none.
        table: The execution token of the list.
        word: The execution token of the move word.
        address: The address of the cell that contains the word.
    """

    piece: int
    drops: bool
    type: int
    table: int
    word: int
    address: int


class Run:
    """The run of a move word for one board position.

    Attributes:
        number: The number of the run in the generation, from 0.
        start: The step of its first token.
        word: The execution token of the move word.
        square: The index of the board position.
        piece: The piece as a cell value; for drops, the type as owned by the player.
        first: The number of moves added before this run: the index of its first move.
        moves: The number of moves that this run added.
        records: The log records of its tokens.
    """

    __slots__ = ("first", "moves", "number", "piece", "records", "square", "start", "word")

    def __init__(self, number: int, start: Record, first: int, word: int) -> None:
        """Create a run of `word` that begins with the log record `start`."""
        self.number = number
        self.start = start.step
        self.word = word
        self.square = start.origin
        self.piece = start.piece
        self.first = first
        self.moves = 0
        self.records: list[Record] = []


class Generation(Value):
    """The log of a traced generation.

    Attributes:
        before: The tokens logged before the first move word, in OnGenerateMoves.
        runs: The runs of move words, in order.
        moves: The texts of all added moves, including those of lower priority and those that
            OnMovesGenerated removes.
        addresses: The addresses of these moves.
        types: The move types of these moves.
        steps: The number of steps of the generation.
    """

    before: tuple[Record, ...]
    runs: tuple[Run, ...]
    moves: tuple[str, ...]
    addresses: tuple[int, ...]
    types: tuple[int, ...]
    steps: int


class Trial(Value):
    """The result of a generation with inverted decisions.

    Attributes:
        records: The log records from the last inverted decision to the end of the run.
        moves: The addresses of the moves in the list.
        failed: Whether the script failed or exceeded its step limit.
        full: Whether the log became full, so that later tokens are missing.
    """

    records: tuple[Record, ...]
    moves: tuple[int, ...]
    failed: bool = False
    full: bool = False


class TracedGeneration:
    """The repeatable generation of one position's moves.

    Attributes:
        position: The position.
        limit: The time limit of the query.
        native: The VM.
        source_cells: The source tokens of the VM's cells.
        verify: The execution tokens of all words named `verify`.
        add_move: The execution tokens of the kernel's words named `add-move`.
        remove_move: The execution tokens of the words named `$RemoveMove`.
        branch: The execution token that IF compiles.
        directions: The names of the directions by execution token.
        demanded: The move type that the turn or a partial move demands; 0 for any.
        listings: The entries of the piece types' lists of move words.
        words: The execution tokens of the words that the kernel runs for moves.
        logged: The execution tokens of the words that are logged.
        branches: The addresses of the cells of logged IFs.
    """

    def __init__(
        self, position: Position, native: NativeVM, base: Snapshot, limit: TimeLimit
    ) -> None:
        """Called by `traced_generation`, when the VM has the position's memory `base`."""
        self.position = position
        self.limit = limit
        self.native = native
        self.source_cells = SourceCells(position.game.vm)
        self._named = self._all_names()
        self.verify = self._tokens("verify")
        # The library of version 140 defines an `add-move` of its own, which calls the kernel's.
        tokens = self._tokens("add-move")
        self.add_move = {token for token in tokens if native.primitive(token) < COLON}
        self.remove_move = self._tokens("$RemoveMove")
        self.branch = max(self._tokens(BRANCH))
        self.directions = self._directions()
        self.demanded = native.variable("$ofType") or 0
        self.listings = tuple(self._listings())
        self._base = base
        self.words = {listing.word for listing in self.listings} | self._tokens(*PASSES)
        self.logged = self.verify | self.add_move | self.directions.keys()
        self.branches: frozenset[int] = frozenset()
        self._wrappers: Mapping[int, int] = {}
        self._without_wrappers: tuple[Snapshot, set[int], Mapping[int, int]] = (
            base,
            self.words,
            {},
        )
        self._limits = native.run_limits
        self._steps = 0

    # --- words and lists ----------------------------------------------------------------

    def _tokens(self, *names: str) -> set[int]:
        return {token for name in names for token in self._named.get(name, ())}

    def _all_names(self) -> dict[str, list[int]]:
        """Return the execution tokens of all words by name."""
        native = self.native
        tokens: dict[str, list[int]] = {}
        nfa = native.latest()
        while nfa:
            tokens.setdefault(native.name(nfa), []).append(nfa + HEADER)
            nfa = native.previous(nfa)
        return tokens

    def _directions(self) -> dict[int, str]:
        native = self.native
        table, count = native.variable("$directions"), native.variable("$directionCount")
        if not table or not count or count < 0:
            return {}
        tokens = cells_of(native.read(table, count * CELL))
        names = {self.source_cells.name(token) for token in tokens}
        # A {symmetries} section defines a second word with the same name.  Scripts may call either.
        return {token: self.source_cells.name(token) for token in self._tokens(*names)}

    def _listings(self) -> Iterator[Listing]:
        native = self.native
        table = native.variable("$pieces") or 0
        scanned = native.variable("$scanPieceCount") or 0
        types = len(self.position.game.piece_types)
        scanned = scanned if 0 < scanned <= types else types
        for index in range(scanned):
            for field in (_MOVES, _DROPS):
                token = native.read_cell(table + _RECORD * index + field)
                if token:
                    yield from self._listing(index + 1, token, drops=field == _DROPS)

    def _listing(self, piece: int, token: int, *, drops: bool) -> Iterator[Listing]:
        native = self.native
        body = native.body(token)
        for index in range(native.read_cell(body)):
            address = body + CELL + _LIST_ENTRY * index
            word, kind = cells_of(native.read(address, _LIST_ENTRY))
            yield Listing(piece, drops, kind, token, word, address)

    # --- running ------------------------------------------------------------------------

    def is_wrapper(self, address: int) -> bool:
        """Whether a cell belongs to a wrapper that `add_unfinished_moves` put around a word."""
        return self.native.word_at(address) + HEADER in self._wrappers

    def add_unfinished_moves(self) -> bool:
        """Run `add-move` after each move word, so that unfinished moves are added, too.

        The change applies until `stop_adding_unfinished_moves` is called.

        Returns:
            Whether the library has the words that are required.
        """
        from forthvm.debug.why_not.unfinished_moves import wrap_move_words  # rarely needed

        native = self.native
        native.snapshot_restore(self._base)
        native.game_free_lists()  # definitions must not follow a move list that will be freed
        self._without_wrappers = (self._base, self.words, self._wrappers)
        self._wrappers = wrap_move_words(self)
        if self._wrappers:
            self._base = native.snapshot_take()
            self.words = self._wrappers.keys() | self._tokens(*PASSES)
        return bool(self._wrappers)

    def stop_adding_unfinished_moves(self) -> None:
        """Remove the effect of `add_unfinished_moves`."""
        self._base, self.words, self._wrappers = self._without_wrappers
        self.native.snapshot_restore(self._base)

    def generate(self, *, any_type: bool = False) -> Generation:
        """Generate the moves without priorities and OnMovesGenerated, and log the decisions.

        Args:
            any_type: Run the words of all move types, even if the turn demands one type.

        Raises:
            ForthVMError: The script fails.
        """
        with tracing(TraceControl(self)) as control:
            addresses = self._run(control, any_type=any_type)
            self._steps = self.native.steps()
            texts = tuple(map(self.native.move_text, addresses))
            types = tuple(map(self.native.move_type, addresses))
        self._choose_branches(control.records, control.busy)
        self.limit.check()
        before, runs = self._split_into_runs(control.records)
        return Generation(before, runs, texts, addresses, types, self._steps)

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
            self._run(control, filtered=True)
        return {record.top: record for record in control.records}

    def _choose_branches(self, records: Iterable[Record], busy: set[int]) -> None:
        """Choose the IFs to log in later generations: all except those deep in auxiliary words.

        In some games, an IF in an auxiliary word runs a thousand times for a single move word.
        """
        shallow = {record.ip for record in records if len(record.calls) <= _MAX_DEPTH}
        deep = {record.ip for record in records} - shallow
        self.branches = frozenset(self.script_branches() - deep - busy)

    def script_branches(self) -> set[int]:
        """Return the cells of the IFs in the script and in the library's words that add passes."""
        native, source_cells = self.native, self.source_cells
        first, end = native.variable_address("$positions"), native.here()
        cells = cells_of(native.read(first, end - first))
        branches = set()
        for index, content in enumerate(cells):
            address = first + CELL * index
            if content == self.branch and native.source_at(address):
                cell = source_cells.cell(address)
                if not cell.library or cell.word in PASSES:
                    branches.add(address)
        return branches

    def follow(self, run: Run, order: int) -> tuple[tuple[Record, ...], Mapping[int, int]]:
        """Return the execution path of a run to one of the moves that it adds.

        Args:
            run: The run.
            order: The index of the move in the run, from 0.

        Returns:
            A pair.  First, the log: the tokens of the words that are still open when the move is
            added, plus all verifies and directions; the last token is the `add-move`.  Second,
            how often each cell had run by then.
        """
        adds = [record for record in run.records if record.word in self.add_move]
        words = {self.native.word_at(address) for address in adds[order].calls if address}
        words.add(self.native.word_at(adds[order].ip))
        cells = frozenset(cell for nfa in words if nfa for cell in self._cells_of(nfa))
        with tracing(RunFollower(self, run.start, adds[order].step, cells)) as control:
            self._run(control)
        return _outside_frames(control.records), control.counts

    def _cells_of(self, nfa: int) -> range:
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
            priorities: Whether priorities are applied and OnMovesGenerated runs.
        """
        native = self.native
        control = TraceControl(self, inversions[-1].step, inversions)
        native.run_limits = (max(_MIN_STEPS, _STEP_FACTOR * self._steps), 0.0)
        try:
            with tracing(control):
                addresses = self._run(
                    control, any_type=any_type, priorities=priorities, filtered=priorities
                )
        except Interrupted:
            raise
        except ForthVMError:
            return Trial(_outside_frames(control.records), (), failed=True)
        finally:
            native.run_limits = self._limits
        return Trial(_outside_frames(control.records), addresses, full=control.full)

    def texts(self, addresses: Iterable[int]) -> tuple[str, ...]:
        """Return the texts of moves of the last generation."""
        return tuple(map(self.native.move_text, addresses))

    def _run(
        self,
        control: TraceControl,
        *,
        any_type: bool = False,
        priorities: bool = False,
        filtered: bool = False,
    ) -> tuple[int, ...]:
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
        before: list[Record] = []
        runs: list[Run] = []
        added = 0
        for record in records:
            if runs and not record.move:
                continue  # see _outside_frames
            if record.ip == 0 and record.generator == record.word and not record.calls:
                word = self._wrappers.get(record.word, record.word)
                runs.append(Run(len(runs), record, added, word))
            elif record.word == self.branch and record.ip not in self.branches:
                continue
            elif not runs:
                before.append(record)
            else:
                runs[-1].records.append(record)
                if record.word in self.add_move:
                    added += 1
                    runs[-1].moves += 1
        return tuple(before), tuple(runs)


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
    game, state = position.game, position.state
    with game.states.restored(state, listed=False) as native, redirected(game.vm):
        if not state.partial and not state.engine_ran:
            native.game_generate()
            native.game_over()
        yield TracedGeneration(position, native, native.snapshot_take(), limit)

"""Options, records and results that the bindings pass to and from the C core, as plain values.

This file owns their fields and the numbers of the enumerations in native/include/forthvm.h.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from .record import Record

if TYPE_CHECKING:
    from .bindings.networks import Network
    from .errors import Phase, Status
    from .failure import ForthVMError

__all__ = [
    "Change",
    "ChangeKind",
    "DeepeningOptions",
    "DeepeningResult",
    "EngineResult",
    "ErrorRecord",
    "Line",
    "ListMode",
    "ObservationTables",
    "ObservedNumber",
    "Option",
    "ReportKind",
    "SearchLimits",
    "SearchResult",
    "Show",
    "TreeMemory",
    "TreeNode",
    "TreeOptions",
    "TreeReport",
]


class Option(IntEnum):
    """Options of `NativeVM.set_option`; the numbers are those of `fvm_option`."""

    VERSION = 0  # emulated version of the original
    CHECKED = 1  # 1: report array indexes out of range and every underflow
    FIXED_CLOCK = 2  # 1: SYSTEM-TIME returns CLOCK
    CLOCK = 3
    DEPTH = 4  # number of return stack cells for a run
    TIER = 5  # which words the JIT compiles: 0: none; 1: hot words; 2: every word
    HOOK_TIME = 6  # time limit of each text, hook and move list in milliseconds; 0: none
    UNFILTERED = 7  # 1: OnMovesGenerated does not run, so that lists contain all moves
    LISTS = 8  # a ListMode
    STANDARD = 9  # 1: Forth 2012: its words in C exist; every stack underflow is an error
    FENCE = 10  # address below which ALLOT does not go: the end of the library
    PROMPT = 11  # 1: a control word outside a definition is an error, except in files
    PROMISES = 12  # what the host promises of the script: a set of numbers of `fvm_promise`


class ListMode(IntEnum):
    """How searches generate lists of moves; the numbers are those of `fvm_list_mode`."""

    PROMISED = 0  # parts are left out as far as the script or the host promises
    COMPLETE = 1  # every list is complete
    COMPARED = 2  # playouts fail if a drawn move is not in the complete list


class ReportKind(IntEnum):
    """Kinds of reports by a running engine; the numbers are those of `fvm_report_kind`."""

    CURRENT = 0  # the move being searched
    BEST = 1  # the best move so far
    SCORE = 2
    NODES = 3
    DEPTH = 4
    LINE = 5  # a principal variation
    SCORES = 6  # the score of each player in the next line


class ChangeKind(IntEnum):
    """Kinds of changes that a move makes; the numbers are those of `fvm_change_kind`."""

    MOVE = 0
    CREATE = 1
    CAPTURE = 2
    TYPE = 3
    OWNER = 4
    PASS = 5
    PARTIAL = 6
    CALL = 7


class ErrorRecord(Record):
    """The C core's record of a failed run, with addresses instead of names and locations.

    Attributes:
        ip: Address of the failed cell, 0 outside compiled code.
        word: Code field of the failed word, 0 if unknown.
        source_pos: Source position of the token being interpreted, 0 for none.
        value: Number that belongs to the status, such as an address or an index.
        text: Text that belongs to the status, such as an unknown name.
        trace: Addresses of the calling cells, innermost first; the outermost may be missing.
        calls: Number of open calls.
        position: Board position whose moves were generated, -1 outside of move generation.
        piece: Board cell of the piece whose moves were generated, -1 outside of move generation.
        player: Value of `$player`, -1 without a game.
        steps: Steps that the run had used.
    """

    status: Status
    phase: Phase
    ip: int
    word: int
    source_pos: int
    value: int
    text: str
    trace: tuple[int, ...]
    calls: int
    position: int
    piece: int
    player: int
    steps: int


class Change(Record):
    """One change that a move makes; which fields are valid depends on the kind (`fvm_change_kind`).

    Attributes:
        source: Board position from which a piece moves.
        position: Board position that is changed; for a call, the number of arguments.
        piece: The new piece (a board cell), the new type or owner, the only move type allowed
            after a partial move, or the called word.
        other: The piece that is replaced or captured: a board cell.
        args: Arguments of a call.
    """

    kind: ChangeKind
    source: int
    position: int
    piece: int
    other: int
    args: tuple[int, ...] = ()


class SearchLimits(Record):
    """Limits of the original's search; 0 nodes or seconds means no limit.

    `variety` is the random noise in evaluations, 0 to 10.
    """

    depth: int = 1
    variety: int = 0
    nodes: int = 0
    seconds: float = 0.0


class SearchResult(Record):
    """Result of a search; `best` is the address of a move of the newest list, 0 for none."""

    best: int
    score: int
    depth: int
    nodes: int
    stopped: bool


class EngineResult(Record):
    """Result of a script's engine."""

    best: str
    """The text of a move, or its first 1,023 bytes; empty if the engine reported none."""
    move: int
    """The address of the move in the newest list; 0 if it is none of them."""
    score: int
    depth: int
    nodes: int
    stopped: bool
    items: int
    """Number of items that the engine left on the parameter stack; negative: it popped too many."""
    boards: int
    """Number of cloned boards that the engine did not deallocate."""
    lists: int
    """Number of move lists that the engine did not deallocate."""
    turned: bool
    """Whether the engine changed whose turn it is."""
    failure: ForthVMError | None
    """The error that ended the engine; the other fields are its reports before the error."""


class DeepeningOptions(Record):
    """Options of forthvm's iterative deepening; names and meanings as in forthvm.h."""

    method: int = 0
    features: int = 0
    depth: int = 1
    nodes: int = 0
    seconds: float = 0.0
    chance: int = 0
    count_turns: int = 0
    lines: int = 1
    seed: int = 0
    samples: int = 0
    extension: int = 16
    thread: int = 0
    network: Network | None = None


class Line(Record):
    """A principal variation.

    Attributes:
        moves: The index of each move in the move list of its position.
        score: The score for the player to move at the root.
        depth: The depth of the iteration that found it.
        scores: The score of each player by number (max^n).
    """

    moves: tuple[int, ...]
    score: int
    depth: int
    scores: tuple[int, ...]


class DeepeningResult(Record):
    """Result of forthvm's iterative deepening.

    Attributes:
        lines: Principal variations, the best first.
        tt_cutoffs: Positions whose value came from the transposition table.
        depth: Depth of the last completed iteration.
        off_board_cells: Number of memory cells outside the board that moves change.
        table_disabled: Whether no transposition table was used, because `off_board_cells` is too
            large for hash keys.
    """

    lines: tuple[Line, ...]
    nodes: int
    evaluations: int
    tt_cutoffs: int
    depth: int
    stopped: bool
    off_board_cells: int
    table_disabled: bool


class TreeOptions(Record):
    """Options of a Monte Carlo tree search; names and meanings as in forthvm.h."""

    iterations: int = 0
    seconds: float = 0.0
    chance: int = 0
    seed: int = 0
    playout_plies: int = 1000
    exploration: float = 0.7
    history: float = 1.0
    priors: int = 0
    steps: int = 0
    playout_steps: int = 0
    root_visits: int = 0
    thread: int = 0
    network: Network | None = None


class TreeNode(Record):
    """A node of a Monte Carlo tree search; names and meanings as in forthvm.h."""

    first: int
    count: int
    visits: int
    mover: int
    proof: int
    sum: float
    prior: float = 0.0


class TreeMemory(Record):
    """State from which a Monte Carlo tree search continues, besides its nodes.

    Attributes:
        random: State of the random number generator.
        scale: Typical magnitude of the scores of OnEvaluate.
        history: Statistics of moves wherever they occur in the tree.  For each index of the
            history table with visits: the index, the sum of rewards, the number of visits.
    """

    random: int
    scale: float
    history: tuple[tuple[int, float, int], ...]


class TreeReport(Record):
    """Statistics of a Monte Carlo tree search."""

    iterations: int
    playouts: int
    plies: int
    stopped: bool


class Show(IntEnum):
    """How an observation shows a number: `fvm_show`."""

    SCALED = 0
    EQUAL = 1
    OTHER = 2


class ObservedNumber(Record):
    """A number that an observation shows: `fvm_observed_number`.

    Attributes:
        source: Offset of the byte or cell in the board, or `FVM_OBSERVE_...` for a number of the
            state.
        plane: The plane.
        place: The cell of the plane; -1: all cells.
        low: The number that is shown as 0.
        high: The number that is shown as 1; may be less than `low`.
        show: How the number is shown.
        width: 4 for a cell of the board, 1 for a byte, which is signed.
    """

    source: int
    plane: int
    place: int = -1
    low: int = 0
    high: int = 1
    show: Show = Show.SCALED
    width: int = 4


class ObservationTables(Record, kw_only=True):
    """The plan of an observation by one viewer: `fvm_observation`, with the same names."""

    positions: int
    cells: int
    board_planes: int
    state_planes: int
    history: int
    viewer: int
    places: tuple[int, ...]
    sight_on: tuple[int, ...]
    sight_of: tuple[int, ...]
    owners: tuple[int, ...]
    type_planes: tuple[int, ...]
    owner_planes: tuple[int, ...]
    unknown_planes: tuple[int, ...]
    phases: tuple[int, ...]
    attribute_planes: tuple[int, ...]
    variables: tuple[ObservedNumber, ...]
    state_numbers: tuple[ObservedNumber, ...]

"""What the bindings pass besides numbers: options, records and results as plain values.

This file owns their shapes and the numbers that stand for them in native/include/forthvm.h; it
must not know cffi.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from .value import Value

if TYPE_CHECKING:
    from .errors import Phase, Status
    from .failure import ForthVMError

__all__ = [
    "Change",
    "ChangeKind",
    "EngineResult",
    "ErrorRecord",
    "Leaf",
    "Line",
    "Option",
    "ReportKind",
    "SearchLimits",
    "SearchResult",
    "ThinkOptions",
    "Thought",
    "TreeMemory",
    "TreeNode",
    "TreeOptions",
    "TreeReport",
]


class Option(IntEnum):
    """What `NativeVM.set_option` can set; the numbers are those of `fvm_option`."""

    VERSION = 0
    CHECKED = 1
    FIXED_CLOCK = 2
    CLOCK = 3
    DEPTH = 4
    TIER = 5
    QUESTION = 6


class ReportKind(IntEnum):
    """What a running engine tells its host; the numbers are those of `fvm_report_kind`."""

    CURRENT = 0
    BEST = 1
    SCORE = 2
    NODES = 3
    DEPTH = 4
    LINE = 5


class ChangeKind(IntEnum):
    """One step of a move; the numbers are those of `fvm_change_kind`."""

    MOVE = 0
    CREATE = 1
    CAPTURE = 2
    TYPE = 3
    OWNER = 4
    PASS = 5
    PARTIAL = 6
    CALL = 7


class ErrorRecord(Value):
    """The C core's record of a failed run, addresses unresolved."""

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


class Change(Value):
    """One step of a move: cells as they were when it was generated (see forthvm.h)."""

    kind: ChangeKind
    source: int
    position: int
    piece: int
    other: int
    args: tuple[int, ...] = ()


class SearchLimits(Value):
    """What a search may use; 0 for nodes and seconds means no limit."""

    depth: int = 1
    variety: int = 0
    nodes: int = 0
    seconds: float = 0.0


class SearchResult(Value):
    """What a search found; `best` is a move of the newest list, 0 for none."""

    best: int
    score: int
    depth: int
    nodes: int
    stopped: bool


class EngineResult(Value):
    """What a script's engine reported; `best` is a move's text, empty if it gave none."""

    best: str
    score: int
    depth: int
    nodes: int
    stopped: bool
    items: int
    """Left on the stack; below 0: taken from it."""
    boards: int
    """Cloned and never deallocated."""
    lists: int
    """Of moves, generated and never deallocated."""
    turned: bool
    """It left another turn than it found."""
    failure: ForthVMError | None
    """How it ended, if it did not end well; the rest is what it had said by then."""


class ThinkOptions(Value):
    """How our own searches search; names and meanings as in forthvm.h."""

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


class Line(Value):
    """A line of play that a search found: indices in the lists of moves on the way."""

    moves: tuple[int, ...]
    score: int
    depth: int


class Thought(Value):
    """What our own search found.

    Attributes:
        lines: The best line first.
        hits: Positions that the transposition table answered.
        depth: The last complete iteration's.
        outside: Cells of memory outside the board that moves change.
        keyless: They were too many, so there was no table.
        scores: Of each player by number (maxn).
    """

    lines: tuple[Line, ...]
    nodes: int
    evaluations: int
    hits: int
    depth: int
    stopped: bool
    outside: int
    keyless: bool
    scores: tuple[int, ...]


class TreeOptions(Value):
    """How a Monte Carlo search searches; names and meanings as in forthvm.h."""

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


class TreeNode(Value):
    """A node of a Monte Carlo search; names and meanings as in forthvm.h."""

    first: int
    count: int
    visits: int
    mover: int
    proof: int
    sum: float
    prior: float = 0.0


class TreeMemory(Value):
    """What a Monte Carlo search goes on with besides its nodes.

    Attributes:
        random: The state of its random numbers.
        scale: What OnEvaluate's numbers are usually like.
        history: What moves were worth wherever they were played: slot, sum of rewards and
            visits of each that was.
    """

    random: int
    scale: float
    history: tuple[tuple[int, float, int], ...]


class TreeReport(Value):
    """What a Monte Carlo search did."""

    iterations: int
    playouts: int
    plies: int
    stopped: bool


class Leaf(Value):
    """A leaf of a search tree that an external evaluator is to judge.

    Attributes:
        decided: It needs no judgement: the game is over there.
        moves: How many there are, each to be given a prior.
        mover: Number of the player to move.
        cells: Cells of its board.
    """

    decided: bool
    moves: int
    mover: int
    cells: int

"""The query `explain`: the move word that produced a legal move, and the path through it.

Owns the query and the types of its result.  It must not know why other moves are not legal
(why_not), nor how a result is shown (text.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import TYPE_MASK
from forthvm.core.errors import ContextError, TimeLimitExceeded
from forthvm.core.text.advice import advice
from forthvm.core.value import Value
from forthvm.debug.generation.move_code import move_code
from forthvm.debug.generation.traced_generation import traced_generation
from forthvm.debug.source_cells import location_json
from forthvm.debug.time_limit import DEFAULT_SECONDS, TimeLimit
from forthvm.debug.type_names import UNRANKED, ranks, type_names
from forthvm.game import Move
from forthvm.game.arguments import check
from forthvm.game.move_text.matching import illegal_move
from forthvm.game.position import check_position

from .effects_text import effect
from .execution_path import Line, Step, lines, walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.location import Location
    from forthvm.debug.generation.traced_generation import (
        Generation,
        Listing,
        Run,
        TracedGeneration,
    )
    from forthvm.game import Position

__all__ = ["Explanation", "Origin", "explain"]


class Origin(Value):
    """One occurrence of the move in the list.

    Attributes:
        index: Its index in the list of legal moves, from 0.
        code: The code of the move.
        changes: Its effects on the board, step by step.
        type: Name of the move type, None for none.
        rank: Its rank in {move-priorities}, 1 the best; None without priorities.
        word: The move word that added it; None for a pass that the kernel adds by itself.
        place: Where that word is defined.
        list: `moves` or `drops`; None where the word is in neither list of the piece.
        table: Name of that list.
        piece: The piece that the word was run for, as `White pawn`.
        square: Name of the position it was run for.
        directions: The directions taken on the way, in order.
        order: How many moves this run of the word had added before.
        path: What was passed, from the beginning of the word to `add-move`.
        lines: The source lines passed, those of helping words included.
    """

    index: int
    code: str
    changes: tuple[str, ...]
    type: str | None = None
    rank: int | None = None
    word: str | None = None
    place: Location | None = None
    list: str | None = None
    table: str | None = None
    piece: str | None = None
    square: str | None = None
    directions: tuple[str, ...] = ()
    order: int = 0
    path: tuple[Step, ...] = ()
    lines: tuple[Line, ...] = ()


class Explanation(Value):
    """Where a move comes from.

    Attributes:
        game: Name of the game.
        player: Who is to move.
        ply: Moves made so far.
        move: Text of the move.
        origins: Each time that it was added; scripts may add a move twice.
    """

    game: str
    player: str
    ply: int
    move: str
    origins: tuple[Origin, ...]

    @property
    def is_legal(self) -> bool:
        """True: only legal moves are explained."""
        return True

    def __str__(self) -> str:
        from .text import describe

        return "\n".join(describe(self))

    def to_json(self) -> dict[str, object]:
        """As JSON has it; places are objects with file, line, column and source."""
        return vars(self) | {"origins": [_origin_json(origin) for origin in self.origins]}


def _origin_json(origin: Origin) -> dict[str, object]:
    return vars(origin) | {
        "place": location_json(origin.place),
        "path": [vars(step) | {"place": location_json(step.place)} for step in origin.path],
        "lines": [dict(vars(line)) for line in origin.lines],
        "directions": list(origin.directions),
        "changes": list(origin.changes),
    }


def explain(pos: Position, move: Move | str, *, seconds: float = DEFAULT_SECONDS) -> Explanation:
    """Explains where a legal move comes from.

    The generation of moves is repeated under the trace; the position is not changed.

    Args:
        pos: The position.
        move: One of its legal moves, or a text that means one.
        seconds: The time limit of the query; 0 for no limit.

    Raises:
        MoveError: it is not legal; `why_not` says why.
        TimeLimitExceeded: the time is used up.
        ForthVMError: the script fails, or generates other moves when it is run again.
    """
    check_position(pos, "explain")
    check(move, (Move, str), "explain", "a legal move or its text")
    limit = TimeLimit(seconds)
    with limit.applied(pos.game.vm.native):
        try:
            return _explained(pos, move, limit)
        except TimeLimitExceeded as error:
            if limit.is_over:
                error.message = (
                    f"the move could not be explained: stopped after {seconds:g} s, while the "
                    "moves were generated"
                )
                error.hints = (advice(python="raise seconds=…", command_line="raise --time N"),)
            raise


def _explained(pos: Position, move: Move | str, limit: TimeLimit) -> Explanation:
    legal = pos.legal_moves
    if isinstance(move, str):
        text = pos.parse(move).text
    elif move in legal:
        text = move.text
    else:
        raise illegal_move(str(move), legal.texts, pos.turn)
    changes = {
        one.index: tuple(effect(change) for change in one.changes)
        for one in legal
        if one.text == text
    }
    texts = legal.texts
    with traced_generation(pos, limit) as traced:
        origins = _Origins(traced, texts)
        found = tuple(origins.of(index, each) for index, each in changes.items())
    return Explanation(pos.game.name, pos.turn, pos.ply, text, found)


class _Origins:
    """The origins of moves in one position."""

    def __init__(self, traced: TracedGeneration, legal: Sequence[str]) -> None:
        self.traced = traced
        self.game = traced.position.game
        self.ranks = ranks(traced.native)
        self.types = type_names(self.game)
        self.generation = traced.generate()
        self.codes = [move_code(self.game, traced.native, one) for one in traced.native.move_list()]
        self.kept = self._kept(self.generation)
        if [self.generation.moves[at] for at in self.kept] != list(legal):
            raise ContextError("the script generates other moves when it is run again")

    def _kept(self, generation: Generation) -> list[int]:
        """Numbers of the moves that priorities leave in the list."""
        table = self.ranks
        if table is None:
            return list(range(len(generation.moves)))
        found = [table.get(kind, UNRANKED) for kind in generation.types]
        best = min(found, default=0)
        return [at for at, rank in enumerate(found) if rank == best]

    def of(self, index: int, changes: tuple[str, ...]) -> Origin:
        """Where the legal move of that index comes from."""
        traced, generation = self.traced, self.generation
        number = self.kept[index]
        kind = generation.types[number]
        run = next(
            (one for one in generation.runs if one.first <= number < one.first + one.moves), None
        )
        origin = Origin(
            index,
            self.codes[number],
            changes,
            self.types.get(kind, f"#{kind}") if kind else None,
            self.ranks.get(kind, UNRANKED) if self.ranks is not None else None,
        )
        if run is None:
            return origin
        records, counts = traced.follow(run, number - run.first)
        path = walk(traced, records)
        listing = self._listing(run, kind)
        piece = self.game.roster.piece(run.piece)
        return origin.replace(
            word=traced.places.name(run.word),
            place=traced.places.word_place(run.word),
            list=None if listing is None else "drops" if listing.drops else "moves",
            table=None if listing is None else traced.places.name(listing.table),
            piece=str(piece) if piece else None,
            square=self.game.square(run.square),
            directions=tuple(step.word for step in path if step.kind == "direction"),
            order=number - run.first,
            path=path,
            lines=lines(traced, counts),
        )

    def _listing(self, run: Run, kind: int) -> Listing | None:
        for one in self.traced.lists:
            same = one.word == run.word and one.piece == run.piece & TYPE_MASK
            if same and one.type == kind:
                return one
        return None

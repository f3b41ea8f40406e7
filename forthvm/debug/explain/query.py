"""The query `explain`: the move word that produced a legal move, and the path through it.

Owns the query and the types of its result.  Delegates the display of a result to text.py;
forthvm/debug/why_not tells why other moves are not legal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from forthvm.core.arguments import check
from forthvm.core.bindings.layout import TYPE_MASK
from forthvm.core.errors import ContextError, TimeLimitExceeded
from forthvm.core.text.advice import advice
from forthvm.debug.generation.move_code import move_code
from forthvm.debug.generation.move_types import UNRANKED, ranks, type_names
from forthvm.debug.generation.time_limit import DEFAULT_SECONDS, TimeLimit
from forthvm.debug.generation.traced_generation import traced_generation
from forthvm.debug.source_map.source_cells import fields_json
from forthvm.game import Move
from forthvm.game.matching import illegal_move
from forthvm.game.position import check_position

from .execution_path import Line, Step, execution_path, source_lines
from .text import effect_sentence, visible_changes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.location import Location
    from forthvm.debug.generation.traced_generation import ListEntry, Run, TracedGeneration
    from forthvm.game import Position

__all__ = ["Explanation", "Origin", "explain"]


@dataclass(frozen=True)
class Origin:
    """One occurrence of the move in the move list.

    Attributes:
        index: The index of this occurrence in the list of legal moves, from 0.
        code: The code of the move.
        changes: The effects of the move on the board, one sentence each.
        type: The name of the move type; None if the move has no type.
        rank: The rank of the move type in {move-priorities}, 1 for the best; None without
            priorities.
        word: The move word that added the move; None for a pass that the kernel adds.
        location: The location of the word's definition.
        list: The kind of list that contains the word, `moves` or `drops`; None if the word is in
            neither list of the piece.
        table: The name that the script gives to this list.
        piece: The piece for which the word was run, such as `White pawn`.
        square: The name of the board position for which the word was run.
        directions: The directions on the execution path, in order.
        order: The number of moves that this run of the word added before this move.
        path: The execution path, from the beginning of the word to `add-move`.
        lines: The executed source lines, including those of called words.
    """

    index: int
    code: str
    changes: tuple[str, ...]
    type: str | None = None
    rank: int | None = None
    word: str | None = None
    location: Location | None = None
    list: str | None = None
    table: str | None = None
    piece: str | None = None
    square: str | None = None
    directions: tuple[str, ...] = ()
    order: int = 0
    path: tuple[Step, ...] = ()
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """The origins of a legal move.

    Attributes:
        game: The name of the game.
        player: The player to move.
        ply: The number of moves made so far.
        move: The text of the move.
        origins: One origin for each occurrence in the list; scripts may add a move twice.
    """

    game: str
    player: str
    ply: int
    move: str
    origins: tuple[Origin, ...]

    @property
    def is_legal(self) -> bool:
        """Always true, because only legal moves are explained."""
        return True

    def __str__(self) -> str:
        from .text import describe

        return "\n".join(describe(self))

    def to_json(self) -> dict[str, object]:
        """Return a JSON object; locations are objects with file, line, column and source."""
        return vars(self) | {"origins": [_origin_json(origin) for origin in self.origins]}


def _origin_json(origin: Origin) -> dict[str, object]:
    return fields_json(origin) | {
        "path": [fields_json(step) for step in origin.path],
        "lines": [dict(vars(line)) for line in origin.lines],
        "directions": list(origin.directions),
        "changes": list(origin.changes),
    }


def explain(pos: Position, move: Move | str, *, seconds: float = DEFAULT_SECONDS) -> Explanation:
    """Explain which move words add a legal move, and on which execution paths.

    The moves are generated a second time in the traced interpreter.  The position is not changed.

    Args:
        pos: The position.
        move: A legal move of the position, or its text.
        seconds: The time limit of the query; 0 for no limit.

    Raises:
        MoveError: The move is not legal; `why_not` explains the reason.
        TimeLimitExceeded: The time is used up.
        ForthVMError: The script fails, or generates other moves when it is run again.
    """
    check_position(pos, "explain")
    check(move, (Move, str), "explain", "a legal move or its text")
    limit = TimeLimit(seconds)
    with limit.applied(pos.game._loaded.vm.native):
        try:
            return _explained(pos, move, limit)
        except TimeLimitExceeded as error:
            if limit.is_over:
                error.message = (
                    f"the move could not be explained: stopped after {seconds:g} s, while the "
                    "moves were generated"
                )
                error.hints = (
                    advice(python="increase seconds=…", command_line="increase --time N"),
                )
            raise


def _explained(pos: Position, move: Move | str, limit: TimeLimit) -> Explanation:
    legal = pos.generated_moves  # also after the end of the game
    if isinstance(move, str):
        text = legal.find(move).text
    elif move in legal:
        text = move.text
    else:
        raise illegal_move(str(move), legal.texts, pos.turn)
    effects_by_index = {
        occurrence.index: tuple(map(effect_sentence, visible_changes(occurrence)))
        for occurrence in legal
        if occurrence.text == text
    }
    texts = legal.texts
    with traced_generation(pos, limit) as traced:
        finder = _OriginFinder(traced, texts)
        origins = tuple(
            finder.origin(index, effects) for index, effects in effects_by_index.items()
        )
    return Explanation(pos.game.name, pos.turn, pos.ply, text, origins)


class _OriginFinder:
    """Finds the origins of the legal moves of one position."""

    def __init__(self, traced: TracedGeneration, legal: Sequence[str]) -> None:
        self.traced = traced
        self.game = traced.position.game
        self.ranks = ranks(traced.native)
        self.type_names = type_names(self.game)
        self.generation = traced.generate()
        addresses = traced.legal()
        self.codes = [move_code(self.game, traced.native, move) for move in addresses]
        self.move_types = [traced.native.move_type(move) for move in addresses]
        if traced.texts(addresses) != tuple(legal):
            raise ContextError("the script generates other moves when it is run again")
        indexes = {move: index for index, move in enumerate(self.generation.addresses)}
        # The index among all generated moves.  If OnMovesGenerated has removed all moves, the list
        # contains a forced pass that the generation without this hook does not add.
        self.generated_indexes = [indexes.get(move, -1) for move in addresses]

    def origin(self, index: int, changes: tuple[str, ...]) -> Origin:
        """Return the origin of the legal move with an index in the list of legal moves."""
        traced, generation = self.traced, self.generation
        generated_index, move_type = self.generated_indexes[index], self.move_types[index]
        run = generation.run_of_move(generated_index)
        origin = Origin(
            index,
            self.codes[index],
            changes,
            self.type_names.get(move_type, f"#{move_type}") if move_type else None,
            self.ranks.get(move_type, UNRANKED) if self.ranks is not None else None,
        )
        if run is None:
            return origin
        order = generated_index - run.first_move
        records, counts = traced.follow(run, order)
        path = execution_path(traced, records)
        entry = self._list_entry(run, move_type)
        piece = self.game._loaded.roster.piece(run.piece)
        return replace(
            origin,
            word=traced.source_cells.name(run.word),
            location=traced.source_cells.word_location(run.word),
            list=None if entry is None else "drops" if entry.is_drop else "moves",
            table=None if entry is None else traced.source_cells.name(entry.list_xt),
            piece=str(piece) if piece else None,
            square=self.game._loaded.square(run.square),
            directions=tuple(step.word for step in path if step.kind == "direction"),
            order=order,
            path=path,
            lines=source_lines(traced, counts),
        )

    def _list_entry(self, run: Run, move_type: int) -> ListEntry | None:
        for entry in self.traced.list_entries:
            same_run = entry.word == run.word and entry.piece_type == run.piece & TYPE_MASK
            if same_run and entry.move_type == move_type:
                return entry
        return None

"""The result types of `why_not`.

To explain why a move is missing, `why_not` generates the moves again and inverts decisions of the
script until the move appears.  The inverted decisions are the refusals.

Owns the fields of the results and their JSON form.  query.py determines answers; author_text.py and
player_text.py display them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.debug.source_map.source_cells import fields_json

if TYPE_CHECKING:
    from forthvm.core.location import Location

__all__ = ["Answer", "Caller", "Refusal", "WhyNot"]


@dataclass(frozen=True)
class Caller:
    """A calling word, and the source position of the call."""

    word: str
    location: Location | None


@dataclass(frozen=True)
class Refusal:
    """A decision that refuses the move.

    Attributes:
        kind: The token in the source: `verify`, `IF`, `WHILE` or `UNTIL`.
        location: The source position of the token.
        condition: The source text of the condition, such as `empty?`; "" if unknown.
        value: The flag that the token tested.  The query replaced it by TRUE for a `verify`, and by
            the opposite flag for an IF.
        word: The word that contains the token.
        callers: The callers of this word, innermost first; the last is the move word.
        direction: The last direction taken before the decision; None without one.
        here: The name of the current board position at the decision.
        round: Which run of the token it was in the generation: 1 for the first.
        address: The address of the token's cell.
    """

    kind: str
    location: Location | None
    condition: str
    value: int
    word: str | None
    callers: tuple[Caller, ...]
    direction: str | None
    here: str
    round: int
    address: int


@dataclass(frozen=True)
class Answer:
    """One explanation: decisions that, when inverted, let the move be generated.

    Attributes:
        refusals: The inverted decisions, in the order of execution.
        move: The text of the move generated with inverted decisions.
        exact: Whether `move` equals the requested text; otherwise it is only similar.
        appears: Whether the move is in the move list after the inversion; False if moves of a
            higher priority (`better`) exclude it.
        word: The move word; None if the decisions are in OnGenerateMoves.
        word_location: The source position of the word's definition.
        square: The name of the board position for which the word was run.
        piece: The piece for which the word was run, for example `White pawn`.
        type: The name of the move type; None if the move has no type.
        demanded: The move type that the turn demands, if it excludes the move; else None.
        better: The move type of higher priority that excludes the move, if any; else None.
        unfinished: Whether the move word builds the move without adding it: the move is in the
            list only if `add-move` runs after the word.
    """

    refusals: tuple[Refusal, ...]
    move: str
    exact: bool
    appears: bool
    word: str | None = None
    word_location: Location | None = None
    square: str | None = None
    piece: str | None = None
    type: str | None = None
    demanded: str | None = None
    better: str | None = None
    unfinished: bool = False


@dataclass(frozen=True)
class WhyNot:
    """The reason why a move is not legal.

    Attributes:
        game: The name of the game.
        player: The player to move.
        ply: The number of moves made so far.
        text: The requested move text.
        kind: The kind of the reason:
            `refused`: the decisions in `answers` refuse the move.
            `not-added`: a move word builds the move, but does not run `add-move`.
            `priority`, `type`: the move is generated, but a move type of higher priority or the
            type that the turn demands excludes it; `answers` has one answer without refusals.
            `removed`: the move is generated, but OnMovesGenerated removes it.
            `legal`: the text names one legal move.  `ambiguous`: the text names several moves.
            `over`: the game is over.
            `not-a-move`, `unknown-name`: the text is not a move, or has an unknown name.
            `no-piece`, `other-piece`: the first square is empty, or has another piece.
            `not-yours`: the piece belongs to a player who is not to move.
            `no-word`: no move word runs for the first square.
            `other-effects`: only a similar move, with other effects, can be generated.
            `unreachable`: no combination of inverted decisions generates the move.
            `unexplained`: the search tried as many combinations as its limits allow.
            `undecided`: the time limit ended the query.
        summary: The reason as a sentence.
        answers: The explanations, the most likely first.
        near: Similar legal moves.
        location: The source position of the responsible code: OnIsGameOver for `over`, the call
            of `$RemoveMove` for `removed`.
        trials: The number of generations that were run.
        tried: The decisions that were inverted without success, if `kind` is
            `unexplained` or `undecided`.
    """

    game: str
    player: str
    ply: int
    text: str
    kind: str
    summary: str
    answers: tuple[Answer, ...] = ()
    near: tuple[str, ...] = ()
    location: Location | None = None
    trials: int = 0
    tried: tuple[str, ...] = ()

    @property
    def is_legal(self) -> bool:
        """Whether the text names a legal move."""
        return self.kind == "legal"

    def __str__(self) -> str:
        from .author_text import describe

        return "\n".join(describe(self))

    def to_json(self) -> dict[str, object]:
        """Return the result as JSON; source positions have file, line, column and source."""
        return fields_json(self) | {
            "near": list(self.near),
            "tried": list(self.tried),
            "answers": [_answer_json(answer) for answer in self.answers],
        }


def _answer_json(answer: Answer) -> dict[str, object]:
    return fields_json(answer) | {
        "refusals": [
            fields_json(refusal) | {"callers": [fields_json(caller) for caller in refusal.callers]}
            for refusal in answer.refusals
        ],
    }

"""The answer to the question why a move is not in the list: its shape.

Owns the records and how they become JSON.  How they are found is question.py's affair, how they
look to people author_text.py's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.value import Value
from forthvm.debug.source_cells import location_json

if TYPE_CHECKING:
    from forthvm.core.location import Location

__all__ = ["Answer", "Caller", "Refusal", "WhyNot"]


class Caller(Value):
    """A word that was at work, and the token in it that had called."""

    word: str
    place: Location | None


class Refusal(Value):
    """A decision that stands in the move's way.

    Attributes:
        kind: What the author wrote there: `verify`, `IF`, `WHILE` or `UNTIL`.
        place: Where.
        condition: Source text of what it decides on, as far as it can be told: `empty?`.
        value: The flag that it found; passed over, a `verify` finds TRUE, an IF the other one.
        word: The word that it stands in.
        callers: Who had called that word, innermost first; the last is the move word.
        direction: The direction that was taken last before it, None if none was.
        here: Name of the current position then.
        round: How many times this token had run in the generation, this time included.
        address: Its cell in memory.
    """

    kind: str
    place: Location | None
    condition: str
    value: int
    word: str | None
    callers: tuple[Caller, ...]
    direction: str | None
    here: str
    round: int
    address: int


class Answer(Value):
    """A way in which the move would come to be.

    Attributes:
        refusals: The decisions that have to be passed over, in the order in which they are met.
        move: Text of the move that appears then.
        exact: It is the text that was asked for, not one that only differs in separators.
        appears: With the decisions passed over it was in the list; False where moves of a
            better priority still keep it out (`better`).
        word: The move word at work, None where the decisions stand in OnGenerateMoves.
        word_place: Where that is defined.
        square: Name of the position it was run for.
        piece: The piece that it was run for, as `White pawn`.
        type: Name of its move type, None for none.
        demanded: The move type that the turn demands instead, None where it is no obstacle.
        better: Move type that takes precedence, None where priorities are no obstacle.
        unfinished: The move word builds the move and ends without adding it: `add-move` had to
            be put behind the word.
    """

    refusals: tuple[Refusal, ...]
    move: str
    exact: bool
    appears: bool
    word: str | None = None
    word_place: Location | None = None
    square: str | None = None
    piece: str | None = None
    type: str | None = None
    demanded: str | None = None
    better: str | None = None
    unfinished: bool = False


class WhyNot(Value):
    """The answer to: why is this move not legal?

    Attributes:
        game: Name of the game.
        player: Who is to move.
        ply: Moves made so far.
        text: The move that was asked for.
        kind: `refused` (`answers` say by what), `not-added` (a move word builds the move and
            forgets `add-move`), `priority`, `type` (an answer each, without refusals), `legal`,
            `ambiguous`, `over`, `not-a-move`, `unknown-name`, `no-piece`, `other-piece`,
            `not-yours`, `no-word`, `other-effects`, `unreachable`, or `undecided` (the search
            ended before it had tried everything, or the time limit was reached).
        summary: The same in a sentence.
        answers: The ways in which the move would come to be, the likeliest first.
        near: Legal moves that come near it.
        place: Where the code is that decided otherwise: OnIsGameOver for `over`.
        trials: Generations that were run to find out.
        tried: What was turned round in vain, where the answer is `undecided`.
    """

    game: str
    player: str
    ply: int
    text: str
    kind: str
    summary: str
    answers: tuple[Answer, ...] = ()
    near: tuple[str, ...] = ()
    place: Location | None = None
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
        """As JSON has it; places are objects with file, line, column and source."""
        return vars(self) | {
            "place": location_json(self.place),
            "near": list(self.near),
            "tried": list(self.tried),
            "answers": [_answer_json(answer) for answer in self.answers],
        }


def _answer_json(answer: Answer) -> dict[str, object]:
    return vars(answer) | {
        "word_place": location_json(answer.word_place),
        "refusals": [
            vars(refusal)
            | {
                "place": location_json(refusal.place),
                "callers": [
                    {"word": caller.word, "place": location_json(caller.place)}
                    for caller in refusal.callers
                ],
            }
            for refusal in answer.refusals
        ],
    }

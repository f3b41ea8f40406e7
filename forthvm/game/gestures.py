"""Gestures: the clicks by which a player makes a move on a drawn board.

Owns which clicks make a move.  It works on the parts of move texts.

A gesture begins with the clicks of the main movement: the square of the piece that moves and the
square to which it moves, or a piece in a store and the square on which it is put.  Other squares of
the move follow only if they are needed to tell it from another legal move.  Moves that share all
clicks end with a choice between them, unless the positions after them are equal: these moves have
the same gesture.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from forthvm.core.errors import BudgetExceeded, ForthVMError, Interrupted

from .shown import shown_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from .loaded import LoadedGame
    from .notation import Part
    from .states import State

__all__ = ["CHOICE", "SQUARE", "STORE", "Click", "gestures_of"]

SQUARE, STORE, CHOICE = "square", "store", "choice"
_MOST_COMPARED = 32
"""If more moves share all clicks, the positions after them are not compared."""


@dataclass(frozen=True)
class Click:
    """One click.

    Attributes:
        kind: `square`, `store` (a piece beside the board), or `choice` (a button).
        name: The square, the type of the piece, or the text of the button.
        player: The owner of the piece in the store.
    """

    kind: str
    name: str
    player: str | None = None

    def __str__(self) -> str:
        return f"{self.player} {self.name}" if self.player else self.name


def gestures_of(game: LoadedGame, state: State) -> tuple[tuple[Click, ...], ...]:
    """Return the gesture of each move of a state, in the order of the moves.

    Moves share a gesture only if the positions after them are equal.

    Raises:
        ForthVMError: The script's word OnShow fails.
    """
    turn = game.tables.turns[game.turn_index_of(state)]
    own = {
        square
        for square, piece in game.board_of(state).occupied()
        if piece.player in (turn.player, turn.for_player)
    }
    hidden = shown_of(game, state).hidden
    plans = [_plan(game, text, own, hidden) for text in game.states.texts(state)]
    _omit_only_store(plans)
    gestures: list[tuple[Click, ...]] = [()] * len(plans)
    equal = partial(_equal_moves, game, state)
    for moves, gesture in _shortest(plans, range(len(plans)), 0, equal):
        for index in moves:
            gestures[index] = gesture
    return tuple(gestures)


def _equal_moves(game: LoadedGame, state: State, moves: Sequence[int]) -> list[list[int]]:
    """Group moves that lead to the same memory; a move that fails is a group of its own."""
    if len(moves) == 1 or len(moves) > _MOST_COMPARED:
        return [[index] for index in moves]
    groups: list[tuple[State | None, list[int]]] = []
    for index in moves:
        try:
            after = game.states.make(state, index)
            game.states.save(after)
        except Interrupted:
            raise
        except BudgetExceeded:  # the other moves may take as long
            return [[index] for index in moves]
        except ForthVMError:  # it is shown when a player chooses the move
            groups.append((None, [index]))
            continue
        for other, equal in groups:
            if other is not None and other.same(after):
                equal.append(index)
                break
        else:
            groups.append((after, [index]))
    return [equal for _, equal in groups]


class _Plan:
    """All steps that describe a move, and the number of them that its gesture always has."""

    __slots__ = ("needed", "steps", "text")

    def __init__(self, text: str, steps: list[Click], needed: int) -> None:
        self.text = text
        self.steps = steps
        self.needed = needed


def _plan(game: LoadedGame, text: str, own: Collection[str], hidden: Collection[str]) -> _Plan:
    """Return the steps of a move, those of its main part first."""
    parts = [part for part in game.parse(text) if part.kind not in ("partial", "attribute")]
    main = _main_part(parts, own)
    steps = list(_steps_of(main, hidden)) if main else []
    needed = len(steps)
    for part in parts:
        if part is not main:
            steps += _steps_of(part, hidden)
    if not steps:
        return _Plan(text, [Click(CHOICE, text)], 1)
    return _Plan(text, steps, max(needed, 1))


def _main_part(parts: Sequence[Part], own: Collection[str]) -> Part | None:
    """Return the movement of an own piece, else any movement, else the first part."""
    movements = [part for part in parts if part.kind == "move"]
    own_movements = [part for part in movements if part.squares[0] in own]
    return next(iter([*own_movements, *movements, *parts]), None)


def _steps_of(part: Part, hidden: Collection[str]) -> Iterator[Click]:
    """Yield the steps of a part; squares that players do not see are left out."""
    if part.kind == "create" and part.name is not None:
        yield Click(STORE, part.name, part.player)
    previous = None
    for square in part.squares:
        if square not in hidden and square != previous:
            yield Click(SQUARE, square)
        previous = square
    if part.kind == "change" and part.name is not None:
        yield Click(CHOICE, part.name)
    elif part.kind in ("pass", "text"):
        yield Click(CHOICE, part.text)


def _omit_only_store(plans: Sequence[_Plan]) -> None:
    """Leave out the first click on a store if it is the same in all moves that begin with one."""
    drops = [plan for plan in plans if plan.steps[0].kind == STORE and len(plan.steps) > 1]
    if len({plan.steps[0] for plan in drops}) == 1:
        for plan in drops:
            del plan.steps[0]
            plan.needed = max(plan.needed - 1, 1)


def _shortest(
    plans: Sequence[_Plan],
    group: Sequence[int],
    depth: int,
    equal: Callable[[Sequence[int]], list[list[int]]],
) -> Iterator[tuple[list[int], tuple[Click, ...]]]:
    """Yield the gestures of the moves of a group, which share their first `depth` steps.

    Args:
        plans: The steps of all moves.
        group: The indices of the moves.
        depth: The number of the steps that they share.
        equal: Groups moves by the positions after them.
    """
    if len(group) == 1:
        plan = plans[group[0]]
        yield [group[0]], tuple(plan.steps[: max(depth, plan.needed)])
        return
    complete = equal([at for at in group if len(plans[at].steps) == depth])
    labels = _labels([plans[moves[0]].text for moves in complete])
    for moves, label in zip(complete, labels, strict=True):
        choice = (Click(CHOICE, label),) if len(complete) > 1 else ()
        yield moves, (*plans[moves[0]].steps, *choice)
    by_step: Mapping[Click, list[int]] = defaultdict(list)
    for at in group:
        if len(plans[at].steps) > depth:
            by_step[plans[at].steps[depth]].append(at)
    for smaller in by_step.values():
        yield from _shortest(plans, smaller, depth + 1, equal)


def _labels(texts: Sequence[str]) -> list[str]:
    """Return the texts; equal ones get a number."""
    labels = []
    for at, text in enumerate(texts):
        earlier = texts[:at].count(text)
        labels.append(f"{text} ({earlier + 1})" if earlier else text)
    return labels

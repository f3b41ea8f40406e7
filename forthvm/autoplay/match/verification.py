"""Checks of the results of games that other machines played.

Owns the conversion of received data to rows, the check of a game by the rules, and the comparison
of two results of the same game.  cluster.py decides what follows.

Received data is untrusted.  What this computer knows, such as the seats and the seed, is not taken
from it.  The check by the rules replays the moves: it finds illegal moves, wrong dice, and results
that differ from the final position.  It cannot find out whether the engines chose these moves; only
playing the game again can, if the engines are repeatable.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from forthvm.autoplay.match.adjudication import Referee
from forthvm.autoplay.match.game import (
    MAX_ERROR_LENGTH,
    MAX_FAULTS,
    End,
    end_by_rules,
    forfeit_or_void,
    moves_digest,
    shared_win,
    time_text,
)
from forthvm.autoplay.match.running_game import Disagreement
from forthvm.autoplay.results.rows import read_row
from forthvm.autoplay.untrusted_text import in_a_line, visible
from forthvm.core.errors import ForthVMError
from forthvm.engines.registry import split_engine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.autoplay.match.game import Task
    from forthvm.autoplay.match.running_game import LoadedMatch, RunningGame
    from forthvm.autoplay.match.settings import Settings
    from forthvm.autoplay.results.rows import GameRow

__all__ = ["is_repeatable", "received_row", "rule_violation", "same_game"]

_MAX_REASON_LENGTH = 1000


def received_row(
    settings: Settings, seats: Sequence[str], task: Task, values: object, worker: str
) -> GameRow:
    """Return the row of a game from the values that a worker sent.

    Raises:
        ValueError: The values are not those of a row, or not those of this game.
    """
    if not isinstance(values, list):
        raise ValueError("expected the values of a game")
    row = read_row(values)
    if row.id != task.number:
        raise ValueError(f"expected game {task.number}, not {row.id}")
    for column in (row.outcome, row.nodes, row.thinking):
        if not column.keys() <= set(seats):
            raise ValueError("it names players without a seat")
    return replace(
        row,
        seed=settings.pair_seed(task.pair),
        seats=dict(zip(seats, task.seats, strict=True)),
        reason=row.reason[:_MAX_REASON_LENGTH],
        plies=len(row.moves),
        finished_at=time_text(),
        game=settings.game,
        opening=task.start.moves,
        pair=task.pair,
        digest=moves_digest(row.moves),
        faults=tuple(in_a_line(fault, MAX_ERROR_LENGTH) for fault in row.faults[:MAX_FAULTS]),
        worker=worker,
    )


def rule_violation(settings: Settings, loaded_match: LoadedMatch, task: Task, row: GameRow) -> str:
    """Replay the moves of a game; return how it violates the rules, or "" if it does not."""
    referee = Referee(settings.adjudication, loaded_match.seats)
    try:
        running_game = loaded_match.begin(settings.pair_seed(task.pair), task.start)
        end = end_by_rules(running_game, referee, loaded_match.seats)
        while end is None and len(running_game.moves) < len(row.moves):
            try:
                _replay_move(running_game, *row.moves[len(running_game.moves)])
            except Disagreement as error:
                return in_a_line(error, MAX_ERROR_LENGTH)
            end = end_by_rules(running_game, referee, loaded_match.seats)
    except (Disagreement, ForthVMError) as error:  # it may be what made the game void
        return "" if row.void else in_a_line(error, MAX_ERROR_LENGTH)
    if tuple(running_game.moves) != row.moves:
        return f"the game ends after {len(running_game.moves)} of {len(row.moves)} moves"
    if end is not None:
        ends = [end]
    elif row.void:
        ends = [End({}, row.reason, void=True)]
    else:
        ends = _ends_by_engines(settings, loaded_match, referee, row)
    if not any(_has_end(row, end) for end in ends):
        final = f"{row.reason!r} with the scores {dict(row.outcome)}"
        return f"the final position does not have the result {final}"
    return ""


def _replay_move(running_game: RunningGame, player: str, text: str) -> None:
    if running_game.pass_if_stuck():
        pass
    elif running_game.is_chance_node:
        running_game.push_chance()
    else:
        running_game.push_recorded(player, text)
    if running_game.moves[-1] != (player, text):
        made = visible(" ".join(running_game.moves[-1]))
        raise Disagreement(f"move {len(running_game.moves)} is {made}, not {visible(text)}")


def _ends_by_engines(
    settings: Settings, loaded_match: LoadedMatch, referee: Referee, row: GameRow
) -> list[End]:
    """Return the ends that a game can have in any position: forfeits, verdicts by scores."""
    ends = [forfeit_or_void(settings, row.seats, player, "") for player in row.seats]
    forfeits = [
        replace(end, reason=row.reason)
        for end in ends
        if row.reason.startswith(visible(end.reason))
    ]
    verdicts = referee.verdicts_by_scores()
    return [*forfeits, *(shared_win(loaded_match.seats, verdict) for verdict in verdicts)]


def _has_end(row: GameRow, end: End) -> bool:
    same_reason = row.reason == visible(end.reason)[:_MAX_REASON_LENGTH]
    return same_reason and dict(row.outcome) == end.scores and row.void == end.void


def same_game(one: GameRow, other: GameRow) -> bool:
    """Whether two results of a game have the same moves and the same end.

    Texts of failures are not compared, since they can contain paths of files.
    """
    return _course(one) == _course(other)


def _course(row: GameRow) -> tuple[object, ...]:
    fails = row.reason.startswith(("forfeit", "void"))
    reason = row.reason.partition(":")[0] if fails else row.reason
    return row.moves, dict(row.outcome), row.void, reason


def is_repeatable(settings: Settings) -> bool:
    """Whether the engines choose the same moves when a game is played again, as far as known.

    Engines with limits of time do not, and programs over UGI may not.
    """
    controls = [entrant.time or settings.time for entrant in settings.entrants]
    if not all(control.unlimited for control in controls):
        return False
    specs = [split_engine(entrant.spec) for entrant in settings.entrants if entrant.spec]
    return not any(name == "ugi" or "time" in options for name, options in specs)

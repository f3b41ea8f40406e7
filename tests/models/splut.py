"""Splut! in plain Python, written from the rules page alone.

Owns the rules of `rules/splut.md`, for two to four teams and with every option of section 10,
as a pure function from a state to its successors.  It does not use forthvm or a script; the order
of successors has no meaning.  Comments marked "Interpretation" state how the model plays where the
page has no rule.

Each team has a wizard, a troll and a dwarf; the four stones have no owner.  A turn has up to three
steps of the team's pieces.  A troll may throw or pull a stone, a dwarf pushes a row of pieces, and
a wizard may move ("levitate") a stone together with itself.  Locks restrict which stones a wizard
may levitate.  A team whose wizard is hit by a stone is removed.  The last team wins.  The cleaner,
a chance player of the script, moves after each round; its move resets the locks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

__all__ = [
    "CLEANER",
    "DUEL",
    "DUEL_SETUP",
    "NAMES",
    "PRESETS",
    "SPLUT",
    "SPLUT_SETUP",
    "STONES",
    "Options",
    "Preset",
    "State",
    "count_moves",
    "perft",
    "position",
    "setup",
    "start",
    "successors",
    "winner",
]

Preset = Literal["article", "official", "script"]

CLEANER: Final = "?Cleaner"
STONES: Final = ("sstone", "wstone", "nstone", "estone")
KINDS: Final = ("wizard", "dwarf", "troll")
SPLUT: Final = ("South", "West", "North", "East")
DUEL: Final = ("South", "North")

# Section 1: the 41 squares, from the top row down and from left to right.
_CELLS: Final = [
    (column, row)
    for row in range(9, 0, -1)
    for column in range(9)
    if abs(column - 4) + abs(row - 5) <= 4
]
NAMES: Final = tuple("abcdefghi"[column] + str(row) for column, row in _CELLS)
_INDEX: Final = {name: number for number, name in enumerate(NAMES)}
_STEPS: Final = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
_OPPOSITE: Final = {"north": "south", "south": "north", "east": "west", "west": "east"}
_OFF: Final = -1
_NEIGHBOURS: Final = {
    direction: tuple(
        _CELLS.index((column + dx, row + dy)) if (column + dx, row + dy) in _CELLS else _OFF
        for column, row in _CELLS
    )
    for direction, (dx, dy) in _STEPS.items()
}

_SOUTH: Final = {"e1": "sstone", "d2": "South wizard", "e2": "South dwarf", "f2": "South troll"}
_WEST: Final = {"a5": "wstone", "b6": "West wizard", "b5": "West dwarf", "b4": "West troll"}
_NORTH: Final = {"e9": "nstone", "f8": "North wizard", "e8": "North dwarf", "d8": "North troll"}
_EAST: Final = {"i5": "estone", "h4": "East wizard", "h5": "East dwarf", "h6": "East troll"}
SPLUT_SETUP: Final = {**_SOUTH, **_WEST, **_NORTH, **_EAST}


def setup(teams: tuple[str, ...]) -> dict[str, str]:
    """Return the pieces of these teams and all four stones by square (section 2)."""
    return {
        square: piece
        for square, piece in SPLUT_SETUP.items()
        if piece in STONES or piece.split()[0] in teams
    }


DUEL_SETUP: Final = setup(DUEL)


@dataclass(frozen=True)
class Options:
    """The options of section 10; the defaults are the preset `article`, as in the bundled game."""

    lock: Literal["previous-turn", "round", "each-opponent"] = "round"
    home_locks: bool = True
    dead_teams: Literal["skip", "pass"] = "pass"
    after_throw: Literal["skip", "pass"] = "pass"
    win_test: Literal["at-once", "own-move"] = "own-move"
    max_turns: int = 0
    late_cleaning: bool = False
    """The bug of the original script (section 12): its first cleaning clears nothing."""


PRESETS: Final[dict[Preset, Options]] = {
    "article": Options(),
    "official": Options("previous-turn", False, "skip", "skip", "at-once"),
    "script": Options(late_cleaning=True),
}


@dataclass(frozen=True)
class State:
    """A position and all the memory that the rules need (section 11).

    `movers` and `levitated_by` have a team for each stone, in the order of STONES: the team that
    moved the stone last since the last cleaning, and the team that levitated it in this turn.
    `moved_last_turn` has for each team the stones that it moved in its most recent turn, and
    `moved_this_turn` the stones moved in this turn.  `levitation_ended` is the team that may no
    longer levitate, `thrown_by` the team whose turn a throw has ended.  `cleanings` counts the
    moves of the cleaner.  `quiet` counts the turns since a team was removed, without those of
    eliminated teams.  `team_removed` tells whether a team was removed in this turn.
    """

    options: Options
    teams: tuple[str, ...]
    board: tuple[str, ...]
    team: str
    remaining_steps: int
    """Remaining steps of this turn, including the next one."""
    turns: int
    """Number of turns before this one."""
    movers: tuple[str, ...] = ("",) * 4
    moved_last_turn: tuple[frozenset[str], ...] = (frozenset(),) * 4
    moved_this_turn: frozenset[str] = frozenset()
    levitated_by: tuple[str, ...] = ("",) * 4
    levitation_ended: str = ""
    thrown_by: str = ""
    cleanings: int = 0
    quiet: int = 0
    team_removed: bool = False

    def squares(self) -> dict[str, str]:
        """Return the pieces by square, such as `sstone` or `South wizard`."""
        return {NAMES[i]: piece for i, piece in enumerate(self.board) if piece}

    def alive(self) -> tuple[str, ...]:
        """Return the teams whose wizard is on the board, in the order of play."""
        return tuple(team for team in self.teams if f"{team} wizard" in self.board)


def position(  # noqa: PLR0913 - keyword-only beyond the first, for tests
    squares: Mapping[str, str],
    *,
    teams: tuple[str, ...] = SPLUT,
    preset: Preset | Options = "article",
    slot: int = 0,
    movers: tuple[str, ...] = ("",) * 4,
    moved_last_turn: Mapping[str, tuple[str, ...]] | None = None,
) -> State:
    """Return a state with these pieces after `slot` steps, as if no stone had moved recently.

    The steps include those of the cleaner.  All teams count as having played.
    """
    board = [""] * len(NAMES)
    for name, piece in squares.items():
        board[_INDEX[name]] = piece
    options = preset if isinstance(preset, Options) else PRESETS[preset]
    state = State(options, teams, tuple(board), teams[0], 1, 0)
    for _ in range(slot):
        state = _advance(replace(state, options=replace(options, dead_teams="pass")))
    moved = tuple(frozenset((moved_last_turn or {}).get(team, ())) for team in teams)
    return replace(state, options=options, movers=movers, moved_last_turn=moved, quiet=0)


def start(teams: tuple[str, ...] = SPLUT, preset: Preset | Options = "article") -> State:
    """Return the initial position.

    Interpretation of `home-locks = on` with the locks `previous-turn` and `each-opponent`: before
    its first turn, a team counts as having moved its own stone in its most recent turn.
    """
    state = position(setup(teams), teams=teams, preset=preset)
    if not state.options.home_locks:
        return state
    return replace(
        state,
        movers=tuple(team if team in teams else "" for team in SPLUT),
        moved_last_turn=tuple(frozenset({STONES[SPLUT.index(team)]}) for team in teams),
    )


def winner(state: State) -> str | None:
    """Return the winner, "" after a draw, None while the game continues.

    With `win-test = own-move`, the forced passes after the deciding throw are still plies.
    Interpretation of `max-turns`: passes of an eliminated team do not count, and the limit does
    not end the game when only one team is left, which is about to win.
    """
    alive = state.alive()
    if len(alive) != 1:
        limit = state.options.max_turns
        return "" if limit and state.quiet >= limit else None
    (last,) = alive
    if state.options.win_test == "at-once":
        return last
    return last if state.team == last and state.thrown_by != last else None


def _locked(state: State, stone: str) -> bool:
    """Return whether the team to move may not levitate a stone (section 10, `lock`).

    Interpretation: `eliminated teams do not count` applies to every lock, and also to a team that
    removed itself in the previous turn.
    """
    if state.options.lock == "round":
        return state.movers[STONES.index(stone)] not in ("", state.team)
    at = state.teams.index(state.team)
    alive = state.alive()
    others = [team for team in state.teams[at + 1 :] + state.teams[:at] if team in alive]
    if state.options.lock == "previous-turn":
        others = others[-1:]
    return any(stone in state.moved_last_turn[state.teams.index(team)] for team in others)


def _may_levitate(state: State, stone: str) -> bool:
    """Return whether the team may levitate a stone in this step (section 7)."""
    if _locked(state, stone) or state.levitation_ended == state.team:
        return False
    levitated = [
        name for name, team in zip(STONES, state.levitated_by, strict=True) if team == state.team
    ]
    return not levitated or levitated == [stone]


@dataclass
class _Step:
    """A step of a piece: the board after it, the stones it moved or levitated, and throws."""

    board: list[str]
    moved: set[str]
    levitated: str = ""
    threw: bool = False


def _move_piece(board: tuple[str, ...], at: int, target: int) -> _Step:
    after = list(board)
    after[at], after[target] = "", board[at]
    return _Step(after, set())


def _landing(board: list[str], troll: int, direction: str) -> int | None:
    """Return the square where a stone thrown by a troll lands, None if it cannot move."""
    at = troll
    while True:
        ahead = _NEIGHBOURS[direction][at]
        if ahead == _OFF or board[ahead] in STONES or board[ahead].endswith(" troll"):
            return at if at != troll else None
        if board[ahead].endswith(" wizard"):
            return ahead
        at = ahead


def _throws(board: tuple[str, ...], at: int, target: int) -> Iterator[_Step]:
    stone = board[target]
    for direction in _STEPS:
        step = _move_piece(board, at, target)
        square = _landing(step.board, target, direction)
        if square is None:
            continue
        hit = step.board[square]
        if hit.endswith(" wizard"):
            team = hit.split()[0]
            step.board = ["" if p.startswith(team + " ") else p for p in step.board]
        step.board[square] = stone
        step.moved.add(stone)
        step.threw = True
        yield step


def _troll(state: State, at: int) -> Iterator[_Step]:
    board = state.board
    for direction, near in _NEIGHBOURS.items():
        target = near[at]
        if target == _OFF:
            continue
        if board[target] in STONES:
            yield from _throws(board, at, target)
        if board[target]:
            continue
        yield _move_piece(board, at, target)
        behind = _NEIGHBOURS[_OPPOSITE[direction]][at]
        if behind != _OFF and board[behind] in STONES:
            step = _move_piece(board, at, target)
            step.board[at], step.board[behind] = board[behind], ""
            step.moved.add(board[behind])
            yield step


def _dwarf(state: State, at: int) -> Iterator[_Step]:
    board = state.board
    for near in _NEIGHBOURS.values():
        row = []
        square = near[at]
        while square != _OFF and board[square]:
            row.append(square)
            square = near[square]
        if square == _OFF:
            continue
        step = _Step(list(board), {board[s] for s in row if board[s] in STONES})
        for target, source in zip(reversed([*row, square]), reversed([at, *row]), strict=True):
            step.board[target] = board[source]
        step.board[at] = ""
        yield step


def _wizard(state: State, at: int) -> Iterator[_Step]:
    board = state.board
    for near in _NEIGHBOURS.values():
        target = near[at]
        if target == _OFF:
            continue
        if board[target] in STONES:
            goal = near[target]
            if goal != _OFF and not board[goal] and _may_levitate(state, board[target]):
                step = _move_piece(board, at, target)
                step.board[goal] = step.levitated = board[target]
                step.moved.add(board[target])
                yield step
        if board[target]:
            continue
        yield _move_piece(board, at, target)
        for square, stone in enumerate(board):
            if stone not in STONES or not _may_levitate(state, stone):
                continue
            goal = near[square]
            if goal == _OFF or (board[goal] and goal != at):
                continue
            step = _move_piece(board, at, target)
            step.board[square] = ""
            step.board[goal] = step.levitated = stone
            step.moved.add(stone)
            yield step


_MOVERS: Final[dict[str, Callable[[State, int], Iterator[_Step]]]] = {
    "wizard": _wizard,
    "dwarf": _dwarf,
    "troll": _troll,
}


def _steps(state: State) -> Iterator[_Step]:
    for at, piece in enumerate(state.board):
        team, _, kind = piece.partition(" ")
        if kind and team == state.team:
            yield from _MOVERS[kind](state, at)


def _next_turn(state: State) -> State:
    """Return the state at the start of the next turn, of a team or cleaner (sections 3 and 9)."""
    moved_last_turn, quiet = state.moved_last_turn, state.quiet
    if state.team != CLEANER:
        at = state.teams.index(state.team)
        moved_last_turn = (*moved_last_turn[:at], state.moved_this_turn, *moved_last_turn[at + 1 :])
        quiet = 0 if state.team_removed else quiet + (state.team in state.alive())
    order = (*state.teams, CLEANER) if state.options.lock == "round" else state.teams
    alive = state.alive()
    team = state.team
    while True:
        team = order[(order.index(team) + 1) % len(order)]
        if team == CLEANER or team in alive or state.options.dead_teams == "pass":
            break
    turns = state.turns + (state.team != CLEANER)
    remaining_steps = 1 if team == CLEANER else min(turns + 1, 3)
    state = replace(
        state,
        team=team,
        remaining_steps=remaining_steps,
        turns=turns,
        moved_last_turn=moved_last_turn,
        moved_this_turn=frozenset(),
        quiet=quiet,
        team_removed=False,
    )
    if state.options.late_cleaning:
        return state
    return replace(state, levitated_by=("",) * 4, levitation_ended="", thrown_by="")


def _advance(state: State) -> State:
    """Return the state before the next step of the turn, or of the next turn.

    Interpretation: with `dead-teams = skip`, a team that removes itself loses the remaining steps
    of its turn, for both values of `after-throw`.
    """
    removed = state.options.dead_teams == "skip" and state.team not in (CLEANER, *state.alive())
    ended = removed or (state.thrown_by == state.team and state.options.after_throw == "skip")
    if state.remaining_steps > 1 and not ended:
        return replace(state, remaining_steps=state.remaining_steps - 1)
    return _next_turn(state)


def _clean(state: State) -> State:
    """Return the state after the cleaner's move, which forgets which team moved which stone.

    With `late_cleaning` the first cleaning clears nothing.
    """
    count = state.cleanings + 1
    state = replace(state, cleanings=count)
    if state.options.late_cleaning and count == 1:
        return _advance(state)
    clear = ("",) * 4
    return _advance(
        replace(state, movers=clear, levitated_by=clear, levitation_ended="", thrown_by="")
    )


def _apply(state: State, step: _Step) -> State:
    movers, levitated_by = list(state.movers), list(state.levitated_by)
    for stone in step.moved:
        movers[STONES.index(stone)] = state.team
    had_levitated = state.team in levitated_by
    if step.levitated:
        levitated_by[STONES.index(step.levitated)] = state.team
    after = replace(
        state,
        board=tuple(step.board),
        movers=tuple(movers),
        moved_this_turn=state.moved_this_turn | step.moved,
        levitated_by=tuple(levitated_by),
        levitation_ended=(
            state.team if had_levitated and not step.levitated else state.levitation_ended
        ),
        thrown_by=state.team if step.threw else state.thrown_by,
    )
    team_removed = state.team_removed or after.alive() != state.alive()
    return _advance(replace(after, team_removed=team_removed))


def count_moves(state: State) -> int:
    """Return the number of legal moves; forced passes and the cleaner's move count as one."""
    return len(successors(state))


def successors(state: State) -> list[State]:
    """Return the states after each legal move; empty when the game is over.

    Interpretation: a team that cannot make a step passes once for each remaining step.
    """
    if winner(state) is not None:
        return []
    if state.team == CLEANER:
        return [_clean(state)]
    if state.thrown_by == state.team:
        return [_advance(state)]
    found = [_apply(state, step) for step in _steps(state)]
    return found or [_advance(state)]


def perft(state: State, depth: int) -> int:
    """Return the number of sequences of `depth` plies."""
    if depth == 1:
        return count_moves(state)
    return sum(perft(after, depth - 1) for after in successors(state))

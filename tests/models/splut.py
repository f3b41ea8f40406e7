"""Splut! in plain Python, written from the rules page alone.

Owns the rules of `rules/splut.md`, for two to four teams and with every option of section 10,
as a pure function from a state to its successors.  It must not know forthvm, any script, or
the order in which an engine lists moves: successors are a set as far as its users are
concerned.  Readings where the page is silent are said where they are made ("Reading").
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

# Section 1: the 41 squares, here in the order top row first, left to right.
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
_NEAR: Final = {
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
    """The pieces of these teams and all four stones (section 2)."""
    return {
        square: piece
        for square, piece in SPLUT_SETUP.items()
        if piece in STONES or piece.split()[0] in teams
    }


DUEL_SETUP: Final = setup(DUEL)


@dataclass(frozen=True)
class Options:
    """Section 10; the defaults are those of `article`, the bundled game's."""

    lock: Literal["previous-turn", "round", "each-opponent"] = "round"
    home_locks: bool = True
    dead_teams: Literal["skip", "pass"] = "pass"
    after_throw: Literal["skip", "pass"] = "pass"
    win_test: Literal["at-once", "own-move"] = "own-move"
    max_turns: int = 0
    late_cleaning: bool = False
    """The original script's fault (section 12): its first cleaning clears nothing."""


PRESETS: Final[dict[Preset, Options]] = {
    "article": Options(),
    "official": Options("previous-turn", False, "skip", "skip", "at-once"),
    "script": Options(late_cleaning=True),
}


@dataclass(frozen=True)
class State:
    """A position and all the memory the rules need (section 11).

    In the order of STONES: `movers` who moved that stone last since the last cleaning, `flown`
    who levitated it in his turn.  `recent` has for each team the stones it moved in its most
    recent turn, `now` those moved in this turn.  `fly_ended` says whose levitation is over,
    `thrown` whose turn a throw ended, `quiet` how many turns of teams in the game ended since a
    team was removed, `hit` that one was in this turn.
    """

    options: Options
    teams: tuple[str, ...]
    board: tuple[str, ...]
    team: str
    left: int
    """Steps of this turn still to come, the next one included."""
    turns: int
    """Turns begun before this one."""
    movers: tuple[str, ...] = ("",) * 4
    recent: tuple[frozenset[str], ...] = (frozenset(),) * 4
    now: frozenset[str] = frozenset()
    flown: tuple[str, ...] = ("",) * 4
    fly_ended: str = ""
    thrown: str = ""
    cleanings: int = 0
    quiet: int = 0
    hit: bool = False

    def squares(self) -> dict[str, str]:
        """The occupied squares: name to `sstone`, `South wizard`, ..."""
        return {NAMES[i]: piece for i, piece in enumerate(self.board) if piece}

    def alive(self) -> tuple[str, ...]:
        """The teams that have their wizard, in the order of play."""
        return tuple(team for team in self.teams if f"{team} wizard" in self.board)


def position(  # noqa: PLR0913 - keyword-only beyond the first, for tests
    squares: Mapping[str, str],
    *,
    teams: tuple[str, ...] = SPLUT,
    preset: Preset | Options = "article",
    slot: int = 0,
    movers: tuple[str, ...] = ("",) * 4,
    recent: Mapping[str, tuple[str, ...]] | None = None,
) -> State:
    """A state with these pieces after `slot` steps of the start's turn order, all flags clear.

    With cleaners among the steps where there are any; all teams count as having played.
    """
    board = [""] * len(NAMES)
    for name, piece in squares.items():
        board[_INDEX[name]] = piece
    options = preset if isinstance(preset, Options) else PRESETS[preset]
    state = State(options, teams, tuple(board), teams[0], 1, 0)
    for _ in range(slot):
        state = _advance(replace(state, options=replace(options, dead_teams="pass")))
    moved = tuple(frozenset((recent or {}).get(team, ())) for team in teams)
    return replace(state, options=options, movers=movers, recent=moved, quiet=0)


def start(teams: tuple[str, ...] = SPLUT, preset: Preset | Options = "article") -> State:
    """The initial position.

    Reading of `home-locks = on` without memories that last a round: before its first turn a
    team counts as having moved its own stone in its most recent one.
    """
    state = position(setup(teams), teams=teams, preset=preset)
    if not state.options.home_locks:
        return state
    return replace(
        state,
        movers=tuple(team if team in teams else "" for team in SPLUT),
        recent=tuple(frozenset({STONES[SPLUT.index(team)]}) for team in teams),
    )


def winner(state: State) -> str | None:
    """Who has won, seen from this state, "" after a draw, None while the game goes on.

    With `win-test = own-move` the forced passes after the deciding throw are still plies.
    Reading of `max-turns`: turns that an eliminated team passes do not count, and it ends
    nothing when one team is left, who is about to win.
    """
    alive = state.alive()
    if len(alive) != 1:
        limit = state.options.max_turns
        return "" if limit and state.quiet >= limit else None
    (last,) = alive
    if state.options.win_test == "at-once":
        return last
    return last if state.team == last and state.thrown != last else None


def _locked(state: State, stone: str) -> bool:
    """Whether that stone may not be levitated by who is in turn (section 10, `lock`).

    Reading: `eliminated teams do not count` also where a team removed itself in the turn just
    over, and for `each-opponent` too.
    """
    if state.options.lock == "round":
        return state.movers[STONES.index(stone)] not in ("", state.team)
    at = state.teams.index(state.team)
    alive = state.alive()
    before = [team for team in state.teams[at + 1 :] + state.teams[:at] if team in alive]
    if state.options.lock == "previous-turn":
        before = before[-1:]
    return any(stone in state.recent[state.teams.index(team)] for team in before)


def _may_fly(state: State, stone: str) -> bool:
    """Conditions of section 7 for levitating that stone on this step."""
    if _locked(state, stone) or state.fly_ended == state.team:
        return False
    mine = [name for name, who in zip(STONES, state.flown, strict=True) if who == state.team]
    return not mine or mine == [stone]


@dataclass
class _Effect:
    """One step being worked out: the board after it and what it did to stones."""

    board: list[str]
    moved: set[str]
    flew: str = ""
    threw: bool = False


def _step(board: tuple[str, ...], at: int, to: int) -> _Effect:
    after = list(board)
    after[at], after[to] = "", board[at]
    return _Effect(after, set())


def _lands(board: list[str], troll: int, direction: str) -> int | None:
    """Where a stone thrown from the troll's square comes down, None if it cannot move."""
    at = troll
    while True:
        ahead = _NEAR[direction][at]
        if ahead == _OFF or board[ahead] in STONES or board[ahead].endswith(" troll"):
            return at if at != troll else None
        if board[ahead].endswith(" wizard"):
            return ahead
        at = ahead


def _throws(board: tuple[str, ...], at: int, to: int) -> Iterator[_Effect]:
    stone = board[to]
    for direction in _STEPS:
        effect = _step(board, at, to)
        square = _lands(effect.board, to, direction)
        if square is None:
            continue
        hit = effect.board[square]
        if hit.endswith(" wizard"):
            team = hit.split()[0]
            effect.board = ["" if p.startswith(team + " ") else p for p in effect.board]
        effect.board[square] = stone
        effect.moved.add(stone)
        effect.threw = True
        yield effect


def _troll(state: State, at: int) -> Iterator[_Effect]:
    board = state.board
    for direction, near in _NEAR.items():
        to = near[at]
        if to == _OFF:
            continue
        if board[to] in STONES:
            yield from _throws(board, at, to)
        if board[to]:
            continue
        yield _step(board, at, to)
        behind = _NEAR[_OPPOSITE[direction]][at]
        if behind != _OFF and board[behind] in STONES:
            effect = _step(board, at, to)
            effect.board[at], effect.board[behind] = board[behind], ""
            effect.moved.add(board[behind])
            yield effect


def _dwarf(state: State, at: int) -> Iterator[_Effect]:
    board = state.board
    for near in _NEAR.values():
        row = []
        square = near[at]
        while square != _OFF and board[square]:
            row.append(square)
            square = near[square]
        if square == _OFF:
            continue
        effect = _Effect(list(board), {board[s] for s in row if board[s] in STONES})
        for target, source in zip(reversed([*row, square]), reversed([at, *row]), strict=True):
            effect.board[target] = board[source]
        effect.board[at] = ""
        yield effect


def _wizard(state: State, at: int) -> Iterator[_Effect]:
    board = state.board
    for near in _NEAR.values():
        to = near[at]
        if to == _OFF:
            continue
        if board[to] in STONES:
            goal = near[to]
            if goal != _OFF and not board[goal] and _may_fly(state, board[to]):
                effect = _step(board, at, to)
                effect.board[goal] = effect.flew = board[to]
                effect.moved.add(board[to])
                yield effect
        if board[to]:
            continue
        yield _step(board, at, to)
        for square, stone in enumerate(board):
            if stone not in STONES or not _may_fly(state, stone):
                continue
            goal = near[square]
            if goal == _OFF or (board[goal] and goal != at):
                continue
            effect = _step(board, at, to)
            effect.board[square] = ""
            effect.board[goal] = effect.flew = stone
            effect.moved.add(stone)
            yield effect


_MOVERS: Final[dict[str, Callable[[State, int], Iterator[_Effect]]]] = {
    "wizard": _wizard,
    "dwarf": _dwarf,
    "troll": _troll,
}


def _effects(state: State) -> Iterator[_Effect]:
    for at, piece in enumerate(state.board):
        team, _, kind = piece.partition(" ")
        if kind and team == state.team:
            yield from _MOVERS[kind](state, at)


def _turn_over(state: State) -> State:
    """The next turn: of a team, or the cleaner's one slot a round (sections 3 and 9)."""
    recent, quiet = state.recent, state.quiet
    if state.team != CLEANER:
        at = state.teams.index(state.team)
        recent = (*recent[:at], state.now, *recent[at + 1 :])
        quiet = 0 if state.hit else quiet + (state.team in state.alive())
    order = (*state.teams, CLEANER) if state.options.lock == "round" else state.teams
    alive = state.alive()
    team = state.team
    while True:
        team = order[(order.index(team) + 1) % len(order)]
        if team == CLEANER or team in alive or state.options.dead_teams == "pass":
            break
    turns = state.turns + (state.team != CLEANER)
    left = 1 if team == CLEANER else min(turns + 1, 3)
    state = replace(
        state,
        team=team,
        left=left,
        turns=turns,
        recent=recent,
        now=frozenset(),
        quiet=quiet,
        hit=False,
    )
    if state.options.late_cleaning:
        return state
    return replace(state, flown=("",) * 4, fly_ended="", thrown="")


def _advance(state: State) -> State:
    """The next step of the turn, or the next turn.

    Reading: where the turns of an eliminated team disappear, so do the steps left in that in
    which a team removed itself, whatever `after-throw` says.
    """
    gone = state.options.dead_teams == "skip" and state.team not in (CLEANER, *state.alive())
    over = gone or (state.thrown == state.team and state.options.after_throw == "skip")
    if state.left > 1 and not over:
        return replace(state, left=state.left - 1)
    return _turn_over(state)


def _clean(state: State) -> State:
    """The cleaner's only move: all memories wiped (`late_cleaning`: not the first time)."""
    count = state.cleanings + 1
    state = replace(state, cleanings=count)
    if state.options.late_cleaning and count == 1:
        return _advance(state)
    clear = ("",) * 4
    return _advance(replace(state, movers=clear, flown=clear, fly_ended="", thrown=""))


def _apply(state: State, effect: _Effect) -> State:
    movers, flown = list(state.movers), list(state.flown)
    for stone in effect.moved:
        movers[STONES.index(stone)] = state.team
    had_flown = state.team in flown
    if effect.flew:
        flown[STONES.index(effect.flew)] = state.team
    after = replace(
        state,
        board=tuple(effect.board),
        movers=tuple(movers),
        now=state.now | effect.moved,
        flown=tuple(flown),
        fly_ended=state.team if had_flown and not effect.flew else state.fly_ended,
        thrown=state.team if effect.threw else state.thrown,
    )
    return _advance(replace(after, hit=state.hit or after.alive() != state.alive()))


def count_moves(state: State) -> int:
    """Legal moves, forced passes and the cleaner's move included; 0 when the game is over."""
    return len(successors(state))


def successors(state: State) -> list[State]:
    """The states after each legal move; empty when the game is over.

    Reading: who cannot step passes once for each step left.
    """
    if winner(state) is not None:
        return []
    if state.team == CLEANER:
        return [_clean(state)]
    if state.thrown == state.team:
        return [_advance(state)]
    found = [_apply(state, effect) for effect in _effects(state)]
    return found or [_advance(state)]


def perft(state: State, depth: int) -> int:
    """Number of sequences of `depth` plies."""
    if depth == 1:
        return count_moves(state)
    return sum(perft(after, depth - 1) for after in successors(state))

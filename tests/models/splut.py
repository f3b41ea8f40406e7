"""Splut! in plain Python, written from the rules page alone.

Owns the rules of `rules/splut.md` (presets `article`, `official` and `script`) as a pure
function from a state to its successors.  It must not know forthvm, any script, or the order
in which an engine lists moves: successors are a set as far as its users are concerned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal

__all__ = [
    "CLEANER",
    "DUEL",
    "DUEL_SETUP",
    "NAMES",
    "SPLUT",
    "SPLUT_SETUP",
    "STONES",
    "Preset",
    "State",
    "count_moves",
    "perft",
    "position",
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
DUEL_SETUP: Final = {**_SOUTH, **_NORTH, "a5": "wstone", "i5": "estone"}


@dataclass(frozen=True)
class State:
    """A position and all the memory the rules need (section 11).

    `movers` names for each stone (order of STONES) who it is remembered for: its last mover
    under `article` and `script`, `now` or `before` under `official` (moved in this turn, in
    the turn just before).  `flown` names for each stone who levitated it in his turn,
    `fly_ended` whose levitation is over and `thrown` whose turn a throw ended.
    """

    preset: Preset
    teams: tuple[str, ...]
    board: tuple[str, ...]
    slot: int
    """Article and script: steps done so far.  Official: turns begun so far, less one."""
    team: str
    left: int
    movers: tuple[str, ...]
    flown: tuple[str, ...] = ("", "", "", "")
    fly_ended: str = ""
    thrown: str = ""
    cleanings: int = 0

    def squares(self) -> dict[str, str]:
        """The occupied squares: name to `sstone`, `South wizard`, ..."""
        return {NAMES[i]: piece for i, piece in enumerate(self.board) if piece}


@cache
def _order(teams: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Slots of the article's turn order: those played once, those that repeat (section 3)."""
    first = [team for count, team in enumerate(teams, 1) for _ in range(min(count, 3))]
    again = [CLEANER] + [team for team in teams for _ in range(3)]
    return tuple(first), tuple(again)


def _slot_team(teams: tuple[str, ...], slot: int) -> str:
    first, again = _order(teams)
    return first[slot] if slot < len(first) else again[(slot - len(first)) % len(again)]


def position(
    squares: Mapping[str, str],
    *,
    teams: tuple[str, ...] = SPLUT,
    preset: Preset = "article",
    slot: int = 0,
    movers: tuple[str, ...] = ("", "", "", ""),
) -> State:
    """A state with these pieces, the team of that slot to make a step, all flags clear."""
    board = [""] * len(NAMES)
    for name, piece in squares.items():
        board[_INDEX[name]] = piece
    team = teams[slot % len(teams)] if preset == "official" else _slot_team(teams, slot)
    left = min(slot + 1, 3) if preset == "official" else 0
    return State(preset, teams, tuple(board), slot, team, left, movers)


def start(teams: tuple[str, ...] = SPLUT, preset: Preset = "article") -> State:
    """The initial position; the home locks are on in `article` and `script`."""
    home = {"South": 0, "West": 1, "North": 2, "East": 3}
    movers = [""] * 4
    if preset != "official":
        for team in teams:
            movers[home[team]] = team
    setup = SPLUT_SETUP if teams == SPLUT else DUEL_SETUP
    return position(setup, teams=teams, preset=preset, movers=tuple(movers))


def winner(state: State) -> str | None:
    """Who has won, seen from this state: at once (official), or when he can step (the others).

    The forced passes after the deciding throw are still plies: section 10, `win-test`.
    """
    wizards = {piece.split()[0] for piece in state.board if piece.endswith(" wizard")}
    if len(wizards) != 1:
        return None
    (last,) = wizards
    if state.preset == "official":
        return last
    return last if state.team == last and state.thrown != last else None


def _locked(state: State, stone: str) -> bool:
    memory = state.movers[STONES.index(stone)]
    if state.preset == "official":
        return "before" in memory
    return memory not in ("", state.team)


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


def _turn_passes(state: State) -> State:
    """The state when the team's turn is over under `official` (skip, skip)."""
    slot, team = state.slot, state.team
    alive = {piece.split()[0] for piece in state.board if " " in piece}
    while True:
        team = state.teams[(state.teams.index(team) + 1) % len(state.teams)]
        if team in alive:
            break
    movers = tuple("before" if "now" in memory else "" for memory in state.movers)
    return replace(
        state,
        slot=slot + 1,
        team=team,
        left=min(slot + 2, 3),
        movers=movers,
        flown=("",) * 4,
        fly_ended="",
        thrown="",
    )


def _advance(state: State) -> State:
    """The next slot (article, script) or the next step or turn (official)."""
    if state.preset == "official":
        state = replace(state, left=state.left - 1)
        if winner(state) or (state.left and not state.thrown):
            return state
        return _turn_passes(state)
    slot = state.slot + 1
    team = _slot_team(state.teams, slot)
    if state.preset == "article" and team != state.team:
        state = replace(state, flown=("",) * 4, fly_ended="", thrown="")
    return replace(state, slot=slot, team=team)


def _clean(state: State) -> State:
    """The cleaner's only move: all memories wiped (`script`: not the first time)."""
    count = state.cleanings + 1
    if state.preset == "script" and count == 1:
        return _advance(replace(state, cleanings=count))
    clear = ("",) * 4
    return _advance(
        replace(state, cleanings=count, movers=clear, flown=clear, fly_ended="", thrown="")
    )


def _apply(state: State, effect: _Effect) -> State:
    movers, flown = list(state.movers), list(state.flown)
    for stone in effect.moved:
        index = STONES.index(stone)
        if state.preset == "official":
            movers[index] = "before now" if "before" in movers[index] else "now"
        else:
            movers[index] = state.team
    had_flown = state.team in flown
    if effect.flew:
        flown[STONES.index(effect.flew)] = state.team
    return _advance(
        replace(
            state,
            board=tuple(effect.board),
            movers=tuple(movers),
            flown=tuple(flown),
            fly_ended=state.team if had_flown and not effect.flew else state.fly_ended,
            thrown=state.team if effect.threw else state.thrown,
        )
    )


def count_moves(state: State) -> int:
    """Legal moves, forced passes and the cleaner's move included; 0 when the game is over."""
    return len(successors(state))


def successors(state: State) -> list[State]:
    """The states after each legal move; empty when the game is over."""
    if winner(state):
        return []
    if state.team == CLEANER:
        return [_clean(state)]
    if state.thrown == state.team:
        return [_advance(state)]
    found = [_apply(state, effect) for effect in _effects(state)]
    if found:
        return found
    if state.preset == "official":
        return [_turn_passes(state)]
    return [_advance(state)]


def perft(state: State, depth: int) -> int:
    """Number of sequences of `depth` plies."""
    if depth == 1:
        return count_moves(state)
    return sum(perft(after, depth - 1) for after in successors(state))

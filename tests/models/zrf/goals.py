"""Goals (section 8 of the contract): what has been decided after a completed turn.

Of moves it needs only whether there are any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt
from typing import Final, Literal, TypeAlias

from tests.models.zrf.attacks import attacked
from tests.models.zrf.choices import (
    GOAL_ORDER,
    PLAYERS_FOR_ELIMINATION,
    REPETITIONS,
    THIRD_OCCURRENCE_IS_A_DRAW,
)
from tests.models.zrf.moves import Scene
from tests.models.zrf.reader import Form
from tests.models.zrf.rules import Rules

__all__ = ["Result", "Situation", "decided", "in_check", "no_move_left", "royal_types"]

_COMPARISONS: Final = {"=": eq, "<": lt, ">": gt, "<=": le, ">=": ge}

Result: TypeAlias = dict[str, Literal["win", "loss", "draw"]]


@dataclass(frozen=True)
class Situation:
    """What goals look at.

    Attributes:
        scene: The board after the turn.
        mover: The player who made the last move.
        player: The player to move.
        side: Whose pieces are to move.
        can_move: Whether there is a legal move that is no pass.
        can_pass: Whether there is a pass.
        no_player_can_move: Whether no entry of the turn order has a legal move that is no pass.
        left: The (player, type) of pieces that left the board in the turn.
        captures: How many pieces of each (player who captured, type) have been captured.
        occurrences: How often the position has occurred, this time included.
        out: Players who dropped out.
    """

    scene: Scene
    mover: str
    player: str
    side: str
    can_move: bool
    can_pass: bool
    no_player_can_move: bool
    left: tuple[tuple[str, str], ...]
    captures: Mapping[tuple[str, str], int]
    occurrences: int
    out: frozenset[str]

    @property
    def rules(self) -> Rules:
        return self.scene.rules


# --- royal pieces -------------------------------------------------------------------------


def royal_types(rules: Rules, player: str) -> list[str]:
    """The types that `checkmated` goals of a player list (64)."""
    types: list[str] = []
    for _, form in rules.goals:
        names, conditions = _split(rules, form)
        for condition in conditions:
            if (not names or player in names) and condition[0] == "checkmated":
                types += [str(name) for name in condition[1:]]
    return types


def in_check(scene: Scene, player: str, types: list[str]) -> bool:
    """Whether a piece of a player of one of the types is attacked."""
    return any(
        attacked(scene, position, player)
        for position, piece in scene.board.items()
        if piece.player == player and piece.type in types
    )


# --- deciding -----------------------------------------------------------------------------


def decided(situation: Situation) -> tuple[Result | None, frozenset[str]]:
    """The result, or None, and the players who are out of the game (68-73)."""
    rules, mover = situation.rules, situation.mover
    held = list(dict.fromkeys(_held(situation)))
    out = situation.out
    for step in GOAL_ORDER:
        kind = step.split(maxsplit=1)[0]
        players = [p for k, p in held if k == kind and (p == mover or not step.endswith("mover"))]
        if not players:
            continue
        if kind == "win":
            return _result(rules, winner=players[0]), out
        if kind == "loss":
            result, out = _lost(rules, players, out)
            if result is not None:
                return result, out
        elif kind == "count":
            return _counted(situation), out
        else:
            return _draw(rules), out
    if situation.occurrences >= REPETITIONS and _repetition_is_draw(rules):  # 72
        return _draw(rules), out
    return None, out


def no_move_left(situation: Situation) -> Result:
    """The result if a player cannot move and no goal says what that means (undecided 8)."""
    return _draw(situation.rules)


def _held(situation: Situation) -> Iterator[tuple[str, str]]:
    """The (kind, player) of each goal that is true."""
    rules = situation.rules
    for kind, form in rules.goals:
        names, conditions = _split(rules, form)
        word = str(kind).removesuffix("-condition")
        if not names:  # of random players only those count that a goal lists (73)
            mover = [situation.mover] if situation.mover in rules.real_players else []
            names = mover if word in ("win", "loss") else rules.real_players
        for player in names:
            if player not in situation.out and any(
                _holds(situation, condition, player)
                or (word == "count" and _is_stalemate_of_all(situation, condition, player))
                for condition in conditions
            ):
                yield word, player if rules.has_turns(player) else situation.mover


def _split(rules: Rules, form: list[Form]) -> tuple[list[str], list[list[Form]]]:
    """The players that a goal lists and its conditions, each as a list."""
    names: list[str] = []
    if form and isinstance(form[0], list) and all(name in rules.players for name in form[0]):
        names = [str(name) for name in form[0]]
        form = form[1:]
    return names, [c if isinstance(c, list) else [c] for c in form]


def _lost(
    rules: Rules, players: list[str], out: frozenset[str]
) -> tuple[Result | None, frozenset[str]]:
    """73 for two players, undecided 7 for more.

    A random player's loss decides against a single real player only; else it has no effect.
    """
    real = rules.real_players
    losers = [name for name in players if name in real]
    if losers and len(real) < PLAYERS_FOR_ELIMINATION:
        return {name: "loss" if name == losers[0] else "win" for name in real}, out
    if not losers and len(real) == 1:  # a random opponent lost
        return _result(rules, winner=real[0]), out
    out |= set(losers)
    left = [name for name in real if name not in out]
    if losers and len(left) == 1:
        return _result(rules, winner=left[0]), out
    if losers and not left:
        return _draw(rules), out
    return None, out


def _counted(situation: Situation) -> Result:
    """71: the player with more pieces wins."""
    real = situation.rules.real_players
    counts = {name: _count(situation, None, name) for name in real}
    best = [name for name in real if counts[name] == max(counts.values())]
    return _result(situation.rules, winner=best[0]) if len(best) == 1 else _draw(situation.rules)


def _result(rules: Rules, winner: str) -> Result:
    """A win; that of a random player against several real ones is a draw for these."""
    if winner not in rules.real_players and len(rules.real_players) > 1:
        return _draw(rules)
    result: Result = dict.fromkeys(rules.real_players, "loss")
    if winner in result:
        result[winner] = "win"
    return result


def _draw(rules: Rules) -> Result:
    return dict.fromkeys(rules.real_players, "draw")


def _repetition_is_draw(rules: Rules) -> bool:
    stated = any(["repetition"] in _split(rules, form)[1] for _, form in rules.goals)
    return THIRD_OCCURRENCE_IS_A_DRAW and not stated and len(rules.real_players) > 1


# --- conditions ---------------------------------------------------------------------------


def _holds(situation: Situation, condition: Form, player: str) -> bool:  # noqa: C901, PLR0911 - a line for each
    name, *rest = condition if isinstance(condition, list) else [condition]
    if name == "and":
        return all(_holds(situation, c, player) for c in rest)
    if name == "or":
        return any(_holds(situation, c, player) for c in rest)
    if name == "not":
        return not _holds(situation, rest[0], player)
    if name == "stalemated":
        return _is_stalemated(situation, player)
    if name == "checkmated":
        return _is_checkmated(situation, player, [str(t) for t in rest])
    if name == "captured":
        return any((player, t) in situation.left for t in rest)
    if name == "pieces-remaining":
        return _count(situation, rest[1:], player) == int(str(rest[0]))
    if name == "total-piece-count":
        return _count(situation, rest[1:], None) == int(str(rest[0]))
    if name == "capture-count":
        return _compared(situation, rest, player)
    if name == "absolute-config":
        return _absolute(situation, rest, player)
    if name == "relative-config":
        return any(_relative(situation, rest, player, p) for p in situation.rules.board.positions)
    if name == "repetition":
        return situation.occurrences >= REPETITIONS
    raise ValueError(f"unknown goal {name}")


def _cannot_move(situation: Situation, player: str) -> bool:
    """Whether a player is to move and cannot; a random player's turn is skipped then.

    A player without turns is to move when others move his pieces.
    """
    to_move = player == situation.player
    to_move |= player == situation.side and not situation.rules.has_turns(player)
    return to_move and not situation.player.startswith("?") and not situation.can_move


def _is_checkmated(situation: Situation, player: str, types: list[str]) -> bool:
    return _cannot_move(situation, player) and in_check(situation.scene, player, types)


def _is_stalemated(situation: Situation, player: str) -> bool:
    if situation.can_pass or not _cannot_move(situation, player):
        return False
    return not _is_checkmated(situation, player, royal_types(situation.rules, player))


def _is_stalemate_of_all(situation: Situation, condition: Form, player: str) -> bool:
    """Whether a player may pass, but neither he nor another one can move (71)."""
    stuck = situation.player == player and situation.no_player_can_move
    return stuck and condition == ["stalemated"]


def _count(situation: Situation, types: list[Form] | None, player: str | None) -> int:
    """The pieces of a player, or of all, of one type, or of all that are no dummies (43)."""
    rules = situation.rules
    wanted = set(types) if types else {n for n in rules.pieces if not rules.pieces[n].dummy}
    count = sum(
        piece.type in wanted and player in (None, piece.player)
        for piece in situation.scene.board.values()
    )
    if rules.option("include off-pieces"):
        count += sum(
            number
            for (owner, piece_type), number in situation.scene.reserves.items()
            if piece_type in wanted and player in (None, owner)
        )
    return count


def _compared(situation: Situation, rest: list[Form], player: str) -> bool:
    """Whether the pieces of a type, or of all, that a player has captured are so many."""
    compare = _COMPARISONS.get(str(rest[0]), eq)
    number, *types = rest[1:] if str(rest[0]) in _COMPARISONS else rest
    pieces = situation.rules.pieces
    wanted = set(types) or {name for name in pieces if not pieces[name].dummy}
    taken = situation.captures.items()
    count = sum(n for (who, kind), n in taken if who == player and kind in wanted)
    return compare(count, int(str(number)))


def _absolute(situation: Situation, rest: list[Form], player: str) -> bool:
    *occupants, places = rest
    board = situation.rules.board
    for place in places if isinstance(places, list) else [places]:
        if place in board.positions:
            good = _holds_one(situation, str(place), occupants, player)
        else:
            members = board.zone(str(place), player)
            good = any(_holds_one(situation, member, occupants, player) for member in members)
        if not good:
            return False
    return True


def _holds_one(situation: Situation, position: str, occupants: list[Form], player: str) -> bool:
    return any(_fits(situation, position, occupant, player) for occupant in occupants)


def _fits(situation: Situation, position: str, occupant: Form, player: str) -> bool:
    piece = situation.scene.board.get(position)
    if isinstance(occupant, list):
        kind, inner = occupant
        if kind == "not":
            return not _fits(situation, position, inner, player)
        if piece is None or piece.type != inner:
            return False
        return kind == "any-owner" or piece.player != player
    return piece is not None and piece.type == occupant and piece.player == player


def _relative(situation: Situation, steps: list[Form], player: str, start: str) -> bool:
    position: str | None = start
    for step in steps:
        if position is None:
            return False
        if step in situation.rules.board.directions:
            position = situation.rules.board.neighbor(position, str(step), player)
        elif not _fits(situation, position, step, player):
            return False
    return position is not None

"""Works out what piece types are worth, and writes the hook OnEvaluate.

Owns the values of types, from their mobility and from goals about the number of pieces, and the
form of the tables that zrf-values.4th reads.  Delegates working out mobility to mobility.py.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from forthvm.zrf.compiler.mobility import moves_of_players, number_of_moves
from forthvm.zrf.compiler.places import Places
from forthvm.zrf.rules import Captured, Checkmated, PiecesRemaining, Stalemated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from forthvm.zrf.compiler.mobility import Moves
    from forthvm.zrf.compiler.names import Names
    from forthvm.zrf.compiler.script import Writer
    from forthvm.zrf.rules import Goal, Piece, Rules

__all__ = ["Values"]

_MOST_CELLS = 20_000  # of all tables
_LIGHTEST = 100  # value of the type with the smallest value
_BASE = 0.7  # moves that the existence of a piece is worth
_DECISIVE = 1000  # shared by the pieces whose loss decides the game
_ENDLESS = 1000  # a store of so many pieces is as good as endless


class Values:
    """The values of one game.

    Args:
        rules: The game.
        flips: Whether moves flip pieces.

    Attributes:
        of_type: For each piece type, the value of each of its pieces; negative if the player should
            get rid of them.
        of_place: For each player and piece type, what a piece is worth more or less on a position.
    """

    def __init__(self, rules: Rules, *, flips: bool) -> None:
        self._rules = rules
        self._players = rules.real_players
        moves, complete = moves_of_players(rules, self._players)
        mobility = _mobility(rules, moves)
        weights = {piece.name: self._weight(piece, mobility) for piece in rules.pieces}
        unit = _LIGHTEST / min((weight for weight in weights.values() if weight), default=1.0)
        self.of_type = {name: round(weight * unit) for name, weight in weights.items()}
        turned = self._apply_goals()
        self.of_place: dict[tuple[str, str], dict[str, int]] = {}
        if complete:
            places = Places(rules, moves, self.of_type, mobility, unit)
            self.of_place = places.rows(turned, flips=flips)

    # --- types ------------------------------------------------------------------------

    def _weight(self, piece: Piece, mobility: dict[str, float]) -> float:
        """Return the value of a type in moves, before goals; 0 for a type that does not count."""
        rules = self._rules
        owners = {at.player for at in rules.placements if at.piece == piece.name}
        owners |= {player for player, name in rules.reserves if name == piece.name}
        if piece.dummy or (owners and owners.isdisjoint(self._players)):
            return 0.0
        if any(isinstance(p, Checkmated) and piece.name in p.pieces for p in self._conditions()):
            return 0.0  # it cannot be captured
        if any(goal.kind == "count" for goal in rules.goals) or not any(mobility.values()):
            return _BASE
        return _BASE + mobility[piece.name] if mobility[piece.name] else 0.0

    def _apply_goals(self) -> frozenset[str]:
        """Change the values by the goals; return the types of which a player must get rid."""
        turned: set[str] = set()
        for goal in self._rules.goals:
            for part in goal.conditions():
                match part:
                    case PiecesRemaining(count=0, piece=piece) if goal.kind == "win":
                        turned.update((piece,) if piece else self._counted())
                    case PiecesRemaining(count=count, piece=piece):
                        types = (piece,) if piece else self._counted()
                        surplus = self._number_at_first(goal, types) - count
                        if {"loss": surplus, "win": -surplus}.get(goal.kind, 0) > 0:
                            self._raise(types, surplus)
                    case Captured(pieces=types) if goal.kind == "loss":
                        self._raise(types, 1)
                    case Stalemated() if goal.kind == "win" and not self._loses():
                        turned.update(self._counted())
        for name in turned:
            self.of_type[name] *= -1
        return frozenset(turned)

    def _raise(self, types: Iterable[str], number: int) -> None:
        """Raise the values of types of which a number of pieces decides the game."""
        for name in types:
            self.of_type[name] += _DECISIVE // abs(number)

    def _conditions(self) -> Iterator[object]:
        return self._rules.goal_conditions()

    def _loses(self) -> bool:
        """Return whether a goal says what a player must not lose."""
        return any(goal.kind == "loss" for goal in self._rules.goals) or any(
            isinstance(part, Checkmated) for part in self._conditions()
        )

    def _counted(self) -> tuple[str, ...]:
        return tuple(name for name, value in self.of_type.items() if value)

    def _number_at_first(self, goal: Goal, types: Sequence[str]) -> int:
        """Return the number of pieces that a player of a goal has at first."""
        rules = self._rules
        counts = dict.fromkeys(goal.players or self._players, 0)
        for at in rules.placements:
            if at.player in counts and at.piece in types:
                counts[at.player] += 1
        for (player, name), count in rules.reserves.items():
            if player in counts and name in types:
                counts[player] += count
        return max(counts.values(), default=0)

    # --- the script -------------------------------------------------------------------

    def write(self, out: Writer, names: Names, order: Sequence[str]) -> None:
        """Write the hook; nothing if no piece has a value.

        Args:
            out: The script.
            names: The names of the game.
            order: The positions in the order of the script.
        """
        tables: dict[tuple[int, ...], str] = {}
        places = []
        for (player, piece), values in self.of_place.items():
            row = tuple(values.get(position, 0) for position in order)
            word = tables.setdefault(row, f"z-values-{len(tables) + 1}")
            places.append(f"{names['player', player]} {names['piece', piece]} z-valued-by {word}")
        if len(tables) * len(order) > _MOST_CELLS:
            places = []
        stored = [
            f"{names['player', player]} {names['piece', piece]} z-stored +"
            for player, piece in self._stores()
        ]
        if not places and not any(self.of_type.values()):
            return
        out.title("evaluation")
        if places or stored:
            out.line("LOAD zrf-values.4th")
        if places:
            for row, word in tables.items():
                out.line(f"CREATE {word}")
                with out.indented():
                    out.wrapped(f"{value} ," for value in row)
            for line in places:
                out.line(line)
        # Debuggers stop first where the hook begins: at the first piece.
        out.line(": OnEvaluate ( -- score )", self._rules.pieces[0].origin)
        with out.indented():
            out.line(f"current-player material-balance{' z-place-balance +' if places else ''}")
            for line in stored:
                out.line(line)
        out.line(";")

    def _stores(self) -> Iterator[tuple[str, str]]:
        """Yield the players and types of stores whose pieces count."""
        rules = self._rules
        recycles = rules.options.get("recycle captures", "false") not in ("", "false", "default")
        for player in self._players:
            for name, value in self.of_type.items():
                count = rules.reserves.get((player, name), 0)
                if value and count < _ENDLESS and (count or recycles):
                    yield player, name


def _mobility(rules: Rules, moves: Moves) -> dict[str, float]:
    """Return for each type its moves: the median over the positions where it has any.

    Drops from squares that serve as a hand make the average too large.
    """
    numbers: dict[str, list[float]] = {piece.name: [] for piece in rules.pieces}
    for found in moves.values():
        for (name, _), ends in found.items():
            if ends:
                numbers[name].append(number_of_moves(ends))
    return {name: median(row) if row else 0.0 for name, row in numbers.items()}

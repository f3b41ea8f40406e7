"""Plain searches that use only the public API, after docs/explanation/search.md.

Owns the reference values of the native searches.  It uses a game as a playing program does; of the
script's words it calls only OnEvaluate and OnIsTerminal?.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from forthvm.core.errors import ForthVMError
from forthvm.game import Game, Position

WIN = 2_130_000_000
NEAR_WIN = WIN - 100_000


class TooBigError(Exception):
    """The tree has more positions than the caller allows."""


@dataclass
class Budget:
    """The number of further positions that a tree may have."""

    left: int

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooBigError


class Node:
    """A position of a tree, expanded on demand."""

    def __init__(self, position: Position, budget: Budget, ply: int = 0) -> None:
        self.position = position
        self.budget = budget
        self.ply = ply
        budget.spend()

    @cached_property
    def children(self) -> list[Node]:
        """The nodes after the legal moves; after a pass, if there are none."""
        children = []
        for move in list(self.position.legal_moves):
            child = self.position.copy()
            child.push(move)
            children.append(Node(child, self.budget, self.ply + 1))
        if not children:
            child = self.position.copy()
            child.push_pass()
            children.append(Node(child, self.budget, self.ply + 1))
        return children

    @cached_property
    def moves(self) -> int:
        return len(self.position.legal_moves)

    @cached_property
    def viewer(self) -> str:
        """The player to move; at a chance node, the next player who is not a chance player."""
        return viewer_of(self.position)

    @cached_property
    def decided(self) -> int | None:
        """1 if the viewer has won, -1 if it has lost, 0 for a draw, None if undecided."""
        outcome = self.position.result
        if outcome is None:
            return None
        if outcome.draw:
            return 0
        return 1 if self.viewer in outcome.winners else -1

    @cached_property
    def quiet(self) -> bool:
        """The result of OnIsTerminal?; true if the script has none."""
        vm = self.position.game.vm
        if vm.find("OnIsTerminal?") is None:
            return True
        with self.position.enter():
            return vm.call("OnIsTerminal?")[-1] != 0

    @cached_property
    def _worth(self) -> dict[str | None, int]:
        return {}

    def worth(self, player: str | None = None) -> int:
        """Return the value of OnEvaluate for that player; None for the player to move."""
        if player not in self._worth:
            self._worth[player] = evaluate(self.position, player)
        return self._worth[player]

    @cached_property
    def place(self) -> tuple[object, ...]:
        """The key by which positions are equal; the turn number is not part of it."""
        at = self.position
        return at.cells, at.turn_index, at.player_index, at.is_partial, outside(at)


def outside(position: Position) -> tuple[int, ...]:
    """Return the variables of a test script whose names state that moves change them."""
    names = ("outside-count", "outside-side")
    return tuple(position.variables[name] for name in names if name in position.variables)


def viewer_of(position: Position) -> str:
    game, at = position.game, position.turn_index
    if not position.is_chance:
        return position.turn
    for _ in game.turn_order:
        at = at + 1 if at + 1 < len(game.turn_order) else game.turn_repeat
        player = game.turn_order[at].player
        if player in game.contestants:
            return player
    return position.turn


def evaluate(position: Position, player: str | None = None) -> int:
    vm = position.game.vm
    if vm.find("OnEvaluate") is None:
        return 0
    with position.enter():
        vm.call("!", -1, *vm.call("$searching"))  # scripts may test whether a search evaluates
        if player is not None and player != position.turn:
            vm.call("$SetPlayer", vm.token(player))
        value = vm.call("OnEvaluate")[-1]
    return max(-NEAR_WIN, min(value, NEAR_WIN))


def mean(values: Sequence[int]) -> int:
    """Return the mean, rounded towards zero."""
    total = sum(values)
    return (abs(total) // len(values)) * (1 if total >= 0 else -1)


@dataclass(frozen=True)
class Rules:
    """Features that change the value of a search."""

    quiescence: bool = False
    extension: int = 16
    repetition: bool = False

    def horizon(self, node: Node, depth: int) -> bool:
        """Whether a position is only evaluated."""
        at = node.position
        if depth > 0 or at.is_chance:
            return False
        if at.is_partial and not partial_cost(at.game):
            return False
        if not self.quiescence or depth <= -self.extension:
            return True
        return (node.moves != 1 or has_chance_choices(at.game)) and node.quiet


@cache
def has_chance_choices(game: Game) -> bool:
    """Whether a chance player has several moves somewhere, unlike Splut!'s cleaner."""
    if not any(player.chance for player in game.player_details):
        return False
    position = game.start()
    for ply in range(60):
        if position.result is not None:
            break
        moves = position.legal_moves
        if position.is_chance and len(moves) > 1:
            return True
        if moves:
            position.push(moves[7 * ply % len(moves)])
        else:
            position.push_pass()
    return False


def partial_cost(game: Game) -> int:
    """Return the plies that a partial move costs."""
    if game.vm.find("$combinePartial") is None:
        return 0
    return 0 if game.vm.call("@", *game.vm.call("$combinePartial"))[-1] else 1


def cost(child: Node) -> int:
    """Return the depth that the move to a position costs."""
    at = child.position
    return partial_cost(at.game) if at.is_partial else 1


def chance_game(game: Game) -> bool:
    return any(player.chance for player in game.player_details)


class TwoSides:
    """Minimax between the root's side and all other players; values are for the root's side."""

    def __init__(self, root: Node, rules: Rules) -> None:
        self.root = root
        self.rules = rules
        self.me = root.viewer
        game = root.position.game
        self.many = len(game.contestants) > 2
        self.lots = chance_game(game)
        self.allies = {self.me}
        if self.many:
            self.allies |= {name for name in game.contestants if friends(game, self.me, name)}

    def move_values(self, depth: int) -> list[int]:
        """Return the value of each move of the root."""
        way = [self.root.place]
        return [self.value(child, depth - cost(child), way) for child in self.root.children]

    def value(self, node: Node, depth: int, way: list[tuple[object, ...] | None]) -> int:
        at = node.position
        sign = 1 if node.viewer in self.allies else -1
        if node.decided is not None:
            return sign * node.decided * (WIN - (0 if self.lots else node.ply))
        marked = not at.is_partial and not at.is_chance
        if self.rules.repetition and marked and node.place in way:
            return 0
        if self.rules.horizon(node, depth):
            return node.worth(self.me) if self.many else sign * node.worth()
        way.append(node.place if marked else None)
        if at.is_chance and node.moves:
            found = mean([self.value(child, depth, way) for child in node.children])
        else:
            below = [self.value(child, depth - cost(child), way) for child in node.children]
            found = max(below) if sign == 1 else min(below)
        way.pop()
        return found


class MaxN:
    """Max^n; values are by player."""

    def __init__(self, root: Node, rules: Rules) -> None:
        self.root = root
        self.rules = rules
        self.players = root.position.game.contestants
        self.lots = chance_game(root.position.game)

    def move_values(self, depth: int) -> list[dict[str, int]]:
        return [self.value(child, depth - cost(child)) for child in self.root.children]

    def value(self, node: Node, depth: int) -> dict[str, int]:
        at = node.position
        if at.result is not None:
            worth = 0 if at.result.draw else WIN - (0 if self.lots else node.ply)
            return {name: worth if name in at.result.winners else -worth for name in self.players}
        if self.rules.horizon(node, depth):
            return {name: node.worth(name) for name in self.players}
        if at.is_chance and node.moves:
            below = [self.value(child, depth) for child in node.children]
            return {name: mean([each[name] for each in below]) for name in self.players}
        below = [self.value(child, depth - cost(child)) for child in node.children]
        return max(below, key=lambda each: each[at.turn])  # the first of equal values


def friends(game: Game, one: str, other: str) -> bool:
    """Whether OnFriends? returns true in both directions."""
    if one == other:
        return True
    vm = game.vm
    (mine,), (yours,) = vm.call(one), vm.call(other)
    both = vm.call("OnFriends?", mine, yours)[-1], vm.call("OnFriends?", yours, mine)[-1]
    return 0 not in both


def late_positions(
    position: Position, seed: int, *, max_size: int = 200, step: int = 1
) -> list[Position]:
    """Return positions of a random game with a choice, the last positions first."""
    draw = random.Random(seed)
    found: list[Position] = []
    at = position.copy()
    for _ in range(max_size):
        if at.result is not None:
            break
        if at.is_stuck:
            at.push_pass()
            continue
        if not at.is_chance:
            found.append(at.copy())
        moves = at.legal_moves
        try:
            at.push(moves[draw.randrange(len(moves))])
        except ForthVMError:
            break
    return found[::-step]

"""Plain searches that use only the public API, after docs/explanation/search.md.

Owns the computation of the values that the searches in C are compared with.  Positions and moves
come from the public API.  The words that are called directly are OnEvaluate, OnIsTerminal?,
OnFriends?, and the library's settings for searches.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from forthvm.core.errors import ForthVMError
from forthvm.game import Game, Position

WIN = 2_130_000_000
"""The value of a game won at the root; a win is worth 1 less for each ply until it."""
NEAR_WIN = WIN - 100_000
"""The greatest value of an evaluation, which is less than every win."""


class TooBigError(Exception):
    """The tree has more positions than the caller allows."""


@dataclass
class Budget:
    """The number of further positions that a tree may have."""

    remaining: int

    def spend(self) -> None:
        self.remaining -= 1
        if self.remaining < 0:
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
        """The nodes after the legal moves; without legal moves, the node after a pass."""
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
        vm = self.position.game._loaded.vm
        if vm.find("OnIsTerminal?") is None:
            return True
        with self.position._in_memory():
            return vm.call("OnIsTerminal?")[-1] != 0

    @cached_property
    def _evaluations(self) -> dict[str | None, int]:
        return {}

    def evaluation(self, player: str | None = None) -> int:
        """Return the value of OnEvaluate for `player`; None for the player to move."""
        if player not in self._evaluations:
            self._evaluations[player] = evaluate(self.position, player)
        return self._evaluations[player]

    @cached_property
    def repetition_key(self) -> tuple[object, ...]:
        """A key that equal positions share; the turn number is not part of it."""
        position = self.position
        return (
            position.cells,
            position._turn_index,
            position.player_index,
            position.is_partial,
            outside_variables(position),
        )


def outside_variables(position: Position) -> tuple[int, ...]:
    """Return the values of the test scripts' variables outside the board that moves change."""
    names = ("outside-count", "steps-right", "turns-modulo-3")
    return tuple(position.variables[name] for name in names if name in position.variables)


def viewer_of(position: Position) -> str:
    """Return the player to move; at a chance node, the next player who is not a chance player."""
    game, turn = position.game, position._turn_index
    if not position.is_chance:
        return position.turn
    for _ in game.turn_order:
        turn = turn + 1 if turn + 1 < len(game.turn_order) else game.turn_repeat
        player = game.turn_order[turn].player
        if player in game.contestants:
            return player
    return position.turn


def evaluate(position: Position, player: str | None = None) -> int:
    """Return the value of OnEvaluate for a player, limited to ±NEAR_WIN; 0 if there is no hook."""
    vm = position.game._loaded.vm
    if vm.find("OnEvaluate") is None:
        return 0
    with position._in_memory():
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
    """The maximum number of plies of the quiescence search."""
    repetition: bool = False
    """Whether a repeated position is a draw."""

    def at_horizon(self, node: Node, depth: int) -> bool:
        """Whether a position is evaluated instead of searched."""
        position = node.position
        if depth > 0 or position.is_chance:
            return False
        if position.is_partial and not partial_cost(position.game):
            return False
        if not self.quiescence or depth <= -self.extension:
            return True
        return (node.moves != 1 or has_chance_choices(position.game)) and node.quiet


@cache
def has_chance_choices(game: Game) -> bool:
    """Whether a chance player has several moves in some position of a sample game.

    The chance player of Splut!, for example, always has a single move.
    """
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
    """Return the number of plies by which a partial move reduces the depth."""
    if game._loaded.vm.find("$combinePartial") is None:
        return 0
    return 0 if game._loaded.vm.call("@", *game._loaded.vm.call("$combinePartial"))[-1] else 1


def cost(child: Node) -> int:
    """Return the number of plies by which the move to `child` reduces the depth."""
    position = child.position
    return partial_cost(position.game) if position.is_partial else 1


def chance_game(game: Game) -> bool:
    return any(player.chance for player in game.player_details)


class TwoSides:
    """Minimax between the root's side and all other players; values are for the root's side."""

    def __init__(self, root: Node, rules: Rules) -> None:
        self.root = root
        self.rules = rules
        self.root_player = root.viewer
        game = root.position.game
        self.has_allies = len(game.contestants) > 2
        self.has_chance = chance_game(game)
        self.root_side = {self.root_player}
        if self.has_allies:
            self.root_side |= {
                name for name in game.contestants if friends(game, self.root_player, name)
            }

    def move_values(self, depth: int) -> list[int]:
        """Return the value of each move of the root."""
        path = [self.root.repetition_key]
        return [self.value(child, depth - cost(child), path) for child in self.root.children]

    def value(self, node: Node, depth: int, path: list[tuple[object, ...] | None]) -> int:
        position = node.position
        sign = 1 if node.viewer in self.root_side else -1
        if node.decided is not None:
            return sign * node.decided * (WIN - (0 if self.has_chance else node.ply))
        can_repeat = not position.is_partial and not position.is_chance
        if self.rules.repetition and can_repeat and node.repetition_key in path:
            return 0
        if self.rules.at_horizon(node, depth):
            if self.has_allies:
                return node.evaluation(self.root_player)
            return sign * node.evaluation()
        path.append(node.repetition_key if can_repeat else None)
        if position.is_chance and node.moves:
            value = mean([self.value(child, depth, path) for child in node.children])
        else:
            values = [self.value(child, depth - cost(child), path) for child in node.children]
            value = max(values) if sign == 1 else min(values)
        path.pop()
        return value


class MaxN:
    """Max^n; values are by player."""

    def __init__(self, root: Node, rules: Rules) -> None:
        self.root = root
        self.rules = rules
        self.players = root.position.game.contestants
        self.has_chance = chance_game(root.position.game)

    def move_values(self, depth: int) -> list[dict[str, int]]:
        return [self.value(child, depth - cost(child)) for child in self.root.children]

    def value(self, node: Node, depth: int) -> dict[str, int]:
        position = node.position
        result = position.result
        if result is not None:
            win = 0 if result.draw else WIN - (0 if self.has_chance else node.ply)
            return {name: win if name in result.winners else -win for name in self.players}
        if self.rules.at_horizon(node, depth):
            return {name: node.evaluation(name) for name in self.players}
        if position.is_chance and node.moves:
            outcomes = [self.value(child, depth) for child in node.children]
            return {name: mean([value[name] for value in outcomes]) for name in self.players}
        values = [self.value(child, depth - cost(child)) for child in node.children]
        return max(values, key=lambda value: value[position.turn])  # the first of equal values


def friends(game: Game, one: str, other: str) -> bool:
    """Whether OnFriends? returns true in both directions."""
    if one == other:
        return True
    vm = game._loaded.vm
    (first,), (second,) = vm.call(one), vm.call(other)
    results = vm.call("OnFriends?", first, second)[-1], vm.call("OnFriends?", second, first)[-1]
    return 0 not in results


def late_positions(
    position: Position, seed: int, *, max_turns: int = 200, step: int = 1
) -> list[Position]:
    """Return positions of a random game in which a player has a move, the last positions first.

    Args:
        position: The start of the game; it is not changed.
        seed: The seed of the random moves.
        max_turns: The maximum number of turns.
        step: 1 for every position, 2 for every second position, and so on.
    """
    rng = random.Random(seed)
    positions: list[Position] = []
    current = position.copy()
    for _ in range(max_turns):
        if current.result is not None:
            break
        if current.is_stuck:
            current.push_pass()
            continue
        if not current.is_chance:
            positions.append(current.copy())
        moves = current.legal_moves
        try:
            current.push(moves[rng.randrange(len(moves))])
        except ForthVMError:
            break
    return positions[::-step]

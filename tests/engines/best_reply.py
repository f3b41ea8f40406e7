"""Best-reply search in plain Python: the reference for the engine `brs`.

Schadd and Winands (Best Reply Search for Multi-Player Games, 2011): after a move of the searching
player, only one opponent moves, the one whose best move is worst for the searching player.  Then
the searching player moves again.  A move and a reply cost a ply each.

The paper's games have a strict order of turns, no chance and no allies.  In addition
(docs/explanation/search.md), partial moves and consecutive turns of the searching player are
searched as in play; a reply includes all its partial moves; chance outcomes after the searching
player's move are averaged; allies do not reply.  After a reply, the searching player moves in its
next turn of the turn order; the turns in between are skipped.

The search uses the public interface of a game, except to set the player to move.
"""

from __future__ import annotations

from dataclasses import dataclass

from forthvm.game import Game, Position
from tests.engines.reference import WIN, Node, Rules, chance_game, cost, friends, mean

TURN_BYTES = 12
"""The size of an entry of the turn order in the VM."""


def with_turn(position: Position, index: int) -> Position:
    """Return the position with another index in the turn order."""
    game = position.game
    with game._loaded.states.in_memory(position._state, listed=False) as native:
        game._loaded.vm.call("$SetTurn", index * TURN_BYTES)
        snapshot = native.snapshot_take()
    return Position(game, game._loaded.states.from_memory(snapshot, skipped=0, engine_memory=None))


def next_turn_index(game: Game, start: int, player: str) -> int:
    """Return the index of a player's first turn from `start` on."""
    at = start
    for _ in range(len(game.turn_order) + 1):
        if game.turn_order[at].player == player:
            return at
        at = at + 1 if at + 1 < len(game.turn_order) else game.turn_repeat
    raise ValueError(f"{player} has no turn from index {start} on")


@dataclass(frozen=True)
class Variants:
    """Wrong variants of the search, which the comparison with the engine must detect."""

    ends_after_first_step: bool = False
    """Whether a reply ends after its first partial move."""


class BestReply:
    """The search; values are for the searching player, who is to move at the root."""

    def __init__(self, root: Node, rules: Rules, variants: Variants | None = None) -> None:
        game = root.position.game
        self.root = root
        self.rules = rules
        self.variants = variants or Variants()
        self.searcher = root.viewer
        self.has_chance = chance_game(game)
        self.allies = {name for name in game.contestants if friends(game, self.searcher, name)}
        self.opponents = [name for name in game.contestants if name not in self.allies]

    def move_values(self, depth: int) -> list[int]:
        """Return the value of each move of the root."""
        return [self.value(child, depth - cost(child)) for child in self.root.children]

    def value(self, node: Node, depth: int) -> int:
        """Return the value after a move, a chance outcome or a pass."""
        position = node.position
        if position.is_partial or position.turn == self.searcher:
            return self.searcher_value(node, depth)
        return self.reply_value(node, depth)

    def decided_value(self, node: Node) -> int | None:
        """Return the value of a node in which the game is over; None if it is not over."""
        if node.decided is None:
            return None
        sign = 1 if node.viewer in self.allies else -1
        return sign * node.decided * (WIN - (0 if self.has_chance else node.ply))

    def searcher_value(self, node: Node, depth: int) -> int:
        """Return the value of a node in which the searching player moves."""
        decided_value = self.decided_value(node)
        if decided_value is not None:
            return decided_value
        if self.rules.at_horizon(node, depth):
            return node.evaluation(self.searcher)
        return max(self.value(child, depth - cost(child)) for child in node.children)

    def reply_value(self, node: Node, depth: int) -> int:
        """Return the value of a node in which an opponent replies."""
        position = node.position
        decided_value = self.decided_value(node)
        if decided_value is not None:
            return decided_value
        if position.is_chance:
            return mean([self.value(child, depth) for child in node.children])
        if depth <= 0:
            return node.evaluation(self.searcher)
        searcher_turn = next_turn_index(position.game, position._turn_index, self.searcher)
        replies = [
            self.searcher_value(reply, depth - 1)
            for opponent in self.opponents
            for reply in self.replies(node, opponent, searcher_turn)
        ]
        return min(replies, default=node.evaluation(self.searcher))

    def replies(self, node: Node, opponent: str, searcher_turn: int) -> list[Node]:
        """Return the nodes after each move of an opponent, with the searching player to move."""
        position = node.position
        opponent_turn = next_turn_index(position.game, position._turn_index, opponent)
        return [
            Node(with_turn(after, searcher_turn), node.budget, node.ply + plies)
            for after, plies in self.complete_moves(with_turn(position, opponent_turn), 1)
        ]

    def complete_moves(self, position: Position, plies: int) -> list[tuple[Position, int]]:
        """Return the positions after all complete turns, with the number of plies of each turn."""
        results = []
        for move in list(position.legal_moves):
            after = position.copy()
            after.push(move)
            if not after.is_partial:
                results.append((after, plies))
            elif self.variants.ends_after_first_step:
                game = after.game
                results.append((Position(game, game._loaded.states.end_turn(after._state)), plies))
            else:
                results += self.complete_moves(after, plies + 1)
        return results

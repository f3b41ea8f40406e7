"""Best-reply search in plain Python: the reference for the engine `brs`.

Schadd and Winands (Best Reply Search for Multi-Player Games, 2011): after a move of the searching
player, only one opponent moves, the one whose best move is worst for the searching player.  Then
the searching player moves again.  A move and a reply cost a ply each.

The paper's games have a strict order of turns, no chance and no allies.  In addition
(docs/explanation/search.md), partial moves and consecutive turns of the searching player are
searched as in play; a reply includes all its partial moves; chance outcomes after the searching
player's move are averaged; allies do not reply.  After a reply, the turn is the searching player's
next turn in the order; turns between are skipped.

The search uses the public interface of a game, except to set the player to move.
"""

from __future__ import annotations

from dataclasses import dataclass

from forthvm.game import Game, Position
from tests.engines.reference import WIN, Node, Rules, chance_game, cost, friends, mean

SLOT = 12


def with_turn(position: Position, index: int) -> Position:
    """Return the position with another index in the turn order."""
    game = position.game
    with game.states.restored(position.state, listed=False) as native:
        game.vm.call("$SetTurn", index * SLOT)
        arrived = native.snapshot_take()
    return Position(game, game.states.adopt(arrived, skipped=0, engine_memory=None))


def slot_of(game: Game, start: int, player: str) -> int:
    """Return the index of a player's first turn from `start` on."""
    at = start
    for _ in range(len(game.turn_order) + 1):
        if game.turn_order[at].player == player:
            return at
        at = at + 1 if at + 1 < len(game.turn_order) else game.turn_repeat
    raise ValueError(f"{player} has no turn from index {start} on")


@dataclass(frozen=True)
class Variants:
    """Wrong variants of the search, a flag for each."""

    first_part: bool = False
    """A reply ends after its first partial move."""


class BestReply:
    """The search; values are for the root's player."""

    def __init__(self, root: Node, rules: Rules, variants: Variants | None = None) -> None:
        game = root.position.game
        self.root = root
        self.rules = rules
        self.variants = variants or Variants()
        self.me = root.viewer
        self.has_chance = chance_game(game)
        self.allies = {name for name in game.contestants if friends(game, self.me, name)}
        self.opponents = [name for name in game.contestants if name not in self.allies]

    def move_values(self, depth: int) -> list[int]:
        """Return the value of each move of the root."""
        return [self.value(child, depth - cost(child)) for child in self.root.children]

    def value(self, node: Node, depth: int) -> int:
        """Return the value after a move, a chance outcome or a pass."""
        at = node.position
        searcher_value = at.is_partial or at.turn == self.me
        return self.searcher_value(node, depth) if searcher_value else self.reply_value(node, depth)

    def decided(self, node: Node) -> int | None:
        if node.decided is None:
            return None
        sign = 1 if node.viewer in self.allies else -1
        return sign * node.decided * (WIN - (0 if self.has_chance else node.ply))

    def searcher_value(self, node: Node, depth: int) -> int:
        """Return the value of a node in which the searching player moves."""
        worth = self.decided(node)
        if worth is not None:
            return worth
        if self.rules.horizon(node, depth):
            return node.worth(self.me)
        return max(self.value(child, depth - cost(child)) for child in node.children)

    def reply_value(self, node: Node, depth: int) -> int:
        """Return the value of a node in which an opponent replies."""
        at = node.position
        worth = self.decided(node)
        if worth is not None:
            return worth
        if at.is_chance:
            return mean([self.value(child, depth) for child in node.children])
        if depth <= 0:
            return node.worth(self.me)
        back = slot_of(at.game, at.turn_index, self.me)
        replies = [
            self.searcher_value(reply, depth - 1)
            for opponent in self.opponents
            for reply in self.replies(node, opponent, back)
        ]
        return min(replies, default=node.worth(self.me))

    def replies(self, node: Node, opponent: str, back: int) -> list[Node]:
        """Return the nodes after each move of an opponent, with the searching player to move."""
        at = node.position
        turned = with_turn(at, slot_of(at.game, at.turn_index, opponent))
        return [
            Node(with_turn(made, back), node.budget, node.ply + plies)
            for made, plies in self.complete_moves(turned, 1)
        ]

    def complete_moves(self, position: Position, plies: int) -> list[tuple[Position, int]]:
        made = []
        for move in list(position.legal_moves):
            at = position.copy()
            at.push(move)
            if not at.is_partial:
                made.append((at, plies))
            elif self.variants.first_part:
                game = at.game
                made.append((Position(game, game.states.end_turn(at.state)), plies))
            else:
                made += self.complete_moves(at, plies + 1)
        return made

"""Best-reply search in plain Python: what `brs` has to equal.

Schadd and Winands (Best Reply Search for Multi-Player Games, 2011): after a move of the player
who searches, one move is made by one opponent, the one whose best move hurts most; the others
have to pass.  Then it is the searcher's move again.  A move and a reply cost a ply each.

The paper's games have turns in strict order, no lots and no partners.  In addition (search.md)
the searcher's partial moves and turns in a row are searched as play has them, a reply to its end
where it has parts; lots that fall after the searcher's move are averaged; partners do not reply.
The turn then goes to the searcher's next slot in the order, and what lies between is passed over.

It knows a game by its public interface, but for one thing that play cannot do: to give the turn
to somebody else.
"""

from __future__ import annotations

from dataclasses import dataclass

from forthvm.game import Game, Position
from tests.engines.reference import WIN, Node, Rules, chance_game, cost, friends, mean

SLOT = 12


def with_turn(position: Position, index: int) -> Position:
    """The same position, the turn of another slot of the order."""
    game = position.game
    with game.states.restored(position.state, listed=False) as native:
        game.vm.call("$SetTurn", index * SLOT)
        arrived = native.snapshot_take()
    return Position(game, game.states.adopt(arrived, skipped=0, engine_memory=None))


def slot_of(game: Game, start: int, player: str) -> int:
    """The first slot of a player's from one on, in the order of play."""
    at = start
    for _ in range(len(game.turn_order) + 1):
        if game.turn_order[at].player == player:
            return at
        at = at + 1 if at + 1 < len(game.turn_order) else game.turn_repeat
    raise ValueError(f"{player} has no turn from slot {start} on")


@dataclass(frozen=True)
class Habits:
    """How the native search departs from the above, a flag for each."""

    first_part: bool = False
    """A reply that has parts ends with the first of them."""


class BestReply:
    """Values are the root's player's."""

    def __init__(self, root: Node, rules: Rules, habits: Habits | None = None) -> None:
        game = root.position.game
        self.root = root
        self.rules = rules
        self.habits = habits or Habits()
        self.me = root.viewer
        self.lots = chance_game(game)
        self.allies = {name for name in game.contestants if friends(game, self.me, name)}
        self.opponents = [name for name in game.contestants if name not in self.allies]

    def move_values(self, depth: int) -> list[int]:
        """What each move of the root is worth."""
        return [self.value(child, depth - cost(child)) for child in self.root.children]

    def value(self, node: Node, depth: int) -> int:
        """After a move, a lot or a pass."""
        at = node.position
        mine = at.is_partial or at.turn == self.me
        return self.mine(node, depth) if mine else self.theirs(node, depth)

    def decided(self, node: Node) -> int | None:
        if node.decided is None:
            return None
        sign = 1 if node.viewer in self.allies else -1
        return sign * node.decided * (WIN - (0 if self.lots else node.ply))

    def mine(self, node: Node, depth: int) -> int:
        """The searcher chooses."""
        worth = self.decided(node)
        if worth is not None:
            return worth
        if self.rules.horizon(node, depth):
            return node.worth(self.me)
        return max(self.value(child, depth - cost(child)) for child in node.children)

    def theirs(self, node: Node, depth: int) -> int:
        """One of the opponents chooses."""
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
            self.mine(reply, depth - 1)
            for opponent in self.opponents
            for reply in self.replies(node, opponent, back)
        ]
        return min(replies, default=node.worth(self.me))

    def replies(self, node: Node, opponent: str, back: int) -> list[Node]:
        """Positions after each move of one opponent, the searcher to move."""
        at = node.position
        turned = with_turn(at, slot_of(at.game, at.turn_index, opponent))
        return [
            Node(with_turn(made, back), node.budget, node.ply + plies)
            for made, plies in self.whole_moves(turned, 1)
        ]

    def whole_moves(self, position: Position, plies: int) -> list[tuple[Position, int]]:
        made = []
        for move in list(position.legal_moves):
            at = position.copy()
            at.push(move)
            if not at.is_partial:
                made.append((at, plies))
            elif self.habits.first_part:
                game = at.game
                made.append((Position(game, game.states.end_turn(at.state)), plies))
            else:
                made += self.whole_moves(at, plies + 1)
        return made

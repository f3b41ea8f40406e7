"""Breakthrough 8x8 in plain Python: a board, moves, make and unmake, in the style of python-chess.

Squares 0 (a8) to 63 (h1) contain 0 (empty), 1 (White, moves upwards and first) or 2 (Black).  It
implements the same algorithms as programs/breakthrough.4th.
"""

from __future__ import annotations

__all__ = ["BOUND", "Board", "nodes", "perft", "plies", "score", "wins"]

SIDE, SQUARES = 8, 64
WIN = 10**5
BOUND = 10**6

Move = tuple[int, int]


class Board:
    """A board, on which moves are made and unmade.

    Attributes:
        at: The content of each square.
        men: The number of pieces of each side, indexed by the side.
        nodes: The number of positions that `negamax` has visited.
    """

    def __init__(self) -> None:
        self.at = [2] * (2 * SIDE) + [0] * (SQUARES - 4 * SIDE) + [1] * (2 * SIDE)
        self.men = [0, 2 * SIDE, 2 * SIDE]
        self.nodes = 0

    def moves(self, side: int) -> list[Move]:
        """Return all moves as (from, to), by ascending square; for each: ahead, left, right."""
        at = self.at
        ahead = -SIDE if side == 1 else SIDE
        found = []
        for square, owner in enumerate(at):
            to = square + ahead
            if owner != side or not 0 <= to < SQUARES:
                continue
            if at[to] == 0:
                found.append((square, to))
            if square % SIDE and at[to - 1] != side:
                found.append((square, to - 1))
            if square % SIDE != SIDE - 1 and at[to + 1] != side:
                found.append((square, to + 1))
        return found

    def make(self, side: int, move: Move) -> int:
        """Make a move and return the captured piece."""
        square, to = move
        taken = self.at[to]
        self.at[square], self.at[to] = 0, side
        if taken:
            self.men[taken] -= 1
        return taken

    def unmake(self, side: int, move: Move, taken: int) -> None:
        """Unmake a move."""
        square, to = move
        self.at[square], self.at[to] = side, taken
        if taken:
            self.men[taken] += 1

    def won(self, side: int, move: Move) -> bool:
        """Return whether a move, which has just been made, wins."""
        reached = move[1] < SIDE if side == 1 else move[1] >= SQUARES - SIDE
        return reached or self.men[3 - side] == 0

    def perft(self, side: int, depth: int) -> int:
        """Count sequences of `depth` moves; sequences that a win ends earlier do not count."""
        found = self.moves(side)
        if depth == 1:
            return len(found)
        leaves = 0
        for move in found:
            taken = self.make(side, move)
            if not self.won(side, move):
                leaves += self.perft(3 - side, depth - 1)
            self.unmake(side, move, taken)
        return leaves

    def negamax(self, side: int, depth: int, alpha: int, beta: int) -> int:
        """Search with alpha-beta by material; earlier wins have higher values."""
        self.nodes += 1
        if depth == 0:
            return self.men[side] - self.men[3 - side]
        for move in self.moves(side):
            taken = self.make(side, move)
            if self.won(side, move):
                self.nodes += 1
                value = WIN + depth
            else:
                value = -self.negamax(3 - side, depth - 1, -beta, -alpha)
            self.unmake(side, move, taken)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return alpha


class Playouts:
    """Plays random games, which share one random number generator."""

    def __init__(self) -> None:
        self.seed = 1
        self.plies = 0

    def below(self, n: int) -> int:
        """Return a random number from 0 to n - 1."""
        self.seed = (self.seed * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.seed >> 16) % n

    def winner(self) -> int:
        """Play a game to its end and return the winner."""
        board, side = Board(), 1
        while True:
            found = board.moves(side)
            move = found[self.below(len(found))]
            board.make(side, move)
            self.plies += 1
            if board.won(side, move):
                return side
            side = 3 - side


def perft(depth: int) -> int:
    """Return the perft of the initial position."""
    return Board().perft(1, depth)


def score(depth: int) -> int:
    """Return the alpha-beta value of the initial position."""
    return Board().negamax(1, depth, -BOUND, BOUND)


def nodes(depth: int) -> int:
    """Return the number of nodes of the alpha-beta search of the initial position."""
    board = Board()
    board.negamax(1, depth, -BOUND, BOUND)
    return board.nodes


def wins(games: int) -> int:
    """Return White's wins in a number of random games."""
    playouts = Playouts()
    return sum(playouts.winner() == 1 for _ in range(games))


def plies(games: int) -> int:
    """Return the number of plies of all games that `wins` plays."""
    playouts = Playouts()
    for _ in range(games):
        playouts.winner()
    return playouts.plies

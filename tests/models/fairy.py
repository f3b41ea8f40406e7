"""Plays random games in a script and in Fairy-Stockfish (pyffish), and compares every position.

Owns the translation of moves and a second model of repetition and perpetual check.  Legal moves,
checks and the ends without a legal move come from pyffish.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType

import pytest

import forthvm
from tests.models.xiangqi_chase import chases_through

__all__ = ["Path", "Peer", "compare_random_games", "library", "moved_back"]

_DROP = re.compile(r"\w+ (\S+) (\w+)$")
_MOVE = re.compile(r"\S+ (\w+) [-x] (\w+)(?: = (\S+))?")


def library() -> ModuleType:
    """Return the module pyffish, or skip the test."""
    module: ModuleType = pytest.importorskip("pyffish", reason="pyffish is not installed")
    return module


@dataclass(frozen=True, kw_only=True)
class Peer:
    """A game as Fairy-Stockfish knows it."""

    game: str
    variant: str
    players: tuple[str, str]
    """The player who moves first, and the other one."""
    occurrences: int
    """After so many occurrences a position ends the game."""
    repetition: str | None = ""
    """The winner by repetition without perpetual check; empty: a draw."""
    perpetual_check: bool = True
    """Whether a player that has given check with every move loses by repetition."""
    perpetual_chase: bool = False
    """Whether the same holds for a player that has chased a piece, as in xiangqi."""
    counts: bool = False
    """Whether plies are counted up to a limit, as in makruk: the variables `count` and `limit`."""
    quiet_plies: int | None = None
    """The game is drawn after so many plies without a capture."""
    attackers: str = ""
    """The letters of the pieces without which the game is drawn; empty: none are needed."""
    letters: Mapping[str, str] = field(default_factory=dict)
    """The letters of types that are dropped."""
    promotion: str = ""
    """The sign of a promotion."""

    def move(self, text: str) -> str:
        """Return the move of Fairy-Stockfish for the text of a move."""
        if drop := _DROP.match(text):
            return f"{self.letters[drop[1]]}@{drop[2]}"
        found = _MOVE.match(text)
        assert found, text
        return found[1] + found[2] + (self.promotion if found[3] else "")


class Path:
    """A game in Fairy-Stockfish, from its first position on."""

    def __init__(self, peer: Peer, fen: str = "") -> None:
        self.sf, self.peer = library(), peer
        begin = fen or self.sf.start_fen(peer.variant)
        self.fen = self.sf.get_fen(peer.variant, begin, [])
        self.history: list[tuple[str, bool]] = []
        self.fens: list[str] = []
        self.quiet = 0
        self._note()

    def _note(self) -> None:
        board = " ".join(self.fen.split()[:2])
        self.fens.append(self.fen)
        self.history.append((board, bool(self.sf.gives_check(self.peer.variant, self.fen, []))))

    def push(self, move: str) -> None:
        pieces = self._pieces()
        self.fen = self.sf.get_fen(self.peer.variant, self.fen, [move])
        self.quiet = self.quiet + 1 if len(self._pieces()) == len(pieces) else 0
        self._note()

    def _pieces(self) -> str:
        return re.sub(r"[^A-Za-z]", "", self.fen.split()[0])

    def moves(self) -> list[str]:
        """Return the legal moves, without drops of a pawn that mate: Fairy-Stockfish lists them."""
        found: list[str] = self.sf.legal_moves(self.peer.variant, self.fen, [])
        checks = [f"P@{square}" for square in _next_to_kings(self.fen)]
        return [move for move in found if not (move in checks and self._mates(move))]

    def _mates(self, move: str) -> bool:
        variant = self.peer.variant
        if not self.sf.gives_check(variant, self.fen, [move]):
            return False
        return not self.sf.legal_moves(variant, self.fen, [move])

    def occurrences(self) -> int:
        return [board for board, _ in self.history].count(self.history[-1][0])

    def repetition_winner(self) -> str | None:
        """Return the winner by repetition, empty for a draw; None while the game continues."""
        first, second = self.peer.players
        if self.occurrences() < self.peer.occurrences:
            return None
        begin = [board for board, _ in self.history].index(self.history[-1][0])
        since = [check for _, check in self.history[begin + 1 :]]
        faults = [(all(since[1::2]), all(since[::2]))] if self.peer.perpetual_check else []
        first_moves = self.fen.split()[1] == "w"
        if self.peer.perpetual_chase:
            fens = self.fens[begin:]
            chases = (chases_through(fens, not first_moves), chases_through(fens, first_moves))
            faults.append(chases)
        mover, other = (first, second) if first_moves else (second, first)
        for by_other, by_mover in faults:
            if by_other != by_mover:
                return mover if by_other else other
        return self.peer.repetition

    def winner(self, moves: list[str]) -> str | None:
        """Return the winner; a player without a legal move has lost."""
        if not moves and self.peer.counts and not self.history[-1][1]:
            return ""  # stalemate
        if moves:
            winner = self.repetition_winner()
            return "" if winner is None and self._is_drawn() else winner
        first, second = self.peer.players
        return second if self.fen.split()[1] == "w" else first

    def count(self) -> tuple[int, int]:
        """Return the number of counted plies and their limit, zeros if none are counted."""
        _, _, _, limit, count, *_ = self.fen.split()
        return (int(count), int(limit)) if self.peer.counts and limit != "-" else (0, 0)

    def _is_drawn(self) -> bool:
        peer = self.peer
        if peer.quiet_plies is not None and self.quiet >= peer.quiet_plies:
            return True
        count, limit = self.count()
        if limit and count > limit:
            return True
        return bool(peer.attackers) and not set(peer.attackers) & set(self._pieces().lower())


def _next_to_kings(fen: str) -> Iterator[str]:
    """Yield the squares above and below the kings."""
    rows = re.sub(r"\[.*|\+", "", fen.split(maxsplit=1)[0]).split("/")
    for row, text in enumerate(rows):
        squares = re.sub(r"\d+", lambda digits: "." * int(digits[0]), text)
        for column, piece in enumerate(squares):
            if piece in "kK":
                rank = len(rows) - row
                yield f"{'abcdefghi'[column]}{rank - 1}"
                yield f"{'abcdefghi'[column]}{rank + 1}"


def moved_back(move: str) -> str:
    """Return the move back; empty for a drop or a promotion."""
    squares = re.fullmatch(r"([a-i]\d+)([a-i]\d+)", move)
    return squares[2] + squares[1] if squares else ""


def compare_random_games(peer: Peer, positions: int, *, seed: int) -> Counter[str]:
    """Play random games until that many positions were compared; return the kinds of ends."""
    rng = random.Random(seed)
    game = forthvm.load(peer.game)
    ends: Counter[str] = Counter()
    compared = 0
    while compared < positions:
        position, path = game.start(), Path(peer)
        retreats = rng.random() < 0.4  # a game with many repetitions
        played: list[str] = []
        while compared < positions:
            compared += 1
            legal = path.moves()
            winner, result = path.winner(legal), position.result
            assert (result is None) == (winner is None), (path.fen, result, winner)
            assert position.turn == peer.players["wb".index(path.fen.split()[1])]
            if result is not None:
                assert result.winners == ((winner,) if winner else ()), path.fen
                ends[position.comment or ""] += 1
                break
            if peer.counts:
                variables = position.variables
                found = variables["count"], variables["limit"]
                assert found == path.count(), (path.fen, found, path.fens[-8:])
            texts = [str(move) for move in position.legal_moves]
            by_move = {peer.move(text): text for text in texts}
            assert len(by_move) == len(texts)
            assert sorted(by_move) == sorted(legal), path.fen
            move = _choose(by_move, played, rng, retreats)
            position.push(by_move[move])
            path.push(move)
            played.append(move)
    return ends


def _choose(moves: Mapping[str, str], played: list[str], rng: random.Random, retreats: bool) -> str:
    """Choose a move; prefer captures, or moves back to the square from which a piece came."""
    names = sorted(moves)
    if retreats and len(played) > 1 and rng.random() < 0.9 and moved_back(played[-2]) in moves:
        return moved_back(played[-2])
    captures = [move for move in names if " x " in moves[move]]
    if captures and rng.random() < 0.3:
        return rng.choice(captures)
    return rng.choice(names)

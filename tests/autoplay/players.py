"""Well-behaved and misbehaving engines, which tests select as `module:Class`, and small games."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

from forthvm.engines import Engine, Limits, Reporter, Resignation, SearchResult
from forthvm.game import Move, Position
from tests.kit.boards import grid, steps
from tests.kit.files import write
from tests.systems import kill_this_process

RACE = grid(4, 6, "e w", players="N E S W") + steps("man", "e w")
RACE += """\
{board-setup {setup} N man a1 {setup} E man a2 {setup} S man a3 {setup} W man a4 board-setup}
: mine? ( pos -- ? ) DUP empty-at? IF DROP FALSE ELSE friend-at? ENDIF ;
: OnIsGameOver
    #UnknownScore f1 mine? f2 mine? OR f3 mine? OR f4 mine? OR IF DROP #WinScore ENDIF ;
"""
"""Four men, each on its own row; a man that is on the last column at its turn wins."""

TEAMS = ": OnFriends? ( a b -- ? ) player-index 2 MOD SWAP player-index 2 MOD = ;\n"
"""North and South are a team, and so are East and West."""

LINE = """\
{{board 1 9 {{grid}} board}}
{{directions 0 1 {{direction}} e 0 -1 {{direction}} w directions}}
{{players {{player}} Left {left} {{player}} Right {right} players}}
{{turn-order {{turn}} Left {{turn}} Right turn-order}}
: step ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: go-e ['] e step ;
: go-w ['] w step ;
{{moves men {{move}} go-e {{move}} go-w moves}}
{{pieces {{piece}} man {{moves}} men pieces}}
{{board-setup {{setup}} Left man a1 {{setup}} Right man i1 board-setup}}
: OnIsGameOver #UnknownScore stalemate? IF DROP #LossScore ENDIF ;
"""
"""Two men on a line; the player who cannot move loses."""


def write_race(folder: Path, *, teams: bool = False) -> Path:
    """Write the script RACE, in which every player is alone or in a team of two."""
    return write(folder / ("teams.4th" if teams else "race.4th"), RACE + (TEAMS if teams else ""))


def write_line(folder: Path, *, left: str = "", words: str = "", name: str = "line") -> Path:
    """Write the script LINE, in which `words` may define the engine `left` of the player Left."""
    path = folder / f"{name}.4th"
    left_engine = f"{{search-engine}} {left}" if left else ""
    path.write_text(words + LINE.format(left=left_engine, right="{random}"), encoding="utf-8")
    return path


class Walker:
    """Chooses the first move with probability `forward`, else the last move.

    In the script RACE, the first move is forward, so the strength of the engine is known.
    """

    def __init__(self, forward: str = "1", seed: int | str = 0) -> None:
        self.forward = float(forward)
        self.random = random.Random(int(seed))

    def play(self, position: Position) -> Move:
        moves = position.legal_moves
        return moves[0] if self.random.random() < self.forward else moves[-1]


class UsesGlobalRandom:
    """Draws moves by Python's global random numbers."""

    def play(self, position: Position) -> Move:
        return random.choice(list(position.legal_moves))


class PausesAfterMoves:
    """Draws moves; after FORTHVM_TEST_MOVES moves its process waits to be killed."""

    moves = 0

    def __init__(self, seed: int | str = 0) -> None:
        self.random = random.Random(int(seed))

    def play(self, position: Position) -> Move:
        PausesAfterMoves.moves += 1
        while PausesAfterMoves.moves > int(os.environ.get("FORTHVM_TEST_MOVES", "1000000")):
            time.sleep(0.01)
        return self.random.choice(list(position.legal_moves))


class Raises:
    def play(self, position: Position) -> Move:
        raise KeyError("no such thought")


class Resigns:
    """Resigns at its first move."""

    def play(self, position: Position) -> Move:
        raise Resignation("there is no hope")


class Illegal:
    def play(self, position: Position) -> str:
        return "a1 - z9"


class ReturnsFloat:
    def play(self, position: Position) -> object:
        return 3.5


class RaisesUnprintableText:
    """Fails with a message that contains a lone surrogate, a zero byte and an escape code."""

    def play(self, position: Position) -> Move:
        raise ValueError("\udcff\x00 nul \x1b[31m")


class RaisesKeyboardInterrupt:
    def play(self, position: Position) -> Move:
        raise KeyboardInterrupt


class Exits:
    def play(self, position: Position) -> Move:
        raise SystemExit(3)


class FailsToStart:
    """Cannot be created once FORTHVM_TEST_FAIL_TO_START is set."""

    def __init__(self) -> None:
        if os.environ.get("FORTHVM_TEST_FAIL_TO_START"):
            raise RuntimeError("out of order")

    def play(self, position: Position) -> Move:
        return position.legal_moves[0]


class Hangs:
    def play(self, position: Position) -> Move:
        while True:
            time.sleep(0.01)


class Slow:
    def play(self, position: Position) -> Move:
        time.sleep(0.2)
        return position.legal_moves[0]


class AllocatesMemory:
    """Allocates 4 GiB of memory."""

    def play(self, position: Position) -> Move:
        memory = bytearray(4 << 30)
        return position.legal_moves[len(memory) % 1]


class MovesThenDies:
    """Kills its process at its second move, if the game has an opening of two plies."""

    def play(self, position: Position) -> Move:
        if position.ply > 3:
            kill_this_process()
        return position.legal_moves[0]


class MovesThenHangs:
    """Hangs at its second move, if the game has an opening of two plies."""

    def play(self, position: Position) -> Move:
        while position.ply > 3:
            time.sleep(0.01)
        return position.legal_moves[0]


class FailsInNewGame(Engine):
    """Raises an error in `new_game`."""

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        return SearchResult(move=position.legal_moves[0])

    def new_game(self) -> None:
        raise ValueError("no book")


class Unseeded:
    """Draws moves by random numbers of the operating system."""

    def play(self, position: Position) -> Move:
        return random.SystemRandom().choice(list(position.legal_moves))


class Dies:
    """Kills its process."""

    def play(self, position: Position) -> Move:
        kill_this_process()


class DiesOnce:
    """Kills its process once; a file records that it did."""

    def play(self, position: Position) -> Move:
        mark = Path(os.environ["FORTHVM_TEST_MARK"])
        if not mark.exists():
            mark.touch()
            kill_this_process()
        return position.legal_moves[0]


def random_evaluation(_position: object) -> int:
    """An evaluator that draws from Python's global random numbers."""
    return random.randrange(1000)


class Prints:
    def play(self, position: Position) -> Move:
        print("thinking aloud")  # noqa: T201 - the engine prints on purpose
        return position.legal_moves[0]


class RaisesControlCharacters:
    """Fails in nested calls, with a text that contains terminal control characters."""

    def play(self, position: Position) -> Move:
        return self._raise_error(position)

    def _raise_error(self, position: Position) -> Move:
        raise ValueError(f"<b>\x1b[31m{position.ply}</b>")


class RaisesLongText:
    """Fails with a text of many long lines."""

    def play(self, position: Position) -> Move:
        raise ValueError("\n".join([f"line {at}" for at in range(5000)] + ["x" * 100_000]))


class Recurses:
    def play(self, position: Position) -> Move:
        return self.play(position)


class ExitsProcess:
    """Ends its process without an exception, in `play` or at another time."""

    def __init__(self, at: str = "play") -> None:
        self.at = at
        self._end("init")

    def play(self, position: Position) -> Move:
        self._end("play")
        return position.legal_moves[0]

    def close(self) -> None:
        self._end("close")

    def _end(self, at: str) -> None:
        if at == self.at and os.environ.get("FORTHVM_TEST_EXIT"):
            os._exit(0)


class ExitsInClose:
    """Calls sys.exit in `close`."""

    def play(self, position: Position) -> Move:
        return position.legal_moves[0]

    def close(self) -> None:
        raise SystemExit(4)


class ExitingInfo(dict[str, object]):
    """The info of a SearchResult; reading an entry calls sys.exit."""

    def get(self, *_key: object) -> object:
        raise SystemExit(5)


class ReturnsExitingInfo:
    """Returns a SearchResult whose info calls sys.exit when an entry is read."""

    def play(self, position: Position) -> SearchResult:
        return SearchResult(move=position.legal_moves[0], info=ExitingInfo(depth=1))


def exits(_position: object) -> int:
    """An evaluator that calls sys.exit."""
    raise SystemExit(6)


def exits_process(_position: object) -> int:
    """An evaluator that ends its process."""
    os._exit(7)

"""The original's host, as far as the recordings show it, over one VM.

Owns the order of questions (golden/README.md, axiom-observed.md h) and the wording of the
replies.  It speaks to the C core below the game API, so that a wrong answer is the core's or
the library's; it must not know any script.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from forthvm.core.records import SearchLimits
from forthvm.core.vm import VM

__all__ = ["CLOCK", "UNKNOWN", "Answer", "Host"]

CLOCK = 1199491200  # the recordings' clock stood still here
UNKNOWN = -2140000000
_DECIDED = (0, 2130000000, -2130000000)
_EDIT = re.compile(r"\((\S+)(?: (\S+))? (\S+)\)")


@dataclass(frozen=True)
class Answer:
    """What a search answered."""

    best: str
    score: int
    nodes: int
    depth: int


class Host:
    """One loaded script and the conversation about it."""

    def __init__(
        self, script: Path, *, axiom: int | str | None = 140, library: Path | None = None
    ) -> None:
        self.printed: list[str] = []
        self.vm = VM(
            library="axiom" if library is None else library,
            output=self.printed.append,
            axiom=axiom,
            clock=CLOCK,
        )
        self.script = script
        self.moves_now: list[int] = []
        self.decided = False

    def load(self) -> None:
        """Interprets the script as a main file."""
        self.vm.load(self.script)

    @property
    def version(self) -> int:
        """Version of the library: 140 stands for 140-exact, too."""
        return self.vm.version % 1000

    @property
    def output(self) -> str:
        """Everything printed so far."""
        self.vm.native.flush()
        return "".join(self.printed)

    # --- tables of the library, read as the kernel reads them -----------------------------

    def variable(self, name: str) -> int:
        """The cell of a library variable."""
        value = self.vm.native.variable(name)
        assert value is not None, name
        return value

    def cells(self, address: int, count: int) -> tuple[int, ...]:
        """So many signed cells."""
        return tuple(memoryview(self.vm.native.read(address, 4 * count)).cast("i"))

    def text(self, address: int) -> str:
        """The zero-terminated text at an address."""
        return self.vm.native.read_string(address)

    def position_name(self, position: int) -> str:
        """Name of a position by its index."""
        (address,) = self.cells(self.variable("$posNames") + 4 * position, 1)
        return self.text(address)

    def piece_name(self, piece: int) -> str:
        """Name of the type of a piece."""
        return self._name("$pieces", 16, (piece & 1023) - 1)

    def player_name(self, piece: int) -> str:
        """Name of the owner of a piece."""
        return self._name("$players", 4, (piece >> 11 & 31) - 1)

    def _name(self, table: str, size: int, index: int) -> str:
        """Name of the word whose token a record of a table begins with."""
        if index < 0:
            return "??"
        (token,) = self.cells(self.variable(table) + size * index, 1)
        (address,) = self.cells(token - 12, 1)
        return self.text(address)

    def value(self, name: str) -> int:
        """What a constant leaves."""
        (number,) = self.vm.call(name)
        return number

    @property
    def board(self) -> tuple[int, ...]:
        """The whole board, variables and arrays included."""
        return self.cells(self.variable("$board"), self.variable("$boardSize") // 4)

    @property
    def player(self) -> str:
        """Name of the player to move."""
        return self.text(self.variable("$playerName"))

    @property
    def partial(self) -> bool:
        """A partial sequence is running."""
        return self.variable("$partial") == -1

    @property
    def edits(self) -> list[str]:
        """The set-up edits, as the original's host reported them."""
        table = self.variable("$boardSetup")
        if table == 0:
            return []
        (count,) = self.cells(table, 1)
        names = [self.text(address) for address in self.cells(table + 4, 3 * count)]
        return [f"({' '.join(names[i : i + 3])})" for i in range(0, len(names), 3)]

    # --- questions -------------------------------------------------------------------------

    def new(self) -> None:
        """A new game, before its set-up."""
        self.vm.native.bind()
        self.vm.native.game_check()
        self.vm.native.game_new()
        self.decided = False

    def setup(self) -> list[str]:
        """Applies every set-up edit and names them."""
        edits = self.edits
        for edit in edits:
            self.edit(edit)
        return edits

    def edit(self, edit: str) -> None:
        """`(player type position)` adds a piece, `(x position)` empties the position."""
        matched = _EDIT.fullmatch(edit)
        assert matched, edit
        player, kind, position = matched.groups()
        if kind is None:
            self.vm.native.game_edit_remove(self.value(position))
        else:
            self.vm.native.game_edit_add(self.value(player), self.value(kind), self.value(position))

    def generate(self) -> int:
        """A fresh list; the turn passes after a partial sequence that cannot go on."""
        count = self.vm.native.game_generate()
        self.moves_now = list(self.vm.native.move_list())
        assert len(self.moves_now) == count
        return count

    def over(self) -> int:
        """The game-over question; once decided the host hears "unknown"."""
        self.generate()
        result = self.vm.native.game_over()
        if self.decided:
            return UNKNOWN
        self.decided = result in _DECIDED
        return result

    @property
    def comment(self) -> str:
        """What ^ words wrote while the game-over question was asked last."""
        return self.vm.native.game_comment()

    def moves(self) -> list[str]:
        """Move texts of a fresh list, up to the first empty one.

        A partial sequence without a continuation answers no moves once; the next question is
        about the next player.
        """
        count = self.generate()
        if count == 0 and self.partial:
            self.vm.native.game_end_turn()
        texts = []
        for move in self.moves_now:
            text = self.vm.native.move_text(move)
            if not text:
                break
            texts.append(text)
        return texts

    def make(self, text: str) -> bool:
        """Makes the first move of the latest list with that text; False: there is none."""
        for move in self.moves_now:
            if self.vm.native.move_text(move) == text:
                self.vm.native.game_make(move)
                return True
        return False

    def make_number(self, index: int) -> None:
        """Makes a move of the latest list by its place in it."""
        self.vm.native.game_make(self.moves_now[index])

    def search(self, depth: int, variety: int = 0) -> Answer:
        """The built-in search on the latest list."""
        limits = SearchLimits(depth=depth, variety=variety)
        found = self.vm.native.search_axiom(limits)
        best = self.vm.native.move_text(found.best) if found.best else ""
        return Answer(best, found.score, found.nodes, found.depth)

    def engine(self, depth: int, variety: int = 0) -> Answer:
        """OnSearch on the latest list, as the original's host asked for a move."""
        found = self.vm.native.engine_run(SearchLimits(depth=depth, variety=variety))
        if found.failure is not None:
            raise found.failure
        return Answer(found.best, found.score, found.nodes, found.depth)

    # --- the recordings' commands ------------------------------------------------------------

    def command(self, command: str) -> list[str]:
        """The replies to one command of scripts.jsonl."""
        verb, _, rest = command.partition(" ")
        answers = {
            "new": self._say_new,
            "setup": self._say_setup,
            "edit": self._say_edit,
            "over": self._say_over,
            "moves": self._say_moves,
            "gen": self._say_count,
            "make": self._say_make,
            "player": self._say_player,
            "search": self._say_search,
            "board": self._say_board,
        }
        return answers[verb](rest)

    def _say_new(self, _: str) -> list[str]:
        self.new()
        return ["NEW 0"]

    def _say_setup(self, _: str) -> list[str]:
        edits = self.setup()
        return [*(f"SETUP 0 {edit}" for edit in edits), f"SETUPEND {len(edits)}"]

    def _say_edit(self, edit: str) -> list[str]:
        self.edit(edit)
        return ["EDIT 0"]

    def _say_over(self, _: str) -> list[str]:
        return [f"OVER 0 {self.over()} {self.comment}"]

    def _say_moves(self, _: str) -> list[str]:
        texts = self.moves()
        return [*(f"MOVE {text}" for text in texts), f"MOVESEND {len(texts)} 0"]

    def _say_count(self, _: str) -> list[str]:
        return [f"MOVESEND {len(self.moves())} 0"]

    def _say_make(self, text: str) -> list[str]:
        return [f"MAKE {0 if self.make(text) else -7}"]

    def _say_player(self, _: str) -> list[str]:
        return [f"PLAYER 0 {self.player}"]

    def _say_search(self, rest: str) -> list[str]:
        _, depth, variety = (int(word) for word in rest.split())
        found = self.engine(depth, variety)
        return [
            f"SEARCH 0 score={found.score} nodes={found.nodes} "
            f"depth={found.depth} best={found.best}"
        ]

    def _say_board(self, _: str) -> list[str]:
        return ["BOARD " + " ".join(str(cell) for cell in self.board)]

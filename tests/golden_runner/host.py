"""A model of the original's host for one VM, as far as the recordings show its behaviour.

Owns the order of calls (golden/README.md; axiom-observed.md, section h: notes on the original
engine) and the wording of the replies.
It calls the C core directly, not through the game API, so that a wrong result is an error of
the core or of the library.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from forthvm.core.records import SearchLimits
from forthvm.core.vm import VM

__all__ = ["CLOCK", "UNKNOWN", "Host", "SearchResult"]

CLOCK = 1199491200  # the constant time of the clock during recording
UNKNOWN = -2140000000
_DECIDED = (0, 2130000000, -2130000000)
_EDIT = re.compile(r"\((\S+)(?: (\S+))? (\S+)\)")
# A cell of the board contains a type in its low bits and the number of an owner from bit 11 on.
_TYPE_MASK = 1023
_OWNER_SHIFT, _OWNER_MASK = 11, 31
_CODE_FIELD = 12  # bytes from the header of a word to its code field, the token


@dataclass(frozen=True)
class SearchResult:
    """The result of a search."""

    best: str
    score: int
    nodes: int
    depth: int


class Host:
    """A host that has loaded one script."""

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
        self.listed_moves: list[int] = []
        self.decided = False

    def load(self) -> None:
        """Interpret the script as a main file."""
        self.vm.load(self.script)

    @property
    def version(self) -> int:
        """Version of the library; 140 also for 140-exact."""
        return self.vm.version % 1000

    @property
    def output(self) -> str:
        """Everything printed so far."""
        self.vm.native.flush()
        return "".join(self.printed)

    # --- tables of the library ----------------------------------------------------------------

    def variable(self, name: str) -> int:
        """The value of a library variable."""
        value = self.vm.native.variable(name)
        assert value is not None, name
        return value

    def cells(self, address: int, count: int) -> tuple[int, ...]:
        """`count` signed cells from an address on."""
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
        return self._name("$pieces", 16, (piece & _TYPE_MASK) - 1)

    def player_name(self, piece: int) -> str:
        """Name of the owner of a piece."""
        return self._name("$players", 4, (piece >> _OWNER_SHIFT & _OWNER_MASK) - 1)

    def _name(self, table: str, size: int, index: int) -> str:
        """Return the name of the word whose token is the first cell of a record.

        Args:
            table: The library variable that contains the address of the table.
            size: Bytes of a record.
            index: Number of the record.
        """
        if index < 0:
            return "??"
        (token,) = self.cells(self.variable(table) + size * index, 1)
        (address,) = self.cells(token - _CODE_FIELD, 1)
        return self.text(address)

    def value(self, name: str) -> int:
        """The value of a constant."""
        (number,) = self.vm.call(name)
        return number

    @property
    def board(self) -> tuple[int, ...]:
        """All cells of the board, its variables and arrays included."""
        return self.cells(self.variable("$board"), self.variable("$boardSize") // 4)

    @property
    def player(self) -> str:
        """Name of the player to move."""
        return self.text(self.variable("$playerName"))

    @property
    def partial(self) -> bool:
        """Whether the last move was partial."""
        return self.variable("$partial") == -1

    @property
    def edits(self) -> list[str]:
        """The set-up edits in the format of the recordings."""
        table = self.variable("$boardSetup")
        if table == 0:
            return []
        (count,) = self.cells(table, 1)
        names = [self.text(address) for address in self.cells(table + 4, 3 * count)]
        return [f"({' '.join(names[i : i + 3])})" for i in range(0, len(names), 3)]

    # --- the host protocol --------------------------------------------------------------------

    def new(self) -> None:
        """Start a new game, without its set-up."""
        self.vm.native.bind()
        self.vm.native.game_check()
        self.vm.native.game_new()
        self.decided = False

    def setup(self) -> list[str]:
        """Apply all set-up edits and return them."""
        edits = self.edits
        for edit in edits:
            self.edit(edit)
        return edits

    def edit(self, edit: str) -> None:
        """Apply an edit: `(player type position)` adds a piece, `(x position)` removes one."""
        matched = _EDIT.fullmatch(edit)
        assert matched, edit
        player, kind, position = matched.groups()
        if kind is None:
            self.vm.native.game_edit_remove(self.value(position))
        else:
            self.vm.native.game_edit_add(self.value(player), self.value(kind), self.value(position))

    def generate(self) -> int:
        """Generate the list of legal moves and return its length."""
        count = self.vm.native.game_generate()
        self.listed_moves = list(self.vm.native.move_list())
        assert len(self.listed_moves) == count
        return count

    def over(self) -> int:
        """Call OnIsGameOver; UNKNOWN if an earlier call has decided the game."""
        self.generate()
        result = self.vm.native.game_over()
        if self.decided:
            return UNKNOWN
        self.decided = result in _DECIDED
        return result

    @property
    def comment(self) -> str:
        """The output of `^` words in the last call of OnIsGameOver."""
        return self.vm.native.game_comment()

    def moves(self) -> list[str]:
        """Generate the list and return the texts of its moves, up to the first empty text.

        If a partial move has no continuation, the list is empty and the turn passes to the next
        player.
        """
        count = self.generate()
        if count == 0 and self.partial:
            self.vm.native.game_end_turn()
        texts = []
        for move in self.listed_moves:
            text = self.vm.native.move_text(move)
            if not text:
                break
            texts.append(text)
        return texts

    def make(self, text: str) -> bool:
        """Make the first move of the last list with that text; False if there is none."""
        for move in self.listed_moves:
            if self.vm.native.move_text(move) == text:
                self.vm.native.game_make(move)
                return True
        return False

    def make_number(self, index: int) -> None:
        """Make the move at an index of the last list."""
        self.vm.native.game_make(self.listed_moves[index])

    def search(self, depth: int, variety: int = 0) -> SearchResult:
        """Run the built-in search on the last list."""
        limits = SearchLimits(depth=depth, variety=variety)
        found = self.vm.native.search_axiom(limits)
        best = self.vm.native.move_text(found.best) if found.best else ""
        return SearchResult(best, found.score, found.nodes, found.depth)

    def engine(self, depth: int, variety: int = 0) -> SearchResult:
        """Run OnSearch on the last list, as the original's host did to choose a move."""
        found = self.vm.native.engine_run(SearchLimits(depth=depth, variety=variety))
        if found.failure is not None:
            raise found.failure
        return SearchResult(found.best, found.score, found.nodes, found.depth)

    # --- commands of the recordings -----------------------------------------------------------

    def command(self, command: str) -> list[str]:
        """Execute one command of scripts.jsonl and return the replies."""
        verb, _, rest = command.partition(" ")
        handlers = {
            "new": self._reply_to_new,
            "setup": self._reply_to_setup,
            "edit": self._reply_to_edit,
            "over": self._reply_to_over,
            "moves": self._reply_to_moves,
            "gen": self._reply_to_count,
            "make": self._reply_to_make,
            "player": self._reply_to_player,
            "search": self._reply_to_search,
            "board": self._reply_to_board,
        }
        return handlers[verb](rest)

    def _reply_to_new(self, _: str) -> list[str]:
        self.new()
        return ["NEW 0"]

    def _reply_to_setup(self, _: str) -> list[str]:
        edits = self.setup()
        return [*(f"SETUP 0 {edit}" for edit in edits), f"SETUPEND {len(edits)}"]

    def _reply_to_edit(self, edit: str) -> list[str]:
        self.edit(edit)
        return ["EDIT 0"]

    def _reply_to_over(self, _: str) -> list[str]:
        return [f"OVER 0 {self.over()} {self.comment}"]

    def _reply_to_moves(self, _: str) -> list[str]:
        texts = self.moves()
        return [*(f"MOVE {text}" for text in texts), f"MOVESEND {len(texts)} 0"]

    def _reply_to_count(self, _: str) -> list[str]:
        return [f"MOVESEND {len(self.moves())} 0"]

    def _reply_to_make(self, text: str) -> list[str]:
        return [f"MAKE {0 if self.make(text) else -7}"]

    def _reply_to_player(self, _: str) -> list[str]:
        return [f"PLAYER 0 {self.player}"]

    def _reply_to_search(self, rest: str) -> list[str]:
        _, depth, variety = (int(word) for word in rest.split())
        found = self.engine(depth, variety)
        return [
            f"SEARCH 0 score={found.score} nodes={found.nodes} "
            f"depth={found.depth} best={found.best}"
        ]

    def _reply_to_board(self, _: str) -> list[str]:
        return ["BOARD " + " ".join(str(cell) for cell in self.board)]

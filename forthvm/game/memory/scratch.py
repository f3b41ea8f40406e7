"""Finds scratch memory: the variables whose values never influence play, and declared ranges.

Owns one analysis of a loaded script: which cells does the script, from any position, always write
before it reads them?  If the analysis cannot decide, the cell counts as part of the position.  It
cannot decide about arrays, and about a variable whose address a script computes, passes to a word
or stores in a table.

In each position the host first generates moves: OnGenerateMoves runs, then the move words run in an
unspecified order, then OnMovesGenerated.  Other hooks, moves and the next turn follow.  Therefore a
variable is scratch memory under two conditions.  First, OnGenerateMoves does not read the variable
before writing it.  Second, either OnGenerateMoves always writes the variable, or no other code
reads the variable before writing it.

Sets of variables are integers with one bit for each variable.  A variable has *escaped* if its
address is in a table or is used otherwise than by a fetch or a store.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON, DOES, VARIABLE
from forthvm.core.words.code import IN_LINE_TEXT, JUMPS
from forthvm.core.words.dictionary import DictionaryCopy
from forthvm.game.tables import read_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.core.words.code import Code
    from forthvm.core.words.dictionary import Word
    from forthvm.game.loaded import LoadedGame

__all__ = ["Scratch", "counts_turns", "declared_scratch", "scratch_of"]

_ALL_BITS = -1  # the bits of all variables
_FENCE = "axiomFence"  # the last word of the library; the script's words follow it
_LIBRARY_VARIABLES = ("$from", "$pos", "$piece", "$passed", "$lastMoveType", "$turnNumber")
"""Cells of the library that the kernel writes while moves are generated and made."""
_TURN_WORDS = (b"turn-number", b"$turnnumber")  # in lower case
_STORES = frozenset({"!", "ON", "OFF", "F!"})
_FETCHES = frozenset({"@", "F@"})
_UPDATES = frozenset({"++", "--", "+!", "C@", "C!", "I@", "I!", "UI@"})
"""Words that count as fetches, since they read the cell or access only a part of the cell."""
_USES_POSITION = frozenset(
    [
        "add-move",
        "move",
        "capture",
        "drop",
        "drop-piece",
        "create",
        "create-player",
        "create-piece-type",
        "create-player-piece-type",
        "change-type",
        "change-owner",
    ]
)
"""Primitives that use `$from`, `$pos` and `$piece`."""
_SEARCHES = frozenset({"$GenerateMoves", "$NegamaxMove", "$UCTMove"})
"""Primitives that run move words and hooks."""
_UNANALYSABLE = frozenset(
    [
        "SP@",
        "RP@",
        "WORD",
        "-FIND",
        "(NUMBER)",
        "LOAD",
        "QUIT",
        "[",
        "]",
        ":",
        ";",
        "CREATE",
        "<BUILDS",
        "DOES>",
        "HEADER",
        "DP",
        "STATE",
    ]
)
"""A definition with one of these words may read any cell."""
_DEAD_ENDS = frozenset({"$Exit", "ABORT", "ERROR", "QUIT", "UNDEFINED", "(stop)"})
"""Words after which the definition does not continue."""
_TABLE_WORDS = ("$SetTurn", "turn-offset-to-player", "$DoIndirectDirection")
"""Words of the library whose EXECUTE runs only players and directions."""
_EXECUTED = 0
"""Represents, in a set of code addresses, all words that EXECUTE or a search may run."""
_GENERATE = "OnGenerateMoves"
_MAX_PIECES = 1023
_PIECE_RECORD = 4 * CELL
_PIECE_LISTS = (CELL, 2 * CELL)  # offsets of the lists of moves and drops in the record of a piece


@dataclass(frozen=True, slots=True)
class _Effect:
    """The effect of a definition on the variables, as sets of variables.

    Attributes:
        reads: Variables that the definition may read before it has written them.
        writes: Variables that the definition has always written when it returns.
        exit_writes: Variables that the definition has always written when $Exit ends the run.
    """

    reads: int
    writes: int
    exit_writes: int


_NOTHING = _Effect(0, 0, _ALL_BITS)
_UNKNOWN = _Effect(0, _ALL_BITS, _ALL_BITS)  # of a definition that has not been analysed yet


@dataclass(frozen=True, slots=True)
class Scratch:
    """The cells on which no position depends.

    Attributes:
        cells: Addresses of the cells.
        piece: Whether `$piece` is scratch memory if the player to move has a piece, because move
            generation then writes it before it is read.
        turn_number: Whether the turn number is scratch memory.
    """

    cells: tuple[int, ...] = ()
    piece: bool = False
    turn_number: bool = False


class _Undecidable(Exception):  # noqa: N818 - a result, not a failure
    """Raised for a definition that the analysis cannot follow."""


def scratch_of(game: LoadedGame) -> Scratch:
    """Return the scratch memory of a game."""
    return game.once(_scratch_of)


def _scratch_of(game: LoadedGame) -> Scratch:
    with game.states.lock:
        game.states.restore_base(game.base)
        try:
            return _Analysis(DictionaryCopy(game.vm), game.vm.stack).scratch()
        except _Undecidable:
            return Scratch()


def counts_turns(game: LoadedGame) -> bool:
    """Return whether positions depend on the turn number, because the script may read it."""
    return game.once(_counts_turns)


def _counts_turns(game: LoadedGame) -> bool:
    occurs = any(word in text.lower() for _, text in game.vm.texts for word in _TURN_WORDS)
    return occurs and not scratch_of(game).turn_number


def declared_scratch(game: LoadedGame) -> tuple[tuple[int, int], ...]:
    """Return begin and end of each range that the script declares by {scratch ... scratch}."""
    base, cfa = game.base, game.vm.find("$scratch")
    if cfa is None:
        return ()
    table = cfa + CELL
    cells = [read_cell(base, table + CELL * at) for at in range(2 * read_cell(base, table) + 1)]
    return tuple(zip(cells[1::2], cells[2::2], strict=True))


class _Analysis:
    """The analysis of one loaded script."""

    def __init__(self, image: DictionaryCopy, stack: Iterable[int]) -> None:
        self._image = image
        self._stack = frozenset(stack)
        fence = image.find(_FENCE)
        if fence is None:
            raise _Undecidable("cannot distinguish the script's words from the library's")
        self._fence = fence.nfa
        words = [word for word in image.words if self._may_be_scratch(word)]
        self._bits_by_cfa = {word.cfa: 1 << bit for bit, word in enumerate(words)}
        self._cells = [word.body for word in words]
        self._bits_by_cell = {word.body: 1 << bit for bit, word in enumerate(words)}
        self._escaped = 0
        self._executable: set[int] = set()  # tokens that EXECUTE may receive
        self._compiled: set[int] = set()  # tokens that COMPILE puts into moves
        self._library_executes = self._executes_of_the_library()
        self._code: dict[int, list[Code]] = {}
        self._effects: dict[int, _Effect] = {}
        # For each definition, the callees from whose effects its own effect was computed.
        self._used: dict[int, set[int]] = {}
        self._current = 0  # the definition that is being analysed
        self._execute_effect = _Effect(0, 0, _ALL_BITS)
        self._search_effect = _Effect(0, 0, _ALL_BITS)  # of the words in _SEARCHES
        # Variables that the kernel writes before hooks and moves run, and before move words run:
        self._set_for_hooks = self._bit("$from") | self._bit("$pos") | self._bit("$passed")
        self._set_for_move_words = self._set_for_hooks | self._bit("$piece")

    def _executes_of_the_library(self) -> frozenset[int]:
        """Return the addresses of the library's EXECUTEs that only run players and directions."""
        found = set()
        for name in _TABLE_WORDS:
            word = next((word for word in self._image.words if word.name == name), None)
            if word and word.nfa < self._fence:
                codes = self._image.instructions(word.body, word.end)
                found |= {code.address for code in codes if code.name == "EXECUTE"}
        return frozenset(found)

    def _may_be_scratch(self, word: Word) -> bool:
        is_one_cell = word.kind == VARIABLE and word.end - word.body < 2 * CELL
        return is_one_cell and (word.nfa > self._fence or word.name in _LIBRARY_VARIABLES)

    def _bit(self, name: str) -> int:
        """Return the bit of a library variable, even if the script has a variable of that name."""
        for word in self._image.words:
            if word.name == name and word.nfa < self._fence:
                return self._bits_by_cfa.get(word.cfa, 0)
        return 0

    def scratch(self) -> Scratch:
        """Return the result of the analysis."""
        moves = self._move_words()
        hooks = {word.cfa for word in self._hooks()}
        generate = self._image.find(_GENERATE)
        self._executable |= self._tokens_in_tables()
        self._follow(hooks, moves)
        generate_effect = self._effect_of(generate.cfa) if generate else _Effect(0, 0, _ALL_BITS)
        always_written = generate_effect.writes & generate_effect.exit_writes
        hooks.discard(generate.cfa if generate else 0)
        run_later = hooks | self._executable | self._compiled
        read_later = self._reads_of(run_later) & ~self._set_for_hooks
        read_later |= self._reads_of(moves) & ~self._set_for_move_words
        not_scratch = self._escaped | generate_effect.reads | read_later & ~always_written
        return Scratch(
            tuple(cell for bit, cell in enumerate(self._cells) if not not_scratch >> bit & 1),
            piece=not (self._escaped | generate_effect.reads) & self._bit("$piece"),
            turn_number=not not_scratch & self._bit("$turnNumber"),
        )

    # --- entry points -----------------------------------------------------------------

    def _hooks(self) -> Iterator[Word]:
        """Yield the words that the kernel and the host run by name: the newest of each name."""
        for name, word in {word.name: word for word in self._image.words}.items():
            if name.startswith("On") or name == "$NewGame":
                yield word

    def _lists(self) -> Iterator[Word]:
        """Yield the words that contain the lists of moves and drops of the pieces."""
        image = self._image
        pieces, count = image.variable("$pieces"), image.variable("$pieceCount")
        for index in range(min(max(count, 0), _MAX_PIECES)):
            for offset in _PIECE_LISTS:
                moves = image.word_at(image.cell(pieces + _PIECE_RECORD * index + offset))
                if moves:
                    yield moves

    def _move_words(self) -> set[int]:
        """Return the tokens of the words in the lists of moves and drops."""
        image = self._image
        found = set()
        for moves in self._lists():
            found |= set(image.cells(moves.body, moves.end))
        return found & image.by_cfa.keys()

    def _tokens_in_tables(self) -> set[int]:
        """Return the tokens in tables and on the stack, which a script may execute.

        Variables whose addresses or tokens are found are marked as escaped.  The search includes
        tables without a header, which may begin at any byte, and cells of the library, where a
        script may have stored tokens.
        """
        image = self._image
        lists = {word.nfa for word in self._lists()}
        found = set(self._stack)
        for word in image.words:
            if word.nfa in lists:
                continue
            start = word.body
            if word.kind == COLON:
                codes = image.instructions(word.body, word.end)
                start = codes[-1].next if codes else word.body
            if start < word.end and word.nfa < self._fence:
                found |= {cell for cell in image.cells(start, word.end) if cell > self._fence}
            elif start < word.end:
                for address in range(start, min(start + CELL, word.end)):
                    found |= set(image.cells(address, word.end))
        for cfa in found & self._bits_by_cfa.keys():
            self._escaped |= self._bits_by_cfa[cfa]
        for cell in found & self._bits_by_cell.keys():
            self._escaped |= self._bits_by_cell[cell]
        return found & image.by_cfa.keys()

    # --- effects of definitions -------------------------------------------------------

    def _follow(self, hooks: set[int], moves: set[int]) -> None:
        """Compute the effects of all reachable definitions, by iteration to a fixed point."""
        changed: set[int] = set()
        sizes: object = None  # they grow when the iteration finds further words
        while changed or sizes != (len(self._executable), len(self._compiled), len(self._effects)):
            sizes = len(self._executable), len(self._compiled), len(self._effects)
            changed |= self._follow_tokens(hooks, moves)
            outdated = changed
            changed = set()
            for start in list(self._effects):
                used = self._used.get(start)
                if used is None or not used.isdisjoint(outdated):
                    self._used[start] = set()
                    effect = self._computed_effect(start)
                    if effect != self._effects[start]:
                        self._effects[start] = effect
                        changed.add(start)

    def _follow_tokens(self, hooks: set[int], moves: set[int]) -> set[int]:
        """Update the effects of EXECUTE and of searches; return {_EXECUTED} if they changed."""
        before = self._execute_effect, self._search_effect
        exit_writes = _ALL_BITS
        for cfa in self._executable | self._compiled:
            exit_writes &= self._effect_of(cfa).exit_writes
        self._execute_effect = _Effect(self._reads_of(self._executable), 0, exit_writes)
        reads = self._execute_effect.reads | self._reads_of(hooks)
        reads |= self._reads_of(moves) & ~self._set_for_move_words
        self._search_effect = _Effect(reads, 0, 0)
        changed = before != (self._execute_effect, self._search_effect)
        return {_EXECUTED} if changed else set()

    def _reads_of(self, words: Iterable[int]) -> int:
        """Return the variables that any of the words may read before writing them."""
        reads = 0
        for cfa in words:
            reads |= self._effect_of(cfa).reads
        return reads

    def _effect_of(self, cfa: int) -> _Effect:
        """Return the effect of a call of a word, as computed so far."""
        word = self._image.by_cfa.get(cfa)
        if word is None:
            return self._execute_effect
        if word.kind == DOES:
            maker = self._image.defining_word(word)
            return self._execute_effect if maker == "DEFER" else self._effect_at(word.does)
        if word.kind == COLON:
            return self._effect_at(cfa)
        return self._primitive(word)

    def _effect_at(self, start: int) -> _Effect:
        return self._effects.setdefault(start, _UNKNOWN)

    def _primitive(self, word: Word) -> _Effect:
        """Return the effect of a primitive."""
        name = word.op
        if name in _UNANALYSABLE:
            raise _Undecidable(name)
        if name == "EXECUTE":
            return self._execute_effect
        if name == "$CatchExit":  # it also returns when the word ends by $Exit
            return _Effect(self._execute_effect.reads, 0, _ALL_BITS)
        if name in _SEARCHES:
            return self._search_effect
        reads = 0
        if name in _USES_POSITION:
            reads = self._bit("$from") | self._bit("$pos") | self._bit("$piece")
        return _Effect(reads, 0, _ALL_BITS)

    def _computed_effect(self, start: int) -> _Effect:
        """Compute the effect of a definition over all its control-flow paths."""
        self._current = start
        codes = self._instructions(start)
        index_at = {code.address: index for index, code in enumerate(codes)}
        # For each instruction, the variables that all paths to the instruction have written.
        written: dict[int, int] = {}
        reads, writes, exit_writes = 0, _ALL_BITS, _ALL_BITS
        # Index of an instruction, variables written before it, items on the return stack.
        waiting = [(0, 0, 0)] if codes else []
        while waiting:
            index, written_here, rstack_items = waiting.pop()
            if index in written and written[index] & written_here == written[index]:
                continue
            written_here = written[index] = written.get(index, _ALL_BITS) & written_here
            code = codes[index]
            if code.name in {"(;)", "EXIT"}:
                writes &= written_here
                continue
            if code.name == "$Exit":
                exit_writes &= written_here
            if code.name in _DEAD_ENDS:
                continue
            rstack_items += (code.name == ">R") - (code.name == "R>")
            if rstack_items < 0:
                raise _Undecidable("a definition that pops its own return address")
            effect, length = self._step(codes, index)
            reads |= effect.reads & ~written_here
            exit_writes &= written_here | effect.exit_writes
            written_here |= effect.writes
            for target in self._targets(code, codes, index + length):
                if target not in index_at:
                    raise _Undecidable(f"a jump to {target}")
                waiting.append((index_at[target], written_here, rstack_items))
        return _Effect(reads, writes, exit_writes)

    def _targets(self, code: Code, codes: list[Code], following: int) -> Iterator[int]:
        """Yield the addresses at which execution may continue after an instruction."""
        if code.name in JUMPS:
            yield code.operand
        if code.name != "BRANCH":
            yield codes[following].address if following < len(codes) else -1

    def _step(self, codes: list[Code], index: int) -> tuple[_Effect, int]:
        """Return the effect of an instruction, and the number of instructions that it spans."""
        code = codes[index]
        bit = self._bits_by_cfa.get(code.cfa, 0)
        if bit:
            access = codes[index + 1].name if index + 1 < len(codes) else ""
            if access in _STORES:
                return _Effect(0, bit, _ALL_BITS), 2
            if access in _FETCHES | _UPDATES:
                return _Effect(bit, 0, _ALL_BITS), 2
            self._escaped |= bit
            return _Effect(bit, 0, _ALL_BITS), 1
        if code.name == "COMPILE":
            self._compiled.add(code.operand)
        if code.name == "LIT":
            self._note_executable(code.operand)
        if code.name == "EXECUTE" and code.address in self._library_executes:
            return _Effect(self._bit("$pos"), 0, _ALL_BITS), 1
        if code.name in JUMPS or code.name in IN_LINE_TEXT or code.name in ("LIT", "COMPILE"):
            return _NOTHING, 1
        self._used[self._current] |= {_EXECUTED, code.cfa, self._image.by_cfa[code.cfa].does}
        return self._effect_of(code.cfa), 1

    def _note_executable(self, value: int) -> None:
        """Record a literal, which may be a token or the address of a variable."""
        if value in self._image.by_cfa:
            self._executable.add(value)
            self._escaped |= self._bits_by_cfa.get(value, 0)
        self._escaped |= self._bits_by_cell.get(value, 0)

    def _without_script_name(self, code: Code) -> Code:
        """Return the instruction, without its name if it calls a word of the script.

        Without the name, a word of the script that is named like a primitive is not mistaken for
        the primitive.
        """
        word = self._image.by_cfa[code.cfa]
        is_script_word = word.nfa > self._fence and not word.primitive
        return replace(code, name="") if is_script_word else code

    def _instructions(self, start: int) -> list[Code]:
        """Return the instructions of a definition, or of the DOES> part of a defining word."""
        codes = self._code.get(start)
        if codes is None:
            word = self._image.by_cfa.get(start)
            holder = word or self._image.word_at(start)
            begin = word.body if word else start
            codes = self._image.instructions(begin, holder.end if holder else begin)
            codes = [self._without_script_name(code) for code in codes]
            self._code[start] = codes
        return codes

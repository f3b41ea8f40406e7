"""Summaries of all words of an image, with their calls and the xts that variables contain.

This file owns the cache of summaries, the analysis of recursive words, and the repetition of the
analysis until summaries are stable.  Delegates the analysis of one definition to instructions.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import COLON, DOES, VARIABLE

from .cells import UNKNOWN, Cell, derived, known_cell
from .earlier import AnalysedImage, reusable
from .instructions import DefinitionAnalysis
from .primitives import kernel_effect
from .summary import Call, Outcome, Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from forthvm.check.text.comments import Declared
    from forthvm.core.words.dictionary import DictionaryCopy, Word

    from .earlier import Stored
    from .summary import KnownArguments

__all__ = ["Analyser", "Counts"]

_MAX_CALL_KINDS = 40  # kinds of calls of a word that are analysed separately
_MAX_ITERATIONS = 12  # iterations until the summary of a recursive word is stable
_MAX_CALLS = 90  # nested calls; the analysis of each call uses the stack of Python
_MAX_PASSES = 4  # passes over all words, until the values of variables are stable

_BOTTOM = Summary()  # the summary of a recursive word before its first iteration
_last: AnalysedImage | None = None  # whose summaries the next analysis can reuse
#: Defining words whose words push or run the contents of their first cell.
_CONSTANTS = frozenset({"CONSTANT", "FCONSTANT", "$MakeConstant", "DEFER"})
_PLAIN_CONSTANTS = frozenset({"CONSTANT", "$MakeConstant"})  # those that push the whole cell
_BOARD_VARIABLES = frozenset({"{variable}", "{array}", "{carray}"})
#: Names of arguments that are positions, in the stack comments of the library.
_POSITION_NAMES = frozenset({"pos", "from", "to"})
_MOVES_OF_MEMORY = frozenset({"MOVE", "CMOVE", '"MOVE'})  # `from` and `to` are addresses
#: Words that define directions.
_DIRECTION_MAKERS = frozenset({"$CreateDirectionFromString", "$RedefineDirection"})


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of cells in a stack comment.

    Attributes:
        takes: The number of arguments, of the longest alternative.
        leaves: The possible numbers of results, of which the arguments that a shorter alternative
            lacks are a part.
    """

    takes: int
    leaves: tuple[int, ...]


def _simple_summary(word: Word) -> Summary:
    """Return the summary of a variable, or of a primitive from its declared stack effect."""
    if not word.primitive:
        return Summary(outcomes=(Outcome(0, (UNKNOWN,)),))
    effect = kernel_effect(word.op)
    takes = len(effect.takes)
    return Summary(
        required_cells=takes, outcomes=(Outcome(takes, (UNKNOWN,) * len(effect.leaves)),)
    )


class Analyser:
    """The analysis of all words of an image.

    Args:
        image: The dictionary.
        comment: Returns the stack comment of a word; None without a comment.
        opaque: Xts of words whose effect counts as unknown.
        last_library_xt: Xt of the last word of the library.
    """

    def __init__(
        self,
        image: DictionaryCopy,
        comment: Callable[[Word], Declared | None],
        opaque: Iterable[int] = (),
        *,
        last_library_xt: int = 0,
    ) -> None:
        self.image = image
        self._last_library_xt = last_library_xt
        self.xts = frozenset(image.by_cfa)
        self._comment = comment
        self._opaque = frozenset(opaque)
        self._summaries: dict[Call, Summary] = {}
        # The data of `_compute`, as in Tarjan's algorithm for strongly connected components.
        # An active call is being analysed; its depth is the number of active calls before it.
        self._active_depths: dict[Call, int] = {}  # the active calls with their depths
        self._active_summaries: dict[Call, Summary] = {}  # the summaries of active calls so far
        self._provisional: list[Call] = []  # finished calls that depend on an active call
        self._lowest_recursion = 0  # the lowest depth of an active call that was called again
        self._provisional_changed = False  # whether the summary of a provisional call changed
        self._previous: dict[Call, Summary] = {}  # summaries of the previous iteration
        self._known_arguments: dict[int, set[KnownArguments]] = {}  # by xt of the called word
        self._regions: dict[range, set[int]] = {}  # the values in the data of words
        self._items: dict[int, int] = {}  # by xt of an array, its number of items
        self._position_arguments: dict[int, tuple[int, ...]] = {}  # by xt
        self._stored: Stored = {}
        self._earlier: dict[Call, Summary] = {}  # of the last image, while words are summarized
        self._canonical = self._find_directions()
        self._analyse()

    def _find_directions(self) -> dict[int, int]:
        """Map the xts of all directions to one xt: all directions have the same stack effect."""
        image = self.image
        xts = [w.cfa for w in image.words if image.defining_word(w) in _DIRECTION_MAKERS]
        return dict.fromkeys(xts, xts[0]) if xts else {}

    def is_direction(self, xt: int) -> bool:
        """Whether the word with this xt is a direction."""
        return xt in self._canonical

    def canonical(self, value: int) -> int:
        """Return `value`; if it is the xt of a direction, the xt that represents all directions."""
        return self._canonical.get(value, value)

    # --- summaries -------------------------------------------------------------------

    def _analyse(self) -> None:
        """Summarize all words, until the values of variables are stable."""
        global _last  # noqa: PLW0603 - a cache of one item
        last, this = _last, AnalysedImage(self.image.memory, self._facts(), [])
        end = last.common_end(self.image, this.words) if last is not None else 0
        for number in range(_MAX_PASSES):
            if last is not None:
                self._earlier = reusable(last, self.image, end, number, self._stored)
            for word in self.image.words:
                if word.kind in (COLON, DOES):
                    self.summary(Call(word.cfa))
            this.passes.append((self._stored, dict(self._summaries)))
            before, self._stored = self._stored, self._collect_stores()
            changed = {a for a in self._stored if self._stored[a] != before.get(a)}
            if not changed:
                break
            self._forget(changed)
        self._earlier = {}
        _last = this

    def _facts(self) -> list[tuple[object, ...]]:
        """Return, for each word, the facts on which summaries depend besides contents of cells."""
        return [self._facts_of(word) for word in self.image.words]

    def _facts_of(self, word: Word) -> tuple[object, ...]:
        facts: tuple[object, ...] = (word, self.is_library(word), word.cfa in self._opaque)
        if word.kind == COLON:
            facts += (self.image.memory[word.body : word.end],)
        elif word.kind == DOES:
            facts += (self.items(word),)
        comment = None if self.is_library(word) else self._comment(word)
        return facts if comment is None else (*facts, comment.takes, comment.leaves)

    def _forget(self, changed: set[int]) -> None:
        """Drop the summaries that depend on changed cells."""
        words = {self.image.word_at(address) for address in changed if address > 0}
        changed |= {-word.cfa for word in words if word is not None}
        for call in [
            k for k, summary in self._summaries.items() if summary.loaded_addresses & changed
        ]:
            del self._summaries[call]

    def _collect_stores(self) -> Stored:
        """Return the values that all reachable calls store, by address; None: any value."""
        stored: Stored = {}
        for call in self.reachable_calls():
            for address, values in self._summaries[call].stores:
                old = stored.get(address, frozenset())
                stored[address] = None if values is None or old is None else old | values
        return stored

    def resolve_call(self, word: Word, stack: Sequence[Cell]) -> tuple[Call, Summary]:
        """Return the kind of a call, and its summary.

        With one argument known, the analysis may follow more paths and find that further arguments
        are relevant.  Therefore relevant arguments are added to the kind until there are no more.

        Args:
            word: The called word.
            stack: The cells on the stack before the call, the top last.
        """
        call = Call(word.cfa)
        if word.primitive or word.kind == VARIABLE:
            return call, _simple_summary(word)
        summary = self.summary(call)
        considered: set[int] = set()
        while summary.relevant_arguments - considered:
            considered |= summary.relevant_arguments
            numbers = [n for n in sorted(considered) if n < len(stack)]
            arguments = [(n, stack[-1 - n].values) for n in numbers]
            call = self._call(word, tuple((n, v) for n, v in arguments if v is not None))
            summary = self.summary(call)
        return call, summary

    def reachable_calls(self, interpreted: Iterable[Call] = ()) -> list[Call]:
        """Return the calls that words without callers and interpreted text can reach."""
        interpreted = set(interpreted)
        called = {
            call.xt
            for caller, summary in self._summaries.items()
            for call in summary.calls
            if call.xt != caller.xt
        }
        called |= {call.xt for call in interpreted}
        pending = [
            call for call in self._summaries if not call.known_arguments and call.xt not in called
        ]
        pending += [call for call in interpreted if call in self._summaries]
        reached = set(pending)
        while pending:
            for call in self._summaries[pending.pop()].calls:
                if call not in reached and call in self._summaries:
                    reached.add(call)
                    pending.append(call)
        return list(reached)

    def summary(self, call: Call) -> Summary:
        """Return the summary of a word for one kind of call."""
        summary = self._summaries.get(call)
        if summary is not None:
            return summary
        if call in self._earlier:
            return self._reuse(call)
        depth = self._active_depths.get(call)
        if depth is not None:
            self._lowest_recursion = min(self._lowest_recursion, depth)
            return self._active_summaries[call]
        if len(self._active_depths) >= _MAX_CALLS:
            return Summary(unknown="calls are nested too deep to be followed")
        return self._compute(call)

    def _reuse(self, call: Call) -> Summary:
        """Take over a summary of the last image, with those of the calls in it."""
        summary = self._summaries[call] = self._earlier[call]
        if call.known_arguments:
            self._known_arguments.setdefault(call.xt, set()).add(call.known_arguments)
        for other in summary.calls:
            self.summary(other)
        return summary

    def _compute(self, call: Call) -> Summary:
        """Analyse a word for one kind of call.

        If the word is recursive, the analysis is repeated until the summary is stable.  In each
        iteration, recursive calls have the summaries of the previous iteration.
        """
        depth = len(self._active_depths)
        outer_lowest, outer_changed = self._lowest_recursion, self._provisional_changed
        first_provisional = len(self._provisional)
        self._active_depths[call] = depth
        before = self._previous.get(call, _BOTTOM)
        for _ in range(_MAX_ITERATIONS):
            self._lowest_recursion, self._provisional_changed = depth + 1, False
            self._active_summaries[call] = before
            result = self._follow(call)
            if self._lowest_recursion != depth or (
                result == before and not self._provisional_changed
            ):
                break
            before = result
            for other in self._provisional[first_provisional:]:
                self._summaries.pop(other, None)
            del self._provisional[first_provisional:]
        else:
            result = Summary(unknown="the analysis of its recursion does not converge")
        del self._active_depths[call], self._active_summaries[call]
        self._summaries[call] = result
        if self._lowest_recursion < depth:
            self._provisional.append(call)
            self._previous[call] = result
            self._provisional_changed |= outer_changed or result != before
        else:
            del self._provisional[first_provisional:]
            self._provisional_changed = outer_changed
        self._lowest_recursion = min(outer_lowest, self._lowest_recursion)
        if not depth:
            self._previous.clear()
        return result

    def _follow(self, call: Call) -> Summary:
        """Follow all paths of a word once, and return the summary."""
        word = self.image.by_cfa[call.xt]
        if word.cfa in self._opaque:
            return Summary(unknown="it is not defined")
        if word.kind == COLON:
            return DefinitionAnalysis(self, word, word.body, call).summary()
        if word.kind == DOES and self.image.defining_word(word) in _PLAIN_CONSTANTS:
            cell = self.load(known_cell(word.body))  # without its code: boards have many positions
            return Summary(outcomes=(Outcome(0, (cell,)),), loaded_addresses=frozenset({word.body}))
        if word.kind == DOES and word.does > 0:
            return DefinitionAnalysis(self, word, word.does, call).summary()
        return Summary(unknown="it is not a definition")

    def _call(self, word: Word, known_arguments: KnownArguments) -> Call:
        """Return a kind of call; if the word has too many kinds, leave out the arguments."""
        combinations = self._known_arguments.setdefault(word.cfa, set())
        if known_arguments not in combinations:
            if len(combinations) >= _MAX_CALL_KINDS:
                return Call(word.cfa)
            combinations.add(known_arguments)
        return Call(word.cfa, known_arguments)

    # --- memory ----------------------------------------------------------------------

    def region(self, cell: Cell) -> int:
        """Return the xt of the word whose data contains the address `cell`; 0 if unknown."""
        if cell.region_xt or cell.value is None:
            return cell.region_xt
        word = self.image.word_at(cell.value)
        if word and word.kind in (VARIABLE, DOES) and word.body <= cell.value <= word.end:
            return word.cfa
        return 0

    def load(self, address: Cell) -> Cell:
        """Return the possible contents of a cell of memory."""
        if address.value is not None:
            word = self.image.word_at(address.value)
            if word is None or not word.body <= address.value < word.end:
                return UNKNOWN
            values = self._contents([address.value], [address.value])
            constant = word.kind == DOES and self.image.defining_word(word) in _CONSTANTS
            return self._loaded(values, constant=constant)
        if address.region_xt:
            word = self.image.by_cfa[address.region_xt]
            cells = range(word.body, min(word.end, self.image.here) - 3, 4)
            return self._loaded(self._contents(cells, [-word.cfa, *cells]), constant=False)
        return derived(address)

    def _contents(self, cells: Iterable[int], written: Iterable[int]) -> frozenset[int] | None:
        """Return the values in cells and the values that words store; None for any value.

        Args:
            cells: Addresses of the cells.
            written: Addresses, or negated xts, whose stored values are included.
        """
        if isinstance(cells, range):  # the data of a word, which may be a large table
            values = self._region_contents(cells)
        else:
            values = {self.canonical(self.image.cell(address)) for address in cells}
        for address in written:
            stored = self._stored.get(address, frozenset())
            if stored is None:
                return None
            values |= stored
        return frozenset(values)

    def _region_contents(self, cells: range) -> set[int]:
        """Return the values in consecutive cells."""
        if cells not in self._regions:
            found = set(self.image.column(cells.start, len(cells)))
            self._regions[cells] = {self.canonical(value) for value in found}
        return set(self._regions[cells])

    def _loaded(self, values: frozenset[int] | None, *, constant: bool) -> Cell:
        """Return the abstract cell for loaded values; it is known only for xts and constants."""
        if values is None:
            return UNKNOWN
        if constant and len(values) == 1:
            return Cell(values)
        xts = values - {0}
        unset = self.image.find("(unset)")
        if unset is not None and len(xts) > 1:
            xts -= {unset.cfa}
        return Cell(xts) if xts and xts <= self.xts else UNKNOWN

    def is_stored(self, address: int) -> bool:
        """Whether a definition stores a value at an address."""
        return address in self._stored

    def items(self, word: Word) -> int:
        """Return the number of items of an array; -1 if the word is not an array."""
        if word.cfa not in self._items:
            defining_word = self.image.defining_word(word)
            count = -1
            if defining_word == "[]":
                count = (word.end - word.body) // 4
            elif defining_word in ("{array}", "{carray}"):
                count = self.image.cell(word.body + 4)
            self._items[word.cfa] = count
        return self._items[word.cfa]

    def is_on_board(self, word: Word) -> bool:
        """Whether a word returns the address of a variable or array of the board."""
        return word.kind == DOES and self.image.defining_word(word) in _BOARD_VARIABLES

    # --- comments --------------------------------------------------------------------

    def position_arguments(self, word: Word) -> tuple[int, ...]:
        """Return the numbers of the arguments of a word of the library that are positions."""
        if word.cfa not in self._position_arguments:
            names: Sequence[str] = ()
            if word.primitive and word.op not in _MOVES_OF_MEMORY:
                names = kernel_effect(word.op).takes
            elif self.is_library(word) and (comment := self._comment(word)) is not None:
                names = comment.takes
            self._position_arguments[word.cfa] = tuple(
                number for number, name in enumerate(reversed(names)) if name in _POSITION_NAMES
            )
        return self._position_arguments[word.cfa]

    def declared(self, word: Word) -> Counts | None:
        """Return the numbers of cells in a word's stack comment; None if they are not stated."""
        comment = self._comment(word)
        return comment.counts if comment is not None else None

    def is_library(self, word: Word) -> bool:
        """Whether a word belongs to the library, whose comments are reliable."""
        return word.cfa <= self._last_library_xt

    def is_direction_argument(self, word: Word, argument_number: int) -> bool:
        """Whether a word's comment says that an argument is the xt of a direction."""
        comment = self._comment(word)
        if comment is None or not 0 <= argument_number < len(comment.takes):
            return False
        name = comment.takes[-1 - argument_number]
        return name.startswith("'") and "dir" in name.lower()

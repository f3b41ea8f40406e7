"""The script's own variables by name, read from a position.

To work with any library, this file defines test words with the library's defining words, in a
state that is discarded, and compares the code fields of the test words with those of the script's
words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, DOES, HEADER
from forthvm.core.errors import ForthVMError
from forthvm.core.output import redirected
from forthvm.core.shared import Shared
from forthvm.game.tables import cells_of, read_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.core.bindings import NativeVM
    from forthvm.game.loaded import LoadedGame
    from forthvm.game.states import State

__all__ = ["ScriptVariable", "VariableView", "board_variables", "outside_board", "variables_of"]

_PIECE_RECORD = 4 * CELL  # size of a record of the library's table of piece types
_PROBES = (  # code that defines a word, the word's name, and the kind of the word
    ("VARIABLE", "fvm-probe-w", "variable"),
    ("{variable}", "fvm-probe-v", "variable"),
    ("1 {array}", "fvm-probe-a", "array"),
    ("1 {carray}", "fvm-probe-c", "bytes"),
    ("1 []", "fvm-probe-i", "array"),
)


@dataclass(frozen=True)
class ScriptVariable:
    """A variable or array of a script.

    Attributes:
        kind: `variable` for a cell, `array` for cells, `bytes` for bytes.  The length of an
            array is unknown.
        address: Address of the cell, or of entry 0.
    """

    name: str
    kind: str
    address: int


class VariableView(Shared, Mapping[str, int]):
    """The variables of a position by name; the methods `array` and `bytes` read arrays.

    A word that the script defined with CREATE counts as a variable, whose value is the first cell
    of the word's body.  The view is pickled as a dict.
    """

    def __init__(self, game: LoadedGame, state: State) -> None:
        """Read variables from a state; later changes of the position do not change the view."""
        self._variables = variables_of(game)
        self._memory = state.current

    def __getitem__(self, name: str) -> int:
        variable = self._variables[name]
        if variable.kind == "bytes":
            return self.bytes(name, 1)[0]
        return read_cell(self._memory, variable.address)

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)

    def array(self, name: str, count: int) -> tuple[int, ...]:
        """Return the first `count` cells of an array, signed."""
        data = self._memory.read(self._variables[name].address, count * CELL)
        return cells_of(data.ljust(count * CELL, b"\0"))

    def bytes(self, name: str, count: int) -> tuple[int, ...]:
        """Return the first `count` bytes of a byte array, signed as `C@` reads them."""
        data = self._memory.read(self._variables[name].address, count).ljust(count, b"\0")
        return tuple(memoryview(data).cast("b"))

    def __reduce__(self) -> tuple[object, ...]:
        return dict, (list(self.items()),)

    def __repr__(self) -> str:
        return f"<variables {dict(self)}>"


def variables_of(game: LoadedGame) -> Mapping[str, ScriptVariable]:
    """Return the script's own variables and arrays by name, oldest first."""
    return game.once(_variables_of)


def _variables_of(game: LoadedGame) -> Mapping[str, ScriptVariable]:
    with game.states.lock:
        native = game.states.restore_base(game.base)
        lists = frozenset(token for token in _piece_lists(native) if token)
        try:
            with redirected(game.vm):
                return _find_variables(native, game.library_end, lists)
        finally:
            native.snapshot_restore(game.base)


def _piece_lists(native: NativeVM) -> Iterator[int]:
    """Yield the execution token of each piece type's list of moves and list of drops."""
    table = native.variable("$pieces") or 0
    for index in range(native.variable("$pieceCount") or 0):
        record = table + _PIECE_RECORD * index
        yield native.read_cell(record + CELL)  # the list of moves
        yield native.read_cell(record + 2 * CELL)  # the list of drops


def _find_variables(
    native: NativeVM, library_end: int, lists: frozenset[int]
) -> dict[str, ScriptVariable]:
    """Return the variables and arrays of a game.

    The function changes the VM's memory, which the caller must restore.

    Args:
        native: The VM, in the state after loading.
        library_end: Header of the library's newest word; only newer words are considered.
        lists: Tokens of the words that contain lists of moves and drops; they are left out.
    """
    words: dict[str, int] = {}
    nfa = native.latest()
    while nfa > library_end:
        words.setdefault(native.name(nfa), nfa + HEADER)  # the newest word of a name counts
        nfa = native.previous(nfa)
    kinds = _kinds(native)
    create_opcode = _opcode_of_create(native)
    found = []
    for name, token in words.items():
        kind = kinds.get((native.primitive(token), native.read_cell(token + CELL)))
        if token in lists:
            continue
        if native.primitive(token) == create_opcode:
            found.append(ScriptVariable(name, "variable", native.body(token)))
        elif kind is not None:
            found.append(ScriptVariable(name, kind, _address(native, token, kind)))
    return {variable.name: variable for variable in reversed(found)}  # oldest first


def _opcode_of_create(native: NativeVM) -> int:
    """Return the opcode in the code field of words defined by CREATE."""
    text = b"CREATE fvm-probe-p\n"
    native.interpret(text, native.source_add(len(text)))
    return native.primitive(native.find("fvm-probe-p") + HEADER)


def _kinds(native: NativeVM) -> dict[tuple[int, int], str]:
    """Return kinds of variables by opcode and DOES> address of the words that _PROBES define."""
    kinds = {}
    for definition, name, kind in _PROBES:
        text = f"{definition} {name}\n".encode()
        try:
            native.interpret(text, native.source_add(len(text)))
        except ForthVMError:  # a library without that word
            native.clear_stack()
            continue
        token = native.find(name) + HEADER
        if native.primitive(token) != DOES:  # only words with DOES> code can be compared
            continue
        kinds[native.primitive(token), native.read_cell(token + CELL)] = kind
    return kinds


def _address(native: NativeVM, token: int, kind: str) -> int:
    """Execute a variable or array and return the address that it pushes: its cell or entry 0."""
    native.clear_stack()
    if kind != "variable":
        native.push(0)
    native.execute(token)
    return native.pop()


def board_variables(game: LoadedGame) -> tuple[tuple[ScriptVariable, int], ...]:
    """Return the variables and arrays of the board, each with its size in bytes, by address.

    The length of an array is not stored, so the array is assumed to end at the next variable.
    """
    start, cells = game.tables.board, game.tables.board_cells
    end = start + cells * CELL
    on_board = sorted(
        (variable for variable in variables_of(game).values() if start <= variable.address < end),
        key=attrgetter("address"),
    )
    ends = [variable.address for variable in on_board[1:]] + [end] * bool(on_board)
    return tuple(
        (variable, variable_end - variable.address)
        for variable, variable_end in zip(on_board, ends, strict=True)
    )


def outside_board(game: LoadedGame) -> tuple[str, ...]:
    """Return the variables and arrays of the board that end beyond it.

    A `{position}` makes the board as long as the positions: earlier variables may lie after it, in
    memory that the board does not own.  Their values are those of other memory, so that games and
    searches may go wrong.
    """
    variables = variables_of(game).values()
    with game.states.lock:
        return _outside_board(game.states.restore_base(game.base), variables)


def _outside_board(native: NativeVM, variables: Iterable[ScriptVariable]) -> tuple[str, ...]:
    end = (native.variable("$board") or 0) + -(-(native.variable("$boardSize") or 0) // CELL) * CELL
    found = []
    for variable in variables:
        body = native.body(native.find(variable.name) + HEADER)
        if variable.address == body:  # not of the board
            continue
        items = 1 if variable.kind == "variable" else native.read_cell(body + CELL)
        width = 1 if variable.kind == "bytes" else CELL
        if variable.address + items * width > end:
            found.append(variable.name)
    return tuple(found)

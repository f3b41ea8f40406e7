"""Commands that show memory: dump, map, stack.

Owns what these commands print.  Each function receives the shell and the command's argument.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import HEADER, LOWEST, MOVE_TEXT, PAD, RANDOM, REPETITIONS, RINGS
from forthvm.core.errors import ForthVMError
from forthvm.core.words.code import word_name
from forthvm.repl.values import possible_meanings

if TYPE_CHECKING:
    from forthvm.repl.shell import Shell

__all__ = ["dump", "map_", "stack"]

_DEFAULT_COUNT = 64
_MAX_COUNT = 1 << 16
_WIDE_SCREEN = 75  # columns needed for 16 bytes in a line
_PRINTABLE = range(32, 127)
_GROUP_COLUMNS = 13  # four bytes in hex, each followed by a blank, and another blank

# The areas of the kernel's own state: start address and contents.
_KERNEL_AREAS = (
    (LOWEST, "kernel variables: STATE, BASE, CONTEXT, CURRENT, DP"),
    (RANDOM, "random streams"),
    (RINGS, "ring buffers"),
    (REPETITIONS, "repetitions"),
    (PAD, "PAD: the token read last"),
    (MOVE_TEXT, "text of the move under construction"),
)


def dump(shell: Shell, argument: str) -> None:
    """Print bytes as numbers, cells and characters."""
    parts = argument.split()
    if not parts:
        raise ForthVMError("ADDRESS is missing: dump ADDRESS [COUNT] or dump WORD [COUNT]")
    address = _address(shell, parts[0])
    count = min(_number(parts[1]) if len(parts) > 1 else _DEFAULT_COUNT, _MAX_COUNT)
    memory = shell.session.vm.native
    count = max(min(count, memory.memory_size() - address), 0)
    row_length = 16 if shell.screen.width >= _WIDE_SCREEN else 4
    data = memory.read(address, count)
    for at in range(0, count, row_length):
        row_bytes = data[at : at + row_length]
        numbers = " ".join(row_bytes[i : i + 4].hex(" ") + " " for i in range(0, len(row_bytes), 4))
        text = "".join(chr(byte) if byte in _PRINTABLE else "." for byte in row_bytes)
        name = _containing_word(shell, address + at)
        line = f"{address + at:>8}  {numbers:{row_length // 4 * _GROUP_COLUMNS}}{text:{row_length}}"
        shell.print(f"{line}  {shell.screen.paint('dim', name)}".rstrip())


def _address(shell: Shell, text: str) -> int:
    """Return the address that a number or the name of a word denotes."""
    vm = shell.session.vm
    xt = vm.find(text)
    if xt is not None:
        return vm.native.body(xt)
    address = _number(text)
    if not 0 <= address < vm.native.memory_size():
        raise ForthVMError(f"{text} is not an address: memory has {vm.native.memory_size()} bytes")
    return address


def _number(text: str) -> int:
    try:
        return int(text.removeprefix("$"), 16) if text.startswith("$") else int(text, 0)
    except ValueError:
        raise ForthVMError(
            f"{text} is neither a word nor a number such as 12, 0x0C or $0C"
        ) from None


def _containing_word(shell: Shell, address: int) -> str:
    """Return the name of the word whose header or body contains an address, else ""."""
    native = shell.session.vm.native
    nfa = native.word_at(address)
    return native.name(nfa) if nfa and address < native.here() else ""


def map_(shell: Shell, _argument: str) -> None:
    """Print the layout of memory."""
    session = shell.session
    native = session.vm.native
    here = native.here()
    rows = [*_KERNEL_AREAS]
    oldest = nfa = native.latest()
    while nfa:
        oldest, nfa = nfa, native.previous(nfa)
    rows.append((oldest, "dictionary: the kernel's words"))
    first_headers: dict[str, int] = {}
    for text in session.vm.sources.texts:
        was_typed = text.name.startswith("<") and not text.library
        name = "the session's lines" if was_typed else text.name
        first_header = _first_header_of(shell, text.name)
        if first_header:
            first_headers.setdefault(name, first_header)
    rows += [(address, name) for name, address in first_headers.items()]
    board = native.variable("$board")
    if board:
        rows.append((board, "the board"))
    rows.append((here, "HERE: move lists, board copies, free memory"))
    rows.append((native.memory_size(), "end of memory"))
    rows.sort()
    shown = []
    for (start, name), (end, _) in zip(rows, [*rows[1:], (0, "")], strict=True):
        size = f"{end - start:,}" if end else ""
        shown.append((f"{start:>9}", f"{start:#08x}", f"{size:>11}", name))
    headings = (f"{'address':>9}", "in hex", f"{'bytes':>11}", "contents")
    shell.print("\n".join(shell.screen.table([headings, *shown])))
    limit = session.vm.budget.memory
    shell.print(
        f"stack: {len(session.stack)} cells" + (f"; limit {limit:,} bytes" if limit else "")
    )


def _first_header_of(shell: Shell, file: str) -> int:
    """Return the address of the header of the first word that a file defined; 0 without words."""
    headers = (
        info.xt - HEADER
        for info in (shell.words[name] for name in shell.words.names())
        if info.file == file
    )
    return min(headers, default=0)


def stack(shell: Shell, _argument: str) -> None:
    """Print the stack, the top first, with all possible meanings of each cell."""
    cells = shell.session.stack
    if not cells:
        shell.print("the stack is empty")
        return
    rows = []
    for depth, cell in enumerate(reversed(cells)):
        meanings = [f"{cell & 0xFFFFFFFF:#x}", *possible_meanings(shell.session, cell)]
        if word_name(shell.session.vm.native, cell) is None:
            name = _containing_word(shell, cell) if cell > 0 else ""
            if name:
                meanings.append(f"in {name}")
        rows.append((f"{depth:>4}", f"{cell:>11}", "  ".join(meanings)))
    shell.print("\n".join(shell.screen.table(rows)))

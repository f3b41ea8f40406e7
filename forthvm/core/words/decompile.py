"""Shows definitions for `see`: as they were written, or decompiled.

This file owns the recovery of control structures and the layout of the text; code.py decodes
instructions.  It must not run code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import (
    CELL,
    COLON,
    DOES,
    FLAGS,
    HEADER,
    HOST,
    IMMEDIATE,
    VARIABLE,
    WORD_LIST,
)
from forthvm.syntax import definition_at

from .code import ENDS, IN_LINE_TEXT, JUMPS, LiveMemory, decode, word_name

if TYPE_CHECKING:
    from forthvm.core.vm import VM

    from .code import Code

__all__ = ["decompile", "definition_text", "is_kernel_word"]

_MAX_INSTRUCTIONS = 4000  # of one definition; a longer sequence of cells is data

_TEXT_WORDS = {'(S")': 'S"', '(.")': '."', '(ABORT")': 'ABORT"', '(^")': '^"'}
_LOOPS = {"(LOOP)": "LOOP", "(+LOOP)": "+LOOP"}


@dataclass(slots=True)
class _Item:
    """One instruction as source.

    Attributes:
        address: Address of the instruction.
        word: Name of the word that the instruction calls.
        target: Address to which a jump leads, 0 for other instructions.
        text: Source text of an instruction with an operand; "" for other instructions and jumps.
        before: The BEGINs before the instruction; BEGIN compiles no code.
    """

    address: int
    word: str
    target: int = 0
    text: str = ""
    before: list[str] = field(default_factory=list)


def decompile(vm: VM, cfa: int) -> str:
    """Return the source of the word with that code field."""
    native = vm.native
    nfa = cfa - HEADER
    name = native.name(nfa)
    kind = native.primitive(cfa)
    immediate = " IMMEDIATE" if native.read_cell(nfa + FLAGS) & IMMEDIATE else ""
    if kind == COLON:
        return f": {name}{_layout(_structure(_read(vm, cfa + CELL)))} ;{immediate}"
    if kind == VARIABLE:
        value = native.read_cell(native.body(cfa))
        return f"CREATE {name}  \\ its cell holds {value}"
    if kind == DOES:
        return _does(vm, cfa, name) + immediate
    if kind == HOST and not is_kernel_word(vm, cfa):
        return f"{name} is a word of the host"
    if kind == WORD_LIST:
        return f"VOCABULARY {name}"
    described = _described(name) if kind < COLON else ""  # the glossary has the primitives
    return f"{name} is a word of the kernel{described}"


def _described(name: str) -> str:
    """Return stack effect and description of a primitive, as the end of a line."""
    from .glossary import kernel_words  # a long table that only interactive tools need

    entry = kernel_words().get(name)
    return f": {entry.effect}  {entry.text}" if entry else ""


def _does(vm: VM, cfa: int, name: str) -> str:
    """Return the source of a word that a defining word with DOES> made."""
    native = vm.native
    body = native.body(cfa)
    does = native.read_cell(cfa + CELL)
    nfa = native.word_at(does) if does > 0 else 0
    defining_word = native.name(nfa) if nfa else "<BUILDS"
    value = native.read_cell(body)
    if defining_word == "DEFER":
        return f"DEFER {name}  ' {word_name(native, value) or value} IS {name}"
    if defining_word in ("CONSTANT", "FCONSTANT", "$MakeConstant"):
        return f"{value} CONSTANT {name}"
    return f"{defining_word} {name}  \\ the first cell holds {value}"


# --- reading -----------------------------------------------------------------------


def _read(vm: VM, address: int) -> list[_Item]:
    """Read the instructions before the return that ends the definition.

    This return is the first that no earlier branch jumps to or over.
    """
    native = vm.native
    memory = LiveMemory(native)
    here = native.here()
    items: list[_Item] = []
    furthest = 0
    while address < here and len(items) < _MAX_INSTRUCTIONS:
        code = decode(memory, address)
        if code is None:
            items.append(_Item(address, f"{native.read_cell(address)} (not a word)"))
            address += CELL
            continue
        if code.name in ENDS and address >= furthest:
            break
        items.append(_item(vm, code))
        furthest = max(furthest, items[-1].target)
        address = code.next
    return items


def _item(vm: VM, code: Code) -> _Item:
    """Convert a decoded instruction to an item."""
    if code.name in JUMPS:
        return _Item(code.address, code.name, target=code.operand)
    text = ""
    if code.name == "LIT":
        name = word_name(vm.native, code.operand)
        text = f"['] {name}" if name else str(code.operand)
    elif code.name == "COMPILE":
        text = f"COMPILE {word_name(vm.native, code.operand) or code.operand}"
    elif code.name in IN_LINE_TEXT:
        text = f'{_TEXT_WORDS[code.name]} {code.text}"'
    return _Item(code.address, code.name, text=text)


# --- control flow ------------------------------------------------------------------


def _structure(items: list[_Item]) -> list[str]:
    """Return the instructions as words; control words replace the jumps that they compiled."""
    index_at = {item.address: index for index, item in enumerate(items)}
    end = _Item(items[-1].address + CELL if items else 0, "")
    whiles: set[int] = set()  # indices of the jumps that WHILE compiled
    for index, item in enumerate(items):
        if item.word in JUMPS and item.target <= item.address:
            start = items[index_at[item.target]] if item.target in index_at else end
            if item.word in _LOOPS:
                continue
            start.before.append("BEGIN")
            if item.word == "BRANCH":  # REPEAT; its WHILE is the last 0BRANCH to the code after it
                loop_exits = [
                    i
                    for i, other in enumerate(items[:index])
                    if other.word == "0BRANCH"
                    and other.target == item.address + 2 * CELL
                    and other.address >= item.target
                ]
                whiles.update(loop_exits[-1:])
    words: list[str] = []
    open_ifs: dict[int, int] = {}  # number of open IFs by the address of their ENDIF
    for index, item in enumerate(items):
        words += ["ENDIF"] * open_ifs.pop(item.address, 0) + item.before
        words.append(_word(item, items, index, whiles, open_ifs))
    words += ["ENDIF"] * sum(open_ifs.values()) + end.before
    return [word for word in words if word]


def _word(
    item: _Item, items: list[_Item], index: int, whiles: set[int], open_ifs: dict[int, int]
) -> str:
    """Return the word in the source for an instruction; update `open_ifs`."""
    if item.word not in JUMPS:
        return item.text or {"(DO)": "DO"}.get(item.word, item.word)
    if item.word in _LOOPS:
        return _LOOPS[item.word]
    if item.target <= item.address:
        return "REPEAT" if item.word == "BRANCH" else "UNTIL"
    if index in whiles:
        return "WHILE"
    word = "IF"
    if item.word == "BRANCH":  # ELSE: its IF jumps to the code after it, its ENDIF is at its target
        word = "ELSE"
        after = items[index + 1].address if index + 1 < len(items) else 0
        if open_ifs.get(after):
            open_ifs[after] -= 1
    open_ifs[item.target] = open_ifs.get(item.target, 0) + 1
    return word


_OPENS = {"IF", "DO", "BEGIN", "ELSE", "WHILE"}
_CLOSES = {"ENDIF", "LOOP", "+LOOP", "UNTIL", "REPEAT", "ELSE", "WHILE"}


def _layout(words: list[str]) -> str:
    """Put words on lines, indented by the depth of control structures."""
    if not _OPENS & set(words):
        return "".join(f" {word}" for word in words)
    lines: list[str] = []
    line: list[str] = []
    level = 1
    for word in words:
        if word in _CLOSES:
            if line:
                lines.append("  " * level + " ".join(line))
                line = []
            level = max(level - 1, 1)
        line.append(word)
        if word in _OPENS | _CLOSES:
            lines.append("  " * level + " ".join(line))
            line = []
        if word in _OPENS:
            level += 1
    if line:
        lines.append("  " * level + " ".join(line))
    return "\n" + "\n".join(lines)


def is_kernel_word(vm: VM, cfa: int) -> bool:
    """Return whether a word is written in C."""
    kind = vm.native.primitive(cfa)
    # The cell after the code field of a service, a word in C of standard Forth, is negative.
    return kind < COLON or (kind == HOST and vm.native.read_cell(cfa + CELL) < 0)


def definition_text(vm: VM, cfa: int) -> str | None:
    """Return the source text of the definition of a word, None for a word in C."""
    if is_kernel_word(vm, cfa):
        return None
    position = vm.definition_position(cfa)
    text = vm.sources.text_at(position)
    if text is None:
        return None
    source = text.data.decode("latin-1")  # one character per byte, so that offsets agree
    start, end = definition_at(source, position - text.base)
    return text.decode(text.data[start:end])

"""Rules on what happens after `add-move`: the findings W421 and W425.

`add-move` adds the move to the list and begins a new, empty one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.check.analysis.primitives import GAME_EFFECTS
from forthvm.core.bindings.layout import COLON, VARIABLE
from forthvm.core.words.code import JUMPS

from .game import reachable_words
from .stack import move_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check.finding import Finding
    from forthvm.check.program import Program
    from forthvm.core.words.code import Code
    from forthvm.core.words.dictionary import Word

__all__ = ["added_rules"]

_RETURNS = frozenset({"(;)", "EXIT"})
#: Words that a loop may run without a difference between its iterations.
_CONSTANT_WORDS = frozenset(
    {
        *("LIT", "DUP", "@", "AND", "OR", "NOT", "0=", "TRUE", "FALSE", "EXECUTE", "(DO)", "(;)"),
        *("(LOOP)", "BRANCH", "0BRANCH", "verify", "to", "from", "here", "add-move"),
    }
)


def added_rules(program: Program) -> Iterator[Finding]:
    """Check what words do after they have added a move."""
    words = [w for w in reachable_words(program, move_words(program)) if w.cfa in program.own_xts]
    for word in sorted(words, key=lambda word: word.cfa):
        if word.kind == COLON:
            yield from _lost_edits(program, word)
            yield from _equal_iterations(program, word)


# --- edits after add-move ----------------------------------------------------------------------


def _lost_edits(program: Program, word: Word) -> Iterator[Finding]:
    """Find the first edit of a move that no path adds, after the word has added another one."""
    codes = {code.address: code for code in program.image.instructions(word.body, word.end)}
    effects = {address: _effects(program, code) for address, code in codes.items()}
    adding = {address for address, found in effects.items() if found & {"add", "anything"}}
    for address in sorted(adding):
        for later in sorted(_following(codes, address)):
            is_edit = "edit" in effects[later] and later not in adding
            if is_edit and not adding & _following(codes, later) and not _adds_later(program, word):
                text = "this edit has no effect: `add-move` before it has begun a new move"
                text += f" (in `{word.name}`)"
                yield program.finding_at_cell("W421", text, later, word=word.name)
                return


def _adds_later(program: Program, word: Word, seen: frozenset[int] = frozenset()) -> bool:
    """Whether a caller of a word may add a move after the call."""
    seen |= {word.cfa}
    for caller in program.own_words:
        if caller.kind != COLON or caller.cfa in seen:
            continue
        codes = {code.address: code for code in program.image.instructions(caller.body, caller.end)}
        calls = [a for a, code in codes.items() if word.cfa in (code.cfa, code.operand)]
        after = {later for call in calls for later in _following(codes, call)}
        if any(_effects(program, codes[a]) & {"add", "anything"} for a in after):
            return True
        if calls and _adds_later(program, caller, seen):
            return True
    return False


def _effects(program: Program, code: Code) -> frozenset[str]:
    """Return the effects of an instruction on the game."""
    word = program.image.by_cfa[code.cfa]
    if code.name == "COMPILE":
        return frozenset({"edit"})
    return program.analysis.game_effects(word) | GAME_EFFECTS.get(word.op, frozenset())


def _following(codes: dict[int, Code], address: int) -> set[int]:
    """Return the addresses of the instructions of a word that can run after one of them."""
    found: set[int] = set()
    waiting = [address]
    while waiting:
        code = codes[waiting.pop()]
        targets = [code.operand] if code.name in JUMPS else []
        if code.name not in {"BRANCH", *_RETURNS}:
            targets.append(code.next)
        new = [target for target in targets if target in codes and target not in found]
        found.update(new)
        waiting += new
    return found


# --- loops that add one move again and again ---------------------------------------------------


def _equal_iterations(program: Program, word: Word) -> Iterator[Finding]:
    """Find a loop that begins with `from to`, and that adds the same move in each iteration."""
    codes = list(program.image.instructions(word.body, word.end))
    for end, closing in enumerate(codes):
        is_endless = closing.name == "BRANCH" or (
            closing.name == "0BRANCH"
            and codes[end - 1].name in ("FALSE", "LIT")
            and not codes[end - 1].operand
        )
        if not is_endless or closing.operand > closing.address:
            continue
        loop = [code for code in codes[: end + 1] if code.address >= closing.operand]
        effects = {effect for code in loop for effect in _effects(program, code)}
        if [code.name for code in loop[:2]] != ["from", "to"] or "add" not in effects:
            continue
        if any(code.name in JUMPS and code.operand > closing.address for code in loop):
            continue
        if all(_is_constant(program, code) for code in loop):
            text = f"this loop of `{word.name}` adds the same move again and again: nothing that"
            text += " the next iteration uses changes"
            yield program.finding_at_cell("W425", text, closing.address, word=word.name)


def _is_constant(program: Program, code: Code) -> bool:
    """Whether an instruction does the same in each iteration of a loop from `from to` on."""
    word = program.image.by_cfa[code.cfa]
    if code.name in _CONSTANT_WORDS or GAME_EFFECTS.get(word.name, frozenset()) & {"edit", "test"}:
        return True
    if word.kind == VARIABLE or program.analysis.analyser.is_direction(word.cfa):
        return True
    return (
        word.kind == COLON
        and word.cfa in program.own_xts
        and all(
            one.cfa != word.cfa and _is_constant(program, one)
            for one in program.image.instructions(word.body, word.end)
        )
    )

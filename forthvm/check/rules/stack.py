"""Rules on stack effects: comparison with stack comments, and problems on the paths of a word.

Owns those of the findings 2xx, 3xx and 7xx that depend on the analysis of definitions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from forthvm.check.finding import Finding
from forthvm.check.program import HOOKS
from forthvm.core.bindings.layout import COLON, VARIABLE
from forthvm.core.text.wording import counted, joined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check.analysis.effects import StackEffect
    from forthvm.check.analysis.summary import Problem
    from forthvm.check.program import Program
    from forthvm.check.text.comments import Declared
    from forthvm.core.words.dictionary import Word

__all__ = ["lists_of_moves", "move_words", "stack_rules"]


def stack_rules(program: Program) -> Iterator[Finding]:
    """Check every colon definition of the script."""
    causes = _Causes(program)
    findings = list(_definitions(program, causes))
    for finding in findings:
        consequences = causes.consequences.get(finding, [])
        yield replace(finding, consequences=tuple(consequences)) if consequences else finding


@dataclass(frozen=True, slots=True)
class _Excess:
    arguments: int
    results: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Role:
    """The use of a word by the kernel."""

    kind: str
    takes: int
    leaves: int


class _Causes:
    """Definitions that do not match their comments, and the consequences in their callers.

    The *excess* of a definition is its effect minus its comment: the number of additional
    arguments, and the numbers of additional results on the paths.  If a definition and a word that
    it calls have equal excesses, the finding for the definition is a consequence of that for the
    word.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._excess: dict[int, _Excess] = {}  # by xt
        self._cause: dict[int, Finding] = {}  # by xt
        self._loops: set[int] = set()  # the xts of words with a loop that changes the depth
        self.consequences: dict[Finding, list[str]] = {}  # names of definitions, by cause

    def _explains(self, xt: int, excess: _Excess) -> bool:
        return xt in self._loops or self._excess.get(xt) == excess

    def note_loop(self, word: Word, end: int, finding: Finding) -> bool:
        """Record a loop that changes the depth; return whether its finding is a consequence.

        It is one if a word that the loop calls does not match its comment.

        Args:
            word: The word with the loop.
            end: The address of the jump back to the head of the loop.
            finding: The finding.
        """
        codes = self._program.image.instructions(word.body, word.end)
        head = next(code.operand for code in codes if code.address == end)
        calls = [code.cfa for code in codes if head <= code.address <= end]
        cause = next((self._cause[xt] for xt in calls if xt in self._cause), None)
        self._loops.add(word.cfa)
        self._cause.setdefault(word.cfa, cause or finding)
        if cause is not None:
            self.consequences.setdefault(cause, []).append(f"`{word.name}`")
        return cause is not None

    def note(self, word: Word, excess: _Excess, finding: Finding) -> bool:
        """Record the excess of a definition; return whether its finding is a consequence."""
        self._excess[word.cfa] = excess
        summaries = self._program.analysis.summaries(word)
        calls = {call.xt for summary in summaries for call in summary.calls} - {word.cfa}
        called_xt = next((xt for xt in sorted(calls) if self._explains(xt, excess)), None)
        if called_xt is None:
            self._cause[word.cfa] = finding
            return False
        self._cause[word.cfa] = self._cause[called_xt]
        self.consequences.setdefault(self._cause[called_xt], []).append(f"`{word.name}`")
        return True


def _definitions(program: Program, causes: _Causes) -> Iterator[Finding]:
    """Check the definitions; omit findings that are consequences."""
    roles = _roles_of_called_words(program)
    for word in program.own_words:
        if word.kind != COLON or word.cfa in program.loaded.placeholder_xts:
            continue
        problems = sorted(program.analysis.problems(word))
        yield from _problems(program, word, problems, causes)
        declared = program.analysis.comments.of(word)
        effect = program.analysis.effect(word)
        mismatches = (
            [] if word.immediate else list(_compare_with_comment(program, word, effect, declared))
        )
        if mismatches and causes.note(word, _excess_of_comment(effect, declared), mismatches[0]):
            continue
        yield from mismatches
        if not mismatches and word.cfa in roles:
            role = roles[word.cfa]
            for finding in _compare_with_host(program, word, effect, role):
                if not causes.note(word, _excess(effect, role.takes, role.leaves), finding):
                    yield finding
        if effect.unknown:
            if not problems:
                yield _unknown_effect(program, word, effect)
        elif declared is None and not mismatches and word.cfa not in roles and not word.immediate:
            text = f"`{word.name}` has no stack comment; its effect is {effect}"
            yield program.finding_at_cell("I207", text, word.cfa, word=word.name)


def _roles_of_called_words(program: Program) -> dict[int, _Role]:
    """Return the roles of the words that the kernel calls, by xt."""
    image = program.image
    roles: dict[int, _Role] = {}
    for name, (takes, leaves) in HOOKS.items():
        word = image.find(name)
        if word is not None:
            roles[word.cfa] = _Role("hook", takes, leaves)
    for word in move_words(program):
        roles[word.cfa] = _Role("move word", 0, 0)
    for definition in program.definitions:
        file, index = definition.file, definition.name_index
        if definition.defining_word == "{player}" and file.word(index + 1) == "{search-engine}":
            engine = image.find(file.word(index + 2))
            if engine is not None:
                roles[engine.cfa] = _Role("engine", 0, 0)
    return roles


def lists_of_moves(program: Program) -> dict[str, list[Word]]:
    """Return the words in each list of the {moves sections, by the name of the list."""
    image = program.image
    list_positions = {
        definition.file.text.base + definition.token.start
        for definition in program.definitions
        if definition.defining_word == "{moves"
    }
    lists: dict[str, list[Word]] = {}
    for moves in program.own_words:
        if moves.kind != VARIABLE or image.source(moves.cfa) not in list_positions:
            continue
        count = min(max(image.cell(moves.body), 0), 128)
        xts = image.column(moves.body + 4, count, 8)
        lists[moves.name] = [image.by_cfa[xt] for xt in xts if xt in image.by_cfa]
    return lists


def move_words(program: Program) -> list[Word]:
    """Return all words in the lists of the {moves sections."""
    words = (word for moves in lists_of_moves(program).values() for word in moves)
    return list({word.cfa: word for word in words}.values())


# --- effects -----------------------------------------------------------------------------


def _compare_with_comment(
    program: Program, word: Word, effect: StackEffect, declared: Declared | None
) -> Iterator[Finding]:
    """Compare the effect of a word with its stack comment."""
    if effect.unknown:
        return
    counts = declared.counts if declared is not None else None
    if declared is None or counts is None:
        if len(effect.leaves) > 1 and declared is None:
            text = (
                f"`{word.name}` leaves {_alternatives(effect.leaves)} cells, depending on the path"
            )
            yield program.finding_at_cell("W202", text, word.cfa, word=word.name)
        return
    nets = {count - effect.takes for count in effect.leaves}
    declared_nets = {count - counts.takes for count in counts.leaves}
    comment = f"`{word.name}` says ( {declared.text} )"
    if effect.takes > counts.takes:
        text = f"{comment} but takes {counted(effect.takes, 'cell')} from the stack"
        if len(nets) > 1:
            text += f" and leaves {_alternatives(effect.leaves)}, depending on the path"
    elif nets <= declared_nets:
        return
    elif len(nets) > 1 and len(declared_nets) == 1:
        counts_text = _alternatives([net + counts.takes for net in sorted(nets)])
        text = f"{comment} but leaves {counts_text} cells, depending on the path"
        yield Finding("W202", text, program.locate(declared.position), word.name)
        return
    else:
        counts_text = _alternatives([net + counts.takes for net in sorted(nets)])
        text = (
            f"{comment} but leaves {counts_text} cells"
            if counts_text != "1"
            else f"{comment} but leaves 1 cell"
        )
    yield Finding("W201", text, program.locate(declared.position), word.name)


def _excess_of_comment(effect: StackEffect, declared: Declared | None) -> _Excess:
    """Return the excess (see `_Causes`) of a definition over its comment."""
    counts = declared.counts if declared is not None else None
    return _excess(effect, counts.takes, min(counts.leaves)) if counts else _excess(effect, 0, 0)


def _excess(effect: StackEffect, takes: int, leaves: int) -> _Excess:
    """Return the excess of a definition that should take and leave so many cells."""
    results = frozenset(count - effect.takes - (leaves - takes) for count in effect.leaves)
    return _Excess(max(effect.takes - takes, 0), results)


def _compare_with_host(
    program: Program, word: Word, effect: StackEffect, role: _Role
) -> Iterator[Finding]:
    """Compare the effect of a word that the kernel calls with the role of the word."""
    kind, takes, leaves = role.kind, role.takes, role.leaves
    if effect.unknown:
        return
    if effect.takes > takes:
        more = effect.takes - takes
        text = f"the {kind} `{word.name}` takes {counted(more, 'cell')} that are not on the stack"
        yield program.finding_at_cell("W205", text, word.cfa, word=word.name)
        return
    nets = {count - effect.takes for count in effect.leaves}
    if nets and nets != {leaves - takes}:
        counts_text = _alternatives(sorted(net + takes for net in nets))
        text = (
            f"the {kind} `{word.name}` leaves {counts_text} cells on the stack instead of {leaves}"
        )
        yield program.finding_at_cell("W206", text, word.cfa, word=word.name)


def _unknown_effect(program: Program, word: Word, effect: StackEffect) -> Finding:
    summary = next(s for s in program.analysis.general_summaries(word) if s.unknown)
    address = summary.unknown_at if program.is_in_script(summary.unknown_at) else word.cfa
    text = f"the effect of `{word.name}` is unknown: {effect.unknown}"
    return program.finding_at_cell("I208", text, address, word=word.name)


def _alternatives(counts: list[int] | tuple[int, ...]) -> str:
    return joined([str(count) for count in counts], "or")


# --- problems -----------------------------------------------------------------------------


def _problems(
    program: Program, word: Word, problems: list[Problem], causes: _Causes
) -> Iterator[Finding]:
    declared = program.analysis.comments.of(word)
    # With a comment such as `( ... -- )`, a loop may change the depth of the stack.
    any_depth = declared is not None and declared.counts is None
    for problem in problems:
        if not program.is_in_script(problem.address):
            continue
        if problem.kind in ("dropped-step", "executed-argument"):
            continue  # steps.py reports the first, and callers have the second
        if problem.kind in ("leak", "eat") and any_depth:
            continue
        code, text = _description(problem)
        finding = program.finding_at_cell(
            code, f"{text} (in `{word.name}`)", problem.address, word=word.name
        )
        is_loop = problem.kind in ("leak", "eat")
        if not is_loop or not causes.note_loop(word, problem.address, finding):
            yield finding


_DESCRIPTIONS = {
    "unbalanced-loop": (
        "E301",
        "at the end of the loop, the top of the return stack is not the loop's data",
    ),
    "takes-loop": ("W303", "`{name}` pops the loop's own data from the return stack"),
    "no-loop": ("W302", "`{name}` outside a loop"),
    "covered-loop": (
        "W303",
        "`{name}` does not return the loop's index: `>R` put a cell on top of it",
    ),
    "exit-in-loop": ("E304", "EXIT inside DO ... LOOP"),
    "endless": (
        "W313",
        "this loop never ends: it has no verify and no EXIT, and UNTIL always pops FALSE",
    ),
    "index": ("W701", "index {number} of `{name}`, which has {items} items"),
    "position": (
        "W703",
        "`{name}` gets the position {number}; the board has the positions 0 to {last}",
    ),
    "executed": ("W314", "EXECUTE gets {number}, which is not the token of a word"),
    "address": ("W704", "`{name}` gets the address {number}, where the script has no data"),
    "square-as-address": ("W704", "`{name}` gets a board position instead of an address"),
    "index-span": ("W701", "the index of `{name}` reaches {number}; it has {items} items"),
}


def _description(problem: Problem) -> tuple[str, str]:
    """Return the code and message of a problem."""
    kind, number = problem.kind, problem.number
    if kind == "leak":
        return "W203", f"each iteration of this loop leaves {counted(number, 'cell')} on the stack"
    if kind == "eat":
        return "W204", f"each iteration of this loop takes {counted(-number, 'cell')} off the stack"
    if kind == "left-on-return":
        if problem.loop_open:
            return "E301", "the definition ends with a loop open"
        return (
            "E301",
            f"the definition ends with {counted(number, 'cell')} left on the return stack",
        )
    code, text = _DESCRIPTIONS[kind]
    items = problem.items
    return code, text.format(number=number, items=items, last=items - 1, name=problem.name)

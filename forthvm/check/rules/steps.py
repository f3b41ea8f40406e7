"""Rules on steps whose flag is dropped: the finding W413.

A *step* runs a direction: it moves `here` to the next board position and returns TRUE, or returns
FALSE at the edge of the board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.check.analysis.primitives import GAME_EFFECTS
from forthvm.core.bindings.layout import COLON

from .tables import directions, ends, links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check.analysis.summary import Problem
    from forthvm.check.finding import Finding
    from forthvm.check.program import Program
    from forthvm.core.words.code import Code
    from forthvm.core.words.dictionary import Word

__all__ = ["step_rules"]


def step_rules(program: Program) -> Iterator[Finding]:
    """Find steps whose flag is dropped although the step may fail."""
    for word in program.own_words:
        if word.kind != COLON:
            continue
        problems = program.analysis.problems(word)
        for address in sorted(p.address for p in problems if p.kind == "dropped-step"):
            if not program.is_in_script(address):
                continue
            if _repeats_a_step(program, word, address) and not _is_in_endless_loop(
                program, problems, address
            ):
                continue
            if _is_unguarded(program, word, address):
                text = "the flag of this step is dropped: off the board, `here` stays where it was"
                yield program.finding_at_cell(
                    "W413", f"{text} (in `{word.name}`)", address, word=word.name
                )


def _repeats_a_step(
    program: Program, word: Word, address: int, after: str = "", seen: frozenset[int] = frozenset()
) -> bool:
    """Whether the step at `address` repeats one that the word, or each of its callers, has made.

    It does if, after the last earlier step, `to`, `back` or `home` sets `here`: the script
    repeats steps that it has checked.

    Args:
        program: The script.
        word: The word that contains the address.
        address: The address of the step, or of the call that leads to it.
        after: The last step and jump (see `_last_step_and_jump`) between the call and the step.
        seen: The xts of the words that the calls lead through.
    """
    codes = program.image.instructions(word.body, word.end)
    before = [code for code in codes if code.address < address]
    found = _last_step_and_jump(program, before, {word.cfa: ""}) + after
    if "s" in found:
        return "j" in found[found.rindex("s") :]
    seen |= {word.cfa}
    calls = [
        (caller, code.address)
        for caller in program.own_words
        if caller.kind == COLON and caller.cfa not in seen
        for code in program.image.instructions(caller.body, caller.end)
        if code.cfa == word.cfa
    ]
    return bool(calls) and all(
        _repeats_a_step(program, caller, call, found, seen) for caller, call in calls
    )


def _last_step_and_jump(program: Program, codes: list[Code], known: dict[int, str]) -> str:
    """Return `s` if instructions make a step, then `j` if they jump (see `_kind`) after the last.

    Args:
        program: The script.
        codes: The instructions; the words that they call are included.
        known: The results for words, by xt, which this function fills.
    """
    found = ""
    for code in codes:
        word = program.image.by_cfa[code.cfa]
        kind = _kind(program, code)
        if kind in ("step", "jump"):
            found += kind[0]
        elif word.kind == COLON and word.cfa in program.own_xts:
            if word.cfa not in known:
                known[word.cfa] = ""  # for a recursive word
                inner = program.image.instructions(word.body, word.end)
                known[word.cfa] = _last_step_and_jump(program, inner, known)
            found += known[word.cfa]
    last_step = found.rfind("s")
    return "s" * (last_step >= 0) + "j" * ("j" in found[last_step + 1 :])


def _is_in_endless_loop(program: Program, problems: set[Problem], address: int) -> bool:
    """Whether an address is in a loop that no path leaves."""
    closings = (program.image.code_at(p.address) for p in problems if p.kind == "endless")
    return any(code and code.operand <= address < code.address for code in closings)


def _is_unguarded(program: Program, word: Word, address: int) -> bool:
    """Whether a word does not handle a failure of the step at `address`, which repeats no step.

    A word is correct if it checks a condition on the square between the step and the edit.

    A word is wrong

    - if it makes two steps before the check: if the second step fails, the check applies to the
      square that the first step reached;
    - if a loop makes steps until a condition is true: at the edge of the board it never ends;
    - if it names the direction: then it need not rely on a check of the square.
    """
    codes = program.image.instructions(word.body, word.end)
    at = next(n for n, code in enumerate(codes) if code.address == address)
    kinds = [_kind(program, code) for code in codes]
    before, after = kinds[:at], kinds[at + 1 :]
    steps = [n for n, kind in enumerate(before) if kind == "step"]
    preceding = codes[at - 1] if at else None
    if not _may_fail(program, codes[at], preceding) or _returns(program, codes, before):
        return False
    if _loops_forever(codes, after, at):
        return True
    if codes[at].name != "EXECUTE" and next(filter(None, after), "") != "here":
        # The script drops the flag of a known direction, and uses the square at once.
        relevant = next((kind for kind in after if kind in ("jump", "edit")), "")
        return relevant == "edit"
    edit = next((n for n, kind in enumerate(after) if kind == "edit"), None)
    if edit is None:
        return False
    kinds_until_edit = [kind for kind in after[:edit] if kind in ("check", "jump", "step", "here")]
    if steps and before[steps[-1] :].count("check") == 1 and before[-1] == "check":
        # The first of two steps is checked, the second one is not.  If the second step fails, a
        # later check of the square applies to the first step's square, unless it compares `here`.
        compares_square = "here" in kinds_until_edit[:1] and "check" in kinds_until_edit
        return (
            not compares_square
            and "step" not in kinds_until_edit
            and "jump" not in kinds_until_edit
        )
    return "check" not in kinds_until_edit and "jump" not in kinds_until_edit


def _may_fail(program: Program, code: Code, preceding: Code | None) -> bool:
    """Whether a step can lead off the board.

    All directions count, unless the step calls one, or the preceding instruction pushes one.
    """
    xts = {code.cfa}
    if preceding is not None and preceding.name == "LIT":
        xts.add(preceding.operand)
    words = directions(program)
    chosen = [word for word in words if word.cfa in xts]
    return any(ends(program, word) for word in chosen or words)


def _returns(program: Program, codes: list[Code], before: list[str]) -> bool:
    """Whether a step goes back to where the last earlier one, whose flag was checked, came from.

    Args:
        program: The script.
        codes: The instructions of the word.
        before: The kinds of the instructions before the step.
    """
    first = max((n for n, kind in enumerate(before) if kind == "step"), default=-1)
    if first < 0 or "jump" in before[first:] or before[first + 1 : first + 2] != ["check"]:
        return False
    step, test, step_back = codes[first], codes[first + 1], codes[len(before)]
    if test.name == "0BRANCH" and test.operand <= step_back.address:
        return False
    words = {word.cfa: word for word in directions(program)}
    if not {step.cfa, step_back.cfa} <= words.keys():
        return False
    there, back = links(program, words[step.cfa]), links(program, words[step_back.cfa])
    return all(back[link] == here for here, link in enumerate(there) if 0 <= link < len(back))


def _loops_forever(codes: list[Code], after: list[str], at: int) -> bool:
    """Whether a loop makes steps until a condition on the square is true.

    Args:
        codes: The instructions of the word.
        after: The kinds of the instructions after the step.
        at: The index of the step.
    """
    start = codes[at].address
    closings = (
        n  # an index in `after`
        for n, code in enumerate(codes[at + 1 :])
        if code.name in ("BRANCH", "0BRANCH") and code.operand <= start
    )
    closing = next(closings, None)
    if closing is None:
        return False
    if _exits_by_one_test(codes[at + 1 : at + 2 + closing], after):
        return True
    kinds = [kind for kind in after[: closing + 1] if kind]
    return kinds[:1] == ["test"] and not {"here", "jump", "step", "edit"} & {*kinds}


def _exits_by_one_test(loop: list[Code], kinds: list[str]) -> bool:
    """Whether the only exit of a loop is a WHILE with one condition on the square."""
    first = next((n for n, kind in enumerate(kinds[: len(loop)]) if kind), None)
    if first is None or kinds[first] != "test":
        return False
    exit_at = first + 2 if loop[first + 1].name in ("NOT", "0=") else first + 1
    return kinds[exit_at] == "check" and not {"check", "jump", "step"} & {
        *kinds[exit_at + 1 : len(loop)]
    }


_KIND_BY_NAME = {
    "0BRANCH": "check",
    "here": "here",
    **dict.fromkeys(("to", "back", "home"), "jump"),
}
_KIND_BY_GAME_EFFECT = {"edit": "edit", "add": "edit", "exit": "check", "test": "test"}


def _kind(program: Program, code: Code) -> str:
    """Return the kind of an instruction; "" for other instructions.

    The kinds are `step`, `check` (a branch or verify), `jump` (sets `here`), `edit`, `test` (reads
    the content of a square), and `here`.
    """
    analyser = program.analysis.analyser
    word = program.image.by_cfa[code.cfa]
    if code.name == "EXECUTE" or analyser.is_direction(code.cfa):
        return "step"
    if code.name in _KIND_BY_NAME:
        return _KIND_BY_NAME[code.name]
    effects = program.analysis.game_effects(word) | GAME_EFFECTS.get(word.op, frozenset())
    kinds = (kind for effect, kind in _KIND_BY_GAME_EFFECT.items() if effect in effects)
    return next(kinds, "")

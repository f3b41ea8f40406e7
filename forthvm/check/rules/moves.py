"""Rules on the effects of move words: the findings W315, W401, W404, W405, W419 and W420."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.check.analysis.primitives import FETCHES, STORES
from forthvm.check.program import HOOKS
from forthvm.core.bindings.layout import COLON

from .game import reachable_game_effects, reachable_words
from .stack import lists_of_moves, move_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from forthvm.check.analysis.summary import Use
    from forthvm.check.finding import Finding
    from forthvm.check.program import Program
    from forthvm.core.words.dictionary import Word

__all__ = ["move_rules"]

#: Hooks that run when a game begins or a move is made, not when moves are generated.
_PLAYING_HOOKS = frozenset({"OnNewGame", "OnNextTurn", "OnMakeAMove", "OnRetractMove", "$NewGame"})


def move_rules(program: Program) -> Iterator[Finding]:
    """Check the move words of the game."""
    yield from _move_word_effects(program)
    yield from _ticks(program)
    yield from _reversed_moves(program)
    yield from _early_stores(program)


def _move_word_effects(program: Program) -> Iterator[Finding]:
    """Find move words that add no move, add an empty move, or use the move list."""
    for word in move_words(program):
        if not program.is_in_script(word.cfa) or word.cfa in program.loaded.placeholder_xts:
            continue
        effects = program.analysis.game_effects(word)
        possible = effects | reachable_game_effects(program, word)
        if "anything" not in possible:
            if "add" not in possible or _never_reaches(program, word, "add"):
                text = f"the move word `{word.name}` never adds a move"
                if not _is_endless(program, word):  # else W313 reports the endless loop
                    yield program.finding_at_cell("W401", text, word.cfa, word=word.name)
            elif "edit" not in possible:
                text = f"the move word `{word.name}` adds a move that changes nothing"
                yield program.finding_at_cell("W404", text, word.cfa, word=word.name)
        if "generate" in effects:
            text = f"the move word `{word.name}` generates moves, which destroys its own move"
            yield program.finding_at_cell("W405", text, word.cfa, word=word.name)
        elif "count" in effects:
            text = f"the move word `{word.name}` reads the list of moves while it is generated"
            yield program.finding_at_cell("W405", text, word.cfa, word=word.name)


def _ticks(program: Program) -> Iterator[Finding]:
    """Find `'` in words that the game runs: there is no text from which it could read a name."""
    roots = [*move_words(program), *(w for w in program.own_words if w.name in HOOKS)]
    for word in reachable_words(program, roots):
        if word.kind != COLON or word.cfa not in program.own_xts:
            continue
        for code in program.image.instructions(word.body, word.end):
            if code.name == "'" and code.cfa not in program.own_xts:
                text = f"`'` reads a name when `{word.name}` runs: write `[']`"
                yield program.finding_at_cell("W315", text, code.address, word=word.name)


def _never_reaches(program: Program, word: Word, effect: str) -> bool:
    """Whether the paths through a word are all known, and none has an effect on the game."""
    own = [w for w in reachable_words(program, [word]) if w.cfa in program.own_xts]
    summaries = [summary for w in own for summary in program.analysis.summaries(w)]
    return not any(summary.unknown or effect in summary.game_effects for summary in summaries)


def _is_endless(program: Program, word: Word) -> bool:
    """Whether a word, or a word that it may call, has a loop that never ends."""
    own = [w for w in reachable_words(program, [word]) if w.cfa in program.own_xts]
    return any(problem.kind == "endless" for w in own for problem in program.analysis.problems(w))


# --- moves in the wrong direction --------------------------------------------------------------


def _reversed_moves(program: Program) -> Iterator[Finding]:
    """Find words of a list of {moves}, not {drops}, whose only moves go from `here` to `from`.

    Words that also move, capture or change the piece at `from` may exchange pieces or pull them.
    """
    reported: set[int] = set()
    dropped = {
        file.word(n + 1)
        for file in program.files
        for n, w in enumerate(file.words)
        if w == "{drops}"
    }
    for name, words in lists_of_moves(program).items():
        for word in () if name in dropped else words:
            uses = _uses(program, word)
            edits = {use for use in uses if use.word not in STORES | FETCHES}
            wrong = {use for use in edits if use.operands == (("here", 0), ("from", 0))}
            others = {origin for use in edits - wrong for origin in use.operands}
            if not wrong or ("from", 0) in others or None in others:
                continue
            for use in sorted(wrong, key=lambda use: use.address):
                if use.address not in reported and program.is_in_script(use.address):
                    reported.add(use.address)
                    text = "`here from move` moves what is at `here` onto the moving piece"
                    text += ": write `from here move`"
                    yield _finding_in_word(program, "W419", text, use.address)


# --- variables of the board ----------------------------------------------------------------------


def _early_stores(program: Program) -> Iterator[Finding]:
    """Find move words that change a variable of the board at once, not when the move is made.

    A variable in which a move word keeps intermediate results is not reported: the word reads it,
    or a hook that runs while moves are generated sets it.
    """
    hooks = [w for w in program.own_words if w.name in HOOKS]
    compiled = [
        called
        for word in program.own_words
        for summary in program.analysis.summaries(word)
        for xt in summary.compiled_xts
        if (called := program.image.by_cfa.get(xt)) is not None
    ]
    hook_uses = [use for w in hooks if w.name not in _PLAYING_HOOKS for use in _uses(program, w)]
    elsewhere = [*hook_uses, *(use for w in compiled for use in _uses(program, w))]
    set_by_hooks, read_elsewhere = _variables(hook_uses, STORES), _variables(elsewhere, FETCHES)
    reported: set[int] = set()
    for word in move_words(program):
        uses = _uses(program, word)
        own = _variables(uses, FETCHES) - read_elsewhere
        for use in sorted(uses, key=lambda use: use.address):
            wrong = _variables([use], STORES) - own - set_by_hooks
            if not wrong or use.address in reported or not program.is_in_script(use.address):
                continue
            reported.add(use.address)
            name = program.image.by_cfa[min(wrong)].name
            text = f"`{name}` changes while moves are generated, not when the move is made"
            yield _finding_in_word(program, "W420", text, use.address)


def _variables(uses: Iterable[Use], words: Collection[str]) -> set[int]:
    """Return the xts of the variables of the board whose address some words use."""
    return {
        use.operands[-1][1]
        for use in uses
        if use.word in words and use.operands[-1] is not None and use.operands[-1][0] == "board"
    }


def _finding_in_word(program: Program, code: str, text: str, address: int) -> Finding:
    """Return a finding at a cell, with the name of the word that contains the cell."""
    word = program.image.word_at(address)
    name = word.name if word is not None else ""
    return program.finding_at_cell(code, f"{text} (in `{name}`)", address, word=name)


def _uses(program: Program, word: Word) -> set[Use]:
    return {use for summary in program.analysis.summaries(word) for use in summary.uses}

"""Rules on the course of a game: its end, steps, symmetries and turns.

Owns the findings W412 to W415.  The rules read the tables of the game from the memory of the loaded
script.  A *step* runs a direction: it moves `here` to the next board position and returns TRUE, or
returns FALSE at the edge of the board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from forthvm.check.analysis.primitives import GAME_EFFECTS
from forthvm.core.bindings.layout import CELL, COLON, NEUTRAL
from forthvm.game.definition.playable import has_drops, what_is_missing

from .game import reachable_game_effects
from .stack import move_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check.analysis.summary import Problem
    from forthvm.check.finding import Finding
    from forthvm.check.program import Program, ScriptFile
    from forthvm.check.text.lexer import Token
    from forthvm.core.words.code import Code
    from forthvm.core.words.dictionary import Word

__all__ = ["play_rules"]

_TURN_CELLS = 3  # the size of a turn in the table of turns
_PLAYER_SHIFT = 11  # the lowest bit of the number of a player in the player's value
_MAX_TEST_PIECES = 4  # a script with at most 4 pieces is a test, not a game
_CONTROL_HOOKS = frozenset({"OnIsGameOver", "OnNextTurn", "OnGenerateMoves", "OnMovesGenerated"})
"""Hooks by which a script controls the end or the turns of a game."""


def play_rules(program: Program) -> Iterator[Finding]:
    """Check the end of the game, its steps, symmetries and turns."""
    yield from _missing_end(program)
    yield from _dropped_steps(program)
    yield from _symmetries(program)
    yield from _inherited_turns(program)


# --- tables ------------------------------------------------------------------------------------


class _Player(NamedTuple):
    name: str
    value: int  # the number, shifted, and the bit of neutral players

    @property
    def number(self) -> int:
        """The player's number, from 1."""
        return self.value >> _PLAYER_SHIFT

    @property
    def takes_turns(self) -> bool:
        """Whether the player is neither a neutral player nor a chance player."""
        return not self.value & NEUTRAL and not self.name.startswith("?")


def _player(program: Program, xt: int) -> _Player | None:
    word = program.image.by_cfa.get(xt)
    return _Player(word.name, program.image.cell(word.body)) if word is not None else None


def _turns(program: Program) -> dict[int, _Player]:
    """Return the players in the turn order, by xt."""
    image = program.image
    base, limit = image.variable("$turnOrder"), image.variable("$turnLimit")
    size = _TURN_CELLS * CELL
    xts = image.column(base, -(-limit // size), size)  # the number of turns is rounded up
    return {xt: player for xt in xts if (player := _player(program, xt))}


def _players(program: Program) -> dict[int, _Player]:
    """Return the players of the last {players section, by xt."""
    image = program.image
    xts = image.column(image.variable("$players"), image.variable("$playerCount"))
    return {xt: player for xt in xts if (player := _player(program, xt))}


def _last_token(program: Program, word: str) -> tuple[ScriptFile, int] | None:
    """Return the last interpreted occurrence of a word: its file and the index of the token."""
    for file in program.files_latest_first:
        for index in range(len(file.tokens) - 1, -1, -1):
            if file.word(index) == word and not file.tokens[index].in_definition:
                return file, index
    return None


# --- the end -----------------------------------------------------------------------------------


def _missing_end(program: Program) -> Iterator[Finding]:
    """Find a game of two or more players in which no player can win."""
    own_names = {word.name for word in program.own_words}
    defined_names = {definition.name for definition in program.definitions}
    if _CONTROL_HOOKS & (own_names | defined_names) or not program.loaded.complete:
        return
    native = program.loaded.vm.native
    if not native.variable("$positions") or what_is_missing(native, own_names.__contains__):
        return
    contestants = {player.name for player in _turns(program).values() if player.takes_turns}
    if len(contestants) < 2 or native.variable("$passTurnForced"):  # noqa: PLR2004 - opponents
        return
    if not _can_run_out_of_moves(program, contestants):
        return
    board = _last_token(program, "{board")
    if board is not None:
        file, index = board
        text = "the game has no OnIsGameOver: it ends only as a draw, for lack of moves"
        yield program.finding_at_token("W412", text, file, file.tokens[index])


def _can_run_out_of_moves(program: Program, contestants: set[str]) -> bool:
    """Whether at least two players have pieces and can run out of moves.

    Players never run out of moves if they may pass, or if they drop pieces by words that do not
    test whether the square is empty.
    """
    effects = [reachable_game_effects(program, word) for word in move_words(program)]
    if any("pass" in word_effects for word_effects in effects):
        return False
    if has_drops(program.loaded.vm.native):
        return all("test" in word_effects for word_effects in effects)
    image = program.image
    table = image.variable("$boardSetup")
    texts = image.column(table + CELL, image.cell(table), 3 * CELL)
    owners = {text: image.text(text) for text in texts}
    with_pieces = [owners[text] for text in texts if owners[text] in contestants]
    return len(set(with_pieces)) > 1 and len(with_pieces) > _MAX_TEST_PIECES


# --- steps -------------------------------------------------------------------------------------


def _dropped_steps(program: Program) -> Iterator[Finding]:
    """Find steps whose result DROP discards although the step may fail."""
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
                text = "EXECUTE DROP ignores a step off the board: `here` stays where it was"
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
    - if a loop makes steps until a condition is true: at the edge of the board it never ends.
    """
    codes = program.image.instructions(word.body, word.end)
    at = next(n for n, code in enumerate(codes) if code.address == address)
    kinds = [_kind(program, code) for code in codes]
    before, after = kinds[:at], kinds[at + 1 :]
    steps = [n for n, kind in enumerate(before) if kind == "step"]
    if not _may_fail(program, codes[at - 1] if at else None):
        return False
    if _loops_forever(codes, after, at):
        return True
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


def _may_fail(program: Program, preceding: Code | None) -> bool:
    """Whether a step can lead off the board in some direction.

    If the preceding instruction pushes the direction as a literal, only this direction counts.
    """
    image = program.image
    table = image.variable("$directions")
    directions = image.column(table, image.variable("$directionCount"))
    if preceding is not None and preceding.name == "LIT" and preceding.operand in directions:
        directions = [preceding.operand]
    positions = image.variable("$positions")
    words = [image.by_cfa[xt] for xt in dict.fromkeys(directions) if xt in image.by_cfa]
    # The link of a board position is the next one in the direction, or -1 at the edge.
    return any(
        link < 0
        for word in words
        for link in image.column(word.body, min(positions, (word.end - word.body) // CELL))
    )


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


# --- symmetries --------------------------------------------------------------------------------


class _Symmetry(NamedTuple):
    player: str
    pair: tuple[str, str]  # the names of the two directions
    file: ScriptFile
    token: Token


def _symmetries(program: Program) -> Iterator[Finding]:
    """Find two symmetries of a player that share a direction, so that a direction is lost."""
    declared: dict[str, list[_Symmetry]] = {}
    for symmetry in _declared_symmetries(program):
        earlier = declared.setdefault(symmetry.player, [])
        shared = next((old for old in earlier if _share_one_name(old.pair, symmetry.pair)), None)
        earlier.append(symmetry)
        if shared is None or not _has_equal_directions(program, symmetry.player):
            continue
        (common,) = set(shared.pair) & set(symmetry.pair)
        others = sorted({*shared.pair, *symmetry.pair} - {common})
        text = (
            f"for {symmetry.player} two symmetries name `{common}`: `{others[0]}` and `{others[1]}`"
        )
        yield program.finding_at_token(
            "W414", f"{text} become the same", symmetry.file, symmetry.token
        )


def _share_one_name(pair: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two pairs of different names have exactly one name in common."""
    return len({*pair}) == len({*other}) == len({*pair, *other}) - 1


def _declared_symmetries(program: Program) -> Iterator[_Symmetry]:
    """Yield the symmetries of the last {symmetries section."""
    section = _last_token(program, "{symmetries")
    if section is None:
        return
    file, start = section
    for index in range(start, len(file.tokens)):
        word = file.word(index)
        if word == "symmetries}":
            return
        if word == "{symmetry}":
            pair = (file.word(index + 1), file.word(index + 2))
            yield _Symmetry(file.word(index - 1), pair, file, file.tokens[index])


def _has_equal_directions(program: Program, player: str) -> bool:
    """Whether two directions of a player are equal in the table of symmetries."""
    image = program.image
    word = image.find(player)
    base, players = image.variable("$symmetries"), image.variable("$playerCount")
    if word is None or not base:
        return False
    column = _Player(player, image.cell(word.body)).number - 1
    rows = image.variable("$directionCount")
    xts = image.column(base + CELL * column, rows, CELL * players)
    return len(set(xts)) < len(xts)


# --- turns -------------------------------------------------------------------------------------


def _inherited_turns(program: Program) -> Iterator[Finding]:
    """Find a turn order that was made before the last {players section."""
    turns, players = _turns(program), _players(program)
    section = _last_token(program, "{players")
    old_players = {player for xt, player in turns.items() if xt not in players}
    if not old_players or section is None or not program.loaded.complete:
        return
    new_players = set(players.values())
    names = {player.number: player.name for player in new_players}
    renamed = sorted(old_players - new_players, key=lambda player: player.value)
    order = _last_token(program, "{turn-order")
    without_turn: set[_Player] = set()
    if order and order[0] is not section[0]:  # the players are in another file
        without_turn = new_players - set(turns.values())
    idle_names = sorted(player.name for player in without_turn if not player.value & NEUTRAL)
    if renamed:
        old_name, new_name = renamed[0].name, names.get(renamed[0].number)
        what = f"`{old_name}`, " + (f"now `{new_name}`" if new_name else "which no longer exists")
    elif idle_names:
        what = f"no turn of `{idle_names[0]}`"
    else:
        return
    file, index = section
    text = f"the turn order was made before these players: it has {what}"
    yield program.finding_at_token("W415", text, file, file.tokens[index])

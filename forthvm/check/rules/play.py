"""Rules on the course of a game: its end, steps, symmetries and turns.

Owns the findings W412 to W415.  The rules read the memory of the loaded script.  They report
nothing if the script controls the end or the turns with its own hooks.
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

    from forthvm.check.finding import Finding
    from forthvm.check.program import Program, Script
    from forthvm.check.text.lexer import Token
    from forthvm.core.words.code import Code
    from forthvm.core.words.dictionary import Word

__all__ = ["play_rules"]

_TURN_CELLS = 3  # of a turn in the turn order
_PLAYER_SHIFT = 11  # bits of a player's value below its number
_MAX_TEST_PIECES = 4  # a script with at most 4 pieces is a test rather than a game
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
    cell: int  # the player's value: its number, shifted, and the bit of neutral players

    @property
    def number(self) -> int:
        """The player's number, from 1."""
        return self.cell >> _PLAYER_SHIFT

    @property
    def takes_turns(self) -> bool:
        """Whether the player is neither a neutral player nor a chance player."""
        return not self.cell & NEUTRAL and not self.name.startswith("?")


def _player(program: Program, token: int) -> _Player | None:
    word = program.image.by_cfa.get(token)
    return _Player(word.name, program.image.cell(word.body)) if word is not None else None


def _turns(program: Program) -> dict[int, _Player]:
    """Return the players in the turn order, by their tokens."""
    image = program.image
    base, limit = image.variable("$turnOrder"), image.variable("$turnLimit")
    size = _TURN_CELLS * CELL
    tokens = image.column(base, -(-limit // size), size)  # the number of turns, rounded up
    return {token: player for token in tokens if (player := _player(program, token))}


def _players(program: Program) -> dict[int, _Player]:
    """Return the players of the last {players section, by their tokens."""
    image = program.image
    tokens = image.column(image.variable("$players"), image.variable("$playerCount"))
    return {token: player for token in tokens if (player := _player(program, token))}


def _last_token(program: Program, word: str) -> tuple[Script, int] | None:
    """Return the last occurrence of a word in the loaded texts."""
    for script in program.scripts_latest_first:
        for index in range(len(script.tokens) - 1, -1, -1):
            if script.word(index) == word and not script.tokens[index].compiled:
                return script, index
    return None


# --- the end -----------------------------------------------------------------------------------


def _missing_end(program: Program) -> Iterator[Finding]:
    """Find a game of two or more players that can end only as a draw, for lack of moves."""
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
        script, index = board
        text = "the game has no OnIsGameOver: it ends only as a draw, for lack of moves"
        yield program.finding_at_token("W412", text, script, script.tokens[index])


def _can_run_out_of_moves(program: Program, contestants: set[str]) -> bool:
    """Whether at least two players have pieces and can run out of moves.

    Players never run out of moves if they may pass, or if they drop pieces by words that do not
    test whether the square is empty.
    """
    effects = [reachable_game_effects(program, word) for word in move_words(program)]
    if any("pass" in each for each in effects):
        return False
    if has_drops(program.loaded.vm.native):
        return all("test" in each for each in effects)
    image = program.image
    table = image.variable("$boardSetup")
    texts = image.column(table + CELL, image.cell(table), 3 * CELL)
    owners = {text: image.text(text) for text in texts}
    with_pieces = [owners[text] for text in texts if owners[text] in contestants]
    return len(set(with_pieces)) > 1 and len(with_pieces) > _MAX_TEST_PIECES


# --- steps -------------------------------------------------------------------------------------


def _dropped_steps(program: Program) -> Iterator[Finding]:
    for word in program.own_words:
        if word.kind != COLON:
            continue
        problems = program.words.problems(word)
        for address in sorted(p.address for p in problems if p.kind == "dropped-step"):
            if program.is_in_script(address) and _unguarded(program, word, address):
                text = "EXECUTE DROP ignores a step off the board: `here` stays where it was"
                yield program.finding_at_cell(
                    "W413", f"{text} (in `{word.name}`)", address, word=word.name
                )


def _unguarded(program: Program, word: Word, address: int) -> bool:
    """Whether a word ignores that the step at `address` may have failed.

    These words are correct:

    - words that return to an earlier square with `to`, `back` or `home` before the step, because
      they follow a path that they have followed before;
    - words that check a condition on the square between the step and the edit.

    These words are wrong:

    - words with two steps in a row before the check, because the check applies to the square of
      the first step if the second one fails;
    - loops that step until a condition is true, because they never end at the edge of the board.
    """
    codes = program.image.instructions(word.body, word.end)
    at = next(n for n, code in enumerate(codes) if code.address == address)
    kinds = [_kind(program, code) for code in codes]
    before, after = kinds[:at], kinds[at + 1 :]
    steps = [n for n, kind in enumerate(before) if kind == "step"]
    if not _may_fail(program, codes[at - 1] if at else None):
        return False
    if steps and "jump" in before[steps[-1] :]:
        return False
    if _loops_forever(codes, after, at):
        return True
    edit = next((n for n, kind in enumerate(after) if kind == "edit"), None)
    if edit is None:
        return False
    kinds_until_edit = [kind for kind in after[:edit] if kind in ("check", "jump", "step", "here")]
    if steps and before[steps[-1] :].count("check") == 1 and before[-1] == "check":
        # Two steps in a row, of which only the first one is checked directly.  A later check
        # helps only if it compares `here`: if the second step fails, the check of a square's
        # content tests the square of the first step.
        compares_square = "here" in kinds_until_edit[:1] and "check" in kinds_until_edit
        return (
            not compares_square
            and "step" not in kinds_until_edit
            and "jump" not in kinds_until_edit
        )
    return "check" not in kinds_until_edit and "jump" not in kinds_until_edit


def _may_fail(program: Program, preceding: Code | None) -> bool:
    """Whether a step can lead off the board.

    The direction is known if the preceding instruction pushes it as a literal.  An unknown
    direction counts as all directions.
    """
    image = program.image
    table = image.variable("$directions")
    directions = image.column(table, image.variable("$directionCount"))
    if preceding is not None and preceding.name == "LIT" and preceding.operand in directions:
        directions = [preceding.operand]
    positions = image.variable("$positions")
    words = [image.by_cfa[token] for token in dict.fromkeys(directions) if token in image.by_cfa]
    return any(
        link < 0
        for word in words
        for link in image.column(word.body, min(positions, (word.end - word.body) // CELL))
    )


def _loops_forever(codes: list[Code], after: list[str], at: int) -> bool:
    """Whether a loop steps until the square satisfies a condition, which may never be true.

    Args:
        codes: The instructions of the word.
        after: The kinds of the instructions after the step.
        at: The index of the step.
    """
    start = codes[at].address
    closings = (
        n
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
    """Return the kind of an instruction, or "".

    The kinds are step, check (a branch or verify), jump (sets the square), edit, test (reads the
    content of a square), and here.
    """
    analyser = program.words.analyser
    word = program.image.by_cfa[code.cfa]
    if code.name == "EXECUTE" or analyser.is_direction(code.cfa):
        return "step"
    if code.name in _KIND_BY_NAME:
        return _KIND_BY_NAME[code.name]
    effects = program.words.game_effects(word) | GAME_EFFECTS.get(word.op, frozenset())
    kinds = (kind for effect, kind in _KIND_BY_GAME_EFFECT.items() if effect in effects)
    return next(kinds, "")


# --- symmetries --------------------------------------------------------------------------------


class _Symmetry(NamedTuple):
    player: str
    pair: tuple[str, str]
    script: Script
    token: Token


def _symmetries(program: Program) -> Iterator[Finding]:
    """Find two symmetries of a player that share a direction, so that another one is lost."""
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
            "W414", f"{text} become the same", symmetry.script, symmetry.token
        )


def _share_one_name(pair: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two pairs of different names have exactly one name in common."""
    return len({*pair}) == len({*other}) == len({*pair, *other}) - 1


def _declared_symmetries(program: Program) -> Iterator[_Symmetry]:
    """Yield the symmetries of the last {symmetries section."""
    section = _last_token(program, "{symmetries")
    if section is None:
        return
    script, start = section
    for index in range(start, len(script.tokens)):
        word = script.word(index)
        if word == "symmetries}":
            return
        if word == "{symmetry}":
            pair = (script.word(index + 1), script.word(index + 2))
            yield _Symmetry(script.word(index - 1), pair, script, script.tokens[index])


def _has_equal_directions(program: Program, player: str) -> bool:
    """Whether two directions of a player have the same token in the loaded table of symmetries."""
    image = program.image
    word = image.find(player)
    base, players = image.variable("$symmetries"), image.variable("$playerCount")
    if word is None or not base:
        return False
    column = _Player(player, image.cell(word.body)).number - 1
    rows = image.variable("$directionCount")
    tokens = image.column(base + CELL * column, rows, CELL * players)
    return len(set(tokens)) < len(tokens)


# --- turns -------------------------------------------------------------------------------------


def _inherited_turns(program: Program) -> Iterator[Finding]:
    """Find a turn order whose players were redefined after it."""
    turns, players = _turns(program), _players(program)
    section = _last_token(program, "{players")
    old_players = {player for token, player in turns.items() if token not in players}
    if not old_players or section is None or not program.loaded.complete:
        return
    new_players = set(players.values())
    names = {player.number: player.name for player in new_players}
    renamed = sorted(old_players - new_players, key=lambda player: player.cell)
    order = _last_token(program, "{turn-order")
    without_turn: set[_Player] = set()
    if order and order[0] is not section[0]:  # the turn order is in another text than the players
        without_turn = new_players - set(turns.values())
    idle_names = sorted(player.name for player in without_turn if not player.cell & NEUTRAL)
    if renamed:
        old_name, new_name = renamed[0].name, names.get(renamed[0].number)
        what = f"`{old_name}`, " + (f"now `{new_name}`" if new_name else "which no longer exists")
    elif idle_names:
        what = f"no turn of `{idle_names[0]}`"
    else:
        return
    script, index = section
    text = f"the turn order was made before these players: it has {what}"
    yield program.finding_at_token("W415", text, script, script.tokens[index])

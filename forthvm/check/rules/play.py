"""Rules on the course of a game: its end and its turns.

Owns the findings W412, W415 and W417.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import NEUTRAL
from forthvm.game.tables import has_drops, what_is_missing

from .game import reachable_game_effects
from .stack import move_words
from .tables import last_token, players, setup_owners, turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check.finding import Finding
    from forthvm.check.program import Program

    from .tables import Player

__all__ = ["play_rules"]

_MAX_TEST_PIECES = 4  # a script with at most 4 pieces is a test, not a game
_CONTROL_HOOKS = frozenset({"OnIsGameOver", "OnNextTurn", "OnGenerateMoves", "OnMovesGenerated"})
"""Hooks by which a script controls the end or the turns of a game."""


def play_rules(program: Program) -> Iterator[Finding]:
    """Check the end and the turns of the game."""
    yield from _missing_end(program)
    inherited = list(_inherited_turns(program))
    yield from inherited or _players_without_turns(program)


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
    contestants = {player.name for player in turns(program).values() if player.takes_turns}
    if len(contestants) < 2 or native.variable("$passTurnForced"):  # opponents
        return
    if not _can_run_out_of_moves(program, contestants):
        return
    board = last_token(program, "{board")
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
    with_pieces = [owner for owner in setup_owners(program) if owner in contestants]
    return len(set(with_pieces)) > 1 and len(with_pieces) > _MAX_TEST_PIECES


# --- turns -------------------------------------------------------------------------------------


def _inherited_turns(program: Program) -> Iterator[Finding]:
    """Find a turn order that was made before the last {players section."""
    in_order, defined = turns(program), players(program)
    section = last_token(program, "{players")
    old_players = {player for xt, player in in_order.items() if xt not in defined}
    if not old_players or section is None or not program.loaded.complete:
        return
    new_players = set(defined.values())
    names = {player.number: player.name for player in new_players}
    renamed = sorted(old_players - new_players, key=lambda player: player.value)
    order = last_token(program, "{turn-order")
    without_turn: set[Player] = set()
    if order and order[0] is not section[0]:  # the players are in another file
        without_turn = new_players - set(in_order.values())
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


def _players_without_turns(program: Program) -> Iterator[Finding]:
    """Find players whose pieces no turn moves."""
    moved = {*turns(program).values(), *turns(program, moved=True).values()}
    section = last_token(program, "{turn-order")
    if not moved or section is None or not program.loaded.complete:
        return
    owners = set(setup_owners(program))
    for player in players(program).values():
        if player.takes_turns and player not in moved and player.name in owners:
            file, index = section
            text = f"`{player.name}` has pieces but no turn, so they never move"
            yield program.finding_at_token("W417", text, file, file.tokens[index])

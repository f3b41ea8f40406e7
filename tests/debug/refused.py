"""Refused moves for the tests of why_not, and an independent check of its answers.

The check compiles counting words into the game's memory, and stores them in the cells that an
answer names.  It uses neither the traced interpreter nor any other part of forthvm.debug.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from forthvm.core.bindings import NativeVM
from forthvm.core.errors import IllegalMoveError, MoveError, MoveSyntaxError
from forthvm.game import Game, Position
from tests.kit.random_games import random_game

RECORD = """
VARIABLE runs VARIABLE flag VARIABLE place VARIABLE origin
: record ( n -- n ) 1 runs +! runs @ {execution} = IF DUP flag ! here place ! from origin ! ENDIF ;
"""
RECORDED_VERIFY = ": recorded ( ? -- ) record verify ;"
RECORDED_BRANCH = ": recorded ( ? -- ) record R> SWAP IF CELLSIZE + ELSE @ ENDIF >R ;"
VERIFY = """
VARIABLE seen-{n} : over-{n} ( ? -- )
    1 seen-{n} +! {is_skipped} IF DROP TRUE ENDIF verify ;
"""
# Replaces a 0BRANCH: the address of its operand is on the return stack.
BRANCH = """
VARIABLE seen-{n} : over-{n} ( ? -- )
    1 seen-{n} +! {is_skipped} IF 0= ENDIF
    R> SWAP IF CELLSIZE + ELSE @ ENDIF >R ;
"""


def is_refused(position: Position, text: str) -> bool:
    """Whether a text is neither a legal move nor ambiguous."""
    try:
        position.parse(text)
    except (IllegalMoveError, MoveSyntaxError):
        return True
    except MoveError:
        return False
    return False


def random_positions(game: Game, seed: int, plies: int) -> list[Position]:
    """Return the positions of a random game in which a player has a move."""
    reached = random_game(game.start(), plies, random.Random(seed))
    return [each.copy() for each in reached if each.result is None and not each.is_stuck]


def refused_moves(
    game: Game, seed: int, count: int, plies: int = 60
) -> Iterator[tuple[Position, str]]:
    """Yield positions with a move that is legal in another position, but not in this one.

    In two of three positions the piece in the text is on its square, so that not all refusals are
    due to missing pieces.
    """
    chance = random.Random(seed)
    games = [random_positions(game, seed + n, plies) for n in range(3)]
    positions = [position for game_positions in games for position in game_positions]
    texts = sorted({move for position in positions for move in position.legal_moves.texts})
    drawn = 0
    for _ in range(40 * count):  # enough for any game
        if drawn == count:
            return
        position = chance.choice(positions)
        with_piece = [text for text in texts if has_piece(position, text)] if drawn % 3 else []
        text = chance.choice(with_piece or texts)
        if is_refused(position, text):
            drawn += 1
            yield position, text


def has_piece(position: Position, text: str) -> bool:
    """Whether the piece that a move's text names is on its square and belongs to the mover."""
    words = text.split()
    if len(words) > 1 and words[0] == position.turn:
        return True
    if len(words) < 2 or words[1] not in position.game._loaded.position_index:
        return False
    piece = position.board[words[1]]
    return piece is not None and piece.type == words[0] and piece.player == position.turn


def moves_without_decisions(
    position: Position,
    cells: Sequence[tuple[str, int, int]],
    *,
    any_type: bool = False,
    priorities: bool = True,
) -> tuple[str, ...]:
    """Return the list of moves if decisions are skipped.

    Args:
        position: The position.
        cells: For each decision its kind, its cell's address, and the execution to skip, from 1.
        any_type: Whether to ignore the demanded move type.
        priorities: Whether {move-priorities} apply.
    """
    game, state = position.game, position._state
    skipped: dict[int, tuple[str, list[int]]] = {}
    for kind, address, execution in cells:
        skipped.setdefault(address, (kind, []))[1].append(execution)
    with game._loaded.states.in_memory(state, listed=False) as native:
        for n, (kind, executions) in enumerate(skipped.values()):
            flags = " ".join(f"seen-{n} @ {execution} =" for execution in executions)
            flags += " OR" * (len(executions) - 1)
            text = VERIFY if kind == "verify" else BRANCH
            game._loaded.vm.interpret(text.format(n=n, is_skipped=flags), name="skipped")
        if not state.partial:
            native.game_generate()
            native.game_over()
        for n, address in enumerate(skipped):
            native.write_cell(game._loaded.vm.call(f"seen-{n}")[0], 0)
            native.write_cell(address, game._loaded.vm.token(f"over-{n}"))
        return move_texts(native, any_type=any_type, priorities=priorities)


def decision_of_run(
    position: Position, cell: tuple[str, int, int], *, any_type: bool = False
) -> tuple[int, str, str]:
    """Return the flag that a decision finds, the current position, and the square of the piece.

    Args:
        position: The position.
        cell: The kind of the decision, its cell's address, and its execution, from 1.
        any_type: Whether to ignore the demanded move type.
    """
    game, state = position.game, position._state
    kind, address, execution = cell
    with game._loaded.states.in_memory(state, listed=False) as native:
        recorded = RECORDED_VERIFY if kind == "verify" else RECORDED_BRANCH
        game._loaded.vm.interpret(RECORD.format(execution=execution) + recorded, name="recorded")
        if not state.partial:
            native.game_generate()
            native.game_over()
        native.write_cell(game._loaded.vm.call("runs")[0], 0)
        native.write_cell(address, game._loaded.vm.token("recorded"))
        move_texts(native, any_type=any_type, priorities=False)
        values = [
            native.read_cell(game._loaded.vm.call(name)[0]) for name in ("flag", "place", "origin")
        ]
    return values[0], game._loaded.square(values[1]), game._loaded.square(values[2])


def move_texts(native: NativeVM, *, any_type: bool, priorities: bool) -> tuple[str, ...]:
    if any_type:
        native.write_cell(native.variable_address("$ofType"), 0)
    if not priorities:
        native.write_cell(native.variable_address("$move-priorities"), 0)
    native.game_generate()
    return tuple(map(native.move_text, native.move_list()))

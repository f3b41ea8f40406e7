"""What the checks of rule files ask about the rules of a game: its directions, and who can move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.zrf.code import (
    Add,
    ChangeOwner,
    Code,
    Constant,
    Flip,
    Go,
    Instruction,
    Neighbor,
    Question,
    Verify,
    inner_codes,
    own_tests,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from forthvm.zrf.code import Square
    from forthvm.zrf.rules import Block, Rules

__all__ = [
    "can_add",
    "dead_directions",
    "equal_directions",
    "instructions_of",
    "movable_without_turn",
    "moving_types",
    "used_directions",
    "used_move_types",
]

# --- code -----------------------------------------------------------------------------------


def instructions_of(rules: Rules) -> Iterator[Instruction]:
    """Yield all instructions, those of shared code once."""
    seen: set[Code] = set()
    waiting = [block.code for block in rules.blocks()]
    while waiting:
        code = waiting.pop()
        if code not in seen:
            seen.add(code)
            for instruction in code.instructions:
                yield instruction
                waiting += inner_codes(instruction)


def used_directions(rules: Rules) -> set[str]:
    """Return the directions that code names."""
    found: set[str] = set()
    for instruction in instructions_of(rules):
        squares = [getattr(instruction, "square", None)]
        squares += [test.square for test in own_tests(instruction)]
        found.update(square.direction for square in squares if isinstance(square, Neighbor))
    return found


def can_add(code: Code, dead: Collection[str], known: dict[Code, bool]) -> bool:
    """Return whether some way through code reaches an `add`.

    Args:
        code: The code.
        dead: The directions that lead nowhere, so that a block ends at them.
        known: The results for code, which this function fills.
    """
    found = known.get(code)
    if found is None:
        found = False
        for instruction in code.instructions:
            if isinstance(instruction, Verify) and instruction.condition == Constant(False):
                break
            if isinstance(instruction, Go) and _leads_nowhere(instruction.square, dead):
                break
            if isinstance(instruction, Add) or any(
                can_add(part, dead, known) for part in inner_codes(instruction)
            ):
                found = True
                break
        known[code] = found
    return found


def _leads_nowhere(square: Square, dead: Collection[str]) -> bool:
    return isinstance(square, Neighbor) and square.direction in dead


def dead_directions(rules: Rules) -> set[str]:
    """Return the directions that lead nowhere from any position, for any player."""
    links = rules.board.links
    return {
        direction
        for direction in rules.board.directions
        if not any(links.get(name) for name in _acting(rules, direction))
    }


def equal_directions(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield each direction with the same links as an earlier one for all players, and that one.

    A game that has the opposites of all directions may have a second name for one of them.
    """
    links = {name: frozenset(pairs.items()) for name, pairs in rules.board.links.items()}
    known = set(links.values())
    if all(frozenset((there, here) for here, there in one) in known for one in known):
        return
    first: dict[tuple[frozenset[tuple[str, str]], ...], str] = {}
    for direction in links:
        by_player = tuple(links[name] for name in _acting(rules, direction))
        if any(by_player) and first.setdefault(by_player, direction) != direction:
            yield direction, first[by_player]


def _acting(rules: Rules, direction: str) -> list[str]:
    """Return, for each player, the direction that a direction acts as."""
    symmetries = [rules.board.symmetries.get(player, {}) for player in rules.players]
    return [symmetry.get(direction, direction) for symmetry in symmetries]


def used_move_types(rules: Rules) -> set[str] | None:
    """Return the move types that may run; None for all."""
    bare = any(not turn.move_type for turn in rules.turns)
    if bare and not rules.priorities:
        return None
    used = {turn.move_type for turn in rules.turns if turn.move_type}
    if bare:
        used.update(("", *rules.priorities))
    for instruction in instructions_of(rules):
        if isinstance(instruction, Add) and instruction.partial:
            if not instruction.continuation:
                return None
            used.add(instruction.continuation)
    return used


# --- who can move ---------------------------------------------------------------------------


def moving_types(rules: Rules, player: str, move_type: str) -> set[str]:
    """Return the types of the pieces of a player that can make a first move.

    Args:
        rules: The game.
        player: The owner of the pieces.
        move_type: The type of moves that the turn is restricted to; "" if it is not.
    """
    types = {move_type} if move_type else {"", *rules.priorities} if rules.priorities else None
    dead = dead_directions(rules)
    known: dict[Code, bool] = {}

    def has_moves(blocks: Iterable[Block]) -> bool:
        return any(
            (types is None or block.move_type in types) and can_add(block.code, dead, known)
            for block in blocks
        )

    pieces = {piece.name: piece for piece in rules.pieces}
    on_board = {at.piece for at in rules.placements if at.player == player}
    in_store = {piece for (owner, piece), n in rules.reserves.items() if owner == player and n}
    return {name for name in on_board & pieces.keys() if has_moves(pieces[name].moves)} | {
        name for name in in_store & pieces.keys() if has_moves(pieces[name].drops)
    }


def movable_without_turn(rules: Rules) -> Iterator[str]:
    """Yield the players whose pieces could all move, but none does, since no turn is theirs.

    Rules that ask for neutral pieces, or change owners, have pieces without turns on purpose.
    """
    with_turns = {name for turn in rules.turns for name in (turn.player, turn.side)}
    instructions = list(instructions_of(rules))
    questions = {test.question for one in instructions for test in own_tests(one)}
    if Question.NEUTRAL in questions:
        return
    if any(isinstance(one, ChangeOwner | Flip) for one in instructions):
        return
    for player in rules.players:
        types = {at.piece for at in rules.placements if at.player == player}
        if player not in with_turns and types and types == moving_types(rules, player, ""):
            yield player

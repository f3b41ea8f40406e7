"""What is special in games of rule files: stores of pieces, movements, and warnings.

Owns three facts about compiled rule files.  The array `z-stores` has a cell for each player and
piece type, with the number of such pieces beside the board.  Most moves are stored as edits
(squares become empty or get a piece), which the text of the move turns into movements.  A rule file
with an engine may disagree with the engine's script.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .changes import (
    Captured,
    Change,
    Created,
    Moved,
    OwnerChanged,
    TypeChanged,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from forthvm.zrf.rules import Rules

    from .loaded import LoadedGame
    from .notation import Part
    from .pieces import Piece
    from .states import State

__all__ = ["STORES", "has_stores", "stored_kinds", "stores_of", "warnings_of", "with_movements"]

STORES = "z-stores"
"""The name of the array."""


def has_stores(game: LoadedGame) -> bool:
    """Return whether players can have pieces beside the board."""
    if game.rules is None:
        return False
    from .memory.variables import variables_of  # scripts do not need it

    return STORES in variables_of(game)


def stores_of(game: LoadedGame, state: State) -> Mapping[str, Mapping[str, int]]:
    """Return the number of pieces of each type in each player's store, without empty ones."""
    if not has_stores(game):
        return {}
    from .memory.variables import VariableView

    kinds = stored_kinds(game)
    counts = VariableView(game, state).array(STORES, len(kinds))
    stores: dict[str, dict[str, int]] = {}
    for (player, kind), count in zip(kinds, counts, strict=True):
        if count > 0:
            stores.setdefault(player, {})[kind] = count
    return stores


def stored_kinds(game: LoadedGame) -> list[tuple[str, str]]:
    """Return player and piece type of each cell of the array of stores."""
    return [(player, kind.name) for player in game.players for kind in game.roster.types]


def with_movements(
    changes: Sequence[Change], before: Mapping[str, Piece | None], parts: Sequence[Part]
) -> tuple[Change, ...]:
    """Return the changes of a move with its movements in place of the edits that make them.

    Args:
        changes: The edits.
        before: The pieces on the squares of the edits before the move.
        parts: The parts of the move's text.
    """
    created = {change.square: change.piece for change in changes if isinstance(change, Created)}
    movements = [
        part.squares
        for part in parts
        if part.kind == "move" and part.squares[1] in created and before.get(part.squares[0])
    ]
    sources, targets = {source for source, _ in movements}, {target for _, target in movements}
    found: list[Change] = []
    for source, target in movements:
        replaced = None if target in sources else before.get(target)
        found.append(Moved(source, target, before[source], replaced))
        found += _became(target, before[source], created[target])
    for change in changes:
        match change:
            case Captured(square=square) if square in sources:
                pass
            case Created(square=square) if square in targets:
                pass
            case Created(square=square, piece=piece):
                found += [*_became(square, before.get(square), piece)] or [change]
            case _:
                found.append(change)
    return tuple(found)


def _became(square: str, old: Piece | None, new: Piece | None) -> Iterator[Change]:
    """Yield the changes of type and owner of a piece that stays on a square or moves to it."""
    if old is None or new is None:
        return
    if old.type != new.type and old.player != new.player:
        return  # another piece
    if old.type != new.type:
        yield TypeChanged(square, new.type)
    if old.player != new.player:
        yield OwnerChanged(square, new.player)


def warnings_of(game: LoadedGame) -> tuple[str, ...]:
    """Return what is wrong with the short notation, and what was ignored in a rule file."""
    from .short_notation import notation_problem

    found = list(filter(None, [notation_problem(game)]))
    compiled = game.rules
    if compiled is None:
        return tuple(found)
    found += [str(warning) for warning in compiled.warnings]
    script = compiled.plugin_script
    if script is not None:
        if not script.is_relative_to(game.options.path.parent.parent):
            found.append(f"the script of the engine is missing; {script.name} of forthvm is played")
        found += _differences(game, compiled.rules)
    return tuple(found)


def _differences(game: LoadedGame, rules: Rules) -> list[str]:
    """Return what a rule file states differently from the script of its engine."""
    from forthvm.zrf.plugin import PluginScript, differences

    occupied = game.board_of(game.first_state()).occupied()
    script = PluginScript(
        game.players,
        [kind.name for kind in game.tables.types],
        game.positions,
        [(turn.player, turn.for_player) for turn in game.tables.turns],
        {(piece.player or "", piece.type, square) for square, piece in occupied},
    )
    return differences(rules, script)

"""Rule files that leave their rules to the Axiom engine (contract, section 11).

Owns the search for the script, and the comparison of the rule file with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.errors import ScriptFileError
from forthvm.core.loading.files import Roots, find_file, shown_name
from forthvm.core.text.wording import joined_first
from forthvm.zrf.source import RuleFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path

    from forthvm.zrf.rules import Rules

__all__ = ["PluginScript", "differences", "find_plugin_script"]

_MAX_NAMES = 8


def find_plugin_script(
    rules: Rules,
    rule_file: Path,
    titles: Sequence[str] = (),
    bundled: Callable[[str], Path | None] | None = None,
) -> Path:
    """Return the script of the engine that a rule file names.

    It lies in the engine's folder and is named after the title, with `-` for blanks; letter case
    does not matter.  The engine's folder is searched from the rule file's folder and the one above;
    if it is not there, the script may lie beside the rule file.

    Args:
        rules: The rules of the chosen game or variant.
        rule_file: Path of the rule file.
        titles: The titles of the file, for the message.
        bundled: Returns the bundled script for a title, which is taken if there is no other one.

    Raises:
        RuleFileError: There is no such script.
    """
    name = "-".join(rules.title.split()) + ".4th"
    folder = rule_file.absolute().parent
    parts = [part for part in rules.engine.replace("\\", "/").split("/") if part]
    engine_folder = "/".join(parts[:-1])
    folders = [folder, folder.parent]
    roots = Roots([folder.parent])
    for path in (f"{engine_folder}/{name}", name) if engine_folder else (name,):
        try:
            found = find_file(path.encode(errors="replace"), folders, roots)
        except ScriptFileError:  # the path leads out of these folders, or is absolute
            continue
        if found is not None:
            return found
    own = bundled(rules.title) if bundled is not None else None
    if own is not None:
        return own
    where = f"{engine_folder}/{name}" if engine_folder else name
    others = []
    if len(titles) > 1:
        others = [f"games and variants of the file: {joined_first(titles, _MAX_NAMES)}"]
    raise RuleFileError(
        f"the script of the engine is missing: {where}",
        hints=[
            f"the rules of `{rules.title}` are not in {shown_name(rule_file)}, but in that script",
            f"put {name} beside the rule file",
            *others,
        ],
    )


@dataclass(frozen=True)
class PluginScript:
    """What a script defines that its rule file states, too.

    Attributes:
        players: The players.
        pieces: The piece types.
        positions: The board positions.
        turns: The player who decides and the player whose pieces move, for each turn.
        setup: The player, type and position of each piece of the initial position.
    """

    players: Collection[str]
    pieces: Collection[str]
    positions: Collection[str]
    turns: Sequence[tuple[str, str]]
    setup: Collection[tuple[str, str, str]]


def differences(rules: Rules, script: PluginScript) -> list[str]:
    """Return sentences about what a rule file and its script state differently.

    The rule file may have more positions than the script, for dice or counters.  Turn orders and
    initial positions are compared if all names of players and pieces agree.
    """
    known = {position.name for position in rules.board.positions}
    own_pieces = {piece.name for piece in rules.pieces}
    found = _lists(
        ("players that the script lacks", set(rules.players) - set(script.players)),
        ("players that the rule file lacks", set(script.players) - set(rules.players)),
        ("pieces that the script lacks", own_pieces - set(script.pieces)),
        ("pieces that the rule file lacks", set(script.pieces) - own_pieces),
    )
    if not found:
        turns = [(turn.player, turn.side) for turn in rules.turns]
        if turns != list(script.turns):
            found.append(f"turn order of the rule file: {_turns(turns)}")
            found.append(f"turn order of the script: {_turns(script.turns)}")
        placements = {(put.player, put.piece, put.position) for put in rules.placements}
        found += _lists(
            ("set-up that the script lacks", map(" ".join, placements - set(script.setup))),
            ("set-up that the rule file lacks", map(" ".join, set(script.setup) - placements)),
        )
    return found + _lists(("positions that the rule file lacks", set(script.positions) - known))


def _lists(*lists: tuple[str, Iterable[str]]) -> list[str]:
    """Return a sentence for each list that is not empty."""
    named = [(what, sorted(names)) for what, names in lists]
    return [f"{what}: {joined_first(names, _MAX_NAMES)}" for what, names in named if names]


def _turns(turns: Sequence[tuple[str, str]]) -> str:
    shown = [player if player == side else f"({player} {side})" for player, side in turns]
    return joined_first(shown, _MAX_NAMES)

"""Games of rule files: loading one into a VM, and the warnings about it.

Owns what `Game` does only for rule files.  Delegates reading and compiling rules to forthvm.zrf.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.game.catalogue.bundled import script_with_title
from forthvm.zrf.loading import compile_file
from forthvm.zrf.plugin import PluginScript, differences

if TYPE_CHECKING:
    from forthvm.core.vm import VM
    from forthvm.game.catalogue.options import LoadOptions
    from forthvm.game.game import Game
    from forthvm.zrf.loading import CompiledRules
    from forthvm.zrf.rules import Rules

__all__ = ["load_rule_file", "warnings_of"]


def load_rule_file(options: LoadOptions, vm: VM) -> CompiledRules:
    """Compile a rule file with its settings, and load the script, or that of its engine."""
    compiled = compile_file(
        options.path,
        options.variant,
        options.rule_settings,
        bundled=script_with_title,
        include=options.include,
    )
    if compiled.script is not None:
        vm.load_compiled(options.path, compiled.script.text, compiled)
    elif compiled.plugin_script is not None:
        vm.load(compiled.plugin_script)
    return compiled


def warnings_of(game: Game) -> tuple[str, ...]:
    """Return what was ignored in a rule file, and where it disagrees with its engine's script."""
    compiled = game.rules
    assert compiled is not None, "only a game of a rule file has such warnings"
    found = [str(warning) for warning in compiled.warnings]
    script = compiled.plugin_script
    if script is not None:
        if not script.is_relative_to(game.path.absolute().parent.parent):
            found.append(f"the script of the engine is missing; {script.name} of forthvm is played")
        found += _differences(game, compiled.rules)
    return tuple(found)


def _differences(game: Game, rules: Rules) -> list[str]:
    """Return what a rule file states differently from the script of its engine."""
    occupied = game.start().board.occupied()
    script = PluginScript(
        game.players,
        [kind.name for kind in game.piece_types],
        game.positions,
        [(turn.player, turn.for_player) for turn in game.turn_order],
        {(piece.player or "", piece.type, square) for square, piece in occupied},
    )
    return differences(rules, script)

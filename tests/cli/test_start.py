"""A command imports only the modules that it needs, since users wait for it to start."""

from __future__ import annotations

import os
import sys

from tests.kit.processes import output_of

FORTHVM_MODULES = {
    "forthvm",
    "forthvm._games",
    "forthvm._lib",
    "forthvm._native",
    "forthvm._native.lib",
    "forthvm.cli",
    "forthvm.cli.app",
    "forthvm.cli.commands",
    "forthvm.cli.commands.moves",
    "forthvm.cli.loading",
    "forthvm.cli.options",
    "forthvm.cli.parser",
    "forthvm.cli.status",
    "forthvm.cli.streams",
    "forthvm.cli.terminal",
    "forthvm.core",
    "forthvm.core.bindings",
    "forthvm.core.bindings.clib",
    "forthvm.core.bindings.forks",
    "forthvm.core.bindings.games",
    "forthvm.core.bindings.image",
    "forthvm.core.bindings.layout",
    "forthvm.core.bindings.machine",
    "forthvm.core.bindings.searches",
    "forthvm.core.bindings.snapshot",
    "forthvm.core.budget",
    "forthvm.core.cancellation",
    "forthvm.core.failure",
    "forthvm.core.lazy_names",
    "forthvm.core.loading",
    "forthvm.core.loading.files",
    "forthvm.core.loading.library",
    "forthvm.core.loading.library_cache",
    "forthvm.core.loading.loader",
    "forthvm.core.loading.source",
    "forthvm.core.location",
    "forthvm.core.output",
    "forthvm.core.reading",
    "forthvm.core.records",
    "forthvm.core.status",
    "forthvm.core.text",
    "forthvm.core.text.advice",
    "forthvm.core.text.codec",
    "forthvm.core.text.tables",
    "forthvm.core.text.visible",
    "forthvm.core.text.width",
    "forthvm.core.text.wording",
    "forthvm.core.shared",
    "forthvm.core.vm",
    "forthvm.system",
    "forthvm.system.command_line",
    "forthvm.system.console",
    "forthvm.system.files",
    "forthvm.system.folders",
    "forthvm.system.forks",
    "forthvm.game",
    "forthvm.core.arguments",
    "forthvm.catalogue",
    "forthvm.catalogue.bundled",
    "forthvm.game.loading",
    "forthvm.catalogue.options",
    "forthvm.game.changes",
    "forthvm.game.pieces",
    "forthvm.game.tables",
    "forthvm.game.ending",
    "forthvm.game.fen_form",
    "forthvm.game.game",
    "forthvm.game.notation",
    "forthvm.game.loaded",
    "forthvm.game.moves",
    "forthvm.game.rule_files",
    "forthvm.game.outcome",
    "forthvm.game.perft",
    "forthvm.game.position",
    "forthvm.game.remarks",
    "forthvm.game.short_notation",
    "forthvm.game.states",
    "forthvm.core.loading.authors_files",
    "forthvm.core.record",
}

# Modules that are slow to import and not needed.  The list of all imported standard modules would
# differ between versions of Python.
UNWANTED_MODULES = {
    "difflib",
    "dataclasses",
    "hashlib",
    "importlib.metadata",
    "importlib.resources",
    "inspect",
    "json",
    "logging",
    "prompt_toolkit",
    "pygments",
    "shutil",
    "sqlite3",
    "subprocess",
    "tempfile",
}

PRINT_IMPORTED_MODULES = """
import sys
before = set(sys.modules)
from forthvm.cli import main
status = main(["moves", "tictactoe"])
print("modules", *sorted(set(sys.modules) - before))
classes = {value for module in list(sys.modules.values()) for value in vars(module).values()
           if isinstance(value, type) and value.__module__.startswith("forthvm.")}
print("named tuples", *sorted(kind.__name__ for kind in classes if hasattr(kind, "_fields")))
sys.exit(status)
"""


def test_moves_imports_only_needed_modules() -> None:
    printed = output_of(sys.executable, "-c", PRINT_IMPORTED_MODULES)
    *moves, modules, named_tuples = printed.splitlines()
    assert len(moves) == 9
    imported = set(modules.split()[1:])
    own_modules = {name for name in imported if name.partition(".")[0] == "forthvm"}
    if os.name == "nt":
        own_modules.discard("forthvm.system.windows")
    assert own_modules <= FORTHVM_MODULES
    assert own_modules >= FORTHVM_MODULES, "remove modules that are not imported from the list"
    assert not imported & UNWANTED_MODULES
    assert named_tuples == "named tuples", "one costs 10 million instructions: derive from Record"

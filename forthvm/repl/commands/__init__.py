"""The commands of the REPL: a table, and one module for each group of commands."""

from __future__ import annotations

from forthvm.repl.commands.table import COMMANDS, GROUPS, Command, available, find

__all__ = ["COMMANDS", "GROUPS", "Command", "available", "find"]

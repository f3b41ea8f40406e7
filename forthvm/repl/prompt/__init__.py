"""The prompt of the REPL at a terminal: editing, completion, colours, paging and settings."""

from __future__ import annotations

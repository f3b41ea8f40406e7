"""The memory layout of the VM: addresses, headers, code fields, board cells.

This file owns the Python names of the constants in native/vm/layout.h.  Their values come from the
compiled core, so that no other file repeats them.
"""

from __future__ import annotations

from .clib import lib

__all__ = [
    "ADDRESS_MASK",
    "BASE",
    "CELL",
    "COLON",
    "CONTEXT",
    "DICTIONARY",
    "DOES",
    "DP",
    "FLAGS",
    "HEADER",
    "HEADERS_MADE",
    "HIDDEN",
    "HOST",
    "IMMEDIATE",
    "LAST_EDITOR",
    "LOWEST",
    "MOVE_CODE",
    "MOVE_TEXT",
    "NEUTRAL",
    "OWNER_MASK",
    "PAD",
    "RANDOM",
    "REPETITIONS",
    "RINGS",
    "STATE",
    "TYPE_MASK",
    "VARIABLE",
    "WORD_LIST",
]

CELL = 4
"""Bytes of a cell."""

# Addresses.
ADDRESS_MASK = 0xFFFFFFFF
"""Converts a cell, which is signed, to an address, which is unsigned."""
LOWEST = lib.FVM_LOW
"""The lowest readable address."""
STATE = lib.FVM_K_STATE
BASE = lib.FVM_K_BASE
CONTEXT = lib.FVM_K_CONTEXT
DP = lib.FVM_K_DP
LAST_EDITOR = lib.FVM_K_LAST_EDITOR
"""Address of the player of the last board edit, which only engines read."""
HEADERS_MADE = lib.FVM_K_HEADERS
"""Address of the number of headers made so far."""
RANDOM = lib.FVM_K_RANDOM
"""Address of the random streams; the cells below it belong to the kernel."""
RINGS = lib.FVM_RINGS
"""Address of two ring buffers, each with read index, write index and items."""
REPETITIONS = lib.FVM_REPETITION
"""Address of the repetition keys."""
PAD = lib.FVM_PAD
"""Address of the last token read."""
MOVE_TEXT = lib.FVM_TEXT
"""Address of the text of the move under construction."""
DICTIONARY = lib.FVM_DICTIONARY
"""Address of the first header."""

INPUT = lib.FVM_K_INPUT
"""Cell of the library of Forth 2012: the address of the INPUT_BYTES that describe the input."""
INPUT_BYTES = lib.FVM_INPUT_CELLS * CELL
LOCALS_END = lib.FVM_K_LOCALS_TOP
STACK_ENDS = (lib.FVM_K_FLOAT_TOP, LOCALS_END)
"""Cells of the library of Forth 2012: the ends of the stacks of floats and of locals."""

# Headers.
HEADER = lib.FVM_HEADER_BYTES
"""Bytes from a header (NFA) to its code field (CFA)."""
FLAGS = lib.FVM_HEADER_FLAGS
"""Bytes from a header to its flags."""
IMMEDIATE = lib.FVM_FLAG_IMMEDIATE
"""The flag of words that run while compiling."""
HIDDEN = lib.FVM_FLAG_HIDDEN
"""The flag of words that are not found."""

# Kinds of code fields; the numbers below COLON are opcodes of primitives.
COLON = lib.FVM_OP_COLON
VARIABLE = lib.FVM_OP_VAR
DOES = lib.FVM_OP_DOES
MOVE_CODE = lib.FVM_OP_MOVE_CODE
HOST = lib.FVM_OP_HOST
WORD_LIST = lib.FVM_OP_WORD_LIST

# Board cells: the type in the lowest bits, then the owner, then attributes.
TYPE_MASK = lib.FVM_TYPE_MASK
OWNER_MASK = lib.FVM_OWNER_MASK
NEUTRAL = lib.FVM_NEUTRAL
"""The bit of neutral players in an owner."""

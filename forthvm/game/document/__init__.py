"""Saved positions: JSON documents, validated when they are read.

position.schema.json defines the format.
"""

from __future__ import annotations

from .position_json import schema

__all__ = ["schema"]

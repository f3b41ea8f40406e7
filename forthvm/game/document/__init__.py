"""Saved positions: JSON documents in the format that position.schema.json defines."""

from __future__ import annotations

from .writing import schema

__all__ = ["schema"]

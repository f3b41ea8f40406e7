"""Saved positions: JSON documents, written, and read with distrust.

The form of the document is position.schema.json.
"""

from __future__ import annotations

from .position_json import schema

__all__ = ["schema"]

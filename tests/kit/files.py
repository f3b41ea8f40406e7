"""Files that tests write."""

from __future__ import annotations

from pathlib import Path

__all__ = ["write"]


def write(path: Path, content: str | bytes) -> Path:
    """Write a text as UTF-8, or bytes, to a file whose folders are created; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content, encoding="utf-8")
    return path

"""What operating systems lack: marks of the tests that cannot run there, with the reason."""

from __future__ import annotations

import os

import pytest

__all__ = ["needs_links", "needs_pipes"]

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")

"""What tests of exported games need: the core as WebAssembly, which not every build has."""

import pytest

from forthvm.web.offline.export import CORE

__all__ = ["needs_core"]

needs_core = pytest.mark.skipif(
    not CORE.exists(),
    reason="no core.wasm: python native/wasm/build.py makes it",
)

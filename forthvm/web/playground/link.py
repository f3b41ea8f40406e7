"""Links that hold sources in their fragment; forthvm/web/playground/link.js reads them."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["fragment_of"]


def fragment_of(files: Mapping[str, str], main: str) -> str:
    """Return the end of a link that opens files in the playground.

    Args:
        files: The texts by the names of the files.
        main: The script that is loaded.
    """
    texts = [{"name": name, "text": text} for name, text in files.items()]
    sources = json.dumps({"files": texts, "main": main, "example": ""}, ensure_ascii=False)
    compressor = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = compressor.compress(sources.encode()) + compressor.flush()
    return "#1." + base64.urlsafe_b64encode(packed).decode().rstrip("=")

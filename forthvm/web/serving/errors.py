"""The error of a request that a server refuses."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible

if TYPE_CHECKING:
    from forthvm.core.errors import ForthVMError

__all__ = ["RequestError", "script_error"]


class RequestError(Exception):
    """A request that cannot be granted.

    Attributes:
        code: Names the error; pages show the text that their catalogue has for it.
        values: What the text of the catalogue mentions, by name.
    """

    def __init__(self, code: str, text: str, **values: object) -> None:
        """Describe the error; `text` is English, for pages whose catalogue lacks the code."""
        super().__init__(text)
        self.code = code
        self.values = values

    def as_message(self) -> dict[str, object]:
        """Return the message to the page whose request is refused."""
        return {"is": "error", "code": self.code, "values": self.values, "text": str(self)}


def script_error(error: ForthVMError) -> dict[str, object]:
    """Return the message about an error in the game's script.

    It names the file without its folder, since people elsewhere read it, too.
    """
    text, place = error.short_message(), error.location
    if place is not None:
        text = f"{PurePath(place.file).name}:{place.line}:{place.column}: {text}"
    return {"is": "error", "code": "script", "values": {}, "text": visible(text)}

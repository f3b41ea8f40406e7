"""The token that a client at a port has to know before anything is done for it.

Owns the comparison, and what a client may do before.

Editors let their users choose the arguments of `launch` only, so the token is one of them.  Before,
`initialize` is answered, which has to come first and says nothing about this computer.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from .arguments import Arguments, RequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .messages import Json

__all__ = ["TokenCheck"]


class TokenCheck:
    """Checks the requests of one client up to its `launch`.

    Attributes:
        most_bytes: The greatest length of a message before the client is admitted.
    """

    most_bytes = 64 << 10

    def __init__(self, token: str, enter: Callable[[], bool]) -> None:
        """Prepare the check.

        Args:
            token: The token.
            enter: Is called when the client has shown the token; returns whether the client may
                enter, which is false after another one has entered.
        """
        self._token = token
        self._enter = enter

    def admits(self, request: Json) -> bool:
        """Whether a request shows the token; before that one, `initialize` may be executed.

        Raises:
            RequestError: The request may not be executed, and the client has to go.
        """
        if request["command"] in ("initialize", "disconnect"):
            return False
        shown = ""
        if request["command"] == "launch":
            shown = Arguments(request.get("arguments")).text("token", "")
        if not hmac.compare_digest(_as_bytes(shown), _as_bytes(self._token)):
            raise RequestError(
                "the launch needs the token that `forthvm dap` has printed: "
                "set `token` in the configuration of the editor"
            )
        if not self._enter():
            raise RequestError("another editor has connected")
        return True


def _as_bytes(text: str) -> bytes:
    return text.encode(errors="surrogatepass")  # JSON may contain lone surrogates

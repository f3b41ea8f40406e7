"""Answers to requests that cannot be served: after `shutdown`, or with wrong parameters.

Owns what pygls leaves without an answer.  The requests are in handlers.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcInvalidRequest
from pygls.protocol import LanguageServerProtocol

if TYPE_CHECKING:
    from pygls.protocol.json_rpc import RPCMessage

__all__ = ["Protocol"]


class Protocol(LanguageServerProtocol):
    """The protocol of pygls, which answers every request."""

    _is_sending = False

    def _send_data(self, data: Any) -> None:  # noqa: ANN401 - any message
        """Send a message; if that fails, as after the end of the client, do not tell the client."""
        if self._is_sending:
            return  # the report of a failure would fail as well, and be reported, and so on
        self._is_sending = True
        try:
            super()._send_data(data)
        finally:
            self._is_sending = False

    def structure_message(self, data: dict[str, Any]) -> Any:  # noqa: ANN401 - any message
        """Return a message as an object; answer requests whose parameters are wrong."""
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if "id" in data and "method" in data:
                error = JsonRpcInvalidParams(f"wrong parameters of {data['method']}")
                self._send_response(data["id"], error=error.to_response_error())
            raise

    def handle_message(self, message: RPCMessage) -> None:
        """Handle a message; refuse requests after `shutdown`."""
        identifier, method = getattr(message, "id", None), getattr(message, "method", None)
        if self._shutdown and identifier is not None and method is not None:
            error = JsonRpcInvalidRequest("the server is shutting down")
            self._send_response(identifier, error=error.to_response_error())
            return
        super().handle_message(message)

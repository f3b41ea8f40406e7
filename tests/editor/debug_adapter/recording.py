"""Recorded sessions: the requests of a client, and all messages of the adapter, as text.

A recording has a line for each message: `->` for a request and `<-` for a message of the adapter,
its name, and its arguments or body as JSON.  Lines that begin with # are comments.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .client import Client, RequestFailedError

_EVENTS_AFTER = {
    "launch": ("initialized",),
    "configurationDone": ("stopped", "terminated"),
    "continue": ("stopped", "terminated"),
    "reverseContinue": ("stopped",),
    "next": ("stopped", "terminated"),
    "stepIn": ("stopped",),
    "stepOut": ("stopped",),
    "stepBack": ("stopped",),
    "restart": ("stopped", "terminated"),
    "terminate": ("terminated",),
}
"""The events that a client awaits after a request that succeeds."""

_ADDRESS = re.compile(r'("memoryReference": )"\d+"')


def replay(client: Client, recording: str, paths: dict[str, str]) -> str:
    """Send the requests of a recording; return the recording of what happened.

    Args:
        client: The client.
        recording: The recording.
        paths: The paths that placeholders such as <folder> stand for.
    """
    head = [line for line in recording.splitlines() if line.startswith("#")]
    for line in recording.splitlines():
        if line.startswith("-> "):
            _, command, *arguments = line.split(" ", 2)
            text = "".join(arguments)
            for name, path in paths.items():
                text = text.replace(name, path)
            _send(client, command, json.loads(text) if text else None)
    lines = [_line(message) for message in client.messages]
    text = "\n".join(lines)
    for name, path in paths.items():
        text = text.replace(path, name)
    return "\n".join([*head, text]) + "\n"


def _send(client: Client, command: str, arguments: object) -> None:
    try:
        client.request(command, arguments)
    except RequestFailedError:
        return
    if command in _EVENTS_AFTER:
        client.any_event(*_EVENTS_AFTER[command])


def _line(message: dict[str, Any]) -> str:
    if message["type"] == "request":
        return _joined("->", message["command"], message.get("arguments"))
    if message["type"] == "event":
        return _joined("<- event", message["event"], _shortened(message.get("body")))
    outcome = "response" if message["success"] else f"error {message['message']!r}"
    return _joined("<-", f"{message['command']} {outcome}", _shortened(message.get("body")))


def _joined(arrow: str, name: str, content: object) -> str:
    text = f" {json.dumps(content, ensure_ascii=False)}" if content is not None else ""
    text = _ADDRESS.sub(r'\1"<address>"', text)
    return f"{arrow} {name}{text}"


def _shortened(body: dict[str, Any] | None) -> dict[str, Any] | None:
    if body is None or "svg" not in body:
        return body
    picture = re.sub(r"\s+", " ", body["svg"])
    return {**body, "svg": f"{picture[:20]}… {len(re.findall('<[a-z]', picture))} elements"}

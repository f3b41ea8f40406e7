"""Validation of messages against the published JSON schema of the protocol."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

_SCHEMA = json.loads(
    Path(__file__).with_name("debugAdapterProtocol.json").read_text(encoding="utf-8")
)
_OWN = ("forthvm/board",)  # requests and events that are not part of the protocol


@cache
def _validator(name: str) -> jsonschema.protocols.Validator:
    return jsonschema.Draft4Validator(
        {"$ref": f"#/definitions/{name}", "definitions": _SCHEMA["definitions"]}
    )


def check_message(message: dict[str, Any]) -> None:
    """Raise ValidationError unless a message is valid in the protocol."""
    _validator(_definition(message)).validate(message)


def _definition(message: dict[str, Any]) -> str:
    """Return the name of the definition of a message."""
    kind = message["type"]
    if kind == "response" and not message["success"]:
        return "ErrorResponse"
    name = message["event"] if kind == "event" else message["command"]
    if name in _OWN:
        return kind.capitalize()
    return f"{name[0].upper()}{name[1:]}{kind.capitalize()}"

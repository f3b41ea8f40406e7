"""Saved positions as Python values, and their validation by the JSON schema."""

from __future__ import annotations

import json
from typing import Any

from forthvm.game import Position

__all__ = ["saved", "validate"]


def saved(position: Position) -> dict[str, Any]:
    """Return the document as Python values."""
    document: dict[str, Any] = json.loads(position.to_json())
    return document


def validate(  # noqa: C901, PLR0912 - one branch for each keyword of the schema
    value: Any,  # noqa: ANN401
    rule: dict[str, Any],
    root: dict[str, Any] | None = None,
) -> None:
    """Validate a value with the keywords of JSON schema that our schema uses."""
    root = root or rule
    if "$ref" in rule:
        validate(value, root["$defs"][rule["$ref"].rsplit("/", 1)[1]], root)
    if "oneOf" in rule:
        matches = 0
        for alternative in rule["oneOf"]:
            try:
                validate(value, alternative, root)
            except AssertionError:
                continue
            matches += 1
        assert matches == 1
    kinds = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "boolean": bool,
        "null": type(None),
    }
    if "type" in rule:
        names = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
        assert any(
            isinstance(value, kinds[name]) and (name == "boolean") == isinstance(value, bool)
            for name in names
        ), (value, names)
    if "const" in rule:
        assert value == rule["const"]
    if "enum" in rule:
        assert value in rule["enum"]
    if "pattern" in rule:
        import re

        assert re.search(rule["pattern"], value)
    if isinstance(value, int):
        assert rule.get("minimum", value) <= value <= rule.get("maximum", value)
        assert value % rule.get("multipleOf", 1) == 0
    if isinstance(value, dict):
        assert set(rule.get("required", [])) <= value.keys()
        known = rule.get("properties", {})
        if rule.get("additionalProperties") is False:
            assert value.keys() <= known.keys()
        for key, inner in value.items():
            validate(inner, known.get(key, {}), root)
    if isinstance(value, list):
        assert rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value))
        prefix = rule.get("prefixItems", [])
        for inner, inner_rule in zip(value, prefix, strict=False):
            validate(inner, inner_rule, root)
        for inner in value[len(prefix) :]:
            validate(inner, rule.get("items", {}), root)

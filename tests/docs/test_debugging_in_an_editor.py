"""The configurations in docs/guides/debugging-in-an-editor.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.editor.debug_adapter.client import connected

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "debugging-in-an-editor.md"
CONFIGURATIONS = [
    json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
]


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=lambda one: one["name"])
def test_configuration(configuration: dict[str, object]) -> None:
    with connected() as client:
        client.launch(str(configuration.pop("program")), **configuration)
        client.request("configurationDone")
        if "stopOnEntry" in configuration:
            client.stopped()
            client.request("continue", {"threadId": 1})
        client.event("terminated")
        client.request("disconnect")

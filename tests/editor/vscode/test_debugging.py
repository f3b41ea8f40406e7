"""The debug adapter accepts the configurations of the extension, and sends boards that it shows."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest

from forthvm.core.loading.library import games_folder
from forthvm.editor.debug_adapter import launching, token_check
from tests.editor.debug_adapter.client import connected
from tests.kit.processes import output_of

GAME = games_folder() / "tictactoe" / "tictactoe.4th"


def debugger(extension: Path) -> dict[str, Any]:
    manifest = json.loads((extension / "package.json").read_text(encoding="utf-8"))
    [found] = manifest["contributes"]["debuggers"]
    return dict(found)


def offered(extension: Path) -> list[dict[str, Any]]:
    """Returns the configurations that the extension offers for the game."""
    script = "const made = require('./out/test/configurations.js').configurationsFor"
    script += "; console.log(JSON.stringify(made(process.argv[1])))"
    printed = output_of("node", "-e", script, GAME, folder=extension)
    found: list[dict[str, Any]] = json.loads(printed)
    return found


def test_arguments_of_launch(extension: Path) -> None:
    launch = debugger(extension)["configurationAttributes"]["launch"]["properties"]
    sources = inspect.getsource(launching) + inspect.getsource(token_check)
    read = set(re.findall(r'\.(?:text|texts|flag|integer)\("(\w+)"', sources))
    assert read == set(launch)


def test_debugging_starts_the_extension(extension: Path) -> None:
    """VS Code must start the extension before it completes or offers configurations."""
    manifest = json.loads((extension / "package.json").read_text(encoding="utf-8"))
    events = {"onDebugResolve:forthvm", "onDebugDynamicConfigurations:forthvm"}
    assert events <= set(manifest["activationEvents"])


def test_the_first_configuration_debugs_a_game(extension: Path) -> None:
    [initial] = debugger(extension)["initialConfigurations"]
    assert initial["program"] == "${file}"
    with connected() as client:
        client.launch(**{**initial, "program": str(GAME)}, stopOnEntry=True)
        client.request("configurationDone")
        assert client.stopped()["reason"] == "entry"
        client.request("disconnect")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_offered_configurations(extension: Path, number: int) -> None:
    configuration = offered(extension)[number]
    with connected() as client:
        client.launch(**configuration, stopOnEntry=True)
        client.request("configurationDone")
        assert client.stopped()["reason"] == "entry"
        client.request("disconnect")


@pytest.mark.slow
def test_boards(extension: Path) -> None:
    moves, *_ = offered(extension)
    with connected() as client:
        client.launch(**moves, stopOnEntry=True)
        client.request("configurationDone")
        client.stopped()
        board = client.request("forthvm/board", valid=False)
        assert set(board) >= {"title", "svg", "text"}
        assert board["svg"].startswith("<svg")
        client.request("disconnect")

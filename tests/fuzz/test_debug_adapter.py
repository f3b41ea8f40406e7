"""Fuzz tests of the debug adapter: random requests with random arguments."""

from __future__ import annotations

from random import Random

from tests.editor.debug_adapter.client import Client, RequestFailedError, connected
from tests.fuzz.harness import number_from_environment, seed
from tests.fuzz.test_positions import UNEXPECTED_VALUES

CASES = number_from_environment("FORTHVM_FUZZ_DEBUG_ADAPTER", 60)
REQUESTS = (
    *("breakpointLocations", "completions", "configurationDone", "continue", "dataBreakpointInfo"),
    *("evaluate", "exceptionInfo", "forthvm/board", "initialize", "launch", "loadedSources"),
    *("next", "pause", "readMemory", "restart", "reverseContinue", "scopes", "setBreakpoints"),
    *("setDataBreakpoints", "setExceptionBreakpoints", "setFunctionBreakpoints", "source"),
    *("stackTrace", "stepBack", "stepIn", "stepOut", "terminate", "threads", "variables", "what"),
)
NAMES = (
    *("accessType", "arguments", "breakpoints", "column", "condition", "context", "count", "cwd"),
    *("dataId", "depth", "engine", "expression", "filters", "format", "frameId", "granularity"),
    *("hitCondition", "levels", "line", "lines", "logMessage", "memoryReference", "moves", "name"),
    *("offset", "path", "position", "program", "source", "sourceReference", "start", "startFrame"),
    *("stepBy", "stopOnEntry", "target", "test", "text", "threadId", "variablesReference"),
    *("variant", "linesStartAt1", "columnsStartAt1", "pathFormat", "supportsMemoryReferences"),
)
VALUES = (
    *UNEXPECTED_VALUES,
    *("tictactoe", "load", "moves", "play", "search", "test", "mark b2", "1 2 +", "here", "write"),
    *("x" * 300, "%", "{", "{1 2", "file:///%00", "\0", ": x", "0x0", ">= 3", "line", "uri"),
)


_DEEPEST = 3  # lists and objects in one another


def random_value(chooser: Random, depth: int = 0) -> object:
    kind = chooser.randrange(8 if depth < _DEEPEST else 6)
    if kind == 6:
        return [random_value(chooser, depth + 1) for _ in range(chooser.randrange(3))]
    if kind == 7:
        return random_arguments(chooser, depth + 1)
    return chooser.choice(VALUES)


def random_arguments(chooser: Random, depth: int = 0) -> dict[str, object]:
    count = chooser.randrange(8)
    return {name: random_value(chooser, depth) for name in chooser.sample(NAMES, count)}


def check_answer(client: Client, command: str, arguments: object) -> None:
    """Send a request, and check that the answer is a result or an error for users."""
    text = ""
    try:
        client.request(command, arguments, valid=False)
    except RequestFailedError as error:
        text = str(error)
    assert "internal error" not in text, (command, arguments)


def test_random_requests_are_answered() -> None:
    chooser = Random(seed())
    for first in range(0, CASES, 20):
        with connected() as client:
            client.launch("tictactoe", target="moves", stopOnEntry=True)
            client.request("configurationDone")
            client.stopped()
            for _ in range(min(20, CASES - first)):
                check_answer(client, chooser.choice(REQUESTS), random_arguments(chooser))
            client.request("threads")
            client.request("disconnect")

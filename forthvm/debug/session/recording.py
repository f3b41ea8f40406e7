"""Recordings of debugging sessions, which can be replayed.

Owns the JSON format of a recording and the comparison of a replay with a recording.  The target of
a session is the code that it debugs.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import LOWEST
from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from forthvm.core.bindings import NativeVM, Trace

    from .session import Session
    from .state import State
    from .targets import Target

__all__ = ["FORMAT", "Recording", "fingerprint", "replay"]

FORMAT = "forthvm debug 1"
_NUMBER_LIMIT = 2**31  # greater than the number of steps of any session


def fingerprint(native: NativeVM, trace: Trace | None) -> str:
    """Return a digest of memory up to HERE and of both stacks."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(native.read(LOWEST, max(native.here() - LOWEST, 0)))
    stack = [native.pick(n) for n in range(max(native.depth(), 0))]
    calls = trace.return_stack() if trace is not None else ()
    digest.update(repr((native.depth(), stack, calls)).encode())
    return digest.hexdigest()


class Recording:
    """The actions of a session, each with the step at which the run stopped afterwards."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._entries: list[dict[str, object]] = []

    def add(
        self, action: str, args: Mapping[str, object], state: State, digest: str | None = None
    ) -> None:
        """Add an action and the state after it."""
        entry: dict[str, object] = {
            "do": action,
            **args,
            "step": state.step,
            "reason": state.reason,
        }
        if state.location is not None:
            entry["place"] = str(state.location)
        if digest is not None:
            entry["digest"] = digest
        self._entries.append(entry)

    def to_json(self) -> dict[str, object]:
        """Return the recording: the target, a digest of the loaded texts, and the actions."""
        texts = hashlib.blake2b(digest_size=16)
        for text in self._target.vm.sources.texts:
            # A condition belongs to a breakpoint, not to the script; `spec` contains the line.
            if text.name not in ("<condition>", "<line>"):
                texts.update(text.data)
        return {
            "format": FORMAT,
            "target": self._target.spec,
            "texts": texts.hexdigest(),
            "actions": list(self._entries),
        }


def replay(recording: Mapping[str, object], session: Session) -> list[str]:
    """Repeat the actions of a recording in a new session of the same target.

    Returns:
        A line for each action with a different result; empty if all results are the same.

    Raises:
        ForthVMError: The recording is invalid, or was made with another target or other texts.
    """
    current = session.recording.to_json()
    if recording.get("format") != FORMAT:
        raise ForthVMError("this is not a recording of a debugging session")
    if recording.get("target") != current["target"] or recording.get("texts") != current["texts"]:
        raise ForthVMError("the recording is of another target, or the script has changed since")
    actions = recording.get("actions")
    if not isinstance(actions, list):
        raise ForthVMError("the recording has no actions")
    differences = []
    for number, action in enumerate(actions, 1):
        if not isinstance(action, dict):
            raise ForthVMError("the recording has an action that is not an object")
        _repeat(session, action)
        actual = session.recording.to_json()["actions"]
        assert isinstance(actual, list)
        if actual[-1] != action:
            differences.append(f"{number}: {action} resulted in {actual[-1]}")
    return differences


def _repeat(session: Session, action: Mapping[str, object]) -> None:
    name = _text(action, "do")
    function = _ACTIONS.get(name)
    if function is None:
        raise ForthVMError(f"the recording has an unknown action {name!r}")
    function(session, action)


def _back(session: Session, action: Mapping[str, object]) -> None:
    over = bool(action.get("over"))
    session.back(_number(action, "count"), unit=_text(action, "unit"), over=over)


def _break_line(session: Session, action: Mapping[str, object]) -> None:
    source, line = _text(action, "source"), _number(action, "line")
    session.add_line_breakpoint(source, line, **_options(action))


def _options(action: Mapping[str, object]) -> dict[str, str]:
    return {name: _text(action, name) for name in ("condition", "hits", "log") if name in action}


_ACTIONS: Mapping[str, Callable[[Session, Mapping[str, object]], object]] = {
    "step": lambda session, do: session.step(_number(do, "count"), unit=_text(do, "unit")),
    "over": lambda session, do: session.over(_number(do, "count"), unit=_text(do, "unit")),
    "out": lambda session, _do: session.out(),
    "continue": lambda session, _do: session.continue_(),
    "begin": lambda session, _do: session.begin(),
    "enter": lambda session, _do: session.enter(),
    "run_to": lambda session, do: session.run_to(_number(do, "to")),
    "back": _back,
    "reverse_continue": lambda session, _do: session.reverse_continue(),
    "restart": lambda session, _do: session.restart(),
    "break": lambda session, do: session.add_breakpoint(_text(do, "text"), **_options(do)),
    "break_line": _break_line,
    "watch": lambda session, do: session.add_watch(_text(do, "text"), **_options(do)),
    "delete": lambda session, do: session.delete(_number(do, "number")),
    "enable": lambda session, do: session.enable(_number(do, "number"), on=bool(do.get("on"))),
    "ignore": lambda session, do: session.ignore(_number(do, "number"), _number(do, "count")),
}


def _number(action: Mapping[str, object], name: str) -> int:
    value = action.get(name)
    if not isinstance(value, int) or not 0 <= value < _NUMBER_LIMIT:
        raise ForthVMError(f"the recording's {action.get('do')} lacks a number {name!r}")
    return value


def _text(action: Mapping[str, object], name: str) -> str:
    value = action.get(name)
    if not isinstance(value, str):
        raise ForthVMError(f"the recording's action lacks a text {name!r}")
    return value

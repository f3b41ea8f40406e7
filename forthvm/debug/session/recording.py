"""Records of sessions, which can be replayed.

Owns the JSON format of a record and the comparison of a replay with it.  It must not know the
syntax of commands.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import LOWEST
from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.core.bindings import NativeVM, Trace

    from .session import Session
    from .state import State
    from .targets import Target

__all__ = ["FORMAT", "Recording", "fingerprint", "replay"]

FORMAT = "forthvm debug 1"
_MOST = 2**31  # greater than the number of steps of any session
_ACTIONS = ("step", "over", "back")


def fingerprint(native: NativeVM, trace: Trace | None) -> str:
    """Return a digest of memory up to HERE and of both stacks."""
    total = hashlib.blake2b(digest_size=16)
    total.update(native.read(LOWEST, max(native.here() - LOWEST, 0)))
    stack = [native.pick(n) for n in range(max(native.depth(), 0))]
    calls = trace.return_stack() if trace is not None else ()
    total.update(repr((native.depth(), stack, calls)).encode())
    return total.hexdigest()


class Recording:
    """The actions of a session with the step that each led to."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._entries: list[dict[str, object]] = []

    def add(
        self, what: str, args: Mapping[str, object], state: State, digest: str | None = None
    ) -> None:
        """Add an action and the state that it led to."""
        entry: dict[str, object] = {"do": what, **args, "step": state.step, "reason": state.reason}
        if state.location is not None:
            entry["place"] = str(state.location)
        if digest is not None:
            entry["digest"] = digest
        self._entries.append(entry)

    def to_json(self) -> dict[str, object]:
        """Return the record: the target, a digest of the loaded texts, and the actions in order."""
        texts = hashlib.blake2b(digest_size=16)
        for text in self._target.vm.sources.texts:
            # A session adds the conditions of breakpoints; the target's line is in its spec.
            if text.name not in ("<condition>", "<line>"):
                texts.update(text.data)
        return {
            "format": FORMAT,
            "target": self._target.spec,
            "texts": texts.hexdigest(),
            "actions": list(self._entries),
        }


def replay(record: Mapping[str, object], session: Session) -> list[str]:
    """Repeat the actions of a record in a new session of the same target.

    Returns:
        A line for each action with a different result; empty if all results are the same.

    Raises:
        ForthVMError: The record is invalid, or of another target or other texts.
    """
    now = session.recording.to_json()
    if record.get("format") != FORMAT:
        raise ForthVMError("this is not a record of a debugging session")
    if record.get("target") != now["target"] or record.get("texts") != now["texts"]:
        raise ForthVMError("the record is of another target, or the script has changed since")
    actions = record.get("actions")
    if not isinstance(actions, list):
        raise ForthVMError("the record has no actions")
    different = []
    for number, action in enumerate(actions, 1):
        if not isinstance(action, dict):
            raise ForthVMError("the record has an action that is not an object")
        _do(session, action)
        done = session.recording.to_json()["actions"]
        assert isinstance(done, list)
        if done[-1] != action:
            different.append(f"{number}: {action} resulted in {done[-1]}")
    return different


def _do(session: Session, action: Mapping[str, object]) -> None:
    what = _text(action, "do")
    if what in _ACTIONS:
        more = {"over": bool(action.get("over"))} if what == "back" else {}
        getattr(session, what)(_number(action, "count"), unit=_text(action, "unit"), **more)
    elif what in ("out", "reverse_continue", "restart"):
        getattr(session, what)()
    elif what == "continue":
        session.continue_()
    elif what == "run_to":
        session.run_to(_number(action, "to"))
    elif what == "break":
        session.add_breakpoint(_text(action, "text"))
    elif what == "watch":
        session.add_watch(_text(action, "text"))
    elif what == "delete":
        session.delete(_number(action, "number"))
    elif what == "enable":
        session.enable(_number(action, "number"), on=bool(action.get("on")))
    elif what == "ignore":
        session.ignore(_number(action, "number"), _number(action, "count"))
    else:
        raise ForthVMError(f"the record has an unknown action {what!r}")


def _number(action: Mapping[str, object], name: str) -> int:
    value = action.get(name)
    if not isinstance(value, int) or not 0 <= value < _MOST:
        raise ForthVMError(f"the record's {action.get('do')} lacks a number {name!r}")
    return value


def _text(action: Mapping[str, object], name: str) -> str:
    value = action.get(name)
    if not isinstance(value, str):
        raise ForthVMError(f"the record's action lacks a text {name!r}")
    return value

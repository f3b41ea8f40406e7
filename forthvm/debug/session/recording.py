"""Records of sessions, which can be replayed.

Owns the shape of a record (JSON) and the comparison of a replay with it.  It must not know
how commands look.
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
_MOST = 2**31  # far beyond the steps of any session
_ACTIONS = ("step", "over", "back")


def fingerprint(native: NativeVM, trace: Trace | None) -> str:
    """Of memory up to HERE and both stacks."""
    total = hashlib.blake2b(digest_size=16)
    total.update(native.read(LOWEST, max(native.here() - LOWEST, 0)))
    stack = [native.pick(n) for n in range(max(native.depth(), 0))]
    calls = trace.return_stack() if trace is not None else ()
    total.update(repr((native.depth(), stack, calls)).encode())
    return total.hexdigest()


class Recording:
    """What was done in a session, and where each step of it led."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._entries: list[dict[str, object]] = []

    def add(
        self, what: str, args: Mapping[str, object], state: State, digest: str | None = None
    ) -> None:
        """Note an action and the state that it led to."""
        entry: dict[str, object] = {"do": what, **args, "step": state.step, "reason": state.reason}
        if state.location is not None:
            entry["place"] = str(state.location)
        if digest is not None:
            entry["digest"] = digest
        self._entries.append(entry)

    def to_json(self) -> dict[str, object]:
        """The record: what was run, by which texts, and the actions in order."""
        texts = hashlib.blake2b(digest_size=16)
        for text in self._target.vm.sources.texts:
            if text.name not in ("<condition>", "<line>"):
                texts.update(text.data)
        return {
            "format": FORMAT,
            "target": self._target.spec,
            "texts": texts.hexdigest(),
            "actions": list(self._entries),
        }


def replay(record: Mapping[str, object], session: Session) -> list[str]:
    """Do again what a record says, in a fresh session of the same target.

    Returns:
        What came out otherwise, a line each; nothing: all is as it was.

    Raises:
        ForthVMError: It is no record, or one of another target or other texts.
    """
    now = session.recording.to_json()
    if record.get("format") != FORMAT:
        raise ForthVMError("this is no record of a debugging session")
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
            different.append(f"{number}: {action} came out as {done[-1]}")
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
        raise ForthVMError(f"a record knows no action {what!r}")


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

"""The C library and the callbacks through which it calls Python.

This file owns the callbacks (the members of the C struct `fvm_hooks`), and how their exceptions
pass the C frames.  It is the only module that imports `forthvm._native`.  Only the other files of
this package may use `ffi` and `lib`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakMethod

from forthvm.core.failure import ForthVMError, NotBuiltError

try:
    from forthvm._native import __file__ as _core_file
    from forthvm._native import ffi, lib
except ModuleNotFoundError:
    raise NotBuiltError from None

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any, ParamSpec, TypeAlias, TypeVar

    CData: TypeAlias = Any  # an object of cffi; never leaves this package
    _P = ParamSpec("_P")
    _R = TypeVar("_R")

__all__ = ["CORE_FILE", "Host", "ffi", "lib", "weakly"]

CORE_FILE: str = _core_file
"""Path of the compiled core, which identifies the build."""

_STOP = 1  # result of a poll or trace callback that ends the run, as an interrupt does


def weakly(method: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return a function that calls a method but does not keep its object alive."""
    reference = WeakMethod(method)

    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        target = reference()
        if target is None:
            raise ForthVMError("the VM is gone")
        return target(*args, **kwargs)

    return call


class Host:
    """The Python functions that the callbacks of one VM call.

    This object is separate from the VM, so that the handle stored in C does not form a reference
    cycle with the VM.

    Attributes:
        callback_error: The exception that a callback raised during the current C call.
    """

    __slots__ = (
        "__weakref__",
        "callback_error",
        "load",
        "output",
        "poll",
        "report",
        "trace",
        "word",
    )

    def __init__(self) -> None:
        self.callback_error: BaseException | None = None
        self.output: Callable[[bytes], None] | None = None
        self.load: Callable[[bytes], None] | None = None
        self.word: Callable[[int], int] | None = None
        self.poll: Callable[[], bool] | None = None
        self.report: Callable[[int, bytes, int], None] | None = None
        self.trace: Callable[[int], bool] | None = None


def _store_exception(
    _kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    """Store an exception raised by a callback; the method that made the C call raises it again."""
    # The first frame of the traceback is the callback, which has the parameter `handle`.
    if traceback is not None and "handle" in traceback.tb_frame.f_locals:
        _host(traceback.tb_frame.f_locals["handle"]).callback_error = error


def _host(handle: CData) -> Host:
    host: Host = ffi.from_handle(handle)
    return host


@ffi.def_extern(name="fvm_py_output", error=1, onerror=_store_exception)
def _on_output(handle: CData, data: CData, length: int) -> int:
    output = _host(handle).output
    if output is not None:
        output(bytes(ffi.buffer(data, length)))
    return 0


@ffi.def_extern(name="fvm_py_load", error=1, onerror=_store_exception)
def _on_load(handle: CData, name: CData) -> int:
    load = _host(handle).load
    if load is None:
        raise LookupError("LOAD: this VM has no files")
    load(ffi.string(name))
    return 0


@ffi.def_extern(name="fvm_py_word", error=1, onerror=_store_exception)
def _on_word(handle: CData, number: int) -> int:
    word = _host(handle).word
    if word is None:
        raise LookupError("a host word was run, but the VM has none")
    return word(number)


# Python handles Ctrl-C while this function runs: the run ends with KeyboardInterrupt.
@ffi.def_extern(name="fvm_py_poll", error=2, onerror=_store_exception)
def _on_poll(handle: CData) -> int:
    poll = _host(handle).poll
    return _STOP if poll is not None and poll() else 0


@ffi.def_extern(name="fvm_py_report", error=1, onerror=_store_exception)
def _on_report(handle: CData, kind: int, text: CData, value: int) -> int:
    report = _host(handle).report
    if report is not None:
        report(kind, ffi.string(text) if text != ffi.NULL else b"", value)
    return 0


@ffi.def_extern(name="fvm_py_trace", error=2, onerror=_store_exception)
def _on_trace(handle: CData, reasons: int) -> int:
    trace = _host(handle).trace
    return _STOP if trace is not None and trace(reasons) else 0

"""The debugger's full-screen view, driven by keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import to_plain_text
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

import forthvm
from forthvm import debug
from forthvm.repl.debugger_view import DebuggerView

F5, F7, F10, F11, ENTER, QUIT = "\x1b[15~", "\x1b[18~", "\x1b[21~", "\x1b[23~", "\r", "\x11"


class Screen(DummyOutput):
    """An output without terminal, of fixed size."""

    columns = 100

    def get_size(self) -> Size:
        return Size(rows=40, columns=self.columns)


@pytest.fixture
def session() -> Iterator[debug.Session]:
    position = forthvm.load("breakthrough").start()
    with debug.Session(debug.moves_target(position)) as session:
        yield session


def press(
    session: debug.Session,
    *keys: str,
    columns: int = 100,
    after_each_key: Callable[[DebuggerView], None] = lambda _view: None,
) -> DebuggerView:
    """Press keys, wait after each until it is processed, and quit."""
    screen = Screen()
    screen.columns = columns

    async def press_keys(view: DebuggerView, pipe: PipeInput) -> None:
        task = asyncio.ensure_future(view.app.run_async())
        for key in keys:
            pipe.send_text(key)
            await asyncio.sleep(0.05)
            while view.busy:
                await asyncio.sleep(0.01)
            after_each_key(view)
        if not task.done():
            pipe.send_text(QUIT)
        assert await asyncio.wait_for(task, 20) == 0

    with create_pipe_input() as pipe, create_app_session(input=pipe, output=screen):
        view = DebuggerView(session, input=pipe, output=screen)
        asyncio.run(press_keys(view, pipe))
    return view


def messages(view: DebuggerView) -> str:
    return "\n".join(text for _, text in view.messages)


def test_keys_and_commands_step_forward_and_backward(session: debug.Session) -> None:
    view = press(session, "break on move if here c3 =" + ENTER, F5, F11, F7)
    assert session.state.token == "add-move"
    assert "breakpoint 1" in messages(view)
    assert "> step" in messages(view)
    assert "> back" in messages(view)


def test_panes_show_source_callers_watchpoints_board_and_stack(session: debug.Session) -> None:
    view = press(session, "break on move if here c3 =" + ENTER, "watch on c3" + ENTER, F5)
    source = to_plain_text(view._source())
    assert "35 : go ( -- ) from here move add-move ;" in source
    marked = [text for style, text, *_ in view._source() if style == "class:token"]
    assert marked == ["add-move"]
    assert "slant-right" in to_plain_text(view._callers())
    assert to_plain_text(view._watched()) == "on c3 = empty\n"
    assert "White: pawn from b2, here c3" in to_plain_text(view._board())
    assert "stack: empty" in to_plain_text(view._stack())


def test_unknown_commands_are_reported(session: debug.Session) -> None:
    view = press(session, "fly" + ENTER, "1 0 /" + ENTER)
    assert "no command 'fly'" in messages(view)
    assert session.state.step == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("columns", [20, 60, 200])
def test_view_fits_any_width(session: debug.Session, columns: int) -> None:
    view = press(session, F11, F10, "where" + ENTER, columns=columns)
    assert "advance" in messages(view)


def test_quit_leaves_the_view(session: debug.Session) -> None:
    press(session, "quit" + ENTER)
    assert not session.closed


def test_control_c_pauses_a_run(session: debug.Session) -> None:
    vm = forthvm.VM(library="core", output=lambda _text: None)
    vm.interpret(": forever ( -- ) BEGIN FALSE UNTIL ;", name="loop.4th")

    async def wait_until(view: DebuggerView, *, busy: bool) -> None:
        while view.busy is not busy:
            await asyncio.sleep(0.01)

    async def press_keys(view: DebuggerView, pipe: PipeInput) -> None:
        task = asyncio.ensure_future(view.app.run_async())
        pipe.send_text(F5)
        await wait_until(view, busy=True)
        pipe.send_text("s" + ENTER)
        await asyncio.sleep(0.05)
        pipe.send_text("\x03")
        await wait_until(view, busy=False)
        pipe.send_text(QUIT)
        await asyncio.wait_for(task, 20)

    with debug.Session(debug.word_target(vm, "forever")) as running:
        screen = Screen()
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=screen):
            view = DebuggerView(running, input=pipe, output=screen)
            asyncio.run(press_keys(view, pipe))
        assert running.state.reason == "pause"
        assert "the script is running: Ctrl-C pauses it" in messages(view)


def test_output_of_the_target_is_among_the_messages() -> None:
    vm = forthvm.VM(library="core", output=lambda _text: None)
    vm.interpret(': hi ( -- ) ." hello there" CR ;', name="hi.4th")
    with debug.Session(debug.word_target(vm, "hi")) as session:
        view = press(session, F5)
        assert "hello there" in messages(view)
